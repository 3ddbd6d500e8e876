"""What the files of all families have in common."""

from __future__ import annotations

import html
import json
import os
from operator import index as to_index
from types import TracebackType
from typing import Any, ClassVar, Literal, Self, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from . import _arrays, _native
from ._arrays import Floats, Part, Records
from ._results import Finding, Quirk, Space, to_html

Choices: TypeAlias = tuple[bool, bool, str | None, int]
"""What is accepted, ``engine``, ``trailing_zeros``, ``gsa_layout``; and the level of detail, ``lod``."""

Mode: TypeAlias = Literal["read", "lease", "map"]
"""How a file is opened: see :func:`skelmap.open`."""


def to_choices(mode: Mode, engine: bool, trailing_zeros: bool, gsa_layout: str | None, lod: int = 0) -> Choices:
    """What the native part is given, with errors that name the argument."""
    if mode not in ("read", "lease", "map"):
        raise ValueError(f"mode is {mode!r}, expected 'read', 'lease' or 'map'")
    for name, value in (("engine", engine), ("trailing_zeros", trailing_zeros)):
        if not isinstance(value, bool):
            raise TypeError(f"{name} is {value!r}, expected True or False")
    if gsa_layout is not None and not isinstance(gsa_layout, str):
        raise TypeError(f"gsa_layout is {gsa_layout!r}, expected a text or None")
    return engine, trailing_zeros, gsa_layout, to_lod(lod)


def to_lod(lod: int) -> int:
    """A level of detail, counted from 0."""
    if isinstance(lod, bool) or not hasattr(lod, "__index__"):
        raise TypeError(f"lod is {lod!r}, expected a number")
    if to_index(lod) < 0:
        raise ValueError(f"lod is {lod}, expected a number from 0 on")
    # No file has so many levels.
    return min(to_index(lod), 1 << 31)


