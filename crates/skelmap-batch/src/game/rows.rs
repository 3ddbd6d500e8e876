//! The report on files for games: a row for each file.

use super::{GameFile, Made};
use crate::columns::SCHEMA_COLUMN;
use crate::items::SCHEMA;
use crate::losses::{of_import, of_pmd, of_psk};
use crate::path_text;
use crate::report::{Cell, ERROR, Field, Look, PATH, Values, field, integer, text, texts};
use crate::text::add_remark;

/// The numbers of what was made.
#[derive(Default)]
struct Numbers {
    kind: &'static str,
    vertices: Option<usize>,
    triangles: Option<usize>,
    bones: Option<usize>,
    props: Option<usize>,
    frames: Option<usize>,
}

impl GameFile {
    fn made(&self) -> Option<&Made> {
        self.done.as_ref().ok().map(|(made, _)| made)
    }

    fn status(&self) -> &'static str {
        match self.done {
            Ok((Made::Kept, _)) => "kept",
            Ok(_) => "written",
            Err(_) => "failed",
        }
    }

    fn numbers(&self) -> Option<Numbers> {
        Some(match self.made()? {
            Made::Mesh(_, own) => Numbers {
                kind: "mesh",
                vertices: Some(own.vertices),
                triangles: Some(own.triangles),
                bones: Some(own.bones),
                props: Some(own.props),
                frames: None,
            },
            Made::Psk(_, own) => Numbers {
                kind: "mesh",
                vertices: Some(own.wedges),
                triangles: Some(own.faces),
                bones: Some(own.bones),
                ..Numbers::default()
            },
            Made::Animation(own) => {
                Numbers { kind: "animation", bones: Some(own.bones), frames: Some(own.frames), ..Numbers::default() }
            }
            Made::Psa(own) => {
                Numbers { kind: "animation", bones: Some(own.bones), frames: Some(own.frames), ..Numbers::default() }
            }
            Made::Actor => Numbers { kind: "actor", ..Numbers::default() },
            Made::Kept => return None,
        })
    }

    /// What people should know: what was cut, computed, renamed and dropped.
    pub fn remarks(&self) -> Vec<String> {
        let mut remarks = self.notes.clone();
        match self.made() {
            Some(Made::Mesh(import, mesh)) => {
                remarks.extend(of_import(import));
                remarks.extend(of_pmd(mesh));
            }
            Some(Made::Psk(import, mesh)) => {
                remarks.extend(of_import(import));
                remarks.extend(of_psk(mesh));
            }
            Some(Made::Psa(animation)) => {
                let mut add = |count, noun, remark| add_remark(&mut remarks, count, noun, remark);
                add(animation.changed_names, "name", "cut, numbered or without characters of other languages");
                add(animation.resampled, "sequence", "with keys between frames: computed");
            }
            Some(Made::Animation(animation)) => {
                if animation.is_loop {
                    remarks.push("a last frame that repeats the first is left out".to_owned());
                }
                if animation.is_resampled {
                    remarks.push("keys between the frames: computed for 30 frames per second (in Blender, set the scene to 30 before an import)".to_owned());
                }
            }
            Some(Made::Actor | Made::Kept) | None => {}
        }
        remarks
    }
}

/// The columns of the report.
pub fn fields() -> Vec<Field<GameFile>> {
    let status = text("status").of(Values::OneOf(|| vec!["written", "kept", "failed"]));
    let kind = text("kind").nullable().of(Values::OneOf(|| vec!["mesh", "animation", "actor"]));
    let count = |key, meaning| integer(key).nullable().means(meaning);
    let error = text("error").nullable().data().means("why the file was not written");
    let notes = texts("notes").means("what was decided, cut, computed, renamed and dropped");
    vec![
        field(SCHEMA_COLUMN.json(), |_| SCHEMA.into()),
        field(text("input").data().means("the glTF file"), |row: &GameFile| path_text(&row.input).into_owned().into()),
        field(text("output").data().means("the file that was written"), |row| {
            path_text(&row.output).into_owned().into()
        }),
        field(status.data().means("the result"), |row| row.status().into()),
        field(kind.means("the kind of the file"), |row| row.numbers().map(|own| own.kind).into()),
        field(count("bytes", "the size of the file").titled("size").look(Look::Size).unit("bytes"), |row| {
            row.done.as_ref().ok().filter(|(made, _)| !matches!(made, Made::Kept)).map(|(_, bytes)| *bytes).into()
        }),
        field(count("vertices", "vertices of a mesh; of ActorX, wedges"), |row| {
            row.numbers().and_then(|own| own.vertices).into()
        }),
        field(count("triangles", "triangles of a mesh"), |row| row.numbers().and_then(|own| own.triangles).into()),
        field(count("bones", "bones"), |row| row.numbers().and_then(|own| own.bones).into()),
        field(count("props", "prop points of a mesh"), |row| row.numbers().and_then(|own| own.props).into()),
        field(count("frames", "frames of an animation, of all its sequences"), |row| {
            row.numbers().and_then(|own| own.frames).into()
        }),
        field(notes.json(), |row| Cell::list(|| row.remarks().into_iter())),
        field(text("notes").flat(), |row| row.remarks().join("; ").into()),
        field(error, |row| row.done.as_ref().err().map(ToString::to_string).into()),
        field(ERROR, |row| row.done.as_ref().err().map(ToString::to_string).into()),
        field(text("notes").look(Look::Notes).table(), |row| row.remarks().join("; ").into()),
        field(PATH.titled("output"), |row| Cell::display(row.output.display())),
    ]
}
