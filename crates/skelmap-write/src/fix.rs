//! Mends what can be mended without a doubt: records change in place, and every other byte stays.

use std::io::Write;

use skelmap::actorx::POINTS_OF_16_BITS;
use skelmap::actorx::{Chunk, ChunkId, Psa, Psk};
use skelmap::pyrogenesis::Pmd;
use skelmap::shared::{WEIGHT_SUM_TOLERANCE, to_u64};
use skelmap::{Asset, Code, Name, actorx, codes};

use crate::affine::narrowed;

/// The codes of findings that [`fix`] can mend.
///
/// | code | what becomes of it |
/// |---|---|
/// | `id-garbage` | the bytes after the end of the id of a chunk are 0 |
/// | `name-garbage` | the bytes after the end of a name are 0 |
/// | `wedge-padding` | the unused bytes of a wedge are 0 |
/// | `weight-sum` | the weights of a point or vertex are divided by their sum |
pub const FIXABLE: [Code; 4] =
    [actorx::codes::ID_GARBAGE, actorx::codes::NAME_GARBAGE, actorx::codes::WEDGE_PADDING, codes::WEIGHT_SUM];

/// The codes of findings that [`fix`] can mend in a file of this kind.
///
/// ```
/// use skelmap::Asset;
///
/// let bytes = std::fs::read("../../corpus/fox_walk.psa")?;
/// assert_eq!(skelmap_write::fixable(&Asset::parse(&bytes)?), []);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub const fn fixable(asset: &Asset<'_>) -> &'static [Code] {
    const OF_PSA: [Code; 2] = [actorx::codes::ID_GARBAGE, actorx::codes::NAME_GARBAGE];
    const OF_PMD: [Code; 1] = [codes::WEIGHT_SUM];
    match asset {
        Asset::ActorxPsk(_) => &FIXABLE,
        Asset::ActorxPsa(_) => &OF_PSA,
        Asset::PyrogenesisPmd(_) => &OF_PMD,
        _ => &[],
    }
}

/// What [`fix`] changed.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct FixReport {
    /// For each code: the number of chunks, names, wedges, points or vertices that changed.
    pub mended: Vec<(Code, u64)>,
    /// The bytes written.
    pub bytes: u64,
}

/// Writes a file with the findings of some codes mended. O(file).
///
/// A point whose weights have the sum 0, or a weight that is not finite or below 0, stays as it is: nothing says what was meant. Codes that are not [`fixable`] in such
/// a file change nothing.
///
/// ```
/// use skelmap::Asset;
/// use skelmap::codes::WEIGHT_SUM;
///
/// let bytes = std::fs::read("../../tests/corpus/actorx/mesh/weight_sum.psk")?;
/// let mut mended = Vec::new();
/// let report = skelmap_write::fix(&Asset::parse(&bytes)?, &[WEIGHT_SUM], &mut mended)?;
/// assert_eq!(report.mended, [(WEIGHT_SUM, 1)]);
/// assert!(Asset::parse(&mended)?.check().iter().all(|finding| finding.code != WEIGHT_SUM));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Those of the output.
pub fn fix(asset: &Asset<'_>, codes: &[Code], out: &mut impl Write) -> std::io::Result<FixReport> {
    let bytes = asset.bytes();
    let mut fixes = Fixes { bytes, patches: Vec::new() };
    let mut report = FixReport { mended: Vec::new(), bytes: to_u64(bytes.len()) };
    for code in FIXABLE.into_iter().filter(|code| codes.contains(code)) {
        let count = match asset {
            Asset::ActorxPsk(mesh) => fixes.mesh(mesh, code),
            Asset::ActorxPsa(animation) => fixes.animation(animation, code),
            Asset::PyrogenesisPmd(mesh) => fixes.vertices(mesh, code),
            _ => 0,
        };
        report.mended.push((code, count));
    }
    fixes.write(out)?;
    Ok(report)
}

/// Bytes to change.
struct Patch {
    offset: usize,
    length: usize,
    /// `None`: zeros.
    value: Option<[u8; 4]>,
}

struct Fixes<'a> {
    bytes: &'a [u8],
    patches: Vec<Patch>,
}

impl<'a> Fixes<'a> {
    fn mesh(&mut self, mesh: &Psk<'a>, code: Code) -> u64 {
        if code == actorx::codes::ID_GARBAGE {
            self.ids(mesh.chunks())
        } else if code == actorx::codes::NAME_GARBAGE {
            let materials = self.names(mesh.materials().iter().map(actorx::Material::name));
            let bones = self.names(mesh.bones().iter().map(actorx::Bone::name));
            let morphs = self.names(mesh.morph_infos().iter().map(actorx::MorphInfo::name));
            let sockets = self.names(mesh.sockets().iter().map(actorx::Socket::name));
            [bones, morphs, sockets].iter().fold(materials, |sum, count| sum.saturating_add(*count))
        } else if code == actorx::codes::WEDGE_PADDING {
            self.padding(mesh)
        } else {
            self.weights(mesh)
        }
    }

