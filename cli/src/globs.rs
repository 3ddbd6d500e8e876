//! Patterns for the names of files and entries.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

/// The globs for patterns, two for each: whatever a pattern is compared with, a glob sees the whole name.
pub(crate) fn set(patterns: &[String], ignore_case: bool) -> Result<GlobSet, globset::Error> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        let glob = |text: &str| GlobBuilder::new(text).literal_separator(true).case_insensitive(ignore_case).build();
        // Messages name the pattern as it was given.
        let given = glob(pattern)?;
        let (first, second) = match pattern.strip_prefix('/') {
            Some(whole) => (glob(whole)?, glob(whole)?),
            None if pattern.contains('/') => (given, glob(&format!("**/{pattern}"))?),
            None => (glob(&format!("**/{pattern}"))?, glob(&format!("**/{pattern}/**"))?),
        };
        set.add(first).add(second);
    }
    set.build()
}
