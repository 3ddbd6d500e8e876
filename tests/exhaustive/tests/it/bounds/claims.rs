//! Numbers that a small file merely claims: every one of them at its largest, in files that are sound but for that.

use std::hint::black_box;

use allocation_counter::measure;
use skelmap::ParseOptions;
use skelmap::pyrogenesis;
use skelmap::swat3::{self, BoneLayout, Field, NameForm, SkeletonOption};

use super::{convert, everything};
use test_support::actorx::build::Chunks;
use test_support::actorx::corpus::sample::{figure, walk};
use test_support::pyrogenesis::build::{Pmd, Psa};
use test_support::swat3::build::{Frame, Gsa, IDENTITY, Layout, biped};
use test_support::with;

/// Bytes in use for each byte of the file, and what little files cost besides.
const MULTIPLE: u64 = 12;
const BESIDES: u64 = 16 << 10;

/// The buffer of an output, and the words of a small glTF.
const OF_CONVERSION: u64 = 128 << 10;

/// A small sound file of every kind.
fn sound() -> Vec<(&'static str, Vec<u8>)> {
    let extras =
        Chunks::new().records("MRPHINFO", &[test_support::actorx::build::Morph { name: [b'm'; 64], count: 1 }]);
    let extras =
        extras.chunk("MRPHDATA", 28, &[0; 28]).chunk("SKELSOCK", 164, &[0; 164]).chunk("EXTRAUVS0", 8, &[0; 48]);
    let curves = Chunks::flagged(0, 0).curves("Walk:CUR", 5, &[("Smile", vec![0.0; 5])]).build().bytes;
    let gsa = |minor, ids: &[u16]| {
        let frame = Frame::new(vec![IDENTITY; ids.len()]);
        let frames = if minor == 2 { vec![frame.clone().event("sound=cuff"), frame] } else { vec![frame; 2] };
        Gsa::new(minor, Layout::Plain.skeleton(&biped(5)), ids, frames).build().bytes
    };
    vec![
        ("psk", [figure().chunks().build().bytes, extras.build().bytes].concat()),
        ("psa", [walk().chunks().build().bytes, curves].concat()),
        ("pyrogenesis psa", Psa::walk(3, 2).build().bytes),
        ("pmd 4", Pmd::grid(3, 2, 2, 2).build().bytes),
        ("pmd 2", Pmd { version: 2, ..Pmd::grid(3, 2, 2, 1) }.build().bytes),
        ("gsa 4.1", gsa(1, &[0, 2, 3])),
        ("gsa 4.2", gsa(2, &[0, 2, 3])),
    ]
}

/// Every way to take a file.
fn ways() -> [ParseOptions; 3] {
    let layout = BoneLayout::new(4, NameForm::U16, 28);
    let mut given = swat3::Options::default();
    given.skeleton = SkeletonOption::Given(layout);
    let mut lenient = swat3::Options::default();
    lenient.trailing_zeros = true;
    [
        ParseOptions::default(),
        with(ParseOptions::default(), |own| {
            own.pyrogenesis = pyrogenesis::Options::ENGINE;
            own.swat3 = given;
        }),
        with(ParseOptions::default(), |own| {
            own.pyrogenesis = pyrogenesis::Options::ENGINE;
            own.swat3 = lenient;
        }),
    ]
}

#[test]
fn nothing_is_allocated_for_a_number_that_a_file_merely_claims() {
    let largest: [&[u8]; 5] = [&[0xFF; 2], &[0xFF, 0x7F], &[0xFF; 4], &[0xFF, 0xFF, 0xFF, 0x7F], &[0, 0, 0, 0x40]];
    for (name, bytes) in sound() {
        let most = MULTIPLE * bytes.len() as u64 + BESIDES;
        for at in 0..bytes.len() {
            for value in largest {
                let mut lying = bytes.clone();
                lying.iter_mut().skip(at).zip(value).for_each(|(byte, new)| *byte = *new);
                for options in ways() {
                    let info = measure(|| everything(&lying, &options));
                    assert!(info.bytes_max <= most, "{name}: {value:?} at {at}: {info:?} of {}", bytes.len());
                }
                let info = measure(|| convert(&lying));
                assert!(info.bytes_max <= most + OF_CONVERSION, "{name}: {value:?} at {at}: {info:?}");
            }
        }
    }
}

/// Counts of records without bytes may be anything, and cost nothing.
#[test]
fn four_thousand_million_records_of_zero_bytes_allocate_nothing() {
    let states = |bones, frames| Psa::new(bones, frames, Vec::new()).build().bytes;
    let uv_sets = Pmd { uv_sets: u32::MAX, ..Pmd::grid(0, 0, 0, 0) }.build().bytes;
    let chunks = figure().chunks().declare("NOTHING", 0, i32::MAX, &[]).declare("NOTHING", i32::MAX, 0, &[]);
    let curves = walk().chunks().declare("Walk:CUR", i32::MAX, 0, &[]);
    let files = [states(0, u32::MAX), states(u32::MAX, 0), uv_sets, chunks.build().bytes, curves.build().bytes];
    for bytes in files {
        for options in ways() {
            let info = measure(|| everything(&bytes, &options));
            assert!(info.bytes_max <= MULTIPLE * bytes.len() as u64 + BESIDES, "{info:?} of {}", bytes.len());
        }
    }
}

/// The numbers of a layout are the user's, and as little believed.
#[test]
fn nothing_is_allocated_for_the_numbers_of_a_layout() {
    let (_, bytes) = sound().pop().expect("files");
    let numbers = [0, 1, u16::MAX];
    for (pre, post) in numbers.into_iter().flat_map(|pre| numbers.map(|post| (pre, post))) {
        for name in [NameForm::U8, NameForm::U16, NameForm::Fixed(0), NameForm::Fixed(u16::MAX)] {
            let mut layout = BoneLayout::new(pre, name, post);
            for prologue in numbers {
                layout.prologue = prologue;
                layout.rotation = Some(Field::Post(u16::MAX));
                layout.id = Some(Field::Pre(u16::MAX));
                let mut swat3 = swat3::Options::default();
                swat3.skeleton = SkeletonOption::Given(layout);
                let mut options = ParseOptions::default();
                options.swat3 = swat3;
                let info = measure(|| everything(&bytes, &options));
                assert!(info.bytes_max <= MULTIPLE * bytes.len() as u64 + BESIDES, "{layout:?}: {info:?}");
            }
        }
    }
}

#[test]
fn the_longest_layout_text_is_read_or_refused() {
    let lines = ["#", "\n", "pre = 1\n", "x = y\n", "=", "\u{FEFF}", "pre = 4\nname = u16\npost = 28\n#"];
    for line in lines {
        let text = line.repeat((64 << 10) / line.len());
        let info = measure(|| _ = black_box(text.parse::<BoneLayout>()));
        assert_eq!(info.count_total, 0, "{line:?}");
    }
}
