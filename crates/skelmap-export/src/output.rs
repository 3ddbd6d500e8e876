//! Writing a document to files.

use std::io::Write;

use crate::document::Document;
use crate::obj;
use crate::options::ExportOptions;
use crate::plan::Plan;
use crate::report::{ExportReport, WriteError};
use crate::write;

impl Document<'_> {
    /// Writes one binary file. O(mesh + frames * bones) in time; memory for the mesh and the JSON.
    ///
    /// # Errors
    /// [`WriteError`].
    pub fn write_glb(&self, options: &ExportOptions, out: impl Write) -> Result<ExportReport, WriteError> {
        let (plan, report) = Plan::new(self, options, None)?;
        write::write_glb(&plan, out)?;
        Ok(report)
    }

    /// Writes the JSON to one output and the binary data to another. `uri` is the file name of the other output, in the same
    /// folder. Costs the same as [`write_glb`](Document::write_glb).
    ///
    /// # Errors
    /// [`WriteError`].
    pub fn write_gltf(
        &self,
        options: &ExportOptions,
        json: impl Write,
        uri: &str,
        binary: impl Write,
    ) -> Result<ExportReport, WriteError> {
        let (plan, report) = Plan::new(self, options, Some(uri))?;
        write::write_separate(&plan, json, binary)?;
        Ok(report)
    }

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
        out: impl Write,
    ) -> Result<ExportReport, WriteError> {
        obj::write(self, options, pose, library, out)
    }
}
