"""Proves the extension of Blender: extension.py ZIP REPOSITORY [SAMPLES]

The zip is validated by Blender's own program, installed into clean settings, and used by its operator as from a script. Posed vertices are
compared with `skin` of the package at five times of each sequence, on frames and between them; every file of the test corpus, also the damaged
ones, is imported or refused with a message, and what is refused leaves nothing.
"""

import contextlib
import importlib
import io
import os
import pathlib
import subprocess
import sys
import tempfile

import bpy
import numpy as np

# Of the size of the model, where an armature has the axes of the file, on frames: Blender computes in 32 bits.
TOLERANCE = 1e-5
# Between frames, Blender blends the components of quaternions; `skin` turns along the arc. At half of 20 degrees, nothing of it is left.
BETWEEN = 1e-3
# Sequences of an animation that are compared, of which all are played.
MOST = 6

archive, root = (pathlib.Path(own).resolve() for own in sys.argv[1:3])
samples = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 and sys.argv[3] else None


def validate():
    """By the program that Blender's site runs."""
    folder = pathlib.Path(bpy.utils.resource_path("LOCAL"), "scripts")
    found = list(folder.glob("addons_core/bl_pkg/cli/blender_ext.py"))
    if not found:
        print("skipped: this Blender has no program that validates extensions")
        return
    done = subprocess.run([sys.executable, found[0], "validate", archive], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    print("validated by Blender's own program")


def install():
    """Into the settings of `BLENDER_USER_RESOURCES`, which are clean."""
    with contextlib.redirect_stdout(io.StringIO()):
        done = bpy.ops.extensions.package_install_files(filepath=str(archive), repo="user_default", enable_on_install=True)
    assert done == {"FINISHED"}, done
    return importlib.import_module("bl_ext.user_default.skelmap")


def clear():
    for kind in ("objects", "meshes", "armatures", "actions", "materials"):
        for own in list(getattr(bpy.data, kind)):
            getattr(bpy.data, kind).remove(own)


def load(*paths, **options):
    """As a script calls the operator, and as people choose several files."""
    folders = {os.path.dirname(path) for path in paths}
    if len(paths) == 1 or len(folders) > 1:
        return bpy.ops.skelmap.load(filepath=str(paths[0]), **options)
    return bpy.ops.skelmap.load(directory=str(folders.pop()), files=[{"name": os.path.basename(path)} for path in paths], **options)


def posed(object):
    graph = bpy.context.evaluated_depsgraph_get()
    shown = object.evaluated_get(graph)
    mesh = shown.to_mesh()
    points = np.empty(len(mesh.vertices) * 3, np.float32)
    mesh.vertices.foreach_get("co", points)
    matrix = np.array(object.matrix_world)
    shown.to_mesh_clear()
    return points.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]


