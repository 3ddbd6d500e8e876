//! The files that are measured: a large archive of many models, one of a deflated animation, and a folder of loose animations.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::build_pyrogenesis::{Pmd, Psa, State};
use super::build_zip::{Entry, Zip};

/// Names an archive of the game to measure instead of one made for the purpose.
const REAL_ARCHIVE: &str = "SKELMAP_ARCHIVE";

/// Bones of the largest animations in the game's current release.
const BONES: u32 = 58;

/// Of so many entries of the game's archive, so many are meshes, and so many animations.
const ENTRIES: usize = 90;
const MESHES: usize = 10;
const ANIMATIONS: usize = 3;

/// The archive that the environment names, if it does.
pub(crate) fn real_archive() -> Option<PathBuf> {
    env::var_os(REAL_ARCHIVE).map(PathBuf::from)
}

/// An archive of so many stored entries, about a seventh of them models, as in the game's; these are smaller. Written once, kept
/// for the next run.
pub(crate) fn archive(entries: usize) -> io::Result<PathBuf> {
    let mesh = Pmd::grid(12, 12, 1, 1).build().bytes;
    let animation = Psa::walk(33, 12).build().bytes;
    let entry = |index: usize| match index % ENTRIES {
        ..MESHES => Entry::stored(format!("art/meshes/structural/mesh_{index:05}.dae.cached.pmd"), &mesh),
        at if at < MESHES + ANIMATIONS => {
            Entry::stored(format!("art/animation/biped/animation_{index:05}.dae.cached.psa"), &animation)
        }
        _ => Entry::stored(format!("art/textures/skins/structural/texture_{index:05}.png.cached.dds"), [0; 1000]),
    };
    let path = in_target(&format!("catalog-{entries}.zip"));
    if !path.exists() {
        write(&path, &Zip::of((0..entries).map(entry)).build().bytes)?;
    }
    Ok(path)
}

/// A folder of so many animations of 82 KB, and nothing else. Written once, kept for the next run.
pub(crate) fn loose(count: usize) -> io::Result<PathBuf> {
    let folder = in_target(&format!("catalog-{count}x82KB"));
    fs::create_dir_all(&folder)?;
    let animation = Psa::walk(BONES, 50).build().bytes;
    for index in 0..count {
        let path = folder.join(format!("animation_{index:05}.psa"));
        if !path.exists() {
            write(&path, &animation)?;
        }
    }
    Ok(folder)
}

/// An archive of one deflated animation of about so many bytes.
pub(crate) fn deflated(bytes: u32) -> Vec<u8> {
    let mut animation = Psa::walk(BONES, bytes / (BONES * 28));
    let mut random = 1_u32;
    let mut noise = || {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f32::from(u16::try_from(random >> 16).unwrap_or(0)) / 65_536.0
    };
    for State { t: [x, y, z], q: [a, b, ..] } in &mut animation.states {
        // To two thirds, as the game's: digits that do not repeat in most of the floats.
        for value in [x, y, z, a, b] {
            *value += noise() / 3.0;
        }
    }
    Zip::of([Entry::deflated("walk.psa", animation.build().bytes)]).build().bytes
}

fn in_target(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// Writes a file that appears when it is complete.
fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let unfinished = path.with_extension("part");
    fs::write(&unfinished, bytes)?;
    fs::rename(&unfinished, path)
}
