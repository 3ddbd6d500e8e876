//! Why nothing can be converted, and why an output cannot be made.

use std::io;
use std::path::PathBuf;

use crate::items::Fault;
use skelmap::ErrorKind;
use skelmap::archive::{Address, ArchiveErrorKind};
use skelmap_export::WriteError;
use skelmap_preview::PageError;

use super::hierarchy::SkeletonError;
use super::options::Kind;
use crate::save::EXISTS;
use crate::text::counted;

/// Why a conversion ends before its first output.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConvertError {
    /// A frame was asked for in another kind of file than OBJ.
    #[error("a frame is for OBJ: glTF has all frames")]
    FrameOfMotion,
    /// A file for each sequence was asked for, and the output is no folder.
    #[error("a file for each sequence needs a folder to write to")]
    EachClipIntoFile,
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
    #[error("{}: skelmap cannot write this kind of file: expected .glb, .gltf, .obj or .html", Address::find(.0))]
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
    /// An image that is asked for cannot be used.
    #[error(transparent)]
    Image(#[from] TextureError),
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
        error: SkeletonError,
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
                | Self::Image(TextureError::Remote(_) | TextureError::Missing { .. })
                | Self::SkeletonFile { .. }
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

/// An image that is asked for and cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TextureError {
    /// An address in a store.
    #[error("{}: addresses of stores are not taken here: download the file", .0.display())]
    Remote(PathBuf),
    /// An image that is neither PNG nor JPEG, and this build lacks the feature `textures`.
    #[error("{}: images that are neither PNG nor JPEG need a build with textures", .0.display())]
    NotDecoded(PathBuf),
    /// There is no such file.
    #[error("{}: {error}", path.display())]
    Missing {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
}

/// Why an output cannot be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OutputError {
    /// The name of the output would lie elsewhere.
    #[error("{0}")]
    Name(ArchiveErrorKind),
    /// The input cannot be read.
    #[error("{}", .0.message)]
    Input(Fault),
    /// An animation cannot be read.
    #[error("{address}: {}", fault.message)]
    Animation {
        /// The animation.
        address: Address,
        /// Its fault.
        fault: Box<Fault>,
    },
    /// A side-car cannot be read.
    #[error("{0}")]
    SideCar(io::Error),
    /// The file has no mesh.
    #[error("holds no mesh")]
    NoMesh,
    /// No sequence has a name that is asked for.
    #[error("{0} has no such sequence")]
    NoSequence(String),
    /// The sequence that additive ones are played on is not there.
    #[error("no animation has the sequence {0}, which additive ones are to be played on")]
    NoAdditiveBase(String),
    /// An additive sequence as a shape.
    #[error("the sequence is additive: alone it tears the mesh, and OBJ has no base")]
    AdditiveObj,
    /// An animation as a shape.
    #[error("an animation alone has no shape for an OBJ")]
    NoShape,
    /// A frame, and several sequences or none.
    #[error("a frame is of one sequence, and there are {}: choose one", counted(*.0 as u64, "sequence"))]
    FrameOfMany(usize),
    /// A frame behind the last.
    #[error("{}", ErrorKind::FrameOutOfRange { frame: *frame as u64, count: *frames as u64 })]
    NoFrame {
        /// The number of the frame.
        frame: usize,
        /// The number of all.
        frames: usize,
    },
    /// No standard skeleton is that of the mesh.
    #[error(transparent)]
    Skeleton(#[from] SkeletonError),
    /// The exporter refuses the document.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The page cannot be made.
    #[error(transparent)]
    Page(#[from] PageError),
    /// Standard output cannot be written.
    #[error(transparent)]
    Stdout(#[from] io::Error),
    /// The record of the folder cannot be written.
    #[error("the record of the folder: {0}")]
    Record(io::Error),
    /// A file or folder that cannot be written or replaced.
    #[error("{what}: {error}")]
    Output {
        /// The file or folder.
        what: String,
        /// The error of the system.
        error: io::Error,
    },
}

impl OutputError {
    /// Whether the output is there, and must not be replaced.
    pub fn is_existing(&self) -> bool {
        matches!(self, Self::Output { error, .. } if error.to_string() == EXISTS)
    }
}

impl From<Fault> for OutputError {
    fn from(fault: Fault) -> Self {
        Self::Input(fault)
    }
}
