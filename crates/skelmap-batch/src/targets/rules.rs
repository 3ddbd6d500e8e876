//! The rules of each target.

use skelmap::actorx::{Chunk, codes as actorx};
use skelmap::codes as shared;
use skelmap::shared::to_u64;
use skelmap::{Asset, Code, Severity, Text};
use skelmap_write::actorx::{MAX_MATERIALS, MAX_NAME, MAX_WEDGES};
use skelmap_write::pyrogenesis::{MAX_BONES, MAX_VERTICES};

use super::codes::{TARGET_CHUNK, TARGET_INFLUENCES, TARGET_LIMIT, TARGET_MISSING, TARGET_NAME};
use super::facts::Facts;
use super::{Complaint, Target};
use crate::text::{counted, first_names};

/// The most of something, what happens beyond, and how bad that is.
type Limit = (usize, Severity, &'static str);

/// The rules of a target.
#[derive(Clone, Debug, Default)]
pub(super) struct Rules {
    vertices: Option<Limit>,
    bones: [Option<Limit>; 2],
    materials: Option<Limit>,
    /// The influences of a point that are kept.
    pub(super) influences: Option<usize>,
    /// Whether the target reads chunks by their place.
    is_classic: bool,
    /// The characters of names apart from ASCII letters and digits; `None` if all will do.
    characters: Option<&'static str>,
    /// The most bytes of a name.
    name: Option<usize>,
    /// Findings that are worse for this target.
    pub(super) raised: &'static [(Code, Severity)],
}

/// Bevy's `MAX_JOINTS`: where the graphics card has no storage buffers, joints from here on do not move.
pub(super) const MAX_BEVY_JOINTS: u16 = 256;
/// The bones that releases of 0 A.D. before 28 draw.
const MAX_OLD_BONES: usize = 63;

/// The chunks of a mesh and of an animation in the order of importers that read by place.
const MESH_CHUNKS: [&[&[u8]]; 7] = [
    &[b"ACTRHEAD"],
    &[b"PNTS0000"],
    &[b"VTXW0000"],
    &[b"FACE0000"],
    &[b"MATT0000"],
    &[b"REFSKELT", b"REFSKEL0"],
    &[b"RAWWEIGHTS", b"RAWW0000"],
];
const ANIMATION_CHUNKS: [&[&[u8]]; 4] = [&[b"ANIMHEAD"], &[b"BONENAMES"], &[b"ANIMINFO"], &[b"ANIMKEYS"]];

const SCALE_KEYS: &[u8] = b"SCALEKEYS";
/// The most names of chunks that are kept for a message.
const MAX_CHUNK_NAMES: usize = 5;

/// What makes a file useless for the importers of Unreal Engine 1 to 3.
const UNREAL: &[(Code, Severity)] = &[
    (actorx::POINT_UNWEIGHTED, Severity::Error),
    (actorx::MESH_UNWEIGHTED, Severity::Error),
    (actorx::BONE_EXTRA_ROOT, Severity::Error),
    (actorx::BONE_PARENT, Severity::Error),
    (actorx::BONE_ORDER, Severity::Error),
    (actorx::BONE_DUPLICATE, Severity::Error),
    (actorx::FACE_MATERIAL, Severity::Error),
    (actorx::SEQUENCE_RATE, Severity::Error),
    (actorx::SEQUENCE_BONES, Severity::Error),
    (actorx::NAME_UNTERMINATED, Severity::Warning),
    (shared::NAME_DUPLICATE, Severity::Warning),
    (shared::NAME_ENCODING, Severity::Warning),
];
/// The add-on stops at names that are not UTF-8, and the later of two sequences of a name replaces the earlier.
const BLENDER: &[(Code, Severity)] = &[
    (shared::NAME_ENCODING, Severity::Error),
    (shared::NAME_DUPLICATE, Severity::Warning),
    (actorx::NAME_UNTERMINATED, Severity::Warning),
    (actorx::BONE_DUPLICATE, Severity::Warning),
];
/// The game crashes at the first pose of no frames, and finds the first of two prop points of a name.
const ZERO_AD: &[(Code, Severity)] =
    &[(shared::NO_FRAMES, Severity::Error), (shared::NAME_DUPLICATE, Severity::Warning)];

impl Rules {
    pub(super) fn of(target: Target) -> Self {
        let unreal = |characters| Self {
            vertices: Some((MAX_WEDGES, Severity::Error, "wedges have indices of 16 bits")),
            materials: Some((MAX_MATERIALS, Severity::Error, "materials have indices of 8 bits")),
            influences: Some(4),
            is_classic: true,
            characters: Some(characters),
            name: Some(MAX_NAME),
            raised: UNREAL,
            ..Self::default()
        };
        match target {
            Target::ZeroAd => Self {
                vertices: Some((MAX_VERTICES, Severity::Error, "indices have 16 bits, and the last value is reserved")),
                bones: [
                    Some((
                        MAX_BONES,
                        Severity::Error,
                        "the graphics card gets 192 matrices, one of them for the model",
                    )),
                    Some((MAX_OLD_BONES, Severity::Note, "releases before 28 draw no more")),
                ],
                influences: Some(4),
                raised: ZERO_AD,
                ..Self::default()
            },
            Target::Ut99 | Target::Ut2004 => unreal("_ "),
            Target::Udk => unreal("_ -"),
            Target::Umodel => Self {
                materials: Some((MAX_MATERIALS, Severity::Error, "materials have indices of 8 bits")),
                ..Self::default()
            },
            Target::Blender => Self { name: Some(MAX_NAME), raised: BLENDER, ..Self::default() },
            Target::Bevy => Self {
                bones: [
                    Some((
                        usize::from(MAX_BEVY_JOINTS),
                        Severity::Warning,
                        "joints from there on do not move where the graphics card has no storage buffers: `skelmap convert --max-joints 256` makes several skins",
                    )),
                    None,
                ],
                influences: Some(4),
                ..Self::default()
            },
            Target::Godot => Self { influences: Some(8), ..Self::default() },
            // The importer's "Skin Weights: Standard"; custom settings keep up to 255.
            Target::Unity => Self { influences: Some(4), ..Self::default() },
        }
    }

    /// Compares counts and names with the rules.
    pub(super) fn check(&self, target: Target, facts: &Facts, complaints: &mut Vec<Complaint>) {
        let title = target.title();
        let mut limit = |count: u64, limit: Option<Limit>, noun: &str| {
            let Some((most, severity, why)) = limit.filter(|(most, ..)| count > to_u64(*most)) else { return false };
            let message = format!("{}: {title} takes at most {most}: {why}", counted(count, noun));
            complaints.push(Complaint { severity, ..Complaint::new(TARGET_LIMIT, message) });
            true
        };
        if let Some(mesh) = &facts.mesh {
            limit(mesh.vertices, self.vertices, "vertex");
            limit(mesh.materials, self.materials, "material");
        }
        // The first limit that is exceeded is the worse one.
        let bones = facts.bones.unwrap_or(0);
        let _ = self.bones.iter().any(|own| limit(bones, *own, "bone"));
        if let Some((mesh, kept)) = facts.mesh.as_ref().zip(self.influences).filter(|(mesh, _)| mesh.weaker > 0) {
            let message = format!(
                "{} beyond the strongest {kept} of a point: {title} drops them",
                counted(mesh.weaker, "influence")
            );
            complaints.push(Complaint::new(TARGET_INFLUENCES, message));
        }
        if self.is_classic {
            check_missing(title, facts, complaints);
        }
        self.check_names(title, facts, complaints);
    }

    fn check_names(&self, title: &str, facts: &Facts, complaints: &mut Vec<Complaint>) {
        let mut add = |why: &str, is_wrong: &dyn Fn(&[u8]) -> bool| {
            let wrong = || facts.names.iter().filter(|(_, name)| is_wrong(name.as_bytes()));
            let count = wrong().count();
            if count > 0 {
                let names = first_names(wrong().map(|(kind, name)| format!("{kind} {name}")), count);
                complaints.push(Complaint::new(TARGET_NAME, format!("{names}: {title} {why}")));
            }
        };
        if let Some(most) = self.name {
            add(&format!("cuts names at {most} bytes"), &|name| name.len() > most);
        }
        if let Some(characters) = self.characters {
            let is_known = |byte: &u8| byte.is_ascii_alphanumeric() || characters.as_bytes().contains(byte);
            let words = if characters.contains('-') { "`_`, `-` and spaces" } else { "`_` and spaces" };
            add(&format!("takes letters, digits, {words} in names"), &|name| !name.iter().all(is_known));
        }
    }

    /// Compares the chunks of a file with those that the target reads by their place.
    pub(super) fn check_chunks(&self, target: Target, asset: &Asset<'_>, complaints: &mut Vec<Complaint>) {
        if !self.is_classic {
            return;
        }
        match asset {
            Asset::ActorxPsk(mesh) => check_order(target, mesh.chunks(), &MESH_CHUNKS, complaints),
            Asset::ActorxPsa(animation) => check_order(target, animation.chunks(), &ANIMATION_CHUNKS, complaints),
            _ => {}
        }
    }
}

/// What importers need of a mesh.
fn check_missing(title: &str, facts: &Facts, complaints: &mut Vec<Complaint>) {
    let Some(mesh) = &facts.mesh else { return };
    for (what, is_missing) in [("bone", facts.bones == Some(0)), ("material", mesh.materials == 0)] {
        if is_missing {
            let message = format!("no {what}: {title} does not import such a mesh");
            complaints.push(Complaint::new(TARGET_MISSING, message));
        }
    }
}

/// Compares chunks with an order. Those after it are extra.
fn check_order<'a>(
    target: Target,
    mut chunks: impl Iterator<Item = Chunk<'a>>,
    order: &[&[&[u8]]],
    complaints: &mut Vec<Complaint>,
) {
    let title = target.title();
    for (index, names) in order.iter().enumerate() {
        let Some(first) = names.first().map(|name| Text::new(name)) else { continue };
        let found = chunks.next();
        if found.as_ref().is_some_and(|chunk| names.contains(&chunk.id.as_bytes())) {
            continue;
        }
        let found = found.map_or_else(|| "nothing".to_owned(), |chunk| chunk.id.section().to_string());
        let message = format!("chunk {index} should be {first} and is {found}: {title} reads chunks by their place");
        complaints.push(Complaint { severity: Severity::Error, ..Complaint::new(TARGET_CHUNK, message) });
        return;
    }
    // Scale keys change what old importers take the other chunks for; an empty chunk does not.
    let (mut extra, mut count, mut has_scale) = (Vec::new(), 0_usize, false);
    for chunk in chunks {
        if chunk.id.as_bytes() == SCALE_KEYS {
            has_scale |= !chunk.body.is_empty();
            continue;
        }
        count = count.saturating_add(1);
        if extra.len() < MAX_CHUNK_NAMES {
            extra.push(chunk.id.section().to_string());
        }
    }
    if has_scale {
        let message =
            format!("SCALEKEYS: {title} does not scale bones, and takes the keys for those of another version");
        complaints.push(Complaint::new(TARGET_CHUNK, message));
    }
    if count > 0 {
        let message = format!("{}: {title} does not read these chunks", first_names(extra.iter(), count));
        complaints.push(Complaint { severity: Severity::Note, ..Complaint::new(TARGET_CHUNK, message) });
    }
}

