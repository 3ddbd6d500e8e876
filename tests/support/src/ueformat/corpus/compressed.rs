//! Compressed files, sound and damaged.

use super::super::build::{self, Built, Packing, Style, Ue, flipped, pack, packed_as, zstd};
use super::assets::{arm, arm_of, box_with_hull, faces_of, wave_of};
use super::{Case, Reason, fault, odd, ok};

const SOURCE: &str = "ueformat.md 2";

pub(super) fn cases() -> Vec<Case> {
    let mut cases = sound();
    cases.extend(damaged());
    cases
}

fn sound() -> Vec<Case> {
    let scaled = build::model(10, &arm(), Style::CUE4PARSE);
    let still = build::model(9, &box_with_hull(), Style::CUE4PARSE);
    let trailing = |packing| Ue { trailing: b"fourteen bytes".to_vec(), ..arm_of(10) }.pack(packing);
    // Bytes behind the root set, in what is compressed.
    let inside = |packing: Packing| {
        let plain = Ue { trailing: b"more".to_vec(), ..arm_of(10) }.build();
        let body = &plain.bytes[plain.offset("body")..];
        packed_as(&arm_of(10).build(), packing.name(), body.len() as i32, &packing.pack(body))
    };
    // Bytes behind the member or frame, in what the header says is compressed.
    let behind = |packing: Packing| {
        let plain = arm_of(10).build();
        let body = &plain.bytes[plain.offset("body")..];
        packed_as(&plain, packing.name(), body.len() as i32, &[&packing.pack(body), b"more".as_slice()].concat())
    };
    let is_compressed = arm_of(10).pack(Packing::Gzip).patch("is_compressed", &[0xFF]);
    vec![
        ok("ueformat/packed/v1_gzip.uemodel", "version 1, gzip", SOURCE, arm_of(1).pack(Packing::Gzip)),
        ok("ueformat/packed/v5_gzip.uemodel", "version 5, gzip", SOURCE, arm_of(5).pack(Packing::Gzip)),
        ok("ueformat/packed/v10_gzip.uemodel", "version 10, gzip", SOURCE, arm_of(10).pack(Packing::Gzip)),
        ok("ueformat/packed/v5_zstd.uemodel", "version 5, zstd", SOURCE, arm_of(5).pack(Packing::Zstd)),
        ok("ueformat/packed/v9_zstd.uemodel", "version 9, zstd, a static mesh", SOURCE, still.pack(Packing::Zstd)),
        ok(
            "ueformat/packed/v10_zstd.uemodel",
            "version 10, zstd, bones with scale",
            SOURCE,
            scaled.pack(Packing::Zstd),
        ),
        ok("ueformat/packed/v10_zstd_no_size.uemodel", "a frame that does not say its size", SOURCE, {
            arm_of(10).pack(Packing::ZstdWithoutSize)
        }),
        ok("ueformat/packed/v10_gzip.ueanim", "an animation, gzip", SOURCE, wave_of(10).pack(Packing::Gzip)),
        ok("ueformat/packed/v5_zstd.ueanim", "an animation of version 5, zstd", SOURCE, wave_of(5).pack(Packing::Zstd)),
        ok("ueformat/packed/v10_zstd.uepose", "poses, zstd", SOURCE, faces_of(10).pack(Packing::Zstd)),
        ok("ueformat/packed/is_compressed_255.uemodel", "a truth that is not 1", "ueformat.md 1", is_compressed),
        odd(
            "ueformat/packed/trailing_gzip.uemodel",
            "bytes after the data",
            SOURCE,
            trailing(Packing::Gzip),
            &["trailing-bytes"],
        ),
        odd(
            "ueformat/packed/trailing_zstd.uemodel",
            "bytes after the data",
            SOURCE,
            trailing(Packing::Zstd),
            &["trailing-bytes"],
        ),
        odd(
            "ueformat/packed/inside_gzip.uemodel",
            "bytes after the set, compressed",
            SOURCE,
            inside(Packing::Gzip),
            &["trailing-bytes"],
        ),
        odd(
            "ueformat/packed/behind_gzip.uemodel",
            "bytes after the member",
            "ueformat.md 9",
            behind(Packing::Gzip),
            &["trailing-bytes"],
        ),
        odd(
            "ueformat/packed/behind_zstd.uemodel",
            "bytes after the frame",
            "ueformat.md 9",
            behind(Packing::Zstd),
            &["trailing-bytes"],
        ),
    ]
}

