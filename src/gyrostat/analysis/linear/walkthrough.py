"""The linearization step by step (Trom 1990, chapters 3 to 5): M, C and K by their causes, and their reduction."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import scipy.linalg

from gyrostat.analysis.variations.operating_point import OperatingKind
from gyrostat.coordinates.arguments import Floats
from gyrostat.equations.dynamics import inverse_dynamics
from gyrostat.equations.loads import AppliedLoads, applied_loads
from gyrostat.kinematics.build import build_mechanism
from gyrostat.kinematics.constraint_loads import all_constraint_loads
from gyrostat.kinematics.mechanism import Carried, KinematicTree
from gyrostat.kinematics.state import MotionState
from gyrostat.kinematics.world import WorldMotion, coordinate_rates
from gyrostat.model.evaluator import Evaluator
from gyrostat.once import cached_property
from gyrostat.scalar import FloatScalars, Scalar
from gyrostat.scalar.algebra import subtract
from gyrostat.scalar.jets import Jet, JetScalars, as_jet
from gyrostat.spatial import ZERO
from gyrostat.written.walkthrough.quantity import Quantity, Section, indexed
from gyrostat.written.walkthrough.walkthrough import Walkthrough, numbers_as_latex

if TYPE_CHECKING:
    from gyrostat.analysis.linear.linear_model import LinearModel

Tree: TypeAlias = KinematicTree[Carried]
Part: TypeAlias = Callable[[Tree, MotionState], list[Scalar]]
"""One contribution to the loads that a motion needs, at a state."""

_REDUNDANCY_TOLERANCE = 1e-10
"""Diagonal entries of R, relative to the largest, below which rows of constraints are redundant."""


@dataclass(frozen=True, eq=False)
class LinearWalk(Walkthrough):
    """M, C and K of all variations, each contribution with its cause, then their reduction to independent ones.

    The loads that a motion needs are a sum: M u̇, gyroscopic and centrifugal terms, gravity, force elements, loads of
    constraints. Each is differentiated by itself, exactly, at constant u̇ and λ.
    """

    linear: LinearModel

    @property
    def title(self) -> str:
        """The method and its source."""
        return "Linearization about an operating point (Trom 1990, chapters 3 to 5)"

    # --- contributions -------------------------------------------------------------------------------------------

    @cached_property
    def _tree(self) -> Tree:
        point = self.linear.point
        names, system = point.system.model.parameters, point.system
        values = dict(zip(names, system.parameter_values(point.parameters).tolist(), strict=True))
        return build_mechanism(system.coordinates, Evaluator(JetScalars(FloatScalars()), values.__getitem__))

    @cached_property
    def _parts(self) -> dict[str, Part]:
        """The contributions by their causes."""
        point = self.linear.point
        still, rates = np.zeros(len(point.u)).tolist(), point.udot.tolist()

        def given(tree: Tree, state: MotionState) -> list[Scalar]:
            return _required_loads(replace(tree, gravity=ZERO), replace(state, u=still), still)

        def mass(tree: Tree, state: MotionState) -> list[Scalar]:
            return _difference(
                _required_loads(replace(tree, gravity=ZERO), replace(state, u=still), rates), given(tree, state)
            )

        def motion(tree: Tree, state: MotionState) -> list[Scalar]:
            return _difference(_required_loads(replace(tree, gravity=ZERO), state, still), given(tree, state))

        def gravity(tree: Tree, state: MotionState) -> list[Scalar]:
            return _difference(_required_loads(tree, replace(state, u=still), still), given(tree, state))

        parts: dict[str, Part] = {"mass matrix": mass, "motion": motion, "gravity": gravity}
        if self._given:
            parts["given motion"] = given
        for name, force in point.system.model.forces.items():
            parts[name] = _loads(partial(applied_loads, forces=[force]))
        if point.multipliers:
            parts["multipliers"] = _loads(
                lambda motion: applied_loads(motion, (), extra=all_constraint_loads(motion, point.multipliers).total)
            )
        return parts

    @property
    def _given(self) -> bool:
        """Whether drivers or rotors have a given motion."""
        system = self.linear.point.system
        return bool(system.coordinates.driven) or any(body.rotors for body in system.model.bodies.values())

    @cached_property
    def _directions(self) -> list[list[float]]:
        """q̇ for each unit speed: the change of q with a variation."""
        point, n = self.linear.point, len(self.linear.point.u)
        moved = [
            coordinate_rates(self._tree, MotionState(point.q.tolist(), unit.tolist(), point.t)) for unit in np.eye(n)
        ]
        rest = coordinate_rates(self._tree, MotionState(point.q.tolist(), [0.0] * n, point.t))
        return [[_value(a) - _value(b) for a, b in zip(one, rest, strict=True)] for one in moved]

    def _state(self, q: Sequence[Scalar], u: Sequence[Scalar]) -> MotionState:
        point = self.linear.point
        return MotionState(q, u, point.t, dict(point.inputs), dict(zip(point.system.state_names, point.z, strict=True)))

    def _by_positions(self, part: Part) -> Floats:
        """Return the derivatives of a contribution by the variations of positions."""
        point = self.linear.point
        columns = []
        for direction in self._directions:
            q = [Jet(x, rate) for x, rate in zip(point.q.tolist(), direction, strict=True)]
            columns.append([_rate(load) for load in part(self._tree, self._state(q, point.u.tolist()))])
        return np.array(columns).T

    def _by_speeds(self, part: Part) -> Floats:
        """Return the derivatives of a contribution by the speeds."""
        point = self.linear.point
        columns = []
        for unit in np.eye(len(point.u)).tolist():
            u = [Jet(x, rate) for x, rate in zip(point.u.tolist(), unit, strict=True)]
            columns.append([_rate(load) for load in part(self._tree, self._state(point.q.tolist(), u))])
        return np.array(columns).T

    @cached_property
    def _stiffness(self) -> dict[str, Floats]:
        return {name: self._by_positions(part) for name, part in self._parts.items()}

    @cached_property
    def _damping(self) -> dict[str, Floats]:
        constant = ("mass matrix", "gravity", "given motion")
        return {name: self._by_speeds(part) for name, part in self._parts.items() if name not in constant}

    # --- sections ------------------------------------------------------------------------------------------------

    def _sections(self) -> Iterator[Section]:
        point = self.linear.point
        yield Section(
            "Operating point",
            "3.4",
            tuple(
                Quantity(name, latex, values)
                for name, latex, values in (
                    ("q", "q", point.q),
                    ("u", "u", point.u),
                    ("u̇", r"\dot{u}", point.udot),
                    ("λ", r"\lambda", np.array(list(point.multipliers.values()))),
                )
                if len(values)
            ),
            f"Speeds: {', '.join(point.system.speed_names)}.",
        )
        mass = point.system.mass_matrix(point.q, z=point.z, t=point.t, parameters=point.parameters)
        yield self._sum("Stiffness matrix", "K", "3.9–3.10, 5.1–5.14", self._stiffness)
        yield self._sum("Damping matrix", "C", "3.33–3.35, 5.15–5.25", self._damping)
        yield Section("Mass matrix", "3.8", (Quantity("M_l", "M_l", mass),))
        if point.multipliers:
            yield from self._reduced(mass)
        yield self._first_order()

    def _sum(self, title: str, symbol: str, numbers: str, parts: dict[str, Floats]) -> Section:
        causes = tuple(indexed(symbol, symbol, (cause,), value, _causes(cause)) for cause, value in parts.items())
        whole = sum(parts.values(), np.zeros_like(next(iter(parts.values()))))
        return Section(title, numbers, (*causes, Quantity(f"{symbol}_l", f"{symbol}_l", whole)))

    def _reduced(self, mass: Floats) -> Iterator[Section]:
        """Yield the reduction by the orthogonal complement of Φ_q, with and without the stiffness of multipliers."""
        A = self.linear.flow.variations.matrix
        Q, R, _ = scipy.linalg.qr(A.T, pivoting=True)
        size = np.abs(np.diag(R))
        Q2 = Q[:, int(np.sum(size > _REDUNDANCY_TOLERANCE * size.max(initial=0.0))) :]
        K = sum(self._stiffness.values(), np.zeros_like(mass))
        C = sum(self._damping.values(), np.zeros_like(mass))
        literal = K - self._stiffness["multipliers"]
        quantities = [
            Quantity("Φ_q", r"\Phi_q", A),
            Quantity("Q2", "Q_2", Q2, "columns span the admissible variations"),
            *(
                Quantity(f"Q2ᵀ{name}Q2", f"Q_2^T {name} Q_2", Q2.T @ matrix @ Q2)
                for name, matrix in (("M", mass), ("C", C), ("K", K))
            ),
            Quantity("Q2ᵀ(K − K_λ)Q2", r"Q_2^T (K - K_\lambda) Q_2", Q2.T @ literal @ Q2, "as printed in eq. 4.12"),
        ]
        if self.linear.point.kind is OperatingKind.EQUILIBRIUM:
            own, printed = (_frequencies(Q2.T @ mass @ Q2, Q2.T @ k @ Q2) for k in (K, literal))
            quantities += [
                Quantity("ω", r"\omega", own, "undamped, rad/s; not a number where unstable"),
                Quantity("ω, eq. 4.12", r"\omega_{4.12}", printed, "without the stiffness of multipliers"),
            ]
        text = (
            "Eq. 4.12 drops the derivative of Φ_qᵀ λ, which is orthogonal to no admissible variation in general. With "
            "speeds or accelerations, variations satisfy the varied constraints of velocity and acceleration as well: "
            "see A below."
        )
        yield Section("Reduction to independent variations", "4.10–4.13", tuple(quantities), text)

    def _first_order(self) -> Section:
        form = self.linear.form
        return Section(
            "First-order form",
            "3.46–3.48",
            (Quantity("A", "A", form.A), Quantity("eigenvalues", r"\text{eigenvalues}", np.linalg.eigvals(form.A))),
            f"States: {', '.join(self.linear.states)}.",
        )

    def _write_latex(self, value: Any) -> str:
        return numbers_as_latex(value)


def _required_loads(
    tree: Tree, state: MotionState, rates: Sequence[float], loads: AppliedLoads | None = None
) -> list[Scalar]:
    """Return the loads on the speeds that accelerations need, without those of force elements."""
    motion = tree.at(state)
    return inverse_dynamics(motion, rates, loads or applied_loads(motion, ()))


def _difference(found: Sequence[Scalar], other: Sequence[Scalar]) -> list[Scalar]:
    return [subtract(a, b) for a, b in zip(found, other, strict=True)]


def _loads(form: Callable[[WorldMotion], AppliedLoads]) -> Part:
    """Return the contribution of loads: what the motion needs less because of them."""

    def part(tree: Tree, state: MotionState) -> list[Scalar]:
        still = [0.0] * len(state.u)
        at_rest, weightless = replace(state, u=still), replace(tree, gravity=ZERO)
        loaded = _required_loads(weightless, at_rest, still, form(tree.at(state)))
        return _difference(loaded, _required_loads(weightless, at_rest, still))

    return part


def _causes(cause: str) -> str:
    return {
        "mass matrix": "derivative of M u̇",
        "motion": "transformation, gyroscopic and centrifugal terms",
        "gravity": "weights",
        "given motion": "drivers and rotors",
        "multipliers": "derivative of Φ_qᵀ λ at constant λ",
    }.get(cause, "force element")


def _value(x: Scalar) -> float:
    return float(as_jet(x).value)


def _rate(x: Scalar) -> float:
    return float(as_jet(as_jet(x).rate).value)


def _frequencies(mass: Floats, stiffness: Floats) -> Floats:
    squares = np.sort(np.linalg.eigvals(np.linalg.solve(mass, stiffness)).real)
    return np.sqrt(np.where(squares >= 0, squares, np.nan))
