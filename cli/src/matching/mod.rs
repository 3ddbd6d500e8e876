//! `skelmap match`: which animations fit which meshes.

mod sides;

use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::Args;
use skelmap::Verdict;
use skelmap::archive::Address;
use skelmap_batch::items::{Fault, Item, Loaded, SCHEMA};
use skelmap_batch::query::unless_enough;

use self::sides::{Sides, read};
use crate::arguments::{CanPlay, Inputs, input};
use crate::files::{self, Source};
use crate::messages::no_asset;
use crate::messages::summarize;
use crate::outcome::{Ended, Failure, Outcome};
use crate::output::complain;
use crate::query::tell_dropped;
use crate::query::{Query, query_help};
use crate::report::{
    self, ANY_TEXT, ARCHIVE, Cell, Column, Field, Format, Look, PATH, Values, boolean, double, field, integer, list,
    nested, text,
};
use crate::text::{counted, first_names};
use skelmap_batch::columns::{
    ADDRESS_COLUMN, ENTRY_COLUMN, PATH_COLUMN, SCHEMA_COLUMN, address_cell, archive, path, path_within,
};
use skelmap_batch::pair::{Differences, Joins, Model, Moves, Pair, Reparented, Stretch, best};

/// Tell which animations fit a mesh, and what differs.
#[derive(Debug, Args)]
#[command(mut_arg("glob", |glob| glob.hide_short_help(false)))]
#[command(after_help = concat!("\
Examples:
  skelmap match Grunt.psk Walk.psa
  skelmap match Grunt.psk animations/ --fits
  skelmap match Walk.psa meshes/ --best
  skelmap match 'public.zip!/art/meshes/' public.zip --best --format csv
  skelmap match horse.pmd public.zip --where 'length_change < 0.01' --sort length_change --limit 20
  skelmap match mymod/art/meshes/dog.pmd mymod/ --mod public.zip --mod mymod/

A mesh with animations, an animation with meshes, or folders and archives of both: each animation is compared with each mesh, and what \
does not match at all is left out then.

ActorX bones are matched by name (case and spaces at the end do not matter). Bones of Pyrogenesis and SWAT 3 have no names, and the games \
compare their number. Bones keep their lengths, so the distances of Pyrogenesis bones at rest and in eight frames tell more \
(length_change). If the mod of the mesh has standard skeletons (art/skeletons/; --mod names other mods), only distances to neighbours in a \
skeleton count: the parent, its parent, and the other bones of that parent. The skeleton is, of those with this number of bones, the one in \
which distances change least.

verdict: exact (the same bones by name), fits, in-part, same-count (bones without names, as many in both, and no more is known, or \
their distances change), hardly or not.

An animation fits (--fits, the last line, the exit status) if it can play on a mesh: exact, fits, same-count where no distances can be \
measured, and in-part with nine tenths of its bones (--min-bones says how many). `convert`, `view` and `sheet` ask the same.

All animations are compared, also with --limit: it changes neither the last line nor the exit status.

Exit status: 0 an animation fits; 1 none fits, or a file cannot be compared; 3 nothing could be read.

", query_help!(all), "

`skelmap columns match` explains the columns and the keys of JSON."))]
pub(crate) struct Match {
    /// The mesh, or the animation; a folder or an archive with many. SWAT 3 meshes cannot be read: give an animation that fits.
    #[arg(value_name = "MESH", value_parser = input())]
    mesh: PathBuf,
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    #[command(flatten)]
    query: Query,
    /// Only animations that can play on a mesh: exact, fits, in-part by --min-bones, and same-count where nothing can be compared.
    #[arg(long)]
    fits: bool,
    #[command(flatten)]
    playing: CanPlay,
    /// Only the best mesh for each animation: one that actors of 0 A.D. join with it, else one that its name is about, else the one that matches
    /// best; of equal ones the nearest, and then the one of the most points. `convert --dry-run` lists all that belong to each mesh.
    #[arg(long)]
    best: bool,
    /// A mod (0 A.D.) with the skeletons of the meshes, an archive or a folder; several times for several, later ones over those before
    /// [default: the mod that a mesh lies in].
    #[arg(long = "mod", value_name = "PATH", value_parser = input())]
    mods: Vec<PathBuf>,
    /// Format of the output.
    #[arg(long, value_parser = report::formats(), default_value = "table")]
    format: Format,
}

