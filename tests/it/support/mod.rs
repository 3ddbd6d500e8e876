//! What the tests build on: a byte builder and the corpus it writes.

pub mod build;
pub mod build_pyrogenesis;
pub mod corpus;
pub mod corpus_actorx;
pub mod corpus_pyrogenesis;
