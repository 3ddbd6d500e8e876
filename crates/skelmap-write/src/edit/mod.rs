//! Edits of Unreal ActorX files (`.psk`, `.pskx`, `.psa` and their side-cars) and of SWAT 3 animations (`.gsa`) that keep every byte that is
//! not asked about.
//!
//! | to | use |
//! |---|---|
//! | keep, rename, re-rate and trim sequences; rename and drop bones | [`PsaEdit`] |
//! | make one file of several | [`Merge`], [`merge`] |
//! | make a file for each sequence, and the way back | [`Split`], [`split`] |
//! | rename bones and materials, scale, drop chunks | [`PskEdit`] |
//! | add, remove and rename events of SWAT 3, change the version, keep some frames | [`GsaEdit`] |
//! | write the lines that a game's compiler imports files with | [`Exec`] |
//!
//! Edits write to any [`Write`](std::io::Write). All limits are checked before the first byte. After an error of the output, the
//! output is incomplete: write to memory or to a temporary file, **never to the file of the view**, which would break a memory map.
//!
//! ```
//! use skelmap::actorx::{Config, Psa};
//! use skelmap_write::edit::PsaEdit;
//!
//! let bytes = std::fs::read("../../tests/corpus/actorx/anim/config_remove_tracks.psa")?;
//! let animation = Psa::parse(&bytes)?;
//! let name = animation.sequence_at(0).ok_or("no sequence")?.name().to_string();
//! let mut edit = PsaEdit::new(&animation);
//! edit.rename(&name, "Renamed")?;
//! let (mut edited, mut side_car) = (Vec::new(), Vec::new());
//! edit.write(&mut edited)?;
//! edit.write_config(&Config::new(b"[RemoveTracks]\r\nOther.1=all\r\n"), &mut side_car)?;
//! assert_eq!(side_car, b"[RemoveTracks]\r\nOther.1=all\r\n", "a line about another sequence stays");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod config;
mod error;
mod exec;
mod gsa;
mod merge;
mod names;
mod output;
mod psa;
mod psk;
mod source;

pub use config::SplitSideCars;
pub use error::{EditError, KnownNames};
pub use exec::{Exec, ExecFile};
pub use gsa::{GsaEdit, GsaEditReport};
pub use merge::{Merge, MergeReport, merge};
pub use psa::{PsaEdit, PsaEditReport, Split, split};
pub use psk::{PskEdit, PskEditReport};
