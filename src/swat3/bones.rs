//! The bones of the skeleton, and their layout as data and as text.
//!
//! The format of the skeleton is undocumented (SWAT 3 reference, section 4), so no layout is built in: it is
//! inferred from the names ([`infer`](super::infer)) or given.

use alloc::{format, string::String};
use core::fmt::{self, Display, Formatter};
use core::str::FromStr;

use zerocopy::little_endian::{I16, U16};

use super::event::is_printable;
use super::record::Quat;
use crate::bytes::{Cursor, Record, Text, Vec3, before_nul, counted};

/// More bones than any figure has (SWAT 3 reference, section 6: ids below 1024).
pub(super) const MAX_BONES: u16 = 1024;

/// The layout of a bone's record: some bytes, a name, some bytes; equal for all bones.
///
/// `Display` and `FromStr` use the text form: a `key = value` on each line.
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
    /// The encoding of the name.
    pub name: NameForm,
    /// Bytes of a bone after its name.
    pub post: u16,
    /// The bone's id, 16 bits.
    pub id: Option<Field>,
    /// The bone's parent, 16 bits; -1 for a root.
    pub parent: Option<Field>,
    /// The bone's translation, three floats.
    pub translation: Option<Field>,
    /// The bone's rotation, four floats, the scalar last.
    pub rotation: Option<Field>,
}

/// The encoding of a bone's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NameForm {
    /// A length in one byte, then the name. The length counts the NUL at the end.
    U8,
    /// A length in two bytes, then the name. The length counts the NUL at the end.
    U16,
    /// A field of this many bytes. The name ends at the first NUL.
    Fixed(u16),
}

/// The position of a field in a bone's record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Field {
    /// The offset in the bytes before the name.
    Pre(u16),
    /// The offset in the bytes after the name.
    Post(u16),
}

/// An error in the text of a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{message}", if *line == 0 { String::new() } else { format!("line {line}: ") })]
pub struct LayoutError {
    /// The line, counted from 1; 0 for the text as a whole.
    pub line: usize,
    /// The error as text.
    pub message: &'static str,
}

impl BoneLayout {
    /// A layout without prologue and without known fields.
    pub const fn new(pre: u16, name: NameForm, post: u16) -> Self {
        Self { prologue: 0, pre, name, post, id: None, parent: None, translation: None, rotation: None }
    }

    /// The bones in `bytes` from `start` on, at most [`MAX_BONES`].
    pub(super) fn bones<'a>(&self, bytes: &'a [u8], start: usize) -> Bones<'a> {
        // No bone if the prologue does not fit.
        let begin = start.saturating_add(self.prologue.into());
        let start = if begin > bytes.len() { start } else { begin };
        let cursor = Cursor::new(bytes.get(begin..).unwrap_or_default());
        Bones { layout: *self, cursor, start, left: MAX_BONES.into(), index: 0, checks_names: true }
    }

    /// Whether a field lies inside the record.
    fn holds(&self, field: Option<Field>, size: u16) -> bool {
        field.is_none_or(|field| {
            let (offset, length) = match field {
                Field::Pre(offset) => (offset, self.pre),
                Field::Post(offset) => (offset, self.post),
            };
            offset.checked_add(size).is_some_and(|end| end <= length)
        })
    }
}

