//! `skelmap.toml`: defaults of a few options, for a repository or a user. A key is a default alone: options of the command line win.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use clap::ColorChoice;
use serde::Deserialize;
use skelmap::archive::Address;
use skelmap_batch::{Ignore, Walk, is_repository};

/// The name of the file.
pub(crate) const NAME: &str = "skelmap.toml";

/// The option that leaves the file out.
pub(crate) const NO_CONFIG: &str = "--no-config";

/// What the help says about the file.
pub(crate) const HELP: &str = "\
Defaults are in skelmap.toml of the working folder or, in a repository, of the next of its parents up to the root of the repository, if its owner is that of the working folder; else in \
skelmap/skelmap.toml of the user's folder for configurations (~/.config; %APPDATA% on Windows). Keys: ignore = [\"GLOB\"] (files and folders that \
are left out, as by a line of a .gitignore beside the file; in archives and from the user's file, as by --exclude; pack packs them all the same; not with --no-ignore), color = \"auto\", \"always\" or \"never\", jobs = N. Options of the command line win.";

/// The largest file that is read.
const MAX_BYTES: u64 = 1 << 16;

/// The keys.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Config {
    /// Patterns of files and folders that are left out.
    #[serde(default)]
    pub(crate) ignore: Vec<String>,
    /// The folder that the patterns belong to, without links. The user's file belongs to none: its patterns hold for each folder that is named.
    #[serde(skip)]
    folder: Option<PathBuf>,
    /// As `--color`.
    #[serde(default, deserialize_with = "color")]
    pub(crate) color: Option<ColorChoice>,
    /// As `--jobs`.
    #[serde(default, deserialize_with = "jobs")]
    pub(crate) jobs: Option<NonZeroUsize>,
}

fn color<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<ColorChoice>, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.parse().map(Some).map_err(|_| serde::de::Error::custom("expected \"auto\", \"always\" or \"never\""))
}

fn jobs<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<NonZeroUsize>, D::Error> {
    let number = u64::deserialize(deserializer).ok().and_then(|number| usize::try_from(number).ok());
    number.and_then(NonZeroUsize::new).map(Some).ok_or_else(|| serde::de::Error::custom("expected a number from 1"))
}

impl Config {
    /// The defaults for a run with these arguments, or what is wrong with the file: its name, the line, the fault.
    pub(crate) fn of(arguments: &[impl AsRef<OsStr>]) -> Result<Self, String> {
        let mut options = arguments.iter().map(AsRef::as_ref).take_while(|argument| *argument != "--");
        if options.any(|argument| argument == NO_CONFIG) {
            return Ok(Self::default());
        }
        let Some(path) = find() else { return Ok(Self::default()) };
        let shown = Address::find(&path);
        let text = read(&path).map_err(|error| format!("{shown}: {error}"))?;
        let config = Self::parse(&text).map_err(|(line, fault)| format!("{shown}, line {line}: {fault}"))?;
        let is_of_user = of_user().is_some_and(|own| own == path);
        let folder = path
            .parent()
            .filter(|_| !is_of_user)
            .map(|folder| folder.canonicalize().unwrap_or_else(|_| folder.to_owned()));
        Ok(Self { folder, ..config })
    }

    /// The keys of a text, or the line of a fault and the fault.
    fn parse(text: &str) -> Result<Self, (usize, String)> {
        let of_line = |error: toml::de::Error| {
            let before = text.get(..error.span().map_or(0, |span| span.start)).unwrap_or(text);
            let fault: Vec<&str> = error.message().lines().map(str::trim).collect();
            (before.matches('\n').count() + 1, fault.join(", "))
        };
        let config: Self = toml::from_str(text).map_err(of_line)?;
        for pattern in &config.ignore {
            if pattern.trim().is_empty() {
                let line = text.lines().position(|line| line.trim_start().starts_with("ignore"));
                return Err((line.unwrap_or(0) + 1, "a pattern of ignore is empty".to_owned()));
            }
        }
        if let Err(fault) =
            (Walk { ignore: Some(Ignore { folder: None, patterns: config.ignore.clone() }), ..Walk::default() }).check()
        {
            let line = text.lines().position(|line| line.trim_start().starts_with("ignore"));
            return Err((line.unwrap_or(0) + 1, fault.to_string()));
        }
        Ok(config)
    }
}

/// The file of the working folder or, in a repository, of a parent; else that of the user.
fn find() -> Option<PathBuf> {
    let is_there = |path: &PathBuf| path.symlink_metadata().is_ok();
    // A folder that was deleted meanwhile has no file.
    let Ok(working) = std::env::current_dir() else { return of_user().filter(is_there) };
    // Without a repository, files of parents are those of strangers, such as in /tmp.
    let root = working.ancestors().find(|folder| is_repository(folder)).unwrap_or(&working);
    let up = working.ancestors().take_while(|folder| folder.starts_with(root)).map(|folder| folder.join(NAME));
    let own = up.filter(|file| file.parent() == Some(working.as_path()) || is_of_owner(file, &working));
    own.chain(of_user()).find(is_there)
}

/// Whether a file belongs to the owner of the working folder. Systems without owners say yes.
fn is_of_owner(file: &Path, working: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let owner = |path: &Path| path.metadata().map(|metadata| metadata.uid()).ok();
        owner(file) == owner(working)
    }
    #[cfg(not(unix))]
    {
        let _ = (file, working);
        true
    }
}

/// The file of the user.
fn of_user() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let configs = if cfg!(windows) {
        folder("APPDATA")
    } else {
        folder("XDG_CONFIG_HOME").or_else(|| folder("HOME").map(|home| home.join(".config")))
    };
    Some(configs?.join("skelmap").join(NAME))
}

/// Reads a small file, and no pipe.
fn read(path: &Path) -> io::Result<String> {
    if !path.metadata()?.is_file() {
        return Err(io::Error::other("is no file"));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(io::Error::other("has more than 64 KiB"));
    }
    // Windows PowerShell writes UTF-16, and some editors a mark before UTF-8.
    if bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]) {
        return Err(io::Error::other("is UTF-16 text: save it as UTF-8"));
    }
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes);
    String::from_utf8(text.to_vec()).map_err(|_| io::Error::other("is not UTF-8 text"))
}

/// The patterns of this run.
static IGNORED: Mutex<Option<Ignore>> = Mutex::new(None);

/// Sets the patterns of this run.
pub(crate) fn set_ignored(Config { ignore, folder, .. }: Config) {
    let ignore = (!ignore.is_empty()).then_some(Ignore { folder, patterns: ignore });
    *IGNORED.lock().unwrap_or_else(PoisonError::into_inner) = ignore;
}

/// The patterns of files and folders that the file leaves out.
pub(crate) fn ignored() -> Option<Ignore> {
    IGNORED.lock().unwrap_or_else(PoisonError::into_inner).clone()
}
