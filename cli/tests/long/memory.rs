//! The command over the worst files, within a limit on its memory (Linux: maps of files do not count).

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::{TempDir, tempdir};

use test_support::actorx::build::{Anim, Bone, IDENTITY, Mesh};
use test_support::actorx::worst::{WORST as ACTORX, animation, info};
use test_support::build_zip;
use test_support::pyrogenesis::build::{Pmd, Psa};
use test_support::pyrogenesis::worst::states;
use test_support::swat3::worst::WORST as SWAT3;
use test_support::worst::{A_MILLION, ARCHIVES, Entry, archive_of, numbered};

struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempdir().unwrap())
    }

    fn put(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    }

    /// Runs the command with a limit of so many MiB; what it prints is counted and not kept.
    fn within(&self, mebibytes: u64, arguments: &[&str]) -> Output {
        let script = format!("ulimit -d {}; exec \"$0\" \"$@\"", mebibytes << 10);
        let mut shell = Command::new("sh");
        shell.args(["-c", &script, env!("CARGO_BIN_EXE_skelmap")]).args(arguments);
        shell.current_dir(self.0.path()).stdin(Stdio::null()).output().unwrap()
    }

    /// The lines that it prints.
    fn lines(&self, mebibytes: u64, status: i32, arguments: &[&str]) -> usize {
        let output = self.within(mebibytes, arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {said:.500}");
        output.stdout.split(|byte| *byte == b'\n').count() - 1
    }
}

fn size(path: &Path) -> u64 {
    fs::metadata(path).unwrap().len()
}

/// The limit does limit: otherwise no test here could fail.
#[test]
fn a_command_fails_if_it_needs_more_memory_than_the_limit() {
    let folder = Folder::new();
    folder.put("a.psa", animation(1, 1, info("Walk", 1, 0, 1), &[]));
    assert_eq!(folder.within(64, &["ls", "a.psa"]).status.code(), Some(0));
    // A file of 8 MiB that is read whole.
    folder.put("large.psa", animation(1, 1 << 18, info("Walk", 1, 0, 1), &[]));
    assert_eq!(folder.within(64, &["--no-map", "check", "large.psa"]).status.code(), Some(1), "keys of no sequence");
    // The program itself has more than 1 MiB of data.
    let ran = folder.within(3, &["--no-map", "check", "large.psa"]);
    assert_eq!(ran.status.code(), Some(3), "not enough memory");
    let told = String::from_utf8_lossy(&ran.stdout);
    assert!(told.contains("bytes of the file; a limit of the process (`ulimit -v`) may be too low"), "{told}");
}

/// No entry of it holds an asset.
fn a_million_entries() -> Folder {
    let folder = Folder::new();
    let distinct = ARCHIVES.iter().find(|worst| worst.name == "zip/distinct-names").unwrap();
    folder.put("mod.zip", (distinct.of)(A_MILLION));
    folder
}

#[test]
fn an_archive_of_a_million_entries_is_listed_within_256_mib() {
    let folder = a_million_entries();
    // A row for each, and the heading.
    assert_eq!(folder.lines(256, 1, &["ls", "mod.zip"]), A_MILLION + 1);
    assert_eq!(folder.lines(256, 1, &["ls", "--format", "csv", "mod.zip"]), A_MILLION + 1);
}

#[test]
fn an_archive_of_a_million_entries_is_checked_within_256_mib() {
    assert_eq!(a_million_entries().lines(256, 1, &["check", "mod.zip"]), A_MILLION);
}

#[test]
fn an_archive_of_a_million_entries_is_catalogued_within_256_mib() {
    let folder = a_million_entries();
    for output in ["rows.jsonl", "rows.csv"] {
        assert_eq!(folder.lines(256, 1, &["catalog", "mod.zip", "-o", output]), 0);
        assert!(size(&folder.0.path().join(output)) > 50 * A_MILLION as u64);
    }
}

/// Quirks, chunks and findings by the million, in every form.
#[test]
fn the_report_of_a_million_odd_chunks_takes_a_small_multiple_of_the_file() {
    const CHUNKS: usize = 300_000;
    let folder = Folder::new();
    let odd = ACTORX.iter().find(|worst| worst.name == "psk/odd-chunks").unwrap();
    let mesh = folder.put("a.psk", (odd.of)(CHUNKS));
    let limit = 16 * size(&mesh) / (1 << 20) + 32;
    for format in ["table", "json", "jsonl", "csv"] {
        folder.lines(limit, 0, &["info", "--format", format, "a.psk"]);
        folder.lines(limit, 1, &["check", "--level", "note", "--format", format, "a.psk"]);
        folder.lines(limit, 0, &["ls", "--format", format, "a.psk"]);
        let lines = folder.lines(limit, 0, &["dump", "--what", "chunks", "--format", format, "a.psk"]);
        assert!(lines >= CHUNKS, "{format}: {lines}");
    }
}

