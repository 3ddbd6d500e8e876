//! Where the records of a file lie, for arrays of `NumPy`.

use pyo3::IntoPyObject;
use skelmap::{Asset, SectionRange};

use crate::file::Opened;
use crate::ueformat;

/// Records in a file.
#[derive(Clone, Copy, Debug, IntoPyObject)]
pub(crate) struct Part(
    /// The byte of the first record.
    usize,
    /// The number of records.
    usize,
    /// The bytes from one record to the next.
    usize,
);

impl Part {
    /// The place of records that lie in the bytes of a file. Records without bytes are nowhere, so they are at the beginning.
    pub(crate) fn of<T>(file: &[u8], records: &[T]) -> Self {
        let offset = records.as_ptr().addr().checked_sub(file.as_ptr().addr());
        let offset = offset.filter(|_| !records.is_empty()).unwrap_or(0);
        Self(offset, records.len(), size_of::<T>())
    }

    /// The place of values that are parts of records: that of the first value.
    pub(crate) fn of_parts<T>(file: &[u8], first: Option<&T>, count: usize, stride: usize) -> Self {
        let Self(offset, ..) = Self::of(file, first.map(std::slice::from_ref).unwrap_or_default());
        Self(offset, count, stride)
    }

    fn of_section(range: &SectionRange) -> Self {
        let at = |number: u64| usize::try_from(number).unwrap_or(0);
        Self(at(range.offset), at(range.count()), at(range.record_size))
    }
}

/// A name and a place. A name can come more than once: that of the further UV sets.
pub(crate) type Parts = Vec<(&'static str, Part)>;

/// The parts of a file that are arrays. What a file does not have has no part.
pub(crate) fn parts(opened: &Opened) -> Parts {
    let asset = opened.asset();
    let file = asset.bytes();
    let mut parts = Parts::new();
    match asset {
        Asset::ActorxPsk(psk) => {
            let faces = match psk.faces() {
                skelmap::actorx::Faces::U16(faces) => Part::of(file, faces),
                skelmap::actorx::Faces::U32(faces) => Part::of(file, faces),
            };
            parts.extend([
                ("points", Part::of(file, psk.points())),
                ("wedges", Part::of(file, psk.wedges())),
                ("faces", faces),
                ("materials", Part::of(file, psk.materials())),
                ("bones", Part::of(file, psk.bones())),
                ("influences", Part::of(file, psk.influences())),
                ("colors", Part::of(file, psk.colors())),
                ("normals", Part::of(file, psk.normals())),
                ("tangents", Part::of(file, psk.tangents())),
                ("morph_infos", Part::of(file, psk.morph_infos())),
                ("morph_deltas", Part::of(file, psk.morph_deltas())),
                ("sockets", Part::of(file, psk.sockets())),
            ]);
            parts.extend(psk.extra_uv_sets().map(|set| ("uvs", Part::of(file, set))));
        }
        Asset::ActorxPsa(psa) => parts.extend([
            ("bones", Part::of(file, psa.bones())),
            ("infos", Part::of(file, psa.infos())),
            ("keys", Part::of(file, psa.keys())),
            ("scale_keys", Part::of(file, psa.scale_keys())),
        ]),
        Asset::PyrogenesisPmd(pmd) => {
            let [vertices, ..] = pmd.sections();
            parts.extend([
                ("vertices", Part::of_section(&vertices)),
                ("faces", Part::of(file, pmd.faces())),
                ("bones", Part::of(file, pmd.bones())),
            ]);
        }
        Asset::PyrogenesisPsa(psa) => parts.push(("states", Part::of(file, psa.states()))),
        Asset::Swat3Gsa(gsa) => {
            parts.push(("animated_ids", Part::of(file, gsa.animated_ids())));
            // Frames of one length are an array of frames.
            if let (Some(stride), Some(first)) = (gsa.frame_size(), gsa.frames().next()) {
                let rows = |Part(offset, ..): Part| Part(offset, gsa.frame_count(), stride);
                parts.push(("heads", rows(Part::of(file, std::slice::from_ref(first.head())))));
                parts.push(("rotations", rows(Part::of(file, first.rotations()))));
            }
        }
        Asset::UeformatModel(_) => parts.extend(ueformat::parts(opened)),
        _ => {}
    }
    parts
}
