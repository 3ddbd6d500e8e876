"""Many assets at once: files, folders and archives."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal, TypeAlias

from . import _native
from ._asset import Asset, Choices, Mode, to_asset, to_choices

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


def _to_work(
    paths: Paths,
    per: str,
    shard: tuple[int, int] | None,
    content_hash: bool,
    extent: bool,
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
    return to_paths(paths), per, shard, content_hash, extent, jobs, mode, choices


def catalog(
    paths: Paths,
    *,
    per: Literal["asset", "sequence"] = "asset",
    shard: tuple[int, int] | None = None,
    content_hash: bool = False,
    extent: bool = False,
    jobs: int | None = None,
    progress: Progress | None = None,
    mode: Mode = "map",
    engine: bool = False,
    trailing_zeros: bool = False,
    gsa_layout: str | None = None,
) -> _native.Table:
    """A row for every asset of files, folders and archives, read in parallel, in a fixed order. Reads headers only.

    The rows are those of the command ``skelmap catalog``, as Arrow data: ``polars.DataFrame(table)``, ``pyarrow.table(table)``,
    ``pandas.DataFrame.from_arrow(table)`` and DuckDB (``duckdb.sql("from table")``) read it. A file that cannot be read is a row with its
    error.

    Args:
        paths: Files, folders, archives, and addresses of entries.
        per: A row for each ``"asset"``, or for each ``"sequence"``.
        shard: ``(I, N)`` for part I of N parts of the work, counted from 1.
        content_hash: Whether rows have a hash of the content, for which everything is read.
        extent: Whether rows have the bounding box of a mesh, for which all points are read.
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
    (9, ['schema', 'path', 'entry', 'format', 'bytes'])
    """
    choices = to_choices(mode, engine, trailing_zeros, gsa_layout)
    work = _to_work(paths, per, shard, content_hash, extent, jobs, mode, choices)
    return _native.catalog(work, _to_function(progress))


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
    jobs: int | None = None,
    progress: Progress | None = None,
    mode: Mode = "map",
    engine: bool = False,
    trailing_zeros: bool = False,
    gsa_layout: str | None = None,
) -> Written:
    """Writes the rows of :func:`catalog` to a file: Parquet, CSV or JSON lines by its name.

    The file is complete or absent, whenever the process ends, and a file that is there is left alone. So the call is safe to repeat, on
    many machines too.

    >>> import skelmap, tempfile, os
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = os.path.join(folder, "assets.parquet")
    ...     skelmap.catalog_to(file, "corpus").rows, skelmap.catalog_to(file, "corpus").is_new
    (9, False)
    """
    choices = to_choices(mode, engine, trailing_zeros, gsa_layout)
    work = _to_work(paths, per, shard, content_hash, extent, jobs, mode, choices)
    if not os.path.lexists(file):
        try:
            assets, rows, bad = _native.catalog_to(file, work, _to_function(progress))
            return Written(True, assets, rows, bad)
        except FileExistsError:
            # Another process was faster.
            pass
    return Written(False, 0, 0, 0)


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

    def open(self) -> Asset:
        """Opens the asset. The directory of an archive is not read again.

        Raises:
            FormatError: The bytes are damaged, or of none of the formats.
            OSError: The file cannot be read.
        """
        return to_asset(self._item.open(), self._mode, self._choices)

    def __repr__(self) -> str:
        return f"<skelmap.Item {self.address!r}>"


def walk(
    paths: Paths,
    *,
    mode: Mode = "read",
    engine: bool = False,
    trailing_zeros: bool = False,
    gsa_layout: str | None = None,
) -> Iterator[Item]:
    """The assets in files, folders and archives, in a fixed order. A path that does not exist is an item, which cannot be opened.

    Archives stay mapped until the iterator and its items are gone.

    >>> import skelmap
    >>> [item.entry for item in skelmap.walk("corpus/fox.pyromod") if item.nbytes > 20_000]
    ['art/meshes/skeletal/fox.pmd']
    """
    choices = to_choices(mode, engine, trailing_zeros, gsa_layout)
    items = _native.walk(to_paths(paths), mode, choices)
    return (Item(item, mode, choices) for item in items)
