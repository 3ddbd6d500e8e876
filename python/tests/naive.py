"""What the second readers of the Rust tests read in a file: all values, by a program that shares no code with the package.

``second-reader`` (in ``tests/support``) gives records as the reference packs them; here they become numbers by ``struct``.
"""

from __future__ import annotations

import json
import os
import struct
import subprocess
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

Spec = tuple[tuple[str, str], ...]
"""Names of the fields of a record, and their types: those of ``struct``."""

Table = dict[str, list[Any]]
"""For each field its values: bytes, numbers or tuples of numbers."""

POINT: Spec = (("point", "3f"),)
WEDGE: Spec = (("point_index", "I"), ("uv", "2f"), ("material", "B"), ("reserved", "B"), ("padding", "H"))
FACE16: Spec = (("wedges", "3H"), ("material", "B"), ("aux_material", "B"), ("smoothing_groups", "I"))
FACE32: Spec = (("wedges", "3I"), ("material", "B"), ("aux_material", "B"), ("smoothing_groups", "I"))
MATERIAL: Spec = (
    ("name", "64s"),
    ("texture_index", "i"),
    ("poly_flags", "I"),
    ("aux_material", "i"),
    ("aux_flags", "I"),
    ("lod_bias", "i"),
    ("lod_style", "i"),
)
BONE: Spec = (
    ("name", "64s"),
    ("flags", "I"),
    ("child_count", "i"),
    ("parent_index", "i"),
    ("rotation", "4f"),
    ("translation", "3f"),
    ("length", "f"),
    ("size", "3f"),
)
INFLUENCE: Spec = (("weight", "f"), ("point_index", "i"), ("bone_index", "i"))
COLOR: Spec = (("rgba", "4B"),)
UV: Spec = (("uv", "2f"),)
TANGENT: Spec = (("tangent", "4f"),)
MORPH_INFO: Spec = (("name", "64s"), ("vertex_count", "i"))
MORPH_DELTA: Spec = (("position", "3f"), ("tangent_z", "3f"), ("point_index", "i"))
SOCKET: Spec = (
    ("name", "64s"),
    ("bone_name", "64s"),
    ("location", "3f"),
    ("pitch", "f"),
    ("yaw", "f"),
    ("roll", "f"),
    ("scale", "3f"),
)
INFO: Spec = (
    ("name", "64s"),
    ("group", "64s"),
    ("total_bones", "i"),
    ("root_include", "i"),
    ("key_compression_style", "i"),
    ("key_quotum", "i"),
    ("key_reduction", "f"),
    ("track_time", "f"),
    ("rate", "f"),
    ("start_bone", "i"),
    ("first_raw_frame", "i"),
    ("raw_frame_count", "i"),
)
KEY: Spec = (("translation", "3f"), ("rotation", "4f"), ("time", "f"))
SCALE_KEY: Spec = (("scale", "3f"), ("time", "f"))
STATE: Spec = (("translation", "3f"), ("rotation", "4f"))
HEAD: Spec = (("origin", "3f"), ("rotation", "4f"), ("root_offset", "3f"))


def pmd_vertex(uv_sets: int) -> Spec:
    """A vertex with so many UV sets; ``uv`` has all coordinates in a row."""
    return (("position", "3f"), ("normal", "3f"), ("uv", f"{2 * uv_sets}f"), ("bones", "4B"), ("weights", "4f"))


def size_of(spec: Spec) -> int:
    return struct.calcsize("<" + "".join(kind for _, kind in spec))


@dataclass
class Rows:
    """Records and the byte at which they begin."""

    spec: Spec
    offset: int
    count: int
    table: Table

    @classmethod
    def of(cls, rows: dict[str, Any], spec: Spec) -> Rows:
        """Packed records, one after the other."""
        values = list(struct.iter_unpack("<" + "".join(kind for _, kind in spec), bytes.fromhex(rows["bytes"])))
        assert len(values) == rows["count"]
        table: Table = {}
        at = 0
        for name, kind in spec:
            width = 1 if kind.endswith("s") else int(kind[:-1] or 1)
            single = kind.endswith("s") or len(kind) == 1
            table[name] = [row[at] if single else row[at : at + width] for row in values]
            at += width
        return cls(spec, rows["offset"], rows["count"], table)

    def __getitem__(self, name: str) -> list[Any]:
        return self.table[name]


@cache
def program() -> Path:
    """The second reader, built once in a session."""
    repository = Path(__file__).resolve().parents[2]
    line = ["cargo", "build", "--quiet", "--package", "skelmap-test-support", "--bin", "second-reader"]
    subprocess.run(line, cwd=repository, check=True)
    target = Path(os.environ.get("CARGO_TARGET_DIR", "target"))
    return repository / target / "debug" / "second-reader"


