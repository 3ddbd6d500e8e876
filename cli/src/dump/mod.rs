//! `skelmap dump`: the records of one array of one file or of many. The arrays of each family are in `skelmap_batch::arrays`.

mod arguments;

use std::io::{self, IsTerminal};
use std::mem;
use std::path::Path;

use skelmap::Format;
use skelmap::archive::{Address, SideCar};
use skelmap_batch::arrays::{ArrayError, array_of, arrays_of, columns_of_all};
use skelmap_batch::columns::{address_text, counted_quirks};
use skelmap_batch::items::{Fault, Item, Loaded, Options, Sources};
use skelmap_batch::{OutputLimit, is_remote, path_and_entry};

use crate::files::{self, Source};
use crate::messages::{Repeated, no_asset};
use crate::outcome::{Ended, Failure, Outcome, Tally};
use crate::output::{buffered, complain};
use crate::progress::{Progress, Unit};
use crate::report::{self, Array, ArrayFormat, Column, Kind, Place, RowWriter, Shape, shape_of};
use crate::sink::Sink;
use crate::text::and_more;

pub(crate) use arguments::Dump;

pub(crate) fn run(arguments: &Dump, source: &Source) -> Ended {
    arguments.check()?;
    let (sink, format) = (Sink::new(arguments.output.as_deref()), arguments.format()?);
    if format.is_binary() {
        sink.check_binary("-o FILE or > FILE")?;
    }
    sink.check(arguments.force, &arguments.inputs.paths)?;
    let limit = OutputLimit::new(arguments.largest.max_output);
    let run = Run { arguments, source, sink, format, limit };
    if let [path] = arguments.inputs.paths.as_slice() {
        // An archive of a store is asked once for a name with an extension, which is no folder's.
        let has_extension = |entry: &str| Path::new(entry).extension().is_some();
        if is_remote(path) && Address::find(path).entry().is_some_and(has_extension) {
            return run.alone(path);
        }
    }
    let sources = files::find(source, &arguments.inputs)?;
    match (arguments.inputs.paths.as_slice(), sources.items()) {
        ([path], [item]) if item.is_named() => run.alone(path),
        _ => run.many(&sources),
    }
}

/// The most letters of the place of a file that count for the limit of the output.
const MAX_LETTERS: usize = 256;

/// Which array is written, and where.
struct Run<'r> {
    arguments: &'r Dump,
    source: &'r Source,
    sink: Sink<'r>,
    format: ArrayFormat,
    limit: OutputLimit,
}

