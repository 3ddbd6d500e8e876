//! The report on files for games: a row for each file.

use super::{GameFile, Made};
use crate::columns::SCHEMA_COLUMN;
use crate::items::SCHEMA;
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
        let mut add = |count, noun, remark| add_remark(&mut remarks, count, noun, remark);
        if let Some(Made::Mesh(import, _) | Made::Psk(import, _)) = self.made() {
            add(import.computed_normals, "normal", "computed");
            add(
                import.vertices_without_uvs,
                "vertex",
                "without texture coordinates, which are 0 (--keep-unused writes them to glTF)",
            );
            add(import.zeroed_numbers, "number", "not finite, or a weight below 0: 0 instead");
            add(import.textures, "texture", "not written: the game has its own formats for images");
            add(import.dropped_morphs, "morph target", "left out");
            add(import.posed_joints, "joint", "at rest elsewhere than the skin is bound: as it is bound");
            add(
                import.dropped_attachments,
                "attachment",
                "left out: neither directly below a joint nor, without joints, below the mesh",
            );
        }
        match self.made() {
            Some(Made::Psk(_, mesh)) => {
                add(mesh.cut_points, "point", "with more than four influences: the strongest are kept");
                add(mesh.unweighted_points, "point", "without influences: they follow the root");
                add(mesh.changed_names, "name", "cut, numbered or without characters of other languages");
                add(usize::from(mesh.has_new_root), "root", "added above several");
                add(mesh.shared_groups, "surface", "smooth across a hard edge: there are 32 groups");
                add(mesh.dropped_sets, "UV set or colour", "left out, which .pskx keeps");
                add(mesh.dropped_attachments, "attachment", "left out");
            }
            Some(Made::Psa(animation)) => {
                add(animation.changed_names, "name", "cut, numbered or without characters of other languages");
                add(animation.resampled, "sequence", "with keys between frames: computed");
            }
            Some(Made::Mesh(_, mesh)) => {
                add(mesh.cut_vertices, "vertex", "with more than four influences: the strongest are kept");
                add(mesh.weak_influences, "influence", "below 0.001 left out");
                add(mesh.unknown_influences, "influence", "of joints without a bone left out");
                add(mesh.unmoved_vertices, "vertex", "without influences: they follow the model");
                add(mesh.bones_without_joints, "bone", "without a joint: at the origin");
                add(mesh.dropped_props, "prop point", "left out: its joint is no bone");
                add(mesh.renamed_props, "prop point", "without the number that Blender added");
                if mesh.has_many_bones {
                    remarks.push("more than 63 bones, which only releases from 28 on draw".to_owned());
                }
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
