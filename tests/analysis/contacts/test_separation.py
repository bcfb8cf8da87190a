"""Separation of convex solids against the hull of the differences of their points, and against nearby axes."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from campaign import campaign
from scipy.optimize import minimize
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation

from gyrostat.analysis.kernels.native_kernel import NativeKernel
from gyrostat.analysis.kernels.solid_tables import Patch
from gyrostat.analysis.simulation.solid_arrays import solids_of
from gyrostat.model.contacts.core import Block, Core, Drum, Facets, Peak, Segment
from gyrostat.model.shapes.hull import Hull

SEPARATE = NativeKernel("separation", "separate", float)
SEPARATE_ROUND = NativeKernel("round_separation", "separate_round", float)
WEDGE = Hull.of([(0.5, 0.1, -0.2), (-0.4, 0.3, -0.2), (-0.1, -0.5, -0.3), (0.1, 0.0, 0.6), (0.3, 0.3, 0.2)])
SOLIDS: list[Core] = [Block((0.4, 0.3, 0.2)), Facets(WEDGE)]
ROUND: list[Core] = [Drum(0.3, 0.4), Drum(0.5, 0.1), Peak(0.4, 0.7)]
RIM = 360


def _points(core: Core) -> np.ndarray:
    """Return the corners of a solid, with many on its rims."""
    angle = 2 * np.pi * np.arange(RIM) / RIM
    circle = np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=1)
    match core:
        case Block(half):
            return np.array([[i, j, k] for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)]) * half
        case Facets(hull):
            return np.array(hull.corners)
        case Segment(half, _):
            return np.array([[0, 0, -half], [0, 0, half]])
        case Drum(radius, half):
            return np.vstack([radius * circle + [0, 0, z] for z in (half, -half)])
        case Peak(radius, height):
            return np.vstack([radius * circle - [0, 0, height / 4], [[0, 0, 0.75 * height]]])
    raise AssertionError(core)


def _low(core: Core, n: np.ndarray) -> float:
    """Return the smallest product of a vector with a point of a solid, by the formula of each kind."""
    if isinstance(core, Drum):
        return float(-core.radius * np.hypot(n[0], n[1]) - core.half * abs(n[2]))
    if isinstance(core, Peak):
        rim = -core.radius * np.hypot(n[0], n[1]) - core.height / 4 * n[2]
        return float(min(rim, 0.75 * core.height * n[2]))
    return float((_points(core) @ n).min())


class Placed:
    """Two solids, the second one turned and moved."""

    def __init__(self, a: Core, b: Core, rng: np.random.Generator) -> None:
        self.a, self.b = a, b
        self.R = Rotation.random(random_state=int(rng.integers(1 << 30))).as_matrix()
        away = rng.normal(size=3)
        self.away = away / np.linalg.norm(away)
        self.r = np.zeros(3)

    def apart(self, n: np.ndarray) -> float:
        """Return the separation along a vector from b to a."""
        n = n / np.linalg.norm(n)
        return _low(self.a, n) + _low(self.b, -self.R.T @ n) - float(n @ self.r)

    def put(self, depth: float) -> None:
        """Move the second solid so far along its direction that the best separation is about minus a depth."""
        low, high = 0.0, 3.0
        for _ in range(30):
            middle = 0.5 * (low + high)
            self.r = middle * self.away
            low, high = (low, middle) if self.best() > -depth else (middle, high)
        self.r = high * self.away

    def best(self) -> float:
        """Return the largest separation over the facets of the hull of differences."""
        hull = self._hull
        return float((hull[:, :3] @ self.r + hull[:, 3]).max()) if len(hull) else 0.0

    @property
    def _hull(self) -> np.ndarray:
        if not hasattr(self, "_found"):
            differences = _points(self.a)[:, None] - (_points(self.b) @ self.R.T)[None]
            self._found = ConvexHull(differences.reshape(-1, 3)).equations
        return self._found

    def found(self) -> tuple[float, np.ndarray]:
        """Return the separation and the axis of the kernel."""
        solids, frames = _tables(self.a, self.b)
        frames = np.zeros((2, 18))
        frames[0, 3:12] = np.eye(3).ravel()
        frames[1, :3], frames[1, 3:12] = self.r, self.R.ravel()
        patch = Patch.of(64, 8, 80)
        is_round = isinstance(self.a, Drum | Peak) or isinstance(self.b, Drum | Peak)
        if is_round:
            apart = SEPARATE_ROUND(solids, patch, frames[0], frames[1], 0, 1, 0.3)
        else:
            apart = SEPARATE(solids, patch, frames[0], frames[1], 0, 1)
        axes = [axis for axis in (patch.axis, patch.edge_axis) if axis[3] > -1e299]
        return apart, max(axes, key=lambda axis: axis[3])[:3].copy()


@cache
def _tables(a: Core, b: Core):
    return solids_of([a, b]), None


@campaign(40)
def test_cornered_solids_agree_with_the_hull_of_differences(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for a in SOLIDS:
        for b in SOLIDS:
            placed = Placed(a, b, rng)
            placed.put(float(rng.uniform(0, 0.1)))
            assert placed.found()[0] == pytest.approx(placed.best(), abs=1e-9)


@campaign(60)
def test_round_solids_agree_with_the_hull_of_differences(seed: int) -> None:
    """The rims of the hull are polygons, so that it is smaller by 4e-5 of a radius; the axis is exact."""
    rng = np.random.default_rng(seed)
    a = ROUND[seed % 3]
    others = [*SOLIDS, *ROUND]
    b = others[int(rng.integers(len(others)))]
    if rng.random() < 0.5:
        a, b = b, a
    small = isinstance(a, Drum | Peak) and isinstance(b, Drum | Peak)
    if small:
        pytest.skip("the hull of two rims has too many points; see the next test")
    placed = Placed(a, b, rng)
    placed.put(float(rng.uniform(0, 0.05)))
    apart, _ = placed.found()
    assert apart == pytest.approx(placed.best(), abs=1e-4)


@campaign(200)
def test_the_axis_is_the_best_one(seed: int) -> None:
    """A search from many axes finds no better one, at depths of up to a tenth of the size."""
    rng = np.random.default_rng(1000 + seed)
    a, b = ROUND[seed % 3], [*SOLIDS, *ROUND, Segment(0.4, 0.0)][int(rng.integers(6))]
    placed = Placed(a, b, rng)
    placed.r = placed.away * rng.uniform(0.5, 1.0)
    for _ in range(8):  # bring them to a small overlap
        apart, axis = placed.found()
        placed.r = placed.r + axis * (apart + 0.02)
    apart, axis = placed.found()
    assert apart == pytest.approx(placed.apart(axis), abs=1e-14)
    starts = [axis + 10.0 ** rng.uniform(-3, 0) * rng.normal(size=3) for _ in range(6)]
    better = max(
        -minimize(lambda n: -placed.apart(n), start, method="Nelder-Mead", options={"xatol": 1e-10, "fatol": 1e-14}).fun
        for start in starts
    )
    assert better <= apart + 1e-9
