//! Files that cannot be read, and the one thing to say about each.
//!
//! In the figure the headers are at 0 (head), 32 (points), 160 (wedges), 576 (faces), 752 (materials), 960 (bones) and
//! 1472 (influences), and the file ends at 1672. In the walk they are at 0 (head), 32 (bones), 544 (sequences),
//! 744 (keys) and 1416 (scale keys), and the file ends at 1448.

use super::super::build::{Chunks, Face, Record};
use super::sample::{figure, moves, walk};
use super::{Case, fault};

pub fn cases() -> Vec<Case> {
    let mut cases = not_ours();
    cases.extend(headers());
    cases.extend(lengths());
    cases.extend(record_sizes());
    cases.extend(native_longs());
    cases.extend(missing_chunks());
    cases.extend(line_ends());
    cases
}

fn not_ours() -> Vec<Case> {
    let head = |id: &str| Chunks::new().empty(id, 0).stray(&[0; 16]);
    let unknown = ("unknown-format", "file", 0);
    let other = ("other-format", "file", 0);
    let unsupported = ("unsupported-format", "file", 0);
    let pointer = "version https://git-lfs.github.com/spec/v1\n\
        oid sha256:0000000000000000000000000000000000000000000000000000000000000000\nsize 1672\n";
    vec![
        fault("actorx/damaged/empty.psk", "no bytes at all", "actorx.md 1", Vec::new(), ("empty", "file", 0)),
        fault(
            "actorx/damaged/git_lfs.psk",
            "a Git LFS pointer instead of the file",
            "actorx.md 7 (9)",
            pointer.as_bytes().to_vec(),
            ("git-lfs", "file", 0),
        ),
        fault(
            "actorx/damaged/short.psk",
            "the first bytes of a head",
            "actorx.md 1.1",
            b"ACTRHEAD\0\0\0\0".to_vec(),
            ("truncated", "chunk header", 0),
        ),
        fault("actorx/damaged/three_bytes.psa", "too short for anything", "actorx.md 1.1", b"ANI".to_vec(), unknown),
        fault(
            "actorx/damaged/photoshop.psa",
            "another owner of the extension",
            "actorx.md 1.1",
            [b"8BPS\0\x01".as_slice(), &[0; 40]].concat(),
            unknown,
        ),
        fault(
            "actorx/damaged/headless.psk",
            "points first, and no head",
            "actorx.md 1.1",
            Chunks::new().records("PNTS0000", &figure().points),
            unknown,
        ),
        fault(
            "actorx/damaged/pyrogenesis.psa",
            "an animation of 0 A.D.",
            "actorx.md 12",
            [b"PSSA\x01\0\0\0".as_slice(), &[0; 40]].concat(),
            other,
        ),
        fault(
            "actorx/damaged/pyrogenesis.pmd",
            "a mesh of 0 A.D.",
            "actorx.md 12",
            [b"PSMD\x03\0\0\0".as_slice(), &[0; 40]].concat(),
            other,
        ),
        fault(
            "actorx/damaged/anixhead.psa",
            "the second animation dialect",
            "actorx.md 2",
            head("ANIXHEAD"),
            unsupported,
        ),
        fault("actorx/damaged/wrldhead.psw", "a world", "actorx.md 2", head("WRLDHEAD"), unsupported),
    ]
}

fn headers() -> Vec<Case> {
    let built = figure().chunks().build();
    let mut cut = built.bytes.clone();
    cut.truncate(180);
    vec![
        fault(
            "actorx/damaged/negative_count.psk",
            "a negative number of wedges",
            "actorx.md 1.1",
            built.clone().patch_i32("VTXW0000.count", -1),
            ("negative-count", "VTXW0000", 160),
        ),
        fault(
            "actorx/damaged/negative_size.psk",
            "influences of a negative size",
            "actorx.md 1.1",
            built.clone().patch_i32("RAWWEIGHTS.size", -12),
            ("negative-size", "RAWWEIGHTS", 1472),
        ),
        fault(
            "actorx/damaged/truncated_header.psk",
            "a file that ends inside the header of the wedges",
            "actorx.md 1.1",
            cut,
            ("truncated", "chunk header", 160),
        ),
        fault(
            "actorx/damaged/trailing.psk",
            "five bytes after the last chunk",
            "actorx.md 1.1",
            figure().chunks().stray(b"\0\0\0\0\0"),
            ("truncated", "chunk header", 1672),
        ),
    ]
}

