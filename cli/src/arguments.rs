//! Arguments that several commands have.

use std::fmt::Display;
use std::num::NonZeroUsize;
use std::path::{Component, Path, PathBuf};
use std::str::FromStr;

use clap::builder::{NonEmptyStringValueParser, OsStringValueParser, TypedValueParser};
use clap::{Args, ValueEnum};
use skelmap::archive::EntryName;
use skelmap_batch::convert::ConvertOptions;
use skelmap_batch::pair::{Level, Wanted};
use skelmap_batch::{Find, Target, Walk, is_remote};

use crate::config;
use crate::outcome::Failure;
use crate::report::one_of;

// Comments of flattened arguments are not doc comments: these would replace the description of the command.

// How files are opened.
#[derive(Debug, Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Opening {
    /// Read files instead of mapping large ones: slower, but safe while other programs write to them.
    #[arg(long, global = true, hide_short_help = true)]
    pub(crate) no_map: bool,
    /// Map large files under a lease: other programs that write to them wait for a copy (Linux).
    #[arg(long, global = true, conflicts_with = "no_map", hide_short_help = true)]
    pub(crate) lease: bool,
    /// Read at most this number of bytes from stores (K, M, G: times 1024), then stop with an error.
    #[cfg(feature = "stores")]
    #[arg(long, global = true, value_name = "BYTES", value_parser = bytes, hide_short_help = true)]
    pub(crate) max_bytes: Option<u64>,
    /// Follow redirects of addresses with a query to other servers, which do not get the query.
    #[cfg(feature = "stores")]
    #[arg(long, global = true, hide_short_help = true)]
    pub(crate) redirect_queries: bool,
}

/// The heading of the options that concern one family.
const FORMATS: &str = "Formats";

// How files are parsed.
#[derive(Debug, Default, PartialEq, Eq, Args)]
pub(crate) struct Parsing {
    /// Accept every Pyrogenesis file that the game accepts, and report its oddities.
    #[arg(long, help_heading = FORMATS, hide_short_help = true)]
    pub(crate) engine: bool,
    /// Read SWAT 3 skeletons by the layout in FILE (see `info --layout`) instead of inferring it.
    #[arg(long, value_name = "FILE", help_heading = FORMATS, hide_short_help = true)]
    pub(crate) gsa_layout: Option<PathBuf>,
    /// Accept up to three zero bytes after the last frame of a SWAT 3 animation, and report them.
    #[arg(long, help_heading = FORMATS, hide_short_help = true)]
    pub(crate) trailing_zeros: bool,
}

/// A path to read, or an address in a store.
pub(crate) fn place() -> impl TypedValueParser<Value = PathBuf> {
    OsStringValueParser::new().try_map(|text| readable(text.into()))
}

/// A path to write to, or - for standard output.
pub(crate) fn local() -> impl TypedValueParser<Value = PathBuf> {
    const OTHER: &str =
        "Windows gives a name in this path another meaning: a device, or a file without the colon, dot or blank";
    const STORE: &str = "a store is not written to: name a file or folder of this computer";
    let local = |path: PathBuf| match path {
        path if is_remote(&path) => Err(STORE),
        path if cfg!(windows) && means_another(&path) => Err(OTHER),
        path => Ok(path),
    };
    OsStringValueParser::new().try_map(move |text| local(text.into()))
}

/// Whether a name in a path is a device of Windows, or loses its end there.
fn means_another(path: &Path) -> bool {
    // A path that begins with `\\?\` has names of any kind.
    !matches!(path.components().next(), Some(Component::Prefix(first)) if first.kind().is_verbatim())
        && path.components().any(|part| match part {
            Component::Normal(name) => EntryName::new(name.as_encoded_bytes()).to_safe_path().is_err(),
            _ => false,
        })
}

/// The same: - is standard input.
pub(crate) fn input() -> impl TypedValueParser<Value = PathBuf> {
    const NONE: &str = "standard input has no path on this system: name a file";
    let input = |path: PathBuf| match path {
        path if path != Path::new("-") => Ok(path),
        _ if cfg!(unix) => Ok("/dev/stdin".into()),
        // A file can have this name.
        path if path.exists() => Ok(path),
        _ => Err(NONE),
    };
    place().try_map(input)
}

/// The heading of the options about folders.
const FOLDERS: &str = "Folders";

