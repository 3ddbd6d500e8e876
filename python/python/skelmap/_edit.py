"""Edits of ActorX files. What is not asked about stays, byte for byte."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from operator import index as to_index
from typing import Self

from . import _native
from ._asset import Asset


class _Edit:
    __slots__ = ("_mode", "_native", "_title")

    def __init__(self, asset: Asset) -> None:
        self._native = _native.Edit(asset._file)
        self._mode = asset.mode
        self._title = asset._title()

    def __repr__(self) -> str:
        return f"<edit of {self._title}>"

    def _ask(self, what: str, *names: str) -> Self:
        self._native.ask(what, list(names))
        return self

    def rename_bone(self, old: str, new: str) -> Self:
        """Gives a bone a new name. Sockets on it follow."""
        return self._ask("rename_bone", old, new)


class PsaEdit(_Edit):
    """An edit of an animation. Made by :meth:`Psa.edit`.

    Each method asks for something and returns the edit, so that calls can be chained; :meth:`save` does all of it. All names are those of
    the file that was opened, whatever else is asked, and match in any ASCII case. Of several elements of one name, :meth:`keep` means
    all, and the others mean the first. A new request about a sequence replaces the previous one of its kind.

    A name that the file does not have, a range of frames that does not exist, and a name or rate that cannot be stored are a
    ``ValueError`` at once. What only the whole edit shows (two elements of one name, nothing left) is one when the edit is saved.

    >>> import skelmap
    >>> edit = skelmap.open("corpus/fox.psa", kind=skelmap.actorx.Psa).edit()
    >>> edit.keep(["walk"]).rename("walk", "Walk_Slow").rate("walk", 12).trim("walk", 0, 20)
    <edit of skelmap.actorx.Psa 'fox.psa'>
    >>> skelmap.parse(edit.to_bytes(), kind=skelmap.Animation)["walk_slow"]
    <skelmap.Sequence 'Walk_Slow' frames=20 tracks=23 rate=12.0>
    """

    __slots__ = ()

    def keep(self, names: Iterable[str]) -> Self:
        """Keeps only the sequences of these names."""
        if isinstance(names, str):
            raise TypeError(f"names are {names!r}, expected a list of names")
        return self._ask("keep", *names)

    def rename(self, old: str, new: str) -> Self:
        """Gives a sequence a new name."""
        return self._ask("rename", old, new)

    def rate(self, name: str, fps: float) -> Self:
        """Gives a sequence another number of frames per second: it plays faster or slower."""
        self._native.rate(name, fps)
        return self

    def trim(self, name: str, start: int, end: int) -> Self:
        """Keeps a range of the frames of a sequence. Frames are counted from 0, and ``end`` is not kept."""
        first, last = to_index(start), to_index(end)
        if min(first, last) < 0:
            raise ValueError(f"frames are counted from 0, not from {min(first, last)}")
        self._native.trim(name, min(first, sys.maxsize), min(last, sys.maxsize))
        return self

    def drop_bone(self, name: str) -> Self:
        """Leaves out a bone and its track: the mesh has the pose of its bone then. The first bone cannot be left out."""
        return self._ask("drop_bone", name)

    def to_bytes(self, *, copy_shared: bool = False) -> bytes:
        """The edited file, without its side-car."""
        return self._native.to_bytes(copy_shared)

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        force: bool = False,
        copy_shared: bool = False,
        exec: str | os.PathLike[str] | None = None,
    ) -> dict[str, int]:
        """Saves the edited animation, and the side-car (``.config``) that lies beside the one that was opened, edited like it.

        The files appear when all are complete, or none does. The path may be that of the file that was opened: its arrays stay as they
        are, also if it is mapped. (Windows refuses to replace a mapped file, which is an ``OSError``.)

        Args:
            path: The file to write, with a name in ``.psa``.
            force: Whether files that exist are replaced.
            copy_shared: Whether each of several sequences that share frames gets its own copy, where frames or bones are left out.
            exec: A file for the ``#exec`` lines with which the compiler of Unreal Engine 1 and 2 imports the animation.

        Returns:
            What was written and changed: ``bytes``, ``sequences``, ``frames``, ``bones``, ``dropped_sequences``, ``renamed_sequences``,
            ``rated_sequences``, ``trimmed_sequences``, ``dropped_bones``, ``renamed_bones``, ``mended_sequences`` (that declared frames
            without keys), ``dropped_chunks``, ``dropped_scale_keys``.

        Raises:
            ValueError: Two elements would have one name, no sequence would be left, sequences share frames, or the side-car cannot follow
                a new name.
            FileExistsError: A file exists. Any other ``OSError`` that the system gives.
        """
        report: dict[str, int] = json.loads(self._native.save(path, force, copy_shared, exec, self._mode))
        return report


class PskEdit(_Edit):
    """An edit of a mesh. Made by :meth:`Psk.edit`. As :class:`PsaEdit`, with what a mesh has.

    >>> import skelmap
    >>> edit = skelmap.open("corpus/fox.psk", kind=skelmap.actorx.Psk).edit()
    >>> half = skelmap.parse(edit.scale(0.5).rename_bone("head", "Head").to_bytes(), kind=skelmap.actorx.Psk)
    >>> "Head" in (half.bone_names or [])
    True
    """

    __slots__ = ()

    def rename_material(self, old: str, new: str) -> Self:
        """Gives all materials of a name a new one."""
        return self._ask("rename_material", old, new)

    def scale(self, factor: float) -> Self:
        """Scales the mesh: its points, bones, sockets and morph targets."""
        self._native.scale(factor)
        return self

    def drop_chunk(self, id: str) -> Self:
        """Leaves out a chunk that the classic format does not have: ``"VTXNORMS"``; ``"EXTRAUVS*"`` means all that begin so."""
        return self._ask("drop_chunk", id)

    def drop_extras(self) -> Self:
        """Leaves out all such chunks."""
        return self._ask("drop_extras")

    def to_bytes(self) -> bytes:
        """The edited file."""
        return self._native.to_bytes(False)

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        force: bool = False,
        exec: str | os.PathLike[str] | None = None,
    ) -> dict[str, int]:
        """Saves the edited mesh, with a name in ``.psk`` or ``.pskx``. As :meth:`PsaEdit.save`.

        Returns:
            What was written and changed: ``bytes``, ``renamed_bones``, ``moved_sockets``, ``renamed_materials``, ``scaled``,
            ``dropped_chunks``, ``mended_headers``.
        """
        report: dict[str, int] = json.loads(self._native.save(path, force, False, exec, self._mode))
        return report