def compare(extension, mesh_path, animation_path, apart=False, **options):
    """Imports a mesh with an animation, or the animation onto its armature; the greatest distances of points, as parts of the size."""
    import skelmap

    clear()
    if apart:
        result = extension.load.load(mesh_path, **options)
        result.actions = extension.load.load(animation_path, armature=result.armatures[0], **options).actions
    else:
        result = extension.load.load([mesh_path, animation_path], **options)
    mesh, animation = skelmap.open(mesh_path), skelmap.open(animation_path)
    change = extension.space.Change(mesh.space, options.get("scale", 1.0))
    size = float(np.ptp(change.points(mesh.skin()), axis=0).max())
    sequences = [own for own in animation.sequence_list if own.frame_count and mesh.match(own).can_play]
    assert len(sequences) == len(result.actions) > 0, result.notes
    worst = [0.0, 0.0]
    wanted = list(zip(result.actions, sequences, strict=True))
    for order in (wanted[:MOST], wanted[:MOST][::-1]):
        for (object, action), sequence in order:
            # Another action between: what it leaves would show.
            for own, _ in wanted[:3]:
                extension.action.play(*own)
                bpy.context.scene.frame_set(int(own[1].frame_end) // 3)
            extension.action.play(object, action)
            last = sequence.frame_count - 1
            binding = mesh.bind(sequence)
            for frame in sorted({0.0, last // 2 + (0.5 if last > 1 else 0), last / 4, float(last // 3), float(last)}):
                bpy.context.scene.frame_set(int(frame), subframe=frame % 1)
                away = np.abs(posed(result.meshes[0]) - change.points(binding.skin(frame, unit="frames"))).max() / size
                worst[frame % 1 > 0] = max(worst[frame % 1 > 0], away)
    # Faces look outwards, as the normals of the file say.
    own = extension.mesh.faces_of(mesh, change, [])[1]
    a, b, c = (change.points(mesh.skin())[own[:, corner]] for corner in range(3))
    volume = np.einsum("fi,fi->", a, np.cross(b, c))
    assert volume > 0, f"{mesh_path}: faces look inwards"
    name = (
        f"{pathlib.Path(mesh_path).name} with {pathlib.Path(animation_path).name}{', onto its armature' if apart else ''} {options or ''}"
    )
    print(f"{name}: {len(wanted)} actions, {worst[0]:.1e} of the size away on frames, {worst[1]:.1e} between")
    assert worst[0] < TOLERANCE and worst[1] < BETWEEN, name


def use(extension):
    """The operator: two files, the same once more, an animation for the active armature, undo, and files that are none."""
    clear()
    corpus = root / "corpus"
    assert load(corpus / "fox.psk", corpus / "fox.psa") == {"FINISHED"}
    armature = bpy.context.active_object
    assert armature.type == "ARMATURE" and armature.animation_data.action.name == "walk"
    assert (bpy.context.scene.frame_end, bpy.context.scene.render.fps) == (29, 30)
    if hasattr(armature.animation_data, "action_slot"):
        assert armature.animation_data.action_slot is not None
    assert load(corpus / "fox.psk", corpus / "fox.psa", strips=True) == {"FINISHED"}
    second = bpy.context.active_object
    assert second != armature and [own.name for own in second.animation_data.nla_tracks] == ["walk.001", "idle.001"]
    clear()
    assert load(corpus / "fox.psk", scale=0.5, towards_children=True) == {"FINISHED"}
    assert load(corpus / "fox.psa") == {"FINISHED"}
    assert len(bpy.data.armatures) == 1 and len(bpy.data.actions) == 2, "onto the active armature"
    assert load(f"{corpus}/fox.pyromod!/art/meshes/skeletal/fox.pmd") == {"FINISHED"}
    assert {"head", "root"} <= {own.name for own in bpy.data.objects if own.type == "EMPTY"}, "prop points"
    before = len(bpy.data.objects)
    for name in ("README.md", "corpus/nothing.psk", "tests/corpus/actorx/damaged/crlf.psk"):
        try:
            load(root / name)
        except RuntimeError as error:
            assert "Traceback" not in str(error), error
        else:
            raise AssertionError(f"{name} was imported")
    assert len(bpy.data.objects) == before
    print("the operator: files, once more, onto an armature, an entry of an archive, and three that are refused")


def read_corpus(extension):
    counts = [0, 0]
    for path in sorted((root / "tests/corpus").rglob("*")):
        if not path.is_file():
            continue
        clear()
        try:
            extension.load.load(path)
            counts[0] += 1
        except extension.load.LoadError:
            counts[1] += 1
            assert not bpy.data.objects and not bpy.data.meshes and not bpy.data.actions, path
    assert min(counts) > 20, counts
    print(f"the test corpus: {counts[0]} files imported, {counts[1]} refused with a message")


def write_many(extension):
    """A folder, twice: the second run has nothing to do."""
    with tempfile.TemporaryDirectory() as folder:
        times = []
        for _ in range(2):
            assert extension.batch.run(str(root / "corpus"), folder, "blend") == {}
            made = {str(own.relative_to(folder)): own.stat().st_mtime_ns for own in pathlib.Path(folder).rglob("*.*") if own.is_file()}
            times.append(made)
        assert times[0] == times[1]
        assert set(times[0]) == {"fox.psk.blend", "fox.pmd.blend", "fox.pyromod/art/meshes/skeletal/fox.pmd.blend"}
        bpy.ops.wm.open_mainfile(filepath=f"{folder}/fox.psk.blend")
        assert {"walk", "idle"} <= {own.name for own in bpy.data.actions}
    print("a folder was written as .blend, and not again")


validate()
extension = install()
for module in ("action", "batch", "load", "mesh", "space"):
    importlib.import_module(f"{extension.__name__}.{module}")
pairs = [("corpus/fox.psk", "corpus/fox.psa"), ("corpus/fox.pmd", "corpus/fox_walk.psa")]
pairs = [tuple(str(root / name) for name in pair) for pair in pairs]
if samples:
    real = [
        ("actorx/hp2/skBeaterMesh.psk", "actorx/hp2/skBeaterAnims.psa"),
        ("actorx/psk_psa_py/psk/carlos_head_carlos.psk", "actorx/psk_psa_py/psa/Carlos_StrafeLF90_2.psa"),
        ("pyrogenesis/pmd-to-gltf/horse.pmd", "pyrogenesis/pmd-to-gltf/horse_gallop.psa"),
        ("ueformat/beater_zstd.uemodel", "ueformat/beater_sparse.ueanim"),
        ("ueformat/beater_none.uemodel", "actorx/hp2/skBeaterAnims.psa"),
        ("ueformat/beater_zstd.uemodel", "ueformat/beater_zstd.uepose"),
    ]
    pairs += [tuple(str(samples / name) for name in pair) for pair in real]
for pair in pairs:
    compare(extension, *pair)
    compare(extension, *pair, towards_children=True, scale=0.01)
    compare(extension, *pair, apart=True)
use(extension)
read_corpus(extension)
write_many(extension)
sys.stdout.flush()
# The module of Blender may crash when it is unloaded, after all is proved.
os._exit(0)
