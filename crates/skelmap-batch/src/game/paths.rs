//! The names and folders of files of a mod: where those of a mesh lie, and how actors name them.

use std::path::{Path, PathBuf};

use skelmap_write::clean_name;

/// The longest name of a clip in the name of a file, and in an actor.
const MAX_NAME: usize = 64;

/// The end of the names of what the game makes of its sources.
pub(super) const CACHED: &str = ".dae.cached";

/// The folders of a mod for meshes, animations and actors.
pub(super) const MESHES: [&str; 2] = ["art", "meshes"];
const ANIMATIONS: [&str; 2] = ["art", "animation"];
pub(super) const ACTORS: [&str; 2] = ["art", "actors"];

/// The name of a mesh without its ends.
pub(super) fn stem(mesh: &Path) -> String {
    let name = mesh.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    name.strip_suffix(CACHED).map(ToOwned::to_owned).unwrap_or(name)
}

/// The file of an animation: named after the mesh, in the folder of animations of a mod, else beside the mesh.
pub(super) fn animation_path(mesh: &Path, clip: &str) -> PathBuf {
    let stem = stem(mesh);
    let own = short_name(clip);
    // Clips often have the name of their mesh already.
    let name = if own.to_lowercase().starts_with(&stem.to_lowercase()) { own } else { format!("{stem}_{own}") };
    let is_cached = mesh.file_stem().unwrap_or_default().to_string_lossy().ends_with(CACHED);
    let end = if is_cached { CACHED } else { "" };
    moved(mesh, ANIMATIONS).with_file_name(format!("{}{end}.psa", name.to_lowercase()))
}

/// The name of a clip as the game cleans names: letters, digits, `_` and `-`; at most 64 of them.
pub(super) fn short_name(clip: &str) -> String {
    let name: String = clean_name(clip).chars().take(MAX_NAME).collect();
    if name.is_empty() { "clip".to_owned() } else { name }
}

pub(super) fn actor_path(mesh: &Path) -> PathBuf {
    moved(mesh, ACTORS).with_file_name(format!("{}.xml", stem(mesh)))
}

/// The path with another folder in place of `art/meshes`, if it leads through that.
pub(super) fn moved(mesh: &Path, to: [&str; 2]) -> PathBuf {
    let parts: Vec<_> = mesh.iter().collect();
    let Some(at) = parts.windows(2).rposition(|pair| pair.iter().zip(MESHES).all(|(own, name)| *own == name)) else {
        return mesh.to_owned();
    };
    parts
        .iter()
        .take(at)
        .map(PathBuf::from)
        .chain(to.map(PathBuf::from))
        .chain(parts.iter().skip(at.saturating_add(MESHES.len())).map(PathBuf::from))
        .collect()
}

/// A relative path from a folder within a mod as a whole path, which has the folders of the mod.
pub(super) fn in_mod(path: &Path) -> PathBuf {
    let is_in_mod = |path: &Path| moved(path, ACTORS) != path;
    let whole = std::path::absolute(path).ok().filter(|whole| !is_in_mod(path) && is_in_mod(whole));
    whole.unwrap_or_else(|| path.to_owned())
}

/// The path of a file below a folder of a mod, as actors name it: with `/`, and with the extension of a source where it stands for one.
fn below(path: &Path, folder: [&str; 2]) -> String {
    let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    let at = parts.windows(2).rposition(|pair| pair.iter().zip(folder).all(|(own, name)| own == name));
    let own = at.map_or_else(
        || parts.last().cloned().unwrap_or_default(),
        |at| parts.iter().skip(at.saturating_add(2)).cloned().collect::<Vec<_>>().join("/"),
    );
    let source = own.rsplit_once('.').and_then(|(name, _)| name.strip_suffix(CACHED).map(|name| format!("{name}.dae")));
    source.unwrap_or(own)
}

/// The path of a mesh as actors name it.
pub(super) fn mesh_name(path: &Path) -> String {
    below(path, MESHES)
}

/// The path of an animation as actors name it.
pub(super) fn animation_name(path: &Path) -> String {
    below(path, ANIMATIONS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_of_a_mod_lie_in_its_folders() {
        let mesh = Path::new("mods/mine/art/meshes/skeletal/horse.pmd");
        assert_eq!(animation_path(mesh, "Walk"), Path::new("mods/mine/art/animation/skeletal/horse_walk.psa"));
        assert_eq!(animation_path(mesh, "horse_run"), Path::new("mods/mine/art/animation/skeletal/horse_run.psa"));
        assert_eq!(actor_path(mesh), Path::new("mods/mine/art/actors/skeletal/horse.xml"));
        assert_eq!(animation_path(Path::new("out/horse.pmd"), "../x"), Path::new("out/horse____x.psa"));
        assert_eq!(animation_path(Path::new("horse.pmd"), "a\u{202E}gnp.exe"), Path::new("horse_a___gnp_exe.psa"));
        assert_eq!(short_name(&"x".repeat(100_000)).len(), MAX_NAME);
        let cached = Path::new("art/meshes/horse.dae.cached.pmd");
        assert_eq!(animation_path(cached, "Walk"), Path::new("art/animation/horse_walk.dae.cached.psa"));
        assert_eq!(mesh_name(cached), "horse.dae");
        assert_eq!(mesh_name(mesh), "skeletal/horse.pmd");
        assert_eq!(animation_name(Path::new("art/animation/a/b.psa")), "a/b.psa");
    }
}
