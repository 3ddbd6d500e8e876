//! The codes that several families share.

crate::codes! {
    EMPTY = "empty", Error: "the file is empty";
        "The file has 0 bytes, so there is nothing to read. Copy, download or export the file again.";
    UNKNOWN_FORMAT = "unknown-format", Error: "the first bytes belong to no known format";
        "skelmap recognises formats by the first bytes of a file and never by its extension. The first bytes of this file belong to no \
         format that skelmap knows, so skelmap does not read the file. Other programs use the same extensions, such as `.psa`, for \
         files of another kind; leave such a file out. If the file should be a model or an animation, it is damaged: fetch or export it \
         again.";
    OTHER_FORMAT = "other-format", Error: "the file does not have the expected format";
        "A program called the parser of one format with a file of another format. The message names the format of the file. Two \
         unrelated formats have the extension `.psa`: ActorX animations begin with `ANIMHEAD`, Pyrogenesis animations (0 A.D.) with \
         `PSSA`. Use the parser of the right format, or `Asset::parse`, which accepts every format.";
    EXTENSION = "extension", Warning: "the extension of the file is that of another format";
        "skelmap looks at the content and never at the name, so it reads the file. Games and other programs look at the extension: they \
         take a mesh called `.psa` for an animation and fail, or do not find the file at all. Rename the file; or export it again, if it \
         should be what its name says.";
    UNSUPPORTED_FORMAT = "unsupported-format", Error: "the format is known, but skelmap does not read it";
        "skelmap recognises the first bytes, but cannot read files of this format; the message names the format. Examples are \
         MikuMikuDance models (`Pmd`) and private dialects of ActorX (`ANIXHEAD`, `WRLDHEAD`). Leave the file out, or export the \
         content in a format that skelmap reads. In a ZIP archive, name the entry to read: `mod.zip!/art/x.psa`.";
    GIT_LFS = "git-lfs", Error: "this is a Git LFS pointer, not the file itself";
        "Git LFS stores large files outside of the repository and leaves a small text file, the pointer, in their place. This file is \
         the pointer; Git has not downloaded the model or animation. Run `git lfs pull` in the repository and try again.";
    CRLF = "crlf", Error: "a conversion of line ends damaged the file";
        "A program took this binary file (ActorX) for text and wrote every byte 0A (line feed) as 0D 0A. Version control does this if \
         no rule marks the file as binary. A repair is not certain, so skelmap does not read the file. Fetch the original again as \
         binary; in Git, mark the extension as `binary` in `.gitattributes`.";
    TRUNCATED = "truncated", Error: "the file ends inside a header or another part of fixed size";
        "A header or another part of fixed size needs more bytes than the file has left. The file is cut off or damaged; in an ActorX \
         file, 1 to 31 extra bytes after the last chunk give this error too. skelmap does not read the file. Fetch or export it again.";
    RECORDS_OVERRUN = "records-overrun", Error: "a header announces more records than fit into the file";
        "A header states the number of the records that follow and their size. Together the records need more bytes than the file has \
         left: the file is cut off, or the header is damaged. skelmap checks this before it allocates memory, and does not read the \
         file. Fetch or export it again.";
    OUT_OF_MEMORY = "out-of-memory", Error: "there is not enough memory for the file";
        "The file, or a part of it, must be read at once, but the memory does not suffice. For a row of `ls` or `catalog`, a part may \
         have 256 MiB, and an ActorX file at most two million chunks: real files need a hundredth of this. A file that is larger by far is \
         probably a trap: a sparse file can state any size. Leave the file out; if the file is good, map it instead of reading it.";
    RECORD_TOO_SMALL = "record-too-small", Error: "the records are smaller than the format defines";
        "The header of an ActorX chunk states a size for its records that is too small: fields of the format are missing. skelmap does \
         not guess which, and does not read the file. The header is damaged, or a tool with its own variant of the format wrote it. \
         Fetch the file again, or export it with another tool.";
    RECORD_TOO_WIDE = "record-too-wide", Error: "the records are larger than the format defines";
        "The header of an ActorX chunk states a size for its records that is too large. No tool is known that writes additional fields. \
         skelmap hands records out in place, with the size of the format, so it cannot read the file. Fetch the file again, or export \
         it with another tool.";
    VERSION = "version", Error: "the version is not known";
        "A Pyrogenesis file (0 A.D.) has a version in its header: 1 in animations, 1 to 4 in meshes. skelmap refuses any other version. \
         The game refuses only version 0 and reads a higher version as the newest one; with the option `--engine`, skelmap does the \
         same. Fetch the file again, or let the game convert the source (`.dae`) again.";
    UNKNOWN_VERSION = "unknown-version", Note: "no tool writes this version; the file is read as the newest version";
        "The version of this Pyrogenesis file (0 A.D.) is above 1 (animation) or above 4 (mesh). No known tool writes such a file. The \
         game reads it as the newest version, and with the option `--engine` skelmap does the same. If the values look wrong, convert \
         the file again from its source (`.dae`); otherwise ignore the note.";
    NO_FRAMES = "no-frames", Warning: "the animation has no frames, so it has no pose";
        "The header of this Pyrogenesis animation (0 A.D.) counts 0 frames. The game loads such a file and crashes at the first pose. \
         skelmap refuses the file; with the option `--engine`, skelmap reads it but computes no pose. Export the animation again with \
         at least one frame.";
    NO_RATE = "no-rate", Error: "the clip has no rate, so a time in seconds has no frame";
        "The rate says how many frames a clip plays in a second. In this file it is 0, negative, infinite or NaN, so skelmap cannot tell \
         which frame belongs to a time in seconds. Ask for a position in frames, or export the animation again with a rate. Other \
         programs assume 30 frames per second for such a file.";
    TRAILING_BYTES = "trailing-bytes", Note: "bytes follow the last section; they are ignored";
        "The file continues after its last section. In a Pyrogenesis file (0 A.D.), the game ignores such bytes; skelmap refuses the \
         file, unless the option `--engine` is given. In a `.gsa` animation, the option `--trailing-zeros` allows up to three zero \
         bytes. Ignore the note, or fetch or export the file again.";
    TIME = "time", Error: "the animation has no pose at the requested time";
        "A program asked for the pose of a Pyrogenesis animation (0 A.D.) at a time that is negative, is not a number, or is more than \
         2,147,483,647 frames after the start. In the game, the pose at a negative time is undefined. skelmap computes no pose. Ask for \
         a time of 0 ms or later; after the end of the animation, the time starts over.";
    BUFFER_SIZE = "buffer-size", Error: "a buffer does not have the length that the operation needs";
        "A program called a function for poses or skinning with a slice of the wrong length. The file is not at fault. The message \
         gives both lengths; the documentation of the function says how many elements it needs for each bone, vertex or time.";
    BONE_COUNT = "bone-count", Error: "the mesh and the animation have different numbers of bones";
        "A Pyrogenesis animation (0 A.D.) fits a mesh only if both have the same number of bones. The files have no bone names, so the \
         game compares nothing else. If the numbers differ, the game plays nothing and skelmap computes nothing. The animation belongs \
         to another skeleton: `skelmap match MESH FOLDER` lists the animations that fit.";
    TOO_MANY_PALETTES = "too-many-palettes", Error: "a mesh needs too many skins for the requested number of joints";
        "A program limited the number of joints in a skin (`--max-joints`). With this limit, the mesh needs more than 256 skins. No known mesh \
         needs more than a few. skelmap computes nothing. Raise the limit, or remove weak influences in the source model.";
    FRAME_OUT_OF_RANGE = "frame-out-of-range", Error: "the requested frame does not exist";
        "A program asked for a frame that the file does not hold. Frames count from 0, so the last frame has the number of frames minus \
         1. In an ActorX animation that is cut off, a sequence can count more frames than the file holds; `skelmap check` reports this \
         as `sequence-range`.";
    BONE_OUT_OF_RANGE = "bone-out-of-range", Error: "the requested bone does not exist";
        "A program asked for the track of a bone that the animation does not have. Bones count from 0. In a `.gsa` animation the number \
         is the place of a rotation in a frame and not the id of a bone; `Gsa::rotation_of` gives the place for an id.";
    NOT_FINITE = "not-finite", Error: "a float is infinite or not a number (NaN)";
        "A stored value is infinite or NaN, and everything computed from it becomes wrong too. CUE4Parse (ActorX) can write NaN where a \
         normal has the length 0, and an old mesh of 0 A.D. has two NaN normals. skelmap hands the value out as stored. Export the file \
         again; for a normal, compute the value from the faces.";
    WEIGHT_BONE = "weight-bone", Error: "an influence refers to a bone that does not exist";
        "An influence says how strongly a bone moves a point, and names the bone by its index. Here there is no bone with this index. \
         Users have reported ActorX files like this; with a Pyrogenesis mesh, the game reads outside of its memory. skelmap keeps the \
         index as stored. Remove the influence, or export the mesh again.";
    WEIGHT_VALUE = "weight-value", Warning: "a weight is below 0 or above 1";
        "A weight says how strongly a bone moves a point: 0 is not at all, 1 is completely. Here it lies outside of this range by more \
         than 0.001, so the point can move wrongly. skelmap keeps the weight as stored. Correct the weights in the source model and \
         export it again.";
    WEIGHT_SUM = "weight-sum", Warning: "the weights of a point do not add up to 1";
        "A weight says how strongly a bone moves a point. The weights of this point add up to less than 0.99 or more than 1.01, so the \
         point can move wrongly. CUE4Parse (ActorX) wrote such a mesh: it has 65 such points of 4,045. skelmap keeps the weights as \
         stored. Divide the weights of the point by their sum, or correct them in the source model and export it again.";
    ROTATION_ZERO = "rotation-zero", Warning: "a rotation is 0, 0, 0, 0";
        "A rotation is a quaternion: four numbers whose squares add up to 1. Four zeros are no rotation, and a program that normalises \
         them divides by 0. UModel writes them for the bones of ActorX animations (`BONENAMES`); there it is only a note, because the \
         pose comes from the mesh. skelmap keeps the value as stored. Ignore the note for `BONENAMES`; elsewhere, export the file \
         again.";
    ROTATION_UNIT = "rotation-unit", Warning: "a rotation does not have unit length";
        "A rotation is a quaternion: four numbers whose squares add up to 1. Here the sum differs from 1 by more than 0.01, so the \
         value also scales or distorts what it rotates. skelmap keeps the value as stored. Normalise the rotation before you use it, or \
         export the file again.";
    NORMAL_UNIT = "normal-unit", Warning: "a normal does not have unit length";
        "A normal is the direction of a surface at a point; light is computed with it, and it should have the length 1. Here the square \
         of the length differs from 1 by more than 0.01. skelmap keeps the value as stored. Normalise the normals when you load the \
         mesh, or compute them from the faces.";
    FACE_DEGENERATE = "face-degenerate", Note: "a face uses the same corner twice";
        "A face is a triangle. Two of its three corners are the same here, so the face has no area and is invisible. Such faces are \
         legal, and real files have them: 103 files of 0 A.D. release 28, for example. skelmap keeps the face. Ignore the note, or \
         remove such faces when you import the mesh.";
    POINT_FAR = "point-far", Warning: "a point lies far away from the rest of the model";
        "The point lies more than twenty times the size of the model outside of the box around its bones and 90 % of its points. \
         In real models, no point is farther away than five times. A model with such a point seems to vanish where a program fits its \
         box into the view, and it is drawn with a long spike. The exporter wrote a wrong number, or the source has an invisible \
         vertex. skelmap keeps the point. Remove the vertex in the source model and export it again.";
    MESH_SCALE = "mesh-scale", Warning: "the points and the bones of the mesh have different sizes";
        "For each bone, skelmap compares the position of the bone with the middle of the points that the bone moves. Together these middles \
         are more than ten times as far apart as the bones (thirty times if fewer than six bones move points), or as much closer \
         together. Real models have 0.3 to 11 times. Mesh and skeleton were exported with different units, such as metres and \
         centimetres (100), or one of them was scaled alone: when the model moves, it flies apart or stands still. Apply the scale in the \
         source, and export mesh and skeleton with one unit.";
    MESH_AXES = "mesh-axes", Warning: "the bones fit the points only with Y and Z exchanged";
        "For each bone, skelmap compares the position of the bone with the middle of the points that the bone moves. Their directions \
         differ, but they agree if Y and Z of the bones are exchanged: mesh or skeleton was exported with another up axis. When the \
         model moves, its parts rotate about the wrong points. Export mesh and skeleton again with the same axes.";
    MESH_WINDING = "mesh-winding", Warning: "the faces point against the normals of their points";
        "The order of the corners of a face says which of its sides is outside, and the normals of its points say it too. In at least \
         95 % of the faces of this mesh, the two disagree. A game that draws only the outside shows the model inside out, \
         or not at all. A mirrored model has this fault if the exporter did not reverse the faces. Four meshes of 0 A.D. release 26 have it: \
         two sails, a roof and a sword. Reverse the faces in the source model (or its normals), and export it again.";
    WEIGHTS_STILL = "weights-still", Note: "a bone moves points, but no animation moves the bone";
        "Points have weights for this bone. The bone and all bones above it stand still in all animations that were checked together with \
         the mesh and belong to it, so these points stand still while the rest of the model moves. An animation belongs to a mesh that has \
         at least half of its bones (by name), or the same number of bones if they have no names. If the points should stand still, or \
         other animations move the bone, ignore the note. Otherwise the weights are those of the wrong bone, or the exporter left the bone \
         out of the animations. `skelmap match` names such bones for one animation.";
    NO_MOTION = "no-motion", Note: "an animation of several frames moves no bone";
        "All frames of the animation are equal to the first one, so nothing moves while it plays. Games use such animations for things that \
         stand still: 6 of 100 animations of 0 A.D. release 26 are like this. If the model should move, the exporter wrote the rest pose \
         instead of the motion: choose the right action and range of frames in the source, and export it again. Otherwise ignore the \
         note.";
    ADDITIVE = "additive", Note: "the keys look like differences to another animation";
        "Nearly all bones have a translation of 0 in the first frame, and bones have a length: the keys say how far a bone is rotated and \
         moved relative to another animation, and a game adds them to that one. Aim offsets and leans are of this kind. Played alone, such a \
         sequence folds the model up in one place. `skelmap convert --additive local` adds it to the pose at rest; or use the translations \
         of the mesh. Files whose translations come from the mesh (a `.config` beside them says so) can look the same.";
    NAME_DUPLICATE = "name-duplicate", Note: "two records have the same name";
        "Two sequences or prop points of the file, or two bones of a `.gsa` animation, have the same name (upper and lower case differ \
         in Pyrogenesis files only). Real files have this: 49 meshes of 0 A.D., for example. skelmap keeps both; a search by name finds \
         the first one. Use the index where it matters, or ignore the note. For bones of ActorX files, see `bone-duplicate`.";
    NAME_ENCODING = "name-encoding", Note: "a name is not UTF-8; it is shown as Windows-1252";
        "The formats do not say how names are encoded. Old exporters used the code page of the computer, usually Windows-1252; newer \
         tools write UTF-8, and CUE4Parse can cut a long UTF-8 name inside a character. skelmap shows a name that is not valid UTF-8 as \
         Windows-1252, and keeps the bytes. If letters look wrong, rename the record in the source; otherwise ignore the note.";
    NAME_EMPTY = "name-empty", Note: "a name is empty";
        "A record has a name without any character, so a search by name cannot find it. In a `.gsa` animation, an event does not name \
         its sound: nothing follows `sound=` or `itemsound=`. skelmap keeps the record. Use its index, or give it a name in the source.";
    NEGATIVE_COUNT = "negative-count", Error: "a record count is below 0"
        => (count) "the record count is {}, expected 0 or more", i32::from_le_bytes(count.to_le_bytes());
        "The parts of an ActorX or UEFormat file begin with a header that counts the records of the part. This header states a number \
         below 0. The header is damaged, or it lies at the wrong place because bytes before it were lost or added. skelmap does not read \
         the file. Fetch it again as binary, or export it again.";
    NEGATIVE_SIZE = "negative-size", Error: "a size is below 0"
        => (size) "the size is {}, expected 0 or more", i32::from_le_bytes(size.to_le_bytes());
        "The parts of an ActorX or UEFormat file begin with a header that states a size: that of a record (ActorX), or of the part or a \
         name (UEFormat). This size is below 0. The header is damaged, or it lies at the wrong place because bytes before it were lost or \
         added. skelmap does not read the file. Fetch it again as binary, or export it again.";
    BONE_PARENT = "bone-parent", Warning: "a bone is its own parent or has a parent that does not exist; read as a root";
        "A bone names its parent by an index. Here the index is that of the bone itself, or there is no bone with this index. skelmap \
         reads the bone as a root, which is a bone without a parent. In a mesh, give the bone the right parent in the source model and \
         export it again. In an animation, ignore the warning and use the parents of the mesh; those in animations are not reliable.";
    BONE_ORDER = "bone-order", Note: "a bone comes before its parent";
        "The parent of this bone has a higher index than the bone. The format allows this, and real files have it. A program that \
         computes the bones in the order of the file uses the parent too early; `Skeleton::to_order` gives an order with parents first. \
         Ignore the note if your program does so.";
    BONE_EXTRA_ROOT = "bone-extra-root", Note: "a bone other than bone 0 is a root";
        "A root is a bone without a parent. Normally bone 0 is the only root, but files with several roots occur. skelmap reads all of \
         them. Some programs expect one root: if bones are missing there, add a common root in the source model. Otherwise ignore the \
         note.";
    BONE_CYCLE = "bone-cycle", Error: "the parents of some bones form a cycle; it is cut at the lowest bone";
        "The parent of this bone, the parent of its parent and so on lead back to the bone. Such bones have no root, and a program that \
         looks for one can run without end. Where skelmap sorts bones, it cuts the cycle at the bone with the lowest index. Correct the \
         parents in the source model, or export the file again. In an animation this is a note: importers take the parents of the mesh.";
    BONE_UNREACHABLE = "bone-unreachable", Note: "a bone does not descend from bone 0";
        "Following the parents of this bone does not lead to bone 0. They lead to another root, which is harmless where the file has \
         several models, or to bones above bone 0. It is a warning if they form a cycle or name a parent that does not exist. A \
         program that starts at bone 0 and goes to the children never meets the bone and leaves it in place. skelmap reads all bones. \
         Correct the parents in the source model, or ignore the note if the bone should be apart.";
    BONE_DUPLICATE = "bone-duplicate", Note: "two bones have the same name";
        "Two bones of the file have the same name (upper and lower case are equal). Animations find bones by their names, so most \
         programs move the first of the two only, and the other keeps its pose. Real files have this: 46 of 1,384 measured files. \
         skelmap keeps both, and gives the second bone of a name the second track of this name. Give each bone a unique name in \
         the source model, or ignore the note.";
    MORPH_POINT = "morph-point", Error: "a morph delta refers to a point that does not exist";
        "A morph target changes the shape of the mesh by deltas, and each delta names the point that it moves by an index. Here there \
         is no point with this index. skelmap keeps the delta as stored. Ignore this delta in your program, or export the mesh again.";
    SOCKET_BONE = "socket-bone", Warning: "a socket names a bone that does not exist";
        "A socket is a place on a bone where a game attaches another model. CUE4Parse writes sockets as an option. Here no bone of the \
         mesh has the name that the socket states (upper and lower case are equal). skelmap keeps the socket as stored. Export the mesh \
         with all its bones, or attach the model to another bone.";
    SEQUENCE_RATE = "sequence-rate", Warning: "the frame rate of a sequence is not a positive number";
        "A sequence states how many frames it plays in a second (ActorX: `AnimRate`; UEFormat: `FramesPerSecond`). Here the number is 0, negative, infinite or NaN, so the \
         duration of the sequence is not known. skelmap reads the frames and states no rate and no duration. Use a default, such as 30 \
         frames per second, or export the file again with a rate.";
    FACE_VERTEX = "face-vertex", Error: "a face refers to a vertex that does not exist";
        "A face is a triangle, and names its three vertices by their index. Here at least one of these vertices does not exist. The \
         game does not check this. skelmap keeps the face as stored. Remove the face, or export the mesh again.";
}
