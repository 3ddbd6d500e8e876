"""Edits of ActorX files: what is asked about changes, all other bytes stay. The bytes are read by hand, with ``struct`` alone."""

from __future__ import annotations

import os
import pickle
import shutil
import struct
import sys
import threading
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import build
import numpy as np
import pytest
import skelmap
from skelmap.actorx import PsaEdit
from support import CORPUS, TEST_CORPUS, command, each_good, on_linux, opened, parsed

SIDE_CAR = b"; mine\r\n[RemoveTracks]\r\nwalk.1=all\r\nIdle.0 = trans\r\nother.3=rot\r\n"


def chunks(data: bytes) -> dict[bytes, tuple[int, int, bytes]]:
    """For each chunk its flag, the size of its records, and these."""
    found: dict[bytes, tuple[int, int, bytes]] = {}
    at = 0
    while at < len(data):
        id, flag, size, count = struct.unpack_from("<20sIii", data, at)
        body = data[at + 32 : at + 32 + size * count]
        found[id.rstrip(b"\0")] = flag, size, body
        at += 32 + len(body)
    return found


def records(data: bytes, id: bytes) -> list[bytes]:
    _, size, body = chunks(data)[id]
    return [body[at : at + size] for at in range(0, len(body), size)]


def name_of(record: bytes) -> bytes:
    return record[:64].split(b"\0")[0]


@pytest.fixture
def fox(tmp_path: Path) -> Path:
    """An animation of ``walk`` and ``idle``, 30 frames each of 23 bones, with a side-car."""
    folder = tmp_path / "in"
    folder.mkdir()
    shutil.copy(CORPUS / "fox.psa", folder / "fox.psa")
    (folder / "fox.config").write_bytes(SIDE_CAR)
    return folder / "fox.psa"


@each_good("actorx.psa")
def test_an_edit_of_nothing_gives_the_animation(path: Path, tmp_path: Path) -> None:
    data = path.read_bytes()
    assert opened(path).edit().to_bytes() == data
    report = opened(path, mode="map").edit().save(tmp_path / "a.psa")
    assert (tmp_path / "a.psa").read_bytes() == data
    assert report["bytes"] == len(data)
    config = path.with_suffix(".config")
    assert (tmp_path / "a.config").exists() == config.exists()
    if config.exists():
        assert (tmp_path / "a.config").read_bytes() == config.read_bytes()


@each_good("actorx.psk")
def test_an_edit_of_nothing_gives_the_mesh(path: Path, tmp_path: Path) -> None:
    assert opened(path).edit().to_bytes() == path.read_bytes()
    opened(path).edit().save(tmp_path / "a.pskx")
    assert (tmp_path / "a.pskx").read_bytes() == path.read_bytes()


def test_a_chain_of_requests_changes_what_it_asks_for_alone(fox: Path, tmp_path: Path) -> None:
    before = fox.read_bytes()
    edit = opened(fox).edit()
    chain = edit.keep(["WALK"]).rename("walk", "Walk_Slow").rate("walk", 12).trim("Walk", 5, 25).rename_bone("head", "Kopf")
    assert chain is edit
    report = edit.save(tmp_path / "out.psa")
    after = (tmp_path / "out.psa").read_bytes()
    expected = {"sequences": 1, "frames": 20, "bones": 23, "dropped_sequences": 1, "renamed_sequences": 1, "bytes": len(after)}
    expected |= {"rated_sequences": 1, "trimmed_sequences": 1, "renamed_bones": 1, "dropped_bones": 0}
    assert {name: report[name] for name in expected} == expected
    assert list(chunks(after)) == list(chunks(before))
    assert [flag for flag, _, _ in chunks(after).values()] == [flag for flag, _, _ in chunks(before).values()]
    [info] = records(after, b"ANIMINFO")
    old = records(before, b"ANIMINFO")[0]
    assert (name_of(old), name_of(info)) == (b"walk", b"Walk_Slow")
    assert info[64:128] == old[64:128]  # the group
    fields = struct.unpack_from("<4i3f3i", info, 128)
    assert (fields[0], fields[3], fields[6], fields[8:]) == (23, 20 * 23, 12.0, (0, 20))
    first = struct.unpack_from("<i", old, 160)[0]
    keys = records(before, b"ANIMKEYS")[(first + 5) * 23 : (first + 25) * 23]
    assert records(after, b"ANIMKEYS") == keys
    old_bones, bones = records(before, b"BONENAMES"), records(after, b"BONENAMES")
    changed = [(name_of(one), name_of(other)) for one, other in zip(old_bones, bones, strict=True) if one != other]
    assert changed == [(b"head", b"Kopf")]
    assert [one[64:] for one in bones] == [one[64:] for one in old_bones]
    # Lines of the sequence that is gone are gone; its own follow its name; those of others stay.
    assert (tmp_path / "out.config").read_bytes() == b"; mine\r\n[RemoveTracks]\r\nWalk_Slow.1=all\r\nother.3=rot\r\n"
    assert fox.read_bytes() == before


