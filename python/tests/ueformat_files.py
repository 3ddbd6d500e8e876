"""UEFormat files of every version: a writer and a naive reader, of which each shows what the other does (ueformat.md, 2 to 6).

What a version does not have is ``None`` or empty in what is read.
"""

from __future__ import annotations

import gzip
import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

INFLUENCE = np.dtype([("bone", "<u2"), ("vertex", "<i4"), ("weight", "<f4")])
DELTA = np.dtype([("position", "<f4", (3,)), ("normal", "<f4", (3,)), ("vertex", "<u4")])
VECTOR = np.dtype([("frame", "<i4"), ("value", "<f4", (3,))])
ROTATION = np.dtype([("frame", "<i4"), ("value", "<f4", (4,))])
CURVE = np.dtype([("frame", "<i4"), ("value", "<f4")])
VALUE = np.dtype([("curve", "<i4"), ("influence", "<f4")])


def no_vectors() -> Array:
    return np.zeros((0, 3), "<f4")


def no_places() -> Array:
    return np.zeros((0, 7), "<f4")


def no_indices() -> Array:
    return np.zeros(0, "<u4")


def no_parents() -> Array:
    return np.zeros(0, "<i4")


def no_influences() -> Array:
    return np.zeros(0, INFLUENCE)


@dataclass
class Level:
    name: str = ""
    positions: Array = field(default_factory=no_vectors)
    normals: Array = field(default_factory=no_vectors)
    signs: Array | None = None
    tangents: Array = field(default_factory=no_vectors)
    indices: Array = field(default_factory=no_indices)
    uvs: list[tuple[str | None, Array]] = field(default_factory=list[Any])
    colors: list[tuple[str | None, Array]] = field(default_factory=list[Any])
    materials: list[tuple[str, str | None, int, int]] = field(default_factory=list[Any])
    influences: Array = field(default_factory=no_influences)
    morphs: list[tuple[str, Array]] = field(default_factory=list[Any])


@dataclass
class Model:
    version: int
    name: str = ""
    path: str = ""
    levels: list[Level] = field(default_factory=list[Level])
    skeleton_path: str = ""
    bones: list[str] = field(default_factory=list[str])
    parents: Array = field(default_factory=no_parents)
    bind: Array = field(default_factory=no_places)
    """Position and rotation of each bone."""
    scales: Array | None = None
    sockets: list[tuple[str, str, tuple[float, ...]]] = field(default_factory=list[Any])
    virtual_bones: list[tuple[str, str, str]] = field(default_factory=list[Any])
    hulls: list[tuple[str, Array, Array]] = field(default_factory=list[Any])


@dataclass
class Animation:
    version: int
    name: str = ""
    path: str = ""
    frames: int = 0
    rate: float = 30
    base_path: str = ""
    additive: tuple[int, int, int] = (0, 0, 0)
    tracks: list[tuple[str, Array, Array, Array]] = field(default_factory=list[Any])
    curves: list[tuple[str, Array]] = field(default_factory=list[Any])


@dataclass
class Poses:
    version: int
    name: str = ""
    path: str = ""
    poses: list[tuple[str, list[str], Array, Array]] = field(default_factory=list[Any])
    """Names of bones, ten floats for each, values of curves."""
    curves: list[str] = field(default_factory=list[str])


Content = Model | Animation | Poses
KINDS: dict[type, bytes] = {Model: b"UEMODEL", Animation: b"UEANIM", Poses: b"UEPOSE"}


def text(name: str | bytes | None) -> bytes:
    raw = name.encode() if isinstance(name, str) else name or b""
    return struct.pack("<i", len(raw)) + raw


def rows(values: Array) -> bytes:
    """An array with its number."""
    return struct.pack("<i", len(values)) + values.tobytes()


