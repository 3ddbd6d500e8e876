//! glTF as other programs write it, and as an attacker does.

pub(crate) mod build;
mod hostile;
mod meshes;
mod motion;
