//! Second readers, written from the reference alone, that copy everything field by field.
//!
//! Slow and plain on purpose: where they and the crate disagree, one of the two misread the reference.

#![allow(unreachable_pub)]

pub mod actorx;
pub mod config;
pub mod pyrogenesis;
pub mod swat3;
