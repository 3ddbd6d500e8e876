"""Kills a machine of a cluster in mid-run, and compares what all machines did with what one did.

    python examples/many/test_killed_node.py [--rounds N]

Two nodes of Ray on this machine, with addresses of their own; the raylet of one is killed while it works at tasks of all kinds. Then the
same with Ray Data, and with a worker of Dask. Every row must be there exactly once and equal to that of a run without any engine. Needs
Linux, ray, pyarrow and distributed.
"""

from __future__ import annotations

import argparse
import contextlib
import logging
import os
import pickle
import random
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import uuid
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from tasks import Task, plan

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parents[1]
HEAD, WORKER = "127.0.0.2", "127.0.0.3"
SHARDS = 4


def make_archives(folder: Path) -> list[str]:
    """Archives with good, odd and damaged assets."""
    corpus = [REPOSITORY / "corpus", REPOSITORY / "tests" / "corpus"]
    samples = os.environ.get("SKELMAP_SAMPLES")
    found = [path for root in [*corpus, *([Path(samples)] if samples else [])] for path in sorted(root.rglob("*"))]
    assets = [path for path in found if path.suffix in (".psk", ".psa", ".pmd", ".gsa") and path.stat().st_size < 100_000]
    archives = []
    # As many entries with samples as without.
    entries = 1600
    for number in range(3):
        copies = entries // len(assets) * (4 - number)
        archives.append(str(folder / f"mod-{number}.zip"))
        with zipfile.ZipFile(archives[-1], "w", zipfile.ZIP_STORED if number else zipfile.ZIP_DEFLATED) as archive:
            for index, path in ((index, path) for index in range(copies) for path in assets[number::2]):
                archive.write(path, f"art/{index:04}/{path.stem}-{assets.index(path)}{path.suffix}")
    # Few meshes: a conversion takes longer than the other tasks.
    archives.append(str(folder / "few.zip"))
    with zipfile.ZipFile(archives[-1], "w") as archive:
        for index in range(24):
            for name in ("fox.psk", "fox.pmd", "fox.psa", "fox_walk.psa"):
                archive.write(REPOSITORY / "corpus" / name, f"art/{index:04}/{name}")
    return archives


def to_tasks(archives: list[str], folder: Path, shards: int) -> list[Task]:
    rows, few = archives[:-1], archives[-1:]
    tasks = plan("catalog", rows, folder, shards, per="sequence", content_hash=True, extent=True)
    tasks += plan("check", rows, folder, shards, level="note")
    return tasks + plan("convert", few, folder, shards)


def rows_of(tasks: Iterable[Task], kind: str) -> Counter[str]:
    """All rows of the files of a kind, with how often they are there."""
    rows: Counter[str] = Counter()
    for task in tasks:
        if task.kind == kind:
            rows.update(map(repr, pq.read_table(task.output).to_pylist()))
    return rows


def files_of(tasks: Iterable[Task]) -> dict[str, bytes]:
    """All converted files, by their names below the folder of their archive."""
    folders = {Path(task.output) for task in tasks if task.kind == "convert"}
    files = ((folder, path) for folder in folders for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for folder, path in files if not path.name.startswith(".skelmap-")}


Expected = tuple[Counter[str], Counter[str], dict[str, bytes]]


def outputs(tasks: list[Task]) -> Expected:
    return rows_of(tasks, "catalog"), rows_of(tasks, "check"), files_of(tasks)


def alone(archives: list[str], folder: Path) -> Expected:
    """What this machine makes of each archive as a whole."""
    tasks = to_tasks(archives, folder, 1)
    for task in tasks:
        task.run()
    expected = outputs(tasks)
    assert min(len(part) for part in expected) > 40, [len(part) for part in expected]
    return expected


def prove_equal(found: Expected, expected: Expected) -> None:
    for kind, own, other in zip(("catalog", "check"), found[:2], expected[:2], strict=True):
        assert own == other, f"{kind}: {(own - other).total()} rows too many, {(other - own).total()} lost"
    assert found[2].keys() == expected[2].keys(), found[2].keys() ^ expected[2].keys()
    assert found[2] == expected[2]


