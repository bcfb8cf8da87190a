"""Arbitrary models over everything that is registered, made from a source of randomness.

Fields are filled by their kinds, so that a component registered from outside is covered as well. The models are
valid as files go: every component is accepted by itself; whether the whole makes a mechanism is left to chance.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

from gyrostat.errors import ModelError
from gyrostat.model import COMPOUNDS, FORCES, JOINTS, STATES, Body, Frame, Model, Parameter, Rotor
from gyrostat.model.compounds import Rope
from gyrostat.model.constraints import CONSTRAINTS
from gyrostat.model.constraints.point_driver import ComponentsKind
from gyrostat.model.contacts import KelvinVoigt
from gyrostat.model.flexible.beam_properties import BeamProperties
from gyrostat.model.flexible.modal_properties import ModalProperties
from gyrostat.model.flexible.order_kind import ORDERS, OrderKind
from gyrostat.model.flexible.terms_kind import TermsKind
from gyrostat.model.forces import Grains, RopeElement, SheaveContact, Winch
from gyrostat.model.forces.axes import AxesKind
from gyrostat.model.forces.compliant_joint import JointKind
from gyrostat.model.formula import Formula
from gyrostat.model.joints import Joint, Revolute
from gyrostat.model.kinds import (
    AxisKind,
    ChoiceKind,
    CountKind,
    EndKind,
    FlagKind,
    InertiaKind,
    LabelledKind,
    ListKind,
    MappingKind,
    NamedRecordsKind,
    OptionalKind,
    QuantityKind,
    RecordKind,
    ReferenceKind,
    Scope,
    TaggedKind,
    TextKind,
    TurnKind,
    VectorKind,
)
from gyrostat.model.kinds.arrays import ArrayKind
from gyrostat.model.kinds.one_or_more import OneOrMoreKind
from gyrostat.model.names import FORMULA_WORDS, GROUND, WORLD, fault_of
from gyrostat.model.record import Record, kinds_of
from gyrostat.model.ropes import Pulley
from gyrostat.model.ropes.grading_kind import GradingKind
from gyrostat.model.ropes.path_kind import PathKind
from gyrostat.model.ropes.rope_path import RopePathKind
from gyrostat.model.ropes.turns_kind import TurnsKind
from gyrostat.model.shapes.dimensioned import Dimensioned
from gyrostat.model.shapes.height_field import HeightField
from gyrostat.model.shapes.polyhedron import Polyhedron
from gyrostat.model.shapes.triangle_mesh import TriangleMesh
from gyrostat.model.states.sampled import SampledLawKind

LETTERS = "abcdefghijklmnopqrstuvwxyzABCXYZ_"
UNICODE_LETTERS = "αβγδθφωΩÅéñßжщ中文字かなעבالمधन𝒳"
TEXTS = (
    *("", "on", "yes", "null", "~", "1e3", "0x1F", "007", "1_000", ".inf", "2020-01-01", "<<", "=", "!", "&a", "*a"),
    *(
        "# no comment",
        "a: b",
        "- a",
        "{a: b}",
        "[a]",
        "%",
        "@",
        "`",
        "'single'",
        '"double"',
        "back\\slash",
        "tab\there",
    ),
    *(
        "two\nlines",
        "two\n\nparagraphs\n",
        "\nfirst",
        " leading",
        "trailing ",
        "a  b",
        "Ω·m²/s — ü",
        "中文字",
        "🛰 satellite",
    ),
    *("x" * 200, "word " * 60, "kg·m²", "? key", "|", ">", "...", "---", "true", "No", ",", ": "),
)


class AnyModel:
    """Fills the fields of a model; names that formulas and references may use are drawn first."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.taken = {GROUND, WORLD, *FORMULA_WORDS, *Body.suffixes, *Rotor.suffixes}
        self.parameters = self.names(5)
        self.bodies = self.names(4)
        self.joints = self.names(4)
        self.forces = self.names(4)
        self.constraints = self.names(4)
        self.states = self.names(3)
        self.compounds = self.names(2)
        self.places: dict[str, list[str]] = {}

    def model(self) -> Model:
        rng = self.rng
        model = Model(
            rng.choice(["a model", "doppelpendel Ω", "0", "null", "1e5", "[x]", "a: b"]),
            gravity=self.vector(Scope()),
            parameters={name: self.parameter(i) for i, name in enumerate(self.parameters)},
            description=self.text(),
        )
        if rng.random() < 0.5:
            model.add(self.body(GROUND))
        for name in self.bodies:
            model.add(self.body(name))
        for name in self.joints:
            model.add(self.made(lambda name=name: self.joint(name)))
        for name in self.forces:
            model.add(self.made(lambda name=name: self.force(name)))
        for name in self.constraints:
            model.add(self.made(lambda name=name: self.constraint(name)))
        for name in self.states:
            model.add(self.made(lambda name=name: self.state(name)))
        for name in self.compounds:
            model.add(self.made(lambda name=name: self.compound(name)))
        return model

    # --- components ---------------------------------------------------------------------------------------------

    def made(self, make: Callable[[], Any]) -> Any:
        """Try until a component is accepted; few tries are refused."""
        for _ in range(50):
            try:
                return make()
            except ModelError as error:
                refused = error
        raise refused

    def parameter(self, place: int) -> Any:
        """Return a parameter that refers to earlier ones only."""
        earlier = self.parameters[:place]
        value = self.rng.choice([None, self.number(), self.formula(earlier) if earlier else 2])
        return value if self.rng.random() < 0.4 else Parameter(value, self.text(), self.text())

    def body(self, name: str) -> Body:
        rng = self.rng
        fields: dict[str, Any] = {}
        if name != GROUND:
            if rng.random() < 0.6:
                fields["properties"] = self.filled(TaggedKind(lambda: _solids()), Scope())
            else:
                fields["mass"] = self.quantity(Scope())
                fields["inertia"] = self.filled(OptionalKind(InertiaKind()), Scope())
            fields["com"] = rng.choice([None, self.vector(Scope())])
            fields["rotors"] = [self.made(lambda: self.rotor()) for _ in range(rng.randrange(3))]
        fields["points"] = {point: self.vector(Scope()) for point in self.names(3)}
        fields["frames"] = {}
        for frame in self.names(2):
            fields["frames"][frame] = self.frame([*fields["points"], *fields["frames"]])
        fields["shape"] = self.filled(OptionalKind(ListKind(TaggedKind(lambda: _shapes()))), Scope())
        self.places[name] = [*fields["points"], *fields["frames"]]
        return Body(name, **fields)

    def frame(self, places: list[str]) -> Frame:
        """Return a frame on a body, on one of the places, or on another frame."""
        on = self.rng.choice(
            [None, *places, Frame(self.vector(Scope()), self.turn(), self.rng.choice([None, *places]))]
        )
        return Frame(self.vector(Scope()), self.turn(), on)

    def rotor(self) -> Rotor:
        motion = self.rng.choice(["spin", "momentum", "free"])
        given = True if motion == "free" else self.quantity(Scope(time=True))
        return Rotor(self.name(), self.axis(), self.quantity(Scope()), **{motion: given})

    def joint(self, name: str) -> Joint:
        cls = self.rng.choice(list(JOINTS))
        fields = self.fields(cls)
        if "angles" in fields:
            fields["angles"] = self.rng.choice([None, "zxz", "xyz", "yxz"])
        bare = cls(name, **{**fields, "symbol": {}, "driven": {}, "initial": {}})
        labels = [coordinate.label for coordinate in bare.coordinates]
        some = [label for label in labels if self.rng.random() < 0.4]
        fields["symbol"] = {label: self.name() for label in some}
        driven = [label for label in labels if bare.speeds_are_rates and self.rng.random() < 0.3]
        fields["driven"] = {label: self.quantity(Scope(time=True)) for label in driven}
        taken = {given for label in driven for given in (label, f"{label}.rate")}
        free = [label for label in (*labels, *bare.speed_labels) if label not in taken and self.rng.random() < 0.4]
        fields["initial"] = {label: self.quantity(Scope()) for label in free}
        return cls(name, **fields)

    def force(self, name: str) -> Any:
        cls = self.rng.choice(list(FORCES))
        return cls(name, **self.fields(cls))

    def constraint(self, name: str) -> Any:
        cls = self.rng.choice(list(CONSTRAINTS))
        return cls(name, **self.fields(cls))

    def state(self, name: str) -> Any:
        cls = self.rng.choice(list(STATES))
        return cls(name, **self.fields(cls))

    def compound(self, name: str) -> Any:
        cls = self.rng.choice([cls for cls in COMPOUNDS if cls.__module__.startswith("gyrostat.")])
        return cls(name, **self.fields(cls))

    def fields(self, cls: type[Record]) -> dict[str, Any]:
        """Return values for the fields of a record, by their kinds."""
        limited: set[str] = set()
        if issubclass(cls, Dimensioned):
            limited = {*cls.positive, *cls.not_negative}
        fields = {
            name: self.positive(kind) if name in limited else self.filled(kind, getattr(kind, "scope", Scope()))
            for name, kind in kinds_of(cls).items()
            if not (name == "path" and issubclass(cls, RopeElement))
        }
        if issubclass(cls, BeamProperties):
            fields |= dict.fromkeys(("area", "Iy", "Iz", "J", "E", "G", "density"), 0.5)
            fields |= {"section": None, "curvature": (0, 0, 0), "stations": {}, "rotary_inertia": True}
            fields |= {"kinetic_energy": "complete", "fibres": {"top": (self.quantity(Scope()), 0.1)}}
        if issubclass(cls, Polyhedron):
            fields["points"] = [(0, 0, self.rng.uniform(1, 2)), (1, 0, 0), (-1, 1, 0), (-1, -1, 0)]
        if issubclass(cls, TriangleMesh):
            points = [(0, 0, self.rng.uniform(1, 2)), (1, 0, 0), (-1, 1, 0), (-1, -1, 0)]
            fields |= {"points": points, "triangles": [(0, 1, 2), (0, 2, 3), (0, 3, 1), (1, 3, 2)], "closed": True}
        if issubclass(cls, HeightField):
            fields |= {"x": (0, 1), "y": (0, 1, self.rng.uniform(2, 3)), "heights": self.array(2, 3)}
        if issubclass(cls, RopeElement):
            pulleys = [self.made(lambda n=n: Pulley(n, **self.fields(Pulley))) for n in ("p", "q")]
            fields["path"] = pulleys if cls.closed else [self.end(), pulleys[0], self.end()]
        if issubclass(cls, Winch):
            fields["joint"], fields["radius"] = (None, None) if fields["speed"] is not None else ("j", 0.5)
            fields["turns"], fields["diameter"] = 10, 0.01
        if issubclass(cls, Rope):
            fields |= {"normal": KelvinVoigt(1), "friction": None, "EA": 0.5, "radius": 0.1, "joints": "universal"}
            fields |= {"segments": 3, "grading": self.rng.choice([None, [[1, 2], [2.5, 1]]]), "EI": 0}
        if issubclass(cls, SheaveContact):
            fields["normal"] = KelvinVoigt(1)
        if issubclass(cls, Grains):
            fields |= {"normal": KelvinVoigt(1), "radii": [0.1, 0.2], "density": 5, "walls": ["ground"], "step": None}
            fields |= {"fill": None, "positions": self.array(2, 3), "count": None}
        if issubclass(cls, ModalProperties):
            fields |= {"masses": self.array(2), "positions": self.array(2, 3), "shapes": self.array(2, 3, 1)}
            fields |= {"stiffness": self.array(1, 1)}
            place = {"position": self.array(3), "translation": self.array(3, 1), "rotation": self.array(3, 1)}
            fields |= {"interfaces": {self.name(): place}} if "interfaces" in fields else {}
        if issubclass(cls, Dimensioned):
            for smaller, larger in cls.ordered:
                fields[smaller], fields[larger] = 0.5, 0.75
        return fields

    def pulley(self, name: str) -> Pulley:
        return self.made(lambda: Pulley(name, **self.fields(Pulley)))

    def array(self, *shape: int) -> Any:
        """Return nested lists of positive numbers."""
        return self.rng.uniform(0.1, 2) if not shape else [self.array(*shape[1:]) for _ in range(shape[0])]

    def record(self, cls: type[Record]) -> Record:
        return self.made(lambda: cls(**self.fields(cls)))

    # --- fields -------------------------------------------------------------------------------------------------

    def filled(self, kind: Any, scope: Scope) -> Any:
        """Return a value of a kind."""
        rng = self.rng
        match kind:
            case QuantityKind():
                return self.quantity(kind.scope)
            case VectorKind():
                return self.vector(kind.scope)
            case AxisKind():
                return self.axis()
            case TurnKind():
                return self.turn()
            case InertiaKind():
                a, b, c, d, e, f = (self.quantity(Scope()) for _ in range(6))
                return rng.choice([(a, b, c), ((a, d, e), (d, b, f), (e, f, c))])
            case OptionalKind():
                return rng.choice([None, self.filled(kind.kind, scope)])
            case ListKind() | OneOrMoreKind():
                return [self.filled(kind.kind, scope) for _ in range(rng.randrange(1, 4))]
            case MappingKind():
                return {name: self.filled(kind.kind, scope) for name in self.names(3)}
            case LabelledKind():
                return {}
            case RecordKind() | NamedRecordsKind():
                return self.record(kind.cls)
            case TaggedKind() if not list(kind.registry()):  # of engines there are none
                return None
            case TaggedKind():
                return self.record(rng.choice(list(kind.registry())))
            case EndKind():
                return self.end()
            case AxesKind():
                body = rng.choice(self.bodies) if self.bodies else GROUND
                return rng.choice(["world", "body", body])
            case JointKind():
                return self.made(lambda: Revolute("joint", self.end(), self.end(), axis=self.axis()))
            case ReferenceKind():
                known = self.bodies if kind.role == "body" else self.joints
                return rng.choice(known or [GROUND])
            case PathKind():
                return self.pulley(rng.choice("pq"))
            case RopePathKind():
                plain = {"loss": Formula.of(0), "grip": False, "turns": 0}
                pulleys = [replace(self.pulley(name), **plain) for name in ("p", "q")]
                return [rng.choice([None, self.end()]), *pulleys, self.end()]
            case SampledLawKind():
                return rng.choice([self.quantity(Scope(time=True, system=True)), {"function": "law"}])
            case ComponentsKind():
                return rng.choice([self.vector(Scope(time=True)), {"y": self.quantity(Scope(time=True))}])
            case CountKind():
                return rng.randrange(1, 4)
            case ChoiceKind():
                return rng.choice(kind.words)
            case ArrayKind():
                return self.array(*[3] * kind.axes)
            case TermsKind():
                return {"v": rng.randrange(1, 3), "w": rng.randrange(2), "phi": rng.randrange(2)}
            case OrderKind():
                return rng.choice(ORDERS)
            case TextKind():
                return self.text()
            case GradingKind():
                return [[rng.choice([1, 2.5]), rng.randrange(1, 4)]]
            case TurnsKind():
                return rng.randrange(3)
            case FlagKind():
                return rng.random() < 0.5
        raise AssertionError(f"no values for {kind}")

    def positive(self, kind: Any) -> Any:
        """Return a dimension: above zero where it is a number."""
        if isinstance(kind, VectorKind):
            return [self.positive(None) for _ in range(3)]
        if self.parameters and self.rng.random() < 0.4:
            return self.formula(self.parameters)
        return self.rng.choice([1, 2, 0.125, 3.7e-5, 1e22, self.rng.uniform(1e-3, 1e3)])

    def quantity(self, scope: Scope) -> Any:
        if self.rng.random() < 0.5:
            return self.number()
        return self.formula([*self.parameters, *self.in_scope(scope)] or ["pi"])

    def in_scope(self, scope: Scope) -> list[str]:
        return [
            *(["t"] if scope.time else []),
            *sorted(scope.variables),
            *(self.joints if scope.system or scope.positions else []),
        ]

    def vector(self, scope: Scope) -> list[Any]:
        return [self.quantity(scope) for _ in range(3)]

    def axis(self) -> Any:
        return self.rng.choice(["x", "-y", "z", (1, 0, 0.5), [self.formula(self.parameters or ["pi"]), 1, 0]])

    def turn(self) -> list[Any]:
        return [(self.axis(), self.quantity(Scope())) for _ in range(self.rng.randrange(3))]

    def end(self) -> Any:
        body = self.rng.choice([GROUND, *self.bodies])
        places = self.places.get(body, [])
        given = (body, self.vector(Scope())), (body, self.frame(places))
        return self.rng.choice([body, *given, *(f"{body}.{place}" for place in places)])

    def number(self) -> int | float:
        rng = self.rng
        return rng.choice(
            [
                0,
                1,
                -1,
                rng.randrange(-(10**6), 10**6),
                2**70,
                0.1,
                -0.0,
                1e22,
                1e-7,
                5e-324,
                rng.uniform(-10, 10),
                1e300,
            ]
        )

    def formula(self, names: list[str]) -> str:
        """Return the text of a formula of these names."""
        rng = self.rng
        text = rng.choice(names)
        for _ in range(rng.randrange(4)):
            other = rng.choice([*names, "2", "0.5", "pi", "30*deg", "1e-3"])
            text = rng.choice(
                [
                    f"{text} + {other}",
                    f"{text}*({other})",
                    f"-({text})",
                    f"sqrt(abs({text}))",
                    f"max({text}, {other}, 1)",
                    f"where({text} > {other}, {text}, {other})",
                    f"({text})**2",
                    f"atan2({text}, {other})",
                    f"({text} +\n {other})",
                ]
            )
        return text

    def text(self) -> str:
        return self.rng.choice(TEXTS)

    def name(self) -> str:
        rng = self.rng
        while True:
            first = rng.choice(rng.choice([LETTERS, UNICODE_LETTERS]))
            rest = "".join(rng.choice(LETTERS + "0123456789" + UNICODE_LETTERS) for _ in range(rng.randrange(8)))
            name = rng.choice([first + rest, first + rest, rng.choice(["on", "yes", "no", "null", "y", "Inf", "e1"])])
            if name not in self.taken and fault_of(name) is None:
                self.taken.add(name)
                return name

    def names(self, most: int) -> list[str]:
        return [self.name() for _ in range(self.rng.randrange(most + 1))]


def _solids() -> Any:
    from gyrostat.model.solids import SOLIDS

    return SOLIDS


def _shapes() -> Any:
    from gyrostat.model.shapes import SHAPES

    return SHAPES


def any_model(rng: Random) -> Model:
    """Return an arbitrary model."""
    return AnyModel(rng).model()
