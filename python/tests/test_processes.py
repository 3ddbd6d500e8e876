"""Assets go to other processes as their address, and work in forked processes and in many threads."""

from __future__ import annotations

import copy
import gc
import multiprocessing
import os
import pickle
import threading
import time
import weakref
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import skelmap
from support import CORPUS, TEST_CORPUS, on_linux, opened, parsed, run_python


@pytest.mark.parametrize("name", ["fox.psk", "fox.psa", "fox.pmd", "fox_walk.psa", "officer_walk.gsa"])
@pytest.mark.parametrize("mode", ["read", "map", "lease"])
def test_an_asset_is_pickled_as_address_and_mode(name: str, mode: Any) -> None:
    asset = opened(CORPUS / name, mode=mode)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        pickled = pickle.dumps(asset, protocol=protocol)
        assert len(pickled) < 600
        again = pickle.loads(pickled)
        assert type(again) is type(asset)
        assert (again.address, again.mode) == (str(CORPUS / name), mode)
        assert again.data.tobytes() == asset.data.tobytes()


def test_an_entry_is_pickled_as_its_address() -> None:
    address = f"{CORPUS}/fox.pyromod!/art/meshes/skeletal/fox.pmd"
    again = pickle.loads(pickle.dumps(opened(address)))
    assert again.address == address
    assert again.bone_count == 23


def test_a_relative_path_is_pickled_as_an_absolute_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(CORPUS)
    pickled = [pickle.dumps(opened(name)) for name in ("fox.psk", "fox.pyromod!/art/meshes/skeletal/fox.pmd")]
    monkeypatch.chdir(tmp_path)
    assert [pickle.loads(one).bone_count for one in pickled] == [23, 23]


def test_choices_of_the_parser_are_pickled_too() -> None:
    path = TEST_CORPUS / "pyrogenesis/damaged/trailing.psa"
    again = pickle.loads(pickle.dumps(opened(path, engine=True)))
    assert [quirk.code for quirk in again.quirks] == ["trailing-bytes"]


def test_a_file_that_is_gone_cannot_be_loaded(tmp_path: Path) -> None:
    (tmp_path / "a.psk").write_bytes((CORPUS / "fox.psk").read_bytes())
    pickled = pickle.dumps(opened(tmp_path / "a.psk"))
    (tmp_path / "a.psk").unlink()
    with pytest.raises(FileNotFoundError):
        pickle.loads(pickled)


def test_an_asset_of_bytes_cannot_be_pickled() -> None:
    with pytest.raises(TypeError, match="bytes"):
        pickle.dumps(parsed((CORPUS / "fox.psk").read_bytes()))


def test_a_sequence_is_pickled_with_its_animation() -> None:
    walk = opened(CORPUS / "fox.psa")["idle"]
    pickled = pickle.dumps(walk)
    assert len(pickled) < 1_000
    again = pickle.loads(pickled)
    assert (again.name, again.index, again.frame_count) == ("idle", 1, 30)
    assert again.keys.tobytes() == walk.keys.tobytes()
    assert np.array_equal(again.sample([0.1, 0.7]), walk.sample([0.1, 0.7]))


def test_what_belongs_to_this_process_cannot_be_pickled() -> None:
    mesh, animation = opened(CORPUS / "fox.psk"), opened(CORPUS / "fox.psa")
    for thing in (mesh.bind(animation), skelmap.catalog(CORPUS), next(skelmap.walk(CORPUS)), skelmap.walk(CORPUS)):
        with pytest.raises(TypeError, match="pickle"):
            pickle.dumps(thing)


def test_a_copy_is_opened_again() -> None:
    mesh = opened(CORPUS / "fox.psk")
    for again in (copy.copy(mesh), copy.deepcopy(mesh)):
        assert again is not mesh
        assert again.data.tobytes() == mesh.data.tobytes()
        again.close()
    assert mesh.bone_count == 23


