//! The programs that read models, and what each of them refuses or silently spoils.
//!
//! The rules and their sources are in `docs/site/src/reference/targets.md`.

pub(crate) mod codes;
mod facts;
mod rules;

use std::fmt::{self, Display, Formatter};
use std::io;

use serde::{Deserialize, Serialize};
use skelmap::shared::to_u64;
use skelmap::{Asset, Finding, Format, Severity};
use skelmap_export::{ExportOptions, InfluenceCount};
use skelmap_write::actorx::{ActorxOptions, Armature};
use skelmap_write::gltf::GltfErrorKind;
use skelmap_write::pyrogenesis::{self, JointAxes};
use skelmap_write::{Gltf, GltfError, Model};

use crate::kind::GameKind;
use crate::losses::{of_import, of_pmd, of_psk};
use crate::text::counted;

use self::facts::Facts;
use self::rules::Rules;

/// A program that reads models.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(clippy::exhaustive_enums, reason = "a new target is for every caller to know")]
pub enum Target {
    /// 0 A.D., release 28.
    #[serde(rename = "0ad")]
    ZeroAd,
    /// Unreal Tournament (1999) and other games of Unreal Engine 1: `#exec` imports.
    Ut99,
    /// Unreal Tournament 2004 and other games of Unreal Engine 2.
    Ut2004,
    /// The Unreal Development Kit (Unreal Engine 3).
    Udk,
    /// Programs that read what `UEViewer` (`UModel`) exports.
    Umodel,
    /// Blender with the add-on `io_scene_psk_psa`.
    Blender,
    /// Bevy, through glTF.
    Bevy,
    /// Godot, through glTF.
    Godot,
    /// Unity, through glTF or FBX.
    Unity,
}

/// One thing that a target refuses or spoils.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Complaint {
    pub(crate) code: skelmap::Code,
    pub(crate) severity: Severity,
    pub(crate) message: String,
}

impl Complaint {
    /// A complaint with the usual severity of its code.
    fn new(code: skelmap::Code, message: String) -> Self {
        Self { code, severity: code.severity(), message }
    }
}

impl Target {
    /// All targets.
    pub const ALL: [Self; 9] = [
        Self::ZeroAd,
        Self::Ut99,
        Self::Ut2004,
        Self::Udk,
        Self::Umodel,
        Self::Blender,
        Self::Bevy,
        Self::Godot,
        Self::Unity,
    ];