def section(version: int, name: str, count: int | None, data: bytes) -> bytes:
    """A section of ``count`` elements, or one that is no array."""
    if version < 10:
        return text(name) + struct.pack("<ii", 1 if count is None else count, len(data)) + data
    whole = data if count is None else struct.pack("<i", count) + data
    return text(name) + struct.pack("<i", len(whole)) + whole


def sections(version: int, found: list[bytes]) -> bytes:
    return (struct.pack("<i", len(found)) if version >= 10 else b"") + b"".join(found)


def _level(own: Level, version: int) -> list[bytes]:
    signs = np.ones(len(own.normals), "<f4") if own.signs is None else own.signs
    normals = own.normals if version == 0 else np.concatenate([signs[:, None], own.normals], axis=1)
    found: list[tuple[str, int, bytes]] = [
        ("VERTICES", len(own.positions), own.positions.tobytes()),
        ("NORMALS", len(normals), normals.astype("<f4").tobytes()),
        ("TANGENTS", len(own.tangents), own.tangents.tobytes()),
        ("TEXCOORDS", len(own.uvs), b"".join((text(name) if version >= 10 else b"") + rows(uvs) for name, uvs in own.uvs)),
        ("INDICES", len(own.indices), own.indices.tobytes()),
    ]
    if version < 2:
        colors = own.colors[0][1] if own.colors else np.zeros((0, 4), "u1")
        found.append(("VERTEXCOLORS", len(colors), colors.tobytes()))
    else:
        found.append(("VERTEXCOLORS", len(own.colors), b"".join(text(name) + rows(colors) for name, colors in own.colors)))
    materials = (text(name) + (text(path) if version >= 6 else b"") + struct.pack("<ii", *place) for name, path, *place in own.materials)
    found.append(("MATERIALS", len(own.materials), b"".join(materials)))
    found.append(("WEIGHTS", len(own.influences), own.influences.tobytes()))
    found.append(("MORPHTARGETS", len(own.morphs), b"".join(text(name) + rows(deltas) for name, deltas in own.morphs)))
    return [section(version, *one) for one in found]


def _body_of_model(own: Model) -> bytes:
    version = own.version
    levels = [(level.name, _level(level, version)) for level in own.levels]
    skeleton: list[bytes] = []
    if version >= 7:
        skeleton.append(section(version, "METADATA", None, text(own.skeleton_path)))
    bones = b""
    for bone, name in enumerate(own.bones):
        bones += text(name) + own.parents[bone].tobytes() + own.bind[bone].tobytes()
        bones += b"" if own.scales is None else own.scales[bone].tobytes()
    skeleton.append(section(version, "BONES", len(own.bones), bones))
    sockets = (text(name) + text(bone) + struct.pack("<10f", *place) for name, bone, place in own.sockets)
    skeleton.append(section(version, "SOCKETS", len(own.sockets), b"".join(sockets)))
    if version >= 5:
        names = (text(name) for bone in own.virtual_bones for name in bone)
        skeleton.append(section(version, "VIRTUALBONES", len(own.virtual_bones), b"".join(names)))
    hulls = b"".join(text(name) + rows(corners) + rows(indices) for name, corners, indices in own.hulls)
    collision = [section(version, "COLLISION", len(own.hulls), hulls)] if version >= 3 else []
    if version < 4:
        return sections(version, [one for _, level in levels[:1] for one in level] + skeleton + collision)
    body = b""
    for name, level in levels:
        own_sections = sections(version, level)
        body += text(name) + (struct.pack("<i", len(own_sections)) if version < 10 else b"") + own_sections
    whole = [section(version, "LODS", len(levels), body)]
    if own.bones:
        whole.append(section(version, "SKELETON", None, sections(version, skeleton)))
    return sections(version, whole + collision)


