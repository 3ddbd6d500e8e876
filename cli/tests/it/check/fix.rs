//! `check --fix`: what is mended, that all other bytes stay, and what is refused.

use skelmap::actorx::Psk;

use crate::run::{Folder, corpus};

#[test]
fn weights_are_divided_by_their_sum_and_all_other_bytes_stay() {
    let folder = Folder::new();
    folder.put("a.psk", corpus("actorx/mesh/weight_sum.psk"));
    let said = folder.says(0, "check a.psk --fix weight-sum -o b.psk");
    assert!(said.complaints.contains("mended weight-sum: 1"), "{}", said.complaints);
    let (before, after) = (folder.read("a.psk"), folder.read("b.psk"));
    // RAWWEIGHTS begins at byte 1472; the first influence, of weight 0.5, is the only one of point 0.
    let weight = 1472 + 32;
    assert_eq!(before[weight..weight + 4], 0.5_f32.to_le_bytes());
    assert_eq!(after[weight..weight + 4], 1.0_f32.to_le_bytes());
    let mut expected = before.clone();
    expected[weight..weight + 4].copy_from_slice(&1.0_f32.to_le_bytes());
    assert_eq!(after, expected);
    folder.says(0, "check b.psk");
    // In place, and never by accident.
    folder.says(5, "check a.psk --fix weight-sum -o a.psk");
    assert_eq!(folder.read("a.psk"), before);
    folder.says(0, "check a.psk --fix weight-sum -o a.psk --force");
    assert_eq!(folder.read("a.psk"), after);
}

#[test]
fn garbage_becomes_zeros() {
    let folder = Folder::new();
    for (name, code, count) in
        [("id_garbage", "id-garbage", 7), ("wedge_padding", "wedge-padding", 24), ("classic", "name-garbage", 0)]
    {
        folder.put("a.psk", corpus(&format!("actorx/mesh/{name}.psk")));
        let said = folder.says(0, &format!("check a.psk --fix {code} -o {name}.psk"));
        assert!(said.complaints.contains(&format!("mended {code}: {count};")), "{}", said.complaints);
        let (before, after) = (folder.read("a.psk"), folder.read(format!("{name}.psk")));
        assert_eq!(before.len(), after.len());
        let changed = before.iter().zip(&after).filter(|(one, other)| one != other);
        assert!(changed.clone().all(|(_, after)| *after == 0), "{name}");
        assert_eq!(changed.count() > 0, count > 0);
        let points =
            |bytes: &[u8]| Psk::parse(bytes).unwrap().points().iter().map(skelmap::Vec3::get).collect::<Vec<_>>();
        assert_eq!(points(&before), points(&after));
        folder.says(0, &format!("check {name}.psk --level note"));
    }
}

#[test]
fn the_weights_of_a_mesh_of_0_ad_are_mended_too() {
    let folder = Folder::new();
    let mut bytes = corpus("pyrogenesis/pmd/skinned.pmd");
    // The first vertex begins behind the header (12 bytes) and its counts; its blend is the last 20 bytes of it.
    let sets = bytes[16..20].try_into().map(u32::from_le_bytes).unwrap() as usize;
    let blend = 20 + 24 + 8 * sets;
    let (bones, weights) = (bytes[blend..blend + 4].to_vec(), blend + 4);
    let used = bones.iter().take_while(|bone| **bone != 0xFF).count();
    let at = |index: usize| weights + 4 * index..weights + 4 * index + 4;
    let read = |bytes: &[u8], index: usize| f32::from_le_bytes(bytes[at(index)].try_into().unwrap());
    let before: Vec<f32> = (0..used).map(|index| read(&bytes, index)).collect();
    for (index, weight) in before.iter().enumerate() {
        bytes[at(index)].copy_from_slice(&(weight * 0.5).to_le_bytes());
    }
    folder.put("a.pmd", &bytes);
    let said = folder.says(0, "check a.pmd --fix weight-sum -o b.pmd");
    assert!(said.complaints.contains("mended weight-sum: 1;"), "{}", said.complaints);
    let after = folder.read("b.pmd");
    for (index, weight) in before.iter().enumerate() {
        assert!((read(&after, index) - weight).abs() <= 1e-6, "{index}");
    }
}

#[test]
fn an_archive_is_never_replaced_by_one_of_its_entries() {
    let folder = Folder::new();
    let entry = test_support::build_zip::Entry::stored("a.psk", corpus("actorx/mesh/weight_sum.psk"));
    let zip = test_support::build_zip::Zip::of([entry]).build().bytes;
    folder.put("mod.zip", &zip);
    folder.put("mod.psk", &zip);
    folder.says(2, "check mod.zip!/a.psk --fix weight-sum -o mod.zip --force");
    let said = folder.says(2, "check mod.psk!/a.psk --fix weight-sum -o mod.psk --force");
    assert!(said.complaints.contains("is one of the inputs"), "{}", said.complaints);
    assert!(folder.read("mod.zip") == zip && folder.read("mod.psk") == zip);
    folder.says(0, "check mod.zip!/a.psk --fix weight-sum -o a.psk");
}

#[test]
fn weights_below_0_stay_as_they_are() {
    let folder = Folder::new();
    let mut bytes = corpus("actorx/mesh/weight_sum.psk");
    bytes[1472 + 32..1472 + 36].copy_from_slice(&(-0.5_f32).to_le_bytes());
    folder.put("a.psk", &bytes);
    let said = folder.says(0, "check a.psk --fix weight-sum -o b.psk");
    assert!(said.complaints.contains("mended weight-sum: 0;"), "{}", said.complaints);
    assert!(folder.read("b.psk") == bytes);
}

#[test]
fn what_nothing_says_how_to_mend_is_refused() {
    let folder = Folder::new();
    folder.put("a.psk", corpus("actorx/mesh/classic.psk"));
    for (line, message) in [
        ("check a.psk --fix point-far -o b.psk", "--fix: nothing says what point-far should be"),
        ("check a.psk --fix weigth-sum -o b.psk", "did you mean weight-sum?"),
        ("check a.psk a.psk --fix weight-sum -o b.psk", "--fix mends one file"),
        ("check a.psk --fix weight-sum", "--output <OUT>"),
    ] {
        let said = folder.says(2, line);
        assert!(said.complaints.contains(message), "{line}: {}", said.complaints);
        assert!(!folder.at("b.psk").exists());
    }
}

#[test]
fn a_file_in_which_nothing_of_this_can_be_mended_is_refused() {
    let folder = Folder::new();
    folder.put("a.uemodel", corpus("ueformat/model/weight_sum.uemodel"));
    folder.put("a.psa", std::fs::read(crate::convert::good("fox.psa")).expect("a file"));
    for (name, known) in [("a.uemodel", "UEFormat model files, nothing"), ("a.psa", "id-garbage, name-garbage")] {
        let said = folder.says(2, &format!("check {name} --fix weight-sum -o b"));
        assert!(said.complaints.contains(known), "{}", said.complaints);
        assert!(said.complaints.contains("can be mended, and not weight-sum"), "{}", said.complaints);
    }
    assert!(!folder.at("b").exists());
}
