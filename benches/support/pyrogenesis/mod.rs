//! What the Pyrogenesis benchmarks are made of: loops over records, and the usual reader to compare with.

pub(crate) mod kernels;
pub(crate) mod parsed;
