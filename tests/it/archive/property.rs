//! Random archives read back as they were built, and random damage does no harm.

use proptest::prelude::*;
use skelmap::archive::Inflater;

use super::{reads_back, survey};
use test_support::build_zip::{Descriptor, End, Entry, Zip, extra};

fn entry() -> impl Strategy<Value = Entry> {
    let bytes = |most| prop::collection::vec(any::<u8>(), 0..most);
    let data = prop_oneof![bytes(200), (any::<u8>(), 0_usize..5000).prop_map(|(byte, count)| vec![byte; count])];
    let descriptor = prop::sample::select(vec![Descriptor::None, Descriptor::Bare, Descriptor::Signed]);
    let aligned = prop::option::of((1_usize..70).prop_flat_map(|modulus| (Just(modulus), 0..modulus)));
    let shape = (any::<bool>(), any::<bool>(), descriptor, aligned, any::<u16>());
    (bytes(20), data, shape, bytes(9), bytes(9), bytes(9), bytes(5)).prop_map(
        |(name, data, (deflated, zip64, descriptor, aligned, version), local, central, comment, gap)| {
            let entry = if deflated { Entry::deflated(name, data) } else { Entry::stored(name, data) };
            entry.with(|entry| {
                (entry.zip64, entry.descriptor, entry.aligned, entry.version) = (zip64, descriptor, aligned, version);
                (entry.comment, entry.gap) = (comment, gap);
                (entry.local_extra, entry.central_extra) = (extra(0xCAFE, &local), extra(0xBEEF, &central));
            })
        },
    )
}

/// What `sound` has tests of its own for is left out: no entries with a ZIP64 end, and with either of them a prefix that
/// offsets do not count.
fn zip() -> impl Strategy<Value = Zip> {
    let bytes = |most| prop::collection::vec(any::<u8>(), 0..most);
    let end = prop::sample::select(vec![End::Plain, End::Zip64, End::Both]);
    let entries = prop::collection::vec(entry(), 0..8);
    (entries, end, bytes(50), any::<bool>(), bytes(50)).prop_flat_map(|(entries, end, prefix, counts, comment)| {
        let order: Vec<usize> = (0..entries.len()).collect();
        Just(order).prop_shuffle().prop_map(move |order| {
            let prefix_counts = counts || end != End::Plain || entries.is_empty();
            let end = if entries.is_empty() { End::Plain } else { end };
            Zip::of(entries.clone()).with(|zip| {
                (zip.end, zip.order, zip.prefix_counts) = (end, Some(order), prefix_counts);
                (zip.prefix, zip.comment) = (prefix.clone(), comment.clone());
            })
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_random_archive_reads_back_as_it_was_built(zip in zip()) {
        reads_back(&zip);
    }

    #[test]
    fn random_damage_does_not_lead_out_of_the_archive(
        zip in zip(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 1_usize..5), 1..8),
        cut in 0_usize..8,
        start in 0_usize..8,
    ) {
        let mut bytes = zip.build().bytes;
        for (index, value, count) in changes {
            let at = index.index(bytes.len());
            bytes.iter_mut().skip(at).take(count).for_each(|byte| *byte = value);
        }
        let end = bytes.len() - cut;
        survey(&bytes[start..end], &mut Inflater::new());
    }

    #[test]
    fn random_bytes_before_an_end_do_not_lead_out_of_the_archive(
        bytes in prop::collection::vec(prop::sample::select(vec![0_u8, 0, 1, 2, 3, 4, b'P', b'K', 0xFF]), 0..300),
        count in 0_u16..5,
        offset in 0_u32..300,
    ) {
        let mut bytes = bytes;
        let size = (bytes.len() as u32).saturating_sub(offset);
        bytes.extend(b"PK\x05\x06\0\0\0\0");
        bytes.extend([count, count].map(u16::to_le_bytes).as_flattened());
        bytes.extend([size, offset].map(u32::to_le_bytes).as_flattened());
        bytes.extend([0, 0]);
        survey(&bytes, &mut Inflater::new());
    }
}
