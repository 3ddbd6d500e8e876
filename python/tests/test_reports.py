"""Findings, quirks, summaries and explanations are those of the command, and those that the corpus states."""

from __future__ import annotations

import base64
import json
import shutil
import struct
from dataclasses import FrozenInstanceError, asdict
from functools import cache
from pathlib import Path
from typing import Any

import build
import pytest
import skelmap
from support import CORPUS, OF_THE_MOD, SAMPLES, TEST_CORPUS, command, has_header_alone, manifest, opened, parsed

GOOD = [name for name, file in manifest().items() if "ok" in file["expect"]]
RANK = {"error": 0, "warning": 1, "note": 2}


@cache
def checked(*folders: Path) -> dict[str, dict[str, Any]]:
    """What the command says of each file that it can read."""
    result = command("check", "--level", "note", "--format", "jsonl", *folders)
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    return {row["path"]: row for row in rows if row["entry"] is None and row["error"] is None}


def assert_checked(path: str, row: dict[str, Any]) -> None:
    asset = opened(path)
    quirks = [(quirk.code, quirk.section, quirk.offset) for quirk in asset.quirks]
    # The command reports equal quirks once, at the first place, and all quirks as findings too.
    assert [(quirk["code"], quirk["section"], quirk["offset"]) for quirk in row["quirks"]] == first_of_each(quirks), path
    assert sum(quirk["count"] for quirk in row["quirks"]) == len(quirks), path
    assert all(code in {quirk["code"] for quirk in row["quirks"]} for code, _, _ in quirks)
    places = {(quirk["code"], quirk["offset"]) for quirk in row["quirks"]}
    expected = [
        finding
        for finding in row["findings"]
        if finding["code"] not in OF_THE_MOD
        and (finding["index"] is not None or finding["section"] == "side-car" or (finding["code"], finding["offset"]) not in places)
    ]
    assert [asdict(finding) for finding in asset.check()] == expected, path


def first_of_each(quirks: list[tuple[str, str, int]]) -> list[tuple[str, str, int]]:
    kept: dict[tuple[str, str], tuple[str, str, int]] = {}
    for quirk in quirks:
        kept.setdefault(quirk[:2], quirk)
    return list(kept.values())


@pytest.mark.parametrize("name", GOOD)
def test_findings_and_quirks_of_the_test_corpus_are_those_of_the_command(name: str) -> None:
    path = str(TEST_CORPUS / name)
    assert_checked(path, checked(TEST_CORPUS)[path])


def test_findings_and_quirks_of_the_corpus_are_those_of_the_command() -> None:
    rows = checked(CORPUS)
    assert len(rows) == 6
    for path, row in rows.items():
        assert_checked(path, row)
        assert opened(path).check() == []


def test_findings_and_quirks_of_real_files_are_those_of_the_command(samples: Path) -> None:
    rows = checked(samples)
    assert len(rows) > 100
    for path, row in rows.items():
        assert_checked(path, row)


@pytest.mark.parametrize("name", GOOD)
def test_codes_are_those_that_the_corpus_states(name: str) -> None:
    expected = manifest()[name]["expect"]["ok"]
    asset = opened(TEST_CORPUS / name)
    # The corpus states them in the order of their names.
    assert sorted({quirk.code for quirk in asset.quirks}) == sorted(expected["quirks"])
    stated = expected["findings"]
    found = asset.check()
    assert sorted({finding.code for finding in found}) == sorted(set(stated))
    assert [RANK[finding.severity] for finding in found] == sorted(RANK[finding.severity] for finding in found), "the worst come first"


def test_the_side_car_beside_an_animation_is_checked_too(tmp_path: Path) -> None:
    shutil.copy(TEST_CORPUS / "actorx/anim/config_line.psa", tmp_path)
    assert opened(tmp_path / "config_line.psa").check() == []
    shutil.copy(TEST_CORPUS / "actorx/anim/config_line.config", tmp_path)
    (found,) = opened(tmp_path / "config_line.psa").check()
    assert (found.code, found.section) == ("config-line", "side-car")
    assert parsed((tmp_path / "config_line.psa").read_bytes()).check() == []


def test_an_option_of_the_parser_is_seen_in_the_quirks() -> None:
    trailing = TEST_CORPUS / "pyrogenesis/damaged/trailing.psa"
    with pytest.raises(skelmap.FormatError):
        opened(trailing)
    assert [quirk.code for quirk in opened(trailing, engine=True).quirks] == ["trailing-bytes"]
    assert [quirk.code for quirk in parsed(trailing.read_bytes(), engine=True).quirks] == ["trailing-bytes"]
    zero = TEST_CORPUS / "swat3/damaged/trailing_zero.gsa"
    with pytest.raises(skelmap.FormatError):
        opened(zero)
    result = json.loads(command("check", "--level", "note", "--format", "json", "--trailing-zeros", zero).stdout)
    quirks = [(quirk.code, quirk.offset) for quirk in opened(zero, trailing_zeros=True).quirks]
    assert quirks == [(quirk["code"], quirk["offset"]) for quirk in result[0]["quirks"]] != []