class Asset:
    """A file of any format. Made by :func:`skelmap.open` and :func:`skelmap.parse`.

    A context manager: :meth:`close` gives the file up. Arrays keep the bytes of the file alive, whatever becomes of this object.
    """

    __slots__ = ("__weakref__", "_choices", "_mode", "_native_file", "_whole_or_none")

    _native_file: _native.File | None
    _whole_or_none: npt.NDArray[np.uint8] | None
    _mode: Mode
    _choices: Choices
    _classes: ClassVar[dict[str, type[Asset]]] = {}

    def __init_subclass__(cls, format: str | None = None) -> None:
        if format is not None:
            Asset._classes[format] = cls

    def __init__(self, file: _native.File, mode: Mode, choices: Choices) -> None:
        self._native_file = file
        self._whole_or_none = None
        self._mode = mode
        self._choices = choices

    @property
    def _file(self) -> _native.File:
        # Looked at once: another thread may close the file.
        file = self._native_file
        if file is None:
            raise ValueError("this file is closed")
        return file

    @property
    def _whole(self) -> npt.NDArray[np.uint8]:
        """All bytes of the file."""
        whole = self._whole_or_none
        if whole is None:
            whole = self._whole_or_none = np.asarray(self._file.memory())
        return whole

    def _find(self, name: str) -> Part | None:
        return self._file.part(name)

    def _part(self, name: str) -> Part:
        return self._find(name) or (0, 0, 0)

    def _records(self, name: str, kind: np.dtype[np.void]) -> Records:
        return _arrays.view(self._whole, self._part(name), kind)

    def _vectors(self, name: str, width: int) -> Floats:
        return _arrays.vectors(self._whole, self._part(name), width)

    def close(self) -> None:
        """Gives the file up. Arrays stay as they are; all else raises ``ValueError``."""
        self._native_file = None
        self._whole_or_none = None

    @property
    def closed(self) -> bool:
        """Whether the file was closed."""
        return self._native_file is None

    def __enter__(self) -> Self:
        self._file  # noqa: B018
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles as address and mode: whoever loads it opens the file again."""
        if self._file.address is None:
            raise TypeError("an asset of bytes has no address to pickle; pickle the bytes")
        return reopen, (os.path.abspath(self._file.address), self._mode, self._choices)

    @property
    def format(self) -> str:
        """The format: ``actorx.psk``, ``actorx.psa``, ``pyrogenesis.pmd``, ``pyrogenesis.psa``, ``swat3.gsa``, ``ueformat.uemodel``,
        ``ueformat.ueanim`` or ``ueformat.uepose``."""
        return self._file.format

    @property
    def address(self) -> str | None:
        """The path, or the address of an entry (``mod.zip!/art/x.psa``); ``None`` for bytes."""
        return self._file.address

    @property
    def stem(self) -> str | None:
        """The name of the file without its extension, and without what caches add: ``"horse"`` of ``horse.dae.cached.pmd``; ``None`` for
        bytes.
        """
        return self._file.stem

    @property
    def mode(self) -> Mode:
        """How the file was opened."""
        return self._mode

    @property
    def nbytes(self) -> int:
        """The size of the file; of a compressed UEFormat file, that of the unpacked one."""
        return self._file.size

    @property
    def data(self) -> npt.NDArray[np.uint8]:
        """All bytes of the file: (nbytes,) uint8, in place and read-only. Of a compressed UEFormat file, those of the unpacked one."""
        return self._whole.view()

    @property
    def summary(self) -> dict[str, int | float | None]:
        """What can be counted, in a UEFormat model at the level of detail that is open; ``None`` for a count that the format does not have.
        O(sequences)."""
        summary: dict[str, int | float | None] = json.loads(self._file.summary())
        return summary

    @property
    def quirks(self) -> list[Quirk]:
        """What was odd and how it was read, in file order."""
        return [Quirk(**quirk) for quirk in json.loads(self._file.quirks())]

    def check(self) -> list[Finding]:
        """Reads all the data, and the side-car beside an animation, and reports what is wrong, the worst first. O(file)."""
        return [Finding(**finding) for finding in json.loads(self._file.check(self._mode))]

    @property
    def bone_count(self) -> int:
        """The number of bones; 0 where it is not known."""
        return int(self.summary["bones"] or 0)

    @property
    def bone_names(self) -> list[str] | None:
        """The names of the bones; ``None`` for a format without names."""
        return self._file.bone_names()

    @property
    def parents(self) -> list[int] | None:
        """The parent of each bone, -1 for a root; ``None`` for a format without parents. A damaged file may have cycles."""
        return self._file.parents()

    @property
    def space(self) -> Space | None:
        """The space of the values; ``None`` where it is not known."""
        space = self._file.space()
        return None if space is None else Space(*space)  # type: ignore[arg-type]

    def _title(self) -> str:
        kind = type(self)
        name = repr(os.path.basename(self._file.address)) if self._file.address else "bytes"
        return f"{kind.__module__}.{kind.__qualname__} {name}"

    def _counts(self) -> dict[str, str]:
        """The counts that are not 0, as text."""
        counts = ((name, count) for name, count in self.summary.items() if count)
        return {name: f"{count:g}" if isinstance(count, float) else str(count) for name, count in counts}

    def __repr__(self) -> str:
        if self._native_file is None:
            return f"<closed {type(self).__module__}.{type(self).__qualname__}>"
        return f"<{self._title()} {' '.join(f'{name}={count}' for name, count in self._counts().items())}>"

    def _repr_html_(self) -> str:
        if self._native_file is None:
            return html.escape(repr(self))
        return to_html(self._title(), self._counts())


A = TypeVar("A", bound=Asset)


def of_kind(asset: Asset, kind: type[A] | None) -> A:
    """The asset, if it has the class."""
    if kind is not None and not (isinstance(kind, type) and issubclass(kind, Asset)):
        raise TypeError(f"kind is {kind!r}, expected skelmap.Mesh, skelmap.Animation, or the class of a format")
    if kind is not None and not isinstance(asset, kind):
        what = "mesh" if asset._file.is_mesh else "animation"
        module = ".".join(part for part in kind.__module__.split(".") if not part.startswith("_"))
        found = f"{asset.address or 'these bytes'}: {what} of the format {asset.format}"
        raise ValueError(f"{found}, expected {module}.{kind.__qualname__}")
    return asset  # type: ignore[return-value]


def to_asset(file: _native.File, mode: Mode, choices: Choices) -> Asset:
    """The object of the class that the format has; without one, of the class of all meshes or animations."""
    own = Asset._classes.get(file.format) or Asset._classes["mesh" if file.is_mesh else "animation"]
    return own(file, mode, choices)


def reopen(address: str, mode: Mode, choices: Choices) -> Asset:
    """Opens an asset, also one that was pickled."""
    return to_asset(_native.open(address, mode, choices), mode, choices)