fn lengths() -> Vec<Case> {
    let mesh = figure().chunks().build();
    let mut cut = mesh.bytes.clone();
    cut.truncate(500);
    vec![
        fault(
            "actorx/damaged/overrun.psk",
            "an influence more than there is room for",
            "actorx.md 1.1",
            mesh.clone().patch_i32("RAWWEIGHTS.count", 15),
            ("records-overrun", "RAWWEIGHTS", 1472),
        ),
        fault(
            "actorx/damaged/overrun_huge.psk",
            "sizes whose product needs more than 32 bits",
            "actorx.md 1.1",
            mesh.clone().patch_i32("PNTS0000.count", i32::MAX),
            ("records-overrun", "PNTS0000", 32),
        ),
        fault(
            "actorx/damaged/truncated_body.psk",
            "a file that ends among the wedges",
            "actorx.md 1.1",
            cut,
            ("records-overrun", "VTXW0000", 160),
        ),
        fault(
            "actorx/damaged/overrun.psa",
            "a key more than there is room for",
            "actorx.md 1.1",
            walk().chunks().build().patch_i32("ANIMKEYS.count", 22),
            ("records-overrun", "ANIMKEYS", 744),
        ),
    ]
}

/// Records with `more` zero bytes after each.
fn widened<R: Record>(records: &[R], more: usize) -> Vec<u8> {
    let mut out = Vec::new();
    for record in records {
        record.put(&mut out);
        out.resize(out.len() + more, 0);
    }
    out
}

fn record_sizes() -> Vec<Case> {
    let mesh = figure();
    let anim = walk();
    let flat: Vec<[f32; 2]> = mesh.points.iter().map(|point| [point[0], point[1]]).collect();
    let until_keys =
        || Chunks::new().empty("ANIMHEAD", 0).records("BONENAMES", &anim.bones).records("ANIMINFO", &anim.infos);
    vec![
        fault(
            "actorx/damaged/record_too_small.psk",
            "points of two coordinates",
            "actorx.md 1.1",
            Chunks::new().empty("ACTRHEAD", 0).records("PNTS0000", &flat).records("VTXW0000", &mesh.wedges),
            ("record-too-small", "PNTS0000", 32),
        ),
        fault(
            "actorx/damaged/record_too_wide.psk",
            "points of four coordinates",
            "actorx.md 1.1",
            Chunks::new().empty("ACTRHEAD", 0).chunk("PNTS0000", 16, &widened(&mesh.points, 4)),
            ("record-too-wide", "PNTS0000", 32),
        ),
        fault(
            "actorx/damaged/record_too_wide.psa",
            "keys with a field nobody knows",
            "actorx.md 1.1",
            until_keys().chunk("ANIMKEYS", 36, &widened(&anim.keys, 4)).empty("SCALEKEYS", 16),
            ("record-too-wide", "ANIMKEYS", 744),
        ),
        fault(
            "actorx/damaged/curve_record.psa",
            "a curve record that ends inside a weight",
            "actorx.md 4.4",
            anim.chunks().chunk("Walk:CUR", 130, &[0; 130]),
            ("record-too-small", "Walk:CUR", 1448),
        ),
    ]
}

