"""Models from descriptions of robots."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from gyrostat.errors import Fault, ModelError
from gyrostat.io.names import Names
from gyrostat.io.plain_values import made
from gyrostat.io.urdf.choices import Choices
from gyrostat.io.urdf.description import JointDescription, LinkDescription, RobotDescription
from gyrostat.io.urdf.inertia import InertiaPolicy, is_physical, link_axes_inertia, repaired
from gyrostat.io.urdf.joints import add_effects, joint_of
from gyrostat.io.urdf.shapes import shapes_of
from gyrostat.model import Body, Frame, Model
from gyrostat.model.checks import structural_faults
from gyrostat.model.checks.finding import Subject
from gyrostat.model.checks.mass import massless_faults
from gyrostat.model.joints import Free, Weld
from gyrostat.model.kinds import End
from gyrostat.model.names import GROUND, first_few

_MASSLESS_REMEDY = "Use massless='lock', which welds the joint, massless=(mass, moment), or give the link an inertia."


@dataclass
class Built:
    """A model, the places of links in it, notes on what was changed or left out, and changed names."""

    model: Model
    places: dict[str, End]
    """The body of each link, or the frame of one."""
    notes: list[str] = field(default_factory=list)
    changed: dict[str, str] = field(default_factory=dict)


def build_model(robot: RobotDescription, choices: Choices) -> Built:
    """Return the model of a robot; raise `ModelError` with all faults, by link and joint."""
    names = Names()
    built = Built(Model(robot.name.strip() or "robot", gravity=choices.gravity), {}, changed=names.changed)
    frames = _place_links(robot, choices, names, built)
    _add_bodies(robot, choices, frames, built)
    joints = {joint.name: names.take(joint.name, "joint", "joint") for joint in robot.joints if _moves(joint, built)}
    for joint in robot.joints:
        if joint.name in joints:
            host, child = built.places[joint.parent], built.places[joint.child]
            built.model.add(joint_of(joint, joints[joint.name], _parent_end(joint, host), child))
    if choices.floating:
        built.model.add(made(Free, names.take("base", "joint", "joint"), GROUND, built.places[robot.root]))
    _treat_massless(choices, built)
    add_effects(robot, joints, choices, names, built.model, built.notes)
    massless = frozenset(massless_faults(Subject(built.model)))
    found = structural_faults(built.model)
    faults = [replace(fault, remedy=_MASSLESS_REMEDY) if fault in massless else fault for fault in found]
    if faults:
        raise ModelError(faults, f"{robot.name} cannot be imported:")
    return built


def _moves(joint: JointDescription, built: Built) -> bool:
    """Return whether a joint is one of the model: its child is a body, not a frame of its parent."""
    return built.places[joint.child].name is None


def _parent_end(joint: JointDescription, host: End) -> End:
    """Return the joint's frame on the body of its parent."""
    frame = made(Frame, joint.origin.xyz, joint.origin.turn, host.name)
    if frame.turn or frame.on is not None:
        return End(host.body, None, frame)
    return End(host.body, None, frame.at) if any(joint.origin.xyz) else End(host.body)


def _place_links(robot: RobotDescription, choices: Choices, names: Names, built: Built) -> dict[str, dict[str, Frame]]:
    """Assign a body or frame to each link, and return the frames of bodies."""
    root = names.take(robot.root, "link") if choices.floating else GROUND
    if not choices.floating and robot.root != GROUND:
        names.changed[f"link {robot.root!r}"] = GROUND
    built.places[robot.root] = End(root)
    frames: dict[str, dict[str, Frame]] = {root: {}}
    for joint in robot.joints:
        link, host = robot.links[joint.child], built.places[joint.parent]
        if joint.kind == "fixed" and link.without_inertia and not link.visuals:
            of_host = frames[host.body]
            name = _frame_name(link.name, of_host, names)
            of_host[name] = made(Frame, joint.origin.xyz, joint.origin.turn, host.name)
            built.places[link.name] = End(host.body, name)
        else:
            body = names.take(link.name, "link")
            built.places[link.name] = End(body)
            frames[body] = {}
    return frames


