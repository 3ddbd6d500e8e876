//! The details of SWAT 3 animations: the header, the bone layout with the evidence for it, events.

use std::io::Write;
use std::path::Path;

use skelmap::Asset;
use skelmap::archive::Address;
use skelmap::swat3::{Bone, BoneId, BoneLayout, Gsa, Inference, PLAYBACK_FPS};
use skelmap_batch::items::Loaded;

use super::details::{BONE, Details, sections};
use crate::gsa::{EVENT, event_cells};
use crate::outcome::{Ended, Failure, Outcome};
use crate::output::stdout;
use crate::report::{ANY_TEXT, Cell, Column, Format, Rows, Values, cells, document, double, integer, list, text};
use crate::text::{clean, counted};
use skelmap_batch::columns::document_keys;

const WHOLE: Column = integer("").of(Values::Integer);
const COUNT: Column = integer("");
/// The keys of `gsa`.
pub(super) const GSA: [Column; 13] = [
    text("version").means("the version of the format"),
    list("unknown", &WHOLE).means("two shorts of the header that are not understood"),
    integer("frame_rate_field").of(Values::Integer).means("the rate in the header, which the game does not use"),
    double("playback_fps").unit("frames per second").means("the rate of the game"),
    double("duration_s").unit("seconds").means("the duration in the game"),
    integer("skeleton_bytes").unit("bytes").means("the size of the skeleton"),
    integer("marker_offset").means("the byte of the file at which the marker begins"),
    list("animated_ids", &COUNT).means("the ids of the animated bones; empty if all bones are animated"),
    integer("rotations_per_frame").means("the number of rotations in a frame"),
    integer("frame_bytes").nullable().unit("bytes").means("the size of a frame; null if frames differ in size"),
    integer("event_count_words").means("the number of words that count the events of a frame"),
    text("layout").of(Values::Row(&LAYOUT)).means("the layout of the bones"),
    text("events").of(Values::Rows(&EVENT)).means("the events"),
];
const LAYOUT: [Column; 5] = [
    text("source").means("the source of the layout: inferred, given or none"),
    text("reason").nullable().means("why the layout is not known"),
    text("text").nullable().means("the layout in the form that --gsa-layout reads"),
    integer("bones").nullable().means("the number of bones"),
    list("evidence", &ANY_TEXT).means("the evidence for each part of the layout"),
];

/// The layout of the bones, as text and with the evidence for it.
struct Layout {
    /// `inferred`, `given` or `none`.
    source: &'static str,
    /// Why there is none.
    reason: Option<String>,
    /// The form that `--gsa-layout` reads.
    text: Option<String>,
    bones: Option<usize>,
    /// The evidence for each part, in words.
    evidence: Vec<String>,
}

impl Layout {
    fn of(animation: &Gsa<'_>) -> Self {
        let mut layout = Self { source: "none", reason: None, text: None, bones: None, evidence: Vec::new() };
        let found = match animation.bones() {
            Ok(found) => found,
            Err(reason) => return Self { reason: Some(reason.to_string()), ..layout },
        };
        (layout.text, layout.bones) = (Some(found.layout().to_string()), Some(found.len()));
        (layout.source, layout.evidence) = match animation.infer_layout() {
            Ok(inference) if inference.layout == *found.layout() => ("inferred", evidence(&inference)),
            Ok(inference) if sizes(&inference.layout) == sizes(found.layout()) => {
                let lines = evidence(&inference).into_iter().map(|line| format!("inferred from the file: {line}"));
                ("given", lines.collect())
            }
            Ok(_) => ("given", vec!["the names give another layout".into()]),
            Err(reason) => ("given", vec![format!("not inferred from the file: {reason}")]),
        };
        layout
    }

    fn cells<'a>(self) -> Vec<(&'static str, Cell<'a>)> {
        let Self { source, reason, text, bones, evidence } = self;
        vec![
            ("source", source.into()),
            ("reason", reason.into()),
            ("text", text.into()),
            ("bones", bones.into()),
            ("evidence", Cell::list(move || evidence.clone().into_iter())),
        ]
    }
}

/// The sizes of a layout, without the meaning of its fields.
const fn sizes(layout: &BoneLayout) -> (u16, u16, u16) {
    (layout.prologue, layout.pre, layout.post)
}

