"""Catalogue, check and conversion of a list of archives as tasks that any engine can run. Needs skelmap, and no engine.

A task is safe to repeat, on any machine that sees the archive and the folder of outputs: a finished file is passed over, and a killed
attempt leaves nothing that bears a final name. So an engine may run a task twice, and a whole run may be started again.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any, Literal

import skelmap

Kind = Literal["catalog", "check", "convert"]


@dataclass(frozen=True)
class Task:
    """One archive, or one part of it."""

    kind: Kind
    address: str
    """A path or an address (``s3://bucket/mod.zip``), the same on every machine."""
    output: str
    """The file of rows, or the folder of conversions."""
    shard: tuple[int, int] = (1, 1)
    options: dict[str, Any] = field(default_factory=dict)

    def run(self) -> dict[str, Any]:
        """Does the task, or finds it done. An archive that cannot be read is an ``OSError``, which an engine may retry."""
        # One thread: the engine runs a task for each processor.
        common: dict[str, Any] = {"shard": self.shard, "unreadable": "raise", "jobs": 1, **self.options}
        if self.kind == "catalog":
            rows = skelmap.catalog_to(self.output, self.address, **common)
            return {"output": self.output, "is_new": rows.is_new, "assets": rows.assets, "bad": rows.bad}
        if self.kind == "check":
            checked = skelmap.check_to(self.output, self.address, **common)
            return {"output": self.output, "is_new": checked.is_new, "assets": checked.assets, "bad": checked.bad}
        done = skelmap.convert_to(self.output, self.address, **common)
        return {"output": self.output, "is_new": done.written > 0, "assets": done.written + done.kept, "bad": len(done.failures)}


def plan(kind: Kind, addresses: Iterable[str], folder: str | os.PathLike[str], shards: int = 1, **options: Any) -> list[Task]:
    """A task for each archive, or ``shards`` tasks for each. ``folder`` is on a file system that all machines share.

    The name of an output stands for its question: the archive with its size and time, the options, the version of skelmap. Objects in a
    store have no time here: give a changed object another address, or the outputs another folder.
    """
    os.makedirs(folder, exist_ok=True)
    tasks: list[Task] = []
    for address in addresses:
        try:
            status = os.stat(address)
            state = [status.st_size, status.st_mtime_ns]
        except OSError:
            state = []
        question = repr((skelmap.__version__, kind, address, state, shards, sorted(options.items())))
        name = f"{kind}-{PurePosixPath(address).stem}-{hashlib.sha256(question.encode()).hexdigest()[:16]}"
        for index in range(1, shards + 1):
            # The shards of a conversion share a folder.
            file = name if kind == "convert" else f"{name}-{index:04}-of-{shards:04}.parquet"
            tasks.append(Task(kind, address, os.path.join(folder, file), (index, shards), options))
    return tasks
