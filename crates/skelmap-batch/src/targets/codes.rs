//! The codes of what targets refuse or spoil.

skelmap::codes! {
    TARGET_FORMAT = "target-format", Error: "the target does not read files of this format";
        "`--for` names the program that should read the file, and it reads others. `skelmap convert --for` with the same name makes what it reads.";
    TARGET_LIMIT = "target-limit", Error: "the file has more of something than the target can hold";
        "`--for` names the program that should read the file. Its indices, tables or shaders hold a fixed number of elements, and the file has more: \
         the program refuses the file, or shows it broken without a word. The message has both numbers. Split the mesh, or remove what it does not need.";
    TARGET_INFLUENCES = "target-influences", Warning: "points have more influences than the target keeps";
        "An influence says how strongly a bone moves a point. `--for` names a program that keeps only the strongest few of each point, mostly four, and \
         drops the others: the surface can bend in another way. Limit the influences in the source (Blender: Limit Total), and look at the model again.";
    TARGET_NAME = "target-name", Warning: "the target cuts, changes or does not find a name";
        "`--for` names a program that takes only names of some characters or of some length. It cuts or changes others without a word, and what looks for the \
         name later does not find it: an animation, an attachment, a script. Give the bone, the sequence or the material another name: `skelmap edit` does.";
    TARGET_CHUNK = "target-chunk", Warning: "a chunk that the target does not expect, or not in this place";
        "The importers of Unreal Engine 1 to 3 read the seven chunks of a mesh and the four of an animation by their place, and do not look at their names. \
         Chunks after them are not read; a chunk between them, or a missing one, makes them read nonsense. `skelmap edit --drop-extras` leaves out what they \
         do not read.";
    TARGET_LOSS = "target-loss", Note: "a part of a glTF file that the target's format cannot hold, or that is computed";
        "`--for` names a program that reads another format than glTF. What `skelmap convert` would leave out, cut, rename or compute on the way is counted, without \
         writing anything: textures, morph targets, attachments that hang on no joint, weak influences, normals that are not there. Nothing has to be done if \
         the model does not need it.";
    TARGET_MISSING = "target-missing", Error: "the target needs something that the file does not have";
        "`--for` names a program that cannot use a mesh without it: a bone, a material, or an influence for each point. `skelmap convert` adds what is missing \
         to a mesh that it makes: `skelmap convert mesh.psk -o new.psk --for` and the name of the program.";
}
