//! What all files of a run share: skeletons, and a mesh that tells the axes of joints.

use std::fs;
use std::path::{Path, PathBuf};

use skelmap::Asset;
use skelmap::archive::Address;
use skelmap::pyrogenesis::BoneState;
use skelmap::pyrogenesis::skeleton::SkeletonFile;
use skelmap::shared::to_usize;

use super::{GameError, GameKind, GameOptions};
use crate::items::Item;
use crate::mods::parse_skeletons;
use crate::regular::read_regular;
use crate::{Find, Source, begins_as_archive};

/// The folder of skeletons in a mod.
const FOLDER: &str = "art/skeletons";

/// The most bytes of a file of skeletons: the limit of XML, and one that shows that there are more.
const MAX_BYTES: u64 = (1 << 20) + 1;

/// What is known for all files of a run.
pub(super) struct Known {
    /// None: no file was named or found.
    pub(super) skeletons: Option<SkeletonFile>,
    pub(super) like: Option<Vec<BoneState>>,
    /// The files of skeletons.
    pub(super) files: Vec<PathBuf>,
}

impl Known {
    /// Reads what the options name. `near`: paths above which `art/skeletons` is looked for, if the options name no file.
    pub(super) fn read<P: IntoIterator<Item = PathBuf>>(
        options: &GameOptions,
        kind: GameKind,
        source: &Source,
        near: impl FnOnce() -> P,
    ) -> Result<Self, GameError> {
        let paths = if options.joint_order || kind != GameKind::Pmd {
            Vec::new()
        } else if options.skeletons.is_empty() {
            near().into_iter().find_map(|path| above(&path)).into_iter().collect()
        } else {
            options.skeletons.clone()
        };
        let mut read = Vec::new();
        let mut skeletons = (!paths.is_empty()).then(SkeletonFile::default);
        for path in &paths {
            for file in files(path, source)? {
                let (file, shown) = (file.path().to_owned(), file);
                let unread = |message: String| GameError::Unread { path: shown.to_string().into(), message };
                let bytes = if shown.entry().is_none() {
                    read_regular(&file, MAX_BYTES).map_err(|error| unread(error.to_string()))?
                } else {
                    let opened = shown.open(&source.opener).map_err(|error| unread(error.into_io().to_string()))?;
                    opened.get(..to_usize(MAX_BYTES).min(opened.len())).unwrap_or_default().to_vec()
                };
                let own = parse_skeletons(&bytes).map_err(|error| unread(error.to_string()))?;
                if let Some(all) = &mut skeletons {
                    all.standard.extend(own.standard);
                    all.mapped.extend(own.mapped);
                }
                read.push(file);
            }
        }
        let like = options.like.as_deref().map(|path| read_bones(path, source)).transpose()?;
        Ok(Self { skeletons, like, files: read })
    }
}

/// The nearest folder of skeletons above a path.
fn above(path: &Path) -> Option<PathBuf> {
    let path = std::path::absolute(path).ok()?;
    path.ancestors().map(|folder| folder.join(FOLDER)).find(|folder| folder.is_dir())
}

/// A file, those of a folder, or those of an archive, in the order of their names: the game loads them so.
fn files(path: &Path, source: &Source) -> Result<Vec<Address>, GameError> {
    if !path.is_dir() {
        return of_archive(path, source);
    }
    let unread = |error: std::io::Error| GameError::Unread { path: path.to_owned(), message: error.to_string() };
    let mut found = Vec::new();
    for entry in fs::read_dir(path).map_err(unread)? {
        let file = entry.map_err(unread)?.path();
        if file.extension().is_some_and(|own| own.eq_ignore_ascii_case("xml")) {
            found.push(file);
        }
    }
    found.sort_unstable();
    Ok(found.into_iter().map(Address::of_file).collect())
}

/// The files of skeletons in an archive or in a folder of one; any other file is one itself.
fn of_archive(path: &Path, source: &Source) -> Result<Vec<Address>, GameError> {
    let address = Address::find(path);
    let is_xml = |name: &str| name.rsplit_once('.').is_some_and(|(_, end)| end.eq_ignore_ascii_case("xml"));
    let is_archive = begins_as_archive(address.path()).unwrap_or(false);
    if !is_archive || address.entry().is_some_and(is_xml) {
        return Ok(vec![address]);
    }
    let find = Find { others: true, ..Find::all(&[path]) };
    let mut found: Vec<Address> = find.sources(source)?.items().iter().map(Item::address).collect();
    found.retain(|own| own.entry().is_some_and(|name| is_xml(name) && name.starts_with(FOLDER)));
    found.sort_by_key(ToString::to_string);
    Ok(found)
}