#[cfg(test)]
mod tests {
    use test_support::actorx::build::Mesh;

    use super::super::facts::MeshFacts;
    use super::*;

    /// What a target says of these facts.
    fn said(target: Target, facts: &Facts) -> Vec<(Code, Severity, String)> {
        let mut complaints = Vec::new();
        Rules::of(target).check(target, facts, &mut complaints);
        complaints.into_iter().map(|own| (own.code, own.severity, own.message)).collect()
    }

    fn facts<'a>(vertices: u64, materials: u64, weaker: u64, bones: u64) -> Facts<'a> {
        Facts { mesh: Some(MeshFacts { vertices, materials, weaker }), bones: Some(bones), names: Vec::new() }
    }

    /// Of `target`, what it says of a limit; nothing of as many as the limit.
    #[test]
    fn a_limit_is_a_count_that_a_target_still_takes() {
        assert_eq!(said(Target::Ut99, &facts(65_536, 256, 0, 1)), []);
        for more in [1, 2] {
            let found = said(Target::Ut99, &facts(65_536 + more, 256 + more, 0, 1));
            let wedges = format!(
                "{} vertices: Unreal Engine 1 takes at most 65536: wedges have indices of 16 bits",
                65_536 + more
            );
            let materials = format!(
                "{} materials: Unreal Engine 1 takes at most 256: materials have indices of 8 bits",
                256 + more
            );
            let expected = [wedges, materials].map(|message| (TARGET_LIMIT, Severity::Error, message));
            assert_eq!(found, expected);
        }
        assert_eq!(said(Target::ZeroAd, &facts(65_535, 1, 0, 63)), []);
        let limits = [(64, Severity::Note, 63), (191, Severity::Note, 63), (192, Severity::Error, 191)];
        for (bones, severity, most) in limits {
            let found = said(Target::ZeroAd, &facts(65_535, 1, 0, bones));
            let [(code, own, message)] = found.as_slice() else { panic!("{found:?}") };
            assert_eq!((*code, *own), (TARGET_LIMIT, severity));
            assert!(message.starts_with(&format!("{bones} bones: 0 A.D. takes at most {most}: ")), "{message}");
        }
    }

