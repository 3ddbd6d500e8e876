//! `skelmap info`: everything about one file but its bulk data.

mod swat3;

use std::io::{self, Write};

use serde::Serialize;
use skelmap::actorx::{Chunk, Chunks, Config, Psa, Psk, Skeleton};
use skelmap::archive::Address;
use skelmap::catalog::{Fault, Loaded, Row};
use skelmap::pyrogenesis::{self, Pmd};
use skelmap::swat3::Gsa;
use skelmap::{Asset, Name, Quirk, SectionRange};

use crate::Outcome;
use crate::cli::{Format, Info};
use crate::files::{self, SideCar, Source};
use crate::ls::write_csv;
use crate::print::{self, BOLD, clean, or_blank};
use crate::row::{and_more, counted_quirks, quirk_rows, row, shown};
use crate::table::Table;

/// The row of `ls` and what only `info` tells. The order of the fields is the order of the keys.
#[derive(Debug, Serialize)]
struct Described {
    #[serde(flatten)]
    row: Row,
    details: Details,
}

#[derive(Debug, Default, Serialize)]
struct Details {
    chunks: Vec<ChunkRow>,
    bones: Vec<BoneRow>,
    materials: Vec<String>,
    sequences: Vec<SequenceRow>,
    morphs: Vec<MorphRow>,
    sockets: Vec<SocketRow>,
    props: Vec<PropRow>,
    sections: Vec<SectionRow>,
    version: Option<u32>,
    name: Option<String>,
    frame_length_ms: Option<f32>,
    #[serde(serialize_with = "quirk_rows")]
    quirks: Vec<(Quirk, u64)>,
    side_car: Option<SideCarRow>,
    gsa: Option<swat3::Details>,
}

#[derive(Debug, Serialize)]
struct ChunkRow {
    id: String,
    type_flag: u32,
    record_size: u32,
    count: u32,
    offset: u64,
    bytes: u64,
}

#[derive(Debug, Serialize)]
struct BoneRow {
    index: usize,
    name: String,
    parent: Option<usize>,
}

#[derive(Debug, Serialize)]
struct SequenceRow {
    index: usize,
    name: String,
    first_frame: u64,
    frames: u32,
    rate: f32,
    duration_s: Option<f64>,
    scale_keys: bool,
    /// Tracks whose translation or rotation the side-car takes from the mesh.
    tracks_from_mesh: Option<usize>,
}

#[derive(Debug, Serialize)]
struct MorphRow {
    name: String,
    deltas: usize,
}

#[derive(Debug, Serialize)]
struct SocketRow {
    name: String,
    bone: String,
}

#[derive(Debug, Serialize)]
struct PropRow {
    name: String,
    bone: Option<u8>,
}

#[derive(Debug, Serialize)]
struct SectionRow {
    section: String,
    record_size: u64,
    count: u64,
    offset: u64,
    bytes: u64,
}

impl From<&SectionRange> for SectionRow {
    fn from(range: &SectionRange) -> Self {
        let &SectionRange { section, offset, record_size, bytes, .. } = range;
        Self { section: section.to_string(), record_size, count: range.count(), offset, bytes }
    }
}

#[derive(Debug, Serialize)]
struct SideCarRow {
    path: String,
    bytes: u64,
    lines: usize,
}

