//! The one list of families: `Format`, `Asset`, `AssetBuf`, sniffing and dispatch come from it.
//!
//! A family is one folder, its `mod` line and its line in [`families!`] at the end of this file.

use alloc::vec::Vec;
use core::fmt::{self, Display, Formatter};

use crate::bytes::ReadAt;
use crate::model::{Clip, Mesh};
use crate::model::{Description, Head, Info, Layout, Owned, Skeleton, Summary};
use crate::report::{Code, Error, ErrorKind, Finding, FirstBytes, Quirk, ReadError, ReadResult, Section, codes};

/// Related formats that are not read, and formats that are often stored beside models, by their first bytes.
const FOREIGN: [(&[u8], &str); 18] = [
    (b"UEFORMAT\x07\0\0\0UEWORLD", "a UEFormat world of 2023 (`UEWORLD`), which skelmap does not read"),
    (b"UEFORMAT", "a UEFormat file of an unknown kind: skelmap reads `UEMODEL`, `UEANIM` and `UEPOSE`"),
    (b"ANIXHEAD", "an animation in a private dialect of ActorX (`ANIXHEAD`), which skelmap does not read"),
    (b"WRLDHEAD", "a world in a private dialect of ActorX (`WRLDHEAD`), which skelmap does not read"),
    (b"Pmd", "a MikuMikuDance model (`Pmd`), which skelmap does not read"),
    (b"\x89PNG\r\n", "an image (PNG)"),
    (b"\xFF\xD8\xFF", "an image (JPEG)"),
    (b"DDS ", "an image (DDS)"),
    (b"BM", "an image (BMP)"),
    (b"glTF", "a glTF binary (.glb): `skelmap convert` makes files for games of it"),
    (b"Kaydara FBX Binary", "an FBX file: export it as PSK or PSA"),
    (b"BLENDER", "a Blender file: export it as PSK or PSA"),
    (
        b"<?xml",
        "XML text, such as an actor of 0 A.D., or a COLLADA source (.dae), of which the engine's converter makes a model",
    ),
    (b"\xC1\x83\x2A\x9E", "an Unreal package: export its meshes and animations as PSK and PSA"),
    (b"7z\xBC\xAF\x27\x1C", "an archive (7z): unpack it"),
    (b"Rar!", "an archive (RAR): unpack it"),
    (b"\x1F\x8B", "compressed (gzip): unpack it"),
    (b"%PDF", "a PDF document"),
];

impl Format {
    /// Number of first bytes of a file that [`sniff`](Format::sniff) reads.
    pub const SNIFF_LEN: usize = 32;

    /// The format of a file that begins with these bytes: [`SNIFF_LEN`](Format::SNIFF_LEN) of them, or the whole file if it is
    /// shorter. The extension is ignored: two unrelated formats are called `.psa`. O(1).
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
    /// [`UnsupportedFormat`](ErrorKind::UnsupportedFormat) for related formats that this crate does not read, else
    /// [`UnknownFormat`](ErrorKind::UnknownFormat).
    pub fn sniff(bytes: &[u8]) -> Result<Self, Error> {
        if let Some(format) = Self::of_first_bytes(bytes) {
            return Ok(format);
        }
        let kind = match bytes {
            [] => ErrorKind::Empty,
            _ if bytes.starts_with(b"version https://git-lfs") => ErrorKind::GitLfsPointer,
            [b'P', b'K', 3, 4, ..] => ErrorKind::UnsupportedFormat {
                found: "a ZIP archive: give its path, or the path of a file in it (`'mod.zip!/art/x.psa'`)",
            },
            _ => match FOREIGN.iter().find(|(first, _)| bytes.starts_with(first)) {
                Some((_, found)) => ErrorKind::UnsupportedFormat { found },
                None => ErrorKind::UnknownFormat { first: FirstBytes::of(bytes) },
            },
        };
        Err(Error::new(kind, Section::FILE, 0))
    }

    /// The format of a source, by its first bytes.
    ///
    /// # Errors
    /// Those of [`sniff`](Format::sniff), and those of the source.
    pub fn sniff_source<R: ReadAt + ?Sized>(source: &R) -> Result<Self, ReadError<R::Error>> {
        let mut first = [0; Self::SNIFF_LEN];
        let read = source.read_at(0, &mut first).map_err(ReadError::Source)?;
        Ok(Self::sniff(first.get(..read).unwrap_or_default())?)
    }

