"""Proves that models come back from Blender as they were: blender.py SKELMAP [SAMPLES]

Files of games become glTF, Blender imports and exports that, and it becomes files of games again.
"""

import contextlib
import io
import logging
import os
import pathlib
import subprocess
import sys
import tempfile

import bpy
import numpy as np
from psk_psa_py.psa.reader import PsaReader
from sets import first_same, triangles

import actorx
import pyrogenesis

# The frames of the files. Of others, the exporter would write what Blender computes between keys.
RATE = 30
# Blender keeps the normal of a corner as two angles in 16 bits.
NORMAL = 2e-3
# Places of corners, as a part of the size, and texture coordinates.
POSED, UV = 1e-5, 2e-6
# The importer and the exporter tell of each step.
logging.disable(logging.INFO)

skelmap, samples = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""


def through_blender(path, back):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = RATE
    with contextlib.redirect_stdout(io.StringIO()):
        bpy.ops.import_scene.gltf(filepath=str(path), disable_bone_shape=True)
        # "Optimize Animation Size" leaves out keys that differ little: models move by up to 0.00006 of their size.
        bpy.ops.export_scene.gltf(filepath=str(back), export_format="GLB", export_optimize_animation_size=False)


def convert(*line):
    done = subprocess.run([skelmap, "convert", *line], capture_output=True, text=True)
    assert done.returncode == 0, f"skelmap convert {' '.join(map(str, line))}: {done.stderr}"


def there_and_back(mesh, animation, back, there=(), options=()):
    first, second = back.with_name("first.glb"), back.with_name("second.glb")
    convert(mesh, "--anim", animation, "--fits", "any", "--keep-unused", *there, "-o", first)
    through_blender(first, second)
    convert(second, *options, "-o", back)


def check_pyrogenesis(folder, mesh, animation, there, options):
    there_and_back(mesh, animation, folder / "back.pmd", there, ["--like", mesh, *options])
    [back] = folder.glob("*.psa")
    one, two = (pyrogenesis.Mesh(path.read_bytes()) for path in (mesh, folder / "back.pmd"))
    position, weight, bone, degrees = pyrogenesis.compare_meshes(mesh.name, two, one, NORMAL)
    key, key_degrees = pyrogenesis.compare_keys(animation.name, back.read_bytes(), animation.read_bytes(), one.size)
    print(
        f"{mesh.name}, {animation.name}: {len(one.faces)} triangles; positions {position:.1e} of the size, weights {weight:.1e}, "
        f"bones {bone:.1e} and {degrees:.1e} degrees, keys {key:.1e} and {key_degrees:.1e} degrees"
    )


def check_actorx(folder, mesh, animation):
    there_and_back(mesh, animation, folder / "back.psk")
    meshes = [actorx.Mesh(path) for path in (mesh, folder / "back.psk")]
    # Blender sorts the bones.
    assert meshes[0].parents() == meshes[1].parents(), f"{mesh.name}: other bones: {meshes[1].parents()}"
    poses, frames = [[own.posed(own.rest)] for own in meshes], 0
    with PsaReader.from_path(animation) as before, PsaReader.from_path(folder / "back.psa") as after:
        for sequence, info in before.sequences.items():
            if info.fps != RATE:
                continue
            found = after.sequences[sequence]
            assert (found.frame_count, found.fps) == (info.frame_count, RATE), f"{animation.name}: other frames in {sequence}"
            for frame in actorx.frames_of(info):
                for own, reader, posed in zip(meshes, (before, after), poses, strict=True):
                    posed.append(own.posed(own.at(reader, sequence, frame)))
                frames += 1
    assert frames, f"{animation.name}: no frame was compared"
    # A corner is where it is in all poses, and its texture coordinates.
    size = np.ptp(poses[0][0].reshape(-1, 3), axis=0).max()
    limits = [POSED * size] * len(poses[0]) + [UV]
    corners = [
        np.dstack([part / limit for part, limit in zip([*posed, own.uvs], limits, strict=True)]).reshape(len(own.points) * 3, -1)
        for own, posed in zip(meshes, poses, strict=True)
    ]
    (mine, of_mine), (theirs, of_theirs) = (np.unique(own, axis=0, return_inverse=True) for own in corners[::-1])
    numbers = first_same(mine, theirs, f"{mesh.name}, of the new file")
    first_same(theirs, mine, f"{mesh.name}, of the expected file")
    own = first_same(theirs, theirs, mesh.name)
    assert triangles(of_mine.reshape(-1, 3), numbers) == triangles(of_theirs.reshape(-1, 3), own), f"{mesh.name}: other triangles"
    worst = np.abs(mine - theirs[numbers])[:, :-2].max() * POSED
    print(f"{mesh.name}, {animation.name}: {len(meshes[0].points)} triangles, {frames} frames; places {worst:.1e} of the size")


corpus, samples = pathlib.Path("corpus"), samples and pathlib.Path(samples)
pyrogenesis_models = [(corpus / "fox.pmd", corpus / "fox_walk.psa", [], ["--joint-order"])]
actorx_models = [(corpus / "fox.psk", corpus / "fox.psa")]
if samples:
    scenes = samples / "zeroad"
    for name, skeleton in [("r1_fox", "fox_armature.xml"), ("r2_chicken", "chicken.xml")]:
        options = ["--skeleton", scenes / "skeletons" / skeleton]
        pyrogenesis_models.append((scenes / f"{name}.a28.pmd", scenes / f"{name}.a28.psa", options, options))
    # Blender drops the second of two triangles with the same corners, which many meshes have.
    for name in ("skGinnyPrivet", "skSpiderSmall", "skspikybushnothorns"):
        actorx_models.append((samples / f"pairs/{name}Mesh.psk", samples / f"pairs/{name}Anims.psa"))
for check, models in [(check_pyrogenesis, pyrogenesis_models), (check_actorx, actorx_models)]:
    for model in models:
        with tempfile.TemporaryDirectory() as folder:
            check(pathlib.Path(folder), *model)
print(f"{len(pyrogenesis_models) + len(actorx_models)} models come back from Blender {bpy.app.version_string}")
sys.stdout.flush()
# The module of Blender may crash when it is unloaded, after all is proved.
os._exit(0)
