//! Owned forms of the views: the bytes and where the parts lie in them, without a lifetime.

use core::fmt::{self, Debug, Formatter};

use crate::actorx::{Psa, PsaLayout, Psk, PskLayout};
use crate::error::Error;
use crate::mapping::Mapping;
use crate::pyrogenesis::{self, Pmd, PmdLayout, Strictness};
use crate::swat3::{self, Gsa, GsaLayout};

/// Where the parts of a format lie: proven once, then joined with the bytes they were proven on to a view at no cost.
///
/// Sealed: only this crate makes layouts, and only [`Owned`] joins them with bytes.
pub trait Layout: sealed::Proven {
    /// The view over borrowed bytes.
    type View<'a>;
}

mod sealed {
    use super::{Error, Layout};

    pub trait Proven: Clone + core::fmt::Debug {
        fn parse(bytes: &[u8]) -> Result<Self, Error>;

        fn view<'a>(&'a self, bytes: &'a [u8]) -> Self::View<'a>
        where
            Self: Layout;
    }
}

impl Layout for PskLayout {
    type View<'a> = Psk<'a>;
}

impl sealed::Proven for PskLayout {
    fn parse(bytes: &[u8]) -> Result<Self, Error> {
        Self::parse(bytes)
    }

    fn view<'a>(&'a self, bytes: &'a [u8]) -> Psk<'a> {
        self.view(bytes)
    }
}

impl Layout for PsaLayout {
    type View<'a> = Psa<'a>;
}

impl sealed::Proven for PsaLayout {
    fn parse(bytes: &[u8]) -> Result<Self, Error> {
        Self::parse(bytes)
    }

    fn view<'a>(&'a self, bytes: &'a [u8]) -> Psa<'a> {
        self.view(bytes)
    }
}

impl Layout for PmdLayout {
    type View<'a> = Pmd<'a>;
}

impl sealed::Proven for PmdLayout {
    fn parse(bytes: &[u8]) -> Result<Self, Error> {
        Self::parse(bytes, Strictness::Strict)
    }

    fn view<'a>(&'a self, bytes: &'a [u8]) -> Pmd<'a> {
        self.view(bytes)
    }
}

impl Layout for pyrogenesis::PsaLayout {
    type View<'a> = pyrogenesis::Psa<'a>;
}

impl sealed::Proven for pyrogenesis::PsaLayout {
    fn parse(bytes: &[u8]) -> Result<Self, Error> {
        Self::parse(bytes, Strictness::Strict)
    }

    fn view<'a>(&'a self, bytes: &'a [u8]) -> pyrogenesis::Psa<'a> {
        self.view(bytes)
    }
}

impl Layout for GsaLayout {
    type View<'a> = Gsa<'a>;
}

impl sealed::Proven for GsaLayout {
    fn parse(bytes: &[u8]) -> Result<Self, Error> {
        Self::parse(bytes, &swat3::Options::default())
    }

    fn view<'a>(&'a self, bytes: &'a [u8]) -> Gsa<'a> {
        self.view(bytes)
    }
}

/// Bytes and what was proven about them: a view that can be stored, sent to another thread and put into an `Arc`.
///
/// `B` is whatever holds bytes: a [`Mapping`], a `Vec<u8>`, an `Arc<[u8]>`. Its `as_ref` must give the same bytes every time;
/// where it does not, views come out empty or over other records, but nothing is ever read out of bounds.
///
/// ```
/// use std::sync::Arc;
/// use skelmap::{PsaBuf, mapping::Mapping};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let animation = Arc::new(PsaBuf::parse(Mapping::read("corpus/actorx/anim/classic.psa")?)?);
/// let there = Arc::clone(&animation);
/// let keys = std::thread::spawn(move || there.view().keys().len()).join().expect("the thread runs");
/// assert_eq!(keys, animation.view().keys().len());
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Owned<B, L> {
    bytes: B,
    layout: L,
}

/// An owned mesh; [`view`](Owned::view) gives the [`Psk`].
pub type PskBuf<B = Mapping<'static>> = Owned<B, PskLayout>;
/// An owned animation; [`view`](Owned::view) gives the [`Psa`].
pub type PsaBuf<B = Mapping<'static>> = Owned<B, PsaLayout>;

/// An owned Pyrogenesis mesh; [`view`](Owned::view) gives the [`Pmd`].
pub type PmdBuf<B = Mapping<'static>> = Owned<B, PmdLayout>;
/// An owned Pyrogenesis animation; [`view`](Owned::view) gives the [`pyrogenesis::Psa`].
pub type PyrogenesisPsaBuf<B = Mapping<'static>> = Owned<B, pyrogenesis::PsaLayout>;

/// An owned SWAT 3 animation; [`view`](Owned::view) gives the [`Gsa`], which has an index where its frames differ in length.
pub type GsaBuf<B = Mapping<'static>> = Owned<B, GsaLayout>;

impl<B: AsRef<[u8]>> PmdBuf<B> {
    /// [`parse`](Owned::parse) with a choice of what to accept.
    ///
    /// # Errors
    /// Those of [`Pmd::parse_as`].
    pub fn parse_as(bytes: B, strictness: Strictness) -> Result<Self, Error> {
        let layout = PmdLayout::parse(bytes.as_ref(), strictness)?;
        Ok(Self { bytes, layout })
    }
}

impl<B: AsRef<[u8]>> PyrogenesisPsaBuf<B> {
    /// [`parse`](Owned::parse) with a choice of what to accept.
    ///
    /// # Errors
    /// Those of [`pyrogenesis::Psa::parse_as`].
    pub fn parse_as(bytes: B, strictness: Strictness) -> Result<Self, Error> {
        let layout = pyrogenesis::PsaLayout::parse(bytes.as_ref(), strictness)?;
        Ok(Self { bytes, layout })
    }
}

impl<B: AsRef<[u8]>> GsaBuf<B> {
    /// [`parse`](Owned::parse) with a choice of what to accept.
    ///
    /// # Errors
    /// Those of [`Gsa::parse_with`].
    pub fn parse_with(bytes: B, options: &swat3::Options) -> Result<Self, Error> {
        let layout = GsaLayout::parse(bytes.as_ref(), options)?;
        Ok(Self { bytes, layout })
    }
}

impl<B: AsRef<[u8]>, L: Layout> Owned<B, L> {
    /// Proves the bytes and keeps them. As costly as the view's `parse`.
    ///
    /// # Errors
    /// Those of the view's `parse`.
    pub fn parse(bytes: B) -> Result<Self, Error> {
        let layout = L::parse(bytes.as_ref())?;
        Ok(Self { bytes, layout })
    }

    /// The view. O(1).
    pub fn view(&self) -> L::View<'_> {
        self.layout.view(self.bytes.as_ref())
    }

    /// The bytes back.
    pub fn into_bytes(self) -> B {
        self.bytes
    }
}

impl<B: AsRef<[u8]>, L: Layout> Debug for Owned<B, L> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Owned").field("bytes", &self.bytes.as_ref().len()).field("layout", &self.layout).finish()
    }
}
