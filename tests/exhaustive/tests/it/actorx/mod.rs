//! `ActorX`: damaged files, files of a million records, random files, real files.

mod byte_changes;
mod long_side_car;
mod millions;
mod property;
mod samples;
mod truncation;
