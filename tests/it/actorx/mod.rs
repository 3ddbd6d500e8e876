//! `ActorX`: meshes, animations and side-cars.

mod allocation;
mod chunks;
mod findings;
mod hierarchy;
mod hostile;
mod messages;
mod names;
mod native;
mod owned;
mod quirks;
mod sequences;
mod side_car;
mod skinning;
mod space;
mod walk;
