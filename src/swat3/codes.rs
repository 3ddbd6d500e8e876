//! The codes of SWAT 3 animations only.

use alloc::{format, string::String, vec::Vec};

crate::codes! {
    GSA_VERSION = "gsa-version", Error: "the version is neither 4.1 nor 4.2"
        => (major, minor) "version {major}.{minor} is not known, expected 4.1 or 4.2";
        "Two versions of SWAT 3 animations are known: 4.1 without events and 4.2 with events. This file states another version. skelmap \
         does not read it, because its layout is undocumented. If the file comes from the game, please report it to the skelmap \
         project; otherwise fetch it again.";
    MARKER_NOT_FOUND = "marker-not-found", Error: "the end of the skeleton was not found"
        => (seen, unnormalised)
        "the end of the skeleton was not found: {}, but none fits the rest of the file{}",
        counted(seen, "candidate"), unnormalised_places(unnormalised);
        "A SWAT 3 animation does not store where its skeleton ends. skelmap tries every place with the bytes FF FF, and accepts a place \
         only if valid frames follow and end exactly at the end of the file. Here no place passed: the file is cut off, has extra bytes \
         at its end, is damaged, or has rotations that are not of unit length. Fetch the file again. For up to three zero bytes at the \
         end, try `--trailing-zeros`; for such rotations, give the layout of the bones with `--gsa-layout`.";
    AMBIGUOUS_MARKER = "ambiguous-marker", Error: "several places could be the end of the skeleton"
        => (count, a, b, c, d) "{count} interpretations of the file fit: the skeleton could end at byte {}", places(count, [a, b, c, d]);
        "A SWAT 3 animation does not store where its skeleton ends. skelmap tries every place with the bytes FF FF, and accepts a place \
         only if everything after it fits. Here more than one interpretation fits. skelmap does not choose, because a wrong choice gives wrong \
         frames, and does not read the file. If you know the layout of the bones, give it with `--gsa-layout`. Please report a file \
         that comes from the game to the skelmap project.";
    SEARCH_LIMIT = "search-limit", Error: "the search for the end of the skeleton was stopped: too many places almost fit";
        "A SWAT 3 animation does not store where its skeleton ends, so skelmap tries every place with the bytes FF FF. The work has a \
         limit that grows with the size of the file, because a file made for this purpose could otherwise keep a program busy for very \
         long. This file reached the limit, and skelmap does not read it. If you trust the file, give the layout of its bones with \
         `--gsa-layout`.";
    BONE_LAYOUT = "bone-layout", Error: "the given layout of bones does not fit the skeleton"
        => (bone) "with the given layout, the skeleton has no end: after {}, neither another bone nor the end mark follows", counted(bone, "bone");
        "You gave a layout of the bones, with `--gsa-layout` or `SkeletonOption::Given`, and skelmap read the skeleton by it. After the \
         stated number of bones, the file has neither another bone nor the end marker FF FF. The layout is wrong, or it is that of \
         another file. Leave the option out: skelmap then searches for the end of the skeleton, and `skelmap info --layout FILE` prints \
         a layout if it finds one.";
    DOUBLED_MAGIC_NODE = "doubled-magic-node", Note: "the last six bytes of the magic are repeated; the repetition is skipped";
        "The magic, which is the start of every SWAT 3 animation, has 16 bytes. The public description of the format lists 22, because \
         it repeats the last six; this is probably an error in the description. This file has the 22 bytes; no such file of the game is \
         known. skelmap skips the second six bytes. Ignore the note. Please report a file that comes from the game to the skelmap \
         project.";
    EVENT_COUNT_WORDS = "event-count-words", Note:
        "the frames do not store their number of events as often as the version defines; read as stored";
        "A frame of version 4.2 stores its number of events once, a frame of version 4.1 not at all. This file stores it a different number \
         of times (0, 1 or 2). skelmap tries this only if the usual form does not fit, and then reads the frames as stored. Extra zero \
         bytes after a single frame look the same. Ignore the note, or write the usual form with `skelmap edit FILE -o OUT \
         --to-version 4.2`. Please report a file that comes from the game to the skelmap project.";
    FRAME_ORIGIN = "frame-origin", Note: "a frame is not at the origin, or is rotated";
        "Each frame has an origin and a rotation for the whole figure. In all known files of the game, these are 0, 0, 0 and 0, 0, 0, \
         1. Here they are not. skelmap hands both out as stored. If this is on purpose, ignore the note; otherwise export the animation \
         again.";
    ROOT_OFFSET = "root-offset", Note: "the root offset of the first frame is not 0";
        "Each frame states how far the root bone is from its place in the first frame. In the first frame, this should be 0, 0, 0. An \
         animation whose first frames were removed, as `skelmap edit --from` does, has other values. skelmap hands the value out as \
         stored. Ignore the note.";
    FRAME_RATE = "frame-rate", Note: "the file states a frame rate other than 10; the game plays 10 frames per second";
        "The header has a field for the frame rate, but the game ignores it and always plays 10 frames per second. skelmap computes \
         times with 10 too. Ignore the note; a program that uses the field plays the animation at another speed than the game.";
    FRAME_COUNT = "frame-count", Warning: "there are more than 32,767 frames; a signed 16-bit count is then negative";
        "The number of frames has 16 bits, and the public description does not say whether it has a sign. Above 32,767, a program that \
         reads it with a sign gets a negative number. Real files have far fewer frames. skelmap reads the number without a sign. Check \
         that the file is the right one; `skelmap edit --from --to` makes a shorter animation.";
    BONE_NAMES = "bone-names", Warning: "the number of names in the skeleton differs from the number of bones in the frames";
        "skelmap looks for the names of bones in the skeleton, whose layout is not known. It found fewer or more names than the frames \
         have bones, or fewer than the ids of the animated bones ask for. A pose that was cut off looks like this; the names may also \
         be something else. skelmap reads the frames, but gives no bones. Compare the file with another copy, or give the layout of the \
         bones with `--gsa-layout`.";
    EVENT_KIND = "event-kind", Note: "an event is neither a sound nor the sound of an item";
        "An event tells the game to do something at a frame. Two kinds are known, `sound=NAME` and `itemsound=NAME`; the files of the \
         game have four more, but their names are lost. This event is of another kind. skelmap hands it out as stored. If you wrote the \
         event, check its spelling; otherwise ignore the note.";
    SOUND_MISSING = "sound-missing", Note: "an event names a sound that no file of the mod has";
        "The game looks the name up in its lists of sounds (`sounds.dat`, `modsounds.dat`, `missionsounds.dat`); for `itemsound=NAME` it \
         adds the item in hand, as in `magout_1911`. Neither such a list among the files that were checked nor a sound file has this name. \
         If the sound belongs to the game, ignore the note. Otherwise the animation is silent at this frame: add the sound, or correct the \
         event with `skelmap edit`.";
}

/// A number with its noun.
fn counted(count: u32, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// The end of the message about a skeleton whose end was not found.
fn unnormalised_places(count: u32) -> String {
    match count {
        0 => ", which is cut off, has extra bytes at its end or is damaged".into(),
        1 => " (one does, except for rotations that are not of unit length)".into(),
        count => format!(" ({count} do, except for rotations that are not of unit length)"),
    }
}

/// The first places out of `count`.
fn places(count: u32, first: [u32; 4]) -> String {
    let shown: Vec<String> = (0..count).zip(first).map(|(_, place)| format!("{place}")).collect();
    format!("{}{}", shown.join(", "), if count > 4 { " and more" } else { "" })
}
