"""Packs a folder, the same bytes for the same files: zip.py ZIP FOLDER. Times are SOURCE_DATE_EPOCH."""

import os
import sys
import time
import zipfile
from pathlib import Path

when = time.gmtime(max(int(os.environ["SOURCE_DATE_EPOCH"]), 315532800))[:6]
with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED, compresslevel=9) as made:
    for path in sorted(path for path in Path(sys.argv[2]).rglob("*") if path.is_file()):
        entry = zipfile.ZipInfo(path.as_posix(), when)
        entry.create_system = 3
        entry.external_attr = (0o100755 if os.access(path, os.X_OK) else 0o100644) << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        made.writestr(entry, path.read_bytes())
