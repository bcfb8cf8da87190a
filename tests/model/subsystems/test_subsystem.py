"""Subsystems: names, parameters, places, gravity, refusals, drawings; equality with models written by hand."""

from __future__ import annotations

import pickle
import sys
from typing import Any

import numpy as np
import pytest
from jsonschema import Draft202012Validator

import gyrostat as gs
from gyrostat.errors import ModelError
from gyrostat.model.kinds import End
from gyrostat.model.model_file import model_schema, model_to_plain
from gyrostat.model.subsystems import used_model


def pendulum(**more: Any) -> gs.Model:
    model = gs.Model("pendulum", gravity=(0, "-g", 0), parameters={"m": 2, "l": 1.0, "g": 9.81, **more})
    model.add(gs.Body("bar", gs.rod("m", "l", along="y"), points={"top": (0, "l/2", 0), "tip": (0, "-l/2", 0)}))
    model.add(gs.Revolute("a", "ground", "bar.top"))
    model.add(gs.TorsionSpring("s", "a", stiffness=3, torque="-0.1*a.rate*m"))
    return model


def whole(*components: Any, gravity: Any = (0, -9.81, 0), **parameters: Any) -> gs.Model:
    model = gs.Model("whole", gravity=gravity, parameters=parameters)
    for component in components:
        model.add(component)
    return model


def by_hand(*pendulums: tuple[str, Any, Any, str]) -> gs.Model:
    """Return pendulums with masses, lengths and places, the parameters of each written out."""
    model = gs.Model("by hand", gravity=(0, -9.81, 0), parameters={"mm": 5})
    for name, m, length, _ in pendulums:
        model.set_parameter(f"m{name}", m)
        model.set_parameter(f"l{name}", length)
        points = {"top": (0, f"l{name}/2", 0), "tip": (0, f"-l{name}/2", 0)}
        model.add(gs.Body(f"bar{name}", gs.rod(f"m{name}", f"l{name}", along="y"), points=points))
    for name, *_, at in pendulums:
        model.add(gs.Revolute(f"a{name}", at, f"bar{name}.top"))
        model.add(gs.TorsionSpring(f"s{name}", f"a{name}", stiffness=3, torque=f"-0.1*a{name}.rate*m{name}"))
    return model


def message(make: Any) -> str:
    with pytest.raises(ModelError) as error:
        make().check()
    return str(error.value)


# --- numbers ---------------------------------------------------------------------------------------------------------


def test_two_instances_are_exactly_the_model_written_by_hand():
    model = whole(
        gs.Subsystem("one", pendulum(), {"m": "2*mm"}), gs.Subsystem("two", pendulum(), {"l": 0.7}, "one.bar.tip"), mm=5
    )
    part, hand = gs.formulate(model), gs.formulate(by_hand(("1", "2*mm", 1.0, "ground"), ("2", 2, 0.7, "bar1.tip")))
    assert part.coordinate_names == ("one.a", "two.a")
    random = np.random.default_rng(3)
    for _ in range(5):
        q, u = random.uniform(-2, 2, (2, 2))
        np.testing.assert_array_equal(part.forward_dynamics(q, u), hand.forward_dynamics(q, u))
        np.testing.assert_array_equal(part.mass_matrix(q), hand.mass_matrix(q))
    changed = part.forward_dynamics(q, u, parameters={"two.m": "mm + 1", "mm": 7})
    np.testing.assert_array_equal(changed, hand.forward_dynamics(q, u, parameters={"m2": "mm + 1", "mm": 7}))


