//! The lines of `UnrealScript` that import a mesh and an animation into Unreal Tournament 99 and other games of Unreal Engine 1 and 2.

use std::fmt::Write as _;

use skelmap::actorx::Psa;

use super::error::EditError;

/// A mesh or an animation in `#exec` lines: its name in the package, and its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "callers make them")]
pub struct ExecFile<'a> {
    /// The name in the package: letters, digits and `_`.
    pub name: &'a str,
    /// The path from the folder of the package, as `models\fox.psk`. Slashes become backslashes.
    pub path: &'a str,
}

/// What `#exec` lines import. By default, nothing.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Exec<'a> {
    /// The mesh (`.psk`).
    pub mesh: Option<ExecFile<'a>>,
    /// The animation (`.psa`).
    pub animation: Option<ExecFile<'a>>,
    /// The sequences, each with a line of its own. Otherwise, the importer takes the list of the file.
    pub sequences: Option<Psa<'a>>,
}

impl<'a> Exec<'a> {
    /// Lines for a mesh.
    #[must_use]
    pub fn mesh(mut self, name: &'a str, path: &'a str) -> Self {
        self.mesh = Some(ExecFile { name, path });
        self
    }

    /// Lines for an animation. With a mesh, it becomes the default animation of the mesh.
    #[must_use]
    pub fn animation(mut self, name: &'a str, path: &'a str) -> Self {
        self.animation = Some(ExecFile { name, path });
        self
    }

    /// A line for each sequence, with its frames and rate, in place of the list that the file has. Group `None` is left out.
    #[must_use]
    pub fn sequences(mut self, animation: &Psa<'a>) -> Self {
        self.sequences = Some(*animation);
        self
    }

    /// The lines, each with a line feed at its end. O(sequences).
    ///
    /// The importer hardly reports errors, so names are checked here.
    ///
    /// ```
    /// use skelmap_write::edit::Exec;
    ///
    /// let lines = Exec::default().mesh("Fox", "models/fox.psk").animation("FoxAnims", "models/fox.psa").to_lines()?;
    /// assert_eq!(lines.lines().next(), Some(r"#exec MESH MODELIMPORT MESH=Fox MODELFILE=models\fox.psk"));
    /// # Ok::<(), skelmap_write::edit::EditError>(())
    /// ```
    ///
    /// # Errors
    /// [`EditError::Word`] for a name or path that a line cannot hold, also of a sequence; [`EditError::NotPositive`] for the rate of a
    /// sequence.
    pub fn to_lines(&self) -> Result<String, EditError> {
        let mut lines = String::new();
        // Writing to a string cannot fail.
        if let Some(mesh) = self.mesh {
            let (name, path) = (word(mesh.name)?, path(mesh.path)?);
            let _ = writeln!(lines, "#exec MESH MODELIMPORT MESH={name} MODELFILE={path}");
            let _ = writeln!(lines, "#exec MESH ORIGIN MESH={name} X=0 Y=0 Z=0 YAW=0 PITCH=0 ROLL=0");
            let _ = writeln!(lines, "#exec MESHMAP SCALE MESHMAP={name} X=1.0 Y=1.0 Z=1.0");
        }
        let Some(animation) = self.animation else { return Ok(lines) };
        let (name, path) = (word(animation.name)?, path(animation.path)?);
        let imports = u8::from(self.sequences.is_none());
        let _ = writeln!(
            lines,
            "#exec ANIM IMPORT ANIM={name} ANIMFILE={path} COMPRESS=1 MAXKEYS=999999 IMPORTSEQS={imports}"
        );
        if let Some(mesh) = self.mesh {
            let _ = writeln!(lines, "#exec MESH DEFAULTANIM MESH={} ANIM={name}", mesh.name);
        }
        for sequence in self.sequences.iter().flat_map(Psa::sequences) {
            let info = sequence.info();
            let own = sequence.name().to_string();
            let _ = write!(lines, "#exec ANIM SEQUENCE ANIM={name} SEQ={}", word(&own)?);
            let group = info.group().text().to_string();
            if !group.is_empty() && !group.eq_ignore_ascii_case("None") {
                let _ = write!(lines, " GROUP={}", word(&group)?);
            }
            let rate = info.rate();
            if !(rate.is_finite() && rate > 0.0) {
                return Err(EditError::NotPositive { what: "rate", value: rate });
            }
            let (start, frames) = (sequence.first_frame(), sequence.frame_count());
            let _ = writeln!(lines, " STARTFRAME={start} NUMFRAMES={frames} RATE={rate}");
        }
        let _ = writeln!(lines, "#exec ANIM DIGEST ANIM={name} VERBOSE");
        Ok(lines)
    }
}

/// A name in a script.
fn word(word: &str) -> Result<&str, EditError> {
    let fits = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if fits { Ok(word) } else { Err(EditError::Word { word: word.to_owned() }) }
}

/// A path in a script, with backslashes.
fn path(path: &str) -> Result<String, EditError> {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'/' | b'\\');
    let fits = !path.is_empty() && path.bytes().all(is_part);
    if fits { Ok(path.replace('/', "\\")) } else { Err(EditError::Word { word: path.to_owned() }) }
}
