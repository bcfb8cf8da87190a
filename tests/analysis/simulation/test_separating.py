"""Overlaps at the start: reported with the pair and the depth, and resolved on request."""

from __future__ import annotations

import numpy as np
import pytest
from many_contacts import LAW, balls, loose

import gyrostat as gs


def _places(model: gs.Model, start: dict[str, float]) -> gs.Model:
    for name, value in start.items():
        joint, _, label = name.partition(".")
        model.replace(
            gs.Free(joint, "ground", joint.removesuffix("_motion"), initial={**_initial(model, joint), label: value})
        )
    return model


def _initial(model: gs.Model, joint: str) -> dict[str, object]:
    return dict(model[joint].initial or {})


def test_overlaps_are_reported_with_pair_and_depth() -> None:
    model = _places(balls([0.1, 0.1, 0.1]), {"b0_motion.z": 0.08, "b1_motion.z": 0.25, "b2_motion.z": 0.6})
    notes = gs.check(model).notes
    assert "contacts 'contacts': b0 and b1 overlap by 0.03 m initially." in notes
    assert "contacts 'contacts': b0 and ground overlap by 0.02 m initially." in notes
    assert not any("b2" in note for note in notes)
    assert not any("overlap" in note for note in gs.check(_places(balls([0.1]), {"b0_motion.z": 0.1})).notes)


def test_many_overlaps_are_counted() -> None:
    model = _places(balls([0.1] * 8), {f"b{i}_motion.z": 0.1 + 0.19 * i for i in range(8)})
    notes = [note for note in gs.check(model).notes if "overlap" in note]
    assert len(notes) == 6
    assert notes[-1] == "2 more pairs of bodies overlap, less deep."


def test_separate_moves_lighter_bodies_farther() -> None:
    """Two balls of 1 kg and 3 kg overlap by 4 cm: they move by 3 cm and 1 cm."""
    model = loose({"a": gs.sphere(1, 0.1), "b": gs.sphere(3, 0.1)}, on_floor=False)
    model.add(gs.Contacts("c", among=["a", "b"], normal=LAW))
    start = gs.separate(model, {"b_motion.x": 0.16})
    assert start["a_motion.x"] == pytest.approx(-0.03, abs=1e-6)
    assert start["b_motion.x"] == pytest.approx(0.17, abs=1e-6)


def test_separate_leaves_no_overlap() -> None:
    """Boxes, cylinders and balls in a heap with overlaps, on a floor; a simulation begins without a depth."""
    solids = {"a": gs.box(1, 0.3, 0.3, 0.2), "b": gs.cylinder(1, 0.1, 0.3), "d": gs.sphere(1, 0.1)}
    model = loose(solids)
    model.add(gs.Contacts("c", among=["ground", *solids], normal=LAW, friction=gs.Bristle(0.3, 0.4, 1e4, 50, 0.1)))
    given = {"a_motion.z": 0.09, "b_motion.z": 0.32, "b_motion.x": 0.05, "d_motion.x": 0.22, "d_motion.z": 0.22}
    start = gs.separate(model, given)
    run = gs.simulate(model, 1e-3, initial=start, progress=False)
    assert run["c.depth"].values[0] < 1e-6
    moved = np.array([start[name] - value for name, value in given.items()])
    assert 0.01 < np.abs(moved).max() < 0.06


def test_joints_hold_while_bodies_are_separated() -> None:
    """A pendulum's bob in a post turns about its hinge."""
    model = gs.Model("pendulum", gravity=(0, 0, -9.81))
    model.add(gs.Body("ground", surfaces={"post": gs.shapes.Sphere(0.3, at=(0.45, 0, -1))}))
    model.add(gs.Body("arm", gs.rod(1, 0.4, along="z"), points={"top": (0, 0, 0.2), "end": (0, 0, -0.2)}))
    model.add(gs.Revolute("hinge", "ground", "arm.top", axis="y"))
    model.add(gs.Body("bob", gs.sphere(1, 0.2), points={"top": (0, 0, 0.6)}))
    model.add(gs.Revolute("next", "arm.end", "bob.top", axis="y"))
    model.add(gs.Contacts("c", among=["ground", "bob"], normal=LAW))
    start = gs.separate(model)
    run = gs.simulate(model, 1e-3, initial=start, progress=False)
    assert run["c.depth"].values[0] < 1e-6
    assert np.linalg.norm(run["bob"].values[0] - [0.45, 0, -1]) == pytest.approx(0.5, abs=1e-6)


