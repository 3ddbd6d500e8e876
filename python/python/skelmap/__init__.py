"""Skeletal meshes and animations, read in place: Unreal ActorX, UEFormat, Pyrogenesis (0 A.D.) and SWAT 3.

Arrays lie in the memory of the file: nothing is copied, and nothing can be written. What copies has ``to_`` in its name, or computes.

>>> import skelmap
>>> with skelmap.open("corpus/fox.psa") as animation:
...     keys = animation["walk"].keys
>>> keys["rotation"].shape  # (frames, bones, 4); the array outlives the file
(30, 23, 4)
"""

from __future__ import annotations

import builtins as _builtins
import os as _os
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import TypeAlias as _TypeAlias
from typing import TypeVar as _TypeVar
from typing import overload as _overload

from . import _interpreter  # isort: skip  # noqa: F401  # pyright: ignore[reportUnusedImport]
from . import _native, actorx, pyrogenesis, swat3, ueformat
from ._animation import Animation, Sequence, Sequences
from ._asset import Asset, Mode
from ._asset import of_kind as _of_kind
from ._asset import reopen as _reopen
from ._asset import to_asset as _to_asset
from ._asset import to_choices as _to_choices
from ._errors import FormatError
from ._gltf import GltfOptions
from ._many import Checked, Converted, Item, Written, catalog, catalog_to, check_to, convert_to, walk
from ._mesh import Binding, Mesh
from ._native import Table, __version__
from ._results import Attachment, Finding, Match, Quirk, Space, Surface, explain
from ._sets import Image, Set, SetAnimation, SetBone, Sets, Textures, sets
from ._write import write_pmd
from .actorx import merge

if _TYPE_CHECKING:
    from typing_extensions import Buffer as _Buffer

AnyAsset: _TypeAlias = (
    actorx.Psk | actorx.Psa | pyrogenesis.Pmd | pyrogenesis.Psa | swat3.Gsa | ueformat.Model | ueformat.Animation | ueformat.Pose
)
"""What a file can be: ``isinstance(asset, skelmap.Mesh)`` tells a mesh from an animation."""

_A = _TypeVar("_A", bound=Asset)


@_overload
def open(
    address: str | _os.PathLike[str] | bytes,
    mode: Mode = "read",
    *,
    kind: None = None,
    engine: bool = False,
    trailing_zeros: bool = False,
    gsa_layout: str | None = None,
    lod: int = 0,
) -> AnyAsset: ...
@_overload
def open(
    address: str | _os.PathLike[str] | bytes,
    mode: Mode = "read",
    *,
    kind: type[_A],
    engine: bool = False,
    trailing_zeros: bool = False,
    gsa_layout: str | None = None,
    lod: int = 0,
) -> _A: ...
def open(
    address: str | _os.PathLike[str] | bytes,
    mode: Mode = "read",
    *,
    kind: type[_A] | None = None,
    engine: bool = False,
    trailing_zeros: bool = False,
    gsa_layout: str | None = None,
    lod: int = 0,
) -> AnyAsset | _A:
    """Opens a mesh or an animation. The content decides which: two unrelated formats are called ``.psa``.

    Args:
        address: A path, or the address of an entry: ``"mod.zip!/art/walk.psa"``. ``bytes`` are parsed, as by :func:`parse`.
        mode: ``"read"`` reads the file: later changes of the file have no effect. ``"map"`` maps it: opening takes microseconds,
            whatever the size, but nobody may change or truncate the file as long as an array lives. What others write appears in the
            arrays, and access to lost bytes of a truncated file **kills the process** (SIGBUS), as with Python's own ``mmap``.
            ``"lease"`` (Linux) maps it under a lease: a program that wants to write waits until this process has a copy; do not use the
            arrays in a forked child. Files that cannot be leased are read. An entry of an archive is copied (``"read"``) or mapped with
            its archive. An archive is mapped in every mode while it is open.
        kind: The class that the file must have: :class:`Mesh`, :class:`Animation`, or the class of a format. Type checkers then know it.
        engine: Whether to accept every Pyrogenesis file that the game accepts.
        trailing_zeros: Whether to accept up to three zero bytes at the end of a SWAT 3 animation.
        gsa_layout: The layout of SWAT 3 skeletons, as ``skelmap info --layout`` prints it.
        lod: The level of detail of a UEFormat model, counted from 0, which is usually the finest; the last one of a model with fewer. All
            other formats have one.

    A compressed UEFormat file is unpacked into memory in every mode.

    Returns:
        :class:`skelmap.actorx.Psk`, :class:`skelmap.actorx.Psa`, :class:`skelmap.pyrogenesis.Pmd`, :class:`skelmap.pyrogenesis.Psa`,
        :class:`skelmap.swat3.Gsa`, :class:`skelmap.ueformat.Model`, :class:`skelmap.ueformat.Animation` or :class:`skelmap.ueformat.Pose`.

    Raises:
        FormatError: The bytes are damaged, or of none of the formats.
        FileNotFoundError: There is no such file or entry. Any other ``OSError`` that the system gives.
        ValueError: The file is not of the ``kind``.

    >>> import skelmap
    >>> skelmap.open("corpus/fox.pyromod!/art/meshes/skeletal/fox.pmd")
    <skelmap.pyrogenesis.Pmd 'fox.pmd' bones=23 points=605 faces=764 uv_sets=1>
    """
    choices = _to_choices(mode, engine, trailing_zeros, gsa_layout, lod)
    if isinstance(address, _builtins.bytes):
        asset = _to_asset(_native.parse(address, choices), "read", choices)
    else:
        asset = _reopen(_os.fspath(address), mode, choices)
    return _of_kind(asset, kind)


