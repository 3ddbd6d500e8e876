"""The table of many assets, read by the programs that people use, is that of the command."""

from __future__ import annotations

import json
import shutil
import sys
import zipfile
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import skelmap
from support import CORPUS, SAMPLES, TEST_CORPUS, command, has_header_alone, opened

# The programs have no types, or types that change with each version.
pl: Any = import_module("polars")
pa: Any = import_module("pyarrow")
pd: Any = import_module("pandas")
duckdb: Any = import_module("duckdb")

Row = dict[str, Any]
WAYS: list[Callable[[Path], Any]] = [
    str,
    Path,
    lambda path: [path],
    lambda path: (str(path),),
    lambda path: iter([path]),
    lambda path: {path},
]
FOLDERS = [CORPUS, TEST_CORPUS, *([SAMPLES] if SAMPLES else [])]


def lines_of_command(tmp_path: Path, *arguments: str | Path) -> list[Row]:
    """The rows of the command, with the columns that a table has."""
    output = tmp_path / "command.jsonl"
    result = command("catalog", *arguments, "-o", output)
    assert result.returncode in (0, 1), result.stderr
    rows: list[Row] = [json.loads(line) for line in output.read_text().splitlines()]
    for row in rows:
        error: Row = row.pop("error") or {}
        for name in ("kind", "section", "offset", "message"):
            row[f"error_{name}"] = error.get(name)
        for name in ("min", "max"):
            if name in row:
                values: list[float | None] = row.pop(name) or [None] * 3
                row.update({f"{name}_{axis}": value for axis, value in zip("xyz", values, strict=True)})
    return rows


def assert_rows(found: list[Row], expected: list[Row]) -> None:
    """Equal rows in the same order. A float of 32 bits has fewer digits in JSON; a column that JSON lacks has no value."""
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        assert other.keys() <= one.keys()
        for name, value in one.items():
            wanted = other.get(name)
            if isinstance(wanted, float):
                assert value == wanted or np.float32(value) == np.float32(wanted), (other["path"], name)
            else:
                assert value == wanted, (other["path"], other["entry"], name)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
@pytest.mark.parametrize("per", ["asset", "sequence"])
def test_the_rows_are_those_of_the_command(folder: Path, per: Any, tmp_path: Path) -> None:
    table = skelmap.catalog(folder, per=per)
    found = pl.DataFrame(table).to_dicts()
    assert_rows(found, lines_of_command(tmp_path, folder, "--per", per))
    assert len(table) == len(found) > 5
    assert list(found[0]) == table.columns
    assert table.assets == len({(row["path"], row["entry"]) for row in found})
    assert table.bad == len({(row["path"], row["entry"]) for row in found if row["error_kind"]})


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_hashes_and_extents_are_those_of_the_command(folder: Path, tmp_path: Path) -> None:
    found = pl.DataFrame(skelmap.catalog([folder], content_hash=True, extent=True)).to_dicts()
    assert_rows(found, lines_of_command(tmp_path, folder, "--content-hash", "--extent"))
    assert any(row["content_hash"] for row in found)
    assert any(row["height"] for row in found)


def test_counts_are_those_of_each_opened_asset(test_corpus: Path) -> None:
    for row in pl.DataFrame(skelmap.catalog([CORPUS, test_corpus])).to_dicts():
        if row["error_kind"] is None and not has_header_alone(row):
            address = row["path"] if row["entry"] is None else f"{row['path']}!/{row['entry']}"
            asset = opened(address)
            assert asset.summary == {name: row[name] for name in asset.summary}
            assert (asset.format, asset.nbytes) == (row["format"], row["bytes"])
            assert {quirk.code for quirk in asset.quirks} == set(row["quirks"])
            if isinstance(asset, skelmap.Animation) and asset.format == "actorx.psa":
                assert row["sequence_names"] == [sequence.name for sequence in asset.sequence_list]


