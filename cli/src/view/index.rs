//! The index of many models: thumbnails, with a search, and a page for each on request.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use skelmap::Severity;
use skelmap::archive::Address;

use super::View;
use crate::convert::tell;
use crate::files::{Source, count_unread};
use crate::messages::{no_model, summarize};
use crate::outcome::{Ended, Failure, Outcome, Tally, Unmade};
use crate::output::{complain, stdout};
use crate::progress::Progress;
use crate::sheet::{Drawing, Look, Thumb, models};
use crate::sink::Sink;
use crate::text::counted;
use skelmap_batch::convert::{Done, Event, Painter};
use skelmap_batch::markup::{escaped, to_link};
use skelmap_batch::names::Roots;
use skelmap_batch::originals::{Originals, is_page};
use skelmap_batch::pair::survey;
use skelmap_batch::place;

const TEMPLATE: &str = include_str!("index.html");
const SCRIPT: &str = include_str!("index.js");

/// The hash of the script, which the browser demands. A test computes it.
const HASH: &str = "kYbG+nL5Y4Xflr647nv7FMKvlDkHw1k882Nl8h9P+Ag=";

/// Pixels of each edge of a thumbnail.
const SIZE: u32 = 256;

/// Writes the index of the models at the paths into a folder.
pub(super) fn run(arguments: &View, folder: &Path, source: &Source) -> Ended {
    if !(arguments.each || arguments.anim.is_empty() && arguments.sequence.is_empty()) {
        return Err(Failure::usage("--anim and --sequence are for pages of models: add --each"));
    }
    let index = folder.join("index.html");
    let force = arguments.force || is_page(&index);
    Sink::new(Some(&index)).check(force, &arguments.inputs())?;
    let sources = arguments.sources(source)?;
    let (found, unread) = survey(&sources, &arguments.paths, None, source, Some(&Progress::of_run().watch()))?;
    let models = models(&found, false, None, source)?;
    let mut tally = Tally::default();
    for unread in &unread {
        count_unread(&mut tally, unread);
    }
    if unread.is_empty() && models.is_empty() {
        return Err(Failure::nothing_read(no_model()));
    }
    // The folder may be a link that somebody else has made.
    place::below(folder, Path::new("thumbs/index.png"), false).map_err(Failure::not_written)?;
    let mut unmade = Unmade::default();
    let pages = if arguments.each {
        let told = unread.iter().map(|unread| unread.address.clone()).collect();
        pages(arguments, folder, source, (&mut unmade, &told))?
    } else {
        Pages::default()
    };
    let look = Look { size: SIZE, frames: None };
    let roots = Roots::new(&arguments.paths);
    let painter = Painter::new(source, &arguments.to_options(), SIZE)?;
    let originals = Originals::new(arguments.inputs());
    let drawing = Drawing {
        source,
        look,
        sequence: None,
        roots: &roots,
        jobs: None,
        folder: Some(folder),
        inner: Path::new("thumbs"),
        originals,
        force,
        painter,
    };
    drawing.prepare()?;
    let mut list = String::new();
    for unread in &unread {
        let shown = roots.shown(&unread.address).to_string();
        add(&mut list, &Thumb::of_unread(unread), &shown, None, None);
    }
    let drawn = drawing.each(&models, |thumb, model, saved| {
        let address = model.address().to_string();
        // A model is named once.
        let is_told = pages.failed.contains(&address);
        let picture = saved.inspect_err(|error| unmade.add(&model.address(), error, is_told)).ok().flatten();
        tally.count(picture.is_none() || is_told, false);
        let shown = roots.shown(&model.address()).to_string();
        add(&mut list, thumb, &shown, picture.as_deref(), pages.made.get(&address));
        Ok(())
    });
    unmade.tell(false);
    drawn.map_err(Failure::not_written)?;
    let html = page(arguments, &roots, &list, tally);
    Sink::new(Some(&index)).write_bytes(force, html.as_bytes())?;
    writeln!(stdout(), "{}", index.display())?;
    summarize(format!("{}, {} failed", counted(tally.files, "model"), tally.bad));
    if arguments.open {
        super::open(&index);
    }
    Ok(Outcome::of(tally).max(unmade.outcome()).max(pages.outcome))
}

