"""Worker processes: points of dead workers run again, and points that kill workers are identified."""

import json
import queue
import subprocess
import sys
import time
from dataclasses import replace

import numpy as np
import pytest
import sweep_functions

import gyrostat as gs
from gyrostat.analysis.sweeps import execution, job, pool, staff
from gyrostat.analysis.sweeps.layout import Layout
from gyrostat.analysis.sweeps.points import Points
from gyrostat.analysis.sweeps.targets import Targets

OVER = {"m1": np.arange(1.0, 41.0)}


def test_the_points_of_a_killed_worker_run_again(pendulum, tmp_path, monkeypatch):
    monkeypatch.setenv(sweep_functions.FLAG, str(tmp_path / "died"))
    found = gs.sweep(pendulum, OVER, sweep_functions.dies_once, workers=2)
    assert (tmp_path / "died").exists()
    assert found.complete
    assert not found.failures
    assert (found["dies_once"].values == OVER["m1"] ** 2).all()


def test_a_point_that_kills_its_workers_fails_alone(pendulum):
    # the first point tells what the function gives, in this process
    found = gs.sweep(pendulum, {"m1": np.arange(1.0, 13.0)}, sweep_functions.dies_at_seven, workers=2)
    assert [failure.values for failure in found.failures] == [{"m1": 7.0}]
    assert "the worker process died 2 times at this point" in found.failures[0].reason
    good = found["square"].dropna("m1")
    assert (good.values == good["m1"].values ** 2).all()
    assert good.size == 11


def test_errors_of_functions_are_reasons(pendulum):
    found = gs.sweep(pendulum, {"m1": np.arange(1.0, 9.0)}, sweep_functions.picky_square, workers=1)
    assert str(found.failures[0]) == "point 4 (m1 = 5): ZeroDivisionError: five is not allowed"
    assert len(found.failures) == 1


def test_functions_of_a_session_travel_only_with_cloudpickle(pendulum, monkeypatch):
    pytest.importorskip("cloudpickle")
    shift = 3.0
    found = gs.sweep(pendulum, {"m1": [1.0, 2.0]}, lambda parameters: parameters["m1"] + shift, workers=2)
    assert found["lambda"].values.tolist() == [4.0, 5.0]
    original = job.importlib.import_module

    def barred(name):
        if name == "cloudpickle":
            raise ImportError
        return original(name)

    monkeypatch.setattr(job.importlib, "import_module", barred)
    with pytest.raises(gs.StateError, match=r"cannot be sent to other processes.*gyrostat\[cluster\]"):
        gs.sweep(pendulum, {"m1": [1.0, 2.0]}, lambda parameters: parameters["m1"] + shift, workers=2)


def test_where_nobody_asked_for_processes_one_that_cannot_travel_stays_here(pendulum, monkeypatch):
    monkeypatch.setattr(execution, "processors", lambda: 2)
    monkeypatch.setattr(execution, "_TRIAL_DURATION", 0.0)
    monkeypatch.setattr(execution, "_LEAST_WORK", 0.0)

    def refused(job):
        raise gs.StateError("No way.")

    monkeypatch.setattr("gyrostat.analysis.sweeps.sweeping.packed", refused)
    with pytest.warns(gs.program.warning.GyrostatWarning, match="runs in this process alone. No way"):
        found = gs.sweep(pendulum, OVER, sweep_functions.square)
    assert found.complete


def test_work_that_takes_long_is_given_to_processes(pendulum, monkeypatch):
    begun = []
    monkeypatch.setattr(execution, "processors", lambda: 2)
    monkeypatch.setattr(execution, "_LEAST_WORK", 0.01)
    monkeypatch.setattr(execution, "_TRIAL_DURATION", 0.01)
    original = pool.Pool.run
    monkeypatch.setattr(pool.Pool, "run", lambda self, tasks: begun.append(1) or original(self, tasks))
    found = gs.sweep(pendulum, OVER, sweep_functions.slow_square)
    assert begun
    assert (found["slow_square"].values == OVER["m1"] ** 2).all()


def test_workers_that_cannot_begin_are_explained(pendulum, monkeypatch):
    real = job.Job.of
    monkeypatch.setattr(job.Job, "of", staticmethod(lambda *given: replace(real(*given), version="0.0.0")))
    with pytest.raises(gs.StateError, match=r"could not begin the sweep: StateError: The sweep was sent by gyrostat 0"):
        gs.sweep(pendulum, OVER, sweep_functions.square, workers=2)


def test_what_arrives_must_be_what_was_sent(pendulum):
    """A model that says something else here than there is not swept."""
    analysis = gs.EquilibriumAnalysis()
    sent = job.Job.of(pendulum, analysis, Targets({}), Layout(()))
    assert callable(sent.solve)
    with pytest.raises(gs.StateError, match=r"has other coordinates than the one that was sent\. Sweep the model"):
        _ = replace(sent, names=("a1",)).solve
    with pytest.raises(gs.ModelError, match="bar9"):
        _ = replace(sent, model=sent.model.replace('"child": "bar2', '"child": "bar9')).solve
    with pytest.raises(gs.ModelError, match="Foil"):
        _ = replace(sent, model=sent.model.replace('"type": "Revolute"', '"type": "Foil"')).solve
    with pytest.raises(gs.StateError, match="components that are defined in the running script, which other processes"):
        job.packed(replace(sent, modules=("__main__",)))


def test_workers_that_die_at_once_end_the_sweep(pendulum, monkeypatch):
    monkeypatch.setattr(staff.sys, "executable", "/bin/false")
    with pytest.raises(gs.StateError, match="Worker processes end before they begin, with code 1"):
        gs.sweep(pendulum, OVER, sweep_functions.square, workers=2)


