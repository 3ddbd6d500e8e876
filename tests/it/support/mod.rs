//! What the tests build on: a byte builder and the corpus it writes.

pub(crate) mod build;
pub(crate) mod build_pyrogenesis;
pub(crate) mod build_swat3;
pub(crate) mod build_zip;
pub(crate) mod corpus;
pub(crate) mod corpus_actorx;
pub(crate) mod corpus_pyrogenesis;
pub(crate) mod corpus_swat3;
#[cfg(unix)]
pub(crate) mod victim;
pub(crate) mod worst;
