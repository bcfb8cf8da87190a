"""Equality constraints of a compiled model: joints that close loops, gears and equations.

MuJoCo's are soft, those of a model hold exactly.
"""

from __future__ import annotations

from gyrostat.io.mjcf.import_record import ImportRecord, written
from gyrostat.io.mjcf.tendons import Tendon
from gyrostat.io.places import place
from gyrostat.io.plain_values import made
from gyrostat.model.constraints import Equation, Gear
from gyrostat.model.joints import Spherical, Weld
from gyrostat.model.kinds import End

_CONNECT, _WELD, _JOINT, _TENDON = range(4)
_SITE = 6
"""The type of objects (mjtObj) of constraints between sites."""


def add_constraints(found: ImportRecord, tendons: dict[int, Tendon]) -> None:
    """Add the equality constraints that are active at the start."""
    m, idle = found.m, 0
    for i in range(m.neq):
        name = found.names.take(m.equality(i).name or f"equality{i}", "constraint", "constraint")
        kind = int(m.eq_type[i])
        if not m.eq_active0[i]:
            idle += 1
        elif kind == _CONNECT:
            found.model.add(made(Spherical, name, *_ends(found, i, 0, 3)))
        elif kind == _WELD:
            found.model.add(made(Weld, name, *_ends(found, i, 3, 0)))
        elif kind == _JOINT:
            _add_relation(found, i, name)
        elif kind == _TENDON and _of_coordinates(m, i, tendons):
            _add_tendon_relation(found, i, name, tendons)
        else:
            found.refused.append(f"the equality constraint {name!r}")
    if idle:
        found.notes.append(f"equality constraints that are not active were left out: {idle}.")
    if m.neq > idle:
        found.notes.append("equality constraints, which MuJoCo keeps by soft forces, hold exactly.")


def _ends(found: ImportRecord, i: int, first: int, second: int) -> tuple[End, End]:
    """Return the places that a constraint keeps together; `first` and `second` say where their positions begin."""
    m = found.m
    one, two = int(m.eq_obj1id[i]), int(m.eq_obj2id[i])
    if m.eq_objtype[i] == _SITE:
        return found.site_end(one), found.site_end(two)
    data = m.eq_data[i]
    turned = data[6:10] if m.eq_type[i] == _WELD else (1, 0, 0, 0)
    return (
        place(found.bodies[one], data[first : first + 3], turned),
        place(found.bodies[two], data[second : second + 3]),
    )


def _add_relation(found: ImportRecord, i: int, name: str) -> None:
    """Add the relation q₁ − q₁₀ = Σ cₖ (q₂ − q₂₀)ᵏ of two coordinates, or of one."""
    m = found.m
    one, two = int(m.eq_obj1id[i]), int(m.eq_obj2id[i])
    c = [float(x) for x in m.eq_data[i][:5]]
    first, zero = found.coordinate(one), float(m.qpos0[m.jnt_qposadr[one]])
    second = found.coordinate(two) if two >= 0 else None
    if first is None or (two >= 0 and second is None):
        found.refused.append(f"the equality constraint {name!r}, of joints with several freedoms")
        return
    if second is None:
        found.model.add(made(Equation, name, f"{first} - {written(zero + c[0])}"))
        return
    other = float(m.qpos0[m.jnt_qposadr[two]])
    if c[1] and not any(c[2:]):
        found.model.add(made(Gear, name, second, first, c[1], zero + c[0] - c[1] * other))
        return
    wanted = " + ".join(f"{written(x)}*({second} - {written(other)})**{k}" for k, x in enumerate(c) if x and k)
    found.model.add(made(Equation, name, f"{first} - {written(zero + c[0])} - ({wanted or '0'})"))


def _of_coordinates(m: object, i: int, tendons: dict[int, Tendon]) -> bool:
    """Return whether all tendons of a constraint are sums of coordinates."""
    numbers = (int(m.eq_obj1id[i]), int(m.eq_obj2id[i]))  # type: ignore[attr-defined]
    return all(t < 0 or (t in tendons and bool(tendons[t].coordinates)) for t in numbers)


def _add_tendon_relation(found: ImportRecord, i: int, name: str, tendons: dict[int, Tendon]) -> None:
    """Add the relation L₁ − L₁₀ = Σ cₖ (L₂ − L₂₀)ᵏ of two tendons, or of one."""
    m = found.m
    one, two = int(m.eq_obj1id[i]), int(m.eq_obj2id[i])
    c = [float(x) for x in m.eq_data[i][:5]]
    left = f"{tendons[one].length} - {written(float(m.tendon_length0[one]) + c[0])}"
    if two >= 0:
        change = f"({tendons[two].length} - {written(float(m.tendon_length0[two]))})"
        for k, x in enumerate(c):
            left += f" - {written(x)}*{change}**{k}" if x and k else ""
    found.model.add(made(Equation, name, left))
