//! Builds binary glTF.

/// A GLB of a JSON chunk and a binary chunk, which are padded.
///
/// # Panics
/// If the file has 4 GiB or more.
pub fn glb(json: &[u8], binary: &[u8]) -> Vec<u8> {
    let padded = |bytes: &[u8], with: u8| {
        let mut bytes = bytes.to_vec();
        bytes.resize(bytes.len().next_multiple_of(4), with);
        bytes
    };
    let (json, binary) = (padded(json, b' '), padded(binary, 0));
    let mut file = b"glTF".to_vec();
    for number in [2, 28 + json.len() + binary.len(), json.len()] {
        file.extend(u32::try_from(number).expect("less than 4 GiB").to_le_bytes());
    }
    file.extend(b"JSON");
    file.extend(json);
    file.extend(u32::try_from(binary.len()).expect("less than 4 GiB").to_le_bytes());
    file.extend(b"BIN\0");
    file.extend(binary);
    file
}