def test_a_layout_of_skeletons_is_taken_as_the_command_prints_it(tmp_path: Path) -> None:
    path = CORPUS / "officer_walk.gsa"
    layout = command("info", "--layout", path).stdout
    lines = "".join(line + "\n" for line in layout.splitlines() if "=" in line and not line.startswith("#"))
    assert lines
    (tmp_path / "layout").write_text(lines)
    told = json.loads(command("info", "--format", "json", "--gsa-layout", tmp_path / "layout", path).stdout)
    given = opened(path, gsa_layout=lines)
    assert given.bone_count == told["bones"]
    assert given.format == told["format"]
    for text in ("nonsense", "", "\0"):
        try:
            opened(path, gsa_layout=text)
        except ValueError as error:
            assert "gsa_layout" in str(error)  # noqa: PT017


@pytest.mark.parametrize("folder", [CORPUS, TEST_CORPUS, *([SAMPLES] if SAMPLES else [])], ids=lambda folder: folder.name)
def test_summaries_are_those_of_the_command(folder: Path) -> None:
    rows = [json.loads(line) for line in command("ls", "--format", "jsonl", folder).stdout.splitlines()]
    rows = [row for row in rows if row["error"] is None]
    assert len(rows) > 5
    for row in rows:
        if has_header_alone(row):
            continue
        asset = opened(row["path"] if row["entry"] is None else f"{row['path']}!/{row['entry']}")
        summary = asset.summary
        assert summary == {key: row[key] for key in summary}, row["path"]
        assert (asset.format, asset.nbytes) == (row["format"], row["bytes"])
        assert list(dict.fromkeys(quirk.code for quirk in asset.quirks)) == row["quirks"] or set(row["quirks"]) == {
            quirk.code for quirk in asset.quirks
        }


def test_every_code_of_the_command_is_explained() -> None:
    rows = [json.loads(line) for line in command("explain", "--format", "jsonl").stdout.splitlines()]
    assert len(rows) > 50
    for row in rows:
        assert skelmap.explain(row["code"]) == f"{row['code']} ({row['severity']}): {row['meaning']}\n{row['explanation']}"


@pytest.mark.parametrize("code", ["", "nonsense", "WEIGHT-SUM", "weight-sum ", "weight-sum\0", "é"])
def test_a_code_that_does_not_exist_is_a_key_error(code: str) -> None:
    with pytest.raises(KeyError) as caught:
        skelmap.explain(code)
    assert caught.value.args == (code,)


def test_findings_and_quirks_are_values(corpus: Path, tmp_path: Path) -> None:
    path = shutil.copy(TEST_CORPUS / "actorx/mesh/face_wedge.psk", tmp_path)
    one, other = opened(path).check(), opened(path).check()
    assert one == other != []
    assert {*one} == {*other}
    with pytest.raises(FrozenInstanceError):
        setattr(one[0], "code", "other")  # noqa: B010


@pytest.mark.parametrize(("points", "shown"), [(398, "points=398"), (99_999, "points=99999"), (1_234_567, "points=1234567")])
def test_a_representation_has_whole_counts(points: int, shown: str) -> None:
    head = build.chunk(b"ACTRHEAD") + build.chunk(b"PNTS0000", 12, points, bytes(12 * points))
    mesh = parsed(head)
    assert repr(mesh) == f"<skelmap.actorx.Psk bytes {shown}>"
    assert shown.removeprefix("points=") in mesh._repr_html_()


def test_names_are_escaped_in_html(corpus: Path, tmp_path: Path) -> None:
    path = tmp_path / "<b>&.psk"
    shutil.copy(corpus / "fox.psk", path)
    html = opened(path)._repr_html_()
    assert "<b>" not in html
    assert "&lt;b&gt;&amp;.psk" in html
    assert repr(opened(path)).startswith("<skelmap.actorx.Psk '<b>&.psk' bones=23 ")


def test_a_picture_of_a_mesh_is_a_png_of_the_size_that_is_asked_for(corpus: Path) -> None:
    mesh = opened(corpus / "fox.psk")
    assert isinstance(mesh, skelmap.Mesh)
    for size in (1, 64, 300):
        picture = mesh.to_png(size)
        assert picture[:8] == b"\x89PNG\r\n\x1a\n"
        assert struct.unpack(">II", picture[16:24]) == (size, size)
    assert mesh._repr_png_() == mesh.to_png(256)
    assert base64.b64encode(mesh.to_png()).decode() in mesh._repr_html_()
    for size in (0, 4097):
        with pytest.raises(ValueError, match="expected 1 to 4096"):
            mesh.to_png(size)
    mesh.close()
    assert mesh._repr_png_() is None
    with pytest.raises(ValueError, match="closed"):
        mesh.to_png()


def test_the_picture_in_a_notebook_is_that_of_a_contact_sheet(corpus: Path, tmp_path: Path) -> None:
    result = command("sheet", corpus / "fox.psk", "--thumbs", tmp_path / "thumbs", "--size", "256")
    assert result.returncode == 0, result.stderr
    (picture,) = (tmp_path / "thumbs").rglob("*.png")
    mesh = opened(corpus / "fox.psk")
    assert isinstance(mesh, skelmap.Mesh)
    assert mesh.to_png(256) == picture.read_bytes()
