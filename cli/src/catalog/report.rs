//! `skelmap catalog --report`: a page about all assets together.

use std::io::Write;
use std::path::Path;

use skelmap::catalog::{Item, Options};

use super::arguments::Catalog;
use super::survey::{Checked, Survey};
use super::{page, pictures};
use crate::files::{self, NO_ASSET, Source};
use crate::messages::summarize;
use crate::outcome::{Ended, Failure, Tally};
use crate::output::complain;
use crate::row::{row, shown};
use crate::sink::{Sink, has_extension};
use crate::text::counted;

/// The most files with an error that are named: the page has more of them.
const MAX_NAMED: u64 = 10;

/// Reads and checks all assets, and writes the page.
pub(super) fn run(arguments: &Catalog, path: &Path, source: &Source) -> Ended {
    let sink = Sink::new(Some(path));
    let (sources, options) = (arguments.sources(source)?, Options { parse: source.parse, ..Options::default() });
    let (mut survey, mut tally) = (Survey::default(), Tally::default());
    let work = |item: &Item, opened| {
        let row = row(&item.address(), &opened, &options);
        let asset = opened.as_ref().ok().and_then(|loaded| loaded.asset().ok());
        let findings = asset.map(|asset| asset.check()).unwrap_or_default();
        Some(Checked { row, findings })
    };
    files::each_of(&sources, arguments.inputs.jobs, source, work, |checked| {
        tally.count(checked.row.error.is_some(), checked.row.is_unreadable());
        if let Some(error) = checked.row.error.as_ref().filter(|_| tally.bad <= MAX_NAMED) {
            complain(format!("{}: {}", shown(&checked.row.path, checked.row.entry.as_deref()), error.message));
        }
        survey.add(&checked);
        Ok(())
    })?;
    if tally.files == 0 {
        return Err(Failure::nothing_read(NO_ASSET));
    }
    if tally.files == tally.unreadable {
        return Ok(tally.outcome());
    }
    let names: Vec<String> = arguments.inputs.paths.iter().map(|path| path.display().to_string()).collect();
    let pictures = files::in_pool(arguments.inputs.jobs, usize::MAX, || pictures::draw(&survey, source))?;
    let html = page::write(&survey, &pictures, &names.join(", "));
    sink.write(arguments.force, |mut out| out.write_all(html.as_bytes()).and_then(|()| out.flush()))?;
    let assets = counted(tally.files, "asset");
    summarize(format!("{}: a report on {assets}, {} bad", path.display(), tally.bad));
    Ok(tally.outcome())
}

/// Checks that the page can be written, before there is work.
pub(super) fn check(arguments: &Catalog, path: &Path) -> Result<(), Failure> {
    let sink = Sink::new(Some(path));
    if matches!(sink, Sink::File(_)) && !has_extension(Some(path), &["html", "htm"]) {
        return Err(Failure::usage("--report: expected a name in .html").in_file(path));
    }
    sink.check(arguments.force, &arguments.inputs.paths)
}
