//! What is at the prop points of a mesh.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use skelmap::model::Mesh;
use skelmap_export::{Attached, Document};

use super::jobs::{Job, add_note};

/// The models at prop points, by their jobs.
pub(super) type Documents<'d> = HashMap<*const Job<'d>, Arc<Document<'d>>>;

/// The most bytes of the meshes and animations of all props of an actor, each file counted once, and of the images of each different prop.
pub(super) const MAX_ATTACHED: usize = 512 << 20;

/// The models at the prop points of a mesh, without those that were left out. As in the game, nothing is at a point that the mesh does not have.
pub(super) fn attached<'d>(
    job: &Job<'_>,
    documents: &Documents<'d>,
    mesh: Option<&Mesh<'_>>,
    notes: &mut Vec<String>,
) -> Vec<Attached<'d>> {
    let points = mesh.iter().flat_map(|mesh| mesh.to_attachments()).map(|own| own.name.to_string());
    let points: HashSet<String> = points.chain(["root".to_owned()]).collect();
    let attached = |(point, prop): &(String, Arc<Job<'_>>)| {
        let document = Arc::clone(documents.get(&Arc::as_ptr(prop).cast())?);
        if points.contains(point) {
            return Some(Attached { point: point.clone(), name: prop.first.name(), document });
        }
        add_note(notes, format!("{} is left out: {} has no prop point {point}", prop.first.name(), job.first.name()));
        None
    };
    job.props.iter().filter_map(attached).collect()
}
