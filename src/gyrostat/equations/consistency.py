"""The consistency conditions of the Roberson–Schwertassek method: circuits are closed.

Forehand et al., eqs. 15 and 16:

    Σ_b J^ab Ġ^b = Q^a + Λ^a + Σ_c W^ac Λ^c,    G^c = Σ_a W^acᵀ G^a.

The paper does not print W^ac. A point x of body j has the velocity −Σ_a T^aj A^0f(a) (V^a + Ω^a × (x − p_a)), p_a
being the joint's point on t(a); at p_c, seen from both bodies of chord c, that gives
    W^ac = (T S_C)^ac [ A^f(a)f(c)   A^f(a)0 d̃ A^0f(c) ]     with d = p_c − p_a,
                      [     0            A^f(a)f(c)     ]
so that W^ac Λ^c is the chord's load about the arc's point, where the arc lies on the chord's circuit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from gyrostat.equations.chord import Chord, chord_of
from gyrostat.equations.roberson_schwertassek import RobersonSchwertassek
from gyrostat.model.joints import Mode
from gyrostat.once import cached_property
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add
from gyrostat.spatial import ZERO, Matrix, Vector, apply, dot, minus, plus, product, scale, skew, transpose

_ZERO_MATRIX: Matrix = (ZERO, ZERO, ZERO)
Blocks: TypeAlias = tuple[tuple[Matrix, Matrix], tuple[Matrix, Matrix]]
"""A 6 × 6 matrix as four blocks, angular parts first."""


@dataclass(frozen=True)
class Consistency:
    """W^ac and the quantities formed with it, at one state, over any scalars."""

    method: RobersonSchwertassek

    @cached_property
    def chords(self) -> Mapping[str, Chord]:
        """The secondary joints by name."""
        motion = self.method.motion
        topology = motion.tree.coordinates.topology
        return {name: chord_of(motion, topology.joints[name]) for name in topology.chords}

    @cached_property
    def TS_C(self) -> Mapping[tuple[str, str], int]:
        """(T S_C)^ac, entries that are not zero: which arcs lie on a chord's circuit, and in which sense."""
        T = self.method.T
        found = {
            (a, c): T.get((a, chord.origin), 0) - T.get((a, chord.target), 0)
            for a in self.method.arcs
            for c, chord in self.chords.items()
        }
        return {place: sign for place, sign in found.items() if sign}

    def W(self, a: str, c: str) -> Blocks:
        """Return W^ac; rows are in the axes of f(a), columns in those of f(c)."""
        sign = self.TS_C.get((a, c), 0)
        if not sign:
            return (_ZERO_MATRIX, _ZERO_MATRIX), (_ZERO_MATRIX, _ZERO_MATRIX)
        arc, chord = self.method.arcs[a], self.chords[c]
        left, right = transpose(self.method.A(arc.origin)), self.method.A(chord.origin)
        arm = minus(chord.point, self.method.motion.end(arc.joint.child).position)
        turned = _signed(sign, product(left, right))
        return (turned, _signed(sign, product(product(left, skew(arm)), right))), (_ZERO_MATRIX, turned)

    def G(self, c: str) -> Mode:
        """Return Σ_a W^acᵀ G^a, which is G^c (eq. 16)."""
        omega, velocity = ZERO, ZERO
        for a, arc in self.method.arcs.items():
            part = _transposed(self.W(a, c), Mode("G", arc.Omega, arc.V))
            omega, velocity = plus(omega, part.angular), plus(velocity, part.linear)
        return Mode("G", omega, velocity)

    def rows(self, a: str, c: str) -> tuple[tuple[Scalar, ...], ...]:
        """Return ψ^cᵀ W^acᵀ φ^a: the part of the constraint matrix that belongs to chord c and arc a."""
        columns = [_transposed(self.W(a, c), mode) for _, mode in self.method.arcs[a].phi]
        return tuple(tuple(_work(load, column) for column in columns) for load in self.chords[c].psi)

    def constraint_matrix(self, c: str) -> list[list[Scalar]]:
        """Return the rows of A that belong to a chord, by places in u; trivial rows are zero."""
        n = self.method.motion.tree.coordinates.n_u
        matrix: list[list[Scalar]] = [[0] * n for _ in self.chords[c].psi]
        for a, arc in self.method.arcs.items():
            for row, entries in zip(matrix, self.rows(a, c), strict=True):
                for (place, _), entry in zip(arc.phi, entries, strict=True):
                    row[place] = entry
        return matrix


def _signed(sign: int, A: Matrix) -> Matrix:
    return (scale(sign, A[0]), scale(sign, A[1]), scale(sign, A[2]))


def _transposed(W: Blocks, mode: Mode) -> Mode:
    """Return Wᵀ applied to a motion."""
    (W11, W12), (W21, W22) = W
    angular: Vector = plus(apply(transpose(W11), mode.angular), apply(transpose(W21), mode.linear))
    linear: Vector = plus(apply(transpose(W12), mode.angular), apply(transpose(W22), mode.linear))
    return Mode(mode.label, angular, linear)


def _work(load: Mode, motion: Mode) -> Scalar:
    return add(dot(load.angular, motion.angular), dot(load.linear, motion.linear))
