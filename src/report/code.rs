//! Codes: the stable names of all faults, quirks and findings.
//!
//! The macro [`codes!`] declares each code once, in the module that reports it. Shared codes live in
//! [`report::codes`](super::codes), the others in the `codes` module of their family.

use core::cmp::Ordering;
use core::fmt::{self, Debug, Display, Formatter};
use core::hash::{Hash, Hasher};

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum Severity {
    /// Odd, but harmless; occurs in good files.
    Note,
    /// Suspicious: a reader may fail, or the result may look wrong.
    Warning,
    /// Wrong: an index without a record, or a float that is not finite.
    Error,
}

impl Severity {
    /// `note`, `warning` or `error`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl Display for Severity {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(self.code())
    }
}

/// The stable name of a kind of fault, quirk or finding, with its severity and explanation.
///
/// Compare codes with the constants in `codes` modules, and stored text with the [name](Code::name). A code never changes its
/// name.
///
/// ```
/// use skelmap::{Code, actorx::codes};
///
/// let code = Code::find("wedge-point").ok_or("no such code")?;
/// assert_eq!(code, codes::WEDGE_POINT);
/// println!("{code}: {}\n{}", code.sentence(), code.explanation());
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Copy)]
pub struct Code(&'static Description);

/// The description of a code. Only [`codes!`](crate::codes!) makes one.
#[allow(missing_docs, missing_debug_implementations, unreachable_pub, reason = "hidden")]
pub struct Description {
    pub name: &'static str,
    pub severity: Severity,
    pub sentence: &'static str,
    pub explanation: &'static str,
    /// Writes the message of an error with this code and these values.
    pub write: fn(&[u32; 5], &mut Formatter<'_>) -> fmt::Result,
}

impl Code {
    /// A code of this description, for [`codes!`](crate::codes).
    #[doc(hidden)] // For the macro, which other crates use.
    pub const fn new(description: &'static Description) -> Self {
        Self(description)
    }

    /// The name: lower-case words with hyphens.
    pub const fn name(self) -> &'static str {
        self.0.name
    }

    /// The usual severity of a finding with this code; `Error` for codes of errors.
    pub const fn severity(self) -> Severity {
        self.0.severity
    }

    /// One sentence for people; for a quirk, how the file was read.
    pub const fn sentence(self) -> &'static str {
        self.0.sentence
    }

    /// The meaning of the code, its causes and its remedy, for newcomers.
    pub const fn explanation(self) -> &'static str {
        self.0.explanation
    }

    pub(super) fn write(self, values: &[u32; 5], f: &mut Formatter<'_>) -> fmt::Result {
        (self.0.write)(values, f)
    }
}

impl PartialEq for Code {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Code {}

impl PartialOrd for Code {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Code {
    fn cmp(&self, other: &Self) -> Ordering {
        self.name().cmp(other.name())
    }
}

impl Hash for Code {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}

impl Display for Code {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Debug for Code {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "Code({})", self.name())
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Code {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// Declares the codes of a module as constants, and `ALL` of them as a list.
///
/// For crates that build on this one. A code must be unique across all of them.
///
/// ```
/// mod codes {
///     skelmap::codes! {
///         STORE_FULL = "store-full", Error: "the store has no space left"; "Delete objects, or rent more space.";
///     }
/// }
/// assert_eq!(codes::STORE_FULL.name(), "store-full");
/// assert_eq!(codes::ALL.len(), 1);
/// ```
///
/// For an error with values, an arrow and a format string follow: `"..." => (major, minor) "version {major}.{minor} is not
/// known"`.
#[macro_export]
macro_rules! codes {
    ($($code:ident = $name:literal, $severity:ident: $sentence:literal
        $(=> ($($value:ident),+) $message:literal $(, $extra:expr)*)? ; $explanation:literal;)+) => {
        $(
            #[doc = concat!("`", $name, "`: ", $sentence, ".")]
            ///
            #[doc = $explanation]
            pub const $code: $crate::shared::Code = $crate::shared::Code::new(&$crate::shared::Description {
                name: $name,
                severity: $crate::shared::Severity::$severity,
                sentence: $sentence,
                explanation: $explanation,
                write: $crate::codes!(@write $sentence $(, ($($value),+) $message $(, $extra)*)?),
            });
        )+

        /// Every code of this module.
        pub const ALL: &[$crate::shared::Code] = &[$($code),+];
    };
    (@write $sentence:literal) => {
        |_, f| f.write_str($sentence)
    };
    (@write $sentence:literal, ($($value:ident),+) $message:literal $(, $extra:expr)*) => {
        |values, f| {
            let [$($value,)+ ..] = *values;
            write!(f, $message $(, $extra)*)
        }
    };
}

/// Declares the kinds of an error, each with its code and its message: a format string over the fields.
#[doc(hidden)] // For skelmap-stores.
#[macro_export]
macro_rules! kinds {
    ($(#[$meta:meta])* pub enum $kind:ident {$(
        $(#[$doc:meta])*
        $variant:ident $({ $($(#[$field_doc:meta])* $field:ident: $type:ty,)+ })? =
            $code:expr, $message:literal $(, $extra:expr)*;
    )+}) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
        #[non_exhaustive]
        pub enum $kind {$(
            $(#[$doc])*
            #[error($message $(, $extra)*)]
            $variant $({ $($(#[$field_doc])* $field: $type,)+ })?,
        )+}

        impl $kind {
            /// The stable name of this kind.
            #[allow(unused_variables, reason = "fields that are not the code")]
            pub const fn code(&self) -> $crate::shared::Code {
                match self {
                    $(Self::$variant $({ $($field,)+ })? => $code,)+
                }
            }
        }
    };
}
