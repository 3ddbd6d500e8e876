//! The traits of a format, implemented by the layout of each view.

use core::fmt::Debug;

use super::head::Head;
use crate::bytes::ReadAt;
use crate::report::{Error, ReadError};

/// The layout of a file, without a lifetime: found once, then combined with the bytes to a view at no cost.
///
/// Sealed: each format of this library has one layout.
pub trait Layout: Description {
    /// Finds the layout in the bytes of a whole file.
    ///
    /// # Errors
    /// [`OtherFormat`](crate::ErrorKind::OtherFormat) for bytes of another format, and the errors of the format's parser.
    fn parse(bytes: &[u8], options: &Self::Options) -> Result<Self, Error>;
}

/// The facts about a format.
#[derive(Clone, Copy, Debug)]
pub struct Info {
    /// The stable name, such as `actorx.psk`.
    pub(crate) code: &'static str,
    /// The name of the format in messages, with an article.
    pub(crate) title: &'static str,
    /// Extensions of file names, in lower case without the dot.
    pub(crate) extensions: &'static [&'static str],
    /// The name of the kind of skeletons: animations of a family may fit meshes of another one of the same kind.
    pub(crate) skeletons: &'static str,
}

/// The description of one format: its first bytes, its layout and its headers.
pub trait Description: Clone + Debug + Send + Sync + Sized {
    /// The view over borrowed bytes.
    type View<'a>;

    /// The options of the parser.
    type Options: Clone + Copy + Debug + Default + Send + Sync;

    const INFO: Info;

    /// Whether a file with these first bytes has this format: [`SNIFF_LEN`](crate::Format::SNIFF_LEN) bytes, or all of
    /// a shorter file.
    fn is_format(first: &[u8]) -> bool;

    /// Finds the layout in a source that has this format.
    fn find<R: ReadAt + ?Sized>(source: &R, options: &Self::Options) -> Result<Self, ReadError<R::Error>>;

    /// Prepares a layout for storing.
    #[must_use]
    fn keep(self, _: &[u8]) -> Self {
        self
    }

    /// The view over the bytes of the layout.
    fn view<'a>(&'a self, bytes: &'a [u8]) -> Self::View<'a> {
        self.clone().into_view(bytes)
    }

    /// The view without what [`keep`](Description::keep) adds.
    fn into_view(self, bytes: &[u8]) -> Self::View<'_>;

    /// The content of the headers of a source, with the names of bones and sequences if requested.
    fn head<R: ReadAt + ?Sized>(
        source: &R,
        options: &Self::Options,
        with_names: bool,
    ) -> Result<Head, ReadError<R::Error>>;
}
