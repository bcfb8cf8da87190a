"""Simulations in sweeps equal single runs, in any process and order."""

import time

import numpy as np
import pytest
import sweep_functions
from simulations import ball, double_pendulum

import gyrostat as gs
from gyrostat.analysis.sweeps.layout import Layout, ResultVariable
from gyrostat.analysis.sweeps.runs import BatchedRuns, RepeatedRuns

GRID = {"m2": [0.5, 1.0, 2.0], "a1": np.linspace(-1.0, 1.0, 5)}
OUTPUTS = ("last(a1)", "a2", "bar2.tip", "maximum(bar2.tip.velocity)", "rms(a1.rate)", "mean(a1)", "minimum(a2)")
FIXED = [gs.Euler(step=2e-3), gs.RK2(step=5e-3), gs.RK4(step=7e-3), gs.RKF45(step=0.01), gs.DOP853(step=0.03)]


def single(system, *, parameters=None, initial=None, inputs=None, **settings):
    return gs.simulate(system, parameters=parameters, initial=initial, inputs=inputs, **settings)


def summaries(trajectory):
    """Return what OUTPUTS asks for, from a trajectory."""
    time = trajectory.time

    def mean(values):
        return np.sum(0.5 * np.diff(time) * (values[1:] + values[:-1])) / (time[-1] - time[0])

    return {
        "last(a1)": trajectory["a1"].values[-1],
        "a2": trajectory["a2"].values,
        "bar2.tip": trajectory["bar2.tip"].values,
        "maximum(bar2.tip.velocity)": trajectory["bar2.tip.velocity"].values.max(axis=0),
        "rms(a1.rate)": np.sqrt(mean(trajectory["a1.rate"].values ** 2)),
        "mean(a1)": mean(trajectory["a1"].values),
        "minimum(a2)": trajectory["a2"].values.min(),
    }


@pytest.mark.parametrize("step", [0.02, 0.3])
@pytest.mark.parametrize("method", FIXED, ids=lambda method: type(method).__name__)
def test_fixed_steps_without_batching_have_the_bits_of_single_runs(pendulum, method, step):
    analysis = gs.Simulation(1.0, step=step, integrator=method, outputs=OUTPUTS, batched=False)
    found = gs.sweep(pendulum, GRID, analysis, workers=1)
    one = single(pendulum, parameters={"m2": 2.0}, initial={"a1": -0.5}, duration=1.0, step=step, integrator=method)
    for name, expected in summaries(one).items():
        value = found[name].sel(m2=2.0, a1=-0.5).values
        if name.startswith(("mean", "rms")):  # summed in another order by the expectation
            assert value == pytest.approx(expected, rel=1e-13)
        else:
            assert (value == expected).all(), name


@pytest.mark.parametrize("method", [*FIXED, gs.DOP853(rtol=1e-9)], ids=lambda method: type(method).__name__)
def test_batched_and_variable_steps_agree_with_single_runs(pendulum, method):
    found = gs.sweep(pendulum, GRID, gs.Simulation(1.0, step=0.02, integrator=method, outputs=OUTPUTS), workers=1)
    for m2, a1 in ((0.5, 1.0), (1.0, 0.0), (2.0, -1.0)):
        one = single(pendulum, parameters={"m2": m2}, initial={"a1": a1}, duration=1.0, step=0.02, integrator=method)
        for name, expected in summaries(one).items():
            np.testing.assert_allclose(found[name].sel(m2=m2, a1=a1).values, expected, rtol=1e-11, atol=1e-12)


def test_fixed_steps_run_in_lanes_and_other_runs_again_and_again(pendulum, monkeypatch):
    calls = []
    for cls in (BatchedRuns, RepeatedRuns):
        original = cls.states

        def counted(self, rows, original=original, cls=cls):
            calls.append(cls.__name__)
            return original(self, rows)

        monkeypatch.setattr(cls, "states", counted)
    gs.sweep(pendulum, GRID, gs.Simulation(0.1, integrator=gs.RK4(step=0.01)), workers=1)
    assert set(calls) == {"BatchedRuns"}
    calls.clear()
    gs.sweep(pendulum, GRID, gs.Simulation(0.1, integrator=gs.RK4(step=0.01), batched=False), workers=1)
    gs.sweep(pendulum, GRID, gs.Simulation(0.1), workers=1)
    assert calls == ["RepeatedRuns"] * 30