def test_a_bone_that_is_dropped_takes_its_keys_and_lines_with_it(fox: Path, tmp_path: Path) -> None:
    animation = opened(fox)
    names = animation.bone_names
    animation.edit().drop_bone(names[1]).save(tmp_path / "out.psa")
    after = (tmp_path / "out.psa").read_bytes()
    old = np.frombuffer(chunks(fox.read_bytes())[b"ANIMKEYS"][2], "V32").reshape(-1, 23)
    new = np.frombuffer(chunks(after)[b"ANIMKEYS"][2], "V32").reshape(-1, 22)
    assert np.delete(old, 1, axis=1).tobytes() == new.tobytes()
    assert [name_of(one).decode() for one in records(after, b"BONENAMES")] == [names[0], *names[2:]]
    assert (tmp_path / "out.config").read_bytes() == SIDE_CAR.replace(b"walk.1=all\r\n", b"")


def test_the_command_and_python_give_the_same_bytes(fox: Path, tmp_path: Path) -> None:
    options = ["--keep", "walk", "--rename", "walk=Go", "--rate", "walk=24", "--trim", "walk=1..9", "--drop-bone", "head"]
    done = command("edit", fox, "-o", tmp_path / "of_command.psa", *options, "--exec", tmp_path / "of_command.uc", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    edit = opened(fox).edit().drop_bone("head").trim("walk", 1, 9).rate("walk", 24).rename("walk", "Go").keep(["walk"])
    edit.save(tmp_path / "of_python.psa", exec=tmp_path / "of_python.uc")
    for end in ("psa", "config", "uc"):
        one, other = (tmp_path / f"of_{who}.{end}" for who in ("command", "python"))
        assert one.read_bytes().replace(b"of_command", b"of_python") == other.read_bytes()


def test_a_mesh_is_scaled_and_renamed_and_nothing_else_changes(tmp_path: Path) -> None:
    path = TEST_CORPUS / "actorx/mesh/everything.pskx"
    mesh = opened(path)
    bone, material = mesh.bone_names[1], mesh.material_names[0]
    edit = mesh.edit().scale(2).rename_bone(bone, "Neu").rename_material(material, "Haut").drop_chunk("VTXNORMS")
    report = edit.save(tmp_path / "a.pskx")
    before, after = path.read_bytes(), (tmp_path / "a.pskx").read_bytes()
    assert after == edit.to_bytes()
    assert set(chunks(before)) - set(chunks(after)) == {b"VTXNORMS"}
    changed = {id for id in chunks(after) if chunks(after)[id] != chunks(before)[id]}
    assert changed <= {b"PNTS0000", b"REFSKELT", b"MATT0000", b"SKELSOCK", b"MRPHDATA"}
    points = [np.frombuffer(chunks(data)[b"PNTS0000"][2], "<f4") for data in (before, after)]
    assert np.array_equal(points[0] * 2, points[1])
    bones = [records(data, b"REFSKELT") for data in (before, after)]
    assert [name_of(one) for one in bones[1]] == [b"Neu" if index == 1 else name_of(one) for index, one in enumerate(bones[0])]
    places = [np.array([struct.unpack_from("<3f", one, 92) for one in rows]) for rows in bones]
    np.testing.assert_array_equal(places[0] * 2, places[1])
    assert name_of(records(after, b"MATT0000")[0]) == b"Haut"
    assert (report["renamed_bones"], report["renamed_materials"] > 0, report["dropped_chunks"]) == (1, True, 1)
    extras = parsed(mesh.edit().drop_extras().to_bytes())
    assert extras.normals is None
    assert len(extras.points) == len(mesh.points)


@pytest.mark.parametrize("mode", ["read", "map", "lease"])
def test_an_edit_can_be_saved_over_its_own_file(fox: Path, mode: Any) -> None:
    animation = opened(fox, mode=mode)
    keys, before = animation["walk"].keys, fox.read_bytes()
    copy = np.array(keys)
    edit = animation.edit().keep(["walk"]).rename("walk", "Go")
    with pytest.raises(FileExistsError, match="force=True"):
        edit.save(fox)
    assert (fox.read_bytes(), fox.with_suffix(".config").read_bytes()) == (before, SIDE_CAR)
    edit.save(fox, force=True)
    assert list(opened(fox)) == ["Go"]
    assert b"Go.1=all" in fox.with_suffix(".config").read_bytes()
    # What is open has the old bytes, and can be edited again: its side-car is the new one, whose lines are about other names.
    assert keys.tobytes() == copy.tobytes()
    assert animation.data.tobytes() == before
    assert sorted(one.name for one in fox.parent.iterdir()) == ["fox.config", "fox.psa"]


@on_linux
def test_permissions_of_a_file_that_is_replaced_stay(fox: Path) -> None:
    fox.chmod(0o640)
    opened(fox).edit().rate("walk", 10).save(fox, force=True)
    assert fox.stat().st_mode & 0o777 == 0o640


def ask(edit: Any, what: str, *arguments: Any) -> None:
    getattr(edit, what)(*arguments)


@pytest.mark.parametrize(
    ("what", "arguments", "message"),
    [
        ("keep", (["wlak"],), 'no sequence "wlak"; it has "walk", "idle"'),
        ("rename", ("run", "Run"), 'no sequence "run"'),
        ("rename", ("walk", ""), "cannot be stored"),
        ("rename", ("walk", "x" * 64), "1 to 63 bytes"),
        ("rename", ("walk", "a\nb"), "control character"),
        ("rate", ("walk", 0), "0 is no rate: expected a finite number above 0"),
        ("rate", ("walk", float("nan")), "NaN is no rate"),
        ("rate", ("walk", 1e300), "inf is no rate"),
        ("rate", ("run", 1), 'no sequence "run"'),
        ("trim", ("walk", 5, 5), "frames 5 to 5"),
        ("trim", ("walk", 9, 3), "frames 9 to 3"),
        ("trim", ("walk", 0, 31), "the sequence has 30"),
        ("trim", ("walk", 0, 10**30), "the sequence has 30"),
        ("trim", ("walk", -1, 3), "counted from 0"),
        ("rename_bone", ("Head2", "x"), 'no bone "Head2"; it has '),
        ("drop_bone", ("Head2",), 'no bone "Head2"'),
    ],
)
def test_a_request_that_the_animation_cannot_follow_is_a_value_error_at_once(
    fox: Path, what: str, arguments: tuple[Any, ...], message: str
) -> None:
    edit = opened(fox).edit()
    with pytest.raises(ValueError, match=message):
        ask(edit, what, *arguments)
    # It is as if it had not been asked.
    assert edit.to_bytes() == fox.read_bytes()


@pytest.mark.parametrize(
    ("what", "arguments", "message"),
    [
        ("rename_bone", ("Head2", "x"), 'no bone "Head2"'),
        ("rename_material", ("fur2", "x"), 'no material "fur2"'),
        ("scale", (0,), "0 is no scale"),
        ("scale", (float("inf"),), "inf is no scale"),
        ("drop_chunk", ("PNTS0000",), "cannot be dropped"),
        ("drop_chunk", ("NOTHING",), "no chunk"),
    ],
)
def test_a_request_that_the_mesh_cannot_follow_is_a_value_error_at_once(what: str, arguments: tuple[Any, ...], message: str) -> None:
    edit = opened(CORPUS / "fox.psk").edit()
    with pytest.raises(ValueError, match=message):
        ask(edit, what, *arguments)
    assert edit.to_bytes() == (CORPUS / "fox.psk").read_bytes()


@pytest.mark.parametrize(
    ("what", "arguments"),
    [
        ("keep", ("walk",)),
        ("keep", ([3],)),
        ("keep", (None,)),
        ("rename", ("walk", 3)),
        ("rename", (b"walk", "x")),
        ("rate", ("walk", "12")),
        ("rate", ("walk", None)),
        ("trim", ("walk", 0.0, 3)),
        ("trim", (0, 0, 3)),
        ("rename_bone", ("head",)),
        ("drop_bone", (1,)),
        ("save", (3,)),
        ("save", (None,)),
    ],
)
def test_an_argument_of_another_type_is_a_type_error(fox: Path, what: str, arguments: tuple[Any, ...]) -> None:
    edit = opened(fox).edit()
    with pytest.raises(TypeError):
        ask(edit, what, *arguments)
    assert edit.to_bytes() == fox.read_bytes()


def test_what_only_the_whole_edit_shows_is_an_error_when_it_is_saved_and_no_file(fox: Path, tmp_path: Path) -> None:
    before = sorted(tmp_path.rglob("*"))
    for edit, message in (
        (opened(fox).edit().rename("walk", "idle"), 'two sequences would have the name "idle"'),
        (opened(fox).edit().keep(["walk"]).keep(["idle"]), "no sequence would be left"),
        (opened(fox).edit().rename_bone("head", "TAIL_1").rename_bone("neck", "tail_1"), "two bones would have the name"),
        (opened(fox).edit().rename("walk", "other"), "the side-car cannot follow"),
    ):
        with pytest.raises(ValueError, match=message):
            edit.save(tmp_path / "out.psa")
    assert sorted(tmp_path.rglob("*")) == before


def test_shared_frames_are_copied_if_that_is_asked_for(tmp_path: Path) -> None:
    data = bytearray(build.psa([b"Root", b"Arm"], [(b"One", 4, 30), (b"Two", 4, 30)], build.random_keys(8)))
    at = data.index(b"Two\0") + 160
    data[at : at + 4] = struct.pack("<i", 0)  # its first frame is that of the first sequence
    edit = parsed(bytes(data)).edit().drop_bone("Arm")
    with pytest.raises(ValueError, match=r"sequences share frames: .*: copy_shared=True gives each its own"):
        edit.save(tmp_path / "a.psa")
    assert not list(tmp_path.iterdir())
    report = edit.save(tmp_path / "a.psa", copy_shared=True)
    assert report["frames"] == 8
    assert edit.to_bytes(copy_shared=True) == (tmp_path / "a.psa").read_bytes()


def test_a_side_car_of_another_animation_is_not_taken_for_that_of_the_output(tmp_path: Path) -> None:
    animation = parsed((CORPUS / "fox.psa").read_bytes())
    (tmp_path / "a.config").write_bytes(SIDE_CAR)
    with pytest.raises(OSError, match="side-car of the output"):
        animation.edit().save(tmp_path / "a.psa")
    assert [one.name for one in tmp_path.iterdir()] == ["a.config"]


def test_the_name_of_a_file_says_what_it_is(fox: Path, tmp_path: Path) -> None:
    for name in ("a.psk", "a", "a.config"):
        with pytest.raises(ValueError, match=rf"{name}: this is an animation: expected a name in \.psa"):
            opened(fox).edit().save(tmp_path / name)
    with pytest.raises(ValueError, match=r"this is a mesh: expected a name in \.psk or \.pskx"):
        opened(CORPUS / "fox.psk").edit().save(tmp_path / "a.psa")
    for exec in (fox, fox.with_suffix(".config"), tmp_path / "a.psa", tmp_path / "a.config"):
        with pytest.raises(ValueError, match="need a file of their own"):
            opened(fox).edit().save(tmp_path / "a.psa", exec=exec)
    opened(fox).edit().save(tmp_path / "new" / "a.psa")
    assert (tmp_path / "new" / "a.psa").read_bytes() == fox.read_bytes()
    assert not (tmp_path / "a.psa").exists()


def test_an_entry_of_an_archive_and_bytes_are_edited_too(fox: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "mod.zip", "w") as archive:
        archive.write(fox, "a/fox.psa")
        archive.write(fox.with_suffix(".config"), "a/fox.config")
    opened(f"{tmp_path}/mod.zip!/a/fox.psa").edit().rename("walk", "Go").save(tmp_path / "out.psa")
    assert b"Go.1=all" in (tmp_path / "out.config").read_bytes()
    parsed(fox.read_bytes()).edit().rename("walk", "Go").save(tmp_path / "bytes.psa")
    assert (tmp_path / "bytes.psa").read_bytes() == (tmp_path / "out.psa").read_bytes()
    assert not (tmp_path / "bytes.config").exists()


def test_a_split_and_merged_animation_is_the_same_file(fox: Path, tmp_path: Path) -> None:
    files = opened(fox).split(tmp_path / "one")
    assert files == [tmp_path / "one" / "walk.psa", tmp_path / "one" / "idle.psa"]
    assert (tmp_path / "one" / "walk.config").read_bytes() == SIDE_CAR.replace(b"Idle.0 = trans\r\n", b"")
    [info] = records(files[1].read_bytes(), b"ANIMINFO")
    assert name_of(info) == b"idle"
    assert records(files[1].read_bytes(), b"ANIMKEYS") == records(fox.read_bytes(), b"ANIMKEYS")[30 * 23 :]
    report = skelmap.merge([files[0], opened(files[1], mode="map")], tmp_path / "all.psa")
    assert (report["files"], report["sequences"], report["frames"]) == (2, 2, 60)
    assert (tmp_path / "all.psa").read_bytes() == fox.read_bytes()
    for again in (lambda: opened(fox).split(tmp_path / "one"), lambda: skelmap.merge(files, tmp_path / "all.psa")):
        with pytest.raises(FileExistsError, match="force=True"):
            again()
    assert opened(fox).split(tmp_path / "one", force=True) == files
    skelmap.merge(iter(files), tmp_path / "all.psa", force=True)
    assert (tmp_path / "all.psa").read_bytes() == fox.read_bytes()


def test_a_merge_that_cannot_be_is_an_error_and_no_file(fox: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.psa"
    copy = tmp_path / "copy.psa"
    shutil.copy(fox, copy)
    other = parsed(build.psa([b"Nobody"], [(b"Else", 1, 30)]))
    with pytest.raises(ValueError, match="no file to merge"):
        skelmap.merge([], out)
    with pytest.raises(ValueError, match='two sequences would have the name "walk"'):
        skelmap.merge([copy, copy], out)
    with pytest.raises(ValueError, match="no bone of the first file"):
        skelmap.merge([copy, other], out)
    with pytest.raises(ValueError, match=r"expected skelmap\.actorx\.Psa"):
        skelmap.merge([copy, CORPUS / "fox_walk.psa"], out)
    with pytest.raises(ValueError, match="is one of the inputs"):
        skelmap.merge([copy, other], copy, force=True)
    with pytest.raises(FileNotFoundError):
        skelmap.merge([tmp_path / "none.psa"], out)
    for one in (copy, str(copy), None, [3]):
        with pytest.raises(TypeError):
            skelmap.merge(one, out)  # type: ignore[arg-type]
    assert not out.exists()
    assert copy.read_bytes() == fox.read_bytes()
    report = skelmap.merge([copy, copy], out, number=True)
    assert report["numbered_sequences"] == 2
    assert len(opened(out)) == 4


def test_the_animation_itself_is_not_replaced_by_a_split(tmp_path: Path) -> None:
    path = tmp_path / "walk.psa"
    shutil.copy(CORPUS / "fox.psa", path)
    with pytest.raises(OSError, match="is one of the inputs"):
        opened(path).split(tmp_path, force=True)
    assert path.read_bytes() == (CORPUS / "fox.psa").read_bytes()


def test_an_edit_outlives_its_file_and_is_not_pickled(fox: Path) -> None:
    animation = opened(fox)
    edit = animation.edit().rename("walk", "Go")
    animation.close()
    fox.unlink()
    assert list(parsed(edit.to_bytes())) == ["Go", "idle"]
    assert repr(edit) == "<edit of skelmap.actorx.Psa 'fox.psa'>"
    with pytest.raises(TypeError):
        pickle.dumps(edit)
    with pytest.raises(ValueError, match="closed"):
        animation.edit()
    with pytest.raises(TypeError):
        PsaEdit()  # type: ignore[call-arg]


def test_an_animation_can_be_edited_after_it_was_pickled(fox: Path, tmp_path: Path) -> None:
    again = pickle.loads(pickle.dumps(opened(fox, mode="map")))
    again.edit().keep(["idle"]).save(tmp_path / "a.psa")
    assert list(opened(tmp_path / "a.psa")) == ["idle"]


def test_threads_share_an_edit_and_save_it_at_once(fox: Path, tmp_path: Path) -> None:
    edit = opened(fox, mode="map").edit()
    barrier = threading.Barrier(8)

    def work(number: int) -> None:
        barrier.wait()
        for _ in range(20):
            edit.rate("walk", 24).trim("walk", 2, 22)
        edit.save(tmp_path / f"{number}.psa")

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    assert len({(tmp_path / f"{number}.psa").read_bytes() for number in range(8)}) == 1


@on_linux
def test_a_full_disk_is_an_error_and_the_old_file_stays(fox: Path) -> None:
    """A limit for the size of files is an error of the system like that of a full disk."""
    import resource
    import signal

    before = fox.read_bytes()
    edit = opened(fox).edit().rename("walk", "Go")
    limits, handler = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, limits[1]))
    try:
        with pytest.raises(OSError, match="too large") as caught:
            edit.save(fox, force=True)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)
    assert caught.value.filename == str(fox)
    assert fox.read_bytes() == before
    assert fox.with_suffix(".config").read_bytes() == SIDE_CAR
    assert len(os.listdir(fox.parent)) == 2


@pytest.mark.skipif(sys.platform != "linux", reason="the test forks")
def test_a_forked_process_saves_an_edit(fox: Path, tmp_path: Path) -> None:
    import multiprocessing

    edit = opened(fox).edit().keep(["walk"])
    process = multiprocessing.get_context("fork").Process(target=edit.save, args=(tmp_path / "a.psa",))
    process.start()
    process.join(30)
    assert process.exitcode == 0
    assert list(opened(tmp_path / "a.psa")) == ["walk"]
