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
import zipfile

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
    for kind in ("objects", "meshes", "armatures", "actions", "materials", "images"):
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
            for object in extension.load.load(path).meshes:
                assert not object.data.validate(verbose=True), f"{path}: Blender had to mend the mesh"
            counts[0] += 1
        except extension.load.LoadError:
            counts[1] += 1
            assert not bpy.data.objects and not bpy.data.meshes and not bpy.data.actions, path
    assert min(counts) > 20, counts
    print(f"the test corpus: {counts[0]} files imported, {counts[1]} refused with a message")


def mod_with_textures(folder):
    """A mod of 0 A.D. with an actor that gives the fox a texture, and names of bones; and a PSK with an image beside it."""
    import skelmap

    with zipfile.ZipFile(root / "corpus/fox.pyromod") as archive:
        archive.extractall(folder)
    picture = skelmap.open(root / "corpus/fox.psk").to_png(64)
    fox = skelmap.open(root / "corpus/fox.psk")
    parents = fox.parents
    below = {bone: [own for own, parent in enumerate(parents) if parent == bone] for bone in range(-1, len(parents))}

    def bones_below(bone):
        return "".join(f'<bone name="{fox.bone_names[own]}">{bones_below(own)}</bone>' for own in below[bone])

    # Bones three times as long: no fit, but an actor plays it.
    walk = skelmap.open(f"{folder}/art/animation/quadruped/fox_walk.psa")
    states = len(walk.data) - 28 * walk[0].frame_count * walk[0].track_count
    long = bytearray(walk.data.tobytes())
    np.frombuffer(long, "<f4", offset=states).reshape(-1, 7)[:, :3] *= 3

    files = {
        "art/animation/quadruped/fox_long.psa": bytes(long),
        "art/textures/skins/skeletal/red.png": picture,
        "art/skeletons/fox.xml": (
            f'<skeletons><standard_skeleton title="fox" id="fox">{bones_below(-1)}</standard_skeleton></skeletons>'.encode()
        ),
        "art/actors/fox.xml": b"""<actor version="1"><group><variant name="Base"><mesh>skeletal/fox.dae</mesh><animations>
            <animation file="quadruped/fox_walk.dae" name="Walk" speed="100"/><animation file="quadruped/fox_idle.dae" name="Idle" speed="100"/>
            <animation file="quadruped/fox_long.dae" name="Long" speed="100"/></animations><textures><texture file="skeletal/red.png" name="baseTex"/></textures></variant></group></actor>""",
        "psk/fox.psk": (root / "corpus/fox.psk").read_bytes(),
        f"psk/{fox.material_names[0]}.png": picture,
    }
    for name, data in files.items():
        path = pathlib.Path(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return picture


def image_of(object):
    """The image that colours the first material."""
    nodes = object.data.materials[0].node_tree.nodes
    shader = next(node for node in nodes if node.type == "BSDF_PRINCIPLED")
    return shader.inputs["Base Color"].links[0].from_node.image


def sets(extension):
    """Meshes with what belongs to them: from a folder, from an archive, by the browser, and what Escape does."""
    import skelmap

    with tempfile.TemporaryDirectory() as folder:
        picture = mod_with_textures(folder)
        # A file alone has its texture too.
        clear()
        result = extension.load.load(f"{folder}/psk/fox.psk")
        assert image_of(result.meshes[0]).filepath.endswith(".png") and list(image_of(result.meshes[0]).size) == [64, 64]
        first = result.meshes[0].data.materials[0]
        plain = extension.load.load(f"{folder}/psk/fox.psk", textures=False).meshes[0].data.materials[0]
        assert plain != first
        assert not any(node.type == "TEX_IMAGE" for node in (plain.node_tree.nodes if plain.node_tree else ()))
        assert len(bpy.data.images) == 1
        # Each is found again; one that people made is taken in place of both.
        assert [extension.load.load(f"{folder}/psk/fox.psk", textures=own).meshes[0].data.materials[0] for own in (True, False)] == [
            first,
            plain,
        ]
        first.name = plain.name = "other"
        bpy.data.materials.new(skelmap.open(f"{folder}/psk/fox.psk").material_names[0])
        assert "skelmap_material" not in extension.load.load(f"{folder}/psk/fox.psk").meshes[0].data.materials[0]
        archive = pathlib.Path(folder, "mod.zip")
        with zipfile.ZipFile(archive, "w") as out:
            for path in sorted(pathlib.Path(folder, "art").rglob("*.*")):
                out.write(path, path.relative_to(folder))
        for source in (folder, str(archive)):
            clear()
            own = next(own for own in skelmap.sets(source) if own.name == "fox" and "art" in own.address and source in own.address)
            result = extension.load.load_set(own)
            made = image_of(result.meshes[0])
            assert list(made.size) == [64, 64], source
            if source == str(archive):
                assert made.packed_file.data == picture
            assert sorted(own.name for own in bpy.data.actions) == ["Idle", "Long", "Walk"], list(bpy.data.actions)
            lengths = {
                animation.names: own.open().match(file).can_play
                for animation, file in zip(own.animations, own.open_animations(), strict=True)
            }
            assert lengths == {("Walk",): True, ("Idle",): True, ("Long",): False}, lengths
            bones = result.armatures[0].data.bones
            psk = skelmap.open(root / "corpus/fox.psk")
            assert {bone.name for bone in bones} == set(psk.bone_names)
            pairs = {bone.name: bone.parent.name if bone.parent else None for bone in bones}
            assert pairs == {
                name: psk.bone_names[parent] if parent >= 0 else None for name, parent in zip(psk.bone_names, psk.parents, strict=True)
            }
            # The motion is that of the file, which has no parents, also of animations that come later.
            mesh, change = own.open(), extension.space.Change(own.open().space, 1.0)
            size = float(np.ptp(change.points(mesh.skin()), axis=0).max())
            later = extension.load.load(own.animations[1].address, armature=result.armatures[0]).actions
            motions = [*zip(result.actions, own.open_animations(), strict=True), (later[0], list(own.open_animations())[1])]
            for (object, action), animation in motions:
                extension.action.play(object, action)
                binding = mesh.bind(animation.sequence_list[0])
                for frame in range(0, animation.sequence_list[0].frame_count, 7):
                    bpy.context.scene.frame_set(frame)
                    away = np.abs(posed(result.meshes[0]) - change.points(binding.skin(float(frame), unit="frames"))).max() / size
                    assert away < TOLERANCE, (action.name, frame, away)
        stop(extension, own)
        # Names of bones without textures; what cannot be read any more is told, and the rest is there.
        clear()
        own = next(own for own in skelmap.sets(folder) if own.bones)
        pathlib.Path(folder, "art/animation/quadruped/fox_idle.psa").unlink()
        result = extension.load.load_set(own)
        assert len(result.actions) == 2
        assert any("fox_idle.psa" in note for note in result.notes), result.notes
        assert [action.name for _, action in extension.load.load_set(own, sequences=("walk",)).actions] == ["Walk.001"]
        plain = extension.load.load(own.address, textures=False)
        assert {bone.name for bone in plain.armatures[0].data.bones} == {bone.name for bone in own.bones}
        browse(extension, str(archive))
    print("sets: textures, names and parents of bones and of actions, from a folder and from an archive; the browser; a stop")


def stop(extension, own):
    """At each of its steps, an import that is stopped leaves nothing."""
    clear()
    count = len(list(extension.load.loading_set(own, extension.load.Options())))
    clear()
    kinds = extension.load.KINDS
    for step in range(1, count + 1):
        steps = extension.load.loading_set(own, extension.load.Options())
        for _ in range(step):
            next(steps)
        assert step == 1 or len(bpy.data.objects), step
        steps.close()
        assert not any(len(getattr(bpy.data, kind)) for kind in kinds), step
    try:
        extension.load.load_set(own, progress=lambda done, count: False)
    except extension.load.LoadError:
        pass
    else:
        raise AssertionError("a stopped import has a result")
    assert not any(len(getattr(bpy.data, kind)) for kind in kinds)


class Layout:
    """What a panel draws, as text."""

    def __init__(self, lines):
        self.lines = lines

    def __getattr__(self, name):
        def call(*values, **named):
            self.lines.append((name, *values[:2], named))
            return self

        return call


def browse(extension, source):
    """The browser finds, searches, turns pages, draws, and imports."""
    browser = importlib.import_module(f"{extension.__name__}.browser")
    manager = bpy.context.window_manager
    assert bpy.ops.skelmap.browse(filepath=source) == {"FINISHED"}
    shelf = browser.shelf
    assert [own.name for own in shelf.sets] == ["fox"] and shelf.shown == [0] and manager.skelmap_source == source
    manager.skelmap_search = "no such"
    assert shelf.shown == [] and bpy.ops.skelmap.turn(by=1) == {"CANCELLED"}
    manager.skelmap_search = "SKELETAL fox"
    assert shelf.shown == [0]
    assert list(shelf.icons["0"].image_size) == [browser.SIZE] * 2 and any(shelf.icons["0"].image_pixels_float)
    lines = []
    browser.draw_sets(Layout(lines), manager, 2)
    operators = [(line[1], line[-1].get("text")) for line in lines if line[0] == "operator"]
    assert operators == [("skelmap.load_set", "fox"), ("skelmap.turn", ""), ("skelmap.turn", "")], operators
    clear()
    assert bpy.ops.skelmap.load_set(number=0) == {"FINISHED"}
    assert len(bpy.data.meshes) == 1 and len(bpy.data.actions) == 3
    manager.skelmap_page = 1000
    assert manager.skelmap_page == 1
    for number in (-1, 1):
        try:
            bpy.ops.skelmap.load_set(number=number)
        except RuntimeError as error:
            assert "other models" in str(error), error
        else:
            raise AssertionError("a model that is not there was imported")
    try:
        bpy.ops.skelmap.browse(filepath=str(root / "nothing/here"))
    except RuntimeError as error:
        assert "Traceback" not in str(error), error
    else:
        raise AssertionError("nothing was found somewhere")
    # What was there is there, also after a name that is not UTF-8.
    assert len(shelf.sets) == 1
    odd = os.path.join(os.path.dirname(source), os.fsdecode(b"not \xff UTF-8"))
    os.mkdir(odd)
    pathlib.Path(odd, "fox.psk").write_bytes((root / "corpus/fox.psk").read_bytes())
    assert bpy.ops.skelmap.browse(filepath=odd) == {"FINISHED"} and shelf.shown == [0]
    clear()
    assert bpy.ops.skelmap.load_set(number=0) == {"FINISHED"}
    bpy.ops.wm.read_homefile(use_empty=True)
    assert not shelf.sets and not shelf.shown


def undo():
    """One step of undo takes an import back."""
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.ed.undo_push(message="before")
    assert load(root / "corpus/fox.psk", root / "corpus/fox.psa") == {"FINISHED"}
    bpy.ops.ed.undo_push(message="after")
    assert len(bpy.data.meshes) == 1
    bpy.ops.ed.undo()
    assert not any(len(getattr(bpy.data, kind)) for kind in ("objects", "meshes", "armatures", "actions", "materials"))
    bpy.ops.ed.redo()
    assert len(bpy.data.meshes) == 1 and len(bpy.data.actions) == 2
    print("an import was undone and done again")


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
for module in ("action", "batch", "browser", "load", "mesh", "space"):
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
undo()
sets(extension)
read_corpus(extension)
write_many(extension)
sys.stdout.flush()
# The module of Blender may crash when it is unloaded, after all is proved.
os._exit(0)