def test_a_part_on_a_turned_frame_of_a_moving_body():
    part = pendulum()
    part.add(
        gs.Body("ground", points={"nail": (0.3, "l", 0)}, frames={"hook": gs.Frame((0, 1, 0), [("x", 0.2)], "nail")})
    )
    part.add(gs.SpringDamper("spring", "ground.nail", "bar.tip", 40, length=1))
    part.add(gs.SpringDamper("second", "ground.hook", "bar", 20, length=1))
    part.add(gs.Force("wind", "bar.tip", (1, 2, 0), axes="world"))
    seat = gs.Frame((1, 0, 0), [("z", 0.5)])
    cart = gs.Body("cart", mass=3, inertia=(1, 1, 1), frames={"seat": seat})
    model = whole(
        cart, gs.Planar("drive", "ground", "cart"), gs.Subsystem("left", part, {"l": "k"}, "cart.seat"), k=0.8
    )
    hand = gs.Model("by hand", gravity=(0, -9.81, 0))
    frames = {
        "seat": seat,
        "nail": gs.Frame((0.3, 0.8, 0), on="seat"),
        "hook": gs.Frame((0, 1, 0), [("x", 0.2)], on="nail"),
    }
    hand.add(gs.Body("cart", mass=3, inertia=(1, 1, 1), frames=frames))
    hand.add(gs.Planar("drive", "ground", "cart"))
    hand.add(gs.Body("bar", gs.rod(2, 0.8, along="y"), points={"top": (0, 0.4, 0), "tip": (0, -0.4, 0)}))
    hand.add(gs.Revolute("a", "cart.seat", "bar.top"))
    hand.add(gs.TorsionSpring("s", "a", stiffness=3, torque="-0.2*a.rate"))
    hand.add(gs.SpringDamper("spring", "cart.nail", "bar.tip", 40, length=1))
    hand.add(gs.SpringDamper("second", "cart.hook", "bar", 20, length=1))
    hand.add(gs.Force("wind", "bar.tip", (1, 2, 0), axes="cart.seat"))
    q, u = np.random.default_rng(1).uniform(-1, 1, (2, 4))
    found = [gs.formulate(each).forward_dynamics(q, u) for each in (model, hand)]
    np.testing.assert_allclose(found[0], found[1], rtol=1e-14)


def test_positions_in_formulas_are_seen_from_the_ground_of_the_part():
    part = pendulum()
    part.replace(gs.TorsionSpring("s", "a", torque="bar.tip.x + 2*bar.tip.velocity.y"))
    cart = gs.Body("cart", mass=3, inertia=(1, 1, 1), points={"pin": (1, 0, 0)})
    model = whole(cart, gs.Prismatic("x", "ground", "cart", axis="x"), gs.Subsystem("left", part, at="cart.pin"))
    torque = "left.bar.tip.seen_from.cart.pin.x + 2*left.bar.tip.seen_from.cart.pin.velocity.y"
    assert str(model.freeze()["left.s"].torque) == torque
    system = gs.formulate(model)
    at_rest = system.forward_dynamics([5.0, 0.3], [0.0, 0.0])
    np.testing.assert_allclose(system.forward_dynamics([-2.0, 0.3], [0.0, 0.0]), at_rest, rtol=1e-12)


def calls_to_flatten(count):
    """Return the number of calls of Python functions that make and flatten a chain of instances."""
    part, calls = pendulum(), 0

    def counted(_frame, event, _argument):
        nonlocal calls
        calls += event == "call"

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        places = ["ground", *(f"p{k}.bar.tip" for k in range(count - 1))]
        model = whole(*(gs.Subsystem(f"p{k}", part, at=at) for k, at in enumerate(places)))
        assert len(model.freeze().bodies) == count
    finally:
        sys.setprofile(before)
    return calls


def test_the_work_to_flatten_grows_with_the_number_of_instances():
    """200 take 0.14 s on a quiet machine, 0.5 s are asked; calls are the same on every machine."""
    few, many = calls_to_flatten(50), calls_to_flatten(200)
    assert many < 4.4 * few
    assert many < 200 * 1500


# --- names and parameters --------------------------------------------------------------------------------------------


def test_names_at_any_depth():
    inner = whole(gs.Subsystem("leg", pendulum(), {"m": "heavy"}), heavy=4)
    middle = whole(gs.Subsystem("left", inner, {"leg.l": "2*k"}), gs.Subsystem("right", inner), k=3)
    outer = whole(gs.Subsystem("robot", middle, {"right.leg.m": 7}))
    frozen = outer.freeze()
    assert list(frozen.joints) == ["robot.left.leg.a", "robot.right.leg.a"]
    values = frozen.values()
    expected = {"robot.left.heavy": 4, "robot.left.leg.m": 4, "robot.left.leg.l": 6, "robot.right.leg.m": 7}
    assert {name: values[name] for name in expected} == expected
    assert frozen.values({"robot.k": 5})["robot.left.leg.l"] == 10
    assert frozen.values({"robot.left.leg.l": 1})["robot.left.leg.l"] == 1
    assert outer.check().summary == "Model 'whole': 2 bodies, 2 joints, 2 forces, 9 parameters"


