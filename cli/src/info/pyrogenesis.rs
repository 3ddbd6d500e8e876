//! The details of Pyrogenesis files.

use skelmap::pyrogenesis::{Pmd, Psa};

use super::details::{Details, sections};
use crate::report::{Column, Rows, cells, integer, text};
use crate::text::clean;

pub(super) const PROP: [Column; 2] = [
    text("name").titled("prop point").means("the name of the prop point"),
    integer("bone").nullable().means("the index of the bone; null for the model itself"),
];

pub(super) fn mesh(mesh: Pmd<'_>) -> Details<'_> {
    let props = Rows::of(PROP, move || mesh.props().map(|prop| cells![prop.name, prop.transform.bone()]));
    Details {
        facts: vec![format!("version {}", mesh.version())],
        values: vec![("version", mesh.version().into())],
        lists: vec![("sections", sections(mesh.sections().iter().copied())), ("props", props)],
    }
}

pub(super) fn animation(animation: Psa<'_>) -> Details<'_> {
    let name = Some(animation.name().to_string()).filter(|name| !name.is_empty());
    let name = name.map_or_else(String::new, |name| format!(", named {:?}", clean(name)));
    let (version, length) = (animation.version(), animation.frame_length_ms());
    Details {
        facts: vec![format!("version {version}, {length} ms per frame{name}")],
        values: vec![
            ("version", version.into()),
            ("name", animation.name().into()),
            ("frame_length_ms", length.into()),
        ],
        lists: vec![("sections", sections(animation.sections().iter().copied()))],
    }
}