    /// The name in options and reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ZeroAd => "0ad",
            Self::Ut99 => "ut99",
            Self::Ut2004 => "ut2004",
            Self::Udk => "udk",
            Self::Umodel => "umodel",
            Self::Blender => "blender",
            Self::Bevy => "bevy",
            Self::Godot => "godot",
            Self::Unity => "unity",
        }
    }

    /// The name for people.
    pub const fn title(self) -> &'static str {
        match self {
            Self::ZeroAd => "0 A.D.",
            Self::Ut99 => "Unreal Engine 1",
            Self::Ut2004 => "Unreal Engine 2",
            Self::Udk => "Unreal Engine 3",
            Self::Umodel => "a reader of UModel's files",
            Self::Blender => "Blender",
            Self::Bevy => "Bevy",
            Self::Godot => "Godot",
            Self::Unity => "Unity",
        }
    }

    /// The kind of files that the target reads; `None` for a target that reads glTF.
    pub const fn kind(self) -> Option<GameKind> {
        match self {
            Self::ZeroAd => Some(GameKind::Pmd),
            Self::Ut99 | Self::Ut2004 | Self::Udk => Some(GameKind::Psk),
            Self::Umodel | Self::Blender => Some(GameKind::Pskx),
            Self::Bevy | Self::Godot | Self::Unity => None,
        }
    }

    /// Whether the target reads what `game` writes of a kind.
    pub(crate) fn takes(self, kind: GameKind) -> bool {
        match kind {
            GameKind::Pmd => self == Self::ZeroAd,
            GameKind::Psk => self.kind().is_some_and(|own| own != GameKind::Pmd),
            GameKind::Pskx => self.kind() == Some(GameKind::Pskx),
        }
    }

    /// Changes how glTF is written to what the target keeps.
    pub fn adjust(self, options: &mut ExportOptions) {
        match self {
            Self::Bevy => {
                options.max_joints.get_or_insert(rules::MAX_BEVY_JOINTS);
            }
            Self::Godot => options.influences = InfluenceCount::Eight,
            _ => {}
        }
    }

    /// Whether the target reads a format as it is.
    fn reads(self, format: Format) -> bool {
        match format {
            Format::PyrogenesisPmd | Format::PyrogenesisPsa => self == Self::ZeroAd,
            Format::ActorxPsk | Format::ActorxPsa => matches!(self.kind(), Some(GameKind::Psk | GameKind::Pskx)),
            _ => false,
        }
    }

    /// Gives findings the severity that they have for this target: what is only odd in a file can make it useless here.
    pub(crate) fn rate(self, findings: &mut [Finding]) {
        let rules = Rules::of(self);
        for finding in findings {
            let raised = rules.raised.iter().find(|(code, _)| *code == finding.code);
            finding.severity = raised.map_or(finding.severity, |(_, severity)| finding.severity.max(*severity));
        }
    }

    /// What the target refuses or spoils of a file. O(influences * log influences).
    pub(crate) fn check(self, asset: &Asset<'_>) -> Vec<Complaint> {
        let mut complaints = Vec::new();
        if !self.reads(asset.format()) {
            let (title, format) = (self.title(), asset.format().title());
            let message = format!(
                "{title} does not read this format ({format}): `skelmap convert --for {self}` makes what it reads"
            );
            // What reads glTF reads none of the formats: the rules are for what `convert` makes.
            let severity = if self.kind().is_some() { Severity::Error } else { Severity::Note };
            complaints.push(Complaint { severity, ..Complaint::new(codes::TARGET_FORMAT, message) });
        }
        let rules = Rules::of(self);
        rules.check(self, &Facts::of(asset, rules.influences), &mut complaints);
        if self.reads(asset.format()) {
            rules.check_chunks(self, asset, &mut complaints);
        }
        complaints
    }

    /// What the target would refuse or spoil of what `convert` makes of a glTF file.
    pub(crate) fn check_gltf(self, gltf: &Gltf<'_>, object: Option<&str>) -> Result<Vec<Complaint>, GltfError> {
        let (rules, mut complaints) = (Rules::of(self), Vec::new());
        let model = match gltf.to_model(object) {
            Err(GltfError { kind: GltfErrorKind::Objects(objects), .. }) if objects.count == 0 => {
                let message = format!("{objects}: there is nothing to convert");
                return Ok(vec![Complaint {
                    severity: Severity::Note,
                    ..Complaint::new(codes::TARGET_MISSING, message)
                }]);
            }
            model => model?,
        };
        let mut facts = Facts::of_model(&model, rules.influences);
        if self.kind().is_some_and(|kind| kind != GameKind::Pmd) {
            // A writer makes a root where there is none.
            facts.bones = facts.bones.map(|bones| bones.max(1));
        }
        rules.check(self, &facts, &mut complaints);
        if self == Self::ZeroAd && model.materials.len() > 1 {
            let message = format!(
                "{}: an actor of 0 A.D. has one for a mesh, so that all triangles get the same textures",
                counted(to_u64(model.materials.len()), "material")
            );
            complaints.push(Complaint { severity: Severity::Warning, ..Complaint::new(codes::TARGET_LIMIT, message) });
        }
        if self == Self::ZeroAd && !model.joints.is_empty() {
            if let Err(error) = JointAxes::of(&model) {
                let message = format!("{error}: `skelmap convert` needs --axes or --like");
                complaints
                    .push(Complaint { severity: Severity::Warning, ..Complaint::new(codes::TARGET_MISSING, message) });
            }
        }
        self.check_losses(&model, rules.influences.is_some(), &mut complaints);
        Ok(complaints)
    }

    /// What `convert` would cut, compute and leave out, or why it would write nothing: it writes the mesh to nowhere. Its joints are bones in their
    /// own order. `is_told`: the rules speak of influences. O(vertices log vertices).
    fn check_losses(self, model: &Model, is_told: bool, complaints: &mut Vec<Complaint>) {
        let written = match self.kind() {
            Some(GameKind::Pmd) => {
                let mut rules = pyrogenesis::Rules::default();
                rules.axes = Some(JointAxes::Game);
                let written = pyrogenesis::Rigging::new(model, &rules)
                    .and_then(|rigging| rigging.write_mesh(model, &mut io::sink()));
                written.map_err(|error| error.to_string()).map(|mut report| {
                    // The rules speak of these.
                    (report.cut_vertices, report.has_many_bones) = (0, false);
                    of_pmd(&report)
                })
            }
            Some(kind) => {
                let mut options = ActorxOptions::default();
                options.extras = kind == GameKind::Pskx;
                let written = Armature::new(model, &options)
                    .and_then(|armature| armature.write_mesh(model, &options, &mut io::sink()));
                written.map_err(|error| error.to_string()).map(|mut report| {
                    if is_told {
                        report.cut_points = 0;
                    }
                    if complaints.iter().any(|own| own.code == codes::TARGET_NAME) {
                        report.changed_names = 0;
                    }
                    of_psk(&report)
                })
            }
            None => return,
        };
        match written {
            Ok(remarks) => {
                let all = of_import(&model.report).into_iter().chain(remarks);
                complaints.extend(all.map(|remark| Complaint::new(codes::TARGET_LOSS, remark)));
            }
            // One reason is enough.
            Err(error) if complaints.iter().all(|complaint| complaint.severity < Severity::Error) => {
                let message = format!("`skelmap convert` would not write the mesh: {error}");
                complaints.push(Complaint::new(codes::TARGET_LIMIT, message));
            }
            Err(_) => {}
        }
    }
}

