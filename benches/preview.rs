//! What a thumbnail and a page cost, against writing the samples of the picture, and compressing as many bytes.
//!
//! `cargo bench -p skelmap-bench --bench preview` measures everything in half a minute and ends with the table.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use skelmap::AssetBuf;
use skelmap::mapping::Mapping;
use skelmap::model::Binding;
use skelmap_export::{Animation, Document};
use skelmap_preview::{Camera, Figure, Page, Renderer};

use skelmap_bench::compare::{Comparison, Side, Target};
use skelmap_bench::model::scenes;
use skelmap_bench::{open, run};

/// Any part of the speed of the reference: the figure says which.
const OF_REFERENCE: Target = Target::Speed(0.0);

/// Pixels of each edge of a thumbnail.
const SIZE: u32 = 256;

/// Milliseconds.
const fn ms(count: f64) -> Target {
    Target::Nanoseconds(count * 1e6)
}

fn main() {
    let is_measured = run::measures();
    let frames = if is_measured { 36 } else { 2 };
    // The grid of points makes some 5,000 triangles.
    let scene = Scene::open(&scenes::set_of_sequences("preview", 58, 2_600, 13, frames));
    let comparisons = vec![scene.thumbnail(ms(2.0)), scene.page(ms(30.0))];
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

    /// The whole way from an opened mesh to pixels, against clearing as many samples as are drawn on.
    fn thumbnail(&self, target: Target) -> Comparison<'_> {
        let mut renderer = Renderer::new(SIZE, SIZE);
        let mut draw = move || {
            let asset = self.mesh.view();
            let figure = Figure::of_mesh(&asset.mesh().expect("a mesh")).expect("a sound mesh");
            let picture = renderer.draw(&figure, &Camera::around(&figure));
            (figure.triangle_count(), picture)
        };
        let triangles = u32::try_from(draw().0).expect("a few");
        let mut samples = vec![0_u64; (SIZE * SIZE * 4) as usize];
        let mut next = 0;
        let clear = move || {
            next += 1;
            samples.fill(next);
            samples.last().copied()
        };
        let own = Side::new("skelmap", move || draw().1.rgba().len());
        Comparison::new("preview/thumbnail", Side::new("clear", clear))
            .with(own.promises(target).promises(OF_REFERENCE))
            .making(triangles, "triangles")
    }

    /// The whole way from opened files to a page, against compressing the keys alone.
    fn page(&self, target: Target) -> Comparison<'_> {
        let make = || {
            let (mesh, animation) = (self.mesh.view(), self.animation.view());
            let model = mesh.mesh().expect("a mesh");
            let first = animation.clips().next().expect("a clip");
            let binding = Arc::new(Binding::new(&model, &first));
            let animations = animation.clips().map(|clip| Animation::new(&clip, Arc::clone(&binding))).collect();
            let mut document = Document::of_mesh(&model);
            document.animations = animations;
            let mut page = Page::default();
            page.asset = Some(&mesh);
            page.document = Some(&document);
            page.to_html().expect("a page").0.len()
        };
        let keys = self.animation.bytes();
        let compress = move || {
            let mut packer = GzEncoder::new(Vec::new(), Compression::new(4));
            packer.write_all(keys).expect("to memory");
            packer.finish().expect("to memory").len()
        };
        eprintln!("the page has {} bytes, the keys {}, compressed {}", make(), keys.len(), compress());
        let own = Side::new("skelmap", make);
        Comparison::new("preview/page-of-1MB", Side::new("compress keys", compress))
            .with(own.promises(target).promises(OF_REFERENCE))
            .making(1, "page")
    }
}
