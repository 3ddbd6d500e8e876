//! Files made to hurt: counts without end, depth without end, names that a terminal must not see.

use allocation_counter::measure;
use skelmap::actorx::{Psa, Psk};
use skelmap::{Asset, ErrorKind};

use test_support::actorx::build::{Chunks, Info, Record, to_bytes};
use test_support::actorx::corpus::sample::{figure, moves, walk};

/// Many copies of the same header after a head.
fn repeated(head: &str, id: &str, size: i32, copies: usize) -> Vec<u8> {
    let one = Chunks::flagged(0, 0).empty(id, size).build().bytes;
    let mut bytes = Chunks::new().empty(head, 0).build().bytes;
    bytes.reserve(copies * one.len());
    for _ in 0..copies {
        bytes.extend_from_slice(&one);
    }
    bytes
}

#[test]
fn a_million_empty_chunks_are_walked_without_allocation() {
    let bytes = repeated("ACTRHEAD", "PNTS0000", 12, 1_000_000);
    let mut chunks = 0;
    let info = measure(|| {
        let mesh = Psk::parse(&bytes).unwrap();
        assert!(mesh.points().is_empty());
        chunks = mesh.chunks().count();
        assert_eq!(mesh.quirks().count(), 0);
    });
    assert_eq!(chunks, 1_000_001);
    assert_eq!(info.count_total, 0);
}

#[test]
fn a_million_head_chunks_give_a_million_quirks() {
    let bytes = repeated("ACTRHEAD", "ACTRHEAD", 0, 1_000_000);
    assert_eq!(Psk::parse(&bytes).unwrap().quirks().count(), 1_000_000);
}

/// So many sequences that all name the same five frames of four bones.
fn shared(sequences: usize) -> Vec<u8> {
    let anim = walk();
    let info = to_bytes(&[Info::new("Walk", 4, 0, 5, 20.0)]);
    let mut infos = Vec::with_capacity(sequences * info.len());
    for _ in 0..sequences {
        infos.extend_from_slice(&info);
    }
    let chunks = Chunks::new().empty("ANIMHEAD", 0).records("BONENAMES", &anim.bones);
    chunks.chunk("ANIMINFO", Info::SIZE, &infos).records("ANIMKEYS", &anim.keys).build().bytes
}

#[test]
fn a_million_sequences_over_the_same_frames_are_views_of_the_same_keys() {
    let bytes = shared(1_000_000);
    let mut last = None;
    let info = measure(|| {
        let animation = Psa::parse(&bytes).unwrap();
        last = animation.sequences().last();
        assert_eq!(animation.quirks().count(), 0);
        assert_eq!(Asset::ActorxPsa(animation).summary().frames, Some(5_000_000));
    });
    assert_eq!(info.count_total, 0);
    let last = last.unwrap();
    assert_eq!((last.index(), last.first_frame(), last.keys().len()), (999_999, 0, 20));
    let end = &bytes[bytes.len() - 640..];
    assert_eq!(last.keys().as_ptr().cast::<u8>(), end.as_ptr());
}

#[test]
fn a_sequence_of_two_thousand_million_frames_is_as_long_as_its_keys() {
    let mut anim = walk();
    anim.infos[0].num_raw_frames = i32::MAX;
    let bytes = anim.chunks().build().bytes;
    let animation = Psa::parse(&bytes).unwrap();
    let sequence = animation.sequence_at(0).unwrap();
    assert_eq!((sequence.declared_frame_count(), sequence.frame_count()), (i32::MAX as u32, 5));
    assert_eq!(sequence.keys().len(), 20);
    assert_eq!(sequence.track(3).unwrap().len(), 5);
    assert!(sequence.frame(4).is_ok());
    let kind = sequence.frame(5).unwrap_err().kind();
    assert_eq!(kind, ErrorKind::FrameOutOfRange { frame: 5, count: 5 });
}

#[test]
fn first_frames_far_past_32_bits_are_counted_up_without_overflow() {
    let mut anim = walk();
    anim.infos = vec![Info::new("Long", 4, -1, 0, 20.0); 10_000];
    for info in &mut anim.infos {
        info.num_raw_frames = i32::MAX;
    }
    let bytes = anim.chunks().build().bytes;
    let animation = Psa::parse(&bytes).unwrap();
    let last = animation.sequences().last().unwrap();
    assert_eq!(last.first_frame(), 9_999 * i32::MAX as u64);
    assert!(last.keys().is_empty());
    assert_eq!(Asset::ActorxPsa(animation).summary().frames, Some(5));
}