impl Display for Target {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use skelmap::Code;
    use test_support::build_glb::Glb;

    use super::*;

    /// Sideways: a joint along this axis of the one above it tells nothing of whose axes they are.
    const X: [f32; 3] = [1.0, 0.0, 0.0];
    /// The way that bones of Blender point.
    const Y: [f32; 3] = [0.0, 1.0, 0.0];

    /// The severity and the message of all complaints of a code.
    fn told(target: Target, glb: &Glb, code: Code) -> Vec<(Severity, String)> {
        let bytes = glb.to_bytes();
        let complaints = target.check_gltf(&Gltf::parse(&bytes).expect("glTF"), None).expect("a model");
        let own = complaints.into_iter().filter(|complaint| complaint.code == code);
        own.map(|complaint| (complaint.severity, complaint.message)).collect()
    }

    fn names(count: usize) -> Vec<String> {
        (0..count).map(|number| format!("bone {number}")).collect()
    }

    #[test]
    fn a_target_takes_the_kinds_of_its_family() {
        let takers = |kind| Target::ALL.into_iter().filter(|target| target.takes(kind)).collect::<Vec<_>>();
        let readers = [Target::Umodel, Target::Blender];
        assert_eq!(takers(GameKind::Pmd), [Target::ZeroAd]);
        assert_eq!(takers(GameKind::Psk), [[Target::Ut99, Target::Ut2004, Target::Udk].as_slice(), &readers].concat());
        assert_eq!(takers(GameKind::Pskx), readers);
    }

    #[test]
    fn gltf_is_written_as_the_target_keeps_it() {
        for target in Target::ALL {
            let mut options = ExportOptions::default();
            target.adjust(&mut options);
            let joints = (target == Target::Bevy).then_some(256);
            let influences = if target == Target::Godot { InfluenceCount::Eight } else { InfluenceCount::Four };
            assert_eq!((options.max_joints, options.influences), (joints, influences), "{target}");
            options.max_joints = Some(100);
            target.adjust(&mut options);
            assert_eq!(options.max_joints, Some(100), "what somebody chose stays: {target}");
        }
    }

    #[test]
    fn a_scene_without_a_mesh_is_a_note_and_a_mesh_that_is_not_there_an_error() {
        let mut empty = Glb::new();
        empty.root(serde_json::json!({"name": "camera"}));
        for target in [Target::ZeroAd, Target::Ut99, Target::Bevy] {
            let message = "has no mesh in its scene: there is nothing to convert".to_owned();
            assert_eq!(told(target, &empty, codes::TARGET_MISSING), [(Severity::Note, message)], "{target}");
        }
        let bytes = Glb::still(&["skin"]).to_bytes();
        let error = Target::ZeroAd.check_gltf(&Gltf::parse(&bytes).expect("glTF"), Some("other")).expect_err("no such");
        assert!(error.to_string().contains("no single mesh node is named \"other\": body"), "{error}");
    }

    /// Their writer makes a bone where there is none.
    #[test]
    fn unreal_gets_a_bone_and_a_material_where_there_is_none() {
        let mut glb = Glb::new();
        let mesh = glb.triangle([[0.0; 3], X, Y]);
        glb.root(serde_json::json!({"mesh": mesh}));
        for target in [Target::Ut99, Target::Ut2004, Target::Udk] {
            assert_eq!(told(target, &glb, codes::TARGET_MISSING), [], "{target}");
        }
    }

