"""What the methods return besides arrays."""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from . import _native


def to_html(title: str, values: Mapping[str, object]) -> str:
    """Values with their names as a table of a notebook."""
    cells = "".join(f"<tr><th>{html.escape(name)}</th><td>{html.escape(str(value))}</td></tr>" for name, value in values.items())
    return f"<table><caption>{html.escape(title)}</caption>{cells}</table>"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is wrong in the data."""

    severity: Literal["note", "warning", "error"]
    code: str
    section: str
    offset: int
    index: int | None
    count: int
    message: str


@dataclass(frozen=True, slots=True)
class Quirk:
    """Something odd that was read all the same."""

    code: str
    section: str
    offset: int


@dataclass(frozen=True, slots=True)
class Attachment:
    """A place at which another model can be attached: a socket (Unreal) or a prop point (Pyrogenesis)."""

    name: str
    bone: int | None = None
    translation: tuple[float, float, float] = (0, 0, 0)
    rotation: tuple[float, float, float, float] = (0, 0, 0, 1)
    scale: tuple[float, float, float] = (1, 1, 1)


@dataclass(frozen=True, slots=True)
class Surface:
    """How the faces of a material are drawn: opaque and one-sided unless the format says otherwise."""

    is_two_sided: bool
    alpha: Literal["opaque", "masked", "blended"]
    """What the alpha of the texture means: nothing, a hole at small values, or the opacity."""


@dataclass(frozen=True, slots=True)
class Space:
    """The space of the values: its hand, the axis that points up, and metres in a unit where the file says it."""

    handedness: Literal["left", "right"]
    up: Literal["x", "y", "z"]
    up_sign: float
    metres: float | None


@dataclass(frozen=True, slots=True)
class Match:
    """How the bones of an animation match those of a mesh.

    The verdict: ``exact`` (the same bones by name), ``fits`` (all bones of one are in the other; for bones without names, as many in both,
    which keep their distances), ``in-part`` (at least half of the animation's bones are in the mesh), ``same-count`` (bones without
    names, as many in both, that cannot be compared or change their distances), ``hardly`` (fewer than half), ``not`` (none, or another
    number).
    """

    verdict: Literal["exact", "fits", "in-part", "same-count", "hardly", "not"]
    can_play: bool
    """Whether the animation can play on the mesh, by bones, parents and lengths alone, as ``skelmap match --fits`` and ``skelmap convert``
    decide it: ``exact``, ``fits``, ``in-part`` with nine tenths of the animation's bones, and ``same-count`` where distances were not
    measured."""
    matched: int
    missing: int
    """Bones of the mesh without a bone in the animation."""
    extra: int
    """Bones of the animation without a bone in the mesh."""
    reparented: int
    is_flat: bool
    """Whether the animation has no hierarchy, although the mesh has one. Its tracks move the bones all the same."""
    by_name: bool
    """Whether bones were matched by name. Otherwise their numbers were compared."""
    length_change: float | None
    """How much distances between bones without names change, as a part of the size of the skeleton; up to 0.005 is a fit."""
    bones: tuple[int | None, ...]
    """For each bone of the animation that of the mesh; empty for bones without names."""

    def _repr_html_(self) -> str:
        names = ("can_play", "matched", "missing", "extra", "reparented", "length_change")
        return to_html(f"skelmap.Match {self.verdict}", {name: getattr(self, name) for name in names})


def explain(code: str) -> str:
    """What a code of a finding, a quirk or an error means.

    >>> import skelmap
    >>> print(skelmap.explain("weight-sum").splitlines()[0])
    weight-sum (warning): the weights of a point do not add up to 1

    Raises:
        KeyError: There is no such code.
    """
    found = _native.explain(code)
    if found is None:
        raise KeyError(code)
    severity, sentence, explanation = found
    return f"{code} ({severity}): {sentence}\n{explanation}"