@pytest.mark.parametrize("batched", [True, False])
def test_order_and_number_of_workers_do_not_matter(pendulum, batched, monkeypatch):
    over = {"m2": np.linspace(0.5, 2, 13), "a1": np.linspace(-1, 1, 7)}
    analysis = gs.Simulation(0.5, integrator=gs.RK4(step=0.01), outputs=["last(a1)", "bar2.tip.x"], batched=batched)
    one = gs.sweep(pendulum, over, analysis, workers=1)
    monkeypatch.setattr(gs.Simulation, "runs_foreign_code", lambda self: not batched)  # all of it by others, or not
    two = gs.sweep(pendulum, over, analysis, workers=2)
    backwards = gs.sweep(pendulum, {name: values[::-1] for name, values in over.items()}, analysis, workers=1)
    assert two.complete
    assert not two.failures
    for name in one.names:
        assert (one[name].values == two[name].values).all()
        assert (one[name].values == backwards[name].sortby(["m2", "a1"]).values).all()


def test_inputs_are_swept_as_numbers_and_formulas(pendulum):
    analysis = gs.Simulation(0.5, outputs=["last(a1)"], integrator=gs.RK4(step=0.01))
    numbers = gs.sweep(pendulum, {"motor": [0.0, 1.0, 2.0]}, analysis)
    texts = gs.sweep(pendulum, {"motor": ["0", "1.0", "-a1.rate", "sin(t)"]}, analysis)
    assert texts["last(a1)"].sel(motor="1.0") == pytest.approx(float(numbers["last(a1)"].sel(motor=1.0)), rel=1e-12)
    one = single(pendulum, inputs={"motor": "sin(t)"}, duration=0.5, integrator=gs.RK4(step=0.01))
    assert texts["last(a1)"].sel(motor="sin(t)") == one.q[-1, 0]


@pytest.mark.parametrize("kind", ["linear", "cubic", "previous"])
def test_tables_and_formulas_are_inputs_of_batched_runs(pendulum, kind):
    table = gs.Table([0.0, 0.133, 0.301, 0.5], [0.0, 2.0, -1.0, 1.0], kind)
    settings = {"step": 0.05, "integrator": gs.RK4(step=0.01)}
    for inputs in ({"motor": table}, {"motor": "m2*cos(3*t) - a1.rate"}):
        analysis = gs.Simulation(0.5, inputs=inputs, outputs=["a1", "motor"], **settings)
        found = gs.sweep(pendulum, {"m2": [0.5, 1.5]}, analysis, workers=1)
        one = single(pendulum, parameters={"m2": 1.5}, inputs=inputs, duration=0.5, **settings)
        for name in ("a1", "motor"):
            np.testing.assert_allclose(found[name].sel(m2=1.5).values, one[name].values, rtol=1e-12, atol=1e-14)


def tumbling():
    model = gs.Model("tumbling", parameters={"s": 1.0})
    model.add(gs.Body("box", gs.box("s", (0.3, 0.2, 0.1)), points={"corner": (0.15, 0.1, 0.05)}))
    model.add(gs.Free("f", "ground", "box"))
    return model


@pytest.mark.parametrize("update", list(gs.RotationUpdate), ids=lambda update: update.name)
def test_rotations_are_turned_in_batches_as_in_single_runs(update):
    system = gs.formulate(tumbling())
    start = {"f.w1": 3.0, "f.w3": 0.1}
    method = gs.RK4(step=0.01, rotations=update)
    outputs = ["box.quaternion", "last(box.corner)"]
    analysis = gs.Simulation(1.0, step=0.03, initial=start, integrator=method, outputs=outputs)
    found = gs.sweep(system, {"f.w2": [-1.0, 2.0, 4.0], "s": [1.0, 2.0]}, analysis, workers=1)
    one = single(system, initial={**start, "f.w2": 4.0}, duration=1.0, step=0.03, integrator=method)
    assert (found["box.quaternion"].isel(time=0).values == [1, 0, 0, 0]).all()  # signs are chosen run by run
    at = found.dataset.sel({"f.w2": 4.0, "s": 1.0})
    np.testing.assert_allclose(at["box.quaternion"].values, one["box.quaternion"].values, atol=1e-13)
    np.testing.assert_allclose(at["last(box.corner)"].values, one["box.corner"].values[-1], atol=1e-13)


