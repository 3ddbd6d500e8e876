//! The model of all families over every file there is.

mod files;
