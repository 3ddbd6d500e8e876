//! The codes of UEFormat files only.

use alloc::format;

crate::codes! {
    COMPRESSED = "compressed", Note: "the body is compressed; it is unpacked before it is read"
        => (size) "the body is compressed, {size} bytes when unpacked: unpack it with `Mapping::unpacked` or `ueformat::unpack`";
        "The body of a UEFormat file can be compressed with gzip or Zstandard, and most files of FModel and FortnitePorting are. The header \
         names the format and the object; the counts are known after unpacking. Lists (`ls`, `catalog`) read the header only and leave the \
         counts empty. All other commands unpack the body into memory, within limits. A program that hands compressed bytes to a parser gets \
         this as an error: `Mapping::unpacked` unpacks them. Ignore the note.";
    COMPRESSION = "compression", Error: "the compression of the body is not supported"
        => (a, b, c, d, e) "the body is compressed as `{}`, which skelmap cannot unpack; GZIP and ZSTD it can",
        name_of([a, b, c, d, e]);
        "The header of a UEFormat file names the compression of the body. skelmap unpacks `GZIP` and `ZSTD`. CUE4Parse wrote `Oodle` for two \
         days in May 2024. Export the file again with another compression or with none.";
    UNPACKED_SIZE = "unpacked-size", Error: "the unpacked body does not have the size that the header states"
        => (stated, found) "the header states {stated} bytes for the unpacked body, but it has {}",
        if found == u32::MAX { "more".into() } else { format!("{found}") };
        "The header of a compressed UEFormat file states the size of the body after unpacking. The data has fewer or more bytes: the file is \
         cut off or damaged, or it is a trap that would fill the memory. skelmap stops at the stated size and does not read the file. Fetch \
         or export it again.";
    UNPACKED_LIMIT = "unpacked-limit", Error: "the unpacked body is larger than the limit"
        => (stated, packed) "the header states {stated} bytes for a body of {packed} compressed bytes, which is over the limit";
        "The header of a compressed UEFormat file states a size that is over the limit for an unpacked file, or more than 1,032 times the \
         size of the compressed data. A small file could fill the memory in this way. skelmap refuses it before it allocates anything. If the \
         file is good, raise `Limits::inflated` or `Limits::ratio`, or export the file without compression.";
    COMPRESSED_DATA = "compressed-data", Error: "the compressed data is damaged"
        => (looks) "the compressed data is damaged{}", match looks {
            1 => ", or it is gzip data under the name of Zstandard",
            2 => ", or it is Zstandard data under the name of gzip",
            _ => "",
        };
        "The compressed body of the UEFormat file cannot be unpacked: the data is cut off, a checksum is wrong, or it is not compressed as the \
         header says. skelmap does not read the file. Fetch or export it again.";
    SECTION_END = "section-end", Error: "the content of a section does not fit into its size"
        => (needed, left) "this needs {needed} bytes, but the section around it has only {left} left";
        "A UEFormat file consists of sections, each with its size and its content: lists with their number, and names with their length. \
         Here the content needs more bytes than the section has. A number or a size is wrong, or bytes were lost. skelmap does not read the \
         file. Fetch or export it again.";
    BONE_SIZE = "bone-size", Error: "the bones have neither 36 nor 48 bytes and a name each";
        "In version 10 of UEFormat, a bone has a name and 36 bytes (the library of the author, July 2026) or 48 bytes (CUE4Parse since August \
         2026, with a scale); the version does not say which. skelmap reads the bones in both ways and takes the one that ends where the \
         section ends. Here neither does, so the section is damaged. skelmap does not read the file. Fetch or export it again.";
    TOO_MANY = "too-many-records", Error: "there are more records than skelmap reads"
        => (count, most) "there are {count} records, and skelmap reads at most {most} here";
        "A UEFormat file has names of different lengths in its bones, tracks and materials, so that each access by index walks over some of \
         them. skelmap therefore reads at most 8,192 bones, tracks or bones of a pose, 64 levels, 256 materials and 64 sets of UVs or colours of a level, \
         and 16,384 records of every other list. The largest known file has 547 bones. The number is probably damaged; otherwise split the model.";
    NAME_LENGTH = "name-length", Error: "a name is longer than skelmap reads"
        => (length, most) "the name has {length} bytes, and skelmap reads at most {most}";
        "A name in a UEFormat file has its length before it. skelmap reads names of at most 4,096 bytes: they are read more often than once, and \
         Unreal has names of at most 1,023 characters. The length is probably damaged. skelmap does not read the file. Fetch or export it again.";
    UNKNOWN_SECTION = "unknown-section", Note: "skelmap does not know this section; it is skipped";
        "A UEFormat file consists of named sections. A newer or another writer has one that skelmap does not know, or one in a place where it \
         does not belong. skelmap skips it by its size and reads the others. Ignore the note; if a part of the model is missing, look for a \
         newer skelmap.";
    DUPLICATE_SECTION = "duplicate-section", Note: "a section is repeated; the first one is used";
        "Two sections have the same name in the same place; a file should have only one. skelmap reads the first and ignores the other. If \
         something is missing, export the file again; otherwise ignore the note.";
    SECTION_REST = "section-rest", Note: "bytes remain behind the records of a section; they are ignored";
        "The size of a section is larger than its records need. No known writer does this. skelmap ignores the bytes and goes on at the end of \
         the section. If something is missing, export the file again; otherwise ignore the note.";
    COUNT_HIGH = "count-high", Note: "a section counts more records than it has; the records that are there are read";
        "CUE4Parse counted morph targets (until December 2024) and sockets (until version 10) that it did not write, because they were empty. \
         The size of the section is right, so skelmap reads the records up to its end. Nothing is lost. Other programs read beyond the \
         section and fail. Export the file again with a newer version for them; otherwise ignore the note.";
    ROOT_METADATA = "root-metadata", Note: "the path of the skeleton lies outside of the skeleton; it is read from there";
        "CUE4Parse wrote the section `METADATA` of a skeleton into the body instead of the skeleton from February to September 2025. skelmap \
         takes the path from there. Ignore the note.";
    BONES_UNCLEAR = "bones-unclear", Warning: "the bones can be read with and without a scale; they are read with one";
        "In version 10 of UEFormat, a bone has 36 or 48 bytes and a name, and the version does not say which. skelmap takes the way that ends \
         where the section ends; here both do, which no real file is known for. skelmap reads the bones with a scale. If the skeleton looks \
         wrong, export the file again.";
    FRAMES_NEGATIVE = "frames-negative", Warning: "the number of frames is below 0; it is read as 0";
        "The metadata of a UEFormat animation states the number of its frames. Here it is below 0. skelmap reads an animation without frames; \
         the keys can be read one by one. The number is damaged: fetch or export the file again.";
    FRAMES_UNLIKELY = "frames-unlikely", Warning: "the number of frames is above 1,048,576; a clip has that many";
        "The metadata of a UEFormat animation states the number of its frames, and the keys, which are only there where a value changes, do \
         not limit it. Here it means more than nine hours at 30 frames per second. skelmap gives the clip the first 1,048,576 frames. The \
         number is probably damaged: fetch or export the file again.";
    WEIGHT_VERTEX = "weight-vertex", Error: "an influence refers to a vertex that does not exist";
        "An influence says how strongly a bone moves a vertex, and names the vertex by its index. Here there is no vertex with this index. \
         skelmap keeps the influence as stored and does not use it. Remove the influence, or export the mesh again.";
    INDICES_REST = "indices-rest", Warning: "the number of indices is not a multiple of 3; the last triangle is incomplete";
        "Three indices of vertices make a triangle. Here one or two are left over at the end. skelmap ignores them. Export the mesh again.";
    COLUMN_LENGTH = "column-length", Warning: "a list does not have one value for each vertex";
        "Normals, tangents, texture coordinates and colours have one value for each vertex. Here a list has fewer or more. skelmap hands the \
         list out as stored, but does not use normals and colours of another length. Other programs fail or read outside of their memory. \
         Export the mesh again.";
    MATERIAL_RANGE = "material-range", Warning: "a material names triangles that do not exist";
        "A material states the first of its indices and the number of its triangles. Here they reach beyond the indices of the mesh, or the \
         first index is not that of a triangle. skelmap gives the material the triangles that exist. Export the mesh again.";
    MATERIAL_GAP = "material-gap", Note: "a triangle belongs to no material; it gets the first";
        "Each material states which triangles it has. Here some triangle belongs to none. Blender gives such a triangle the first material and \
         so does skelmap; Unreal drops it. Export the mesh again if a part has the wrong look; otherwise ignore the note.";
    LEVEL_NAME = "level-name", Note: "two levels of detail have the same name";
        "CUE4Parse called the Nanite level `LOD0`, like the first one, in July and August 2026. skelmap identifies levels by their index. \
         Ignore the note; a program that finds levels by name finds the first of the two.";
    KEY_ORDER = "key-order", Warning: "the keys of a track are not in the order of their frames";
        "The keys of a track should ascend. Here a key lies in an earlier frame than the key before. Blender sorts such keys, and Unreal's \
         importer ignores all later keys. skelmap looks keys up in halves of the list, so that it may find another key than the nearest. \
         Export the animation again.";
    KEY_REPEATED = "key-repeated", Note: "two keys of a track have the same frame; the last one counts";
        "Two keys lie in the same frame. CUE4Parse writes such keys for animations of Arc System Works since September 2025: the first is the \
         value up to there, the second the new one. skelmap uses the last. Ignore the note.";
    KEY_OUTSIDE = "key-outside", Note: "a key lies before the first frame or after the last one";
        "The frame of a key is below 0, or at or above the number of frames. skelmap keeps it; a key below 0 gives the value of frame 0 if no \
         other does, and a key behind the end has no effect. Ignore the note.";
    TRACK_DUPLICATE = "track-duplicate", Note: "two tracks have the same name";
        "A track moves the bone of its name (upper and lower case are equal). Here two tracks have one name: the second moves the second bone of \
         this name, if the mesh has one. Give each bone a unique name in the source, or ignore the note.";
    ADDITIVE_TYPE = "additive-type", Warning: "the additive type or the type of its base is not known";
        "The metadata of an animation says whether the asset holds differences (0 to 2), and to what (0 to 4). Here a number is higher. \
         Importers may fail at such a file. skelmap keeps the number and decides by the keys. Export the animation again.";
    POSE_CURVE = "pose-curve", Error: "a pose refers to a curve that does not exist";
        "A pose gives values to curves, and names each by its index in the list of curves. Here there is no curve with this index. skelmap \
         keeps the value as stored. Remove it, or export the poses again.";
}

/// The name of a compression in five numbers.
fn name_of(words: [u32; 5]) -> alloc::string::String {
    let mut bytes = [0; 20];
    bytes.iter_mut().zip(words.iter().flat_map(|word| word.to_le_bytes())).for_each(|(to, from)| *to = from);
    format!("{}", crate::bytes::before_nul(&bytes).escape_ascii())
}
