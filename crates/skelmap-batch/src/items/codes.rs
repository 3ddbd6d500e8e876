//! The codes of files that cannot be opened.

skelmap::codes! {
    NOT_FOUND = "not-found", Error: "there is no such file"; "Nothing has this path. Check the spelling and the folder.";
    PERMISSION_DENIED = "permission-denied", Error: "the system does not allow this user to read the file";
        "Change the permissions of the file or of a folder above it, or run as another user.";
    IS_A_DIRECTORY = "is-a-directory", Error: "the path is a folder where a file is needed"; "Name a file in the folder.";
    IO = "io", Error: "the system cannot open or read the file";
        "The message repeats what the system said. The disk, the network or the file system may have a fault.";
}
