"""The dragline in variants: fidelity of ropes and chains, commands, boom, payload. `dragline.yaml` is the plain one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

import gyrostat as gs

from .heavy_ropes import SHEAVES, SINKING, Travel, with_heavy_ropes

HERE = Path(__file__).parent
CHAINS = {
    "upper_l": ("block", "spreader.upper_l", "upper"),
    "upper_r": ("block", "spreader.upper_r", "upper"),
    "lower_l": ("spreader.lower_l", "bucket.shell.trunnion_l", "lower"),
    "lower_r": ("spreader.lower_r", "bucket.shell.trunnion_r", "lower"),
    "drag_l": ("equaliser", "bucket.shell.hitch_l", "drag_chain"),
    "drag_r": ("equaliser", "bucket.shell.hitch_r", "drag_chain"),
}
"""Ends of the chains and the parameters of their lengths."""
RIGID = 1e13
"""Tension per strain with which the dump rope of the fidelity a does not stretch (N)."""
LINKS = 2
"""Links by which a chain is modelled in the fidelity b."""
TRAVELS = {"hoist": Travel(70, 45, 70), "drag": Travel(30, 30, 62)}
"""Rope beyond the sheaves while a full bucket is hoisted and carried from (70, 30) to (45, 62) m."""
FLOOR = ("floor_lip_l", "floor_lip_r", "floor_heel_l", "floor_heel_r", "digging")
"""Forces of the pit floor on the bucket."""
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
LUMPED = {"block_mass": "block_own", "spreader_mass": "spreader_own", "equaliser_mass": "equaliser_own"}
"""Masses of bodies that have halves of chains and ropes in the fidelity a, and their own masses."""
HUNG = {"at_trunnions": "trunnion_weld", "at_hitches": "hitch_weld", "at_arch": "arch_weld"}
"""Masses of chains and of the dump rope on the bucket in the fidelity a, with their joints."""


def machine(
    fidelity: str = "a",
    *,
    commands: Mapping[str, str] | None = None,
    motors: bool = False,
    payload: gs.Model | Path = HERE / "payload.yaml",
    boom: Path = HERE / "boom.yaml",
    travels: Mapping[str, Travel] | None = None,
    floor: bool = True,
) -> gs.Model:
    """Return the dragline.

    `fidelity` is "a": ropes and chains without mass, "b": wrapped ropes with mass, chains by links, or "c": ropes of
    nodes that drums wind, for `travels` of the hoist and the drag rope, chains by links; in "c, links" the dump rope
    consists of rigid segments in universal joints. `commands` are
    laws of the three inputs, needed where loops are closed by constraints. With `motors` swing and drums are not given
    but turned by DC motors, whose controllers follow the commands. `payload` is a model whose ground is the place of
    the load in the bucket; it needs a parameter `mass` for the cycle of a rigid load. Without `floor` there is no
    pit floor, and no digging: the bucket hangs.
    """
    model = gs.Model.load(HERE / "dragline.yaml")
    model.replace(gs.Subsystem("boom", boom, at="house.frame.foot"))
    shared = {"rope_density": "rope_density"}
    model.replace(gs.Subsystem("rigging", rigging(fidelity, payload), parameters=shared, at="house.frame"))
    if not floor:
        model.remove(*FLOOR)
    if fidelity == "b":
        for name in ("hoist", "drag"):
            model.replace(replace(model.forces[name], density="rope_density"))
            model.replace(replace(model.forces[f"{name}_feed"], turns=20))
    if fidelity.startswith("c"):
        with_heavy_ropes(model, travels or TRAVELS, links=fidelity == "c, links")
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
    """Return a subsystem whose `command` follows a law: in its driven joint, or as an input of its motor."""
    inner = subsystem.model.copy()
    driven = [joint for joint in inner.joints.values() if joint.driven]
    for joint in driven:
        laws = {name: str(formula).replace("command", f"({law})") for name, formula in joint.driven.items()}
        inner.replace(replace(joint, driven=laws))
    if driven:
        inner.remove("command")
    else:
        inner.replace(replace(inner.inputs["command"], law=law))
    return gs.Subsystem(subsystem.name, inner, parameters=subsystem.parameters, at=subsystem.at)


def rigging(fidelity: str = "a", payload: gs.Model | Path = HERE / "payload.yaml") -> gs.Model:
    """Return the rigging with the bucket and its load."""
    bucket = gs.Model.load(HERE / "bucket.yaml")
    bucket.replace(gs.Subsystem("payload", payload, at="shell.load"))
    model = gs.Model.load(HERE / "rigging.yaml")
    model.replace(gs.Subsystem("bucket", bucket))
    if fidelity == "a":
        return model
    if fidelity == "b":
        sheave = replace(model.forces["dump_rope"].pulleys[0], lifts=False)
        path = ["equaliser", sheave, "bucket.shell.arch"]
        model.replace(replace(model.forces["dump_rope"], path=tuple(path), density="dump_density"))
    else:
        model.remove("dump_rope")
        model.set_parameter("block_own", f"{model.parameters['block_own'].value} - {SHEAVES['dump'][2]}")
    for name, (first, last, length) in CHAINS.items():
        model.remove(name)
        model.add(
            gs.Rope(
                name,
                [first, last],
                segments=LINKS,
                length=length,
                density="chain_density",
                realisation="links",
                joints="universal",
                bending_damping=2e3,
                radius=0.2,
            )
        )
    for mass, own in LUMPED.items():
        model.set_parameter(mass, own)
    model.remove(*HUNG.values(), *HUNG)
    return model


def formulated(model: gs.Model, closing: gs.Compliant | None = None) -> gs.System:
    """Return the system of a machine; chains by links are cut at their last joints, so that bodies keep coordinates."""
    joints = model.freeze().joints
    ropes = [one for one in model.components.values() if isinstance(one, gs.Rope)]
    last = [*(f"rigging.{name}.j{LINKS}" for name in CHAINS), *(f"{rope.name}.j{rope.segments}" for rope in ropes)]
    return gs.formulate(model, cut=[name for name in last if name in joints], closing=closing)


def at_rest(system: gs.System, point: gs.OperatingPoint, parameters: Mapping[str, float]) -> dict[str, float]:
    """Return the coordinates at which the fidelity c is at rest, near a point of the fidelity a.

    A dump rope of rigid segments is laid along one of a that does not stretch.
    """
    known = system.coordinates.place_of
    if "dump_rope.j0" in system.model.joints:
        guess = {name: point[name] for name in point.system.coordinate_names}
        point = gs.equilibrium(point.system, guess=guess, parameters={**parameters, "rigging.dump_EA": RIGID})
    found = {name: value for name, value in laid(point).items() if name in known}
    for name in ("hoist", "drag", "dump_rope"):
        found = gs.lay_rope(system, name, initial=found, parameters=parameters, depth=SINKING)
    return gs.settle_ropes(system, found, parameters=parameters)


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
