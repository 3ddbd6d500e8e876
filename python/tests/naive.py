"""Readers of the formats in plain ``struct``, written from ``docs/formats``. They share nothing with the package."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
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
    def read(cls, data: bytes, offset: int, count: int, spec: Spec) -> Rows:
        """Packed records, one after the other."""
        values = list(struct.iter_unpack("<" + "".join(kind for _, kind in spec), data[offset : offset + count * size_of(spec)]))
        assert len(values) == count
        table: Table = {}
        at = 0
        for name, kind in spec:
            width = 1 if kind.endswith("s") else int(kind[:-1] or 1)
            single = kind.endswith("s") or len(kind) == 1
            table[name] = [row[at] if single else row[at : at + width] for row in values]
            at += width
        return cls(spec, offset, count, table)

    def __getitem__(self, name: str) -> list[Any]:
        return self.table[name]


def none(spec: Spec) -> Rows:
    return Rows(spec, 0, 0, {name: [] for name, _ in spec})


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


@dataclass(frozen=True)
class Chunk:
    """A chunk of an ActorX file."""

    id: bytes
    size: int
    count: int
    body: int


def _header(data: bytes, at: int) -> tuple[bytes, int, int]:
    raw, _, size, count = struct.unpack_from("<20sIii", data, at)
    return raw.split(b"\0")[0], size, count


def _lands(data: bytes, at: int) -> bytes | None:
    """The id of the header at a place, ``b""`` for the end of the file, ``None`` for anything else (actorx.md, 7)."""
    if at == len(data):
        return b""
    if at + 32 > len(data):
        return None
    id, size, count = _header(data, at)
    letters = all(chr(byte).isalnum() or chr(byte) in "_: " for byte in id) and id.isascii() and 4 <= len(id) <= 19
    if not (letters or id.endswith(b":CUR")) or size < 0 or count < 0:
        return None
    fits = at + 32 + size * count <= len(data)
    return id if (size <= 4096 or id.endswith(b":CUR")) and (fits or _is_known(id)) else None


def _ends_short(data: bytes, at: int, id: bytes) -> bool:
    """Whether the body of a chunk that counts too many records can end here (actorx.md, 7, row 4)."""
    following = _lands(data, at)
    if id == b"MRPHINFO":
        return following == b"MRPHDATA"
    return following == b"" or (following is not None and _is_known(following) and _header(data, at)[1] > 0)


def _is_known(id: bytes) -> bool:
    return id in _IDS or id.startswith(b"EXTRAUV") or id.endswith(b":CUR")


def chunks(data: bytes) -> list[Chunk]:
    """All chunks, with the true sizes of the records of known faulty writers (actorx.md, 1 and 7)."""
    found: list[Chunk] = []
    at = 0
    while at < len(data):
        id, size, count = _header(data, at)
        assert count >= 0
        body = at + 32
        if count and _lands(data, body + size * count) is None:
            for wrong, right, is_one in ((20, 18, id == b"FACE3200"), (16, 8, id.startswith(b"EXTRAUV"))):
                if is_one and size == wrong and _lands(data, body + right * count) is not None:
                    size = right
            if id in (b"MRPHINFO", b"SKELSOCK"):
                count = next((fewer for fewer in range(count) if _ends_short(data, body + size * fewer, id)), count)
        size = size if count else 0
        found.append(Chunk(id, size, count, body))
        at = body + size * count
        assert at <= len(data)
    return found


_PSK: dict[str, tuple[tuple[bytes, ...], Spec]] = {
    "points": ((b"PNTS0000",), POINT),
    "wedges": ((b"VTXW0000",), WEDGE),
    "materials": ((b"MATT0000",), MATERIAL),
    "bones": ((b"REFSKELT", b"REFSKEL0"), BONE),
    "influences": ((b"RAWWEIGHTS", b"RAWW0000"), INFLUENCE),
    "colors": ((b"VERTEXCOLOR",), COLOR),
    "normals": ((b"VTXNORMS",), POINT),
    "tangents": ((b"VTXTANGS",), TANGENT),
    "morph_infos": ((b"MRPHINFO",), MORPH_INFO),
    "morph_deltas": ((b"MRPHDATA",), MORPH_DELTA),
    "sockets": ((b"SKELSOCK",), SOCKET),
}
_PSA: dict[str, tuple[tuple[bytes, ...], Spec]] = {
    "bones": ((b"BONENAMES",), BONE),
    "infos": ((b"ANIMINFO",), INFO),
    "keys": ((b"ANIMKEYS",), KEY),
    "scale_keys": ((b"SCALEKEYS",), SCALE_KEY),
}
_IDS = {id for kinds in (_PSK, _PSA) for ids, _ in kinds.values() for id in ids} | {b"ACTRHEAD", b"ANIMHEAD", b"FACE0000", b"FACE3200"}


def _parts(data: bytes, found: list[Chunk], kinds: dict[str, tuple[tuple[bytes, ...], Spec]]) -> dict[str, Rows]:
    parts: dict[str, Rows] = {}
    for name, (ids, spec) in kinds.items():
        own = [chunk for chunk in found if chunk.id in ids and chunk.count]
        assert all(chunk.size == size_of(spec) for chunk in own)
        parts[name] = Rows.read(data, own[0].body, own[0].count, spec) if own else none(spec)
    return parts


def read_psk(data: bytes) -> dict[str, Rows]:
    """The arrays of a mesh, with ``faces`` and ``uvs0``, ``uvs1`` and so on for the further UV sets."""
    found = chunks(data)
    assert found[0].id == b"ACTRHEAD"
    parts = _parts(data, found, _PSK)
    for name, owner in (("colors", "wedges"), ("normals", "points"), ("tangents", "points")):
        if parts[name].count != parts[owner].count:
            parts[name] = none(parts[name].spec)
    faces = [chunk for chunk in found if chunk.id in (b"FACE0000", b"FACE3200") and chunk.count]
    spec = FACE32 if faces and faces[0].id == b"FACE3200" else FACE16
    parts["faces"] = Rows.read(data, faces[0].body, faces[0].count, spec) if faces else none(spec)
    sets = [chunk for chunk in found if chunk.id.startswith(b"EXTRAUV") and chunk.count == parts["wedges"].count > 0]
    for index, chunk in enumerate(sets):
        parts[f"uvs{index}"] = Rows.read(data, chunk.body, chunk.count, UV)
    return parts


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
    found = chunks(data)
    assert found[0].id == b"ANIMHEAD"
    psa = Psa(_parts(data, found, _PSA))
    infos, bones = psa.parts["infos"], psa.parts["bones"].count
    total = psa.parts["keys"].count // bones if bones else 0
    stored = list(zip(infos["first_raw_frame"], infos["raw_frame_count"], strict=True))
    moving = [(first, count) for first, count in stored if count > 0]
    counts_up = any(first < 0 or first + count > total for first, count in moving)
    counts_up = counts_up or (bool(moving) and all(first == count for first, count in moving))
    flags, scales = infos["root_include"], psa.parts["scale_keys"].count
    flagged = sum(max(0, count) for (_, count), flag in zip(stored, flags, strict=True) if flag == 1) * bones
    up = flagged_frames = 0
    for index, (first, count) in enumerate(stored):
        count = max(0, count)
        begin = up if counts_up else max(0, first)
        up += count
        held = min(count, max(0, total - begin))
        scale_key = None
        if scales and scales == psa.parts["keys"].count:
            scale_key = begin * bones
        elif scales and scales == flagged and flags[index] == 1:
            scale_key = flagged_frames * bones
        flagged_frames += count if flags[index] == 1 else 0
        name = text(infos["name"][index]).rstrip(" ")
        psa.sequences.append(Sequence(name, infos["rate"][index], held, begin * bones, scale_key))
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


def read_pmd(data: bytes) -> Pmd:
    """A Pyrogenesis mesh (pyrogenesis.md, 3)."""
    magic, version, size, count = struct.unpack_from("<4sIII", data)
    assert (magic, size) == (b"PSMD", len(data) - 12)
    at, uv_sets = 16, 1
    if version >= 4:
        (uv_sets,) = struct.unpack_from("<I", data, at)
        at += 4
    # Without vertices, any number of UV sets is right.
    spec = pmd_vertex(uv_sets if count else 0)
    vertices = Rows.read(data, at, count, spec)
    at += count * size_of(spec)
    (count,) = struct.unpack_from("<I", data, at)
    faces_at = at + 4
    faces = list(struct.iter_unpack("<3H", data[faces_at : faces_at + 6 * count]))
    at = faces_at + 6 * count
    (count,) = struct.unpack_from("<I", data, at)
    bones = Rows.read(data, at + 4, count, STATE)
    at += 4 + 28 * count
    props: list[tuple[str, tuple[float, ...], tuple[float, ...], int]] = []
    if version >= 2:
        (count,) = struct.unpack_from("<I", data, at)
        at += 4
        for _ in range(count):
            (length,) = struct.unpack_from("<I", data, at)
            name = data[at + 4 : at + 4 + length]
            values = struct.unpack_from("<7fB", data, at + 4 + length)
            # A zero byte is part of a name.
            props.append((text(name.replace(b"\0", b"\1")).replace("\1", "\0"), values[:3], values[3:7], values[7]))
            at += 33 + length
    return Pmd(version, uv_sets, vertices, faces, faces_at, bones, props)


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
    magic, _, size, length = struct.unpack_from("<4sIII", data)
    assert (magic, size) == (b"PSSA", len(data) - 12)
    at = 16 + length
    frame_ms, bones, frames = struct.unpack_from("<fII", data, at)
    return States(data[16:at], frame_ms, bones, frames, Rows.read(data, at + 12, bones * frames, STATE))
