//! Which format a file is, by its first bytes: two unrelated formats are called `.psa`, and extensions lie.

use core::fmt::{self, Display, Formatter};

use crate::error::{Error, ErrorKind, FirstBytes};

/// The formats of the three families.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Format {
    /// Unreal ActorX mesh: `.psk`, `.pskx`. Read by [`Psk`](crate::actorx::Psk).
    ActorxPsk,
    /// Unreal ActorX animation: `.psa`. Read by [`Psa`](crate::actorx::Psa).
    ActorxPsa,
    /// Pyrogenesis (0 A.D.) mesh: `.pmd`. Read by [`Pmd`](crate::pyrogenesis::Pmd).
    PyrogenesisPmd,
    /// Pyrogenesis (0 A.D.) animation: `.psa`. Read by [`pyrogenesis::Psa`](crate::pyrogenesis::Psa).
    PyrogenesisPsa,
    /// SWAT 3 animation: `.gsa`. Read by [`Gsa`](crate::swat3::Gsa).
    Swat3Gsa,
}

/// The identifier that begins a SWAT 3 animation (SWAT 3 reference, section 2.1).
pub(crate) const GSA_MAGIC: [u8; 16] =
    [0xCF, 0xD0, 0x09, 0xA8, 0x2A, 0x1F, 0xD2, 0x11, 0x87, 0x49, 0x00, 0x20, 0xAF, 0xE6, 0x36, 0xEE];

impl Format {
    /// How many first bytes of a file [`sniff`](Format::sniff) looks at.
    pub const SNIFF_LEN: usize = 32;

    /// The format of a file that begins with these bytes: [`SNIFF_LEN`](Format::SNIFF_LEN) of them, or the whole file if it is
    /// shorter. O(1).
    ///
    /// ```
    /// use skelmap::Format;
    ///
    /// assert_eq!(Format::sniff(b"PSSA\x01\0\0\0\0\0\0\0")?, Format::PyrogenesisPsa);
    /// # Ok::<(), skelmap::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Empty`](ErrorKind::Empty), [`GitLfsPointer`](ErrorKind::GitLfsPointer),
    /// [`UnsupportedFormat`](ErrorKind::UnsupportedFormat) for relatives that this crate does not read, else
    /// [`UnknownFormat`](ErrorKind::UnknownFormat).
    pub fn sniff(bytes: &[u8]) -> Result<Self, Error> {
        let unsupported = |found| Err(Error::of_file(ErrorKind::UnsupportedFormat { found }));
        match bytes {
            [] => Err(Error::of_file(ErrorKind::Empty)),
            _ if is_chunk_id(bytes, b"ACTRHEAD") => Ok(Self::ActorxPsk),
            _ if is_chunk_id(bytes, b"ANIMHEAD") => Ok(Self::ActorxPsa),
            [b'P', b'S', b'M', b'D', ..] => Ok(Self::PyrogenesisPmd),
            [b'P', b'S', b'S', b'A', ..] => Ok(Self::PyrogenesisPsa),
            _ if bytes.starts_with(&GSA_MAGIC) => Ok(Self::Swat3Gsa),
            _ if bytes.starts_with(b"version https://git-lfs") => Err(Error::of_file(ErrorKind::GitLfsPointer)),
            _ if bytes.starts_with(b"ANIXHEAD") => {
                unsupported("an animation in a private dialect of ActorX (`ANIXHEAD`)")
            }
            _ if bytes.starts_with(b"WRLDHEAD") => unsupported("a world in a private dialect of ActorX (`WRLDHEAD`)"),
            [b'P', b'm', b'd', ..] => unsupported("a MikuMikuDance model (`Pmd`)"),
            [b'P', b'K', 3, 4, ..] => {
                unsupported("a ZIP archive and no asset (its entries are, such as `mod.zip!/art/x.psa`)")
            }
            _ => Err(Error::of_file(ErrorKind::UnknownFormat { first: FirstBytes::of(bytes) })),
        }
    }

    /// The stable name, as the command line prints it: `actorx.psk`, `actorx.psa`, `pyrogenesis.pmd`, `pyrogenesis.psa`,
    /// `swat3.gsa`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::ActorxPsk => "actorx.psk",
            Self::ActorxPsa => "actorx.psa",
            Self::PyrogenesisPmd => "pyrogenesis.pmd",
            Self::PyrogenesisPsa => "pyrogenesis.psa",
            Self::Swat3Gsa => "swat3.gsa",
        }
    }

    /// Whether the format is made of ActorX chunks, which [`Chunks`](crate::actorx::Chunks) walks.
    pub const fn is_actorx(self) -> bool {
        matches!(self, Self::ActorxPsk | Self::ActorxPsa)
    }

    const fn described(self) -> &'static str {
        match self {
            Self::ActorxPsk => "an ActorX mesh (`ACTRHEAD`)",
            Self::ActorxPsa => "an ActorX animation (`ANIMHEAD`)",
            Self::PyrogenesisPmd => "a Pyrogenesis mesh (`PSMD`)",
            Self::PyrogenesisPsa => "a Pyrogenesis animation (`PSSA`)",
            Self::Swat3Gsa => "a SWAT 3 animation",
        }
    }

    /// The error for a parser of one format that was handed another.
    pub(crate) const fn not_asked_for(self) -> Error {
        Error::of_file(ErrorKind::OtherFormat { found: self.described() })
    }
}

impl Display for Format {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(self.code())
    }
}

/// Whether the file's first chunk has this id of eight letters: the NUL after it may be missing where the file ends before the
/// first header does.
fn is_chunk_id(bytes: &[u8], id: &[u8]) -> bool {
    bytes.starts_with(id) && (bytes.len() < Format::SNIFF_LEN || bytes.get(8) == Some(&0))
}
