//! The synthetic vectors, found through `SKELMAP_SAMPLES`; without it these tests say so and pass.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use skelmap::swat3::Gsa;

use test_support::corpus::sha256;
use test_support::swat3::agree::agree;

fn folder() -> Option<PathBuf> {
    test_support::corpus::samples("swat3")
}

fn numbers(value: &Value) -> Vec<u64> {
    value.as_array().unwrap().iter().map(|number| number.as_u64().unwrap()).collect()
}

#[test]
fn every_sample_gives_its_expected_values() {
    let Some(folder) = folder() else { return };
    let text = fs::read_to_string(folder.join("synthetic.json")).unwrap();
    let vectors: Vec<Value> = serde_json::from_str(&text).unwrap();
    assert_eq!(vectors.len(), 7);
    for expected in vectors {
        let file = expected["file"].as_str().unwrap();
        println!("{file}");
        let bytes = fs::read(folder.join(file)).unwrap();
        assert_eq!(expected["sha256"], sha256(&bytes));
        let animation = Gsa::parse(&bytes).unwrap();
        assert_eq!(expected["version"], animation.version().to_string());
        assert_eq!(numbers(&expected["skeleton"]), [animation.skeleton_offset(), animation.marker_offset()]);
        assert_eq!(expected["marker"], animation.marker_offset());
        let ids: Vec<_> = animation.animated_ids().iter().map(|id| u64::from(id.get())).collect();
        assert_eq!(numbers(&expected["animated_ids"]), ids);
        assert_eq!(expected["bones"].as_u64(), animation.bone_count().map(|count| count as u64));
        assert_eq!(expected["frames"], animation.frame_count());
        assert_eq!(expected["event_count_words"], animation.event_count_words());
        let start = bytes.as_ptr() as usize;
        let offsets: Vec<_> =
            animation.frames().map(|frame| (std::ptr::from_ref(frame.head()) as usize - start) as u64).collect();
        assert_eq!(numbers(&expected["frame_offsets"]), offsets, "in place");
        assert_eq!(expected["first_frame_mod4"], animation.frames_offset() % 4);
        let mut events = serde_json::Map::new();
        for (frame, event) in animation.events() {
            let of_frame = events.entry(frame.to_string()).or_insert_with(|| Value::Array(Vec::new()));
            of_frame.as_array_mut().unwrap().push(event.text().to_string().into());
        }
        assert_eq!(expected["events"], Value::Object(events));
        let doubled = animation.quirks().any(|quirk| quirk.code.name() == "doubled-magic-node");
        assert_eq!(doubled, file.contains("MAGIC22"));
        agree(&bytes);
    }
}
