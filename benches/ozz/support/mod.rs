//! What this benchmark shares with the others.

#[path = "../../support/compare.rs"]
pub(crate) mod compare;
#[allow(dead_code)]
#[path = "../../support/model/mod.rs"]
pub(crate) mod model;
#[path = "../../support/run.rs"]
pub(crate) mod run;
#[path = "../../support/table.rs"]
mod table;

use test_support::actorx::build;
