//! `ActorX`: meshes, animations and side-cars.

mod allocation;
mod byte_changes;
mod chunks;
mod findings;
mod hierarchy;
mod hostile;
mod long_side_car;
mod messages;
mod millions;
mod names;
mod native;
mod owned;
mod property;
mod quirks;
mod samples;
mod sequences;
mod side_car;
mod skinning;
mod space;
mod truncation;
mod walk;
