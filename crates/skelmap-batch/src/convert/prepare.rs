//! The documents of models: their clips, bound and named, and the names of their bones.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use skelmap::Asset;
use skelmap::actorx::{Config, ResolvedConfig};
use skelmap::archive::SideCar;
use skelmap::model::{Alpha, Binding, Mesh, TrackSources};
use skelmap::pyrogenesis::skeleton::StandardSkeleton;
use skelmap::swat3::{Gsa, PLAYBACK_FPS};
use skelmap_export::{Animation, AnimationEvent, Document, HierarchyBone, Origin, Stored};

use super::asked::names_of;
use super::converter::{Converter, FROM, no_sequence, of_file, position};
use super::error::OutputError;
use super::jobs::{Job, add_note};
use crate::names::numbered;
use crate::pair::{Member, level_of_detail, stem, stem_of};
use crate::text::counted;

/// The most bones of all bindings that side-cars tell apart: those of 2,000 sequences of 500 bones.
const MAX_BOUND: usize = 1 << 20;

impl Converter<'_> {
    /// Binds the clips of the animations. Returns the name of the file of each clip too.
    pub(super) fn prepare<'d>(
        &self,
        job: &Job<'_>,
        mesh: Option<&Mesh<'d>>,
        assets: &[Asset<'d>],
        side_cars: &[Option<SideCar>],
        notes: &mut Vec<String>,
    ) -> Result<(Document<'d>, Vec<String>), OutputError> {
        let (mut document, mut sources) = (Document::default(), Vec::new());
        (document.mesh, document.is_shared) = (mesh.copied(), job.is_library);
        document.name = mesh.map(|_| stem_of(&job.first.address())).unwrap_or_default();
        let mut left = MAX_BOUND;
        for ((member, asset), side_car) in job.animations.iter().zip(assets).zip(side_cars) {
            let own_name = member.animation.name();
            let config = match (asset, side_car) {
                (Asset::ActorxPsa(psa), Some(own)) => Some(Config::new(&own.bytes).to_resolved(psa.bones())),
                _ => None,
            };
            // The clips of an animation share a binding, unless the side-car tells them apart.
            let mut known: Option<(Vec<TrackSources>, Arc<Binding>)> = None;
            for clip in asset.clips() {
                let is_left_out = !self.asked.has(&names_of(&clip, member));
                let is_base = |base: &String| clip.name().is_some_and(|name| name.matches(base));
                let is_base =
                    document.additive_base.is_none() && self.options.additive_base.as_ref().is_some_and(is_base);
                if is_left_out && !is_base {
                    continue;
                }
                let mut animation = match mesh {
                    Some(mesh) => {
                        let of_clip = |own: &ResolvedConfig| own.to_track_sources(clip.name().unwrap_or_default());
                        if config.is_some() {
                            let too_many =
                                "the side-car tells too many sequences of too many bones apart: name some (--sequence)";
                            let rest = left.checked_sub(mesh.bone_count().max(clip.track_count()));
                            left = rest.ok_or_else(|| of_file(job, member.animation, too_many))?;
                        }
                        let sources = config.as_ref().map(of_clip).unwrap_or_default();
                        if known.as_ref().is_none_or(|(own, _)| *own != sources) {
                            let binding = Arc::new(Binding::new(mesh, &clip).with_sources(&sources));
                            known = Some((sources, binding));
                        }
                        let Some((_, binding)) = &known else { continue };
                        if binding.found().matched == 0 {
                            // The game plays nothing either.
                            let name = crate::columns::name_of(&member.animation.address());
                            add_note(notes, format!("{name} left out: it moves no bone of the mesh"));
                            continue;
                        }
                        Animation::new(&clip, Arc::clone(binding))
                    }
                    None => Animation::of_clip(&clip),
                };
                animation.origin = Origin {
                    file: crate::columns::name_of(&member.animation.address()),
                    sequence: animation.name.clone(),
                    actions: if job.is_of_actor { Vec::new() } else { member.names.clone() },
                };
                animation.stored = Stored::of(asset);
                if animation.name.is_empty() {
                    animation.name.clone_from(&own_name);
                }
                if let Asset::Swat3Gsa(gsa) = asset {
                    animation.events = events(gsa);
                }
                if is_base {
                    document.additive_base = Some(animation.clone());
                }
                if is_left_out {
                    continue;
                }
                self.name(job, member, &mut animation);
                document.animations.push(animation);
                sources.push(own_name.clone());
            }
        }
        tell_apart(&mut document.animations, job.is_of_actor);
        let is_additive = |own: &Animation<'_>| mesh.is_some() && own.binding.is_additive(&own.clip);
        let has_additive = document.animations.iter().any(is_additive);
        if let Some(base) =
            self.options.additive_base.as_ref().filter(|_| document.additive_base.is_none() && has_additive)
        {
            let message = format!("no animation has the sequence {base}, which additive ones are to be played on");
            return Err(OutputError::new(message));
        }
        if let Some(mesh) = mesh.filter(|mesh| mesh.bone_count() > 0 && !mesh.skeleton().has_names()) {
            let own = job.dress.skeleton.as_deref().filter(|own| own.bones.len() == mesh.bone_count());
            let given = self.skeletons.as_ref().map(|skeletons| fitting(skeletons, mesh.bone_count())).transpose()?;
            document.hierarchy = given.or(own).map(hierarchy).unwrap_or_default();
        }
        document.level_of_detail = mesh.and_then(|_| level_of_detail(&stem_of(&job.first.address())));
        // Edges as sharp as those of the game, and no order to sort by.
        document.alpha = job.dress.is_transparent.then_some(Alpha::Masked);
        let has_clips = !document.animations.is_empty();
        if mesh.is_none() && !has_clips {
            return Err(no_sequence(job));
        }
        if mesh.is_some() && !assets.is_empty() && !has_clips && !self.options.sequences.is_empty() {
            notes.push(format!("no sequence {}", self.options.sequences.join(" or ")));
        }
        if !assets.is_empty() {
            notes.push(format!("{FROM}{}", counted(assets.len() as u64, "animation file")));
        }
        Ok((document, sources))
    }

    /// Names an animation, and gives it its aliases.
    fn name(&self, job: &Job<'_>, member: &Member<'_>, animation: &mut Animation<'_>) {
        let own = animation.clip.name().map(|name| name.to_string());
        let mut named = self.asked.aliases(own.as_ref(), &member.names, job.is_of_actor, animation.name.clone());
        let Some(first) = named.next() else { return };
        animation.name = first.name;
        if job.is_of_actor && !member.names.is_empty() {
            animation.origin.actions = vec![first.action];
        }
        animation.aliases = named.collect();
    }
}

