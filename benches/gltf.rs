//! What a conversion to GLB costs, against reading the keys and writing as many bytes.
//!
//! `cargo bench -p skelmap-bench --bench gltf` measures everything in about a minute and ends with the table.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use skelmap::mapping::Mapping;
use skelmap::model::{Binding, Mesh};
use skelmap::{Asset, AssetBuf};
use skelmap_export::{Animation, Document, ExportOptions};

use skelmap_bench::compare::{Comparison, Side, Target};
use skelmap_bench::model::scenes::{self, MANY_FRAMES};
use skelmap_bench::{open, run};

/// Any part of the speed of a copy: the figure says which.
const OF_COPY: Target = Target::Speed(0.0);

/// Bytes that are copied at a time.
const BLOCK: usize = 1 << 16;

/// Milliseconds.
const fn ms(count: f64) -> Target {
    Target::Nanoseconds(count * 1e6)
}

fn main() {
    let is_measured = run::measures();
    let few = |count| if is_measured { count } else { 2 };
    let scenes = [
        ("gltf/1.4MB-19-clips", scenes::set_of_sequences("gltf-small", 58, 3_000, 19, few(36)), ms(10.0)),
        ("gltf/64MB-376-clips", scenes::set_of_sequences("gltf-large", 70, 10_000, few(376), 76), ms(500.0)),
        ("gltf/34001-frames", scenes::set_of_sequences("gltf-long", 58, 3_000, 1, few(MANY_FRAMES)), ms(300.0)),
    ];
    let scenes: Vec<_> = scenes.into_iter().map(|(name, files, target)| (name, Scene::open(&files), target)).collect();
    let comparisons = scenes.iter().map(|(name, scene, target)| scene.compare(name, *target)).collect();
    run::run(comparisons, Duration::from_millis(200), Duration::from_secs(2));
}

/// A mesh with an animation.
struct Scene {
    animation: AssetBuf<Mapping<'static>>,
    mesh: AssetBuf<Mapping<'static>>,
}

impl Scene {
    fn open([animation, mesh]: &[PathBuf; 2]) -> Self {
        let parse = |path| AssetBuf::parse(open::map(path)).expect("the file is sound");
        Self { animation: parse(animation), mesh: parse(mesh) }
    }

    /// The whole way from opened files to bytes in memory: views, binding, plan, JSON and keys.
    fn compare(&self, path: &'static str, target: Target) -> Comparison<'_> {
        let convert = |out: &mut Vec<u8>| {
            out.clear();
            let asset = self.mesh.view();
            write(&asset.mesh().expect("a mesh"), &self.animation.view(), out);
            out.len()
        };
        let (mut own, mut kept) = (Vec::new(), Vec::new());
        let length = convert(&mut own);
        let keys = self.animation.bytes();
        let copy = move || {
            kept.clear();
            for block in keys.chunks(BLOCK).cycle().take(length.div_ceil(BLOCK)) {
                kept.extend_from_slice(block);
            }
            kept.len()
        };
        let view = Side::new("skelmap", move || convert(&mut own));
        let bytes = u32::try_from(length).expect("below 4 GiB");
        Comparison::new(path, Side::new("copy", copy))
            .with(view.promises(target).promises(OF_COPY))
            .making(bytes, "bytes")
    }
}

fn write(mesh: &Mesh<'_>, animation: &Asset<'_>, out: &mut Vec<u8>) {
    let mut document = Document::of_mesh(mesh);
    let Some(first) = animation.clips().next() else { return };
    let binding = Arc::new(Binding::new(mesh, &first));
    document.animations = animation.clips().map(|clip| Animation::new(&clip, Arc::clone(&binding))).collect();
    document.write_glb(&ExportOptions::default(), out).expect("the set can be written");
}
