//! Why an output cannot be made.

use std::io;

use skelmap::archive::{Address, ArchiveErrorKind};
use skelmap_batch::items::Fault;
use skelmap_export::WriteError;
use skelmap_preview::PageError;

use super::hierarchy::SkeletonError;
use crate::save::EXISTS;
use crate::text::counted;

/// Why an output cannot be made.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ConvertError {
    /// The name of the output would lie elsewhere.
    #[error("{0}")]
    Name(ArchiveErrorKind),
    #[error("{}", .0.message)]
    Input(Fault),
    #[error("{address}: {}", fault.message)]
    Animation { address: Address, fault: Fault },
    #[error("{0}")]
    SideCar(io::Error),
    #[error("holds no mesh")]
    NoMesh,
    #[error("{0} has no such sequence")]
    NoSequence(String),
    #[error("no animation has the sequence {0}, which additive ones are to be played on")]
    NoAdditiveBase(String),
    #[error("the sequence is additive: alone it tears the mesh, and OBJ has no base")]
    AdditiveObj,
    #[error("an animation alone has no shape for an OBJ")]
    NoShape,
    #[error("--frame needs one sequence, and there are {}: choose one with --sequence", counted(*.0 as u64, "sequence"))]
    FrameOfMany(usize),
    #[error("frame {frame} was asked for, {frames} exist")]
    NoFrame { frame: usize, frames: usize },
    #[error(transparent)]
    Skeleton(#[from] SkeletonError),
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error(transparent)]
    Page(#[from] PageError),
    #[error(transparent)]
    Stdout(#[from] io::Error),
    #[error("the record of --resume: {0}")]
    Record(io::Error),
    /// A file or folder that cannot be written or replaced.
    #[error("{what}: {error}")]
    Output { what: String, error: io::Error },
}

impl ConvertError {
    /// Whether the output is there, and must not be replaced.
    pub(crate) fn is_existing(&self) -> bool {
        matches!(self, Self::Output { error, .. } if error.to_string() == EXISTS)
    }
}

impl From<Fault> for ConvertError {
    fn from(fault: Fault) -> Self {
        Self::Input(fault)
    }
}
