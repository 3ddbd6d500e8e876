//! What differs between two assets of one kind.

use std::collections::{BTreeSet, HashMap};

use skelmap::Asset;
use skelmap::model::{Bone, Clip, Mesh, Skeleton, Source, TrackSources, Transform};

use super::{Change, Difference};
use crate::text::figure;

/// Whether places and rotations of two assets can be compared: both have the same axes and unit.
pub(super) fn is_measured(before: &Asset<'_>, after: &Asset<'_>) -> bool {
    let space = |asset: &Asset<'_>| {
        asset.mesh().map(|mesh| mesh.space()).or_else(|| asset.clips().find_map(|clip| clip.space()))
    };
    before.format().is_related_to(after.format()) && space(before) == space(after)
}

/// What differs, and whether all keys could be compared. Only names and counts where units or axes differ.
pub(super) fn compare(before: &Asset<'_>, after: &Asset<'_>, tolerance: f64) -> (Vec<Difference>, bool) {
    let is_measured = is_measured(before, after);
    let mut found = Found { rows: Vec::new(), tolerance, is_measured };
    if before.format() != after.format() {
        found.rows.push(
            Difference::new(Change::Changed, "format", "format").from(before.format().code(), after.format().code()),
        );
    }
    found.counts(before, after);
    let pairs = before.skeleton().zip(after.skeleton()).map(|(one, other)| found.bones(&one, &other));
    if let (Some(one), Some(other)) = (before.mesh(), after.mesh()) {
        let bones = pairs.as_ref().map_or(&[][..], |pairs| &pairs.both);
        found.bind(&one, &other, bones);
        found.materials(&one, &other);
        found.parts(&one, &other);
        if is_measured {
            found.geometry(&one, &other);
            found.weights(&one, &other, bones);
        }
    }
    let is_whole = compare_motion(before, after, &mut found);
    (found.rows, is_whole)
}

/// The differences that were found.
struct Found {
    rows: Vec<Difference>,
    tolerance: f64,
    /// Whether places and rotations are compared.
    is_measured: bool,
}

/// The weight of a point for a bone, which is one of both files.
#[derive(Clone, Copy)]
struct Weight {
    point: u32,
    bone: Option<u32>,
    weight: f32,
}

/// Takes the weights of a point from the front of sorted ones; points come in their order.
fn of_point<'w>(rows: &mut &'w [Weight], point: usize) -> &'w [Weight] {
    let end = rows.partition_point(|own| usize::try_from(own.point).is_ok_and(|own| own <= point));
    let (own, rest) = rows.split_at_checked(end).unwrap_or((rows, &[]));
    *rows = rest;
    own
}

/// The weight of a bone: several records of it are added.
fn sum_of(rows: &[Weight], bone: Option<u32>) -> f64 {
    rows.iter().filter(|own| own.bone == bone).map(|own| f64::from(own.weight)).sum()
}

