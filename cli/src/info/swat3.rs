//! What only SWAT 3 animations have: the header's oddities, the layout of the bones and how sure it is, events.

use std::io::{self, Write};

use serde::Serialize;
use skelmap::Asset;
use skelmap::catalog::{Loaded, SCHEMA};
use skelmap::swat3::{Bone, BoneId, BoneLayout, Gsa, Inference, PLAYBACK_FPS};

use super::BoneRow;
use crate::Outcome;
use crate::cli::{Format, Info};
use crate::gsa::EventList;
use crate::print::{self, clean, counted};

/// The order of the fields is the order of the keys.
#[derive(Debug, Serialize)]
pub(super) struct Details {
    version: String,
    unknown: [u16; 2],
    frame_rate_field: u16,
    playback_fps: f64,
    duration_s: f64,
    skeleton_bytes: usize,
    marker_offset: u64,
    animated_ids: Vec<u16>,
    rotations_per_frame: usize,
    /// `None` where frames differ in length.
    frame_bytes: Option<usize>,
    event_count_words: u8,
    layout: Layout,
    events: EventList,
}

/// The layout of the bones, as text and with what speaks for it.
#[derive(Debug, Serialize)]
struct LayoutOf<'a> {
    schema: u32,
    path: String,
    #[serde(flatten)]
    layout: &'a Layout,
}

#[derive(Debug, Serialize)]
struct Layout {
    /// `inferred`, `given` or `none`.
    source: &'static str,
    /// Why there is none.
    reason: Option<String>,
    /// The form that `--gsa-layout` reads.
    text: Option<String>,
    bones: Option<usize>,
    /// What speaks for each part, in words.
    evidence: Vec<String>,
}

impl Layout {
    fn of(animation: &Gsa<'_>) -> Self {
        let nothing = Self { source: "none", reason: None, text: None, bones: None, evidence: Vec::new() };
        let skeleton = match animation.skeleton() {
            Ok(skeleton) => skeleton,
            Err(reason) => return Self { reason: Some(reason.to_string()), ..nothing },
        };
        let (text, bones) = (Some(skeleton.layout().to_string()), Some(skeleton.len()));
        match animation.infer_layout() {
            Ok(inference) if sizes(&inference.layout) == sizes(skeleton.layout()) => {
                let is_inferred = inference.layout == *skeleton.layout();
                let of_file = |line: &String| format!("inferred from the file: {line}");
                let (source, evidence) = match evidence(&inference) {
                    evidence if is_inferred => ("inferred", evidence),
                    evidence => ("given", evidence.iter().map(of_file).collect()),
                };
                Self { source, text, bones, evidence, ..nothing }
            }
            Ok(_) => {
                Self { source: "given", text, bones, evidence: vec!["the names give another layout".into()], ..nothing }
            }
            Err(reason) => Self {
                source: "given",
                text,
                bones,
                evidence: vec![format!("not inferred from the file: {reason}")],
                ..nothing
            },
        }
    }
}

/// The layout without what its fields mean.
const fn sizes(layout: &BoneLayout) -> (u16, u16, u16) {
    (layout.prologue, layout.pre, layout.post)
}

/// What speaks for an inferred layout, part by part.
fn evidence(inference: &Inference) -> Vec<String> {
    let &Inference { bones, bones_by_frames, id_places, parent_places, rotation_places, .. } = inference;
    let counted = if bones_by_frames {
        format!("{bones} bones: as many names, and as many rotations in each frame")
    } else {
        format!("{bones} bones: as many names, and no animated id asks for more")
    };
    let field = |name: &str, test: &str, places: usize| match places {
        0 => format!("{name}: not inferred, nowhere {test}"),
        1 => format!("{name}: in one place {test}, in all {bones} bones"),
        places => format!("{name}: not inferred, in {places} places {test}"),
    };
    vec![
        counted,
        "sizes: the names lie a constant number of bytes apart, up to the end of the skeleton".to_owned(),
        field("id", "a short counts the bones from 0", id_places),
        field("parent", "a short is -1 or the number of an earlier bone", parent_places),
        field("rotation", "four floats have unit length", rotation_places),
        "position: never inferred, no test proves it".to_owned(),
    ]
}

