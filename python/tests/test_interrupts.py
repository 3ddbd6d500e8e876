"""Ctrl-C ends long work at once, and other threads of Python go on meanwhile."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import build
import numpy as np
import pytest
import skelmap
from support import CORPUS, on_linux, opened, parsed

PROGRAM = """
import sys, time
import numpy as np
import skelmap
path, fox = sys.argv[1:3]
{before}
print("begin", flush=True)
try:
    # Not `while True`: Python 3.11 raises at its jump outside of the `try`.
    for _ in range(1_000_000):
        {work}
except KeyboardInterrupt:
    print(time.monotonic(), flush=True)
else:
    print("was not interrupted", flush=True)
"""

WORK = {
    "open and read": ("", "skelmap.open(path)"),
    "check": ("animation = skelmap.open(path, mode='map')", "animation.check()"),
    "catalog": ("paths = [fox] * 200_000", "skelmap.catalog(paths, extent=True)"),
    "catalog of few large files": ("", "skelmap.catalog([path] * 8, content_hash=True)"),
    "walk": ("paths = [fox] * 20_000", "list(skelmap.walk(paths))"),
    "open of items": ("", "next(skelmap.walk(path)).open()"),
    "sample": ("walk = skelmap.open(fox.replace('psk', 'psa'))['walk']; t = np.zeros(100_000)", "walk.sample(t)"),
    "sample into an array": (
        "walk = skelmap.open(fox.replace('psk', 'psa'))['walk']; t = np.zeros(100_000); out = np.empty((100_000, 23, 10), 'f4')",
        "walk.sample(t, out=out)",
    ),
    "skin": ("mesh = skelmap.open(fox); poses = np.zeros((8_000, 23, 10), 'f4')", "mesh.skin(poses)"),
    "to_gltf": ("animation = skelmap.open(path, mode='map')", "animation.to_gltf(path + '.glb')"),
    "parse": ("data = open(path, 'rb').read()", "skelmap.parse(data).check()"),
}


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An animation of half a gigabyte that takes no room on the disk."""
    path = tmp_path_factory.mktemp("large") / "large.psa"
    build.write_sparse_psa(path, 1 << 29)
    return path


def delay_of_ctrl_c(before: str, work: str, *arguments: str, after: float = 0.4) -> float:
    """Seconds from the signal to the exception. Ends the process if there is none in time."""
    line = [sys.executable, "-c", PROGRAM.format(before=before, work=work), *arguments]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == "begin\n"
            time.sleep(after)
            sent = time.monotonic()
            process.send_signal(signal.SIGINT)
            told, errors = process.communicate(timeout=5)
        finally:
            process.kill()
    assert process.returncode == 0, errors
    assert told != "was not interrupted\n"
    # The clock is the same in all processes of Linux.
    return float(told) - sent


@on_linux
@pytest.mark.parametrize("name", WORK)
def test_ctrl_c_ends_long_work_at_once(name: str, large: Path) -> None:
    assert 0 < delay_of_ctrl_c(*WORK[name], str(large), str(CORPUS / "fox.psk")) < 1


@on_linux
@pytest.mark.parametrize("work", ["skelmap.open(path)", "next(skelmap.walk(path)).open()", "skelmap.catalog(path)"])
def test_ctrl_c_ends_the_wait_for_a_pipe(work: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.psa")
    assert 0 < delay_of_ctrl_c("", work, str(tmp_path / "pipe.psa"), "") < 1


@on_linux
def test_a_process_ends_at_once_after_ctrl_c(large: Path) -> None:
    code = "import sys, skelmap; a = skelmap.open(sys.argv[1], mode='map'); print('begin', flush=True); [a.check() for _ in range(99)]"
    with subprocess.Popen([sys.executable, "-c", code, str(large)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begin\n"
        time.sleep(0.3)
        sent = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=10)
        assert time.monotonic() - sent < 2
    assert "KeyboardInterrupt" in errors
    assert process.returncode == -signal.SIGINT


def check_often(path: Path) -> None:
    animation = opened(path, mode="map")
    for _ in range(1_000):
        animation.check()


@on_linux
def test_a_handler_of_the_program_is_called_during_long_work(large: Path) -> None:
    class Mine(Exception):
        pass

    def handle(number: int, frame: object) -> None:
        raise Mine(number)

    before = signal.signal(signal.SIGUSR1, handle)
    timer = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGUSR1))
    try:
        timer.start()
        with pytest.raises(Mine):
            check_often(large)
    finally:
        timer.join()
        signal.signal(signal.SIGUSR1, before)


def ticks_during(work: Callable[[], object]) -> tuple[int, float]:
    """How often another thread woke up while the work was done, and how long the work took."""
    ticks, is_done = [0], threading.Event()

    def count() -> None:
        while not is_done.is_set():
            time.sleep(0.001)
            ticks[0] += 1

    thread = threading.Thread(target=count)
    thread.start()
    before, begin = ticks[0], time.monotonic()
    try:
        work()
        length, found = time.monotonic() - begin, ticks[0] - before
    finally:
        is_done.set()
        thread.join()
    return found, length


def test_other_threads_run_during_long_work(large: Path, tmp_path: Path) -> None:
    mesh, animation = opened(CORPUS / "fox.psk"), opened(CORPUS / "fox.psa")
    mapped = opened(large, mode="map")
    # Below the size from which work has a thread of its own.
    small = parsed(build.psa([b"root"], [(b"a", 700_000, 30)]))
    times, poses = np.linspace(0, 1, 60_000), np.repeat(mesh.bind_pose[None], 8_000, axis=0)
    works: dict[str, Callable[[], object]] = {
        "open and read": lambda: opened(large),
        "check": mapped.check,
        "check of a small file": lambda: [small.check() for _ in range(3)],
        "catalog": lambda: skelmap.catalog([CORPUS / "fox.psk"] * 20_000, extent=True),
        "sample": lambda: [animation["walk"].sample(times) for _ in range(5)],
        "skin": lambda: [mesh.skin(poses) for _ in range(5)],
        "to_gltf": lambda: small.to_gltf(tmp_path / "a.glb"),
        "walk": lambda: skelmap.walk([CORPUS / "fox.psk"] * 100_000),
    }
    for name, work in works.items():
        ticks, length = ticks_during(work)
        # With the lock held, there would be one tick for each call.
        assert ticks > 8 or length < 0.05, (name, ticks, length)
