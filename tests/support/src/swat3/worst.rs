//! The worst files of the family: what a walk, a look-up or a check could take the square of.

// Each user needs a different part.
#![allow(dead_code, unreachable_pub)]
#![allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_precision_loss)]

use super::build;
use crate::worst::{Worst, floats, worst};

/// Animations of SWAT 3, sound ones last.
pub const WORST: [Worst; 9] = [
    worst("gsa/all-ff", |count| gsa(2, &[0xFF], 100 * count)),
    worst("gsa/starts", |count| gsa(1, &[0xFF, 0xFF, 0, 0, 1, 0], 100 * count)),
    worst("gsa/starts-with-events", |count| gsa(2, &[0xFF, 0xFF, 0, 0, 2, 0], 100 * count)),
    worst("gsa/lists-of-ids", |count| {
        let ids: Vec<u8> = (0..1024_u16).flat_map(u16::to_le_bytes).collect();
        gsa(2, &[&[0xFF, 0xFF, 0, 4], ids.as_slice(), &[1, 0]].concat(), 100 * count)
    }),
    worst("gsa/rotations", |count| {
        let quarter = [0, 0, 0, 0x3F].repeat(4);
        let frame = [&[0; 12], quarter.as_slice(), &[0; 12], &quarter.repeat(6), &[0, 0]].concat();
        gsa(2, &[&[0xFF, 0xFF, 0, 0, 40, 0], frame.as_slice()].concat(), 100 * count)
    }),
    worst("gsa/names", |count| {
        // Runs of names that end before the skeleton does.
        let bone = [&[5, 0], b"Bone\0".as_slice(), &[0; 7]].concat();
        let runs = [bone.repeat(3), vec![0; 5]].concat();
        sound_gsa(&[runs.repeat(100 * count / 47), vec![1; 9000]].concat(), &[3], 2, 0)
    }),
    worst("gsa/wide-bones", |count| {
        // Every place of every bone could be an id, a parent and a rotation, and has to be looked at in all bones.
        let wide = (count / 2).min(60_000);
        let bones = (0..200_u16)
            .flat_map(|_| [&[5, 0], b"Bone\0".as_slice(), &0.5_f32.to_le_bytes().repeat(wide / 4)].concat());
        sound_gsa(&bones.collect::<Vec<u8>>(), &[3], 2, 0)
    }),
    worst("gsa/events", |count| sound_gsa(&[1; 100], &[3], 2, 25 * count)),
    worst("gsa/frames", |count| sound_gsa(&[1; 100], &[3], (count * 5 / 3).clamp(1, 65_535), 0)),
];

fn gsa_header(minor: u8) -> Vec<u8> {
    [build::MAGIC.as_slice(), &[minor, 4, 0, 0, 10, 0, 0, 0]].concat()
}

/// A header and so many bytes of a pattern.
fn gsa(minor: u8, pattern: &[u8], bytes: usize) -> Vec<u8> {
    let mut file = gsa_header(minor);
    file.extend(pattern.iter().cycle().take(bytes));
    file
}

/// A sound file of version 4.2 with this skeleton, animated ids, frames at rest, and events shared out among them.
fn sound_gsa(skeleton: &[u8], ids: &[u16], frames: usize, events: usize) -> Vec<u8> {
    let frames = frames.max(events.div_ceil(60_000));
    let mut file = [gsa_header(2).as_slice(), skeleton, &build::MARKER, &(ids.len() as u16).to_le_bytes()].concat();
    file.extend(ids.iter().flat_map(|id| id.to_le_bytes()));
    file.extend((frames as u16).to_le_bytes());
    let mut left = events;
    for _ in 0..frames {
        file.extend(floats(&[0.0; 3]));
        file.extend(floats(&build::IDENTITY));
        file.extend(floats(&[0.0; 3]));
        file.extend(floats(&build::IDENTITY).repeat(ids.len()));
        let here = left.min(60_000);
        left -= here;
        file.extend((here as u16).to_le_bytes());
        (0..here).for_each(|_| file.extend([2, 0, b'a', 0]));
    }
    file
}