def sum_of_keys(asset: Any) -> float:
    """What a worker computes."""
    return float(asset["walk"].keys["translation"].astype(np.float64).sum())


def test_workers_that_are_spawned_get_assets() -> None:
    animation = opened(CORPUS / "fox.psa", mode="map")
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(sum_of_keys, [animation] * 3) == [sum_of_keys(animation)] * 3


FORK = """
import faulthandler, os, sys
import skelmap
faulthandler.dump_traceback_later(20, exit=True)
folder = sys.argv[1]
def all_of_it():
    fox, animation = skelmap.open(folder + "/fox.psk", mode="map"), skelmap.open(folder + "/fox.psa")
    rows = len(skelmap.catalog(folder)), len(skelmap.catalog(folder, jobs=4, extent=True, per="sequence"))
    return rows, len(list(skelmap.walk(folder))), fox.bind(animation).skin([0.1] * 9_000).shape, len(animation.check())
kept = skelmap.open(folder + "/fox.psa", mode="map")
before = all_of_it()
for _ in range(3):
    child = os.fork()
    if child == 0:
        ok = all_of_it() == before and kept["walk"].keys["time"].size == 690
        grandchild = os.fork()
        if grandchild == 0:
            os._exit(0 if len(skelmap.catalog(folder)) == 9 else 1)
        os._exit(0 if ok and os.waitpid(grandchild, 0)[1] == 0 else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert all_of_it() == before
print("done")
"""


@on_linux
def test_a_forked_process_does_all_that_its_parent_did() -> None:
    result = run_python(FORK, CORPUS)
    assert result.stdout == "done\n", result.stderr


@on_linux
def test_a_process_may_fork_while_a_thread_makes_a_catalog() -> None:
    code = """
import faulthandler, os, sys, threading
import skelmap
faulthandler.dump_traceback_later(20, exit=True)
folder = sys.argv[1]
thread = threading.Thread(target=lambda: [skelmap.catalog([folder] * 200, extent=True) for _ in range(5)])
thread.start()
for _ in range(5):
    child = os.fork()
    if child == 0:
        os._exit(0 if len(skelmap.catalog(folder)) == 9 else 1)
    assert os.waitpid(child, 0)[1] == 0
thread.join()
print("done")
"""
    result = run_python(code, CORPUS)
    assert result.stdout == "done\n", result.stderr


@on_linux
def test_a_process_may_fork_while_a_thread_writes_files(tmp_path: Path) -> None:
    code = """
import faulthandler, itertools, os, sys, threading
import skelmap
faulthandler.dump_traceback_later(20, exit=True)
mesh, folder = sys.argv[1:]
forked = threading.Event()
def write():
    for n in itertools.takewhile(lambda _: not forked.is_set(), itertools.count()):
        skelmap.catalog_to(f"{folder}/parent{n}.jsonl", mesh)
thread = threading.Thread(target=write)
thread.start()
for n in range(200):
    child = os.fork()
    if child == 0:
        os._exit(0 if skelmap.catalog_to(f"{folder}/child{n}.jsonl", mesh).rows == 1 else 1)
    assert os.waitpid(child, 0)[1] == 0
forked.set()
thread.join()
print("done")
"""
    result = run_python(code, CORPUS / "fox.psk", tmp_path)
    assert result.stdout == "done\n", result.stderr
    assert len(list(tmp_path.glob("child*"))) == 200
    assert (tmp_path / "parent0.jsonl").exists()


@on_linux
def test_a_catalog_leaves_no_thread_behind() -> None:
    def threads() -> int:
        return len(os.listdir("/proc/self/task"))

    before = threads()
    for _ in range(5):
        skelmap.catalog(TEST_CORPUS, jobs=8)
    deadline = time.monotonic() + 5
    while threads() > before and time.monotonic() < deadline:
        time.sleep(0.01)
    assert threads() <= before


