//! Objects in stores: the same as files, in few requests, whatever the server does.

#![allow(clippy::cast_possible_truncation, reason = "tests cast small numbers they wrote themselves")]

mod faults;
mod objects;
mod promises;
mod rows;

use std::time::Duration;

use skelmap_stores::{Options, Remote, RemoteError, RemoteObject};
use test_support::with;

pub(crate) use test_support::server::{Fault, Server};

/// Connections that give up soon.
fn remote() -> Remote {
    Remote::new(with(Options::default(), |own| {
        own.retries = 2;
        own.timeout = Duration::from_secs(5);
    }))
}

/// Reads an object as a whole.
fn read(remote: &Remote, address: &str) -> Result<Vec<u8>, RemoteError> {
    let object: RemoteObject = remote.object(address)?;
    object.read(0..object.size()).map(|bytes| bytes.to_vec())
}

/// Bytes that differ from place to place.
fn noise(length: u32) -> Vec<u8> {
    (0..length).map(|at| at.wrapping_mul(2_654_435_761).to_le_bytes()[3]).collect()
}
