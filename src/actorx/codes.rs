//! The codes of ActorX files, and those that ActorX shares with UEFormat.

pub use crate::report::codes::{
    BONE_CYCLE, BONE_DUPLICATE, BONE_EXTRA_ROOT, BONE_ORDER, BONE_PARENT, BONE_UNREACHABLE, MORPH_POINT,
    NEGATIVE_COUNT, NEGATIVE_SIZE, SEQUENCE_RATE, SOCKET_BONE,
};

crate::codes! {
    NATIVE_LONG = "native-long", Error: "an old Blender exporter wrote 64-bit integers"
        => (declared, actual) "the chunk header says {declared} bytes per record, but the data has {actual}: \
            an old Blender exporter wrote 64-bit integers; export the file again";
        "The records of this chunk are longer than its header says: 16, 104 or 124 bytes instead of 12, 88 or 120. The Blender exporter \
         up to version 2.79 probably writes such files on 64-bit Linux and macOS, where its integers have 64 bits; no real file has \
         been seen. skelmap does not read the file. Export it again with a newer exporter.";
    MISSING_CHUNK = "missing-chunk", Error: "the file ends without this chunk, which each animation needs";
        "An ActorX animation needs three chunks: `BONENAMES` (bones), `ANIMINFO` (sequences) and `ANIMKEYS` (keys). They may be empty, \
         but they must be there. The message names the chunk that is not there. skelmap does not read the file. The file is cut off or \
         incomplete: fetch or export it again.";
    ID_GARBAGE = "id-garbage", Note: "bytes after the end of the chunk id are not zero; ignored";
        "A chunk id, such as `PNTS0000`, has 20 bytes, and the first zero byte ends it. Here other bytes follow the zero byte. Epic's \
         exporter for 3ds Max of about 2003 left parts of its memory there. skelmap reads the id up to the zero byte. Ignore the note.";
    ODD_CHUNK_ID = "odd-chunk-id", Note: "the chunk id is not printable text; the chunk is skipped";
        "A chunk id, such as `PNTS0000`, is a short text. The id of this chunk is empty or has characters that cannot be printed. \
         skelmap skips the chunk and reads the others. If a part of the model is missing, fetch or export the file again; otherwise \
         ignore the note.";
    TYPE_FLAG = "type-flag", Note: "no known writer uses this type flag; ignored";
        "The type flag of a chunk is a date that belongs to a version of the writer. It never changes the layout of the file. Old \
         animations have uninitialised memory there. skelmap ignores the type flag. Ignore the note.";
    FACE_RECORD_SIZE = "face-record-size", Note: "the chunk header says 20 bytes per face, but the data has 18; skelmap reads 18";
        "The header of the chunk `FACE3200` states 20 bytes for each face, but a face has 18. UModel wrote such files from 26 November \
         2011 to 22 January 2012. skelmap reads 18 bytes, and only if the next chunk confirms it, so the faces are right. Ignore the \
         note; if another program cannot read the file, export it again with a newer UModel.";
    UV_RECORD_SIZE = "uv-record-size", Note: "the chunk header says 16 bytes per record, but the data has 8; skelmap reads 8";
        "The header of a chunk with extra texture coordinates (`EXTRAUV0`) states 16 bytes for each record, but a record has 8. UModel \
         wrote such files from 6 to 26 November 2011. skelmap reads 8 bytes, and only if the next chunk confirms it, so the \
         coordinates are right. Ignore the note; if another program cannot read the file, export it again with a newer UModel.";
    SHORT_BODY = "short-body", Warning: "the chunk header counts more records than the chunk has; skelmap reads the records before the next header";
        "The header of `MRPHINFO` (morph targets) or `SKELSOCK` (sockets) counts more records than the chunk has. CUE4Parse writes such \
         files: it counts empty morph targets, but does not store them. skelmap looks for the header of the next chunk and reads all \
         records before it. Nothing is lost in files of CUE4Parse; other programs may not be able to read the file.";
    DUPLICATE_HEAD = "duplicate-head", Note: "the file has a second header chunk, which is ignored";
        "The first chunk of a file, `ACTRHEAD` or `ANIMHEAD`, says that the file is a mesh or an animation; it has no records. Here \
         such a chunk comes again. CUE4Parse has written a second `ACTRHEAD` since December 2023. skelmap ignores it. Ignore the note.";
    DUPLICATE_CHUNK = "duplicate-chunk", Note: "the chunk is repeated; the first one is used";
        "Two chunks of the same kind, such as two chunks of points, have records; a file should have only one. skelmap reads the first \
         one and ignores the other. If something is missing, export the file again; otherwise ignore the note.";
    FRAME_NUMBERING = "frame-numbering", Note:
        "the start frames of the sequences are wrong; skelmap reads the sequences one after another";
        "Each sequence states its first frame, counted over all sequences of the file. Here a number lies outside of the file, or every \
         sequence states its number of frames instead. CUE4Parse wrote such files before September 2023. skelmap lets each sequence \
         begin where the one before it ends. Ignore the note; if another program shows the wrong frames, export the file again with a \
         newer version.";
    SCALE_KEYS_PARTIAL = "scale-keys-partial", Note: "only the sequences whose field `RootInclude` is 1 have scale keys; skelmap gives them the keys in file order";
        "A scale key is the size of a bone in one frame. Epic's exporters store scale keys only for the sequences whose field \
         `RootInclude` is 1 (the flag). skelmap assigns the scale keys to these sequences in order; the other sequences have none. \
         Ignore the note; a program that expects a scale key for every key reads wrong values.";
    SCALE_KEYS_IGNORED = "scale-keys-ignored", Warning: "the number of scale keys matches no known convention; skelmap ignores the scale keys";
        "A scale key is the size of a bone in one frame. Two conventions are known: a scale key for every key (CUE4Parse), or for every \
         key of the sequences whose field `RootInclude` is 1 (Epic). Here the number of scale keys fits neither, so their bones and \
         frames are not known. skelmap reads the animation without scale. If bones have the wrong size, export the file again; \
         otherwise ignore the warning.";
    WEDGE_POINT = "wedge-point", Error: "a wedge refers to a point that does not exist";
        "A wedge is a corner of the mesh: a texture coordinate and the index of a point. Here there is no point with this index. Users \
         have reported such files. skelmap keeps the wedge as stored, and `Psk::point_of` returns nothing for it. Remove the faces that \
         use the wedge, or export the mesh again.";
    FACE_WEDGE = "face-wedge", Error: "a face refers to a wedge that does not exist";
        "A face is a triangle, and names its three corners (wedges) by their index. Here at least one of these wedges does not exist. \
         Users have reported such files. skelmap keeps the face as stored. Remove the face, or export the mesh again.";
    FACE_MATERIAL = "face-material", Warning: "a face refers to a material that does not exist";
        "A face names its material by an index. Here there is no material with this index, so nothing says how the face looks. Users \
         have reported such files. skelmap keeps the index as stored. Give the face another material, or export the mesh again.";
    WEIGHT_POINT = "weight-point", Error: "an influence refers to a point that does not exist";
        "An influence says how strongly a bone moves a point, and names the point by its index. Here there is no point with this index. \
         Users have reported such files. skelmap keeps the influence as stored. Remove the influence, or export the mesh again.";
    POINT_UNWEIGHTED = "point-unweighted", Note: "no bone moves a point";
        "The mesh has influences (they say how strongly a bone moves a point), but none for this point. The format allows this and does \
         not say what happens to such a point: a program can leave it in place or attach it to bone 0. skelmap adds no influence. If \
         the point should move, give it a weight in the source model and export it again; otherwise ignore the note.";
    MESH_UNWEIGHTED = "mesh-unweighted", Warning: "the mesh has bones, but no bone moves a point";
        "The mesh has at least two bones, but its table of influences (which say how strongly a bone moves a point) is empty. Animations \
         move the bones, and no point follows: the model stands still, or follows bone 0. The exporter lost the weights, or the mesh was \
         not bound to its skeleton. Bind the mesh in the source and export it again. A static mesh needs no bones.";
    COUNT_MISMATCH = "count-mismatch", Warning: "the chunk does not have one record for each wedge or point; ignored";
        "Colours and extra texture coordinates have one record for each wedge (a corner of the mesh), normals and tangents one for each \
         point. This chunk has more or fewer, which is known from damaged files only, so the wedges or points of the \
         records are unknown. skelmap reads the mesh without the chunk. Export the mesh again if it needs these values.";
    MORPH_COUNT = "morph-count", Error: "the number of morph deltas differs from the sum that the morph targets state";
        "A morph target changes the shape of the mesh, such as a smile: it has a list of deltas, each of which moves a point. The \
         targets state how many deltas they have, and the sum is not the number of deltas in the file, or a number is negative. skelmap \
         gives the deltas to the targets in order until none is left, so targets can be wrong. Export the mesh again.";
    NAME_UNTERMINATED = "name-unterminated", Note: "a name fills its whole field and has no zero byte at the end";
        "A name is stored in a field of fixed size, usually 64 bytes, and a zero byte ends it. This name has no zero byte. CUE4Parse, \
         Blender exporters and Legendary Explorer (Mass Effect) write such names; CUE4Parse cuts a long name at the end of the field. \
         skelmap reads the whole field. Compare the name with the source: if its end is missing, use a shorter name.";
    NAME_GARBAGE = "name-garbage", Note: "bytes after the end of a name are not zero";
        "A name is stored in a field of fixed size, and the first zero byte ends it. Here other bytes follow the zero byte. Epic's \
         exporter for 3ds Max and the exporter of the game Harry Potter 2 leave such garbage. skelmap reads the name up to the zero \
         byte. Ignore the note.";
    NAME_PADDED = "name-padded", Note: "a name ends in spaces, which look-ups ignore";
        "The name has spaces at its end. Epic's exporter for 3ds Max fills bone names up to 31 characters with spaces. skelmap ignores \
         these spaces when it compares names. Ignore the note; your own program must remove the spaces before it compares names.";
    WEDGE_PADDING = "wedge-padding", Note: "the unused bytes of a wedge are not zero";
        "A wedge is a corner of the mesh, and its record has two bytes without a meaning. If the mesh has at most 65,536 points, the \
         upper half of the 32-bit point index has no meaning either. Epic's exporter for 3ds Max and the exporter of the game Harry \
         Potter 2 leave garbage there: 391 of 590 measured meshes. skelmap ignores these bytes. Ignore the note; a program that reads \
         32 bits finds the wrong points.";
    SEQUENCE_RANGE = "sequence-range", Error: "the file does not hold all frames of a sequence";
        "A sequence is one animation of the file, such as a walk. It counts more frames than the file holds, or a number below 0. \
         skelmap reads the frames that are there; for any other frame it gives the error `frame-out-of-range`. The file is cut off, or \
         a number in it is wrong: fetch or export it again.";
    KEY_COUNT = "key-count", Warning: "the number of keys is not the number of frames times the number of bones";
        "A key is the position and rotation of one bone in one frame, so a file has frames times bones keys. Here the number differs: \
         keys are missing, no sequence uses some keys, or sequences share frames. skelmap reads the keys that belong to a sequence. If \
         an animation is not complete, export the file again; otherwise ignore the warning.";
    SEQUENCE_OVERLAP = "sequence-overlap", Note: "two sequences share frames";
        "A sequence is one animation of the file, such as a walk. Two sequences use some of the same frames. The format allows this, \
         but no real file with it is known. skelmap reads both sequences as stored. If one of them looks wrong, export the file again; \
         otherwise ignore the note.";
    SEQUENCE_BONES = "sequence-bones", Warning: "a sequence states a different number of bones than the file has";
        "Each sequence repeats the number of bones (`TotalBones`). Here it is not the number of bones in `BONENAMES`; in all measured \
         files the two are equal. skelmap uses the number of bones in `BONENAMES`. If the animation looks wrong, export it again; \
         otherwise ignore the warning.";
    KEY_QUOTUM = "key-quotum", Note: "a sequence states a number of keys that is not its frames times the bones";
        "Each sequence repeats the number of its keys (`KeyQuotum`). A key is the position and rotation of one bone in one frame, so \
         the number should be frames times bones. skelmap computes the number and ignores the field. Ignore the note.";
    CURVE_SIZE = "curve-size", Warning: "a curve chunk belongs to no sequence, or does not have one weight for each frame";
        "A blend curve gives the weight of a blend shape in each frame of a sequence. Epic's exporter for Maya writes a chunk of curves \
         for each sequence; the id begins with the name of the sequence and ends with `:CUR`. Here no sequence fits the id, or the \
         curve is longer or shorter than the sequence. skelmap hands the curves out as stored. Do not use them, or export the file \
         again.";
    UNREAD_CHUNK = "unread-chunk", Note: "skelmap does not read the records of this chunk";
        "The chunk has records that skelmap does not know or does not need, such as `ANIMFLAGS` of UModel (2010 to 2011) or `PHYSICS0` \
         of a private dialect. skelmap skips it and reads the other chunks; `skelmap info` lists all chunks. Ignore the note. A program \
         that needs the bytes finds them with `actorx::Chunks`.";
    CONFIG_LINE = "config-line", Warning: "a line of the side-car matches no rule";
        "UModel writes a side-car, `NAME.config`, beside an animation: a text file which states where the mesh replaces the keys of the \
         animation. This line has none of the known forms. skelmap ignores the line, so bones can move wrongly. Correct the line, or \
         export the animation again with UModel. The page on the ActorX format lists the forms in section 6.1.";
    CONFIG_SEQUENCE = "config-sequence", Warning: "the side-car names a sequence that the animation does not have";
        "UModel writes a side-car, `NAME.config`, beside an animation: a text file which states where the mesh replaces the keys of the \
         animation. This line names a sequence that is not in the animation (upper and lower case are equal). skelmap ignores the line. \
         If the side-car belongs to another animation or was edited, export both files again; if the sequence was removed on purpose, \
         ignore the warning.";
    CONFIG_BONE = "config-bone", Warning: "the side-car names a bone that the animation does not have";
        "UModel writes a side-car, `NAME.config`, beside an animation: a text file which states where the mesh replaces the keys of the \
         animation. This line names a bone that is not in the animation, by its name or its index. skelmap ignores the line. If the \
         side-car belongs to another animation or was edited, export both files again.";
}