    #[test]
    fn several_materials_become_one_for_0ad_alone() {
        let (one, two) = (Glb::still(&["skin"]), Glb::still(&["skin", "fur"]));
        assert_eq!(told(Target::ZeroAd, &one, codes::TARGET_LIMIT), []);
        let found = told(Target::ZeroAd, &two, codes::TARGET_LIMIT);
        let [(Severity::Warning, message)] = found.as_slice() else { panic!("{found:?}") };
        assert!(message.starts_with("2 materials: "), "{message}");
        for target in [Target::Ut99, Target::Blender, Target::Unity] {
            assert_eq!(told(target, &two, codes::TARGET_LIMIT), [], "{target}");
        }
    }

    #[test]
    fn axes_that_cannot_be_told_are_a_warning_for_0ad_alone() {
        let (sideways, upright) = (Glb::chain(&names(2), X, &[(0, 1.0)]), Glb::chain(&names(2), Y, &[(0, 1.0)]));
        let found = told(Target::ZeroAd, &sideways, codes::TARGET_MISSING);
        let [(Severity::Warning, message)] = found.as_slice() else { panic!("{found:?}") };
        assert!(message.ends_with("`skelmap convert` needs --axes or --like"), "{message}");
        for (target, glb) in [
            (Target::ZeroAd, &upright),
            (Target::ZeroAd, &Glb::still(&["skin"])),
            (Target::Ut99, &sideways),
            (Target::Blender, &sideways),
        ] {
            assert_eq!(told(target, glb, codes::TARGET_MISSING), [], "{target}");
        }
    }

    #[test]
    fn a_second_uv_set_is_lost_where_only_pskx_keeps_it() {
        let mut glb = Glb::chain(&names(2), Y, &[(0, 1.0)]);
        assert_eq!(told(Target::Ut99, &glb, codes::TARGET_LOSS), []);
        let attributes = &mut glb.json["meshes"][0]["primitives"][0]["attributes"];
        attributes["TEXCOORD_1"] = attributes["TEXCOORD_0"].clone();
        let lost = [(Severity::Note, "1 UV set or colour left out, which .pskx keeps".to_owned())];
        for target in [Target::Ut99, Target::Ut2004, Target::Udk] {
            assert_eq!(told(target, &glb, codes::TARGET_LOSS), lost, "{target}");
        }
        for target in [Target::Umodel, Target::Blender] {
            assert_eq!(told(target, &glb, codes::TARGET_LOSS), [], "{target}");
        }
    }

    /// Names have 63 bytes at most.
    #[test]
    fn a_name_that_is_cut_is_told_once() {
        let glb = Glb::chain(&["a".repeat(63), "b".repeat(64)], Y, &[(0, 1.0)]);
        let cut = format!("bone {}: Unreal Engine 1 cuts names at 63 bytes", "b".repeat(64));
        assert_eq!(told(Target::Ut99, &glb, codes::TARGET_NAME), [(Severity::Warning, cut)]);
        assert_eq!(told(Target::Ut99, &glb, codes::TARGET_LOSS), []);
        // No rule speaks of it.
        assert_eq!(told(Target::Umodel, &glb, codes::TARGET_NAME), []);
        let cut = "1 name cut, numbered or without characters of other languages".to_owned();
        assert_eq!(told(Target::Umodel, &glb, codes::TARGET_LOSS), [(Severity::Note, cut)]);
    }

    /// A mesh of 0 A.D. has 191 bones at most, and no number that is not finite.
    #[test]
    fn what_cannot_be_written_is_told_unless_a_rule_tells_it() {
        let found = told(Target::ZeroAd, &Glb::chain(&names(192), Y, &[(0, 1.0)]), codes::TARGET_LIMIT);
        let [(Severity::Error, message)] = found.as_slice() else { panic!("{found:?}") };
        assert!(message.starts_with("192 bones: 0 A.D. takes at most 191: "), "{message}");
        for materials in [["skin"].as_slice(), &["skin", "fur"]] {
            let mut glb = Glb::still(materials);
            glb.json["nodes"][0]["scale"] = serde_json::json!([1e30, 1.0, 1.0]);
            let above = serde_json::json!({"scale": [1e30, 1.0, 1.0], "children": [0]});
            let above = glb.add("nodes", above);
            glb.json["scenes"][0]["nodes"] = serde_json::json!([above]);
            let mut found = told(Target::ZeroAd, &glb, codes::TARGET_LIMIT);
            let reason = "`skelmap convert` would not write the mesh: vertex 1 has a number that is not finite";
            assert_eq!(found.pop(), Some((Severity::Error, reason.to_owned())), "{materials:?}");
            // Of two materials, there is a warning, which is no reason.
            assert_eq!(found.len(), materials.len() - 1, "{found:?}");
        }
    }
}
