"""Random blocks in random trees and loops: against SciPy's Radau, differences, files, resumed runs and sweeps."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from campaign import campaign
from random_blocks import KINDS, RandomBlocks
from scipy.integrate import solve_ivp

import gyrostat as gs
from gyrostat.analysis.linear.time_response import displaced

END = 0.3
STIFF = gs.Rodas5P(rtol=1e-9, atol=1e-11)

made = cache(RandomBlocks)


def started(blocks: RandomBlocks) -> dict[str, float]:
    """Return a random consistent state by name."""
    return gs.assemble(blocks.system, {"q0.rate": np.random.default_rng(blocks.seed).uniform(-1, 1)}).state


class ByScipy:
    """The motion by SciPy's Radau: accelerations from the package, blocks from plain Python; delays by steps."""

    def __init__(self, blocks: RandomBlocks, start: dict[str, float]) -> None:
        self.blocks, self.pieces = blocks, list[Any]()
        system = blocks.system
        y = np.array([start[name] for name in (*system.coordinate_names, *system.speed_names, *blocks.free)])
        step = min((delay for _, delay, _ in blocks.delays.values()), default=END)
        ends = [*np.arange(step, END * (1 - 1e-9), step), END]
        for begin, end in zip([0.0, *ends[:-1]], ends, strict=True):
            piece = solve_ivp(
                self.rates, (begin, end), y, method="Radau", rtol=1e-8, atol=1e-10, dense_output=True, max_step=0.05
            )
            assert piece.success
            self.pieces.append(piece)
            y = piece.y[:, -1]

    def at(self, t: float) -> dict[str, float]:
        """Return the signals at a time."""
        piece = next(one for one in self.pieces if t <= one.t[-1] + 1e-12)
        return self.blocks.instant(t, piece.sol(t), self.delayed(t))[0]

    def delayed(self, t: float) -> dict[str, float]:
        """Return the values of delays at a time."""
        found = {}
        for name, (signal, delay, before) in self.blocks.delays.items():
            found[name] = before if t < delay or not self.pieces else signal.value(self.at(t - delay))
        return found

    def rates(self, t: float, y: np.ndarray) -> np.ndarray:
        """Return the rates of a state."""
        return self.blocks.instant(t, y, self.delayed(t))[1]


def test_all_kinds_of_blocks_are_drawn() -> None:
    drawn = {KINDS[(seed + step) % len(KINDS)] for seed in range(13) for step in (0, 4, 9)}
    assert drawn == set(KINDS)


@campaign([(seed, seed % 4 == 1) for seed in range(60)], "drawn", few=[(9, True), (12, False)])
def test_random_blocks_against_radau(drawn: tuple[int, bool]) -> None:
    blocks = made(*drawn)
    start = started(blocks)
    expected = ByScipy(blocks, start)
    run = gs.simulate(blocks.system, times=[0, 0.1, 0.2, END], initial=start, integrator=STIFF)
    assert run.status.success
    names = [name for name in expected.at(END) if name != "t"]
    for i, t in enumerate(run.time.tolist()):
        if t:
            wanted = expected.at(t)
            found = {name: float(run[name][i]) for name in names}
            assert found == pytest.approx({name: wanted[name] for name in names}, rel=2e-5, abs=2e-5)


@campaign(60, few=[2, 12])
def test_linear_models_of_random_blocks_against_differences(seed: int) -> None:
    blocks = made(seed, False)
    system = blocks.system
    linear = gs.linearize(system, started(blocks), frozen=True)
    bound = [name for name in system.state_names if name not in blocks.free]

    def rates(deviation: np.ndarray) -> np.ndarray:
        state = displaced(linear, deviation)
        names = (*system.coordinate_names, *system.speed_names, *blocks.free)
        y = np.array([state[name] for name in names])
        known, found = blocks.instant(0.0, y, {})
        assert all(abs(known[name] - state[name]) < 1e-3 for name in bound)
        return np.array([dict(zip(names, found, strict=True))[name] for name in linear.states])

    h = 1e-6
    found = np.array([(rates(one) - rates(-one)) / (2 * h) for one in h * np.eye(len(linear.states))]).T
    np.testing.assert_allclose(linear.A, found, atol=1e-6 * max(1.0, float(np.abs(found).max())))


@campaign([(seed, seed % 4 == 1) for seed in range(60)], "drawn", few=[(9, True)])
def test_files_resumed_runs_and_sweeps_bit_by_bit(drawn: tuple[int, bool], tmp_path: Path) -> None:
    blocks = made(*drawn)
    system, start, times = blocks.system, started(blocks), [0.0, 0.1, 0.2]
    run = gs.simulate(system, times=times, initial=start, integrator=STIFF)
    run.save(tmp_path / "run.nc")
    again = gs.load(tmp_path / "run.nc")
    names = list(dict.fromkeys([*system.coordinates.place_of, *blocks.signals]))
    rest = [gs.simulate(one.system, times=[0.2, END], initial=one, integrator=STIFF) for one in (run, again)]
    chosen = {"times": times, "initial": start, "integrator": STIFF}
    swept = gs.sweep(system, {"g": [9.81, 9.0]}, gs.Simulation(**chosen, outputs=names))
    for name in names:
        np.testing.assert_array_equal(again[name], run[name])
        np.testing.assert_array_equal(again.at([0.15])[name], run.at([0.15])[name])
        np.testing.assert_array_equal(rest[1][name], rest[0][name])
        np.testing.assert_array_equal(swept[name][0], run[name])
