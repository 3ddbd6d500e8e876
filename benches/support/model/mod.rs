//! What the benchmarks of the model are made of: animations and meshes, and the plain code that does the same.

pub mod plain;
pub mod scenes;
