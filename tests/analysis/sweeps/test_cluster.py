"""Sweeps on a real Dask cluster of two processes on this machine, one of them killed in the middle."""

import logging
import os
from dataclasses import replace

import numpy as np
import pytest
import sweep_functions

import gyrostat as gs
from gyrostat.analysis.sweeps import cluster, job

OVER = {"m1": np.arange(1.0, 41.0)}

pytestmark = pytest.mark.filterwarnings("default")


@pytest.fixture(scope="module")
def local_cluster(tmp_path_factory):
    distributed = pytest.importorskip("dask.distributed", reason="the extra cluster is not installed")
    flag = tmp_path_factory.mktemp("flag") / "died"
    os.environ[sweep_functions.FLAG] = str(flag)
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address="127.0.0.1:0",
        silence_logs=logging.CRITICAL,
    ) as running:  # fmt: skip
        running.flag = flag
        yield running
    del os.environ[sweep_functions.FLAG]


def test_a_cluster_loses_nothing_when_a_worker_is_killed(pendulum, local_cluster):
    found = gs.sweep(pendulum, OVER, sweep_functions.dies_once, scheduler=local_cluster.scheduler_address)
    assert local_cluster.flag.exists()
    assert found.complete
    assert not found.failures
    assert (found["dies_once"].values == OVER["m1"] ** 2).all()


def test_a_client_gives_the_results_of_this_machine(pendulum, local_cluster, tmp_path):
    analysis = gs.Simulation(0.2, integrator=gs.RK4(step=0.01), outputs=["last(a1)", "bar2.tip.x"])
    over = {"m2": np.linspace(0.5, 2, 9), "a1": [0.1, 0.2]}
    with local_cluster.get_client() as client:
        found = gs.sweep(pendulum, over, analysis, scheduler=client, store=tmp_path / "s.zarr")
        assert client.status == "running"
    here = gs.sweep(pendulum, over, analysis, workers=1)
    assert found.dataset.equals(here.dataset)


def test_workers_of_another_version_are_told_of(pendulum, local_cluster, monkeypatch):
    real = job.Job.of
    monkeypatch.setattr(job.Job, "of", staticmethod(lambda *given: replace(real(*given), version="0.0.0")))
    expected = r"could not do its part of the sweep: StateError: The sweep was sent by gyrostat 0\.0\.0.*same version"
    with pytest.raises(gs.StateError, match=expected):
        gs.sweep(pendulum, OVER, sweep_functions.square, scheduler=local_cluster.scheduler_address)


def test_a_scheduler_that_does_not_answer_is_named(pendulum, monkeypatch):
    pytest.importorskip("dask.distributed")
    monkeypatch.setattr(cluster, "_TIMEOUT", 0.5)
    with pytest.raises(gs.StateError, match=r"The scheduler 'tcp://127.0.0.1:9' does not answer"):
        gs.sweep(pendulum, OVER, sweep_functions.square, scheduler="tcp://127.0.0.1:9")
    with pytest.raises(gs.StateError, match="The scheduler 'nonsense://x' does not answer"):
        gs.sweep(pendulum, OVER, sweep_functions.square, scheduler="nonsense://x")


def test_bad_schedulers_are_refused(pendulum):
    pytest.importorskip("dask.distributed")
    with pytest.raises(gs.StateError, match=r"The scheduler is 3\. Give its address"):
        gs.sweep(pendulum, OVER, sweep_functions.square, scheduler=3)
    with pytest.raises(gs.StateError, match="has workers of its own"):
        gs.sweep(pendulum, OVER, sweep_functions.square, scheduler="tcp://127.0.0.1:9", workers=2)


def test_without_dask_the_extra_is_named(pendulum, monkeypatch):
    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr(cluster, "import_module", missing)
    with pytest.raises(gs.StateError, match=r"needs Dask, which is not installed.*gyrostat\[cluster\]"):
        gs.sweep(pendulum, OVER, sweep_functions.square, scheduler="tcp://127.0.0.1:9")


def test_a_scheduler_without_workers_is_named(pendulum, monkeypatch):
    distributed = pytest.importorskip("dask.distributed")
    monkeypatch.setattr(cluster, "_DEADLINE", 0.2)
    with distributed.LocalCluster(
        n_workers=0, processes=True, host="127.0.0.1", dashboard_address="127.0.0.1:0", silence_logs=logging.CRITICAL
    ) as empty, pytest.raises(gs.StateError, match="has had no workers"):  # fmt: skip
        gs.sweep(pendulum, OVER, sweep_functions.square, scheduler=empty.scheduler_address)
