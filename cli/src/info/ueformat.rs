//! The details of UEFormat files.

use skelmap::Text;
use skelmap::ueformat::{Animation, Model, Pose};

use super::actorx::{MATERIAL, MORPH, SOCKET};
use super::details::Details;
use crate::report::{Cell, Column, Rows, cells, integer, text};
use crate::text::clean;

pub(super) const LEVEL: [Column; 4] = [
    integer("index").titled("#").means("the index of the level, from 0: `--lod` takes it"),
    text("name").titled("level").means("the name of the level"),
    integer("vertices").means("the number of vertices"),
    integer("faces").means("the number of triangles"),
];
pub(super) const CURVE: [Column; 2] =
    [text("name").titled("curve").means("the name of the curve"), integer("keys").means("the number of its keys")];
pub(super) const VIRTUAL_BONE: [Column; 3] = [
    text("name").titled("virtual bone").means("the name of the virtual bone"),
    text("source").means("the bone that it is relative to"),
    text("target").means("the bone that it follows"),
];
pub(super) const HULL: [Column; 3] = [
    text("name").titled("hull").means("the name of the hull"),
    integer("vertices").means("the number of corners"),
    integer("faces").means("the number of triangles"),
];
pub(super) const POSE: [Column; 3] = [
    text("name").titled("pose").means("the name of the pose"),
    integer("bones").means("the number of bones that it moves"),
    integer("curves").means("the number of curves to which it gives a value"),
];

/// The facts of all kinds: version, name and path.
fn with_header<'a>(version: u8, name: Text<'a>, path: Text<'a>) -> Details<'a> {
    let named = |word: &str, text: Text<'_>| match text.as_bytes() {
        [] => String::new(),
        _ => format!(", {word} {:?}", clean(text)),
    };
    Details {
        facts: vec![format!("version {version}{}{}", named("named", name), named("from", path))],
        values: vec![("version", version.into()), ("name", name.into()), ("object_path", path.into())],
        ..Details::default()
    }
}

pub(super) fn model<'a>(model: &Model<'a>) -> Details<'a> {
    let model = *model;
    let levels = Rows::of(LEVEL, move || {
        model
            .levels()
            .enumerate()
            .map(|(index, own)| cells![index, own.name(), own.positions().len(), own.indices().len() / 3])
    });
    let materials = Rows::of(MATERIAL, move || {
        let all = model.first_level().into_iter().flat_map(|level| level.materials());
        all.enumerate().map(|(index, own)| cells![index, own.name])
    });
    let morphs = Rows::of(MORPH, move || {
        let all = model.first_level().into_iter().flat_map(|level| level.morphs());
        all.map(|own| cells![own.name, own.deltas.len()])
    });
    let sockets = Rows::of(SOCKET, move || model.sockets().map(|own| cells![own.name, own.bone]));
    let virtual_bones =
        Rows::of(VIRTUAL_BONE, move || model.virtual_bones().map(|own| cells![own.name, own.source, own.target]));
    let hulls =
        Rows::of(HULL, move || model.hulls().map(|own| cells![own.name, own.vertices.len(), own.indices.len() / 3]));
    let mut details = with_header(model.version(), model.name(), model.path());
    details.lists = vec![
        ("levels", levels),
        ("materials", materials),
        ("morphs", morphs),
        ("sockets", sockets),
        ("virtual_bones", virtual_bones),
        ("hulls", hulls),
    ];
    details
}

pub(super) fn animation(animation: Animation<'_>) -> Details<'_> {
    let curves = Rows::of(CURVE, move || animation.curves().map(|own| cells![own.name, own.keys.len()]));
    let mut details = with_header(animation.version(), animation.name(), animation.path());
    let (kind, base) = (animation.additive_type(), animation.base_type());
    if kind > 0 || base > 0 {
        let frame = animation.base_frame();
        details
            .facts
            .push(format!("additive type {kind}, base {base}, frame {frame} of {:?}", clean(animation.base_path())));
    }
    let additive = vec![
        ("type", kind.into()),
        ("base", base.into()),
        ("base_frame", animation.base_frame().into()),
        ("base_path", animation.base_path().into()),
    ];
    details.values.push(("additive", Cell::Object(additive)));
    details.lists.push(("curves", curves));
    details
}

pub(super) fn pose(pose: Pose<'_>) -> Details<'_> {
    let poses =
        Rows::of(POSE, move || pose.poses().map(|own| cells![own.name(), own.bones().len(), own.influences().len()]));
    let mut details = with_header(pose.version(), pose.name(), pose.path());
    details.lists.push(("poses", poses));
    details
}
