"""Proves that PSK and PSA files made from glTF are read by psk_psa_py as those that the glTF was made from: check.py SKELMAP MESH...

Compared are the corners of all triangles, posed by this script with what psk_psa_py reads: as bound, and at three frames of the first
sequences. The animation of a mesh lies beside it.
"""

import pathlib
import subprocess
import sys
import tempfile

import numpy as np
from psk_psa_py.psa.reader import PsaReader

from actorx import Mesh, animation_beside, frames_of

# Of the size of the mesh.
TOLERANCE = 1e-5
# Sequences of a file that are compared.
MOST = 3


def apart(one, other, unused):
    return np.where(unused, 0, np.abs(one - other).max(axis=2)).max()


def check(skelmap, path, folder):
    glb, back = folder / "m.glb", folder / "m.psk"
    beside = animation_beside(path)
    animation = ["--anim", beside] if beside.exists() else []
    for command in [[path, *animation, "-o", glb, "--keep-unused"], [glb, "-o", back]]:
        subprocess.run([skelmap, "convert", *command], check=True, capture_output=True)
    one, two = Mesh(path), Mesh(back)
    assert one.points.shape == two.points.shape, f"{path}: other triangles"
    assert np.array_equal(one.uvs, two.uvs), f"{path}: other texture coordinates"
    bound, unused = one.posed(one.rest), one.many()
    size = np.ptp(bound.reshape(-1, 3), axis=0).max()
    found = [apart(bound, two.posed(two.rest), False) / size]
    frames = 0
    if animation and back.with_suffix(".psa").exists():
        with PsaReader.from_path(beside) as before, PsaReader.from_path(back.with_suffix(".psa")) as after:
            for sequence, info in list(before.sequences.items())[:MOST]:
                assert after.sequences[sequence].frame_count == info.frame_count, f"{path}: other frames in {sequence}"
                for frame in frames_of(info):
                    posed = [mesh.posed(mesh.at(reader, sequence, frame)) for mesh, reader in [(one, before), (two, after)]]
                    found.append(apart(*posed, unused) / size)
                    frames += 1
    print(f"{path.name}: {len(one.points)} triangles, {frames} frames, {max(found):.1e} of the size, {unused.sum()} corners left out")
    assert max(found) < TOLERANCE, f"{path}: {max(found)}"
    return frames


skelmap, *paths = sys.argv[1:]
frames = 0
for path in map(pathlib.Path, paths):
    with tempfile.TemporaryDirectory() as folder:
        frames += check(skelmap, path, pathlib.Path(folder))
assert frames, "no frame was compared"
print(f"{len(paths)} meshes and {frames} frames come back")
