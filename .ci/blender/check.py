"""Proves that Blender poses the files of `skelmap convert` as `skelmap skin` does: check.py SKELMAP [SAMPLES]

All actions of a file are played one after the other, forwards and backwards, without a rest between: a bone that keeps the pose of the action
before shows. Compared are frames that have keys: between them, Blender blends rotations in another way.
"""

import contextlib
import io
import json
import logging
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

import bpy
import numpy as np

RATE = 30
# The importer tells of each step.
logging.disable(logging.INFO)
# Of the size of the model. Compact files may be off by 1/18,000 of an edge in each key, rounded weights and normals aside.
TOLERANCE = 1e-4
# Actions of a file that are compared, of which all are played, and vertices of each pose.
MOST = 8
MOST_POINTS = 1000

skelmap, samples = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""


def animations(path):
    """For each animation of a file its name, the sequence, and its number of frames."""
    data = path.read_bytes()
    root = json.loads(data[20 : 20 + struct.unpack_from("<I", data, 12)[0]])
    found = []
    for animation in root["animations"]:
        end = max(root["accessors"][sampler["input"]]["max"][0] for sampler in animation["samplers"])
        found.append((animation["name"], animation.get("extras", {}).get("sequence"), round(end * RATE)))
    return found


def skinned(mesh, animation, sequence, frame):
    """The vertices as the command evaluates them, in the axes of Blender."""
    line = [skelmap, "skin", mesh, "--anim", animation, "--space", "gltf", "--influences", "4", "--at", f"{frame / RATE}s"]
    if sequence:
        line += ["--sequence", sequence]
    rows = json.loads(subprocess.run(line, check=True, capture_output=True).stdout)["vertices"]
    x, y, z = np.array([row["position"] for row in rows]).T
    return np.stack([x, -z, y], axis=1)


def load(path):
    """Imports a file into an empty scene. Returns the armature and the meshes."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = RATE
    with contextlib.redirect_stdout(io.StringIO()):
        bpy.ops.import_scene.gltf(filepath=str(path), disable_bone_shape=True)
    objects = bpy.context.scene.objects
    [armature] = [own for own in objects if own.type == "ARMATURE"]
    armature.animation_data.use_nla = False
    return armature, [own for own in objects if own.type == "MESH"]


def play(armature, action, frame):
    armature.animation_data.action = action
    if hasattr(armature.animation_data, "action_slot") and action.slots:
        armature.animation_data.action_slot = action.slots[0]
    bpy.context.scene.frame_set(frame)


def posed(meshes):
    graph = bpy.context.evaluated_depsgraph_get()
    found = []
    for own in meshes:
        shown = own.evaluated_get(graph)
        mesh = shown.to_mesh()
        points = np.empty(len(mesh.vertices) * 3)
        mesh.vertices.foreach_get("co", points)
        matrix = np.array(own.matrix_world)
        found.append(points.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3])
        shown.to_mesh_clear()
    return np.concatenate(found)


def distance(points, expected):
    """The greatest distance of a point from the nearest expected one, as a part of the size."""
    size = np.linalg.norm(np.ptp(expected, axis=0))
    points = points[:: max(1, len(points) // MOST_POINTS)]
    worst = 0.0
    for block in np.array_split(points, max(1, len(points) // 256)):
        away = np.linalg.norm(block[:, None] - expected[None], axis=2).min(axis=1)
        worst = max(worst, away.max())
    return worst / size


def check(mesh, animation, *options):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "model.glb")
        line = [skelmap, "convert", mesh, "--anim", animation, *options, "-o", path]
        subprocess.run(line, check=True, capture_output=True)
        armature, meshes = load(path)
        clips = animations(path)
    actions = {}
    for name, _, _ in clips:
        own = [own for own in bpy.data.actions if own.name == name or own.name.startswith(f"{name}_")]
        assert own, f"{mesh}: Blender has no action {name}"
        actions[name] = min(own, key=lambda own: len(own.name))
    wanted = [(name, sequence, frame) for name, sequence, last in clips[:MOST] for frame in sorted({0, last // 2, last})]
    expected = {key: skinned(mesh, animation, *key[1:]) for key in wanted}
    worst = 0.0
    for order in (wanted, wanted[::-1]):
        for name, sequence, frame in order:
            # Another action between: what it leaves would show.
            for other in clips:
                play(armature, actions[other[0]], other[2] // 3)
            play(armature, actions[name], frame)
            worst = max(worst, distance(posed(meshes), expected[name, sequence, frame]))
    assert worst < TOLERANCE, f"{mesh} with {animation}: {worst:.2e} of its size away"
    name = " ".join([pathlib.Path(mesh).name, *options])
    print(f"{name}: {len(clips)} actions, {2 * len(wanted)} poses, {worst:.1e} of the size away at most")


pairs = [("corpus/fox.psk", "corpus/fox.psa"), ("corpus/fox.pmd", "corpus/fox_walk.psa")]
if samples:
    real = [
        ("actorx/hp2/skBeaterMesh.psk", "actorx/hp2/skBeaterAnims.psa"),
        ("actorx/psk_psa_py/psk/carlos_head_carlos.psk", "actorx/psk_psa_py/psa/Carlos_StrafeLF90_2.psa"),
        ("pyrogenesis/pmd-to-gltf/horse.pmd", "pyrogenesis/pmd-to-gltf/horse_gallop.psa"),
    ]
    pairs += [tuple(str(pathlib.Path(samples, name)) for name in pair) for pair in real]
for pair in pairs:
    check(*pair)
    check(*pair, "--compact")
sys.stdout.flush()
# The module of Blender may crash when it is unloaded, after all is proved.
os._exit(0)
