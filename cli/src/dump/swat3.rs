//! The columns of the arrays of SWAT 3 animations.

use std::rc::Rc;

use skelmap::swat3::Gsa;

use super::arguments::{Dump, What};
use super::listed;
use crate::outcome::Failure;
use crate::report::Array;

pub(super) fn animation<'a>(animation: Gsa<'a>, arguments: &Dump) -> Result<Option<Array<'a>>, Failure> {
    Ok(Some(match arguments.what {
        What::Rotations | What::Keys => rotations(animation, &arguments.bone)?,
        What::Frames => frames(animation),
        What::Events => Array::new(["frame", "kind", "name"], move || {
            animation.events().map(|(frame, event)| (frame, event.kind().code(), event.kind().value()))
        }),
        What::Bones => bones(animation)?,
        _ => return Ok(None),
    }))
}

/// The id of the bone that a rotation of a frame is for.
fn bone_at(animation: &Gsa<'_>, rotation: usize) -> usize {
    animation.animated_ids().get(rotation).map_or(rotation, |id| id.get().into())
}

/// The index in a frame of the rotation of a bone, by its name or id.
fn rotation_of(animation: &Gsa<'_>, bone: &str) -> Result<usize, Failure> {
    let named = || animation.bones().ok()?.find(|found| found.name().matches(bone));
    let all_are_animated = animation.animated_ids().is_empty();
    let id = match bone.parse::<u16>() {
        Ok(id) => Some(id),
        // If all bones are animated, they are in the order of the skeleton; otherwise the file lists their ids.
        Err(_) => named().and_then(|found| match found.id() {
            Some(id) if !all_are_animated => u16::try_from(id).ok(),
            _ => u16::try_from(found.index()).ok(),
        }),
    };
    let Some(id) = id else {
        let message =
            format!("there is no bone {bone:?}: give its id, or its name if the layout of the bones is known");
        return Err(Failure::usage(message));
    };
    animation.rotation_of(id).ok_or_else(|| Failure::usage(format!("bone {id} is not among the animated ones")))
}

fn rotations<'a>(animation: Gsa<'a>, chosen: &[String]) -> Result<Array<'a>, Failure> {
    let chosen: Rc<[usize]> = chosen.iter().map(|bone| rotation_of(&animation, bone)).collect::<Result<_, _>>()?;
    Ok(Array::new(["frame", "bone", "qx", "qy", "qz", "qw"], move || {
        let chosen = Rc::clone(&chosen);
        animation.frames().enumerate().flat_map(move |(index, frame)| {
            let all = if chosen.is_empty() { 0..frame.rotations().len() } else { 0..0 };
            listed(&chosen).chain(all).filter_map(move |at| {
                let [x, y, z, w] = frame.rotations().get(at)?.get();
                Some((index, bone_at(&animation, at), x, y, z, w))
            })
        })
    }))
}

fn frames(animation: Gsa<'_>) -> Array<'_> {
    let keys = ["frame", "x", "y", "z", "qx", "qy", "qz", "qw", "root_x", "root_y", "root_z", "events"];
    Array::new(keys, move || {
        animation.frames().enumerate().map(|(index, frame)| {
            let ([x, y, z], [qx, qy, qz, qw]) = (frame.origin(), frame.rotation());
            let [root_x, root_y, root_z] = frame.root_offset();
            (index, x, y, z, qx, qy, qz, qw, root_x, root_y, root_z, frame.events().len())
        })
    })
}

fn bones(animation: Gsa<'_>) -> Result<Array<'_>, Failure> {
    let unknown = |reason| Failure::usage(format!("the layout of the bones is not known: {reason}"));
    let bones = animation.bones().map_err(unknown)?;
    Ok(Array::new(["index", "name", "id", "parent", "x", "y", "z", "qx", "qy", "qz", "qw"], move || {
        bones.clone().map(|bone| {
            let [x, y, z] = bone.translation().map_or([None; 3], |position| position.map(Some));
            let [qx, qy, qz, qw] = bone.rotation().map_or([None; 4], |rotation| rotation.map(Some));
            (bone.index(), bone.name(), bone.id(), bone.parent(), x, y, z, qx, qy, qz, qw)
        })
    }))
}
