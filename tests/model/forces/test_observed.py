"""Outputs of force elements: the contract over the registry, on every engine."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from campaign import campaign
from float_system import FloatSystem, virtual_outputs
from random_models import random_inputs, random_model
from random_trees import Draw, Floats

import gyrostat as gs
from gyrostat.model.forces import CoordinateLoad, ForceElement, PointLoad
from gyrostat.scalar.exact import evaluate
from gyrostat.signals.force_outputs import force_outputs
from gyrostat.written.exact_trace import exact_trace

T = 0.6
SEEDS = (1, 4, 5)


def _example() -> gs.Model:
    """Return a model with every force element, small enough for exact formulas, with one angle and one slide."""
    model = gs.Model("every force", gravity=(0, -9.81, 0), parameters={"k": 12.0})
    places: dict[str, Any] = {"points": {"eye": (0.3, -0.2, 0.5)}, "frames": {"seat": gs.Frame((0.1, 0.4, 0))}}
    places["surfaces"] = {"hull": gs.shapes.Sphere(0.2)}
    model.add(gs.Body("arm", mass=1, inertia=(1, 1, 1), **places))
    model.add(gs.Body("sled", mass=2, inertia=(1, 1, 1), **places))
    model.add(gs.Body("ground", surfaces={"floor": gs.shapes.Plane()}))
    model.add(gs.Revolute("hinge", "ground", "arm"))
    model.add(gs.Prismatic("slide", ("arm", (0.5, 0, 0)), "sled", axis="y"))
    model.add(gs.SpringDamper("line", ("ground", (0.3, 1.1, -0.2)), "sled.eye", "k", 0.7, 0.4, force="motor*length"))
    model.add(gs.TorsionSpring("coil", "hinge", "k", 0.4, 0.2, torque="t*rate"))
    model.add(gs.TorsionSpring("slip", "slide", 3.0, 0.1, 0.1))
    model.add(gs.JointSpring("strut", "slide", "k", 0.1, length="hinge/9", force="line.length*rate - coil.force"))
    model.add(gs.Bushing("mount", "ground", "sled.seat", (3, 4, 5), (0.1, 0.2, 0.3), (1, 2, 2), (0.2, 0.3, 0.1)))
    model.add(gs.Force("push", "sled.eye", ("t", 2, "hinge"), axes="body"))
    model.add(gs.Torque("twist", "arm", ("slide.rate", -1, 3), axes="sled"))
    model.add(gs.Actuator("motor", "hinge"))
    model.add(gs.Actuator("thruster", "slide"))
    model.add(gs.DCMotor("drive", "hinge", 1.2, 0.1, 0.5, gear=3, voltage="2*t + slide", initial=0.4))
    model.add(gs.JointFriction("rub", "slide", gs.Stribeck(0.4, 0.6, 0.3, 0.2, viscous=0.1), load="2 + hinge.rate**2"))
    model.add(gs.Contacts("knocks", among=["arm", "sled", "ground"], normal=gs.KelvinVoigt("k", 1)))
    model.add(gs.Grains("sand", 0.1, "200*k", ["sled", "arm"], positions=[(9, 9, 9)], normal=gs.KelvinVoigt("k", 1)))
    touching = gs.shapes.Sphere(0.9), gs.shapes.Sphere(0.6)
    model.add(
        gs.Contact(
            "bump",
            "sled",
            ("ground", (0.2, 0.3, 0.4)),
            gs.HuntCrossley("k", 2, chi=0.3),
            gs.Coulomb(0.4, 0.3),
            shape_a=touching[0],
            shape_b=touching[1],
        )
    )
    model.add(gs.RigidContact("knock", "arm", "ground", 0.3, shape_a=touching[0], shape_b=gs.shapes.Plane()))
    model.add(
        gs.Tyre(
            *("tread", "sled.seat", "ground", gs.LinearTyre("k", 9, 0.1)),
            radius=2.5,
            normal=gs.KelvinVoigt("k"),
            surface=gs.shapes.Plane(along="x"),
        )
    )
    top, post = ("ground", (0.2, 2.5, 0)), ("ground", (2.5, 0.5, 0))
    model.add(gs.Reeving("hoist", ["sled", gs.Pulley("top", top, 0.2, "right"), ("ground", (9, 0, 0))], 11, "k", 0.2))
    wheels = gs.Pulley("far", post, 0.2, "left", mu=0.1), gs.Pulley("near", "arm", 0.1, "left", grip=True)
    model.add(gs.Belt("band", wheels, 4, "9*k", 0.2))
    model.add(gs.Winch("spool", "hoist", "hinge", 0.1, layers=2, turns=0.02, diameter=0.01))
    model.add(gs.BendingSpring("bend", ("ground", (0.3, 1.1, -0.2)), "arm.eye", "sled.eye", "k", 0.2))
    drum = gs.Pulley("drum", ("ground", (0.2, 0.3, 0.4)), 2.5, "left")
    model.add(gs.SheaveContact("wound", "sled.eye", drum, gs.KelvinVoigt("k", 0.2), gs.Coulomb(0.4, 0.3)))
    model.add(gs.JointLimit("ends", "slide", gs.KelvinVoigt("k", 0.2), 0.9, 1.1))
    flow = {"exit_velocity": (1, 2, "slide.rate"), "entry_velocity": ("t", 0, 1), "at": "sled.eye"}
    shape = {"center": (0.1, "0.2*hinge", 0), "inertia": (0.2, 0.2, "0.2 + 0.1*t")}
    model.add(gs.VariableMass("load", "sled", mass="2 + sin(hinge) - slide*t", **shape, **flow))
    model.add(gs.VariableMass("ballast", "arm", mass="k/9", center=("0.1*t**2", 0, "t"), shifts=True))
    hinge = gs.Universal("joint", ("ground", (0.2, 0.3, 0.4)), "sled.eye")
    model.add(gs.CompliantJoint("soft", hinge, "k", 0.2, length="2*k"))
    model.add(gs.Bond("frost", ("ground", (0.2, 0.3, 0.4)), "sled.eye", 90, stiffness="k", damping=0.2, axis=(1, 0, 1)))
    return model


def _flat(force: ForceElement, motion: Any) -> list[Any]:
    observed = force.observed(motion)
    assert observed.keys() == force.all_outputs.keys()
    measured = force.measured(motion)
    assert measured.keys() == {name for name, output in force.all_outputs.items() if output.kinematic}
    assert all(measured[name] == observed[name] for name in measured)
    found: list[Any] = []
    for name, output in force.all_outputs.items():
        entries = [observed[name]] if output.size == 1 else list(observed[name])
        assert len(entries) == output.size
        found += entries
    return found


class Observed:
    """All that the forces of a model report at one state."""

    def __init__(self, model: gs.Model, seed: int) -> None:
        self.system = gs.formulate(model)
        draw = Draw(seed)
        self.q, self.u = draw.state(self.system)
        self.inputs = random_inputs(draw, self.system)
        self.motion = FloatSystem(self.system).motion(self.q, self.u, T, self.inputs)

    def by_floats(self) -> Floats:
        return np.array([x for f in self.system.model.forces.values() for x in _flat(f, self.motion)], dtype=float)

    def arguments(self) -> dict[str, Any]:
        state = {"q": self.q, "u": self.u, "z": self.system.initial_states}
        return {"t": T, **state, "parameters": self.system.parameter_values(), "inputs": list(self.inputs.values())}


def test_the_example_has_every_force() -> None:
    assert {type(force) for force in _example().forces.values()} == set(gs.FORCES)


@pytest.mark.parametrize("cls", list(gs.FORCES), ids=lambda cls: cls.__name__)
def test_every_force_says_what_it_reports(cls: type[ForceElement]) -> None:
    assert cls.outputs
    assert cls.suffixes == set(cls.outputs)
    for output in cls.outputs.values():
        assert output.size in (1, 3)
        assert output.unit
        assert output.description


@campaign(SEEDS)
def test_traced_and_native_reports_are_those_of_plain_numbers(seed: int) -> None:
    for model in (_example(), random_model(seed, 3)):
        observed = Observed(model, seed)
        found = virtual_outputs(observed.system, "force_outputs", observed.arguments())["observed"]
        np.testing.assert_allclose(found[:, 0], observed.by_floats(), rtol=1e-11, atol=1e-12)
    named = observed.system.force_outputs(observed.q, observed.u, t=T, inputs=observed.inputs)
    assert named.keys() == observed.system.model.forces.keys()
    flat = [np.atleast_1d(value) for outputs in named.values() for value in outputs.values()]
    np.testing.assert_allclose(np.concatenate(flat), observed.by_floats(), rtol=1e-11, atol=1e-12)


def test_exact_reports_are_those_of_plain_numbers() -> None:
    observed = Observed(_example(), 3)
    motion = exact_trace(observed.system.coordinates).motion
    values = {"k": 12.0, "t": T, **observed.inputs}
    values |= dict(zip(observed.system.coordinate_names, observed.q.tolist(), strict=True))
    values |= dict(zip(observed.system.speed_names, observed.u.tolist(), strict=True))
    values |= dict(zip(observed.system.state_names, observed.system.initial_states.tolist(), strict=True))
    exact = [evaluate(x, values) for f in observed.system.model.forces.values() for x in _flat(f, motion)]
    np.testing.assert_allclose(exact, observed.by_floats(), rtol=1e-10, atol=1e-12)


@campaign(SEEDS)
def test_reports_agree_with_the_loads(seed: int) -> None:
    motion = Observed(_example(), seed).motion
    for name, force in _example().forces.items():
        observed = force.observed(motion)
        loads = list(force.loads(motion))
        if name == "line":
            (a, b), unit = loads, np.array(loads[0].force) / observed["force"]  # type: ignore[union-attr]
            way = np.subtract(motion.end(b.end).position, motion.end(a.end).position)  # type: ignore[union-attr]
            np.testing.assert_allclose(unit * observed["length"], way, rtol=1e-12)
            speed = np.subtract(motion.end(b.end).velocity, motion.end(a.end).velocity)  # type: ignore[union-attr]
            assert observed["rate"] == pytest.approx(unit @ speed, rel=1e-12)
            continue
        if isinstance(force, gs.Winch):  # its rope has the loads
            assert not loads
            continue
        load = loads[0]
        if name == "soft":  # a force and a moment on its child
            assert isinstance(load, PointLoad)
            assert (*observed["force"], *observed["moment"]) == pytest.approx((*load.force, *load.moment))  # type: ignore[misc]
            continue
        if name in ("bend", "wound", "frost"):  # numbers along directions of their own
            sizes = [observed[one] for one in ("force", "friction", "shear") if one in observed]
            assert np.linalg.norm(np.hstack(sizes)) == pytest.approx(np.linalg.norm(load.force), rel=1e-12)  # type: ignore[union-attr]
            continue
        if force.in_kernel:  # it reports on all of its pairs
            continue
        if isinstance(load, CoordinateLoad):
            assert observed["torque" if "torque" in observed else "force"] == load.value
            assert observed.get("sliding", motion.speed(load.coordinate)) == motion.speed(load.coordinate)
            assert force.coordinate == load.coordinate
            assert observed.get("length", motion.coordinate(load.coordinate)) == motion.coordinate(load.coordinate)
            assert observed.get("rate", motion.speed(load.coordinate)) == motion.speed(load.coordinate)
        else:
            assert isinstance(load, PointLoad)
            assert force.coordinate is None
            if "gap" in observed:  # the force on a, without its normal part, is the friction
                along = np.dot(load.force, observed["friction"]) / np.dot(observed["friction"], observed["friction"])
                assert (along, np.hypot(observed["force"], np.linalg.norm(observed["friction"]))) == pytest.approx(
                    (1, np.linalg.norm(load.force)), rel=1e-12
                )
                continue
            assert observed.get("force", load.force) == load.force
            assert observed.get("moment", load.moment) == load.moment
    (on_b, _) = _example().forces["mount"].loads(motion)
    assert isinstance(on_b, PointLoad)
    assert on_b.end.body == "sled"


def test_units_are_those_of_the_coordinate() -> None:
    outputs = force_outputs(gs.formulate(_example()).coordinates)
    units = {name: {label: output.unit for label, output in found.items()} for name, found in outputs.items()}
    rope = {"tension": "N", "length": "m", "rate": "m/s", "unstretched": "m", "wrap": "rad", "mismatch": "1"}
    mass = {"mass": "kg", "center": "m", "flow": "kg/s", "thrust": "N", "carried": "W"}
    assert units == {
        "line": {"force": "N", "length": "m", "rate": "m/s"},
        "coil": {"force": "N·m", "length": "rad", "rate": "rad/s"},
        "slip": {"force": "N", "length": "m", "rate": "m/s"},
        "strut": {"force": "N", "length": "m", "rate": "m/s"},
        "mount": {"force": "N", "moment": "N·m"},
        "push": {"force": "N"},
        "twist": {"moment": "N·m"},
        "motor": {"force": "N·m"},
        "thruster": {"force": "N"},
        "drive": {"torque": "N·m", "voltage": "V", "power": "W"},
        "rub": {"force": "N", "load": "N", "sliding": "m/s"},
        "knocks": {"depth": "m", "touching": "1", "force": "N"},
        "sand": {
            "touching": "1",
            "depth": "1",
            "force": "N",
            "kinetic": "J",
            "potential": "J",
            "dissipated": "J",
            "supplied": "J",
            "sled.force": "N",
            "arm.force": "N",
        },
        "hoist": {**rope, "span1.tension": "N", "span2.tension": "N", "top.wrap": "rad"},
        "band": {
            **rope,
            "span1.tension": "N",
            "span2.tension": "N",
            "far.wrap": "rad",
            "near.wrap": "rad",
            "far.slip": "m/s",
            "near.slip": "m/s",
        },
        "spool": {"payout": "m", "rate": "m/s", "radius": "m"},
        "ends": {"force": "N"},
        "load": {**mass, "inertia_margin": "1"},
        "ballast": mass,
        "soft": {"force": "N", "moment": "N·m", "gap": "m"},
        "frost": {"force": "N", "shear": "N", "load": "1", "stretch": "m"},
        "bump": {
            "gap": "m",
            "force": "N",
            "friction": "N",
            "sliding": "m/s",
            "point": "m",
            "total": "N",
            "dissipation": "W",
        },
        "knock": {"gap": "m", "force": "N", "friction": "N", "sliding": "m/s", "point": "m", "total": "N"},
        "tread": {
            "gap": "m",
            "force": "N",
            "friction": "N",
            "sliding": "m/s",
            "point": "m",
            "total": "N",
            "slip": "1",
            "angle": "rad",
            "camber": "rad",
        },
        "bend": {"force": "N", "length": "m"},
        "wound": {"gap": "m", "force": "N", "friction": "N", "sliding": "m/s", "dissipation": "W"},
    }


def test_elements_without_reports_have_none() -> None:
    class Silent(ForceElement):
        """An element that says nothing."""

        def loads(self, motion: Any) -> Any:
            yield from ()

    silent = Silent("silent")
    assert not silent.outputs
    assert silent.observed(Observed(_example(), 0).motion) == {}
