//! Side-cars: lines, sequences and bones, of which there may be a million each.

use std::hint::black_box;

use allocation_counter::measure;
use skelmap::Text;
use skelmap::actorx::{Config, Psa, Source, check_config};

use test_support::actorx::worst::{animation, info};
use test_support::worst::{A_MILLION, numbered};

fn lines(heading: &str, count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).fold(format!("[AnimSet]\nbAnimRotationOnly=1\n[{heading}]\n"), |text, at| text + &line(at) + "\n")
}

/// A million sequences, half of which no line is about, and a million bones.
#[test]
fn tracks_from_the_mesh_are_counted_without_a_look_at_each_track() {
    let infos: Vec<u8> = (0..A_MILLION).flat_map(|at| info(&format!("S{}", at % 20), 0, 0, 0)).collect();
    let bytes = animation(A_MILLION, 0, infos, &[]);
    let animation = Psa::parse(&bytes).unwrap();
    let text = lines("RemoveTracks", A_MILLION, |at| format!("s{}.{}=rot", at % 10, at % 7));
    let resolved = Config::new(text.as_bytes()).to_resolved(animation.bones());
    // All but the root, and the root too where its rotation is removed: each name meets each of the seven bones.
    let mut tracks = [0; 2];
    for sequence in animation.sequences() {
        let from_mesh = resolved.tracks_from_mesh(sequence.name());
        tracks[usize::from(from_mesh == A_MILLION)] += 1;
        assert!(from_mesh >= A_MILLION - 1);
        let sources = resolved.of_sequence(sequence.name());
        let root = sources.get(0).unwrap();
        assert_eq!(root.rotation == Source::Mesh, from_mesh == A_MILLION);
        assert_eq!(sources.get(A_MILLION), None);
    }
    assert_eq!(tracks, [A_MILLION / 2; 2]);
}

/// The one way to count agrees with the other.
#[test]
fn the_count_of_tracks_equals_the_length_of_their_list() {
    let bytes = animation(7, 1, ["A", "B", "C"].iter().flat_map(|name| info(name, 7, 0, 1)).collect(), &[]);
    let animation = Psa::parse(&bytes).unwrap();
    for rotation_only in [0, 1] {
        let text = format!(
            "[AnimSet]\nbAnimRotationOnly={rotation_only}\n[UseTranslationBoneNames]\n{}\n[ForceMeshTranslationBoneNames]\n{}\n\
             [RemoveTracks]\na.2=rot\nb.1=trans\nA.2=trans\na.0=all\na.9=all\nnone.1=all\nb.1=trans\na.3=rot\n",
            numbered(4),
            numbered(5)
        );
        let resolved = Config::new(text.as_bytes()).to_resolved(animation.bones());
        for sequence in animation.sequences() {
            let sources = resolved.to_track_sources(sequence.name());
            let is_from_mesh =
                |at: &usize| sources[*at].translation == Source::Mesh || sources[*at].rotation == Source::Mesh;
            assert_eq!(resolved.tracks_from_mesh(sequence.name()), (0..7).filter(is_from_mesh).count());
            let one_by_one = resolved.of_sequence(sequence.name());
            assert!((0..8).all(|at| one_by_one.get(at) == sources.get(at).copied()));
        }
    }
}

#[test]
fn a_side_car_of_a_million_lines_is_checked_and_resolved() {
    let file = |sequences: usize| {
        let infos: Vec<u8> = (0..sequences).flat_map(|at| info(&numbered(at), 0, 0, 0)).collect();
        animation(1000, 0, infos, &[])
    };
    let (many, few) = (file(A_MILLION), file(10));
    let texts = [
        (&many, lines("RemoveTracks", A_MILLION, |at| format!("{}.{}=all", numbered(at), at % 2000))),
        (&few, lines("UseTranslationBoneNames", A_MILLION, numbered)),
        (&few, lines("ForceMeshTranslationBoneNames", A_MILLION, |_| numbered(5))),
        (&few, lines("Nothing", A_MILLION, numbered)),
        (&few, "[".repeat(20 * A_MILLION)),
        (&few, "[RemoveTracks]\n".to_owned() + &".=".repeat(10 * A_MILLION)),
    ];
    for (bytes, text) in texts {
        let (animation, config) = (Psa::parse(bytes).unwrap(), Config::new(text.as_bytes()));
        for finding in check_config(&animation, &config) {
            black_box(finding.to_string());
        }
        let resolved = config.to_resolved(animation.bones());
        for sequence in animation.sequences() {
            black_box(resolved.tracks_from_mesh(sequence.name()));
        }
    }
}

/// Names in messages are cut short, for one may be as long as the file.
#[test]
fn a_finding_about_a_name_of_a_megabyte_is_short() {
    let bytes = animation(2, 1, info("Walk", 2, 0, 1), &[]);
    let animation = Psa::parse(&bytes).unwrap();
    let name = "\x7F".repeat(1 << 20);
    let text = format!("[UseTranslationBoneNames]\n{name}\n[RemoveTracks]\n{name}.1=all\n{name}\n");
    let findings = check_config(&animation, &Config::new(text.as_bytes()));
    assert_eq!(findings.len(), 3);
    assert!(findings.iter().all(|finding| finding.message.len() < 1000));
}

#[test]
fn a_resolved_side_car_is_a_small_multiple_of_its_text() {
    let bytes = animation(10, 1, info("Walk", 10, 0, 1), &[]);
    let animation = Psa::parse(&bytes).unwrap();
    for distinct in [1, 10_000] {
        let text = lines("RemoveTracks", 10_000, |at| format!("{}.{}=all", at % distinct, at % 10));
        let info = measure(|| drop(black_box(Config::new(text.as_bytes()).to_resolved(animation.bones()))));
        assert!(info.bytes_max <= 24 * text.len() as u64, "{distinct}: {info:?} of {}", text.len());
    }
    let resolved = Config::new(b"[RemoveTracks]\nwalk.4294967295=all\n").to_resolved(animation.bones());
    assert_eq!(resolved.tracks_from_mesh(Text::new(b"Walk")), 0);
}