def test_bound_parameters_keep_unit_and_description():
    part = gs.Model("part", parameters={"m": {"value": 1, "unit": "kg", "description": "mass"}})
    found = whole(gs.Subsystem("left", part, {"m": "2*k"}), k=1).freeze().parameters["left.m"]
    assert found == gs.Parameter("2*k", "kg", "mass")


def test_the_model_may_change_after_it_was_used():
    part = pendulum()
    model = whole(gs.Subsystem("left", part))
    part.add(gs.Body("more", mass=1))
    assert "more" not in model["left"].model
    assert "left.more" not in model.freeze()


def test_names_do_not_collide_and_none_is_changed():
    model = whole(gs.Subsystem("left", pendulum()), gs.Body("bar", mass=1), gs.Revolute("a", "left.bar.tip", "bar"))
    frozen = model.freeze()
    assert list(frozen.components) == ["bar", "a", "left.bar", "left.a", "left.s"]
    assert frozen["a"].parent == End("left.bar", "tip")
    with pytest.raises(ModelError, match="joint 'left': the name is taken by another subsystem"):
        model.add(gs.Revolute("left", "ground", "bar"))
    with pytest.raises(ModelError, match="subsystem 'bar': the name is taken by another body"):
        model.add(gs.Subsystem("bar", pendulum()))
    with pytest.raises(ModelError, match=r"'left\.b' cannot be a name: dots stand between"):
        model.add(gs.Body("left.b", mass=1))


def test_a_subsystem_that_others_refer_to_cannot_be_removed():
    model = whole(gs.Subsystem("left", pendulum()), gs.Subsystem("right", pendulum(), at="left.bar.tip"))
    with pytest.raises(ModelError, match=r"it cannot be removed while subsystem 'right' refers to 'left\.bar\.tip'"):
        model.remove("left")
    model.remove("left", "right")


# --- places ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("at", "end"),
    [
        ("ground", End("ground")),
        ("base.bar", End("base.bar")),
        ("base.bar.tip", End("base.bar", "tip")),
        ("chain.link2", End("chain.link2")),
        ("chain.link2.tip", End("chain.link2", "tip")),
    ],
)
def test_the_ground_stands_at_a_place_of_another_part(at, end):
    chain = gs.Chain("chain", "ground", links=2, mass=1, length=1)
    part = pendulum()
    part.add(gs.Torque("twist", "bar", (0, 0, 1), reaction="ground"))
    model = whole(chain, gs.Subsystem("base", pendulum()), gs.Subsystem("top", part, at=at))
    assert model.freeze()["top.a"].parent == end
    assert model.freeze()["top.twist"].reaction == end.body
    model.check()


def test_shapes_on_the_ground_of_a_part_are_carried_by_its_host():
    part = pendulum()
    part.add(gs.Body("ground", shape=gs.shapes.Sphere("l", at=(0, 1, 0))))
    seat = gs.Frame((1, 0, 0), [("z", 0.5)], on="pin")
    cart = gs.Body("cart", gs.box(1, (1, 1, 1)), points={"pin": (0, 0, 2)}, frames={"seat": seat})
    model = whole(cart, gs.Prismatic("x", "ground", "cart"), gs.Subsystem("left", part, at="cart.seat"))
    box, ball = (shape.drawn(model.freeze().evaluator()) for shape in model.freeze()["cart"].drawn())
    assert box[0].shape == "box"
    [sphere] = ball
    np.testing.assert_allclose(sphere.placement.r_BS_B, (1 - np.sin(0.5), np.cos(0.5), 2))
    assert len(whole(gs.Subsystem("left", part)).freeze().ground.drawn()) == 1


# --- gravity ---------------------------------------------------------------------------------------------------------


def test_only_the_outermost_gravity_counts():
    model = whole(gs.Subsystem("left", pendulum(), {"g": 1.62}), gravity=(0, -9.81, 0))
    note = (
        "gravity of subsystem 'left' is (0, -1.62, 0) m/s², that of the whole model (0, -9.81, 0) m/s², which counts."
    )
    assert model.check().notes == (note,)
    with pytest.warns(gs.GyrostatWarning, match="gravity of subsystem 'left' is"):
        part = gs.formulate(model)
    np.testing.assert_array_equal(
        part.forward_dynamics([0.3], [0.0]), gs.formulate(pendulum()).forward_dynamics([0.3], [0.0])
    )


