"""Planar joints with any normal."""

import numpy as np
import pytest

import gyrostat as gs

NORMALS = {
    "x": ("x", (1, 0, 0)),
    "y": ("y", (0, 1, 0)),
    "-z": ("-z", (0, 0, -1)),
    "oblique": ((1, 2, -2), (1, 2, -2)),
    "formulas": (("a", 0.3, "b"), (0.7, 0.3, -1.3)),
}


def plate(joint: gs.Planar) -> gs.Model:
    model = gs.Model("plate", gravity=(1.0, -2.0, -9.81), parameters={"a": 0.7, "b": -1.3})
    model.add(gs.Body("plate", mass=2.0, inertia=(0.3, 0.4, 0.6), com=(0.1, 0.2, 0.05)))
    model.add(joint)
    return model


@pytest.mark.parametrize("case", NORMALS)
def test_motion_stays_in_the_plane_in_all_coordinates(case: str) -> None:
    written, direction = NORMALS[case]
    normal = np.array(direction) / np.linalg.norm(direction)
    model, ends = plate(gs.Planar("p", "ground", "plate", normal=written)), []
    for choice in ("joint", "absolute", "branch"):
        run = gs.simulate(gs.formulate(model, coordinates=choice), 1.0, step=0.5, initial={"p.angle.rate": 0.4})
        ends.append([run[name].values[-1] for name in ("p.x", "p.y", "p.angle")])
        assert np.abs(run["plate"].values @ normal).max() < 1e-12
        np.testing.assert_allclose(run["plate.omega"].values[-1], run["p.angle.rate"].values[-1] * normal, atol=1e-9)
    np.testing.assert_allclose(ends[1:], [ends[0], ends[0]], atol=1e-7)
    assert np.abs(ends[0]).min() > 1e-3


@pytest.mark.parametrize(("normal", "axes"), [("z", "xyz"), ("x", "yzx"), ("y", "zxy")])
def test_axes_in_the_plane(normal: str, axes: str) -> None:
    run = gs.simulate(plate(gs.Planar("p", "ground", "plate", normal=normal, initial={"x": 0.3, "y": 0.5})), 1e-9)
    found = dict(zip("xyz", run["plate"].values[0], strict=True))
    assert [found[axis] for axis in axes] == pytest.approx([0.3, 0.5, 0.0], abs=1e-12)


def test_a_normal_of_zero_length_is_refused() -> None:
    with pytest.raises(gs.ModelError, match="normal"):
        gs.formulate(plate(gs.Planar("p", "ground", "plate", normal=(0, 0, 0))))
