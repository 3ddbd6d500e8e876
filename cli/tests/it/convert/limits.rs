//! The size of outputs, and checksums of inputs.

use std::fs;

use super::{complaint, convert, files, good};
use crate::run::Folder;
use test_support::actorx::build::{Anim, Info, Mesh, chain};
use test_support::build_zip::{Entry, Zip};

/// 600 sequences over the same 10,000 keys, each from the next key on: 0.4 MB, and more than 64 MiB as positions of 12 bytes for each key.
pub(crate) fn shared_keys() -> Vec<u8> {
    let mut anim = Anim::sway(chain(1), &[("s", 10_000, 30.0)]);
    anim.infos = (0..600).map(|index| Info::new(format!("s{index}"), 1, index, 9_400, 30.0)).collect();
    let bytes = anim.chunks().build().bytes;
    assert!(bytes.len() < 500_000, "{}", bytes.len());
    bytes
}

#[test]
fn sequences_of_the_same_keys_are_stored_once() {
    let folder = Folder::new();
    let mut anim = Anim::sway(chain(1), &[("s", 10_000, 30.0)]);
    let mut write = |count: usize| {
        anim.infos = (0..count).map(|index| Info::new(format!("s{index}"), 1, 0, 10_000, 30.0)).collect();
        folder.put("a.psa", anim.clone().chunks().build().bytes);
        folder.says(0, "convert a.psa -o a.glb --force");
        fs::metadata(folder.at("a.glb")).expect("written").len()
    };
    let (one, many) = (write(1), write(600));
    // The JSON of 600 animations, and no key.
    assert!(one > 160_000 && many < one + 600 * 250, "{one} {many}");
}

/// The limit of a small file.
const LIMIT: u64 = 64 << 20;

#[test]
fn a_small_file_whose_sequences_share_keys_makes_no_output_above_the_limit() {
    let folder = Folder::new();
    folder.put("a.psa", shared_keys());
    let told = format!("[output-limit] the output would have more than {LIMIT} bytes, the limit for ");
    for output in ["a.glb", "a.gltf"] {
        let ran = folder.says(5, &format!("convert a.psa -o {output}"));
        assert!(ran.complaints.contains(&told), "{}", ran.complaints);
        assert_eq!(folder.files(), ["a.psa"]);
    }
    folder.says(0, "convert a.psa -o a.glb --max-output 1G");
    assert!(fs::metadata(folder.at("a.glb")).expect("written").len() > LIMIT);
    folder.remove("a.glb");
    // The outputs of an animation have the limit together, and what is left out takes few lines.
    let ran = folder.says(1, "convert a.psa -o out --each-clip");
    let sizes = files(&folder.at("out"))
        .iter()
        .map(|name| fs::metadata(folder.at("out").join(name)).expect("a file").len())
        .sum::<u64>();
    assert!((LIMIT / 2..LIMIT + (1 << 20)).contains(&sizes), "{sizes}");
    assert!(ran.complaints.lines().count() <= 5 && ran.complaints.contains("--max-output"), "{}", ran.complaints);
    let fox =
        convert(folder.at("").as_path(), &[&good("fox.psk").to_string_lossy(), "-o", "fox.glb", "--max-output", "1K"]);
    assert!(complaint(&fox).contains("more than 1024 bytes, the limit: see --max-output"), "{}", complaint(&fox));
}

#[test]
fn an_entry_with_a_wrong_checksum_is_not_converted_and_info_says_why() {
    let folder = Folder::new();
    let fox = |name: &str| fs::read(good(name)).expect("a file");
    let built = Zip::of([Entry::stored("fox.psk", fox("fox.psk")), Entry::stored("fox.psa", fox("fox.psa"))]).build();
    folder.put("good.zip", &built.bytes);
    folder.says(0, "convert good.zip -o good");
    folder.says(0, "info good.zip!/fox.psk");
    for (index, name) in ["fox.psk", "fox.psa"].into_iter().enumerate() {
        let at = format!("central#{index}.crc");
        let crc = u32::from_le_bytes(built.bytes[built.offset(&at)..][..4].try_into().expect("four"));
        let local = format!("local#{index}.crc");
        folder.put("bad.zip", built.clone().patch_u32(&at, crc ^ 1).patch_u32(&local, crc ^ 1).bytes);
        let ran = folder.says(5, "convert bad.zip -o bad");
        assert!(
            ran.complaints.contains(&format!("bad.zip!/{name}: ")) && ran.complaints.contains("checksum"),
            "{}",
            ran.complaints
        );
        assert_eq!(files(&folder.at("bad")).len(), 0);
        let ran = folder.says(1, &format!("info bad.zip!/{name}"));
        assert!(ran.complaints.contains("checksum") && ran.text().contains("bones"), "{}", ran.complaints);
        folder.says(1, &format!("info --format json bad.zip!/{name}"));
    }
}

