//! Why nothing can be converted, and why an output cannot be made.

use std::fmt::Display;
use std::io;
use std::path::PathBuf;

use crate::TooLarge;
use crate::items::Fault;
use skelmap::archive::Address;

use super::options::Kind;
use crate::save::{EXISTS, is_busy};
use crate::text::{counted, size};

/// Why a conversion ends before its first output.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConvertError {
    /// A frame was asked for in another kind of file than OBJ.
    #[error("a frame is for OBJ: glTF has all frames")]
    FrameOfMotion,
    /// Actors are asked for, and there are none, or they cannot be written so.
    #[error("{0}")]
    Actors(String),
    /// A mod with the actors that are asked for cannot be opened.
    #[error("{}: {}", Address::find(.path), .fault.message)]
    Mod {
        /// The mod.
        path: PathBuf,
        /// Its fault.
        fault: Fault,
    },
    /// The outputs would be made of far more bytes than the inputs have.
    #[error("the outputs would be made of {} from {} of input: convert fewer at a time", size(*.made), size(*.read))]
    TooLarge {
        /// The bytes of the inputs of each output, together.
        made: u64,
        /// The bytes of the inputs.
        read: u64,
    },
    /// A file for each sequence was asked for, and the output is no folder.
    #[error("a file for each sequence needs a folder to write to")]
    EachClipIntoFile,
    /// A library of animations with what it cannot be together with.
    #[error(
        "animations that meshes share go into a file beside those of the meshes: name a folder, no actors, no file for each sequence, no OBJ"
    )]
    Library,
    /// The output is to be gone on with, and is no folder.
    #[error("only a folder of outputs can be gone on with")]
    ResumeOfFile,
    /// Several files would be written to one.
    #[error("{} would be written{}", counted(*.files, "file"), because(.alone.as_ref()))]
    ManyIntoFile {
        /// The number of files.
        files: u64,
        /// The first animation that would get a file of its own beside those of meshes.
        alone: Option<Address>,
    },
    /// glTF with a binary beside it was asked for on standard output.
    #[error("gltf writes two files, and standard output is one: use glb")]
    TwoFilesToStdout,
    /// The output has the extension of a kind of file that is not written.
    #[error("{}: skelmap cannot write this kind of file: expected .glb, .gltf, .obj or .html, or .pmd, .psk or .pskx for games", Address::find(.0))]
    ForeignKind(PathBuf),
    /// The name of the output has another extension than the kind that is asked for.
    #[error("{}: {} asks for another kind of file than this name", Address::find(.path), .to.extension())]
    OtherKind {
        /// The output.
        path: PathBuf,
        /// The kind that is asked for.
        to: Kind,
    },
    /// The output is a file whose name tells no kind.
    #[error("{}: expected a folder, or a name in .glb, .gltf, .obj or .html, and this is a file", Address::find(.0))]
    NoFolder(PathBuf),
    /// Animations are given for meshes, and there is no mesh.
    #[error("animations are given for meshes, but no mesh is given")]
    NoMesh,
    /// None of the animations that are given for all meshes can be read.
    #[error("no animation can be read")]
    NoAnimation,
    /// An image that is asked for is neither PNG nor JPEG, and this build lacks the feature `textures`.
    #[error("{}: images that are neither PNG nor JPEG need a build with textures", Address::find(.0))]
    NotDecoded(PathBuf),
    /// An image that is asked for cannot be read.
    #[error("{}: {error}", Address::find(path))]
    Image {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// The file of standard skeletons cannot be read.
    #[error("{}: {error}", Address::find(.path))]
    SkeletonFile {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// The file of standard skeletons has a fault.
    #[error("{}: {error}", Address::find(.path))]
    Skeletons {
        /// The file.
        path: PathBuf,
        /// The fault.
        error: String,
    },
    /// A table of names that cannot be read.
    #[error("{}: {error}", path.display())]
    Table {
        /// The file.
        path: PathBuf,
        /// The fault.
        error: String,
    },
    /// A folder of textures that is none.
    #[error("{}: {error}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// The fault.
        error: io::Error,
    },
    /// The error of the listener, or of the system; [`Interrupted`](io::ErrorKind::Interrupted) if the work was stopped.
    #[error(transparent)]
    Io(#[from] io::Error),
}

fn because(alone: Option<&Address>) -> String {
    alone.map(|alone| format!(", because {alone} is an animation of another family than the mesh")).unwrap_or_default()
}

impl ConvertError {
    /// Whether an input that the options name cannot be read. All other errors but those of the system are of options that contradict each
    /// other or the output.
    pub const fn is_unreadable(&self) -> bool {
        matches!(
            self,
            Self::NoAnimation
                | Self::Image { .. }
                | Self::SkeletonFile { .. }
                | Self::Table { .. }
                | Self::Folder { .. }
        )
    }
}

impl From<ConvertError> for io::Error {
    fn from(error: ConvertError) -> Self {
        match error {
            ConvertError::Io(error) => error,
            error if error.is_unreadable() || matches!(error, ConvertError::Skeletons { .. }) => Self::other(error),
            error => Self::new(io::ErrorKind::InvalidInput, error),
        }
    }
}

/// Why an output cannot be made.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
#[non_exhaustive]
pub struct OutputError {
    /// The reason in words.
    pub message: String,
    /// What kind of reason this is.
    pub cause: Cause,
}

/// The kinds of reasons why outputs cannot be made. Except for the first, many outputs of a run may have the same one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(clippy::exhaustive_enums, reason = "a new cause is for every caller to know")]
pub enum Cause {
    /// The inputs or the options.
    Content,
    /// The output is there, and must not be replaced.
    Existing,
    /// Another run writes the output.
    Busy,
    /// The output would be larger than its limit.
    TooLarge,
    /// The folder is read-only, or another fault of the system.
    Unwritable,
    /// The disk is full. The run ends.
    Full,
    /// The reader of standard output has read enough.
    Closed,
}

impl OutputError {
    pub(crate) fn new(reason: impl Display) -> Self {
        Self { message: reason.to_string(), cause: Cause::Content }
    }

    /// `what`: a file or folder that cannot be written or replaced.
    pub fn of(what: impl Display, error: &io::Error) -> Self {
        let text = error.to_string();
        let is_too_large = error.get_ref().is_some_and(<dyn std::error::Error + Send + Sync>::is::<TooLarge>);
        let cause = match error.kind() {
            _ if text == EXISTS => Cause::Existing,
            _ if is_busy(error) => Cause::Busy,
            _ if is_too_large => Cause::TooLarge,
            io::ErrorKind::AlreadyExists | io::ErrorKind::Other => Cause::Content,
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Cause::Full,
            io::ErrorKind::BrokenPipe => Cause::Closed,
            _ => Cause::Unwritable,
        };
        Self { message: format!("{what}: {text}"), cause }
    }

    /// As [`of`](Self::of), but about the place of an output, whatever the system calls the fault.
    pub fn of_place(what: impl Display, error: &io::Error) -> Self {
        let mut error = Self::of(what, error);
        if error.cause == Cause::Content {
            error.cause = Cause::Unwritable;
        }
        error
    }
}

impl From<Fault> for OutputError {
    fn from(fault: Fault) -> Self {
        Self::new(fault.message)
    }
}

impl From<skelmap::Error> for OutputError {
    fn from(error: skelmap::Error) -> Self {
        Self::new(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_animation_that_would_have_a_file_of_its_own_is_named() {
        let told = |alone| ConvertError::ManyIntoFile { files: 2, alone }.to_string();
        assert_eq!(told(None), "2 files would be written");
        let alone = Some(Address::of_file("walk.psa"));
        assert_eq!(
            told(alone),
            "2 files would be written, because walk.psa is an animation of another family than the mesh"
        );
    }

    #[test]
    fn what_the_options_name_and_what_they_ask_for_are_different_errors_of_the_system() {
        let kind = |error: ConvertError| io::Error::from(error).kind();
        let (path, error) = (PathBuf::from("s.xml"), "no bones".to_owned());
        assert_eq!(kind(ConvertError::Skeletons { path, error }), io::ErrorKind::Other);
        assert_eq!(kind(ConvertError::NoAnimation), io::ErrorKind::Other);
        assert_eq!(kind(ConvertError::NoMesh), io::ErrorKind::InvalidInput);
        assert_eq!(kind(io::Error::from(io::ErrorKind::Interrupted).into()), io::ErrorKind::Interrupted);
    }

    #[test]
    fn each_fault_of_the_system_has_its_cause() {
        use io::ErrorKind::{AlreadyExists, BrokenPipe, PermissionDenied, QuotaExceeded, StorageFull};

        let too_large = TooLarge { most: 1, read: None };
        let cases = [
            (io::Error::new(AlreadyExists, EXISTS), Cause::Existing),
            (io::Error::other(crate::save::Busy("at work".to_owned())), Cause::Busy),
            (io::Error::other(too_large), Cause::TooLarge),
            (io::Error::new(AlreadyExists, "a is no folder"), Cause::Content),
            (io::Error::other("is one of the inputs"), Cause::Content),
            (StorageFull.into(), Cause::Full),
            (QuotaExceeded.into(), Cause::Full),
            (BrokenPipe.into(), Cause::Closed),
            (PermissionDenied.into(), Cause::Unwritable),
        ];
        for (error, cause) in cases {
            let own = OutputError::of("a.glb", &error);
            assert_eq!((own.cause, own.message), (cause, format!("a.glb: {error}")));
        }
    }
}
