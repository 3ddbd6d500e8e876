//! Writes a frame of an animation as OBJ: `cargo run --example obj -- corpus/fox.psk corpus/fox.psa walk 10 > fox.obj`
//!
//! Works for every family whose meshes are read. The output is in the space of glTF: y up, metres.

use std::io::{self, Write};

use skelmap::Asset;
use skelmap::archive::Address;
use skelmap::mapping::Opener;
use skelmap::model::{Binding, IDENTITY, Skin, Space, UvOrigin, Winding, Wrap};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [mesh, animation, sequence, frame] = arguments.as_slice() else {
        return Err("usage: obj MESH ANIMATION SEQUENCE FRAME".into());
    };
    // A path, or an entry of an archive such as `mod.zip!/art/horse.pmd`.
    let open = |path: &String| Address::find(path.as_str()).open(&Opener::reading());
    let (mesh_bytes, animation_bytes) = (open(mesh)?, open(animation)?);
    let (mesh, animation) = (Asset::parse(&mesh_bytes)?, Asset::parse(&animation_bytes)?);
    // ActorX files do not say their unit: a centimetre is usual. Other files keep their own.
    let mesh = mesh.mesh().ok_or("the first file has no mesh")?.with_metres(0.01).in_space(Space::GLTF);
    let clip = animation.clips().find(|clip| clip.name().is_none_or(|name| name.matches(sequence)));
    let clip = clip.ok_or("no such sequence")?;

    let (skin, binding) = (Skin::new(&mesh, 4)?, Binding::new(&mesh, &clip));
    eprintln!("{}", binding.found());
    let mut pose = skin.bind_pose().to_vec();
    let mut matrices = vec![IDENTITY; skin.matrix_count()];
    let mut positions = vec![[0.0; 3]; mesh.point_count()];
    binding.sample_frame(&clip, frame.parse()?, Wrap::Clamp, &mut pose)?;
    skin.matrices(&pose, &mut matrices)?;
    skin.positions(&mesh, &matrices, &mut positions)?;

    let mut out = io::BufWriter::new(io::stdout().lock());
    for [x, y, z] in &positions {
        writeln!(out, "v {x} {y} {z}")?;
    }
    for uv in mesh.uvs(0).into_iter().flatten() {
        let [u, v] = uv.get();
        // OBJ counts v from the bottom.
        writeln!(out, "vt {u} {}", if mesh.uv_origin() == UvOrigin::Top { 1.0 - v } else { v })?;
    }
    for triangle in (0..mesh.triangle_count()).filter_map(|index| mesh.triangle(index)) {
        let mut corners = triangle.vertices;
        if mesh.winding() == Winding::Clockwise {
            corners.reverse();
        }
        write!(out, "f")?;
        for vertex in corners {
            let point = mesh.point_of(vertex as usize).filter(|point| *point < positions.len());
            let point = point.ok_or("a triangle without a point")?;
            write!(out, " {}/{}", point + 1, vertex + 1)?;
        }
        writeln!(out)?;
    }
    Ok(out.flush()?)
}
