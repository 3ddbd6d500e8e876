//! The names of outputs: below one folder, each once.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};
use std::path::{MAIN_SEPARATOR, Path, PathBuf};

use skelmap::archive::{Address, ArchiveErrorKind, EntryName};

use crate::is_remote;
use crate::pair::stem;

/// The longest name of an output, to which a number and an extension are added: file systems have names of 255 bytes.
const MAX_NAME: usize = 240;

/// The most folders of a path that are compared one by one, and the most paths of more folders.
const MAX_DEPTH: usize = 64;
const MAX_DEEP: usize = 64;

/// The paths that the arguments name: the names of outputs begin below them.
#[derive(Debug, Default)]
pub struct Roots {
    paths: HashSet<PathBuf>,
    /// The folders of this machine in which they and other inputs lie, as texts have them.
    folders: HashSet<String>,
    /// Those of them that are deeper than [`MAX_DEPTH`].
    deep: Vec<String>,
}

impl Roots {
    /// The paths of the arguments.
    pub fn new(paths: &[PathBuf]) -> Self {
        Self { paths: paths.iter().cloned().collect(), ..Self::default() }.with(paths)
    }

    /// With further inputs, whose folders texts for pages leave out too.
    #[must_use]
    pub fn with(mut self, inputs: &[PathBuf]) -> Self {
        let is_own = |folder: &&Path| folder.is_absolute() && folder.parent().is_some();
        let all = inputs.iter().filter(|path| !is_remote(path)).filter_map(|path| path.parent().filter(is_own));
        for folder in all.map(|folder| folder.display().to_string()) {
            if folder.matches(MAIN_SEPARATOR).count() < MAX_DEPTH {
                self.folders.insert(folder);
            } else if self.deep.len() < MAX_DEEP && !self.deep.contains(&folder) {
                self.deep.push(folder);
            }
        }
        self
    }

    /// The path of a file below the folder that the arguments name: the nearest one above the file.
    fn in_folder<'f>(&self, file: &'f Path) -> Option<&'f Path> {
        let root = file.ancestors().skip(1).find(|above| self.paths.contains(*above))?;
        file.strip_prefix(root).ok()
    }

    /// An address for pages, which other people may read: below the folder that the arguments name, with its name if they name several paths. Of
    /// an absolute path that they name, the last name.
    pub fn shown(&self, address: &Address) -> Address {
        let file = address.path();
        let below = self.in_folder(file).map(|below| {
            let root = file.ancestors().nth(below.components().count()).and_then(Path::file_name);
            root.filter(|_| self.paths.len() > 1).map_or_else(|| below.to_owned(), |root| Path::new(root).join(below))
        });
        let own =
            || file.components().next_back().filter(|_| file.is_absolute()).map(|last| PathBuf::from(last.as_os_str()));
        let path = if is_remote(file) { None } else { below.or_else(own) };
        let path = path.unwrap_or_else(|| file.to_owned());
        match address.entry() {
            Some(entry) => Address::of_entry(path, entry),
            None => Address::of_file(path),
        }
    }

    /// A text about an asset for pages: without the folders that [`shown`](Roots::shown) leaves out, and those of the other inputs.
    /// O(length of the text).
    pub fn shown_text(&self, address: &Address, text: &str) -> String {
        let file = address.path();
        let below = self.in_folder(file);
        let own = below.map_or_else(|| file.parent(), |below| file.ancestors().nth(below.components().count()));
        let own = own.filter(|own| own.is_absolute() && !is_remote(file)).map(|own| own.display().to_string());
        // The longest folder that a text begins with, and the separator behind it.
        let folder_of = |text: &str| {
            let ends = text.match_indices(MAIN_SEPARATOR).take(MAX_DEPTH).map(|(end, _)| end);
            let known = ends.filter(|end| text.get(..*end).is_some_and(|folder| self.folders.contains(folder))).last();
            let is_below =
                |folder: &&String| text.strip_prefix(&***folder).is_some_and(|rest| rest.starts_with(MAIN_SEPARATOR));
            known.into_iter().chain(own.iter().chain(&self.deep).filter(is_below).map(String::len)).max()
        };
        let (mut out, mut rest, mut last) = (String::new(), text, ' ');
        while let Some(first) = rest.chars().next() {
            // In the midst of a word or path no path begins.
            let is_path = !last.is_alphanumeric() && !"._-~".contains(last) && Path::new(rest).is_absolute();
            let below = Some(rest).filter(|_| is_path).and_then(folder_of);
            if let Some(below) = below.and_then(|end| rest.get(end + MAIN_SEPARATOR.len_utf8()..)) {
                (rest, last) = (below, ' ');
            } else {
                out.push(first);
                (rest, last) = (rest.get(first.len_utf8()..).unwrap_or_default(), first);
            }
        }
        out
    }

    /// The path of an output without its extension, below the folder of outputs: as the asset lies below the path that the arguments name.
    /// O(length of the path).
    ///
    /// # Errors
    /// A name that would lead out of the folder.
    pub fn base_of(&self, address: &Address) -> Result<PathBuf, ArchiveErrorKind> {
        let file = address.path();
        let in_folder = self.in_folder(file);
        let mut parts = PathBuf::new();
        match (address.entry(), in_folder) {
            (None, Some(path)) => parts.extend(path.parent()),
            // The entries of an archive in a folder get a folder of their own.
            (Some(_), Some(path)) => parts = path.with_extension(""),
            (_, None) => {}
        }
        let name = match address.entry() {
            Some(entry) => {
                let path = PathBuf::from(entry);
                let is_whole = in_folder.is_some() || self.paths.contains(file);
                if let Some(folder) = path.parent().filter(|_| is_whole) {
                    parts.push(folder);
                }
                stem(&path)
            }
            None => stem(file),
        };
        if name.len() > MAX_NAME {
            return Err(ArchiveErrorKind::UnsafeName { reason: "it is longer than 240 bytes" });
        }
        parts.push(name);
        // Control characters are replaced, as what is no UTF-8 is.
        let shown = |c: char| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c };
        let parts: String = parts.to_string_lossy().replace('\\', "/").chars().map(shown).collect();
        // A relative path that stays below any folder.
        EntryName::new(parts.as_bytes()).to_safe_path().map(PathBuf::from)
    }
}

