//! The assets of the arguments: which meshes and animations there are, from their headers.

use std::collections::{HashMap, HashSet};
use std::io;
use std::num::NonZeroUsize;
use std::path::{Component, PathBuf};
use std::sync::Arc;

use skelmap::Format;
use skelmap::archive::Address;

use super::stem::stem_of;
use crate::items::{Fault, Item, Loaded, Need, Options, Sources};
use crate::{Run, Source, Watch};

/// The most inputs that stay open until their job is done, and their bytes.
const MAX_KEPT: usize = 16;
const MAX_KEPT_BYTES: u64 = 256 << 20;

/// An asset of the arguments.
#[derive(Debug)]
#[non_exhaustive]
pub struct Found<'s> {
    /// Where it lies.
    pub item: &'s Item,
    /// Its format.
    pub format: Format,
    /// The number of its sequences, if its headers tell it.
    sequences: Option<usize>,
    /// Equal for assets of one format with equal skeletons.
    pub(super) skeleton: u32,
    /// A pipe, which can be read only once, or one of few inputs.
    kept: Option<Arc<Loaded>>,
}

/// A format, the hash of a skeleton and the number of its bones.
type Key = (&'static str, Option<String>, Option<u64>);

/// The headers of an asset with the number of its sequences, and the asset if it stays open.
type Looked = (Format, Key, Option<usize>, Option<Arc<Loaded>>);

/// An asset that cannot be read.
#[derive(Debug)]
#[expect(clippy::exhaustive_structs, reason = "an address and a fault")]
pub struct Unread {
    /// Where it lies.
    pub address: Address,
    /// Why it cannot be read.
    pub message: String,
    /// Whether it cannot be opened. Otherwise its data is damaged.
    pub is_unreadable: bool,
}

impl<'s> Found<'s> {
    /// A mesh or an animation of a mod, which nobody looks for; `None` for a source that the game converts.
    pub(crate) fn of_mod(item: &'s Item) -> Option<Self> {
        let address = item.address();
        let name = address.entry().map_or_else(|| address.path().to_string_lossy(), Into::into);
        let format = match name.rsplit('.').next() {
            Some("pmd") => Format::PyrogenesisPmd,
            Some("psa") => Format::PyrogenesisPsa,
            _ => return None,
        };
        let sequences = Some(usize::from(!format.is_mesh()));
        Some(Self { item, format, sequences, skeleton: 0, kept: None })
    }

    /// The asset with its bytes.
    ///
    /// # Errors
    /// A file that cannot be opened.
    pub fn load(&self, source: &Source) -> Result<Arc<Loaded>, Fault> {
        if let Some(kept) = &self.kept {
            return Ok(Arc::clone(kept));
        }
        let gone = || Err(io::Error::other("is no asset any more").into());
        self.item.load(&source.opener, &source.parse).unwrap_or_else(gone).map(Arc::new)
    }

    /// Equal for assets of one format with equal skeletons.
    pub(crate) const fn skeleton(&self) -> u32 {
        self.skeleton
    }

    /// The number of its sequences, if its headers tell it.
    pub(crate) const fn sequences(&self) -> Option<usize> {
        self.sequences
    }

    /// Where it lies.
    pub fn address(&self) -> Address {
        self.item.address()
    }

    /// The name of the file: see [`stem_of`].
    pub fn name(&self) -> String {
        stem_of(&self.address())
    }
}

/// Reads the headers of all items. `paths`: where the items were found.
///
/// # Errors
/// [`Interrupted`](io::ErrorKind::Interrupted) if the work was stopped.
pub fn survey<'s>(
    sources: &'s Sources,
    paths: &[PathBuf],
    jobs: Option<NonZeroUsize>,
    source: &Source,
    watch: Option<&Watch>,
) -> io::Result<(Vec<Found<'s>>, Vec<Unread>)> {
    let options = Options { parse: source.parse, joins: true, ..Options::default() };
    let (mut found, mut unread) = (Vec::new(), Vec::new());
    let mut skeletons: HashMap<Key, u32> = HashMap::new();
    // A file that the arguments name and a folder holds is one asset. One path has no asset twice.
    let mut seen = (paths.len() > 1).then(HashSet::new);
    let mut items = sources.items().iter();
    // The inputs of few jobs stay open, so that each is opened once.
    let bytes = || sources.items().iter().fold(0, |sum, item| item.size_hint().saturating_add(sum));
    let is_kept = sources.items().len() <= MAX_KEPT && bytes() <= MAX_KEPT_BYTES;
    let work = |item: &Item| Some(look(item, is_kept, source, &options));
    let take = |result| {
        let Some(item) = items.next() else { return Ok(()) };
        if item.is_shadowed() {
            let message = "a later entry has the same name, and is converted in its place".to_owned();
            unread.push(Unread { address: item.address(), message, is_unreadable: false });
            return Ok(());
        }
        if seen.as_mut().is_some_and(|seen| !seen.insert(identity(&item.address()))) {
            return Ok(());
        }
        match result {
            None => {}
            Some(Ok((format, key, sequences, kept))) => {
                let next = u32::try_from(skeletons.len()).unwrap_or(u32::MAX);
                let skeleton = *skeletons.entry(key).or_insert(next);
                found.push(Found { item, format, sequences, skeleton, kept });
            }
            Some(Err(own)) => unread.push(own),
        }
        Ok(())
    };
    Run { jobs, watch }.items(sources, source, Need::Headers, work, take)?;
    Ok((found, unread))
}