    #[test]
    fn influences_beyond_those_that_are_kept_are_counted() {
        for (target, title, kept) in [(Target::Bevy, "Bevy", 4), (Target::Godot, "Godot", 8)] {
            assert_eq!(said(target, &facts(3, 1, 0, 1)), [], "{title}");
            let message = format!("3 influences beyond the strongest {kept} of a point: {title} drops them");
            assert_eq!(said(target, &facts(3, 1, 3, 1)), [(TARGET_INFLUENCES, Severity::Warning, message)]);
        }
        assert_eq!(said(Target::Blender, &facts(3, 1, 3, 1)), [], "which keeps all");
    }

    #[test]
    fn importers_of_unreal_need_a_bone_and_a_material() {
        let missing = |what: &str, title: &str| {
            (TARGET_MISSING, Severity::Error, format!("no {what}: {title} does not import such a mesh"))
        };
        for (target, title) in [(Target::Ut99, "Unreal Engine 1"), (Target::Udk, "Unreal Engine 3")] {
            assert_eq!(said(target, &facts(3, 0, 0, 0)), [missing("bone", title), missing("material", title)]);
            assert_eq!(said(target, &facts(3, 1, 0, 0)), [missing("bone", title)]);
            // An animation.
            assert_eq!(said(target, &Facts { bones: Some(0), ..Facts::default() }), []);
        }
        assert_eq!(said(Target::Umodel, &facts(3, 0, 0, 0)), []);
    }

