//! Archives that are damaged in every way.

mod damage;
