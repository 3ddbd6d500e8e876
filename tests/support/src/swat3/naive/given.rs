//! The skeleton by a record that the caller knows.

use super::{Bad, Bone, File, Layout, MAX_BONES, NameForm, Survivor, bad, printable, u16_at};

impl File<'_> {
    pub(super) fn given(&self, layout: Layout) -> Result<Survivor, Bad> {
        let mut bones: Vec<Bone> = Vec::new();
        let mut pos = self.start + layout.prologue;
        if pos > self.bytes.len() {
            return Err(bad("bone-layout", "skeleton", self.start));
        }
        let mut boundaries = Vec::new();
        loop {
            if !bones.is_empty() && self.slice(pos, 2) == Some(&[0xFF, 0xFF]) {
                boundaries.push((pos, bones.clone()));
            }
            if bones.len() == MAX_BONES {
                break;
            }
            let Some((bone, next)) = self.bone(layout, pos) else { break };
            bones.push(bone);
            pos = next;
        }
        let survivors = |words: usize| -> Vec<Survivor> {
            let mut survivors = Vec::new();
            for (at, bones) in &boundaries {
                let Some(candidate) = self.candidate(*at) else { continue };
                if candidate.ids.iter().any(|id| usize::from(*id) >= bones.len()) {
                    continue;
                }
                let m = if candidate.ids.is_empty() { bones.len() } else { candidate.ids.len() };
                let survivor = self.closing(&candidate, m, words);
                survivors.extend(survivor.map(|survivor| Survivor { bones: Some(bones.clone()), ..survivor }));
            }
            survivors
        };
        let mut found = survivors(self.standard_words());
        if found.is_empty() {
            found = self.other_words().into_iter().flat_map(survivors).collect();
        }
        if boundaries.is_empty() {
            return Err(bad("bone-layout", "skeleton", pos));
        }
        self.only(found, "marker-not-found", self.start)
    }

    /// A bone and where the next one starts.
    fn bone(&self, layout: Layout, pos: usize) -> Option<(Bone, usize)> {
        let pre = self.slice(pos, layout.pre)?;
        let mut at = pos + layout.pre;
        let name = match layout.name {
            NameForm::Fixed(size) => {
                let field = self.slice(at, size)?;
                at += size;
                field.split(|byte| *byte == 0).next().unwrap_or_default()
            }
            NameForm::U8 | NameForm::U16 => {
                let width = if layout.name == NameForm::U8 { 1 } else { 2 };
                let stored = self.slice(at, width)?;
                let length = if width == 1 { usize::from(stored[0]) } else { usize::from(u16_at(stored, 0)) };
                let text = self.slice(at + width, length)?;
                at += width + length;
                let (last, name) = text.split_last()?;
                if *last != 0 {
                    return None;
                }
                name
            }
        };
        if !name.iter().all(|byte| printable(*byte)) {
            return None;
        }
        let post = self.slice(at, layout.post)?;
        let bone = Bone { pre: pre.to_vec(), name: name.to_vec(), post: post.to_vec() };
        Some((bone, at + layout.post))
    }
}
