"""The tasks on Dask: ``python examples/many/on_dask.py check out/ a.zip s3://bucket/b.zip``

Needs ``pip install distributed``. Dask repeats the tasks of a lost worker; ``retries`` is for tasks that cannot read their archive.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from dask.distributed import Client, as_completed
from tasks import Task, plan


def attempt(task: Task) -> dict[str, Any]:
    return task.run()


def run(tasks: list[Task], client: Client, attempt: Any = attempt) -> Iterator[dict[str, Any]]:
    """The result of every task, as they end."""
    # Dask would take a task for a pure function of its arguments and remember the result, and not look for the file.
    futures = client.map(attempt, tasks, pure=False, retries=8)
    for future in as_completed(futures):
        yield future.result()


if __name__ == "__main__":
    with Client() as client:
        for result in run(plan(sys.argv[1], sys.argv[3:], sys.argv[2]), client):  # type: ignore[arg-type]
            print(result["output"])
