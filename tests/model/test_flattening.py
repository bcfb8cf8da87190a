"""Owners and parts: order, references by longest match, ambiguous names, faults, files."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest
from any_models import any_model
from campaign import campaign
from owned_models import owned

import gyrostat as gs
from gyrostat.errors import Fault, ModelError
from gyrostat.model import Compound, ForceElement, Model, Parameter
from gyrostat.model.directory import Directory
from gyrostat.model.flattening import NESTING_LIMIT
from gyrostat.model.kinds import End, Reference
from gyrostat.model.model_file import model_to_plain
from gyrostat.model.names import GROUND, prefixes
from gyrostat.model.prefix import Prefix
from gyrostat.model.record import Component


@dataclass(frozen=True)
class Kit(Compound):
    """A compound whose parts are given by a function, for tests."""

    make: Callable[[Kit], Iterable[Component]] = lambda kit: ()
    given: tuple[tuple[str, Parameter], ...] = ()

    def parts(self) -> Iterable[Component]:
        return self.make(self)

    def part_parameters(self) -> dict[str, Parameter]:
        return dict(self.given)


def pendulum(kit: Component) -> Iterable[Component]:
    bar, hinge = kit.part_name("bar"), kit.part_name("hinge")
    return [gs.Body(bar, gs.rod(1, 1, along="x"), points={"tip": (0, 0, 1)}), gs.Revolute(hinge, "ground", End(bar))]


def model_of(*components: Component, **parameters: Any) -> Model:
    model = Model("kits", gravity=(0, 0, -9.81), parameters=parameters)
    for component in components:
        model.add(component)
    return model


def message(model: Model) -> str:
    with pytest.raises(ModelError) as error:
        model.check()
    with pytest.raises(ModelError):
        gs.formulate(model)
    return str(error.value)


# --- structure -------------------------------------------------------------------------------------------------------


def test_added_components_come_first_then_parts_by_owner():
    model = model_of(Kit("b", pendulum), gs.Body("own", mass=1), Kit("a", pendulum), gs.Prismatic("s", "ground", "own"))
    frozen = model.freeze()
    assert list(frozen.joints) == ["s", "b.hinge", "a.hinge"]
    assert list(frozen.bodies) == ["own", "b.bar", "a.bar"]
    assert not frozen.compounds
    assert gs.formulate(model).coordinate_names == ("s", "b.hinge", "a.hinge")


def test_a_model_as_written_stays():
    model = model_of(Kit("b", pendulum))
    frozen = model.freeze()
    assert frozen == model
    assert list(model.components) == list(frozen.source.components) == list(frozen.copy().components) == ["b"]
    assert frozen.freeze() is frozen
    assert str(model) == "Model 'kits': 0 bodies, 0 joints, 0 forces, 1 compound, 0 parameters"
    assert str(model.check()).startswith("Model 'kits': 1 body, 1 joint, 0 forces, 0 parameters. No faults")
    copy = frozen.copy()
    copy.add(gs.Body("more", mass=1))
    copy.add(gs.Prismatic("slide", "b.bar.tip", "more"))
    assert list(copy.freeze().bodies) == ["more", "b.bar"]


def test_owners_within_owners_at_any_depth():
    def nested(depth: int) -> Callable[[Kit], Iterable[Component]]:
        return pendulum if depth == 0 else lambda kit: [Kit(kit.part_name("k"), nested(depth - 1))]

    frozen = model_of(Kit("k", nested(4))).freeze()
    assert list(frozen.components) == ["k.k.k.k.k.bar", "k.k.k.k.k.hinge"]
    assert f"is within {NESTING_LIMIT} other owners. Nest fewer." in message(
        model_of(Kit("k", nested(NESTING_LIMIT + 3)))
    )


def test_an_owner_that_is_no_compound_stays_beside_its_parts():
    @dataclass(frozen=True)
    class Mount(ForceElement):
        """A force element with a body of its own."""

        def loads(self, motion: Any) -> Any:
            return iter(())

        def parts(self) -> Iterable[Component]:
            return pendulum(self)

    model = model_of(Mount("mount"))
    system = gs.formulate(model)
    assert list(system.model.components) == ["mount", "mount.bar", "mount.hinge"]
    linear = gs.linearize(system, at={"mount.hinge": 0.0}, inputs=["mount.bar.tip.force.x"], frozen=True)
    assert linear.inputs == ("mount.bar.tip.force.x",)


def test_parameters_of_parts_are_overridden_like_others():
    def part(kit: Component) -> Iterable[Component]:
        return [gs.Body(kit.part_name("bar"), mass="left.m"), gs.Prismatic("left.s", "ground", "left.bar")]

    given = (("left.m", Parameter("2*m", "kg")), ("left.unused", Parameter(1)))
    system = gs.formulate(model_of(Kit("left", part, given), m=3))
    assert system.mass_matrix([0.0])[0, 0] == 6
    assert system.mass_matrix([0.0], parameters={"left.m": "m + 1"})[0, 0] == 4
    assert system.mass_matrix([0.0], parameters={"m": 5})[0, 0] == 10
    with pytest.raises(ModelError, match=r"'left': there is no such parameter\. Did you mean one of left\.m, left\.un"):
        system.mass_matrix([0.0], parameters={"left": 1})


# --- names -----------------------------------------------------------------------------------------------------------


def test_the_longest_match_counts():
    body = gs.Body("left", mass=1, points={"pin": (0, 0, 0)}, rotors=[gs.Rotor("wheel", "x", 1, free=True)])
    axle = gs.Body("left.axle", mass=1, frames={"hub": gs.Frame()})
    joint, slide = gs.Planar("left.joint", "left.pin", "left.axle"), gs.Prismatic("left.joint.s", "left", "left.axle")
    directory = Directory({c.name: c for c in (body, axle, joint, slide)}, gs.Body(GROUND, points={"p": (0, 0, 0)}))
    assert directory.end("left.axle") == End("left.axle")
    assert directory.end("left.axle.hub") == End("left.axle", "hub")
    assert directory.end("left.pin") == End("left", "pin")
    assert directory.end("ground.p") == End("ground", "p")
    assert directory.end("left.pin.hub") is directory.end("left.nothing") is directory.end("right") is None
    assert directory.position("left.axle.hub.z") == (End("left.axle", "hub"), 2)
    assert directory.position("left.axle.x") == (End("left.axle"), 0)
    assert directory.position("left.axle.hub") is None
    assert directory.joint("left.joint.angle") is joint
    assert directory.joint("left.joint.s") is slide
    assert directory.joint("left.wheel") is None
    assert directory.rotor("left.wheel") is body.rotors[0]
    assert directory.split("left.joint.s.rate") == (slide, "rate")
    assert directory.split("nothing.x") == (None, "nothing.x")


def test_ends_that_name_a_part_are_its_frame():
    model = model_of(
        Kit("k", pendulum), gs.Body("b", mass=1), gs.Weld("w", "k.bar", "b"), gs.Weld("v", "k.bar.tip", "b")
    )
    assert model["w"].parent == End("k", "bar")
    assert model.freeze()["w"].parent == End("k.bar")
    assert model.freeze()["v"].parent == End("k.bar", "tip")


@pytest.mark.parametrize("add", [lambda model, name: model.add(gs.Body(name, mass=1)),
                                 lambda model, name: model.add(gs.Revolute(name, "ground", "b"))])  # fmt: skip
def test_users_give_no_names_with_dots(add):
    with pytest.raises(
        ModelError, match=r"'left\.axle' cannot be a name: dots stand between the names of an owner and"
    ):
        add(Model("m"), "left.axle")


@pytest.mark.parametrize(
    "make",
    [
        lambda: gs.Body("b", mass=1, points={"a.b": (0, 0, 0)}),
        lambda: gs.Rotor("a.b", "x", 1, free=True),
        lambda: Model("m", parameters={"a.b": 1}),
        lambda: Model("m").set_parameter("a.b", 1),
    ],
)
def test_nor_do_points_rotors_and_parameters(make):
    with pytest.raises(ModelError, match=r"'a\.b' cannot be a name: dots stand between.*for example 'a_b'"):
        make()


def test_names_with_dots_in_a_file(tmp_path):
    (tmp_path / "m.yaml").write_text("gyrostat: 1\nname: m\nbodies: {left.axle: {mass: 1}}\n")
    with pytest.raises(ModelError, match=r"line 3, column .*body 'left\.axle': 'left\.axle' cannot be a name: dots"):
        Model.load(tmp_path / "m.yaml")


@dataclass(frozen=True)
class Owning(gs.Body):
    """A body with parts, for tests."""

    def parts(self) -> Iterable[Component]:
        names = ("axle", "velocity", "x", "wheel", "frame", "sub.part")
        return [gs.Body(self.part_name(name), mass=1) for name in names]


@pytest.mark.parametrize(
    ("part", "meaning"),
    [
        ("left.axle", "left.axle is also point 'axle' of body 'left'"),
        ("left.velocity", "left.velocity is also output 'velocity' of body 'left'"),
        ("left.x", "left.x is also component 'x' of the position of body 'left'"),
        ("left.wheel", "left.wheel is also rotor 'wheel' of body 'left'"),
        ("left.frame", "left.frame is also frame 'frame' of body 'left'"),
        ("left.sub.part", "left.sub is also point 'sub' of body 'left'"),
    ],
)
def test_a_part_with_the_name_of_a_place_is_refused(part, meaning):
    places = {"axle": (0, 0, 0), "sub": (0, 0, 0)}
    wheel = gs.Rotor("wheel", "x", 1, free=True)
    model = model_of(Owning("left", mass=1, points=places, frames={"frame": gs.Frame()}, rotors=[wheel]))
    expected = f"body {part!r}: {meaning}. A name has one meaning; rename one of the two."
    assert expected in message(model).splitlines()
    with pytest.raises(ModelError, match="is also point 'axle'"):
        model.freeze()


def test_parts_that_mean_coordinates_or_outputs_are_refused():
    def parts(kit: Component) -> Iterable[Component]:
        yield from pendulum(kit)
        yield gs.Planar("hoist.p", "ground", "hoist.bar")
        yield gs.Spherical("hoist.ball", "ground", "hoist.bar")
        yield gs.SpringDamper("hoist.rope", "ground", "hoist.bar", stiffness=1, length=1)
        for name in ("hinge.rate", "p.x", "ball.w1", "rope.length"):
            yield gs.Body(f"hoist.{name}", mass=1)

    found = message(model_of(Kit("hoist", parts, (("hoist.p.y", Parameter(1)), ("hoist.bar", Parameter(1))))))
    for line in (
        "body 'hoist.hinge.rate': hoist.hinge.rate is also output 'rate' of joint 'hoist.hinge'.",
        "body 'hoist.p.x': hoist.p.x is also coordinate 'hoist.p.x' of joint 'hoist.p'.",
        "body 'hoist.ball.w1': hoist.ball.w1 is also speed 'hoist.ball.w1' of joint 'hoist.ball'.",
        "body 'hoist.rope.length': hoist.rope.length is also output 'length' of force 'hoist.rope'.",
        "parameter 'hoist.p.y': hoist.p.y is also coordinate 'hoist.p.y' of joint 'hoist.p'.",
        "parameter 'hoist.bar': body 'hoist.bar' has the same name.",
    ):
        assert f"{line} A name has one meaning; rename one of the two." in found


# --- faults ----------------------------------------------------------------------------------------------------------


def test_faults_of_parts():
    def twice(kit: Component) -> Iterable[Component]:
        return [*pendulum(kit), gs.Body("k.bar", mass=1)]

    found = message(model_of(Kit("k", twice)))
    assert "body 'k.bar': body 'k.bar' has the same name. Names are unique in a model; rename one of them, or" in found
    found = message(model_of(Kit("k", lambda kit: [gs.Body("bar", mass=1)])))
    assert "compound 'k': its part 'bar' lacks the name of its owner. Call it 'k.bar'." in found

    def broken(kit: Component) -> Iterable[Component]:
        raise ModelError(Fault("body 'k.bar'", "it has no mass.", "Give one."))

    assert "compound 'k', body 'k.bar': it has no mass. Give one." in message(model_of(Kit("k", broken)))


def test_faulty_fields_of_an_owner_are_reported_once():
    model = model_of(
        gs.Chain("chain", "grund", links=4, mass="mas", length=1),
        gs.Body("ball", mass=1),
        gs.Prismatic("pin", "chain.link4.tip", "ball"),
        gs.TorsionSpring("spring", "chain.hinge2", 1, torque="chain.hinge1"),
    )
    assert message(model).splitlines() == [
        "compound 'chain', mass: mas refers to 'mas', which is not known here. It may use parameters. There are none.",
        "compound 'chain', start: refers to body 'grund', which is not in the model. Did you mean 'ground'?",
    ]


def test_references_to_parts_that_do_not_exist():
    model = model_of(
        gs.Chain("chain", "ground", links=2, mass=1, length=1),
        gs.Torque("a", "chain", (1, 0, 0)),
        gs.Torque("b", "chain.link1.tip", (1, 0, 0)),
        gs.Force("c", "chain.link1.top.x", (1, 0, 0)),
        gs.TorsionSpring("d", "chain", 1),
        gs.TorsionSpring("e", "hinge", 1),
        gs.Force("f", "chain.link1.tp", (1, 0, 0)),
        gs.SpringDamper("g", "ground", "chain.link1", force="chain.hinge", length=0),
    )
    assert message(model).splitlines() == [
        "force 'g', force: chain.hinge refers to 'chain.hinge', which is not known here. It may use parameters, t, "
        "length, rate, coordinates, speeds, places, inputs, states and outputs by name. "
        "Did you mean 'chain.hinge2' or 'chain.hinge1' or 'chain.hinge2.rate'?",
        "force 'a', body: refers to body 'chain', which is not in the model. "
        "Did you mean one of chain.link1, chain.link2?",
        "force 'b', body: refers to 'chain.link1.tip', which is a place on body 'chain.link1'. Write 'chain.link1'.",
        "force 'c', at: refers to 'chain.link1.top.x', but body 'chain.link1' has no point or frame 'top.x'. "
        "Did you mean 'top'?",
        "force 'd', joint: refers to joint 'chain', which is not in the model. "
        "Did you mean one of chain.hinge1, chain.hinge2?",
        "force 'e', joint: refers to joint 'hinge', which is not in the model. Known: chain.hinge1, chain.hinge2.",
        "force 'f', at: refers to 'chain.link1.tp', but body 'chain.link1' has no point or frame 'tp'. "
        "Did you mean 'top' or 'tip'?",
    ]


def test_faults_of_parts_stand_where_their_owner_does(tmp_path):
    (tmp_path / "m.yaml").write_text(
        "gyrostat: 1\nname: m\nparameters: {l: -1}\ncompounds:\n"
        "  chain: {type: Chain, start: ground, links: 1, mass: 1, length: l}\n"
    )
    with pytest.raises(ModelError, match=r"line 5, column 10: body 'chain\.link1'.*is not positive"):
        Model.load(tmp_path / "m.yaml").check()
    (tmp_path / "m.yaml").write_text(
        "gyrostat: 1\nname: m\nbodies: {b: {mass: 1}}\n"
        "joints: {j: {type: Prismatic, parent: chain.link1.tip, child: b}}\n"
        "compounds:\n  chain: {type: Chain, start: ground, links: 1, mass: 1}\n"
    )
    with pytest.raises(ModelError) as error:
        Model.load(tmp_path / "m.yaml")
    assert [fault.fact for fault in error.value.faults] == ["'length' is missing."]


# --- every kind of component -----------------------------------------------------------------------------------------


def _names(component: Component) -> list[str]:
    """Return all names that a component refers to, in order."""
    found = []
    for use in component.all_uses:
        names = [use.target] if isinstance(use, Reference) else sorted(use.formula.names - use.scope.variables - {"t"})
        found += names
    return found


@campaign(range(0, 400, 10), "start", each=10)
def test_every_component_gets_all_names_of_its_scope(start):
    naming = Prefix("left")
    for seed in range(start, start + 10):
        model = any_model(Random(seed))
        for component in model.components.values():
            if component.name == GROUND:
                continue
            part = component.as_part("left", naming)
            assert part.name == f"left.{component.name}"
            expected = [name if GROUND in prefixes(name) else f"left.{name}" for name in _names(component)]
            assert sorted(_names(part)) == sorted(expected), f"seed {seed}, {component}"


@campaign(range(0, 120, 3), "start", each=3)
def test_any_model_as_parts_has_the_same_faults_and_comes_back(start, tmp_path):
    for seed in range(start, start + 3):
        model = any_model(Random(seed))
        if model.flat.faults:  # a model whose parts cannot be formed cannot be a subsystem
            with pytest.raises(ModelError, match="subsystem 'inner', use: in model"):
                owned(model, "outer", "inner")
            continue
        whole = owned(model, "outer", "inner")
        whole.save(tmp_path / "m.yaml")
        assert model_to_plain(Model.load(tmp_path / "m.yaml")) == model_to_plain(whole)
        alone, within = _faults(model), _faults(whole)
        assert set(alone) <= set(within), f"seed {seed}"
        # frames of the ground are copied to the ends that name them
        assert {within[place] for place in set(within) - set(alone)} <= set(alone.values()), f"seed {seed}"


def _faults(model: Model) -> dict[tuple[Any, ...], str]:
    """Return the facts of all faults by item and path, without the names of owners."""
    try:
        model.check()
    except ModelError as error:
        faults, owners = error.faults, "outer.inner."
        return {(one.item.replace(owners, ""), one.path): one.fact.replace(owners, "") for one in faults}
    return {}


def test_a_variable_of_a_curve_is_no_parameter_beside_it_also_in_a_part():
    """Otherwise x would be the coordinate along the curve in a part, where the plain model is refused."""

    def plain(name: str) -> Model:
        model = model_of(gs.Body("bead", gs.sphere(1, 1)), gs.Planar("p", "ground", "bead"), **{name: 2.0})
        model.add(gs.PointOnCurve("wire", "bead", "ground", equations=["y - x**2"]))
        return model

    meaning = "y - x**2 refers to 'x', which has another meaning here: "
    assert meaning in message(plain("x"))
    assert meaning in message(owned(plain("x"), "left"))
    assert meaning in message(owned(plain("x"), "outer", "left"))
    assert owned(plain("c"), "left").check()
