"""Proves that meshes and animations of 0 A.D. made from glTF are those that the game's own converter makes of the same scenes in Collada:
collada.py SKELMAP LIBRARY SCENES

SCENES has INDEX.tsv with a line for each scene and clip, the scenes as GLB and in dae/, and skeletons/.
"""

import csv
import ctypes
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

from pyrogenesis import Mesh, compare_keys, compare_meshes

# Blender writes normals with four decimals.
NORMAL = 2e-4
# The game does not find a bone whose name has a dot: this one of the fox's tail.
UNNAMED = {"r1_fox": [35]}
# Blender numbers objects of one name. The game keeps the number, `skelmap` takes it off.
NUMBERED = {"arrow_001": "arrow"}

LOG = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p)
OUTPUT = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint)


class Converter:
    """The converter of the game."""

    def __init__(self, path, skeletons):
        self.library, self.messages = ctypes.CDLL(path), []
        # The library keeps a pointer to this function.
        self.log = LOG(lambda _, level, text: self.messages.append(text.decode()))
        self.library.set_logger(self.log, None)
        for file in skeletons:
            text = file.read_bytes()
            assert self.library.set_skeleton_definitions(text, len(text)) == 0, f"{file}: {self.messages}"

    def convert(self, kind, path):
        parts = []
        output = OUTPUT(lambda _, data, length: parts.append(ctypes.string_at(data, length)))
        status = getattr(self.library, f"convert_dae_to_{kind}")(path.read_bytes(), output, None)
        assert status == 0, f"{path}: status {status}: {self.messages}"
        return b"".join(parts)


def check(row, folder):
    name, dae = row["file"], scenes / "dae" / (row["file"] + ".dae")
    line = [skelmap, "convert", scenes / row["glb"], "-o", folder / "m.pmd", "--axes", "blender", "--frames", "engine"]
    if row["skeleton"] != "-":
        line += ["--skeleton", scenes / "skeletons"]
    if name == "s12_unknown_bones":
        line += ["--unknown", "drop"]
    subprocess.run(line, check=True, capture_output=True)
    but_bones = UNNAMED.get(name, [])
    theirs = Mesh(converter.convert("pmd", dae), NUMBERED)
    worst = compare_meshes(name, Mesh((folder / "m.pmd").read_bytes()), theirs, NORMAL, but_bones)
    keys = []
    if row["expected_psa"] != "-":
        [path] = [path for path in folder.glob("*.psa") if "@" not in name or path.stem.endswith(name.split("@")[1].lower())]
        keys = compare_keys(name, path.read_bytes(), converter.convert("psa", dae), theirs.size, but_bones)
    print(f"{name}: {len(theirs.faces)} triangles, {len(theirs.bones)} bones, {'an' if keys else 'no'} animation")
    return worst + (keys or [0, 0])


skelmap, library, scenes = sys.argv[1:]
scenes = pathlib.Path(scenes)
converter = Converter(library, sorted((scenes / "skeletons").glob("*.xml")))
with open(scenes / "INDEX.tsv", newline="", encoding="utf-8") as file:
    rows = list(csv.DictReader(file, delimiter="\t"))
assert rows, "there are no scenes"
found = []
for row in rows:
    with tempfile.TemporaryDirectory() as folder:
        found.append(check(row, pathlib.Path(folder)))
position, weight, bone, degrees, key, key_degrees = np.max(found, axis=0)
print(
    f"{len({row['glb'] for row in rows})} scenes are as the game makes them: positions {position:.1e} of the size, weights {weight:.1e}, "
    f"bones {bone:.1e} and {degrees:.1e} degrees, keys {key:.1e} and {key_degrees:.1e} degrees"
)