/// The names of the bones of two skeletons; their numbers where one of the two has no names.
fn bone_names(both: [&Skeleton<'_>; 2]) -> [Vec<String>; 2] {
    let has_names = both.iter().all(|skeleton| skeleton.has_names());
    both.map(|skeleton| {
        let named = |(index, bone): (usize, Bone<'_>)| {
            bone.name.filter(|_| has_names).map_or_else(|| index.to_string(), |name| name.to_string())
        };
        skeleton.bones().enumerate().map(named).collect()
    })
}

impl Found {
    /// Whether a difference is one. That of a number which is no number is.
    fn is_large(&self, difference: f64) -> bool {
        difference.is_nan() || difference > self.tolerance
    }

    fn counts(&mut self, before: &Asset<'_>, after: &Asset<'_>) {
        let [one, other] = [before, after].map(|asset| {
            let found = asset.summary();
            [
                ("bones", found.bones),
                ("points", found.points),
                ("wedges", found.wedges),
                ("faces", found.faces),
                ("materials", found.materials),
                ("uv_sets", found.uv_sets),
                ("sequences", found.sequences),
                ("frames", found.frames),
            ]
        });
        for ((name, before), (_, after)) in one.into_iter().zip(other).filter(|(one, other)| one != other) {
            let text = |count: Option<u64>| count.map_or_else(|| "unknown".to_owned(), |count| count.to_string());
            self.rows.push(Difference::new(Change::Changed, "count", name).from(text(before), text(after)));
        }
    }

    /// What only one has, and what both have in another case.
    fn named(&mut self, what: &'static str, pairs: &Pairs, before: &[String], after: &[String]) {
        let rows = |change, list: &[usize], names: &[String]| -> Vec<Difference> {
            list.iter().filter_map(|at| Some(Difference::new(change, what, names.get(*at)?))).collect()
        };
        self.rows.extend(rows(Change::Removed, &pairs.removed, before));
        self.rows.extend(rows(Change::Added, &pairs.added, after));
        let both = pairs.both.iter().filter_map(|(one, other)| before.get(*one).zip(after.get(*other)));
        let recased = both.filter(|(was, is)| was.trim_end() != is.trim_end());
        self.rows
            .extend(recased.map(|(was, is)| Difference::new(Change::Changed, what, is).from(was.clone(), is.clone())));
    }

    /// Bones that only one has, and bones with another parent.
    fn bones(&mut self, before: &Skeleton<'_>, after: &Skeleton<'_>) -> Pairs {
        let [old, new] = bone_names([before, after]);
        let pairs = Pairs::of(&old, &new);
        self.named("bone", &pairs, &old, &new);
        let [parents_before, parents_after] =
            [before, after].map(|skeleton| skeleton.bones().map(|bone| bone.parent).collect::<Vec<_>>());
        for (one, other) in pairs.both.iter().filter(|_| before.has_names() && after.has_names()) {
            let parent = |parents: &[Option<usize>], names: &[String], bone: usize| {
                let parent = parents.get(bone).copied().flatten().and_then(|parent| names.get(parent));
                parent.map_or("none", String::as_str).to_owned()
            };
            let (was, is) = (parent(&parents_before, &old, *one), parent(&parents_after, &new, *other));
            if let Some(name) = new.get(*other).filter(|_| !was.trim_end().eq_ignore_ascii_case(is.trim_end())) {
                self.rows.push(Difference::new(Change::Reparented, "bone", name).from(was, is));
            }
        }
        // The order of what both have.
        let mut sorted: Vec<usize> = pairs.both.iter().map(|(_, other)| *other).collect();
        sorted.sort_unstable();
        let elsewhere = pairs.both.iter().zip(&sorted).filter(|((_, other), sorted)| other != *sorted);
        let elsewhere: Vec<usize> = elsewhere.map(|((one, _), _)| *one).collect();
        self.sum("order of bones", Change::Changed, &elsewhere, None, pairs.both.len());
        pairs
    }

    /// Bones whose bind pose differs.
    fn bind(&mut self, before: &Mesh<'_>, after: &Mesh<'_>, bones: &[(usize, usize)]) {
        let [_, names] = bone_names([&before.skeleton(), &after.skeleton()]);
        let [old, new] = [before, after].map(|mesh| mesh.skeleton().bones().map(|bone| bone.bind).collect::<Vec<_>>());
        for (one, other) in bones {
            let (Some(Some(was)), Some(Some(is))) = (old.get(*one), new.get(*other)) else { continue };
            if let Some(name) = names.get(*other) {
                self.transform("bone", name, was, is);
            }
        }
    }

    /// A place or a rotation that differs.
    fn transform(&mut self, what: &'static str, name: &str, was: &Transform, is: &Transform) {
        if !self.is_measured {
            return;
        }
        let moved = distance(was.translation, is.translation);
        if self.is_large(moved) {
            let row = Difference::new(Change::Moved, what, name);
            self.rows.push(row.from(place(was.translation), place(is.translation)).by(moved));
        }
        let turned = angle(was.rotation, is.rotation);
        if self.is_large(turned) {
            self.rows.push(Difference::new(Change::Turned, what, name).by(turned));
        }
        let scaled = distance(was.scale, is.scale);
        if self.is_large(scaled) {
            let [before, after] = [was, is].map(|own| format!("scale {}", place(own.scale)));
            self.rows.push(Difference::new(Change::Changed, what, name).from(before, after).by(scaled));
        }
    }

    fn materials(&mut self, before: &Mesh<'_>, after: &Mesh<'_>) {
        let names = |mesh: &Mesh<'_>| -> Vec<String> {
            (0..).map_while(|index| mesh.material(index)).map(|name| name.to_string()).collect()
        };
        let (old, new) = (names(before), names(after));
        let pairs = Pairs::of(&old, &new);
        self.named("material", &pairs, &old, &new);
        for (was, is) in pairs.both.into_iter().filter(|(was, is)| was != is) {
            if let Some(name) = new.get(is) {
                self.rows
                    .push(Difference::new(Change::Changed, "material", name).from(was.to_string(), is.to_string()));
            }
        }
    }

    /// Morph targets, and sockets or prop points.
    fn parts(&mut self, before: &Mesh<'_>, after: &Mesh<'_>) {
        let [one, other] = [before, after].map(|mesh| mesh.levels().count());
        if one != other {
            let row = Difference::new(Change::Changed, "count", "levels");
            self.rows.push(row.from(one.to_string(), other.to_string()));
        }
        let [old, new] = [before, after]
            .map(|mesh| mesh.to_morphs().iter().map(|morph| morph.name().to_string()).collect::<Vec<String>>());
        self.named("morph target", &Pairs::of(&old, &new), &old, &new);
        let [one, other] = [before, after].map(Mesh::to_attachments);
        let [old, new] =
            [&one, &other].map(|list| list.iter().map(|own| own.name.to_string()).collect::<Vec<String>>());
        let pairs = Pairs::of(&old, &new);
        self.named("socket", &pairs, &old, &new);
        let [bones_before, bones_after] = bone_names([&before.skeleton(), &after.skeleton()]);
        let bone = |names: &[String], bone: Option<usize>| {
            bone.and_then(|bone| names.get(bone)).map_or("none", String::as_str).to_owned()
        };
        for (was, is) in pairs.both {
            if let (Some(was), Some(is), Some(name)) = (one.get(was), other.get(is), new.get(is)) {
                let [parent_before, parent_after] = [bone(&bones_before, was.bone), bone(&bones_after, is.bone)];
                if !parent_before.trim_end().eq_ignore_ascii_case(parent_after.trim_end()) {
                    let row = Difference::new(Change::Reparented, "socket", name);
                    self.rows.push(row.from(parent_before, parent_after));
                }
                self.transform("socket", name, &was.transform, &is.transform);
            }
        }
    }

    /// Points, corners and weights, where their numbers are the same.
    fn geometry(&mut self, before: &Mesh<'_>, after: &Mesh<'_>) {
        let points = before.point_count();
        if points == after.point_count() {
            let moved = (0..points).filter_map(|at| Some((at, distance(before.position(at)?, after.position(at)?))));
            let (moved, distances): (Vec<usize>, Vec<f64>) = moved.filter(|(_, moved)| self.is_large(*moved)).unzip();
            let larger = |one: f64, other: f64| if other.is_nan() || other > one { other } else { one };
            let largest = Some(distances.into_iter().fold(0.0, larger));
            self.sum("points", Change::Moved, &moved, largest, points);
            let turned = (0..points).filter_map(|at| Some((at, distance(before.normal(at)?, after.normal(at)?))));
            let turned: Vec<usize> = turned.filter(|(_, turned)| self.is_large(*turned)).map(|(at, _)| at).collect();
            self.sum("normals", Change::Changed, &turned, None, points);
        }
        let faces = before.triangle_count();
        if faces == after.triangle_count() {
            let corners = |mesh: &Mesh<'_>, at| mesh.triangle(at).map(|face| (face.vertices, face.material));
            let changed: Vec<usize> = (0..faces).filter(|at| corners(before, *at) != corners(after, *at)).collect();
            self.sum("faces", Change::Changed, &changed, None, faces);
        }
        if before.vertex_count() == after.vertex_count() && before.uv_set_count() == after.uv_set_count() {
            for set in 0..before.uv_set_count().min(MAX_UV_SETS) {
                let Some((old, new)) = before.uvs(set).zip(after.uvs(set)) else { continue };
                let is_moved = |(old, new): (&skelmap::Vec2, &skelmap::Vec2)| {
                    let ([u, v], [to_u, to_v]) = (old.get(), new.get());
                    self.is_large(distance([u, v, 0.0], [to_u, to_v, 0.0]))
                };
                let pairs = old.iter().zip(new.iter()).enumerate();
                let changed: Vec<usize> = pairs.filter(|(_, pair)| is_moved(*pair)).map(|(at, _)| at).collect();
                let what = format!("texture coordinates of set {set}");
                self.sum(&what, Change::Changed, &changed, None, before.vertex_count());
            }
        }
    }

    /// The weights of points as the files have them, by the names of bones.
    fn weights(&mut self, before: &Mesh<'_>, after: &Mesh<'_>, bones: &[(usize, usize)]) {
        let points = before.point_count();
        if points != after.point_count() || before.bone_count() == 0 || after.bone_count() == 0 {
            return;
        }
        // The bone after the last one is the model.
        let mut numbers: Vec<Option<usize>> = vec![None; before.bone_count()];
        for (one, other) in bones {
            numbers.get_mut(*one).into_iter().for_each(|number| *number = Some(*other));
        }
        numbers.push(Some(after.bone_count()));
        // As the files have them: a table that draws would hide the sums, and the weakest of many.
        let weights = |mesh: &Mesh<'_>, number: &dyn Fn(usize) -> Option<usize>| {
            let mut all: Vec<Weight> = Vec::new();
            mesh.each_influence(|point, bone, weight| {
                let bone = usize::try_from(bone).ok().and_then(number).and_then(|bone| u32::try_from(bone).ok());
                all.extend(u32::try_from(point).ok().map(|point| Weight { point, bone, weight }));
            });
            all.sort_by_key(|own| (own.point, own.bone));
            all
        };
        let old = weights(before, &|bone| numbers.get(bone).copied().flatten());
        let new = weights(after, &|bone| (bone <= after.bone_count()).then_some(bone));
        let (mut old, mut new) = (&old[..], &new[..]);
        let changed: Vec<usize> = (0..points)
            .filter(|point| {
                let [old, new] = [&mut old, &mut new].map(|rows| of_point(rows, *point));
                let bones: BTreeSet<_> = old.iter().chain(new).map(|own| own.bone).collect();
                bones.into_iter().any(|bone| {
                    let [old, new] = [old, new].map(|rows| sum_of(rows, bone));
                    old.to_bits() != new.to_bits() && self.is_large((old - new).abs())
                })
            })
            .collect();
        self.sum("weights of points", Change::Changed, &changed, None, points);
    }

    /// A row for many records that differ, if there are any: how many, and the numbers of the first four, counted from 0.
    fn sum(&mut self, name: &str, change: Change, records: &[usize], largest: Option<f64>, all: usize) {
        const MAX_NAMED: usize = 4;
        if records.is_empty() {
            return;
        }
        let named: Vec<String> = records.iter().take(MAX_NAMED).map(ToString::to_string).collect();
        let more = if records.len() > MAX_NAMED { ", ..." } else { "" };
        let (differ, numbers) = if records.len() == 1 { ("differs", "number") } else { ("differ", "numbers") };
        let after = format!("{} {differ} ({numbers} {}{more})", records.len(), named.join(", "));
        let row = Difference::new(change, "records", name).from(all.to_string(), after);
        self.rows.push(Difference { difference: largest, ..row });
    }
}

