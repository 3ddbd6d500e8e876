"""Meshes and animations as glTF files."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any

from . import _native

DEFAULTS: dict[str, Any] = {
    "metres": 0.01,
    "up": None,
    "yaw": 0.0,
    "influences": 4,
    "colors": "masks",
    "uv_sets": 8,
    "morphs": True,
    "attachments": True,
    "loops": False,
    "short_rotations": False,
    "additive": "skip",
}


def write(
    mesh: _native.File | None,
    bound: list[_native.Binding],
    free: list[tuple[_native.File, int]],
    path: str | os.PathLike[str],
    options: dict[str, Any],
) -> dict[str, int]:
    """Writes a file that appears when it is complete, and returns the report."""
    unknown = options.keys() - DEFAULTS.keys()
    if unknown:
        raise TypeError(f"unexpected options: {', '.join(sorted(unknown))}")
    target = Path(path)
    if target.suffix.lower() not in (".glb", ".gltf"):
        raise ValueError(f"{target}: expected a name in .glb or .gltf")
    # The names in the folder are those of unfinished files, which the command leaves alone.
    with contextlib.ExitStack() as stack:
        main = _unfinished(target, stack)
        second = _unfinished(target, stack) if target.suffix.lower() == ".gltf" else None
        binary = target.with_suffix(".bin")
        report: dict[str, int] = json.loads(_native.write_gltf(mesh, bound, free, main, second, binary.name, {**DEFAULTS, **options}))
        if second is not None:
            os.replace(second, binary)
        os.replace(main, target)
    return report


def _unfinished(target: Path, stack: contextlib.ExitStack) -> Path:
    """An empty file in the folder of a file, which is removed at the end unless it has another name by then."""
    number, name = tempfile.mkstemp(prefix=".skelmap-", suffix=".part", dir=target.parent)
    os.close(number)
    unfinished = Path(name)
    # The permissions of a file that a program creates.
    mask = os.umask(0)
    os.umask(mask)
    unfinished.chmod(0o666 & ~mask)
    stack.callback(unfinished.unlink, missing_ok=True)
    return unfinished