fn damaged() -> Vec<Case> {
    let gzip = || arm_of(10).pack(Packing::Gzip);
    let zstd = || arm_of(10).pack(Packing::Zstd);
    let plain = || arm_of(10).build();
    let size = |plain: &Built| (plain.offset("trailing") - plain.offset("body")) as i32;
    let body = |built: &Built| built.bytes[built.offset("body")..].to_vec();
    let case = |file, about, bytes: Vec<u8>, section, reason| fault(file, about, SOURCE, bytes, (section, reason));
    let short = |file, about, bytes: Vec<u8>| case(file, about, bytes, "body", Reason::Short);
    let packed = |file, about, bytes: Vec<u8>| case(file, about, bytes, "body", Reason::Packed);
    let lie = |built: Built, by: i32| {
        let stated = size(&plain());
        built.patch_i32("unpacked_size", stated + by).bytes
    };
    let crc = |back: usize| {
        let built = gzip();
        let at = built.offset("trailing") - back;
        flipped(built.bytes, at)
    };
    let renamed = |name: &str| packed_as(&plain(), name, size(&plain()), &Packing::Gzip.pack(&body(&plain()))).bytes;
    let halves = {
        let body = body(&plain());
        let (first, second) = body.split_at(100);
        packed_as(
            &plain(),
            "GZIP",
            body.len() as i32,
            &[Packing::Gzip.pack(first), Packing::Gzip.pack(second)].concat(),
        )
    };
    let bomb = |says_size| packed_as(&plain(), "ZSTD", 1 << 30, &zstd::bomb(1 << 30, says_size)).bytes;
    let hidden = packed_as(&plain(), "ZSTD", 1000, &zstd::bomb(1 << 30, false)).bytes;
    let cut_body = {
        let mut built = gzip();
        built.bytes.truncate(built.offset("trailing"));
        built.cut("trailing", -20)
    };
    vec![
        short("ueformat/packed/cut_gzip.uemodel", "the data ends early", cut_body.into()),
        short("ueformat/packed/cut_zstd.uemodel", "the data ends early", zstd().cut("end", -20).into()),
        short("ueformat/packed/cut_all.uemodel", "no data", gzip().cut("packed", 0).into()),
        packed("ueformat/packed/inner_cut_gzip.uemodel", "a member that is cut short", {
            let member = Packing::Gzip.pack(&body(&plain()));
            packed_as(&plain(), "GZIP", size(&plain()), &member[..member.len() - 20]).into()
        }),
        packed("ueformat/packed/inner_cut_zstd.uemodel", "a frame that is cut short", {
            let frame = Packing::Zstd.pack(&body(&plain()));
            packed_as(&plain(), "ZSTD", size(&plain()), &frame[..frame.len() - 20]).into()
        }),
        packed(
            "ueformat/packed/empty_gzip.uemodel",
            "no data, by its size",
            packed_as(&plain(), "GZIP", 4, &[]).into(),
        ),
        packed(
            "ueformat/packed/empty_zstd.uemodel",
            "no data, by its size",
            packed_as(&plain(), "ZSTD", 4, &[]).into(),
        ),
        packed("ueformat/packed/crc.uemodel", "a wrong checksum", crc(8)),
        packed("ueformat/packed/gzip_length.uemodel", "a wrong length in the member", crc(4)),
        packed("ueformat/packed/gzip_as_zstd.uemodel", "gzip that is called zstd", renamed("ZSTD")),
        packed("ueformat/packed/zstd_as_gzip.uemodel", "zstd that is called gzip", {
            packed_as(&plain(), "GZIP", size(&plain()), &Packing::Zstd.pack(&body(&plain()))).into()
        }),
        packed("ueformat/packed/plain_as_gzip.uemodel", "data that is not compressed", {
            packed_as(&plain(), "GZIP", size(&plain()), &body(&plain())).into()
        }),
        case("ueformat/packed/size_less_gzip.uemodel", "a size one too small", lie(gzip(), -1), "body", Reason::Size),
        case("ueformat/packed/size_more_gzip.uemodel", "a size one too large", lie(gzip(), 1), "body", Reason::Size),
        case("ueformat/packed/size_less_zstd.uemodel", "a size one too small", lie(zstd(), -1), "body", Reason::Size),
        case("ueformat/packed/size_more_zstd.uemodel", "a size one too large", lie(zstd(), 1), "body", Reason::Size),
        case(
            "ueformat/packed/size_0.uemodel",
            "a size of 0",
            gzip().patch_i32("unpacked_size", 0).into(),
            "body",
            Reason::Size,
        ),
        case("ueformat/packed/two_members.uemodel", "two members, both needed", halves.into(), "body", Reason::Size),
        case(
            "ueformat/packed/hidden_bomb.uemodel",
            "1 GiB in a frame, 1000 bytes stated",
            hidden,
            "body",
            Reason::Size,
        ),
        case("ueformat/packed/bomb.uemodel", "1 GiB of zero bytes", bomb(true), "body", Reason::Limit),
        case(
            "ueformat/packed/bomb_no_size.uemodel",
            "1 GiB of zero bytes in a frame without a size",
            bomb(false),
            "body",
            Reason::Limit,
        ),
        case(
            "ueformat/packed/size_max.uemodel",
            "the largest size",
            gzip().patch_i32("unpacked_size", i32::MAX).into(),
            "body",
            Reason::Limit,
        ),
        case(
            "ueformat/packed/size_negative.uemodel",
            "a negative size",
            gzip().patch_i32("unpacked_size", -1).into(),
            "header",
            Reason::Negative,
        ),
        case(
            "ueformat/packed/packed_negative.uemodel",
            "a negative compressed size",
            gzip().patch_i32("packed_size", -1).into(),
            "header",
            Reason::Negative,
        ),
        short(
            "ueformat/packed/packed_max.uemodel",
            "the largest compressed size",
            gzip().patch_i32("packed_size", i32::MAX).into(),
        ),
        case("ueformat/packed/oodle.uemodel", "Oodle", renamed("Oodle"), "body", Reason::Compression),
        case("ueformat/packed/lower_case.uemodel", "gzip in lower case", renamed("gzip"), "body", Reason::Compression),
        case("ueformat/packed/no_name.uemodel", "compression without a name", renamed(""), "body", Reason::Compression),
        case(
            "ueformat/packed/cut_name.uemodel",
            "a file that ends in the name of the compression",
            gzip().cut("compression", 6).into(),
            "header",
            Reason::Short,
        ),
        case(
            "ueformat/packed/cut_sizes.uemodel",
            "a file that ends between the sizes",
            gzip().cut("packed_size", 0).into(),
            "header",
            Reason::Short,
        ),
        case(
            "ueformat/packed/inner_fault.uemodel",
            "a negative count in what is compressed",
            pack(&plain().patch_i32("LODS/0/INDICES.count", -3), Packing::Gzip).into(),
            "LODS/0/INDICES",
            Reason::Negative,
        ),
        case(
            "ueformat/packed/in_itself.uemodel",
            "a compressed file in a compressed file",
            {
                let inner = gzip().bytes;
                packed_as(&plain(), "GZIP", inner.len() as i32, &Packing::Gzip.pack(&inner)).into()
            },
            "root",
            Reason::Short,
        ),
    ]
}
