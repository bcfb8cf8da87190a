"""Symbols of equations by name, and refusals of ambiguous names."""

from __future__ import annotations

from typing import Any

import pytest
import sympy

import gyrostat as gs
from gyrostat.coordinates.layout import acceleration_name
from gyrostat.written.symbols import Symbols, dotted


def symbols(*joints: Any, parameters: dict[str, float] | None = None, rotors: tuple[Any, ...] = ()) -> Symbols:
    """Return the symbols of bodies in a row."""
    model = gs.Model("row", parameters=parameters or {})
    for i, (kind, name, options) in enumerate(joints):
        model.add(gs.Body(f"b{i}", mass=1, inertia=(1, 1, 1), rotors=rotors if i == 0 else ()))
        model.add(kind(name, "ground" if i == 0 else f"b{i - 1}", f"b{i}", **options))
    return Symbols(gs.formulate(model).coordinates)


@pytest.mark.parametrize(
    ("symbol", "rate", "latex"),
    [
        ("theta_1", "thetadot_1", r"\dot{\theta}_{1}"),
        ("thetadot_1", "thetaddot_1", r"\ddot{\theta}_{1}"),
        ("x", "xdot", r"\dot{x}"),
        ("xdot", "xddot", r"\ddot{x}"),
        ("q1", "qdot1", r"\dot{q}_{1}"),
        ("alpha_elbow", "alphadot_elbow", r"\dot{\alpha}_{elbow}"),
        ("dot", "dotdot", r"\dot{dot}"),
    ],
)
def test_dots(symbol: str, rate: str, latex: str) -> None:
    assert dotted(symbol) == rate
    assert sympy.latex(sympy.Symbol(rate)) == latex


def test_dots_keep_symbols_apart_and_usable() -> None:
    names = ["theta", "theta_1", "theta1", "t1heta", "_x", "θ", "θ_2", "x__2", "X", "x"]
    rates = [dotted(name) for name in names]
    assert len({*names, *rates, *map(dotted, rates)}) == 3 * len(names)
    assert all(rate.isidentifier() for rate in rates)


def test_names_of_accelerations() -> None:
    assert acceleration_name("a1.rate") == "a1.acc"
    assert acceleration_name("ball.w1") == "ball.w1.rate"
    assert acceleration_name("joint.angle1.rate") == "joint.angle1.acc"


def test_given_symbols_and_defaults() -> None:
    found = symbols(
        (gs.Revolute, "a1", {"symbol": "theta_1"}),
        (gs.Prismatic, "slide", {}),
        (gs.Universal, "cross", {"symbol": {"angle1": "alpha"}}),
        (gs.Spherical, "ball", {}),
        parameters={"m": 1.0},
        rotors=(gs.Rotor("wheel", "z", 0.1, free=True),),
    )
    expected = {
        "m": "m",
        "t": "t",
        "a1": "theta_1",
        "a1.rate": "thetadot_1",
        "a1.acc": "thetaddot_1",
        "slide": "slide",
        "slide.rate": "slidedot",
        "cross.angle1": "alpha",
        "cross.angle1.rate": "alphadot",
        "cross.angle2": "angle2_cross",
        "cross.angle2.rate": "angledot2_cross",
        "ball.e0": "e0_ball",
        "ball.w1": "w1_ball",
        "ball.w1.rate": "wdot1_ball",
        "b0.wheel": "wheel_b0",
        "b0.wheel.rate": "wheeldot_b0",
        "b0.wheel.acc": "wheelddot_b0",
    }
    assert {name: found.text[name] for name in expected} == expected
    assert {str(symbol) for symbol in found.sympy.values()} == set(found.text.values())


def test_every_coordinate_speed_and_acceleration_has_a_symbol() -> None:
    found = symbols((gs.Free, "orbit", {}), (gs.Planar, "table", {}), (gs.Cylindrical, "pipe", {}), (gs.Weld, "w", {}))
    layout = found.coordinates
    names = {*layout.coordinate_names, *layout.speed_names, *map(acceleration_name, layout.speed_names), "t"}
    assert set(found.text) == names


@pytest.mark.parametrize(
    ("joints", "parameters", "symbol", "names"),
    [
        ([("a1", "x"), ("a2", "x")], [], "x", ["a1", "a2"]),
        ([("a1", "m")], ["m"], "m", ["m", "a1"]),
        ([("a1", "t")], [], "t", ["t", "a1"]),
        ([("a1", "theta")], ["thetadot"], "thetadot", ["thetadot", "a1.rate"]),
        ([("a1", "theta")], ["thetaddot"], "thetaddot", ["thetaddot", "a1.acc"]),
        ([("a1", "x"), ("a2", "xdot")], [], "xdot", ["a1.rate", "a2"]),
    ],
)
def test_a_symbol_for_two_things_is_refused(joints: Any, parameters: list[str], symbol: str, names: list[str]) -> None:
    rows = [(gs.Revolute, name, {"symbol": given}) for name, given in joints]
    found = symbols(*rows, parameters=dict.fromkeys(parameters, 1.0))
    with pytest.raises(gs.ModelError) as error:
        _ = found.text
    message = str(error.value)
    assert f"symbol {symbol!r}: it would denote {' and for '.join(map(repr, names))}" in message
    assert "Give one of them another symbol or name." in message


def test_driven_coordinates_have_no_symbols_to_clash_with() -> None:
    found = symbols((gs.Revolute, "a1", {"driven": "2*t"}), parameters={"rate_a1": 1.0, "a1dot": 2.0})
    assert set(found.text) == {"t", "rate_a1", "a1dot"}
