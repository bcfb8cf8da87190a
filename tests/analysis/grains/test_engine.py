"""Other granular engines in the kernel's place: the contract, failures, and YADE where it is installed."""

import importlib.util
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from grain_models import DENSITY, G, mass_of, vessel

import gyrostat as gs
from gyrostat.model.kinds import Quantity, QuantityKind
from gyrostat.model.record import value

EXAMPLES = Path(__file__).parents[3] / "examples" / "granular_engine"


class _Weights:
    """Grains that lie still on the first wall and weigh what they should, until a time."""

    def __init__(self, bed, until):
        self._bed, self._until, self._time = bed, until, float(bed.state.get("time", np.zeros(1))[0])
        self.positions, self.velocities = bed.positions.copy(), bed.velocities.copy()

    def advance(self, walls, duration):
        self._time += duration
        if self._time > self._until:
            raise RuntimeError("out of sand")
        force = self._bed.masses.sum() * self._bed.gravity
        impulse = np.concatenate((force, np.cross(walls[0, :3] + 0.5 * duration * walls[0, 12:15], force)))
        self.positions += walls[0, 12:15] * duration
        return np.array([duration * impulse])

    def sums(self):
        return {"touching": 1.0}

    def state(self):
        return {"time": np.array([self._time])}

    def close(self):
        self.closed = True


@dataclass(frozen=True)
class StillGrains(gs.GranularEngine):
    """An engine of grains that lie still."""

    until: Quantity = value(QuantityKind(), 10.0, doc="time at which it fails (s)")

    def begin(self, bed):
        return _Weights(bed, self.until.number)


@pytest.fixture
def registered():
    gs.GRANULAR_ENGINES.add(StillGrains)
    yield
    gs.GRANULAR_ENGINES.remove("StillGrains")


def _model(engine, count=8):
    model = gs.Model("tray", gravity=(0, 0, -G))
    model.add(gs.Body("tray", gs.box(50, size=(2, 2, 2)), surfaces={"inside": vessel(1.0, lid=False)}))
    model.add(gs.Prismatic("lift", "ground", "tray", axis="z"))
    model.add(gs.JointSpring("spring", "lift", stiffness=1e5, damping=4e3))
    model.add(gs.Grains(
        "load", 0.1, DENSITY, ["tray"], count=count, fill=gs.shapes.Box((1.8, 1.8, 1.8)),
        normal=gs.KelvinVoigt(1e5, 200), friction=gs.GranularFriction(0.4), engine=engine,
    ))  # fmt: skip
    return model


def test_an_engine_takes_the_kernels_place(registered, tmp_path):
    model = _model(StillGrains())
    model.save(tmp_path / "tray.yaml")
    assert gs.Model.load(tmp_path / "tray.yaml")["load"] == model["load"]
    run = gs.simulate(model, 2.0, step=0.1)
    weight = (50 + 8 * mass_of(0.1)) * G
    assert float(run["lift"][-1]) == pytest.approx(-weight / 1e5, rel=1e-6)
    assert float(run["load.touching"][-1]) == 1
    assert np.allclose(run["load.tray.force"].values[-1], [0, 0, -8 * mass_of(0.1) * G])
    again = gs.simulate(model, 1.0, step=0.1, initial=run)
    assert again.motion.grains["load"].state["time"][0] == pytest.approx(3.0)


def test_an_exception_of_an_engine_ends_the_run_and_is_raised(registered):
    with pytest.raises(RuntimeError, match="out of sand") as caught:
        gs.simulate(_model(StillGrains(until=0.5)), 2.0, step=0.1)
    status = caught.value.trajectory.status
    assert status.outcome is gs.Outcome.INPUT_FAILED
    assert "the engine of grains 'load' failed: RuntimeError: out of sand" in status.message
    assert 0.4 < status.time <= 0.51


@pytest.fixture
def yade(monkeypatch):
    """The example's module, whose engine is registered while the test runs."""
    monkeypatch.syspath_prepend(str(EXAMPLES))
    spec = importlib.util.spec_from_file_location("yade_engine", EXAMPLES / "yade_engine.py")
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "yade_engine", module)
    spec.loader.exec_module(module)
    yield module
    gs.GRANULAR_ENGINES.remove("YadeEngine")


@pytest.mark.skipif(shutil.which("yade") is None, reason="YADE is not installed")
def test_yade_weighs_the_same_grains(yade):
    runs = [gs.simulate(_model(engine), 0.9, step=0.05) for engine in (None, yade.YadeEngine())]
    weight = 8 * mass_of(0.1) * G
    for run in runs:
        assert float(-run["load.tray.force"].values[run.time > 0.7, 2].mean()) == pytest.approx(weight, rel=0.05)
    places = [run.grains("load").position.values[-1] for run in runs]
    assert np.allclose(places[0], places[1], atol=0.02)
