//! The columns of the arrays of Pyrogenesis files.

use std::rc::Rc;

use skelmap::pyrogenesis::{Pmd, Psa};

use super::arguments::{Dump, What};
use super::listed;
use crate::outcome::Failure;
use crate::report::Array;
use skelmap_batch::convert::position;

pub(super) fn mesh<'a>(mesh: Pmd<'a>, arguments: &Dump) -> Result<Option<Array<'a>>, Failure> {
    Ok(Some(match arguments.what {
        What::Vertices | What::Points => vertices(mesh),
        What::Uvs => uvs(mesh, arguments.set)?,
        What::Faces => Array::new(["index", "vertex_0", "vertex_1", "vertex_2"], move || {
            mesh.faces().iter().enumerate().map(|(index, face)| {
                let [a, b, c] = face.vertices();
                (index, a, b, c)
            })
        }),
        What::Bones => Array::new(["index", "x", "y", "z", "qx", "qy", "qz", "qw"], move || {
            mesh.bones().iter().enumerate().map(|(index, state)| {
                let ([x, y, z], [qx, qy, qz, qw]) = (state.translation(), state.rotation());
                (index, x, y, z, qx, qy, qz, qw)
            })
        }),
        // As the engine reads them: up to the first unused one.
        What::Influences => Array::new(["vertex", "bone", "weight"], move || {
            mesh.vertices().iter().enumerate().flat_map(|(index, vertex)| {
                vertex.blend().influences().map(move |(bone, weight)| (index, bone, weight))
            })
        }),
        What::Props => Array::new(["index", "name", "bone", "x", "y", "z", "qx", "qy", "qz", "qw"], move || {
            mesh.props().enumerate().map(|(index, prop)| {
                let ([x, y, z], [qx, qy, qz, qw]) = (prop.transform.translation(), prop.transform.rotation());
                (index, prop.name, prop.transform.bone(), x, y, z, qx, qy, qz, qw)
            })
        }),
        _ => return Ok(None),
    }))
}

pub(super) fn animation<'a>(animation: Psa<'a>, arguments: &Dump) -> Result<Option<Array<'a>>, Failure> {
    if !matches!(arguments.what, What::States | What::Keys) {
        return Ok(None);
    }
    let count = animation.bone_count();
    let find = |index: &String| {
        let found = index.parse().ok().filter(|index| *index < count);
        found.ok_or_else(|| {
            Failure::usage(format!("there is no bone {index:?}: these bones have no names, and there are {count}"))
        })
    };
    let bones: Rc<[usize]> = match arguments.bone.as_slice() {
        [] => (0..count).collect(),
        chosen => chosen.iter().map(find).collect::<Result<_, _>>()?,
    };
    let rate = animation.rate();
    Ok(Some(Array::new(["frame", "bone", "x", "y", "z", "qx", "qy", "qz", "qw", "seconds"], move || {
        let bones = Rc::clone(&bones);
        animation.states().chunks(count.max(1)).enumerate().flat_map(move |(frame, states)| {
            let seconds = rate.map(|rate| position(frame) / rate);
            listed(&bones).filter_map(move |bone| {
                let state = states.get(bone)?;
                let ([x, y, z], [qx, qy, qz, qw]) = (state.translation(), state.rotation());
                Some((frame, bone, x, y, z, qx, qy, qz, qw, seconds))
            })
        })
    })))
}

fn vertices(mesh: Pmd<'_>) -> Array<'_> {
    let keys = [
        "index", "x", "y", "z", "nx", "ny", "nz", "bone_0", "bone_1", "bone_2", "bone_3", "weight_0", "weight_1",
        "weight_2", "weight_3",
    ];
    Array::new(keys, move || {
        mesh.vertices().iter().enumerate().map(|(index, vertex)| {
            let ([x, y, z], [nx, ny, nz]) = (vertex.position(), vertex.normal());
            let ([b0, b1, b2, b3], [w0, w1, w2, w3]) = (vertex.blend().bones(), vertex.blend().weights());
            (index, x, y, z, nx, ny, nz, b0, b1, b2, b3, w0, w1, w2, w3)
        })
    })
}

fn uvs(mesh: Pmd<'_>, only: Option<usize>) -> Result<Array<'_>, Failure> {
    let sets = mesh.uv_set_count();
    if let Some(set) = only.filter(|set| *set >= sets) {
        return Err(Failure::usage(format!("there is no UV set {set}, the mesh has {sets}")));
    }
    Ok(Array::new(["set", "vertex", "u", "v"], move || {
        mesh.vertices().iter().enumerate().flat_map(move |(index, vertex)| {
            let wanted = move |(set, _): &(usize, _)| only.is_none_or(|only| only == *set);
            vertex.uvs().iter().enumerate().filter(wanted).map(move |(set, uv)| {
                let [u, v] = uv.get();
                (set, index, u, v)
            })
        })
    }))
}
