"""Models as MuJoCo compiles them: defaults, includes, frames and units are resolved."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gyrostat.errors import Fault, GyrostatError, ModelFileError
from gyrostat.results.xml_document import read_xml


def compile_mjcf(path: str | os.PathLike[str]) -> Any:
    """Return MuJoCo's compiled model (mjModel) of a file; raise `ModelFileError` where MuJoCo cannot compile it."""
    try:
        import mujoco  # heavy, and an extra
    except ImportError:
        raise GyrostatError(
            "Models of MuJoCo are compiled by MuJoCo itself, which is not installed. pip install 'gyrostat[mujoco]'"
        ) from None
    file = Path(path)
    root = read_xml(file)
    if root.tag != "mujoco":
        fact = f"its root element is <{root.tag:.40}>, not <mujoco>."
        remedy = "Use gs.load_urdf for <robot>." if root.tag == "robot" else "Is this the right file?"
        raise ModelFileError(Fault(file.name, fact, remedy))
    try:
        m = mujoco.MjModel.from_xml_path(str(file))
    except ValueError as error:
        reason = " ".join(str(error).split())
        raise ModelFileError(
            Fault(file.name, f"MuJoCo cannot compile it: {reason:.300}.", "Correct the file.")
        ) from None
    _clear_disabled(m, mujoco.mjtDisableBit)
    return m


def mesh_references(path: str | os.PathLike[str], m: Any) -> dict[str, NDArray[np.float64] | None]:
    """Return the references of meshes, which compiled arrays do not have; None where a mesh is turned."""
    if not m.nmesh:
        return {}
    import mujoco  # heavy, and an extra

    found: dict[str, NDArray[np.float64] | None] = {}
    for mesh in mujoco.MjSpec.from_file(str(path)).meshes:
        turned = np.any(np.asarray(mesh.refquat)[1:])
        if turned or np.any(mesh.refpos):
            found[mesh.name or Path(mesh.file).stem] = None if turned else np.array(mesh.refpos, float)
    return found


def _clear_disabled(m: Any, bits: Any) -> None:
    """Set to zero what the flags of the file switch off."""
    fields = {
        bits.mjDSBL_GRAVITY: ("opt.gravity",),
        bits.mjDSBL_SPRING: ("jnt_stiffness", "tendon_stiffness"),
        bits.mjDSBL_DAMPER: ("dof_damping", "tendon_damping"),
        bits.mjDSBL_ACTUATION: ("actuator_gear",),
        bits.mjDSBL_CLAMPCTRL: ("actuator_ctrllimited",),
        bits.mjDSBL_EQUALITY: ("eq_active0",),
        bits.mjDSBL_LIMIT: ("jnt_limited", "tendon_limited"),
        bits.mjDSBL_FRICTIONLOSS: ("dof_frictionloss", "tendon_frictionloss"),
        bits.mjDSBL_CONTACT: ("geom_contype", "geom_conaffinity"),
    }
    everything = m.opt.disableflags & int(bits.mjDSBL_CONSTRAINT)
    constraints = (bits.mjDSBL_EQUALITY, bits.mjDSBL_LIMIT, bits.mjDSBL_FRICTIONLOSS, bits.mjDSBL_CONTACT)
    for bit, names in fields.items():
        if m.opt.disableflags & int(bit) or (everything and bit in constraints):
            for name in names:
                array = m.opt.gravity if name == "opt.gravity" else getattr(m, name)
                array[:] = 0
