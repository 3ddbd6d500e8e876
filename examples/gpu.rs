//! Buffers for a GPU, and matrices for `glam`: `cargo run --example gpu`
//!
//! The bytes are ready for upload: vertices in place where the file is aligned, the table of influences, and for each
//! frame the matrices of the bones.

use skelmap::model::{Binding, IDENTITY, Skin, Wrap};
use skelmap::{AsNative, Asset, mapping::Mapping};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mesh_file, animation_file) = (Mapping::read("corpus/fox.psk")?, Mapping::read("corpus/fox.psa")?);
    let (asset, animation) = (Asset::parse(&mesh_file)?, Asset::parse(&animation_file)?);
    let mesh = asset.mesh().ok_or("no mesh")?;
    let clip = animation.clips().next().ok_or("no clip")?;

    // Once. `to_native` copies only where the file is not aligned.
    if let Asset::ActorxPsk(psk) = asset {
        let (points, wedges) = (psk.points().to_native(), psk.wedges().to_native());
        let (points, wedges): (&[u8], &[u8]) = (bytemuck::cast_slice(&points), bytemuck::cast_slice(&wedges));
        println!("{} bytes of points, {} bytes of wedges", points.len(), wedges.len());
    }
    let (skin, binding) = (Skin::new(&mesh, 4)?, Binding::new(&mesh, &clip));
    let bones: &[u8] = bytemuck::cast_slice(skin.influences().bones());
    let weights: &[u8] = bytemuck::cast_slice(skin.influences().weights());
    let width = skin.influences().width();
    println!("{width} influences for each point: {} bytes of bones, {} bytes of weights", bones.len(), weights.len());

    // For each frame: nothing is allocated.
    let mut pose = skin.bind_pose().to_vec();
    let mut matrices = vec![IDENTITY; skin.matrix_count()];
    for step in 0..4 {
        let seconds = f64::from(step) / 60.0;
        binding.sample(&clip, seconds, Wrap::Loop, &mut pose)?;
        skin.matrices(&pose, &mut matrices)?;
        let upload: &[u8] = bytemuck::cast_slice(&matrices);
        let root = glam_034::Mat4::from_cols_array(&matrices[0]).transform_point3(glam_034::Vec3::ZERO);
        println!("{seconds:.3} s: {} bytes of matrices, the root moves the origin to {root}", upload.len());
        // A transform as glam has it, for a joint that follows physics.
        let head = mesh.skeleton().find("head").ok_or("no head")?;
        println!("  the head, relative to its parent: {}", glam_034::Affine3A::from(pose[head]).translation);
    }
    Ok(())
}
