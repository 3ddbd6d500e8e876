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
mod sidecar;

use super::build::{Built, Chunks};
use crate::support::corpus::{Case, Expect, Good};

/// Every case, in manifest order.
pub fn cases() -> Vec<Case> {
    let mut cases = mesh::cases();
    cases.extend(mesh_odd::cases());
    cases.extend(mesh_findings::cases());
    cases.extend(anim::cases());
    cases.extend(anim_findings::cases());
    cases.extend(sidecar::cases());
    cases.extend(damage::cases());
    cases
}

/// What the cases are made from: a file in the making, a finished one, or bare bytes.
trait IntoBytes {
    fn into_bytes(self) -> Vec<u8>;
}

impl IntoBytes for Chunks {
    fn into_bytes(self) -> Vec<u8> {
        self.build().bytes
    }
}

impl IntoBytes for Built {
    fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

impl IntoBytes for Vec<u8> {
    fn into_bytes(self) -> Vec<u8> {
        self
    }
}

fn ok(file: &'static str, about: &'static str, source: &'static str, bytes: impl IntoBytes, good: Good) -> Case {
    Case { file, about, source, bytes: bytes.into_bytes(), extra: Vec::new(), expect: Expect::Ok(good) }
}

fn fault(
    file: &'static str,
    about: &'static str,
    source: &'static str,
    bytes: impl IntoBytes,
    (kind, section, offset): (&'static str, &'static str, u64),
) -> Case {
    let expect = Expect::Error { kind, section, offset };
    Case { file, about, source, bytes: bytes.into_bytes(), extra: Vec::new(), expect }
}
