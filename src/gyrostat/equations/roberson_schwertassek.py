"""The Roberson–Schwertassek method as Forehand et al. write it, for trees of all joints and of gyrostats.

Every quantity is an attribute under the paper's name, by body and arc names, so that a reader can put it beside the
paper. Vectors with an upper index i are in the axes of body i, G^a, φ^a, Λ^a in those of the body from which arc a
emanates; sums Q are in world axes. Body frames have the mass centre as origin.

Not printed in the paper, and derived here from the velocity transformation
    v_j = Σ_i (A^0i â^ij)~ ω_i − Σ_a T^aj A^0f(a) V^a,    ω_i = −Σ_a T^ai A^0f(a) Ω^a:
the blocks J_12, J_21, J_22, the Coriolis terms Q_I and Q_V, and Q′_2, Q″_2. In equation 84 the term with Q_III has a
plus sign then: Q_III of equation 88 is ω̇ for vanishing Ω̇. (In the paper's example it is zero.)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from gyrostat.equations import state_space_form
from gyrostat.equations.arc import Arc, arc_of
from gyrostat.equations.loads import AppliedLoads, applied_loads
from gyrostat.kinematics.body_momentum import wheel_momentum
from gyrostat.kinematics.world import WorldMotion
from gyrostat.model.joints import Mode
from gyrostat.model.kinds import End
from gyrostat.model.names import GROUND
from gyrostat.once import cached_property
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, multiply
from gyrostat.spatial import (
    IDENTITY,
    ZERO,
    MassProperties,
    Matrix,
    Vector,
    apply,
    combined,
    conjugate,
    cross,
    dot,
    matrix_sum,
    minus,
    opposite,
    plus,
    product,
    scale,
    skew,
    transpose,
)

ZERO_MATRIX: Matrix = (ZERO, ZERO, ZERO)
BodyPair: TypeAlias = tuple[str, str]
"""Names of two bodies, or of a body and an arc, or of two arcs, as the indices of a quantity."""


@dataclass(frozen=True)
class RobersonSchwertassek:
    """All quantities of the method at one state, over any scalars."""

    motion: WorldMotion

    # --- the system --------------------------------------------------------------------------------------------

    @cached_property
    def bodies(self) -> tuple[str, ...]:
        """The bodies 1 … N, in the order of the model."""
        return self.motion.tree.coordinates.topology.bodies

    @cached_property
    def arcs(self) -> Mapping[str, Arc]:
        """The primary joints by name."""
        topology = self.motion.tree.coordinates.topology
        return {name: arc_of(self.motion, topology.joints[name]) for name in topology.arcs}

    @cached_property
    def S_bar(self) -> Mapping[BodyPair, int]:
        """Incidence S̄^ia, entries that are not zero (eq. 3)."""
        leaving = {(arc.origin, name): 1 for name, arc in self.arcs.items()}
        return leaving | {(arc.target, name): -1 for name, arc in self.arcs.items()}

    @cached_property
    def T(self) -> Mapping[BodyPair, int]:
        """Path matrix T^ai, entries that are not zero (eq. 5)."""
        path = self.motion.tree.coordinates.topology.path
        return {(arc, body): int(sign) for arc in path.rows for body, sign in path.row(arc).items()}

    def A(self, body: str) -> Matrix:
        """Return A^0i, which maps components in body i to world components (eq. 41)."""
        index = self.motion.tree.index_of[body]
        if index < 0:
            return IDENTITY
        return product(self.motion.pose(index).R_WH, self.motion.tree.links[index].R_HB)

    @cached_property
    def _properties(self) -> Mapping[str, MassProperties]:
        tree = self.motion.tree
        bodies = tree.coordinates.topology.model.bodies
        found = {body: bodies[body].mass_properties(tree.value) for body in self.bodies}
        for element in tree.varying_masses:
            found[element.body] = combined([found[element.body], element.properties(self.motion)])
        return found

    def mass(self, body: str) -> Scalar:
        """Return m_i."""
        return self._properties[body].mass

    def inertia(self, body: str) -> Matrix:
        """Return I^i about the mass centre, in body axes (eq. 43)."""
        return self._properties[body].inertia

    def omega(self, body: str) -> Vector:
        """Return the absolute angular velocity ω^i, in body axes (eq. 87)."""
        index = self.motion.tree.index_of[body]
        if index < 0:
            return ZERO
        return apply(transpose(self.motion.tree.links[index].R_HB), self.motion.omega(index))

    def _placement(self, end: End) -> tuple[Matrix, Vector]:
        placement = self.motion.tree.coordinates.topology.model.placement(end, self.motion.tree.value)
        assert placement is not None, "a checked model has every end"
        return placement

    # --- attachment vectors ------------------------------------------------------------------------------------

    @cached_property
    def c_hat(self) -> Mapping[BodyPair, Vector]:
        """Modified attachment vectors ĉ^ia: from the mass centre of i to the joint's point on the body it points to."""
        vectors: dict[BodyPair, Vector] = {}
        for name, arc in self.arcs.items():
            R_BP, at_origin = self._placement(arc.joint.parent)
            reached = plus(at_origin, apply(R_BP, arc.offset))
            for body, point in ((arc.origin, reached), (arc.target, self._placement(arc.joint.child)[1])):
                com = ZERO if body == GROUND else self._properties[body].com
                vectors[body, name] = minus(point, com)
        return vectors

    @cached_property
    def a_hat(self) -> Mapping[BodyPair, Vector]:
        """Vectors â^ij = Σ_a S̄^ia T^aj ĉ^ia, in body i (eq. 50)."""
        return {
            (i, j): _sum(
                scale(self.S_bar[i, a] * self.T[a, j], self.c_hat[i, a])
                for a in self.arcs
                if (i, a) in self.S_bar and (a, j) in self.T
            )
            for i in (GROUND, *self.bodies)
            for j in self.bodies
        }

    @cached_property
    def rho(self) -> Mapping[BodyPair, Vector]:
        """A^0i â^ij, in world axes (eqs. 64–67)."""
        return {(i, j): apply(self.A(i), vector) for (i, j), vector in self.a_hat.items()}

    # --- inertia -----------------------------------------------------------------------------------------------

    @cached_property
    def K(self) -> Mapping[BodyPair, Matrix]:
        """K^ik, in world axes (eq. 42)."""
        return {(i, k): self._K(i, k) for i in self.bodies for k in self.bodies}

    def _K(self, i: str, k: str) -> Matrix:
        own = conjugate(self.A(i), self.inertia(i)) if i == k else ZERO_MATRIX
        for j in self.bodies:
            a, b, m = self.rho[i, j], self.rho[k, j], self.mass(j)
            both = dot(b, a)
            x, y, z = (scale(m, minus(scale(both, IDENTITY[row]), scale(b[row], a))) for row in range(3))
            own = matrix_sum(own, (x, y, z))
        return own

    def J(self, a: str, b: str) -> tuple[tuple[Matrix, Matrix], tuple[Matrix, Matrix]]:
        """Return the four blocks of J^ab, in the axes of f(a) and f(b) (eqs. 38 and 40)."""
        rotational = translational = ZERO_MATRIX
        mixed = ZERO_MATRIX
        crossed = ZERO_MATRIX
        for i in self.bodies:
            for k in self.bodies:
                sign = self.T.get((a, i), 0) * self.T.get((b, k), 0)
                if not sign:
                    continue
                rotational = matrix_sum(rotational, _scaled(sign, self.K[i, k]))
                mixed = matrix_sum(mixed, _scaled(multiply(-sign, self.mass(k)), skew(self.rho[i, k])))
                crossed = matrix_sum(crossed, _scaled(multiply(sign, self.mass(i)), skew(self.rho[k, i])))
                if i == k:
                    translational = matrix_sum(translational, _scaled(multiply(sign, self.mass(i)), IDENTITY))
        left, right = transpose(self.A(self.arcs[a].origin)), self.A(self.arcs[b].origin)

        def seen(block: Matrix) -> Matrix:
            return product(product(left, block), right)

        return (seen(rotational), seen(mixed)), (seen(crossed), seen(translational))

    def J_I(self, a: str, b: str) -> tuple[tuple[Scalar, ...], ...]:
        """Return φ^aᵀ J^ab φ^b (eq. 29)."""
        blocks = self.J(a, b)
        return tuple(
            tuple(_work(left, _inertia_load(blocks, right)) for _, right in self.arcs[b].phi)
            for _, left in self.arcs[a].phi
        )

    # --- velocity terms and loads ------------------------------------------------------------------------------

    @cached_property
    def Q_I(self) -> Mapping[str, Vector]:
        """Turning of attachment vectors that change in their bodies: −Σ_i A^0i ω̃^i â°^ij; â° is their rate."""
        return self._coriolis

    @cached_property
    def Q_V(self) -> Mapping[str, Vector]:
        """Turning of the velocities across joints: −Σ_a T^aj A^0f(a) ω̃^f(a) V^a."""
        return self._coriolis

    @cached_property
    def _coriolis(self) -> Mapping[str, Vector]:
        """Q_I and Q_V: different in origin, equal in value, since â° comes from the velocities across joints alone."""
        return {
            j: _sum(
                scale(-self.T[a, j], apply(self.A(arc.origin), cross(self.omega(arc.origin), arc.V)))
                for a, arc in self.arcs.items()
                if (a, j) in self.T
            )
            for j in self.bodies
        }

    @cached_property
    def Q_II(self) -> Mapping[str, Vector]:
        """Gyroscopic moment A^0i (ω̃^i (I^i ω^i + h^i) + ḣ^i), with the rotors' momentum h^i (eq. 86)."""
        found: dict[str, Vector] = {}
        for body in self.bodies:
            link = self.motion.tree.links[self.motion.tree.index_of[body]]
            momentum, given = apply(self.inertia(body), self.omega(body)), ZERO
            for wheel in link.wheels:
                axis = apply(transpose(link.R_HB), wheel.axis)
                size, rate = wheel_momentum(wheel, self.motion.state, self.motion.tree.value)
                momentum, given = plus(momentum, scale(size, axis)), plus(given, scale(rate, axis))
            found[body] = apply(self.A(body), plus(cross(self.omega(body), momentum), given))
        return found

    @cached_property
    def Q_III(self) -> Mapping[str, Vector]:
        """ω̇_i for vanishing Ω̇: Σ_a T^ai A^0f(a) Ω̃^a ω^f(a) (eq. 88)."""
        return {
            i: _sum(
                scale(self.T[a, i], apply(self.A(arc.origin), cross(arc.Omega, self.omega(arc.origin))))
                for a, arc in self.arcs.items()
                if (a, i) in self.T
            )
            for i in self.bodies
        }

    @cached_property
    def Q_IV(self) -> Mapping[str, Vector]:
        """Centripetal terms Σ_j A^0j (ω^jᵀω^j E − ω^j ω^jᵀ) â^ji (eq. 94)."""
        return {
            i: _sum(
                apply(self.A(j), opposite(cross(self.omega(j), cross(self.omega(j), self.a_hat[j, i]))))
                for j in self.bodies
            )
            for i in self.bodies
        }

    @cached_property
    def _velocity_terms(self) -> Mapping[str, Vector]:
        return {j: plus(plus(self.Q_I[j], self.Q_IV[j]), self.Q_V[j]) for j in self.bodies}

    @cached_property
    def Q_1_second(self) -> Mapping[str, Vector]:
        """Q″_1^i (eq. 84, with + K Q_III)."""
        return {
            i: plus(
                plus(self.Q_II[i], _sum(apply(self.K[i, j], self.Q_III[j]) for j in self.bodies)),
                _sum(
                    scale(multiply(-1, self.mass(k)), cross(self.rho[i, k], self._velocity_terms[k]))
                    for k in self.bodies
                ),
            )
            for i in self.bodies
        }

    @cached_property
    def Q_2_second(self) -> Mapping[str, Vector]:
        """Q″_2^j = m_j (Σ_i (A^0i â^ij)~ Q_III^i + Q_I^j + Q_IV^j + Q_V^j)."""
        return {
            j: scale(
                self.mass(j),
                plus(self._velocity_terms[j], _sum(cross(self.rho[i, j], self.Q_III[i]) for i in self.bodies)),
            )
            for j in self.bodies
        }

    @cached_property
    def applied(self) -> AppliedLoads:
        """Loads of force elements on bodies, and on speeds."""
        return applied_loads(self.motion)

    @cached_property
    def external(self) -> Mapping[str, tuple[Vector, Vector]]:
        """Torque A^0i L^i about the mass centre and force A^0i F^i of gravity and force elements, in world axes."""
        tree = self.motion.tree
        found: dict[str, tuple[Vector, Vector]] = {}
        for body in self.bodies:
            index = tree.index_of[body]
            link, wrench, R_WH = tree.links[index], self.applied.wrenches[index], self.motion.pose(index).R_WH
            centre = plus(link.r_HB_H, apply(link.R_HB, self._properties[body].com))
            torque = apply(R_WH, minus(wrench.moment, cross(centre, wrench.force)))
            found[body] = (torque, plus(apply(R_WH, wrench.force), scale(link.mass, tree.gravity)))
        return found

    @cached_property
    def Q_1_first(self) -> Mapping[str, Vector]:
        """Q′_1^i = −A^0i L^i + Σ_j (A^0i â^ij)~ A^0j F^j (eq. 101)."""
        return {
            i: minus(_sum(cross(self.rho[i, j], self.external[j][1]) for j in self.bodies), self.external[i][0])
            for i in self.bodies
        }

    @cached_property
    def Q_2_first(self) -> Mapping[str, Vector]:
        """Q′_2^i = −A^0i F^i."""
        return {i: opposite(self.external[i][1]) for i in self.bodies}

    def Q(self, a: str) -> Mode:
        """Return Q^a = [Q_1^a; Q_2^a], in the axes of f(a) (eq. 80)."""
        left = transpose(self.A(self.arcs[a].origin))
        first, second = (
            _sum(scale(self.T[a, i], plus(twice[i], once[i])) for i in self.bodies if (a, i) in self.T)
            for twice, once in ((self.Q_1_second, self.Q_1_first), (self.Q_2_second, self.Q_2_first))
        )
        return Mode("Q", apply(left, first), apply(left, second))

    # --- state-space form --------------------------------------------------------------------------------------

    def chi(self, a: str) -> tuple[Scalar, ...]:
        """Return χ^a = φ^aᵀ (Q^a − Σ_b J^ab φ̇^b g^b) (eq. 30)."""
        X = self.Q(a)
        for b, arc in self.arcs.items():
            moment, force = _inertia_load(self.J(a, b), arc.phi_dot_g)
            X = Mode("X", minus(X.angular, moment), minus(X.linear, force))
        return tuple(_work(mode, (X.angular, X.linear)) for _, mode in self.arcs[a].phi)

    def lambda_(self, a: str) -> tuple[Scalar, ...]:
        """Return λ^a = φ^aᵀ Λ^a: applied loads on the joint's coordinates (eq. 31)."""
        return tuple(self.applied.on_speeds[place] for place, _ in self.arcs[a].phi)

    def mass_matrix(self) -> list[list[Scalar]]:
        """Return all J_I^ab, by places in u; a free rotor adds its row and column."""
        return state_space_form.mass_matrix(self)

    def forcing(self) -> list[Scalar]:
        """Return all χ^a + λ^a, by places in u; for a free rotor its drive less the torque of its body's rotation."""
        return state_space_form.forcing(self)


def _sum(vectors: Iterable[Vector]) -> Vector:
    result = ZERO
    for vector in vectors:
        result = plus(result, vector)
    return result


def _scaled(factor: Scalar, A: Matrix) -> Matrix:
    return (scale(factor, A[0]), scale(factor, A[1]), scale(factor, A[2]))


def _inertia_load(blocks: tuple[tuple[Matrix, Matrix], tuple[Matrix, Matrix]], mode: Mode) -> tuple[Vector, Vector]:
    (J11, J12), (J21, J22) = blocks
    moment = plus(apply(J11, mode.angular), apply(J12, mode.linear))
    return moment, plus(apply(J21, mode.angular), apply(J22, mode.linear))


def _work(mode: Mode, load: tuple[Vector, Vector]) -> Scalar:
    return add(dot(mode.angular, load[0]), dot(mode.linear, load[1]))
