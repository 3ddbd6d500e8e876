//! Meshes.

use skelmap::actorx::Psk;
use skelmap_write::edit::{EditError, PskEdit, PskEditReport};
use test_support::actorx::build::{Mesh, Socket, name, to_bytes};
use test_support::corpus;

use super::{Raw, walk};

fn edited(
    file: &[u8],
    ask: impl FnOnce(&mut PskEdit<'_>) -> Result<(), EditError>,
) -> Result<(Vec<u8>, PskEditReport), EditError> {
    let psk = Psk::parse(file).unwrap();
    let mut edit = PskEdit::new(&psk);
    let mut out = Vec::new();
    let result = ask(&mut edit).and_then(|()| edit.write(&mut out));
    assert!(result.is_ok() || out.is_empty());
    let report = result?;
    assert_eq!(report.bytes, out.len() as u64);
    Psk::parse(&out).unwrap();
    Ok((out, report))
}

fn everything() -> Vec<u8> {
    corpus::file("actorx/mesh/everything.pskx")
}

/// The chunks with floats at some bytes of each record multiplied.
fn scaled(file: &[u8], factor: f32) -> Vec<Raw> {
    let mut chunks = walk(file);
    for chunk in &mut chunks {
        let at = match chunk.id.as_str() {
            "PNTS0000" | "MRPHDATA" => 0,
            "REFSKELT" => 92,
            "SKELSOCK" => 128,
            _ => continue,
        };
        for record in chunk.body.chunks_mut(chunk.size as usize) {
            for float in record[at..at + 12].chunks_mut(4) {
                let value = f32::from_le_bytes(float.try_into().unwrap()) * factor;
                float.copy_from_slice(&value.to_le_bytes());
            }
        }
    }
    chunks
}

#[test]
fn a_scale_reaches_all_positions_and_nothing_else() {
    let file = everything();
    let (out, report) = edited(&file, |edit| edit.scale(2.54).map(drop)).unwrap();
    assert!(walk(&out) == scaled(&file, 2.54));
    let psk = Psk::parse(&file).unwrap();
    let counts = [psk.points().len(), psk.bone_count(), psk.sockets().len(), psk.morph_deltas().len()];
    assert!(counts.iter().all(|count| *count > 0), "{counts:?}");
    assert_eq!(report.scaled, counts.iter().sum::<usize>());
    assert!(edited(&file, |edit| edit.scale(1.0).map(drop)).unwrap().0 == file);
}

#[test]
fn every_real_mesh_is_scaled_and_back_by_two() {
    let Some(folder) = corpus::samples("actorx") else { return };
    for path in corpus::below(&folder, &["psk", "pskx"]) {
        let file = std::fs::read(&path).unwrap();
        let (out, _) = edited(&file, |edit| edit.scale(4.0).map(drop)).unwrap();
        assert!(walk(&out) == scaled(&file, 4.0), "{}", path.display());
        let (back, _) = edited(&out, |edit| edit.scale(0.25).map(drop)).unwrap();
        assert!(back == file, "{}", path.display());
    }
}

#[test]
fn scales_that_numbers_cannot_take_are_refused() {
    for scale in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        let error = edited(&everything(), |edit| edit.scale(scale).map(drop)).unwrap_err().to_string();
        assert_eq!(error, format!("{scale} is no scale: expected a finite number above 0"));
    }
    let mut mesh = Mesh::sheet(3, 3, 2);
    mesh.points[7][1] = 1e10;
    let error = edited(&Vec::from(mesh.chunks()), |edit| edit.scale(1e30).map(drop)).unwrap_err().to_string();
    assert!(error.ends_with("number 7 of PNTS0000 is too large for the format"), "{error}");
    // What was not a number before is not one after.
    edited(&corpus::file("actorx/mesh/point_nan.psk"), |edit| edit.scale(2.0).map(drop)).unwrap();
}