@_overload
def parse(
    data: _Buffer,
    *,
    kind: None = None,
    engine: bool = False,
    trailing_zeros: bool = False,
    gsa_layout: str | None = None,
    lod: int = 0,
) -> AnyAsset: ...
@_overload
def parse(
    data: _Buffer,
    *,
    kind: type[_A],
    engine: bool = False,
    trailing_zeros: bool = False,
    gsa_layout: str | None = None,
    lod: int = 0,
) -> _A: ...
def parse(
    data: _Buffer,
    *,
    kind: type[_A] | None = None,
    engine: bool = False,
    trailing_zeros: bool = False,
    gsa_layout: str | None = None,
    lod: int = 0,
) -> AnyAsset | _A:
    """The mesh or animation in bytes, or in anything with the buffer protocol.

    ``bytes`` are not copied. Any other buffer is copied once, because its owner could change it; one that is not contiguous, too.

    Raises:
        FormatError: The bytes are damaged, or of none of the formats.
        ValueError: The bytes are not of the ``kind``.
        TypeError: The object has no buffer.

    >>> import skelmap
    >>> with __builtins__["open"]("corpus/fox.psk", "rb") as file:
    ...     skelmap.parse(file.read()).bone_count
    23
    """
    choices = _to_choices("read", engine, trailing_zeros, gsa_layout, lod)
    content = data if isinstance(data, _builtins.bytes) else memoryview(data).tobytes()
    return _of_kind(_to_asset(_native.parse(content, choices), "read", choices), kind)


def match(mesh: Mesh, motion: Animation | Sequence) -> Match:
    """How the bones of an animation match those of a mesh.

    >>> import skelmap
    >>> skelmap.match(skelmap.open("corpus/fox.psk"), skelmap.open("corpus/fox.psa")).verdict
    'exact'
    """
    if not isinstance(mesh, Mesh):
        raise TypeError(f"expected a mesh, not {type(mesh).__name__}")
    return mesh.match(motion)


__all__ = [
    "Animation",
    "AnyAsset",
    "Asset",
    "Attachment",
    "Binding",
    "Checked",
    "Converted",
    "Finding",
    "FormatError",
    "GltfOptions",
    "Image",
    "Item",
    "Match",
    "Mesh",
    "Mode",
    "Quirk",
    "Sequence",
    "Sequences",
    "Set",
    "SetAnimation",
    "SetBone",
    "Sets",
    "Space",
    "Surface",
    "Table",
    "Textures",
    "Written",
    "__version__",
    "actorx",
    "catalog",
    "catalog_to",
    "check_to",
    "convert_to",
    "explain",
    "match",
    "merge",
    "open",
    "parse",
    "pyrogenesis",
    "sets",
    "swat3",
    "ueformat",
    "walk",
    "write_pmd",
]