def values(data: bytes) -> dict[str, Any]:
    """All that the second reader reads in a file."""
    done = subprocess.run([program()], input=data, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    read: dict[str, Any] = json.loads(done.stdout)
    return read


def unpacked(kind: str, digits: str) -> tuple[Any, ...]:
    return struct.unpack("<" + kind, bytes.fromhex(digits))


def text(raw: bytes) -> str:
    """A name: up to the first zero byte, UTF-8 or else Windows-1252, in which bytes without a character are controls."""
    name = raw.split(b"\0")[0]
    try:
        return name.decode()
    except UnicodeDecodeError:
        return "".join(_one_of_1252(byte) for byte in name)


def _one_of_1252(byte: int) -> str:
    try:
        return bytes([byte]).decode("cp1252")
    except UnicodeDecodeError:
        return chr(byte)


_PSK: dict[str, Spec] = {
    "points": POINT,
    "wedges": WEDGE,
    "materials": MATERIAL,
    "bones": BONE,
    "influences": INFLUENCE,
    "colors": COLOR,
    "normals": POINT,
    "tangents": TANGENT,
    "morph_infos": MORPH_INFO,
    "morph_deltas": MORPH_DELTA,
    "sockets": SOCKET,
}
_PSA: dict[str, Spec] = {"bones": BONE, "infos": INFO, "keys": KEY, "scale_keys": SCALE_KEY}


def read_psk(data: bytes) -> dict[str, Rows]:
    """The arrays of a mesh, with ``faces`` and ``uvs0``, ``uvs1`` and so on for the further UV sets."""
    read = values(data)
    specs = {**_PSK, "faces": FACE32 if read["wide_faces"] else FACE16}
    return {name: Rows.of(rows, specs.get(name, UV)) for name, rows in read["parts"].items()}


@dataclass
class Sequence:
    """Where a sequence lies among the keys and scale keys of its file."""

    name: str
    rate: float
    frames: int
    first_key: int
    first_scale_key: int | None


@dataclass
class Psa:
    parts: dict[str, Rows]
    sequences: list[Sequence] = field(default_factory=list[Sequence])


def read_psa(data: bytes) -> Psa:
    """An ActorX animation and its sequences (actorx.md, 4)."""
    read = values(data)
    psa = Psa({name: Rows.of(rows, _PSA[name]) for name, rows in read["parts"].items()})
    for own in read["sequences"]:
        name, (rate,) = text(bytes.fromhex(own["name"])).rstrip(" "), unpacked("f", own["rate"])
        psa.sequences.append(Sequence(name, rate, own["frames"], own["first_key"], own["first_scale_key"]))
    return psa


@dataclass
class Pmd:
    version: int
    uv_sets: int
    vertices: Rows
    faces: list[tuple[int, int, int]]
    faces_at: int
    bones: Rows
    props: list[tuple[str, tuple[float, ...], tuple[float, ...], int]]


def _whole(name: bytes) -> str:
    """A name in which a zero byte is a part."""
    return text(name.replace(b"\0", b"\1")).replace("\1", "\0")


def read_pmd(data: bytes) -> Pmd:
    """A Pyrogenesis mesh (pyrogenesis.md, 3)."""
    read = values(data)
    # Without vertices, any number of UV sets is right.
    spec = pmd_vertex(read["uv_sets"] if read["vertices"]["count"] else 0)
    faces = Rows.of(read["faces"], (("face", "3H"),))
    props: list[tuple[str, tuple[float, ...], tuple[float, ...], int]] = []
    for prop in read["props"]:
        place = unpacked("7f", prop["place"])
        props.append((_whole(bytes.fromhex(prop["name"])), place[:3], place[3:], prop["bone"]))
    vertices, bones = Rows.of(read["vertices"], spec), Rows.of(read["bones"], STATE)
    return Pmd(read["version"], read["uv_sets"], vertices, faces["face"], faces.offset, bones, props)


@dataclass
class States:
    """A Pyrogenesis animation."""

    name: bytes
    frame_ms: float
    bones: int
    frames: int
    states: Rows


def read_states(data: bytes) -> States:
    """A Pyrogenesis animation (pyrogenesis.md, 2)."""
    read = values(data)
    (frame_ms,) = unpacked("f", read["frame_ms"])
    return States(bytes.fromhex(read["name"]), frame_ms, read["bones"], read["frames"], Rows.of(read["states"], STATE))


@dataclass
class Frame:
    offset: int
    """The byte at which the frame begins; its rotations follow 40 bytes later."""
    head: tuple[float, ...]
    rotations: list[tuple[float, ...]]
    events: list[bytes]


@dataclass
class Gsa:
    ids_at: int
    ids: list[int]
    tracks: int
    frames: list[Frame]


def read_gsa(data: bytes) -> Gsa:
    """A SWAT 3 animation (swat3.md, 6)."""
    read = values(data)
    frames = [
        Frame(
            frame["offset"],
            unpacked("10f", frame["head"]),
            list(struct.iter_unpack("<4f", bytes.fromhex(frame["rotations"]))),
            [bytes.fromhex(event) for event in frame["events"]],
        )
        for frame in read["frames"]
    ]
    return Gsa(read["ids_at"], read["ids"], read["tracks"], frames)
