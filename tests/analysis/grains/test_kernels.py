"""The kernels of grains: native code and Python agree; lists leave nothing out; surfaces touch once."""

import numpy as np
import pytest
from grain_models import DENSITY, G, last_motion, mass_of

import gyrostat as gs
from gyrostat.analysis.kernels.grain_steps import advance_grains
from gyrostat.analysis.simulation.native_grains import NativeGrains
from gyrostat.model.granular import GranularBed, WallGeometry

RADIUS = 0.1


def _law(**given):
    row = np.zeros(14)
    row[[0, 1, 2, 3, 9, 10, 11, 12, 13]] = 0, 1e5, 1, 100, 0.4, 2 / 7, 0.2, 0.1, 0.3
    return np.array([row, row])


def _bed(count, *, box=1.0, seed=1, radii=(RADIUS,)):
    """Return grains in random motion over a tilted square of triangles, with a capsule, a ball and a plane."""
    rng = np.random.default_rng(seed)
    places = np.stack(np.meshgrid(*[np.linspace(-box, box, 7)] * 3), -1).reshape(-1, 3)[:count] + np.array((0, 0, box))
    square = np.array([[(-2, -2, -0.2), (2, -2, 0.1), (2, 2, 0.1)], [(-2, -2, -0.2), (2, 2, 0.1), (-2, 2, -0.2)]])
    wall = WallGeometry(
        "wall", square, np.array([[(0, 0, -0.5), (0, 0, 1.0)]]), np.array([[0, -1, 0.3, 0, 1, 0.3, 0.2]]),
        np.array([[0.5, 0.5, 0.2, 0.3]]),
    )  # fmt: skip
    chosen = rng.choice(radii, count)
    masses = DENSITY * 4 / 3 * np.pi * chosen**3
    speeds = rng.normal(0, 1.0, (count, 3))
    return GranularBed("s", chosen, masses, places, speeds, np.array([0, 0, -G]), (wall,), _law(), 2e-4, {})


def _frames():
    frames = np.zeros((1, 18))
    frames[:, [3, 7, 11]], frames[:, 12:18] = 1.0, [0.2, 0, 0.1, 0.1, 0.3, -0.2]
    return frames


def test_native_code_does_what_the_python_functions_do():
    native, plain = NativeGrains(_bed(9, box=0.16)), NativeGrains(_bed(9, box=0.16))
    for run in (native, plain):
        run.advance(_frames(), 2e-4)
    native.advance(_frames(), 20 * 2e-4)
    plain._tables.walls.frames[:], plain._tables.walls.impulses[:] = _frames(), 0.0
    advance_grains(plain._tables, 20, 2e-4)
    assert native.sums()["touching"] > 0
    for key, found in native.state().items():
        assert np.allclose(found, plain.state()[key], rtol=1e-9, atol=1e-9), key
    assert np.allclose(native._tables.walls.impulses, plain._tables.walls.impulses, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_lists_leave_no_contact_out(seed):
    """The same contacts as those of all pairs, after some motion, with grains of different sizes."""
    run = NativeGrains(_bed(200, box=0.7, seed=seed, radii=(0.5 * RADIUS, RADIUS, 1.4 * RADIUS)))
    run.advance(_frames(), 0.05)
    x, radii = run.positions, run._tables.grains.radii
    apart = np.linalg.norm(x[:, None] - x[None, :], axis=2) - radii[:, None] - radii[None, :]
    pairs = int((apart[np.triu_indices(len(x), 1)] < 0).sum())
    walls = int((run._tables.walls.keys > 0).sum())
    assert run.sums()["touching"] == pairs + walls
    assert pairs > 20
    frame = run._tables.walls.frames[0]
    below = (x - frame[:3]) @ frame[3:12].reshape(3, 3)
    assert ((below[:, 2] + 0.5 < radii) <= (run._tables.walls.keys[:, 0] > 0)).all()  # all that touch the plane


def _rest(surface, place, friction=None):
    """Return force and height of one grain at rest on a surface."""
    model = gs.Model("rest", gravity=(0, 0, -G))
    model.add(gs.Body("ground", surfaces={"floor": surface}))
    model.add(gs.Grains(
        "ball", RADIUS, DENSITY, ["ground"], positions=[place], normal=gs.KelvinVoigt(1e5, 600),
        friction=friction,
    ))  # fmt: skip
    run = gs.simulate(model, 0.4, step=0.2)
    return float(run["ball.touching"][-1]), last_motion(run, "ball")[0][0]


def test_a_grain_touches_a_floor_of_triangles_once_wherever_it_lies():
    """Above a face, an edge and a corner of a flat mesh, and on a cube's face: depth m g/k."""
    mesh = gs.shapes.HeightField([-1, 0, 1], [-1, 0, 1], np.zeros((3, 3)))
    for surface, height in ((mesh, 0.0), (gs.shapes.Box((2, 2, 1)), 0.5)):
        for x, y in ((0.3, 0.2), (0.0, 0.4), (0.0, 0.0), (0.5, 0.5)):
            count, place = _rest(surface, (x, y, height + RADIUS), gs.GranularFriction(0.5, 0.2))
            assert count == 1
            assert place == pytest.approx([x, y, height + RADIUS - mass_of(RADIUS) * G / 1e5], abs=2e-6)


def test_a_grain_in_a_corner_touches_both_sides():
    corners = [(0, -1, 0), (0, 1, 0), (1, -1, 1), (1, 1, 1), (-1, -1, 1), (-1, 1, 1)]
    trough = gs.shapes.TriangleMesh(corners, [(0, 2, 1), (1, 2, 3), (0, 1, 4), (1, 5, 4)], closed=False)
    count, place = _rest(trough, (0.0, 0.1, np.sqrt(2) * RADIUS))
    assert count == 2
    depth = mass_of(RADIUS) * G / np.sqrt(2) / 1e5
    assert place[2] == pytest.approx(np.sqrt(2) * (RADIUS - depth), abs=1e-6)