def test_the_extent_is_the_box_of_the_mesh_at_rest(corpus: Path) -> None:
    rows = {row["path"]: row for row in pl.DataFrame(skelmap.catalog([corpus / "fox.psk", corpus / "fox.pmd"], extent=True)).to_dicts()}
    for name, up, metres in (("fox.psk", 2, None), ("fox.pmd", 1, 1.0)):
        row, points = rows[str(corpus / name)], opened(corpus / name).positions
        np.testing.assert_allclose([row["min_x"], row["min_y"], row["min_z"]], points.min(axis=0), atol=1e-5)
        np.testing.assert_allclose([row["max_x"], row["max_y"], row["max_z"]], points.max(axis=0), atol=1e-5)
        assert row["height"] == pytest.approx(float(np.ptp(points[:, up])), rel=1e-6)
        assert row["metres"] == metres


def test_equal_contents_have_equal_hashes(corpus: Path, tmp_path: Path) -> None:
    shutil.copy(corpus / "fox.psk", tmp_path / "same.psk")
    data = bytearray((corpus / "fox.psk").read_bytes())
    data[-1] ^= 1
    (tmp_path / "other.psk").write_bytes(data)
    with zipfile.ZipFile(tmp_path / "mod.zip", "w", zipfile.ZIP_DEFLATED) as file:
        file.write(corpus / "fox.psk", "fox.psk")
    rows = pl.DataFrame(skelmap.catalog([corpus / "fox.psk", tmp_path], content_hash=True)).to_dicts()
    hashes = {Path(row["path"]).name: row["content_hash"] for row in rows}
    assert hashes["fox.psk"] == hashes["same.psk"] == hashes["mod.zip"] != hashes["other.psk"]
    assert all(len(content_hash) == 32 for content_hash in hashes.values())
    assert all(row["content_hash"] is None for row in pl.DataFrame(skelmap.catalog(tmp_path)).to_dicts())


def consumers(table: skelmap.Table) -> dict[str, list[Row]]:
    """The rows that each program reads."""
    by_pandas = pd.DataFrame.from_arrow(table).to_dict(orient="records")
    for row in by_pandas:
        for name, value in row.items():
            if isinstance(value, np.ndarray):
                row[name] = value.tolist()
            elif pd.isna(value):
                row[name] = None
    own = table
    query = duckdb.sql("select * from own")
    by_duckdb = [dict(zip(query.columns, values, strict=True)) for values in query.fetchall()]
    assert own is table
    return {
        "polars": pl.DataFrame(table).to_dicts(),
        "pyarrow": pa.table(table).to_pylist(),
        "pyarrow, reader": pa.RecordBatchReader.from_stream(table).read_all().to_pylist(),
        "pandas": by_pandas,
        "duckdb": by_duckdb,
    }


@pytest.mark.parametrize("per", ["asset", "sequence"])
def test_all_programs_read_the_same_rows(per: Any, tmp_path: Path) -> None:
    expected = lines_of_command(tmp_path, CORPUS, TEST_CORPUS, "--per", per, "--extent", "--content-hash")
    table = skelmap.catalog([CORPUS, TEST_CORPUS], per=per, extent=True, content_hash=True)
    for name, rows in consumers(table).items():
        assert_rows(rows, expected)
        assert len(rows) == len(expected), name


def test_a_table_is_read_as_often_as_asked_and_outlives_what_it_was_made_of(tmp_path: Path) -> None:
    shutil.copy(CORPUS / "fox.psk", tmp_path)
    table = skelmap.catalog(tmp_path)
    (tmp_path / "fox.psk").unlink()
    first, second = pa.table(table), pl.DataFrame(table)
    assert first.schema == pa.schema(table)
    del table
    assert first.num_rows == second.height == 1
    assert second["points"].to_list() == first["points"].to_pylist() == [398]


def test_a_query_runs_on_the_table() -> None:
    table = skelmap.catalog(CORPUS)
    assert len(table) == 9
    assets = table
    found = duckdb.sql("select format, count(*) from assets where error_kind is null group by format order by format").fetchall()
    assert assets is table
    assert found == [("actorx.psa", 1), ("actorx.psk", 1), ("pyrogenesis.pmd", 2), ("pyrogenesis.psa", 4), ("swat3.gsa", 1)]


