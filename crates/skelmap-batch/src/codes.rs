//! The codes of all crates, and those of this one: of files that cannot be opened, and of the text files of mods.

use std::cmp::Reverse;

use skelmap::Code;

use crate::text::{likeness, nearest};

skelmap::codes! {
    NOT_FOUND = "not-found", Error: "there is no such file"; "Nothing has this path. Check the spelling and the folder.";
    PERMISSION_DENIED = "permission-denied", Error: "the system does not allow this user to read the file";
        "Change the permissions of the file or of a folder above it, or run as another user.";
    IS_A_DIRECTORY = "is-a-directory", Error: "the path is a folder where a file is needed"; "Name a file in the folder.";
    IO = "io", Error: "the system cannot open or read the file";
        "The message repeats what the system said. The disk, the network or the file system may have a fault.";
    INVALID_XML = "invalid-xml", Error: "the text is no XML that an actor, a variant or a skeleton can be read from";
        "Actors, variants and skeletons of 0 A.D. are XML in UTF-8, without a document type and without entities of their own, of at most \
         1 MiB. The message says what was met, and the offset where. Open the file in an editor that knows XML.";
    INVALID_MOD_JSON = "invalid-mod-json", Error: "the file `mod.json` does not describe a mod";
        "`mod.json` is a JSON object with a `name` and a list of `dependencies`, of at most 1 MiB. The message says what was met instead.";
    TOO_MANY_PARTS = "too-many-parts", Error: "an actor names more files than any actor needs";
        "An actor with its variants may name 4096 files and join 4096 files with each other in a million ways, and all actors a million \
         files. The largest of the game names some hundred. The actor is not read further.";
    OUTPUT_LIMIT = "output-limit", Error: "the output would be larger than its limit";
        "Sequences may share their keys, so that a small file states a huge output. Without --max-output, an output has at most 64 times the \
         bytes of its inputs, or 64 MiB if that is more; no known real file comes near. Choose fewer sequences, or raise the limit.";
}

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
    Code::all()
        .chain(ALL.iter().copied())
        .chain(crate::targets::codes::ALL.iter().copied())
        .chain(of_stores.iter().copied())
}

/// There is no such code.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no code {name:?}: {}", hint(near))]
#[non_exhaustive]
pub struct NoCode {
    /// The name that was asked for.
    pub name: String,
    /// The codes that are like it.
    pub near: Vec<&'static str>,
}

fn hint(near: &[&str]) -> String {
    if near.is_empty() {
        "`skelmap explain` lists all".to_owned()
    } else {
        format!("did you mean {}?", near.join(", "))
    }
}

/// The most codes of a hint.
const MAX_HINTS: usize = 3;

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
        let mut near: Vec<_> = all().filter(|code| Some(shared(code)) == most).map(Code::name).collect();
        near.sort_by_key(|code| Reverse(likeness(name, code)));
        near.truncate(MAX_HINTS);
        if near.is_empty() {
            near.extend(nearest(name, all().map(Code::name)));
        }
        NoCode { name: name.to_owned(), near }
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// Findings, quirks and errors of all families share the names.
    #[test]
    fn no_two_codes_have_one_name() {
        let mut names = HashSet::new();
        for code in all() {
            let name = code.name();
            let is_plain = |letter: u8| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == b'-';
            assert!(!name.is_empty() && name.bytes().all(is_plain), "{name:?}");
            assert!(names.insert(name), "{name} occurs twice");
        }
        let lists: &[&[Code]] = &[
            skelmap::codes::ALL,
            skelmap::actorx::codes::ALL,
            skelmap::pyrogenesis::codes::ALL,
            skelmap::swat3::codes::ALL,
            skelmap::ueformat::codes::ALL,
            skelmap::archive::codes::ALL,
            ALL,
            crate::targets::codes::ALL,
            #[cfg(feature = "stores")]
            skelmap_stores::codes::ALL,
        ];
        let listed: Vec<&str> = lists.iter().copied().flatten().map(|code| code.name()).collect();
        assert_eq!(listed.len(), names.len(), "a list is missing, here or in `all`");
        assert!(listed.iter().all(|name| names.contains(name)));
    }
}
