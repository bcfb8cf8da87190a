"""The dragline in variants: fidelity of ropes and chains, commands, boom, payload. `dragline.yaml` is the plain one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

import gyrostat as gs

HERE = Path(__file__).parent
ROPE_DENSITY = 96.0
"""Mass of two hoist or drag ropes of about 114 mm per length (kg/m; steel of 5.6e-3 m² each, and core)."""
DUMP_DENSITY = 35.0
"""Mass of the dump rope of about 90 mm per length (kg/m)."""
CHAIN_DENSITY = 100.0
"""Mass of a chain per length (kg/m; plausible for chains of 100 mm with short links and shackles)."""
CHAINS = {
    "upper_l": ("block", "spreader.upper_l", "upper"),
    "upper_r": ("block", "spreader.upper_r", "upper"),
    "lower_l": ("spreader.lower_l", "bucket.shell.trunnion_l", "lower"),
    "lower_r": ("spreader.lower_r", "bucket.shell.trunnion_r", "lower"),
    "drag_l": ("equaliser", "bucket.shell.hitch_l", "drag_chain"),
    "drag_r": ("equaliser", "bucket.shell.hitch_r", "drag_chain"),
}
"""Ends of the chains and the parameters of their lengths."""
LINKS = 2
"""Links by which a chain is modelled in the fidelity b."""
MOTORS = {
    "house": ("swing", "command", 450.0),
    "hoist_winch": ("turn", "(command - out)/radius", 25.0),
    "drag_winch": ("turn", "(command - out)/radius", 25.0),
}
"""Joints that motors turn, the angles that they follow, and gear ratios, by subsystem."""
MOTOR = {
    "resistance": (6e-3, "Ω", "armatures of the motors of one motion together (plausible)"),
    "inductance": (3e-4, "H", "the same (plausible)"),
    "constant": (12.0, "N·m/A", "torque constant of the motors of one motion together (plausible)"),
    "voltage": (1200.0, "V", "limit of the supply (plausible)"),
    "position_gain": (3.0, "1/s", "speed asked for per error of the angle (design)"),
}
"""Parameters of the motors: value, unit, description."""
LUMPED = {
    "block_mass": f"{CHAIN_DENSITY}*upper + {ROPE_DENSITY}*29 + {DUMP_DENSITY}*dump/2",
    "spreader_mass": f"{CHAIN_DENSITY}*(upper + lower)",
    "equaliser_mass": f"{CHAIN_DENSITY}*drag_chain + {ROPE_DENSITY}*23 + {DUMP_DENSITY}*dump/4",
}
"""Halves of chains and ropes that the masses of bodies include in the fidelity a: of 58 m hoist and 46 m drag rope."""


def machine(
    fidelity: str = "a",
    *,
    commands: Mapping[str, str] | None = None,
    motors: bool = False,
    payload: gs.Model | Path = HERE / "payload.yaml",
    boom: Path = HERE / "boom.yaml",
) -> gs.Model:
    """Return the dragline.

    `fidelity` is "a": ropes and chains without mass, or "b": wrapped ropes with mass, chains by links. `commands` are
    laws of the three inputs, needed where loops are closed by constraints. With `motors` swing and drums are not given
    but turned by DC motors, whose controllers follow the commands. `payload` is a model whose ground is the place of
    the load in the bucket; it needs a parameter `mass` for the cycle of a rigid load.
    """
    model = gs.Model.load(HERE / "dragline.yaml")
    model.replace(gs.Subsystem("boom", boom, at="house.frame.foot"))
    model.replace(gs.Subsystem("rigging", rigging(fidelity, payload), at="house.frame"))
    if fidelity == "b":
        for name in ("hoist", "drag"):
            model.replace(replace(model.forces[name], density=ROPE_DENSITY))
            model.replace(replace(model.forces[f"{name}_feed"], turns=20))
    for part, (joint, target, gear) in (MOTORS if motors else {}).items():
        model.replace(_motorised(model.components[part], joint, target, gear))
    for name, law in (commands or {}).items():
        part = name.partition(".")[0]
        model.replace(_commanded(model.components[part], law))
    return model


def _motorised(subsystem: gs.Subsystem, joint: str, target: str, gear: float) -> gs.Subsystem:
    """Return a subsystem whose joint a motor turns; a controller of the speed follows that of the angle."""
    inner = subsystem.model.copy()
    inner.replace(replace(inner.joints[joint], driven={}))
    for name, (value, unit, description) in MOTOR.items():
        inner.set_parameter(name, gs.Parameter(value, unit, description))
    inner.set_parameter("gear", gs.Parameter(gear, "1", "turns of the motors per turn of the joint (plausible)"))
    inner.add(
        gs.PI(
            "controller",
            f"position_gain*({target} - {joint}) - {joint}.rate",
            proportional="3*constant*gear",
            integral="6*constant*gear",
            limits=("-voltage", "voltage"),
            unit="V",
        )
    )
    inner.add(gs.DCMotor("motor", joint, "resistance", "inductance", "constant", gear="gear", voltage="controller"))
    return gs.Subsystem(subsystem.name, inner, parameters=subsystem.parameters, at=subsystem.at)


def _commanded(subsystem: gs.Subsystem, law: str) -> gs.Subsystem:
    """Return a subsystem whose input `command` follows a law."""
    inner = subsystem.model.copy()
    given = inner.inputs["command"] if isinstance(inner.inputs, Mapping) else None
    inner.replace(gs.Input("command", unit="", law=law) if given is None else replace(given, law=law))
    return gs.Subsystem(subsystem.name, inner, parameters=subsystem.parameters, at=subsystem.at)


def rigging(fidelity: str = "a", payload: gs.Model | Path = HERE / "payload.yaml") -> gs.Model:
    """Return the rigging with the bucket and its load."""
    bucket = gs.Model.load(HERE / "bucket.yaml")
    bucket.replace(gs.Subsystem("payload", payload, at="shell.load"))
    model = gs.Model.load(HERE / "rigging.yaml")
    model.replace(gs.Subsystem("bucket", bucket))
    if fidelity == "a":
        return model
    sheave = replace(model.forces["dump_rope"].pulleys[0], lifts=False)
    path = ["equaliser", sheave, "bucket.shell.arch"]
    model.replace(replace(model.forces["dump_rope"], path=tuple(path), density=DUMP_DENSITY))
    for name, (first, last, length) in CHAINS.items():
        model.remove(name)
        model.add(
            gs.Rope(
                name,
                [first, last],
                segments=LINKS,
                length=length,
                density=CHAIN_DENSITY,
                realisation="links",
                joints="universal",
                bending_damping=2e3,
                radius=0.2,
            )
        )
    for body, share in LUMPED.items():
        model.set_parameter(body, f"{model.parameters[body].value} - ({share})")
    return model


def formulated(model: gs.Model, closing: gs.Compliant | None = None) -> gs.System:
    """Return the system of a machine; chains by links are cut at their last joints, so that bodies keep coordinates."""
    joints = model.freeze().joints
    last = (f"rigging.{name}.j{LINKS}" for name in CHAINS)
    return gs.formulate(model, cut=[name for name in last if name in joints], closing=closing)


def laid(point: gs.OperatingPoint) -> dict[str, float]:
    """Return the coordinates of a point of the fidelity a, with chains of links straight between their ends."""
    names = point.system.coordinate_names
    found = {name: float(point[name]) for name in names}
    for name, (first, last, _) in CHAINS.items():
        body = first.partition(".")[0]
        e0, *e = (float(x) for x in point[f"rigging.{body}.quaternion"])
        along = np.asarray(point[f"rigging.{last}"]) - np.asarray(point[f"rigging.{first}"])
        x, y, z = _turned_back(along / np.linalg.norm(along), e0, np.array(e))
        found[f"rigging.{name}.j0.angle1"] = float(np.arctan2(-y, z))
        found[f"rigging.{name}.j0.angle2"] = float(np.arcsin(x))
    return found


def _turned_back(vector: np.ndarray, e0: float, e: np.ndarray) -> np.ndarray:
    """Return a vector of the world in the axes of a body with these Euler parameters."""
    return (2 * e0**2 - 1) * vector + 2 * e * (e @ vector) - 2 * e0 * np.cross(e, vector)