pub(crate) fn run(arguments: &Info, source: &Source) -> io::Result<Outcome> {
    let address = Address::find(&arguments.path);
    let opened = source.open(&address).map_err(|error| Fault::from(&error));
    let row = row(&address, &opened);
    if let Some(error) = &row.error {
        print::complain(format_args!("{}: {}", clean(&address), clean(&error.message)));
    }
    let outcome = match &row.error {
        None => Outcome::Clean,
        Some(_) if row.is_unreadable() => Outcome::NothingRead,
        Some(_) => Outcome::Findings,
    };
    let side_car = match &opened {
        Ok(loaded) => files::side_car_of(loaded, &address, &source.opener),
        Err(_) => Ok(None),
    };
    let (side_car, outcome) = match side_car {
        Ok(side_car) => (side_car, outcome),
        Err(error) => {
            print::complain(format_args!("{}", clean(error)));
            (None, outcome.max(Outcome::Findings))
        }
    };
    if arguments.layout {
        return match &opened {
            Ok(loaded) if row.error.is_none() => swat3::write_layout(arguments, loaded),
            _ => Ok(outcome),
        };
    }
    let details = match &opened {
        Ok(loaded) => Details::of(side_car.as_ref(), loaded),
        Err(_) => Details::default(),
    };
    let described = Described { row, details };
    let mut out = print::output();
    match arguments.format {
        Format::Table => {
            let mut styled = print::styled_output();
            write_text(&mut styled, &described)?;
            styled.flush()?;
        }
        Format::Csv => write_csv(&mut out, &described.row)?,
        Format::Json => {
            print::pretty_json(&mut out, &described)?;
            writeln!(out)?;
        }
        Format::Jsonl => {
            print::json(&mut out, &described)?;
            writeln!(out)?;
        }
    }
    out.flush()?;
    Ok(outcome)
}

fn text<const N: usize>(name: &Name<N>) -> String {
    name.text().to_string()
}

fn bone_rows(skeleton: Skeleton<'_>) -> Vec<BoneRow> {
    let bones = skeleton.bones().iter().enumerate();
    bones.map(|(index, bone)| BoneRow { index, name: text(bone.name()), parent: skeleton.parent(index) }).collect()
}

impl Details {
    fn of(side_car: Option<&SideCar>, loaded: &Loaded) -> Self {
        // The chunks are those of the file as it is, up to the place where the walk fails.
        let chunks = Chunks::new(loaded.bytes()).map_while(Result::ok).map(|chunk| ChunkRow::from(&chunk)).collect();
        let Ok(asset) = loaded.asset() else {
            let is_chunked = skelmap::Format::sniff(loaded.bytes()).is_ok_and(skelmap::Format::is_actorx);
            return Self { chunks: if is_chunked { chunks } else { Vec::new() }, ..Self::default() };
        };
        let quirks = counted_quirks(loaded.quirks(&asset));
        match &asset {
            Asset::ActorxPsk(mesh) => Self { chunks, quirks, ..Self::of_mesh(mesh) },
            Asset::ActorxPsa(animation) => Self { chunks, quirks, ..Self::of_animation(side_car, animation) },
            Asset::PyrogenesisPmd(mesh) => Self { quirks, ..Self::of_pmd(mesh) },
            Asset::PyrogenesisPsa(animation) => Self { quirks, ..Self::of_states(animation) },
            Asset::Swat3Gsa(animation) => Self { quirks, ..Self::of_gsa(animation) },
            _ => Self { quirks, ..Self::default() },
        }
    }

    fn of_mesh(mesh: &Psk<'_>) -> Self {
        let sockets = mesh.sockets().iter();
        Self {
            bones: bone_rows(mesh.skeleton()),
            materials: mesh.materials().iter().map(|material| text(material.name())).collect(),
            morphs: mesh
                .morphs()
                .map(|morph| MorphRow { name: text(morph.info.name()), deltas: morph.deltas.len() })
                .collect(),
            sockets: sockets
                .map(|socket| SocketRow { name: text(socket.name()), bone: text(socket.bone_name()) })
                .collect(),
            ..Self::default()
        }
    }

