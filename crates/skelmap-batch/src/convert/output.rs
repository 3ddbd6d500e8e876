//! The files of one output: written all, or none of them. They get their names when all are complete.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use skelmap::ErrorKind;
use skelmap_export::{Document, ExportReport, WriteError};
use skelmap_preview::Page;

use super::converter::{Content, Converter, Done, FROM, Output, position};
use super::error::{Cause, OutputError};
use super::options::Kind;
use crate::Limited;
use crate::markup::percent_encoded;
use crate::originals::Originals;
use crate::pair::stem_of;
use crate::place::Place;
use crate::record::{Record, Stamp, content_hash};
use crate::save::{self, Busy, WRITTEN, Written};

pub(super) const NO_SHAPE: &str = "an animation alone has no shape for an OBJ";

/// Checks that there is one sequence, of which a frame is asked for.
pub(super) fn check_one(sequences: usize) -> Result<(), OutputError> {
    match sequences {
        0 => Err(OutputError::new("a frame is of a sequence: name an animation (--anim)")),
        1 => Ok(()),
        all => {
            let message = format!("a frame is of one sequence, and there are {all}: choose one (--sequence)");
            Err(OutputError::new(message))
        }
    }
}

impl Converter<'_> {
    /// Writes the files of an output. If one of them cannot be written, none is, and what was there stays.
    pub(super) fn write(&self, base: &Path, content: &Content<'_>, part: &str) -> Result<Done, OutputError> {
        let (document, stamp) = (&content.document, &content.stamp);
        if document.mesh.is_none() && self.target.kind() == Kind::Obj {
            return Err(OutputError::new(NO_SHAPE));
        }
        if let Some(frame) = self.frame(document) {
            check_one(document.animations.len())?;
            let [animation] = document.animations.as_slice() else { return Err(OutputError::new(NO_SHAPE)) };
            if animation.binding.is_additive(&animation.clip) {
                return Err(OutputError::new("the sequence is additive: alone it tears the mesh, and OBJ has no base"));
            }
            let (frame, count) = (frame as u64, animation.clip.frame_count() as u64);
            if frame >= count {
                return Err(OutputError::new(ErrorKind::FrameOutOfRange { frame, count }));
            }
        }
        let is_obj = self.target.kind() == Kind::Obj;
        let output = |report: ExportReport, bytes| {
            let textures = if is_obj { document.images.len() } else { report.textures };
            let animations = document.animations.iter().map(|own| own.name.clone()).collect();
            Done::Written(Box::new(Output { report, bytes, textures, animations }))
        };
        let Some(path) = self.target.path(base) else {
            let mut out = content.limit.to(io::stdout().lock());
            let report = match self.target.kind() {
                Kind::Obj => document.write_obj(&self.options.gltf, self.pose(document), None, out),
                Kind::Html => {
                    let (html, report) = self.page(content)?;
                    out.write_all(html.as_bytes()).map(|()| report).map_err(WriteError::Output)
                }
                _ => document.write_glb(&self.options.gltf, out),
            };
            let report = report.map_err(of_stdout)?;
            return Ok(output(report, None));
        };
        let place = self.target.place(&path).map_err(|error| {
            OutputError::of(format!("cannot make the folder {}", save::folder_of(&path).display()), &error)
        })?;
        let mut files = Vec::new();
        let written = self.write_files(&place, content, &mut files);
        // The file by which the output is known comes first.
        let made = files.iter().rev().map(|own| {
            // Without a hash, no later run replaces the file.
            let hash = self.record.as_ref().and_then(|_| content_hash(own.file()).ok());
            (own.path().to_owned(), own.size(), hash.unwrap_or_default())
        });
        let made: Vec<_> = made.collect();
        let record = |hash: &str| {
            let added = self.record.as_ref().map_or(Ok(()), |record| record.add(hash, &stamp.input, &made));
            added.map_err(|error| OutputError::new(format!("the record of the folder: {error}")))
        };
        let report = match written.and_then(|report| record("").map(|()| report)) {
            Ok(report) => report,
            Err(error) => {
                save::discard(files);
                return Err(error);
            }
        };
        save::persist(files).map_err(|(path, error)| OutputError::of(path.display(), &error))?;
        record(&stamp.hash(part).unwrap_or_default())?;
        Ok(output(report, Some(made.iter().map(|(_, size, _)| size).sum())))
    }

    /// The frame of an OBJ: the first one for a file of each sequence.
    fn frame(&self, document: &Document<'_>) -> Option<usize> {
        let is_clip = self.options.each_clip && self.target.kind() == Kind::Obj && !document.animations.is_empty();
        self.options.frame.or(is_clip.then_some(0))
    }

    fn pose(&self, document: &Document<'_>) -> Option<(usize, f64)> {
        self.frame(document).map(|frame| (0, position(frame)))
    }

    /// Writes the files of an output, the one by which it is known last.
    fn write_files(
        &self,
        place: &Place,
        content: &Content<'_>,
        files: &mut Vec<Written>,
    ) -> Result<ExportReport, OutputError> {
        // The first output above the limit ends the work for all further ones of an input.
        let path = place.path();
        content.limit.check_left().map_err(|error| OutputError::of(path.display(), &error))?;
        let document = &content.document;
        let (options, mut report) = (&self.options.gltf, ExportReport::default());
        match self.target.kind() {
            Kind::Html => {
                let html;
                (html, report) = self.page(content)?;
                self.save(place, content, files, |out| out.write_all(html.as_bytes()))?;
            }
            Kind::Glb => self.save(place, content, files, |out| {
                report = document.write_glb(options, out).map_err(into_io)?;
                Ok(())
            })?,
            Kind::Gltf => {
                self.check_replaceable(place, &content.stamp)?;
                let binary = place.beside(path.with_extension("bin").file_name().unwrap_or_default());
                let uri = binary.path().file_name().unwrap_or_default().to_string_lossy();
                let uri = percent_encoded(uri.as_bytes(), b"-._~@");
                let mut json = Vec::new();
                self.save(&binary, content, files, |out| {
                    report = document.write_gltf(options, &mut json, &uri, out).map_err(into_io)?;
                    Ok(())
                })?;
                self.save(place, content, files, |out| out.write_all(&json))?;
            }
            Kind::Obj => {
                self.check_replaceable(place, &content.stamp)?;
                let library = self.save_materials(place, content, files)?;
                self.save(place, content, files, |out| {
                    report =
                        document.write_obj(options, self.pose(document), library.as_deref(), out).map_err(into_io)?;
                    Ok(())
                })?;
            }
        }
        Ok(report)
    }

    /// A page that plays a document, and what the document has lost.
    fn page(&self, content: &Content<'_>) -> Result<(String, ExportReport), OutputError> {
        let mut page = Page::default();
        page.title = stem_of(content.address);
        page.path = self.roots.shown(content.address).to_string();
        page.asset = content.asset;
        page.document = Some(&content.document);
        page.options = self.options.gltf.clone();
        page.sources.clone_from(&content.sources);
        page.notes = content
            .notes
            .iter()
            .filter(|note| !note.starts_with(FROM))
            .map(|note| self.roots.shown_text(content.address, note))
            .collect();
        page.max_bytes = usize::try_from(self.options.max_bytes).unwrap_or(usize::MAX);
        page.to_html().map_err(OutputError::new)
    }

    /// Checks that a file may be written: it is not there or may be replaced, and it is none of the inputs. Returns whether a file that is
    /// there may be replaced, which may take all of its bytes to find out.
    fn check_replaceable(&self, place: &Place, stamp: &Stamp) -> Result<bool, OutputError> {
        let path = place.path();
        let may_replace = self.may_replace(path, stamp);
        let checked = save::replaceable(place.held(), may_replace).and_then(|_| self.originals.check(path));
        // Side-cars and images are inputs too.
        let checked = checked.and_then(|()| Originals::new(stamp.inputs.iter().cloned()).check(path));
        checked.map(|()| may_replace).map_err(|error| self.not_written(place, &error))
    }

    /// Why a file is not written. One that is there although the run has begun without it is that of another run.
    fn not_written(&self, place: &Place, error: &io::Error) -> OutputError {
        let error = OutputError::of(place.path().display(), error);
        let is_busy = || self.record.as_ref().is_some_and(Record::is_busy);
        if error.cause == Cause::Existing && self.conversion.resume && is_busy() {
            return OutputError::of(place.path().display(), &io::Error::other(Busy(WRITTEN.to_owned())));
        }
        error
    }

    fn save(
        &self,
        place: &Place,
        Content { stamp, limit, .. }: &Content<'_>,
        files: &mut Vec<Written>,
        write: impl FnOnce(&mut Limited<&mut io::BufWriter<&mut fs::File>>) -> io::Result<()>,
    ) -> Result<(), OutputError> {
        let may_replace = self.check_replaceable(place, stamp)?;
        let written = Written::new(&self.work, place, may_replace, |out| write(&mut limit.to(out)));
        files.push(written.map_err(|error| self.not_written(place, &error))?);
        Ok(())
    }

    /// Writes the material file of an OBJ and its images, if there are textures. Returns the name of the file.
    fn save_materials(
        &self,
        place: &Place,
        content: &Content<'_>,
        files: &mut Vec<Written>,
    ) -> Result<Option<String>, OutputError> {
        let document = &content.document;
        let Some(mesh) = document.mesh.filter(|_| !document.images.is_empty()) else { return Ok(None) };
        let own = place.path().file_stem().unwrap_or_default().to_string_lossy().into_owned();
        // Names in these files have no blanks. A name that had some gets a number of its own.
        let stem = match own.replace(char::is_whitespace, "_") {
            stem if stem == own => stem,
            stem => format!("{stem}-{:08x}", xxhash_rust::xxh3::xxh3_64(own.as_bytes()) >> 32),
        };
        let mut names = Vec::new();
        for (index, image) in document.images.iter().enumerate() {
            let name = format!("{stem}-{index}.{}", image.media_type.extension());
            self.save(&place.beside(&name), content, files, |out| out.write_all(&image.bytes))?;
            names.push(name);
        }
        let library = format!("{stem}.mtl");
        self.save(&place.beside(&library), content, files, |out| {
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

fn of_stdout(error: WriteError) -> OutputError {
    OutputError::of("standard output", &into_io(error))
}

fn into_io(error: WriteError) -> io::Error {
    match error {
        WriteError::Output(error) => error,
        other => io::Error::other(other.to_string()),
    }
}
