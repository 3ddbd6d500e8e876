//! The codes of Pyrogenesis files, and those that Pyrogenesis shares with UEFormat.

pub use crate::report::codes::FACE_VERTEX;

use crate::report::only;

crate::codes! {
    DATA_SIZE = "data-size", Error: "the size in the header differs from the size of the file"
        => (stated, high, low)
        "the header says that {stated} bytes follow it, but {} do: the file {}",
        u64::from(high) << 32 | u64::from(low),
        if high == 0 && low < stated { "is cut off or damaged" } else { "has extra bytes at its end or is damaged" };
        "The header of a Pyrogenesis file (0 A.D.) states how many bytes follow the header. The number is wrong: the file is cut \
         off, has extra bytes at its end, or is damaged. The game refuses such a file, and so does skelmap. Fetch the file again as \
         binary, or let the game convert the source (`.dae`) again.";
    FRAME_LENGTH = "frame-length", Warning: "the frame length is not a positive number; there is no pose"
        => (bits) "the frame length is {} ms, expected a number above 0", f32::from_bits(bits);
        "The frame length is the duration of a frame in milliseconds; the converter of 0 A.D. writes 33.33. Here it is 0, negative, \
         infinite or NaN. The game loads such an animation, but its pose is undefined. skelmap refuses the file; with the option \
         `--engine`, skelmap reads it but computes no pose. Export the animation again.";
    NO_BONES = "no-bones", Warning: "the animation has frames but no bones, so it moves nothing";
        "The header of this Pyrogenesis animation (0 A.D.) counts frames of 0 bones. Such frames have no bytes, so the file does not \
         limit their number: a file of 28 bytes can state four thousand million frames. skelmap reads the file and counts 0 frames, \
         because none is stored. Export the animation again with the bones of the skeleton.";
    VERTEX_BONE = "vertex-bone", Error: "a vertex refers to a bone that does not exist"
        => (vertex, bone, count) "vertex {vertex} refers to bone {bone}; the mesh has {}", only(count, "bone", "bones");
        "Skinning moves each vertex by bones, which the vertex names by their index. Here there is no bone with this index. (From \
         version 3 on, an index equal to the number of bones is allowed and means the model.) The game reads outside of its memory \
         here; skelmap stops with this error. `skelmap check` reports these vertices as `weight-bone`; export the mesh again.";
    VERTEX_UNWEIGHTED = "vertex-unweighted", Error: "no bone moves a vertex"
        => (vertex) "no bone moves vertex {vertex}";
        "The mesh has bones, but the first bone index of this vertex is 0xFF, which means that there is none. The game reads outside of \
         its memory when it moves the vertex. skelmap reads the mesh, but cannot skin it. Give the vertex a bone in the source model \
         and export it again.";
    BIND_RELATIVE = "bind-relative", Error:
        "the vertices are relative to the bind pose (versions 1 and 2); convert them to model space first";
        "Meshes of versions 1 and 2 with bones, such as those of the old exporter for 3ds Max, store their vertices relative to the \
         bind pose, which is the pose of the skeleton when the mesh was attached to it. The game moves the vertices to model space when \
         it loads the file; `Pmd::skin` does not. Call `Pmd::to_model_space`, and then `Pmd::skin_rest` with the result. The command \
         `skelmap skin` does this by itself.";
    MODEL_BOUND = "model-bound", Note: "a vertex moves with the model, not with a bone";
        "A vertex names the bones that move it by their index. An index equal to the number of bones means the model itself; this is \
         allowed from version 3 on. The converter of 0 A.D. writes it, and four meshes of the game have it, all of them sails of ships. \
         skelmap skins such a vertex as the game does. Ignore the note; in another program, let the vertex follow the model.";
    NO_UVS = "no-uvs", Warning: "the vertices have no UV set";
        "A UV set gives each vertex its place in a texture. This mesh has none, so a texture cannot be shown on it; all meshes of 0 \
         A.D. have 1 to 3 sets. skelmap reads the mesh. If the mesh needs a texture, add texture coordinates in the source model and \
         export it again; otherwise ignore the warning.";
    PROP_BONE = "prop-bone", Error: "a prop point refers to a bone that does not exist";
        "A prop point is a place where the game attaches another model, such as a sword or a rider, to a bone. Here there is no bone \
         with the index that the prop point names. The game does not check this. skelmap keeps the index as stored. Attach the prop \
         point to another bone in the source model and export it again.";
}
