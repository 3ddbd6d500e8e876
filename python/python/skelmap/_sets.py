"""Meshes with what belongs to them: animations, textures, names of bones."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal, overload

from . import _native
from ._asset import Choices, Mode, to_asset, to_choices, to_lod
from ._many import Paths, Progress, _to_function, _to_reading

if TYPE_CHECKING:
    from . import AnyAsset


@dataclass(frozen=True, slots=True)
class Image:
    """An image of a mesh."""

    name: str
    address: str
    """Where it lies: a path, or ``archive!/entry``."""
    media_type: Literal["image/png", "image/jpeg"]
    data: bytes
    """The file. Other kinds (TGA, DDS, BMP) were decoded and are PNG."""

    def __repr__(self) -> str:
        return f"<skelmap.Image {self.address!r} {len(self.data)} bytes>"


@dataclass(frozen=True, slots=True)
class Textures:
    """The images of a mesh."""

    of_materials: tuple[Image | None, ...]
    """For each material its image; ``None`` for one without an image that can be used. A mesh without names of materials has one."""
    faults: tuple[str, ...]
    """The images that cannot be used, and why."""


@dataclass(frozen=True, slots=True)
class SetAnimation:
    """An animation of a set."""

    address: str
    names: tuple[str, ...]
    """The names under which actors of 0 A.D. play it."""


@dataclass(frozen=True, slots=True)
class SetBone:
    """A bone of the skeleton that a mod gives a mesh."""

    name: str
    parent: int | None


class Set:
    """A mesh with what belongs to it, or an animation without a mesh. Nothing of it is open."""

    _mode: Mode

    def __init__(self, sets: _native.Sets, index: int, mode: Mode, choices: Choices) -> None:
        self._sets, self._index, self._mode, self._choices = sets, index, mode, choices
        is_mesh, (address, name), animations, bones, is_transparent, note = sets.set_at(index)
        self.address: str = address
        """Where the mesh lies, or the animation."""
        self.name: str = name
        """The name of the file without its extension, and without what caches add: ``"horse"`` of ``horse.dae.cached.pmd``."""
        self.is_mesh: bool = is_mesh
        self.animations: tuple[SetAnimation, ...] = tuple(SetAnimation(own, tuple(names)) for own, names in animations)
        """The animations of the mesh, in the order of the mod."""
        self.bones: tuple[SetBone, ...] | None = None if bones is None else tuple(SetBone(*own) for own in bones)
        """The names and parents of bones of a mesh of 0 A.D., which its file does not have; ``None`` where no mod tells them."""
        self.is_transparent: bool = is_transparent
        """Whether the mod says that the texture lets through what is behind."""
        self.note: str | None = note
        """What was left out, and why."""

    @cached_property
    def textures(self) -> Textures:
        """The images of the mesh, read when they are asked for.

        Raises:
            OSError: The mesh cannot be read any more.
        """
        images, of_materials, faults = self._sets.clothes(self._index)
        known = [Image(*image) for image in images]
        return Textures(tuple(None if own is None else known[own] for own in of_materials), tuple(faults))

    def to_png(self, size: int = 256) -> bytes | None:
        """A picture of the mesh at rest with its textures, or of the first frame of the animation, as a PNG file of ``size`` by ``size``
        pixels; ``None`` for an animation without a frame.
        """
        return self._sets.draw(self._index, size)

    def open(self) -> AnyAsset:
        """Opens the mesh, or the animation."""
        return self._open(None)

    def open_animations(self) -> Iterator[AnyAsset]:
        """Opens the animations of the mesh, one after the other. The directory of an archive is not read again. One that cannot be read
        raises in its turn, and the next one follows.
        """
        return map(self._open, range(len(self.animations)))

    def _open(self, animation: int | None) -> AnyAsset:
        file = self._sets.open(self._index, animation)
        return to_asset(file, self._mode, self._choices)  # type: ignore[return-value]

    def __eq__(self, other: object) -> bool:
        """Whether the other is the same set of the same :class:`Sets`."""
        return isinstance(other, Set) and self._sets is other._sets and self._index == other._index

    def __hash__(self) -> int:
        return hash((id(self._sets), self._index))

    def __repr__(self) -> str:
        return f"<skelmap.Set {self.address!r} animations={len(self.animations)}>"


class Sets(Sequence[Set]):
    """What :func:`sets` finds. Archives stay mapped until it and its sets are gone."""

    _mode: Mode

    def __init__(self, sets: _native.Sets, mode: Mode, choices: Choices) -> None:
        self._sets, self._mode, self._choices = sets, mode, choices
        faults, unused = sets.rest()
        self.faults: tuple[str, ...] = tuple(faults)
        """The files that cannot be read and the mods that cannot be opened, and why."""
        self.unused: tuple[str, ...] = tuple(unused)
        """The animations that belong to no mesh, though there are meshes of their family."""

    def __len__(self) -> int:
        return len(self._sets)

    @overload
    def __getitem__(self, index: int) -> Set: ...
    @overload
    def __getitem__(self, index: slice) -> list[Set]: ...
    def __getitem__(self, index: int | slice) -> Set | list[Set]:
        found = range(len(self))[index]
        if isinstance(found, range):
            return [self._at(own) for own in found]
        return self._at(found)

    def _at(self, index: int) -> Set:
        return Set(self._sets, index, self._mode, self._choices)

    def __repr__(self) -> str:
        return f"<skelmap.Sets {len(self)}>"


def sets(
    paths: Paths,
    *,
    fits: Literal["own", "exact", "fits", "any"] = "own",
    textures: bool = True,
    images: Iterable[str] = (),
    texture_map: str | os.PathLike[str] | None = None,
    texture_folders: Iterable[str | os.PathLike[str]] = (),
    jobs: int | None = None,
    progress: Progress | None = None,
    mode: Mode = "read",
    engine: bool = False,
    trailing_zeros: bool = False,
    gsa_layout: str | None = None,
    lod: int = 0,
) -> Sets:
    """Each mesh of files, folders and archives with the animations, textures and names of bones that belong to it, as
    :func:`convert_to` makes one file of each.

    Reads headers and bones, and the actors of mods of 0 A.D. Images and pictures are read when they are asked for.

    Args:
        paths: Files, folders, archives, and addresses of entries.
        fits: Which animations a mesh gets: those that belong to it; also those with its very bones and parents; all that can play on it;
            or any that share a bone with it.
        textures, images, texture_map, texture_folders: Where images are, as for :func:`convert_to`.

    The other arguments are those of :func:`catalog` and :func:`open`.

    Raises:
        OSError: An image, a table or a folder of images is not there. Files that cannot be read are no exception: see ``faults``.

    >>> import skelmap
    >>> fox = skelmap.sets("corpus/fox.pyromod")[0]
    >>> fox.name, [animation.address.rsplit("/", 1)[-1] for animation in fox.animations]
    ('fox', ['fox_walk.psa', 'fox_idle.psa'])
    """
    choices = to_choices(mode, engine, trailing_zeros, gsa_layout, lod)
    reading = _to_reading(paths, None, "row", jobs, mode, choices)
    chosen: dict[str, object] = {"fits": fits, "lod": to_lod(lod), "textures": textures, "images": list(images)}
    chosen |= {"texture_folders": [os.fspath(path) for path in texture_folders]}
    if texture_map is not None:
        chosen["texture_map"] = os.fspath(texture_map)
    return Sets(_native.sets(reading, mode, choices, json.dumps(chosen), _to_function(progress)), mode, choices)
