"""Joints, forces, solids and shapes from outside the package work in model files at once."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import pytest
from any_models import any_model
from jsonschema import Draft202012Validator

import gyrostat as gs
from gyrostat.errors import GyrostatError, ModelError
from gyrostat.model import ForceElement, Joint, Shape, Solid
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.forces import Load, Motion, PointLoad
from gyrostat.model.joints import Coordinate, Mode, Pose
from gyrostat.model.joints.joint import EVERY_FORCE, EVERY_MOMENT
from gyrostat.model.kinds import End, EndKind, Quantity, QuantityKind
from gyrostat.model.model_file import model_schema
from gyrostat.model.record import value
from gyrostat.model.shapes.shape import Dimensions
from gyrostat.model.solids.solid import diagonal
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import divide, multiply, square
from gyrostat.spatial import ZERO, MassProperties, minus, opposite, scale


@dataclass(frozen=True)
class Parabola(Joint):
    """A pin that slides along the curve y = curvature·x²/2 without turning; the coordinate is x."""

    planar_freedoms: ClassVar[int | None] = 1
    curvature: Quantity = value(QuantityKind(), doc="curvature at the vertex (1/m)", keyword=True)

    @property
    def coordinates(self) -> tuple[Coordinate, ...]:
        return (Coordinate("x", "length"),)

    def pose(self, q: Sequence[Scalar], value: Evaluator) -> Pose:
        return Pose(r_PC_P=(q[0], divide(multiply(value(self.curvature), square(q[0])), 2), 0))

    def motion_space(self, q: Sequence[Scalar], value: Evaluator) -> tuple[Mode, ...]:
        return (Mode("along the curve", linear=(1, multiply(value(self.curvature), q[0]), 0)),)

    def reaction_space(self, pose: Pose, value: Evaluator) -> tuple[Mode, ...]:
        return (*EVERY_FORCE[1:], *EVERY_MOMENT)


@dataclass(frozen=True)
class Magnet(ForceElement):
    """An attraction between two points that grows with their distance, for the test's sake."""

    a: End = value(EndKind(), doc="one pole")
    b: End = value(EndKind(), doc="the other pole")
    strength: Quantity = value(QuantityKind(), doc="force per distance (N/m)")

    def loads(self, motion: Motion) -> Iterator[Load]:
        pull = scale(motion.evaluate(self.strength), minus(motion.end(self.b).position, motion.end(self.a).position))
        yield PointLoad(self.a, pull)
        yield PointLoad(self.b, opposite(pull))


@dataclass(frozen=True)
class Dumbbell(Solid):
    """Two point masses at ±length/2 along x."""

    tag: ClassVar[str] = "dumbbell"
    positive: ClassVar[tuple[str, ...]] = ("mass", "length")
    mass: Quantity = value(QuantityKind(), doc="mass of both (kg)")
    length: Quantity = value(QuantityKind(), doc="distance (m)")

    def mass_properties(self, value: Evaluator) -> MassProperties:
        J = divide(multiply(value(self.mass), square(value(self.length))), 4)
        return MassProperties(value(self.mass), ZERO, diagonal(0, J, J))

    def shapes(self) -> tuple[Shape, ...]:
        return ()


@dataclass(frozen=True)
class Arrow(Shape):
    """An arrow along x."""

    tag: ClassVar[str] = "arrow"
    positive: ClassVar[tuple[str, ...]] = ("length",)
    length: Quantity = value(QuantityKind(), doc="length (m)")

    def dimensions(self, value: Evaluator) -> Dimensions:
        return {"length": value(self.length)}


TOYS = ((gs.JOINTS, Parabola), (gs.FORCES, Magnet), (gs.SOLIDS, Dumbbell), (gs.SHAPES, Arrow))

TEXT = """\
gyrostat: 1
name: toys
gravity: [0, -9.81, 0]
parameters: {m: 2, c: 0.5}
bodies:
  bell: {properties: {dumbbell: {mass: m, length: 1}}, shape: [{arrow: {length: 2}}]}
joints:
  slide: {type: Parabola, parent: ground, child: bell, initial: 0.1, curvature: c}
forces:
  pull: {type: Magnet, a: ground, b: bell, strength: 3}
"""