    /// The stable name, as the command prints it: `actorx.psk`, `pyrogenesis.psa` and so on.
    pub const fn code(self) -> &'static str {
        self.info().code
    }

    /// The kind of skeletons: animations of a family may fit meshes of another one of the same kind.
    pub(crate) const fn skeletons(self) -> &'static str {
        self.info().skeletons
    }

    /// The name in a sentence: `an ActorX mesh`.
    pub fn title(self) -> &'static str {
        let title = self.info().title;
        title.split_once(" (").map_or(title, |(name, _)| name)
    }

    /// Extensions of this format, in lower case without the dot. An extension is a hint, not a proof.
    pub const fn extensions(self) -> &'static [&'static str] {
        self.info().extensions
    }
}

impl Code {
    /// Every code: the shared ones, then those of each family, then those of archives. O(1) to get.
    pub fn all() -> impl Iterator<Item = Self> {
        let all = codes::ALL.iter().chain(CODES.iter().copied().flatten());
        #[cfg(feature = "archive")]
        let all = all.chain(crate::archive::codes::ALL);
        all.copied()
    }

    /// The code with a name. O(codes).
    pub fn find(name: &str) -> Option<Self> {
        Self::all().find(|code| code.name() == name)
    }
}

/// The stable name.
#[cfg(feature = "serde")]
impl serde::Serialize for Format {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.code())
    }
}

impl Display for Format {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(self.code())
    }
}

impl<'a> Asset<'a> {
    /// Detects the format and parses the file with the parser of that format.
    ///
    /// # Errors
    /// Those of [`Format::sniff`] and of the format's parser.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Error> {
        Self::parse_with(bytes, &ParseOptions::default())
    }

    /// [`parse`](Asset::parse) with options.
    ///
    /// # Errors
    /// Those of [`parse`](Asset::parse) that the options allow.
    pub fn parse_with(bytes: &'a [u8], options: &ParseOptions) -> Result<Self, Error> {
        Ok(AssetLayout::parse(bytes, options)?.into_view(bytes))
    }
}

/// A file of any format, with its bytes; [`view`](Owned::view) gives the [`Asset`].
///
/// ```
/// use skelmap::{Asset, AssetBuf};
///
/// let asset = AssetBuf::parse(std::fs::read("tests/corpus/actorx/anim/classic.psa")?)?;
/// println!("{}: {:?} bones", asset.view().format(), asset.view().summary().bones);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type AssetBuf<B> = Owned<B, AssetLayout>;

impl Layout for AssetLayout {
    fn parse(bytes: &[u8], options: &ParseOptions) -> Result<Self, Error> {
        Self::find(bytes, options).map_err(ReadError::into_format)
    }
}

