//! Textures that are decoded: DDS, TGA, BMP.

use std::fs;

use super::{complaint, convert, glb, rows};
use test_support::actorx::build::{Material, Mesh};
use test_support::glb::File;

/// A TGA of one pixel.
fn tga([red, green, blue]: [u8; 3]) -> Vec<u8> {
    [&[0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 24, 0], [blue, green, red].as_slice()].concat()
}

/// A DDS of 4 x 4 pixels of one colour: a block of DXT1.
fn dds(rgb565: u16) -> Vec<u8> {
    let mut file = vec![0_u8; 128];
    let mut put = |at: usize, value: u32| file[at..at + 4].copy_from_slice(&value.to_le_bytes());
    put(0, u32::from_le_bytes(*b"DDS "));
    for (at, value) in [(4, 124), (8, 0x81007), (12, 4), (16, 4), (20, 8), (76, 32), (80, 4), (108, 0x1000)] {
        put(at, value);
    }
    put(84, u32::from_le_bytes(*b"DXT1"));
    file.extend([rgb565.to_le_bytes(), rgb565.to_le_bytes(), [0; 2], [0; 2]].concat());
    file
}

/// The first pixel of a PNG. In the first row, every filter leaves the first pixel as it is.
fn first_pixel(png: &[u8]) -> [u8; 3] {
    let mut data = Vec::new();
    let mut rest = &png[8..];
    while !rest.is_empty() {
        let length = u32::from_be_bytes(rest[..4].try_into().expect("four bytes")) as usize;
        if &rest[4..8] == b"IDAT" {
            data.extend_from_slice(&rest[8..8 + length]);
        }
        rest = &rest[12 + length..];
    }
    let mut pixels = Vec::new();
    std::io::Read::read_to_end(&mut flate2::read::ZlibDecoder::new(data.as_slice()), &mut pixels).expect("deflated");
    pixels[1..4].try_into().expect("three bytes")
}

/// The first pixel of the texture of a material.
fn pixel(file: &File, material: &gltf::Material<'_>) -> Option<[u8; 3]> {
    let texture = material.pbr_metallic_roughness().base_color_texture()?.texture();
    let gltf::image::Source::View { view, .. } = texture.source().source() else { panic!("embedded") };
    Some(first_pixel(&file.binary()[view.offset()..view.offset() + view.length()]))
}