    fn of_animation(side_car: Option<&SideCar>, animation: &Psa<'_>) -> Self {
        let resolved = side_car.map(|side_car| Config::new(&side_car.bytes).to_resolved(animation.bones()));
        let sequences = animation.sequences().map(|sequence| SequenceRow {
            index: sequence.index(),
            name: sequence.name().to_string(),
            first_frame: sequence.first_frame(),
            frames: sequence.info().frames(),
            rate: sequence.rate(),
            duration_s: sequence.duration(),
            scale_keys: sequence.has_scale_keys(),
            tracks_from_mesh: resolved.as_ref().map(|resolved| resolved.tracks_from_mesh(sequence.name())),
        });
        Self {
            bones: bone_rows(animation.skeleton()),
            sequences: sequences.collect(),
            side_car: side_car.map(|side_car| SideCarRow {
                path: side_car.address.to_string(),
                bytes: side_car.bytes.len().try_into().unwrap_or(u64::MAX),
                lines: Config::new(&side_car.bytes).entries().count(),
            }),
            ..Self::default()
        }
    }
}

impl Details {
    fn of_pmd(mesh: &Pmd<'_>) -> Self {
        let props = mesh.props().map(|prop| PropRow { name: prop.name.to_string(), bone: prop.transform.bone() });
        Self {
            version: Some(mesh.version()),
            sections: mesh.sections().iter().map(SectionRow::from).collect(),
            props: props.collect(),
            ..Self::default()
        }
    }

    fn of_states(animation: &pyrogenesis::Psa<'_>) -> Self {
        Self {
            version: Some(animation.version()),
            name: Some(animation.name().to_string()),
            frame_length_ms: Some(animation.frame_length_ms()),
            sections: animation.sections().iter().map(SectionRow::from).collect(),
            ..Self::default()
        }
    }
}

impl Details {
    fn of_gsa(animation: &Gsa<'_>) -> Self {
        Self {
            bones: swat3::bone_rows(animation),
            sections: animation.sections().iter().map(SectionRow::from).collect(),
            gsa: Some(swat3::Details::of(animation)),
            ..Self::default()
        }
    }
}

impl From<&Chunk<'_>> for ChunkRow {
    fn from(chunk: &Chunk<'_>) -> Self {
        Self {
            id: chunk.id.to_string(),
            type_flag: chunk.type_flag,
            record_size: chunk.record_size,
            count: chunk.count,
            offset: chunk.offset,
            bytes: chunk.body.len().try_into().unwrap_or(u64::MAX),
        }
    }
}

