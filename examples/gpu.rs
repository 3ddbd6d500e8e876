//! Buffers for a GPU, and matrices for `glam`: `cargo run --example gpu`
//!
//! The bytes are ready for upload: records in place where the file is aligned, vertices with four joints each, and for each frame the
//! matrices of the bones.

use skelmap::model::{Binding, IDENTITY, Skin, VertexOptions, Wrap};
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
    let vertices = mesh.to_vertices(&VertexOptions::default())?;
    let joints: &[u8] = bytemuck::cast_slice(&vertices.joints[0]);
    let weights: &[u8] = bytemuck::cast_slice(&vertices.weights[0]);
    println!("four influences for each vertex: {} bytes of joints, {} bytes of weights", joints.len(), weights.len());
    for part in &vertices.parts {
        println!("material {}: {} triangles of vertices {:?}", part.material, part.indices.len() / 3, part.vertices);
    }
    let (skin, binding) = (Skin::new(&mesh, 4)?, Binding::new(&mesh, &clip));

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
