"""The tasks on Ray: ``python examples/many/on_ray.py check out/ a.zip s3://bucket/b.zip``

Without an address of a cluster, Ray starts on this machine alone. Needs ``pip install ray``. The folder of outputs must be one that all
machines of the cluster share.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import ray
from tasks import Task, plan


def attempt(task: Task) -> dict[str, Any]:
    return task.run()


def run(tasks: list[Task], attempt: Any = attempt) -> Iterator[dict[str, Any]]:
    """The result of every task, as they end. A task whose machine is lost is done again, and one that cannot read its archive, too."""
    remote = ray.remote(num_cpus=1, max_retries=8, retry_exceptions=[OSError])(attempt)
    # As many as wait in the scheduler without harm. More would fill the memory of the driver where there are millions.
    left, running = iter(tasks), []
    for task in left:
        running.append(remote.remote(task))
        if len(running) >= 1000:
            ended, running = ray.wait(running)
            yield from ray.get(ended)
    while running:
        ended, running = ray.wait(running)
        yield from ray.get(ended)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=["catalog", "check", "convert"])
    parser.add_argument("folder", help="where outputs go; all machines see it")
    parser.add_argument("archives", nargs="+", help="files, folders, archives or addresses")
    parser.add_argument("--shards", type=int, default=1, help="parts of each archive")
    parser.add_argument("--cluster", help="the address of a cluster, such as 10.0.0.1:6379")
    arguments = parser.parse_args()
    # The modules of this folder go to the workers. An address that is given is never another cluster that happens to be there.
    ray.init(address=arguments.cluster or "local", runtime_env={"working_dir": str(Path(__file__).parent)})
    tasks = plan(arguments.kind, arguments.archives, arguments.folder, arguments.shards)
    new = bad = 0
    for result in run(tasks):
        new += result["is_new"]
        bad += result["bad"]
        print(result["output"])
    print(f"{len(tasks)} tasks, {new} of them done now, {bad} bad assets")


if __name__ == "__main__":
    main()