/// The path of a page below the folder, and the names of its animations.
type Linked = (PathBuf, String);

/// The most bytes of the names of animations of a model that the search finds.
const MAX_CLIPS: usize = 4096;

/// The pages of models, by the addresses of the models.
#[derive(Default)]
struct Pages {
    made: HashMap<String, Linked>,
    /// The models whose page cannot be made.
    failed: HashSet<String>,
    /// Worse if something that the arguments name is in none of them.
    outcome: Outcome,
}

/// Writes a page for each model. `told`: the files of which people know that they cannot be read.
fn pages(
    arguments: &View,
    folder: &Path,
    source: &Source,
    (unmade, told): (&mut Unmade, &HashSet<Address>),
) -> Result<Pages, Failure> {
    let mut pages = Pages::default();
    arguments.convert(folder, source, &mut |event| {
        let row = match event {
            Event::Output(row) => row,
            Event::Missing(_) => {
                pages.outcome = Outcome::Findings;
                tell(&event);
                return Ok(());
            }
            Event::Unread(unread) => {
                if !told.contains(&unread.address) {
                    pages.outcome = Outcome::Findings;
                    complain(format!("{}: {}", unread.address, unread.message));
                }
                return Ok(());
            }
            _ => return Ok(()),
        };
        match (&row.done, &row.output) {
            (Ok(done), Some(path)) => {
                let below = path.strip_prefix(folder).unwrap_or(path).to_owned();
                let mut clips = String::new();
                let names = if let Done::Written(output) = done { output.animations.as_slice() } else { &[] };
                for name in names {
                    if clips.len() + name.len() < MAX_CLIPS {
                        clips.push_str(name);
                        clips.push(' ');
                    }
                }
                pages.made.insert(row.address.to_string(), (below, clips));
            }
            (Err(error), _) => {
                unmade.add(&row.address, error, false);
                pages.failed.insert(row.address.to_string());
            }
            _ => {}
        }
        Ok(())
    })?;
    Ok(pages)
}

/// Adds a card to the list.
fn add(list: &mut String, thumb: &Thumb, address: &str, picture: Option<&Path>, page: Option<&Linked>) {
    let tag = if page.is_some() { "a" } else { "div" };
    let link = page.map(|(page, _)| format!(" href=\"{}\"", to_link(&page.to_string_lossy()))).unwrap_or_default();
    let _ = write!(list, "<li><{tag}{link} title=\"{}\">", escaped(address));
    if let Some(picture) = picture {
        let _ = write!(
            list,
            "<img src=\"thumbs/{}\" alt=\"\" width=\"{SIZE}\" height=\"{SIZE}\" loading=\"lazy\">",
            to_link(&picture.to_string_lossy())
        );
    }
    let _ =
        write!(list, "<b><bdi>{}</bdi></b><small><bdi>{}</bdi></small>", escaped(&thumb.name), escaped(&thumb.counts));
    if let Some((severity, message)) = &thumb.faults {
        let style = if *severity == Severity::Error { "error" } else { "warning" };
        let _ = write!(list, "<small class=\"{style}\"><bdi>{}</bdi></small>", escaped(message));
    }
    // What the search finds too.
    let clips = page.map(|(_, clips)| format!("<i hidden>{}</i>", escaped(clips))).unwrap_or_default();
    let _ = writeln!(list, "<small><bdi>{}</bdi></small>{clips}</{tag}></li>", escaped(address));
}

fn page(arguments: &View, roots: &Roots, list: &str, tally: Tally) -> String {
    let paths: Vec<String> = arguments.paths.iter().map(|path| roots.shown(&Address::find(path)).to_string()).collect();
    let about = format!("{}, {} that cannot be read or drawn", counted(tally.files, "model"), tally.bad);
    let parts = [
        ("title", escaped(&paths.join(", "))),
        ("about", about),
        ("hash", HASH.to_owned()),
        ("script", SCRIPT.to_owned()),
    ];
    let (mut html, mut rest) = (String::new(), TEMPLATE);
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, next) = after.split_once("}}").unwrap_or((after, ""));
        html.push_str(before);
        html.push_str(if name == "list" {
            list
        } else {
            parts.iter().find(|(own, _)| *own == name).map_or("", |(_, text)| text)
        });
        rest = next;
    }
    html + rest
}