    #[test]
    fn names_that_a_target_takes_are_no_complaint() {
        let name = |text: &'static str| ("bone", Text::new(text.as_bytes()));
        let own =
            |texts: &[&'static str]| Facts { names: texts.iter().copied().map(name).collect(), ..Facts::default() };
        assert_eq!(said(Target::Ut99, &own(&["Bip01 L_Arm"])), []);
        let message = "bone L-Arm, bone L.Arm: Unreal Engine 1 takes letters, digits, `_` and spaces in names";
        let expected = (TARGET_NAME, Severity::Warning, message.to_owned());
        assert_eq!(said(Target::Ut99, &own(&["L-Arm", "Arm", "L.Arm"])), [expected]);
        let message = "bone L.Arm: Unreal Engine 3 takes letters, digits, `_`, `-` and spaces in names";
        let expected = (TARGET_NAME, Severity::Warning, message.to_owned());
        assert_eq!(said(Target::Udk, &own(&["L-Arm", "Arm", "L.Arm"])), [expected]);
        assert_eq!(said(Target::Umodel, &own(&["L-Arm", "L.Arm"])), []);
    }

    #[test]
    fn the_first_five_chunks_that_are_not_read_are_named() {
        let said = |count: usize| {
            let mut chunks = Mesh::sheet(2, 2, 2).chunks();
            for number in 0..count {
                chunks = chunks.chunk(&format!("OTHER{number}"), 4, &[0; 4]);
            }
            let bytes: Vec<u8> = chunks.into();
            let asset = Asset::parse(&bytes).expect("a mesh");
            let mut complaints = Vec::new();
            Rules::of(Target::Ut99).check_chunks(Target::Ut99, &asset, &mut complaints);
            complaints.into_iter().map(|own| (own.code, own.severity, own.message)).collect::<Vec<_>>()
        };
        assert_eq!(said(0), []);
        for (count, names) in [
            (1, "OTHER0"),
            (5, "OTHER0, OTHER1, OTHER2, OTHER3, OTHER4"),
            (7, "OTHER0, OTHER1, OTHER2, OTHER3, OTHER4 and 2 more"),
        ] {
            let message = format!("{names}: Unreal Engine 1 does not read these chunks");
            assert_eq!(said(count), [(TARGET_CHUNK, Severity::Note, message)]);
        }
    }
}
