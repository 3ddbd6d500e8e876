//! `skelmap view`: a page that plays a model, and an index of many.

mod index;

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use skelmap::archive::Address;
use skelmap_preview::Page;

use crate::arguments::{Choosing, Members, Parsing, Textures, bytes, input, local, place};
use crate::convert::{check_reader, tell};
use crate::files::{self, Source, stem_of};
use crate::messages::no_model;
use crate::outcome::{Ended, Failure, Outcome};
use crate::output::{complain, stdout};
use crate::progress::Progress;
use crate::query::Choice;
use crate::sink::{Sink, has_extension, is_stdout};
use skelmap_batch::columns::address_text;
use skelmap_batch::convert::{self, Cause, Conversion, ConvertOptions, Done, Event, Kind, Listener, Replace};
use skelmap_batch::items::Sources;
use skelmap_batch::names::Roots;
use skelmap_batch::originals::is_page;
use skelmap_batch::pair::stem;
use skelmap_batch::save;

/// Make one HTML file that plays a model with its animations in a browser.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  skelmap view Fox.psk Fox.psa --open
  skelmap view 'public.zip!/art/meshes/skeletal/horse.dae.cached.pmd' --anim horse/ -o horse.html
  skelmap view mods/ -o pages/ --each
  skelmap view mods/ -o pages/ --glob '*horse*' --where 'faces > 500' --sort -faces

The page has the mesh with its bones, materials and textures, a list of the animations that fit, and what `info` and `check` say; a click \
on a finding shows the bone or the face. It makes no network requests, opens from the disk, and can be sent to others. Which \
animations and textures belong to a mesh: see `skelmap convert --help`. If OUT is a folder, thumbnails of all meshes are written into it, and index.html with a search; --each adds a page for each. --where and --sort ask about the columns of `ls`, of animations too.

A file that cannot be read gives a page that says why, and the exit status 1 (3 if it cannot be opened). An animation that is named \
and cannot play on the mesh is left out, which the page says, and the exit status is 1. A page that `view` has made is \
replaced; other files only with --force. The path of the page goes to standard output.")]
pub(crate) struct View {
    /// A mesh and its animations, or an animation alone; with a folder as OUT, any files, folders and archives.
    #[arg(required = true, value_name = "PATH", value_parser = input())]
    paths: Vec<PathBuf>,
    /// The page, in .html; or a folder for an index of many models; - is standard output [default: the name of the model, in the current folder].
    #[arg(short, long, value_name = "OUT", value_parser = local())]
    output: Option<PathBuf>,
    /// With a folder: write a page for each model, to which the index leads.
    #[arg(long)]
    each: bool,
    /// Open the page in the browser.
    #[arg(long)]
    open: bool,
    /// More animations: files, folders or archives; can be given several times.
    #[arg(long, value_name = "PATH", value_parser = place())]
    anim: Vec<PathBuf>,
    #[command(flatten)]
    playing: Members,
    /// Only the sequence of this name; can be given several times.
    #[arg(long, value_name = "NAME")]
    sequence: Vec<String>,
    #[command(flatten)]
    textures: Textures,
    /// The level of detail of meshes, counted from 0; the last one of a mesh with fewer (UEFormat).
    #[arg(long, value_name = "N", default_value_t = 0, hide_short_help = true)]
    lod: usize,
    /// The largest page: with more animations, it is refused (K, M, G: times 1024).
    #[arg(long, value_name = "BYTES", default_value = "64M", value_parser = bytes)]
    max_size: u64,
    /// Replace a file that is no page of skelmap.
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    choice: Choice,
    #[command(flatten)]
    choosing: Choosing,
    #[command(flatten)]
    pub(crate) parsing: Parsing,
}

pub(crate) fn run(arguments: &View, source: &Source) -> Ended {
    if let Some(folder) = arguments.index()? {
        return index::run(arguments, folder, source);
    }
    let output = arguments.output.clone().unwrap_or_else(|| default_name(arguments));
    let is_printed = is_stdout(&output);
    if is_printed && arguments.open {
        return Err(Failure::usage("--open needs a file: standard output has none"));
    }
    let output = if is_printed { PathBuf::from("-") } else { output };
    let force = arguments.force || is_page(&output);
    if !is_printed {
        Sink::new(Some(&output)).check(force, &arguments.inputs())?;
        // A page is a file: a pipe would get the page that says so, and wait for its reader.
        save::replaceable(&output, force).map_err(|error| Failure::not_written(error).in_file(&output))?;
    }
    let (mut written, mut is_missing) = (false, false);
    // The first of the worst, and the file that it is about.
    let mut failed: Option<(Outcome, Address, String)> = None;
    let mut fail = |outcome, address: &Address, message: String| {
        complain(format!("{address}: {message}"));
        if failed.as_ref().is_none_or(|(worst, ..)| outcome > *worst) {
            failed = Some((outcome, address.clone(), message));
        }
    };
    let taken = arguments.convert(&output, source, &mut |event| {
        match event {
            Event::Unread(unread) => {
                let outcome = if unread.is_unreadable { Outcome::NothingRead } else { Outcome::Findings };
                fail(outcome, &unread.address, unread.message.clone());
            }
            Event::Output(row) => match &row.done {
                Err(error) if error.cause == Cause::Closed => check_reader(row)?,
                Ok(Done::Written(_)) => written = true,
                Ok(_) => {}
                Err(error) => fail(Outcome::of_cause(error.cause), &row.address, error.to_string()),
            },
            event => {
                is_missing |= matches!(event, Event::Missing(_));
                tell(&event);
            }
        }
        Ok(())
    });
    match (taken, &failed) {
        (Ok(()), _) if written => {}
        // A missing file gets no page, nor does a place that cannot be written.
        (_, Some((outcome, ..))) if *outcome != Outcome::Findings => return Ok(*outcome),
        (Ok(()) | Err(Failure::Stopped(..)), Some((_, address, message))) => {
            let roots = Roots::new(&arguments.paths).with(&arguments.inputs()).with(std::slice::from_ref(&output));
            write_error(&output, force, &roots.shown(address).to_string(), roots.shown_text(address, message))?;
        }
        (Err(failure), _) => return Err(failure),
        (Ok(()), None) => return Err(Failure::nothing_read(no_model())),
    }
    if !is_printed {
        writeln!(stdout(), "{}", output.display())?;
    }
    if arguments.open {
        open(&output);
    }
    Ok(if failed.is_some() || is_missing { Outcome::Findings } else { Outcome::Clean })
}

