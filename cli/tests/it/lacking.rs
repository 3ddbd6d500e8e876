//! What a build lacks: the answer is status 2 and the line that installs it, before anything is read or written.

use test_support::actorx::build::{Material, Mesh};

use crate::run::{Folder, corpus};

/// A folder with a mesh that has a material.
fn folder() -> Folder {
    let folder = Folder::new();
    let mut mesh = Mesh::sheet(3, 3, 1);
    mesh.materials = vec![Material::new("Body", 0)];
    folder.put("m.psk", mesh.chunks().build().bytes);
    folder.put("m.psa", corpus("actorx/anim/classic.psa"));
    folder
}

/// Runs a command that needs a build with a feature.
fn needs(folder: &Folder, line: &str, feature: &str) {
    let before = folder.files();
    let ran = folder.says(2, line);
    let end = format!(" a build with {feature}: cargo install --locked --path cli --features full");
    assert!(ran.complaints.lines().any(|told| told.ends_with(&end)), "{line}: {}", ran.complaints);
    assert!(ran.out.is_empty() && folder.files() == before, "{line}");
}

#[cfg(not(feature = "stores"))]
#[test]
fn an_address_of_a_store() {
    let folder = folder();
    for line in [
        "ls @",
        "ls m.psk @",
        "info @",
        "check @",
        "catalog @ -o all.jsonl",
        "convert @ -o out",
        "convert m.psk --anim @ -o out",
        "view @ -o m.html",
        "view m.psk --anim @ -o m.html",
        "sheet @ -o sheet.png",
        "sheet m.psk --film 2 --anim @ -o sheet.png",
        "match m.psk @",
        "match m.psk m.psa --mod @",
        "mod @",
        "diff m.psk @",
        "plot @",
        "stats @",
        "pose @ --at 0",
        "pose m.psa --mesh @ --at 0",
        "skin @ --anim m.psa --at 0",
        "skin m.psk --anim @ --at 0",
        "dump @ --what keys",
        "cat @",
        "extract @ -o out",
        "gsa events @",
        "gsa edit @ -o a.gsa --clear",
    ] {
        for address in
            ["s3://bucket/mod.zip", "gs://bucket/mod.zip!/a.psk", "az://a/b/m.psk", "https://example.org/m.psk"]
        {
            needs(&folder, &line.replace('@', address), "stores");
        }
    }
    let told = folder.says(2, "ls https://example.org/m.psk?X-Amz-Signature=s3cr3t").complaints;
    assert!(told.contains("https://example.org/m.psk") && !told.contains("s3cr3t"), "{told}");
}

#[cfg(not(feature = "tables"))]
#[test]
fn parquet() {
    let folder = folder();
    folder.put("old.parquet", b"old");
    for line in [
        "catalog m.psk -o all.parquet",
        "catalog m.psk -o old.parquet --force",
        "catalog m.psk -o all --format parquet",
        "catalog m.psk -o - --format parquet",
        "dump m.psk --what points -o all.parquet",
        "dump m.psk --what points --format parquet",
    ] {
        needs(&folder, line, "tables");
    }
    assert_eq!(folder.read("old.parquet"), b"old");
}

#[cfg(not(feature = "textures"))]
#[test]
fn an_image_that_is_neither_png_nor_jpeg() {
    let folder = folder();
    for name in ["given.dds", "given.TGA", "given.bmp"] {
        folder.put(name, b"an image");
        needs(&folder, &format!("convert m.psk -o m.glb --texture {name}"), "textures");
        needs(&folder, &format!("convert m.psk -o m.glb --texture Body={name}"), "textures");
        needs(&folder, &format!("view m.psk -o m.html --texture {name}"), "textures");
    }
    // One that is found is left out, which the report says; and one that can be embedded comes before it.
    folder.put("Body.dds", b"an image");
    let notes = |folder: &Folder| {
        let rows = folder.says(0, "convert m.psk -o m.glb --force --format jsonl").lines();
        (rows[0]["textures"].clone(), rows[0]["notes"].clone())
    };
    let told = "texture ./Body.dds: a .dds needs a build with textures";
    assert_eq!(notes(&folder), (0.into(), vec![told].into()));
    std::fs::create_dir(folder.at("below")).expect("made");
    folder.put("below/Body.jpg", JPEG);
    assert_eq!(notes(&folder), (1.into(), Vec::<String>::new().into()));
}

/// A JPEG as far as it is looked at: it has pixels, and an end.
#[cfg(not(feature = "textures"))]
const JPEG: &[u8] = b"\xff\xd8\xff\xe0\0\x04..\xff\xc0\0\x0b\x08\0\x01\0\x01\x01\x01\x11\0..\xff\xd9";
