//! The columns of the arrays of Pyrogenesis files.

use skelmap::pyrogenesis::{Pmd, Psa};

use super::arguments::{Dump, What};
use crate::outcome::Failure;
use crate::report::{Rows, cells};

pub(super) fn mesh<'a>(mesh: Pmd<'a>, arguments: &Dump) -> Result<Rows<'a>, Failure> {
    Ok(match arguments.what {
        What::Vertices | What::Points => vertices(mesh),
        What::Uvs => return uvs(mesh, arguments.set),
        What::Faces => Rows::new(["index", "vertex_0", "vertex_1", "vertex_2"], move || {
            mesh.faces().iter().enumerate().map(|(index, face)| {
                let [a, b, c] = face.vertices();
                cells![index, a, b, c]
            })
        }),
        What::Bones => Rows::new(["index", "x", "y", "z", "qx", "qy", "qz", "qw"], move || {
            mesh.bones().iter().enumerate().map(|(index, state)| {
                let ([x, y, z], [qx, qy, qz, qw]) = (state.translation(), state.rotation());
                cells![index, x, y, z, qx, qy, qz, qw]
            })
        }),
        // As the engine reads them: up to the first unused one.
        What::Influences => Rows::new(["vertex", "bone", "weight"], move || {
            mesh.vertices().iter().enumerate().flat_map(|(index, vertex)| {
                vertex.blend().influences().map(move |(bone, weight)| cells![index, bone, weight])
            })
        }),
        What::Props => Rows::new(["index", "name", "bone", "x", "y", "z", "qx", "qy", "qz", "qw"], move || {
            mesh.props().enumerate().map(|(index, prop)| {
                let ([x, y, z], [qx, qy, qz, qw]) = (prop.transform.translation(), prop.transform.rotation());
                cells![index, prop.name, prop.transform.bone(), x, y, z, qx, qy, qz, qw]
            })
        }),
        _ => {
            let message = "this is a Pyrogenesis mesh; it has vertices, uvs, faces, bones, influences and props";
            return Err(Failure::usage(message));
        }
    })
}

pub(super) fn animation<'a>(animation: Psa<'a>, arguments: &Dump) -> Result<Rows<'a>, Failure> {
    if !matches!(arguments.what, What::States | What::Keys) {
        return Err(Failure::usage("this is a Pyrogenesis animation; it has states"));
    }
    let count = animation.bone_count();
    let only: Option<usize> = match &arguments.bone {
        None => None,
        Some(index) => {
            let found = index.parse().ok().filter(|index| *index < count);
            Some(found.ok_or_else(|| {
                Failure::usage(format!("there is no bone {index:?}: these bones have no names, and there are {count}"))
            })?)
        }
    };
    Ok(Rows::new(["frame", "bone", "x", "y", "z", "qx", "qy", "qz", "qw"], move || {
        animation.states().chunks(count.max(1)).enumerate().flat_map(move |(frame, states)| {
            let (first, most) = only.map_or((0, usize::MAX), |bone| (bone, 1));
            states.iter().enumerate().skip(first).take(most).map(move |(bone, state)| {
                let ([x, y, z], [qx, qy, qz, qw]) = (state.translation(), state.rotation());
                cells![frame, bone, x, y, z, qx, qy, qz, qw]
            })
        })
    }))
}

fn vertices(mesh: Pmd<'_>) -> Rows<'_> {
    let keys = [
        "index", "x", "y", "z", "nx", "ny", "nz", "bone_0", "bone_1", "bone_2", "bone_3", "weight_0", "weight_1",
        "weight_2", "weight_3",
    ];
    Rows::new(keys, move || {
        mesh.vertices().iter().enumerate().map(|(index, vertex)| {
            let ([x, y, z], [nx, ny, nz]) = (vertex.position(), vertex.normal());
            let ([b0, b1, b2, b3], [w0, w1, w2, w3]) = (vertex.blend().bones(), vertex.blend().weights());
            cells![index, x, y, z, nx, ny, nz, b0, b1, b2, b3, w0, w1, w2, w3]
        })
    })
}

fn uvs(mesh: Pmd<'_>, only: Option<usize>) -> Result<Rows<'_>, Failure> {
    let sets = mesh.uv_set_count();
    if let Some(set) = only.filter(|set| *set >= sets) {
        return Err(Failure::usage(format!("there is no UV set {set}, the mesh has {sets}")));
    }
    Ok(Rows::new(["set", "vertex", "u", "v"], move || {
        mesh.vertices().iter().enumerate().flat_map(move |(index, vertex)| {
            let wanted = move |(set, _): &(usize, _)| only.is_none_or(|only| only == *set);
            vertex.uvs().iter().enumerate().filter(wanted).map(move |(set, uv)| {
                let [u, v] = uv.get();
                cells![set, index, u, v]
            })
        })
    }))
}
