//! Meshes that writers got wrong in ways a reader must see through.

use super::super::build::{CLASSIC, Chunks, MORPHS, Material, Name, name};
use super::sample::{changed, figure, figure_good, morphs, sockets, uvs};
use super::{Case, Good, ok};

/// What a 2003 exporter left on its stack.
const STACK: [u8; 11] = [0x80, 0xF7, 0x77, 0x5C, 0xF2, 0x12, 0x00, 0x11, 0x00, 0x00, 0x00];

pub fn cases() -> Vec<Case> {
    let mut cases = headers();
    cases.extend(lengths());
    cases.extend(repeats());
    cases.extend(names());
    cases
}

fn headers() -> Vec<Case> {
    let mut odd_id = [0; 20];
    odd_id[..12].copy_from_slice(b"\x16\xF9\x61\x41VTXW0000");
    vec![
        ok(
            "actorx/mesh/id_garbage.psk",
            "stack garbage after the NUL of every id",
            "actorx.md 1.1",
            figure().onto(Chunks::flagged(CLASSIC, CLASSIC).id_garbage(&STACK)),
            figure_good().quirks(&["id-garbage"]),
        ),
        ok(
            "actorx/mesh/type_flag.psk",
            "a type flag nobody ever assigned",
            "actorx.md 1.2",
            figure().onto(Chunks::flagged(CLASSIC, 0x0012_F2BC)),
            figure_good().quirks(&["type-flag"]),
        ),
        ok(
            "actorx/mesh/odd_chunk_id.psk",
            "a chunk whose id is not text, and one whose id is empty",
            "actorx.md 7 (8)",
            figure().chunks().raw("odd", odd_id, 0, 4, 2, &[0; 8]).raw("empty", [0; 20], 0, 0, 0, &[]),
            figure_good().quirks(&["odd-chunk-id"]).findings(&["unread-chunk"]),
        ),
        ok(
            "actorx/mesh/unknown_chunks.psk",
            "chunks no reader needs, with record sizes that leave the next header at any offset",
            "actorx.md 2",
            figure()
                .chunks()
                .chunk("PHYSICS0", 101, &[7; 101])
                .chunk("VTXW3200", 13, &[1; 39])
                .chunk("NEWSTUFF", 3, &[2; 15])
                .chunk("SHAPEELEMS", 108, &[3; 216])
                .records("EXTRAUVS0", &uvs(0.5)),
            Good { uv_sets: Some(2), ..figure_good() }.findings(&["unread-chunk"]),
        ),
        ok(
            "actorx/mesh/empty_chunks.psk",
            "without records any record size will do, a negative one too",
            "actorx.md 1.1",
            figure()
                .chunks()
                .empty("VTXNORMS", 0)
                .empty("VERTEXCOLOR", 16)
                .empty("MRPHINFO", -1)
                .empty("MRPHDATA", i32::MAX)
                .empty("SKELSOCK", 164),
            figure_good(),
        ),
        ok(
            "actorx/mesh/aliases.psk",
            "ids that only some readers know",
            "actorx.md 2",
            {
                let mesh = figure();
                let chunks = Chunks::new()
                    .empty("ACTRHEAD", 0)
                    .records("PNTS0000", &mesh.points)
                    .records("VTXW0000", &mesh.wedges);
                mesh.faces_onto(chunks)
                    .records("MATT0000", &mesh.materials)
                    .records("REFSKEL0", &mesh.bones)
                    .records("RAWW0000", &mesh.weights)
            },
            figure_good(),
        ),
        ok(
            "actorx/mesh/wedge_padding.psk",
            "garbage beside the 16-bit point index and at the end of the wedge",
            "actorx.md 3.2",
            changed(|mesh| {
                for wedge in &mut mesh.wedges {
                    wedge.point |= 0x1ACE_0000;
                    wedge.padding = 0xFFFF;
                }
            }),
            figure_good().findings(&["wedge-padding"]),
        ),
    ]
}

fn lengths() -> Vec<Case> {
    let mesh = figure();
    let (infos, deltas) = morphs();
    let until_faces =
        || Chunks::new().empty("ACTRHEAD", 0).records("PNTS0000", &mesh.points).records("VTXW0000", &mesh.wedges);
    vec![
        ok(
            "actorx/mesh/face32_size20.pskx",
            "18-byte faces declared as 20 bytes",
            "actorx.md 7 (2)",
            until_faces()
                .declare_records("FACE3200", 20, 12, &mesh.faces)
                .records("MATT0000", &mesh.materials)
                .records("REFSKELT", &mesh.bones)
                .records("RAWWEIGHTS", &mesh.weights),
            figure_good().quirks(&["face-record-size"]),
        ),
        ok(
            "actorx/mesh/extrauv_size16.pskx",
            "8-byte coordinates declared as 16 bytes, twice",
            "actorx.md 7 (3)",
            mesh.chunks().declare_records("EXTRAUV0", 16, 24, &uvs(0.5)).declare_records(
                "EXTRAUV0",
                16,
                24,
                &uvs(0.25),
            ),
            Good { uv_sets: Some(3), ..figure_good() }.quirks(&["uv-record-size"]),
        ),
        ok(
            "actorx/mesh/morph_short.pskx",
            "three morphs counted, two written",
            "actorx.md 3.11",
            mesh.onto(Chunks::flagged(MORPHS, 0))
                .declare_records("MRPHINFO", 68, 3, &infos)
                .records("MRPHDATA", &deltas),
            figure_good().quirks(&["short-body"]),
        ),
        ok(
            "actorx/mesh/socket_short.pskx",
            "three sockets counted, two written before the skeleton",
            "actorx.md 3.12",
            mesh.faces_onto(until_faces())
                .records("MATT0000", &mesh.materials)
                .records("RAWWEIGHTS", &mesh.weights)
                .declare_records("SKELSOCK", 164, 3, &sockets())
                .records("REFSKELT", &mesh.bones),
            figure_good().quirks(&["short-body"]),
        ),
        ok(
            "actorx/mesh/socket_short_last.pskx",
            "three sockets counted, two written at the end of the file",
            "actorx.md 3.12",
            mesh.chunks().declare_records("SKELSOCK", 164, 3, &sockets()),
            figure_good().quirks(&["short-body"]),
        ),
    ]
}

