//! The codes of all crates.

use skelmap::Code;

/// The code of a name. O(codes).
pub fn find(name: &str) -> Option<Code> {
    all().find(|code| code.name() == name)
}

/// All codes: those of the reader, those of this crate, and those of stores with the feature `stores`.
pub fn all() -> impl Iterator<Item = Code> {
    #[cfg(feature = "stores")]
    let of_stores = skelmap_stores::codes::ALL;
    #[cfg(not(feature = "stores"))]
    let of_stores: &[Code] = &[];
    let own = [crate::items::codes::ALL, crate::mods::codes::ALL].into_iter().flatten();
    Code::all().chain(own.copied()).chain(of_stores.iter().copied())
}

/// There is no such code.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NoCode {
    /// The name that was asked for.
    pub name: String,
    /// The codes that are like it.
    pub near: Vec<&'static str>,
}

impl std::fmt::Display for NoCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "there is no code {:?}: ", self.name)?;
        match self.near.as_slice() {
            [] => f.write_str("`skelmap explain` lists all"),
            near => write!(f, "did you mean {}?", near.join(", ")),
        }
    }
}

impl std::error::Error for NoCode {}

/// The code of a name, or the codes that are like it.
///
/// # Errors
/// [`NoCode`].
pub fn find_or_hint(name: &str) -> Result<Code, NoCode> {
    find(name).ok_or_else(|| {
        let shared = |code: &Code| {
            code.name().split('-').filter(|word| name.split('-').any(|other| other.eq_ignore_ascii_case(word))).count()
        };
        let most = all().map(|code| shared(&code)).max().filter(|most| *most > 0);
        let near = all().filter(|code| Some(shared(code)) == most).map(Code::name).collect();
        NoCode { name: name.to_owned(), near }
    })
}
