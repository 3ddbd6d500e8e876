//! Archives: whatever one lets one do stays inside of it.

use skelmap::archive::{Archive, Inflater, Limits, Method};

/// Enough for honest archives of this size, so that no input takes long.
pub(super) const LIMITS: Limits = Limits { entries: 1 << 16, inflated: 1 << 20 };

/// Whether the part lies within the whole, in memory.
pub(crate) fn lies_in(part: &[u8], whole: &[u8]) -> bool {
    let (part, whole) = (part.as_ptr_range(), whole.as_ptr_range());
    whole.start <= part.start && part.end <= whole.end
}

pub fn archive(bytes: &[u8]) {
    survey(bytes, &mut Inflater::new());
}

/// Everything an archive lets one do. Nothing is expected but that it comes back, and that what it gives is inside and has
/// the size that the directory says. Returns whether all of it could be read.
pub(crate) fn survey(bytes: &[u8], inflater: &mut Inflater) -> bool {
    let archive = match Archive::parse_with(bytes, &LIMITS) {
        Ok(archive) => archive,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return false;
        }
    };
    let mut sound = true;
    for entry in archive.entries() {
        let (name, method) = (entry.name(), entry.method());
        assert!(lies_in(name.as_bytes(), bytes));
        assert!(archive.get(entry.index()).is_some_and(|found| found.name() == name));
        let told = name.to_string();
        assert!(archive.entry(&told).is_ok_and(|found| found.index() >= entry.index()), "the last of a name is found");
        if let Ok(path) = name.to_safe_path() {
            let is_safe = |part: &str| !part.is_empty() && part != "." && part != "..";
            assert!(path.trim_end_matches('/').split('/').all(is_safe) && !path.contains('\0'), "{path:?}");
        }
        let raw = archive.raw(&entry);
        if let Ok(raw) = &raw {
            assert!(lies_in(raw, bytes) && raw.len() as u64 == entry.compressed_size());
        }
        match archive.stored(&entry) {
            Ok(Some(data)) => {
                assert!(method == Method::Stored && std::ptr::eq(data, raw.unwrap()));
                assert_eq!(data.len() as u64, entry.size());
                let range = archive.stored_range(&entry).unwrap().unwrap();
                assert!(std::ptr::eq(&raw const bytes[range], data));
            }
            Ok(None) => assert_ne!(method, Method::Stored),
            Err(error) => assert_eq!(error.entry(), Some(told.as_str())),
        }
        match archive.read(&entry, inflater) {
            Ok(data) => {
                assert_eq!(data.len() as u64, entry.size());
                assert!(method == Method::Deflated || lies_in(data, bytes));
                sound &= archive.check(&entry, data).is_ok();
            }
            Err(error) => {
                assert_eq!(error.entry(), Some(told.as_str()));
                sound = false;
            }
        }
    }
    sound
}
