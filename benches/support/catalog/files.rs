//! The files that are measured: a large archive of many models, one of a deflated animation, and a folder of loose animations.

use std::env;
use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::PathBuf;

use crate::target;
use test_support::build_zip::{Entry, Zip};
use test_support::pyrogenesis::build::{Pmd, Psa, State};

/// Names an archive of the game to measure instead of one made for the purpose.
const REAL_ARCHIVE: &str = "SKELMAP_ARCHIVE";

/// Bones of the largest animations in the game's current release.
const BONES: u32 = 58;

/// Of so many entries of the game's archive, so many are meshes, and so many animations.
const ENTRIES: u32 = 90;
const MESHES: u32 = 10;
const ANIMATIONS: u32 = 3;

/// Of so many meshes, one moves.
const STATIC: u32 = 15;

/// Bytes of everything else, as in the game's on average: what is far apart in the file lies on pages of its own.
const OTHER: u32 = 90_000;

/// The archive that the environment names, if it does.
pub fn real_archive() -> Option<PathBuf> {
    env::var_os(REAL_ARCHIVE).map(PathBuf::from)
}

/// An archive of so many stored entries, about a seventh of them models, as in the game's. Written once, kept for the next run;
/// what is no model is a hole in the file.
pub fn archive(entries: u32) -> io::Result<PathBuf> {
    let path = target::file(&format!("catalog-{entries}.zip"));
    if !path.exists() {
        let unfinished = path.with_extension("part");
        write_archive(BufWriter::with_capacity(1 << 20, File::create(&unfinished)?), entries)?;
        fs::rename(&unfinished, &path)?;
    }
    Ok(path)
}

fn write_archive(mut out: impl Write + Seek, entries: u32) -> io::Result<()> {
    let [mesh, moving] = [0, BONES].map(|bones| Pmd::grid(20, 20, bones, 1).build().bytes);
    let animation = Psa::walk(33, 33).build().bytes;
    let (mut directory, mut at) = (Vec::new(), 0_u32);
    for index in 0..entries {
        let (name, data) = match index % ENTRIES {
            place @ ..MESHES => {
                let is_moving = (index / ENTRIES + place) % STATIC == 0;
                let mesh = if is_moving { &moving } else { &mesh };
                (format!("art/meshes/structural/mesh_{index:05}.dae.cached.pmd"), Some(mesh))
            }
            place if place < MESHES + ANIMATIONS => {
                (format!("art/animation/biped/animation_{index:05}.dae.cached.psa"), Some(&animation))
            }
            _ => (format!("art/textures/skins/structural/texture_{index:05}.png.cached.dds"), None),
        };
        let length = data.map_or(OTHER, |data| to_u32(data.len()));
        // Version 2.0, no flags, stored; neither time nor checksum, which nobody reads here; both sizes, and that of the name.
        let common =
            [&[20][..], &[0; 13], &length.to_le_bytes(), &length.to_le_bytes(), &to_u32(name.len()).to_le_bytes()];
        let (common, place) = (common.concat(), at.to_le_bytes());
        directory.extend([b"PK\x01\x02\x14\0", &common[..], &[0; 10], &place, name.as_bytes()].concat());
        out.write_all(&[b"PK\x03\x04", &common[..], name.as_bytes()].concat())?;
        match data {
            Some(data) => out.write_all(data)?,
            None => drop(out.seek(SeekFrom::Current(length.into()))?),
        }
        at += 30 + to_u32(name.len()) + length;
    }
    let count = u16::try_from(entries).expect("a plain directory has fewer than 2^16 entries").to_le_bytes();
    let (length, place) = (to_u32(directory.len()).to_le_bytes(), at.to_le_bytes());
    directory.extend([b"PK\x05\x06\0\0\0\0", &count[..], &count, &length, &place, &[0; 2]].concat());
    out.write_all(&directory)?;
    out.flush()
}

/// A folder of so many animations of 82 KB, and nothing else. Written once, kept for the next run.
pub fn loose(count: u32) -> io::Result<PathBuf> {
    let folder = target::file(&format!("catalog-{count}x82KB"));
    fs::create_dir_all(&folder)?;
    let animation = Psa::walk(BONES, 50).build().bytes;
    for index in 0..count {
        let path = folder.join(format!("animation_{index:05}.psa"));
        if !path.exists() {
            target::write(&path, &animation)?;
        }
    }
    Ok(folder)
}

/// An archive of one deflated animation of about so many bytes.
pub fn deflated(bytes: u32) -> Vec<u8> {
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

fn to_u32(number: usize) -> u32 {
    u32::try_from(number).expect("an archive has less than 4 GiB")
}
