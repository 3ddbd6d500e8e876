//! Models at attachments of others: where they are, which animations they share, and how many a file may have.

use std::sync::Arc;

use skelmap::Asset;
use skelmap_export::{Attached, Document, ExportOptions, WriteError};

use super::{apart, options, write};
use test_support::actorx::build::{Anim, Mesh, Socket, chain};
use test_support::glb::File;
use test_support::pyrogenesis::build::{NONE, Pmd, Prop, State};

fn attached<'d>(point: &str, document: &Arc<Document<'d>>) -> Attached<'d> {
    Attached { point: point.to_owned(), name: format!("at {point}"), document: Arc::clone(document) }
}

/// A sheet without bones.
fn still() -> Vec<u8> {
    Mesh { bones: Vec::new(), weights: Vec::new(), ..Mesh::sheet(3, 3, 1) }.chunks().into()
}

/// A sheet with two bones, and a socket at the second.
fn armed() -> Vec<u8> {
    let mesh = Mesh { bones: chain(2), ..Mesh::sheet(3, 3, 2) };
    let socket = Socket { rotation: [0.0; 3], ..Socket::new("Hand", "Bone_0001", [10.0, 20.0, 30.0]) };
    mesh.chunks().records("SKELSOCK", &[socket]).into()
}

fn place(file: &File, name: &str) -> [f64; 3] {
    let (_, place) = file.places(None).into_iter().find(|(own, _)| own == name).unwrap();
    [place[3][0], place[3][1], place[3][2]]
}

#[test]
fn a_model_is_at_its_attachment_or_where_the_other_model_is() {
    let (armed, still) = (armed(), still());
    let (armed, still) = (Asset::parse(&armed).unwrap(), Asset::parse(&still).unwrap());
    let own = Arc::new(Document::of_mesh(&still.mesh().unwrap()));
    let mut document = Document::of_mesh(&armed.mesh().unwrap());
    // There is nothing to attach in an empty document.
    document.attached =
        vec![attached("Hand", &own), attached("Foot", &own), attached("Hand", &Arc::new(Document::default()))];
    let alone = write(&Document::of_mesh(&armed.mesh().unwrap()), &ExportOptions::default()).0;
    for (yaw, expected) in [(0.0, [0.1, 0.4, 0.2]), (90.0, [0.2, 0.4, -0.1])] {
        let (file, report) = write(&document, &options(|own| own.yaw = yaw));
        // The bones are 5 and 10 above the ground; z is up, and y is to the viewer.
        assert!(apart(&[place(&file, "at Hand"), place(&file, "at Foot")], &[expected, [0.0; 3]]) < 1e-6, "{yaw}");
        assert_eq!((file.document().meshes().count(), report.triangles), (2, 3 * 8), "one mesh for both");
        assert_eq!(file.document().nodes().count(), alone.document().nodes().count() + 2);
    }
}

#[test]
fn a_model_at_one_without_bones_turns_with_it() {
    let bytes = still();
    let asset = Asset::parse(&bytes).unwrap();
    let own = Arc::new(Document::of_mesh(&asset.mesh().unwrap()));
    let mut document = Document::of_mesh(&asset.mesh().unwrap());
    document.attached = vec![attached("Hand", &own), attached("Foot", &own)];
    // One more node turns both.
    for (yaw, nodes) in [(0.0, 3), (90.0, 4)] {
        let (file, _) = write(&document, &options(|own| own.yaw = yaw));
        assert_eq!(file.document().nodes().count(), nodes);
        let corners = file.corners(None);
        let [first, ref others @ ..] = corners.chunks(24).collect::<Vec<_>>()[..] else { panic!("no corners") };
        assert_eq!(others.len(), 2);
        assert!(others.iter().all(|own| apart(own, first) < 1e-6), "{yaw}");
    }
}