def _body_of_animation(own: Animation) -> bytes:
    version, timing = own.version, struct.pack("<if", own.frames, own.rate)
    tracks = b"".join(text(name) + b"".join(map(rows, keys)) for name, *keys in own.tracks)
    curves = b"".join(text(name) + rows(keys) for name, keys in own.curves)
    found = [section(version, "TRACKS", len(own.tracks), tracks), section(version, "CURVES", len(own.curves), curves)]
    if version < 7:
        return timing + sections(version, found)
    metadata = timing + text(own.base_path) + struct.pack("<BBi", *own.additive)
    return sections(version, [section(version, "METADATA", None, metadata), *found])


def _body_of_poses(own: Poses) -> bytes:
    body = b""
    for name, bones, values, influences in own.poses:
        own_bones = (text(bone) + row.tobytes() for bone, row in zip(bones, values, strict=True))
        body += text(name) + struct.pack("<i", len(bones)) + b"".join(own_bones) + rows(influences)
    curves = section(own.version, "CURVES", len(own.curves), b"".join(map(text, own.curves)))
    return sections(own.version, [section(own.version, "POSES", len(own.poses), body), curves])


def write(own: Content, *, is_gzip: bool = False) -> bytes:
    """A file."""
    body = _body_of_model(own) if isinstance(own, Model) else b""
    body = _body_of_animation(own) if isinstance(own, Animation) else body
    body = _body_of_poses(own) if isinstance(own, Poses) else body
    head = b"UEFORMAT" + text(KINDS[type(own)]) + bytes([own.version]) + text(own.name)
    if own.version >= 10:
        head += text(own.path)
    if not is_gzip:
        return head + b"\0" + body
    packed = gzip.compress(body, mtime=0)
    return head + b"\1" + text("GZIP") + struct.pack("<ii", len(body), len(packed)) + packed


class Reader:
    """Reads one value after the other."""

    def __init__(self, data: bytes, at: int = 0) -> None:
        self.data = data
        self.at = at

    def take(self, size: int) -> bytes:
        assert 0 <= size <= len(self.data) - self.at, (size, self.at)
        self.at += size
        return self.data[self.at - size : self.at]

    def number(self) -> int:
        return int.from_bytes(self.take(4), "little", signed=True)

    def values(self, kinds: str) -> tuple[Any, ...]:
        return struct.unpack("<" + kinds, self.take(struct.calcsize("<" + kinds)))

    def text(self) -> str:
        raw = self.take(self.number())
        raw = raw[: max(len(raw.rstrip(b"\0")), len(raw) - 16)]
        try:
            return raw.decode()
        except UnicodeDecodeError:
            return raw.decode("cp1252", "replace")

    def rows(self, kind: Any, width: int | None = None, count: int | None = None) -> Array:
        count = self.number() if count is None else count
        size = np.dtype(kind).itemsize * (width or 1)
        found = np.frombuffer(self.take(size * count), kind)
        return found if width is None else found.reshape(count, width)

    def list(self, count: int, read: Callable[[], Any]) -> list[Any]:
        """Elements, or fewer: CUE4Parse counts some that it does not write."""
        found: list[Any] = []
        while len(found) < count and self.at < len(self.data):
            found.append(read())
        return found

    def sections(self, version: int) -> dict[str, tuple[int, Reader]]:
        """Each section by its name, with its number of elements. The first of a name counts."""
        found: dict[str, tuple[int, Reader]] = {}
        left = self.number() if version >= 10 else -1
        # Bytes that hold no section are no section.
        while left > 0 or (left < 0 and len(self.data) - self.at >= 12):
            left -= 1
            name = self.text()
            count = self.number() if version < 10 else 0
            part = Reader(self.take(self.number()))
            if version >= 10 and name not in ("METADATA", "SKELETON") and len(part.data) >= 4:
                count = part.number()
            found.setdefault(name, (count, part))
        return found


LEVEL = {"VERTICES", "NORMALS", "TANGENTS", "TEXCOORDS", "INDICES", "VERTEXCOLORS", "MATERIALS", "WEIGHTS", "MORPHTARGETS"}
"""The sections of a level."""

NONE: tuple[int, Reader] = (0, Reader(b""))


