//! The columns of the arrays of SWAT 3 animations.

use skelmap::swat3::Gsa;

use super::writer::{Cell, Done, Writer, floats, integer, usage};
use crate::cli::{Dump, What};

pub(super) fn of_animation(animation: &Gsa<'_>, arguments: &Dump, out: &mut Writer) -> Done {
    match arguments.what {
        What::Rotations | What::Keys => rotations(animation, arguments.bone.as_deref(), out),
        What::Frames => frames(animation, out),
        What::Events => events(animation, out),
        What::Bones => bones(animation, out),
        _ => usage("this is a SWAT 3 animation; it has rotations, frames, events and, by a layout, bones".to_owned()),
    }
}

/// The id of the bone that a place among a frame's rotations is for.
fn bone_at(animation: &Gsa<'_>, rotation: usize) -> usize {
    animation.animated_ids().get(rotation).map_or(rotation, |id| id.get().into())
}

/// Which of a frame's rotations a bone's name or id means.
fn rotation_of(animation: &Gsa<'_>, bone: &str) -> Result<usize, super::writer::Failure> {
    let named = || animation.skeleton().ok()?.bones().find(|found| found.name().matches(bone));
    let all_are_animated = animation.animated_ids().is_empty();
    let id = match bone.parse::<u16>() {
        Ok(id) => Some(id),
        // All bones are in the order of the skeleton; some are listed by their ids.
        Err(_) => named().and_then(|found| match found.id() {
            Some(id) if !all_are_animated => u16::try_from(id).ok(),
            _ => u16::try_from(found.index()).ok(),
        }),
    };
    match id.map(|id| (id, animation.rotation_of(id))) {
        Some((_, Some(rotation))) => Ok(rotation),
        Some((id, None)) => usage(format!("bone {id} is not among the animated ones")),
        None => {
            usage(format!("there is no bone {bone:?}: give its id, or its name where the layout of the bones is known"))
        }
    }
}

fn rotations(animation: &Gsa<'_>, only: Option<&str>, out: &mut Writer) -> Done {
    let only = only.map(|bone| rotation_of(animation, bone)).transpose()?;
    out.heading(&["frame", "bone", "qx", "qy", "qz", "qw"])?;
    for (index, frame) in animation.frames().enumerate() {
        let all = frame.rotations().iter().enumerate();
        for (at, rotation) in all.filter(|(at, _)| only.is_none_or(|only| only == *at)) {
            let [x, y, z, w] = floats(rotation.get());
            out.record(&[integer(index), integer(bone_at(animation, at)), x, y, z, w])?;
        }
    }
    Ok(())
}

fn frames(animation: &Gsa<'_>, out: &mut Writer) -> Done {
    out.heading(&["frame", "x", "y", "z", "qx", "qy", "qz", "qw", "root_x", "root_y", "root_z", "events"])?;
    for (index, frame) in animation.frames().enumerate() {
        let ([x, y, z], [qx, qy, qz, qw]) = (floats(frame.origin()), floats(frame.rotation()));
        let [root_x, root_y, root_z] = floats(frame.root_offset());
        let events = integer(frame.events().len());
        out.record(&[integer(index), x, y, z, qx, qy, qz, qw, root_x, root_y, root_z, events])?;
    }
    Ok(())
}

fn events(animation: &Gsa<'_>, out: &mut Writer) -> Done {
    out.heading(&["frame", "kind", "name"])?;
    for (frame, event) in animation.events() {
        let kind = event.kind();
        out.record(&[
            integer(frame),
            Cell::Text(skelmap::Text::new(kind.code().as_bytes())),
            Cell::Text(kind.value()),
        ])?;
    }
    Ok(())
}

fn bones(animation: &Gsa<'_>, out: &mut Writer) -> Done {
    let skeleton = match animation.skeleton() {
        Ok(skeleton) => skeleton,
        Err(reason) => return usage(format!("the layout of the bones is not known: {reason}")),
    };
    out.heading(&["index", "name", "id", "parent", "x", "y", "z", "qx", "qy", "qz", "qw"])?;
    for bone in skeleton.bones() {
        let short = |value: Option<i16>| value.map_or(Cell::Nothing, integer);
        let [x, y, z] = bone.position().map_or([Cell::Nothing; 3], floats);
        let [qx, qy, qz, qw] = bone.rotation().map_or([Cell::Nothing; 4], floats);
        let (id, parent) = (short(bone.id()), short(bone.parent()));
        out.record(&[integer(bone.index()), Cell::Text(bone.name()), id, parent, x, y, z, qx, qy, qz, qw])?;
    }
    Ok(())
}
