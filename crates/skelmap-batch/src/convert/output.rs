//! The files of one output: written all, or none of them. They get their names when all are complete.

use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::Ordering;

use crate::save::check_no_input;
use skelmap_export::{Document, ExportReport, WriteError};
use skelmap_preview::Page;

use super::converter::{About, Converter, Done, FROM, Origin, position};
use super::error::OutputError;
use super::names::stem;
use super::options::Kind;
use crate::save::{self, Written};

/// The files of an output that are complete, and what they are made from.
struct Files<'o> {
    origin: &'o Origin,
    written: Vec<Written>,
}

impl Converter<'_> {
    /// Writes the files of an output. If one of them cannot be written, none is, and what was there stays.
    pub(super) fn write(
        &self,
        base: &Path,
        document: &Document<'_>,
        about: &About<'_>,
        origin: &Origin,
        part: &str,
    ) -> Result<Done, OutputError> {
        if document.mesh.is_none() && self.target.kind() == Kind::Obj {
            return Err(OutputError::NoShape);
        }
        if let Some(frame) = self.options.frame {
            let frames = document.animations.first().map_or(0, |animation| animation.clip.frame_count());
            if document.animations.len() != 1 {
                return Err(OutputError::FrameOfMany(document.animations.len()));
            }
            if frame >= frames {
                return Err(OutputError::NoFrame { frame, frames });
            }
        }
        let textures = document.images.len();
        let Some(path) = self.target.path(base) else {
            let out = io::stdout().lock();
            let report = match self.target.kind() {
                Kind::Obj => document.write_obj(&self.options.gltf, self.pose(), None, out),
                Kind::Html => {
                    return self.print_page(document, about).map(|report| Done::Written {
                        report,
                        bytes: None,
                        textures,
                    });
                }
                _ => document.write_glb(&self.options.gltf, out),
            };
            return Ok(Done::Written { report: report?, bytes: None, textures });
        };
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            self.target
                .make_parents(&path)
                .map_err(|error| self.unwritable(format!("cannot make the folder {}", folder.display()), error))?;
        }
        let mut files = Files { origin, written: Vec::new() };
        let report = match self.write_files(&path, document, about, &mut files) {
            Ok(report) => report,
            Err(error) => {
                save::discard(files.written);
                return Err(error);
            }
        };
        // The file by which the output is known comes first.
        let sizes: Vec<_> = files.written.iter().rev().map(|own| (own.path().to_owned(), own.size())).collect();
        let record = |stamp: &str| {
            let added = self.record.as_ref().map(|record| record.add(stamp, &origin.input, &sizes));
            added.unwrap_or(Ok(())).map_err(OutputError::Record)
        };
        if let Err(error) = record("") {
            save::discard(files.written);
            return Err(error);
        }
        save::persist(files.written).map_err(|(path, error)| self.unwritable(path.display().to_string(), error))?;
        record(&origin.stamp.hash(part).unwrap_or_default())?;
        Ok(Done::Written { report, bytes: Some(sizes.iter().map(|(_, size)| size).sum()), textures })
    }

    fn pose(&self) -> Option<(usize, f64)> {
        self.options.frame.map(|frame| (0, position(frame)))
    }

    /// Writes the files of an output, the one by which it is known last.
    fn write_files(
        &self,
        path: &Path,
        document: &Document<'_>,
        about: &About<'_>,
        files: &mut Files<'_>,
    ) -> Result<ExportReport, OutputError> {
        let (options, mut report) = (&self.options.gltf, ExportReport::default());
        match self.target.kind() {
            Kind::Html => {
                let html;
                (html, report) = self.page(document, about)?;
                self.save(path, files, |out| out.write_all(html.as_bytes()))?;
            }
            Kind::Glb => self.save(path, files, |out| {
                report = document.write_glb(options, out).map_err(into_io)?;
                Ok(())
            })?,
            Kind::Gltf => {
                self.check_replaceable(path, files.origin)?;
                let binary = path.with_extension("bin");
                let uri = binary.file_name().unwrap_or_default().to_string_lossy();
                let mut json = Vec::new();
                self.save(&binary, files, |out| {
                    report = document.write_gltf(options, &mut json, &to_uri(&uri), out).map_err(into_io)?;
                    Ok(())
                })?;
                self.save(path, files, |out| out.write_all(&json))?;
            }
            Kind::Obj => {
                self.check_replaceable(path, files.origin)?;
                let library = self.save_materials(path, document, files)?;
                self.save(path, files, |out| {
                    report = document.write_obj(options, self.pose(), library.as_deref(), out).map_err(into_io)?;
                    Ok(())
                })?;
            }
        }
        Ok(report)
    }

    /// A page that plays a document, and what the document has lost.
    fn page(&self, document: &Document<'_>, about: &About<'_>) -> Result<(String, ExportReport), OutputError> {
        let page = Page {
            title: stem(about.address.entry().map_or_else(|| about.address.path(), Path::new)),
            path: about.address.to_string(),
            asset: about.asset,
            document: Some(document),
            options: self.options.gltf.clone(),
            sources: about.sources.clone(),
            notes: about.notes.iter().filter(|note| !note.starts_with(FROM)).cloned().collect(),
            error: None,
            max_bytes: usize::try_from(self.options.max_bytes).unwrap_or(usize::MAX),
        };
        Ok(page.to_html()?)
    }

    fn print_page(&self, document: &Document<'_>, about: &About<'_>) -> Result<ExportReport, OutputError> {
        let (html, report) = self.page(document, about)?;
        io::stdout().lock().write_all(html.as_bytes())?;
        Ok(report)
    }

    /// The message of an output that cannot be written. The run then ends with the status for that, unless the output is one that
    /// cannot be made from its inputs.
    fn unwritable(&self, what: String, error: io::Error) -> OutputError {
        let is_of_content = matches!(error.kind(), io::ErrorKind::AlreadyExists | io::ErrorKind::Other);
        self.is_unwritable.fetch_or(!is_of_content, Ordering::Relaxed);
        OutputError::Output { what, error }
    }

    /// Checks that a file may be written: it is not there or may be replaced, and it is none of the inputs.
    fn check_replaceable(&self, path: &Path, origin: &Origin) -> Result<(), OutputError> {
        save::replaceable(path, self.may_replace(path, origin))
            .and_then(|_| check_no_input(path, origin.stamp.inputs()))
            .map_err(|error| OutputError::Output { what: path.display().to_string(), error })
    }

    fn save(
        &self,
        path: &Path,
        files: &mut Files<'_>,
        write: impl FnOnce(&mut io::BufWriter<&mut fs::File>) -> io::Result<()>,
    ) -> Result<(), OutputError> {
        self.check_replaceable(path, files.origin)?;
        let written = Written::new(&self.work, path, self.may_replace(path, files.origin), write);
        files.written.push(written.map_err(|error| self.unwritable(path.display().to_string(), error))?);
        Ok(())
    }

    /// Writes the material file of an OBJ and its images, if there are textures. Returns the name of the file.
    fn save_materials(
        &self,
        path: &Path,
        document: &Document<'_>,
        files: &mut Files<'_>,
    ) -> Result<Option<String>, OutputError> {
        let Some(mesh) = document.mesh.filter(|_| !document.images.is_empty()) else { return Ok(None) };
        let own = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        // Names in these files have no blanks. A name that had some gets a number of its own.
        let stem = match own.replace(char::is_whitespace, "_") {
            stem if stem == own => stem,
            stem => format!("{stem}-{:08x}", xxhash_rust::xxh3::xxh3_64(own.as_bytes()) >> 32),
        };
        let mut names = Vec::new();
        for (index, image) in document.images.iter().enumerate() {
            let name = format!("{stem}-{index}.{}", image.media_type.extension());
            self.save(&path.with_file_name(&name), files, |out| out.write_all(&image.bytes))?;
            names.push(name);
        }
        let library = format!("{stem}.mtl");
        self.save(&path.with_file_name(&library), files, |out| {
            // Triangles have materials of eight bits.
            for (material, texture) in (0..256).zip(&document.textures) {
                writeln!(out, "newmtl {}", skelmap_export::obj_material(&mesh, material))?;
                if let Some(name) = texture.and_then(|index| names.get(index)) {
                    writeln!(out, "map_Kd {name}")?;
                }
            }
            Ok(())
        })?;
        Ok(Some(library))
    }
}

fn into_io(error: WriteError) -> io::Error {
    match error {
        WriteError::Output(error) => error,
        other => io::Error::other(other.to_string()),
    }
}

/// The name of a file as a relative address.
fn to_uri(name: &str) -> String {
    let mut uri = String::new();
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~@".contains(&byte) {
            uri.push(byte.into());
        } else {
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    uri
}
