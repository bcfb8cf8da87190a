"""The velocity transformation step by step (T. S. No; Trom 1990, chapter 2; Crous 2000, §3.4.4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from gyrostat.coordinates import Coordinates
from gyrostat.equations.velocity_transformation import About, CartesianBody, VelocityTransformation, inertia_loads
from gyrostat.equations.velocity_transformation import velocity_transformation as transform
from gyrostat.errors import StateError, TopologyError
from gyrostat.kinematics.tree_motion import TreeMotion
from gyrostat.model.joints import Mode
from gyrostat.once import cached_property
from gyrostat.results.labelled_matrix import listed
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import negate
from gyrostat.spatial import skew
from gyrostat.topology.rigidity import require_rigid
from gyrostat.written.walkthrough.evaluation import Evaluation
from gyrostat.written.walkthrough.quantity import Quantity, Section, indexed
from gyrostat.written.walkthrough.walkthrough import Walkthrough

_ORDER = "Six-vectors have the angular part first and are in world axes."
_REFERENCES = {
    "mass centre": "The equations of each body are about its mass centre (Trom 1990; Crous 2000).",
    "attachment point": "The equations of each body are about the point where its inboard joint holds it (T. S. No).",
}


@dataclass(frozen=True, eq=False)
class VelocityTransformationWalk(Walkthrough):
    """Every quantity of the velocity transformation V = B u, from body equations to equations of motion."""

    evaluation: Evaluation
    about: About

    @staticmethod
    def of(coordinates: Coordinates, evaluation: Evaluation, about: About) -> VelocityTransformationWalk:
        """Return the walk for a system, which must have joint coordinates and rigid bodies."""
        if about not in _REFERENCES:
            raise StateError(
                f"The equations of a body are about its {' or its '.join(map(repr, _REFERENCES))}, not about {about!r}."
            )
        if not coordinates.are_joint_coordinates:
            raise TopologyError(
                f"The velocity transformation has joint coordinates; these are {coordinates.description}. Use "
                "system.in_joint_coordinates, or system.absolute_method() for absolute ones."
            )
        require_rigid(coordinates.topology, "the velocity transformation is written", "Use system.equations().")
        return VelocityTransformationWalk(evaluation, about)

    @property
    def title(self) -> str:
        """The method and its sources."""
        return "The velocity transformation (T. S. No; Trom 1990, chapter 2; Crous 2000, §3.4.4)"

    @property
    def _motion(self) -> TreeMotion:
        motion = self.evaluation.motion
        assert isinstance(motion, TreeMotion), "systems in joint coordinates have one"
        return motion

    @property
    def _coordinates(self) -> Coordinates:
        return self._motion.tree.coordinates

    @cached_property
    def method(self) -> VelocityTransformation:
        """The method over the scalars in use."""
        return transform(self._motion, self.about)

    @cached_property
    def bodies(self) -> dict[str, int]:
        """The index of each body's link, outward from the ground."""
        return {link.body: i for i, link in self._motion.tree.bodies}

    @cached_property
    def _joints(self) -> dict[str, tuple[int, ...]]:
        """The places in u of each joint of the tree; drivers leave none."""
        layouts = self._coordinates.joints
        places = {name: layouts[name].speeds for name in self._coordinates.topology.arcs}
        return {name: tuple(place for place in found if isinstance(place, int)) for name, found in places.items()}

    # --- sections ------------------------------------------------------------------------------------------------

    def _sections(self) -> Iterator[Section]:
        yield self._paths()
        yield from self._body_equations()
        yield from self._blocks()
        yield from self._assembled()
        if self.evaluation.rows:
            yield self._constraints()

    def _paths(self) -> Section:
        topology = self._coordinates.topology
        order = f"Rows and columns: {listed(topology.body_path.rows)}."
        inboard = ", ".join(f"L({body}) = {inner}" for body, inner in topology.reference_body.items())
        return Section(
            "Paths",
            "T. S. No, eqs 2–4",
            (
                Quantity("π", r"\pi", self._labelled(topology.body_path), "1 where a body lies on the path to another"),
                Quantity("L", "L", inboard, "reference bodies"),
                Quantity("ρ", r"\rho", self._labelled(topology.reference_matrix)),
            ),
            order,
        )

    def _labelled(self, matrix: Any) -> Any:
        return self.evaluation.matrix(matrix.to_array().tolist())

    def _body_equations(self) -> Iterator[Section]:
        bodies = {name: self.method.bodies[i] for name, i in self.bodies.items()}
        matrix, column = self.evaluation.matrix, self.evaluation.column
        text = f"{_REFERENCES[self.about]} {_ORDER}"
        yield Section(
            "Mass matrices of bodies",
            "T. S. No, eq. 18; Trom 1990, eq. 2.50",
            tuple(indexed("M", "M", (name,), matrix(_mass(body))) for name, body in bodies.items()),
            text,
        )
        yield Section(
            "Gyroscopic and centrifugal terms of bodies",
            "T. S. No, eq. 18",
            tuple(indexed("h", "h", (name,), column(_joined(inertia_loads(body)))) for name, body in bodies.items()),
        )
        yield Section(
            "Loads on bodies",
            "Trom 1990, eq. 2.50",
            tuple(indexed("f", "f", (name,), column([*body.torque, *body.force])) for name, body in bodies.items()),
            "Weights, force elements and drivers; loads on speeds enter the equations of motion directly.",
        )

    def _blocks(self) -> Iterator[Section]:
        found = {
            (body, joint): self._columns(i, places)
            for body, i in self.bodies.items()
            for joint, places in self._joints.items()
            if any((i, place) in self.method.blocks for place in places)
        }
        matrix, rate = self.evaluation.matrix, self.evaluation.rate
        yield Section(
            "Blocks of B",
            "Trom 1990, table 2.2",
            tuple(indexed("B", "B", key, matrix(block)) for key, block in found.items()),
            "Velocities of a body for unit speeds of a joint on its path.",
        )
        yield Section(
            "Blocks of Ḃ",
            "Trom 1990, table 2.3",
            tuple(
                indexed("Ḃ", r"\dot{B}", key, matrix([[rate(entry) for entry in row] for row in block]))
                for key, block in found.items()
            ),
            "Each axis turns with its own frame; the printed table has the angular velocity of the outer body for "
            "universal and spherical joints.",
        )

    def _columns(self, link: int, places: Sequence[int]) -> list[tuple[Scalar, ...]]:
        columns = [_entries(self.method.blocks.get((link, place))) for place in places]
        return [tuple(column[row] for column in columns) for row in range(6)]

    @cached_property
    def _B(self) -> list[tuple[Scalar, ...]]:
        every = range(len(self._motion.state.u))
        return [row for i in self.bodies.values() for row in self._columns(i, every)]

    def _assembled(self) -> Iterator[Section]:
        matrix, column, rate = self.evaluation.matrix, self.evaluation.column, self.evaluation.rate
        bodies = [self.method.bodies[i] for i in self.bodies.values()]
        velocities = [x for body in bodies for x in (*body.omega, *(rate(place) for place in body.point))]
        yield Section(
            "Assembled",
            "Trom 1990, eq. 2.50; T. S. No, eq. 24; Crous 2000, eqs 3.4.86–3.4.93",
            (
                Quantity("B", "B", matrix(self._B)),
                Quantity("Ḃ", r"\dot{B}", matrix([[rate(entry) for entry in row] for row in self._B])),
                Quantity("M", "M", matrix(_block_diagonal([_mass(body) for body in bodies]))),
                Quantity("h", "h", column([x for body in bodies for x in _joined(inertia_loads(body))])),
                Quantity("f", "f", column([x for body in bodies for x in (*body.torque, *body.force)])),
                Quantity("V", "V", column(velocities), "B u, and what drivers add"),
            ),
            f"Bodies in the order {listed(list(self.bodies))}, speeds in that of the system.",
        )
        remainder = [negate(load) for load in self.method.forcing()]
        yield Section(
            "Equations of motion",
            "Trom 1990, eq. 2.50; T. S. No, eq. 24; Crous 2000, eq. 3.4.93",
            (
                Quantity("BᵀMB", "B^T M B", matrix(self.method.mass_matrix())),
                Quantity("Bᵀ(MḂu + h − f)", r"B^T (M \dot{B} u + h - f)", column(remainder)),
            ),
            "BᵀMB u̇ + Bᵀ(MḂu + h − f) = Φ_qᵀ λ; multipliers are loads along the constraints' directions. "
            "Loads on speeds are included" + self._rotors(),
        )

    def _rotors(self) -> str:
        free = any(rotor.free for body in self.method.bodies for rotor in body.rotors)
        return ", and so are the equations of free rotors, which B does not have." if free else "."

    def _constraints(self) -> Section:
        rows, entries = self.evaluation.rows, self.evaluation.row_entries
        owners = dict.fromkeys(row.owner for row in rows)
        matrix, column = self.evaluation.matrix, self.evaluation.column
        by_owner = (
            indexed(
                "Φ_q",
                r"\Phi_q",
                (owner,),
                matrix([entries[i] for i, row in enumerate(rows) if row.owner == owner]),
                "; ".join(row.label for row in rows if row.owner == owner),
            )
            for owner in owners
        )
        rates = [negate(self.evaluation.rate(row.speed)) for row in rows]
        return Section(
            "Constraints",
            "Trom 1990, tables 2.4–2.6; T. S. No, eq. 24",
            (*by_owner, Quantity("Φ_q", r"\Phi_q", matrix(entries)), Quantity("γ", r"\gamma", column(rates))),
            "Φ_q u̇ = γ; in the form of T. S. No, A ẍ = ∂g/∂t + (∂g/∂x) ẋ − Ȧ ẋ with A = Φ_q.",
        )

    def _write_latex(self, value: Any) -> str:
        return self.evaluation.latex(value)


def _mass(body: CartesianBody) -> list[list[Scalar]]:
    """Return [J m̃; −m̃ m] with the mass moment m̃ about the reference point (T. S. No, eq. 18)."""
    coupling = skew(body.moment)
    upper = [[*row, *beside] for row, beside in zip(body.inertia, coupling, strict=True)]
    lower = [
        [*(negate(x) for x in row), *(body.mass if i == j else 0 for j in range(3))] for i, row in enumerate(coupling)
    ]
    return upper + lower


def _joined(mode: Mode) -> list[Scalar]:
    return [*mode.angular, *mode.linear]


def _entries(mode: Mode | None) -> tuple[Scalar, ...]:
    return (0,) * 6 if mode is None else (*mode.angular, *mode.linear)


def _block_diagonal(blocks: Sequence[list[list[Scalar]]]) -> list[list[Scalar]]:
    n = 6 * len(blocks)
    return [[0] * (6 * i) + row + [0] * (n - 6 * i - 6) for i, block in enumerate(blocks) for row in block]
