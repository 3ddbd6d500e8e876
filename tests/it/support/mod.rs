//! What the tests build on: a byte builder and the corpus it writes.

pub mod build;
pub mod corpus_actorx;