impl Display for BoneLayout {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "prologue = {}\npre = {}\nname = {}\npost = {}", self.prologue, self.pre, self.name, self.post)?;
        let fields =
            [("id", self.id), ("parent", self.parent), ("position", self.translation), ("rotation", self.rotation)];
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

    /// Reads `key = value` lines. `#` begins a comment; the keys `pre`, `name` and `post` are required.
    fn from_str(text: &str) -> Result<Self, LayoutError> {
        let mut layout = Self::new(0, NameForm::U16, 0);
        let mut seen = [false; KEYS.len()];
        for (index, line) in text.trim_start_matches('\u{FEFF}').lines().enumerate() {
            let line_number = index.saturating_add(1);
            let fail = |message| LayoutError { line: line_number, message };
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            let (key, value) = line.split_once('=').ok_or(fail("expected `key = value`"))?;
            let (key, value) = (key.trim(), value.trim());
            let found = KEYS.iter().position(|known| *known == key).and_then(|at| seen.get_mut(at));
            match found {
                Some(true) => return Err(fail("the key is repeated")),
                Some(seen) => *seen = true,
                None => return Err(fail(UNKNOWN_KEY)),
            }
            let number = || value.parse().map_err(|_| fail("expected a number from 0 to 65535"));
            let field = || parse_field(value).ok_or(fail("expected `pre` or `post` and a number of bytes"));
            match key {
                "prologue" => layout.prologue = number()?,
                "pre" => layout.pre = number()?,
                "post" => layout.post = number()?,
                "name" => layout.name = parse_name(value).ok_or(fail("expected `u8`, `u16` or a number of bytes"))?,
                "id" => layout.id = Some(field()?),
                "parent" => layout.parent = Some(field()?),
                "position" => layout.translation = Some(field()?),
                _ => layout.rotation = Some(field()?),
            }
        }
        let whole = |message| LayoutError { line: 0, message };
        let [_, true, true, true, ..] = seen else {
            return Err(whole("the keys `pre`, `name` and `post` are required"));
        };
        let fields = [(layout.id, 2), (layout.parent, 2), (layout.translation, 12), (layout.rotation, 16)];
        let fits = fields.into_iter().all(|(field, size)| layout.holds(field, size));
        fits.then_some(layout).ok_or(whole("a field lies outside of the bytes before or after the name"))
    }
}

/// The keys of a layout's text. The second to the fourth are required.
const KEYS: [&str; 8] = ["prologue", "pre", "name", "post", "id", "parent", "position", "rotation"];

const UNKNOWN_KEY: &str = "expected one of the keys prologue, pre, name, post, id, parent, position, rotation";

fn parse_name(value: &str) -> Option<NameForm> {
    match value {
        "u8" => Some(NameForm::U8),
        "u16" => Some(NameForm::U16),
        size => size.parse().ok().filter(|size| *size > 0).map(NameForm::Fixed),
    }
}

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
    /// The index of the bone in the skeleton.
    pub const fn index(&self) -> usize {
        self.index
    }

    /// The name.
    pub const fn name(&self) -> Text<'a> {
        Text::new(self.name)
    }

    /// The bytes before the name and its length.
    pub const fn pre(&self) -> &'a [u8] {
        self.pre
    }

    /// The bytes after the name.
    pub const fn post(&self) -> &'a [u8] {
        self.post
    }

    /// The id; `None` if the layout does not have it.
    pub fn id(&self) -> Option<i16> {
        self.read::<I16>(self.layout.id).map(|id| id.get())
    }

    /// The parent as stored, -1 for a root; `None` if the layout does not have it.
    pub fn parent(&self) -> Option<i16> {
        self.read::<I16>(self.layout.parent).map(|parent| parent.get())
    }

    /// The translation; `None` if the layout does not have it.
    pub fn translation(&self) -> Option<[f32; 3]> {
        self.read::<Vec3>(self.layout.translation).map(Vec3::get)
    }

    /// The rotation: x, y, z, w; `None` if the layout does not have it.
    pub fn rotation(&self) -> Option<[f32; 4]> {
        self.read::<Quat>(self.layout.rotation).map(Quat::get)
    }

    fn read<T: Record>(&self, field: Option<Field>) -> Option<&'a T> {
        read_field(self.pre, self.post, field?)
    }
}

/// The value of a field.
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
    /// Whether every byte of the names is checked.
    checks_names: bool,
}

impl<'a> Bones<'a> {
    /// These bones without checks of the names, which an earlier pass has checked.
    pub(super) const fn of_checked_names(mut self) -> Self {
        self.checks_names = false;
        self
    }

    /// The layout of the bones.
    pub const fn layout(&self) -> &BoneLayout {
        &self.layout
    }

    /// At most this many bones.
    pub(super) const fn up_to(mut self, count: usize) -> Self {
        self.left = count;
        self
    }

    /// The byte at which the next bone begins.
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
        (!self.checks_names || name.iter().all(|byte| is_printable(*byte))).then_some(name)
    }
}

counted!(Bones<'a>.left => Bone<'a>, |bones: &mut Self| {
    let (layout, mut cursor) = (bones.layout, bones.cursor);
    let pre = cursor.take(1, layout.pre.into())?;
    let name = bones.name(&mut cursor)?;
    let post = cursor.take(1, layout.post.into())?;
    let bone = Bone { layout, index: bones.index, pre, name, post };
    bones.cursor = cursor;
    bones.index = bones.index.saturating_add(1);
    Some(bone)
});