/// Gives the animations of a document names of their own: the first of a name keeps it. One of another file gets the name of its file too;
/// one of the same file, and an action of a game, gets a number.
///
/// `in_any_case`: whether names that differ in case alone are equal.
fn tell_apart(animations: &mut [Animation<'_>], in_any_case: bool) {
    let key = |name: &str| if in_any_case { name.to_lowercase() } else { name.to_owned() };
    let mut taken: HashMap<String, (String, u32)> = HashMap::new();
    let all = animations.iter_mut().flat_map(|animation| {
        let Animation { name, origin, aliases, .. } = animation;
        let is_action = origin.actions.contains(name);
        let aliases = aliases.iter_mut().map(|alias| (&mut alias.name, true));
        let origin = &*origin;
        [(name, is_action)].into_iter().chain(aliases).map(move |(name, is_action)| (name, is_action, origin))
    });
    for (name, is_action, origin) in all {
        if taken.get(&key(name)).is_some_and(|(file, _)| *file != origin.file) && !is_action {
            *name = format!("{}: {name}", stem(Path::new(&origin.file)));
        }
        while let Some((_, count)) = taken.get_mut(&key(name)) {
            *count = count.saturating_add(1);
            *name = numbered(Path::new(name), *count).to_string_lossy().into_owned();
        }
        taken.insert(key(name), (origin.file.clone(), 1));
    }
}

fn hierarchy(skeleton: &StandardSkeleton) -> Vec<HierarchyBone> {
    let bones = skeleton.bones.iter();
    bones.map(|bone| HierarchyBone { name: bone.name.clone(), parent: bone.parent }).collect()
}

/// The only skeleton with this number of bones.
fn fitting(skeletons: &[StandardSkeleton], bones: usize) -> Result<&StandardSkeleton, OutputError> {
    let mut fitting = skeletons.iter().filter(|skeleton| skeleton.bones.len() == bones);
    match (fitting.next(), fitting.next()) {
        (Some(skeleton), None) => Ok(skeleton),
        (Some(_), Some(_)) => Err(OutputError::new(format!("several standard skeletons have {bones} bones"))),
        (None, _) => {
            let counts: Vec<_> = skeletons.iter().map(|skeleton| skeleton.bones.len().to_string()).collect();
            let counts = counts.join(", ");
            let message = format!(
                "the mesh has {bones} bones, and the standard skeletons have {counts}: `skelmap mod --bones` names that of each mesh"
            );
            Err(OutputError::new(message))
        }
    }
}

/// The events of an animation of SWAT 3, each at the time of its frame.
fn events(gsa: &Gsa<'_>) -> Vec<AnimationEvent> {
    let event = |(frame, event): (usize, skelmap::swat3::Event<'_>)| AnimationEvent {
        time: position(frame) / PLAYBACK_FPS,
        name: String::from_utf8_lossy(event.as_bytes()).into_owned(),
    };
    gsa.events().map(event).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use test_support::swat3::build::{Frame, Gsa as Built, Layout, biped};

    /// Reference of SWAT 3: the game plays ten frames a second, whatever the file says.
    #[test]
    fn an_event_comes_at_the_time_of_its_frame() {
        let bones = biped(2);
        let frame = || Frame::new(vec![[0.0, 0.0, 0.0, 1.0]; 2]);
        let frames = vec![frame().event("a"), frame(), frame(), frame().event("b").event("c")];
        let built = Built { frame_rate: 30, ..Built::new(2, Layout::Plain.skeleton(&bones), &[0, 1], frames) }.build();
        let gsa = Gsa::parse(&built.bytes).expect("an animation");
        let events: Vec<_> = events(&gsa).into_iter().map(|event| (event.time, event.name)).collect();
        assert_eq!(events, [(0.0, "a".to_owned()), (0.3, "b".to_owned()), (0.3, "c".to_owned())]);
    }
}
