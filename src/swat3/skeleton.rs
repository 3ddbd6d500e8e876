//! The skeleton by a layout of its bones: the layout as data, as text, and the bones it gives.
//!
//! The format of the skeleton is undocumented (SWAT 3 reference, section 4), so no layout is built in: one is inferred from the
//! names ([`infer`](super::infer)) or given.

use core::fmt::{self, Display, Formatter};
use core::iter::FusedIterator;
use core::str::FromStr;

use zerocopy::little_endian::{I16, U16};

use super::event::is_printable;
use super::record::Quat;
use crate::cursor::{Cursor, Record, to_u64};
use crate::record::Vec3;
use crate::text::{Text, before_nul};

/// More bones than any figure has (SWAT 3 reference, section 6: ids below 1024).
pub(super) const MOST_BONES: u16 = 1024;

/// How the record of a bone is laid out: some bytes, a name, some bytes, the same for every bone.
///
/// `Display` and `FromStr` are its text form, a `key = value` on each line, which a program can read from a small file.
///
/// ```
/// use skelmap::swat3::{BoneLayout, Field};
///
/// let layout: BoneLayout = "pre = 4\nname = u16\npost = 28\nid = pre 0\nparent = pre 2\nrotation = post 12".parse()?;
/// assert_eq!(layout.rotation, Some(Field::Post(12)));
/// assert_eq!(layout.to_string().parse::<BoneLayout>()?, layout);
/// # Ok::<(), skelmap::swat3::LayoutError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct BoneLayout {
    /// Bytes from the start of the skeleton to the first bone.
    pub prologue: u16,
    /// Bytes of a bone before its name.
    pub pre: u16,
    /// How the name is stored.
    pub name: NameForm,
    /// Bytes of a bone after its name.
    pub post: u16,
    /// The bone's id, a short.
    pub id: Option<Field>,
    /// The bone's parent, a short; -1 for a root.
    pub parent: Option<Field>,
    /// The bone's position, three floats.
    pub position: Option<Field>,
    /// The bone's rotation, four floats, the scalar last.
    pub rotation: Option<Field>,
}

/// How the name of a bone is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NameForm {
    /// A length in one byte, which counts the NUL, then the name with its NUL.
    U8,
    /// A length in two bytes, which counts the NUL, then the name with its NUL.
    U16,
    /// So many bytes, of which the name ends at the first NUL.
    Fixed(u16),
}

/// Where a field of a bone lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Field {
    /// So many bytes into those before the name.
    Pre(u16),
    /// So many bytes into those after the name.
    Post(u16),
}

/// Why a text is no layout of bones, and in which line, counted from 1 (0 for the text as a whole).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{message}", InLine(*line))]
pub struct LayoutError {
    /// The line.
    pub line: usize,
    /// What is wrong with it.
    pub message: &'static str,
}

/// The line that an error is about, if it is about one.
struct InLine(usize);

impl Display for InLine {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.0 == 0 { Ok(()) } else { write!(f, "line {}: ", self.0) }
    }
}

impl BoneLayout {
    /// A layout without prologue and without known fields.
    pub const fn new(pre: u16, name: NameForm, post: u16) -> Self {
        Self { prologue: 0, pre, name, post, id: None, parent: None, position: None, rotation: None }
    }

    /// The bones in `bytes` from byte `start` on, [`MOST_BONES`] at most.
    pub(super) fn bones<'a>(&self, bytes: &'a [u8], start: usize) -> Bones<'a> {
        let begin = Cursor::new(bytes.get(start..).unwrap_or_default());
        // Where not even the prologue fits, there is no bone.
        let cursor = begin.ahead(1, self.prologue.into()).unwrap_or(Cursor::new(&[]));
        Bones { layout: *self, cursor, start, left: MOST_BONES.into(), index: 0, proves_names: true }
    }

    /// Whether a field lies inside the record.
    fn holds(&self, field: Option<Field>, size: u16) -> bool {
        field.is_none_or(|field| {
            let (offset, room) = match field {
                Field::Pre(offset) => (offset, self.pre),
                Field::Post(offset) => (offset, self.post),
            };
            offset.checked_add(size).is_some_and(|end| end <= room)
        })
    }
}

impl Display for BoneLayout {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "prologue = {}\npre = {}\nname = {}\npost = {}", self.prologue, self.pre, self.name, self.post)?;
        let fields =
            [("id", self.id), ("parent", self.parent), ("position", self.position), ("rotation", self.rotation)];
        fields.iter().try_for_each(|(name, field)| match field {
            Some(field) => writeln!(f, "{name} = {field}"),
            None => Ok(()),
        })
    }
}

