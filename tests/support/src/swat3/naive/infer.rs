//! The skeleton's record, from names that are evenly spaced.

use super::{Gsa, f32x4, u16_at, unit};

/// Which side of the name a field is on; offsets count from where that side starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    Pre,
    Post,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Inferred {
    pub prologue: usize,
    pub pre: usize,
    pub post: usize,
    pub bones: Vec<Bone>,
    pub id: Option<(Place, usize)>,
    pub parent: Option<(Place, usize)>,
    /// Where in the bytes after the name.
    pub rotation: Option<usize>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Bone {
    /// Where the record starts in the file.
    pub offset: usize,
    /// Without the NUL.
    pub name: Vec<u8>,
    /// Where the field is proven.
    pub id: Option<i16>,
    pub parent: Option<i16>,
    pub rotation: Option<[f32; 4]>,
}

/// A length and the text it belongs to, by place in the skeleton.
#[derive(Clone, Copy)]
struct Text {
    start: usize,
    end: usize,
}

/// The record and the bones, if the names are evenly spaced up to the skeleton's end.
pub fn infer(gsa: &Gsa) -> Option<Inferred> {
    let skeleton = &gsa.skeleton;
    let mut before = 0;
    let mut first = text_from(skeleton, 0)?;
    let (run, gap) = loop {
        let next = text_from(skeleton, first.end)?;
        let gap = next.start - first.end;
        let mut run = vec![first, next];
        while let Some(text) = text_at(skeleton, run[run.len() - 1].end + gap) {
            run.push(text);
        }
        let last = run[run.len() - 1];
        if skeleton.len() - last.end <= gap {
            break (run, gap);
        }
        before += run.len() - 1;
        first = last;
    };
    let post = skeleton.len() - run[run.len() - 1].end;
    let pre = gap - post;
    let prologue = run[0].start.checked_sub(pre)?;
    let count = run.len();
    let highest = gsa.ids.iter().max();
    let right_count = match highest {
        None => count == gsa.m,
        Some(id) => count > usize::from(*id),
    };
    if prologue >= gap + 4 || before > 1 || !(3..=1024).contains(&count) || !right_count {
        return None;
    }

    let pres: Vec<&[u8]> = run.iter().map(|text| &skeleton[text.start - pre..text.start]).collect();
    let posts: Vec<&[u8]> = run.iter().map(|text| &skeleton[text.end..text.end + post]).collect();
    let mut rotations = Vec::new();
    for o in 0..(post + 1).saturating_sub(16) {
        let somewhere = |component: usize| posts.iter().any(|post| f32x4(post, o)[component] != 0.0);
        if posts.iter().all(|post| unit(f32x4(post, o))) && somewhere(0) && somewhere(3) {
            rotations.push(o);
        }
    }
    let rotation = if rotations.len() == 1 { Some(rotations[0]) } else { None };

    let mut windows: Vec<(Place, usize)> = (0..pre.saturating_sub(1)).map(|o| (Place::Pre, o)).collect();
    for o in 0..post.saturating_sub(1) {
        if rotation.is_none_or(|rotation| o + 2 <= rotation || o >= rotation + 16) {
            windows.push((Place::Post, o));
        }
    }
    let value = |(place, o): (Place, usize), bone: usize| match place {
        Place::Pre => i16::from_le_bytes(u16_at(pres[bone], o).to_le_bytes()),
        Place::Post => i16::from_le_bytes(u16_at(posts[bone], o).to_le_bytes()),
    };
    let is_id = |window| (0..count).all(|bone| usize::try_from(value(window, bone)) == Ok(bone));
    let is_parent = |window| {
        let smaller = |bone: usize| match value(window, bone) {
            -1 => true,
            parent => usize::try_from(parent).is_ok_and(|parent| parent < bone),
        };
        value(window, 0) == -1 && (0..count).all(smaller) && (0..count).any(|bone| value(window, bone) >= 0)
    };
    let id = only(&windows.iter().copied().filter(|window| is_id(*window)).collect::<Vec<_>>());
    let parent = only(&windows.iter().copied().filter(|window| is_parent(*window)).collect::<Vec<_>>());
    let bone = |index: usize| Bone {
        offset: gsa.start + run[index].start - pre,
        name: skeleton[run[index].start + 2..run[index].end - 1].to_vec(),
        id: id.map(|window| value(window, index)),
        parent: parent.map(|window| value(window, index)),
        rotation: rotation.map(|o| f32x4(posts[index], o)),
    };
    Some(Inferred { prologue, pre, post, bones: (0..count).map(bone).collect(), id, parent, rotation })
}

fn only(windows: &[(Place, usize)]) -> Option<(Place, usize)> {
    if windows.len() == 1 { Some(windows[0]) } else { None }
}

fn text_at(skeleton: &[u8], start: usize) -> Option<Text> {
    let length = usize::from(u16_at(skeleton.get(start..start + 2)?, 0));
    let end = start + 2 + length;
    let text = skeleton.get(start + 2..end)?;
    let good = (2..=64).contains(&length)
        && text[0].is_ascii_alphabetic()
        && text[..length - 1].iter().all(|byte| (0x20..=0x7E).contains(byte))
        && text[length - 1] == 0;
    good.then_some(Text { start, end })
}

fn text_from(skeleton: &[u8], start: usize) -> Option<Text> {
    (start..skeleton.len()).find_map(|at| text_at(skeleton, at))
}
