"""Writes the archives of Python's zipfile into the current folder. See README.md."""

import io
import zipfile

TEXT = b"name = skelmap\n" * 20
MODEL = bytes(range(256))
DATE = (2001, 2, 3, 4, 5, 6)


def info(name, method=zipfile.ZIP_STORED, kind=zipfile.ZipInfo, comment=b""):
    entry = kind(name, DATE)
    entry.compress_type = method
    entry.comment = comment
    entry.external_attr = (0o40755 << 16 | 0x10) if name.endswith("/") else 0o644 << 16
    return entry


class CodePage437(zipfile.ZipInfo):
    """A name as DOS wrote it: zipfile itself only writes ASCII and UTF-8."""

    def _encodeFilenameFlags(self):
        return self.filename.encode("cp437"), self.flag_bits & ~0x800


class Unseekable(io.RawIOBase):
    """A pipe: zipfile cannot go back to a local header, so it writes data descriptors."""

    def __init__(self, file):
        self.file = file

    def writable(self):
        return True

    def write(self, data):
        return self.file.write(data)


with zipfile.ZipFile("python_stored.zip", "w") as archive:
    archive.writestr(info("mod/"), b"")
    archive.writestr(info("mod/model.bin"), MODEL)
    archive.writestr(info("mod/empty"), b"")

with zipfile.ZipFile("python_deflated.zip", "w") as archive:
    archive.writestr(info("mod/text.txt", zipfile.ZIP_DEFLATED), TEXT)
    archive.writestr(info("mod/model.bin", zipfile.ZIP_DEFLATED), MODEL)
    archive.writestr(info("mod/empty", zipfile.ZIP_DEFLATED), b"")

with zipfile.ZipFile("python_comments.zip", "w") as archive:
    archive.writestr(info("text.txt", comment=b"of an entry"), TEXT)
    archive.writestr(info("model.bin", comment=b"of another"), MODEL)
    archive.comment = b"of the archive"

with zipfile.ZipFile("python_names.zip", "w") as archive:
    archive.writestr(info("ascii.txt"), b"ascii")
    archive.writestr(info("h\u00e9ros/\u30e2\u30c7\u30eb.psk"), b"utf-8")
    archive.writestr(info("h\u00e9ros/\u2592\u03a3.psk", kind=CodePage437), b"cp437")

with open("python_streamed.zip", "wb") as file, zipfile.ZipFile(Unseekable(file), "w") as archive:
    archive.writestr(info("model.bin"), MODEL)
    archive.writestr(info("text.txt", zipfile.ZIP_DEFLATED), TEXT)

with zipfile.ZipFile("python_twice.zip", "w") as archive:
    archive.writestr(info("text.txt"), b"the first")
    archive.writestr(info("text.txt"), b"the last")

# ZIP64 in the local headers only.
with zipfile.ZipFile("python_zip64_local.zip", "w") as archive:
    for name, method, data in [("model.bin", zipfile.ZIP_STORED, MODEL), ("text.txt", zipfile.ZIP_DEFLATED, TEXT)]:
        with archive.open(info(name, method), "w", force_zip64=True) as file:
            file.write(data)

with open("python_zip64_streamed.zip", "wb") as file, zipfile.ZipFile(Unseekable(file), "w") as archive:
    for name, method, data in [("model.bin", zipfile.ZIP_STORED, MODEL), ("text.txt", zipfile.ZIP_DEFLATED, TEXT)]:
        with archive.open(info(name, method), "w", force_zip64=True) as file:
            file.write(data)

# ZIP64 everywhere: every number that is above 8 counts as too large for a plain field.
zipfile.ZIP64_LIMIT = 8
with zipfile.ZipFile("python_zip64.zip", "w") as archive:
    archive.writestr(info("model.bin"), MODEL)
    archive.writestr(info("text.txt", zipfile.ZIP_DEFLATED), TEXT)
    archive.writestr(info("short"), b"short")
