"""Trajectories as scenes: all poses agree with the outputs of the trajectory."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import gyrostat as gs
from gyrostat.pictures.rotation import rotated
from gyrostat.pictures.scene import JointMark, LineKind, Scene, ShapeKind
from gyrostat.shown.trajectory_scene import initial_scene, trajectory_scene

EXAMPLES = Path(__file__).parents[2] / "examples"
TREES = ("double_pendulum", "gyrostat_satellite", "seven_joint_arm", "slider_pendulum", "spinning_top")


def run(name: str, duration: float = 0.5, **options: object) -> gs.Trajectory:
    return gs.simulate(gs.Model.load(EXAMPLES / f"{name}.yaml"), duration=duration, step=duration / 20, **options)


def places(scene: Scene, body: str, point: object) -> np.ndarray:
    """Return where a point of a body is in all frames."""
    one = next(one for one in scene.bodies if one.name == body)
    return np.broadcast_to(one.positions + rotated(one.quaternions, np.asarray(point, dtype=float)), (scene.frames, 3))


@pytest.mark.parametrize("name", TREES)
def test_bodies_stand_where_the_outputs_say(name: str):
    trajectory = run(name)
    model = trajectory.system.model
    scene = trajectory_scene(trajectory)
    value = model.evaluator()
    assert np.array_equal(scene.times, trajectory.time)
    for body in trajectory.system.bodies:
        for point, place in model.bodies[body].points.items():
            assert places(scene, body, value.vector(place)) == pytest.approx(
                trajectory[f"{body}.{point}"].values, abs=1e-12
            )


@pytest.mark.parametrize("name", TREES)
def test_joints_are_marked_where_both_sides_meet(name: str):
    trajectory = run(name)
    scene = trajectory_scene(trajectory)
    model = trajectory.system.model
    for joint in scene.joints:
        if joint.name not in model.joints or joint.mark is JointMark.SLIDER:
            continue
        parent = model.joints[joint.name].parent
        where = trajectory[str(parent)].values
        assert places(scene, joint.body, joint.point) == pytest.approx(where, abs=1e-12)


def test_marks_and_axes_follow_from_the_freedoms():
    model = gs.Model("all joints")
    wanted = {
        "hinge": (gs.Revolute("hinge", "ground", "b0", axis=(1, 2, 2)), JointMark.HINGE, (1 / 3, 2 / 3, 2 / 3)),
        "slide": (gs.Prismatic("slide", "ground", "b1", axis="y"), JointMark.SLIDER, (0, 1, 0)),
        "sleeve": (gs.Cylindrical("sleeve", "ground", "b2", axis="x"), JointMark.SLEEVE, (1, 0, 0)),
        "screw": (gs.Screw("screw", "ground", "b3", axis="z", pitch=0.1), JointMark.SLEEVE, (0, 0, 1)),
        "cross": (gs.Universal("cross", "ground", "b4"), JointMark.BALL, None),
        "ball": (gs.Spherical("ball", "ground", "b5"), JointMark.BALL, None),
        "plate": (gs.Planar("plate", "ground", "b6"), JointMark.PLATE, (0, 0, 1)),
        "weld": (gs.Weld("weld", "ground", "b7"), JointMark.DOT, None),
    }
    for i, (joint, _, _) in enumerate(wanted.values()):
        model.add(gs.Body(f"b{i}", gs.sphere(1, 0.1)))
        model.add(joint)
    model.add(gs.Body("loose", gs.sphere(1, 0.1)))
    model.add(gs.Free("free", "ground", "loose"))
    scene = initial_scene(gs.formulate(model))
    found = {joint.name: joint for joint in scene.joints}
    assert set(found) == set(wanted), "free motion has no mark"
    for name, (_, mark, axis) in wanted.items():
        assert found[name].mark is mark
        if axis is not None:
            assert found[name].axis == pytest.approx(np.array(axis))


def test_springs_stretch_between_their_ends():
    trajectory = run("vehicle_on_springs")
    scene = trajectory_scene(trajectory)
    strut = next(line for line in scene.lines if line.name == "strut_fl")
    assert strut.kind is LineKind.SPRING_DAMPER
    assert strut.points[:, 0] == pytest.approx(trajectory["car.top_fl"].values)
    assert strut.points[:, 1] == pytest.approx(trajectory["wheel_fl"].values)
    lengths = np.linalg.norm(strut.points[:, 1] - strut.points[:, 0], axis=1)
    assert lengths == pytest.approx(trajectory["strut_fl.length"].values)
    assert [reading.label for reading in strut.readings] == ["strut_fl.force", "strut_fl.length"]


@pytest.mark.parametrize(
    ("law", "kind"),
    [
        ({"stiffness": 1, "length": 1}, LineKind.SPRING),
        ({"damping": 1}, LineKind.DAMPER),
        ({"stiffness": 1, "length": 1, "damping": "c"}, LineKind.SPRING_DAMPER),
        ({"force": "5*length"}, LineKind.ACTUATOR),
    ],
)
def test_lines_look_like_what_they_are(law: dict, kind: LineKind):
    model = gs.Model("slide", parameters={"c": 2})
    model.add(gs.Body("block", gs.box(1, (0.1, 0.1, 0.1))))
    model.add(gs.Prismatic("x", "ground", "block", axis="x", initial=0.7))
    model.add(gs.SpringDamper("line", ("ground", (-1, 0, 0)), "block", **law))
    (line,) = initial_scene(gs.formulate(model)).lines
    assert line.kind is kind
    assert line.points[0] == pytest.approx(np.array([[-1, 0, 0], [0.7, 0, 0]]))


def test_massless_rods_and_cables_are_drawn():
    model = gs.Model("held", gravity=(0, 0, -9.81))
    model.add(gs.Body("left", gs.sphere(1, 0.1)))
    model.add(gs.Body("right", gs.sphere(1, 0.1)))
    model.add(gs.Prismatic("z1", "ground", "left", axis="z", initial=-1.0))
    model.add(gs.Prismatic("z2", ("ground", (1, 0, 0)), "right", axis="z", initial=-1.0))
    wheel = ("ground", (0.5, 0, 0))
    model.add(gs.Cable("cable", ["left", wheel, "right"], 2 * np.hypot(0.5, 1.0)))
    (cable,) = initial_scene(gs.formulate(model)).lines
    assert cable.kind is LineKind.LINK
    assert cable.points[0] == pytest.approx(np.array([[0, 0, -1], [0.5, 0, 0], [1, 0, -1]]))
    rod = gs.Model("rod")
    rod.add(gs.Body("ball", gs.sphere(1, 0.1)))
    rod.add(gs.Prismatic("x", "ground", "ball", axis="x", initial=2.0))
    rod.add(gs.Distance("rod", "ground", "ball", 2))
    (line,) = initial_scene(gs.formulate(rod)).lines
    assert line.points[0] == pytest.approx(np.array([[0, 0, 0], [2, 0, 0]]))


def test_ropes_are_drawn_with_their_arcs_on_sheaves():
    model = gs.Model("belt")
    model.add(gs.Body("wheel", mass=1, inertia=(1, 1, 1)))
    model.add(gs.Revolute("spin", ("ground", (2, 0, 0)), "wheel"))
    pulleys = gs.Pulley("p", "ground", 0.5, "left"), gs.Pulley("q", "wheel", 0.5, "left")
    model.add(gs.Belt("belt", pulleys, 7, 1e3))
    model.add(gs.Body("load", gs.sphere(1, 0.1)))
    model.add(gs.Prismatic("y", ("ground", (5, 0, 0)), "load", axis="y", initial=-1))
    peg, top = ("ground", (4.5, -1, 0)), ("ground", (4.5, 0, 0))
    off, on = gs.Pulley("off", peg, 0.2, "left", lifts=True), gs.Pulley("on", top, 0.5, "left")
    model.add(gs.Reeving("rope", ["load", on, off, ("ground", (4, -2, 0))], 5, 1e3))
    belt, rope = initial_scene(gs.formulate(model)).lines
    assert belt.kind is LineKind.LINK  # smooth lines overshoot where spans meet arcs
    assert belt.radius is not None
    (points,) = belt.points
    assert np.linalg.norm(np.diff(points, axis=0), axis=1).sum() == pytest.approx(4 + math.pi, rel=1e-2)
    assert np.abs(points[:, 1]).max() == pytest.approx(0.5, abs=1e-12)
    assert points[0] == pytest.approx(points[-1], abs=1e-12)
    (points,) = rope.points
    assert points[[0, -1]] == pytest.approx(np.array([[5, -1, 0], [4, -2, 0]]))
    assert np.linalg.norm(np.diff(points, axis=0), axis=1).sum() == pytest.approx(3 + math.pi / 2, rel=1e-2)


def test_torsion_springs_wind_up_about_their_hinge():
    model = gs.Model("clock")
    model.add(gs.Body("hand", gs.rod(1, 1, along="y"), points={"hub": (0, -0.5, 0)}))
    model.add(gs.Revolute("hinge", ("ground", (1, 2, 3)), "hand.hub", axis="x", initial=1.0))
    model.add(gs.TorsionSpring("spring", "hinge", stiffness=1))
    scene = trajectory_scene(gs.simulate(model, duration=1, step=0.1))
    (spiral,) = scene.lines
    from_hinge = spiral.points - np.array([1, 2, 3])
    assert from_hinge[..., 0] == pytest.approx(0.0)
    radii = np.linalg.norm(from_hinge, axis=-1)
    assert (np.diff(radii, axis=1) > 0).all()
    assert np.ptp(from_hinge[:, -1], axis=0) == pytest.approx(0.0), "its outer end is fixed to the ground"
    angle = np.unwrap(np.arctan2(from_hinge[:, 0, 2], from_hinge[:, 0, 1]))
    turned = gs.simulate(model, duration=1, step=0.1)["hinge"].values
    assert angle - angle[0] == pytest.approx(turned - turned[0], abs=1e-9)


def test_motors_are_marked_with_their_load():
    trajectory = run("double_pendulum", inputs={"motor": "3*t"})
    motor = next(joint for joint in trajectory_scene(trajectory).joints if joint.name == "motor")
    assert motor.mark is JointMark.SLEEVE
    (load,) = motor.readings
    assert (load.label, load.unit) == ("motor.force", "N·m")
    assert load.values == pytest.approx(3 * trajectory.time)


@pytest.mark.parametrize(("inertia", "kind"), [(2, ShapeKind.POINT), (0.01, ShapeKind.ELLIPSOID)])
def test_bodies_without_shape_get_links_and_an_ellipsoid_or_a_mark(inertia: float, kind: ShapeKind):
    model = gs.Model("bare", parameters={"m": 5})
    points = {"left": (-1, 0, 0), "right": (1, 0, 0)}
    model.add(gs.Body("bare", mass="m", inertia=(inertia, inertia, inertia), com=(0, 0.5, 0), points=points))
    model.add(gs.Revolute("hinge", "ground", "bare.left"))
    model.add(gs.Body("dot", gs.point_mass(1)))
    model.add(gs.Prismatic("slide", "bare.right", "dot"))
    model.add(gs.Body("hidden", gs.sphere(1, 1), shape=[]))
    model.add(gs.Weld("weld", "dot", "hidden"))
    bodies = {body.name: body for body in initial_scene(gs.formulate(model)).bodies}
    *links, rail, mark = bodies["bare"].shapes
    assert mark.kind is kind, "an ellipsoid that is large in the scene becomes a mark"
    assert mark.position == pytest.approx(np.array([0, 0.5, 0]))
    if kind is ShapeKind.ELLIPSOID:
        assert mark.dimensions["semi_axes"] == pytest.approx(np.full(3, (inertia / 2) ** 0.5))
    ends = {tuple(link.dimensions["points"][1]) for link in links}
    assert ends == {(-1.0, 0.0, 0.0), (1.0, 0.0, 0.0)}
    assert rail.dimensions["points"].mean(axis=0) == pytest.approx(np.array([1, 0, 0])), "the slide has a rail"
    assert [shape.kind for shape in bodies["dot"].shapes] == [ShapeKind.POINT]
    assert bodies["hidden"].shapes == (), "who gives no shapes gets none"


def test_shapes_have_the_dimensions_of_the_run():
    model = gs.Model("bar", parameters={"l": 1.0})
    model.add(gs.Body("bar", gs.rod(1, "l", along="y")))
    model.add(gs.Revolute("hinge", "ground", "bar"))
    run = gs.simulate(model, duration=1, step=0.5, parameters={"l": 3.0})
    (shape,) = trajectory_scene(run).bodies[0].shapes
    assert shape.dimensions["length"] == 3.0
    assert shape.corners().max(axis=0) == pytest.approx(np.array([3 / 40, 1.5, 3 / 40]))


def test_the_ground_may_have_shapes():
    model = gs.Model("stand", gravity=(0, 0, -9.81))
    model.add(gs.Body("ground", shape=gs.shapes.Box((1, 1, 0.1))))
    model.add(gs.Body("ball", gs.sphere(1, 0.1)))
    model.add(gs.Free("free", "ground", "ball"))
    scene = trajectory_scene(gs.simulate(model, duration=1, step=0.5))
    assert [body.name for body in scene.bodies] == ["ball", "ground"]
    assert scene.gravity.tolist() == [0, 0, -9.81]


def test_paths_plots_and_events():
    trajectory = run("double_pendulum", 2.0, events=[gs.Event("upright", when="a1")])
    scene = trajectory_scene(trajectory, paths=["bar2.tip", "bar1"], plots=["a1", "a2", "bar2.tip", "a1.rate"])
    assert [(path.name, path.body) for path in scene.paths] == [("bar2.tip", "bar2"), ("bar1", "bar1")]
    assert places(scene, "bar2", scene.paths[0].point) == pytest.approx(trajectory["bar2.tip"].values)
    assert [(plot.label, plot.unit) for plot in scene.plots] == [("angle", "rad"), ("bar2.tip", "m"), ("θ̇₁", "rad/s")]
    assert list(scene.plots[0].series) == ["θ₁", "θ₂"]
    assert list(scene.plots[1].series) == ["bar2.tip x", "bar2.tip y", "bar2.tip z"]
    assert np.array_equal(scene.plots[0].series["θ₂"], trajectory["a2"].values)
    assert [(event.name, event.time) for event in scene.events] == [
        ("upright", one.time) for one in trajectory.at_event("upright")
    ]


def test_if_nothing_is_said_the_first_coordinates_are_plotted():
    assert [list(plot.series) for plot in trajectory_scene(run("double_pendulum")).plots] == [["θ₁", "θ₂"]]
    assert trajectory_scene(run("double_pendulum"), plots=()).plots == ()


def test_what_does_not_change_is_not_plotted_by_default():
    turning = trajectory_scene(run("gyrostat_satellite", 4.0)).plots
    assert [list(plot.series) for plot in turning] == [["orbit.w1", "orbit.w2"]], "it does not travel"
    at_rest = trajectory_scene(run("spatial_four_bar")).plots
    assert [len(plot.series) for plot in at_rest] == [4], "all angles"


def test_runs_are_laid_over_each_other():
    one, other = run("double_pendulum"), run("double_pendulum", initial={"a1": 0.5})
    scene = trajectory_scene(one, compare={"other": other}, paths=["bar2.tip"], title="two")
    assert (scene.runs, scene.title) == (("this run", "other"), "two")
    moving = [(body.run, body.name) for body in scene.bodies if body.name != "ground"]
    assert moving[2:] == [("other", "bar1"), ("other", "bar2")]
    first = next(body for body in scene.bodies if (body.run, body.name) == ("other", "bar1"))
    assert first.positions == pytest.approx(other["bar1"].values)


def test_the_first_picture_is_the_initial_position():
    trajectory = run("seven_joint_arm")
    first = initial_scene(trajectory.system)
    for one, whole in zip(first.bodies, trajectory_scene(trajectory).bodies, strict=True):
        assert one.positions[0] == pytest.approx(whole.positions[0])


def test_every_example_that_can_be_simulated_gives_a_scene():
    seen = []
    for path in sorted(EXAMPLES.glob("*.yaml")):
        model = gs.Model.load(path)
        try:
            system = gs.formulate(model)
        except gs.TopologyError:
            continue
        scene = initial_scene(system)
        assert {body.name for body in scene.bodies} >= set(system.bodies)
        seen.append(path.stem)
    assert set(seen) >= {*TREES, "vehicle_on_springs"}


def test_names_that_are_not_there():
    trajectory = run("double_pendulum")
    with pytest.raises(gs.PictureError, match=r"no body or point 'bar2\.top_' to trace\. Did you mean 'bar2\.top'"):
        trajectory_scene(trajectory, paths=["bar2.top_"])
    with pytest.raises(gs.PictureError, match="no body or point 'ground' to trace"):
        trajectory_scene(trajectory, paths=["ground"])
    with pytest.raises(gs.StateError, match="There is no output 'a3'"):
        trajectory_scene(trajectory, plots=["a3"])
    with pytest.raises(gs.PictureError, match="lists of names"):
        trajectory_scene(trajectory, paths="bar2.tip")


def test_a_shape_that_pictures_do_not_know_is_named():
    from gyrostat.shown.body_shapes import own_shapes

    class Blob(gs.shapes.Sphere):
        tag = "blob"

    model = gs.Model("blob")
    body = model.add(gs.Body("b", gs.sphere(1, 1), shape=[Blob(1)]))
    with pytest.raises(gs.PictureError, match="Body 'b': pictures have no shape 'blob'"):
        own_shapes(body, model.evaluator(), 100)
