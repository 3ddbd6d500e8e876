//! The columns of the arrays of SWAT 3 animations.

use std::sync::Arc;

use skelmap::swat3::{Gsa, PLAYBACK_FPS};

use super::{
    ArrayError, ArrayTable, FRAME, INDEX, POSITION, Part, Parts, ROTATION, SECONDS, axes, listed, name, number,
    position, rotation, stored,
};
use crate::report::{Column, Records, Values, integer, records, text};

/// The arrays of animations.
pub(super) const ANIMATION: &[ArrayTable] = &[
    ArrayTable::new("rotations", &[&[FRAME, integer("bone_index").means("the id of the bone")], &ROTATION, &[SECONDS]])
        .aliases(&["keys"])
        .parts(&[Part::Bone]),
    ArrayTable::new("frames", &[&[FRAME], &POSITION, &ROTATION, &OF_FRAME]),
    ArrayTable::new("events", &[&[FRAME, EVENT_KIND, EVENT_NAME]]),
    ArrayTable::new("bones", &[&BONE, &axes!(known_position, "", "the position", ""), &rotation!(known_number)]),
];

const OF_FRAME: [Column; 4] = [
    position("root_x", "the distance of the root bone along x from its position in the first frame"),
    position("root_y", "the distance along y"),
    position("root_z", "the distance along z"),
    integer("events").means("the number of events in the frame"),
];
/// The kind of an event.
pub const EVENT_KIND: Column = text("kind").of(Values::OneOf(event_kinds)).means("the kind of the event");
/// The name of an event.
pub const EVENT_NAME: Column = name("the text after sound= or itemsound=, or else the whole event");
const BONE: [Column; 4] = [
    INDEX,
    name("the name of the bone"),
    stored("id", "the id of the bone; null where the layout does not say").nullable(),
    stored("parent", "the index of the parent bone; null where the layout does not say").nullable(),
];

/// A coordinate that the layout may not say.
const fn known_position(key: &'static str, meaning: &'static str) -> Column {
    position(key, meaning).nullable()
}

/// A number that the layout may not say.
const fn known_number(key: &'static str, meaning: &'static str) -> Column {
    number(key, meaning).nullable()
}

fn event_kinds() -> Vec<&'static str> {
    vec!["sound", "itemsound", "other"]
}

pub(super) fn animation<'a>(animation: Gsa<'a>, name: &str, parts: &Parts) -> Result<Option<Records<'a>>, ArrayError> {
    Ok(Some(match name {
        "rotations" => rotations(animation, &parts.bones)?,
        "frames" => frames(animation),
        "events" => records(
            move || animation.events(),
            |(frame, event), record| {
                record.add(*frame).add(event.kind().code()).add(event.kind().value());
            },
        ),
        "bones" => bones(animation)?,
        _ => return Ok(None),
    }))
}

/// The id of the bone that a rotation of a frame is for.
fn bone_at(animation: &Gsa<'_>, rotation: usize) -> usize {
    animation.animated_ids().get(rotation).map_or(rotation, |id| id.get().into())
}

/// The index in a frame of the rotation of a bone, by its name or id.
fn rotation_of(animation: &Gsa<'_>, bone: &str) -> Result<usize, ArrayError> {
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
    let id = id.ok_or_else(|| ArrayError::Id(bone.to_owned()))?;
    animation.rotation_of(id).ok_or(ArrayError::NotAnimated(id))
}

fn rotations<'a>(animation: Gsa<'a>, chosen: &[String]) -> Result<Records<'a>, ArrayError> {
    let chosen: Arc<[usize]> = chosen.iter().map(|bone| rotation_of(&animation, bone)).collect::<Result<_, _>>()?;
    let items = move || {
        let chosen = Arc::clone(&chosen);
        animation.frames().enumerate().flat_map(move |(index, frame)| {
            let all = if chosen.is_empty() { 0..frame.rotations().len() } else { 0..0 };
            listed(&chosen).chain(all).filter_map(move |at| Some((index, at, frame.rotations().get(at)?)))
        })
    };
    Ok(records(items, move |(index, at, rotation), record| {
        record.add(*index).add(bone_at(&animation, *at)).all(rotation.get());
        record.add(crate::convert::position(*index) / PLAYBACK_FPS);
    }))
}

fn frames(animation: Gsa<'_>) -> Records<'_> {
    records(
        move || animation.frames().enumerate(),
        |(index, frame), record| {
            record.add(*index).all(frame.origin()).all(frame.rotation()).all(frame.root_offset());
            record.add(frame.events().len());
        },
    )
}

fn bones(animation: Gsa<'_>) -> Result<Records<'_>, ArrayError> {
    let bones = animation.bones().map_err(ArrayError::Layout)?;
    Ok(records(
        move || bones.clone(),
        |bone, record| {
            record.add(bone.index()).add(bone.name()).add(bone.id()).add(bone.parent());
            record.all(bone.translation().map_or([None; 3], |position| position.map(Some)));
            record.all(bone.rotation().map_or([None; 4], |rotation| rotation.map(Some)));
        },
    ))
}

#[cfg(test)]
mod tests {
    use skelmap::swat3::{Options, SkeletonOption};
    use test_support::swat3::build::{Bone, Frame, Gsa as Built, IDENTITY, Layout};
    use test_support::with;

    use super::*;

    /// A layout that somebody gives may have ids in any order.
    #[test]
    fn a_bone_with_a_name_is_found_by_its_id_among_the_animated_ones() {
        let bones = [Bone::new(2, -1, "Root"), Bone::new(0, 2, "Arm"), Bone::new(1, 0, "Hand")];
        let layout = "pre = 4\nname = u16\npost = 28\nid = pre 0".parse().expect("a layout");
        let options = with(Options::default(), |own| own.skeleton = SkeletonOption::Given(layout));
        let found = |ids: &[u16], bone: &str| {
            let frame = Frame::new(vec![IDENTITY; if ids.is_empty() { 3 } else { ids.len() }]);
            let bytes = Built::new(2, Layout::Plain.skeleton(&bones), ids, vec![frame]).build().bytes;
            rotation_of(&Gsa::parse_with(&bytes, &options).expect("sound"), bone).ok()
        };
        assert_eq!(["Root", "arm", "Hand", "2"].map(|bone| found(&[0, 2], bone)), [Some(1), Some(0), None, Some(1)]);
        // Where all are animated, their order is that of the skeleton.
        assert_eq!(["Root", "Arm", "Hand"].map(|bone| found(&[], bone)), [Some(0), Some(1), Some(2)]);
    }
}
