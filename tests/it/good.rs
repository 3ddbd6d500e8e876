//! The files of `corpus/`, which a newcomer looks at first: on disk as the families write them, and nothing to find fault with.
//!
//! With `SKELMAP_BLESS=1` the files are written instead of compared.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{env, fs};

use skelmap::archive::{Archive, Inflater};
use skelmap::{Asset, Match};

use test_support::FAMILIES;
use test_support::figure::fox;
use test_support::figure::math::{cross, dot, subtract};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")
}

/// Every file as the families write it, once blessed if that was asked for.
fn files() -> Vec<(&'static str, Vec<u8>)> {
    static BLESS: std::sync::Once = std::sync::Once::new();
    let files: Vec<_> = FAMILIES.iter().flat_map(|family| (family.good)()).collect();
    if env::var_os("SKELMAP_BLESS").is_some_and(|value| value == "1") {
        BLESS.call_once(|| files.iter().for_each(|(name, bytes)| fs::write(folder().join(name), bytes).unwrap()));
    }
    files
}

/// What is a model: neither a side-car nor an archive.
fn models() -> Vec<(&'static str, Vec<u8>)> {
    let is_model = |name: &str| ![".config", ".pyromod"].iter().any(|end| name.ends_with(end));
    files().into_iter().filter(|(name, _)| is_model(name)).collect()
}

#[test]
fn the_good_files_on_disk_equal_those_of_the_generator_and_there_are_no_others() {
    let files = files();
    for (name, bytes) in &files {
        let found = fs::read(folder().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(found == *bytes, "{name} differs; SKELMAP_BLESS=1 writes it anew");
        assert!(bytes.len() < 100_000, "{name} has {} bytes", bytes.len());
    }
    let on_disk = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let expected =
        files.iter().map(|(name, _)| (*name).to_owned()).chain(["README.md", ".gitattributes"].map(str::to_owned));
    assert_eq!(on_disk.collect::<BTreeSet<_>>(), expected.collect::<BTreeSet<_>>());
}

#[test]
fn every_good_file_reads_the_same_in_both_readers() {
    for family in FAMILIES {
        for (_, bytes) in (family.good)() {
            (family.agree)(&bytes);
        }
    }
}

#[test]
fn a_good_file_has_no_quirk_and_no_finding() {
    for (name, bytes) in models() {
        let asset = Asset::parse(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(asset.quirks().count(), 0, "{name}");
        let findings = asset.check();
        assert!(findings.is_empty(), "{name}: {findings:#?}");
    }
}

#[test]
fn the_side_car_names_bones_and_sequences_of_its_animation() {
    let files = files();
    let of = |wanted: &str| &files.iter().find(|(name, _)| *name == wanted).unwrap().1;
    let animation = skelmap::actorx::Psa::parse(of("fox.psa")).unwrap();
    assert!(skelmap::actorx::check_config(&animation, &skelmap::actorx::Config::new(of("fox.config"))).is_empty());
}

#[test]
fn the_animations_of_the_fox_fit_its_meshes() {
    let models = models();
    let parsed: Vec<_> = models.iter().map(|(name, bytes)| (*name, Asset::parse(bytes).unwrap())).collect();
    let mut fits = 0;
    for (mesh, animation) in [("fox.psk", "fox.psa"), ("fox.pmd", "fox_walk.psa"), ("fox.pmd", "fox_idle.psa")] {
        let of = |wanted: &str| parsed.iter().find(|(name, _)| *name == wanted).unwrap().1;
        let found = Match::of(&of(mesh), &of(animation)).unwrap();
        assert_eq!((found.missing, found.extra), (0, 0), "{mesh} and {animation}");
        fits += 1;
    }
    assert_eq!(fits, 3);
}

#[test]
fn the_mod_holds_the_files_beside_it() {
    let files = files();
    let of = |wanted: &str| &files.iter().find(|(name, _)| *name == wanted).unwrap().1;
    let archive = Archive::parse(of("fox.pyromod")).unwrap();
    let mut models = 0;
    for entry in archive.entries() {
        let name = entry.name().to_string();
        let data = archive.read(&entry, &mut Inflater::new()).unwrap().to_vec();
        if let Some((_, loose)) = files.iter().find(|(file, _)| name.ends_with(&format!("/{file}"))) {
            assert!(data == *loose, "{name}");
            models += 1;
        }
    }
    assert_eq!(models, 3);
}

/// The figure is what it says: closed, wound alike, and seen from outside where its normals point.
#[test]
fn the_triangles_of_the_fox_run_counter_clockwise_and_close() {
    let fox = fox();
    assert!((15..=30).contains(&fox.bones.len()) && (300..1000).contains(&fox.triangles.len()));
    let mut edges = BTreeSet::new();
    for triangle in &fox.triangles {
        let [a, b, c] = triangle.map(|corner| fox.corners[corner].point);
        let [pa, pb, pc] = [a, b, c].map(|point| fox.points[point].position);
        let area = cross(subtract(pb, pa), subtract(pc, pa));
        let normals = [a, b, c].map(|point| dot(fox.points[point].normal, area));
        assert!(normals.iter().sum::<f64>() > 0.0, "{triangle:?}");
        assert!([(a, b), (b, c), (c, a)].into_iter().all(|edge| edges.insert(edge)), "{triangle:?}");
    }
    assert!(edges.iter().all(|(a, b)| edges.contains(&(*b, *a))), "an edge has one side");
    for point in &fox.points {
        assert!((point.weights.iter().map(|(_, weight)| weight).sum::<f64>() - 1.0).abs() < 1e-12);
        assert!(point.weights.is_sorted_by(|a, b| a.1 >= b.1), "heaviest first");
    }
}
