"""A model for every registered kind of component, in which it takes part in the dynamics."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from all_elements import all_elements

import gyrostat as gs
from gyrostat.model.record import Component
from gyrostat.model.registry import Registry

PLACES: dict[str, Any] = {
    "points": {"eye": (0.3, "-0.1*k", 0.5)},
    "frames": {"seat": gs.Frame((0.1, 0.4, 0), [("x", 0.4), ("z", "-0.1*k")]), "tray": gs.Frame((0, 0, 0.1), on="eye")},
}
HULL = {"hull": gs.shapes.Sphere(0.2)}
SENSED = "a.eye.x - 2*a.eye.velocity.y + slide"
"""A formula with a position and a velocity in axes of the ground."""

JOINTS = {
    "Revolute": gs.Revolute("j", "ground.post", "c.seat", axis=(1, "k", 2), armature="k"),
    "Prismatic": gs.Prismatic("j", "a.eye", "c", axis="y"),
    "Cylindrical": gs.Cylindrical("j", "ground", "c.eye"),
    "Screw": gs.Screw("j", "a.seat", "c", pitch="0.1*k"),
    "Universal": gs.Universal("j", ("ground", (0, 0, "k")), "c"),
    "Spherical": gs.Spherical("j", "a.tray", "c", angles="zxz", initial={"angle2": 0.5}),
    "Planar": gs.Planar("j", "ground.post", "c"),
    "Translation": gs.Translation("j", "ground.post", "c.eye"),
    "Free": gs.Free("j", "ground", "c"),
    "Weld": gs.Weld("j", ("a", gs.Frame((0, "k", 0), on="seat")), "c"),
}
FORCES: dict[str, tuple[Component, ...]] = {
    "SpringDamper": (gs.SpringDamper("f", "ground.post", "a.eye", "k", 0.1, 0.2, f"{SENSED} - rate"),),
    "TorsionSpring": (gs.TorsionSpring("f", "hinge", "k", 0.1, 0.2, f"-rate*({SENSED})"),),
    "JointSpring": (gs.JointSpring("f", "slide", "k", 0.1, length=0.2, force="-k*length"),),
    "BendingSpring": (gs.BendingSpring("f", "ground.post", "a.eye", "b.seat", "k", 0.1),),
    "SheaveContact": (
        gs.SheaveContact(
            *("f", "a.eye", gs.Pulley("sheave", "b.seat", "2*k", "left"), gs.KelvinVoigt("k", 0.1)),
            gs.Bristle(0.3, 0.4, 1e4, 10, 0.1),
            side_stiffness="k",
            side_damping=0.1,
            side_load=2,
        ),
    ),
    "Bushing": (
        gs.Bushing("f", "ground.post", ("a", (0, 0.1, 0)), (1, 2, 3), (0, 0, 1), rotational_stiffness=(4, 5, 6)),
    ),
    "CompliantJoint": (gs.CompliantJoint("f", gs.Universal("joint", "ground.post", "a.eye"), "k", 0.1, length="2*k"),),
    "Force": (
        gs.Force("f", "a.eye", (SENSED, "hinge.rate", "t"), reaction="ground"),
        gs.Force("g", "b", (1, 2, 3), "ground.post"),
    ),
    "Torque": (gs.Torque("f", "a", (SENSED, "k", 1), reaction="ground"), gs.Torque("g", "b", (1, 2, 3), "a.seat")),
    "Actuator": (gs.Actuator("f", "slide"), gs.Actuator("g", "hinge", limit="k")),
    "Contacts": (gs.Contacts("f", among=["arm", "b"], normal=gs.KelvinVoigt("1e3*k", 1)),),
    "Grains": (gs.Grains("f", "k/40", 2600, ["arm", "b"], positions=[(9, 9, 9)], normal=gs.KelvinVoigt("1e3*k", 1)),),
    "RigidContact": (gs.RigidContact("f", "a.eye", "ground.post", "k/40", shape_b=gs.shapes.Plane(turn=[("x", "k")])),),
    "Reeving": (
        gs.Reeving(
            *("f", ["b.eye", gs.Pulley("top", "ground.post", "0.1*k", "left", mu=0.2), "a.eye"], "k", "1e3*k", 10),
        ),
    ),
    "Belt": (
        gs.Belt(
            "f",
            [gs.Pulley("p", "ground.post", "0.1*k", "left", mu=0.2), gs.Pulley("q", "a.seat", 0.2, "left", grip=True)],
            *("k", "1e3*k", 10),
        ),
    ),
    "Winch": (
        gs.Reeving("g", ["b.eye", gs.Pulley("top", "ground.post", "0.1*k", "left"), "a.eye"], "k", "1e3*k", 10),
        gs.Winch("f", "g", "hinge", "0.1*k", layers=2, turns=3, diameter="0.01*k"),
    ),
    "DCMotor": (gs.DCMotor("f", "hinge", 1.2, 0.1, 0.05, gear="k", voltage=SENSED, initial=1),),
    "Contact": (
        gs.Contact(
            *("f", "a.eye", "ground.post", gs.HuntCrossley("k", restitution=0.5), gs.Bristle(0.3, 0.4, 1e4, 10, 0.1)),
            shape_a=gs.shapes.Sphere("k"),
            shape_b=gs.shapes.Plane(turn=[("x", "k")]),
        ),
    ),
    "Tyre": (
        gs.Tyre(
            *("f", "b.seat", "ground.post", gs.TyreFormula("load*tanh(k*angle) + camber", "1e3*slip", "-k*angle")),
            radius="k",
            normal=gs.KelvinVoigt("1e3*k", 1),
            relaxation=0.5,
            surface=gs.shapes.Plane(turn=[("x", "0.1*k")]),
        ),
    ),
    "JointLimit": (gs.JointLimit("f", "hinge", gs.KelvinVoigt("k", 0.1), 0.5, "2*k"),),
    "VariableMass": (
        gs.VariableMass(
            *("f", "b"),
            mass="k + 0.1*hinge**2 + 0.01*t",
            center=("0.1*k", "0.01*b.x", 0),
            inertia=(0.1, 0.1, "0.1 + 0.01*t"),
            exit_velocity=(SENSED, "k", 0),
            entry_velocity=(0, 1, "t"),
            at="b.eye",
        ),
    ),
    "Bond": (
        gs.Bond(
            *("f", "ground.post", "a.eye", "1e3*k"),
            stiffness="k",
            damping=0.1,
            axis=(0, 1, "k"),
            length="0.1*k",
            shear_limit="2e3*k",
        ),
    ),
    "JointFriction": (gs.JointFriction("f", "hinge", gs.Bristle(0.3, 0.2, 1e5, 300, 0.01), load=f"abs({SENSED})"),),
}
CONSTRAINTS: dict[str, Component] = {
    "Distance": gs.Distance("f", "ground.post", "a.eye", "k"),
    "PointOnLine": gs.PointOnLine("f", "b.eye", "ground.post", (1, 0.5, "-k")),
    "PointOnPlane": gs.PointOnPlane("f", "b.eye", "ground", (1, 2, "k")),
    "PointOnCurve": gs.PointOnCurve("f", "b.eye", "ground.post", ["y - sin(x)/k"]),
    "Gear": gs.Gear("f", "hinge", "slide", "0.1*k", 0.2),
    "RackPinion": gs.RackPinion("f", "hinge", "slide", 0.25, 0.1),
    "Cable": gs.Cable("f", ["ground.post", "a.eye", ("b", (0, 0.2, 0))], "k"),
    "PointDriver": gs.PointDriver("f", "b.eye", ("0.3*sin(t)", "k/20", 0), "ground.post"),
    "OrientationDriver": gs.OrientationDriver("f", "b.seat", [("z", "0.4*t")], "ground.post"),
    "Equation": gs.Equation("f", "hinge**2 + k*slide - sin(t)"),
    "RollingDisc": gs.RollingDisc("f", "b.seat", 0.3, (0, 1, "k/12"), "ground.post", (1, 2, 2)),
    "RollingSphere": gs.RollingSphere("f", "b.eye", "k/40", "ground", (1, 2, 2)),
    "KnifeEdge": gs.KnifeEdge("f", "b.seat", (1, 0, "k"), "ground.post", (0, 1, 1)),
}
STATES: dict[str, tuple[Component, ...]] = {
    "State": (gs.State("x", f"k*({SENSED}) - x", "k"),),
    "Lag": (gs.Lag("x", SENSED, "k", 2),),
    "PI": (gs.PI("x", SENSED, 8, "20*k", limits=(-1, "k")),),
    "PID": (gs.PID("x", SENSED, 8, 20, 2, "0.01*k"),),
    "TransferFunctionBlock": (gs.TransferFunctionBlock("x", SENSED, (1, "k"), (2, 1, "k")),),
    "StateSpaceBlock": (gs.StateSpaceBlock("x", (SENSED, "t"), [[0, 1], ["-k", -1]], [[0, 0], [1, 2]], [[1, 0]]),),
    "RateLimiter": (gs.RateLimiter("x", SENSED, 0.5, 0.01, falling="k"),),
    "Delay": (gs.Delay("x", SENSED, "0.1*k"),),
    "Sampled": (gs.Sampled("x", "0.01*k", f"-k*({SENSED}) - x.sum", memory={"sum": "k"}, update={"sum": "x.sum + 1"}),),
}
COMPOUNDS: dict[str, tuple[Component, ...]] = {
    "Chain": (gs.Chain("f", "ground.post", links=2, mass="k", length=1, damping=0.1),),
    "Rope": (
        gs.Rope(
            *("f", ["ground.post", gs.Pulley("sheave", "a.seat", "k/5", "left", mu="k/10"), "b.eye"]),
            segments=3,
            length="3*k",
            density=0.1,
            EA="1e3*k",
            damping=1,
            EI=0.1,
            bending_damping=0.01,
            normal=gs.KelvinVoigt("1e3*k", 1),
        ),
        gs.Rope("g", ["a.eye", None], segments=3, length="k", density=0.1, EA="1e3*k", grading=[(1, 2), (2.5, 1)]),
    ),
    "Beam": (
        gs.Beam("f", length="k", area=1e-4, Iz=1e-8, E=2e11, density=7800, terms={"v": 2}),
        gs.Revolute("root", "ground.post", "f"),
    ),
    "ModalBody": (
        gs.ModalBody(
            "f",
            masses=[1.0, 0.5],
            positions=[[0.5, 0, 0], [1, 0, 0.1]],
            shapes=[[[0], [0.3], [0]], [[0], [1], [0.2]]],
            stiffness=[[400]],
            damping="0.01*k",
            interfaces={"tip": {"position": [1, 0, 0], "translation": [[0], [1], [0]], "rotation": [[0], [0], [1.4]]}},
        ),
        gs.Revolute("root", "ground.post", "f"),
    ),
}


def mechanism(*components: Component) -> gs.Model:
    """Return a hinged arm that carries a slide, and a body that flies, with further components."""
    model = gs.Model("part", gravity=(0.3, -0.2, -9.81), parameters={"k": 1.5})
    model.add(gs.Body("ground", frames={"post": gs.Frame((0.2, "-k", 0), [("y", 0.3)])}, shape=gs.shapes.Sphere(0.1)))
    model.add(gs.Body("arm", mass=1.3, inertia=(1, 1.2, 1.1), com=(0.2, 0, 0), surfaces=HULL))
    model.add(gs.Body("a", mass=1, inertia=(1, 1.1, 1.3), rotors=[gs.Rotor("wheel", "y", 0.2, free=True)], **PLACES))
    model.add(gs.Body("b", mass="k", inertia=(0.7, 0.8, 0.9), com=(0.1, 0, 0.2), surfaces=HULL, **PLACES))
    model.add(gs.Revolute("hinge", "ground.post", "arm", axis=(1, 2, 2)))
    model.add(gs.Prismatic("slide", ("arm", (0.5, 0, 0)), "a", axis="y"))
    model.add(gs.Free("flight", "ground", "b"))
    for component in components:
        model.add(component)
    return model


def of_states(components: tuple[Component, ...]) -> gs.Model:
    """Return the mechanism with blocks, the first of which acts on the slide, and an input and a measure."""
    model = mechanism(*components, gs.Input("road", law="sin(t)*k"), gs.Measure("height", "a.eye.z*k"))
    model.add(gs.TorsionSpring("act", "slide", torque=f"{components[0].name} + road"))
    return model


def of_joint(joint: Component) -> gs.Model:
    """Return the mechanism with a third body on a joint."""
    return mechanism(gs.Body("c", mass=1, inertia=(1, 1.1, 1.2), com=(0.1, 0.2, 0.3), **PLACES), joint)


MODELS: dict[str, Callable[[], gs.Model]] = {
    **{tag: lambda joint=joint: of_joint(joint) for tag, joint in JOINTS.items()},
    **{tag: lambda forces=forces: mechanism(*forces) for tag, forces in FORCES.items()},
    **{tag: lambda one=one: mechanism(one) for tag, one in CONSTRAINTS.items()},
    **{tag: lambda states=states: of_states(states) for tag, states in STATES.items()},
    **{tag: lambda parts=parts: mechanism(*parts) for tag, parts in COMPOUNDS.items()},
    "all elements": all_elements,
}
"""Makers of models by the tag of the kind that they show."""

_REGISTRIES: tuple[Registry[Any], ...] = (gs.JOINTS, gs.FORCES, gs.CONSTRAINTS, gs.STATES, gs.COMPOUNDS)


def tags() -> Iterable[str]:
    """Return the tags of all kinds that the package registers, with one model for all elements of networks."""
    classes = (cls for registry in _REGISTRIES for cls in registry if cls.__module__.startswith("gyrostat."))
    return [*(cls.tag or cls.__name__ for cls in classes), "all elements"]
