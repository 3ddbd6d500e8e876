//! Animations without a mesh.

use skelmap::Asset;
use skelmap::model::Binding;
use skelmap_export::{Animation, AnimationEvent, Document, ExportOptions, WriteError};

use super::{apart, good, write};
use test_support::actorx::build::{Anim, chain};
use test_support::glb::File;
use test_support::swat3::build::{Frame, Gsa, Layout, biped};
use test_support::with;

#[test]
fn a_skeleton_without_its_mesh_moves_as_with_it() {
    let (mesh, animation) = (good("fox.psk"), good("fox.psa"));
    let (mesh, animation) = (Asset::parse(&mesh).unwrap(), Asset::parse(&animation).unwrap());
    let mesh = mesh.mesh().unwrap();
    let of_mesh = animation.clips().map(|clip| Animation::new(&clip, Binding::new(&mesh, &clip))).collect();
    let (whole, _) = write(&with(Document::of_mesh(&mesh), |own| own.animations = of_mesh), &ExportOptions::default());
    let animations = animation.clips().map(|clip| Animation::of_clip(&clip)).collect();
    let (alone, report) =
        write(&with(Document::default(), |own| own.animations = animations), &ExportOptions::default());
    assert_eq!((report.bones, report.triangles, report.animations), (23, 0, 2));
    assert_eq!(alone.document().meshes().count(), 0);
    assert_eq!(alone.document().skins().next().unwrap().joints().count(), 23);
    let joints = |file: &File, pose| {
        let places = file.places(Some(pose));
        let mut joints: Vec<_> =
            places.into_iter().filter(|(name, _)| !name.is_empty() && name != "armature").collect();
        joints.sort_by(|(one, _), (other, _)| one.cmp(other));
        joints.into_iter().map(|(_, place)| [place[3][0], place[3][1], place[3][2]]).collect::<Vec<_>>()
    };
    for pose in [(0, 0.0), (0, 0.5), (1, 1.0)] {
        assert!(apart(&joints(&alone, pose), &joints(&whole, pose)) < 1e-5);
    }
}

#[test]
fn flat_bones_without_a_mesh_rest_in_the_first_frame() {
    let bytes = good("fox_walk.psa");
    let animation = Asset::parse(&bytes).unwrap();
    let animations = animation.clips().map(|clip| Animation::of_clip(&clip)).collect();
    let (file, _) = write(&with(Document::default(), |own| own.animations = animations), &ExportOptions::default());
    let places = |pose| {
        let all: Vec<_> = file.places(pose).into_iter().filter(|(name, _)| name.starts_with("bone_")).collect();
        all.into_iter().map(|(_, place)| [place[3][0], place[3][1], place[3][2]]).collect::<Vec<_>>()
    };
    assert_eq!(places(None).len(), 23);
    assert!(apart(&places(None), &places(Some((0, 0.0)))) < 1e-6);
    assert!(apart(&places(None), &places(Some((0, 0.5)))) > 1e-3);
}