#[test]
fn errors_about_chunks_with_huge_counts_state_the_bytes_that_are_left() {
    for (id, size) in [("PNTS0000", 12), ("MRPHINFO", 68), ("SKELSOCK", 164), ("FACE3200", 20), ("EXTRAUV0", 16)] {
        let built = figure().chunks().declare(id, size, i32::MAX, &[0; 40]).build();
        let error = Psk::parse(&built.bytes).unwrap_err();
        let expected = ErrorKind::RecordsOverrun { count: i32::MAX as u32, size: size as u64, left: 40 };
        assert_eq!(error.kind(), expected, "{id}");
        assert_eq!(error.offset(), 1672);
    }
    let built = figure().chunks().declare("PNTS0000", 12, i32::MIN, &[0; 40]).build();
    let error = Psk::parse(&built.bytes).unwrap_err();
    assert_eq!(error.code(), skelmap::actorx::codes::NEGATIVE_COUNT);
    assert!(error.to_string().ends_with("the record count is -2147483648, expected 0 or more"), "{error}");
}

#[test]
fn an_unknown_chunk_may_have_any_number_of_records_of_zero_bytes() {
    let built =
        figure().chunks().declare("NOTHING", 0, i32::MAX, &[]).records("EXTRAUVS0", &[[0.5_f32; 2]; 24]).build();
    let mesh = Psk::parse(&built.bytes).unwrap();
    let nothing = mesh.chunks().find(|chunk| chunk.id.as_bytes() == b"NOTHING").unwrap();
    assert_eq!((nothing.count, nothing.body.len()), (i32::MAX as u32, 0));
    assert_eq!(mesh.extra_uv_sets().count(), 1);
}

#[test]
fn a_known_chunk_must_not_have_records_of_zero_bytes() {
    for id in ["PNTS0000", "EXTRAUVS0", "MRPHINFO"] {
        let built = figure().chunks().declare(id, 0, i32::MAX, &[]).build();
        let kind = Psk::parse(&built.bytes).unwrap_err().kind();
        assert!(matches!(kind, ErrorKind::RecordSize { size: 0, .. }), "{id}: {kind}");
    }
}

#[test]
fn control_characters_in_names_are_escaped() {
    let mut id = [0; 20];
    id[..8].copy_from_slice(b"\x1b[2J\x07\xFF\n\r");
    let built = figure().chunks().raw("odd", id, 0, 4, 2, &[0; 7]).build();
    let error = Psk::parse(&built.bytes).unwrap_err();
    let text = "at byte 1672 (\\x1b[2J\\x07\\xff\\n\\r): 2 records of 4 bytes need 8 bytes, but the file has only 7 left: it is cut off or damaged";
    assert_eq!(error.to_string(), text);
    let sound = figure().chunks().raw("odd", id, 0, 4, 2, &[0; 8]).build();
    let quirk = Psk::parse(&sound.bytes).unwrap().quirks().next().unwrap();
    assert!(quirk.to_string().starts_with("at byte 1672 (\\x1b[2J\\x07\\xff\\n\\r): "), "{quirk}");

    let clear = |text: &str| text.bytes().all(|byte| byte >= 0x20 && byte != 0x7F);
    let chunk = Psk::parse(&sound.bytes).unwrap().chunks().last().unwrap();
    assert!(clear(&chunk.id.to_string()) && clear(&format!("{:?} {chunk:?}", chunk.id)));
    let mut anim = moves(&[("\x1b]0;owned\x07", 5, 20.0)]);
    anim.bones[1].name[..5].copy_from_slice(b"\x1b[31m");
    let bytes = anim.chunks().build().bytes;
    let animation = Psa::parse(&bytes).unwrap();
    assert!(clear(&format!("{:?} {:?}", animation.infos(), animation.bones())));
}

mod checks {
    use super::{Chunks, Info, moves, shared};
    use skelmap::actorx::{Config, Psa, Psk, check_config};
    use skelmap::{Finding, Severity};
    use test_support::actorx::build::{Anim, Bone, IDENTITY, name};

    fn codes(findings: &[Finding]) -> Vec<(&'static str, u64)> {
        findings.iter().map(|finding| (finding.code.name(), finding.count)).collect()
    }

    fn bones(parents: impl Iterator<Item = i32>) -> Vec<u8> {
        let numbered = parents.enumerate();
        let bones: Vec<Bone> =
            numbered.map(|(bone, parent)| Bone::new(&bone.to_string(), parent, [0.0; 3], IDENTITY)).collect();
        Chunks::new().empty("ACTRHEAD", 0).records("REFSKELT", &bones).build().bytes
    }

