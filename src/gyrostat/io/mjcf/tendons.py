"""Tendons of a compiled model as forces on coordinates, or along the lines between sites.

The length of a fixed tendon is a sum of coordinates, L = Σ c q; that of a spatial one a sum of distances, L = Σ d/s
with the divisors s of its pulleys. A force F along L acts on each coordinate as c F, along each line as the
tension −F/s.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gyrostat.io.mjcf.import_record import ImportRecord, times, written
from gyrostat.io.plain_values import made
from gyrostat.model.forces import JointSpring, SpringDamper
from gyrostat.model.kinds import End

JOINT, PULLEY, SITE = 1, 2, 3
"""Types of the parts of a tendon (mjtWrap)."""


@dataclass(frozen=True)
class Tendon:
    """A tendon: its coordinates with their coefficients, or its lines with their shares 1/s, by name of the force."""

    name: str
    coordinates: tuple[tuple[str, float], ...] = ()
    lines: tuple[tuple[str, End, End, float], ...] = ()
    moved_by: frozenset[int] = frozenset()
    """Of a spatial tendon, MuJoCo's numbers of the bodies of its sites, and of all that carry these."""

    @property
    def length(self) -> str:
        """A formula of its length."""
        return self._sum("", "length")

    @property
    def rate(self) -> str:
        """A formula of its rate."""
        return self._sum(".rate", "rate")

    def _sum(self, of_coordinate: str, of_line: str) -> str:
        parts = [times(c, f"{name}{of_coordinate}") for name, c in self.coordinates]
        return " + ".join(parts + [times(share, f"{name}.{of_line}") for name, _, _, share in self.lines])


def tendons_of(found: ImportRecord) -> dict[int, Tendon]:
    """Return the tendons that forces can express, by number; others are refused."""
    result: dict[int, Tendon] = {}
    for t in range(found.m.ntendon):
        name = found.names.take(found.m.tendon(t).name or f"tendon{t}", "tendon", "tendon")
        tendon = _read(found, t, name)
        if tendon is not None:
            result[t] = tendon
    return result


def _read(found: ImportRecord, t: int, name: str) -> Tendon | None:
    m = found.m
    parts = range(int(m.tendon_adr[t]), int(m.tendon_adr[t]) + int(m.tendon_num[t]))
    kinds = [int(m.wrap_type[i]) for i in parts]
    if JOINT in kinds:
        coordinates = [found.coordinate(int(m.wrap_objid[i])) for i in parts]
        return Tendon(name, tuple((c, float(m.wrap_prm[i])) for c, i in zip(coordinates, parts, strict=True) if c))
    if any(kind not in (PULLEY, SITE) for kind in kinds):
        found.refused.append(f"tendon {name!r}, which wraps around a geometry")
        return None
    lines: list[tuple[str, End, End, float]] = []
    divisor, before = 1.0, None
    for kind, i in zip(kinds, parts, strict=True):
        if kind == PULLEY:
            divisor, before = float(m.wrap_prm[i]), None
            continue
        end = found.site_end(int(m.wrap_objid[i]))
        if before is not None:
            lines.append((found.names.take(f"{name}_line{len(lines) + 1}", "force"), before, end, 1 / divisor))
        before = end
    carrying: set[int] = set()
    for kind, i in zip(kinds, parts, strict=True):
        b = int(m.site_bodyid[m.wrap_objid[i]]) if kind == SITE else 0
        while b:
            carrying.add(b)
            b = int(m.body_parentid[b])
    return Tendon(name, lines=tuple(lines), moved_by=frozenset(carrying))


def passive_force(found: ImportRecord, t: int, tendon: Tendon) -> str:
    """Return a formula of the force of a tendon's spring and damper along its length, or empty text."""
    m = found.m
    low, high = (float(x) for x in m.tendon_lengthspring[t])
    stiffness, damping = float(m.tendon_stiffness[t]), float(m.tendon_damping[t])
    newer = [getattr(m, name, np.zeros(m.ntendon))[t] for name in _REFUSED_FIELDS]
    if any(np.any(part) for part in newer):
        found.refused.append(f"friction, armature or a nonlinear law of tendon {tendon.name!r}")
    if m.tendon_limited[t]:
        found.notes.append(f"the limits of tendon {tendon.name!r} were left out.")
    parts = []
    if stiffness and low == high:
        parts.append(f"- {written(stiffness)}*({tendon.length} - {written(low)})")
    elif stiffness:
        stretch = f"max({tendon.length} - {written(high)}, 0) + min({tendon.length} - {written(low)}, 0)"
        parts.append(f"- {written(stiffness)}*({stretch})")
    if damping:
        parts.append(f"- {written(damping)}*({tendon.rate})")
    return " ".join(parts)


_REFUSED_FIELDS = (
    "tendon_frictionloss",
    "tendon_armature",
    "tendon_stiffnesspoly",
    "tendon_dampingpoly",
    "tendon_springyield",
)


def add_tendon(found: ImportRecord, tendon: Tendon, forces: list[str]) -> None:
    """Add a tendon with the formulas of the forces along its length."""
    law = " + ".join(force for force in forces if force)
    if not law:
        return
    for name, coefficient in tendon.coordinates:
        if coefficient:
            force = found.names.take(f"{tendon.name}_{name}", "force")
            found.model.add(made(JointSpring, force, name, force=times(coefficient, law)))
    for name, a, b, share in tendon.lines:
        found.model.add(made(SpringDamper, name, a, b, force=times(-share, law)))
