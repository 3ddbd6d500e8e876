"""Compresses the files of a wheel as small as Deflate can, in a minute: pack.py WHEEL"""

import sys
import zipfile
from pathlib import Path

from zopfli.zlib import compress


class Zopfli:
    """A compressor as `zipfile` wants it: raw Deflate, which is what Zopfli makes between a header of 2 bytes and a sum of 4."""

    def __init__(self):
        self.bytes = bytearray()

    def compress(self, data):
        self.bytes += data
        return b""

    def flush(self):
        return compress(bytes(self.bytes), numiterations=5, blocksplittingmax=0)[2:-4]


zipfile._get_compressor = lambda *_: Zopfli()
wheel = Path(sys.argv[1])
small = wheel.with_suffix(".small")
with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(small, "w", zipfile.ZIP_DEFLATED) as new:
    for entry in old.infolist():
        new.writestr(entry, old.read(entry), zipfile.ZIP_DEFLATED)
small.replace(wheel)