impl Details {
    pub(super) fn of(animation: &Gsa<'_>) -> Self {
        Self {
            version: animation.version().to_string(),
            unknown: animation.unknown(),
            frame_rate_field: animation.frame_rate_field(),
            playback_fps: PLAYBACK_FPS,
            duration_s: animation.duration(),
            skeleton_bytes: animation.skeleton_bytes().len(),
            marker_offset: animation.marker_offset(),
            animated_ids: animation.animated_ids().iter().map(BoneId::get).collect(),
            rotations_per_frame: animation.rotation_count(),
            frame_bytes: animation.frame_size(),
            event_count_words: animation.event_count_words(),
            layout: Layout::of(animation),
            events: EventList::of(animation),
        }
    }

    /// The facts in a few lines.
    pub(super) fn write_facts(&self, out: &mut impl Write) -> io::Result<()> {
        let Self { version, unknown: [first, second], frame_rate_field, playback_fps, .. } = self;
        writeln!(
            out,
            "version {version}, states {frame_rate_field} frames per second (the game plays {playback_fps}: {} s), unknown \
             shorts {first} and {second}",
            print::seconds(self.duration_s)
        )?;
        match self.animated_ids.as_slice() {
            [] => writeln!(out, "all bones are animated, {} of them", self.rotations_per_frame)?,
            ids => {
                let ids: Vec<String> = ids.iter().map(u16::to_string).collect();
                let bones = counted(ids.len() as u64, "animated bone");
                writeln!(out, "{bones}: {}", ids.join(" "))?;
            }
        }
        match (&self.layout.reason, self.layout.source) {
            (Some(reason), _) => writeln!(out, "layout of the bones: not inferred, {}", clean(reason)),
            (None, source) => writeln!(out, "layout of the bones: {source} (--layout tells more)"),
        }
    }

    pub(super) fn event_cells(&self) -> impl Iterator<Item = Vec<String>> {
        self.events.rows().map(|event| event.cells().to_vec())
    }
}

/// The bones, where their layout is known.
pub(super) fn bone_rows(animation: &Gsa<'_>) -> Vec<BoneRow> {
    let Ok(skeleton) = animation.skeleton() else { return Vec::new() };
    let parent = |bone: &Bone<'_>| bone.parent().and_then(|parent| parent.try_into().ok());
    let rows = skeleton.bones();
    rows.map(|bone| BoneRow { index: bone.index(), name: bone.name().to_string(), parent: parent(&bone) }).collect()
}

/// `info --layout`: the layout as a file that can be given back, with what speaks for it as comments.
pub(super) fn write_layout(arguments: &Info, loaded: &Loaded) -> io::Result<Outcome> {
    let path = clean(arguments.path.display());
    let Ok(Asset::Swat3Gsa(animation)) = loaded.asset() else {
        print::complain(format_args!("{path}: --layout is for SWAT 3 animations only"));
        return Ok(Outcome::Usage);
    };
    let layout = Layout::of(&animation);
    let mut out = print::output();
    match arguments.format {
        Format::Json | Format::Jsonl => {
            let path = arguments.path.display().to_string();
            print::json(&mut out, &LayoutOf { schema: SCHEMA, path, layout: &layout })?;
            writeln!(out)?;
        }
        Format::Table | Format::Csv => {
            writeln!(out, "# Layout of the bones of {path}: {}", layout.source)?;
            if let Some(reason) = &layout.reason {
                writeln!(out, "# {reason}")?;
            }
            layout.evidence.iter().try_for_each(|line| writeln!(out, "# {line}"))?;
            write!(out, "{}", layout.text.as_deref().unwrap_or_default())?;
        }
    }
    out.flush()?;
    Ok(if layout.text.is_some() { Outcome::Clean } else { Outcome::Findings })
}
