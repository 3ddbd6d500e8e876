//! Side-cars that follow.

use skelmap::actorx::{Config, Psa};
use skelmap_write::edit::{EditError, Merge, PsaEdit, Split, split};
use test_support::actorx::build::{Anim, chain, name};
use test_support::corpus;

use super::three;

/// The side-car after edits of an animation.
fn edited(
    anim: &Anim,
    config: impl AsRef<[u8]>,
    ask: impl FnOnce(&mut PsaEdit<'_>) -> Result<(), EditError>,
) -> Result<String, EditError> {
    let file: Vec<u8> = anim.chunks().into();
    let psa = Psa::parse(&file).unwrap();
    let mut edit = PsaEdit::new(&psa);
    ask(&mut edit)?;
    let mut out = Vec::new();
    let result = edit.write_config(&Config::new(config.as_ref()), &mut out);
    assert!(result.is_ok() || out.is_empty());
    result.map(|()| String::from_utf8(out).unwrap())
}

#[test]
fn nothing_asked_gives_the_bytes_of_every_side_car() {
    let mut count = 0;
    for folder in [Some(corpus::folder()), corpus::samples("actorx")].into_iter().flatten() {
        for path in corpus::below(&folder, &["config"]) {
            let (config, psa) = (std::fs::read(&path).unwrap(), std::fs::read(path.with_extension("psa")).unwrap());
            let psa = Psa::parse(&psa).unwrap();
            let mut out = Vec::new();
            PsaEdit::new(&psa).write_config(&Config::new(&config), &mut out).unwrap();
            assert!(out == config, "{}", path.display());
            count += 1;
        }
    }
    assert!(count >= 9, "{count}");
}

#[test]
fn lines_follow_names_and_numbers() {
    let config = "[AnimSet]\r\nbAnimRotationOnly=1\r\n\r\n[RemoveTracks]\r\n wAlk . 2 = TRANS \r\nRun.1=all\r\nIdle.2=rot\r\n\
                  Idle.1=all\r\nOther.1=all\r\nodd line\r\nIdle.77=all";
    let out = edited(&three(), config, |edit| {
        edit.rename("walk", "a.b=c")?.keep(&["walk", "idle"])?.drop_bone("Bone_0001").map(drop)
    });
    let expected = "[AnimSet]\r\nbAnimRotationOnly=1\r\n\r\n[RemoveTracks]\r\n a.b=c . 1 = TRANS \r\nIdle.1=rot\r\n\
                    Other.1=all\r\nodd line\r\nIdle.77=all";
    assert_eq!(out.unwrap(), expected);
    let read: Vec<_> = Config::new(expected.as_bytes()).entries().map(|(_, entry)| format!("{entry:?}")).collect();
    assert!(read[1].contains("a.b=c") && read[1].contains("bone: 1"), "{}", read[1]);
}

#[test]
fn names_of_bones_follow() {
    let config =
        "\u{feff}[UseTranslationBoneNames]\nBONE_0001\n  Bone_0002\t\nGone\n[ForceMeshTranslationBoneNames]\nBone_0002";
    let out = edited(&three(), config, |edit| edit.rename_bone("Bone_0002", "Arm")?.drop_bone("Bone_0001").map(drop));
    let expected = "\u{feff}[UseTranslationBoneNames]\n  Arm\t\nGone\n[ForceMeshTranslationBoneNames]\nArm";
    assert_eq!(out.unwrap(), expected);
}

#[test]
fn a_name_that_two_sequences_have_keeps_its_lines_for_both() {
    let mut anim = three();
    anim.infos[2].name = name("WALK");
    let config = "[RemoveTracks]\nwalk.1=all";
    let out = edited(&anim, config, |edit| edit.rename("walk", "Stroll").map(drop)).unwrap();
    assert_eq!(out, "[RemoveTracks]\nStroll.1=all\nwalk.1=all");
    // One of the two is left.
    let out = edited(&anim, config, |edit| {
        edit.keep_if(|sequence| sequence.index() != 0);
        Ok(())
    });
    assert_eq!(out.unwrap(), config);
}

#[test]
fn lines_that_would_get_another_owner_are_refused() {
    let error = |config: &str, old: &str, new: &str| {
        edited(&three(), config, |edit| edit.rename(old, new)?.rename_bone("Bone_0001", new).map(drop))
            .unwrap_err()
            .to_string()
    };
    let end = ": it has lines with this name, or the name looks like a heading";
    let found = error("[RemoveTracks]\nJUMP.1=all", "Walk", "Jump");
    assert_eq!(found, format!("the side-car cannot follow the new name \"Jump\"{end}"));
    let found = error("[UseTranslationBoneNames]\nbone_0001", "Walk", "[AnimSet]");
    assert_eq!(found, format!("the side-car cannot follow the new name \"[AnimSet]\"{end}"));
}

#[test]
fn real_side_cars_are_split_and_merged() {
    let Some(folder) = corpus::samples("actorx") else { return };
    let paths = corpus::below(&folder, &["config"]);
    assert!(!paths.is_empty());
    for path in paths {
        let (config, psa) = (std::fs::read(&path).unwrap(), std::fs::read(path.with_extension("psa")).unwrap());
        let psa = Psa::parse(&psa).unwrap();
        let mut out = Vec::new();
        split(&psa, 0).unwrap().write_config(&Config::new(&config), &mut out).unwrap();
        assert!(out == config, "{}: a file with one sequence", path.display());
        // A bone less: one line less, if the bone has one, and all greater numbers are less by one.
        let mut edit = PsaEdit::new(&psa);
        edit.drop_bone(&psa.bones()[5].name().text().to_string()).unwrap();
        out.clear();
        edit.write_config(&Config::new(&config), &mut out).unwrap();
        let expected = String::from_utf8(config).unwrap();
        let expected: String = expected
            .split_inclusive('\n')
            .filter_map(|line| {
                let Some((head, tail)) = line.rsplit_once('=') else { return Some(line.to_owned()) };
                let Some((name, bone)) = head.rsplit_once('.') else { return Some(line.to_owned()) };
                let bone: u32 = bone.parse().unwrap();
                (bone != 5).then(|| format!("{name}.{}={tail}", if bone > 5 { bone - 1 } else { bone }))
            })
            .collect();
        assert_eq!(String::from_utf8(out).unwrap(), expected, "{}", path.display());
    }
}

/// A writer that counts calls.
#[derive(Default)]
struct Calls {
    bytes: Vec<u8>,
    count: usize,
}

impl std::io::Write for Calls {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.count += 1;
        self.bytes.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// The side-cars of all files of a split, which are those of edits that keep one sequence.
fn side_cars_of_split(psa: &Psa<'_>, config: &[u8]) -> Vec<Calls> {
    let split_psa = Split::new(psa).unwrap();
    let side_cars = split_psa.side_cars(&Config::new(config));
    let one = |index: usize| {
        let mut out = Calls::default();
        side_cars.write(index, &mut out).unwrap();
        let mut expected = Vec::new();
        split(psa, index).unwrap().write_config(&Config::new(config), &mut expected).unwrap();
        assert_eq!(String::from_utf8_lossy(&out.bytes), String::from_utf8_lossy(&expected), "sequence {index}");
        assert!(out.bytes == expected, "sequence {index}");
        out
    };
    let all = (0..split_psa.len()).map(one).collect();
    let error = side_cars.write(split_psa.len(), &mut Vec::new()).unwrap_err();
    assert!(matches!(error, EditError::NoSequence { .. }), "{error}");
    all
}

#[test]
fn side_cars_of_a_split_are_those_of_edits_that_keep_one_sequence() {
    for folder in [Some(corpus::folder()), corpus::samples("actorx")].into_iter().flatten() {
        for path in corpus::below(&folder, &["config"]) {
            let (config, psa) = (std::fs::read(&path).unwrap(), std::fs::read(path.with_extension("psa")).unwrap());
            side_cars_of_split(&Psa::parse(&psa).unwrap(), &config);
        }
    }
    let mut anim = three();
    anim.infos[2].name = name("WALK");
    for anim in [three(), anim] {
        let file: Vec<u8> = anim.chunks().into();
        let psa = Psa::parse(&file).unwrap();
        for config in [
            "",
            "\n\n",
            "[RemoveTracks]",
            "Walk.1=all\n[RemoveTracks]\nWalk.1=all",
            "\u{feff}[RemoveTracks]\r\n wAlk . 2 = TRANS \nRun.1=all\r\nIdle.2=rot\nOther.1=all\nodd line\nIdle.77=all\r",
            "[RemoveTracks]\nRun.1=all\n\nWalk.0=rot\nWalk.1=rot\n[AnimSet]\nbAnimRotationOnly=1\n[REMOVETRACKS]\nRun.2=all\nWalk.2=x\n",
            "[UseTranslationBoneNames]\nBone_0001\n[ForceMeshTranslationBoneNames]\n[x\nBone_0002\n[RemoveTracks]\nIdle.0=all\nRun.0=all",
        ] {
            side_cars_of_split(&psa, config.as_bytes());
        }
    }
}

/// However many sequences a side-car is about, the lines of one are written with what is common to all, and no others are looked at.
#[test]
fn the_side_car_of_one_of_many_sequences_takes_as_many_writes_as_it_has_pieces() {
    let names: Vec<String> = (0..500).map(|index| format!("s{index}")).collect();
    let sequences: Vec<_> = names.iter().map(|name| (name.as_str(), 1, 30.0)).collect();
    let file: Vec<u8> = Anim::sway(chain(3), &sequences).chunks().into();
    let lines = names.iter().flat_map(|name| (0..3).map(move |bone| format!("{name}.{bone}=all\n")));
    let config = format!("[AnimSet]\nbAnimRotationOnly=1\n[RemoveTracks]\n{}[Other]\n", lines.collect::<String>());
    for (out, name) in side_cars_of_split(&Psa::parse(&file).unwrap(), config.as_bytes()).iter().zip(&names) {
        let own = format!("{name}.0=all\n{name}.1=all\n{name}.2=all\n");
        let expected = format!("[AnimSet]\nbAnimRotationOnly=1\n[RemoveTracks]\n{own}[Other]\n");
        // What is common before the lines, these at once, and what is common after them.
        assert_eq!((String::from_utf8_lossy(&out.bytes).as_ref(), out.count), (expected.as_str(), 3));
    }
}

#[test]
fn lines_of_further_files_follow_one_heading_whatever_ends_the_side_car_of_the_first() {
    let files: Vec<Vec<u8>> =
        ["a", "b", "c", "d"].map(|name| Anim::sway(chain(2), &[(name, 1, 1.0)]).chunks().into()).into();
    let files: Vec<_> = files.iter().map(|file| Psa::parse(file).unwrap()).collect();
    let merged = |configs: [&str; 4]| {
        let mut out = Vec::new();
        let configs = configs.map(|text| Some(Config::new(text.as_bytes())));
        Merge::new(&files).write_config(&configs, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    };
    let (none, c, d) = ("[RemoveTracks]", "[RemoveTracks]\nc.1=all", "[RemoveTracks]\r\nd.0=rot\r\nd.1=rot\r\n");
    let further = "c.1=all\nd.0=rot\r\nd.1=rot\r\n";
    assert_eq!(merged(["", none, c, d]), format!("[RemoveTracks]\n{further}"));
    assert_eq!(merged(["[RemoveTracks]\na.0=all", none, c, d]), format!("[RemoveTracks]\na.0=all\n{further}"));
    assert_eq!(
        merged(["[RemoveTracks]\na.0=all\n[Other]", none, c, d]),
        format!("[RemoveTracks]\na.0=all\n[Other]\n[RemoveTracks]\n{further}")
    );
}

#[test]
fn side_cars_of_a_split_are_merged_to_the_byte() {
    let file: Vec<u8> = three().chunks().into();
    let psa = Psa::parse(&file).unwrap();
    let config = "[AnimSet]\r\nbAnimRotationOnly=0\r\n\r\n[RemoveTracks]\r\nWalk.1=all\r\nWalk.2=rot\r\nRun.0=trans\r\nIdle.1=all\r\n";
    let mut parts = Vec::new();
    for index in 0..3 {
        let edit = split(&psa, index).unwrap();
        let (mut out, mut side_car) = (Vec::new(), Vec::new());
        edit.write(&mut out).unwrap();
        edit.write_config(&Config::new(config.as_bytes()), &mut side_car).unwrap();
        parts.push((out, side_car));
    }
    let files: Vec<_> = parts.iter().map(|(file, _)| Psa::parse(file).unwrap()).collect();
    let configs: Vec<_> = parts.iter().map(|(_, config)| Some(Config::new(config))).collect();
    let mut out = Vec::new();
    Merge::new(&files).write_config(&configs, &mut out).unwrap();
    assert_eq!(String::from_utf8(out).unwrap(), config);
}

#[test]
fn merged_side_cars_name_the_bones_and_sequences_of_the_output() {
    let one = Anim::sway(chain(3), &[("a", 1, 1.0)]);
    let mut other = Anim::sway(chain(3), &[("A", 1, 1.0)]);
    other.bones.swap(1, 2);
    other.bones[0].name = name("elsewhere");
    let files: Vec<Vec<u8>> = vec![one.chunks().into(), other.chunks().into()];
    let files: Vec<_> = files.iter().map(|file| Psa::parse(file).unwrap()).collect();
    let merge = Merge::new(&files).number_duplicates();
    let config = |text: &'static str| Some(Config::new(text.as_bytes()));
    let merged = |configs: [Option<Config<'_>>; 2]| {
        let mut out = Vec::new();
        merge.write_config(&configs, &mut out).map(|()| String::from_utf8(out).unwrap())
    };
    let lines = "[RemoveTracks]\nA.0=all\nA.1=rot\nA.2=all\nstray.1=all\nA.9=all";
    let out = merged([config("[AnimSet]\nbAnimRotationOnly=0"), config(lines)]).unwrap();
    assert_eq!(out, "[AnimSet]\nbAnimRotationOnly=0\n[RemoveTracks]\nA_2.2=rot\nA_2.1=all\n");
    assert_eq!(merged([None, config(lines)]).unwrap(), "[RemoveTracks]\nA_2.2=rot\nA_2.1=all\n");
    let error = merged([config("[AnimSet]\nbAnimRotationOnly=1"), None]).unwrap_err().to_string();
    assert_eq!(
        error,
        "the side-car of file 2 of the list differs from that of the first (a missing one too) in what it says about all sequences"
    );
}

#[test]
fn lines_for_many_sequences_of_one_name_have_a_limit() {
    let mut anim = Anim::sway(chain(2), &[]);
    anim.infos = (0..5_000).map(|_| test_support::actorx::build::Info::new("a", 2, 0, 0, 1.0)).collect();
    let file: Vec<u8> = anim.chunks().into();
    let psa = Psa::parse(&file).unwrap();
    let config = format!("[RemoveTracks]\n{}", "a.1=all\n".repeat(5_000));
    let mut out = Vec::new();
    let configs = [Some(Config::new(config.as_bytes()))];
    let error = Merge::new(&[psa]).number_duplicates().write_config(&configs, &mut out).unwrap_err();
    assert!(matches!(error, EditError::TooLarge { .. }) && out.is_empty(), "{error}");
}