/// Models of one content, each prepared by itself: the second adds no bytes, and no view of none.
#[test]
fn a_content_that_is_known_adds_nothing() {
    let (mesh, anim) = (armed(), Vec::from(Anim::sway(chain(2), &[("walk", 3, 30.0)]).chunks()));
    document!(document, mesh.clone(), anim.clone());
    document!(other, mesh, anim);
    let alone = write(&document, &ExportOptions::default()).0;
    document.attached = vec![attached("Hand", &Arc::new(other))];
    let both = write(&document, &ExportOptions::default()).0;
    assert_eq!(both.binary().len(), alone.binary().len());
    assert_eq!(both.document().views().count(), alone.document().views().count());
    assert_eq!(both.document().accessors().count(), alone.document().accessors().count());
    assert_eq!(both.document().nodes().count(), alone.document().nodes().count() * 2);
}

/// Each animation takes one of each model, and what is not taken is an animation of its own.
#[test]
fn animations_of_one_name_play_together() {
    let anim =
        |names: [&str; 2]| -> Vec<u8> { Anim::sway(chain(2), &names.map(|name| (name, 3, 30.0))).chunks().into() };
    document!(document, armed(), anim(["walk", "WALK"]));
    document!(rider, armed(), anim(["Walk", "walk"]));
    let rider = Arc::new(rider);
    document.attached = vec![attached("Hand", &rider), attached("Foot", &rider)];
    let (file, report) = write(&document, &ExportOptions::default());
    let channels = |own: gltf::Animation<'_>| (own.name().unwrap().to_owned(), own.channels().count());
    let found: Vec<_> = file.document().animations().map(channels).collect();
    // Two bones of each model turn.
    let expected = [("walk", 6), ("WALK", 2), ("walk", 2), ("walk", 2)];
    assert_eq!(found, expected.map(|(name, count)| (name.to_owned(), count)));
    assert_eq!(report.animations, 4);
}

fn written(document: &Document<'_>) -> Result<(), WriteError> {
    document.write_glb(&ExportOptions::default(), std::io::sink()).map(|_| ())
}

#[test]
fn a_file_has_at_most_65536_models() {
    let bytes = still();
    let asset = Asset::parse(&bytes).unwrap();
    let own = Arc::new(Document::of_mesh(&asset.mesh().unwrap()));
    let one = Attached { point: String::new(), name: String::new(), document: own };
    let mut document = Document::of_mesh(&asset.mesh().unwrap());
    document.attached = vec![one.clone(); 65_535];
    assert!(written(&document).is_ok());
    document.attached.push(one);
    assert!(matches!(written(&document), Err(WriteError::TooManyModels)));
}

/// A model with bones `bone_0` to `bone_15`, and a prop whose name has so many bytes in the output.
fn named(bones: u32, name: usize) -> Vec<u8> {
    let props = match name {
        0 => Vec::new(),
        name => vec![Prop::new("x".repeat(name - "prop-".len()), State::REST, NONE)],
    };
    Pmd { props, ..Pmd::grid(2, 2, bones, 1) }.build().bytes
}

/// A model takes as many of 262,144 places as it has bones, attachments and meshes, and one for 8 joints and one for 64 bytes of names.
#[test]
fn a_file_has_at_most_262144_nodes_in_what_is_attached() {
    // 16 bones and their 16 joints, a prop, a mesh: 20. Names of bones have 102 bytes.
    let bytes = named(16, 65_515 * 64 - 102);
    let asset = Asset::parse(&bytes).unwrap();
    let large = Arc::new(Document::of_mesh(&asset.mesh().unwrap()));
    // Three bones and a mesh are 4, and four models of 65,535 the rest.
    for (bones, fits) in [(3, true), (4, false)] {
        let bytes = named(bones, 0);
        let asset = Asset::parse(&bytes).unwrap();
        let mut document = Document::of_mesh(&asset.mesh().unwrap());
        document.attached = vec![attached("", &large); 4];
        assert_eq!(written(&document).is_ok(), fits, "{bones} bones");
        if !fits {
            assert!(matches!(written(&document), Err(WriteError::TooManyModels)));
        }
    }
}

/// A prop whose name counts as 262,144 nodes.
#[test]
fn what_is_not_attached_has_no_limit() {
    let bytes = named(1, 262_144 * 64);
    let asset = Asset::parse(&bytes).unwrap();
    assert!(written(&Document::of_mesh(&asset.mesh().unwrap())).is_ok());
}
