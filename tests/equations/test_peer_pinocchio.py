"""Agreement with Pinocchio on random trees of all joints.

Most seeds run the formulas on plain numbers, since compiling hundreds of programs would take many minutes; a dozen go
the whole way through native code. Masses, frames, directions of joints and states are all random.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from campaign import campaign
from float_system import FloatSystem
from pinocchio_tree import Mapped, PinocchioTree
from random_trees import KINDS, Draw, Floats, relative_error

import gyrostat as gs

TOLERANCE = 1e-10
GROUPS = 20
SEEDS_PER_GROUP = 20


class Comparison:
    """A random tree in both packages at a random state."""

    def __init__(self, pinocchio: Any, seed: int, bodies: int, kinds: tuple[str, ...] = KINDS) -> None:
        self.draw = Draw(seed)
        self.tree = self.draw.tree(bodies, kinds)
        self.system = gs.formulate(self.tree.model())
        self.peer = PinocchioTree(pinocchio, self.tree)
        self.q, self.u = self.draw.state(self.system)
        self.n_u = self.system.coordinates.n_u
        self.at: Mapped | None = self.peer.mapped(self.system, self.q, self.u) if self.n_u else None
        self.loads = self.draw.random.normal(size=self.n_u) * 3

    def errors(self, ours: Any) -> dict[str, float]:
        """Return relative errors; `ours` has the methods of a system."""
        at, q, u = self.at, self.q, self.u
        assert at is not None
        expected = self.peer.forward_dynamics(at, u, self.loads)
        M = ours.mass_matrix(q)
        if isinstance(ours, FloatSystem):
            forward = ours.forward_dynamics(q, u, loads=self.loads)
        else:  # a system takes loads through inputs only; here they enter through M, which is compared by itself
            forward = ours.forward_dynamics(q, u) + np.linalg.solve(M, self.loads)
        kinetic, potential = self.peer.energies(at, u)
        energy = ours.energy(q, u)
        found = {
            "forward dynamics": relative_error(forward, expected),
            "inverse dynamics": relative_error(
                ours.inverse_dynamics(q, u, self.loads), self.peer.inverse_dynamics(at, u, self.loads)
            ),
            "mass matrix": relative_error(M, self.peer.mass_matrix(at)),
            "kinetic energy": relative_error(energy.kinetic, kinetic),
            "potential energy": relative_error(energy.gravity, potential),
        }
        poses = ours.poses(q)
        for body in self.system.bodies:
            R, r = _pose(poses[body])
            R_expected, r_expected = self.peer.pose(at, body)
            found[f"pose of {body}"] = max(relative_error(R, R_expected), relative_error(r, r_expected))
        return found


def _pose(pose: Any) -> tuple[Floats, Floats]:
    return pose if isinstance(pose, tuple) else (pose.rotation, pose.position)


def _assert_small(errors: dict[str, float], seed: int) -> None:
    worst = max(errors, key=errors.__getitem__)
    assert errors[worst] < TOLERANCE, f"seed {seed}: {worst} differs by {errors[worst]:.2e}"


@campaign(GROUPS, "group", each=SEEDS_PER_GROUP)
def test_random_trees_agree_with_pinocchio(pinocchio: Any, group: int) -> None:
    for seed in range(group * SEEDS_PER_GROUP, (group + 1) * SEEDS_PER_GROUP):
        bodies = int(np.random.default_rng(seed).integers(1, 11)) if seed % 10 else 30
        comparison = Comparison(pinocchio, seed, bodies)
        if comparison.n_u:
            _assert_small(comparison.errors(FloatSystem(comparison.system)), seed)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "weld"])
def test_chains_of_one_joint_agree_with_pinocchio(pinocchio: Any, kind: str) -> None:
    for seed in range(8):
        comparison = Comparison(pinocchio, 1000 + seed, 1 + seed % 4, (kind,))
        _assert_small(comparison.errors(FloatSystem(comparison.system)), seed)


@campaign(12)
def test_native_programs_agree_with_pinocchio(pinocchio: Any, seed: int) -> None:
    comparison = Comparison(pinocchio, 5000 + seed, 30 if seed == 0 else 3 + seed // 2)
    _assert_small(comparison.errors(comparison.system), seed)