/// Opens a page in the browser. Where there is no browser, the page is written all the same.
fn open(page: &Path) {
    if open::that_detached(page).is_err() {
        complain(format!("{}: no browser could be started: open the page by hand", page.display()));
    }
}

impl View {
    /// The folder of an index, if an index is asked for: folders and archives have many models.
    fn index(&self) -> Result<Option<&Path>, Failure> {
        let is_many = |path: &PathBuf| {
            let address = Address::find(path);
            let is_archive = || address.path().is_file() && has_extension(path, &["zip", "pyromod", "res"]);
            address.entry().is_none() && (path.is_dir() || is_archive())
        };
        // A new folder whose name looks like that of a file is named with a slash at its end.
        let is_file = |output: &Path| {
            let has_slash = output.as_os_str().to_string_lossy().ends_with(['/', '\\']);
            output.metadata().map_or_else(
                |_| {
                    !has_slash
                        && has_extension(
                            output,
                            &["txt", "htm", "xhtml", "pdf", "md", "png", "svg", "json", "glb", "gltf", "obj"],
                        )
                },
                |metadata| !metadata.is_dir(),
            )
        };
        let is_one = |output: &Path| is_stdout(output) || has_extension(output, &["html"]);
        match self.output.as_deref() {
            Some(output) if !is_one(output) && is_file(output) => {
                Err(Failure::usage("expected a name in .html, or a folder").in_file(output))
            }
            Some(output) if !is_one(output) => Ok(Some(output)),
            _ if self.each => Err(Failure::usage("--each writes a page for each model: name a folder with -o")),
            _ if self.paths.iter().all(is_many) => {
                let message =
                    "a folder or archive may have many models: name a folder for the index with -o, or name one model";
                Err(Failure::usage(message))
            }
            _ => Ok(None),
        }
    }

    /// All that is read.
    fn inputs(&self) -> Vec<PathBuf> {
        [self.paths.as_slice(), &self.anim, &self.textures.to_paths()].concat()
    }

    /// The choices of the conversion that makes the page.
    fn to_options(&self) -> ConvertOptions {
        ConvertOptions {
            to: Some(Kind::Html),
            sequences: self.sequence.clone(),
            fits: self.playing.fits,
            min_percent: self.playing.can_play.min_percent,
            lod: self.lod,
            max_bytes: self.max_size,
            ..self.textures.to_options()
        }
    }

    /// The files that are asked for, in the order of --sort.
    fn sources(&self, source: &Source) -> Result<Sources, Failure> {
        let mut sources = files::find_at(source, &self.paths, &self.choosing)?;
        let query = self.choice.to_query();
        if query.is_some() {
            let addresses = files::addresses(source, &sources, &query)?;
            let places: HashMap<&String, usize> = addresses.iter().enumerate().map(|(at, own)| (own, at)).collect();
            sources.keep_in_order(|item| places.get(&address_text(&item.address())).copied());
        }
        Ok(sources)
    }

    /// Writes pages: to a file, or into a folder.
    fn convert(&self, output: &Path, source: &Source, listener: &mut Listener<'_>) -> Result<(), Failure> {
        let (sources, given) = (self.sources(source)?, files::find_anim(source, &self.anim, &self.choosing)?);
        let conversion = Conversion {
            paths: &self.paths,
            sources: &sources,
            animations: &self.anim,
            given: &given,
            output,
            options: &self.to_options(),
            jobs: None,
            dry_run: false,
            resume: false,
            replace: if self.force { Replace::Everything } else { Replace::Pages },
            shard: None,
        };
        let bar = Progress::of_run();
        convert::convert(&conversion, source, Some(&bar.watch()), &mut |event| bar.suspend(|| listener(event)))?;
        Ok(())
    }
}

/// `horse.html` for `art/horse.dae.cached.pmd`.
fn default_name(arguments: &View) -> PathBuf {
    let name = arguments.paths.first().map(|path| stem_of(&Address::find(path)));
    format!("{}.html", name.unwrap_or_default()).into()
}

/// Writes a page that says why there is no model.
fn write_error(output: &Path, force: bool, address: &str, message: String) -> Result<(), Failure> {
    let mut page = Page::default();
    page.title = stem(Path::new(address));
    page.path = address.into();
    page.error = Some(message);
    let (html, _) = page.to_html().map_err(|error| Failure::not_written(io::Error::other(error.to_string())))?;
    Sink::new(Some(output)).write_bytes(force, html.as_bytes())
}
