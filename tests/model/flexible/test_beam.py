"""Beams as components: parts, files, and the faults of bad input."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import gyrostat as gs


def _beam(**changed: Any) -> gs.Beam:
    given: dict[str, Any] = {"length": 2, "area": 1, "Iz": 1, "E": 1, "density": 1, "terms": {"v": 2}}
    return gs.Beam("beam", **(given | changed))


def test_a_beam_is_its_root_its_stations_and_its_elasticity() -> None:
    parts = [part.name for part in _beam(stations={"mid": 1}).parts()]
    assert parts == ["beam", "beam.tip", "beam.tip.arm", "beam.mid", "beam.mid.arm", "beam.elasticity"]


def test_coordinates_are_those_of_all_stations_and_appear_once() -> None:
    model = gs.Model("spatial")
    model.add(
        _beam(Iy=1, G=1, J=1, terms={"v": 2, "w": 1, "phi": 1, "u": 1}, stations={"mid": 1, "quarter": 0.5}),
    )
    model.add(gs.Weld("clamp", "ground", "beam"))
    system = gs.formulate(model)
    assert system.coordinate_names == ("beam.v1", "beam.v2", "beam.w1", "beam.phi1", "beam.u1")
    assert "5 in space" in str(system)


@pytest.mark.parametrize("suffix", ["yaml", "json"])
def test_a_beam_is_written_to_a_file_and_read_again(tmp_path: Path, suffix: str) -> None:
    model = gs.Model("blade", parameters={"L": 2.0})
    model.add(
        gs.Beam(
            "blade",
            length="L",
            section=gs.sections.Tube("0.02 - 0.004*x", 0.005),
            E=70e9,
            G=26e9,
            density=2700,
            terms={"v": 3, "w": 3, "phi": 1},
            basis="chebyshev",
            order="exact",
            curvature=(0, 0, "0.1/L"),
            damping=1e-4,
            stations={"mid": "L/2"},
        )
    )
    model.add(gs.Weld("clamp", "ground", "blade"))
    path = tmp_path / f"blade.{suffix}"
    model.save(path)
    read = gs.Model.load(path)
    assert read == model
    read.check()


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "no stiffness": ({"E": None}, "it has terms of 'v' but no stiffness against it: E missing"),
    "no torsional stiffness": ({"terms": {"v": 1, "phi": 1}}, "no stiffness against it: G and J missing"),
    "too many Taylor terms": ({"basis": "taylor", "terms": {"v": 9}}, "Use at most 8, or basis='legendre'"),
    "no terms": ({"terms": {}}, "there are none. Give at least one"),
    "unknown displacement": ({"terms": {"theta": 2}}, "there is no such displacement"),
    "number of terms": ({"terms": {"v": -1}}, "Give a whole number from 0 to 20"),
    "no section": ({"area": None}, "it has no section"),
    "two sections": ({"section": gs.sections.Circle(0.1)}, "the section already defines it"),
    "negative moment": ({"Iz": -1}, "Iz: -1 is not positive"),
    "no mass": ({"density": 0}, "density: 0 is not positive"),
    "order": ({"order": 3}, "3 is not an order of a beam. Use one of 2, 1, exact"),
    "curved": ({"curvature": (0, 0, 1)}, "Use order='exact', or leave the curvature out"),
    "kinetic energy": (
        {"order": 1, "kinetic_energy": "truncated"},
        "order 1 has one kinetic energy only. Leave it out, or use order=2",
    ),
    "twist without inertia": (
        {"terms": {"v": 1, "phi": 1}, "G": 1, "J": 1, "rotary_inertia": False},
        "twist has no inertia: rotary_inertia is false, and there are terms of 'phi'",
    ),
    "name of a station": ({"stations": {"v1": 1}}, "the name has another meaning"),
}


@pytest.mark.parametrize(("changed", "message"), BAD.values(), ids=BAD)
def test_bad_input_is_explained(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(gs.ModelError, match="beam") as error:
        _beam(**changed)
    assert message in str(error.value)


IMPOSSIBLE: dict[str, tuple[dict[str, Any], str]] = {
    "station outside": ({"stations": {"far": "3*a"}}, "3 m from the root is outside the beam, which is 2 m long"),
    "negative length": ({"length": "-a"}, "-a = -1 is not positive"),
    "negative moment": ({"Iz": "-a"}, "-a = -1 is not positive"),
    "taper": ({"Iz": "a - x"}, "its Iz is 0 at x = 1 m. A section is positive along the beam"),
}


@pytest.mark.parametrize(("changed", "message"), IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_impossible_values_of_parameters_are_explained(changed: dict[str, Any], message: str) -> None:
    model = gs.Model("beam", parameters={"a": 1.0})
    model.add(_beam(**changed))
    model.add(gs.Weld("clamp", "ground", "beam"))
    with pytest.raises(gs.ModelError) as error:
        model.check()
    assert "compound 'beam'" in str(error.value)
    assert message in str(error.value)


def test_sections_have_the_moments_of_their_shapes() -> None:
    value = gs.Model("sections").evaluator()
    rectangle = gs.sections.Rectangle(y=0.02, z=0.01).properties(value)
    assert rectangle.area == pytest.approx(2e-4)
    assert (rectangle.Iz, rectangle.Iy) == pytest.approx((0.01 * 0.02**3 / 12, 0.02 * 0.01**3 / 12))
    assert pytest.approx(0.02 * 0.01**3 * 0.2287, rel=2e-3) == rectangle.J  # Timoshenko and Goodier: b/a = 2
    square = gs.sections.Rectangle(y=1, z=1).properties(value)
    assert pytest.approx(0.14058, rel=2e-3) == square.J
    circle, tube = gs.sections.Circle(0.1).properties(value), gs.sections.Tube(0.1, 0).properties(value)
    assert circle == pytest.approx(tube)
    assert pytest.approx(2 * circle.Iy) == circle.J
    profile = gs.sections.ISection(height=0.2, width=0.1, web=0.1, flange=0.01).properties(value)
    solid = gs.sections.Rectangle(y=0.2, z=0.1).properties(value)
    assert profile[:3] == pytest.approx(solid[:3])
