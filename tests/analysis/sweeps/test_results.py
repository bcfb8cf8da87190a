"""Results of sweeps: sensitivity, plots, progress; analyses other than simulations."""

import numpy as np
import pytest
import sweep_functions

import gyrostat as gs
from gyrostat.analysis.sweeps.layout import Layout, ResultVariable
from gyrostat.analysis.sweeps.requests import fingerprint
from gyrostat.program.warning import GyrostatWarning


def numbers_only():
    """A model with three parameters; functions of them are swept."""
    model = gs.Model("numbers", parameters={"x1": 0.0, "x2": 0.0, "x3": 0.0})
    model.add(gs.Body("b", gs.point_mass(1)))
    model.add(gs.Prismatic("x", "ground", "b", axis="x"))
    return gs.formulate(model)


def ishigami(parameters):
    x1, x2, x3 = (parameters[name] for name in ("x1", "x2", "x3"))
    return np.sin(x1) + 7 * np.sin(x2) ** 2 + 0.1 * x3**4 * np.sin(x1)


@pytest.fixture(scope="module")
def ishigami_sweep():
    law = gs.uniform(-np.pi, np.pi)
    return gs.sweep(numbers_only(), {"x1": law, "x2": law, "x3": law}, ishigami, points=gs.Saltelli(2048), workers=1)


# --- sensitivity ------------------------------------------------------------------------------------------------------


def test_sobol_indices_are_those_of_ishigami(ishigami_sweep):
    # closed forms for a = 7, b = 0.1: Ishigami and Homma 1990
    v1, v2, v13 = 0.5 * (1 + 0.1 * np.pi**4 / 5) ** 2, 49 / 8, 0.01 * np.pi**8 * (1 / 18 - 1 / 50)
    variance = v1 + v2 + v13
    found = ishigami_sweep.sensitivity("ishigami")
    assert found["name"].values.tolist() == ["x1", "x2", "x3"]
    for label, exact in (("first", [v1, v2, 0.0]), ("total", [v1 + v13, v2, v13])):
        assert np.allclose(found[label], np.array(exact) / variance, atol=0.02)
        assert (np.abs(found[label] - np.array(exact) / variance) < 2 * found[f"{label}_error"] + 1e-3).all()


def test_indices_are_found_along_a_grid_without_failed_points():
    def product(parameters):
        if parameters["x1"] > 0.99:
            raise ValueError("too much")
        return {"y": np.array([parameters["x1"], parameters["x3"] * parameters["x2"]]), "one": 1.0}

    over = {"x3": [1.0, 2.0], "x1": gs.uniform(0, 1), "x2": gs.uniform(0, 1)}
    found = gs.sweep(numbers_only(), over, product, points=gs.Saltelli(256), workers=1)
    with pytest.warns(GyrostatWarning, match="samples of 'y' are left out: a point of theirs failed"):
        indices = found.sensitivity("y")
    assert indices["first"].dims == ("name", "x3", "y_entry")
    assert np.allclose(indices["first"].sel(name="x1").values, [[1, 0]] * 2, atol=0.1)
    assert np.allclose(indices["total"].sel(name="x2").values, [[0, 1]] * 2, atol=0.1)
    with pytest.warns(GyrostatWarning):
        assert (found.sensitivity("one")["total"] == 0).all()


def test_indices_need_their_design_and_enough_points():
    found = gs.sweep(numbers_only(), {"x1": [1.0]}, lambda parameters: {"y": 1.0})
    with pytest.raises(gs.StateError, match=r"Sweep with points=gs.Saltelli\(1024\)"):
        found.sensitivity("y")
    few = gs.sweep(numbers_only(), {"x1": gs.uniform(0, 1)}, lambda parameters: {"y": 1.0}, points=gs.Saltelli(8))
    with pytest.raises(gs.StateError, match="in only 8 of 8 sets of samples; 16 are needed"):
        few.sensitivity("y")


# --- plots ------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def grid(pendulum):
    over = {"m2": [0.5, 1.0, 2.0], "a1": np.linspace(0, 1, 4)}
    return gs.sweep(pendulum, over, gs.Simulation(0.2, step=0.1, outputs=["last(a2)", "bar2.tip"]), workers=1)


def test_two_axes_are_drawn_as_a_map(grid, tmp_path):
    pytest.importorskip("matplotlib")
    (axes,) = grid.plot("last(a2)", path=tmp_path / "map.png")
    (mesh,) = axes.collections
    assert np.allclose(mesh.get_array(), grid["last(a2)"].values.T)
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("m2", "a1 (rad)")
    assert (tmp_path / "map.png").stat().st_size > 1000


def test_other_axes_are_fixed_at_their_nearest_value(grid):
    pytest.importorskip("matplotlib")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 2)
    grid.plot("last(a2)", m2=1.1, axes=axes[0])
    (line,) = axes[0].lines
    assert (line.get_ydata() == grid["last(a2)"].sel(m2=1.0).values).all()
    grid.plot("bar2.tip", m2=2, time=0.2, axes=axes[1])
    assert [line.get_label() for line in axes[1].lines] == ["x", "y", "z"]
    axes[0].clear()
    grid.plot("bar2.tip", m2=2, axis="y", time=0.1, axes=axes[0])
    assert (axes[0].lines[0].get_ydata() == grid["bar2.tip"].sel(m2=2, axis="y", time=0.1).values).all()
    pyplot.close(figure)


