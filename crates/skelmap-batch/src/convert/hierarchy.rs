//! The skeletons of 0 A.D.: names and parents of bones, which PMD and PSA files do not have.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::mods::{XmlError, parse_skeletons};
use skelmap::pyrogenesis::skeleton::StandardSkeleton;
use skelmap_export::HierarchyBone;

use super::error::ConvertError;

/// The bytes of a file that are read. The largest file of skeletons has fewer.
const MAX_BYTES: u64 = (1 << 20) + 1;

/// The standard skeletons of a file.
#[derive(Debug, Default)]
pub(super) struct Skeletons(Vec<Vec<HierarchyBone>>);

impl Skeletons {
    pub(super) fn read(path: &Path) -> Result<Self, ConvertError> {
        let read = || {
            if !path.metadata()?.is_file() {
                return Err(io::Error::other("is no regular file"));
            }
            let mut bytes = Vec::new();
            File::open(path)?.take(MAX_BYTES).read_to_end(&mut bytes)?;
            Ok(bytes)
        };
        let bytes = read().map_err(|error| ConvertError::SkeletonFile { path: path.to_owned(), error })?;
        Self::parse(&bytes).map_err(|error| ConvertError::Skeletons { path: path.to_owned(), error })
    }

    fn parse(bytes: &[u8]) -> Result<Self, SkeletonError> {
        let skeletons = parse_skeletons(bytes)?;
        if skeletons.is_empty() {
            return Err(SkeletonError::Empty);
        }
        Ok(Self(skeletons.into_iter().map(bones).collect()))
    }

    /// The only skeleton with this number of bones.
    pub(super) fn of_count(&self, bones: usize) -> Result<&[HierarchyBone], SkeletonError> {
        let mut fitting = self.0.iter().filter(|skeleton| skeleton.len() == bones);
        match (fitting.next(), fitting.next()) {
            (Some(skeleton), None) => Ok(skeleton),
            (Some(_), Some(_)) => Err(SkeletonError::Several { bones }),
            (None, _) => {
                let counts: Vec<_> = self.0.iter().map(|skeleton| skeleton.len().to_string()).collect();
                Err(SkeletonError::NoneOf { bones, counts: counts.join(", ") })
            }
        }
    }
}

/// Why there is no skeleton for a mesh.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SkeletonError {
    /// The file is no XML of skeletons.
    #[error("at byte {}: {}", .0.offset, .0.message)]
    Xml(#[from] XmlError),
    /// The file has no skeleton.
    #[error("has no <standard_skeleton> with bones")]
    Empty,
    /// Several skeletons have the number of bones that the mesh has.
    #[error("several standard skeletons have {bones} bones")]
    Several {
        /// The bones of the mesh.
        bones: usize,
    },
    /// No skeleton has the number of bones that the mesh has.
    #[error("the mesh has {bones} bones, and the standard skeletons have {counts}")]
    NoneOf {
        /// The bones of the mesh.
        bones: usize,
        /// Those of the skeletons.
        counts: String,
    },
}

fn bones(skeleton: StandardSkeleton) -> Vec<HierarchyBone> {
    skeleton.bones.into_iter().map(|bone| HierarchyBone { name: bone.name, parent: bone.parent }).collect()
}