/// The most names of bones of all rows that are in memory, unless they are those of one animation.
const MAX_NAMES: usize = 1 << 20;

/// A row without names takes as much as so many of them.
const NAMES_OF_A_ROW: usize = 8;

/// An animation and how it fits a mesh.
pub(crate) struct Matched {
    address: Address,
    mesh: Address,
    /// Whether there are several meshes, so that a table has to name them.
    is_many: bool,
    found: skelmap::Match,
    skeleton: Option<String>,
    differences: Differences,
    stretch: Option<Stretch>,
    /// The number of bones that move points and stand still.
    still: Option<usize>,
    /// Whether the row before has the same meaning, which is said once.
    is_said: bool,
}

const BONE_NAMES: [Column; 5] = [
    names("matched", "bones that are in both"),
    names("missing", "bones of the mesh that the animation does not move"),
    names("extra", "bones of the animation that the mesh does not have"),
    list("reparented", &REPARENTED).means("bones with another parent"),
    names("still", "bones that move points and that no sequence moves"),
];
const REPARENTED: Column = nested("", || {
    let parent = |key| text(key).nullable();
    vec![
        text("bone").means("the name of the bone"),
        parent("in_mesh").means("the parent in the mesh"),
        parent("in_animation").means("the parent in the animation"),
    ]
});

const fn names(key: &'static str, meaning: &'static str) -> Column {
    list(key, &ANY_TEXT).means(meaning)
}