#[test]
fn names_of_bones_and_materials() {
    let mut mesh = Mesh::sheet(3, 3, 3);
    mesh.materials.push(mesh.materials[0]);
    let sockets = [Socket::new("Hat", "BONE_0001", [1.0; 3]), Socket::new("Tail", "Bone_0002", [1.0; 3])];
    let file: Vec<u8> = mesh.chunks().records("SKELSOCK", &sockets).into();
    let ask =
        |edit: &mut PskEdit<'_>| edit.rename_bone("bone_0001", "Head")?.rename_material("sheet", "Paper").map(drop);
    let (out, report) = edited(&file, ask).unwrap();
    assert_eq!((report.renamed_bones, report.moved_sockets, report.renamed_materials), (1, 1, 2));
    mesh.bones[1].name = name("Head");
    mesh.materials.iter_mut().for_each(|material| material.name = name("Paper"));
    let sockets = [Socket::new("Hat", "Head", [1.0; 3]), sockets[1]];
    assert!(out == Vec::from(mesh.chunks().records("SKELSOCK", &sockets)));
    let error = |ask: fn(&mut PskEdit<'_>) -> Result<(), EditError>| edited(&file, ask).unwrap_err().to_string();
    assert_eq!(
        error(|edit| edit.rename_bone("x", "y").map(drop)),
        r#"the file has no bone "x"; it has "Bone_0000", "Bone_0001", "Bone_0002""#
    );
    assert_eq!(
        error(|edit| edit.rename_material("x", "y").map(drop)),
        r#"the file has no material "x"; it has "Sheet", "Sheet""#
    );
    assert_eq!(
        error(|edit| edit.rename_bone("Bone_0000", "BONE_0002").map(drop)),
        "two bones would have the name \"Bone_0002\""
    );
    // Two that change places.
    edited(&file, |edit| edit.rename_bone("Bone_0000", "Bone_0002")?.rename_bone("Bone_0002", "Bone_0000").map(drop))
        .unwrap();
}

#[test]
fn extras_are_dropped_by_id() {
    let file = everything();
    let ids = |file: &[u8]| walk(file).into_iter().map(|chunk| chunk.id).collect::<Vec<_>>();
    let (out, report) = edited(&file, |edit| edit.drop_chunk("VERTEXCOLOR")?.drop_chunk("EXTRAUV*").map(drop)).unwrap();
    let kept: Vec<_> =
        walk(&file).into_iter().filter(|chunk| chunk.id != "VERTEXCOLOR" && !chunk.id.starts_with("EXTRAUV")).collect();
    assert!(report.dropped_chunks >= 2);
    assert!(walk(&out) == kept);
    let (out, _) = edited(&file, |edit| {
        edit.drop_extras();
        Ok(())
    })
    .unwrap();
    let classic = ["ACTRHEAD", "PNTS0000", "VTXW0000", "FACE0000", "FACE3200", "MATT0000", "REFSKELT", "RAWWEIGHTS"];
    let expected: Vec<_> = ids(&file).into_iter().filter(|id| classic.contains(&id.as_str())).collect();
    assert_eq!(ids(&out), expected);
    let error = |id: &str| edited(&file, |edit| edit.drop_chunk(id).map(drop)).unwrap_err().to_string();
    assert_eq!(error("PNTS0000"), "the chunk PNTS0000 cannot be dropped: readers need it");
    assert!(error("NOSUCH").starts_with("the file has no chunk \"NOSUCH\"; it has \""));
    assert!(error("REFSK*").starts_with("the file has no chunk \"REFSK*\""), "required chunks have no part in it");
}

#[test]
fn a_wrong_header_is_corrected_when_its_neighbour_goes() {
    for (file, gone) in [("morph_short.pskx", "MRPHDATA"), ("face32_size20.pskx", "")] {
        let stored = corpus::file(&format!("actorx/mesh/{file}"));
        let psk = Psk::parse(&stored).unwrap();
        assert!(edited(&stored, |_| Ok(())).unwrap().0 == stored);
        let (out, report) = edited(&stored, |edit| {
            if gone.is_empty() {
                edit.drop_extras()
            } else {
                edit.drop_chunk(gone)?
            };
            Ok(())
        })
        .unwrap();
        let dropped = psk.chunks().count() - Psk::parse(&out).unwrap().chunks().count();
        assert_eq!(report.dropped_chunks, dropped);
        assert_eq!(report.mended_headers > 0, dropped > 0, "{file}");
        assert_eq!(Psk::parse(&out).unwrap().faces().len(), psk.faces().len());
        // The walk of this test does not know how to recover, and reads it.
        if dropped > 0 {
            walk(&out);
        }
    }
}

#[test]
fn a_second_chunk_of_a_kind_stays() {
    let mesh = Mesh::sheet(2, 2, 1);
    let other = to_bytes(&mesh.points);
    let file: Vec<u8> = mesh.chunks().chunk("PNTS0000", 12, &other).into();
    let (out, _) = edited(&file, |edit| edit.scale(3.0).map(drop)).unwrap();
    let points: Vec<_> =
        walk(&out).into_iter().filter(|chunk| chunk.id == "PNTS0000").map(|chunk| chunk.body).collect();
    assert!(points[1] == other && points[0] != other);
}
