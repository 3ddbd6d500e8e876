//! Sets: each mesh with the animations, the textures and the names of bones that belong to it, for programs that show and open them.

use std::collections::HashMap;
use std::io;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use skelmap::Asset;
use skelmap::archive::Address;
use skelmap_preview::{Camera, Figure, Picture, Renderer};

use super::error::ConvertError;
use super::jobs::join;
use super::options::ConvertOptions;
use super::painter::{Clothes, Painter};
use crate::items::{Fault, Item, Loaded, Sources};
use crate::names::{Roots, Taken};
use crate::pair::{Dress, Wanted, survey};
use crate::{Find, Source, Watch};

/// The sets of files, folders and archives, as [`convert`](super::convert) makes one output of each. They own what they were found in.
#[derive(Debug)]
pub struct Sets {
    source: Source,
    sources: Sources,
    painter: Painter,
    lod: usize,
    sets: Vec<Set>,
    faults: Vec<String>,
    unused: Vec<Address>,
}

/// A mesh with what belongs to it, or an animation without a mesh. Files are numbers of [`Sets::item`].
#[derive(Debug)]
#[non_exhaustive]
pub struct Set {
    /// The mesh; or the animation, if there is no mesh of its family.
    pub first: usize,
    /// Whether the first is a mesh.
    pub is_mesh: bool,
    /// The animations of the mesh in the order of the mod, each with the names under which actors play it.
    pub animations: Vec<(usize, Vec<String>)>,
    /// What the mod of the mesh tells of it.
    pub dress: Dress,
    /// What was left out.
    pub note: Option<String>,
}

/// The pixels of an edge of textures in pictures.
const EDGE: u32 = 256;

impl Sets {
    /// Finds the meshes at paths and addresses, and what belongs to each. The options say which animations a mesh gets, and where images are.
    ///
    /// Reads headers, the bones of what may belong together, and the actors of mods. Images are read when they are asked for.
    ///
    /// # Errors
    /// Options that name what is not there; work that was stopped. A path that leads to nothing is one of the [`faults`](Self::faults).
    pub fn find(
        paths: &[PathBuf],
        source: &Source,
        options: &ConvertOptions,
        threads: Option<NonZeroUsize>,
        watch: Option<&Watch>,
    ) -> Result<Self, ConvertError> {
        let sources = Find::all(paths).sources(source).map_err(io::Error::other)?;
        let painter = Painter::new(source, options, EDGE)?;
        let wanted = Wanted { level: options.fits, min_percent: options.min_percent, is_one: false };
        let (found, unread) = survey(&sources, paths, threads, source, watch)?;
        let plan = join(&found, &[], &Roots::default(), &mut Taken::default(), &wanted, threads, source)?;
        let items = sources.items().iter().map(std::ptr::from_ref::<Item>);
        let numbers: HashMap<*const Item, usize> = items.zip(0..).collect();
        let number = |item: &Item| numbers.get(&std::ptr::from_ref(item)).copied();
        let set = |job: super::Job<'_>| {
            let note = job.note();
            let members = job.animations.into_vec().into_iter().filter(|_| job.mesh.is_some());
            let animations = members.filter_map(|own| Some((number(own.animation.item)?, own.names))).collect();
            Some(Set {
                first: number(job.first.item)?,
                is_mesh: job.mesh.is_some(),
                animations,
                dress: job.dress,
                note,
            })
        };
        let sets = plan.jobs.into_iter().filter_map(set).collect();
        let unread = unread.iter().map(|unread| format!("{}: {}", unread.address, unread.message));
        let mods = plan.faults.iter().map(|(path, fault)| format!("{}: {}", path.display(), fault.message));
        let faults = unread.chain(mods).collect();
        Ok(Self { source: source.clone(), lod: options.lod, sets, faults, unused: plan.unused, painter, sources })
    }

    /// The sets, in the order of the files.
    pub fn sets(&self) -> &[Set] {
        &self.sets
    }

    /// The files that cannot be read and the mods that cannot be opened, and why.
    pub fn faults(&self) -> &[String] {
        &self.faults
    }

    /// The animations that belong to no mesh, though there are meshes of their family.
    pub fn unused(&self) -> &[Address] {
        &self.unused
    }

    /// A file of a set.
    pub fn item(&self, number: usize) -> Option<&Item> {
        self.sources.items().get(number)
    }

    fn load(&self, set: &Set) -> Result<Option<Loaded>, Fault> {
        self.item(set.first).and_then(|item| item.load(&self.source.opener, &self.source.parse)).transpose()
    }

    /// The images of the mesh of a set; none for an animation.
    ///
    /// # Errors
    /// A file that cannot be read any more.
    pub fn clothes(&self, set: &Set) -> Result<Clothes, Fault> {
        let Some((item, loaded)) = self.item(set.first).zip(self.load(set)?) else { return Ok(Clothes::default()) };
        let asset = loaded.asset()?;
        let clothes = asset
            .mesh()
            .map(|mesh| mesh.level(self.lod))
            .map(|mesh| self.painter.clothes(&mesh, &item.address(), &set.dress));
        Ok(clothes.unwrap_or_default())
    }

    /// A picture of the first of a set, with its textures: a mesh at rest, an animation in its first frame. `size`: the pixels of its edges.
    /// `None` for what shows nothing.
    ///
    /// # Errors
    /// A file that cannot be read any more.
    pub fn picture(&self, set: &Set, size: u32) -> Result<Option<Picture>, Fault> {
        let Some((item, loaded)) = self.item(set.first).zip(self.load(set)?) else { return Ok(None) };
        let asset = loaded.asset()?;
        let figure = match asset.mesh().map(|mesh| mesh.level(self.lod)) {
            Some(mesh) => {
                let textures = self.painter.textures(&mesh, &item.address(), &set.dress);
                Figure::of_mesh(&mesh)?.with_textures(textures)
            }
            None => match first_clip(&asset) {
                Some(clip) => Figure::of_clip(&clip, 0.0)?,
                None => return Ok(None),
            },
        };
        Ok(Some(Renderer::new(size, size).draw(&figure, &Camera::around(&figure))))
    }
}

