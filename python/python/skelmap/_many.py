"""Many assets at once: files, folders and archives."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, Unpack

from . import _gltf, _native
from ._asset import Choices, Mode, to_asset, to_choices, to_lod
from ._gltf import GltfOptions

if TYPE_CHECKING:
    from . import AnyAsset

Paths: TypeAlias = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]
"""Files, folders, archives, and addresses of entries."""

Progress: TypeAlias = bool | Callable[[int, int], object]
"""Called with the numbers of items done and of all items, at most 25 times a second; ``True`` for a bar of ``tqdm``."""


def to_paths(paths: Paths) -> list[str | os.PathLike[str]]:
    return [paths] if isinstance(paths, str | os.PathLike) else list(paths)


class _Bar:
    """A bar of ``tqdm``, if it is installed."""

    def __init__(self) -> None:
        try:
            tqdm: Any = import_module("tqdm.auto").tqdm
        except ImportError:
            raise ModuleNotFoundError("progress=True needs the package tqdm; a function needs nothing") from None
        self._bar = tqdm(unit=" files")

    def __call__(self, done: int, total: int) -> None:
        self._bar.total = total
        self._bar.update(done - self._bar.n)
        if done == total:
            self._bar.close()


def _to_function(progress: Progress | None) -> Callable[[int, int], object] | None:
    if isinstance(progress, bool):
        return _Bar() if progress else None
    return progress


def _to_reading(
    paths: Paths,
    shard: tuple[int, int] | None,
    unreadable: str,
    jobs: int | None,
    mode: Mode,
    choices: Choices,
) -> tuple[Any, ...]:
    if jobs is not None and not (isinstance(jobs, int) and 1 <= jobs < 1 << 63):
        raise ValueError(f"jobs is {jobs!r}, expected a number from 1 on")
    if shard is not None:
        is_pair = isinstance(shard, tuple) and len(shard) == 2 and all(isinstance(number, int) for number in shard)
        if not is_pair or not 1 <= shard[0] <= shard[1] < 1 << 63:
            raise ValueError(f"shard is {shard!r}, expected (I, N) with I from 1 to N")
    return to_paths(paths), shard, unreadable, jobs, mode, choices


def catalog(
    paths: Paths,
    *,
    per: Literal["asset", "sequence"] = "asset",
    shard: tuple[int, int] | None = None,
    content_hash: bool = False,
    extent: bool = False,
    unreadable: Literal["row", "raise"] = "row",
    jobs: int | None = None,
    progress: Progress | None = None,
    mode: Mode = "map",
    engine: bool = False,
    trailing_zeros: bool = False,
    gsa_layout: str | None = None,
) -> _native.Table:
    """A row for every asset of files, folders and archives, read in parallel, in a fixed order. Reads headers only.

    The rows are those of the command ``skelmap catalog``, as Arrow data: ``table.to_polars()``, ``table.to_pandas()``,
    ``table.to_pyarrow()`` and DuckDB (``duckdb.sql("from table")``) read it. A file that cannot be read is a row with its error.

    Args:
        paths: Files, folders, archives, and addresses of entries.
        per: A row for each ``"asset"``, or for each ``"sequence"``.
        shard: ``(I, N)`` for part I of N parts of the work, counted from 1.
        content_hash: Whether rows have a hash of the content, for which everything is read.
        extent: Whether rows have the bounding box of a mesh, for which all points are read.
        unreadable: What becomes of a file that cannot be opened or read: ``"row"``, a row with its error, or ``"raise"``, an
            :class:`OSError`. Damaged data is always a row.
        jobs: The number of threads; one for each processor by default. They end with the call, so a process may fork afterwards.
        progress: A function, or ``True`` for a bar of ``tqdm``.
        mode: As for :func:`skelmap.open`.
        engine: Whether to accept every Pyrogenesis file that the game accepts.
        trailing_zeros: Whether to accept up to three zero bytes at the end of a SWAT 3 animation.
        gsa_layout: The layout of SWAT 3 skeletons, as ``skelmap info --layout`` prints it.

    Ctrl-C is looked at 25 times a second.

    >>> import skelmap
    >>> table = skelmap.catalog("corpus")
    >>> len(table), table.columns[:5]
    (9, ['schema', 'path', 'entry', 'address', 'format'])
    """
    choices = to_choices(mode, engine, trailing_zeros, gsa_layout)
    reading = _to_reading(paths, shard, unreadable, jobs, mode, choices)
    return _native.catalog(reading, (per, content_hash, extent), _to_function(progress))


@dataclass(frozen=True, slots=True)
class Written:
    """What :func:`catalog_to` did."""

    is_new: bool
    """Whether this call wrote the file. Otherwise it was there."""
    assets: int
    rows: int
    bad: int
    """Assets with an error."""


def catalog_to(
    file: str | os.PathLike[str],
    paths: Paths,
    *,
    per: Literal["asset", "sequence"] = "asset",
    shard: tuple[int, int] | None = None,
    content_hash: bool = False,
    extent: bool = False,
    unreadable: Literal["row", "raise"] = "row",
    jobs: int | None = None,
    progress: Progress | None = None,
    mode: Mode = "map",
    engine: bool = False,
    trailing_zeros: bool = False,
    gsa_layout: str | None = None,
) -> Written:
    """Writes the rows of :func:`catalog` to a file: Parquet, CSV or JSON lines by its name.

    The call is safe to repeat, on many machines too. The file is complete or absent, whenever the process ends: the rows are written under
    a name that no other call uses, and the file is renamed when it is complete. **A file that is there stays as it is.** So its name stands
    for the question: other paths, options or shards, or changed inputs, need another name. Of two calls at once for one file, the first to
    finish gives it its name. What a killed call has left is removed by the next call for the same file.

    Args:
        unreadable: As for :func:`catalog`; ``"raise"`` leaves no file. Where a disk or a network may fail, raise and try again: a file
            with such rows would be passed over.

    The other arguments are those of :func:`catalog`.

    >>> import skelmap, tempfile, os
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = os.path.join(folder, "assets.parquet")
    ...     skelmap.catalog_to(file, "corpus").rows, skelmap.catalog_to(file, "corpus").is_new
    (9, False)
    """
    choices = to_choices(mode, engine, trailing_zeros, gsa_layout)
    reading = _to_reading(paths, shard, unreadable, jobs, mode, choices)
    done = _native.catalog_to(file, reading, (per, content_hash, extent), _to_function(progress))
    return Written(done is not None, *(done or (0, 0, 0)))


@dataclass(frozen=True, slots=True)
class Checked:
    """What :func:`check_to` did."""

    is_new: bool
    """Whether this call wrote the file. Otherwise it was there."""
    assets: int
    findings: int
    bad: int
    """Assets with an error, which has a row of its own."""


def check_to(
    file: str | os.PathLike[str],
    paths: Paths,
    *,
    level: Literal["note", "warning", "error"] = "warning",
    shard: tuple[int, int] | None = None,
    unreadable: Literal["row", "raise"] = "row",
    jobs: int | None = None,
    progress: Progress | None = None,
    mode: Mode = "map",
    engine: bool = False,
    trailing_zeros: bool = False,
    gsa_layout: str | None = None,
) -> Checked:
    """Reads all data of many assets, and writes what is wrong with it to a file.

    Parquet and CSV have a row for each finding, JSON lines an object for each asset, as the command ``skelmap check`` prints them. The
    checksums of archives are compared too. The call is safe to repeat, in the way of :func:`catalog_to`.

    Args:
        level: The lowest severity to report.

    The other arguments are those of :func:`catalog_to`.

    >>> import skelmap, tempfile, os
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     skelmap.check_to(os.path.join(folder, "findings.parquet"), "corpus")
    Checked(is_new=True, assets=9, findings=0, bad=0)
    """
    choices = to_choices(mode, engine, trailing_zeros, gsa_layout)
    reading = _to_reading(paths, shard, unreadable, jobs, mode, choices)
    done = _native.check_to(file, reading, level, _to_function(progress))
    return Checked(done is not None, *(done or (0, 0, 0)))


@dataclass(frozen=True, slots=True)
class Converted:
    """What :func:`convert_to` did."""

    written: int
    """Outputs that this call wrote."""
    kept: int
    """Outputs that were there, made from the same files with the same options."""
    skipped: int
    """Outputs for which there is nothing to write."""
    failures: tuple[str, ...]
    """Inputs that cannot be read, and outputs that cannot be made, each with its address."""
    unused: tuple[str, ...]
    """The addresses of the animations that belong to no mesh, though there are meshes of their family."""


def convert_to(
    folder: str | os.PathLike[str],
    paths: Paths,
    *,
    to: Literal["glb", "gltf", "obj"] = "glb",
    animations: Paths = (),
    sequences: Iterable[str] = (),
    each_clip: bool = False,
    animation_files: Literal["each", "library"] = "each",
    lod: int = 0,
    fits: Literal["own", "exact", "fits", "any"] = "own",
    actors: Iterable[str] = (),
    variants: Iterable[str] = (),
    rename: str | os.PathLike[str] | None = None,
    textures: bool = True,
    images: Iterable[str] = (),
    texture_map: str | os.PathLike[str] | None = None,
    texture_folders: Iterable[str | os.PathLike[str]] = (),
    max_output: int | None = None,
    shard: tuple[int, int] | None = None,
    unreadable: Literal["row", "raise"] = "row",
    jobs: int | None = None,
    progress: Progress | None = None,
    mode: Mode = "map",
    engine: bool = False,
    trailing_zeros: bool = False,
    gsa_layout: str | None = None,
    **options: Unpack[GltfOptions],
) -> Converted:
    """Converts all meshes, each with the animations that belong to it and its textures, into files below a folder.

    The call does the work of the command ``skelmap convert --resume --force`` and is safe to repeat, on many machines too. Each file is
    complete or absent. What was made **from the same files** (path, size and time) **with the same options** is kept. Everything else in
    the folder that has the name of an output is replaced, so the folder should hold nothing but outputs. The files
    ``.skelmap-convert*.jsonl`` there say what was made of what.

    Args:
        to: The kind of the files.
        animations: Animations for all meshes, in place of those among ``paths``.
        sequences: The names of the sequences to convert; all by default.
        each_clip: Whether each sequence has a file of its own.
        animation_files: Where animations go that several meshes of one skeleton share: into the file of each, or into one more for each
            skeleton, with the first of the meshes.
        lod: The level of detail of UEFormat models, counted from 0; the last one of a model with fewer.
        fits: Which animations a mesh gets: those that belong to it; also those with its very bones and parents; all that can play on it;
            or any that share a bone with it.
        actors: Patterns for actors of 0 A.D. (``"horse"``, ``"athenians/*"``, ``"**"`` for all): each has a file with its props, in place
            of each mesh. ``paths`` are mods then, of which later ones hide the files of those before.
        variants: The names of the variants that actors show where they have one of the name.
        rename: A file with the name of a sequence, ``=`` and its new name in each line; or a JSON object of these.
        textures: Whether textures are looked for.
        images: Images for all materials, or a material, ``=`` and an image.
        texture_map: A file with a material, ``=`` and an image in each line, images relative to the file; or a JSON object of these.
        texture_folders: Folders of images with the names of materials. A last part with ``*`` is a pattern: ``Textures/T_*_D``.
        max_output: The most bytes of the files of a mesh, or of an animation alone; 64 times the bytes of its inputs by default, at least
            64 MiB.
        shard: ``(I, N)`` for part I of N parts of the outputs. Shards may share a folder. Each reads the headers of everything, because a
            mesh and its animations can lie anywhere.
        unreadable: What becomes of an input that cannot be opened or read: ``"row"``, a failure among the others, or ``"raise"``.
        options: Those of :meth:`skelmap.Mesh.to_gltf`.

    The other arguments are those of :func:`catalog`. An output that cannot be made is no exception: see ``failures``. The next call tries
    again.

    >>> import skelmap, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     skelmap.convert_to(folder, "corpus/fox.pyromod").written, skelmap.convert_to(folder, "corpus/fox.pyromod").kept
    (1, 1)
    """
    choices = to_choices(mode, engine, trailing_zeros, gsa_layout)
    reading = _to_reading(paths, shard, unreadable, jobs, mode, choices)
    # An option that is wrong is named by the check of a file alone, whose options these are.
    gltf = json.loads(_gltf.to_json(options))
    chosen: dict[str, object] = {
        "to": to,
        "sequences": list(sequences),
        "each_clip": each_clip,
        "lod": to_lod(lod),
        "fits": fits,
        "textures": textures,
        "max_output": max_output,
    }
    chosen |= {"actors": list(actors), "variants": list(variants), "animation_files": animation_files, "images": list(images)}
    chosen |= {"texture_folders": [os.fspath(path) for path in texture_folders]}
    tables = {"rename": rename, "texture_map": texture_map}
    chosen |= {name: os.fspath(path) for name, path in tables.items() if path is not None}
    done = _native.convert_to(folder, reading, to_paths(animations), json.dumps({**chosen, "gltf": gltf}), _to_function(progress))
    written, kept, skipped, failures, unused = done
    return Converted(written, kept, skipped, tuple(failures), tuple(unused))


class Item:
    """An asset of a :func:`walk`, not opened yet."""

    __slots__ = ("_choices", "_item", "_mode")
    _mode: Mode

    def __init__(self, item: _native.Item, mode: Mode, choices: Choices) -> None:
        self._item = item
        self._mode = mode
        self._choices = choices

    @property
    def path(self) -> str:
        """The path of the file, or of the archive."""
        return self._item.place()[0]

    @property
    def entry(self) -> str | None:
        """The name of the entry; ``None`` for a file."""
        return self._item.place()[1]

    @property
    def address(self) -> str:
        """The path, or ``archive!/entry``: :func:`skelmap.open` takes it."""
        path, entry = self._item.place()
        return path if entry is None else f"{path}!/{entry}"

    @property
    def nbytes(self) -> int:
        """The size that the file system or the archive states."""
        return self._item.size()

    def open(self) -> AnyAsset:
        """Opens the asset. The directory of an archive is not read again.

        Raises:
            FormatError: The bytes are damaged, or of none of the formats.
            OSError: The file cannot be read.
        """
        return to_asset(self._item.open(), self._mode, self._choices)  # type: ignore[return-value]

    def __repr__(self) -> str:
        return f"<skelmap.Item {self.address!r}>"


def walk(
    paths: Paths,
    *,
    mode: Mode = "read",
    engine: bool = False,
    trailing_zeros: bool = False,
    gsa_layout: str | None = None,
    lod: int = 0,
) -> Iterator[Item]:
    """The assets in files, folders and archives, in a fixed order. A path that does not exist is an item, which cannot be opened.

    Archives stay mapped until the iterator and its items are gone. The arguments behind ``paths`` are those of :func:`skelmap.open`.

    >>> import skelmap
    >>> [item.entry for item in skelmap.walk("corpus/fox.pyromod") if item.nbytes > 20_000]
    ['art/meshes/skeletal/fox.pmd']
    """
    choices = to_choices(mode, engine, trailing_zeros, gsa_layout, lod)
    items = _native.walk(to_paths(paths), mode, choices)
    # A generator would serve one thread at a time.
    return map(partial(Item, mode=mode, choices=choices), items)
