//! `skelmap gsa`: what only SWAT 3 animations need.

mod edit;
mod events;

pub(crate) use edit::run as edit;
pub(crate) use events::{EventList, run as events};