pub(crate) fn fields() -> Vec<Field<Matched>> {
    let percent = |title, meaning| double("").titled(title).look(Look::Percent).unit("percent").means(meaning).table();
    let verdict = text("verdict").of(Values::OneOf(|| Verdict::ALL.map(Verdict::code).to_vec()));
    let length_change = double("length_change").titled("change").look(Look::Decimals(4)).drop_order(2).of(Values::Size);
    let compared = integer("lengths_compared").nullable().data();
    let compared = compared.means(
        "bones whose lengths in the mesh and in the first sequence were compared; null where names do not join most bones",
    );
    let changed = integer("lengths_changed").nullable().data();
    let changed = changed.means("bones that have another length in the animation: the model is torn there");
    let ratio = double("length_ratio").nullable().data();
    let ratio = ratio.means(
        "the median of the lengths in the animation, divided by those in the mesh; 100 or 0.01 where the units differ",
    );
    let still = integer("bones_still").titled("still").drop_order(5).nullable();
    let still = still.means(
        "bones of the mesh that move points and that no sequence of the animation moves; null where this is not known",
    );
    let of_mesh = "the share of the bones of the mesh that are matched";
    let of_animation = "the share of the bones of the animation that are matched";
    let skeleton = text("skeleton").nullable().data();
    let skeleton = skeleton
        .means("the standard skeleton (0 A.D.) whose parents decided which distances count; null where none was known");
    let next = text("next").nullable().data().means("the next step");
    let bone_names = nested("bone_names", || BONE_NAMES.to_vec());
    vec![
        field(SCHEMA_COLUMN.json(), |_| SCHEMA.into()),
        field(PATH_COLUMN.data(), |row: &Matched| path(&row.address)),
        field(ENTRY_COLUMN.data(), |row| row.address.entry().into()),
        field(ADDRESS_COLUMN.data(), |row| address_cell(&row.address)),
        field(text("mesh").data().means("the mesh, or the archive of an entry"), |row| path(&row.mesh)),
        field(text("mesh_entry").nullable().data().means("the name of the mesh in the archive"), |row| {
            row.mesh.entry().into()
        }),
        field(ADDRESS_COLUMN.keyed("mesh_address").means("the mesh, as every command takes it").data(), |row| {
            address_cell(&row.mesh)
        }),
        field(verdict.means("the result of the comparison (skelmap match --help)"), |row| row.found.verdict().code().into()),
        field(integer("matched").drop_order(4).means("bones of the animation that the mesh has"), |row| {
            row.found.matched.into()
        }),
        field(percent("of mesh", of_mesh).drop_order(3), |row| row.found.percent_of_mesh().into()),
        field(percent("of anim", of_animation).drop_order(3), |row| row.found.percent_of_animation().into()),
        field(integer("missing").drop_order(1).means("bones of the mesh that the animation does not move"), |row| {
            row.found.missing.into()
        }),
        field(integer("extra").drop_order(1).means("bones of the animation that the mesh does not have"), |row| {
            row.found.extra.into()
        }),
        field(integer("reparented").data().means("bones with another parent"), |row| row.found.reparented.into()),
        field(boolean("is_flat").data().means("whether the animation has no hierarchy, although the mesh has one"), |row| {
            row.found.is_flat.into()
        }),
        field(boolean("by_name").data().means("whether names decided; otherwise the number of bones did"), |row| {
            row.found.by_name.into()
        }),
        field(
            length_change.nullable().means(
                "the change of the distances between bones without names, as a part of the size of the skeleton; up to 0.005 is a fit",
            ),
            |row| row.found.length_change.into(),
        ),
        field(skeleton, |row| row.skeleton.as_deref().into()),
        field(compared, |row| row.stretch.as_ref().map(|own| own.change.compared as u64).into()),
        field(changed, |row| row.stretch.as_ref().map(|own| own.change.bones.len() as u64).into()),
        field(ratio, |row| row.stretch.as_ref().map(|own| own.change.ratio).into()),
        field(still, |row| row.still.into()),
        field(double("percent_of_mesh").data().unit("percent").means(of_mesh), |row| row.found.percent_of_mesh().into()),
        field(double("percent_of_animation").data().unit("percent").means(of_animation), |row| {
            row.found.percent_of_animation().into()
        }),
        field(text("message").data().means("the result in words"), |row| row.message().into()),
        field(next, |row| row.next_step().into()),
        field(bone_names.means("bones by name; the lists are empty for formats without names"), |row| {
            bones(&row.differences)
        }),
        field(text("meaning").look(Look::Notes).table().means("the result in words, if the row before has another"), |row| {
            row.meaning().into()
        }),
        field(text("mesh").table(), |row| row.is_many.then(|| files::name_of(&row.mesh)).into()),
        field(ARCHIVE, |row| archive(&row.address)),
        field(PATH, |row| path_within(&row.address)),
    ]
}

/// The bones that differ, as a JSON object.
fn bones(differences: &Differences) -> Cell<'_> {
    let Differences { matched, missing, extra, reparented, still } = differences;
    let moved = |own: &Reparented| {
        let cell = |name: &Option<String>| name.as_ref().map(|name| Cell::display(name.clone())).into();
        Cell::Object(vec![
            ("bone", Cell::display(own.bone.clone())),
            ("in_mesh", cell(&own.in_mesh)),
            ("in_animation", cell(&own.in_animation)),
        ])
    };
    Cell::Object(vec![
        ("matched", Cell::list(|| matched.iter())),
        ("missing", Cell::list(|| missing.iter())),
        ("extra", Cell::list(|| extra.iter())),
        ("reparented", Cell::list(move || reparented.iter().map(moved))),
        ("still", Cell::list(|| still.iter())),
    ])
}

impl Matched {
    /// What the bones say, and what their lengths do.
    fn message(&self) -> String {
        let stretch = self.stretch.as_ref().and_then(Stretch::meaning).map(|meaning| format!("; {meaning}"));
        format!("{}{}", self.found, stretch.unwrap_or_default())
    }