@pytest.mark.parametrize("count", [1, 2, 3, 7])
@pytest.mark.parametrize("per", ["asset", "sequence"])
def test_the_shards_are_everything_together_and_nothing_twice(count: int, per: Any) -> None:
    def key(row: Row) -> tuple[Any, ...]:
        return row["path"], row["entry"], row["sequence_index"]

    whole = pl.DataFrame(skelmap.catalog(TEST_CORPUS, per=per)).to_dicts()
    parts = [pl.DataFrame(skelmap.catalog(TEST_CORPUS, per=per, shard=(index, count))).to_dicts() for index in range(1, count + 1)]
    rows = [row for part in parts for row in part]
    assert sorted(map(str, rows)) == sorted(map(str, whole))
    assert len({key(row) for row in rows}) == len(rows)
    order = {key(row): index for index, row in enumerate(whole)}
    for part in parts:
        places = [order[key(row)] for row in part]
        assert places == sorted(places)


def test_a_shard_may_be_empty_and_has_the_same_columns() -> None:
    tables = [skelmap.catalog(CORPUS / "fox.psk", shard=(index, 5)) for index in range(1, 6)]
    assert sorted(len(table) for table in tables) == [0, 0, 0, 0, 1]
    assert {tuple(table.columns) for table in tables} == {tuple(skelmap.catalog(CORPUS).columns)}
    assert pa.concat_tables([pa.table(table) for table in tables]).num_rows == 1


def test_the_order_does_not_depend_on_the_number_of_threads() -> None:
    expected = pl.DataFrame(skelmap.catalog(TEST_CORPUS, jobs=1)).to_dicts()
    for jobs in (2, 3, 16, None):
        assert pl.DataFrame(skelmap.catalog(TEST_CORPUS, jobs=jobs)).to_dicts() == expected


@pytest.mark.parametrize("mode", ["read", "map", "lease"])
def test_the_rows_do_not_depend_on_the_mode(mode: Any) -> None:
    expected = pl.DataFrame(skelmap.catalog(CORPUS, content_hash=True)).to_dicts()
    assert pl.DataFrame(skelmap.catalog(CORPUS, content_hash=True, mode=mode)).to_dicts() == expected


def test_options_of_the_parser_are_those_of_open(tmp_path: Path) -> None:
    path = TEST_CORPUS / "pyrogenesis/damaged/trailing.psa"
    (strict,) = pl.DataFrame(skelmap.catalog(path)).to_dicts()
    (tolerant,) = pl.DataFrame(skelmap.catalog(path, engine=True)).to_dicts()
    assert (strict["error_kind"], tolerant["error_kind"], tolerant["quirks"]) == ("trailing-bytes", None, ["trailing-bytes"])
    path = TEST_CORPUS / "swat3/damaged/trailing_zero.gsa"
    assert skelmap.catalog(path).bad == 1
    assert skelmap.catalog(path, trailing_zeros=True).bad == 0


@pytest.mark.parametrize("make", WAYS)
def test_paths_may_be_one_or_many(make: Callable[[Path], Any]) -> None:
    assert len(skelmap.catalog(make(CORPUS))) == 9


def test_addresses_of_entries_and_archives_are_paths() -> None:
    archive = f"{CORPUS}/fox.pyromod"
    rows = pl.DataFrame(skelmap.catalog([f"{archive}!/art/meshes/skeletal/fox.pmd", archive])).to_dicts()
    assert rows[0]["entry"] == "art/meshes/skeletal/fox.pmd"
    assert len(rows) == 4
    assert {row["path"] for row in rows} == {archive}


def test_a_file_that_does_not_exist_is_a_row_with_its_error() -> None:
    table = skelmap.catalog([CORPUS / "none.psk", CORPUS / "fox.psk"])
    first, second = pl.DataFrame(table).to_dicts()
    assert (first["path"], first["error_kind"], first["format"]) == (str(CORPUS / "none.psk"), "not-found", None)
    assert second["error_kind"] is None
    assert (table.assets, table.bad) == (2, 1)
    assert repr(table) == f"<skelmap.Table rows=2 columns={len(table.columns)} bad=1>"