def test_many_threads_share_one_asset() -> None:
    mesh, animation = opened(CORPUS / "fox.psk", mode="map"), opened(CORPUS / "fox.psa", mode="map")
    times = np.linspace(0, 1, 50)
    expected = mesh.bind(animation["walk"]).skin(times), animation["idle"].sample(times)
    fresh, barrier = opened(CORPUS / "fox.psa"), threading.Barrier(8)

    def work(seed: int) -> bool:
        barrier.wait()
        fine: bool = fresh["WALK"].frame_count == 30
        for _ in range(10):
            fine = fine and np.array_equal(mesh.bind(animation["walk"]).skin(times), expected[0])
            fine = fine and np.array_equal(animation["idle"].sample(times), expected[1])
            fine = fine and mesh.check() == [] and len(animation.sequence_list) == 2
            fine = fine and opened(CORPUS / "fox.psk").bone_count == 23
            fine = fine and len(skelmap.catalog(CORPUS, jobs=2)) == 9
        return fine

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, range(8))) == [True] * 8


def test_a_thread_may_close_what_others_use() -> None:
    for _ in range(30):
        animation = opened(CORPUS / "fox.psa", mode="map")
        unexpected: list[BaseException] = []

        def work(animation: Any = animation, unexpected: list[BaseException] = unexpected) -> None:
            try:
                while True:
                    keys = animation["walk"].keys
                    animation["idle"].sample([0.1, 0.2])
                    assert keys["time"].size == 690
            except ValueError as error:
                assert "closed" in str(error)  # noqa: PT017
            except BaseException as error:
                unexpected.append(error)

        threads = [threading.Thread(target=work) for _ in range(3)]
        for thread in threads:
            thread.start()
        time.sleep(0.003)
        animation.close()
        for thread in threads:
            thread.join()
        assert unexpected == []


def test_one_walk_may_feed_many_threads() -> None:
    items = skelmap.walk([CORPUS] * 100)
    found: list[str] = []

    def work() -> None:
        while True:
            try:
                item = next(items)
            except StopIteration:
                return
            found.append(item.address)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == sorted(item.address for item in skelmap.walk([CORPUS] * 100))


SUBINTERPRETER = """
import sys
try:
    import _xxsubinterpreters as interpreters
except ImportError:
    import _interpreters as interpreters
if sys.argv[2] == "after":
    import skelmap
one = interpreters.create()
interpreters.run_string(one, sys.argv[1])
interpreters.destroy(one)
import skelmap
print(skelmap.open(sys.argv[3]).bone_count)
"""

IMPORT = """
try:
    import skelmap
except ImportError as error:
    print(error, flush=True)
"""


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_subinterpreter_is_refused_clearly(when: str) -> None:
    result = run_python(SUBINTERPRETER, IMPORT, when, CORPUS / "fox.psk")
    assert result.returncode == 0, result.stderr
    told, bones = result.stdout.splitlines()
    assert "skelmap" in told
    assert "subinterpreter" in told
    assert bones == "23", "the main interpreter goes on"


def test_cycles_of_animations_and_sequences_are_collected() -> None:
    animation = opened(CORPUS / "fox.psa")
    sequence = animation["walk"]
    assert sequence.animation is animation
    watched = weakref.ref(animation)
    del animation, sequence
    gc.collect()
    assert watched() is None


def test_a_process_ends_cleanly_with_assets_alive() -> None:
    code = """
import sys, threading, skelmap
a = skelmap.open(sys.argv[1], mode="map")
keys, b, items = a["walk"].keys, skelmap.open(sys.argv[2]).bind(a), skelmap.walk(sys.argv[1])
threading.Thread(target=lambda: [skelmap.catalog([sys.argv[2]] * 1000) for _ in range(3)], daemon=True).start()
"""
    result = run_python(code, CORPUS / "fox.psa", CORPUS / "fox.psk")
    assert (result.returncode, result.stderr) == (0, "")
