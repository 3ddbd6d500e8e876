# SPDX-License-Identifier: GPL-3.0-or-later
"""Many files without a window: each mesh with the animations that fit it, as `.blend` or `.fbx` by Blender itself.

blender -b --python-expr "from bl_ext.user_default.skelmap import batch; batch.run('in', 'out', 'fbx')"
"""

from __future__ import annotations

import os
import sys

import bpy
import skelmap

from .load import LoadError, Options, absolute, load_set


def run(source: str, folder: str, kind: str = "blend", *, fits: str = "own", **options) -> dict[str, str]:
    """Writes a file for each mesh of a folder, an archive or an address. Returns the messages of those that could not be made, by address.

    Each mesh has the animations that belong to it, its textures and names of bones: `fits` is that of `skelmap.sets`. What is there is not
    written again, so that a run that was stopped goes on.
    """
    if kind not in WRITERS:
        raise ValueError(f"kind is {kind!r}, expected one of {', '.join(WRITERS)}")
    chosen, source = Options(**options), absolute(source)
    sets = skelmap.sets(source, fits=fits, lod=chosen.lod)
    if not len(sets):
        raise LoadError("; ".join(sets.faults[:3]) or f"{source}: nothing to import")
    failed: dict[str, str] = {}
    for fault in sets.faults:
        address, _, message = fault.partition(": ")
        failed[address] = message
        print(ascii(fault), file=sys.stderr)
    for own in sets:
        output = output_of(own.address, source, folder, kind)
        if not own.is_mesh or os.path.exists(output):
            continue
        try:
            write(own, output, kind, chosen)
        except Exception as error:  # One file does not end the run.
            failed[own.address] = str(error)
            print(f"{own.address!a}: {error}", file=sys.stderr)
    return failed


def output_of(address: str, source: str, folder: str, kind: str) -> str:
    """A name below the folder as the file lies below the source, with the extension of the file: it does not depend on other files."""
    path = address.replace("!/", "/")
    base = os.path.relpath(path, source if os.path.isdir(source) else os.path.dirname(source))
    base = os.path.normpath(os.path.join(os.sep, base)).lstrip(os.sep)
    return os.path.join(folder, f"{base}.{kind}")


def write(own, output: str, kind: str, options) -> None:
    bpy.ops.wm.read_homefile(use_empty=True)
    for note in load_set(own, options).notes:
        print(f"{own.address!a}: {note!a}", file=sys.stderr)
    os.makedirs(os.path.dirname(os.path.abspath(output)), exist_ok=True)
    # Another run may write the same file.
    part = f"{output}.{os.getpid()}.part.{kind}"
    try:
        WRITERS[kind](part)
        os.replace(part, output)
    finally:
        if os.path.exists(part):
            os.remove(part)


WRITERS = {
    "blend": lambda path: bpy.ops.wm.save_as_mainfile(filepath=path, copy=True, compress=True),
    "fbx": lambda path: bpy.ops.export_scene.fbx(
        filepath=path, add_leaf_bones=False, bake_anim_use_all_actions=True, path_mode="COPY", embed_textures=True
    ),
}
