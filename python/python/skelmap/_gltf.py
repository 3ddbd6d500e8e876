"""Meshes and animations as glTF files."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
from pathlib import Path
from typing import Any
from urllib.parse import quote

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
    values = tuple(_to_values(options).values())
    target = Path(path)
    if target.suffix.lower() not in (".glb", ".gltf"):
        raise ValueError(f"{target}: expected a name in .glb or .gltf")
    # The names in the folder are those of unfinished files, which the command leaves alone.
    with contextlib.ExitStack() as stack:
        main = _unfinished(target, stack)
        second = _unfinished(target, stack) if target.suffix.lower() == ".gltf" else None
        binary = target.with_suffix(".bin")
        report: dict[str, int] = json.loads(
            _native.write_gltf(mesh, bound, free, main, second, quote(binary.name), (values[:6], values[6:]))
        )
        if second is not None:
            os.replace(second, binary)
        os.replace(main, target)
    return report


def to_flags(options: dict[str, Any]) -> list[str]:
    """The options as flags of the command ``skelmap convert``."""
    flags: list[str] = []
    for name, value in _to_values(options).items():
        if name not in options or value is None:
            continue
        flag = "--" + {"metres": "scale", "loops": "loop"}.get(name, name.replace("_", "-"))
        if not isinstance(value, bool):
            flags.append(f"{flag}={value}")
        elif value is not DEFAULTS[name]:
            flags.append(flag if value else flag.replace("--", "--no-"))
    return flags


def _to_values(options: dict[str, Any]) -> dict[str, Any]:
    """Every option, by its default where it is not given."""
    unknown = options.keys() - DEFAULTS.keys()
    if unknown:
        raise TypeError(f"unexpected options: {', '.join(sorted(unknown))}")
    return {name: _checked(name, options.get(name, default), default) for name, default in DEFAULTS.items()}


def _checked(name: str, value: Any, default: Any) -> Any:
    """An option of the type that its default has."""
    if default is None:
        is_fine, expected = value is None or isinstance(value, str), "a text or None"
    elif isinstance(default, bool):
        is_fine, expected = isinstance(value, bool), "True or False"
    elif isinstance(default, str):
        is_fine, expected = isinstance(value, str), "a text"
    elif isinstance(default, float):
        is_fine, expected = isinstance(value, int | float), "a number"
    else:
        is_fine, expected = isinstance(value, int) and 0 <= value < 1 << 63, "a number from 0 on"
    if not is_fine:
        raise TypeError(f"{name} is {value!r}, expected {expected}")
    return value


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
