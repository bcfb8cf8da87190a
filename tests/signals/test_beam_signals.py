"""Outputs of beams against the closed forms of a cantilever under loads at its tip."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gyrostat as gs
from gyrostat.model.flexible.beam_outputs import beam_output_names, section_force_names
from gyrostat.model.flexible.station_arm import StationArm
from gyrostat.signals.beam_signals import beam_signals

LOAD, LENGTH, E, WIDTH = 0.02, 0.5, 1e9, 0.01
EI = E * WIDTH**4 / 12


@pytest.fixture(scope="module")
def bent() -> Any:
    """Outputs at equilibrium of a square cantilever with loads along y, −z and x at its tip."""
    model = gs.Model("cantilever", parameters={"P": LOAD, "L": LENGTH})
    given: dict[str, Any] = {"E": E, "G": E / 2.6, "density": 1000}
    terms = {"v": 2, "w": 2, "u": 1}
    fibres = {"top": (WIDTH / 2, 0), "side": (0, WIDTH / 2)}
    section = gs.sections.Rectangle(WIDTH, WIDTH)
    stations = {"mid": "L/2"}
    model.add(gs.Beam("beam", length="L", section=section, terms=terms, fibres=fibres, stations=stations, **given))
    model.add(gs.Weld("clamp", "ground", "beam"))
    model.add(gs.Force("tip", "beam.tip", (0, "P", "-2*P")))
    model.add(gs.Force("pull", "beam.tip", ("P", 0, 0), axes="body"))
    found = gs.equilibrium(model)
    return gs.simulate(model, duration=1e-4, step=1e-4, initial=found)


def _first(run: Any, name: str) -> Any:
    return np.array(run[name])[0]


def test_deflection_and_slope_are_those_of_a_cantilever(bent: Any) -> None:
    bending = LENGTH**3 / (3 * EI)
    stretch = LOAD / (E * WIDTH**2) * LENGTH
    x, y, z = _first(bent, "beam.tip.deflection")
    assert (y, z) == pytest.approx((LOAD * bending, -2 * LOAD * bending), rel=5e-3)
    assert x == pytest.approx(stretch - 0.6 * (y**2 + z**2) / LENGTH, rel=2e-2)
    slope = LOAD * LENGTH**2 / (2 * EI)
    np.testing.assert_allclose(_first(bent, "beam.tip.slope"), (slope, -2 * slope), rtol=5e-3)
    assert float(_first(bent, "beam.mid.slope.y")) == pytest.approx(0.75 * slope, rel=5e-3)


@pytest.mark.parametrize(("station", "arm"), [("beam", 1.0), ("beam.mid", 0.5), ("beam.tip", 0.0)])
def test_section_moments_are_those_of_the_load(bent: Any, station: str, arm: float) -> None:
    P = LOAD * LENGTH * arm
    np.testing.assert_allclose(_first(bent, f"{station}.section_moment"), (0, 2 * P, P), atol=6e-3 * LENGTH * LOAD)
    np.testing.assert_allclose(_first(bent, f"{station}.curvature")[1:], (2 * P / (EI), P / (EI)), atol=6e-5)
    assert float(_first(bent, f"{station}.axial_force")) == pytest.approx(LOAD, rel=2e-2)
    assert float(_first(bent, f"{station}.stretch")) == pytest.approx(LOAD / (E * WIDTH**2), rel=2e-2)


def test_stresses_are_those_of_fibres(bent: Any) -> None:
    """σ = N/A − y Mz/Iz + z My/Iy: the load along y compresses the fibre at positive y of the root."""
    force, (_, about_y, about_z) = _first(bent, "beam.axial_force"), _first(bent, "beam.section_moment")
    top, side = _first(bent, "beam.stress")
    assert top == pytest.approx(force / WIDTH**2 - WIDTH / 2 * about_z / (EI / E), rel=1e-9)
    assert side == pytest.approx(force / WIDTH**2 + WIDTH / 2 * about_y / (EI / E), rel=1e-9)
    np.testing.assert_allclose(_first(bent, "beam.strain") * E, (top, side), rtol=1e-9)
    assert float(_first(bent, "beam.stress.top")) == top < 0 < side


def test_strain_energy_is_half_the_work_of_the_loads(bent: Any) -> None:
    bending = 5 * LOAD**2 * LENGTH**3 / (6 * EI)
    assert float(_first(bent, "beam.strain_energy")) == pytest.approx(
        bending + LOAD**2 * LENGTH / (2 * E * WIDTH**2), rel=1e-2
    )


def test_beams_of_order_exact_bent_into_an_arc() -> None:
    """A constant curvature κ: tip at (sin κL, 1 − cos κL)/κ, slope κL, and the moment E I κ everywhere."""
    model = gs.Model("arc")
    given: dict[str, Any] = {"length": 2, "area": 1, "Iz": 3, "E": 5, "density": 1, "damping": 0.1}
    fibres, stations = {"inner": (0.2, 0)}, {"mid": 1}
    model.add(gs.Beam("beam", terms={"v": 1}, order="exact", fibres=fibres, stations=stations, **given))
    model.add(gs.Weld("clamp", "ground", "beam"))
    run = gs.simulate(model, duration=1e-3, step=1e-3, initial={"beam.v1": 1.2, "beam.v1.rate": 0.4})
    expected = (np.sin(1.2) / 0.6 - 2, (1 - np.cos(1.2)) / 0.6, 0)
    np.testing.assert_allclose(_first(run, "beam.tip.deflection"), expected, atol=1e-7)
    np.testing.assert_allclose(_first(run, "beam.mid.slope"), (0.6, 0), atol=1e-7)
    for station in ("beam", "beam.mid", "beam.tip"):
        np.testing.assert_allclose(_first(run, f"{station}.curvature"), (0, 0, 0.6), atol=1e-12)
        np.testing.assert_allclose(_first(run, f"{station}.section_moment"), (0, 0, 15 * (0.6 + 0.1 * 0.2)), atol=1e-12)
        assert float(_first(run, f"{station}.strain.inner")) == pytest.approx(-0.12)
        assert float(_first(run, f"{station}.stress.inner")) == pytest.approx(-5 * 0.2 * 0.62)
    assert float(_first(run, "beam.strain_energy")) == pytest.approx(15 * 0.6**2)


def test_outputs_have_names_for_measures_events_and_laws() -> None:
    """A spring at the tip whose force is proportional to the bending moment at the root."""
    model = gs.Model("bent", parameters={"L": 2.0})
    given: dict[str, Any] = {"length": "L", "area": 1, "Iz": 3, "E": 5, "density": 1, "terms": {"v": 1, "u": 1}}
    beam = model.add(gs.Beam("beam", fibres={"top": (0.1, 0)}, stations={"mid": "L/2"}, **given))
    model.add(gs.Weld("clamp", "ground", "beam"))
    model.add(gs.Measure("relative", "beam.stress.top/5 + beam.mid.slope.y*0"))
    model.add(gs.Force("answer", "beam.tip", (0, "-0.1*beam.section_moment.z", 0)))
    system = gs.formulate(model)
    arms = [part for part in beam.parts() if isinstance(part, StationArm)]
    expected = {name for arm in arms for name in (*beam_output_names(arm), *section_force_names(arm))}
    assert expected == {
        name for one in beam_signals(system.model.joints, system.model.gravity) for name in one.scalar_names
    }
    run = gs.simulate(system, duration=0.1, step=0.1, initial={"beam.v1": 0.1})
    assert float(_first(run, "relative")) == pytest.approx(float(_first(run, "beam.strain.top")))
    moment = float(_first(run, "beam.section_moment.z"))
    assert float(_first(run, "answer.force.y")) == pytest.approx(-0.1 * moment)


def test_fibres_have_two_distances() -> None:
    with pytest.raises(gs.ModelError, match=r"3 distances are given. Write {'top': \(y, z\)}"):
        gs.Beam("b", length=1, area=1, Iz=1, E=1, density=1, terms={"v": 1}, fibres={"top": (0, 1, 2)})
