//! What the names of files say of meshes and their animations.

use std::path::Path;

use skelmap::archive::Address;

/// The name of a file without folders and extension, and without what caches add: `horse` of `art/horse.dae.cached.pmd`.
pub fn stem(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let stem = name.rsplit_once('.').map_or(&*name, |(stem, _)| if stem.is_empty() { &*name } else { stem });
    let stem =
        stem.strip_suffix(".cached").map_or(stem, |source| source.rsplit_once('.').map_or(source, |(stem, _)| stem));
    if stem.is_empty() { "unnamed".to_owned() } else { stem.to_owned() }
}

/// The [`stem`] of a file or an entry.
pub fn stem_of(address: &Address) -> String {
    stem(address.entry().map_or_else(|| address.path(), Path::new))
}

/// Words that say what a file holds, and not whom it is about.
const KINDS: [&str; 11] = [
    "skeletalmesh",
    "skelmesh",
    "mesh",
    "skel",
    "animations",
    "animation",
    "animset",
    "anims",
    "anim",
    "sequences",
    "sequence",
];

/// Whom a file is about: its [`stem`] in lower case without its level of detail and without words such as `Mesh` and `Anims`. A mesh and an
/// animation with equal names belong together: `skPigMesh` and `skPigAnims`.
pub(super) fn subject(stem: &str) -> String {
    let lower = stem.to_lowercase();
    let mut rest = lower.as_str();
    loop {
        let shorter = without_level(rest).or_else(|| KINDS.iter().find_map(|kind| rest.strip_suffix(kind)));
        match shorter.map(|shorter| shorter.trim_end_matches(is_between)).filter(|shorter| !shorter.is_empty()) {
            Some(shorter) => rest = shorter,
            None => return rest.to_owned(),
        }
    }
}

/// The level of detail that a [`stem`] ends with: 1 of `Hero_LOD1`.
pub(crate) fn level_of_detail(stem: &str) -> Option<u32> {
    let lower = stem.to_lowercase();
    without_level(&lower)?;
    lower.rsplit(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// Without `LOD0` at the end.
fn without_level(name: &str) -> Option<&str> {
    let rest = name.trim_end_matches(|c: char| c.is_ascii_digit());
    rest.trim_end_matches(is_between).strip_suffix("lod")
}

fn is_between(c: char) -> bool {
    !c.is_alphanumeric()
}

/// The subjects that the name of an animation may begin with, the longest first: `skPigRun` is about `skPigRun` or `skPig`. A subject ends
/// where a word ends. At most [`MAX_SUBJECTS`].
pub(super) fn subjects(stem: &str) -> Vec<String> {
    let mut found = vec![subject(stem)];
    let mut last: Option<char> = None;
    let mut ends: Vec<usize> = Vec::new();
    for (at, c) in stem.char_indices() {
        let is_end =
            last.is_some_and(|last| is_between(c) && !is_between(last) || c.is_uppercase() && last.is_lowercase());
        ends.extend(is_end.then_some(at));
        last = Some(c);
    }
    let longest = ends.iter().rev().take(MAX_SUBJECTS).filter_map(|end| stem.get(..*end));
    found.extend(longest.map(subject));
    found.dedup();
    found
}

/// The most subjects of one name. Names of files have fewer words.
const MAX_SUBJECTS: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mesh_and_its_animation_are_about_the_same() {
        for (mesh, animation) in [
            ("skPigMesh", "skPigAnims"),
            ("Grunt_Preview_LOD0", "grunt_preview_anim"),
            ("hero_lod_1", "Hero"),
            ("fox", "fox_Animations"),
        ] {
            assert_eq!(subject(mesh), subject(animation), "{mesh}");
        }
        assert_ne!(subject("skGinnyMesh"), subject("skGinnyPrivetAnims"));
        assert_eq!(
            (subject("Mesh"), subject("LOD0"), subject("anims_")),
            ("mesh".into(), "lod0".into(), "anims_".into())
        );
    }

    #[test]
    fn an_animation_may_be_about_what_its_name_begins_with() {
        assert_eq!(subjects("horse_gallop"), ["horse_gallop", "horse"]);
        assert_eq!(subjects("skPigRunAnims"), ["skpigrun", "skpig", "sk"]);
        assert_eq!(subjects("horseman"), ["horseman"]);
    }

    #[test]
    fn a_level_of_detail_is_the_number_at_the_end() {
        let found = ["Grunt_Preview_LOD0", "hero_lod_12", "Hero2", "Hero_LOD", "LOD1_Hero"].map(level_of_detail);
        assert_eq!(found, [Some(0), Some(12), None, None, None]);
    }
}
