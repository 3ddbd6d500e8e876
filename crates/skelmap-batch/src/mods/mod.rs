//! The mods of 0 A.D.: what a list of archives and folders says about its own models.
//!
//! [`Mods`] is the list: a file of a later mod hides those of the same path in the mods before it. [`Survey`] reads all actors and
//! tells which files they are made of, what is missing, what does not fit, and what nobody uses. [`Skeletons`] has the parents of
//! bones: evidence whether an animation fits a mesh.

mod actor;
mod figure;
mod joins;
mod lines;
mod list;
mod material;
mod skeleton_file;
mod skeletons;
mod survey;
mod xml;

pub use actor::{Actor, Part, PartKind, Unit, Variant};
pub use figure::{Figure, Wardrobe};
pub use joins::{Join, Skin};
pub use lines::{BoneLine, Line, LineCounts, State, bone_fields, fields, lines};
pub use list::{Manifest, ModFile, Mods};
pub use skeleton_file::parse_skeletons;
pub use skeletons::{Candidate, Namer, Naming, Skeletons};
pub use survey::Survey;
pub use xml::XmlError;