class Attempts:
    """The attempts that the workers write down: a file for each, with another name when the attempt is over."""

    def __init__(self, folder: Path, before: int) -> None:
        self.folder = folder
        # The attempts that are done before the kill.
        self.before = before
        folder.mkdir()

    @contextlib.contextmanager
    def one(self, place: str) -> Iterator[None]:
        # The head leaves the worker something to be killed with.
        while place == HEAD and len(self.places("done")) >= self.before and not (self.folder / "killed").exists():
            time.sleep(0.01)
        begun = self.folder / f"{uuid.uuid4().hex} {place} begun"
        begun.touch()
        yield
        # An attempt that has its output is killed, too, before anybody hears of it.
        time.sleep(0.03)
        begun.rename(begun.with_name(begun.name.replace("begun", "done")))

    def places(self, state: str) -> list[str]:
        return [name.split()[1] for name in os.listdir(self.folder) if name.endswith(f" {state}")]

    def kill_during(self, place: str, is_over: Callable[[], bool], kill: Callable[[], object]) -> None:
        """Kills a place in mid-run, while it works at something."""
        deadline = time.monotonic() + 300
        while True:
            while len(self.places("done")) < self.before or place not in self.places("begun"):
                assert not is_over(), "nothing was left to be killed"
                assert time.monotonic() < deadline
                time.sleep(0.002)
            time.sleep(random.uniform(0, 0.08))
            if place in self.places("begun"):
                kill()
                (self.folder / "killed").touch()
                return

    def summary(self, tasks: int) -> str:
        done, begun = len(self.places("done")), len(self.places("begun"))
        assert done + begun >= tasks
        return f"{done + begun} attempts for {tasks} tasks, {begun} killed"


def kill_all(*marks: str, program: str = "") -> int:
    """Kills the processes in whose environment the marks are, but for this one. Returns their number."""
    killed = 0
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            environment = (folder / "environ").read_bytes().split(b"\0")
            is_marked = all(mark.encode() in environment for mark in marks)
            if is_marked and int(folder.name) != os.getpid() and program in (folder / "comm").read_text():
                os.kill(int(folder.name), signal.SIGKILL)
                killed += 1
    return killed


class Cluster:
    """Two nodes of Ray. All their processes have the mark of the round."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.mark = folder, os.environ["SKELMAP_TEST_MARK"]
        folder.mkdir()
        with socket.create_server((HEAD, 0)) as free:
            self.address = f"{HEAD}:{free.getsockname()[1]}"

    def start(self, node: str) -> None:
        line = [str(Path(sys.executable).with_name("ray")), "start", f"--node-ip-address={node}", "--num-cpus=1"]
        line += ["--object-store-memory=104857600", "--include-log-monitor=false"]
        if node == HEAD:
            line += ["--head", f"--port={self.address.split(':')[1]}", "--include-dashboard=false", f"--temp-dir={self.folder}"]
        else:
            line += [f"--address={self.address}"]
        environment = {**os.environ, "SKELMAP_TEST_NODE": node, "PYTHONPATH": os.pathsep.join([str(HERE), *sys.path])}
        with (self.folder / f"{node}.log").open("a") as log:
            started = subprocess.run(line, env=environment, stdout=log, stderr=log, check=False)
        assert started.returncode == 0, (self.folder / f"{node}.log").read_text()

    def kill(self, program: str = "") -> int:
        """Kills the processes of the worker's node: those of a program, or all."""
        return kill_all(f"SKELMAP_TEST_NODE={WORKER}", f"SKELMAP_TEST_MARK={self.mark}", program=program)

    def kill_worker(self) -> None:
        """Kills the raylet. Its workers live a moment longer then, or are killed with it."""
        assert self.kill("raylet") == 1
        if random.random() < 0.5:
            self.kill()


def ray_tasks(cluster: Cluster, archives: list[str], expected: Expected, folder: Path) -> str:
    """Tasks; the worker is killed in mid-run."""
    import on_ray
    import ray

    attempts = Attempts(folder / "attempts", 7)

    def attempt(task: Task) -> dict[str, Any]:
        with attempts.one(ray.util.get_node_ip_address()):
            return task.run()

    tasks = to_tasks(archives, folder / "out", SHARDS)
    random.shuffle(tasks)
    results: list[dict[str, Any]] = []
    thread = threading.Thread(target=lambda: results.extend(on_ray.run(tasks, attempt)))
    thread.start()
    attempts.kill_during(WORKER, lambda: not thread.is_alive(), cluster.kill_worker)
    thread.join(300)
    assert not thread.is_alive()
    assert len(results) == len(tasks)
    prove_equal(outputs(tasks), expected)
    # A run that is started again finds all done, and removes what the killed attempt has left.
    cluster.kill()
    assert not any(result["is_new"] for result in on_ray.run(tasks))
    left = [path.name for path in (folder / "out").rglob("*.part")]
    assert left == [], left
    return attempts.summary(len(tasks))


