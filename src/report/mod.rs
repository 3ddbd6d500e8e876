//! Reports about a file: errors, quirks, findings, and the codes that name them.
//!
//! The families make the reports; only codes that several families share are declared here.

mod checks;
mod code;
pub mod codes;
mod error;
mod finding;
mod quirk;
mod read_error;
mod section;
mod words;

pub use checks::{UNIT_TOLERANCE, WEIGHT_SUM_TOLERANCE};
pub(crate) use checks::{all_finite, check_finite, check_transforms, has_unit_length, is_unit, is_weight, only, scan};
pub use code::{Code, Description, Severity};
pub use error::{Error, ErrorKind, FirstBytes};
pub use finding::Finding;
pub(crate) use finding::{RecordTally, Report, SectionStart};
pub use quirk::Quirk;
pub use read_error::ReadError;
pub(crate) use read_error::ReadResult;
pub use section::{Section, SectionRange};
pub(crate) use words::{Short, listed, named};
