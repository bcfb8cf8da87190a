"""No part of a picture floats: solids reach their joints, slides have rails, ropes sheaves, ground points supports."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from pictured_models import PICTURED, crane, six_bar

import gyrostat as gs
from gyrostat.kinematics.placement import place_on_body
from gyrostat.pictures.animation.viewpoint import viewpoint
from gyrostat.pictures.scene import Scene, SceneShape, ShapeKind, nearest_points
from gyrostat.shown.attachments import attachments
from gyrostat.shown.trajectory_scene import initial_scene, trajectory_scene

EXAMPLES = sorted((Path(__file__).parent.parent.parent / "examples").glob("*.yaml"))
NEAR = 0.012
"""Distance up to which parts touch each other in a picture, in sizes of the scene."""


def distance(shape: SceneShape, place: np.ndarray) -> float:
    return float(np.linalg.norm(nearest_points(shape, place) - place, axis=1).min())


def loose_places(model: gs.Model, scene: Scene, size: float) -> list[str]:
    """Return the places at which something is fastened to a body that none of the body's shapes reaches."""
    value = model.evaluator()
    found = []
    shapes = {body.name: body.shapes for body in scene.bodies}
    for name, ends in attachments(model, value).items():
        for end in ends:
            place = place_on_body(model, end, value)[1]
            if not shapes.get(name):
                continue
            near = min(distance(shape, place) for shape in shapes[name])
            if near > NEAR * size:
                found.append(f"{name}: {end}")
    return found


def loose_parts(scene: Scene, size: float) -> list[str]:
    """Return the bodies whose shapes do not hang together: rods must begin and end at another shape or a place."""
    found = []
    for body in scene.bodies:
        if body.name == "ground" or len(body.shapes) < 2:
            continue
        groups = [{k} for k in range(len(body.shapes))]
        for i, one in enumerate(body.shapes):
            for k, other in enumerate(body.shapes):
                if i < k and touch(one, other, NEAR * size):
                    a, b = (next(g for g in groups if n in g) for n in (i, k))
                    if a is not b:
                        groups.remove(b)
                        a |= b
        if len(groups) > 1:
            found.append(f"{body.name}: {[[body.shapes[k].kind.value for k in g] for g in groups]}")
    return found


def touch(one: SceneShape, other: SceneShape, near: float) -> bool:
    return any(distance(b, place) <= near for a, b in ((one, other), (other, one)) for place in samples(a))


def samples(shape: SceneShape) -> np.ndarray:
    if shape.kind is ShapeKind.LINE:
        points = shape.dimensions["points"]
        part = np.linspace(0, 1, 9)[:, None]
        return np.concatenate([a + part * (b - a) for a, b in pairwise(points)])
    corners = shape.corners()
    return np.concatenate([corners, corners.mean(axis=0, keepdims=True)])


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_no_example_has_floating_parts(path: Path) -> None:
    model = gs.Model.load(path)
    scene = initial_scene(gs.formulate(model))
    size = viewpoint(scene).size
    assert loose_places(model, scene, size) == []
    assert loose_parts(scene, size) == []


@pytest.mark.parametrize("name", ["crane", "six_bar", "hoist", "belt", "rod_and_bob"])
def test_no_rope_or_linkage_has_floating_parts(name: str) -> None:
    run = PICTURED[name]()
    scene = trajectory_scene(run)
    size = viewpoint(scene).size
    assert loose_places(run.system.model, scene, size) == []
    assert loose_parts(scene, size) == []


def test_a_slide_has_its_rail_over_the_travelled_range() -> None:
    run = crane()
    ground = next(body for body in trajectory_scene(run).bodies if body.name == "ground")
    (rail,) = [shape for shape in ground.shapes if shape.kind is ShapeKind.LINE]
    ends = rail.dimensions["points"]
    way = run["trolley.x"].values
    assert ends[:, 1] == pytest.approx(4.0)
    assert ends[0, 0] < way.min() - 0.4, "beyond the trolley"
    assert ends[1, 0] > way.max() + 0.4
    supports = [shape for shape in ground.shapes if shape.kind is ShapeKind.CONE]
    assert len(supports) == 2


def test_a_winch_has_a_drum_and_a_pulley_a_groove() -> None:
    shapes = next(body for body in trajectory_scene(crane()).bodies if body.name == "trolley").shapes
    discs = [shape for shape in shapes if shape.kind is ShapeKind.CYLINDER]
    core, *flanges = discs
    assert core.dimensions["radius"] < 0.2 < flanges[0].dimensions["radius"], "the rope lies between the flanges"
    assert core.dimensions["length"] == pytest.approx(2 * 0.45 * 0.2), "a drum is wide"
    middles = [flange.position[2] for flange in flanges]
    assert middles[0] < 0 < middles[1]