/// The most UV sets that are compared.
const MAX_UV_SETS: usize = 64;

fn place(place: [f32; 3]) -> String {
    place.map(|value| figure(value.into())).join(" ")
}

/// The distance between two places: 0 where their bits are the same.
fn distance(from: [f32; 3], to: [f32; 3]) -> f64 {
    if from.map(f32::to_bits) == to.map(f32::to_bits) {
        return 0.0;
    }
    let square: f64 = from.iter().zip(to).map(|(from, to)| (f64::from(to) - f64::from(*from)).powi(2)).sum();
    square.sqrt()
}

/// The angle between two rotations, in radians: 0 where their bits are the same.
fn angle(from: [f32; 4], to: [f32; 4]) -> f64 {
    if from.map(f32::to_bits) == to.map(f32::to_bits) {
        return 0.0;
    }
    let [from, to] = [from, to].map(|rotation| rotation.map(f64::from));
    let dot = |one: [f64; 4], other: [f64; 4]| one.iter().zip(other).map(|(one, other)| one * other).sum::<f64>();
    let length = (dot(from, from) * dot(to, to)).sqrt();
    // Of a small angle, the sine is known better than the cosine.
    let away: [f64; 4] = std::array::from_fn(|at| {
        let sign = if dot(from, to) < 0.0 { -1.0 } else { 1.0 };
        from.get(at).zip(to.get(at)).map_or(0.0, |(from, to)| from - sign * to)
    });
    // No number stays none.
    4.0 * (dot(away, away).sqrt() / length.sqrt() / 2.0).clamp(0.0, 1.0).asin()
}