def test_nothing_moves_without_overlap() -> None:
    model = balls([0.1, 0.1])
    given = {"b0_motion.z": 0.1, "b1_motion.z": 0.4}
    start = gs.separate(model, given)
    assert all(start[name] == value for name, value in given.items())


def test_no_room_is_explained() -> None:
    model = gs.Model("shelf")
    shelves = {"low": gs.shapes.Box((1, 1, 0.1)), "high": gs.shapes.Box((1, 1, 0.1), at=(0, 0, 0.25))}
    model.add(gs.Body("ground", surfaces=shelves))
    model.add(gs.Body("nut", gs.sphere(1, 0.1)))
    model.add(gs.Free("m", "ground", "nut"))
    model.add(gs.Contacts("c", between=[["ground"], ["nut"]], normal=LAW))
    with pytest.raises(gs.StateError, match=r"Contacts 'c': .*still overlap by .* there is no room for them"):
        gs.separate(model, {"m.z": 0.125})


@pytest.mark.parametrize("kind", [gs.Contact, gs.RigidContact])
def test_single_contacts_are_opened_too(kind: type[gs.Contact] | type[gs.RigidContact]) -> None:
    """A ball of 1 kg in the floor and in one of 3 kg beside it, which has room to give way."""
    model = gs.Model("balls", gravity=(0, 0, -9.81))
    model.add(gs.Body("ground", surfaces={"floor": gs.shapes.Plane()}))
    law = (gs.HuntCrossley(1e6, chi=0.1),) if kind is gs.Contact else ()
    for name, mass, x, z in (("a", 1, 0.0, 0.06), ("b", 3, 0.16, 0.3)):
        model.add(gs.Body(name, gs.sphere(mass, 0.1)))
        model.add(gs.Translation(f"{name}_motion", "ground", name, initial={"x": x, "z": z}))
        model.add(kind(f"{name}_floor", name, "ground.floor", *law))
    model.add(kind("pair", "a", "b", *law))
    assert any("contact 'a_floor': a and ground overlap by 0.04 m" in note for note in gs.check(model).notes)
    given = {"b_motion.z": 0.06}
    start = gs.separate(model, given)
    assert start["a_motion.z"] == pytest.approx(0.1, abs=1e-8)
    assert start["b_motion.z"] == pytest.approx(0.1, abs=1e-8)
    assert start["b_motion.x"] - start["a_motion.x"] == pytest.approx(0.2, abs=1e-8)
    assert -start["a_motion.x"] == pytest.approx(3 * (start["b_motion.x"] - 0.16), rel=1e-3)
    assert not any("overlap" in note for note in gs.check(_begun(model, start)).notes)


def _begun(model: gs.Model, start: dict[str, float]) -> gs.Model:
    """Return a model of balls on translations with other initial values."""
    found = model.flattened()
    for name in "ab":
        initial = {axis: start[f"{name}_motion.{axis}"] for axis in "xyz"}
        found.replace(gs.Translation(f"{name}_motion", "ground", name, initial=initial))
    return found


def test_a_ball_between_walls_without_room_is_named() -> None:
    model = gs.Model("narrow")
    walls = {"floor": gs.shapes.Plane(), "roof": gs.shapes.Plane(turn=[("x", "pi")], at=(0, 0, 0.15))}
    model.add(gs.Body("ground", surfaces=walls))
    model.add(gs.Body("ball", gs.sphere(1, 0.1)))
    model.add(gs.Prismatic("h", "ground", "ball", axis="z", initial=0.06))
    for wall in walls:
        model.add(gs.Contact(f"at_{wall}", "ball", f"ground.{wall}", gs.HuntCrossley(1e6)))
    with pytest.raises(
        gs.StateError, match=r"Contact 'at_floor': 'ball' and .*still overlap by 0\.0.* m after they were"
    ):
        gs.separate(model)
