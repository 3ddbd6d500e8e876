//! The binding of a clip to a skeleton: which track moves which bone, and which parts come from the bind pose.

use alloc::vec::Vec;

use super::clip::Clip;
use super::matching::{Match, Matcher};
use super::maths::{dot, unit_or};
use super::mesh::Mesh;
use super::sampler::{Wrap, give_direction};
use super::skeleton::{Relative, Skeleton};
use super::sources::{Source, TrackSources};
use super::space::{Change, Space};
use super::transform::Transform;
use crate::bytes::to_u64;
use crate::report::{Error, ErrorKind, Section};

/// The track of each bone of a mesh in the clips of one animation.
///
/// Bones match by name, without regard to ASCII case and trailing spaces; equal names match in order. In a format without
/// names, they match by index if both have the same number of bones. A binding is made once for a mesh and an animation, serves
/// every clip of the animation, and does not borrow the files. With a side-car, which has lines for each sequence, each clip needs a binding of
/// its own: see [`with_sources`](Binding::with_sources). The default has no bones and moves nothing.
#[derive(Clone, Debug, Default)]
pub struct Binding {
    found: Match,
    bones: Vec<Bound>,
    /// The track of each bone, for the sampler; an arbitrary one for a bone without a track.
    tracks: Vec<usize>,
    /// Each track that moves a bone, with the bone, in the order of the tracks.
    by_track: Vec<(usize, usize)>,
    /// Whether the clip has a track for each bone, in the same order.
    is_in_order: bool,
    /// The bones that take a part from the mesh.
    fixed: Vec<usize>,
    change: Change,
    track_count: usize,
    /// The space of the clip's file.
    clip_space: Option<Space>,
    /// Whether poses are differences, so that nothing is none.
    is_difference: bool,
}

#[derive(Clone, Copy, Debug)]
struct Bound {
    track: Option<usize>,
    sources: TrackSources,
    /// The parts that the track does not have.
    missing: TrackSources,
    bind: Transform,
}

impl Bound {
    const fn at_rest(bind: Transform) -> Self {
        let sources =
            TrackSources { translation: Source::Animation, rotation: Source::Animation, scale: Source::Animation };
        Self { track: None, sources, missing: sources, bind }
    }

    /// Takes from the mesh the parts that come from there.
    #[inline]
    fn apply(&self, mut moved: Transform) -> Transform {
        if self.sources.translation == Source::Mesh {
            moved.translation = self.bind.translation;
        }
        if self.sources.rotation == Source::Mesh {
            moved.rotation = self.bind.rotation;
        }
        if self.sources.scale == Source::Mesh {
            moved.scale = self.bind.scale;
        }
        moved
    }
}

const BINDING: Section = Section::named("binding");

impl Binding {
    /// Binds the tracks of a clip to the bones of a mesh. O(bones * log bones).
    ///
    /// Bones without a track stay in the bind pose: see [`found`](Binding::found). A clip with an unknown space moves nothing, and neither
    /// does a clip of another space, unless mesh and clip have names of bones and transforms relative to parents: then the values are
    /// converted, so that a clip of UEFormat moves a mesh of ActorX. Poses are in the space of the mesh.
    pub fn new(mesh: &Mesh<'_>, clip: &Clip<'_>) -> Self {
        let skeleton = mesh.skeleton();
        let found = if clip
            .own_space()
            .is_some_and(|own| own.has_axes_of(&mesh.own_space()) || is_convertible(&skeleton, &clip.skeleton()))
        {
            Matcher::of_skeleton("", &skeleton).match_skeleton(&clip.skeleton())
        } else {
            Match::unrelated(skeleton.bone_count(), clip.skeleton().bone_count())
        };
        let mut bones: Vec<_> = skeleton.bones().map(|bone| Bound::at_rest(bone.rest())).collect();
        if found.by_name {
            for (track, bone) in found.bones.iter().enumerate() {
                if let Some(bone) = bone.and_then(|bone| bones.get_mut(usize::try_from(bone).ok()?)) {
                    bone.track = Some(track);
                }
            }
        } else if found.matched > 0 {
            for (track, bone) in bones.iter_mut().enumerate() {
                bone.track = Some(track);
            }
        }
        Self::of_bones(found, bones, clip, change_of(clip.own_space(), mesh))
    }

