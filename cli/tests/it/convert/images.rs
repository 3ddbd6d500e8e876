//! Textures that are kept as they are, PNG and JPEG: whose they are, and what they are not replaced by.

use std::fs;

use super::earlier_outputs::png;
use super::{complaint, convert, glb};
use test_support::actorx::build::{Material, Mesh};

/// The name of an entry is no path: one that looks like the place of another file is another image all the same.
#[test]
fn an_entry_with_the_path_of_another_file_is_not_its_texture() {
    let place = tempfile::tempdir().expect("a folder");
    let path = |name: &str| place.path().join(name);
    let mut mesh = Mesh::sheet(2, 2, 1);
    mesh.materials = vec![Material::new("t", 0)];
    let mesh = mesh.chunks().build().bytes;
    let (mine, other) = (png(1), png(2));
    let lie = format!("{}/t.png", path("good.zip").display());
    for (name, texture, pixels) in [("evil.zip", lie.as_str(), &other), ("good.zip", "t.png", &mine)] {
        fs::write(path(name), crate::run::stored(&[("m.psk", &mesh), (texture, pixels)])).expect("written");
    }
    let all = [path("evil.zip"), path("good.zip")].map(|path| path.display().to_string());
    let output = convert(place.path(), &[&all[0], &all[1], "--jobs", "1", "-o", "out"]);
    assert_eq!(output.status.code(), Some(0), "{}", complaint(&output));
    // The two have one name, and the second one a number.
    let second = glb(&path("out/m-2.glb"));
    let material = second.document().materials().next().expect("a material");
    let texture = material.pbr_metallic_roughness().base_color_texture().expect("a texture").texture();
    let gltf::image::Source::View { view, .. } = texture.source().source() else { panic!("embedded") };
    assert_eq!(second.binary()[view.offset()..view.offset() + view.length()], mine);
}

/// A run over a folder that is its own output has names of pictures that textures may have.
#[test]
fn a_texture_beside_the_inputs_is_not_replaced_by_a_picture_of_an_output() {
    let place = tempfile::tempdir().expect("a folder");
    let path = |name: &str| place.path().join(name);
    let mut mesh = Mesh::sheet(2, 2, 1);
    fs::create_dir(path("d")).expect("made");
    for (name, material) in [("Fox", "Body"), ("Hat", "Fox-0")] {
        mesh.materials = vec![Material::new(material, 0)];
        fs::write(path(&format!("d/{name}.psk")), mesh.chunks().build().bytes).expect("written");
    }
    // PNG as it is, whatever its pixels are.
    let mut png = png(1);
    fs::write(path("d/Body.png"), &png).expect("written");
    let end = png.len() - 20;
    png[end] ^= 1;
    fs::write(path("d/Fox-0.png"), &png).expect("written");
    let output = convert(place.path(), &["d", "-o", "d", "--to", "obj", "--force"]);
    assert_eq!(output.status.code(), Some(5), "{}", complaint(&output));
    assert_eq!(fs::read(path("d/Fox-0.png")).expect("a file"), png);
    // What a run has made is replaced again.
    fs::remove_file(path("d/Fox-0.png")).expect("removed");
    for _ in 0..2 {
        let output = convert(place.path(), &["d/Fox.psk", "-o", "d", "--to", "obj", "--force"]);
        assert_eq!(output.status.code(), Some(0), "{}", complaint(&output));
    }
}

/// A link leads out of the folder that is converted. An image that the arguments name is taken, whatever it is.
#[cfg(unix)]
#[test]
fn an_image_behind_a_link_is_taken_only_if_it_is_named() {
    let place = tempfile::tempdir().expect("a folder");
    let path = |name: &str| place.path().join(name);
    let mut mesh = Mesh::sheet(2, 2, 1);
    mesh.materials = vec![Material::new("skin", 0)];
    for folder in ["secret/deep", "mod/sub"] {
        fs::create_dir_all(path(folder)).expect("made");
    }
    fs::write(path("mod/sub/m.psk"), mesh.chunks().build().bytes).expect("written");
    fs::write(path("secret/deep/private.png"), png(1)).expect("written");
    std::os::unix::fs::symlink("../../secret/deep/private.png", path("mod/sub/skin.png")).expect("made");
    let images = |arguments: &[&str]| {
        let output = convert(place.path(), &[&["mod", "-o", "out", "--force"], arguments].concat());
        assert_eq!(output.status.code(), Some(0), "{}", complaint(&output));
        glb(&path("out/sub/m.glb")).document().images().count()
    };
    assert_eq!(images(&[]), 0);
    assert_eq!(images(&["--texture", "skin=mod/sub/skin.png"]), 1);
}