// Which files of a folder are looked at.
#[derive(Clone, Debug, Default, Args)]
#[expect(clippy::struct_excessive_bools, reason = "a flag each")]
pub(crate) struct Walking {
    /// Look at hidden files and folders too: those whose names begin with a dot.
    #[arg(long, help_heading = FOLDERS, hide_short_help = true)]
    hidden: bool,
    /// Look at files too that .gitignore or .ignore names.
    #[arg(long, help_heading = FOLDERS, hide_short_help = true)]
    no_ignore: bool,
    /// Follow symbolic links to files and folders.
    #[arg(long, help_heading = FOLDERS, hide_short_help = true)]
    follow: bool,
    /// Leave out files and folders of folders and archives that match, as a line of .gitignore does; can be given several times.
    #[arg(long, value_name = "GLOB", value_parser = NonEmptyStringValueParser::new(), help_heading = FOLDERS, hide_short_help = true)]
    exclude: Vec<String>,
    /// Patterns of --glob and --exclude match in any case.
    #[arg(short, long, help_heading = FOLDERS, hide_short_help = true)]
    ignore_case: bool,
}

impl Walking {
    /// How folders are walked.
    pub(crate) fn to_walk(&self) -> Walk {
        let Self { hidden, no_ignore, follow, exclude, ignore_case } = self.clone();
        let ignore = if no_ignore { None } else { config::ignored() };
        Walk { hidden, no_ignore, follow, exclude, ignore, ignore_case }
    }
}

// Which files to read.
#[derive(Debug, Args)]
pub(crate) struct Inputs {
    /// Files, folders, archives, places in them (`'mod.zip!/art/x.psa'`, `'mod.zip!/art/'`, in quotes), and objects
    /// (`s3://bucket/mod.zip`); - is standard input (not on Windows).
    #[arg(required = true, value_name = "PATH", value_parser = input())]
    pub(crate) paths: Vec<PathBuf>,
    /// The number of files read at the same time [default: one per processor].
    #[arg(long, value_name = "N", value_parser = number("expected a number from 1", |_: &NonZeroUsize| true), hide_short_help = true)]
    pub(crate) jobs: Option<NonZeroUsize>,
    #[command(flatten)]
    pub(crate) choosing: Choosing,
    #[command(flatten)]
    pub(crate) parsing: Parsing,
}

// Which files of folders and entries of archives are taken.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Choosing {
    /// Only files of folders and entries of archives that match, or with !GLOB those that do not; can be repeated.
    ///
    /// As for `extract`: `'*horse*'` is compared with the name of each file and of each folder on the way to it, below the folder or
    /// archive that is given; `'skeletal/*.pmd'` with the last parts of a name, `'/art/*'` with whole names; `'art/'` is all in
    /// folders of this name.
    #[arg(long, value_name = "GLOB", value_parser = NonEmptyStringValueParser::new(), hide_short_help = true)]
    pub(crate) glob: Vec<String>,
    #[command(flatten)]
    pub(crate) walking: Walking,
}

impl Choosing {
    /// The same choice of folders, and all names.
    pub(crate) fn without_globs(&self) -> Self {
        Self { glob: Vec::new(), ..self.clone() }
    }

    /// Which files at some paths are looked at.
    pub(crate) fn to_find(&self, paths: &[PathBuf]) -> Find {
        Find { paths: paths.to_vec(), walk: self.walking.to_walk(), glob: self.glob.clone(), others: false }
    }
}

impl Inputs {
    /// Which files are looked at.
    pub(crate) fn to_find(&self) -> Find {
        self.choosing.to_find(&self.paths)
    }
}

/// When an animation can play on a mesh.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct CanPlay {
    /// How many of the bones of an animation a mesh must have, in percent. Asked only where each has bones that the other lacks.
    #[arg(long = "min-bones", value_name = "PERCENT", default_value_t = skelmap::Match::MIN_PERCENT, value_parser = number("expected 0 to 100", |percent| (0.0..=100.0).contains(percent)), hide_short_help = true)]
    pub(crate) min_percent: f64,
}

// Which animations a mesh gets.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Members {
    /// Which animations a mesh gets: its own; also those with its very bones and parents; all that can play on it; or any.
    ///
    /// own: those that actors of 0 A.D. join with it, or whose name is about it (horse, `horse_gallop`); an animation
    /// that no actor and no name joins with a mesh goes to the meshes with its skeleton, or to the best one.
    #[arg(long, value_name = "LEVEL", value_parser = one_of(Level::ALL.map(|level| (level.code(), level))), default_value = "own", hide_short_help = true)]
    pub(crate) fits: Level,
    #[command(flatten)]
    pub(crate) can_play: CanPlay,
}

impl Members {
    /// `is_one`: there is one output.
    pub(crate) const fn to_wanted(self, is_one: bool) -> Wanted {
        Wanted { level: self.fits, min_percent: self.can_play.min_percent, is_one }
    }
}