/// A name of a clip as the start of a file's name, or as a part of it. It is no option and no device, has no `@`, which stands between the name of the mesh and this one, and leads to no other folder.
pub fn part(name: &str) -> String {
    let allowed = |c: char| if c.is_control() || r#"/\:*?"<>|@"#.contains(c) { '_' } else { c };
    let name: String = name.chars().map(allowed).take(100).collect();
    let name = name.trim().trim_end_matches('.').to_owned();
    match name.as_bytes() {
        [] => "clip".to_owned(),
        // A file of this name would be taken for an option, or for a device on Windows.
        [b'-', ..] => format!("_{name}"),
        _ if EntryName::new(name.as_bytes()).to_safe_path().is_err() => format!("_{name}"),
        _ => name,
    }
}

/// The names that are taken, as hashes: there may be a million. Some systems do not tell upper and lower case apart.
#[derive(Debug, Default)]
pub struct Taken {
    /// With a random key: nobody can make names whose hashes are equal.
    hasher: RandomState,
    /// For each name, the number that the next equal one may have.
    names: HashMap<u64, u32>,
}

impl Taken {
    /// Takes a name, and returns the number that makes it new; 1 if it is. Numbers that were tried are not tried again.
    pub fn add(&mut self, base: &Path) -> u32 {
        let hash = |number| self.hasher.hash_one(numbered(base, number).to_string_lossy().to_lowercase());
        let first = hash(1);
        let next = self.names.get(&first).copied().unwrap_or(1);
        let free = (next..u32::MAX).find(|number| !self.names.contains_key(&hash(*number))).unwrap_or(u32::MAX);
        let own = hash(free);
        self.names.insert(own, 2);
        self.names.insert(first, free.saturating_add(1));
        free
    }
}