def test_samples_are_drawn_as_points_over_each_name(ishigami_sweep, tmp_path):
    pytest.importorskip("matplotlib")
    axes = ishigami_sweep.plot(path=tmp_path / "points.svg", dark=True)
    assert [one.get_xlabel() for one in axes] == ["x1", "x2", "x3"]


def scattered_over_a_grid():
    def product(parameters):
        return parameters["x1"] * parameters["x2"]

    over = {"x1": [1.0, 2.0], "x2": gs.uniform(0, 1)}
    return gs.sweep(numbers_only(), over, product, points=gs.LatinHypercube(4))


def test_plots_that_cannot_be_drawn_are_refused(grid):
    pytest.importorskip("matplotlib")
    with pytest.raises(gs.PictureError, match="Fix all but two of them"):
        grid.plot("bar2.tip")
    with pytest.raises(gs.StateError, match="has no axis 'm3' to be fixed"):
        grid.plot("last(a2)", m3=1)
    with pytest.raises(gs.StateError, match="The axis 'axis' has no 'w'"):
        grid.plot("bar2.tip", axis="w")
    with pytest.raises(gs.PictureError, match=r"'product' goes along x1 and sample\. Fix the one that is a grid"):
        scattered_over_a_grid().plot("product")
    with pytest.raises(gs.PictureError, match="is a single number here"):
        grid.plot("last(a2)", m2=1, a1=1)
    with pytest.raises(gs.PictureError, match="2 axes were given, but there are 1 panels"):
        grid.plot("last(a2)", axes=[None, None])


# --- progress ---------------------------------------------------------------------------------------------------------


def test_progress_tells_rate_and_time_left(pendulum, monkeypatch):
    monkeypatch.setattr("gyrostat.progress.INTERVAL", 0.0)
    states = []
    gs.sweep(pendulum, {"m1": np.arange(40.0)}, sweep_functions.picky_square, workers=1, progress=states.append)
    assert states[-1].done == states[-1].total == 40
    assert states[-1].failed == 1
    assert states[-1].seconds_left == 0
    assert states[-1].rate > 0
    assert [state.done for state in states] == sorted(state.done for state in states)
    half = gs.SweepProgress(done=30, total=50, failed=2, reused=10, seconds=4.0)
    assert str(half) == "30 of 50 points, 2 failed, 5/s, 4 s left"
    assert gs.SweepProgress(10, 50, 0, 10, 0.0).seconds_left == np.inf


