//! The codes of archives only.

crate::codes! {
    NO_DIRECTORY = "zip-no-directory", Error: "the directory at the end of a ZIP archive is missing";
        "A ZIP archive ends with a directory of its entries. skelmap found none, or one with an offset outside of the file. The file is \
         not an archive, or is truncated. Fetch it again, and compare its size with the original.";
    DIRECTORY = "zip-directory", Error: "the directory is damaged";
        "The directory of the archive ends in the middle of a record, or a record makes no sense. The message says how many entries came \
         before. skelmap reads no entry. Fetch the archive again, or repair it with `zip -FF`.";
    ENTRY_COUNT = "zip-entry-count", Error: "the number of entries in the directory differs from the number that its end states";
        "The end of the directory states a number of entries that is not the number in the directory. Programs that trust different \
         numbers see different archives, so skelmap reads no entry. Make the archive again.";
    TOO_MANY_ENTRIES = "zip-too-many-entries", Error: "there are more entries than the limit";
        "The archive states more entries than the program allows, so that a hostile archive cannot take all memory. A library user \
         can raise the limit with `Limits::entries`. With the command, unpack the archive with another program.";
    DIRECTORY_TOO_LARGE = "zip-directory-too-large", Error: "the directory is larger than the limit";
        "The directory of the archive has more bytes than the program reads into memory, so that a hostile archive cannot take all memory. \
         A library user can raise the limit with `Limits::directory`, up to 4 GiB. With the command, unpack the archive with another program.";
    OVERLAP = "zip-overlap", Error: "two entries share bytes";
        "The data of two entries share bytes. Normal archives have no such entries; ZIP bombs have. skelmap \
         reads no entry. Do not trust this archive; pack it again from the original files.";
    LOCAL_HEADER = "zip-local-header", Error: "the header before the data of an entry is damaged, or the data reaches past the archive";
        "A record before the data of the entry repeats what the directory says. Here that record is damaged, or the data would reach \
         past the archive. Other entries can still be read. Fetch the archive again.";
    LOCAL_NAME = "zip-local-name", Error: "the name in the header before the data of an entry differs from the name in the directory";
        "The name in the record before the data differs from the directory, so the data may belong to another entry. skelmap does not read \
         this entry. Make the archive again.";
    UNSUPPORTED = "zip-unsupported", Error: "the compression or encryption is not supported";
        "skelmap reads entries that are stored or deflated. The entry is encrypted or compressed in another way; the message says how. \
         Pack the archive again without a password, with deflate or without compression.";
    TOO_LARGE = "zip-too-large", Error: "an entry is larger than the limit";
        "The entry states more bytes than the program inflates into memory, so that a small archive cannot take all memory. A library user \
         can raise the limit with `Limits::inflated`. Stored entries have no limit. With the command, unpack the archive with another program.";
    SIZE = "zip-size", Error: "the size of the data differs from the size in the directory";
        "The data of the entry has fewer or more bytes than the directory states. The entry is damaged, or the archive is malicious. \
         Fetch the archive again.";
    DEFLATE = "zip-deflate", Error: "the compressed data is damaged";
        "The compressed data of the entry is damaged and cannot be inflated. Other entries can still be read. Fetch the archive again.";
    CHECKSUM = "zip-checksum", Error: "the checksum of the data differs from the checksum in the directory";
        "The directory has a checksum (CRC-32) of the data of each entry. The data of this entry has a different one: some of its bytes have \
         changed. `check`, `info`, `extract`, `cat`, `convert` and `view` compare checksums, and all commands those of a store without \
         versions. Fetch the archive again.";
    NO_SUCH_ENTRY = "zip-no-such-entry", Error: "there is no such entry";
        "The archive has no entry with this name. Names have `/` between folders, and upper and lower case count. `skelmap ls ARCHIVE` \
         lists the assets.";
    UNSAFE_NAME = "zip-unsafe-name", Error: "the name leads out of the target folder, or is not a valid path on every system";
        "As a path, the name of the entry would lead out of the folder that it is extracted to, or would mean a device or another file on \
         some system. skelmap extracts no such entry. The message says what is wrong with the name. Do not trust the archive; \
         if it is yours, rename the entry.";
}
