"""The layout of coordinates and speeds: order, names, rest, drivers, free rotors."""

from __future__ import annotations

import gyrostat as gs


def _model() -> gs.Model:
    model = gs.Model("everything")
    wheels = [gs.Rotor("spun", "x", 0.1, spin=3.0), gs.Rotor("free", "z", 0.1, free=True)]
    for name in ("a", "b", "c", "d"):
        model.add(gs.Body(name, mass=1, inertia=(1, 1, 1), rotors=wheels if name == "a" else ()))
    model.add(gs.Cylindrical("sleeve", "a", "b", axis="z", driven={"angle": "2*t"}))
    model.add(gs.Free("flight", "ground", "a", initial={"x": 0.5, "w2": 0.1}))
    model.add(gs.Revolute("hinge", "c", "b", initial={"rate": 2.0}))
    model.add(gs.Spherical("ball", "c", "d", initial={"e0": 0.6, "e2": 0.8}))
    return model


def test_coordinates_follow_the_order_of_joints_and_free_rotors_come_last() -> None:
    system = gs.formulate(_model())
    assert system.coordinate_names == (
        "sleeve.displacement",
        *("flight.x", "flight.y", "flight.z", "flight.e0", "flight.e1", "flight.e2", "flight.e3"),
        "hinge",
        *("ball.e0", "ball.e1", "ball.e2", "ball.e3"),
        "a.free",
    )
    assert system.speed_names == (
        "sleeve.displacement.rate",
        *("flight.w1", "flight.w2", "flight.w3", "flight.v1", "flight.v2", "flight.v3"),
        "hinge.rate",
        *("ball.w1", "ball.w2", "ball.w3"),
        "a.free.rate",
    )
    assert (system.coordinates.n_q, system.coordinates.n_u) == (14, 12)


def test_driven_coordinates_are_no_unknowns() -> None:
    driven = gs.formulate(_model()).coordinates.driven
    assert {name: formula.source for name, formula in driven.items()} == {"sleeve.angle": "2*t"}


def test_at_rest_the_sides_of_joints_coincide() -> None:
    coordinates = gs.formulate(_model()).coordinates
    assert coordinates.rest == (0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0)


def test_initial_values_replace_rest() -> None:
    system = gs.formulate(_model())
    assert system.initial_coordinates.tolist() == [0, 0.5, 0, 0, 1, 0, 0, 0, 0, 0.6, 0, 0.8, 0, 0]
    assert system.initial_speeds.tolist() == [0, 0, 0.1, 0, 0, 0, 0, 2.0, 0, 0, 0, 0]


def test_places_by_name() -> None:
    coordinates = gs.formulate(_model()).coordinates
    assert coordinates.place_of["hinge"] == ("q", 8)
    assert coordinates.place_of["hinge.rate"] == ("u", 7)
    assert coordinates.place_of["a.free.rate"] == ("u", 11)
    assert coordinates.rotors == {"a.free": (13, 11)}
    assert "sleeve.angle" not in coordinates.place_of