def test_a_line_on_the_terminal_comes_and_goes(pendulum, monkeypatch, capsys):
    monkeypatch.setattr("gyrostat.progress.INTERVAL", 0.0)
    monkeypatch.setattr("gyrostat.progress.PATIENCE", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    gs.sweep(pendulum, {"m1": np.arange(40.0)}, sweep_functions.square, workers=1, progress=True)
    shown = capsys.readouterr().err
    assert "sweep: 40 of 40 points" in shown
    assert shown.endswith("\x1b[2K")


# --- other analyses ---------------------------------------------------------------------------------------------------


def test_equilibria_are_those_of_single_calls(pendulum):
    """To rounding: on some processors code in SIMD lanes differs from scalar code by one unit in the last place."""
    analysis = gs.EquilibriumAnalysis({"a1": 0.1}, outputs=["a1", "bar2.tip"])
    found = gs.sweep(pendulum, {"m2": [0.5, 1.5], "motor": [0.0, 1.0]}, analysis)
    one = gs.equilibrium(pendulum, {"a1": 0.1}, parameters={"m2": 1.5}, inputs={"motor": 1.0})
    at = found.dataset.sel(m2=1.5, motor=1.0)
    assert float(at["equilibrium(a1)"]) == pytest.approx(one["a1"], rel=1e-15, abs=1e-17)
    assert at["equilibrium(bar2.tip)"].values == pytest.approx(one["bar2.tip"], rel=1e-15, abs=1e-17)
    assert (found["stable"] == 1).all()


def test_modes_are_those_of_single_calls(pendulum):
    found = gs.sweep(pendulum, {"m2": [0.5, 1.5]}, gs.ModalAnalysis({"a1": 0.0}))
    at = gs.equilibrium(pendulum, {"a1": 0.0}, parameters={"m2": 1.5})
    modes = gs.linearize(pendulum, at, parameters={"m2": 1.5}).modes()
    assert np.allclose(found["frequency"].sel(m2=1.5).values[::2], modes.frequencies, rtol=1e-12)
    assert found["frequency"].attrs["units"] == "Hz"
    assert np.allclose(found["damping_ratio"], 0, atol=1e-9)


def test_kinematics_are_those_of_single_calls():
    model = gs.Model.load("examples/quick_return.yaml")
    system = gs.formulate(model)
    name = next(iter(model.parameters))
    value = model.values()[name]
    outputs = ["guide_ram", gs.Maximum("guide_ram"), lambda run: float(run.time[-1])]
    analysis = gs.KinematicAnalysis(1.0, step=0.25, outputs=outputs)
    found = gs.sweep(system, {name: [value, 1.01 * value, 100 * value]}, analysis)
    one = gs.kinematics(system, 1.0, step=0.25, parameters={name: 1.01 * value})
    assert (found["guide_ram"].values[1] == one["guide_ram"].values).all()
    assert found["maximum(guide_ram)"].values[1] == one["guide_ram"].values.max()
    assert found["<lambda>"].values[1] == 1.0
    assert found.dataset["status"].values.tolist() == [1, 1, 2]
    assert "parameter 'link_start': acos" in found.failures[0].reason


def test_kinematics_of_what_drivers_do_not_move(pendulum):
    """Inputs mean nothing to them; where a linkage stops, its status is the reason."""
    analysis = gs.KinematicAnalysis(1.0, step=0.5, outputs=["a1"])
    with pytest.raises(gs.StateError, match="kinematic analysis does not depend on the input 'motor'"):
        gs.sweep(pendulum, {"motor": [0.0, 1.0]}, analysis)
    model = gs.Model("crank", parameters={"rod": 2.0})
    model.add(gs.Body("crank", gs.rod(1, 1, along="x"), points={"a": (-0.5, 0, 0), "b": (0.5, 0, 0)}))
    model.add(gs.Body("slider", gs.point_mass(1)))
    model.add(gs.Revolute("turn", "ground", "crank.a", driven="2*pi*t"))
    model.add(gs.Prismatic("slide", "ground", "slider", axis="x", initial=3.0))
    model.add(gs.Distance("link", "crank.b", "slider", length="rod"))
    found = gs.sweep(model, {"rod": [2.0, 0.5]}, gs.KinematicAnalysis(1.0, step=0.125, outputs=["slide"]))
    (failure,) = found.failures
    assert (failure.number, failure.reason.split(",")[0]) == (1, gs.Outcome.NOT_CLOSED.value)


def test_outputs_of_one_name_are_refused(pendulum):
    with pytest.raises(gs.StateError, match=r"Two outputs are called 'last\(a1\)'\. Give each a name"):
        gs.sweep(pendulum, {"m1": [1, 2]}, gs.Simulation(0.1, outputs=["last(a1)", gs.Last("a1")]))


def test_functions_of_runs_that_fail_are_not_asked(pendulum):
    """The variables of a function are unknown unless one motion succeeds."""
    analysis = gs.Simulation(0.5, outputs={"end": lambda run: float(run.time[-1])}, inputs={"motor": "1/(0.1 - t)**3"})
    with pytest.raises(
        gs.StateError, match=r"fails at the first 2 points, .*: the step became too small, t = 0\.\d+ s"
    ):
        gs.sweep(pendulum, {"m1": [1.0, 2.0]}, analysis)


def test_functions_take_what_they_name(pendulum):
    def everything(system, parameters, initial, inputs):
        return {"sum": parameters["m1"] + initial["a1"] + inputs["motor"], "speeds": float(len(system.speed_names))}

    found = gs.sweep(pendulum, {"m1": [1.0], "a1": [2.0], "motor": [4.0]}, everything)
    assert (found["sum"].item(), found["speeds"].item()) == (7.0, 2.0)
    with pytest.raises(gs.StateError, match=r"takes 'mass'\. A sweep gives system, parameters, initial and inputs"):
        gs.sweep(pendulum, {"m1": [1.0]}, lambda mass: mass)


def test_functions_must_give_numbers_of_one_shape(pendulum):
    with pytest.raises(gs.StateError, match=r"fails at the first 2 points.*ZeroDivisionError"):
        gs.sweep(pendulum, {"m1": [1.0, 2.0]}, lambda parameters: 1 / 0)
    with pytest.raises(gs.StateError, match=r"'y' of the analysis is 'text'\. Return numbers"):
        gs.sweep(pendulum, {"m1": [1.0]}, lambda parameters: {"y": "text"})
    found = gs.sweep(pendulum, {"m1": [1.0, 2.0]}, lambda parameters: {"y": np.zeros(int(parameters["m1"]))})
    assert "has shape (2,) here and (1,) at the first point" in found.failures[0].reason
    found = gs.sweep(pendulum, {"m1": [1.0, 2.0]}, lambda parameters: {"y" if parameters["m1"] < 2 else "z": 1.0})
    assert "gives no 'y' here" in found.failures[0].reason


def test_functions_are_recognised_by_what_they_do():
    def scaled(factor):
        return lambda x: factor * x

    assert fingerprint(scaled(2)) == fingerprint(scaled(2))
    assert fingerprint(scaled(2)) != fingerprint(scaled(3))
    assert fingerprint(lambda x: x + 1) != fingerprint(lambda x: x + 2)


def test_axes_of_results_do_not_take_swept_names():
    layout = Layout((ResultVariable("y", ("m1",), (2,)),), {"m1": np.arange(2)})
    with pytest.raises(gs.StateError, match="The swept name 'm1' is also the name of an axis of the results"):
        layout.require_unique_names(("m1",))
