"""Every JSON output of the command follows docs/schema.json. A key that the schema does not have is an error."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import ueformat_files
from jsonschema import Draft202012Validator
from support import CORPUS, REPOSITORY, SUFFIXES, TEST_CORPUS, command, to_convert

SCHEMA: dict[str, Any] = json.loads((REPOSITORY / "docs" / "schema.json").read_text())


def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": SCHEMA["$defs"]})


def follows(name: str, values: list[Any]) -> None:
    assert values
    own = validator(name)
    for value in values:
        errors = own.iter_errors(value)  # pyright: ignore[reportUnknownMemberType]
        faults = [f"{list(fault.absolute_path)}: {fault.message}" for fault in errors]
        assert not faults, (value, faults)


def lines(*arguments: str | Path) -> list[Any]:
    result = command(*arguments, "--format", "jsonl")
    assert result.returncode in (0, 1), result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


def document(*arguments: str | Path) -> Any:
    return json.loads(command(*arguments, "--format", "json").stdout)


def assets() -> list[Path]:
    found = [path for folder in (CORPUS, TEST_CORPUS) for path in folder.rglob("*")]
    return sorted(path for path in found if path.suffix.lower() in SUFFIXES)


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    for name in SCHEMA["$defs"]:
        is_valid = validator(name).is_valid({"no": "key of any output"})  # pyright: ignore[reportUnknownMemberType]
        assert is_valid == (name == "dump"), name


def test_lists() -> None:
    follows("ls", lines("ls", CORPUS, TEST_CORPUS))
    follows("ls", document("ls", CORPUS))
    follows("check", lines("check", CORPUS, TEST_CORPUS, "--level", "note"))
    follows("check-finding", lines("check", CORPUS, TEST_CORPUS, "--level", "note", "--where", "count"))
    follows("stats", lines("stats", CORPUS, TEST_CORPUS, "--extent"))
    follows("diff", lines("diff", TEST_CORPUS / "actorx", TEST_CORPUS / "pyrogenesis"))
    follows("diff", lines("diff", TEST_CORPUS / "actorx/mesh/snake.psk", TEST_CORPUS / "actorx/mesh/mesh_scale.psk"))
    follows("explain", lines("explain"))
    follows("gsa-events", lines("gsa", "events", CORPUS, TEST_CORPUS))
    for mesh in ("fox.psk", "fox.pmd"):
        follows("match", lines("match", CORPUS / mesh, CORPUS, TEST_CORPUS))


def test_mods(tmp_path: Path) -> None:
    (tmp_path / "mod.json").write_text('{"name": "fox", "dependencies": ["0ad"]}')
    for folder, name in (("art/meshes", "fox.pmd"), ("art/animation", "fox_walk.psa")):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / name).write_bytes((CORPUS / name).read_bytes())
    actors = tmp_path / "art" / "actors"
    actors.mkdir()
    walk = '<animations><animation name="walk" file="fox_walk.dae"/></animations>'
    for name, parts in (("fox", f"<mesh>fox.dae</mesh>{walk}"), ("none", "<mesh>none.dae</mesh>"), ("bad", "<")):
        text = f"<actor><group><variant>{parts}</variant></group></actor>"
        (actors / f"{name}.xml").write_text(text)
    follows("mod", lines("mod", tmp_path))
    follows("mod", lines("mod", tmp_path, "--broken"))
    bones = int(document("info", CORPUS / "fox.pmd")["bones"])
    (tmp_path / "art" / "skeletons").mkdir()
    for name in ("fox", "cat"):
        names = '<bone name="root">' + "".join(f'<bone name="{name}{index}"/>' for index in range(1, bones)) + "</bone>"
        text = f'<skeletons><standard_skeleton id="{name}" title="">{names}</standard_skeleton></skeletons>'
        (tmp_path / "art" / "skeletons" / f"{name}.xml").write_text(text)
    follows("mod-bones", lines("mod", tmp_path, "--bones", "fox.dae"))
    follows("mod-bones", lines("mod", tmp_path, "--bones", "fox.dae", "--skeleton", "cat"))


@pytest.mark.parametrize("options", [[], ["--content-hash", "--extent"]])
@pytest.mark.parametrize("per", ["asset", "sequence"])
def test_catalogues(tmp_path: Path, per: str, options: list[str]) -> None:
    output = tmp_path / "all.jsonl"
    command("catalog", CORPUS, TEST_CORPUS, "-o", output, "--per", per, *options)
    rows = [json.loads(line) for line in output.read_text().splitlines()]
    follows("catalog" if per == "asset" else "catalog-sequence", rows)


def test_conversions(tmp_path: Path) -> None:
    for _ in range(2):
        follows("convert", lines("convert", *to_convert(), "-o", tmp_path, "--resume"))


def test_descriptions(tmp_path: Path) -> None:
    paths = assets()
    made: list[ueformat_files.Content] = [ueformat_files.random_model(10), ueformat_files.random_animation(10)]
    made.append(ueformat_files.random_poses(10))
    for name, own in zip(("fox.uemodel", "walk.ueanim", "faces.uepose"), made, strict=True):
        paths.append(tmp_path / name)
        paths[-1].write_bytes(ueformat_files.write(own))
    described = lines("info", *paths)
    assert [Path(own["path"]) for own in described] == paths
    follows("info", described)
    assert {own["format"] for own in described} >= set(SCHEMA["$defs"]["ls"]["properties"]["format"]["enum"])


def test_poses() -> None:
    fox: list[str | Path] = [CORPUS / "fox.psa", "--sequence", "walk"]
    follows("pose", [document("pose", CORPUS / "fox_walk.psa", "--at", "100ms", "--loop")])
    follows("pose", [document("pose", *fox, "--mesh", CORPUS / "fox.psk", "--every-frame", "--space", "gltf")])
    follows("pose", [document("pose", CORPUS / "officer_walk.gsa", "--frame", "0")])
    follows("skin", [document("skin", CORPUS / "fox.pmd", "--anim", CORPUS / "fox_walk.psa", "--at", "10ms")])
    follows(
        "skin",
        [
            document("skin", CORPUS / "fox.psk"),
            document("skin", CORPUS / "fox.pmd", "--anim", CORPUS / "fox_walk.psa", "--at", "1ms", "--at", "2ms"),
        ],
    )


def test_dumps() -> None:
    follows("dump", lines("dump", CORPUS / "fox.psk", "--what", "bones"))
    follows("dump", lines("dump", CORPUS / "fox.psa", "--what", "keys", "--bone", "0"))
