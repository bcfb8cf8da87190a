"""Forces of contacts in scenes: lines from the points of contact."""

from __future__ import annotations

import numpy as np
import pytest
from contact_models import GRAVITY, adjustable_ball

import gyrostat as gs
from gyrostat.errors import PictureError
from gyrostat.shown.trajectory_scene import trajectory_scene


def bounce() -> gs.Trajectory:
    given = {"initial": {"h": 0.1005}, "parameters": {"g": GRAVITY, "k": 1e5}}
    return gs.simulate(adjustable_ball(), duration=0.1, step=1e-3, **given)


def test_forces_are_drawn_on_request_while_bodies_touch() -> None:
    run = bounce()
    (line,) = [one for one in trajectory_scene(run, forces=["c"]).lines if one.name == "c"]
    pressed = run["c.force"].values > 0
    assert pressed.any()
    assert not pressed.all()
    assert (np.isfinite(line.points).all(axis=(1, 2)) == pressed).all()
    way = (line.points[:, 1] - line.points[:, 0])[pressed]
    np.testing.assert_allclose(
        way[:, 2] / way[:, 2].max(), (run["c.force"].values / run["c.force"].values.max())[pressed]
    )
    np.testing.assert_allclose(line.points[pressed, 0], run["c.point"].values[pressed])
    assert "c" not in [one.name for one in trajectory_scene(run).lines]


def test_unknown_contacts_are_refused() -> None:
    with pytest.raises(PictureError, match=r"There is no contact 'd' whose force could be drawn\. .*'?c'?"):
        trajectory_scene(bounce(), forces=["d"])
    with pytest.raises(PictureError, match="paths, plots and forces are lists of names"):
        trajectory_scene(bounce(), forces="c")
