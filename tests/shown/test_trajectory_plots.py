"""Plots of trajectories: labels, units, panels, comparisons, and names that are not there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import matplotlib
import numpy as np
import pytest
from pictures import assert_parses

import gyrostat as gs

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def system() -> gs.System:
    return gs.formulate(gs.Model.load(EXAMPLES / "double_pendulum.yaml"))


@pytest.fixture(scope="module")
def trajectory(system: gs.System) -> gs.Trajectory:
    return gs.simulate(system, duration=2, step=0.02, events=[gs.Event("upright", when="a1")])


@pytest.fixture(autouse=True)
def _no_windows():
    matplotlib.use("Agg")
    from matplotlib import pyplot

    yield
    pyplot.close("all")


def legend(ax: object) -> list[str]:
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_one_panel_for_each_unit_with_the_models_symbols(trajectory: gs.Trajectory):
    angles, rates, places = trajectory.plot("a1", "a2", "a1.rate", "bar2.tip")
    assert angles.get_ylabel() == "angle (rad)"
    assert legend(angles) == [r"$\theta_{1}$", r"$\theta_{2}$"]
    assert rates.get_ylabel() == r"$\dot{\theta}_{1}$ (rad/s)"
    assert places.get_ylabel() == "bar2.tip (m)"
    assert legend(places) == ["x", "y", "z"]
    assert places.get_xlabel() == "time (s)"
    assert angles.figure.get_suptitle() == "double pendulum of bars"


def test_curves_are_the_outputs(trajectory: gs.Trajectory):
    (ax,) = trajectory.plot("bar2.tip", "bar1.tip", events=False)
    assert legend(ax)[3] == "bar1.tip x"
    drawn = np.array([line.get_ydata() for line in ax.lines])
    wanted = np.hstack((trajectory["bar2.tip"].values, trajectory["bar1.tip"].values)).T
    assert np.array_equal(drawn, wanted)
    assert np.array_equal(ax.lines[0].get_xdata(), trajectory.time)


def test_without_names_all_coordinates_are_plotted(trajectory: gs.Trajectory):
    (ax,) = trajectory.plot(events=False)
    assert len(ax.lines) == 2


def test_components_and_inputs_can_be_plotted(trajectory: gs.Trajectory):
    heights, motor = trajectory.plot("bar2.tip.y", "motor")
    assert (heights.get_ylabel(), motor.get_ylabel()) == ("bar2.tip.y (m)", "motor (N·m)")


def test_events_are_marked(trajectory: gs.Trajectory):
    (ax,) = trajectory.plot("a1")
    times = [one.time for one in trajectory.at_event("upright")]
    assert times
    assert [line.get_xdata()[0] for line in ax.lines[: len(times)]] == times
    assert [text.get_text() for text in ax.texts] == ["upright"]
    (plain,) = trajectory.plot("a1", events=False)
    assert len(plain.lines) == 1


def test_runs_are_compared_by_dashes(system: gs.System, trajectory: gs.Trajectory):
    coarse = gs.simulate(system, duration=1, step=0.1)
    (ax,) = trajectory.plot("a1", "a2", compare={"coarse": coarse}, events=False)
    theta = r"$\theta_{1}$"
    assert legend(ax)[:2] == [f"{theta}, this run", f"{theta}, coarse"]
    assert ax.lines[0].get_color() == ax.lines[1].get_color() != ax.lines[2].get_color()
    assert ax.lines[0].get_linestyle() != ax.lines[1].get_linestyle()
    assert len(ax.lines[1].get_xdata()) == 11


def test_phase_portraits(trajectory: gs.Trajectory):
    one, two = trajectory.plot_phase("a1", "a2")
    assert (one.get_xlabel(), one.get_ylabel()) == (r"$\theta_{1}$ (rad)", r"$\dot{\theta}_{1}$ (rad/s)")
    assert np.array_equal(two.lines[0].get_ydata(), trajectory["a2.rate"].values)
    assert two.lines[1].get_xdata() == [trajectory["a2"].values[0]], "a dot where it begins"


def test_energies_and_their_balance(system: gs.System):
    run = gs.simulate(system, duration=1, step=0.05, inputs={"motor": "2 - 3*a1.rate"})
    energies, balance = run.plot_energy()
    assert energies.get_ylabel() == "energy (J)"
    assert legend(energies) == ["kinetic", "potential", "total", "supplied"]
    assert balance.get_ylabel() == "balance (J)"
    assert np.array_equal(balance.lines[0].get_ydata(), run.energy()["balance"].values)


def test_reactions(trajectory: gs.Trajectory):
    forces, moments = trajectory.plot_reaction("a2", events=False)
    assert (forces.get_ylabel(), moments.get_ylabel()) == ("force in a2 (N)", "moment in a2 (N·m)")
    assert np.array_equal(forces.lines[1].get_ydata(), trajectory.reaction("a2")["force"].values[:, 1])


def test_files(trajectory: gs.Trajectory, tmp_path: Path):
    trajectory.plot("a1", path=tmp_path / "a.svg")
    trajectory.plot_phase("a1", path=tmp_path / "b.png", dark=True)
    trajectory.plot_energy(path=tmp_path / "c.pdf")
    trajectory.plot_reaction("a1", path=tmp_path / "d.svg")
    assert len(list(tmp_path.iterdir())) == 4
    for path in tmp_path.iterdir():
        assert_parses(path)


def test_names_that_are_not_there(trajectory: gs.Trajectory):
    with pytest.raises(gs.StateError, match=r"There is no output 'a11'\. Did you mean"):
        trajectory.plot("a11")
    with pytest.raises(gs.StateError, match="no coordinate 'bar1' with a phase portrait"):
        trajectory.plot_phase("bar1")
    with pytest.raises(gs.StateError, match="There is no joint 'b'"):
        trajectory.plot_reaction("b")
    with pytest.raises(gs.PictureError, match="'other' in compare is 3, not a trajectory"):
        trajectory.plot("a1", compare={"other": 3})
    with pytest.raises(gs.PictureError, match="'this run' in compare"):
        trajectory.plot("a1", compare={"this run": trajectory})


def test_an_empty_trajectory_has_nothing_to_plot(trajectory: gs.Trajectory):
    nothing = slice(0, 0)
    empty = replace(
        trajectory,
        time=trajectory.time[nothing],
        q=trajectory.q[nothing],
        u=trajectory.u[nothing],
        z=trajectory.z[nothing],
    )
    with pytest.raises(gs.PictureError, match="nothing to plot"):
        empty.plot("a1")
    with pytest.raises(gs.PictureError, match="is empty: there is nothing to draw"):
        empty.animate("nothing.html")


def test_values_that_are_not_finite_leave_gaps(trajectory: gs.Trajectory, tmp_path: Path):
    q = trajectory.q.copy()
    q[10:20] = np.nan
    broken = replace(trajectory, q=q)
    broken.plot("a1", path=tmp_path / "gap.svg")
    assert_parses(tmp_path / "gap.svg")
    with pytest.raises(gs.PictureError, match="values that are not finite at output 10: there is no pose"):
        broken.animate(tmp_path / "gap.html")


def test_a_model_without_coordinates_says_so():
    model = gs.Model("post")
    model.add(gs.Body("post", gs.rod(1, 1)))
    model.add(gs.Weld("foot", "ground", "post"))
    run = gs.simulate(model, duration=1, step=0.5)
    with pytest.raises(gs.PictureError, match="Model 'post' has no coordinates to plot"):
        run.plot()
