"""The method of absolute coordinates step by step (Crous 2000, §3.4.3 and §3.7.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.linalg

from gyrostat.coordinates import Coordinates
from gyrostat.equations.loads import AppliedLoads, applied_loads
from gyrostat.errors import TopologyError
from gyrostat.kinematics.body_momentum import wheel_momentum
from gyrostat.kinematics.constraints import constraint_rows
from gyrostat.kinematics.mechanism import Carried
from gyrostat.kinematics.world import WorldMotion
from gyrostat.model.constraints import ConstraintRow
from gyrostat.once import cached_property
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import multiply, negate, subtract, total
from gyrostat.spatial import Vector, apply, cross, dot, opposite, plus, product, scale, skew, transpose
from gyrostat.topology.rigidity import require_rigid
from gyrostat.written.walkthrough.evaluation import Evaluation
from gyrostat.written.walkthrough.quantity import Quantity, Section, indexed
from gyrostat.written.walkthrough.walkthrough import Walkthrough

Rows = list[list[Scalar]]
COORDINATES_PER_BODY = 7
"""Coordinates of a body: three of its position, four Euler parameters."""
SPEEDS = 6
_RANK_TOLERANCE = 1e-10
"""Pivots below this share of the largest belong to independent coordinates."""


@dataclass(frozen=True, eq=False)
class AbsoluteMethodWalk(Walkthrough):
    """Every quantity of the method: r and Euler parameters of each body, constraints of joints, augmented equations.

    Coordinates of a body are those of the origin of its frame, which Crous puts into the mass centre. C_q is the
    derivative along rotations that keep Euler parameters normalised; the rows of their norms complete it.
    """

    evaluation: Evaluation

    @staticmethod
    def of(coordinates: Coordinates, evaluation: Evaluation) -> AbsoluteMethodWalk:
        """Return the walk for a system in absolute coordinates with Euler parameters."""
        model = coordinates.topology.model
        require_rigid(coordinates.topology, "the absolute coordinate method is written", "Use system.equations().")
        free = [f"{body.name}.{rotor.name}" for body in model.bodies.values() for rotor in body.rotors if rotor.free]
        if free:
            raise TopologyError(
                f"Rotor {free[0]!r} turns freely; the absolute coordinate method (Crous 2000) has coordinates of "
                "bodies only. Use system.roberson_schwertassek(), which treats gyrostats."
            )
        return AbsoluteMethodWalk(evaluation)

    @property
    def title(self) -> str:
        """The method and its source."""
        return "The absolute coordinate method (Crous 2000, §3.4.3 and §3.7.1)"

    @property
    def _motion(self) -> WorldMotion:
        return self.evaluation.motion

    @cached_property
    def bodies(self) -> tuple[tuple[int, Carried], ...]:
        """The links of the bodies in the order of their coordinates."""
        names = tuple(self._motion.tree.coordinates.joints)
        return tuple(sorted(self._motion.tree.bodies, key=lambda found: names.index(found[1].body)))

    def _coordinates_of(self, place: int) -> tuple[Scalar, ...]:
        return tuple(self._motion.state.q[COORDINATES_PER_BODY * place : COORDINATES_PER_BODY * (place + 1)])

    # --- bodies --------------------------------------------------------------------------------------------------

    @cached_property
    def _G(self) -> list[Rows]:
        """G of each body, in its axes: ω = G ε̇."""
        return [_rates_to_spin(self._coordinates_of(i)[3:]) for i in range(len(self.bodies))]

    @cached_property
    def _applied(self) -> AppliedLoads:
        return applied_loads(self._motion)

    def _omega(self, link: int) -> Vector:
        """Return the angular velocity of a link in its own axes."""
        return self._motion.omega(link)

    def _mass(self, place: int) -> Rows:
        """Return [m, −m R c̃ G; …, Gᵀ J G] in (r, ε)."""
        i, link = self.bodies[place]
        G, R = self._G[place], self._motion.pose(i).R_WH
        lever = product(R, skew(opposite(link.moment)))
        turned = [[dot(row, _column(G, j)) for j in range(4)] for row in lever]
        spins = [apply(link.inertia, _column(G, j)) for j in range(4)]
        rotation = [[dot(_column(G, j), spins[k]) for k in range(4)] for j in range(4)]
        upper = [[*(link.mass if k == j else 0 for j in range(3)), *turned[k]] for k in range(3)]
        return upper + [[*(turned[k][j] for k in range(3)), *rotation[j]] for j in range(4)]

    def _velocity_terms(self, place: int) -> list[Scalar]:
        """Return h: centrifugal force, and gyroscopic moments with those of rotors, on (r, ε)."""
        i, link = self.bodies[place]
        omega = self._omega(i)
        thrown = apply(self._motion.pose(i).R_WH, cross(omega, cross(omega, link.moment)))
        moment = cross(omega, apply(link.inertia, omega))
        for wheel in link.wheels:
            momentum, rate = wheel_momentum(wheel, self._motion.state, self._motion.tree.value)
            moment = plus(moment, plus(cross(omega, scale(momentum, wheel.axis)), scale(rate, wheel.axis)))
        return [*thrown, *self._on_parameters(place, moment)]

    def _on_parameters(self, place: int, moment: Vector) -> list[Scalar]:
        """Return Gᵀ N of a moment in the body's axes."""
        return [dot(_column(self._G[place], j), moment) for j in range(4)]

    def _loads(self, place: int) -> list[Scalar]:
        """Return Qa: weight and applied loads on (r, ε)."""
        i, link = self.bodies[place]
        R, gravity, wrench = self._motion.pose(i).R_WH, self._motion.tree.gravity, self._applied.wrenches[i]
        force = plus(wrench.force, scale(link.mass, gravity))  # on two trees forces are in world axes
        moment = plus(wrench.moment, cross(link.moment, apply(transpose(R), gravity)))
        speeds = self._applied.on_speeds[SPEEDS * place : SPEEDS * (place + 1)]
        force = plus(force, (speeds[0], speeds[1], speeds[2]))
        return [*force, *self._on_parameters(place, plus(moment, (speeds[3], speeds[4], speeds[5])))]

    # --- constraints ---------------------------------------------------------------------------------------------

    @cached_property
    def _C_q(self) -> Rows:
        """Derivatives of the constraints by q, along rotations that keep parameters normalised."""
        return [self._in_coordinates(row) for row in self._by_speeds]

    @cached_property
    def _by_speeds(self) -> Rows:
        """Derivatives of the rates of the constraints by (ṙ, ω)."""
        names = {row.name for row in self.evaluation.rows}
        return self.evaluation.by_speeds(
            lambda motion: [self._speed(row) for row in constraint_rows(motion) if row.name in names]
        )

    def _speed(self, row: ConstraintRow) -> Scalar:
        return row.speed if row.residual is None else self.evaluation.rate(row.residual)

    def _in_coordinates(self, by_speeds: Sequence[Scalar]) -> list[Scalar]:
        """Return a row in q̇ from one in (ṙ, ω), by ω = G ε̇."""
        found: list[Scalar] = []
        for place, G in enumerate(self._G):
            x, y, z, *w = by_speeds[SPEEDS * place : SPEEDS * (place + 1)]
            found += [x, y, z, *(dot((w[0], w[1], w[2]), _column(G, j)) for j in range(4))]
        return found

    @cached_property
    def _norms(self) -> Rows:
        """The rows of εᵀε = 1."""
        n = len(self.bodies)
        return [
            [
                *[0] * (COORDINATES_PER_BODY * i + 3),
                *(multiply(2, e) for e in self._coordinates_of(i)[3:]),
                *[0] * COORDINATES_PER_BODY * (n - i - 1),
            ]
            for i in range(n)
        ]

    @cached_property
    def _Q_d(self) -> list[Scalar]:
        """−(C_q q̇)_q q̇ − 2 C_qt q̇ − C_tt: from accelerations at constant speeds, less those of the parameters."""
        evaluation, drift = self.evaluation, self._drift
        found: list[Scalar] = []
        for row, entries in zip(evaluation.rows, self._C_q, strict=True):
            known = evaluation.rate(row.speed) if row.residual is None else evaluation.second_rate(row.residual)
            moved = total([multiply(entry, rate) for entry, rate in zip(entries, drift, strict=True)])
            found.append(subtract(moved, known))
        return found

    @cached_property
    def _drift(self) -> list[Scalar]:
        """q̈ at constant speeds."""
        return [self.evaluation.second_rate(q) for q in self._motion.state.q]

    @cached_property
    def _norm_rates(self) -> list[Scalar]:
        """−2 ε̇ᵀε̇ of each body."""
        rates = [[self.evaluation.rate(e) for e in self._coordinates_of(i)[3:]] for i in range(len(self.bodies))]
        return [multiply(-2, total([multiply(rate, rate) for rate in each])) for each in rates]

    # --- sections ------------------------------------------------------------------------------------------------

    def _sections(self) -> Iterator[Section]:
        yield from self._of_bodies()
        yield from self._of_joints()
        yield self._augmented()

    def _of_bodies(self) -> Iterator[Section]:
        matrix, column = self.evaluation.matrix, self.evaluation.column
        named = list(enumerate(link.body for _, link in self.bodies))
        yield Section(
            "Coordinates",
            "3.4.3, 3.3.49",
            tuple(indexed("q", "q", (name,), column(self._coordinates_of(i))) for i, name in named),
            "Position of the body's frame, and Euler parameters ε with εᵀε = 1.",
        )
        yield Section(
            "G",
            "3.3.58–3.3.60, 3.4.30",
            tuple(indexed("G", "G", (name,), matrix(self._G[i])) for i, name in named),
            "ω = G ε̇ in the body's axes. G Gᵀ = 4·1, G ε = 0, ε̇ = ¼ Gᵀ ω (printed without the factor ¼) and Ġ ε̇ = 0.",
        )
        yield Section(
            "Mass matrices",
            "3.4.36",
            tuple(indexed("M", "M", (name,), matrix(self._mass(i))) for i, name in named),
        )
        yield Section(
            "Velocity terms",
            "3.4.36",
            tuple(indexed("h", "h", (name,), column(self._velocity_terms(i))) for i, name in named),
        )
        yield Section(
            "Applied loads", "3.4.34", tuple(indexed("Qa", "Q_a", (name,), column(self._loads(i))) for i, name in named)
        )

    def _of_joints(self) -> Iterator[Section]:
        rows, evaluation = self.evaluation.rows, self.evaluation
        found: dict[str, list[int]] = {}
        for i, row in enumerate(rows):
            found.setdefault(row.owner, []).append(i)
        holonomic = {name: [i for i in places if rows[i].residual is not None] for name, places in found.items()}
        yield Section(
            "Constraints",
            "3.7.1, 3.7.5, 3.7.10",
            tuple(
                indexed("C", "C", (name,), evaluation.column([rows[i].residual for i in places]), self._labels(places))
                for name, places in holonomic.items()
                if places
            ),
            "Points that coincide, vectors that stay perpendicular or parallel; zero where joints are closed.",
        )
        yield Section(
            "Constraint Jacobians",
            "3.7.13–3.7.14",
            tuple(
                indexed("C_q", "C_q", (name,), evaluation.matrix([self._C_q[i] for i in places]), self._labels(places))
                for name, places in found.items()
            ),
        )
        yield Section(
            "Joint loads",
            "3.4.56",
            tuple(indexed("Λ", r"\Lambda", (name,), load) for name, load in self._joint_loads(found).items()),
            "Force and moment C_qᵀ λ on the child, about the origin of its frame, in world axes.",
        )

    def _joint_loads(self, places: Mapping[str, Sequence[int]]) -> dict[str, Any]:
        """Return the load of each joint on its child: (ṙ, ω) part of Aᵀ λ, in symbols λ or at the state."""
        names = [link.body for _, link in self.bodies]
        joints = self._motion.tree.coordinates.topology.joints
        found: dict[str, Any] = {}
        for name in (name for name in places if name in joints):
            end, sign = (joints[name].child, 1) if joints[name].child.body in names else (joints[name].parent, -1)
            i = names.index(end.body)
            lines = [(self._by_speeds[k][SPEEDS * i : SPEEDS * (i + 1)], self._multipliers[k]) for k in places[name]]
            sums = [total([multiply(sign, multiply(line[j], load)) for line, load in lines]) for j in range(SPEEDS)]
            moment = apply(self._motion.pose(self.bodies[i][0]).R_WH, (sums[3], sums[4], sums[5]))
            found[name] = self.evaluation.column([*sums[:3], *moment])
        return found

    def _labels(self, places: Sequence[int]) -> str:
        return "; ".join(self.evaluation.rows[i].label for i in places)

    @cached_property
    def _mass_matrix(self) -> Rows:
        n = len(self.bodies)
        blocks = (self._mass(i) for i in range(n))
        return [
            [0] * (COORDINATES_PER_BODY * i) + row + [0] * (COORDINATES_PER_BODY * (n - i - 1))
            for i, block in enumerate(blocks)
            for row in block
        ]

    @cached_property
    def _system(self) -> tuple[Any, Any]:
        """The matrix of the augmented equations, and their right-hand side."""
        M, C_q, n = self._mass_matrix, [*self._C_q, *self._norms], len(self.bodies)
        upper: Rows = [row + [constraint[i] for constraint in C_q] for i, row in enumerate(M)]
        lower: Rows = [row + [0] * len(C_q) for row in C_q]
        loads = [subtract(a, b) for i in range(n) for a, b in zip(self._loads(i), self._velocity_terms(i), strict=True)]
        right = [*loads, *self._Q_d, *self._norm_rates]
        return self.evaluation.matrix([*upper, *lower]), self.evaluation.column(right)

    @cached_property
    def _solution(self) -> Any:
        """q̈ and −λ at the state; of redundant constraints the least loads."""
        return np.linalg.lstsq(*self._system, rcond=None)[0]

    @cached_property
    def _multipliers(self) -> Sequence[Scalar]:
        """λ of each row: a symbol, or its value at the state."""
        equations = self.evaluation.equations
        if equations is None:
            return list(-self._solution[len(self._mass_matrix) :])
        return [equations.exact_constraints.multipliers[row.name] for row in self.evaluation.rows]

    def _augmented(self) -> Section:
        matrix, column = self.evaluation.matrix, self.evaluation.column
        augmented, right = self._system
        quantities = [
            Quantity("M", "M", matrix(self._mass_matrix)),
            Quantity("C_q", "C_q", matrix([*self._C_q, *self._norms]), "the last rows are those of the norms εᵀε"),
            Quantity("Q_d", "Q_d", column([*self._Q_d, *self._norm_rates])),
            Quantity("[M C_qᵀ; C_q 0]", r"\left[\begin{matrix}M & C_q^T\\C_q & 0\end{matrix}\right]", augmented),
            Quantity("[Qa − h; Q_d]", r"\left[\begin{matrix}Q_a - h\\Q_d\end{matrix}\right]", right),
            Quantity("sparsity", r"\text{sparsity}", _pattern(augmented), "entries that differ from zero"),
        ]
        if self.evaluation.equations is None:
            quantities += self._solved()
        text = "M q̈ − C_qᵀ λ = Qa − h and C_q q̈ = Q_d, for q̈ and −λ."
        return Section("Augmented equations", "3.4.56", tuple(quantities), text)

    def _solved(self) -> list[Quantity]:
        """Return the solution at a state, and which coordinates are independent there."""
        n = len(self._mass_matrix)
        _, upper, order = scipy.linalg.qr(self._system[0][n:, :n], pivoting=True)
        size = np.abs(np.diag(upper))
        rank = int(np.sum(size > _RANK_TOLERANCE * size.max(initial=0.0)))
        names = self._motion.tree.coordinates.coordinate_names
        dependent = {names[i] for i in order[:rank]}
        listed = [", ".join(name for name in names if (name in dependent) == chosen) for chosen in (False, True)]
        return [
            Quantity("q̈", r"\ddot{q}", self._solution[:n]),
            Quantity("λ", r"\lambda", -self._solution[n:], "of redundant constraints the least"),
            Quantity("independent", r"\text{independent}", listed[0], "coordinate partitioning by pivoted QR of C_q"),
            Quantity("dependent", r"\text{dependent}", listed[1]),
        ]

    def _write_latex(self, value: Any) -> str:
        return self.evaluation.latex(value)


def _column(rows: Rows, j: int) -> Vector:
    return rows[0][j], rows[1][j], rows[2][j]


def _rates_to_spin(e: Sequence[Scalar]) -> Rows:
    """Return G with ω = G ε̇ in the body's axes: 2 [−e, e0 1 − ẽ]."""
    e0, e1, e2, e3 = (multiply(2, each) for each in e)
    return [
        [negate(e1), e0, e3, negate(e2)],
        [negate(e2), negate(e3), e0, e1],
        [negate(e3), e2, negate(e1), e0],
    ]


def _pattern(matrix: Any) -> str:
    """Return the places of entries that differ from zero, a line for each row."""
    rows, columns = matrix.shape
    return "\n" + "\n".join(
        "    " + "".join("■" if matrix[i, j] != 0 else "·" for j in range(columns)) for i in range(rows)
    )