fn repeats() -> Vec<Case> {
    let mesh = figure();
    let other = [Material::new("Other", 0)];
    vec![
        ok(
            "actorx/mesh/duplicate_chunk.psk",
            "a second list of materials; the first counts",
            "actorx.md 1.1",
            mesh.chunks().records("MATT0000", &other),
            figure_good().quirks(&["duplicate-chunk"]),
        ),
        ok(
            "actorx/mesh/duplicate_faces.psk",
            "narrow faces, then wide ones; the first count",
            "actorx.md 2",
            mesh.chunks().records("FACE3200", &mesh.faces[..2]),
            figure_good().quirks(&["duplicate-chunk"]),
        ),
        ok(
            "actorx/mesh/empty_then_filled.psk",
            "an empty chunk does not stand in the way of a filled one",
            "actorx.md 1.1",
            Chunks::new()
                .empty("ACTRHEAD", 0)
                .empty("PNTS0000", 12)
                .empty("MATT0000", 0)
                .records("PNTS0000", &mesh.points)
                .records("VTXW0000", &mesh.wedges)
                .records("FACE3200", &mesh.faces)
                .records("MATT0000", &mesh.materials)
                .records("REFSKELT", &mesh.bones)
                .records("RAWWEIGHTS", &mesh.weights),
            figure_good(),
        ),
        ok(
            "actorx/mesh/duplicate_head.psk",
            "a second head",
            "actorx.md 7 (5)",
            mesh.onto(Chunks::flagged(MORPHS, 0).empty("ACTRHEAD", 0)),
            figure_good().quirks(&["duplicate-head"]),
        ),
    ]
}

fn names() -> Vec<Case> {
    vec![
        ok(
            "actorx/mesh/name_unterminated.psk",
            "a bone name that fills all 64 bytes",
            "actorx.md 1.3",
            changed(|mesh| mesh.bones[2].name = *b"Arm_L_that_goes_on_and_on_until_there_is_no_room_for_a_NUL_at_al"),
            figure_good().findings(&["name-unterminated"]),
        ),
        ok(
            "actorx/mesh/name_cp1252.psk",
            "a material name in a Western European code page",
            "actorx.md 1.3",
            changed(|mesh| mesh.materials[1].name = name(b"\xC9p\xE9e_\x80")),
            figure_good().findings(&["name-encoding"]),
        ),
        ok(
            "actorx/mesh/name_utf8.psk",
            "names in UTF-8",
            "actorx.md 1.3",
            changed(|mesh| {
                mesh.bones[3].name = name("Kopf_groß");
                mesh.materials[0].name = name("皮肤");
            }),
            figure_good(),
        ),
        ok(
            "actorx/mesh/name_cut_utf8.psk",
            "a UTF-8 name cut in the middle of a character",
            "actorx.md 1.3",
            changed(|mesh| {
                let long = "_".to_owned() + &"ß".repeat(32);
                mesh.materials[0].name.copy_from_slice(&long.as_bytes()[..64]);
            }),
            figure_good().findings(&["name-encoding", "name-unterminated"]),
        ),
        ok(
            "actorx/mesh/name_padded.psk",
            "bone names padded with spaces to 31 characters, with garbage after the NUL",
            "actorx.md 1.3",
            changed(|mesh| {
                for bone in &mut mesh.bones {
                    bone.name = padded(&bone.name);
                }
            }),
            figure_good().findings(&["name-garbage", "name-padded"]),
        ),
        ok(
            "actorx/mesh/name_empty.psk",
            "a material without a name",
            "actorx.md 3.5",
            changed(|mesh| mesh.materials[1].name = name("")),
            figure_good().findings(&["name-empty"]),
        ),
        ok(
            "actorx/mesh/name_duplicate.psk",
            "two bones whose names differ in case only",
            "actorx.md 1.3",
            changed(|mesh| mesh.bones[2].name = name("HEAD")),
            figure_good().findings(&["bone-duplicate"]),
        ),
        ok(
            "actorx/mesh/material_names_repeat.psk",
            "materials may share a name",
            "actorx.md 3.5",
            changed(|mesh| mesh.materials[1].name = name("Skin")),
            figure_good(),
        ),
    ]
}

fn padded(plain: &Name) -> Name {
    let mut field = *plain;
    for byte in &mut field[..31] {
        if *byte == 0 {
            *byte = b' ';
        }
    }
    field[32..32 + STACK.len()].copy_from_slice(&STACK);
    field
}