def test_parameters_and_initial_values_that_follow_from_the_swept_change_with_them():
    model = gs.Model("pendulum", gravity=(0, -9.81, 0), parameters={"l": 1.0, "m": "2*l", "start": "0.1*l"})
    model.add(gs.Body("bar", gs.rod("m", "l", along="y"), points={"top": (0, "l/2", 0)}))
    model.add(gs.Revolute("a1", "ground", "bar.top", initial="start"))
    system = gs.formulate(model)
    analysis = gs.Simulation(1, outputs=["last(a1)"], integrator=gs.RK4(step=0.01))
    found = gs.sweep(system, {"l": [0.5, 1.0, 2.0]}, analysis, workers=1)
    for length in (0.5, 2.0):
        one = single(system, parameters={"l": length}, duration=1, integrator=gs.RK4(step=0.01))
        assert found["last(a1)"].sel(l=length) == pytest.approx(one.q[-1, 0], rel=1e-12)


def test_events_stop_runs_and_give_their_times():
    drop = gs.Event("ground", when="z", direction="falling", action=gs.Stop())
    top = gs.Event("top", when="z.rate", direction="falling")
    analysis = gs.Simulation(
        5.0, step=0.5, initial={"z.rate": 2.0}, events=[drop, top],
        outputs={"lands": gs.EventTime("ground"), "tops": gs.EventCount("top"), "end": "end", "z": gs.Last("z"),
                 "height": "z", "first": gs.EventTime("ground", "top"), "never": gs.EventTime("top")},
    )  # fmt: skip
    found = gs.sweep(ball(), {"g": [5.0, 9.81], "z.rate": [2.0, -1.0]}, analysis)
    at = found.dataset.sel({"g": 5.0, "z.rate": 2.0})
    assert at["lands"] == pytest.approx(0.8)
    assert at["end"] == pytest.approx(0.8)
    assert at["first"] == pytest.approx(0.4)
    assert at["tops"] == 1
    assert abs(float(at["z"])) < 1e-12
    assert np.isfinite(at["height"].values).sum() == 2  # at 0 and 0.5 s
    assert np.isnan(found["never"].sel({"g": 5.0, "z.rate": -1.0}))


def test_closed_loops_are_assembled_at_every_point():
    model = gs.Model.load("examples/four_bar.yaml")
    system = gs.formulate(model)
    name = next(iter(model.parameters))
    values = [model.values()[name], 1.02 * model.values()[name]]
    output = system.coordinate_names[0]
    found = gs.sweep(system, {name: values}, gs.Simulation(0.2, step=0.1, outputs=[output]))
    one = single(system, parameters={name: values[1]}, duration=0.2, step=0.1)
    assert (found[output].values[1] == one[output].values).all()


def test_functions_of_the_trajectory_give_numbers_and_labelled_arrays(pendulum):
    def swing(trajectory):
        return float(trajectory["a1"].max() - trajectory["a1"].min())

    analysis = gs.Simulation(
        0.5, step=0.1, outputs={"swing": swing, "tip": lambda run: run["bar2.tip"].mean("time"), "end": gs.Last("a1")}
    )
    found = gs.sweep(pendulum, {"a1": [0.1, 0.5]}, analysis)
    one = single(pendulum, initial={"a1": 0.5}, duration=0.5, step=0.1)
    assert found.names == ["swing", "tip", "end"]
    assert found["swing"].sel(a1=0.5) == swing(one)
    assert found["tip"].dims == ("a1", "axis")
    assert (found["tip"].sel(a1=0.5).values == one["bar2.tip"].mean("time").values).all()