/// Declares the types that name every format, and dispatches to the formats: one line for each family.
macro_rules! families {
    (@is_mesh Mesh) => { true };
    (@is_mesh Animation) => { false };
    (@mesh Mesh $view:ident) => { Some($view.mesh()) };
    (@mesh Animation $view:ident) => {{ let _ = $view; None }};
    (@clips Mesh $view:ident) => {{ let _ = $view; None::<core::iter::Empty<Clip<'a>>> }};
    (@clips Animation $view:ident) => { Some($view.clips()) };
    ($($family:ident { $($(#[$doc:meta])* $variant:ident: $role:ident $view:ident, $layout:ident;)+ })+) => {
        /// The formats of all families.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Format {$($(
            $(#[$doc])*
            ///
            #[doc = concat!("Read by [`", stringify!($family), "::", stringify!($view), "`](crate::", stringify!($family), "::", stringify!($view), ").")]
            $variant,
        )+)+}

        impl Format {
            /// Every format.
            pub const ALL: &[Self] = &[$($(Self::$variant),+),+];

            pub(crate) const fn info(self) -> Info {
                match self {
                    $($(Self::$variant => <crate::$family::$layout as Description>::INFO,)+)+
                }
            }

            /// Whether files of this format hold a mesh. All others hold animations.
            pub const fn is_mesh(self) -> bool {
                match self {
                    $($(Self::$variant => families!(@is_mesh $role),)+)+
                }
            }

            fn of_first_bytes(bytes: &[u8]) -> Option<Self> {
                $($(if <crate::$family::$layout as Description>::is_format(bytes) {
                    return Some(Self::$variant);
                })+)+
                None
            }

            /// The content of the headers of a source of this format.
            pub(crate) fn head<R: ReadAt + ?Sized>(
                self,
                source: &R,
                options: &ParseOptions,
                with_names: bool,
            ) -> ReadResult<Head, R> {
                match self {
                    $($(Self::$variant => <crate::$family::$layout as Description>::head(source, &options.$family, with_names),)+)+
                }
            }
        }

        /// A file of any supported format, detected by its first bytes.
        ///
        /// ```
        /// use skelmap::Asset;
        ///
        /// let bytes = std::fs::read("tests/corpus/actorx/anim/classic.psa")?;
        /// let asset = Asset::parse(&bytes)?;
        /// println!("{}: {:?} bones", asset.format(), asset.summary().bones);
        /// if let Asset::ActorxPsa(animation) = asset {
        ///     println!("{} sequences", animation.infos().len());
        /// }
        /// # Ok::<(), Box<dyn std::error::Error>>(())
        /// ```
        #[derive(Clone, Copy, Debug)]
        #[non_exhaustive]
        pub enum Asset<'a> {$($(
            $(#[$doc])*
            $variant(crate::$family::$view<'a>),
        )+)+}

        impl<'a> Asset<'a> {
            /// The format.
            pub const fn format(&self) -> Format {
                match self {
                    $($(Self::$variant(_) => Format::$variant,)+)+
                }
            }

            /// The file.
            pub const fn bytes(&self) -> &'a [u8] {
                match self {
                    $($(Self::$variant(view) => view.bytes(),)+)+
                }
            }

            /// The counts: from headers alone, except for the records of sequences (and the names in a SWAT 3 skeleton).
            /// O(chunks + sequences), no allocation.
            pub fn summary(&self) -> Summary {
                match self {
                    $($(Self::$variant(view) => view.summary(),)+)+
                }
            }

            /// The quirks, in file order. No allocation.
            pub fn quirks(&self) -> impl Iterator<Item = Quirk> + use<'a> {
                core::iter::empty()$($(.chain(
                    match self {
                        Self::$variant(view) => Some(view.quirks()),
                        _ => None,
                    }
                    .into_iter()
                    .flatten(),
                ))+)+
            }

            /// Reads all data and reports every faulty record: a finding for each, in the order of the records.
            ///
            /// At most `most` findings for each code and section (0 means 1). The last of them [counts](Finding::count) the remaining
            /// records, so the counts add up to the number of faulty records. With 1, this is [`check`](Asset::check). O(file) in time,
            /// O(findings) in memory.
            ///
            /// ```
            /// use skelmap::Asset;
            ///
            /// // All four bones have the rotation 0, 0, 0, 0.
            /// let bytes = std::fs::read("tests/corpus/actorx/anim/zero_pose.psa")?;
            /// let records = |most| {
            ///     let findings = Asset::parse(&bytes)?.check_each(most);
            ///     Ok::<Vec<_>, skelmap::Error>(findings.iter().map(|finding| (finding.index, finding.count)).collect())
            /// };
            /// assert_eq!(records(100)?, [(Some(0), 1), (Some(1), 1), (Some(2), 1), (Some(3), 1)]);
            /// assert_eq!(records(2)?, [(Some(0), 1), (Some(1), 3)]);
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            pub fn check_each(&self, most: usize) -> Vec<Finding> {
                match self {
                    $($(Self::$variant(view) => view.check_each(most),)+)+
                }
            }

            /// The bones; `None` if their number is not known.
            pub fn skeleton(&self) -> Option<Skeleton<'a>> {
                match self {
                    $($(Self::$variant(view) => view.skeleton().into(),)+)+
                }
            }

            /// The mesh; `None` for an animation. O(1).
            pub fn mesh(&self) -> Option<Mesh<'a>> {
                match self {
                    $($(Self::$variant(view) => families!(@mesh $role view),)+)+
                }
            }

            /// The clips, in file order; none for a mesh. O(clips) for the first, then O(1) each.
            pub fn clips(&self) -> impl Iterator<Item = Clip<'a>> + use<'a> {
                core::iter::empty()$($(.chain(
                    match self {
                        Self::$variant(view) => families!(@clips $role view),
                        _ => None,
                    }
                    .into_iter()
                    .flatten(),
                ))+)+
            }
        }

        /// The offsets of the parts of a file of any format, without a lifetime: [`AssetBuf`] stores it beside the bytes.
        #[derive(Clone, Debug)]
        #[non_exhaustive]
        pub enum AssetLayout {$($(
            $(#[$doc])*
            $variant(crate::$family::$layout),
        )+)+}

        impl Description for AssetLayout {
            type View<'a> = Asset<'a>;
            type Options = ParseOptions;

            const INFO: Info = Info { code: "asset", title: "an asset", extensions: &[], skeletons: "" };

            fn is_format(first: &[u8]) -> bool {
                Format::of_first_bytes(first).is_some()
            }

            fn find<R: ReadAt + ?Sized>(source: &R, options: &ParseOptions) -> ReadResult<Self, R> {
                Ok(match Format::sniff_source(source)? {
                    $($(Format::$variant => {
                        Self::$variant(<crate::$family::$layout as Description>::find(source, &options.$family)?)
                    })+)+
                })
            }

            fn keep(self, bytes: &[u8]) -> Self {
                match self {
                    $($(Self::$variant(layout) => Self::$variant(layout.keep(bytes)),)+)+
                }
            }

            fn view<'a>(&'a self, bytes: &'a [u8]) -> Asset<'a> {
                match self {
                    $($(Self::$variant(layout) => Asset::$variant(layout.view(bytes)),)+)+
                }
            }

            fn into_view(self, bytes: &[u8]) -> Asset<'_> {
                match self {
                    $($(Self::$variant(layout) => Asset::$variant(layout.into_view(bytes)),)+)+
                }
            }

            fn head<R: ReadAt + ?Sized>(
                source: &R,
                options: &ParseOptions,
                with_names: bool,
            ) -> ReadResult<Head, R> {
                Format::sniff_source(source)?.head(source, options, with_names)
            }
        }

        /// The options of the parsers. The default is the behaviour of `parse`.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize))]
        #[non_exhaustive]
        pub struct ParseOptions {$(
            #[doc = concat!("Options for files of [`", stringify!($family), "`](crate::", stringify!($family), ").")]
            pub $family: crate::$family::Options,
        )+}

        /// The codes of all families.
        const CODES: &[&[Code]] = &[$(crate::$family::codes::ALL,)+];

        $($(
            impl Layout for crate::$family::$layout {
                fn parse(bytes: &[u8], options: &Self::Options) -> Result<Self, Error> {
                    match Format::sniff(bytes)? {
                        Format::$variant => Self::find(bytes, options).map_err(ReadError::into_format),
                        found => Err(Error::new(ErrorKind::OtherFormat { found: found.info().title }, Section::FILE, 0)),
                    }
                }
            }

            impl<'a> crate::$family::$view<'a> {
                /// Finds all parts and checks every count and size. Reads headers only, unless the page of this type says
                /// otherwise. No allocation.
                ///
                /// # Errors
                /// Those of [`Format::sniff`]; [`OtherFormat`](ErrorKind::OtherFormat) for bytes of another format; a header
                /// that is cut off or announces more than the file holds; and the errors in the family's
                /// [`codes`](mod@crate::$family::codes).
                pub fn parse(bytes: &'a [u8]) -> Result<Self, Error> {
                    Self::parse_with(bytes, &Default::default())
                }

                /// [`parse`](Self::parse) with options.
                ///
                /// # Errors
                /// Those of [`parse`](Self::parse) that the options allow.
                pub fn parse_with(bytes: &'a [u8], options: &crate::$family::Options) -> Result<Self, Error> {
                    Ok(crate::$family::$layout::parse(bytes, options)?.into_view(bytes))
                }

                /// Reads all data and reports faults: one finding for each code and section, which counts the faulty records. See
                /// [`check_each`](Self::check_each).
                pub fn check(&self) -> Vec<Finding> {
                    self.check_each(1)
                }
            }
        )+)+
    };
}

families! {
    actorx {
        /// Unreal ActorX mesh: `.psk`, `.pskx`.
        ActorxPsk: Mesh Psk, PskLayout;
        /// Unreal ActorX animation: `.psa`.
        ActorxPsa: Animation Psa, PsaLayout;
    }
    pyrogenesis {
        /// Pyrogenesis (0 A.D.) mesh: `.pmd`.
        PyrogenesisPmd: Mesh Pmd, PmdLayout;
        /// Pyrogenesis (0 A.D.) animation: `.psa`.
        PyrogenesisPsa: Animation Psa, PsaLayout;
    }
    swat3 {
        /// SWAT 3 animation: `.gsa`.
        Swat3Gsa: Animation Gsa, GsaLayout;
    }
    ueformat {
        /// UEFormat model: `.uemodel`.
        UeformatModel: Mesh Model, ModelLayout;
        /// UEFormat animation: `.ueanim`.
        UeformatAnimation: Animation Animation, AnimationLayout;
        /// UEFormat poses: `.uepose`.
        UeformatPose: Animation Pose, PoseLayout;
    }
}
