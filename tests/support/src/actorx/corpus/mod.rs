//! The `ActorX` corpus: a small file for every variant, quirk, finding and fault of the reference.
//!
//! Expectations are written by hand from the reference; no reader, ours included, computes them.

#![allow(unreachable_pub)]

mod anim;
mod anim_findings;
mod damage;
mod mesh;
mod mesh_findings;
mod mesh_odd;
pub mod sample;
pub mod shape;
mod sidecar;

use crate::corpus::{Case, Good, fault, ok};

/// Every case, in manifest order.
pub fn cases() -> Vec<Case> {
    let mut cases = mesh::cases();
    cases.extend(mesh_odd::cases());
    cases.extend(mesh_findings::cases());
    cases.extend(anim::cases());
    cases.extend(anim_findings::cases());
    cases.extend(shape::cases());
    cases.extend(sidecar::cases());
    cases.extend(damage::cases());
    cases
}