def test_a_point_that_fails_is_recorded_with_its_reason(pendulum):
    over = {"g": [9.81, 1e9], "m2": [1.0, 0.0]}
    found = gs.sweep(
        pendulum, over, gs.Simulation(10.0, integrator=gs.Euler(step=0.05), outputs=["last(a1)"]), workers=1
    )
    bad = found.dataset["status"].values == gs.PointStatus.FAILED
    assert found.complete
    assert bad.any()
    assert not bad.all()
    assert (np.isnan(found["last(a1)"].values) == bad).all()
    assert ((found.dataset["reason"].values != "") == bad).all()
    failure = found.failures[0]
    one = gs.formulate(double_pendulum())
    with pytest.warns(gs.program.warning.GyrostatWarning) as caught:
        gs.simulate(one, 10.0, parameters=failure.values, integrator=gs.Euler(step=0.05))
    assert failure.reason.partition(": ")[2] in str(caught[0].message)
    assert "failed: point" in str(found)


def test_the_dataset_is_labelled_by_what_is_swept(pendulum):
    found = gs.sweep(pendulum, GRID, gs.Simulation(0.1, step=0.05, outputs=["bar2.tip", "last(a1)"]))
    assert found["bar2.tip"].dims == ("m2", "a1", "time", "axis")
    assert found["bar2.tip"].attrs == {"units": "m", "long_name": "position of bar2.tip"}
    assert found["last(a1)"].attrs == {"units": "rad", "long_name": "last value of angle a1"}
    assert found.dataset["a1"].attrs["units"] == "rad"
    assert found.dataset["status"].attrs["flag_meanings"] == "not_run done failed"
    with pytest.raises(gs.StateError, match="The sweep has no variable 'last\\(a2\\)'"):
        found["last(a2)"]


@pytest.mark.parametrize(
    ("analysis", "message"),
    [
        (lambda: gs.Simulation(1, outputs=["a9"]), "There is no output 'a9'"),
        (lambda: gs.Simulation(1, outputs="a1"), "Give a list of them"),
        (lambda: gs.Simulation(1, outputs=[3]), "3 is no output"),
        (lambda: gs.Simulation(1, outputs=["median(a1)"]), "There is no summary 'median'"),
        (lambda: gs.Simulation(1, outputs=["last(a1)", gs.Last("a1")]), "Two outputs are called 'last\\(a1\\)'"),
        (lambda: gs.Simulation(1, outputs=["m2"]), "'m2' has a name that is in use in the results"),
        (lambda: gs.Simulation(1, outputs={"m2": "a1"}), "'m2' has a name that is in use in the results"),
        (lambda: gs.Simulation(1, outputs={"status": "a1"}), "'status' has a name that is in use"),
        (lambda: gs.Simulation(1, outputs=["time(flip)"]), "There is no event 'flip' for a time"),
        (lambda: gs.Simulation(1, initial={"a9": 1}), "There is no coordinate or speed 'a9'"),
        (lambda: gs.Simulation(1, inputs={"engine": 1}), "There is no input 'engine'"),
        (lambda: gs.Simulation(1, parameters={"m9": 1}), "there is no such parameter"),
        (lambda: gs.Simulation(), "Give either a duration or the times"),
        (lambda: gs.Simulation(1, integrator="rk4"), "The integrator is 'rk4'"),
        (lambda: gs.Simulation(1, events=gs.Event("e", "a1")), "Events are given as a list"),
        (lambda: 3, "The analysis is 3. Use gs.Simulation"),
    ],
)
def test_bad_settings_are_refused_before_anything_runs(pendulum, analysis, message):
    with pytest.raises(gs.GyrostatError, match=message):
        gs.sweep(pendulum, {"m2": [1.0]}, analysis())


def test_names_of_variables_are_unique():
    with pytest.raises(gs.StateError, match=r"Two outputs are called 'height'\. Give each a name: outputs="):
        Layout((ResultVariable("height"), ResultVariable("height"))).require_unique_names(())


def test_ctrl_c_in_a_function_of_a_point_ends_the_sweep(pendulum):
    def motor(t):
        raise KeyboardInterrupt

    analysis = gs.Simulation(1, inputs={"motor": motor}, outputs={"height": lambda run: 1.0})
    with pytest.raises(KeyboardInterrupt):
        gs.sweep(pendulum, {"m2": [1.0, 2.0]}, analysis, workers=1)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_point_that_sleeps_ends(pendulum, workers):
    inputs = {"motor": sweep_functions.sleeps_if_heavy}
    analysis = gs.Simulation(0.1, inputs=inputs, outputs=["last(a1)"], most_seconds=6.0)
    began = time.perf_counter()
    found = gs.sweep(pendulum, {"m2": [1.0, 2.0]}, analysis, workers=workers)
    assert time.perf_counter() - began < 60
    assert found.dataset["status"].values.tolist() == [1, 2]
    assert found.failures[0].reason.startswith("the budget is exhausted, t = 0 s: the budget of 6 s of computation is ")