/// A name with its number. The first has none.
pub fn numbered(base: &Path, number: u32) -> PathBuf {
    let text = base.to_string_lossy();
    if number == 1 { base.to_owned() } else { format!("{text}-{number}").into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clip_of_any_name_is_no_option_and_no_device() {
        let names = ["CON", "nul", "com1.x", "-rf", "CONE", "walk", "", "a.", "a/b"];
        assert_eq!(names.map(part), ["_CON", "_nul", "_com1.x", "_-rf", "CONE", "walk", "clip", "a", "a_b"]);
    }

    #[test]
    fn outputs_keep_the_folders_of_their_assets() {
        let roots = Roots::new(&["mods".into(), "a/public.zip".into(), "x/fox.psk".into(), "mods/in".into()]);
        let base = |address| roots.base_of(&address).map(|path| path.to_string_lossy().into_owned());
        let long = "a".repeat(240);
        assert!(base(Address::of_file(format!("{long}a.psk"))).is_err());
        assert_eq!(base(Address::of_file(format!("{long}.psk"))), Ok(long));
        assert_eq!(base(Address::of_file("mods/b/horse.pmd")).as_deref(), Ok("b/horse"));
        assert_eq!(base(Address::of_file("mods/in/c/horse.pmd")).as_deref(), Ok("c/horse"));
        assert_eq!(base(Address::of_file("x/fox.psk")).as_deref(), Ok("fox"));
        assert_eq!(
            base(Address::of_entry("a/public.zip", "art/meshes/horse.dae.cached.pmd")).as_deref(),
            Ok("art/meshes/horse")
        );
        assert_eq!(base(Address::of_entry("mods/one.zip", "art/horse.pmd")).as_deref(), Ok("one/art/horse"));
        assert_eq!(base(Address::of_entry("named.zip", "art/horse.pmd")).as_deref(), Ok("horse"));
        for entry in ["../../etc/horse.pmd", "/etc/horse.pmd", "c:\\horse.pmd"] {
            assert!(base(Address::of_entry("a/public.zip", entry)).is_err(), "{entry}");
        }
    }

    #[test]
    fn pages_show_no_folders_above_those_of_the_arguments() {
        let shown = |paths: &[&str], address: Address| {
            let roots = Roots::new(&paths.iter().map(PathBuf::from).collect::<Vec<_>>());
            roots.shown(&address).to_string().replace('\\', "/")
        };
        let home = if cfg!(windows) { "C:/home/me" } else { "/home/me" };
        let (mods, zip) = (&*format!("{home}/mods"), &*format!("{home}/public.zip"));
        let fox = || Address::of_file(format!("{mods}/art/fox.psk"));
        let entry = |path: &str| Address::of_entry(path, "art/fox.pmd");
        assert_eq!(shown(&[mods], fox()), "art/fox.psk");
        assert_eq!(shown(&[mods, zip], fox()), "mods/art/fox.psk");
        assert_eq!(shown(&[zip], entry(zip)), "public.zip!/art/fox.pmd");
        assert_eq!(shown(&[home], entry(zip)), "public.zip!/art/fox.pmd");
        assert_eq!(shown(&["mods"], Address::of_file("mods/fox.psk")), "fox.psk");
        assert_eq!(shown(&["."], Address::of_file("./fox.psk")), "fox.psk");
        let said = |paths: &[&str], text: &str| {
            let roots = Roots::new(&paths.iter().map(PathBuf::from).collect::<Vec<_>>());
            roots.shown_text(&fox(), &text.replace('/', std::path::MAIN_SEPARATOR_STR)).replace('\\', "/")
        };
        assert_eq!(said(&[mods], &format!("side-car {mods}/art/fox.config: {mods}/x")), "side-car art/fox.config: x");
        assert_eq!(said(&["mods/a"], &format!("{mods}/art/fox.config")), "fox.config");
        // Neither a relative path nor an address of a store is of this machine alone.
        for root in ["mods", "s3://b/mods"] {
            let (roots, note) = (Roots::new(&[root.into()]), format!("side-car {root}/art/fox.config: x"));
            assert_eq!(roots.shown_text(&Address::of_file(format!("{root}/art/fox.psk")), &note), note);
        }
        // The folders of all inputs, each the longest that is known; the midst of a path is none.
        let inputs = [format!("{home}/x.psa"), format!("{mods}/art/y.psa"), "/etc/z.psa".to_owned()];
        let roots = Roots::new(&[format!("{mods}/art/fox.psk").into()]).with(&inputs.map(PathBuf::from));
        let note = format!("{home}/x.config: {mods}/art/y.psa, \"{home}/mods/z\" and {home}/etc/w (a/b), ../etc/v");
        let note = note.replace('/', std::path::MAIN_SEPARATOR_STR);
        let said = roots.shown_text(&fox(), &note).replace('\\', "/");
        assert_eq!(said, "x.config: y.psa, \"mods/z\" and etc/w (a/b), ../etc/v");
        // However deep the folders are.
        let deep = format!("{home}/{}", "d/".repeat(70));
        let roots = Roots::new(&[format!("{deep}fox.psk").into()]).with(&[format!("{deep}e/y.psa").into()]);
        let note = format!("{deep}x.config, {deep}e/y.psa").replace('/', std::path::MAIN_SEPARATOR_STR);
        assert_eq!(roots.shown_text(&Address::of_file(format!("{deep}fox.psk")), &note), "x.config, y.psa");
        let above = format!("{mods}/..");
        assert_eq!(shown(&[&above], Address::of_file(&above)), "..");
        // What is named by a relative path is not of this machine alone.
        assert_eq!(shown(&["a/fox.psk", "b/fox.psk"], Address::of_file("a/fox.psk")), "a/fox.psk");
        assert_eq!(shown(&["s3://b/mods"], Address::of_file("s3://b/mods/fox.psk")), "s3://b/mods/fox.psk");
    }

    #[test]
    fn equal_names_get_numbers_whatever_their_case() {
        let mut taken = Taken::default();
        let names: Vec<_> = ["a/Fox", "a/fox", "a/fox-2", "A/FOX"]
            .iter()
            .map(Path::new)
            .map(|name| numbered(name, taken.add(name)))
            .collect();
        assert_eq!(names, ["a/Fox", "a/fox-2", "a/fox-2-2", "A/FOX-3"].map(PathBuf::from));
    }

    #[test]
    fn the_name_of_a_clip_cannot_lead_out_of_the_folder() {
        assert_eq!(part("../a/b@c"), ".._a_b_c");
        assert_eq!(part(" walk. "), "walk");
        assert_eq!(part("\u{7}..."), "_");
        assert_eq!(part(""), "clip");
    }
}
