//! How bytes are read: checked, and in place or on demand.

mod cursor;
mod mapped;
mod marks;
mod name;
#[cfg(feature = "bytemuck")]
pub(crate) mod native;
mod read_at;
mod record;
mod text;
mod track;
#[cfg(feature = "std")]
mod window;

pub(crate) use cursor::{Cursor, Record, Span, groups, records, slices};
pub use cursor::{to_u32, to_u64, to_usize};
pub(crate) use mapped::{counted, mapped};
pub(crate) use marks::Marks;
pub use name::Name;
#[cfg(feature = "bytemuck")]
pub use native::AsNative;
pub use read_at::ReadAt;
pub(crate) use read_at::Reader;
#[cfg(feature = "archive")]
pub(crate) use read_at::SubSource;
pub use record::{Float, Vec2, Vec3, Vec4};
pub(crate) use record::{record, value};
pub use text::Text;
pub(crate) use text::{before_nul, trim_spaces};
pub(crate) use track::Texts;
pub use track::{Column, Track};
#[cfg(feature = "std")]
pub(crate) use window::Sizes;
#[cfg(feature = "std")]
pub use window::Windowed;
