# SPDX-License-Identifier: GPL-3.0-or-later
"""Many files without a window: each mesh with the animations that fit it, as `.blend` or `.fbx` by Blender itself.

blender -b --python-expr "from bl_ext.user_default.skelmap import batch; batch.run('in', 'out', 'fbx')"
"""

from __future__ import annotations

import os
import sys

import bpy
import skelmap

from .load import LoadError, Options, load


def run(source: str, folder: str, kind: str = "blend", **options) -> dict[str, str]:
    """Writes a file for each mesh of a folder or archive, and returns the messages of those that could not be made, by address.

    Animations are those of the same folder. What is there is not written again, so that a run that was stopped goes on.
    """
    if kind not in WRITERS:
        raise ValueError(f"kind is {kind!r}, expected one of {', '.join(WRITERS)}")
    places: dict[str, tuple[list[str], list[str]]] = {}
    for item in skelmap.walk(source):
        try:
            asset = item.open()
        except (OSError, ValueError) as error:
            print(f"{item.address}: {error}", file=sys.stderr)
            continue
        own = places.setdefault(os.path.dirname(item.address), ([], []))
        own[0 if isinstance(asset, skelmap.Mesh) else 1].append(item.address)
    if not places:
        raise LoadError(f"{source}: nothing to import")
    failed: dict[str, str] = {}
    for meshes, animations in places.values():
        for address in meshes:
            output = output_of(address, source, folder, kind)
            if os.path.exists(output):
                continue
            try:
                write(address, animations, output, kind, options)
            except Exception as error:  # One file does not end the run.
                failed[address] = str(error)
                print(f"{address!a}: {error}", file=sys.stderr)
    return failed


def output_of(address: str, source: str, folder: str, kind: str) -> str:
    """A name below the folder as the file lies below the source, with the extension of the file: it does not depend on other files."""
    path = address.replace("!/", "/")
    base = os.path.relpath(path, source if os.path.isdir(source) else os.path.dirname(source))
    base = os.path.normpath(os.path.join(os.sep, base)).lstrip(os.sep)
    return os.path.join(folder, f"{base}.{kind}")


def write(address: str, animations, output: str, kind: str, options) -> None:
    bpy.ops.wm.read_homefile(use_empty=True)
    mesh = skelmap.open(address)
    fitting = [own for own in animations if mesh.bone_count and fits(mesh, own)]
    load([address, *fitting], Options(**options))
    os.makedirs(os.path.dirname(os.path.abspath(output)), exist_ok=True)
    # Another run may write the same file.
    part = f"{output}.{os.getpid()}.part.{kind}"
    try:
        WRITERS[kind](part)
        os.replace(part, output)
    finally:
        if os.path.exists(part):
            os.remove(part)


def fits(mesh, address: str) -> bool:
    return any(own.frame_count and mesh.match(own).can_play for own in skelmap.open(address).sequence_list)


WRITERS = {
    "blend": lambda path: bpy.ops.wm.save_as_mainfile(filepath=path, copy=True, compress=True),
    "fbx": lambda path: bpy.ops.export_scene.fbx(filepath=path, add_leaf_bones=False, bake_anim_use_all_actions=True),
}
