"""Axes that vanish once their formulas have numbers."""

import pytest

import gyrostat as gs
from gyrostat import shapes

BODY = gs.Body("b", mass=1, inertia=(1, 1, 1))
ZERO = ("z0", "z0 - z0", 0)
TURN = [("x", 1), (ZERO, 2)]


@pytest.mark.parametrize(
    ("components", "place"),
    [
        ([BODY, gs.Revolute("j", "ground", "b", ZERO)], "joint 'j', axis"),
        ([BODY, gs.Screw("j", "ground", "b", ZERO, pitch=1)], "joint 'j', axis"),
        (
            [gs.Body("b", mass=1, inertia=(1, 1, 1), rotors=[gs.Rotor("w", ZERO, 0.1, spin=1)])],
            "body 'b', rotors.w.axis",
        ),
        ([gs.Body("b", mass=1, inertia=(1, 1, 1), frames={"f": gs.Frame(turn=TURN)})], "body 'b', frames.f.turn[1][0]"),
        (
            [gs.Body("b", mass=1, inertia=(1, 1, 1), shape=shapes.Sphere(1, turn=TURN))],
            "body 'b', shape[0].sphere.turn[1][0]",
        ),
        (
            [gs.Body("b", gs.composite([gs.Part(gs.sphere(1, 1), turn=TURN)]))],
            "body 'b', properties.composite.parts[0].turn[1][0]",
        ),
    ],
)
def test_zero_axes_are_found_wherever_they_stand(faults, components, place):
    joints = [] if any(isinstance(c, gs.Body) is False for c in components) else [gs.Free("free", "ground", "b")]
    assert faults(*components, *joints, parameters={"z0": 0}) == [
        f"{place}: the axis is zero. Give a direction, as in 'z' or (0, 0, 1)."
    ]
    assert faults(*components, *joints, parameters={"z0": 0.1}) == []
    assert faults(*components, *joints, parameters={"z0": None}) == []


@pytest.mark.parametrize("size", [1e-200, 1e200])
def test_axes_that_cannot_be_normalised(faults, size):
    [found] = faults(BODY, gs.Revolute("j", "ground", "b", (size, size, 0)))
    assert found.startswith(
        f"joint 'j', axis: the axis has length {size * 2**0.5:g}, whose square is not a normal floating-point number."
    )
    assert faults(BODY, gs.Revolute("j", "ground", "b", (1e-100, 1e100, 0))) == []