/// A row for each pair, with the names of twenty bones: 250,000 rows of 170 MB, of which few are in memory.
#[test]
fn a_comparison_of_many_with_many_holds_few_rows_although_every_pair_fits() {
    const EACH: usize = 500;
    let folder = Folder::new();
    let named: Vec<Bone> =
        (0..20).map(|bone| Bone::new(&format!("bone{bone}"), 0, [0.0, 1.0, 0.0], IDENTITY)).collect();
    let mesh = Mesh { bones: named.clone(), ..Mesh::default() }.chunks().build().bytes;
    let animation = Anim::sway(named, &[("Walk", 1, 30.0)]).chunks().build().bytes;
    for kind in ["meshes", "animations"] {
        fs::create_dir(folder.0.path().join(kind)).unwrap();
    }
    for index in 0..EACH {
        folder.put(&format!("meshes/{index}.psk"), &mesh);
        folder.put(&format!("animations/{index}.psa"), &animation);
    }
    for format in ["jsonl", "json"] {
        let ran = folder.within(192, &["match", "meshes", "animations", "--format", format, "--limit", "400000"]);
        assert_eq!(String::from_utf8_lossy(&ran.stderr), "skelmap: 500 of 500 animations fit\n");
        let rows = ran.stdout.windows(11).filter(|text| *text == b"\"verdict\":\"").count();
        assert_eq!((ran.status.code(), rows), (Some(0), EACH * EACH), "{format}");
    }
}

/// Rows of Pyrogenesis have no names of bones, and take memory all the same.
#[test]
fn rows_without_names_are_few_at_a_time_too() {
    const EACH: usize = 800;
    let folder = Folder::new();
    let (walk, sheet) = (Psa::walk(3, 2), Pmd::grid(1, 1, 0, 1));
    let entry = |(at, kind, body): (usize, &str, &Vec<u8>)| Entry {
        name: format!("{at}.{kind}"),
        body: body.clone(),
        inflated: None,
    };
    let (animation, mesh) = (walk.build().bytes, Pmd { bind: walk.states[..3].to_vec(), ..sheet }.build().bytes);
    for (name, kind, body) in [("meshes.zip", "pmd", &mesh), ("animations.zip", "psa", &animation)] {
        folder.put(name, archive_of((0..EACH).map(|at| entry((at, kind, body)))));
    }
    let rows = folder.lines(128, 0, &["match", "meshes.zip", "animations.zip", "--format", "csv"]);
    assert_eq!(rows, EACH * EACH + 1);
}

/// A path is there once, however many rows have it.
#[test]
fn rows_for_sequences_share_one_path() {
    let folder = Folder::new();
    let infos = info("Walk", 1, 0, 1).repeat(5000);
    let name = format!("{}.psa", "a".repeat(60_000));
    folder.put("mod.zip", archive_of([Entry { name, body: animation(1, 1, infos, &[]), inflated: None }].into_iter()));
    for output in ["rows.jsonl", "rows.csv"] {
        folder.lines(64, 0, &["catalog", "--per", "sequence", "mod.zip", "-o", output]);
        let path = folder.0.path().join(output);
        assert!(size(&path) > 300_000_000);
        fs::remove_file(path).unwrap();
    }
}

#[cfg(feature = "tables")]
mod tables {
    use super::*;

    #[test]
    fn a_group_of_parquet_rows_has_a_limit_in_bytes() {
        let folder = Folder::new();
        let infos = info("Walk", 1, 0, 1).repeat(5000);
        let name = format!("{}.psa", "a".repeat(60_000));
        folder.put(
            "mod.zip",
            archive_of([Entry { name, body: animation(1, 1, infos, &[]), inflated: None }].into_iter()),
        );
        assert_eq!(folder.lines(200, 0, &["catalog", "--per", "sequence", "mod.zip", "-o", "rows.parquet"]), 0);
    }
}

/// What comes of many entries that inflate a thousandfold is not held together.
#[test]
fn few_results_of_entries_that_inflate_a_thousandfold_are_held_at_once() {
    let folder = Folder::new();
    let inflated = animation(1, 1, info("Walk", 1, 0, 1).repeat(100_000), &[]);
    let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
    std::io::Write::write_all(&mut encoder, &inflated).unwrap();
    let body = encoder.finish().unwrap();
    let size = u32::try_from(inflated.len()).unwrap();
    let bomb = |at: usize| Entry { name: format!("{at}.psa"), body: body.clone(), inflated: Some(size) };
    folder.put("mod.zip", archive_of((0..128).map(bomb)));
    // A row of a hundred thousand names has four megabytes, an animation seventeen.
    assert_eq!(folder.lines(300, 0, &["catalog", "--jobs", "2", "mod.zip", "-o", "rows.jsonl"]), 0);
}

