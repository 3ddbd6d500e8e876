//! UEFormat: damaged files, files of a million records, random files.

mod damage;
mod millions;
mod property;
