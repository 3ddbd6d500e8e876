//! How much the command says besides its data: the options, and what they silence.

use std::fmt::Display;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use clap::{Args, ColorChoice};

use crate::output::complain;
use crate::text::counted;

/// Whether summaries and progress are left out.
static IS_QUIET: AtomicBool = AtomicBool::new(false);

/// The files and entries that were looked at.
static LOOKED_AT: AtomicU64 = AtomicU64::new(0);

// What is said, and in which colours.
#[derive(Debug, Args)]
pub(crate) struct Messages {
    /// Print no summary and no progress; errors are printed.
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    quiet: bool,
    /// Print the number of files, the time, and the requests and bytes of stores.
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,
    /// Colours: on a terminal (unless `NO_COLOR` is set), always, or never [default: auto].
    #[arg(long, global = true, value_enum, value_name = "WHEN", hide_short_help = true)]
    color: Option<ColorChoice>,
    /// Read no skelmap.toml, which has defaults of options.
    #[arg(long, global = true, hide_short_help = true)]
    no_config: bool,
}

impl Messages {
    /// Applies the options to this process, with a default for colours.
    pub(crate) fn begin(&self, color: Option<ColorChoice>) -> Instant {
        let color = match self.color.or(color).unwrap_or_default() {
            ColorChoice::Auto => anstream::ColorChoice::Auto,
            ColorChoice::Always => anstream::ColorChoice::Always,
            ColorChoice::Never => anstream::ColorChoice::Never,
        };
        color.write_global();
        IS_QUIET.store(self.quiet, Ordering::Relaxed);
        LOOKED_AT.store(0, Ordering::Relaxed);
        Instant::now()
    }

    /// Says what was done since the beginning, if that is asked for.
    pub(crate) fn end(&self, begin: Instant) {
        if self.verbose {
            let files = counted(LOOKED_AT.load(Ordering::Relaxed), "file");
            complain(format!("{files} looked at, in {:.2} s", begin.elapsed().as_secs_f64()));
        }
    }
}

/// What is said where the arguments lead to no asset.
const NO_ASSET: &str =
    "no asset found (hidden files, ignored files and links are skipped: --hidden, --no-ignore, --follow)";

/// The patterns that left no asset.
static FILTER: Mutex<Option<String>> = Mutex::new(None);

/// Notes the patterns that left no asset, for [`no_asset`].
pub(crate) fn note_filter(filter: String) {
    *FILTER.lock().unwrap_or_else(PoisonError::into_inner) = Some(filter);
}

/// Why there is no asset.
pub(crate) fn no_asset() -> String {
    left_by("asset").unwrap_or_else(|| NO_ASSET.to_owned())
}

/// Why there is no model.
pub(crate) fn no_model() -> String {
    left_by("model").unwrap_or_else(|| "no model found".to_owned())
}

fn left_by(what: &str) -> Option<String> {
    let filter = FILTER.lock().unwrap_or_else(PoisonError::into_inner).take()?;
    let is_whole = filter.contains("--glob") && !filter.contains(['*', '?', '[', '{']);
    let hint = if is_whole { ": it is compared with whole names; '*a*' stands for all names with an a" } else { "" };
    Some(format!("no {what} left by {filter}{hint}"))
}

/// Whether summaries and progress are left out.
pub(crate) fn is_quiet() -> bool {
    IS_QUIET.load(Ordering::Relaxed)
}

/// Counts files and entries for [`Messages::end`].
pub(crate) fn count(files: u64) {
    LOOKED_AT.fetch_add(files, Ordering::Relaxed);
}

/// Writes what was done to standard error, unless nobody wants to know.
pub(crate) fn summarize(message: impl Display) {
    if !is_quiet() {
        complain(message);
    }
}

/// Messages about many files: one that holds for more than three of them takes one line.
#[derive(Debug, Default)]
pub(crate) struct Repeated(Vec<(String, Vec<String>, u64)>);

impl Repeated {
    /// The files that a line names.
    const MAX_NAMED: usize = 3;
    /// The different messages that are kept. Further ones are said at once.
    const MAX_KEPT: usize = 64;

    /// Adds a message about a file.
    pub(crate) fn add(&mut self, file: String, message: String) {
        let has_room = self.0.len() < Self::MAX_KEPT;
        match self.0.iter_mut().find(|(own, ..)| *own == message) {
            Some((_, files, _)) if files.len() < Self::MAX_NAMED => files.push(file),
            Some((_, _, more)) => *more += 1,
            None if has_room => self.0.push((message, vec![file], 0)),
            None => complain(format!("{file}: {message}")),
        }
    }

    /// Says everything, in the order in which it came.
    pub(crate) fn tell(self) {
        for (message, files, more) in self.0 {
            if more == 0 {
                for file in files {
                    complain(format!("{file}: {message}"));
                }
            } else {
                complain(format!("{} and {}: {message}", files.join(", "), counted(more, "more file")));
            }
        }
    }
}
