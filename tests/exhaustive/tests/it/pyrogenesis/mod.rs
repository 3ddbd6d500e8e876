//! Pyrogenesis: damaged files, files of a million records, random files, real files.

mod damage;
mod millions;
mod property;
mod samples;
