//! XML of 0 A.D. mods: actors, variants and skeletons of any bytes.

use skelmap_batch::mods::{Actor, parse_skeletons};

/// What is read has no more parts than the text can name, and parents come before their bones. Deep nesting ends in a value or an error.
pub fn actor(bytes: &[u8]) {
    let limit = bytes.len();
    if let Ok(actor) = Actor::parse(bytes) {
        assert_eq!(Actor::parse(bytes), Ok(actor.clone()), "the same text gives the same actor");
        assert!(
            actor.variants.iter().map(|variant| 1 + variant.parts.len()).sum::<usize>() + actor.levels.len() <= limit
        );
    }
    if let Ok(parts) = Actor::parse_variant(bytes) {
        assert!(parts.len() < limit);
    }
    let skeletons = parse_skeletons(bytes).unwrap_or_default();
    let standard = skeletons.standard.iter().map(|own| own.bones.iter().map(|bone| bone.parent).collect::<Vec<_>>());
    let mapped = skeletons.mapped.iter().map(|own| own.bones.iter().map(|bone| bone.parent).collect());
    for parents in standard.chain(mapped) {
        assert!(parents.len() <= limit / "<bone".len());
        for (index, parent) in parents.iter().enumerate() {
            assert!(parent.is_none_or(|parent| parent < index), "a parent comes before its bones");
        }
    }
}