@pytest.fixture
def toys():
    """All toys are registered, and taken out again."""
    for registry, cls in TOYS:
        registry.add(cls)
    yield
    for registry, cls in TOYS:
        registry.remove(cls.tag or cls.__name__)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "toys.yaml"
    path.write_text(TEXT, encoding="utf-8")
    return path


@pytest.mark.usefixtures("toys")
def test_toys_are_read_checked_written_and_have_a_schema(file, tmp_path):
    model = gs.Model.load(file)
    assert model["slide"] == Parabola("slide", "ground", "bell", curvature="c", initial=0.1)
    assert model["pull"] == Magnet("pull", "ground", "bell", 3)
    assert model["bell"] == gs.Body("bell", Dumbbell("m", 1), shape=Arrow(2))
    assert str(model.check()) == "Model 'toys': 1 body, 1 joint, 1 force, 2 parameters. No faults found."
    topology = gs.Topology.of(model)
    assert topology.mobility.planar == topology.mobility.spatial == 1
    assert topology.elements.graph.edge["pull"].head == "bell"
    model.save(file)
    assert file.read_text(encoding="utf-8") == TEXT.replace(
        "parameters: {m: 2, c: 0.5}", "parameters:\n  m: 2\n  c: 0.5"
    )
    model.save(tmp_path / "toys.json")
    assert gs.Model.load(tmp_path / "toys.json") == model


@pytest.mark.usefixtures("toys")
def test_the_schema_knows_toys(file):
    from gyrostat.model.documents import read_document

    check = Draft202012Validator(model_schema())
    data = read_document(file).data
    check.validate(data)
    data["joints"]["slide"]["radius"] = 3
    assert not check.is_valid(data)


@pytest.mark.usefixtures("toys")
def test_faults_of_toys_are_told_like_those_of_others(file):
    file.write_text(
        TEXT.replace("curvature", "curvatur").replace("length: 1", "length: -1").replace("strength: 3", "strength: t"),
        encoding="utf-8",
    )
    with pytest.raises(ModelError) as error:
        gs.Model.load(file)
    assert [str(fault) for fault in error.value.faults] == [
        "line 6, column 51: body 'bell', properties.dumbbell.length: -1 is not positive. Give a value above zero.",
        "line 8, column 80: joint 'slide', curvatur: is not a field here. Did you mean 'curvature' or 'armature'?",
        "line 8, column 10: joint 'slide': 'curvature' is missing. curvature at the vertex (1/m)",
        "line 10, column 54: force 'pull', strength: t uses time, which is not allowed here. Use parameters.",
    ]


@pytest.mark.usefixtures("toys")
def test_random_models_use_toys():
    from random import Random

    used = {type(c) for seed in range(60) for c in any_model(Random(seed)).components.values()}
    assert {Parabola, Magnet} <= used


def test_without_registration_toys_are_unknown(file):
    with pytest.raises(ModelError) as error:
        gs.Model.load(file)
    found = str(error.value)
    assert "there is no solid of this name" in found
    assert "'Parabola' is not a kind of joint. Did you mean 'Planar'" in found or "Known: " in found
    assert "'Magnet' is not a kind of force" in found


@pytest.mark.usefixtures("toys")
def test_a_name_is_registered_once():
    class Magnet(ForceElement):
        """Another one."""

        def loads(self, motion: Motion) -> Iterator[Load]:
            yield from ()

    with pytest.raises(
        GyrostatError, match=r"A force with the name 'Magnet' is already registered\. Give the new one another name"
    ):
        gs.FORCES.add(Magnet)


@pytest.mark.parametrize("thing", [Magnet, Joint, 3, "Magnet"])
def test_only_complete_joints_are_joints(thing):
    with pytest.raises(GyrostatError, match=r"is not a joint: derive it from Joint and define its methods\."):
        gs.JOINTS.add(thing)
