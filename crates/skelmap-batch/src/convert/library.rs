//! One file for the animations that several meshes of one skeleton share.

use std::collections::{HashMap, HashSet};

use super::jobs::Job;
use crate::items::Item;
use crate::names::{Roots, Taken};
use crate::pair::Member;
use crate::text::counted;

/// Moves animations that several meshes with equal bones share into a file for each skeleton, which has the first of the meshes. The meshes
/// keep what is theirs alone. O(animations of all meshes).
pub(super) fn share<'s>(jobs: &mut Vec<Job<'s>>, roots: &Roots, taken: &mut Taken) {
    let mut groups: Vec<Vec<&mut Job<'s>>> = Vec::new();
    let mut known = HashMap::new();
    for job in jobs.iter_mut() {
        let Some(mesh) = job.mesh.filter(|_| !job.animations.is_empty()) else { continue };
        let key = (mesh.skeleton(), job.dress.skeleton.as_ref().map(|own| own.id.clone()));
        let group = *known.entry(key).or_insert(groups.len());
        if group == groups.len() {
            groups.push(Vec::new());
        }
        if let Some(group) = groups.get_mut(group) {
            group.push(job);
        }
    }
    let libraries: Vec<Job<'s>> = groups.into_iter().filter_map(|group| library(group, roots, taken)).collect();
    jobs.extend(libraries);
}

/// The file for the animations that are shared in a group of meshes, which lose them; `None` if there is none.
fn library<'s>(mut group: Vec<&mut Job<'s>>, roots: &Roots, taken: &mut Taken) -> Option<Job<'s>> {
    let (mut once, mut shared, mut members) = (HashSet::new(), HashSet::new(), Vec::new());
    for member in group.iter().flat_map(|job| job.animations.iter()) {
        let item: *const Item = member.animation.item;
        if !once.insert(item) && shared.insert(item) {
            members.push(member.clone());
        }
    }
    let is_shared = |member: &Member<'_>| shared.contains(&std::ptr::from_ref(member.animation.item));
    group.retain(|job| job.animations.iter().any(is_shared));
    let first = group.first()?;
    let mesh = first.mesh?;
    let mut name = roots.base_of(&mesh.address()).ok()?.into_os_string();
    name.push("_animations");
    let mut library = Job::of_library(mesh, members.into(), first.dress.clone());
    library.name(mesh.address(), name.into(), taken);
    library.notes.push(format!("the animations of {} meshes", group.len()));
    let (base, _) = library.base(roots).ok()?;
    for job in group {
        let (moved, own): (Vec<_>, Vec<_>) = job.animations.iter().cloned().partition(is_shared);
        job.animations = own.into();
        job.notes.push(format!("{} in {}", counted(moved.len() as u64, "animation"), base.display()));
    }
    Some(library)
}
