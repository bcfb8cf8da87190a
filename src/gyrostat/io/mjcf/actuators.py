"""Actuators of a compiled model: an input for each, and forces that follow from it.

MuJoCo's force is gain·(ctrl or activation) + bias, with gain and bias affine in length and velocity of the
transmission; times the gear it acts on the coordinate, or along the tendon.
"""

from __future__ import annotations

import numpy as np

from gyrostat.io.mjcf.import_record import ImportRecord, times, written
from gyrostat.io.mjcf.tendons import Tendon
from gyrostat.io.places import numbers
from gyrostat.io.plain_values import made
from gyrostat.model.forces import Actuator, JointSpring
from gyrostat.model.inputs import Input
from gyrostat.model.states import State

_FIXED, _AFFINE = 0, 1
_NONE, _INTEGRATOR, _FILTER, _EXACT = range(4)
_JOINT, _IN_PARENT, _TENDON = 0, 1, 3
_NO_TENDON = Tendon("")
_UNSUPPORTED_FIELDS = ("actuator_damping", "actuator_armature", "actuator_delay", "actuator_dampingpoly")
"""Fields of newer versions of MuJoCo that are zero in actuators that are understood here."""


def add_actuators(found: ImportRecord, tendons: dict[int, Tendon]) -> dict[int, list[str]]:
    """Add the actuators of joints, and return the formulas of the forces along tendons, by number."""
    m = found.m
    along: dict[int, list[str]] = {}
    _refuse_shared_limits(found, tendons)
    for a in range(m.nu if not hasattr(m, "nactuator") else m.nactuator):
        name = found.names.take(m.actuator(a).name or f"actuator{a}", "actuator", "control")
        if not m.actuator_gear[a].any():
            continue  # it has no effect
        reason = _reason(found, a, tendons)
        if reason:
            found.refused.append(f"actuator {name!r}, {reason}")
            continue
        target, gear = int(m.actuator_trnid[a][0]), float(m.actuator_gear[a][0])
        if m.actuator_trntype[a] == _TENDON:
            tendon = tendons[target]
            law = _force(found, a, name, gear, tendon.length, tendon.rate)
            along.setdefault(target, []).append(times(gear, law))
            continue
        coordinate = found.joints[target]
        if _is_motor(found, a, gear):
            found.model.add(made(Actuator, name, coordinate))
            continue
        law = _force(found, a, name, gear, "angle", "rate")
        force = found.names.take(f"{name}_load", "force")
        low, high = numbers(m.jnt_actfrcrange[target])
        law = law if gear == 1 else times(gear, law)
        if m.jnt_actfrclimited[target]:
            law = f"min(max({law}, {written(low)}), {written(high)})"
        found.model.add(made(JointSpring, force, coordinate, force=law))
    return along


def _reason(found: ImportRecord, a: int, tendons: dict[int, Tendon]) -> str:
    """Return why an actuator has no counterpart, or empty text."""
    m = found.m
    target, kind = int(m.actuator_trnid[a][0]), int(m.actuator_trntype[a])
    if kind not in (_JOINT, _IN_PARENT, _TENDON):
        return "which acts neither on a joint nor on a tendon"
    if kind == _TENDON and target not in tendons:
        return "whose tendon is left out"
    if kind != _TENDON and found.coordinate(target) is None:
        return "which acts on a joint with several freedoms"
    if m.actuator_gaintype[a] not in (_FIXED, _AFFINE) or m.actuator_biastype[a] not in (_FIXED, _AFFINE):
        return "whose gain or bias is neither constant nor affine"
    if m.actuator_dyntype[a] not in (_NONE, _INTEGRATOR, _FILTER, _EXACT):
        return "whose activation is neither an integrator nor a filter"
    if any(np.any(getattr(m, field)[a]) for field in _UNSUPPORTED_FIELDS if hasattr(m, field)):
        return "which has damping, armature or a delay of its own"
    return ""


def _refuse_shared_limits(found: ImportRecord, tendons: dict[int, Tendon]) -> None:
    """Refuse limits of actuator forces at joints on which several actuators act, or one by a tendon."""
    m = found.m
    for j, name in found.joints.items():
        if not m.jnt_actfrclimited[j]:
            continue
        acting = 0
        for kind, (target, _) in zip(m.actuator_trntype, m.actuator_trnid, strict=True):
            tendon = tendons.get(int(target), _NO_TENDON) if kind == _TENDON else _NO_TENDON
            by_tendon = int(m.jnt_bodyid[j]) in tendon.moved_by or name in dict(tendon.coordinates)
            acting += 2 * by_tendon + (kind in (_JOINT, _IN_PARENT) and target == j)
        if acting > 1:
            found.refused.append(f"the limit of the sum of actuator forces at joint {name!r}")
    if any(getattr(m, "tendon_actfrclimited", ())):
        found.refused.append("limits of actuator forces along tendons")


def _is_motor(found: ImportRecord, a: int, gear: float) -> bool:
    """Return whether the load on the coordinate is the control itself."""
    m = found.m
    joint = int(m.actuator_trnid[a][0])
    limited = m.actuator_ctrllimited[a] or m.actuator_forcelimited[a] or m.jnt_actfrclimited[joint]
    plain = (m.actuator_gaintype[a], m.actuator_biastype[a], m.actuator_dyntype[a]) == (_FIXED, _FIXED, _NONE)
    return bool(plain and not limited and gear * m.actuator_gainprm[a][0] == 1)


def _force(found: ImportRecord, a: int, name: str, gear: float, length: str, rate: str) -> str:
    """Return a formula of the force, and add its input and its state of activation."""
    m = found.m
    found.model.add(made(Input, name))
    signal = name
    if m.actuator_ctrllimited[a]:
        signal = _within(signal, m.actuator_ctrlrange[a])
    if m.actuator_dyntype[a] != _NONE:
        state = found.names.take(f"{name}_activation", "state")
        rises = signal
        if m.actuator_dyntype[a] != _INTEGRATOR:
            rises = f"({signal} - {state})/{written(max(float(m.actuator_dynprm[a][0]), 1e-15))}"
        found.model.add(made(State, state, rate=rises))
        signal = _within(state, m.actuator_actrange[a]) if m.actuator_actlimited[a] else state
    moved = times(gear, length), times(gear, rate)
    gain = _affine(m.actuator_gainprm[a], m.actuator_gaintype[a] == _AFFINE, *moved)
    bias = _affine(m.actuator_biasprm[a], True, *moved) if m.actuator_biastype[a] == _AFFINE else ""
    driven = f"({gain})*{signal}" if " + " in gain else f"{gain}*{signal}" if gain else ""
    law = " + ".join(part for part in (driven, bias) if part) or "0"
    return _within(law, m.actuator_forcerange[a]) if m.actuator_forcelimited[a] else law


def _affine(numbers_of: np.ndarray, whole: bool, length: str, rate: str) -> str:
    """Return p0 + p1·length + p2·rate, without zeros."""
    p = [float(x) for x in numbers_of[:3]]
    parts = [written(p[0])] if p[0] else []
    if whole:
        parts += [f"{written(x)}*{quantity}" for x, quantity in zip(p[1:], (length, rate), strict=True) if x]
    return " + ".join(parts)


def _within(signal: str, bounds: np.ndarray) -> str:
    return f"min(max({signal}, {written(bounds[0])}), {written(bounds[1])})"