/// Adds what differs. `false` if sequences share so many keys that not all were compared.
fn compare_motion(before: &Asset<'_>, after: &Asset<'_>, found: &mut Found) -> bool {
    let (old, new): (Vec<Clip<'_>>, Vec<Clip<'_>>) = (before.clips().collect(), after.clips().collect());
    let names = |clips: &[Clip<'_>]| -> Vec<String> {
        let name = |clip: &Clip<'_>| clip.name().map(|name| name.to_string()).unwrap_or_default();
        clips.iter().map(name).collect()
    };
    let (old_names, new_names) = (names(&old), names(&new));
    let mut pairs = Pairs::of(&old_names, &new_names);
    // Formats of one animation in a file: it is the same one, whatever its name is.
    if let ([_], [_], [was], [is]) = (&old[..], &new[..], &old_names[..], &new_names[..]) {
        if !pairs.added.is_empty() {
            found.rows.push(Difference::new(Change::Changed, "sequence", is).from(was, is));
        }
        pairs = Pairs { both: vec![(0, 0)], removed: Vec::new(), added: Vec::new() };
    }
    found.named("sequence", &pairs, &old_names, &new_names);
    // Sequences can share keys, so that their number is not bounded by the size of the file.
    let mut left = before.bytes().len().saturating_add(after.bytes().len());
    for (one, other) in pairs.both {
        let (Some(was), Some(is), Some(name)) = (old.get(one), new.get(other), new_names.get(other)) else { continue };
        compare_clips(was, is, name, found, &mut left);
    }
    left > 0
}