// Which textures meshes have.
#[derive(Clone, Debug, Args)]
pub(crate) struct Textures {
    /// An image for all materials, or MATERIAL=IMAGE; can be given several times.
    #[arg(long, value_name = "IMAGE")]
    texture: Vec<String>,
    /// A file with MATERIAL=IMAGE in each line, images relative to the file; or a JSON object of these.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    texture_map: Option<PathBuf>,
    /// A folder of images with the names of materials, or DIR/PATTERN with * for the name: 'Textures/T_*_D'; can be given several times.
    #[arg(long, value_name = "DIR", hide_short_help = true)]
    texture_dir: Vec<PathBuf>,
    /// Leave out textures.
    #[arg(long, conflicts_with_all = ["texture", "texture_map", "texture_dir"])]
    no_textures: bool,
}

impl Textures {
    /// The images, tables and folders that are named.
    pub(crate) fn to_paths(&self) -> Vec<PathBuf> {
        let images = self.texture.iter().map(|text| text.split_once('=').map_or(text.as_str(), |(_, path)| path));
        images.map(PathBuf::from).chain(self.texture_map.clone()).chain(self.texture_dir.iter().cloned()).collect()
    }

    /// Options of a conversion with these textures, and nothing else.
    pub(crate) fn to_options(&self) -> ConvertOptions {
        ConvertOptions {
            textures: !self.no_textures,
            images: self.texture.clone(),
            texture_map: self.texture_map.clone(),
            texture_folders: self.texture_dir.clone(),
            ..ConvertOptions::default()
        }
    }
}

// How large an output may be.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct MaxOutput {
    /// The most bytes of an output (K, M, G: times 1024) [default: 64 times the bytes of its inputs, at least 64M].
    #[arg(long, value_name = "BYTES", value_parser = bytes, hide_short_help = true)]
    pub(crate) max_output: Option<u64>,
}

/// Parses a number that is allowed.
pub(crate) fn number<T: FromStr + Send + Sync + 'static>(
    expected: &'static str,
    is_allowed: fn(&T) -> bool,
) -> impl Fn(&str) -> Result<T, &'static str> + Clone + Send + Sync + 'static {
    move |text| text.parse().ok().filter(is_allowed).ok_or(expected)
}

/// Parses a positive number of metres.
pub(crate) fn metres(text: &str) -> Result<f32, &'static str> {
    number("expected a number above 0", |metres: &f32| metres.is_finite() && *metres > 0.0)(text)
}

/// Parses the name of a program that reads models.
pub(crate) fn target() -> impl TypedValueParser<Value = Target> {
    one_of(Target::ALL.map(|target| (target.name(), target)))
}

/// The format of numbers: one JSON object, CSV with a heading, an array of `NumPy`, or little-endian floats and nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum NumberFormat {
    Json,
    Csv,
    Npy,
    F32,
}

/// The metres in a unit of files that do not say: a centimetre, as in Unreal Engine 3 to 5.
pub(crate) const UNIT: f32 = 0.01;

/// A number of bytes: `64M` are 64 times 1024 times 1024.
pub(crate) fn bytes(text: &str) -> Result<u64, &'static str> {
    let digits = text.trim_end_matches(['k', 'K', 'm', 'M', 'g', 'G']);
    let shift = match text.get(digits.len()..) {
        Some("") => Some(0),
        Some("k" | "K") => Some(10),
        Some("m" | "M") => Some(20),
        Some("g" | "G") => Some(30),
        _ => None,
    };
    let bytes = digits.parse::<u64>().ok().zip(shift).and_then(|(number, shift)| number.checked_mul(1 << shift));
    bytes.ok_or("expected a number of bytes, such as 500000000, 512M or 2G")
}

/// The message on something that needs a feature.
pub(crate) fn needs(what: impl Display, feature: &str) -> String {
    format!("{what} a build with {feature}: cargo install --locked --path cli --features full")
}

/// A path, which is no address of a store in a build that reads none.
fn readable(path: PathBuf) -> Result<PathBuf, String> {
    if cfg!(not(feature = "stores")) && is_remote(&path) {
        return Err(needs("addresses of stores need", "stores"));
    }
    Ok(path)
}

/// Checks that Parquet can be written, if that is asked for.
pub(crate) fn check_parquet(is_asked: bool) -> Result<(), Failure> {
    if cfg!(not(feature = "tables")) && is_asked {
        return Err(Failure::usage(needs("Parquet needs", "tables")));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_with_a_device_or_a_name_that_loses_its_end_means_another_file_on_windows() {
        for path in ["NUL", "out/con.glb", "com1", "out/a.", "out/a ", "fox.glb:x"] {
            assert!(means_another(Path::new(path)), "{path}");
        }
        for path in ["-", ".", "..", "../out/", "out/console.glb", "/tmp/a b.glb", "art/h\u{e9}ros.glb"] {
            assert!(!means_another(Path::new(path)), "{path}");
        }
        #[cfg(windows)]
        for path in [r"C:\out\fox.glb", "Z:/out/fox.glb", r"\\?\C:\out\con.glb", r"\\server\share\fox.glb"] {
            assert!(!means_another(Path::new(path)), "{path}");
        }
    }
}