    fn next_step(&self) -> Option<&'static str> {
        self.stretch.as_ref().and_then(Stretch::next_step).or_else(|| next_step(&self.found))
    }

    /// What a match means, where it is not the best one.
    fn meaning(&self) -> Option<String> {
        let Self { found, stretch, skeleton, .. } = self;
        if self.is_said {
            return None;
        }
        let skeleton = skeleton.as_ref().map(|skeleton| format!(" (measured along skeleton {skeleton})"));
        let is_stretched = stretch.as_ref().is_some_and(|own| !own.change.bones.is_empty());
        let is_plain = found.verdict() == Verdict::Exact && found.reparented == 0 && !found.is_flat && !is_stretched;
        (!is_plain).then(|| format!("{}{}", self.message(), skeleton.unwrap_or_default()))
    }
}

pub(crate) fn run(arguments: &Match, source: &Source) -> Ended {
    let mut sides = Sides::of(arguments, source)?;
    // The rows of a batch are in memory, each with the names of the bones of a mesh.
    let names = sides.models.iter().map(|model| model.name_count() + NAMES_OF_A_ROW).sum::<usize>();
    sides.animations.set_batch(MAX_NAMES / names.max(1));
    let query = arguments.query.to_query();
    let mut report = report::print_query(fields(), arguments.format, &query)?;
    let (mut tally, mut said, is_table) = (MatchCounts::default(), None, arguments.format == Format::Table);
    sides.unread.iter().for_each(|unread| tally.count_unread(unread));
    let work =
        |item: &Item, opened: Result<Loaded, Fault>| compare(&sides.models, &sides.joins, arguments, item, &opened);
    files::each_of(&sides.animations, arguments.inputs.jobs, source, work, |compared| {
        for mut row in tally.count(compared) {
            let meaning = row.meaning().filter(|_| is_table);
            row.is_said = !arguments.query.is_some() && meaning.is_some() && meaning == said;
            let before = report.rows();
            // All animations are compared and counted, also with --limit.
            unless_enough(report.row(&row))?;
            if report.rows() > before {
                said = meaning;
                tally.next.extend(row.next_step().filter(|_| is_table && !arguments.fits));
            }
        }
        Ok(())
    })?;
    tell_dropped(&report, &query);
    report.end()?;
    Ok(tally.outcome())
}

/// An animation that was compared with all meshes: whether it fits one, the matches to list, and its name if it matches no mesh at all.
type Compared = Result<(bool, Vec<Matched>, Option<String>), Failure>;

/// `None` for what is no animation of the family of a mesh.
fn compare(
    models: &[Model],
    joins: &Joins,
    arguments: &Match,
    item: &Item,
    opened: &Result<Loaded, Fault>,
) -> Option<Compared> {
    let address = item.address();
    let animation = match read(item, opened)? {
        Ok(animation) => animation,
        Err(unread) => return Some(Err(unread)),
    };
    let moves = match Moves::of(&animation, item) {
        Ok(moves) => moves,
        Err(fault) => return Some(Err(Failure::findings(format!("{address}: {}", fault.message)))),
    };
    let mut all: Vec<Pair<'_>> = models.iter().filter_map(|model| model.compare(&moves)).collect();
    if all.is_empty() {
        let expected = models.first().map_or("", |model| model.format.code());
        let format = animation.format();
        let message = format!("{address}: this is {format}, expected an animation of the family of {expected}");
        return item.is_named().then_some(Err(Failure::findings(message)));
    }
    let is_fitting = all.iter().any(|pair| pair.found.can_play(arguments.playing.min_percent));
    let is_many = models.len() > 1;
    let has_names = matches!(arguments.format, Format::Json | Format::Jsonl);
    if is_many {
        all.retain(|pair| pair.found.verdict() != Verdict::Not);
    }
    let unmatched = all.is_empty().then(|| files::name_of(&address));
    if arguments.best {
        let best = best(all.drain(..), &address, joins);
        all.extend(best);
    }
    if arguments.fits {
        all.retain(|pair| pair.found.can_play(arguments.playing.min_percent));
    }
    let row = |Pair { model, found, skeleton }: Pair<'_>| {
        let (still, stretch) = (model.still(&found, &moves), model.stretch(&found, &moves));
        let named = has_names.then(|| model.differences(&found, &animation, still.as_deref().unwrap_or_default()));
        let (differences, still) = (named.unwrap_or_default(), still.map(|bones| bones.len()));
        let (mesh, skeleton) = (model.address.clone(), skeleton.map(ToOwned::to_owned));
        Matched {
            address: address.clone(),
            mesh,
            is_many,
            found,
            skeleton,
            differences,
            stretch,
            still,
            is_said: false,
        }
    };
    Some(Ok((is_fitting, all.into_iter().map(row).collect(), unmatched)))
}