fn compare_clips(before: &Clip<'_>, after: &Clip<'_>, name: &str, found: &mut Found, left: &mut usize) {
    let rate = |clip: &Clip<'_>| clip.stored_rate();
    let text = |clip: &Clip<'_>| format!("{} frames at {} a second", clip.frame_count(), rate(clip));
    let is_same_rate = rate(before).to_bits() == rate(after).to_bits();
    if before.frame_count() != after.frame_count() || !is_same_rate {
        found.rows.push(Difference::new(Change::Changed, "sequence", name).from(text(before), text(after)));
    }
    if !found.is_measured {
        return;
    }
    // The names of all tracks are work too, also of clips without frames.
    let Some(rest) = left.checked_sub(before.track_count().saturating_add(after.track_count())) else {
        *left = 0;
        return;
    };
    *left = rest;
    let [old, new] = bone_names([&before.skeleton(), &after.skeleton()]);
    let tracks = |clip: &Clip<'_>, bones: &[String]| -> Vec<String> {
        let bone = |track: usize| clip.bone_of(track).unwrap_or(track);
        (0..clip.track_count())
            .map(|track| bones.get(bone(track)).cloned().unwrap_or_else(|| bone(track).to_string()))
            .collect()
    };
    let (old, new) = (tracks(before, &old), tracks(after, &new));
    let pairs = Pairs::of(&old, &new).both;
    let frames = before.frame_count().min(after.frame_count());
    let [starts_before, starts_after] = [before, after].map(Clip::to_starts);
    let (before, after) = (before.listed(&starts_before), after.listed(&starts_after));
    let [parts_before, parts_after] = [&before, &after].map(|clip| clip.missing().collect::<Vec<_>>());
    for (one, other) in pairs {
        let bone = new.get(other).map_or("", String::as_str);
        // A file with one animation has no name for it.
        let name = if name.is_empty() { bone.to_string() } else { format!("{name}: {bone}") };
        let was = parts_before.get(one).copied().unwrap_or_default();
        let is = parts_after.get(other).copied().unwrap_or_default();
        if was != is {
            found.rows.push(Difference::new(Change::Changed, "track", &name).from(keyed(was), keyed(is)));
        }
        let mut largest = [(0.0, 0); 3];
        for frame in 0..frames {
            let Some(rest) = left.checked_sub(1) else { return };
            *left = rest;
            let (Some(was), Some(is)) = (before.transform(frame, one), after.transform(frame, other)) else { break };
            for (largest, difference) in largest.iter_mut().zip(differences(&was, &is)) {
                if difference > largest.0 || difference.is_nan() && !largest.0.is_nan() {
                    *largest = (difference, frame);
                }
            }
        }
        let changes = [Change::Moved, Change::Turned, Change::Changed].into_iter().zip(largest);
        for (change, (difference, frame)) in changes {
            if !found.is_large(difference) {
                continue;
            }
            let mut row = Difference::new(change, "track", &name).by(difference);
            let part = if change == Change::Changed { "scale, " } else { "" };
            row.after = Some(format!("{part}most at frame {frame}"));
            found.rows.push(row);
        }
    }
}