/// The bones of a mesh of the game.
fn read_bones(path: &Path, source: &Source) -> Result<Vec<BoneState>, GameError> {
    let unread = |message: String| GameError::Unread { path: path.to_owned(), message };
    let bytes = Address::find(path).open(&source.opener).map_err(|error| unread(error.into_io().to_string()))?;
    match Asset::parse(&bytes) {
        Ok(Asset::PyrogenesisPmd(mesh)) if mesh.bone_count() > 0 => Ok(mesh.bones().to_vec()),
        Ok(_) => Err(unread("is no mesh of 0 A.D. with bones".to_owned())),
        Err(error) => Err(unread(error.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use test_support::build_zip::{Entry, Zip};
    use test_support::pyrogenesis::build::Pmd;

    use super::*;

    const XML: &str = "<s><standard_skeleton id='own'><bone name='hip'/></standard_skeleton></s>";

    /// Reads what options name; `near`: a path above which skeletons may lie.
    fn read(options: &GameOptions, kind: GameKind, near: &Path) -> Result<Known, GameError> {
        Known::read(options, kind, &Source::default(), || [near.to_owned()])
    }

    fn put(folder: &Path, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(&path, bytes).expect("written");
        path
    }

    #[test]
    fn skeletons_are_read_only_where_joints_need_them() {
        let folder = tempfile::tempdir().expect("a folder");
        let (near, missing) = (folder.path(), folder.path().join("missing.xml"));
        let named = GameOptions { skeletons: vec![missing.clone()], ..GameOptions::default() };
        let error = read(&named, GameKind::Pmd, near).err().expect("nothing to read");
        assert!(matches!(&error, GameError::Unread { path, .. } if *path == missing), "{error}");
        let in_order = GameOptions { joint_order: true, ..named.clone() };
        for (options, kind) in [(&in_order, GameKind::Pmd), (&named, GameKind::Psk), (&named, GameKind::Pskx)] {
            let known = read(options, kind, near).unwrap_or_else(|error| panic!("{kind:?}: {error}"));
            assert!(known.skeletons.is_none() && known.files.is_empty(), "{kind:?}");
        }
    }

    #[test]
    fn the_nearest_skeletons_above_a_path_are_those_of_its_mod() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = put(folder.path(), "mod/art/skeletons/own.xml", XML);
        put(folder.path(), "mod/art/skeletons/readme.txt", "no skeleton");
        put(folder.path(), "art/skeletons/far.xml", XML);
        let near = folder.path().join("mod/art/meshes/animal/fox.pmd");
        let known = read(&GameOptions::default(), GameKind::Pmd, &near).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(known.files, [file]);
        let standard = known.skeletons.expect("a file").standard;
        assert_eq!(standard.iter().map(|own| own.id.as_str()).collect::<Vec<_>>(), ["own"]);
    }

    #[test]
    fn the_skeletons_of_an_archive_are_those_of_its_folder_in_xml() {
        let folder = tempfile::tempdir().expect("a folder");
        let entries = [
            ("art/skeletons/own.xml", XML),
            ("art/skeletons/readme.txt", "no skeleton"),
            ("art/actors/fox.xml", "<actor/>"),
            ("art/skeletons/Also.XML", XML),
        ];
        let zip = Zip::of(entries.map(|(name, text)| Entry::stored(name, text)));
        let archive = put(folder.path(), "mod.zip", zip.build().bytes);
        let found = of_archive(&archive, &Source::default()).unwrap_or_else(|error| panic!("{error}"));
        let names: Vec<_> = found.iter().filter_map(Address::entry).collect();
        assert_eq!(names, ["art/skeletons/Also.XML", "art/skeletons/own.xml"]);
    }

    #[test]
    fn a_mesh_without_bones_tells_no_axes() {
        let folder = tempfile::tempdir().expect("a folder");
        let mesh = Pmd::grid(2, 2, 2, 1);
        let with_bones = put(folder.path(), "a.pmd", mesh.build().bytes);
        let bones = read_bones(&with_bones, &Source::default()).unwrap_or_else(|error| panic!("{error}"));
        let expected: Vec<_> = mesh.bind.iter().map(|state| (state.t, state.q)).collect();
        let found: Vec<_> = bones.iter().map(|bone| (bone.translation(), bone.rotation())).collect();
        assert_eq!(found, expected);
        let without = put(folder.path(), "b.pmd", Pmd::grid(2, 2, 0, 1).build().bytes);
        let error = read_bones(&without, &Source::default()).expect_err("no bones");
        assert!(error.to_string().ends_with("b.pmd: is no mesh of 0 A.D. with bones"), "{error}");
    }
}
