"""The table of signals: the meaning of every name, and refusals of unknown names."""

from __future__ import annotations

import numpy as np
import pytest
from campaign import campaign
from float_system import FloatSystem, float_system
from random_models import random_inputs, random_model
from random_trees import Draw, Floats
from scipy.spatial.transform import Rotation

import gyrostat as gs
from gyrostat.kinematics.instant import StateInstant
from gyrostat.model.formula import Formula
from gyrostat.model.kinds import End
from gyrostat.signals import Level, SignalTable, check_formula, formula_value

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


def _numbers(table: SignalTable, instant: StateInstant) -> dict[str, float]:
    """Return all numbers that a state determines, by name."""
    names = dict.fromkeys(name for one in table.every if one.level <= Level.SPEED for name in one.scalar_names)
    signals = {name: table.find_scalar(name) for name in names}
    return {name: float(signal.form(instant)) for name, signal in signals.items() if signal is not None}


def test_signals_are_what_their_names_say(system: FloatSystem) -> None:
    q, u = Draw(2).state(system.system)
    motion = system.motion(q, u, T, {"motor": 0.8})
    found = _numbers(system.system.signal_table, StateInstant(motion))

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
    for body in ("bar", "kite", "crank"):
        R = np.array(motion.end(End(body)).rotation, dtype=float)
        expected |= _rotation(body, R)
        expected |= _momenta(system.system, body, q, u)
    for joint in system.system.topology.joints.values():
        R_WP, R_WC = (np.array(motion.end(end).rotation, dtype=float) for end in (joint.parent, joint.child))
        expected |= _rotation(joint.name, R_WP.T @ R_WC)
    expected |= {"rope.energy": 5 * (rope["length"] - 0.5) ** 2, "rope.power": -rope["force"] * rope["rate"]}
    expected |= {"motor.power": 0.8 * expected["a1.rate"]}
    expected |= {"push.power": pushed @ np.array(motion.end(End("kite")).velocity, dtype=float)}
    assert found.keys() == expected.keys()
    for name, value in expected.items():
        assert found[name] == pytest.approx(float(value), rel=1e-12, abs=1e-14), name


def _rotation(name: str, R: Floats) -> dict[str, float]:
    """Return the signals of a rotation, by SciPy's Euler angles."""
    yaw, pitch, roll = Rotation.from_matrix(R).as_euler("ZYX")
    found = {f"{name}.rotation.{a}{b}": R[i, k] for i, a in enumerate("xyz") for k, b in enumerate("xyz")}
    return found | {f"{name}.rpy.roll": roll, f"{name}.rpy.pitch": pitch, f"{name}.rpy.yaw": yaw}


def _momenta(system: gs.System, body: str, q: Floats, u: Floats) -> dict[str, float]:
    """Return the momenta of a body of unit mass and inertia; the wheel of the bar turns about x, with inertia 0.1."""
    found = system.body_motion(q, u, t=T)[body]
    angular = np.asarray(found.omega)
    if body == "bar":
        angular = angular + 0.1 * u[system.speed_names.index("bar.wheel.rate")] * np.asarray(found.rotation)[:, 0]
    parts = {"momentum": np.asarray(found.velocity), "angular_momentum": angular}
    return {f"{body}.{part}.{axis}": vector[i] for part, vector in parts.items() for i, axis in enumerate("xyz")}


@campaign(6)
def test_every_signal_of_any_tree_has_a_value(seed: int) -> None:
    system = float_system(random_model(seed, 3))
    draw = Draw(seed)
    motion = system.motion(*draw.state(system.system), T, random_inputs(draw, system.system))
    for name, value in _numbers(system.system.signal_table, StateInstant(motion)).items():
        assert np.isfinite(value), name


def test_formulas_combine_signals(system: FloatSystem) -> None:
    q, u = Draw(2).state(system.system)
    motion = system.motion(q, u, T, {"motor": 0.8})
    formula = Formula.of("where(bar.tip.y > 0, 1, -1)*rope.length**2 + l*sin(t)")
    found = formula_value(system.system.signal_table, formula, StateInstant(motion), motion.scalars)
    side = 1 if motion.end(End("bar", "tip")).position[1] > 0 else -1
    length = motion.tree.coordinates.topology.model.forces["rope"].observed(motion)["length"]
    assert found == pytest.approx(side * length**2 + 0.5 * np.sin(T), rel=1e-13)