#[test]
fn textures_are_found_by_the_names_of_materials() {
    let place = tempfile::tempdir().expect("a folder");
    let path = |name: &str| place.path().join(name);
    let mut mesh = Mesh::sheet(3, 3, 1);
    let names = ["Body", "Eyes", "ByMat", "Props", "Uc", "Nothing", "Broken", "Bomb"];
    mesh.materials = names.map(|name| Material::new(name, 0)).to_vec();
    mesh.faces = (0..8).map(|material| test_support::actorx::build::Face::new([0, 1, 4], material)).collect();
    fs::create_dir_all(path("pkg/Mesh")).expect("made");
    fs::create_dir_all(path("pkg/Textures")).expect("made");
    fs::write(path("pkg/Mesh/M.psk"), mesh.chunks().build().bytes).expect("written");
    fs::write(path("pkg/Mesh/body.TGA"), tga([200, 100, 50])).expect("written");
    fs::write(path("pkg/Textures/Eyes.dds"), dds(0xF800)).expect("written");
    fs::write(path("pkg/Mesh/ByMat.mat"), "Normal=x\r\nDiffuse=T_Skin\r\n").expect("written");
    fs::write(path("pkg/Textures/T_Skin.tga"), tga([1, 2, 3])).expect("written");
    let props = "Materials[0] =\n{\n    Material = A'Pkg.B0'\n    Material = A'Pkg.B1'\n    Material = A'Pkg.B2'\n    Material = A'Pkg.Slot3'\n}\n";
    fs::write(path("pkg/Mesh/M.props.txt"), props).expect("written");
    fs::write(path("pkg/Mesh/Slot3.tga"), tga([4, 5, 6])).expect("written");
    fs::write(path("pkg/Mesh/M.uc"), "#exec MESHMAP SETTEXTURE MESHMAP=M NUM=4 TEXTURE=UcTex\n").expect("written");
    fs::write(path("pkg/Mesh/UcTex.tga"), tga([7, 8, 9])).expect("written");
    fs::write(path("pkg/Mesh/Broken.png"), b"\x89PNG\r\n").expect("written");
    let mut bomb = dds(0);
    bomb[12..20].copy_from_slice(&[0, 64, 0, 0, 0, 64, 0, 0]);
    fs::write(path("pkg/Mesh/Bomb.dds"), bomb).expect("written");
    let output = convert(place.path(), &["pkg/Mesh/M.psk", "-o", "m.glb", "--format", "jsonl"]);
    assert_eq!(output.status.code(), Some(0), "{}", complaint(&output));
    let row = &rows(&output)[0];
    assert_eq!(row["textures"].as_u64(), Some(5), "{row}");
    let notes = row["notes"].to_string();
    assert!(notes.contains("Broken.png: ") && notes.contains("16384 x 16384 pixels do not fit"), "{notes}");
    let file = glb(&path("m.glb"));
    let pixels: Vec<_> = file.document().materials().map(|material| pixel(&file, &material)).collect();
    let expected =
        [Some([200, 100, 50]), Some([255, 0, 0]), Some([1, 2, 3]), Some([4, 5, 6]), Some([7, 8, 9]), None, None, None];
    assert_eq!(pixels, expected);
    // An image in the folder of the mesh comes before one beside it, whatever its kind.
    fs::write(path("pkg/Mesh/Eyes.tga"), tga([9, 9, 9])).expect("written");
    assert_eq!(convert(place.path(), &["pkg/Mesh/M.psk", "-o", "o.glb"]).status.code(), Some(0));
    let file = glb(&path("o.glb"));
    assert_eq!(pixel(&file, &file.document().materials().nth(1).expect("a material")), Some([9, 9, 9]));
    let without = convert(place.path(), &["pkg/Mesh/M.psk", "-o", "n.glb", "--no-textures"]);
    assert_eq!((without.status.code(), glb(&path("n.glb")).document().images().count()), (Some(0), 0));
    let given =
        ["pkg/Mesh/M.psk", "-o", "g.glb", "--texture", "EYES=pkg/Mesh/UcTex.tga", "--texture", "pkg/Mesh/Slot3.tga"];
    assert_eq!(convert(place.path(), &given).status.code(), Some(0));
    let file = glb(&path("g.glb"));
    assert_eq!(file.document().images().count(), 2, "one for a material, the other for all others");
    let missing = convert(place.path(), &["pkg/Mesh/M.psk", "-o", "x.glb", "--texture", "Body=nosuch.png"]);
    assert_eq!((missing.status.code(), path("x.glb").exists()), (Some(3), false), "{}", complaint(&missing));
    let unknown = convert(place.path(), &["pkg/Mesh/M.psk", "-o", "x.glb", "--texture", "Tail=pkg/Mesh/UcTex.tga"]);
    assert_eq!(unknown.status.code(), Some(1));
    assert!(complaint(&unknown).contains("no mesh has a material Tail"), "{}", complaint(&unknown));
    let obj = convert(place.path(), &["pkg/Mesh/M.psk", "-o", "m.obj"]);
    assert_eq!(obj.status.code(), Some(0), "{}", complaint(&obj));
    let library = fs::read_to_string(path("m.mtl")).expect("written");
    assert!(library.starts_with("newmtl Body\nmap_Kd m-0.png\nnewmtl Eyes\nmap_Kd m-1.png\n"), "{library}");
    assert_eq!(first_pixel(&fs::read(path("m-0.png")).expect("written")), [200, 100, 50]);
}
