//! Arrays of many files: rows begin with the path and the entry, and archives are opened once.

use std::io;

use skelmap::archive::{Address, SideCar};
use skelmap_batch::items::{Fault, Item, Loaded, Sources};

use super::{Dump, array, check_floats, missing, print_quirks};
use crate::files::{self, Source};
use crate::outcome::{Ended, Failure, Outcome, Tally};
use crate::output::{Output, complain};
use crate::report::{self, Array, ArrayFormat, Column, Place, RowWriter, Shape, shape_of};
use crate::sink::Sink;
use skelmap_batch::columns::path_and_entry;

/// The files of the arguments.
pub(super) struct Many<'m> {
    pub(super) arguments: &'m Dump,
    pub(super) source: &'m Source,
    pub(super) sources: &'m Sources,
}

/// A file that was opened, or not.
struct Opened {
    address: Address,
    is_named: bool,
    loaded: Result<Loaded, Fault>,
    side_car: io::Result<Option<SideCar>>,
}

/// The arrays that are written, which have the same columns.
struct Writing {
    out: Option<Output>,
    writer: Option<Box<dyn RowWriter>>,
    format: ArrayFormat,
    shape: Shape,
}

impl Many<'_> {
    pub(super) fn run(&self, sink: Sink<'_>, format: ArrayFormat) -> Ended {
        let mut shape = Shape::default();
        if format == ArrayFormat::Npy {
            self.each(format, &mut Tally::default(), false, |place, array| {
                shape.add(&shape_of(Some(place), array)?);
                Ok(())
            })?;
        }
        let mut tally = Tally::default();
        let written = sink.write(self.arguments.force, |out| {
            let mut writing = Writing { out: Some(out), writer: None, format, shape };
            self.each(format, &mut tally, true, |place, array| writing.add(place, array))?;
            writing.end()
        });
        match written {
            _ if tally.files == 0 => Err(Failure::nothing_read("no file has this array")),
            // Every file has its message.
            Err(_) if tally.files == tally.bad => Ok(Outcome::of(tally).max(Outcome::Findings)),
            written => written.map(|()| Outcome::of(tally)),
        }
    }

    /// Gives the array of each file that has it. What other files lack is said if it `is_loud`.
    fn each(
        &self,
        format: ArrayFormat,
        tally: &mut Tally,
        is_loud: bool,
        mut take: impl FnMut(&Place, &Array<'_>) -> io::Result<()> + Send,
    ) -> io::Result<()> {
        let mut columns = None;
        let work = |item: &Item, loaded| Some(self.open(item, loaded));
        files::each_of(self.sources, self.arguments.inputs.jobs, self.source, work, |opened| {
            let address = &opened.address;
            let found = match &opened.loaded {
                Err(fault) => Err(fault.message.clone()),
                Ok(loaded) => self.array(loaded, opened.is_named, opened.side_car, is_loud.then_some(address)),
            };
            let found = found.and_then(|array| array.map(|array| check_same(array, &mut columns, format)).transpose());
            match found {
                Ok(None) => return Ok(()),
                Ok(Some(array)) => {
                    tally.count(false, false);
                    let (path, entry) = path_and_entry(address);
                    return take(&Place { path, entry }, &array);
                }
                Err(message) if is_loud => complain(format!("{address}: {message}")),
                Err(_) => {}
            }
            tally.count(true, opened.loaded.is_err());
            Ok(())
        })
    }

    fn open(&self, item: &Item, loaded: Result<Loaded, Fault>) -> Opened {
        let side_car = if self.arguments.what == "side-car" { item.side_car() } else { Ok(None) };
        Opened { address: item.address(), is_named: item.is_named(), loaded, side_car }
    }

    /// The array of a file; `None` if the file was not named and is of a format without it. `of`: for messages about its quirks.
    fn array<'l>(
        &self,
        loaded: &'l Loaded,
        is_named: bool,
        side_car: io::Result<Option<SideCar>>,
        of: Option<&Address>,
    ) -> Result<Option<Array<'l>>, String> {
        let asset = loaded.asset().map_err(|error| error.to_string())?;
        let found = array(&asset, self.arguments, || side_car).map_err(message)?;
        if let Some(address) = of.filter(|_| found.is_some()) {
            print_quirks(address, &asset);
        }
        match found {
            None if is_named => Err(missing(asset.format())),
            found => Ok(found),
        }
    }
}

fn message(failure: Failure) -> String {
    match failure {
        Failure::Stopped(_, message) => message,
        Failure::Output(error) => error.to_string(),
    }
}

/// Checks that an array has the columns of the first one.
fn check_same<'a>(array: Array<'a>, first: &mut Option<Vec<Column>>, format: ArrayFormat) -> Result<Array<'a>, String> {
    let signs = |columns: &[Column]| columns.iter().map(|column| (column.key, column.kind)).collect::<Vec<_>>();
    check_floats(&array, format).map_err(message)?;
    match first {
        None => *first = Some(array.columns.clone()),
        Some(columns) if signs(columns) != signs(&array.columns) => {
            return Err("its array has other columns than that of the first file: dump it alone".to_owned());
        }
        Some(_) => {}
    }
    Ok(array)
}

impl Writing {
    fn add(&mut self, place: &Place, array: &Array<'_>) -> io::Result<()> {
        if let Some(out) = self.out.take() {
            let columns = [Place::COLUMNS.as_slice(), &array.columns].concat();
            self.writer = Some(report::arrays(out, &columns, self.format, std::mem::take(&mut self.shape))?);
        }
        self.writer.as_mut().map_or(Ok(()), |writer| writer.array(Some(place), array, &|_| ()))
    }

    fn end(self) -> io::Result<()> {
        self.writer.map_or_else(|| Err(io::Error::other("no file has this array")), RowWriter::end)
    }
}