def test_a_rotor_comes_before_a_component_of_its_body() -> None:
    model = gs.Model("x")
    model.add(gs.Body("b", mass=1, inertia=(1, 1, 1), rotors=[gs.Rotor("x", "x", 0.1, free=True)]))
    model.add(gs.Prismatic("p", "ground", "b", axis="x"))
    system = float_system(model)
    motion = system.motion([0.3, 0.7], [1.0, 2.0])
    table, instant = system.system.signal_table, StateInstant(motion)
    assert [table[name].form(instant) for name in ("b.x", "b.x.rate", "b.y")] == [0.7, 2.0, 0]


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
        ("a1.ac", "refers to 'a1.ac', which is not known. Did you mean 'a1.acc'"),
        (
            "bar.quaternion.e0",
            "refers to 'bar.quaternion.e0', which follows from earlier instants. Use coordinates, positions of points",
        ),
        ("bar.wheel.x", "refers to 'bar.wheel.x', which is not known."),
    ],
)
def test_names_that_formulas_cannot_use_are_refused(system: FloatSystem, formula: str, message: str) -> None:
    table = system.system.signal_table
    with pytest.raises(gs.StateError) as error:
        check_formula(table, Formula.of(formula), "event 'hit'")
    assert message in str(error.value)
    check_formula(table, Formula.of("bar.tip.x - l + t"), "event 'hit'")


@pytest.mark.parametrize("name", ["a1.acc", "a1.reaction.force.x"])
def test_a_consumer_may_limit_the_level(system: FloatSystem, name: str) -> None:
    table = system.system.signal_table
    check_formula(table, Formula.of(name), "event 'hit'")
    with pytest.raises(gs.StateError, match=f"refers to '{name}', which needs .*Use coordinates and speeds"):
        check_formula(table, Formula.of(name), "input 'motor'", Level.SPEED)
    signal = table.find_scalar(name)
    assert signal is not None
    motion = system.motion(*Draw(2).state(system.system), T)
    with pytest.raises(gs.StateError, match="needs accelerations, which a state alone does not have"):
        signal.form(StateInstant(motion))


def test_entries_of_the_table(system: FloatSystem) -> None:
    table = system.system.signal_table
    tip = table["bar.tip.velocity"]
    assert (tip.unit, tip.labels, tip.dimension, tip.level) == ("m/s", ("x", "y", "z"), "axis", Level.SPEED)
    assert (table["bar.tip.velocity.y"].description, table["t"].unit) == ("y of velocity of bar.tip", "s")
    assert [one.name for one in table.expanded("a1.reaction")][2:4] == ["a1.reaction.force.z", "a1.reaction.moment.x"]
    assert [one.name for one in table.expanded("bar")] == ["bar.x", "bar.y", "bar.z"]
    assert [one.name for one in table.expanded("a1.acc")] == ["a1.acc"]
    assert "bar.tip.y" in table
    assert "bar.tip.w" not in table
    with pytest.raises(gs.StateError, match=r"There is no output 'bar\.tpi\.x'\. Did you mean 'bar\.tip\.x'"):
        _ = table["bar.tpi.x"]


def test_a_parameter_may_have_the_name_of_a_body() -> None:
    model = gs.Model("p", parameters={"bar": 2.0})
    model.add(gs.Body("bar", mass=1, inertia=(1, 1, 1)))
    model.add(gs.Revolute("a1", "ground", "bar"))
    table = gs.formulate(model).signal_table
    number = table.find_scalar("bar")
    assert table["bar"].description == "position of bar"
    assert number is not None
    assert number.description == "parameter bar"


def test_loads_of_constraints_are_known_by_owner_and_row() -> None:
    model = gs.Model("rod", gravity=(0, 0, -9.81))
    model.add(gs.Body("ball", mass=1, inertia=(1, 1, 1)))
    model.add(gs.Free("flight", "ground", "ball"))
    model.add(gs.Distance("rod", ("ground", (0, 0, 1)), "ball", 1.0))
    table = gs.formulate(model).signal_table
    assert "rod.force" in table.outputs
    assert table["rod.force"].unit == table["rod: tension"].unit == "N"
    assert "rod: push" not in table
    assert table.find("rod.length") is None
