//! SWAT 3: damaged files, files of a million records, random files, real files, and how often the end of a skeleton is found.

mod damage;
mod millions;
mod property;
mod samples;
mod statistics;