/// The evidence for each part of an inferred layout.
fn evidence(inference: &Inference) -> Vec<String> {
    let &Inference { bones, bones_by_frames, id_places, parent_places, rotation_places, .. } = inference;
    let counted = if bones_by_frames {
        format!("{bones} bones: as many as there are names and rotations in each frame")
    } else {
        format!("{bones} bones: as many as there are names, and no animated id is higher")
    };
    let field = |name: &str, test: &str, places: usize| match places {
        0 => format!("{name}: not inferred, in no place {test}"),
        1 => format!("{name}: in one place {test}, in all {bones} bones"),
        places => format!("{name}: not inferred, in {places} places {test}"),
    };
    vec![
        counted,
        "sizes: the names lie a constant number of bytes apart, up to the end of the skeleton".to_owned(),
        field("id", "a short counts the bones from 0", id_places),
        field("parent", "a short is -1 or the number of an earlier bone", parent_places),
        field("rotation", "four floats have unit length", rotation_places),
        "position: never inferred, because no test checks it".to_owned(),
    ]
}

pub(super) fn animation(animation: Gsa<'_>) -> Details<'_> {
    let layout = Layout::of(&animation);
    let facts = facts(&animation, &layout);
    let events = move || Rows::of(EVENT, move || animation.events().map(|(frame, event)| event_cells(frame, event)));
    let [first, second] = animation.unknown();
    let ids = move || animation.animated_ids().iter().map(BoneId::get);
    let gsa = vec![
        ("version", animation.version().to_string().into()),
        ("unknown", Cell::list(move || [first, second].into_iter())),
        ("frame_rate_field", animation.frame_rate_field().into()),
        ("playback_fps", PLAYBACK_FPS.into()),
        ("duration_s", animation.duration().into()),
        ("skeleton_bytes", animation.skeleton_bytes().len().into()),
        ("marker_offset", animation.marker_offset().into()),
        ("animated_ids", Cell::list(ids)),
        ("rotations_per_frame", animation.rotation_count().into()),
        // Null if frames differ in length.
        ("frame_bytes", animation.frame_size().into()),
        ("event_count_words", animation.event_count_words().into()),
        ("layout", Cell::Object(layout.cells())),
        ("events", Cell::list(events().objects())),
    ];
    Details {
        facts,
        values: vec![("gsa", Cell::Object(gsa))],
        lists: vec![
            ("bones", bones(animation)),
            ("sections", sections(animation.sections().iter().copied())),
            ("events", events()),
        ],
    }
}

/// The header, the bones and the layout in a few lines.
fn facts(animation: &Gsa<'_>, layout: &Layout) -> Vec<String> {
    let ([first, second], version, rate) = (animation.unknown(), animation.version(), animation.frame_rate_field());
    let header = format!(
        "version {version}, states {rate} frames per second (the game plays {PLAYBACK_FPS}: {:.3} s), unknown shorts {first} \
         and {second}",
        animation.duration().unwrap_or_default()
    );
    let bones = match animation.animated_ids() {
        [] => format!("all {} bones are animated", animation.rotation_count()),
        ids => {
            let list: Vec<String> = ids.iter().map(|id| id.get().to_string()).collect();
            format!("{}: {}", counted(ids.len() as u64, "animated bone"), list.join(" "))
        }
    };
    let layout = match (&layout.reason, layout.source) {
        (Some(reason), _) => format!("layout of the bones: not inferred, {reason}"),
        (None, source) => format!("layout of the bones: {source} (--layout prints it)"),
    };
    vec![header, bones, layout]
}

/// The bones, if their layout is known.
fn bones(animation: Gsa<'_>) -> Rows<'_> {
    Rows::of(BONE, move || {
        let bones: Vec<_> = animation.bones().into_iter().flatten().collect();
        let names: Vec<_> = bones.iter().map(Bone::name).collect();
        bones.into_iter().map(move |bone| {
            let parent = bone.parent().and_then(|parent| usize::try_from(parent).ok());
            let named = parent.and_then(|parent| Some(format!("{parent} {}", names.get(parent)?)));
            cells![bone.index(), bone.name(), parent, named]
        })
    })
}

/// Prints the layout in the form that `--gsa-layout` reads, with the evidence as comments.
pub(super) fn write_layout(path: &Path, format: Format, loaded: &Loaded) -> Ended {
    let Ok(Asset::Swat3Gsa(animation)) = loaded.asset() else {
        return Err(Failure::usage("--layout is for SWAT 3 animations only").in_file(path));
    };
    let layout = Layout::of(&animation);
    let outcome = if layout.text.is_some() { Outcome::Clean } else { Outcome::Findings };
    let mut out = stdout();
    if matches!(format, Format::Json | Format::Jsonl) {
        let mut keys = document_keys(Address::find(path).to_string());
        keys.extend(layout.cells());
        document(out, &Cell::Object(keys), false)?;
        return Ok(outcome);
    }
    writeln!(out, "# Layout of the bones of {}: {}", clean(Address::find(path)), layout.source)?;
    layout.reason.iter().chain(&layout.evidence).try_for_each(|line| writeln!(out, "# {line}"))?;
    write!(out, "{}", layout.text.unwrap_or_default())?;
    out.flush()?;
    Ok(outcome)
}
