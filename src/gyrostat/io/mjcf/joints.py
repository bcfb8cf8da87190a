"""Joints of a compiled model, with springs, damping, friction, limits and armature.

MuJoCo counts the coordinate of a hinge or slide from its reference `ref`, at which the body has the pose in the file;
so do joints here, by a child frame turned or moved by `ref`.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gyrostat.io.mjcf.import_record import BALL, FREE, HINGE, ImportRecord
from gyrostat.io.places import numbers, place, rotated
from gyrostat.io.plain_values import made
from gyrostat.model import Body, Frame
from gyrostat.model.forces import Bushing, JointSpring
from gyrostat.model.joints import Free, Prismatic, Revolute, Spherical, Translation
from gyrostat.model.kinds import End
from gyrostat.model.limits import Limits

Inner: TypeAlias = tuple[str, NDArray[np.float64], NDArray[np.float64]]
"""The body that carries a joint, and the pose on it of the frame of the body that the joint carries."""


def joint_of(found: ImportRecord, j: int, inner: Inner, body: str) -> None:
    """Add a joint, and what acts on it, between its inner body and the body that it carries."""
    m = found.m
    dof, kind = int(m.jnt_dofadr[j]), int(m.jnt_type[j])
    size = {FREE: 6, BALL: 3}.get(kind, 1)
    dofs = slice(dof, dof + size)
    _refuse_polynomials(found, j, dofs)
    name, label = found.joints[j], m.joint(j).name
    options: dict[str, Any] = {"label": label if label != name else ""}
    if kind == FREE:
        _add_free(found, j, body, options)
    elif kind == BALL:
        ends = _hinge_point(inner, m.jnt_pos[j]), place(body, m.jnt_pos[j])
        _add_ball(found, j, name, ends, options)
    else:
        _add_single(found, j, inner, body, options)


def _hinge_point(inner: Inner, anchor: Any) -> End:
    """Return the joint's frame on the inner body: axes of the outer body, origin at the anchor."""
    host, at, turned = inner
    return place(host, at + rotated(turned, np.asarray(anchor)), turned)


def _add_single(found: ImportRecord, j: int, inner: Inner, body: str, options: dict[str, Any]) -> None:
    m, name = found.m, found.joints[j]
    dof, q = int(m.jnt_dofadr[j]), int(m.jnt_qposadr[j])
    hinge, axis, ref = m.jnt_type[j] == HINGE, numbers(m.jnt_axis[j]), float(m.qpos0[q])
    anchor = np.array(m.jnt_pos[j])
    if hinge:
        frame = made(Frame, numbers(anchor), [(axis, ref)] if ref else [])
        outer = End(body, None, frame) if ref else place(body, anchor)
    else:
        outer = place(body, anchor + ref * np.array(m.jnt_axis[j]))
    if ref:
        options["initial"] = {"": ref}
    if m.dof_armature[dof]:
        options["armature"] = {"": float(m.dof_armature[dof])}
    bounds = numbers(m.jnt_range[j]) if m.jnt_limited[j] else (None, None)
    low, high = numbers(m.jnt_actfrcrange[j]) if m.jnt_actfrclimited[j] else (0.0, 0.0)
    effort = max(-low, high) or None
    if any(x is not None for x in (*bounds, effort)):
        options["limits"] = {"": made(Limits, *bounds, None, effort)}
    cls = Revolute if hinge else Prismatic
    found.model.add(made(cls, name, _hinge_point(inner, anchor), outer, axis=axis, **options))
    stiffness, damping = float(m.jnt_stiffness[j]), float(m.dof_damping[dof])
    if stiffness or damping:
        natural = {"angle" if hinge else "length": float(m.qpos_spring[q])} if stiffness else {}
        spring = found.names.take(f"{name}_spring" if stiffness else f"{name}_damping", "force")
        found.model.add(made(JointSpring, spring, name, stiffness, damping, **natural))


def _add_ball(found: ImportRecord, j: int, name: str, ends: tuple[End, End], options: dict[str, Any]) -> None:
    m, first = found.m, int(found.m.jnt_dofadr[j]) + (3 if found.m.jnt_type[j] == FREE else 0)
    if armature := float(m.dof_armature[first]):
        options = {**options, "armature": dict.fromkeys(("w1", "w2", "w3"), armature)}
    found.model.add(made(Spherical, name, *ends, **options))
    if damping := float(m.dof_damping[first]):
        around = found.names.take(f"{name}_damping", "force")
        found.model.add(made(Bushing, around, *ends, rotational_damping=(damping,) * 3))
    if m.jnt_stiffness[j]:
        found.refused.append(f"the spring of joint {name!r}, which has three rotations")


def _add_free(found: ImportRecord, j: int, body: str, options: dict[str, Any]) -> None:
    """Add a free joint; one with damping or armature as a translation and a spherical joint."""
    m, name = found.m, found.joints[j]
    dof, q = int(m.jnt_dofadr[j]), int(m.jnt_qposadr[j])
    position, turned = numbers(m.qpos0[q : q + 3]), numbers(m.qpos0[q + 3 : q + 7])
    turn = {f"e{i}": e for i, e in enumerate(turned)} if turned != (1, 0, 0, 0) else {}
    moved = {axis: x for axis, x in zip("xyz", position, strict=True) if x}
    if not (m.dof_armature[dof] or m.dof_damping[dof]):
        found.model.add(made(Free, name, End("ground"), End(body), initial={**moved, **turn}, **options))
        if m.jnt_stiffness[j]:
            found.refused.append(f"the spring of the free joint {name!r}")
        return
    carrier, slide = found.names.take(f"{body}_origin", "body"), found.names.take(f"{name}_position", "joint")
    armature = dict.fromkeys("xyz", float(m.dof_armature[dof])) if m.dof_armature[dof] else {}
    found.model.add(made(Body, carrier, mass=0, inertia=(0, 0, 0)))
    found.model.add(made(Translation, slide, End("ground"), End(carrier), initial=moved, armature=armature))
    for axis in "xyz" if m.dof_damping[dof] else "":
        force = found.names.take(f"{slide}_{axis}_damping", "force")
        found.model.add(made(JointSpring, force, f"{slide}.{axis}", damping=float(m.dof_damping[dof])))
    _add_ball(found, j, name, (End(carrier), End(body)), {**options, "initial": turn})


def _refuse_polynomials(found: ImportRecord, j: int, dofs: slice) -> None:
    """Note laws of springs and dampers beyond linear ones."""
    m, name = found.m, found.joints[j]
    newer = [getattr(m, field, np.zeros(m.njnt))[j] for field in ("jnt_stiffnesspoly", "jnt_springyield")]
    newer += [getattr(m, "dof_dampingpoly", np.zeros(m.nv))[dofs]]
    if any(np.any(part) for part in newer):
        found.refused.append(f"the nonlinear spring or damper of joint {name!r}")
