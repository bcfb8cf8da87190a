"""Inputs with laws of the model: in simulations, operating points, sweeps, Floquet analysis, and in every formula."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import gyrostat as gs

TIMES = np.linspace(0, 2, 9)


def _model(law: object = "m*g + 2*t") -> gs.Model:
    model = gs.Model("drone", gravity=(0, 0, "-g"), parameters={"m": 2.0, "g": 9.81})
    model.add(gs.Body("b", mass="m", inertia=(0.1, 0.1, 0.1)))
    model.add(gs.Prismatic("z", "ground", "b", axis="z"))
    model.add(gs.Input("T1", unit="N", description="thrust", law=law))
    model.add(gs.Input("gust", unit="N"))
    model.add(gs.Force("thrust", "b", (0, 0, "T1 + gust")))
    return model


@cache
def _system() -> gs.System:
    return gs.formulate(_model())


def test_a_thrust_follows_the_law_of_its_input() -> None:
    run = gs.simulate(_system(), times=TIMES)
    np.testing.assert_allclose(run["z"], TIMES**3 / 6, atol=1e-12)
    np.testing.assert_allclose(run["T1"], 19.62 + 2 * TIMES, rtol=1e-14)
    assert run["T1"].attrs == {"units": "N", "long_name": "thrust"}
    assert not run["gust"].values.any()


def test_a_run_may_have_other_laws() -> None:
    run = gs.simulate(_system(), times=TIMES, inputs={"T1": 0})
    np.testing.assert_allclose(run["z"], -9.81 * TIMES**2 / 2, atol=1e-12)
    run = gs.simulate(_system(), times=TIMES, inputs={"gust": "-2*t"})
    np.testing.assert_allclose(run["z"], 0, atol=1e-12)


def test_tables_and_feedback_are_laws() -> None:
    run = gs.simulate(_model(([0, 2], [19.62, 23.62])), times=TIMES)
    np.testing.assert_allclose(run["z"], TIMES**3 / 6, atol=1e-12)
    feedback = gs.simulate(_model("m*g - m*z"), times=TIMES, initial={"z": 1})
    np.testing.assert_allclose(feedback["z"], np.cos(TIMES), atol=1e-8)
    with pytest.raises(gs.StateError, match="The input 'T1' is given from t = 0 to 1; the simulation goes from 0 to 2"):
        gs.simulate(_model(([0, 1], [0, 0])), times=TIMES)


def test_operating_points_have_the_value_of_the_law_at_their_time() -> None:
    assert gs.operating_point(_system(), {}, t=3).inputs == {"T1": pytest.approx(25.62), "gust": 0}
    table = _model(([0, 2], [0, 4]))
    assert gs.operating_point(table, {}, t=0.5).inputs["T1"] == pytest.approx(1)
    assert gs.operating_point(table, {}, inputs={"T1": 7}).inputs["T1"] == 7
    with pytest.raises(gs.StateError, match=r"The law m\*g - m\*z of input 'T1' has no value at an operating point"):
        gs.operating_point(_model("m*g - m*z"), {})


def test_sweeps_follow_the_laws_and_may_sweep_an_input() -> None:
    simulation = gs.Simulation(2, step=1, outputs=["last(z)"], integrator=gs.RK4(step=0.1))
    found = gs.sweep(_system(), {"m": [2.0, 4.0]}, simulation, progress=False)
    np.testing.assert_allclose(found["last(z)"], [8 / 6, 4 / 6], rtol=1e-12)
    found = gs.sweep(_system(), {"T1": [0.0, 19.62]}, simulation, progress=False)
    np.testing.assert_allclose(found["last(z)"], [-19.62, 0], atol=1e-10)


def test_laws_are_no_part_of_the_compiled_programs() -> None:
    from gyrostat.recipes.digest import program_key

    first, second = (gs.formulate(_model(law)).coordinates for law in ("3*t", 5))
    assert program_key("rates", first) == program_key("rates", second)
