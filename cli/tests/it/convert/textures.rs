//! Textures that are decoded: DDS, TGA, BMP.

use std::fs;

use super::{complaint, convert, glb, good, rows};
use test_support::actorx::build::{Material, Mesh};
use test_support::glb::File;

/// A TGA of one pixel.
pub(crate) fn tga([red, green, blue]: [u8; 3]) -> Vec<u8> {
    [&[0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 24, 0], [blue, green, red].as_slice()].concat()
}

/// A DDS of 4 x 4 pixels of one colour: a block of DXT1.
pub(crate) fn dds(rgb565: u16) -> Vec<u8> {
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

/// A folder with the mesh `Mesh/M.psk` of these materials, and the folder `Textures` beside it.
pub(crate) fn dressed(names: &[&str]) -> tempfile::TempDir {
    let place = tempfile::tempdir().expect("a folder");
    let mut mesh = Mesh::sheet(3, 3, 1);
    mesh.materials = names.iter().map(|name| Material::new(name, 0)).collect();
    let materials = 0..u8::try_from(names.len()).expect("few");
    mesh.faces = materials.map(|material| test_support::actorx::build::Face::new([0, 1, 4], material)).collect();
    for folder in ["Mesh", "Textures"] {
        fs::create_dir(place.path().join(folder)).expect("made");
    }
    fs::write(place.path().join("Mesh/M.psk"), mesh.chunks().build().bytes).expect("written");
    place
}

/// Converts `Mesh/M.psk`, and returns the first pixel of each material.
fn pixels(place: &std::path::Path, arguments: &[&str]) -> Vec<Option<[u8; 3]>> {
    let output = convert(place, &[&["Mesh/M.psk", "-o", "m.glb", "--force"], arguments].concat());
    assert_eq!(output.status.code(), Some(0), "{}", complaint(&output));
    let file = glb(&place.join("m.glb"));
    file.document().materials().map(|material| pixel(&file, &material)).collect()
}

#[test]
fn materials_in_json_name_images() {
    let place = dressed(&["MI_Body", "MI_Head", "MI_Tail"]);
    let write = |name: &str, bytes: &[u8]| fs::write(place.path().join(name), bytes).expect("written");
    write(
        "Mesh/MI_Body.json",
        br#"{"Textures": {"PM_Normals": "/Game/T_N.T_N", "PM_Diffuse": "/Game/T_Body_D.T_Body_D"}}"#,
    );
    write(
        "Mesh/MI_Head.json",
        br#"[{"Properties": {"TextureParameterValues": [{"ParameterInfo": {"Name": "BaseColor"},
        "ParameterValue": {"ObjectName": "Texture2D'T_Head'", "ObjectPath": "Fox/Content/T_Head.0"}}]}}]"#,
    );
    write("Mesh/MI_Tail.json", br#"{"Textures": {"PM_Diffuse": "/Game/T_No.T_No"}}"#);
    write("Mesh/MI_Tail.mat", b"Other[0]=T_N\nOther[1]=T_Tail_D\n");
    let images = [("T_Body_D", [1, 2, 3]), ("T_Head", [4, 5, 6]), ("T_Tail_D", [7, 8, 9]), ("T_N", [0; 3])];
    for (name, color) in images {
        write(&format!("Textures/{name}.tga"), &tga(color));
    }
    assert_eq!(pixels(place.path(), &[]), [Some([1, 2, 3]), Some([4, 5, 6]), Some([7, 8, 9])]);
}

#[test]
fn tables_and_folders_name_images() {
    let place = dressed(&["Body", "Head", "Tail", "Eyes"]);
    let write = |name: &str, bytes: &[u8]| fs::write(place.path().join(name), bytes).expect("written");
    fs::create_dir_all(place.path().join("Other/deep")).expect("made");
    write("Other/deep/T_Head_D.tga", &tga([1, 1, 1]));
    write("Other/deep/Tail.tga", &tga([2, 2, 2]));
    write("Other/Body.tga", &tga([3, 3, 3]));
    write("Other/own.tga", &tga([4, 4, 4]));
    write("Other/map.txt", b"# images\nbody=own.tga\nTail\tdeep/T_Head_D.tga\n");
    write("map.json", br#"{"Body": "Other/own.tga"}"#);
    let [one, two, three, four] = [[1; 3], [2; 3], [3; 3], [4; 3]].map(Some);
    let pixels = |arguments: &[&str]| pixels(place.path(), arguments);
    assert_eq!(pixels(&["--texture-dir", "Other"]), [three, None, two, None]);
    assert_eq!(pixels(&["--texture-dir", "Other/T_*_D.png", "--texture-dir", "Other"]), [three, one, two, None]);
    assert_eq!(pixels(&["--texture-map", "Other/map.txt"]), [four, None, one, None]);
    assert_eq!(pixels(&["--texture-map", "map.json", "--texture-dir", "Other"]), [four, None, two, None]);
    // What the arguments name comes before the table.
    let given = ["--texture-map", "map.json", "--texture", "BODY=Other/Body.tga", "--texture", "Other/deep/Tail.tga"];
    assert_eq!(pixels(&given), [three, two, two, two]);
    let fails = |arguments: &[&str], code: i32, why: &str| {
        let output = convert(place.path(), &[&["Mesh/M.psk", "-o", "n.glb", "--force"], arguments].concat());
        assert_eq!(output.status.code(), Some(code), "{}", complaint(&output));
        assert!(complaint(&output).contains(why), "{}", complaint(&output));
    };
    fails(&["--texture-dir", "No"], 3, "No: ");
    // What was asked for and cannot be had is no success, though the file is written.
    fails(&["--texture-dir", "Other/N_*.png"], 1, "--texture-dir: Other/N_*.png: no image has the name of a material");
    fails(&["--texture", "Mesh/M.psk"], 1, "--texture: Mesh/M.psk: ");
    fails(&["--texture-map", "no.txt"], 3, "no.txt: ");
    write("Other/bad.txt", b"Body=no.tga");
    fails(&["--texture-map", "Other/bad.txt"], 3, "no.tga");
    write("Other/bad.txt", b"Nose=own.tga");
    fails(&["--texture-map", "Other/bad.txt"], 1, "no mesh has a material Nose");
    write("Other/bad.txt", b"Nose");
    fails(&["--texture-map", "Other/bad.txt"], 3, "line 1 has not two columns");
}

#[test]
fn sequences_get_the_names_of_a_table() {
    let place = tempfile::tempdir().expect("a folder");
    let write = |text: &str| fs::write(place.path().join("names.txt"), text).expect("written");
    let corpus = |name: &str| good(name).to_string_lossy().into_owned();
    let (mesh, animation) = (corpus("fox.psk"), corpus("fox.psa"));
    let line = |output: &'static str| vec![mesh.as_str(), &animation, "-o", output, "--rename", "names.txt", "--force"];
    write("WALK=Fox_Walk\n");
    assert_eq!(convert(place.path(), &line("a.glb")).status.code(), Some(0));
    assert_eq!(super::clips(&glb(&place.path().join("a.glb"))), ["Fox_Walk", "idle"]);
    let told = convert(place.path(), &[&line("out/")[..], &["--each-clip"]].concat());
    assert_eq!(told.status.code(), Some(0), "{}", complaint(&told));
    assert!(place.path().join("out/fox@Fox_Walk.glb").exists());
    write("walk=Fox_Walk\nfly=Fox_Fly\n");
    let told = convert(place.path(), &line("a.glb"));
    assert_eq!(
        (told.status.code(), complaint(&told).contains("--rename: no animation has a sequence fly")),
        (Some(1), true)
    );
}
