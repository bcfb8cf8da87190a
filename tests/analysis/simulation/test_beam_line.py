"""Beams along their length: the line of a plot, of a scene and of a data set is that of the stations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gyrostat as gs
from gyrostat.pictures.scene import LineKind
from gyrostat.shown.trajectory_scene import trajectory_scene


@pytest.fixture(scope="module", params=[2, "exact"])
def run(request: pytest.FixtureRequest) -> gs.Trajectory:
    """A beam that swings about its hinge, bent from the start."""
    model = gs.Model("swing", gravity=(0, -9.81, 0), parameters={"L": 1.2})
    given: dict[str, Any] = {"length": "L", "area": 1e-2, "Iz": 1e-5, "E": 1e6, "density": 10, "terms": {"v": 2}}
    model.add(gs.Beam("beam", order=request.param, stations={"mid": "L/2"}, **given))
    model.add(gs.Revolute("hinge", "ground", "beam", initial={"angle": 0.5}))
    return gs.simulate(model, duration=0.02, step=0.01, initial={"beam.v1": 0.08})


def test_a_beam_along_its_length_passes_through_its_stations(run: gs.Trajectory) -> None:
    found = run.along("beam", [0.0, 0.6, 1.2])
    for k, station in enumerate(("beam", "beam.mid", "beam.tip")):
        np.testing.assert_allclose(found["position"][:, k], run[station], atol=1e-12)
        for output in ("curvature", "section_moment", "section_force"):
            np.testing.assert_allclose(found[output][:, k], run[f"{station}.{output}"], atol=1e-9)
    np.testing.assert_allclose(found["deflection"][:, 2], run["beam.tip.deflection"], atol=1e-12)
    assert abs(float(found["deflection"][0, 2, 1])) > 0.03
    assert found["section_moment"].attrs["units"] == "N·m"


def test_scenes_have_beams_as_lines(run: gs.Trajectory) -> None:
    (line,) = trajectory_scene(run).lines
    assert line.kind is LineKind.BEAM
    np.testing.assert_allclose(line.points[:, -1], run["beam.tip"], atol=1e-12)
    assert line.radius == pytest.approx(np.sqrt(1e-2 / np.pi))
    moments = np.abs(run.along("beam")["section_moment"].values[..., 2])
    np.testing.assert_allclose(line.tones, moments / moments.max(), atol=1e-12)


def test_stations_are_no_hinges_and_no_masses_in_scenes(run: gs.Trajectory) -> None:
    scene = trajectory_scene(run)
    assert [joint.name for joint in scene.joints] == ["hinge"]
    assert not any(body.shapes for body in scene.bodies if body.name.startswith("beam"))


def test_scenes_have_modal_bodies_as_lines_to_their_interfaces() -> None:
    nodes = np.array([[0.5, 0.1, 0.0], [1.0, 0.2, 0.0]])
    model = gs.Model("fork")
    data: dict[str, Any] = {"positions": nodes, "mass": [0.1, 0.1], "stiffness": [[40.0]]}
    shapes = np.array([[[0.0], [0.3], [0.0]], [[0.0], [1.0], [0.0]]])
    model.add(gs.ModalBody.from_nodes("arm", **data, shapes=shapes, interfaces={"tip": 1}))
    model.add(gs.Revolute("hinge", "ground", "arm"))
    run = gs.simulate(model, 0.1, step=0.05, initial={"hinge.rate": 1.0})
    scene = trajectory_scene(run)
    (line,) = scene.lines
    np.testing.assert_allclose(line.points[:, 0], run["arm"], atol=1e-12)
    np.testing.assert_allclose(line.points[:, 1], run["arm.tip"], atol=1e-12)
    assert [joint.name for joint in scene.joints] == ["hinge"]


def test_plots_of_beams(run: gs.Trajectory, tmp_path: Path) -> None:
    deflected, moments = run.plot_beam("beam", [0.0, 0.02], path=tmp_path / "beam.svg")
    assert (tmp_path / "beam.svg").exists()
    x, y = deflected.lines[0].get_data()
    np.testing.assert_allclose((x[-1] - 1.2, y[-1]), run["beam.tip.deflection"].values[0, :2], atol=1e-12)
    assert moments.lines[0].get_ydata()[0] == pytest.approx(float(run["beam.section_moment.z"][0]))


@pytest.mark.parametrize(
    ("name", "x", "message"),
    [
        ("bean", None, r"There is no beam 'bean'\. Did you mean 'beam'\?"),
        ("beam", [1.3], r"Beam 'beam' is 1\.2 m long\. Give distances from 0 to its length"),
    ],
)
def test_beams_and_places_that_do_not_exist(run: gs.Trajectory, name: str, x: Any, message: str) -> None:
    with pytest.raises(gs.StateError, match=message):
        run.along(name, x)
