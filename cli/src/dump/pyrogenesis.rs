//! The columns of the arrays of Pyrogenesis files.

use skelmap::pyrogenesis::{BoneState, Pmd, Psa};

use super::writer::{Cell, Done, Writer, floats, integer, usage};
use crate::cli::{Dump, What};

pub(super) fn of_mesh(mesh: &Pmd<'_>, arguments: &Dump, out: &mut Writer) -> Done {
    match arguments.what {
        What::Vertices | What::Points => vertices(mesh, out),
        What::Uvs => uvs(mesh, arguments.set, out),
        What::Faces => faces(mesh, out),
        What::Bones => bind_pose(mesh, out),
        What::Influences => influences(mesh, out),
        What::Props => props(mesh, out),
        _ => usage("this is a Pyrogenesis mesh; it has vertices, uvs, faces, bones, influences and props".to_owned()),
    }
}

pub(super) fn of_animation(animation: &Psa<'_>, arguments: &Dump, out: &mut Writer) -> Done {
    if !matches!(arguments.what, What::States | What::Keys) {
        return usage("this is a Pyrogenesis animation; it has states".to_owned());
    }
    let bones = animation.bone_count();
    let only: Option<usize> = match &arguments.bone {
        None => None,
        Some(index) => match index.parse().ok().filter(|index| *index < bones) {
            None => {
                return usage(format!("there is no bone {index:?}: bones have no names here, and there are {bones}"));
            }
            found => found,
        },
    };
    out.heading(&["frame", "bone", "x", "y", "z", "qx", "qy", "qz", "qw"])?;
    for (frame, states) in animation.states().chunks(bones.max(1)).enumerate() {
        for (bone, state) in states.iter().enumerate().filter(|(bone, _)| only.is_none_or(|only| only == *bone)) {
            let [x, y, z, qx, qy, qz, qw] = state_cells(state);
            out.record(&[integer(frame), integer(bone), x, y, z, qx, qy, qz, qw])?;
        }
    }
    Ok(())
}

fn state_cells(state: &BoneState) -> [Cell<'static>; 7] {
    let ([x, y, z], [qx, qy, qz, qw]) = (state.translation(), state.rotation());
    floats([x, y, z, qx, qy, qz, qw])
}

fn vertices(mesh: &Pmd<'_>, out: &mut Writer) -> Done {
    out.heading(&[
        "index", "x", "y", "z", "nx", "ny", "nz", "bone_0", "bone_1", "bone_2", "bone_3", "weight_0", "weight_1",
        "weight_2", "weight_3",
    ])?;
    for (index, vertex) in mesh.vertices().iter().enumerate() {
        let ([x, y, z], [nx, ny, nz]) = (floats(vertex.position()), floats(vertex.normal()));
        let ([b0, b1, b2, b3], [w0, w1, w2, w3]) =
            (vertex.blend().bones().map(integer), floats(vertex.blend().weights()));
        out.record(&[integer(index), x, y, z, nx, ny, nz, b0, b1, b2, b3, w0, w1, w2, w3])?;
    }
    Ok(())
}

fn uvs(mesh: &Pmd<'_>, only: Option<usize>, out: &mut Writer) -> Done {
    let sets = mesh.uv_set_count();
    if let Some(set) = only.filter(|set| *set >= sets) {
        return usage(format!("there is no UV set {set}, the mesh has {sets}"));
    }
    out.heading(&["set", "vertex", "u", "v"])?;
    for (index, vertex) in mesh.vertices().iter().enumerate() {
        for (set, uv) in vertex.uvs().iter().enumerate().filter(|(set, _)| only.is_none_or(|only| only == *set)) {
            let [u, v] = floats(uv.get());
            out.record(&[integer(set), integer(index), u, v])?;
        }
    }
    Ok(())
}

fn faces(mesh: &Pmd<'_>, out: &mut Writer) -> Done {
    out.heading(&["index", "vertex_0", "vertex_1", "vertex_2"])?;
    for (index, face) in mesh.faces().iter().enumerate() {
        let [a, b, c] = face.vertices().map(integer);
        out.record(&[integer(index), a, b, c])?;
    }
    Ok(())
}

fn bind_pose(mesh: &Pmd<'_>, out: &mut Writer) -> Done {
    out.heading(&["index", "x", "y", "z", "qx", "qy", "qz", "qw"])?;
    for (index, state) in mesh.bind_pose().iter().enumerate() {
        let [x, y, z, qx, qy, qz, qw] = state_cells(state);
        out.record(&[integer(index), x, y, z, qx, qy, qz, qw])?;
    }
    Ok(())
}

/// The influences as the engine reads them: up to the first unused one.
fn influences(mesh: &Pmd<'_>, out: &mut Writer) -> Done {
    out.heading(&["vertex", "bone", "weight"])?;
    for (index, vertex) in mesh.vertices().iter().enumerate() {
        for (bone, weight) in vertex.blend().influences() {
            out.record(&[integer(index), integer(bone), Cell::Float(weight)])?;
        }
    }
    Ok(())
}

fn props(mesh: &Pmd<'_>, out: &mut Writer) -> Done {
    out.heading(&["index", "name", "bone", "x", "y", "z", "qx", "qy", "qz", "qw"])?;
    for (index, prop) in mesh.props().enumerate() {
        let ([x, y, z], [qx, qy, qz, qw]) = (floats(prop.transform.position()), floats(prop.transform.rotation()));
        let bone = prop.transform.bone().map_or(Cell::Nothing, integer);
        out.record(&[integer(index), Cell::Text(prop.name), bone, x, y, z, qx, qy, qz, qw])?;
    }
    Ok(())
}