/// The parts of a track that have keys.
fn keyed(missing: TrackSources) -> String {
    let parts = [("translation", missing.translation), ("rotation", missing.rotation), ("scale", missing.scale)];
    let own: Vec<_> = parts.iter().filter(|(_, source)| *source == Source::Animation).map(|(name, _)| *name).collect();
    if own.is_empty() { "no keys".to_owned() } else { format!("keys of {}", own.join(", ")) }
}

/// How far a bone is away, how much it is turned, and how much larger it is.
fn differences(was: &Transform, is: &Transform) -> [f64; 3] {
    [distance(was.translation, is.translation), angle(was.rotation, is.rotation), distance(was.scale, is.scale)]
}

/// The names of things, as they are compared: the very names first, then in any ASCII case; without blanks at the end. The second one of a name meets the second
/// one of the other file.
struct Pairs {
    /// The numbers of what both have.
    both: Vec<(usize, usize)>,
    removed: Vec<usize>,
    added: Vec<usize>,
}

impl Pairs {
    fn of(before: &[String], after: &[String]) -> Self {
        let mut pairs =
            Self { both: Vec::new(), removed: (0..before.len()).collect(), added: (0..after.len()).collect() };
        pairs.find(before, after, |name| name.trim_end().to_owned());
        pairs.find(before, after, |name| name.trim_end().to_ascii_lowercase());
        pairs.both.sort_unstable();
        pairs
    }

