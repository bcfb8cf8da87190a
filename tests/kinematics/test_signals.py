"""Signals: every name is read as what it says, and unknown names are told."""

from __future__ import annotations

import numpy as np
import pytest
from campaign import campaign
from float_system import FloatSystem, float_system
from random_models import random_inputs, random_model
from random_trees import Draw

import gyrostat as gs
from gyrostat.kinematics.signals import check_signals, signal_readers, signal_value
from gyrostat.model.formula import Formula
from gyrostat.model.kinds import End

T = 0.6


def _model() -> gs.Model:
    model = gs.Model("signals", gravity=(0, 0, "-g"), parameters={"g": 9.81, "l": 0.5})
    model.add(gs.Body("ground", points={"nail": (1, 2, "l")}))
    wheel = gs.Rotor("wheel", "x", 0.1, free=True)
    model.add(gs.Body("bar", mass=1, inertia=(1, 1, 1), points={"tip": (0, "l", 0.1)}, rotors=[wheel]))
    model.add(gs.Body("kite", mass=1, inertia=(1, 1, 1), frames={"hook": gs.Frame((0.1, 0, 0), [("x", 0.3)])}))
    model.add(gs.Revolute("a1", "ground", "bar"))
    model.add(gs.Free("flight", "ground", "kite"))
    model.add(gs.Body("crank", mass=1, inertia=(1, 1, 1)))
    model.add(gs.Revolute("turn", "kite", "crank", driven="2*t**2"))
    model.add(gs.Actuator("motor", "a1"))
    model.add(gs.SpringDamper("rope", "bar.tip", "kite.hook", 10.0, 0.5, "l"))
    model.add(gs.Force("push", "kite", ("motor", 2, "t"), axes="body"))
    return model


@pytest.fixture(scope="module")
def system() -> FloatSystem:
    return float_system(_model())


def test_signals_are_what_their_names_say(system: FloatSystem) -> None:
    q, u = Draw(2).state(system.system)
    motion = system.motion(q, u, T, {"motor": 0.8})
    readers = signal_readers(system.system.coordinates)
    found = {name: float(read(motion)) for name, read in readers.items()}

    expected = {"g": 9.81, "l": 0.5, "t": T, "motor": 0.8, "motor.force": 0.8, "turn": 2 * T**2, "turn.rate": 4 * T}
    expected |= dict(zip(system.system.coordinate_names, q, strict=True))
    expected |= dict(zip(system.system.speed_names, u, strict=True))
    rates = system.coordinate_rates(q, u)
    expected |= {f"{name}.rate": rates[i] for i, name in enumerate(system.system.coordinate_names)}
    places = ("ground", "ground.nail", "bar", "bar.tip", "kite", "kite.hook", "crank")
    for place in places:
        at = motion.end(End(*place.split(".")))
        vectors = {"": at.position, ".velocity": at.velocity} | ({} if "." in place else {".omega": at.omega})
        for suffix, vector in vectors.items():
            expected |= {f"{place}{suffix}.{axis}": vector[i] for i, axis in enumerate("xyz")}
    rope = motion.tree.coordinates.topology.model.forces["rope"].observed(motion)
    expected |= {f"rope.{name}": rope[name] for name in ("force", "length", "rate")}
    pushed = np.array(motion.end(End("kite")).rotation) @ [0.8, 2, T]
    expected |= {f"push.force.{axis}": pushed[i] for i, axis in enumerate("xyz")}
    assert found.keys() == expected.keys()
    for name, value in expected.items():
        assert found[name] == pytest.approx(float(value), rel=1e-12, abs=1e-14), name


@campaign(6)
def test_every_signal_of_any_tree_has_a_value(seed: int) -> None:
    system = float_system(random_model(seed, 3))
    draw = Draw(seed)
    motion = system.motion(*draw.state(system.system), T, random_inputs(draw, system.system))
    for name, read in signal_readers(system.system.coordinates).items():
        assert np.isfinite(float(read(motion))), name


def test_formulas_combine_signals(system: FloatSystem) -> None:
    q, u = Draw(2).state(system.system)
    motion = system.motion(q, u, T, {"motor": 0.8})
    readers = signal_readers(system.system.coordinates)
    found = signal_value(motion, Formula.of("where(bar.tip.y > 0, 1, -1)*rope.length**2 + l*sin(t)"), readers)
    side = 1 if motion.end(End("bar", "tip")).position[1] > 0 else -1
    length = motion.tree.coordinates.topology.model.forces["rope"].observed(motion)["length"]
    assert found == pytest.approx(side * length**2 + 0.5 * np.sin(T), rel=1e-13)


def test_a_rotor_comes_before_a_component_of_its_body() -> None:
    model = gs.Model("x")
    model.add(gs.Body("b", mass=1, inertia=(1, 1, 1), rotors=[gs.Rotor("x", "x", 0.1, free=True)]))
    model.add(gs.Prismatic("p", "ground", "b", axis="x"))
    system = float_system(model)
    motion = system.motion([0.3, 0.7], [1.0, 2.0])
    readers = signal_readers(system.system.coordinates)
    assert [readers[name](motion) for name in ("b.x", "b.x.rate", "b.y")] == [0.7, 2.0, 0]


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        (
            "2*bar.tipp.x",
            "The formula 2*bar.tipp.x of event 'hit' refers to 'bar.tipp.x', which is not known. "
            "Did you mean 'bar.tip.x'",
        ),
        (
            "bar.tip - 1",
            "The formula bar.tip - 1 of event 'hit' refers to 'bar.tip', which is a vector. "
            "Use a component: bar.tip.x, bar.tip.y, bar.tip.z.",
        ),
        (
            "push.force",
            "The formula push.force of event 'hit' refers to 'push.force', which is a vector. "
            "Use a component: push.force.x, push.force.y, push.force.z.",
        ),
        ("a1.acc", "refers to 'a1.acc', which is not known. Did you mean 'a1.rate'"),
        ("bar.wheel.x", "refers to 'bar.wheel.x', which is not known."),
    ],
)
def test_unknown_names_are_told(system: FloatSystem, formula: str, message: str) -> None:
    readers = signal_readers(system.system.coordinates)
    with pytest.raises(gs.StateError) as error:
        check_signals(readers, Formula.of(formula), "event 'hit'")
    assert message in str(error.value)
    check_signals(readers, Formula.of("bar.tip.x - l + t"), "event 'hit'")
