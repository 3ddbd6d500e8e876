//! The codes of the text files of mods.

skelmap::codes! {
    INVALID_XML = "invalid-xml", Error: "the text is no XML that an actor, a variant or a skeleton can be read from";
        "Actors, variants and skeletons of 0 A.D. are XML in UTF-8, without a document type and without entities of their own, of at most \
         1 MiB. The message says what was met, and the offset where. Open the file in an editor that knows XML.";
    INVALID_MOD_JSON = "invalid-mod-json", Error: "the file `mod.json` does not describe a mod";
        "`mod.json` is a JSON object with a `name` and a list of `dependencies`, of at most 1 MiB. The message says what was met instead.";
    TOO_MANY_PARTS = "too-many-parts", Error: "an actor names more files than any actor needs";
        "An actor with its variants may name 4096 files and join 4096 files with each other in a million ways, and all actors a million \
         files. The largest of the game names some hundred. The actor is not read further.";
}
