"""All examples move alike in joint, absolute and branch coordinates."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from choices import Instant
from random_trees import relative_error

import gyrostat as gs

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.yaml"))


@cache
def _in_joint_coordinates(path: Path) -> Instant:
    """Return an example at its initial position, loops closed, with speeds that the constraints allow."""
    system = gs.formulate(gs.Model.load(path))
    start = gs.assemble(system)
    rng = np.random.default_rng(0)
    u = start.u + 0.3 * rng.normal(size=len(start.u))
    if start.closer is not None:
        u, _ = start.closer.admissible_speeds(start.q, u)
    return Instant(system, start.q, u, 0.0, dict.fromkeys(system.inputs, 0.2))


@pytest.mark.parametrize("choice", ["absolute", "branch"])
@pytest.mark.parametrize("path", EXAMPLES, ids=[path.stem for path in EXAMPLES])
def test_accelerations_and_energies_agree(path: Path, choice: str) -> None:
    joint = _in_joint_coordinates(path)
    other = joint.seen_in(gs.formulate(joint.system.model, choice))
    assert relative_error(other.velocities, joint.velocities) < 1e-10
    assert relative_error(other.energies, joint.energies) < 1e-10
    tolerance = 1e-9 * max(1.0, min(joint.condition, other.condition))
    assert relative_error(other.accelerations, joint.accelerations) < tolerance