/// What a packed layout becomes where a C `long` has 64 bits.
fn native_longs() -> Vec<Case> {
    let mesh = figure();
    let narrow: Vec<_> = mesh.faces.iter().map(Face::narrow).collect();
    let until_faces =
        || Chunks::new().empty("ACTRHEAD", 0).records("PNTS0000", &mesh.points).records("VTXW0000", &mesh.wedges);
    vec![
        fault(
            "actorx/damaged/native_long_faces.psk",
            "12-byte faces written as 16 bytes",
            "actorx.md 7 (7)",
            until_faces()
                .declare("FACE0000", 12, 12, &widened(&narrow, 4))
                .records("MATT0000", &mesh.materials)
                .records("REFSKELT", &mesh.bones)
                .records("RAWWEIGHTS", &mesh.weights),
            ("native-long", "FACE0000", 576),
        ),
        fault(
            "actorx/damaged/native_long_materials.psk",
            "88-byte materials written as 104 bytes",
            "actorx.md 7 (7)",
            mesh.faces_onto(until_faces())
                .declare("MATT0000", 88, 2, &widened(&mesh.materials, 16))
                .records("REFSKELT", &mesh.bones)
                .records("RAWWEIGHTS", &mesh.weights),
            ("native-long", "MATT0000", 752),
        ),
        fault(
            "actorx/damaged/native_long_bones.psk",
            "120-byte bones written as 124 bytes",
            "actorx.md 7 (7)",
            mesh.faces_onto(until_faces())
                .records("MATT0000", &mesh.materials)
                .declare("REFSKELT", 120, 4, &widened(&mesh.bones, 4))
                .records("RAWWEIGHTS", &mesh.weights),
            ("native-long", "REFSKELT", 960),
        ),
        fault(
            "actorx/damaged/native_long_bones.psa",
            "120-byte bones written as 124 bytes",
            "actorx.md 7 (7)",
            {
                let anim = walk();
                Chunks::new()
                    .empty("ANIMHEAD", 0)
                    .declare("BONENAMES", 120, 4, &widened(&anim.bones, 4))
                    .records("ANIMINFO", &anim.infos)
                    .records("ANIMKEYS", &anim.keys)
            },
            ("native-long", "BONENAMES", 32),
        ),
    ]
}

fn missing_chunks() -> Vec<Case> {
    let anim = walk();
    let head = || Chunks::new().empty("ANIMHEAD", 0);
    vec![
        fault(
            "actorx/damaged/no_bones.psa",
            "no bones",
            "actorx.md 2",
            head().records("ANIMINFO", &anim.infos).records("ANIMKEYS", &anim.keys),
            ("missing-chunk", "BONENAMES", 904),
        ),
        fault(
            "actorx/damaged/no_sequences.psa",
            "no sequences",
            "actorx.md 2",
            head().records("BONENAMES", &anim.bones).records("ANIMKEYS", &anim.keys),
            ("missing-chunk", "ANIMINFO", 1216),
        ),
        fault(
            "actorx/damaged/no_keys.psa",
            "no keys",
            "actorx.md 2",
            head().records("BONENAMES", &anim.bones).records("ANIMINFO", &anim.infos),
            ("missing-chunk", "ANIMKEYS", 744),
        ),
        fault(
            "actorx/damaged/head_only.psa",
            "nothing but a head",
            "actorx.md 2",
            head(),
            ("missing-chunk", "BONENAMES", 32),
        ),
    ]
}

/// A checkout that took the file for text.
fn mangled(bytes: &[u8]) -> Vec<u8> {
    assert!(bytes.contains(&b'\n'), "there is nothing to mangle");
    let mut out = Vec::new();
    for &byte in bytes {
        if byte == b'\n' {
            out.push(b'\r');
        }
        out.push(byte);
    }
    out
}

fn line_ends() -> Vec<Case> {
    let mesh = figure().chunks().build().bytes;
    let anim = moves(&[("Walk", 10, 20.0)]).chunks().build().bytes;
    vec![
        // Wedge 10 is in two faces: two bytes more, so that the next header is read two bytes early. It begins with
        // NUL, and its size and count are made of halves of the real ones: far too large.
        fault(
            "actorx/damaged/crlf.psk",
            "a mesh that was checked out with CRLF line ends",
            "actorx.md 7 (8)",
            mangled(&mesh),
            ("crlf", "", 752),
        ),
        // The frame count of 10 is the last field before the keys: their header is read a byte early, likewise.
        fault(
            "actorx/damaged/crlf.psa",
            "an animation that was checked out with CRLF line ends",
            "actorx.md 7 (8)",
            mangled(&anim),
            ("crlf", "", 744),
        ),
    ]
}