    fn of_bones(found: Match, mut bones: Vec<Bound>, clip: &Clip<'_>, change: Change) -> Self {
        let tracks: Vec<usize> = bones.iter().map(|bone| bone.track.unwrap_or(usize::MAX)).collect();
        let is_in_order = tracks.iter().copied().eq(0..clip.track_count());
        let moved = bones.iter().enumerate().filter_map(|(bone, own)| Some((own.track?, bone)));
        let mut by_track: Vec<(usize, usize)> = moved.collect();
        by_track.sort_unstable();
        let mut next = by_track.iter().peekable();
        for (track, missing) in clip.missing().enumerate() {
            while let Some((_, bone)) = next.next_if(|(own, _)| *own == track) {
                bones.get_mut(*bone).into_iter().for_each(|bone| (bone.sources, bone.missing) = (missing, missing));
            }
        }
        // What has no scale has that of the mesh, which is 1 in nearly all files.
        let has_scale = clip.parts().scale;
        for bone in &mut bones {
            let is_missing = !has_scale || bone.missing.scale == Source::Mesh;
            let is_of_mesh = is_missing && bone.track.is_some() && bone.bind.scale != [1.0; 3];
            let scale = if is_of_mesh { Source::Mesh } else { Source::Animation };
            (bone.sources.scale, bone.missing.scale) = (scale, scale);
        }
        let fixed = fixed(&bones);
        Self {
            found,
            bones,
            tracks,
            by_track,
            is_in_order,
            fixed,
            is_difference: false,
            change,
            track_count: clip.track_count(),
            clip_space: clip.own_space(),
        }
    }

    /// This binding with parts from the mesh, for one clip: a source for each track, as
    /// [`Config::to_sources`](crate::actorx::Config::to_sources) returns them for a side-car.
    #[must_use]
    pub fn with_sources(mut self, sources: &[TrackSources]) -> Self {
        for bone in &mut self.bones {
            let given = bone.track.and_then(|track| sources.get(track)).copied().unwrap_or_default();
            bone.sources = given.or(bone.missing);
        }
        self.fixed = fixed(&self.bones);
        self
    }

    /// This binding for differences to another pose, as the keys of an additive clip are: bones without a track, and parts that come from the mesh, are
    /// those of the identity, so that [`pose::add`](super::pose::add) leaves them as they are. Ask for [`is_additive`](Binding::is_additive) before.
    #[must_use]
    pub fn as_differences(mut self) -> Self {
        self.is_difference = true;
        self.bones.iter_mut().for_each(|bone| bone.bind = Transform::IDENTITY);
        self
    }

    /// How the bones match. The bones of a clip match themselves.
    pub const fn found(&self) -> &Match {
        &self.found
    }

    /// The track of a bone; `None` for a bone that stays in its bind pose. O(1).
    pub fn track_of(&self, bone: usize) -> Option<usize> {
        self.bones.get(bone)?.track
    }

    /// The sources of a bone's pose. O(1).
    pub fn sources_of(&self, bone: usize) -> Option<TrackSources> {
        self.bones.get(bone).map(|bone| bone.sources)
    }

    /// The tracks that move no bone of the mesh. O(tracks * log bones).
    pub fn to_unmatched_tracks(&self) -> Vec<usize> {
        let mut used: Vec<usize> = self.bones.iter().filter_map(|bone| bone.track).collect();
        used.sort_unstable();
        (0..self.track_count).filter(|track| used.binary_search(track).is_err()).collect()
    }

    /// The pose of the mesh at a time in seconds: a transform for each bone, in the space of the mesh. Like
    /// [`Clip::sample`], but a rotation without direction is that of the bind pose. O(bones), no allocation.
    ///
    /// # Errors
    /// Those of [`Clip::sample`]; [`ErrorKind::BufferSize`](crate::ErrorKind::BufferSize) if `out` does not have one transform
    /// for each bone of the mesh, or if the number of tracks differs from the bound clip;
    /// [`ErrorKind::OtherFormat`](crate::ErrorKind::OtherFormat) for a clip of another family.
    pub fn sample(&self, clip: &Clip<'_>, seconds: f64, wrap: Wrap, out: &mut [Transform]) -> Result<(), Error> {
        self.sample_frame(clip, clip.position_of(seconds)?, wrap, out)
    }