def test_workers_are_kept_for_the_next_sweep_unless_they_ran_code_of_the_user(pendulum, monkeypatch):
    started = []
    original = staff.subprocess.Popen

    def counted(*arguments, **options):
        started.append(original(*arguments, **options))
        return started[-1]

    monkeypatch.setattr(staff.subprocess, "Popen", counted)
    while staff._idle():
        staff._idle().pop().end()
    analysis = gs.Simulation(0.2, integrator=gs.Euler(step=1e-4), outputs=["last(a1)"], batched=False)
    over = {"m2": np.linspace(1, 2, 400)}
    first, second = (gs.sweep(pendulum, over, analysis, workers=2) for _ in range(2))
    assert len(started) == 1
    assert started[0].poll() is None
    assert first.dataset.equals(second.dataset)
    gs.sweep(pendulum, OVER, sweep_functions.square, workers=2)
    assert len(started) == 3
    assert [process.poll() is None for process in started] == [True, False, False]
    started[0].kill()  # while it is idle
    started[0].wait()
    assert gs.sweep(pendulum, over, analysis, workers=2).complete
    assert len(started) == 4


def test_a_worker_that_gets_ready_does_not_end_the_sweep(pendulum, monkeypatch):
    """What a worker says may come between any two tasks of this process, here always before the first."""
    original = staff.hired

    def hired_and_ready(data, replies, *, fresh):
        worker = original(data, replies, fresh=fresh)
        while replies.empty():
            time.sleep(0.01)
        return worker

    monkeypatch.setattr(pool, "hired", hired_and_ready)
    found = gs.sweep(pendulum, OVER, gs.Simulation(0.1, outputs=["last(a1)"]), workers=2)
    assert found.complete


def test_processes_start_while_the_model_is_formulated(pendulum, monkeypatch):
    while staff._idle():
        staff._idle().pop().end()
    seen = []

    def formulated(model):
        seen.extend(worker.process.poll() is None and worker.fresh for worker in staff._idle())
        return pendulum

    monkeypatch.setattr("gyrostat.analysis.sweeps.sweeping.system_of", formulated)
    assert gs.sweep(pendulum.model, OVER, gs.Simulation(0.1, outputs=["last(a1)"]), workers=2).complete
    assert seen == [True]


def test_what_is_no_sweep_starts_no_process(pendulum, monkeypatch):
    while staff._idle():
        staff._idle().pop().end()
    with pytest.raises(gs.StateError, match="The sweep has no names"):
        gs.sweep(pendulum, {}, gs.Simulation(0.1), workers=2)
    gs.sweep(pendulum, {"m1": [1.0, 2.0]}, gs.Simulation(0.1, outputs=["last(a1)"]), workers=1)
    assert not staff._idle()


def test_a_job_that_cannot_be_sent_ends_its_process(pendulum):
    while staff._idle():
        staff._idle().pop().end()
    staff.prepare(1)
    (waiting,) = staff._idle()

    def refused():
        raise gs.StateError("No way.")

    with pytest.raises(gs.StateError, match="No way"):
        staff.hired(refused, queue.SimpleQueue(), fresh=True)
    assert waiting.process.poll() is not None
    assert not staff._idle()


def test_a_worker_that_died_unheard_is_heard_once():
    """A process may end after it was looked at and before anybody listens to it."""
    staff.prepare(len(staff._idle()) + 1)
    worker = staff._idle().pop()
    worker.process.kill()
    while not worker.ended:
        time.sleep(0.01)
    replies = queue.SimpleQueue()
    worker.begin(b"", replies)
    spoke, message = replies.get(timeout=1.0)
    assert spoke is worker
    assert isinstance(message, EOFError)
    assert replies.empty()
    worker.end()


def test_this_process_takes_small_parts_and_leaves_whole_tasks_to_workers():
    tasks = iter([points(0, 1000), points(1000, 1000)])
    shared = pool.Pool(lambda: b"", 2, Layout(()), own=lambda points: None)
    worker = staff.Worker(None)
    shared._workers.append(worker)
    shared._own_rate = 2000.0
    assert spans(shared._take_own(tasks)) == (0, 100)  # a worker may get ready any moment
    worker.ready = True
    assert spans(shared._take_own(tasks)) == (100, 400)
    assert spans(shared._take(tasks)) == (1000, 2000)
    shared._own_rate = 1.0
    assert spans(shared._take_own(tasks)) == (400, 416)  # as many as fill lanes
    assert spans(shared._take(tasks)) == (416, 1000)  # in the end workers help
    assert shared._take_own(tasks) is None
    assert shared._take(tasks) is None


def test_workers_import_what_a_job_needs():
    code = """
import importlib, json, sys
from gyrostat.analysis.sweeps import worker
few = [name for name in sys.modules if name.startswith("gyrostat")]
for name in (*worker._JOB_MODULES, "gyrostat.analysis.sweeps.simulation_solver"):
    importlib.import_module(name)
print(json.dumps([few, list(sys.modules)]))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    few, loaded = json.loads(done.stdout)
    assert len(few) == 5  # the packages on the way, and what imports their names
    assert not {"yaml", "scipy", "pandas", "xarray", "subprocess", "llvmlite", "casadi"} & set(loaded)
    sweeps = {name.rpartition(".")[2] for name in loaded if name.startswith("gyrostat.analysis.sweeps.")}
    assert not {"sweeping", "pool", "staff", "result", "rest_analyses", "kinematic_analysis"} & sweeps


def points(start, count):
    return Points(start, {"m1": np.arange(start, start + count, dtype=float)}, count)


def spans(found):
    assert (found.columns["m1"] == np.arange(found.start, found.stop)).all()
    return found.start, found.stop
