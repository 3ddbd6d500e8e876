//! Standard skeletons (`art/skeletons/*.xml`), and the parents of their bones as evidence for animations.

use std::collections::BTreeMap;

use super::list::{ModFile, Mods};
use super::naming::MAX_CANDIDATES;
use super::xml::{Node, Nodes, XmlError};
use skelmap::model::Distances;
use skelmap::pyrogenesis::skeleton::{Bone, StandardSkeleton};

/// The most bones of all skeletons that are kept. The game has 1,300.
const MAX_BONES: usize = 1 << 17;

/// Reads the standard skeletons of a file. Mappings from the bones of other programs (`skeleton`) are passed over. O(bytes), at
/// most 1 MiB.
///
/// ```
/// use skelmap_batch::mods::parse_skeletons;
///
/// let text = br#"<skeletons><standard_skeleton id="dog" title="Dog">
///     <bone name="hip"><bone name="leg"/></bone></standard_skeleton></skeletons>"#;
/// let skeletons = parse_skeletons(text)?;
/// let leg = &skeletons[0].bones[1];
/// assert_eq!((leg.name.as_str(), leg.parent), ("leg", Some(0)));
/// # Ok::<(), skelmap_batch::mods::XmlError>(())
/// ```
///
/// # Errors
/// [`XmlError`] for bytes that are no XML, for entities, and for a bone without a name.
pub fn parse_skeletons(bytes: &[u8]) -> Result<Vec<StandardSkeleton>, XmlError> {
    let mut nodes = Nodes::new(bytes)?;
    let mut skeletons: Vec<StandardSkeleton> = Vec::new();
    // For each open element of a skeleton: its bone, or that of its parent element.
    let mut open: Vec<Option<usize>> = Vec::new();
    while let Some(node) = nodes.next()? {
        match (node, skeletons.last_mut()) {
            (Node::Start(element), Some(skeleton)) if !open.is_empty() => {
                let parent = open.last().copied().flatten();
                let bone = (element.name() == b"bone").then_some(skeleton.bones.len());
                if bone.is_some() {
                    skeleton.bones.push(Bone { name: element.needed("name")?, parent });
                }
                open.push(bone.or(parent));
            }
            (Node::Start(element), _) if element.name() == b"standard_skeleton" => {
                let text = |name| Ok::<_, XmlError>(element.attribute(name)?.unwrap_or_default());
                skeletons.push(StandardSkeleton { id: text("id")?, title: text("title")?, bones: Vec::new() });
                open.push(None);
            }
            (Node::End, _) => drop(open.pop()),
            (Node::Start(_) | Node::Text(_), _) => {}
        }
    }
    skeletons.retain(|skeleton| !skeleton.bones.is_empty());
    Ok(skeletons)
}

/// The parents of bones in the standard skeletons of mods (`art/skeletons/`).
///
/// ```no_run
/// use skelmap::Asset;
/// use skelmap::mapping::Opener;
/// use skelmap::model::Distances;
/// use skelmap_batch::mods::{Mods, Skeletons};
///
/// let mods = Mods::open(&["public.zip".into()], &Opener::reading(), &Default::default())
///     .map_err(|(path, fault)| format!("{}: {}", path.display(), fault.message))?;
/// let skeletons = Skeletons::of(&mods);
/// let (mesh, animation) = (std::fs::read("horse.pmd")?, std::fs::read("horse_walk.psa")?);
/// let (mesh, animation) = (Asset::parse(&mesh)?, Asset::parse(&animation)?);
/// let rest = mesh.mesh().and_then(|mesh| Distances::of_mesh(&mesh)).ok_or("no distances")?;
/// let moved = animation.clips().next().and_then(|clip| Distances::of_clip(&clip)).ok_or("no distances")?;
/// if let Some((change, skeleton)) = skeletons.change(&rest, &moved) {
///     println!("{change} in {skeleton}");
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Skeletons {
    by_count: BTreeMap<usize, Vec<Parents>>,
}

/// The parents of the bones of a skeleton.
#[derive(Clone, Debug)]
struct Parents {
    skeleton: String,
    parents: Vec<Option<usize>>,
}

impl Mods {
    /// The standard skeletons with their files, in the order of the files. A file that cannot be read is passed over: it is in
    /// [`Survey::broken_skeletons`](super::Survey::broken_skeletons).
    pub fn skeletons(&self) -> impl Iterator<Item = (ModFile<'_>, StandardSkeleton)> {
        self.files("art/skeletons/", ".xml").into_iter().flat_map(|file| {
            let read = self.read(file).ok().and_then(|bytes| parse_skeletons(&bytes).ok());
            read.into_iter().flatten().map(move |skeleton| (file, skeleton))
        })
    }
}

impl Skeletons {
    /// Reads the standard skeletons of mods. Of those with the same parents, the first is kept; of one number of bones, 64.
    pub fn of(mods: &Mods) -> Self {
        let mut own = Self::default();
        let mut left = MAX_BONES;
        for (_, skeleton) in mods.skeletons().filter(|(_, skeleton)| skeleton.bones.len() <= Distances::MAX_BONES) {
            let parents: Vec<_> = skeleton.bones.iter().map(|bone| bone.parent).collect();
            let same_count = own.by_count.entry(parents.len()).or_default();
            if same_count.len() < MAX_CANDIDATES && same_count.iter().all(|other| other.parents != parents) {
                let Some(rest) = left.checked_sub(parents.len()) else { break };
                left = rest;
                same_count.push(Parents { skeleton: skeleton.id, parents });
            }
        }
        own
    }

    /// Whether no skeleton was found.
    pub fn is_empty(&self) -> bool {
        self.by_count.is_empty()
    }

    /// How much an animation changes the distances between the bones of a mesh and their neighbours in a skeleton
    /// ([`Distances::change_along`]), and the id of that skeleton: of those with this number of bones, the one in which the distances
    /// change least. `None` where no skeleton has this number of bones. O(skeletons * bones²).
    pub fn change(&self, rest: &Distances, animation: &Distances) -> Option<(f64, &str)> {
        let same_count = self.by_count.get(&rest.bone_count())?;
        let changes = same_count.iter().filter_map(|one| {
            let change = rest.change_along(animation, &one.parents)?;
            Some((change, one.skeleton.as_str()))
        });
        changes.reduce(|best, other| if other.0 < best.0 { other } else { best })
    }
}
