"""Angles of joints that close loops as sums of coordinates, whichever way the joints are written."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import gyrostat as gs
from gyrostat.closing.mapped_state import motion_at
from gyrostat.kinematics.chords import chord_motion
from gyrostat.kinematics.turn_sums import chord_angle


def four_bar(backwards: tuple[bool, ...], turned: float) -> gs.Model:
    """Return a four-bar whose hinges are written from ground to ground or against that; one frame is turned."""
    model = gs.Model("four-bar")
    for name in ("crank", "coupler", "rocker"):
        frames = {"a": gs.Frame((-0.5, 0, 0)), "b": gs.Frame((0.5, 0, 0), [("z", turned)])}
        model.add(gs.Body(name, gs.rod(1, 1, along="x"), frames=frames))
    ends = [("ground", "crank.a"), ("crank.b", "coupler.a"), ("coupler.b", "rocker.a"), ("rocker.b", "ground")]
    for i, (pair, back) in enumerate(zip(ends, backwards, strict=True), 1):
        axis = "-z" if i == 2 else "z"
        model.add(gs.Revolute(f"h{i}", *(pair[::-1] if back else pair), axis=axis))
    return model


@pytest.mark.parametrize("backwards", list(itertools.product((False, True), repeat=4)))
@pytest.mark.parametrize("choice", ["joint", "branch", gs.Trees(["h1", "h2", "h3"], ["h1", "h2", "h4"])])
def test_sums_are_the_measured_angles(backwards: tuple[bool, ...], choice: str | gs.Trees) -> None:
    system = gs.formulate(four_bar(backwards, 0.4), choice)
    q = np.random.default_rng(0).uniform(-1.2, 1.2, system.coordinates.n_q)
    motion = motion_at(system, q, np.zeros(system.coordinates.n_u))
    seen = 0
    for joint in dict.fromkeys(system.coordinates.chord_of.values()):
        counted = chord_angle(motion.tree, joint)
        assert counted is not None
        found = chord_motion(motion, joint)
        (measured,) = joint.measured(found.pose, found.value)
        gap = counted[1].value(motion.state, motion.tree.value) - measured
        assert abs(np.sin(gap / 2)) < 1e-12
        seen += 1
    assert seen


def test_whole_turns_count() -> None:
    system = gs.formulate(four_bar((False,) * 4, 0.0), "absolute")
    names = system.coordinate_names
    q = np.zeros(len(names))
    q[names.index("crank.angle")] = 7.0
    motion = motion_at(system, q, np.zeros(system.coordinates.n_u))
    assert motion.coordinate("h1") == pytest.approx(7.0)
    assert motion.coordinate("h2") == pytest.approx(7.0)  # about −z, and the coupler has not turned