def _read_level(name: str, found: dict[str, tuple[int, Reader]], version: int) -> Level:
    own = Level(name)

    def rows(name: str, kind: Any, width: int | None = None) -> Array:
        count, part = found.get(name, NONE)
        return part.rows(kind, width, count)

    own.positions, own.tangents = rows("VERTICES", "<f4", 3), rows("TANGENTS", "<f4", 3)
    normals = rows("NORMALS", "<f4", 3 if version == 0 else 4)
    own.normals, own.signs = (normals, None) if version == 0 else (normals[:, 1:], normals[:, 0])
    own.indices, own.influences = rows("INDICES", "<u4"), rows("WEIGHTS", INFLUENCE)
    count, part = found.get("TEXCOORDS", NONE)
    own.uvs = part.list(count, lambda: (part.text() if version >= 10 else None, part.rows("<f4", 2)))
    count, colors = found.get("VERTEXCOLORS", NONE)
    if version < 2:
        own.colors = [(None, colors.rows("u1", 4, count))] if count else []
    else:
        own.colors = colors.list(count, lambda: (colors.text(), colors.rows("u1", 4)))
    count, materials = found.get("MATERIALS", NONE)
    own.materials = materials.list(count, lambda: (materials.text(), materials.text() if version >= 6 else None, *materials.values("ii")))
    count, morphs = found.get("MORPHTARGETS", NONE)
    own.morphs = morphs.list(count, lambda: (morphs.text(), morphs.rows(DELTA)))
    return own


def _read_bones(own: Model, count: int, part: Reader) -> None:
    """In version 10, bones have a scale if the walk with one ends where the section does."""
    for has_scale in (True, False) if own.version >= 10 and count else (False,):
        walk = Reader(part.data, part.at)
        kinds = "i7f3f" if has_scale else "i7f"
        try:
            bones = [(walk.text(), *walk.values(kinds)) for _ in range(count)]
        except AssertionError:
            continue
        if walk.at == len(walk.data) or not has_scale:
            own.bones = [bone[0] for bone in bones]
            own.parents = np.array([bone[1] for bone in bones], "<i4")
            own.bind = np.array([bone[2:9] for bone in bones], "<f4").reshape(count, 7)
            own.scales = np.array([bone[9:] for bone in bones], "<f4") if has_scale else None
            return


def _read_model(own: Model, body: Reader) -> None:
    version = own.version
    root = body.sections(version)
    skeleton = root
    if version < 4:
        # A file without sections of a level has no level.
        own.levels = [_read_level("", root, version)] if set(root) & LEVEL else []
    else:
        count, levels = root.get("LODS", NONE)
        for _ in range(count):
            name = levels.text()
            part = levels if version >= 10 else Reader(levels.take(levels.number()))
            own.levels.append(_read_level(name, part.sections(version), version))
        skeleton = root["SKELETON"][1].sections(version) if "SKELETON" in root else {}
    _read_bones(own, *skeleton.get("BONES", NONE))
    paths = [found["METADATA"][1] for found in (skeleton, root) if "METADATA" in found]
    own.skeleton_path = paths[0].text() if version >= 7 and paths else ""
    count, sockets = skeleton.get("SOCKETS", NONE)
    own.sockets = sockets.list(count, lambda: (sockets.text(), sockets.text(), sockets.values("10f")))
    count, bones = skeleton.get("VIRTUALBONES", NONE) if version >= 5 else NONE
    own.virtual_bones = bones.list(count, lambda: (bones.text(), bones.text(), bones.text()))
    count, hulls = root.get("COLLISION", NONE) if version >= 3 else NONE
    own.hulls = hulls.list(count, lambda: (hulls.text(), hulls.rows("<f4", 3), hulls.rows("<u4")))


