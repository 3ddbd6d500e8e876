//! Names of foreign formats, for messages.

/// Foreign formats that are often stored beside models, by their first bytes.
const FOREIGN: [(&[u8], &str); 13] = [
    (b"\x89PNG\r\n", "an image (PNG)"),
    (b"\xFF\xD8\xFF", "an image (JPEG)"),
    (b"DDS ", "an image (DDS)"),
    (b"BM", "an image (BMP)"),
    (b"glTF", "a glTF binary (.glb): skelmap can write such files, but cannot read them"),
    (b"Kaydara FBX Binary", "an FBX file: export it as PSK or PSA"),
    (b"BLENDER", "a Blender file: export it as PSK or PSA"),
    (b"<?xml", "XML text, such as a COLLADA source (.dae): the engine's converter makes models of it"),
    (b"\xC1\x83\x2A\x9E", "an Unreal package: export its meshes and animations as PSK and PSA"),
    (b"7z\xBC\xAF\x27\x1C", "an archive (7z): unpack it"),
    (b"Rar!", "an archive (RAR): unpack it"),
    (b"\x1F\x8B", "compressed (gzip): unpack it"),
    (b"%PDF", "a PDF document"),
];

/// The name of a foreign format, with its article.
pub(crate) fn title(bytes: &[u8]) -> Option<&'static str> {
    FOREIGN.iter().find(|(first, _)| bytes.starts_with(first)).map(|(_, what)| *what)
}