    /// Joins those of the rest that have the same key.
    fn find(&mut self, before: &[String], after: &[String], key: impl Fn(&str) -> String) {
        let keys = |numbers: &[usize], names: &[String]| {
            let mut seen: HashMap<String, usize> = HashMap::new();
            let key = |at: &usize| {
                let name = key(names.get(*at).map_or("", String::as_str));
                let count = seen.entry(name.clone()).or_default();
                *count += 1;
                ((name, *count), *at)
            };
            numbers.iter().map(key).collect::<Vec<_>>()
        };
        let mut others: HashMap<(String, usize), usize> = keys(&self.removed, before).into_iter().collect();
        let added = keys(&self.added, after);
        self.added.clear();
        for (key, index) in added {
            match others.remove(&key) {
                Some(other) => self.both.push((other, index)),
                None => self.added.push(index),
            }
        }
        self.removed = others.into_values().collect();
        self.removed.sort_unstable();
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use test_support::actorx::build::{Anim, Info, Key, Mesh as Built, Wedge, chain};
    use test_support::actorx::corpus::sample::{changed, figure, uvs};
    use test_support::pyrogenesis::build::Pmd;

    use super::*;

    fn compared(before: impl Into<Vec<u8>>, after: impl Into<Vec<u8>>, tolerance: f64) -> (Vec<Difference>, bool) {
        let (before, after) = (before.into(), after.into());
        compare(&Asset::parse(&before).expect("sound"), &Asset::parse(&after).expect("sound"), tolerance)
    }

    /// The names of what differs in a mesh from the figure, and how many do.
    fn differs(after: impl Into<Vec<u8>>, tolerance: f64) -> Vec<(String, String)> {
        let text = |text: Option<String>| text.unwrap_or_default();
        let (rows, is_whole) = compared(figure().chunks(), after, tolerance);
        assert!(is_whole);
        rows.into_iter().map(|row| (text(row.name), text(row.after))).collect()
    }

    fn is(name: &str, after: &str) -> (String, String) {
        (name.to_owned(), after.to_owned())
    }

    /// The real part of a quaternion is the cosine of half the angle; a quaternion and its negative are one rotation.
    #[test]
    fn the_angle_of_two_rotations_is_that_of_the_turn_between_them() {
        let half = 0.5_f32.sqrt();
        let (none, quarter) = ([0.0, 0.0, 0.0, 1.0], [0.0, 0.0, half, half]);
        let times = |rotation: [f32; 4], factor: f32| rotation.map(|part| factor * part);
        let cases = [
            (none, quarter, PI / 2.0),
            (none, times(quarter, -1.0), PI / 2.0),
            (quarter, [0.0, 0.0, half, -half], PI),
            ([0.0, 0.0, 1.0, 0.0], none, PI),
            ([1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], PI),
            (none, times(none, -1.0), 0.0),
            (times(none, 2.0), times(quarter, 2.0), PI / 2.0),
            ([0.5; 4], none, 2.0 * PI / 3.0),
        ];
        for (from, to, expected) in cases {
            let found = angle(from, to);
            assert!((found - expected).abs() < 1e-6, "{from:?} {to:?}: {found}");
            assert!((angle(to, from) - expected).abs() < 1e-6);
        }
        assert!(angle(none, [f32::NAN; 4]).is_nan());
    }

    #[test]
    fn a_bone_that_moved_is_told_with_both_places() {
        let after = changed(|mesh| mesh.bones[1].position = [1.0, -2.5, 20.0]);
        let (rows, _) = compared(figure().chunks(), after, 0.0);
        let [row] = &rows[..] else { panic!("{rows:?}") };
        assert_eq!((row.before.as_deref(), row.after.as_deref()), (Some("0 0 20"), Some("1 -2.50 20")));
    }

    #[test]
    fn texture_coordinates_are_compared_where_vertices_and_sets_are_as_many() {
        let moved = |mesh: &mut Built| mesh.wedges[3].u += 0.5;
        let set = "texture coordinates of set 0";
        assert_eq!(differs(changed(moved), 0.0), [is(set, "1 differs (number 3)")]);
        assert_eq!(differs(changed(moved), 0.5), []);
        let more = changed(|mesh| {
            moved(mesh);
            mesh.wedges.push(Wedge::new(0, [0.0; 2], 0));
        });
        assert_eq!(differs(more, 0.0), [is("wedges", "25")]);
        let sets = changed(moved).records("EXTRAUVS0", &uvs(0.5));
        assert_eq!(differs(sets, 0.0), [is("uv_sets", "2")]);
    }

    #[test]
    fn weights_are_compared_where_points_are_as_many_and_both_have_bones() {
        // The fifth point has 0.75 of one bone and 0.25 of another.
        let halves = |mesh: &mut Built| [4, 5].into_iter().for_each(|at| mesh.weights[at].weight = 0.5);
        assert_eq!(differs(changed(halves), 0.0), [is("weights of points", "1 differs (number 4)")]);
        assert_eq!(differs(changed(halves), 0.25), []);
        // A sum that is not 1 is none of the table that draws, and one of the file.
        let half = changed(|mesh| mesh.weights[0].weight = 0.5);
        assert_eq!(differs(half, 0.25), [is("weights of points", "1 differs (number 0)")]);
        // The tolerance holds for an influence that one file does not have; records of a bone are added.
        let added = |bone: i32, weight: f32| {
            changed(move |mesh| {
                let first = mesh.weights[0];
                mesh.weights[0].weight = 1.0 - weight;
                mesh.weights.push(test_support::actorx::build::Weight { bone, weight, ..first });
            })
        };
        let of_weights =
            |made, tolerance| differs(made, tolerance).into_iter().filter(|row| row.0 == "weights of points").count();
        assert_eq!(of_weights(added(1, 1e-6), 0.1), 0);
        assert_eq!(of_weights(added(1, 1e-6), 0.0), 1);
        assert_eq!(of_weights(added(0, 0.5), 0.0), 0);
        // Another bone with the same weight.
        let other = changed(|mesh| mesh.weights[0].bone = 1);
        assert_eq!(differs(other, 0.99), [is("weights of points", "1 differs (number 0)")]);
        let fewer = changed(|mesh| {
            halves(mesh);
            mesh.points.pop();
        });
        assert_eq!(differs(fewer, 0.0), [is("points", "7")]);
        // Their number differs, and four bones are in one mesh only.
        let without = || changed(|mesh| mesh.bones.clear());
        let (rows, _) = compared(without(), figure().chunks(), 0.0);
        assert!([differs(without(), 0.0).len(), rows.len()] == [5, 5] && rows.iter().all(|row| row.what != "records"));
    }

    #[test]
    fn the_second_one_of_a_name_meets_the_second_one() {
        let pairs = |before: &[&str], after: &[&str]| {
            let [before, after] =
                [before, after].map(|names| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
            let Pairs { both, removed, added } = Pairs::of(&before, &after);
            (both, removed, added)
        };
        assert_eq!(pairs(&["a", "b", "a"], &["a ", "a", "c"]), (vec![(0, 0), (2, 1)], vec![1], vec![2]));
        // Names in the same case meet first.
        assert_eq!(pairs(&["Skin", "skin"], &["skin", "Skin"]), (vec![(0, 1), (1, 0)], vec![], vec![]));
        assert_eq!(pairs(&["Skin", "skin"], &["skin"]), (vec![(1, 0)], vec![0], vec![]));
        assert_eq!(pairs(&["Skin", "b"], &["SKIN", "c"]), (vec![(0, 0)], vec![1], vec![1]));
    }

    /// One bone with a sequence for each name, which all have the same keys; the bone is moved in some frames.
    fn shared(names: impl Iterator<Item = String>, frames: u16, moved: &[usize]) -> Vec<u8> {
        let key = |frame: u16| {
            let x = if moved.contains(&frame.into()) { 2.0 } else { 0.0 };
            Key { position: [x, 0.0, 0.0], rotation: [0.0, 0.0, 0.0, 1.0], time: 1.0 }
        };
        let infos = names.map(|name| Info::new(name, 1, 0, frames.into(), 10.0)).collect();
        Anim { bones: chain(1), infos, keys: (0..frames).map(key).collect(), scale_keys: Vec::new() }.chunks().into()
    }

    #[test]
    fn the_first_of_the_frames_with_the_largest_difference_is_told() {
        let file = |moved: &[usize]| shared(["walk".to_owned()].into_iter(), 5, moved);
        let (rows, is_whole) = compared(file(&[]), file(&[1, 3]), 0.0);
        let [row] = &rows[..] else { panic!("{rows:?}") };
        assert_eq!((row.after.as_deref(), row.difference), (Some("most at frame 1"), Some(2.0)));
        assert!(is_whole);
    }

    /// 450 sequences of 450 frames are 202,500 keys in two files of about 90,000 bytes.
    #[test]
    fn keys_that_sequences_share_are_not_compared_without_end() {
        let file = |moved: &[usize]| shared((0..450).map(|index| index.to_string()), 450, moved);
        let (before, after) = (file(&[]), file(&[0]));
        assert!(before.len() + after.len() < 202_500);
        let (rows, is_whole) = compared(before, after, 0.0);
        assert!(!is_whole && !rows.is_empty() && rows.len() < 450, "{}", rows.len());
    }

    #[test]
    fn the_first_four_of_many_records_are_named() {
        let set = "texture coordinates of set 0";
        let moved = |count: usize| changed(move |mesh| mesh.wedges[..count].iter_mut().for_each(|own| own.u += 0.5));
        assert_eq!(differs(moved(4), 0.0), [is(set, "4 differ (numbers 0, 1, 2, 3)")]);
        assert_eq!(differs(moved(5), 0.0), [is(set, "5 differ (numbers 0, 1, 2, 3, ...)")]);
        assert_eq!(differs(moved(6), 0.0), [is(set, "6 differ (numbers 0, 1, 2, 3, ...)")]);
    }

    /// The bone after the last one is the model.
    #[test]
    fn points_that_are_bound_to_the_model_have_the_same_weights_in_two_equal_meshes() {
        let mesh = |bone: u8| {
            let mut mesh = Pmd { version: 4, ..Pmd::grid(3, 2, 4, 1) };
            mesh.vertices.iter_mut().for_each(|own| (own.bones, own.weights) = ([bone, 0xFF, 0xFF, 0xFF], [1.0; 4]));
            mesh.build().bytes
        };
        let weights = |after: u8| {
            let (rows, _) = compared(mesh(4), mesh(after), 0.0);
            rows.into_iter().filter(|row| row.name.as_deref() == Some("weights of points")).count()
        };
        assert_eq!((weights(4), weights(3)), (0, 1));
    }

    /// A file without a clip has no axes, and neither have the files of SWAT 3.
    #[test]
    fn places_of_unrelated_formats_are_not_compared_whatever_their_axes_are() {
        let actorx = Anim::default().chunks().build().bytes;
        let swat3 = std::fs::read("../../corpus/officer_walk.gsa").expect("an animation");
        let [actorx, swat3] = [&actorx, &swat3].map(|bytes| Asset::parse(bytes).expect("sound"));
        assert!(actorx.clips().all(|clip| clip.space().is_none()) && swat3.clips().all(|clip| clip.space().is_none()));
        assert!(!is_measured(&actorx, &swat3) && is_measured(&swat3, &swat3));
    }
}
