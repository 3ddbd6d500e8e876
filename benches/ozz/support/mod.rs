//! What this benchmark shares with the others.

#[path = "../../../tests/it/actorx/build.rs"]
mod build;
#[path = "../../../tests/it/support/built.rs"]
mod built;
#[path = "../../support/compare.rs"]
pub(crate) mod compare;
#[allow(dead_code)]
#[path = "../../support/model/mod.rs"]
pub(crate) mod model;
#[path = "../../support/run.rs"]
pub(crate) mod run;
#[path = "../../support/table.rs"]
mod table;
