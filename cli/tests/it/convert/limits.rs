//! The size of outputs, and checksums of inputs.

use std::fs;

use super::{complaint, convert, files, good};
use crate::run::Folder;
use test_support::actorx::build::{Anim, Info, chain};
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