@pytest.mark.parametrize(
    "settings",
    [{}, {"batched": False}, {"integrator": gs.RK4(step=1e-3)}, {"events": [gs.Event("up", "a1 - 9")]}],
    ids=["together", "repeated", "in lanes", "one by one"],
)
def test_points_that_need_more_steps_than_allowed_fail(pendulum, settings):
    over = {"m2": [1.0, 2.0]}
    within = gs.sweep(pendulum, over, gs.Simulation(1, most_steps=5000, outputs=["last(a1)"], **settings), workers=1)
    assert within.count(gs.PointStatus.DONE) == 2
    beyond = gs.sweep(pendulum, over, gs.Simulation(1, most_steps=3, outputs=["last(a1)"], **settings), workers=1)
    assert beyond.count(gs.PointStatus.FAILED) == 2
    assert "the budget of 3 steps is exhausted after" in beyond.failures[0].reason


def test_the_budget_belongs_to_the_sweep(pendulum):
    assert "most_steps" not in gs.Simulation(1).plain()
    assert gs.Simulation(1, most_steps=3).plain()["most_steps"] == 3
    with pytest.raises(gs.StateError, match=r"most_steps is 0\. Give a whole number of steps, 1 or more"):
        gs.Simulation(1, most_steps=0)


def test_a_name_is_not_swept_and_an_output_over_time_at_once(pendulum):
    with pytest.raises(gs.StateError, match="The output 'a1' has a name that is in use"):
        gs.sweep(pendulum, {"a1": [1.0]}, gs.Simulation(1, outputs=["a1"]))
    found = gs.sweep(pendulum, {"a1": [1.0]}, gs.Simulation(1, step=0.5, outputs={"angle": "a1"}))
    assert found["angle"].dims == ("a1", "time")


@pytest.mark.parametrize("workers", [0, 1.5, True])
def test_a_bad_number_of_workers_is_refused(pendulum, workers):
    with pytest.raises(gs.StateError, match="Give a number of processes, 1 or more"):
        gs.sweep(pendulum, {"m2": [1.0]}, gs.Simulation(1), workers=workers)


def test_a_point_without_a_state_to_begin_with_fails_alone():
    model = gs.Model("pendulum", gravity=(0, -9.81, 0), parameters={"l": 1.0, "m": "sqrt(l - 0.7)"})
    model.add(gs.Body("bar", gs.rod("m", "l", along="y"), points={"top": (0, "l/2", 0)}))
    model.add(gs.Revolute("a1", "ground", "bar.top"))
    found = gs.sweep(model, {"l": [0.5, 1.0, 2.0]}, gs.Simulation(0.1, integrator=gs.RK4(step=0.01)), workers=1)
    assert found.dataset["status"].values.tolist() == [2, 1, 1]
    assert "parameter 'm': sqrt(l - 0.7) has no value" in found.failures[0].reason


def test_an_output_without_a_value_fails_its_point_alone():
    model = gs.Model("pendulum", gravity=(0, -9.81, 0), parameters={"l": 1.0, "d": 1.0})
    points = {"top": (0, "l/2", 0), "mark": (0, "1/d", 0)}
    model.add(gs.Body("bar", gs.rod(1, "l", along="y"), points=points))
    model.add(gs.Revolute("a1", "ground", "bar.top"))
    analysis = gs.Simulation(0.1, integrator=gs.RK4(step=0.01), outputs=["last(bar.mark.y)"])
    found = gs.sweep(model, {"d": [1.0, 0.0, 2.0, 4.0]}, analysis, workers=1)
    assert found.dataset["status"].values.tolist() == [1, 2, 1, 1]
    assert found["last(bar.mark.y)"].values[[0, 2, 3]] == pytest.approx([0.5, 0.0, -0.25])