fn write_text(out: &mut impl Write, Described { row, details }: &Described) -> io::Result<()> {
    let counts = &row.summary;
    writeln!(out, "{BOLD}{}{BOLD:#}", clean(shown(&row.path, row.entry.as_deref())))?;
    let Some(bytes) = row.bytes else { return Ok(()) };
    writeln!(out, "{}, {} ({bytes} bytes)", row.format.unwrap_or("unknown format"), print::size(bytes))?;
    let named = [
        ("bone", counts.bones),
        ("point", counts.points),
        ("wedge", counts.wedges),
        ("face", counts.faces),
        ("material", counts.materials),
        ("UV set", counts.uv_sets),
        ("sequence", counts.sequences),
        ("frame", counts.frames),
    ];
    let counted: Vec<String> = named.iter().filter_map(|(name, count)| Some(print::counted((*count)?, name))).collect();
    if !counted.is_empty() {
        writeln!(out, "{}", counted.join(", "))?;
    }
    let facts = [
        details.version.map(|version| format!("version {version}")),
        details.frame_length_ms.map(|length| format!("{length} ms a frame")),
        details.name.as_ref().filter(|name| !name.is_empty()).map(|name| format!("named {:?}", clean(name))),
    ];
    let facts: Vec<String> = facts.into_iter().flatten().collect();
    if !facts.is_empty() {
        writeln!(out, "{}", facts.join(", "))?;
    }
    if let Some(gsa) = &details.gsa {
        gsa.write_facts(out)?;
    }
    let rows = details.chunks.iter().map(|chunk| {
        let ChunkRow { id, type_flag, record_size, count, offset, bytes } = chunk;
        vec![
            clean(id),
            type_flag.to_string(),
            record_size.to_string(),
            count.to_string(),
            offset.to_string(),
            bytes.to_string(),
        ]
    });
    let heading = ["chunk", "type flag", "record size", "count", "offset", "bytes"];
    section(out, "Chunks", &heading, rows, &[1, 2, 3, 4, 5])?;
    let rows = details.sequences.iter().map(|sequence| {
        vec![
            sequence.index.to_string(),
            clean(&sequence.name),
            sequence.first_frame.to_string(),
            sequence.frames.to_string(),
            sequence.rate.to_string(),
            or_blank(sequence.duration_s.map(print::seconds)),
            if sequence.scale_keys { "yes" } else { "no" }.to_owned(),
            or_blank(sequence.tracks_from_mesh),
        ]
    });
    let heading = ["#", "sequence", "first frame", "frames", "fps", "seconds", "scale keys", "tracks from mesh"];
    section(out, "Sequences", &heading, rows, &[0, 2, 3, 4, 5, 7])?;
    let rows = details.bones.iter().map(|bone| {
        let parent = bone.parent.and_then(|parent| details.bones.get(parent));
        let parent = or_blank(parent.map(|parent| format!("{} {}", parent.index, clean(&parent.name))));
        vec![bone.index.to_string(), clean(&bone.name), parent]
    });
    section(out, "Bones", &["#", "bone", "parent"], rows, &[0])?;
    let rows = details.materials.iter().enumerate().map(|(index, name)| vec![index.to_string(), clean(name)]);
    section(out, "Materials", &["#", "material"], rows, &[0])?;
    let rows = details.morphs.iter().map(|morph| vec![clean(&morph.name), morph.deltas.to_string()]);
    section(out, "Morph targets", &["morph", "deltas"], rows, &[1])?;
    let rows = details.sockets.iter().map(|socket| vec![clean(&socket.name), clean(&socket.bone)]);
    section(out, "Sockets", &["socket", "bone"], rows, &[])?;
    let rows = details.sections.iter().map(|section| {
        let SectionRow { section, record_size, count, offset, bytes } = section;
        vec![section.clone(), record_size.to_string(), count.to_string(), offset.to_string(), bytes.to_string()]
    });
    section(out, "Sections", &["section", "record size", "count", "offset", "bytes"], rows, &[1, 2, 3, 4])?;
    let rows = details.props.iter().map(|prop| vec![clean(&prop.name), or_blank(prop.bone)]);
    section(out, "Prop points", &["prop point", "bone"], rows, &[1])?;
    if let Some(gsa) = &details.gsa {
        section(out, "Events", &["frame", "seconds", "kind", "name"], gsa.event_cells(), &[0, 1])?;
    }
    let rows = details.side_car.iter().map(|car| vec![clean(&car.path), car.bytes.to_string(), car.lines.to_string()]);
    section(out, "Side-car", &["file", "bytes", "lines"], rows, &[1, 2])?;
    let rows = details.quirks.iter().map(|(quirk, count)| {
        let meaning = format!("{}{}", quirk.kind, and_more(*count));
        vec![quirk.kind.code().to_owned(), clean(quirk.section), quirk.offset.to_string(), meaning]
    });
    section(out, "Quirks", &["quirk", "section", "offset", "meaning"], rows, &[2])
}

/// A titled table, if it has a row.
fn section(
    out: &mut impl Write,
    title: &str,
    heading: &[&'static str],
    rows: impl Iterator<Item = Vec<String>>,
    numbers: &[usize],
) -> io::Result<()> {
    let mut rows = rows.peekable();
    if rows.peek().is_none() {
        return Ok(());
    }
    writeln!(out, "\n{BOLD}{title}{BOLD:#}")?;
    let mut table = Table::new(heading).aligned_right(numbers.iter().copied());
    rows.try_for_each(|row| table.row(out, row))?;
    table.end(out)
}
