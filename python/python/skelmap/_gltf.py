"""Meshes and animations as glTF files."""

from __future__ import annotations

import contextlib
import json
import math
import os
import secrets
from pathlib import Path
from typing import Literal, TypedDict
from urllib.parse import quote

from . import _native


class GltfOptions(TypedDict, total=False):
    """The options of :meth:`skelmap.Mesh.to_gltf`.

    Their names and values are those of the command, with ``_`` for ``-``. Others are ``metres`` (``--scale``), ``loops`` (``--loop``), and
    ``morphs`` and ``attachments`` (``False`` is ``--no-morphs`` and ``--no-attachments``).
    """

    metres: float
    """Metres in a unit of files that do not state it; 0.01 by default."""
    up: Literal["x", "y", "z", "-x", "-y", "-z"] | None
    """The axis of the file that points up; that of the family by default."""
    yaw: float
    """Degrees by which the model is rotated about the up axis, counterclockwise seen from above."""
    influences: Literal[4, 8]
    """The influences of a vertex; 4 by default. The strongest are kept."""
    max_joints: int | None
    """The most joints of a skin, from 32. A mesh with more is written as several, each with a skin of the joints that it needs."""
    colors: Literal["masks", "paint", "none"]
    """Vertex colours as ``_COLOR_0`` (``"masks"``, the default), as ``COLOR_0``, or left out."""
    uv_sets: int
    """The most UV sets; 8 by default."""
    keep_unused: bool
    """Whether UV sets are written that no texture uses."""
    keep_degenerate: bool
    """Whether triangles are written that use a vertex twice: nobody sees them, but the mesh can be written back as it was."""
    exact: bool
    """Whether the records of the file are written beside what glTF makes of them, so that files of 0 A.D. can be written back with the same
    bytes. Implies `keep_unused` and `keep_degenerate`."""
    sparse: bool
    """Whether a clip has only keys for bones that it moves or places elsewhere than the bind pose. By default it has a key also for what
    other clips of the file move: programs that change clips leave such bones where they are."""
    morphs: bool
    """Whether morph targets are written; they are by default."""
    levels: bool
    """Whether the coarser levels of detail are written too, as nodes that a program can show in place of the mesh (``MSFT_lod``)."""
    attachments: bool
    """Whether sockets and prop points are written as nodes; they are by default."""
    loops: bool
    """Whether a last key repeats the first one, so that a loop closes."""
    short_rotations: bool
    """Whether rotations are written in 16 bits for each component."""
    compact: bool
    """Whether vertices are written in 16 and 8 bits (``KHR_mesh_quantization``), and only the keys that ``tolerance`` needs."""
    tolerance: float
    """The most that a compact file moves a vertex, as a part of the model's size; 0.1 mm of 1.8 m by default."""
    additive: Literal["skip", "local", "mesh"]
    """Additive sequences are left out (``"skip"``, the default), or added in the space of the parent bone or of the mesh."""


def write(
    mesh: _native.File | None,
    bound: list[_native.Binding],
    free: list[tuple[_native.File, int]],
    path: str | os.PathLike[str],
    options: GltfOptions,
) -> dict[str, float]:
    """Writes a file that appears when it is complete, in a folder that is made, and returns the report."""
    choices = to_json(options)
    target = Path(path)
    if target.suffix.lower() not in (".glb", ".gltf"):
        raise ValueError(f"{target}: expected a name in .glb or .gltf")
    # Where a file has the name of the folder, the error is about the output.
    with contextlib.suppress(FileExistsError):
        target.parent.mkdir(parents=True, exist_ok=True)
    # The names in the folder are those of unfinished files, which the command leaves alone.
    with contextlib.ExitStack() as stack:
        main = _unfinished(target, stack)
        second = _unfinished(target, stack) if target.suffix.lower() == ".gltf" else None
        binary = target.with_suffix(".bin")
        report: dict[str, float] = json.loads(_native.write_gltf(mesh, bound, free, main, second, quote(binary.name), choices))
        if second is not None:
            os.replace(second, binary)
        os.replace(main, target)
    return report


def to_json(options: GltfOptions) -> str:
    """Options as JSON. Their names and values are those of Rust, which checks them."""
    for name, value in options.items():
        if isinstance(value, float) and not math.isfinite(value):
            raise ValueError(f"{name} is {value}, expected a number")
        if value is not None and not isinstance(value, bool | int | float | str):
            raise TypeError(f"{name} is {value!r}, expected a number, a text, True or False")
    return json.dumps(options)


def _unfinished(target: Path, stack: contextlib.ExitStack) -> Path:
    """An empty file in the folder of a file, which is removed at the end unless it has another name by then."""
    unfinished = target.with_name(f".skelmap-{secrets.token_hex(8)}.part")
    try:
        # The permissions are those of any file that the program creates.
        number = os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666)
    except OSError as error:
        error.filename = os.fspath(target)
        raise
    os.close(number)
    stack.callback(unfinished.unlink, missing_ok=True)
    return unfinished