def _read_animation(own: Animation, body: Reader) -> None:
    if own.version < 7:
        own.frames, own.rate = body.values("if")
    root = body.sections(own.version)
    if own.version < 7:
        pass
    elif "METADATA" in root:
        part = root["METADATA"][1]
        (own.frames, own.rate), own.base_path = part.values("if"), part.text()
        own.additive = part.values("BBi")
    else:
        own.frames, own.rate = 0, 0
    count, tracks = root.get("TRACKS", NONE)
    own.tracks = tracks.list(count, lambda: (tracks.text(), tracks.rows(VECTOR), tracks.rows(ROTATION), tracks.rows(VECTOR)))
    count, curves = root.get("CURVES", NONE)
    own.curves = curves.list(count, lambda: (curves.text(), curves.rows(CURVE)))


def _read_poses(own: Poses, body: Reader) -> None:
    root = body.sections(own.version)
    count, part = root.get("POSES", NONE)
    for _ in range(count):
        name, bones = part.text(), [(part.text(), part.values("10f")) for _ in range(part.number())]
        values = np.array([row for _, row in bones], "<f4").reshape(len(bones), 10)
        own.poses.append((name, [bone for bone, _ in bones], values, part.rows(VALUE)))
    count, curves = root.get("CURVES", NONE)
    own.curves = curves.list(count, curves.text)


@dataclass
class Header:
    kind: str
    version: int
    name: str
    path: str
    is_compressed: bool
    body: int
    """The byte at which the body begins, without compression."""


def read_header(data: bytes) -> Header:
    part = Reader(data, 8)
    kind, (version,), name = part.text(), part.values("B"), part.text()
    path = part.text() if version >= 10 else ""
    (flag,) = part.values("B")
    return Header(kind, version, name, path, flag != 0, part.at)


def is_compressed(data: bytes) -> bool:
    """Whether these bytes are a UEFormat file with a compressed body."""
    try:
        return data.startswith(b"UEFORMAT") and read_header(data).is_compressed
    except (AssertionError, struct.error):
        return False


def read(data: bytes) -> Content:
    """A file that is not compressed."""
    header = read_header(data)
    assert not header.is_compressed
    body = Reader(data[header.body :])
    named = (header.version, header.name, header.path)
    if header.kind == "UEMODEL":
        model = Model(*named)
        _read_model(model, body)
        return model
    if header.kind == "UEANIM":
        animation = Animation(*named)
        _read_animation(animation, body)
        return animation
    poses = Poses(*named)
    _read_poses(poses, body)
    return poses