def test_a_solid_has_struts_to_joints_outside() -> None:
    scene = trajectory_scene(six_bar())
    rocker = next(body for body in scene.bodies if body.name == "rocker")
    rods = [shape for shape in rocker.shapes if shape.kind is ShapeKind.LINE]
    ends = sorted(tuple(rod.dimensions["points"][1]) for rod in rods)
    assert ends == [(0.0, -0.35, 0.0), (0.0, 0.35, 0.0), (0.3, 0.2, 0.0)]


def test_the_ground_is_where_the_model_says() -> None:
    bicycle = initial_scene(gs.formulate(gs.Model.load(EXAMPLES[-1])))
    assert bicycle.floor == pytest.approx(0.0)
    assert initial_scene(gs.formulate(gs.Model.load(EXAMPLES[0]))).floor is None


def test_the_camera_follows_what_travels_far() -> None:
    run = gs.simulate(gs.Model.load(EXAMPLES[-1]), duration=4.0, step=0.05)
    view = viewpoint(trajectory_scene(run))
    assert view.follow == 0
    assert view.size < 4.0, "as large as the bicycle"
    assert np.ptp(view.swept[:, 0]) > 12.0, "not as long as its way"


def test_a_solid_around_the_mechanism_is_translucent() -> None:
    model = gs.Model.load(next(path for path in EXAMPLES if path.stem == "autoparametric_absorber"))
    machine = initial_scene(gs.formulate(model)).bodies[0]
    assert machine.shapes[0].opacity < 0.6
    four_bar = gs.Model.load(next(path for path in EXAMPLES if path.stem == "four_bar"))
    assert all(shape.opacity == 1 for body in initial_scene(gs.formulate(four_bar)).bodies for shape in body.shapes)


def test_a_rack_reaches_from_its_body_to_the_pinion() -> None:
    path = next(path for path in EXAMPLES if path.stem == "gear_train")
    scene = initial_scene(gs.formulate(gs.Model.load(path)))
    (rope,) = (line for line in scene.lines if line.name == "rope")
    np.testing.assert_allclose(rope.points[0], [[0.7, 0, -2], [0.7, 0, 0]], atol=1e-12)


def test_the_support_of_a_disc_stands_beside_it_on_an_axle() -> None:
    run = PICTURED["belt"]()
    scene = trajectory_scene(run)
    shapes = {body.name: body.shapes for body in scene.bodies}
    slabs = [shape for shape in shapes["ground"] if shape.kind is ShapeKind.BOX]
    axles = [shape for shape in shapes["ground"] if shape.kind is ShapeKind.LINE]
    assert len(slabs) == len(axles) == 2, "one for each pulley"
    for slab in slabs:
        assert slab.corners()[:, 2].min() > 0.03, "in front of the discs, which are 0.06 m thick"
    for axle in axles:
        assert axle.dimensions["points"][0, 2] == 0, "from the hinge"
        assert axle.dimensions["points"][1, 2] > 0.03


def test_what_turns_about_an_upright_axis_has_no_axle() -> None:
    model = gs.Model("turntable", gravity=(0, 0, -9.81))
    model.add(gs.Body("table", gs.cylinder(5, 0.5, 0.1, along="z")))
    model.add(gs.Revolute("turn", "ground", "table"))
    ground = next(body for body in initial_scene(gs.formulate(model)).bodies if body.name == "ground")
    assert not [shape for shape in ground.shapes if shape.kind is ShapeKind.LINE]


def test_walls_let_see_what_they_enclose() -> None:
    model = gs.Model("bin", gravity=(0, 0, -9.81))
    wall = gs.shapes.Plane(at=(-1, 0, 0), turn=[("y", "pi/2")])
    slope = gs.shapes.Plane(turn=[("y", "pi/6")])
    model.add(gs.Body("ground", surfaces={"floor": gs.shapes.Plane(), "wall": wall, "slope": slope}))
    model.add(gs.Body("ball", gs.sphere(1.0, 0.1)))
    model.add(gs.Free("free", "ground", "ball"))
    ground = next(body for body in initial_scene(gs.formulate(model)).bodies if body.name == "ground")
    floor, seen_through, ramp = (shape.opacity for shape in ground.shapes)
    assert (floor, ramp) == (1, 1)
    assert seen_through < 0.3


def test_springs_and_joints_of_a_chain_leave_its_links_to_be_seen() -> None:
    model = gs.Model("chain", gravity=(0, -9.81, 0))
    above: object = "ground"
    for k in range(20):
        model.add(gs.Body(f"b{k}", gs.rod(0.1, 0.1, along="y"), points={"top": (0, 0.05, 0), "end": (0, -0.05, 0)}))
        model.add(gs.Revolute(f"j{k}", above, f"b{k}.top"))
        model.add(gs.TorsionSpring(f"s{k}", f"j{k}", stiffness=1.0))
        above = f"b{k}.end"
    scene = initial_scene(gs.formulate(model))
    spans = [float(np.ptp(line.points[0], axis=0).max()) for line in scene.lines]
    assert len(spans) == 20
    assert max(spans) < 0.08, "links of 0.1 m"
    assert max(0.0085 * viewpoint(scene).size * joint.share for joint in scene.joints) < 0.02, "radii of marks"
