"""Mobility by counting."""

import pytest

import gyrostat as gs
from gyrostat.topology import Mobility


def joints(*classes, **fields):
    return [cls(f"j{i}", "ground", "b", **fields) for i, cls in enumerate(classes)]


R, P = gs.Revolute, gs.Prismatic


@pytest.mark.parametrize(
    ("bodies", "chain", "spatial", "planar"),
    [
        (3, [R, R, R, R], -2, 1),
        (3, [R, R, R, P], -2, 1),
        (2, [R, R], 2, 2),
        (3, [R, R, R], 3, 3),
        (3, [R, gs.Spherical, gs.Spherical, R], 2, None),
        (3, [R, gs.Universal, gs.Spherical, R], 1, None),
        (1, [gs.Free], 6, None),
        (1, [gs.Planar], 3, 3),
        (1, [gs.Weld], 0, 0),
        (2, [R, gs.Weld], 1, 1),
        (1, [gs.Cylindrical], 2, None),
        (0, [], 0, 0),
        (5, [R] * 7, -5, 1),
    ],
)
def test_freedoms_are_counted(bodies, chain, spatial, planar):
    assert Mobility.of(bodies, joints(*chain)) == Mobility(spatial, planar, 0)


def test_drivers_are_taken_off():
    driven = [*joints(R, R, R), gs.Revolute("d", "ground", "b", driven="t")]
    assert Mobility.of(3, driven) == Mobility(-3, 0, 1)
    sleeve = gs.Cylindrical("c", "ground", "b", driven={"angle": "t", "displacement": 1})
    assert Mobility.of(1, [sleeve]) == Mobility(0, None, 2)


@pytest.mark.parametrize(
    ("mobility", "text"),
    [
        (Mobility(1, 1, 0), "1 in space"),
        (Mobility(1, None, 0), "1 in space"),
        (Mobility(-2, 1, 0), "-2 in space, 1 if all motion is in one plane"),
        (Mobility(-3, 0, 1), "-3 in space, 0 if all motion is in one plane (1 driven coordinate subtracted)"),
        (Mobility(0, None, 2), "0 in space (2 driven coordinates subtracted)"),
    ],
)
def test_printed(mobility, text):
    assert str(mobility) == text


def test_a_screw_needs_its_pitch():
    assert Mobility.of(1, [gs.Screw("s", "ground", "b", pitch=1)]) == Mobility(1, None, 0)


def test_free_rotors_are_counted():
    assert Mobility.of(1, joints(R), 2) == Mobility(3, 3, 0)
    model = gs.Model("gyrostat")
    rotors = [gs.Rotor("a", "z", 0.1, free=True), gs.Rotor("b", "x", 0.1, spin=3)]
    model.add(gs.Body("b", gs.sphere(1, 1), rotors=rotors))
    model.add(gs.Spherical("s", "ground", "b"))
    system = gs.formulate(model)
    assert system.topology.mobility.spatial == system.coordinates.n_u == 4