    #[test]
    fn a_deep_chain_of_bones_is_checked_without_recursion() {
        let bytes = bones((0..100_000).map(|bone| (bone - 1).max(0)));
        assert_eq!(codes(&Psk::parse(&bytes).unwrap().check()), []);
        let bytes = bones((1..=100_000).map(|next| if next == 100_000 { -1 } else { next }));
        let expected = [("bone-order", 99_999), ("bone-extra-root", 1), ("bone-unreachable", 99_998)];
        assert_eq!(codes(&Psk::parse(&bytes).unwrap().check()), expected);
    }

    #[test]
    fn a_long_cycle_of_bones_is_one_finding() {
        let bytes = bones((1..=100_000).map(|next| next % 100_000));
        let findings = Psk::parse(&bytes).unwrap().check();
        assert_eq!(codes(&findings), [("bone-cycle", 1), ("bone-order", 99_999)]);
        assert_eq!((findings[0].severity, findings[0].index), (Severity::Error, Some(0)));
    }

    #[test]
    fn many_short_cycles_are_found_one_by_one() {
        // 1 and 2, 3 and 4, and so on are each other's parents.
        let bytes = bones((0..100_001).map(|bone| if bone == 0 { 0 } else { bone + (bone % 2) * 2 - 1 }));
        let cycles = codes(&Psk::parse(&bytes).unwrap().check())[0];
        assert_eq!(cycles, ("bone-cycle", 50_000));
    }

    #[test]
    fn many_sequences_over_the_same_frames_give_one_finding_of_each_kind() {
        let bytes = shared(200_000);
        let findings = Psa::parse(&bytes).unwrap().check();
        let expected = [("key-count", 1), ("name-duplicate", 199_999), ("sequence-overlap", 199_999)];
        assert_eq!(codes(&findings), expected);
    }

    #[test]
    fn each_of_many_curve_chunks_belongs_to_its_own_sequence() {
        const MANY: usize = 200_000;
        let label = |index: usize| format!("S{index:06}");
        let mut anim = Anim { bones: moves(&[]).bones, ..Anim::default() };
        anim.infos = (0..MANY).map(|index| Info::new(label(index), 4, 0, 0, 20.0)).collect();
        let mut bytes = anim.chunks().build().bytes;
        for index in 0..MANY {
            // Every second one is of a sequence that is not there.
            let id = if index % 2 == 0 { label(index) } else { format!("T{index:06}") } + ":CUR";
            bytes.extend(Chunks::flagged(0, 0).curves(&id, 0, &[("Smile", Vec::new())]).build().bytes);
        }
        let findings = Psa::parse(&bytes).unwrap().check();
        let strays = findings.iter().filter(|finding| finding.code.name() == "curve-size").count();
        assert_eq!((strays, findings.len()), (MANY / 2, MANY / 2));
    }

    #[test]
    fn a_side_car_of_many_lines_is_checked_against_many_names() {
        let anim = Anim {
            infos: (0..100_000).map(|index| Info::new(format!("S{index}"), 4, 0, 0, 20.0)).collect(),
            bones: moves(&[]).bones,
            ..Anim::default()
        };
        let bytes = anim.chunks().build().bytes;
        let mut text = String::from("[RemoveTracks]\n");
        text.extend((0..200_000).map(|index| format!("s{index}.{}=all\n", index % 5)));
        let findings = check_config(&Psa::parse(&bytes).unwrap(), &Config::new(text.as_bytes()));
        assert_eq!(codes(&findings), [("config-sequence", 100_000), ("config-bone", 40_000)]);
        assert_eq!((findings[0].index, findings[1].index), (Some(100_002), Some(6)));
    }

    #[test]
    fn findings_escape_control_characters_in_names() {
        let mut anim = moves(&[("\x1b]0;owned\x07", 5, 0.0)]);
        anim.bones[2].name = name(b"\x1b[31m\xFF ");
        let bytes = anim.onto(Chunks::new()).curves("\u{1b}[2J:CUR", 5, &[]).build().bytes;
        let animation = Psa::parse(&bytes).unwrap();
        let mut findings = animation.check();
        findings.extend(check_config(&animation, &Config::new(b"[\x1b[0m]\n[RemoveTracks]\n\x1b[5m.1=all\n")));
        assert!(findings.len() >= 5, "{findings:#?}");
        for finding in findings {
            let text = finding.to_string();
            assert!(text.bytes().all(|byte| byte >= 0x20 && byte != 0x7F), "{text:?}");
        }
    }
}
