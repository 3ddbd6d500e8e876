//! `skelmap dump`: the records of one array of one file or of many. The arrays of each family are in `skelmap_batch::arrays`.

mod arguments;
mod many;

use std::io::{self, IsTerminal};
use std::path::Path;

use skelmap::archive::{Address, SideCar};
use skelmap::{Asset, Format};
use skelmap_batch::arrays::{ArrayError, array_of, arrays_of};

use crate::files::{self, Source};
use crate::outcome::{Ended, Failure, Outcome};
use crate::output::complain;
use crate::progress::Progress;
use crate::report::{self, Array, ArrayFormat, Kind, Shape, shape_of};
use crate::sink::Sink;
use crate::text::and_more;
pub(crate) use arguments::Dump;
use many::Many;
use skelmap_batch::columns::counted_quirks;

pub(crate) fn run(arguments: &Dump, source: &Source) -> Ended {
    arguments.check()?;
    let (sink, format) = (Sink::new(arguments.output.as_deref()), arguments.format()?);
    if format.is_binary() {
        sink.check_binary("-o FILE or > FILE")?;
    }
    sink.check(arguments.force, &arguments.inputs.paths)?;
    if let [path] = arguments.inputs.paths.as_slice() {
        // A name without an extension may be a folder of an archive.
        if Address::find(path).entry().is_some_and(|entry| Path::new(entry).extension().is_some()) {
            return run_alone(path, arguments, source, sink, format);
        }
    }
    let sources = files::find(source, &arguments.inputs)?;
    match (arguments.inputs.paths.as_slice(), sources.items()) {
        ([path], [item]) if item.is_named() => run_alone(path, arguments, source, sink, format),
        _ => Many { arguments, source, sources: &sources }.run(sink, format),
    }
}

/// Writes the array of one file, without the columns that tell files apart.
fn run_alone(path: &Path, arguments: &Dump, source: &Source, sink: Sink<'_>, format: ArrayFormat) -> Ended {
    let threads = arguments.inputs.jobs;
    let ended = files::in_pool(threads, usize::MAX, || {
        let loaded = files::load(source, path)?;
        let asset = files::asset(&loaded, path)?;
        print_quirks(&Address::find(path), &asset);
        let side_car = || SideCar::beside(&Address::find(path), &source.opener);
        let array = array(&asset, arguments, side_car).and_then(|found| match found {
            Some(array) => check_floats(&array, format).map(|()| array),
            None => Err(Failure::usage(missing(asset.format()))),
        });
        let array = array.map_err(|failure| failure.in_file(path))?;
        let is_seen = matches!(sink, Sink::Stdout) && io::stdout().is_terminal();
        sink.write(arguments.force, |out| {
            let shape = if format == ArrayFormat::Npy { shape_of(None, &array)? } else { Shape::default() };
            let progress = Progress::of_rows();
            let mut writer = report::arrays(out, &array.columns, format, shape)?;
            // Rows on a terminal are progress enough.
            writer.array(None, &array, &|rows| {
                if !is_seen {
                    progress.inc(rows);
                }
            })?;
            writer.end()
        })?;
        Ok(Outcome::Clean)
    });
    ended?
}

fn print_quirks(address: &Address, asset: &Asset<'_>) {
    for (quirk, count) in counted_quirks(asset.quirks()) {
        complain(format!("{address}: {quirk}{}", and_more(count)));
    }
}

/// Checks that an array has something for a format of floats.
fn check_floats(array: &Array<'_>, format: ArrayFormat) -> Result<(), Failure> {
    if format == ArrayFormat::F32 && !array.has(Kind::Float) {
        return Err(Failure::usage("this array has no floats of 32 bits: use another format than f32"));
    }
    Ok(())
}

/// The array that the arguments ask for; `None` if files of this format do not have it.
fn array<'a>(
    asset: &Asset<'a>,
    arguments: &Dump,
    side_car: impl FnOnce() -> io::Result<Option<SideCar>>,
) -> Result<Option<Array<'a>>, Failure> {
    array_of(asset, &arguments.what, &arguments.parts(), side_car).map_err(|error| match error {
        ArrayError::SideCar(error) => Failure::findings(error),
        error => Failure::usage(error),
    })
}

/// The message about an array that files of a format do not have.
fn missing(format: Format) -> String {
    let names: Vec<_> = arrays_of(format).iter().map(|table| table.name).collect();
    let names = match names.as_slice() {
        [] => return format!("{format} has no arrays to print"),
        [name] => (*name).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    };
    format!("this is {}; it has {names}", format.title())
}
