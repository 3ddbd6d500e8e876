"""Sets: each mesh with the animations, textures and names of bones that belong to it, as a conversion makes one file of each."""

from __future__ import annotations

import functools
import json
import struct
import zipfile
import zlib
from pathlib import Path
from typing import Any

import pytest
import skelmap
from support import CORPUS, SAMPLES, TEST_CORPUS, command


def png(width: int, height: int, color: tuple[int, int, int]) -> bytes:
    """An image of one colour."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = (b"\0" + bytes(color) * width) * height
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def bmp(width: int, height: int) -> bytes:
    """A white image without compression."""
    pixels = b"\xff" * (4 * width * height)
    head = struct.pack("<IiiHHIIiiII", 40, width, height, 1, 32, 0, len(pixels), 0, 0, 0, 0)
    return b"BM" + struct.pack("<IHHI", 54 + len(pixels), 0, 0, 54) + head + pixels


RED, BLUE = png(4, 2, (255, 0, 0)), png(2, 2, (0, 0, 255))


@pytest.fixture
def mod(tmp_path: Path) -> Path:
    """A mod of 0 A.D. with an actor, a skeleton and a texture of the fox."""
    folder = tmp_path / "mod"
    with zipfile.ZipFile(CORPUS / "fox.pyromod") as archive:
        archive.extractall(folder)
    names, parents = skelmap.open(CORPUS / "fox.psk").bone_names, skelmap.open(CORPUS / "fox.psk").parents
    assert names is not None
    assert parents is not None

    def below(bone: int) -> str:
        own = (number for number, parent in enumerate(parents) if parent == bone)
        return "".join(f'<bone name="{names[number]}">{below(number)}</bone>' for number in own)

    files = {
        "art/skeletons/fox.xml": f'<skeletons><standard_skeleton title="fox" id="fox">{below(-1)}</standard_skeleton></skeletons>',
        "art/actors/fox.xml": """<actor version="1"><group><variant name="Base"><mesh>skeletal/fox.dae</mesh>
            <animations><animation file="quadruped/fox_walk.dae" name="Walk" speed="100"/></animations>
            <textures><texture file="skeletal/red.png" name="baseTex"/></textures></variant></group></actor>""",
    }
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    path = folder / "art/textures/skins/skeletal/red.png"
    path.parent.mkdir(parents=True)
    path.write_bytes(RED)
    return folder


def zipped(folder: Path) -> Path:
    archive = folder.parent / "mod.zip"
    with zipfile.ZipFile(archive, "w") as out:
        for path in sorted(folder.rglob("*.*")):
            out.write(path, path.relative_to(folder))
    return archive


@pytest.mark.parametrize("is_packed", [False, True], ids=["folder", "archive"])
def test_a_mod_tells_what_belongs_to_a_mesh(mod: Path, is_packed: bool) -> None:
    place = zipped(mod) if is_packed else mod
    sets = skelmap.sets(place)
    assert (len(sets), sets.faults) == (1, ())
    fox = sets[0]
    inside = "!/" if place.suffix == ".zip" else "/"
    assert (fox.address, fox.name, fox.is_mesh) == (f"{place}{inside}art/meshes/skeletal/fox.pmd", "fox", True)
    walk = f"{place}{inside}art/animation/quadruped/fox_walk.psa"
    assert [(own.address, own.names) for own in fox.animations if own.names] == [(walk, ("Walk",))]
    assert walk in [own.address for own in fox.animations]
    # The skeleton of the mod has the bones of the PSK, which is the same model.
    psk = skelmap.open(CORPUS / "fox.psk", kind=skelmap.Mesh)
    assert fox.bones is not None
    assert psk.bone_names is not None
    assert psk.parents is not None
    of_psk = {name: psk.bone_names[parent] if parent >= 0 else None for name, parent in zip(psk.bone_names, psk.parents, strict=True)}
    assert {bone.name: None if bone.parent is None else fox.bones[bone.parent].name for bone in fox.bones} == of_psk
    (image,) = fox.textures.of_materials
    assert image is not None
    assert (image.data, image.media_type, fox.textures.faults) == (RED, "image/png", ())
    assert image.address == f"{place}{inside}art/textures/skins/skeletal/red.png"
    assert [type(own) for own in (fox.open(), *fox.open_animations())][:2] == [skelmap.pyrogenesis.Pmd, skelmap.pyrogenesis.Psa]
    assert [own.address for own in fox.open_animations()] == [own.address for own in fox.animations]
    # With and without textures.
    plain = skelmap.sets(place, textures=False)[0]
    assert plain.textures.of_materials == ()
    assert plain.to_png(64) != fox.to_png(64)


def test_images_lie_beside_a_mesh_and_are_decoded(tmp_path: Path) -> None:
    mesh = tmp_path / "fox.psk"
    mesh.write_bytes((CORPUS / "fox.psk").read_bytes())
    material, *others = skelmap.open(mesh, kind=skelmap.Mesh).material_names
    image = tmp_path / f"{material}.bmp"
    image.write_bytes(bmp(3, 5))
    own, *rest = skelmap.sets(mesh)[0].textures.of_materials
    assert rest == [None] * len(others)
    assert own is not None
    assert (own.address, own.media_type, own.name) == (str(image), "image/png", material)
    assert own.data[:8] == RED[:8]
    assert struct.unpack(">II", own.data[16:24]) == (3, 5)
    image.write_bytes(bmp(3, 5)[:60])
    damaged = skelmap.sets(mesh)[0].textures
    assert damaged.of_materials == (None,) * (1 + len(others))
    assert len(damaged.faults) == 1
    assert image.name in damaged.faults[0]
    given = tmp_path / "blue.png"
    given.write_bytes(BLUE)
    own, *_ = skelmap.sets(mesh, images=[f"{material}={given}"])[0].textures.of_materials
    assert own is not None
    assert own.data == BLUE
    with pytest.raises(OSError, match=r"nothing\.png"):
        skelmap.sets(mesh, images=[str(tmp_path / "nothing.png")])


@functools.cache
def count_sequences(address: str) -> int:
    return len(skelmap.open(address, kind=skelmap.Animation).sequence_list)


@pytest.mark.parametrize("folder", [CORPUS, TEST_CORPUS, *([SAMPLES] if SAMPLES else [])], ids=lambda folder: folder.name)
def test_sets_are_the_outputs_of_a_conversion(folder: Path, tmp_path: Path) -> None:
    done = command("convert", folder, "-o", tmp_path / "out", "--dry-run", "--format", "jsonl")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    planned = [(row["address"], row["animations"], row["bytes"]) for row in rows if row["status"] == "planned"]
    sets = skelmap.sets(folder)
    sizes = {item.address: item.nbytes for item in skelmap.walk(folder)}
    found: list[tuple[str, int, int]] = []
    for own in sets:
        animations = [animation.address for animation in own.animations]
        sequences = sum(count_sequences(address) for address in (animations if own.is_mesh else [own.address]))
        found.append((own.address, sequences, sum(sizes[address] for address in (own.address, *animations))))
    assert found == planned
    assert len(sets) > 3
    addresses = {own.address for own in sets}
    assert not {fault.split(": ")[0] for fault in sets.faults} & addresses


def test_sets_are_a_sequence(mod: Path) -> None:
    sets = skelmap.sets([CORPUS / "fox.psk", CORPUS / "fox.psa", CORPUS / "fox.pmd"])
    assert [own.name for own in sets] == ["fox", "fox"] == [own.name for own in sets[:]]
    assert sets[-1].address == sets[1].address
    assert [len(own.animations) for own in sets] == [1, 0]
    assert sets.unused == ()
    with pytest.raises(IndexError):
        sets[2]
    assert sets.index(sets[1]) == 1
    assert sets[0] in sets
    assert skelmap.sets(CORPUS / "fox.psk")[0] not in sets
    alone = skelmap.sets(CORPUS / "fox.psa")[0]
    assert not alone.is_mesh
    assert alone.animations == ()
    assert alone.textures.of_materials == ()
    assert alone.bones is None
    picture = alone.to_png(16)
    assert picture is not None
    assert picture[:4] == b"\x89PNG"
    for size in (0, 4097):
        with pytest.raises(ValueError, match="size is"):
            alone.to_png(size)


def test_what_is_not_there_is_told(tmp_path: Path) -> None:
    sets = skelmap.sets(tmp_path / "nothing.psk")
    assert len(sets) == 0
    assert len(sets.faults) == 1
    assert "nothing.psk" in sets.faults[0]
    mesh = tmp_path / "fox.psk"
    mesh.write_bytes((CORPUS / "fox.psk").read_bytes())
    damaged = tmp_path / "damaged.psk"
    damaged.write_bytes(mesh.read_bytes()[:100])
    sets = skelmap.sets(tmp_path)
    assert [own.address for own in sets] == [str(mesh)]
    assert "damaged.psk" in sets.faults[0]
    wrong: Any
    for wrong in ({"fits": "well"}, {"jobs": 0}, {"lod": -1}):
        with pytest.raises((ValueError, TypeError)):
            skelmap.sets(mesh, **wrong)
    mesh.unlink()
    with pytest.raises(FileNotFoundError):
        sets[0].open()
    with pytest.raises(FileNotFoundError):
        sets[0].to_png()
