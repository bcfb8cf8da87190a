"""Flexible mechanisms: the spatial slider-crank after Jonker, and chains of rigid segments that converge to a beam."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from campaign import SOAK

import gyrostat as gs
from examples.flexible_slider_crank import mid_deflections, slider_crank

EXACT = (4.4768e-3, 4.6852e-3)
"""Largest deflections of the middle of the rod (m), in and across the plane of the crank, by strain-based beams."""


def _largest(order: Any, terms: int) -> Any:
    return np.abs(mid_deflections(slider_crank(order=order, terms=terms))[1]).max(axis=0)


@pytest.mark.parametrize("terms", [3, 4] if SOAK else [3])
def test_slider_crank_of_second_order_agrees_with_strains_to_one_percent(terms: int) -> None:
    np.testing.assert_allclose(_largest(2, terms), EXACT, rtol=0.01)


def test_mass_matrix_stays_positive_definite_where_the_truncated_one_does_not() -> None:
    """The position is that of the slider-crank after 3 ms, with four terms in each direction."""
    bent = [-9.0529e-04, -5.2703e-03, 9.8451e-04, 1.3899e-04, -1.8669e-03, -6.5816e-03, -2.6697e-04, 7.5076e-04]
    least = {}
    for kinetic_energy in ("complete", "truncated"):
        model = gs.Model("rod")
        given: dict[str, Any] = {"length": 0.3, "E": 2e11, "density": 7870, "terms": {"v": 4, "w": 4}}
        section = gs.sections.Circle(0.003)
        model.add(gs.Beam("rod", section=section, kinetic_energy=kinetic_energy, **given))
        model.add(gs.Body("yoke", mass=0))
        model.add(gs.Revolute("turn", "ground", "yoke"))
        model.add(gs.Revolute("swing", "yoke", "rod", axis="y"))
        M = np.array(gs.formulate(model).mass_matrix([0.0, 0.0, *bent]))
        least[kinetic_energy] = float(np.linalg.eigvalsh(M)[0])
    assert least["truncated"] < 0 < least["complete"]


def test_slider_crank_of_first_order_is_off_by_a_factor_of_three() -> None:
    with pytest.warns(gs.GyrostatWarning, match="The slope of beam 'rod' reaches"):
        ratio = _largest(1, 3) / EXACT
    assert (ratio > 2.5).all()
    assert (ratio < 3.5).all()


def test_rigid_segments_converge_to_the_beam_with_the_square_of_their_number() -> None:
    """First frequency of a cantilever of N rigid segments with springs of E I N/L: an independent discretization."""
    exact = 1.8751040687119611**2
    errors = []
    for count in (8, 16, 32):
        model = gs.Model("segments")
        h, before = 1 / count, "ground"
        for i in range(count):
            name = f"s{i}"
            inertia = (1e-9, h**3 / 12, h**3 / 12)
            model.add(gs.Body(name, mass=h, inertia=inertia, com=(h / 2, 0, 0), points={"tip": (h, 0, 0)}))
            model.add(gs.Revolute(f"j{i}", before, name))
            model.add(gs.TorsionSpring(f"k{i}", f"j{i}", stiffness=(2 if i == 0 else 1) / h))
            before = f"{name}.tip"
        linear = gs.linearize(model, at={})
        squares = np.linalg.eigvals(np.linalg.solve(linear.mass, linear.stiffness)).real
        errors.append(abs(np.sqrt(squares.min()) - exact))
    ratios = np.array(errors[:-1]) / errors[1:]
    np.testing.assert_allclose(ratios, 4, rtol=0.05)