    /// [`sample`](Binding::sample) at a position in frames.
    ///
    /// # Errors
    /// Those of [`sample`](Binding::sample), without those about a rate.
    pub fn sample_frame(&self, clip: &Clip<'_>, position: f64, wrap: Wrap, out: &mut [Transform]) -> Result<(), Error> {
        check(out.len(), self.bones.len())?;
        self.check_clip(clip)?;
        let pair = clip.pair(position, wrap)?;
        let is_whole = if self.is_in_order {
            pair.write(out)
        } else {
            pair.write_tracks(self.tracks.iter().copied(), self.by_track.iter().copied(), out)
        };
        if self.change != Change::NONE {
            for out in out.iter_mut() {
                *out = self.change.transform(out);
            }
        }
        if !is_whole {
            give_direction(out, self.bones.iter().map(|bone| bone.bind.rotation));
        }
        for fixed in &self.fixed {
            let (Some(out), Some(bone)) = (out.get_mut(*fixed), self.bones.get(*fixed)) else { continue };
            *out = if bone.track.is_none() { bone.bind } else { bone.apply(*out) };
        }
        Ok(())
    }

    /// The transform of one bone at a time in seconds: that of [`sample`](Binding::sample). O(1); O(tracks) in a format with keys by track; in a
    /// file with frames of different lengths and without an index, also O(frames before).
    ///
    /// # Errors
    /// Those of [`sample`](Binding::sample); [`BoneOutOfRange`](crate::ErrorKind::BoneOutOfRange).
    pub fn sample_bone(&self, clip: &Clip<'_>, seconds: f64, wrap: Wrap, bone: usize) -> Result<Transform, Error> {
        self.sample_bone_frame(clip, clip.position_of(seconds)?, wrap, bone)
    }

    /// [`sample_bone`](Binding::sample_bone) at a position in frames.
    ///
    /// # Errors
    /// Those of [`sample_bone`](Binding::sample_bone), without those about a rate.
    pub fn sample_bone_frame(
        &self,
        clip: &Clip<'_>,
        position: f64,
        wrap: Wrap,
        bone: usize,
    ) -> Result<Transform, Error> {
        let own = self.bones.get(bone).ok_or_else(|| binding_error(self.no_bone(bone)))?;
        self.check_clip(clip)?;
        let (pair, mut out) = (clip.pair(position, wrap)?, Transform::IDENTITY);
        let Some(track) = own.track else { return Ok(own.bind) };
        let out = core::slice::from_mut(&mut out);
        let is_whole = pair.write_tracks(core::iter::once(track), core::iter::once((track, 0)), out);
        for out in &mut *out {
            *out = self.change.transform(out);
        }
        if !is_whole {
            give_direction(out, core::iter::once(own.bind.rotation));
        }
        Ok(own.apply(out.first().copied().unwrap_or_default()))
    }

    fn no_bone(&self, bone: usize) -> ErrorKind {
        ErrorKind::BoneOutOfRange { bone: to_u64(bone), count: to_u64(self.bones.len()) }
    }

    /// Whether a clip is one of those that this binding is for.
    fn check_clip(&self, clip: &Clip<'_>) -> Result<(), Error> {
        check(clip.track_count(), self.track_count)?;
        let is_stranger = match (clip.own_space(), self.clip_space) {
            (Some(own), Some(bound)) => !own.has_axes_of(&bound),
            (own, bound) => own.is_some() || bound.is_some(),
        };
        // A binding that moves nothing accepts any clip.
        if is_stranger && !self.by_track.is_empty() {
            return Err(binding_error(ErrorKind::OtherFormat { found: "a clip of another space than the bound one" }));
        }
        Ok(())
    }

    /// The transform of a bone in a frame, in the space of the mesh. `None` for a bone that stays in its bind pose, and for
    /// a frame that does not exist. O(1).
    pub fn transform(&self, clip: &Clip<'_>, frame: usize, bone: usize) -> Option<Transform> {
        let bone = self.bones.get(bone)?;
        let moved = self.change.transform(&clip.stored(frame, bone.track?)?);
        Some(bone.apply(Transform { rotation: unit_or(moved.rotation, bone.bind.rotation), ..moved }))
    }