@pytest.mark.parametrize(
    ("at", "gravity", "noted"),
    [
        ("ground", (0, -9.81, 0), False),
        ("ground", (-9.81, 0, 0), True),
        ("ground.turned", (9.81, 0, 0), False),
        ("ground.turned", (0, -9.81, 0), True),
        ("cart", (9.81, 0, 0), False),  # its direction is not known on a moving body
        ("cart", (1.62, 0, 0), True),
        ("ground", (0, 0, 0), True),
    ],
)
def test_gravity_is_compared_in_world_axes(at, gravity, noted):
    turned = {"turned": gs.Frame(turn=[("z", "90*deg")])}
    cart = gs.Body("cart", mass=1)
    within = whole(gs.Subsystem("inner", pendulum()))
    for part, name in ((pendulum(), "left"), (within, "left.inner")):
        model = whole(gs.Body("ground", frames=turned), cart, gs.Prismatic("x", "ground", "cart"), gravity=gravity)
        model.add(gs.Subsystem("left", part, at=at))
        notes = model.check().notes
        assert any(f"gravity of subsystem {name!r}" in note for note in notes) == noted
    bare = gs.Model("no gravity")
    assert not any("subsystem" in note for note in whole(gs.Subsystem("left", bare), gravity=gravity).check().notes)


# --- refusals --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: gs.Subsystem("left", 3), "subsystem 'left', use: 3 is neither a model nor the path of a model file."),
        (
            lambda: gs.Subsystem("left", pendulum(), {"mass": 1, "gg": 2}),
            "subsystem 'left', parameters.mass: model 'pendulum' has no such parameter. Known: g, l, m.\n"
            "subsystem 'left', parameters.gg: model 'pendulum' has no such parameter. Did you mean 'g'?",
        ),
        (lambda: gs.Subsystem("left", "absent.yaml"), "subsystem 'left', use: in absent.yaml, there is no such file."),
    ],
)
def test_what_is_no_subsystem(make, text):
    with pytest.raises(ModelError) as error:
        make()
    assert str(error.value).startswith(text)


@pytest.mark.parametrize(
    ("subsystem", "text"),
    [
        (
            lambda: gs.Subsystem("left", pendulum(), {"m": "mm"}),
            "subsystem 'left', parameters.m: mm refers to 'mm', which is not known here. It may use parameters.",
        ),
        (
            lambda: gs.Subsystem("left", pendulum(), at="cart"),
            "subsystem 'left', at: refers to body 'cart', which is not in the model.",
        ),
        (
            lambda: gs.Subsystem("left", pendulum(), at="left.bar"),
            "joint 'left.a', child: it connects body 'left.bar' to itself.",
        ),
    ],
)
def test_faults_of_a_use(subsystem, text):
    assert text in message(lambda: whole(subsystem()))


def sensing(formula: str) -> gs.Model:
    part = pendulum()
    part.add(gs.Body("ground", points={"post": (1, 0, 0)}))
    part.replace(gs.TorsionSpring("s", "a", torque=formula))
    return part


@pytest.mark.parametrize(
    ("formula", "at", "text"),
    [
        (
            "bar.omega.z",
            "ground.pin",
            "a formula uses 'bar.omega.z' in axes of the ground, which is at ground.pin here.",
        ),
        ("bar.momentum.x", "ground.pin", "a formula uses 'bar.momentum.x' in axes of the ground"),
        (
            "bar.tip.x",
            ("ground", (1, 0, 0)),
            "a formula uses 'bar.tip.x', seen from the place ground at (1, 0, 0), which has",
        ),
        ("ground.post.x", "ground", "a formula uses 'ground.post.x', a place on the ground of the subsystem"),
        ("bar.seen_from.ground.post.x", "ground", "a formula uses 'ground.post.x', a place on the ground"),
    ],
)
def test_formulas_in_axes_of_the_ground(formula, at, text):
    model = whole(gs.Body("ground", points={"pin": (0, 1, 0)}), gs.Subsystem("left", sensing(formula), at=at))
    assert f"subsystem 'left', force 's': {text}" in message(lambda: model)