impl Run<'_> {
    /// Writes the array of one file, without the columns that tell files apart.
    fn alone(&self, path: &Path) -> Ended {
        let ended = files::in_pool(self.arguments.inputs.jobs, usize::MAX, || {
            let (loaded, address) = (files::load(self.source, path)?, Address::find(path));
            let side_car = || SideCar::beside(&address, &self.source.opener);
            let found = self.array(&loaded, side_car, Some(&address), true);
            let missing = || Failure::usage(missing(loaded.format()));
            let array = found.and_then(|array| array.ok_or_else(missing)).map_err(|failure| failure.in_file(path))?;
            let counted = OutputLimit::new(self.arguments.largest.max_output);
            for limit in [&self.limit, &counted] {
                limit.add_input(loaded.bytes().len());
            }
            let is_seen = matches!(self.sink, Sink::Stdout) && io::stdout().is_terminal();
            self.sink.write(self.arguments.force, |out| {
                let is_shaped = self.format == ArrayFormat::Npy;
                let shape = if is_shaped { shape_of(None, &array, &counted)? } else { Shape::default() };
                let progress = Progress::new(Unit::Rows, 0);
                let mut writer = report::arrays(buffered(self.limit.to(out)), &array.columns, self.format, shape)?;
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

    /// Writes the arrays of many files: rows begin with the path and the entry.
    fn many(&self, sources: &Sources) -> Ended {
        let mut shape = Shape::default();
        let columns = columns_of_all(&self.arguments.what, &self.formats(sources)?);
        if self.format == ArrayFormat::Npy {
            let counted = OutputLimit::new(self.arguments.largest.max_output);
            self.each(sources, &columns, &mut Tally::default(), (false, &counted), |place, array| {
                shape.add(&shape_of(Some(place), array, &counted)?);
                Ok(())
            })?;
        }
        let mut tally = Tally::default();
        let written = self.sink.write(self.arguments.force, |out| {
            let (mut out, mut writer) = (Some(out), None);
            self.each(sources, &columns, &mut tally, (true, &self.limit), |place, array| {
                if let Some(out) = out.take() {
                    let columns = [Place::COLUMNS.as_slice(), &columns].concat();
                    let out = buffered(self.limit.to(out));
                    writer = Some(report::arrays(out, &columns, self.format, mem::take(&mut shape))?);
                }
                writer.as_mut().map_or(Ok(()), |writer| writer.array(Some(place), array, &|_| ()))
            })?;
            writer.map_or_else(|| Err(io::Error::other("no file has this array")), RowWriter::end)
        });
        match written {
            _ if tally.files == 0 => Err(Failure::nothing_read(no_asset())),
            // Every file has its message.
            Err(_) if tally.files == tally.bad => Ok(Outcome::of(tally).max(Outcome::Findings)),
            written => written.map(|()| Outcome::of(tally)),
        }
    }

    /// The formats of the files whose arrays have other columns than those of other formats: all that have the array, if a file can be read only
    /// once.
    fn formats(&self, sources: &Sources) -> io::Result<Vec<Format>> {
        let has_array = |format: &&Format| arrays_of(**format).iter().any(|table| table.is(&self.arguments.what));
        let mut formats: Vec<Format> = Format::ALL.iter().filter(has_array).copied().collect();
        let columns = |format: &Format| columns_of_all(&self.arguments.what, &[*format]);
        let keys = |format: &Format| columns(format).iter().map(|column| column.key).collect::<Vec<_>>();
        let is_once = |item: &Item| {
            let path = item.address().path().to_owned();
            item.is_named() && !is_remote(&path) && path.exists() && !path.is_file()
        };
        if formats.iter().all(|format| keys(format) == formats.first().map(keys).unwrap_or_default())
            || sources.items().iter().any(is_once)
        {
            return Ok(formats);
        }
        let options = Options { parse: self.source.parse, ..Options::default() };
        let mut found = Vec::new();
        let work = |item: &Item| item.row(&self.source.opener, &options)?.format;
        files::each_item(sources, self.arguments.inputs.jobs, self.source, options.need(), work, |code| {
            if !found.contains(&code) {
                found.push(code);
            }
            Ok(())
        })?;
        formats.retain(|format| found.contains(&format.code()));
        Ok(formats)
    }

    /// Gives the array of each file that has it, with these columns, after the limit of the output knows its bytes. What other files lack is said if it
    /// `is_loud`.
    fn each(
        &self,
        sources: &Sources,
        columns: &[Column],
        tally: &mut Tally,
        (is_loud, limit): (bool, &OutputLimit),
        mut take: impl FnMut(&Place, &Array<'_>) -> io::Result<()> + Send,
    ) -> io::Result<()> {
        let mut refused = Repeated::default();
        let work = |item: &Item, loaded: Result<Loaded, Fault>| {
            let side_car = if self.arguments.what == "side-car" { item.side_car() } else { Ok(None) };
            Some((item.address(), item.is_named(), loaded, side_car))
        };
        let jobs = self.arguments.inputs.jobs;
        files::each_of(sources, jobs, self.source, work, |(address, is_named, loaded, side_car)| {
            let found = loaded.as_ref().map_err(|fault| Failure::nothing_read(&fault.message)).and_then(|loaded| {
                let array = self.array(loaded, || side_car, is_loud.then_some(&address), false)?;
                if is_named && array.is_none() {
                    return Err(Failure::usage(missing(loaded.format())));
                }
                Ok(array.map(|array| array.with_columns(columns.to_vec())))
            });
            match found {
                Ok(None) => {}
                Ok(Some(array)) => {
                    tally.count(false, false);
                    let (path, entry) = path_and_entry(&address);
                    if let Ok(loaded) = &loaded {
                        // Each row has the place of its file, whose letters take four bytes in an array of NumPy.
                        let (bytes, letters) =
                            (loaded.bytes().len(), path.len() + entry.as_ref().map_or(0, String::len));
                        limit.add_input(bytes.saturating_add(bytes / 64 * letters.min(MAX_LETTERS)));
                    }
                    let format = loaded.as_ref().ok().and_then(Loaded::format);
                    take(&Place { path, entry, address: address_text(&address), format }, &array)?;
                }
                Err(failure) => {
                    tally.count(true, loaded.is_err());
                    if is_loud {
                        refused.add(address.to_string(), failure.to_string());
                    }
                }
            }
            Ok(())
        })?;
        refused.tell();
        Ok(())
    }

    /// The array that the arguments ask for; `None` if files of this format do not have it. `of`: for messages about quirks.
    /// `has_names`: whether the message about a sequence that does not exist has the names of those that do; it is another one for each file then.
    fn array<'l>(
        &self,
        loaded: &'l Loaded,
        side_car: impl FnOnce() -> io::Result<Option<SideCar>>,
        of: Option<&Address>,
        has_names: bool,
    ) -> Result<Option<Array<'l>>, Failure> {
        let asset = loaded.asset().map_err(Failure::findings)?;
        let found = array_of(&asset, &self.arguments.what, &self.arguments.parts(), side_car);
        let found = found.map_err(|error| match error {
            ArrayError::SideCar(error) => Failure::findings(error),
            ArrayError::Sequence(name) if has_names => {
                Failure::usage(files::no_sequence(&name, &asset.clips().collect::<Vec<_>>()))
            }
            error => Failure::usage(error),
        })?;
        let Some(array) = found else { return Ok(None) };
        if let Some(address) = of {
            for (quirk, count) in counted_quirks(asset.quirks()) {
                complain(format!("{address}: {quirk}{}", and_more(count)));
            }
        }
        if self.format == ArrayFormat::F32 && !array.has(Kind::Float) {
            return Err(Failure::usage("this array has no floats of 32 bits: use another format than f32"));
        }
        Ok(Some(array))
    }
}

/// The message about an array that files of a format do not have.
fn missing(format: Option<Format>) -> String {
    let Some(format) = format else { return "unknown format".to_owned() };
    let names: Vec<_> = arrays_of(format).iter().map(|table| table.name).collect();
    let names = match names.as_slice() {
        [] => return format!("{format} has no arrays to print"),
        [name] => (*name).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    };
    format!("this is {}; it has {names}", format.title())
}