    /// A binding of a clip to its own bones, for clips that are played without a mesh. The rest pose is that of the clip's
    /// skeleton, else the first frame. Poses are in the space of the clip.
    ///
    /// ```
    /// use skelmap::{Asset, model::{Binding, Wrap}};
    ///
    /// let bytes = std::fs::read("corpus/fox.psa")?;
    /// let asset = Asset::parse(&bytes)?;
    /// let clip = asset.clips().next().ok_or("no clip")?;
    /// let binding = Binding::of_clip(&clip);
    /// let mut pose = binding.to_rest();
    /// binding.sample(&clip, 0.5, Wrap::Loop, &mut pose)?;
    /// assert_eq!(pose.len(), clip.track_count());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_clip(clip: &Clip<'_>) -> Self {
        let (skeleton, nodes) = (clip.skeleton(), clip.to_nodes());
        let is_known = clip.has_bones();
        let binds: Vec<Option<Transform>> = skeleton.bones().map(|bone| bone.bind).collect();
        let bind = |bone: usize| binds.get(bone).copied().flatten();
        let mut bones: Vec<_> =
            nodes.iter().map(|bone| Bound::at_rest(bind(*bone).unwrap_or_default().with_unit_rotation())).collect();
        let starts = clip.to_starts();
        let listed = clip.listed(&starts);
        for track in 0..clip.track_count() {
            let Some(index) = clip.bone_of(track) else { continue };
            let Some(bone) = bones.get_mut(if is_known { index } else { track }) else { continue };
            bone.track = Some(track);
            if bind(index).is_none() {
                bone.bind = listed.transform(0, track).unwrap_or_default().with_unit_rotation();
            }
        }
        let found = if is_known {
            Matcher::of_skeleton("", &skeleton).match_skeleton(&skeleton)
        } else {
            Match::unrelated(bones.len(), bones.len())
        };
        Self::of_bones(found, bones, clip, clip.change)
    }

    /// Whether the binding has exactly `tracks` bones, and each has the track of the same index.
    #[doc(hidden)] // For the writer of glTF, which shares bindings between clips.
    pub fn tracks_all(&self, count: usize) -> bool {
        self.bones.len() == count && self.bones.iter().enumerate().all(|(index, bone)| bone.track == Some(index))
    }

    /// The change from the space of the clip to that of the mesh.
    pub(super) const fn change(&self) -> Change {
        self.change
    }

    /// The transform of a bone at rest.
    #[doc(hidden)] // For the writer of glTF.
    pub fn rest_of(&self, bone: usize) -> Transform {
        self.bones.get(bone).map(|bone| bone.bind).unwrap_or_default()
    }

    /// The pose at rest: the transform of each bone where no track moves it. O(bones).
    pub fn to_rest(&self) -> Vec<Transform> {
        self.bones.iter().map(|bone| bone.bind).collect()
    }

    /// This binding for the mesh in another space. O(bones).
    #[must_use]
    pub fn moved_to(&self, mesh: &Mesh<'_>) -> Self {
        let skeleton = mesh.skeleton();
        let mut moved = Self { change: change_of(self.clip_space, mesh), ..self.clone() };
        for (own, bone) in moved.bones.iter_mut().zip(skeleton.bones()).filter(|_| !self.is_difference) {
            own.bind = bone.rest();
        }
        moved
    }

    /// Whether a clip is additive: at least 80 % of the bones that take their translation from it, and have one in the bind
    /// pose, have nearly none in the clip. Such a clip is played on top of another; alone, it tears the mesh. The file does not
    /// say so. (glTF reference, section 14: of 432 clips, 364 are below 5 % and 68 above 80 %.) A clip without frames is not
    /// additive; neither is one whose bind pose is not known, as in a binding [`of_clip`](Binding::of_clip) of an animation of `UModel`: bind the
    /// clip to its mesh to know. O(bones * frames).
    pub fn is_additive(&self, clip: &Clip<'_>) -> bool {
        let starts = clip.to_starts();
        let clip = clip.listed(&starts);
        let mut counts = [0_u64; 2];
        for bone in self.bones.iter().filter(|bone| bone.sources.translation == Source::Animation) {
            let (Some(track), bind) = (bone.track, square(bone.bind.translation)) else { continue };
            // A thousandth of the length of the bind pose.
            let small = bind * 1e-6;
            if bind > 0.0 {
                let is_small = clip.all_translations(track, |own| square(self.change.position(own)) <= small);
                let [all, without] = &mut counts;
                *all = all.saturating_add(1);
                *without = without.saturating_add(is_small.into());
            }
        }
        let [all, without] = counts;
        clip.parts().translation
            && clip.frame_count() > 0
            && all > 0
            && without.saturating_mul(5) >= all.saturating_mul(4)
    }
}