/// The most animations that match no mesh and are named.
const MAX_UNMATCHED: usize = 8;

/// The numbers of files, for the last line and the exit status.
#[derive(Default)]
struct MatchCounts {
    animations: u64,
    fitting: u64,
    failed: u64,
    unreadable: u64,
    /// Those that match no mesh at all and have no row, and the names of the first.
    unmatched: usize,
    first_unmatched: Vec<String>,
    /// The next steps of the rows of a table, which are said once each.
    next: BTreeSet<&'static str>,
}

impl MatchCounts {
    fn count_unread(&mut self, unread: &Failure) {
        complain(unread);
        self.failed += 1;
        self.unreadable += u64::from(matches!(unread, Failure::Stopped(Outcome::NothingRead, _)));
    }

    /// Counts an animation. Returns the matches to list.
    fn count(&mut self, compared: Compared) -> Vec<Matched> {
        match compared {
            Ok((is_fitting, rows, unmatched)) => {
                self.animations += 1;
                if let Some(name) = unmatched {
                    self.unmatched += 1;
                    if self.first_unmatched.len() < MAX_UNMATCHED {
                        self.first_unmatched.push(name);
                    }
                }
                self.fitting += u64::from(is_fitting);
                rows
            }
            Err(unread) => {
                self.count_unread(&unread);
                Vec::new()
            }
        }
    }

    fn outcome(&self) -> Outcome {
        // Of many animations, those that fit are worth more than why others do not.
        if self.animations > 1 && self.fitting > 0 && !self.next.is_empty() {
            summarize("next: --fits lists those that fit");
        } else {
            self.next.iter().for_each(|next| summarize(format!("next: {next}")));
        }
        if self.unmatched > 0 {
            let verb = if self.unmatched == 1 { "matches" } else { "match" };
            let names = first_names(self.first_unmatched.iter(), self.unmatched);
            summarize(format!("{} {verb} no mesh: {names}", counted(self.unmatched as u64, "animation")));
        }
        let verb = if self.animations == 1 { "fits" } else { "fit" };
        summarize(format!("{} of {} {verb}", self.fitting, counted(self.animations, "animation")));
        if self.animations == 0 && self.failed == 0 {
            complain(no_asset());
        }
        match (self.animations, self.fitting, self.failed) {
            (0, _, failed) if failed == self.unreadable => Outcome::NothingRead,
            (_, 0, _) | (_, _, 1..) => Outcome::Findings,
            _ => Outcome::Clean,
        }
    }
}

/// What people can do about a match; `None` where nothing is to be done.
fn next_step(found: &skelmap::Match) -> Option<&'static str> {
    match (found.verdict(), found.by_name) {
        (Verdict::Fits, true) if found.extra > 0 => {
            Some("nothing to do, if the mesh is a simpler one of the same character")
        }
        (Verdict::Fits, true) => Some("nothing to do, if the other bones may stand still"),
        (Verdict::InPart, _) => Some("compare the names: --format json lists the bones that differ"),
        (Verdict::Hardly, _) => Some("take the animations of this skeleton, or retarget in an editor"),
        (Verdict::Not, true) => Some("take the animations of this skeleton, or rename the bones in an editor"),
        (Verdict::Not, false) => Some("find its mesh: skelmap match ANIMATION MESHES --best"),
        (Verdict::SameCount, _) if found.length_change.is_some() => {
            Some("find its mesh: skelmap match ANIMATION MESHES --best")
        }
        _ => None,
    }
}