@pytest.mark.parametrize(
    ("formula", "renamed"),
    [
        ("bar.x", "left.bar.seen_from.ground.pin.x"),
        ("bar.seen_from.ground.velocity.x", "left.bar.seen_from.ground.pin.velocity.x"),
        ("a.rate", "left.a.rate"),
        ("m*t", "left.m*t"),
    ],
)
def test_formulas_that_have_a_form_elsewhere(formula, renamed):
    model = whole(gs.Body("ground", points={"pin": (0, 1, 0)}), gs.Subsystem("left", sensing(formula), at="ground.pin"))
    assert str(model.freeze()["left.s"].torque) == renamed
    model.check()


def test_a_place_that_the_ground_of_the_part_lacks():
    part = pendulum()
    part.add(gs.SpringDamper("spring", "ground.nail", "bar", 1, length=1))
    text = (
        "subsystem 'left', force 'spring': refers to ground.nail, but the ground of the subsystem has no point or frame"
    )
    assert text in message(lambda: whole(gs.Subsystem("left", part)))


def test_too_many_instances_are_refused(monkeypatch):
    monkeypatch.setattr(used_model, "INSTANCE_LIMIT", 100)
    model = pendulum()
    for _ in range(6):
        model = whole(gs.Subsystem("left", model), gs.Subsystem("right", model))
    with pytest.raises(ModelError, match="it has more than 100 subsystems, those of all levels together"):
        gs.Subsystem("one", model)


# --- drawings --------------------------------------------------------------------------------------------------------


def test_subsystems_are_boxes_that_can_be_opened():
    pair = whole(gs.Subsystem("one", pendulum()), gs.Subsystem("two", pendulum(), at="one.bar.tip"))
    model = whole(gs.Subsystem("pair", pair), gs.Body("ball", mass=1), gs.Spherical("pin", "pair.two.bar.tip", "ball"))
    topology = gs.Topology.of(model)
    closed, some, every = (topology.draw(opened=opened) for opened in (False, ["pair.two"], True))
    assert "pair: 2 bodies, 2 joints" in closed
    assert 'data-name="pair.one.a"' in closed
    assert 'data-name="pair.two.a"' not in closed
    assert "gs-vertex gs-subsystem" in some
    assert "pair.one: 1 body, 1 joint" in some
    assert 'data-name="pair.two.bar"' in some
    assert 'data-name="pair.one.bar"' in every
    assert "gs-vertex gs-subsystem" not in every
    with pytest.raises(gs.TopologyError, match=r"There is no subsystem 'par' to open\. Did you mean 'pair'\?"):
        topology.draw(opened=["par"])


# --- other forms -----------------------------------------------------------------------------------------------------


def test_written_forms_fit_the_schema_and_can_be_pickled():
    inner = whole(gs.Subsystem("leg", pendulum(), {"m": 2}, at=("ground", gs.Frame((0, 1, 0), [("z", 0.3)]))))
    model = whole(gs.Subsystem("left", inner, {"leg.m": "k"}, at=("ground", (1, 0, 0))), k=1)
    check = Draft202012Validator(model_schema())
    plain = model_to_plain(model)
    check.validate(plain)
    check.validate({**plain, "subsystems": {"left": {"use": "parts/leg.yaml"}}})
    assert not check.is_valid({**plain, "subsystems": {"left": {"use": 3}}})
    assert not check.is_valid({**plain, "subsystems": {"left": {}}})
    again = pickle.loads(pickle.dumps(model))
    assert again == model
    assert again.freeze().components == model.freeze().components
    assert hash(again["left"]) == hash(model["left"])
    assert again["left"] != whole(gs.Subsystem("left", pendulum()))["left"]


def test_check_knows_parameters_of_subsystems_in_formulas():
    leg = gs.Model("leg", parameters={"l": 0.6})
    leg.add(gs.Body("bar", gs.rod(1, "l", along="y"), points={"top": (0, "l/2", 0)}))
    leg.add(gs.Revolute("hip", "ground", "bar.top"))
    whole = gs.Model("whole", parameters={"reach": "2*left.l"})
    whole.add(gs.Subsystem("left", leg, at=("ground", ("reach", 0, 0))))
    assert "The mechanism has 1 degree of freedom." in gs.check(whole).notes