/// Whether a clip of another space can move bones: both have names, and transforms relative to parents.
fn is_convertible(bones: &Skeleton<'_>, tracks: &Skeleton<'_>) -> bool {
    [bones, tracks].iter().all(|own| own.has_names() && own.relative() == Relative::Parent)
}

/// The change from the space of a clip's file to that of a mesh. Both files have the same unit.
fn change_of(clip: Option<Space>, mesh: &Mesh<'_>) -> Change {
    match clip {
        Some(clip) if !clip.has_axes_of(&mesh.own_space()) => {
            clip.measured_like(&mesh.own_space()).change_to(&mesh.space())
        }
        _ => mesh.change(),
    }
}

const fn binding_error(kind: ErrorKind) -> Error {
    Error::new(kind, BINDING, 0)
}

fn check(given: usize, needed: usize) -> Result<(), Error> {
    ErrorKind::check_buffer(given, needed).map_err(binding_error)
}

/// The bones that take a part from the mesh.
fn fixed(bones: &[Bound]) -> Vec<usize> {
    let is_fixed = |bone: &Bound| {
        let TrackSources { translation, rotation, scale } = bone.sources;
        bone.track.is_none() || [translation, rotation, scale].contains(&Source::Mesh)
    };
    (0..).zip(bones).filter(|(_, bone)| is_fixed(bone)).map(|(index, _)| index).collect()
}

const fn square(vector: [f32; 3]) -> f32 {
    dot(vector, vector)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Asset;
    use crate::bytes::Marks;
    use crate::model::skeleton::{BoneChain, ChainedBone};

    /// Bones of a chain have names, and are relative to their parents.
    #[test]
    fn only_named_bones_relative_to_their_parents_move_those_of_another_space() {
        let read = |_: &[u8], _| Some((ChainedBone::default(), 1));
        let named = Skeleton::of_chain(1, BoneChain { bytes: &[0], marks: Marks::default(), read, number: 0 });
        assert!(is_convertible(&named, &named));
        for relative in [Relative::Parent, Relative::Model, Relative::Unknown] {
            let other = Skeleton::of_count(1, relative);
            assert!(!is_convertible(&named, &other) && !is_convertible(&other, &named), "{relative:?}");
        }
    }

    /// The axes of a clip of another space are not those of the mesh's file.
    #[test]
    fn a_clip_is_changed_from_its_own_space_to_the_one_that_is_asked_for() {
        let bytes = std::fs::read("tests/corpus/actorx/mesh/classic.psk").unwrap();
        let own = Asset::parse(&bytes).unwrap().mesh().unwrap();
        let mesh = own.in_space(Space::GLTF);
        let (place, there) = ([1.0, 2.0, 3.0], own.own_space().change_to(&Space::GLTF));
        let moved = |clip: Option<Space>, mesh: &Mesh<'_>| change_of(clip, mesh).direction(place);
        assert_ne!(there.direction(place), place);
        assert_eq!(moved(None, &mesh), there.direction(place), "a clip without a space has that of the mesh");
        assert_eq!(moved(Some(own.own_space()), &mesh), there.direction(place));
        assert_eq!(moved(Some(Space::GLTF), &mesh), place, "a clip in the space that is asked for");
        assert_eq!(moved(Some(own.own_space()), &own), place);
        assert_eq!(moved(Some(Space::GLTF), &own), Space::GLTF.change_to(&own.own_space()).direction(place));
    }
}
