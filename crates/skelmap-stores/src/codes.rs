//! The codes of objects in stores only.

skelmap::codes! {
    REMOTE_ADDRESS = "remote-address", Error: "the text is not an address of an object";
        "An address has the form `s3://BUCKET/KEY`, `gs://BUCKET/KEY`, `az://CONTAINER/BLOB`, `https://HOST/PATH` or `http://HOST/PATH`. \
         The message says what is wrong. Do not write a user name or a password into an address: set them in the environment.";
    REMOTE_NOT_FOUND = "remote-not-found", Error: "the store has no such object";
        "The store answers that there is no object and no prefix with this address. Check the spelling; upper and lower case count.";
    REMOTE_DENIED = "remote-denied", Error: "the store does not allow this user to read the object";
        "The store refuses the request. Credentials come from the usual variables of the environment, such as `AWS_ACCESS_KEY_ID`, \
         `AWS_SECRET_ACCESS_KEY` and `AWS_REGION`, `GOOGLE_APPLICATION_CREDENTIALS`, `AZURE_STORAGE_ACCOUNT_NAME` and \
         `AZURE_STORAGE_ACCOUNT_KEY`. For a public bucket, set `AWS_SKIP_SIGNATURE=true`.";
    REMOTE_CHANGED = "remote-changed", Error: "the file on the server changed while it was read; read it again";
        "The first answer of the store named a version of the object, and a later answer is about another version. Results of both \
         together would be wrong. Run the command again when no program writes to the object.";
    REMOTE_NO_RANGES = "remote-no-ranges", Error: "the server does not support range requests";
        "skelmap asks for ranges of bytes. This server answers with the whole object, or with another range. Download the object and \
         read the file, or use a server that supports ranges.";
    REMOTE_LENGTH = "remote-length", Error: "the server sent more or fewer bytes than requested";
        "The body of an answer is longer or shorter than its header says. The server, or a proxy before it, has a fault. Try \
         again; if the fault stays, download the object with another program and compare its size.";
    REMOTE_TOO_LARGE = "remote-too-large", Error: "the object is larger than the limit";
        "A whole object, or a whole entry of an archive, is read into memory, and the store states more bytes than the limit. Download \
         the object and read the file, which is mapped. A library user can raise `Options::max_object`.";
    REMOTE_LIMIT = "remote-limit", Error: "the limit of bytes for this run is reached";
        "The bytes of this run from stores are limited (`--max-bytes`). All results before the limit are complete. Allow more, or name \
         fewer objects.";
    REMOTE_UNAVAILABLE = "remote-unavailable", Error: "the store cannot be reached, or its answer is an error";
        "The message repeats the last answer. skelmap tried several times, with pauses in between. Check the network, the address, \
         the endpoint (`AWS_ENDPOINT`) and the region, and try again.";
    REMOTE_REDIRECT = "remote-redirect", Error: "the server redirects to an address that is not followed";
        "A redirect is followed at most ten times, from https to https only, without a user name, and not from a public server to an \
         address of this machine or of a local network. The query of an address may be a credential, so such an address is not redirected to \
         another server, unless `--redirect-queries` allows it; the other server never gets the query. Name the final address itself.";
    REMOTE_NO_LIST = "remote-no-list", Error: "the server does not list objects";
        "A plain web server has no list of its files that programs can read; buckets and WebDAV servers have. Name the objects \
         themselves.";
}