impl Display for NameForm {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::U8 => f.write_str("u8"),
            Self::U16 => f.write_str("u16"),
            Self::Fixed(size) => write!(f, "{size}"),
        }
    }
}

impl Display for Field {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pre(offset) => write!(f, "pre {offset}"),
            Self::Post(offset) => write!(f, "post {offset}"),
        }
    }
}

impl FromStr for BoneLayout {
    type Err = LayoutError;

    /// Reads `key = value` lines. `#` begins a comment; `pre`, `name` and `post` must be there.
    fn from_str(text: &str) -> Result<Self, LayoutError> {
        let mut layout = Self::new(0, NameForm::U16, 0);
        let mut seen = [false; KEYS.len()];
        for (index, line) in text.trim_start_matches('\u{FEFF}').lines().enumerate() {
            let line_number = index.saturating_add(1);
            let fail = |message| LayoutError { line: line_number, message };
            let said = line.split('#').next().unwrap_or_default().trim();
            if said.is_empty() {
                continue;
            }
            let (key, value) = said.split_once('=').ok_or(fail("expected `key = value`"))?;
            let (key, value) = (key.trim(), value.trim());
            let found = KEYS.iter().position(|known| *known == key).and_then(|at| seen.get_mut(at));
            match found {
                Some(true) => return Err(fail("the key came before")),
                Some(seen) => *seen = true,
                None => {
                    return Err(fail(
                        "expected one of the keys prologue, pre, name, post, id, parent, position, rotation",
                    ));
                }
            }
            let number = || value.parse().map_err(|_| fail("expected a number from 0 to 65535"));
            let field = || parse_field(value).ok_or(fail("expected `pre` or `post` and a number of bytes"));
            match key {
                "prologue" => layout.prologue = number()?,
                "pre" => layout.pre = number()?,
                "post" => layout.post = number()?,
                "name" => {
                    layout.name = match value {
                        "u8" => NameForm::U8,
                        "u16" => NameForm::U16,
                        size => NameForm::Fixed(
                            size.parse()
                                .ok()
                                .filter(|size| *size > 0)
                                .ok_or(fail("expected `u8`, `u16` or a number of bytes"))?,
                        ),
                    };
                }
                "id" => layout.id = Some(field()?),
                "parent" => layout.parent = Some(field()?),
                "position" => layout.position = Some(field()?),
                _ => layout.rotation = Some(field()?),
            }
        }
        let whole = |message| LayoutError { line: 0, message };
        let [_, true, true, true, ..] = seen else {
            return Err(whole("the keys `pre`, `name` and `post` must be there"));
        };
        let fits = layout.holds(layout.id, 2)
            && layout.holds(layout.parent, 2)
            && layout.holds(layout.position, 12)
            && layout.holds(layout.rotation, 16);
        if fits { Ok(layout) } else { Err(whole("a field lies outside of the bytes before or after the name")) }
    }
}

/// The keys of a layout's text; the second to the fourth must be there.
const KEYS: [&str; 8] = ["prologue", "pre", "name", "post", "id", "parent", "position", "rotation"];

fn parse_field(value: &str) -> Option<Field> {
    let (side, offset) = value.split_once(char::is_whitespace)?;
    let offset = offset.trim().parse().ok()?;
    match side {
        "pre" => Some(Field::Pre(offset)),
        "post" => Some(Field::Post(offset)),
        _ => None,
    }
}

/// A bone of the skeleton, read in place.
#[derive(Clone, Copy, Debug)]
pub struct Bone<'a> {
    layout: BoneLayout,
    index: usize,
    pre: &'a [u8],
    name: &'a [u8],
    post: &'a [u8],
}

impl<'a> Bone<'a> {
    /// The bone's place in the skeleton, counted from 0.
    pub const fn index(&self) -> usize {
        self.index
    }