/// A path and the name of an entry, the same however the path is spelled.
pub(super) type Identity = (PathBuf, Option<String>);

/// Where an asset lies.
pub(super) fn identity(address: &Address) -> Identity {
    let path = address.path().components().filter(|part| *part != Component::CurDir).collect();
    (path, address.entry().map(ToOwned::to_owned))
}

/// The headers of an item; `None` for a file in a folder that is no asset.
///
/// `is_kept`: the asset stays open.
fn look(item: &Item, is_kept: bool, source: &Source, options: &Options) -> Option<Result<Looked, Unread>> {
    let address = item.address();
    let is_stream = address.entry().is_none() && address.path().metadata().is_ok_and(|metadata| !metadata.is_file());
    let (row, kept) = if is_stream || is_kept {
        let opened = item.load(&source.opener, &source.parse)?;
        let row = crate::columns::row(&address, &opened, options);
        (row, opened.ok().map(Arc::new))
    } else {
        (item.row(&source.opener, options)?, None)
    };
    if let Some(error) = &row.error {
        return Some(Err(Unread { address, message: error.message.clone(), is_unreadable: row.is_unreadable() }));
    }
    let format = Format::ALL.iter().copied().find(|format| Some(format.code()) == row.format)?;
    let key = (format.code(), row.joins.and_then(|joins| joins.skeleton_hash), row.summary.bones);
    let sequences = row.summary.sequences.map(|count| count.try_into().unwrap_or(usize::MAX));
    Some(Ok((format, key, sequences, kept)))
}

#[cfg(test)]
mod tests {
    use skelmap::archive::Limits;
    use skelmap::mapping::Mapping;
    use test_support::build_zip::{Entry, Zip};

    use super::super::tests::mesh;
    use super::*;

    /// For each asset, whether it stays open.
    fn kept(sources: &Sources) -> Vec<bool> {
        let (found, _) = survey(sources, &[], None, &Source::default(), None).expect("assets");
        found.iter().map(|found| found.kept.is_some()).collect()
    }

    #[test]
    fn sixteen_inputs_stay_open_and_no_more() {
        let (folder, source) = (tempfile::tempdir().expect("a folder"), Source::default());
        let mut paths = Vec::new();
        for number in 0..17 {
            let path = folder.path().join(format!("{number}.psk"));
            std::fs::write(&path, mesh("a", 2)).expect("written");
            paths.push(path);
        }
        let find = |paths: &[PathBuf]| Sources::find(paths, &source.opener, &source.limits);
        assert_eq!(kept(&find(&paths[..16])), [true; 16]);
        assert_eq!(kept(&find(&paths)), [false; 17]);
        // Nothing can be read from a pipe twice.
        if cfg!(unix) {
            let pipe = folder.path().join("pipe");
            assert!(std::process::Command::new("mkfifo").arg(&pipe).status().expect("started").success());
            paths.push(pipe.clone());
            let all = std::thread::scope(|scope| {
                scope.spawn(|| std::fs::write(&pipe, mesh("a", 2)).expect("written"));
                kept(&find(&paths))
            });
            assert_eq!(all, [[false; 17].as_slice(), &[true]].concat());
        }
    }

    #[test]
    fn inputs_of_256_mebibytes_stay_open_and_no_larger_ones() {
        let mesh = mesh("a", 2);
        let rest = (256 << 20) - u32::try_from(mesh.len()).expect("a small mesh");
        // The directory states the size of the second entry. It cannot be read, and counts.
        let stated = |size: u32| {
            let entries = [Entry::stored("a.psk", &mesh), Entry::deflated("b.psk", "b")];
            let bytes = Zip::of(entries).build().patch_u32("central#1.size", size).bytes;
            Sources::of_archive("all.zip", Mapping::from(bytes), &Limits::default()).expect("an archive")
        };
        assert_eq!(kept(&stated(rest)), [true]);
        assert_eq!(kept(&stated(rest + 1)), [false]);
    }
}