/// Where one bone is asked for, others cost nothing; as many bones as sequences.
#[test]
fn a_dump_of_one_bone_of_a_million_sequences_does_not_read_the_others() {
    let folder = Folder::new();
    let infos: Vec<u8> = (0..A_MILLION).flat_map(|_| info("Walk", A_MILLION, 0, 1)).collect();
    folder.put("a.psa", animation(A_MILLION / 10, 1, infos, &[]));
    let lines: Vec<String> = (0..A_MILLION).map(|at| format!("walk.{at}=rot\n")).collect();
    folder.put("a.config", format!("[RemoveTracks]\n{}", lines.concat()));
    let bone = numbered(77);
    for what in ["keys", "side-car"] {
        assert_eq!(folder.lines(300, 0, &["dump", "--what", what, "--bone", &bone, "a.psa"]), A_MILLION + 1, "{what}");
    }
    // As a table too, whose rows are written as they come.
    let table = ["dump", "--what", "keys", "--bone", &bone, "--format", "table", "a.psa"];
    assert_eq!(folder.lines(128, 0, &table), A_MILLION + 1);
    assert!(folder.lines(1200, 0, &["info", "a.psa"]) > A_MILLION);
}

/// The bones of a mesh are looked at once, not with each animation.
#[test]
fn a_mesh_of_many_bones_is_matched_with_many_animations() {
    let folder = Folder::new();
    let chain = ACTORX.iter().find(|worst| worst.name == "psk/bones/chain").unwrap();
    folder.put("a.psk", (chain.of)(A_MILLION / 4));
    let body = animation(1, 1, info("Walk", 1, 0, 1), &[]);
    let entry = |at: usize| Entry { name: format!("{at}.psa"), body: body.clone(), inflated: None };
    folder.put("mod.zip", archive_of((0..A_MILLION / 10).map(entry)));
    assert_eq!(folder.lines(300, 0, &["match", "a.psk", "mod.zip", "--fits"]), A_MILLION / 10 + 1);
}

/// The distances between the bones of one such mesh are a MiB.
#[test]
fn thousands_of_meshes_of_512_bones_are_matched_within_100_mib() {
    const MESHES: usize = 3000;
    let folder = Folder::new();
    let (walk, sheet) = (Psa::walk(512, 2), Pmd::grid(1, 1, 0, 1));
    folder.put("a.psa", walk.build().bytes);
    let body = Pmd { bind: walk.states[..512].to_vec(), ..sheet }.build().bytes;
    let entry = |at: usize| Entry { name: format!("{at}.pmd"), body: body.clone(), inflated: None };
    folder.put("mod.zip", archive_of((0..MESHES).map(entry)));
    assert_eq!(folder.lines(100, 0, &["match", "a.psa", "mod.zip"]), MESHES + 1);
}

/// An event may have three bytes in a file, and is no more than a few in memory.
#[test]
fn two_million_events_are_listed_within_100_mib() {
    let folder = Folder::new();
    let events = SWAT3.iter().find(|worst| worst.name == "gsa/events").unwrap();
    folder.put("a.gsa", (events.of)(80_000));
    for format in ["table", "csv", "jsonl"] {
        assert!(folder.lines(100, 0, &["gsa", "events", "--format", format, "a.gsa"]) >= 2_000_000, "{format}");
    }
    folder.lines(100, 0, &["info", "--format", "json", "a.gsa"]);
    assert!(folder.lines(100, 0, &["info", "a.gsa"]) > 2_000_000);
}

/// A time more costs a pose more of output, and no memory.
#[test]
fn poses_are_written_one_by_one() {
    let folder = Folder::new();
    folder.put("a.psa", states(50_000, 2));
    let mut arguments = vec!["pose", "a.psa", "--format", "f32"];
    arguments.extend(["--at", "5ms"].repeat(100));
    let output = folder.within(64, &arguments);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(0), 100 * 50_000 * 64));
    // A time that has no pose is said before anything is written.
    arguments.extend(["--at", "1e30ms"]);
    let output = folder.within(64, &arguments);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
}

/// Numbers of the command line at their largest.
#[test]
fn the_largest_numbers_on_the_command_line_allocate_nothing() {
    let folder = Folder::new();
    folder.put("a.psa", animation(2, 1, info("Walk", 2, 0, 1), &[]));
    folder.put("b.psa", states(2, 2));
    // Entries that say they are of all the bytes that 64 bits can count.
    let deflated = |name| build_zip::Entry::deflated(name, b"x").with(|entry| entry.zip64 = true);
    let mut claims = build_zip::Zip::of(["1.psa", "2.psa", "3.psa"].map(deflated)).build();
    for at in 0..3 {
        let size = claims.offset(&format!("central#{at}.zip64")) + 4;
        claims.bytes[size..size + 8].fill(0xFF);
    }
    folder.put("claims.zip", claims.bytes);
    let most = u64::MAX.to_string();
    let shard = format!("{most}/{most}");
    assert_eq!(folder.lines(64, 0, &["ls", "--jobs", &most, "a.psa"]), 2);
    folder.lines(64, 0, &["catalog", "--shard", &shard, "claims.zip", "-o", "rows.csv"]);
    folder.lines(64, 2, &["dump", "--what", "keys", "--bone", &most, "a.psa"]);
    folder.lines(64, 2, &["dump", "--what", "states", "--bone", &most, "b.psa"]);
    for time in ["3.4e38ms", "infs", "nans", "-1s"] {
        folder.lines(64, 2, &["pose", "b.psa", "--at", time]);
    }
}
