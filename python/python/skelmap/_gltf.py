"""Meshes and animations as glTF files."""

from __future__ import annotations

import contextlib
import json
import math
import os
import secrets
from pathlib import Path
from typing import Any
from urllib.parse import quote

from . import _native


def write(
    mesh: _native.File | None,
    bound: list[_native.Binding],
    free: list[tuple[_native.File, int]],
    path: str | os.PathLike[str],
    options: dict[str, Any],
) -> dict[str, int]:
    """Writes a file that appears when it is complete, and returns the report."""
    choices = to_json(options)
    target = Path(path)
    if target.suffix.lower() not in (".glb", ".gltf"):
        raise ValueError(f"{target}: expected a name in .glb or .gltf")
    # The names in the folder are those of unfinished files, which the command leaves alone.
    with contextlib.ExitStack() as stack:
        main = _unfinished(target, stack)
        second = _unfinished(target, stack) if target.suffix.lower() == ".gltf" else None
        binary = target.with_suffix(".bin")
        report: dict[str, int] = json.loads(_native.write_gltf(mesh, bound, free, main, second, quote(binary.name), choices))
        if second is not None:
            os.replace(second, binary)
        os.replace(main, target)
    return report


def to_json(options: dict[str, Any]) -> str:
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
