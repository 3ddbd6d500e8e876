//! Converts a mesh and its animation to GLB: `cargo run --example glb -- corpus/fox.psk corpus/fox.psa > fox.glb`

use std::io;

use skelmap::Asset;
use skelmap::archive::{Address, SideCar};
use skelmap::mapping::Opener;
use skelmap::model::Binding;
use skelmap_export::{Animation, Document, ExportOptions};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (mesh, animation) = match arguments.as_slice() {
        [mesh, animation] => (mesh, Some(animation)),
        [mesh] => (mesh, None),
        _ => return Err("usage: glb MESH [ANIMATION] > FILE.glb".into()),
    };
    let opener = Opener::reading();
    let mesh_bytes = Address::find(mesh.as_str()).open(&opener)?;
    let mesh_asset = Asset::parse(&mesh_bytes)?;
    let mesh = mesh_asset.mesh().ok_or("no mesh")?;
    let animation_bytes = animation.map(|path| Address::find(path.as_str()).open(&opener)).transpose()?;
    let side_car = animation.map(|path| SideCar::beside(&Address::find(path.as_str()), &opener)).transpose()?.flatten();
    let animation = animation_bytes.as_ref().map(|bytes| Asset::parse(bytes)).transpose()?;
    let mut document = Document::of_mesh(&mesh);
    for clip in animation.iter().flat_map(Asset::clips) {
        let sources = side_car.as_ref().map(|side_car| side_car.to_sources(&clip)).unwrap_or_default();
        let binding = Binding::new(&mesh, &clip).with_sources(&sources);
        document.animations.push(Animation::new(&clip, binding));
    }
    let report = document.write_glb(&ExportOptions::default(), io::stdout().lock())?;
    eprintln!("{report:?}");
    Ok(())
}
