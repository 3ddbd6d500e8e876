//! The choices of a conversion: the same for the command, for Python and for other programs.

use std::path::PathBuf;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use skelmap::Match;
use skelmap_export::ExportOptions;

use crate::pair::Level;

/// The kind of the files that are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(clippy::exhaustive_enums, reason = "a new kind is for every caller to know")]
pub enum Kind {
    /// Binary glTF: one file.
    Glb,
    /// glTF as JSON, with a .bin beside it.
    Gltf,
    /// Wavefront OBJ: a shape without bones.
    Obj,
    /// A page that plays the model in a browser.
    Html,
}

impl Kind {
    /// The extension of the files.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Glb => "glb",
            Self::Gltf => "gltf",
            Self::Obj => "obj",
            Self::Html => "html",
        }
    }
}

/// Where animations go that several meshes share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(clippy::exhaustive_enums, reason = "there is no third way")]
pub enum AnimationFiles {
    /// Into the file of each mesh.
    Each,
    /// Into one file for each skeleton, with one of the meshes. The files of the meshes have what is theirs alone.
    Library,
}

/// Every choice of a conversion. What is converted, and where to, is no choice.
///
/// ```
/// use skelmap_batch::convert::{ConvertOptions, Kind};
///
/// let options: ConvertOptions = serde_json::from_str(r#"{"to": "gltf", "gltf": {"yaw": 90.0}}"#)?;
/// assert_eq!((options.to, options.textures), (Some(Kind::Gltf), true));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "made by struct update from its default")]
pub struct ConvertOptions {
    /// The kind of the files: by default that of the extension of the output, else GLB.
    pub to: Option<Kind>,
    /// The names of the sequences that are converted; all if there is none.
    pub sequences: Vec<String>,
    /// Patterns for actors of 0 A.D.: each of them has a file, with its props, in place of each mesh.
    pub actors: Vec<String>,
    /// The names of the variants that actors show, where they have one of the name.
    pub variants: Vec<String>,
    /// Whether each sequence has a file of its own.
    pub each_clip: bool,
    /// Where animations go that several meshes of one skeleton share.
    pub animation_files: AnimationFiles,
    /// The level of detail of meshes, counted from 0, which is usually the finest; the last one of a mesh with fewer.
    pub lod: usize,
    /// The frame of an OBJ, counted from 0; by default the rest pose, with [`each_clip`](Self::each_clip) the first frame.
    pub frame: Option<usize>,
    /// A file of 0 A.D. with standard skeletons.
    pub skeleton: Option<PathBuf>,
    /// Whether textures are looked for.
    pub textures: bool,
    /// Images: paths, or a material, `=` and a path.
    pub images: Vec<String>,
    /// A file with a material and its image, relative to the file, in each line; or a JSON object of these.
    pub texture_map: Option<PathBuf>,
    /// Folders of images with the names of materials, also in folders in them. A last part with `*` is a pattern: `Textures/T_*_D`.
    pub texture_folders: Vec<PathBuf>,
    /// A file with the name of a sequence and its new name in each line; or a JSON object of these.
    pub rename: Option<PathBuf>,
    /// Which animations a mesh gets.
    pub fits: Level,
    /// See [`Match::can_play`].
    pub min_percent: f64,
    /// The largest page.
    pub max_bytes: u64,
    /// The most bytes of all files of a mesh, or of an animation alone: see [`OutputLimit`](crate::OutputLimit).
    pub max_output: Option<u64>,
    /// The name of the sequence that additive ones are played on.
    pub additive_base: Option<String>,
    /// How a file is written.
    pub gltf: ExportOptions,
}

impl Default for ConvertOptions {
    fn default() -> Self {
        Self {
            to: None,
            sequences: Vec::new(),
            actors: Vec::new(),
            variants: Vec::new(),
            each_clip: false,
            animation_files: AnimationFiles::Each,
            lod: 0,
            frame: None,
            skeleton: None,
            textures: true,
            images: Vec::new(),
            texture_map: None,
            texture_folders: Vec::new(),
            rename: None,
            fits: Level::default(),
            min_percent: Match::MIN_PERCENT,
            max_bytes: 64 << 20,
            max_output: None,
            additive_base: None,
            gltf: ExportOptions::default(),
        }
    }
}

/// An option that is wrong.
#[derive(Debug, thiserror::Error)]
#[error("{option}: {message}")]
#[non_exhaustive]
pub struct OptionError {
    /// The name of the option.
    pub option: String,
    /// The fault.
    pub message: String,
    /// Whether there is no such option, or it has a value of another type. Otherwise the value is wrong.
    pub is_type: bool,
}

/// Reads options from a JSON object. The error names the option, which that of serde does not.
///
/// # Errors
/// Text that is no JSON object, an option that is not known, and a value that it cannot have.
pub fn options_of_json<T: DeserializeOwned>(json: &str) -> Result<T, OptionError> {
    let wrong = |option: &str, error: serde_json::Error| {
        let message = error.to_string();
        let is_type = message.starts_with("unknown field") || message.starts_with("invalid type");
        OptionError { option: option.to_owned(), message, is_type }
    };
    let all: Map<String, Value> = serde_json::from_str(json).map_err(|error| wrong("options", error))?;
    let check = |option: &str, name: &String, value: Value| {
        let alone = Map::from_iter([(name.clone(), value)]);
        serde_json::from_value::<T>(alone.into()).map(drop).map_err(|error| wrong(option, error))
    };
    for (name, value) in &all {
        // Of options in a group, each is named by itself.
        for (inner, value) in value.as_object().into_iter().flatten() {
            check(inner, name, Map::from_iter([(inner.clone(), value.clone())]).into())?;
        }
        check(name, name, value.clone())?;
    }
    serde_json::from_value(all.into()).map_err(|error| wrong("options", error))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `--max-size` of the command, in its help.
    #[test]
    fn a_page_has_64_mib_at_most_unless_more_is_asked_for() {
        assert_eq!(ConvertOptions::default().max_bytes, 67_108_864);
    }
}