def test_nothing_gives_a_table_without_rows(tmp_path: Path) -> None:
    for table in (skelmap.catalog([]), skelmap.catalog(tmp_path)):
        assert (len(table), table.assets, table.bad) == (0, 0, 0)
        assert pl.DataFrame(table).columns == table.columns
        assert pa.table(table).num_rows == 0


class Calls(list[tuple[int, int]]):
    def __call__(self, done: int, total: int) -> None:
        self.append((done, total))


@pytest.mark.parametrize("to_file", [False, True])
def test_progress_ends_with_all_items(tmp_path: Path, to_file: bool) -> None:
    calls, paths = Calls(), [CORPUS / "fox.psk"] * 3_000
    if to_file:
        skelmap.catalog_to(tmp_path / "a.csv", paths, progress=calls, extent=True, jobs=1)
    else:
        skelmap.catalog(paths, progress=calls, extent=True, jobs=1)
    assert calls[-1] == (3_000, 3_000)
    assert all(total == 3_000 for _, total in calls)
    assert [done for done, _ in calls] == sorted(done for done, _ in calls)


@pytest.mark.parametrize("error", [RuntimeError("mine"), KeyboardInterrupt(), SystemExit(3), StopIteration()])
@pytest.mark.parametrize("to_file", [False, True])
def test_an_exception_of_progress_ends_the_work_and_comes_out(tmp_path: Path, error: BaseException, to_file: bool) -> None:
    calls = 0

    def fail(done: int, total: int) -> None:
        nonlocal calls
        calls += 1
        raise error

    output = tmp_path / "a.parquet"
    paths = [CORPUS / "fox.psk"] * 20_000
    call = partial(skelmap.catalog_to, output) if to_file else skelmap.catalog
    with pytest.raises(type(error)) as caught:
        call(paths, progress=fail, extent=True)
    assert caught.value is error
    assert calls == 1
    assert not output.exists()


def test_progress_that_is_no_function_is_a_type_error() -> None:
    progress: Any
    for progress in (3, "yes", object()):
        with pytest.raises(TypeError):
            skelmap.catalog(CORPUS, progress=progress)


def test_a_bar_of_tqdm_shows_all_files(capsys: pytest.CaptureFixture[str]) -> None:
    skelmap.catalog([CORPUS / "fox.psk"] * 500, progress=True)
    shown = capsys.readouterr().err
    assert "500/500" in shown
    assert "100%" in shown


@pytest.mark.parametrize("progress", [False, None])
def test_no_bar_is_shown_unless_asked(progress: Any, capsys: pytest.CaptureFixture[str]) -> None:
    skelmap.catalog(CORPUS, progress=progress)
    assert capsys.readouterr() == ("", "")


def test_a_bar_without_tqdm_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    with pytest.raises(ModuleNotFoundError, match="tqdm"):
        skelmap.catalog(CORPUS, progress=True)


def test_another_catalog_may_run_in_progress() -> None:
    inner: list[int] = []
    skelmap.catalog([CORPUS / "fox.psk"] * 2_000, progress=lambda done, total: inner.append(len(skelmap.catalog(CORPUS))))
    assert set(inner) == {9}


def test_a_table_becomes_a_frame_of_each_package(corpus: Path) -> None:
    table = skelmap.catalog(corpus)
    polars, pandas, arrow = table.to_polars(), table.to_pandas(), table.to_pyarrow()
    assert isinstance(polars, pl.DataFrame)
    assert (type(pandas).__name__, type(arrow).__name__) == ("DataFrame", "Table")
    assert polars.columns == list(pandas.columns) == arrow.column_names == table.columns
    assert polars["bytes"].to_list() == list(pandas["bytes"]) == arrow["bytes"].to_pylist()