#[test]
fn rotations_and_events_of_swat_3_are_written_without_a_skin() {
    let bytes = good("officer_walk.gsa");
    let asset = Asset::parse(&bytes).unwrap();
    let Asset::Swat3Gsa(gsa) = asset else { panic!("a GSA") };
    let clip = asset.clips().next().unwrap();
    let mut animation = Animation::of_clip(&clip);
    animation.events = vec![AnimationEvent { time: 0.3, name: "sound=step".to_owned() }];
    let (file, report) =
        write(&with(Document::default(), |own| own.animations = vec![animation]), &ExportOptions::default());
    assert_eq!((report.animations, file.document().skins().count()), (1, 0));
    // Every rotation that moves: the values of the file, normalised, with one sign or the other.
    let own = file.document().animations().next().unwrap();
    let mut compared = 0;
    for channel in own.channels() {
        let node = channel.target().node();
        let bone: u16 = node.name().unwrap().rsplit('_').next().unwrap().parse().unwrap();
        let ids = gsa.animated_ids();
        let track = if ids.is_empty() { bone.into() } else { ids.iter().position(|id| id.get() == bone).unwrap() };
        let reader = channel.reader(|_| Some(file.binary()));
        let times: Vec<f32> = reader.read_inputs().unwrap().collect();
        let gltf::animation::util::ReadOutputs::Rotations(values) = reader.read_outputs().unwrap() else {
            panic!("only rotations move")
        };
        for (time, value) in times.iter().zip(values.into_f32()) {
            let frame = gsa.frames().nth((time * 10.0).round() as usize).unwrap();
            let stored = frame.rotations()[track].get();
            let length = stored.iter().map(|part| f64::from(*part).powi(2)).sum::<f64>().sqrt();
            let cosine: f64 = stored.iter().zip(value).map(|(a, b)| f64::from(*a) * f64::from(b)).sum::<f64>() / length;
            assert!((cosine.abs() - 1.0).abs() < 1e-6);
            compared += 1;
        }
    }
    assert!(compared > 100, "{compared}");
    let extras = own.extras().as_ref().unwrap().get();
    assert_eq!(extras, r#"{"events":[{"time":0.3,"name":"sound=step"}]}"#);
}

#[test]
fn an_empty_document_is_refused() {
    assert!(matches!(Document::default().write_glb(&ExportOptions::default(), Vec::new()), Err(WriteError::Empty)));
    assert!(matches!(
        Document::default().write_obj(&ExportOptions::default(), None, None, Vec::new()),
        Err(WriteError::Empty)
    ));
}

/// The bones are those of the first clip.
#[test]
fn tracks_beyond_the_bones_of_the_first_clip_are_counted() {
    let files = [3, 5].map(|bones| Vec::from(Anim::sway(chain(bones), &[("sway", 3, 30.0)]).chunks()));
    let [few, many] = [&files[0], &files[1]].map(|bytes| Asset::parse(bytes).unwrap());
    for (first, second, unmatched, unmoved) in [(&few, &many, 2, 0), (&many, &few, 0, 2), (&many, &many, 0, 0)] {
        let animations =
            [first, second].map(|own| Animation::of_clip(&own.clips().next().unwrap())).into_iter().collect();
        let (file, report) =
            write(&with(Document::default(), |own| own.animations = animations), &ExportOptions::default());
        assert_eq!((report.unmatched_tracks, report.unmoved_bones), (unmatched, unmoved));
        let turned = [0, 1].map(|own| file.document().animations().nth(own).unwrap().channels().count());
        assert_eq!(turned, [report.bones, report.bones]);
    }
}

/// Rotations of SWAT 3 for so many frames: the track turns from one frame to the next.
fn turning(tracks: usize, moving: usize) -> Vec<Frame> {
    let rotation =
        |frame: usize, track| if track == moving && frame == 1 { [0.6, 0.0, 0.0, 0.8] } else { [0.0, 0.0, 0.0, 1.0] };
    (0..2).map(|frame| Frame::new((0..tracks).map(|track| rotation(frame, track)).collect())).collect()
}

/// The second clip has its tracks in the other order.
#[test]
fn tracks_move_the_bones_that_their_own_file_names() {
    let skeleton = Layout::Plain.skeleton(&biped(7));
    let files = [Vec::new(), (0..7).rev().collect::<Vec<u16>>()]
        .map(|ids| Gsa::new(1, skeleton.clone(), &ids, turning(7, 1)).build().bytes);
    let assets = files.each_ref().map(|bytes| Asset::parse(bytes).unwrap());
    let animations = assets.iter().map(|own| Animation::of_clip(&own.clips().next().unwrap())).collect();
    let mut options = ExportOptions::default();
    options.sparse = true;
    let (file, _) = write(&with(Document::default(), |own| own.animations = animations), &options);
    let moved = |own: gltf::Animation<'_>| -> Vec<usize> {
        let moving = own.channels().filter(|own| own.sampler().input().count() == 2);
        moving.map(|own| own.target().node().index() - 1).collect()
    };
    assert_eq!(file.document().animations().map(moved).collect::<Vec<_>>(), [[1], [5]]);
}

/// A track of a bone that the skeleton does not have: there is a bone for each track, and no parents are known.
#[test]
fn bones_beyond_the_skeleton_have_no_parents() {
    let bytes = Gsa::new(1, Layout::Plain.skeleton(&biped(3)), &[2, 9], turning(2, 0)).build().bytes;
    let asset = Asset::parse(&bytes).unwrap();
    let animations = vec![Animation::of_clip(&asset.clips().next().unwrap())];
    let (file, report) =
        write(&with(Document::default(), |own| own.animations = animations), &ExportOptions::default());
    assert_eq!(report.bones, 2);
    let armature = file.document().nodes().find(|node| node.name() == Some("armature")).unwrap();
    assert_eq!(armature.children().count(), 2);
}
