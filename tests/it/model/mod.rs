//! The model of all families: skeletons, meshes, clips, poses and skinning.

mod allocation;
mod distances;
mod hostile;
mod oracles;
mod parts;
mod poses;
mod questions;
mod shape;
mod skeletons;
mod still;
mod vertices;
mod words;