def ray_rows(cluster: Cluster, archives: list[str], expected: Expected, folder: Path) -> str:
    """Ray Data; the worker is killed in mid-run."""
    import ray
    import ray_data

    attempts = Attempts(folder / "data-attempts", 6)

    def rows(batch: dict[str, Any], options: dict[str, Any]) -> Iterator[pa.Table]:
        with attempts.one(ray.util.get_node_ip_address()):
            yield from ray_data.rows(batch, options)

    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    # A task is planned with room for a block, and the object store of the test has little.
    context.target_max_block_size = 1 << 20
    parts = ray_data.catalog(archives[:-1], 8, rows, per="sequence", content_hash=True, extent=True)
    thread = threading.Thread(target=lambda: parts.write_parquet(str(folder / "rows")))
    thread.start()
    attempts.kill_during(WORKER, lambda: not thread.is_alive(), cluster.kill_worker)
    thread.join(300)
    assert not thread.is_alive()
    found: Counter[str] = Counter()
    for path in (folder / "rows").glob("*.parquet"):
        found.update(map(repr, pq.read_table(path).to_pylist()))
    prove_equal((found, *expected[1:]), expected)
    return attempts.summary(24)


def dask_tasks(archives: list[str], expected: Expected, folder: Path) -> str:
    """Tasks on Dask; one of two workers is killed in mid-run."""
    import dask
    import on_dask
    from dask.distributed import Client, LocalCluster

    attempts = Attempts(folder / "dask-attempts", 7)

    def attempt(task: Task) -> dict[str, Any]:
        with attempts.one(str(os.getpid())):
            return task.run()

    dask.config.set({"distributed.scheduler.allowed-failures": 10})
    tasks = to_tasks(archives, folder / "dask", SHARDS)
    random.shuffle(tasks)
    results: list[dict[str, Any]] = []
    local = folder / "dask-space"
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, local_directory=str(local), silence_logs=50) as cluster,
        Client(cluster) as client,
    ):
        victim = next(iter(client.run(os.getpid).values()))
        thread = threading.Thread(target=lambda: results.extend(on_dask.run(tasks, client, attempt)))
        thread.start()
        attempts.kill_during(str(victim), lambda: not thread.is_alive(), lambda: os.kill(victim, signal.SIGKILL))
        thread.join(300)
        assert not thread.is_alive()
    assert len(results) == len(tasks)
    prove_equal(outputs(tasks), expected)
    return attempts.summary(len(tasks))


def run_rounds(folder: Path, first: int, last: int) -> None:
    """Some rounds with one head. After a failed one, what is left of Ray in this process could reach the next."""
    import ray

    archives = [*sorted(map(str, folder.glob("mod-*.zip"))), str(folder / "few.zip")]
    expected = pickle.loads((folder / "expected").read_bytes())
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    cluster = Cluster(folder / f"ray-{first}")
    cluster.start(HEAD)
    ray.init(address=cluster.address, _node_ip_address=HEAD, log_to_driver=False, logging_level="ERROR")
    for number in range(first, last + 1):
        begin, space = time.monotonic(), folder / f"{number}"
        space.mkdir()
        cluster.start(WORKER)
        said = [ray_rows(cluster, archives, expected, space)]
        cluster.kill()
        cluster.start(WORKER)
        said.append(ray_tasks(cluster, archives, expected, space))
        said.append(dask_tasks(archives, expected, space))
        seconds = time.monotonic() - begin
        print(f"round {number}: exact in {seconds:.0f} s; Ray Data {said[0]}; Ray {said[1]}; Dask {said[2]}", flush=True)
        (space / "exact").touch()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--within", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--first", type=int, default=1, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    rounds = arguments.rounds
    if arguments.within:
        run_rounds(arguments.within, arguments.first, rounds)
        return
    # The paths of Ray's sockets must be short.
    with tempfile.TemporaryDirectory(prefix="many", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        expected = alone(make_archives(folder), folder / "alone")
        (folder / "expected").write_bytes(pickle.dumps(expected))
        print(f"{[len(part) for part in expected]} rows, findings and files", flush=True)
        first = 1
        while first <= rounds:
            mark = uuid.uuid4().hex
            # The nodes and the driver know a token of their own, whatever Ray's default is here.
            secret = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32), "RAY_USAGE_STATS_ENABLED": "0"}
            environment = {**os.environ, **secret, "SKELMAP_TEST_MARK": mark, "PYTHONPATH": os.pathsep.join([str(HERE), *sys.path])}
            # A driver of another cluster may have left its address.
            environment.pop("RAY_ADDRESS", None)
            line = [sys.executable, __file__, "--within", name, "--first", f"{first}", "--rounds", f"{rounds}"]
            try:
                subprocess.run(line, env=environment, check=False)
            finally:
                while kill_all(f"SKELMAP_TEST_MARK={mark}"):
                    time.sleep(0.05)
            while (folder / f"{first}" / "exact").exists():
                first += 1
            if first <= rounds:
                print(f"round {first}: FAILED", flush=True)
                first += 1
        exact = len(list(folder.glob("*/exact")))
    print(f"{exact} of {rounds} exact")
    sys.exit(exact < rounds)


if __name__ == "__main__":
    main()
