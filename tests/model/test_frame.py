"""Frames: on a body, on other frames of the same body, given in place as ends."""

from __future__ import annotations

import numpy as np
import pytest

import gyrostat as gs
from gyrostat.errors import ModelError
from gyrostat.spatial import apply, plus, product

QUARTER = [("z", "90*deg")]


def placement(body: gs.Body, place: object) -> tuple[np.ndarray, np.ndarray]:
    R, r = body.placement(place, gs.Model("m").evaluator())
    return np.array(R, dtype=float), np.array(r, dtype=float)


def test_frames_stand_on_places_of_their_body():
    frames = {
        "low": gs.Frame((1, 0, 0), QUARTER),
        "high": gs.Frame((0, 0, 2), QUARTER, on="low"),
        "beside": gs.Frame((1, 0, 0), on="high"),
        "nail": gs.Frame((0, 1, 0), QUARTER, on="pin"),
    }
    body = gs.Body("b", mass=1, points={"pin": (5, 6, 7)}, frames=frames)
    half = np.diag([-1.0, -1.0, 1.0])
    for place, R, r in (("high", half, (1, 0, 2)), ("beside", half, (0, 0, 2)), ("pin", np.eye(3), (5, 6, 7))):
        np.testing.assert_allclose(placement(body, place)[0], R, atol=1e-15)
        np.testing.assert_allclose(placement(body, place)[1], r, atol=1e-15)
    np.testing.assert_allclose(placement(body, "nail")[1], (5, 7, 7))
    np.testing.assert_allclose(
        placement(body, gs.Frame((1, 0, 0), on=gs.Frame((0, 1, 0), QUARTER)))[1], (0, 2, 0), atol=1e-15
    )
    np.testing.assert_allclose(placement(body, gs.Frame((0, 0, 1), on="high"))[1], (1, 0, 3), atol=1e-15)
    assert body.placement("absent", gs.Model("m").evaluator()) is None


def test_a_frame_on_a_frame_is_the_product_of_their_poses():
    low, high = gs.Frame((1, 2, 3), [("x", 0.3), ((1, 1, 0), 0.7)]), gs.Frame((-1, 0, 2), [("y", -0.4)], on="low")
    value = gs.Model("m").evaluator()
    (R1, r1), (R2, r2) = low.placement(value), high.placement(value)
    R, r = placement(gs.Body("b", mass=1, frames={"low": low, "high": high}), "high")
    np.testing.assert_allclose(R, product(R1, R2), atol=1e-15)
    np.testing.assert_allclose(r, plus(r1, apply(R1, r2)), atol=1e-15)


@pytest.mark.parametrize(
    ("frames", "text"),
    [
        ({"f": gs.Frame(on="q")}, "body 'b', frames.f.on: 'q' is not a point or frame of this body. Known: f, pin."),
        (
            {"f": gs.Frame(on="f")},
            "frames.f.on: frames stand on each other in a circle: f → f. Let one of them stand on",
        ),
        ({"f": gs.Frame(on="g"), "g": gs.Frame(on=gs.Frame(on="f"))}, "stand on each other in a circle: f → g → f."),
        ({"f": gs.Frame(on="g"), "g": gs.Frame(on="g")}, "frames.f.on: frames stand on each other in a circle: g → g."),
    ],
)
def test_frames_that_stand_nowhere(frames, text):
    with pytest.raises(ModelError) as error:
        gs.Body("b", mass=1, points={"pin": (0, 0, 0)}, frames=frames)
    assert text in str(error.value)


@pytest.mark.parametrize("on", [3, "a.b", {"at": [0, 0]}])
def test_what_is_no_base(on):
    with pytest.raises(ModelError, match="frame, on"):
        gs.Frame(on=on)


def test_frames_given_in_place(tmp_path):
    model = gs.Model("m", parameters={"l": 2})
    model.add(gs.Body("a", mass=1, inertia=(1, 1, 1), frames={"f": gs.Frame((1, 0, 0), QUARTER)}))
    model.add(gs.Body("b", mass=1, inertia=(1, 1, 1)))
    model.add(gs.Revolute("j", "ground", ("a", gs.Frame(turn=[("x", 0.2)]))))
    joint = model.add(gs.Revolute("k", ("a", gs.Frame((0, "l", 0), on="f")), "b"))
    np.testing.assert_allclose(model.placement(joint.parent, model.evaluator())[1], (-1, 0, 0), atol=1e-15)
    model.save(tmp_path / "m.yaml")
    assert "parent: [a, {at: [0, l, 0], 'on': f}]" in (tmp_path / "m.yaml").read_text()
    assert gs.Model.load(tmp_path / "m.yaml") == model
    (tmp_path / "m.yaml").write_text((tmp_path / "m.yaml").read_text().replace("'on'", "on"))
    assert gs.Model.load(tmp_path / "m.yaml") == model
    model.replace(gs.Revolute("k", ("a", gs.Frame((0, "l", 0), on="g")), "b"))
    with pytest.raises(
        ModelError, match=r"joint 'k', parent: refers to 'a\.g', but body 'a' has no point or frame 'g'"
    ):
        model.check()
    model.replace(gs.Revolute("k", ("a", gs.Frame((0, "L", 0))), "b"))
    with pytest.raises(ModelError, match=r"joint 'k', parent\[1\]\.at\[1\]: L refers to 'L', which is not known here"):
        model.check()
