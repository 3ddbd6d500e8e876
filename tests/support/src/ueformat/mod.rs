//! UEFormat: what tests elsewhere need of it.

pub mod asset;
pub mod build;
pub mod corpus;
pub mod naive;