/// A side-car that says of each sequence something else makes a binding of all bones for each.
#[test]
fn a_side_car_does_not_tell_more_sequences_apart_than_there_is_room_for() {
    let folder = Folder::new();
    let (bones, sequences) = (1024, 1025);
    let names: Vec<String> = (0..bones).map(|bone| format!("b{bone}")).collect();
    let bones: Vec<(&str, i32)> = names.iter().map(|name| (name.as_str(), 0)).collect();
    let mut mesh = Mesh::sheet(2, 2, 1);
    mesh.bones = crate::run::bones(&bones);
    folder.put("m.psk", mesh.chunks().build().bytes);
    let mut animation = Anim::sway(crate::run::bones(&bones), &[("s0", 1, 30.0)]);
    for sequence in 1..sequences {
        animation.infos.push(Info::new(format!("s{sequence}"), names.len(), 0, 1, 30.0));
    }
    folder.put("m.psa", animation.chunks().build().bytes);
    let lines: Vec<String> = (0..sequences).map(|sequence| format!("s{sequence}.b{}=trans", sequence % 1024)).collect();
    folder.put("m.config", format!("[RemoveTracks]\n{}\n", lines.join("\n")));
    let ran = folder.says(5, "convert m.psk m.psa -o m.glb");
    assert!(ran.complaints.contains("too many sequences of too many bones"), "{}", ran.complaints);
    folder.says(0, "convert m.psk m.psa -o m.glb --sequence s1");
}

/// 3,000 sequences, each of the 4,000 keys of one bone that stands still, from another key on: 0.7 MB. All of them together become one key in
/// the output, and take the work of 12 million.
#[test]
fn keys_that_sequences_share_are_counted_before_they_are_read() {
    let folder = Folder::new();
    let mut anim = Anim::sway(chain(1), &[("s", 7_000, 30.0)]);
    anim.keys = vec![anim.keys[0]; 7_000];
    anim.infos = (0..3_000).map(|index| Info::new(format!("s{index}"), 1, index, 4_000, 30.0)).collect();
    folder.put("a.psa", anim.chunks().build().bytes);
    let told = format!("[output-limit] the output would have more than {LIMIT} bytes, the limit for ");
    let ran = folder.says(5, "convert a.psa -o a.glb");
    assert!(ran.complaints.contains(&told) && folder.files() == ["a.psa"], "{}", ran.complaints);
    // 8 bytes for each of 4,000 keys: 2,097 files are within the limit.
    let ran = folder.says(1, "convert a.psa -o out --each-clip");
    assert!(ran.complaints.contains(&told) && ran.complaints.lines().count() <= 5, "{}", ran.complaints);
    assert_eq!(files(&folder.at("out")).len(), 2_097 + 1, "and the record");
    fs::remove_dir_all(folder.at("out")).expect("removed");
    // A shape has no keys.
    folder.put("a.psk", Mesh::sheet(2, 2, 1).chunks().build().bytes);
    let shape = folder.run(&["convert", "a.psk", "--anim", "a.psa", "--fits", "any", "-o", "a.obj"]);
    assert!(folder.at("a.obj").exists() && !shape.complaints.contains("limit"), "{}", shape.complaints);
    folder.remove("a.psk");
    folder.remove("a.obj");
    let page = folder.says(1, "view a.psa -o a.html").complaints;
    assert!(page.contains(&told), "{page}");
    folder.says(0, "convert a.psa -o a.glb --max-output 1G");
    assert!(fs::metadata(folder.at("a.glb")).expect("written").len() < 8 << 20);
}
