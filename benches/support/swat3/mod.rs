//! What the SWAT 3 benchmarks are made of: files to read, and loops over their rotations.

pub mod build;
pub mod kernels;