def _frame_name(name: str, taken: dict[str, Frame], names: Names) -> str:
    """Return a name for a frame of a body."""
    local = Names()
    local.reserve((*taken, *Body.suffixes, *Body.open_suffixes, "x", "y", "z"))
    found = local.take(name, "link")
    if found != name:
        names.changed[f"link {name!r}"] = found
    return found


def _add_bodies(robot: RobotDescription, choices: Choices, frames: dict[str, dict[str, Frame]], built: Built) -> None:
    """Add a body for each link that is none of the frames."""
    faults: list[Fault] = []
    mended: list[str] = []
    for link in robot.links.values():
        place = built.places[link.name]
        if place.name is not None:
            continue
        label = link.name if link.name != place.body else ""
        drawn: dict[str, Any] = {"frames": frames[place.body], "label": label, "shape": shapes_of(link) or None}
        if place.body == GROUND:
            built.model.add(made(Body, GROUND, **drawn))
            continue
        inertia = link_axes_inertia(link)
        if not is_physical(link.mass, link.inertial.xyz, inertia):
            faults.append(_inertia_fault(link, inertia))
            mended.append(link.name)
            inertia = repaired(link.mass, inertia)
        rows = inertia.tolist() if inertia.any() else None
        com = link.inertial.xyz if link.mass and any(link.inertial.xyz) else None
        built.model.add(made(Body, place.body, mass=link.mass, inertia=rows, com=com, **drawn))
    if faults and choices.inertia is InertiaPolicy.REFUSE:
        raise ModelError(faults, f"{robot.name} cannot be imported:")
    if mended and choices.inertia is InertiaPolicy.WARN:
        built.notes.append(f"inertias that no body can have were replaced by the nearest ones: {first_few(mended)}.")


def _inertia_fault(link: LinkDescription, inertia: Any) -> Fault:
    item = f"link {link.name!r:.60}"
    if link.mass == 0:
        return Fault(item, "it has inertia but no mass.", "Give it a mass, or use inertia='repair', which drops it.")
    moments = ", ".join(f"{moment:.6g}" for moment in np.linalg.eigvalsh(inertia))
    remedy = "None is negative or exceeds the sum of the other two; correct it, or use inertia='repair'."
    return Fault(item, f"no body has principal moments of inertia {moments} kg·m².", remedy)


def _treat_massless(choices: Choices, built: Built) -> None:
    """Lock joints that move links without inertia, or give the links some, where that is chosen."""
    if not choices.massless.lock and choices.massless.fill is None:
        return
    treated: list[str] = []
    while moving := [joint for joint in built.model.joints.values() if joint.describe() in _without_inertia(built)]:
        for joint in moving:
            treated.append(joint.name)
            if choices.massless.fill is None:
                built.model.replace(made(Weld, joint.name, joint.parent, joint.child, label=joint.label))
            else:
                built.model.replace(_filled(built.model.bodies[joint.child.body], choices.massless.fill))
    if treated:
        done = "were locked" if choices.massless.lock else "got mass and inertia for their links"
        built.notes.append(f"joints of moving links without inertia {done}: {first_few(treated)}.")


def _without_inertia(built: Built) -> frozenset[str]:
    return frozenset(fault.item for fault in massless_faults(Subject(built.model)))


def _filled(body: Body, fill: tuple[float, float]) -> Body:
    mass, moment = fill
    old = (
        np.zeros((3, 3)) if body.inertia is None else np.array([[float(x.source) for x in row] for row in body.inertia])
    )
    whole = mass + (0 if body.mass is None else float(body.mass.source))
    fields: dict[str, Any] = {"mass": whole, "inertia": (old + moment * np.eye(3)).tolist()}
    return replace(body, **fields)