fn first_clip<'a>(asset: &Asset<'a>) -> Option<skelmap::model::Clip<'a>> {
    asset.clips().find(|clip| clip.frame_count() > 0)
}

#[cfg(test)]
mod tests {
    use test_support::actorx::build::{Anim, Bone, IDENTITY, Mesh, chain};
    use test_support::corpus::folder;

    use super::*;

    /// An animation of other bones, and a path that leads to nothing.
    #[test]
    fn what_belongs_to_no_mesh_and_what_cannot_be_read_is_told() {
        let root = tempfile::tempdir().expect("a folder");
        let put = |name: &str, bytes: Vec<u8>| {
            let path = root.path().join(name);
            std::fs::write(&path, bytes).expect("written");
            path
        };
        let mesh = put("fox.psk", Mesh::sheet(2, 2, 2).chunks().into());
        let own = put("walk.psa", Anim::sway(chain(2), &[("walk", 2, 10.0)]).chunks().into());
        let others = ["wheel", "axle"].map(|name| Bone::new(name, 0, [0.0; 3], IDENTITY)).to_vec();
        let other = put("roll.psa", Anim::sway(others, &[("roll", 2, 10.0)]).chunks().into());
        let missing = root.path().join("missing.psk");
        let paths = [mesh, own, other.clone(), missing.clone()];
        let sets = Sets::find(&paths, &Source::default(), &ConvertOptions::default(), None, None).expect("sets");
        assert!(matches!(sets.sets(), [set] if set.is_mesh && set.animations.len() == 1), "{:?}", sets.sets());
        assert_eq!(sets.unused(), [Address::of_file(other)]);
        let [fault] = sets.faults() else { panic!("{:?}", sets.faults()) };
        assert!(fault.starts_with(&format!("{}: ", missing.display())), "{fault}");
    }

    #[test]
    fn an_animation_alone_is_shown_in_the_first_sequence_that_has_frames() {
        let root = tempfile::tempdir().expect("a folder");
        let path = root.path().join("walk.psa");
        let picture = |sequences: &[(&str, i32, f32)]| {
            let bytes: Vec<u8> = Anim::sway(chain(2), sequences).chunks().into();
            std::fs::write(&path, &bytes).expect("written");
            let asset = Asset::parse(&bytes).expect("an animation");
            let name = first_clip(&asset).and_then(|clip| clip.name()).map(|name| name.to_string());
            let options = ConvertOptions::default();
            let sets = Sets::find(std::slice::from_ref(&path), &Source::default(), &options, None, None).expect("sets");
            let [set] = sets.sets() else { panic!("{:?}", sets.sets()) };
            assert!(!set.is_mesh && set.animations.is_empty());
            (name, sets.picture(set, 16).expect("a figure").is_some())
        };
        assert_eq!(picture(&[("none", 0, 10.0), ("walk", 2, 10.0), ("run", 2, 10.0)]), (Some("walk".to_owned()), true));
        assert_eq!(picture(&[("none", 0, 10.0)]), (None, false));
    }

    /// The files of the mod of the fox. (Textures are tried by the tests of Python, with files that they write.)
    #[test]
    fn a_set_has_the_animations_of_its_mesh_and_a_picture() {
        let corpus = folder().parent().and_then(|tests| tests.parent()).expect("the root").join("corpus/fox.pyromod");
        let sets = Sets::find(&[corpus], &Source::default(), &ConvertOptions::default(), None, None).expect("sets");
        let name = |number| sets.item(number).and_then(|item| item.address().entry().map(ToOwned::to_owned));
        let [fox] = sets.sets() else { panic!("{:?}", sets.sets()) };
        assert!(fox.is_mesh && fox.note.is_none() && sets.faults().is_empty() && sets.unused().is_empty());
        assert_eq!(name(fox.first).as_deref(), Some("art/meshes/skeletal/fox.pmd"));
        assert!(!fox.animations.is_empty(), "{fox:?}");
        for (number, _) in &fox.animations {
            assert!(name(*number).is_some_and(|name| name.starts_with("art/animation/")), "{fox:?}");
        }
        let clothes = sets.clothes(fox).expect("images");
        assert_eq!((clothes.of_materials.len(), clothes.faults.len()), (1, 0), "{:?}", clothes.faults);
        let picture = sets.picture(fox, 32).expect("a picture").expect("a mesh");
        assert_eq!(skelmap_export::MediaType::of(&picture.to_png()), Some(skelmap_export::MediaType::Png));
    }
}
