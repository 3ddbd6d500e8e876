//! The files of one output: written all, or none of them.

use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use skelmap::gltf::{Document, Report, WriteError};

use super::converter::{Converter, Done, position};
use super::target::Kind;
use crate::save;

impl Converter<'_> {
    /// Writes the files of an output. If one of them cannot be written, none of them stays.
    pub(super) fn write(&self, base: &Path, document: &Document<'_>, stamp: &str) -> Result<Done, String> {
        if document.mesh.is_none() && self.target.kind() == Kind::Obj {
            return Err("an animation alone has no shape for an OBJ".to_owned());
        }
        if let Some(frame) = self.frame {
            let frames = document.animations.first().map_or(0, |animation| animation.clip.frame_count());
            if document.animations.len() != 1 {
                let found = crate::text::counted(document.animations.len() as u64, "sequence");
                return Err(format!("--frame needs one sequence, and there are {found}: choose one with --sequence"));
            }
            if frame >= frames {
                return Err(format!("frame {frame} was asked for, {frames} exist"));
            }
        }
        let textures = document.images.len();
        let Some(path) = self.target.path(base) else {
            let out = io::stdout().lock();
            let report = match self.target.kind() {
                Kind::Obj => document.write_obj(&self.options, self.pose(), None, out),
                _ => document.write_glb(&self.options, out),
            };
            return report
                .map(|report| Done::Written { report, bytes: None, textures })
                .map_err(|error| error.to_string());
        };
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            fs::create_dir_all(folder)
                .map_err(|error| format!("cannot make the folder {}: {error}", folder.display()))?;
        }
        let mut files = Vec::new();
        match self.write_files(&path, document, &mut files) {
            Ok(report) => {
                // The file by which the output is known comes first.
                files.reverse();
                let size = |file: &Path| file.metadata().map_or(0, |metadata| metadata.len());
                let sizes: Vec<_> = files.into_iter().map(|file| (file.clone(), size(&file))).collect();
                let bytes = sizes.iter().map(|(_, size)| size).sum();
                if let Some(record) = &self.record {
                    record.add(stamp, &sizes).map_err(|error| format!("the record of --resume: {error}"))?;
                }
                Ok(Done::Written { report, bytes: Some(bytes), textures })
            }
            Err(message) => {
                for file in files {
                    let _ = fs::remove_file(file);
                }
                Err(message)
            }
        }
    }

    fn pose(&self) -> Option<(usize, f64)> {
        self.frame.map(|frame| (0, position(frame)))
    }

    /// Writes the files of an output, the one by which it is known last, and notes those that are written.
    fn write_files(&self, path: &Path, document: &Document<'_>, files: &mut Vec<PathBuf>) -> Result<Report, String> {
        let (options, mut report) = (&self.options, Report::default());
        match self.target.kind() {
            Kind::Glb => self.save(path, files, |out| {
                report = document.write_glb(options, out).map_err(into_io)?;
                Ok(())
            })?,
            Kind::Gltf => {
                self.prove_replaceable(path)?;
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
                self.prove_replaceable(path)?;
                let library = self.save_materials(path, document, files)?;
                self.save(path, files, |out| {
                    report = document.write_obj(options, self.pose(), library.as_deref(), out).map_err(into_io)?;
                    Ok(())
                })?;
            }
        }
        Ok(report)
    }

    fn prove_replaceable(&self, path: &Path) -> Result<(), String> {
        save::replaceable(path, self.may_replace(path))
            .map(drop)
            .map_err(|error| format!("{}: {error}", path.display()))
    }

    fn save(
        &self,
        path: &Path,
        files: &mut Vec<PathBuf>,
        write: impl FnOnce(&mut io::BufWriter<&mut fs::File>) -> io::Result<()>,
    ) -> Result<(), String> {
        save::save_of(&self.work, path, self.may_replace(path), write)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        files.push(path.to_owned());
        Ok(())
    }

    /// Writes the material file of an OBJ and its images, if there are textures. Returns the name of the file.
    fn save_materials(
        &self,
        path: &Path,
        document: &Document<'_>,
        files: &mut Vec<PathBuf>,
    ) -> Result<Option<String>, String> {
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
                writeln!(out, "newmtl {}", skelmap::gltf::obj_material(&mesh, material))?;
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
