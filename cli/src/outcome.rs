//! How a run ends: its exit status, and the message if it ends early.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};
use std::io;
use std::path::Path;

use skelmap::archive::Address;
pub(crate) use skelmap_batch::Tally;

use skelmap_batch::PatternError;
use skelmap_batch::convert::{Cause, OutputError};
use skelmap_batch::query::QueryError;
use skelmap_batch::save::is_busy;

use crate::messages::no_asset;
use crate::output::complain;
use crate::text::counted;

/// The exit status of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    #[default]
    Clean = 0,
    Findings = 1,
    Usage = 2,
    NothingRead = 3,
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "the signal handler is for Linux"))]
    CutShort = 4,
    /// There is no output, or it is incomplete.
    NotWritten = 5,
    /// Another run writes the same output.
    Busy = 6,
}

/// Why a run ends early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// With this exit status and message.
    Stopped(Outcome, String),
    /// The output cannot be written.
    Output(io::Error),
}

#[expect(clippy::needless_pass_by_value, reason = "errors and texts are given as they come")]
impl Failure {
    /// A file that has a fault.
    pub(crate) fn findings(message: impl ToString) -> Self {
        Self::Stopped(Outcome::Findings, message.to_string())
    }

    /// An output that cannot be written.
    pub(crate) fn not_written(error: io::Error) -> Self {
        let outcome = if is_busy(&error) { Outcome::Busy } else { Outcome::NotWritten };
        Self::Stopped(outcome, error.to_string())
    }

    /// Arguments that ask for something impossible.
    pub(crate) fn usage(message: impl ToString) -> Self {
        Self::Stopped(Outcome::Usage, message.to_string())
    }

    /// A file that cannot be opened.
    pub(crate) fn nothing_read(message: impl ToString) -> Self {
        Self::Stopped(Outcome::NothingRead, message.to_string())
    }

    /// The same with the name of a file before the message.
    pub(crate) fn in_file(self, path: &Path) -> Self {
        match self {
            Self::Stopped(outcome, message) => Self::Stopped(outcome, format!("{}: {message}", Address::find(path))),
            Self::Output(error) => Self::Output(error),
        }
    }
}

/// The message.
impl Display for Failure {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stopped(_, message) => message.fmt(f),
            Self::Output(error) => error.fmt(f),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<QueryError> for Failure {
    fn from(error: QueryError) -> Self {
        Self::usage(error)
    }
}

impl From<PatternError> for Failure {
    fn from(error: PatternError) -> Self {
        Self::usage(error)
    }
}

/// The end of a command: its exit status, or why it ended early.
pub(crate) type Ended = Result<Outcome, Failure>;

impl Outcome {
    /// The exit status of a run over files, if there is nothing to report but errors.
    pub(crate) fn of(tally: Tally) -> Self {
        match tally {
            Tally { files, unreadable, .. } if files == unreadable => Self::NothingRead,
            Tally { bad: 0, .. } => Self::Clean,
            _ => Self::Findings,
        }
    }

    /// That of an output that cannot be made.
    pub(crate) const fn of_cause(cause: Cause) -> Self {
        match cause {
            Cause::Content | Cause::TooLarge => Self::Findings,
            Cause::Busy => Self::Busy,
            Cause::Existing | Cause::Unwritable | Cause::Full | Cause::Closed => Self::NotWritten,
        }
    }

    /// That of a run over files. People are told if there is no file.
    pub(crate) fn told(tally: Tally) -> Self {
        if tally.files == 0 {
            complain(no_asset());
        }
        Self::of(tally)
    }
}

/// The outputs of a run that cannot be made, by the cause.
#[derive(Debug, Default)]
pub(crate) struct Unmade(BTreeMap<Cause, u64>);

impl Unmade {
    /// The most outputs of one cause that are named, unless the cause is their own content.
    const MAX_NAMED: u64 = 3;

    /// Counts an output, and says why it cannot be made. `is_seen`: people see the reason elsewhere.
    pub(crate) fn add(&mut self, address: &Address, error: &OutputError, is_seen: bool) {
        let count = self.0.entry(error.cause).or_default();
        *count += 1;
        let is_told = is_seen || (*count > Self::MAX_NAMED && error.cause != Cause::Content);
        if !is_told {
            complain(format!("{address}: {error}"));
        }
    }

    /// Whether an output cannot be made for this cause.
    pub(crate) fn has(&self, cause: Cause) -> bool {
        self.0.contains_key(&cause)
    }

    /// Says what holds for many outputs.
    pub(crate) fn tell(&self, can_resume: bool) {
        for (cause, count) in &self.0 {
            let (outputs, is_more) = (counted(*count, "output"), *count > Self::MAX_NAMED);
            match cause {
                Cause::Existing if can_resume => complain(format!(
                    "{outputs} there already: --resume keeps what is made of the same files, --force replaces all"
                )),
                Cause::Existing if is_more => complain(format!("{outputs} there already: --force replaces all")),
                Cause::Busy if can_resume => {
                    complain(format!("another run writes {outputs}: --resume goes on when it has ended"));
                }
                Cause::Busy if is_more => complain(format!("another run writes {outputs}")),
                Cause::TooLarge if is_more => complain(format!("{outputs} above the limit: --max-output")),
                Cause::Unwritable if is_more => complain(format!("{outputs} cannot be written")),
                _ => {}
            }
        }
    }

    /// The exit status: that of the outputs that are there or cannot be written, before that of another run.
    pub(crate) fn outcome(&self) -> Outcome {
        let outcomes = || self.0.keys().map(|cause| Outcome::of_cause(*cause));
        outcomes().find(|own| *own == Outcome::NotWritten).or_else(|| outcomes().max()).unwrap_or(Outcome::Clean)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skelmap_batch::save::Busy;

    /// Reads of an input that has no bytes yet give the same error as a lock that another run has.
    #[test]
    fn only_another_run_makes_an_output_busy() {
        let outcome = |error: io::Error| match Failure::not_written(error) {
            Failure::Stopped(outcome, _) => outcome,
            Failure::Output(error) => panic!("{error}"),
        };
        assert_eq!(outcome(io::ErrorKind::WouldBlock.into()), Outcome::NotWritten);
        assert_eq!(outcome(io::Error::other(Busy("another run".to_owned()))), Outcome::Busy);
    }
}