def random_level(source: np.random.Generator, version: int, name: str, vertices: int, bones: int) -> Level:
    """A level of triangles whose vertices each have two bones."""
    own = Level(name if version >= 4 else "")
    own.positions, own.normals, own.tangents = (source.normal(size=(vertices, 3)).astype("<f4") for _ in range(3))
    own.normals /= np.linalg.norm(own.normals, axis=1, keepdims=True)
    own.signs = None if version == 0 else np.where(np.arange(vertices) % 3, 1, -1).astype("<f4")
    own.indices = source.integers(0, vertices, 3 * vertices).astype("<u4")
    own.uvs = [(f"UV{index}" if version >= 10 else None, source.random((vertices, 2)).astype("<f4")) for index in range(2)]
    names = ["COL0", "Wind"] if version >= 2 else [None]
    own.colors = [(one, source.integers(0, 256, (vertices, 4)).astype("u1")) for one in names]
    path = "/Game/Cloth" if version >= 6 else None
    own.materials = [("Skin", path, 0, vertices // 2), ("Größe", path and "", vertices // 2 * 3, vertices - vertices // 2)]
    own.influences = np.zeros(2 * vertices if bones else 0, INFLUENCE)
    if bones:
        own.influences["vertex"] = np.arange(2 * vertices) // 2
        own.influences["bone"] = source.integers(0, bones, 2 * vertices)
        own.influences["weight"] = np.tile(np.array([0.75, 0.25], "<f4"), vertices)
    deltas = np.zeros(3, DELTA)
    deltas["position"], deltas["vertex"] = source.normal(size=(3, 3)), [0, 2, 1]
    own.morphs = [("smile", deltas), ("empty", deltas[:0])]
    return own


def random_rotations(source: np.random.Generator, count: int) -> Array:
    found = source.normal(size=(count, 4))
    rotations: Array = (found / np.linalg.norm(found, axis=1, keepdims=True)).astype("<f4")
    return rotations


def random_model(version: int, seed: int = 1, bones: int = 5, has_scales: bool = False) -> Model:
    """A model with two levels; before version 4, with one."""
    source = np.random.default_rng(seed)
    own = Model(version, "Fox", "/Game/Fox" if version >= 10 else "")
    sizes = [("LOD0", 12), ("LOD2", 6)] if version >= 4 else [("", 12)]
    own.levels = [random_level(source, version, name, size, bones) for name, size in sizes]
    own.skeleton_path = "/Game/Fox_Skeleton" if version >= 7 and bones else ""
    own.bones = [["Root", "Spine", "Hüfte", "head", "Tail_01"][bone % 5] + "x" * (bone // 5) for bone in range(bones)]
    own.parents = np.array([bone // 2 if bone else -1 for bone in range(bones)], "<i4")
    own.bind = np.concatenate([source.normal(size=(bones, 3)), random_rotations(source, bones)], axis=1).astype("<f4")
    own.scales = source.uniform(0.5, 2, (bones, 3)).astype("<f4") if has_scales else None
    if bones:
        own.sockets = [("Hand", "head", (1, 2, 3, 0, 0, 0, 1, 1, 2, 1)), ("Lost", "none", (0, 0, 0, 0, 0, 0, 1, 1, 1, 1))]
        own.virtual_bones = [("Root", "head", "VB head")] if version >= 5 else []
    if version >= 3:
        own.hulls = [("None", own.levels[0].positions[:4], np.array([0, 1, 2, 0, 2, 3], "<u4"))]
    return own


def random_animation(version: int, seed: int = 2, frames: int = 9) -> Animation:
    """An animation with sparse keys, whose bones are those of :func:`random_model` in another order."""
    source = np.random.default_rng(seed)
    own = Animation(version, "Walk", "/Game/Walk" if version >= 10 else "", frames, 24)
    if version >= 7:
        own.base_path, own.additive = "/Game/Wälk", (1, 4, 5)
    for index, name in enumerate(["HEAD", "spine", "root", "Other"]):
        keys: list[Array] = []
        for kind, width in ((VECTOR, 3), (ROTATION, 4), (VECTOR, 3)):
            # One key for the first track, none for the last, and a few for those between.
            count = [1, 4, frames, 0][index]
            rows = np.zeros(count, kind)
            rows["frame"] = np.sort(np.append(0, source.permutation(np.arange(1, frames))[: count - 1])) if count else []
            rows["value"] = random_rotations(source, count) if width == 4 else source.uniform(0.5, 2, (count, width))
            keys.append(rows)
        own.tracks.append((name, keys[0], keys[1], keys[2]))
    own.curves = [("smile", np.array([(0, 0.5), (3, 1), (3, 0.25), (900, 2)], CURVE)), ("empty", np.zeros(0, CURVE))]
    return own


def random_poses(version: int, seed: int = 3) -> Poses:
    source = np.random.default_rng(seed)
    own = Poses(version, "Faces", "/Game/Faces" if version >= 10 else "", curves=["smile", "frown"])
    for name, bones in (("Happy", ["head", "Spine"]), ("Sad", ["Tail_01"]), ("Nothing", list[str]())):
        values = source.normal(size=(len(bones), 10)).astype("<f4")
        values[:, 3:7] = random_rotations(source, len(bones))
        influences = np.array([(1, 0.5), (0, -0.25)] if name == "Happy" else [], VALUE)
        own.poses.append((name, bones, values, influences))
    return own