    fn animation(&mut self, animation: &Psa<'a>, code: Code) -> u64 {
        if code == actorx::codes::ID_GARBAGE {
            self.ids(animation.chunks())
        } else if code == actorx::codes::NAME_GARBAGE {
            let bones = self.names(animation.bones().iter().map(actorx::Bone::name));
            bones.saturating_add(self.names(animation.infos().iter().map(actorx::AnimInfo::name)))
        } else {
            0
        }
    }

    fn ids(&mut self, chunks: impl Iterator<Item = Chunk<'a>>) -> u64 {
        let tail = |id: &'a ChunkId| id.raw().get(id.as_bytes().len()..).unwrap_or_default();
        self.clear(chunks.map(|chunk| tail(chunk.id)))
    }

    fn names<const N: usize>(&mut self, names: impl Iterator<Item = &'a Name<N>>) -> u64 {
        self.clear(names.map(Name::tail))
    }

    /// The unused bytes of a wedge: behind a point of 16 bits, and behind the material.
    fn padding(&mut self, mesh: &Psk<'a>) -> u64 {
        let is_short = mesh.points().len() <= POINTS_OF_16_BITS;
        let mut count = 0_u64;
        for wedge in mesh.wedges() {
            let bytes = wedge.as_bytes();
            let high = bytes.get(2..4).filter(|_| is_short).unwrap_or_default();
            let rest = bytes.get(14..).unwrap_or_default();
            let cleared = self.clear([high, rest].into_iter());
            count = count.saturating_add((cleared > 0).into());
        }
        count
    }

    /// Writes zeros over what is not zero. Returns the number of parts that change.
    fn clear(&mut self, parts: impl Iterator<Item = &'a [u8]>) -> u64 {
        let mut count = 0_u64;
        for part in parts.filter(|part| part.iter().any(|byte| *byte != 0)) {
            count = count.saturating_add(self.add(part, None).into());
        }
        count
    }

    /// The influences of a point lie anywhere in the chunk.
    fn weights(&mut self, mesh: &Psk<'a>) -> u64 {
        let mut sums = vec![0.0_f64; mesh.points().len()];
        let point = |influence: &actorx::Influence| usize::try_from(influence.point_index()).ok();
        for influence in mesh.influences() {
            if let Some(sum) = point(influence).and_then(|point| sums.get_mut(point)) {
                *sum += part(influence.weight());
            }
        }
        let factors: Vec<f64> = sums.into_iter().map(factor).collect();
        for influence in mesh.influences() {
            let factor = point(influence).and_then(|point| factors.get(point)).copied().unwrap_or(1.0);
            if factor != 1.0 {
                let [weight] = narrowed([f64::from(influence.weight()) * factor]);
                self.add(influence.as_bytes().get(..4).unwrap_or_default(), Some(weight.to_le_bytes()));
            }
        }
        to_u64(factors.iter().filter(|factor| **factor != 1.0).count())
    }

    fn vertices(&mut self, mesh: &Pmd<'a>, code: Code) -> u64 {
        if code != codes::WEIGHT_SUM {
            return 0;
        }
        let mut count = 0_u64;
        for vertex in mesh.vertices() {
            let blend = vertex.blend();
            let factor = factor(blend.influences().map(|(_, weight)| part(weight)).sum());
            if factor == 1.0 || blend.influences().count() == 0 {
                continue;
            }
            count = count.saturating_add(1);
            // Four bytes for the bones, and four for each weight.
            let weights = blend.as_bytes().get(4..).unwrap_or_default().chunks_exact(4);
            for ((_, weight), stored) in blend.influences().zip(weights) {
                let [weight] = narrowed([f64::from(weight) * factor]);
                self.add(stored, Some(weight.to_le_bytes()));
            }
        }
        count
    }

    /// Adds a change of a part of the file.
    fn add(&mut self, part: &'a [u8], value: Option<[u8; 4]>) -> bool {
        let offset = part.as_ptr().addr().checked_sub(self.bytes.as_ptr().addr());
        let is_inside = |offset: &usize| offset.checked_add(part.len()).is_some_and(|end| end <= self.bytes.len());
        let Some(offset) = offset.filter(is_inside) else { return false };
        self.patches.push(Patch { offset, length: part.len(), value });
        true
    }

    fn write(mut self, out: &mut impl Write) -> std::io::Result<()> {
        self.patches.sort_by_key(|patch| patch.offset);
        let mut done = 0;
        for Patch { offset, length, value } in &self.patches {
            out.write_all(self.bytes.get(done..*offset).unwrap_or_default())?;
            match value {
                Some(value) => out.write_all(value)?,
                None => std::io::copy(&mut std::io::Read::take(std::io::repeat(0), to_u64(*length)), out).map(drop)?,
            }
            done = offset.saturating_add(*length);
        }
        out.write_all(self.bytes.get(done..).unwrap_or_default())
    }
}

/// A weight in a sum. One below 0 makes the sum useless: parts of it would be above 1.
fn part(weight: f32) -> f64 {
    if weight >= 0.0 { f64::from(weight) } else { f64::NAN }
}

/// What weights of a sum are multiplied with: 1 if they are near 1, or if nothing says what they should be.
fn factor(sum: f64) -> f64 {
    let is_off = (sum - 1.0).abs() > f64::from(WEIGHT_SUM_TOLERANCE);
    if is_off && sum.is_finite() && sum > 0.0 { 1.0 / sum } else { 1.0 }
}
