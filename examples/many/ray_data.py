"""A catalogue on Ray Data: ``python examples/many/ray_data.py out/ a.zip s3://bucket/b.zip``

The rows stay in the memory of the cluster until Ray Data writes them, so the next step of a pipeline can follow without files between,
and the folder may be in a store (``s3://bucket/rows``). Needs ``pip install "ray[data]"``. Ray Data repeats what a lost machine did. The
folder must be new: a second run adds files beside those of the first.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

import pyarrow as pa
import ray
import skelmap


def rows(batch: dict[str, Any], options: dict[str, Any]) -> Iterable[pa.Table]:
    """The rows of the parts of archives in a batch."""
    for address, index, count in zip(batch["address"], batch["index"], batch["count"], strict=True):
        table = skelmap.catalog(str(address), shard=(int(index), int(count)), unreadable="raise", jobs=1, **options)
        yield pa.table(table)


def catalog(addresses: Iterable[str], shards: int = 1, rows: Any = rows, **options: Any) -> ray.data.Dataset:
    """The rows of all archives."""
    items = [{"address": address, "index": index, "count": shards} for address in addresses for index in range(1, shards + 1)]
    parts = ray.data.from_items(items, override_num_blocks=len(items))
    return parts.map_batches(rows, batch_size=1, num_cpus=1, fn_kwargs={"options": options})


if __name__ == "__main__":
    ray.init(address="local")
    catalog(sys.argv[2:]).write_parquet(sys.argv[1])