    /// The name.
    pub const fn name(&self) -> Text<'a> {
        Text::new(self.name)
    }

    /// The bytes before the name (before its length, where that is stored).
    pub const fn pre(&self) -> &'a [u8] {
        self.pre
    }

    /// The bytes after the name.
    pub const fn post(&self) -> &'a [u8] {
        self.post
    }

    /// The id; `None` where the layout does not say where it is.
    pub fn id(&self) -> Option<i16> {
        self.read::<I16>(self.layout.id).map(|id| id.get())
    }

    /// The parent as stored, -1 for a root; `None` where the layout does not say where it is.
    pub fn parent(&self) -> Option<i16> {
        self.read::<I16>(self.layout.parent).map(|parent| parent.get())
    }

    /// The position; `None` where the layout does not say where it is.
    pub fn position(&self) -> Option<[f32; 3]> {
        self.read::<Vec3>(self.layout.position).map(Vec3::get)
    }

    /// The rotation as x, y, z, scalar; `None` where the layout does not say where it is.
    pub fn rotation(&self) -> Option<[f32; 4]> {
        self.read::<Quat>(self.layout.rotation).map(Quat::get)
    }

    fn read<T: Record>(&self, field: Option<Field>) -> Option<&'a T> {
        read_field(self.pre, self.post, field?)
    }
}

/// A value at a place of a record.
pub(super) fn read_field<'a, T: Record>(pre: &'a [u8], post: &'a [u8], field: Field) -> Option<&'a T> {
    let (bytes, offset) = match field {
        Field::Pre(offset) => (pre, offset),
        Field::Post(offset) => (post, offset),
    };
    T::ref_from_prefix(bytes.get(usize::from(offset)..)?).ok().map(|(value, _)| value)
}

/// The bones of a skeleton, in file order. Borrows the file.
#[derive(Clone, Debug)]
pub struct Bones<'a> {
    layout: BoneLayout,
    cursor: Cursor<'a>,
    start: usize,
    left: usize,
    index: usize,
    /// Whether each byte of the names is looked at.
    proves_names: bool,
}

impl<'a> Bones<'a> {
    /// The same, over names that were proven before.
    pub(super) const fn of_proven_names(mut self) -> Self {
        self.proves_names = false;
        self
    }

    /// At most so many bones.
    pub(super) const fn up_to(mut self, count: usize) -> Self {
        self.left = count;
        self
    }

    /// The byte at which the next bone begins, if there is one.
    pub(super) fn position(&self) -> usize {
        self.start.saturating_add(self.cursor.position())
    }

    fn name(&self, cursor: &mut Cursor<'a>) -> Option<&'a [u8]> {
        let layout = self.layout;
        let length = match layout.name {
            NameForm::U8 => u16::from(*cursor.read::<u8>()?),
            NameForm::U16 => cursor.read::<U16>()?.get(),
            NameForm::Fixed(size) => size,
        };
        let stored = cursor.take(1, length.into())?;
        let name = match (layout.name, stored) {
            (NameForm::Fixed(_), field) => before_nul(field),
            (_, [name @ .., 0]) => name,
            _ => return None,
        };
        (!self.proves_names || name.iter().all(|byte| is_printable(*byte))).then_some(name)
    }
}

impl<'a> Iterator for Bones<'a> {
    type Item = Bone<'a>;

    fn next(&mut self) -> Option<Bone<'a>> {
        self.left = self.left.checked_sub(1)?;
        let (layout, mut cursor) = (self.layout, self.cursor);
        let pre = cursor.take(1, layout.pre.into())?;
        let name = self.name(&mut cursor)?;
        let post = cursor.take(1, layout.post.into())?;
        let bone = Bone { layout, index: self.index, pre, name, post };
        self.cursor = cursor;
        self.index = self.index.saturating_add(1);
        Some(bone)
    }
}

impl FusedIterator for Bones<'_> {}

/// The skeleton of a file, by a layout that was inferred or given.
///
/// The game takes nothing from it but, it seems, the number of bones (SWAT 3 reference, section 4.1).
#[derive(Clone, Copy, Debug)]
pub struct Skeleton<'a> {
    bytes: &'a [u8],
    start: usize,
    layout: BoneLayout,
    count: usize,
}

impl<'a> Skeleton<'a> {
    pub(super) const fn new(bytes: &'a [u8], start: usize, layout: BoneLayout, count: usize) -> Self {
        Self { bytes, start, layout, count }
    }

    /// How the bones are laid out.
    pub const fn layout(&self) -> &BoneLayout {
        &self.layout
    }

    /// Number of bones.
    pub const fn len(&self) -> usize {
        self.count
    }

    /// Whether there is no bone.
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The byte of the file at which the skeleton begins.
    pub fn offset(&self) -> u64 {
        to_u64(self.start)
    }

    /// The bones, in file order. Names differ in length, so there is no bone by number without walking up to it.
    pub fn bones(&self) -> Bones<'a> {
        self.layout.bones(self.bytes, self.start).up_to(self.count)
    }
}
