"""Equilibria and linear models of bodies that rest on rigid contacts."""

from __future__ import annotations

import numpy as np
import pytest
import rigid_contact_models as models

import gyrostat as gs


def test_loads_of_a_chair_are_those_of_statics_and_named() -> None:
    point = gs.equilibrium(models.chair())
    shift = 10.0 * 0.45 / (2 * 0.4)
    mean = 5 * models.G / 4
    loads = [point[f"l{i}{j}.force"] for i in (0, 1) for j in (0, 1)]
    assert np.allclose(loads, [mean - shift, mean - shift, mean + shift, mean + shift], atol=1e-6)
    assert "'l00', 'l01', 'l10', 'l11' are statically indeterminate" in point.notes[0]
    assert str(point.stability) == "not decided: it is not examined with rigid contacts." or "contacts" in str(
        point.stability
    )


def test_a_run_from_an_equilibrium_stays() -> None:
    system = gs.formulate(models.block_on_an_incline(25, 0.5))
    run = models.simulate_quietly(system, duration=1, initial=gs.equilibrium(system))
    assert abs(run["p.x"].values[-1]) < 1e-14


def test_positions_that_no_load_holds_are_refused() -> None:
    with pytest.raises(gs.StateError, match=r"'incline' is not in equilibrium at this position: accelerations of p\.x"):
        gs.equilibrium(models.block_on_an_incline(35, 0.5))
    with pytest.raises(gs.StateError, match=r"accelerations of p\.y"):
        gs.equilibrium(models.ball_on_a_floor(), {"p.y": 0.2})
    with pytest.raises(gs.StateError, match="An equilibrium with rigid contacts is that of one position"):
        gs.equilibrium(models.ball_on_a_floor(), search=3)


def swing(held: bool) -> gs.Model:
    """Return a pendulum with a spring on a block that sticks on a floor, or that is welded to the ground."""
    model = gs.Model("swing", gravity=(0, -models.G, 0))
    feet = {"l": (-0.1, -0.05, 0), "r": (0.1, -0.05, 0), "top": (0, 0.05, 0)}
    model.add(gs.Body("block", gs.box(5.0, (0.2, 0.1, 0.1)), points=feet))
    model.add(gs.Body("bob", gs.slender_rod(0.5, 0.4, along="y"), points={"foot": (0, -0.2, 0)}))
    model.add(gs.Weld("p", "ground", "block") if held else gs.Planar("p", "ground", "block", initial={"y": 0.05}))
    model.add(gs.Revolute("a", "block.top", "bob.foot"))
    model.add(gs.TorsionSpring("spring", "a", stiffness=5))
    if not held:
        for foot in "lr":
            floor = gs.shapes.Plane(along="y")
            model.add(gs.RigidContact(foot, f"block.{foot}", "ground", mu=0.5, shape_b=floor))
    return model


def test_modes_at_sticking_contacts_are_those_of_a_held_body() -> None:
    free, held = swing(held=False), swing(held=True)
    found = gs.linearize(free, gs.equilibrium(free)).modes()
    exact = gs.linearize(held, gs.equilibrium(held)).modes()
    assert [mode.frequency for mode in found] == pytest.approx([mode.frequency for mode in exact], rel=1e-9)


def test_contacts_without_a_linear_model_are_refused() -> None:
    with pytest.raises(gs.StateError, match="'c' is closed between shapes of which one rolls on the other"):
        gs.linearize(models.ball_on_a_floor())
    with pytest.raises(gs.StateError, match="'l' slides with friction at this point"):
        gs.linearize(models.block_on_an_incline(35, 0.5))
    with pytest.raises(gs.StateError, match="about rest; this point moves"):
        gs.linearize(models.ball_on_a_floor(), {"p.x.rate": 1.0})


def test_other_analyses_are_refused_by_name() -> None:
    with pytest.raises(gs.StateError, match="Contact 'c' is rigid: whether it is open, sticks or slides"):
        gs.steady_motion(models.ball_on_a_floor(), {"p.x.rate": 1.0})
    with pytest.raises(gs.StateError, match=r"embedded_motion\(\) does not decide .* of 'c'\. Use gs\.simulate"):
        gs.embedded_motion(models.ball_on_a_floor(), duration=1)
    with pytest.raises(gs.StateError, match=r"has the load 'c\.normal', which follows from the accelerations"):
        gs.multiple_scales(models.ball_on_a_floor())


def test_a_sweep_of_equilibria_examines_contacts_point_by_point() -> None:
    analysis = gs.EquilibriumAnalysis(outputs=["a.force"], guess={"p.y": 0.0})
    result = gs.sweep(models.plank("mu"), {"p.x": [0.0, 1.0]}, analysis)
    assert np.allclose(result["equilibrium(a.force)"].values, models.G / 2)
