//! The model of all families: skeletons, meshes, clips, poses and skinning.

mod oracles;
