//! Wavefront OBJ: the mesh at rest, or in a frame of a clip.

use std::io::Write;

use skelmap::model::{IDENTITY, Mesh, PosedPoints, Skin, UvOrigin, VertexOptions, Vertices, Wrap};
use skelmap::shared::to_usize;

use crate::document::Document;
use crate::options::{ExportOptions, InfluenceCount};
use crate::report::{ExportReport, WriteError};
use crate::space::{placed, turn};

impl Document<'_> {
    /// Writes the mesh as Wavefront OBJ: at rest, or in a frame of an animation, given as an index into
    /// [`animations`](Document::animations) and a position in frames. `library` is the name of a material file.
    /// O(mesh). The space and unit are those of glTF.
    ///
    /// An additive clip is used as it is: alone, it tears the mesh.
    ///
    /// # Errors
    /// [`WriteError`].
    pub fn write_obj(
        &self,
        options: &ExportOptions,
        pose: Option<(usize, f64)>,
        library: Option<&str>,
        mut out: impl Write,
    ) -> Result<ExportReport, WriteError> {
        let own = self.mesh.ok_or(WriteError::Empty)?;
        let (mesh, turn) = (placed(own, options), turn(Some(own.space()), options));
        let mut report = ExportReport { bones: mesh.bone_count(), ..ExportReport::default() };
        let points = match pose {
            Some(pose) => {
                report.animations = 1;
                posed(self, &mesh, options, pose)?
            }
            None => PosedPoints::at_rest(&mesh)?,
        };
        let mut asked = VertexOptions::default();
        // OBJ counts v from the bottom.
        (asked.influences, asked.uv_sets, asked.uv_origin) = (0, 1, UvOrigin::Bottom);
        (asked.colors, asked.weld) = (false, false);
        let vertices = Vertices::of_points(&mesh, &points.rotated(turn), &asked)?;
        report.count(&vertices);
        if let Some(library) = library {
            writeln!(out, "mtllib {library}")?;
        }
        for [x, y, z] in &vertices.positions {
            writeln!(out, "v {x} {y} {z}")?;
        }
        let uvs = vertices.uvs.first();
        for vertex in 0..vertices.positions.len() {
            let [u, v] = uvs.and_then(|uvs| uvs.get(vertex)).unwrap_or(&[0.0, 1.0]);
            writeln!(out, "vt {u} {v}")?;
        }
        for [x, y, z] in &vertices.normals {
            writeln!(out, "vn {x} {y} {z}")?;
        }
        write_faces(&vertices, &mesh, &mut out)?;
        out.flush()?;
        Ok(report)
    }
}

fn write_faces(vertices: &Vertices, mesh: &Mesh<'_>, out: &mut impl Write) -> Result<(), WriteError> {
    for part in &vertices.parts {
        writeln!(out, "usemtl {}", obj_material(mesh, part.material))?;
        for corners in part.indices.triangles() {
            write!(out, "f")?;
            for index in corners {
                // Indices begin at 1.
                let number = to_usize(index.into()).saturating_add(part.vertices.start).saturating_add(1);
                write!(out, " {number}/{number}/{number}")?;
            }
            writeln!(out)?;
        }
    }
    Ok(())
}

/// The maximum number of materials whose names are compared: indices have eight bits.
const MAX_MATERIALS: u32 = 256;

/// The name of a material in an OBJ and its material file: without spaces, not empty, and unique. O(materials).
pub fn obj_material(mesh: &Mesh<'_>, material: u32) -> String {
    let name_of = |material: u32| mesh.material(to_usize(material.into()));
    let Some(name) = name_of(material).map(|name| name.to_string()).filter(|name| !name.is_empty()) else {
        return format!("material_{material}");
    };
    let word: String = name.chars().map(|c| if c.is_whitespace() || c.is_control() { '_' } else { c }).collect();
    let is_taken =
        (0..material.min(MAX_MATERIALS)).any(|other| name_of(other).is_some_and(|own| own.to_string() == name));
    if word == name && !is_taken { word } else { format!("{word}_{material}") }
}

/// The points in a frame of an animation.
fn posed(
    document: &Document<'_>,
    mesh: &Mesh<'_>,
    options: &ExportOptions,
    (animation, position): (usize, f64),
) -> Result<PosedPoints, WriteError> {
    let width = if options.influences == InfluenceCount::Eight { 8 } else { 4 };
    let skin = Skin::new(mesh, width)?;
    let (mut pose, mut matrices) = (skin.bind_pose().to_vec(), vec![IDENTITY; skin.matrix_count()]);
    let none = WriteError::NoFrame { animation, position };
    let Some(animation) = document.animations.get(animation) else { return Err(none) };
    #[expect(clippy::cast_precision_loss, clippy::as_conversions, reason = "no file has 2^53 frames")]
    let frames = animation.clip.frame_count() as f64;
    if !(position >= 0.0 && position <= frames - 1.0) {
        return Err(none);
    }
    animation.binding.moved_to(mesh).sample_frame(&animation.clip, position, Wrap::Clamp, &mut pose)?;
    skin.matrices(&pose, &mut matrices)?;
    Ok(PosedPoints::in_pose(mesh, &skin, &matrices)?)
}
