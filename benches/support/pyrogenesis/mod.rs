//! What the Pyrogenesis benchmarks are made of: loops over records, and the usual reader to compare with.

pub mod kernels;
pub mod parsed;
