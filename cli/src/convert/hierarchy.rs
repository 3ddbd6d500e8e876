//! The skeletons of 0 A.D.: names and parents of bones, which PMD and PSA files do not have.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use skelmap::pyrogenesis::skeleton::StandardSkeleton;
use skelmap_batch::mods::{XmlError, parse_skeletons};
use skelmap_export::HierarchyBone;

use crate::outcome::Failure;

/// The bytes of a file that are read. The largest file of skeletons has fewer.
const MAX_BYTES: u64 = (1 << 20) + 1;

/// The standard skeletons of a file.
#[derive(Debug, Default)]
pub(super) struct Skeletons(Vec<Vec<HierarchyBone>>);

impl Skeletons {
    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let read = || {
            if !path.metadata()?.is_file() {
                return Err(io::Error::other("is no regular file"));
            }
            let mut bytes = Vec::new();
            File::open(path)?.take(MAX_BYTES).read_to_end(&mut bytes)?;
            Ok(bytes)
        };
        let bytes = read().map_err(|error| Failure::nothing_read(error).in_file(path))?;
        Self::parse(&bytes).map_err(|message| Failure::findings(message).in_file(path))
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
pub(crate) enum SkeletonError {
    #[error("at byte {}: {}", .0.offset, .0.message)]
    Xml(#[from] XmlError),
    #[error("has no <standard_skeleton> with bones")]
    Empty,
    #[error("several skeletons of --skeleton have {bones} bones")]
    Several { bones: usize },
    #[error("the mesh has {bones} bones, and the skeletons of --skeleton have {counts}")]
    NoneOf { bones: usize, counts: String },
}

fn bones(skeleton: StandardSkeleton) -> Vec<HierarchyBone> {
    skeleton.bones.into_iter().map(|bone| HierarchyBone { name: bone.name, parent: bone.parent }).collect()
}
