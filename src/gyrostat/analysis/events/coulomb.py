"""The complementarity problem of contacts with Coulomb friction.

Normal impulses are n₀ + ν. With the speeds γ = b + D Λ, each contact satisfies

    0 ≤ ν ⊥ γ_n + c ≥ 0,     Λ_t = −μ (n₀ + ν) γ_t / |γ_t|  where it slides,  |Λ_t| ≤ μ (n₀ + ν)  where it sticks.

The friction cone is first replaced by a pyramid, which makes the problem linear (Anitescu and Potra, Nonlinear Dynamics
14, 1997); with one tangential direction the two are the same. Newton's method on the projections of the exact cone
(Alart and Curnier, Computer Methods in Applied Mechanics and Engineering 92, 1991) leads from there to the solution.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gyrostat.analysis.events.contact_set import ContactSet
from gyrostat.analysis.events.lemke import solve_complementarity
from gyrostat.coordinates.arguments import Floats

_ATTEMPTS = ((8, 1e-7), (8, 1e-5), (32, 1e-5), (128, 1e-5), (8, 1e-3))
"""Pyramids from which Newton's method starts, one after the other: sides and compliance relative to the mobility.

Compliance selects among redundant impulses and makes the pivots larger.
"""
_JAMMING_SPEED = 1e-3
"""Speed, relative to those before, that contacts take up by their compliance alone: there is no rigid solution."""
_JAMMING_COMPLIANCE = 1e-6
"""Compliance below which that is a sign of jamming."""
_ITERATIONS = 30
_ROUNDING = 1e-11
"""Residual, relative to the speeds and impulses, up to which a solution is accepted."""
_GEOMETRIC_RESIDUAL = 1e-10
"""Residual up to which it is accepted where none is better: contacts count as closed within 1e-10 of the size of the
mechanism, so that their directions are no more accurate. Redundant contacts that stick need not agree beyond that;
along their normals the solution is one to rounding errors."""


@dataclass(frozen=True, eq=False)
class CoulombProblem:
    """Contacts with speeds b, given normal impulses n₀ and required separation speeds −c."""

    contacts: ContactSet
    given: Floats
    """Normal impulses n₀ that act in any case; b does not contain their effect."""
    shift: Floats
    """The additions c to the speeds of separation."""

    @property
    def _free(self) -> Floats:
        """Speeds with the given normal impulses alone."""
        contacts = self.contacts
        return np.asarray(contacts.speeds + contacts.D[:, contacts.normals] @ self.given)

    def solve(self) -> Floats | None:
        """Return the impulses Λ, given ones included; None where none were found."""
        spatial = any(len(self.contacts.tangents(i)) == 2 for i in range(len(self.contacts.normals)))
        fastest, nearest, least = float(np.abs(self._free).max()), None, _GEOMETRIC_RESIDUAL
        for sides, softness in _ATTEMPTS:
            if sides > 8 and not spatial:
                continue
            start = self._with_pyramids(sides, softness)
            if start is None:
                continue
            if softness <= _JAMMING_COMPLIANCE and softness * np.abs(start).max() > _JAMMING_SPEED * fastest:
                break
            found, left = self._refined(start)
            if left <= _ROUNDING:
                return self._total(found)
            if left <= least and self._is_complementary(found):
                nearest, least = found, left
        return None if nearest is None else self._total(nearest)

    def _is_complementary(self, found: Floats) -> bool:
        """Tell whether normal impulses and speeds of separation are complementary to rounding errors."""
        residual, _, size = self._projections(found)
        return bool(np.abs(residual[self.contacts.normals]).max() <= _ROUNDING * size)

    def _total(self, found: Floats) -> Floats:
        total = found.copy()
        total[self.contacts.normals] += self.given
        return total

    def _with_pyramids(self, sides: int, softness: float) -> Floats | None:
        """Return ν and Λ_t with cones replaced by pyramids, by Lemke's algorithm."""
        contacts, count = self.contacts, len(self.contacts.normals)
        columns, owners = [], list[int]()
        for i in range(count):
            places = contacts.tangents(i)
            for direction in _directions(len(places), sides):
                column = np.zeros(len(contacts.owners))
                column[places] = direction
                columns.append(column)
                owners.append(i)
        N = np.eye(len(contacts.owners))[:, contacts.normals]
        T = np.column_stack(columns) if columns else np.zeros((len(contacts.owners), 0))
        rubbing = np.unique(np.array(owners, dtype=np.intp))
        E = (np.array(owners, dtype=np.intp)[:, None] == rubbing[None, :]).astype(float)
        B = np.hstack((N, T))
        bounds = np.zeros((len(rubbing), count + len(owners)))
        bounds[np.arange(len(rubbing)), rubbing] = contacts.friction[rubbing]
        bounds[:, count:] = -E.T
        right = np.vstack((np.zeros((count, len(rubbing))), E, np.zeros((len(rubbing), len(rubbing)))))
        soft = B.T @ contacts.D @ B + softness * np.eye(B.shape[1])
        M = np.hstack((np.vstack((soft, bounds)), right))
        free = self._free
        q = np.concatenate((free[contacts.normals] + self.shift, T.T @ free, (contacts.friction * self.given)[rubbing]))
        z = solve_complementarity(M, q)
        return None if z is None else np.asarray(B @ z[: count + len(owners)])

    def _refined(self, start: Floats) -> tuple[Floats, float]:
        """Return the solution for exact cones and its residual, relative to the size of usual impulses.

        Undamped, the method may pass other states of sticking and sliding on its way. Damped (Levenberg and Marquardt),
        it comes near solutions that are not unique, as the impulses of redundant contacts.
        """
        best, least = start, np.inf
        for damped in (False, True):
            found = start
            residual, jacobian, size = self._projections(found)
            left, damping = float(np.linalg.norm(residual)), float(damped)
            for _ in range(_ITERATIONS):
                if left <= 1e-3 * _ROUNDING * size:
                    break
                shorter = np.sqrt(damping) * left / size * np.eye(len(found))
                sides = np.vstack((jacobian, shorter)), np.append(residual, np.zeros(len(found)))
                tried = found - np.linalg.lstsq(*sides, rcond=1e-13)[0]
                projections = self._projections(tried)
                if damped and np.linalg.norm(projections[0]) >= left:
                    damping *= 10.0
                    continue
                found, (residual, jacobian, size) = tried, projections
                left, damping = float(np.linalg.norm(residual)), 0.1 * damping
            relative = left / size if left > 0.0 else 0.0
            if relative < least:
                best, least = found, relative
            if least <= _ROUNDING:
                break
        return best, least

    def _projections(self, x: Floats) -> tuple[Floats, Floats, float]:
        """Return the residual Λ − proj(Λ − ρ γ) of all contacts, its Jacobian, and the size of usual impulses."""
        contacts = self.contacts
        D = contacts.D
        speeds = self._free + D @ x
        residual, jacobian, eye = np.empty(len(x)), np.empty(D.shape), np.eye(len(x))
        for i, normal in enumerate(contacts.normals):
            rho = 1.0 / D[normal, normal]
            closing = x[normal] - rho * (speeds[normal] + self.shift[i])
            residual[normal] = x[normal] - max(closing, 0.0)
            jacobian[normal] = rho * D[normal] if closing > 0.0 else eye[normal]
            places = contacts.tangents(i)
            if not len(places):
                continue
            mobility = float(np.trace(D[np.ix_(places, places)]))
            rho = 1.0 / mobility if mobility > 0.0 else rho
            aim = x[places] - rho * speeds[places]
            aim_rows = eye[places] - rho * D[places]
            length, radius = float(np.linalg.norm(aim)), contacts.friction[i] * (self.given[i] + max(x[normal], 0.0))
            if length <= radius:
                residual[places], jacobian[places] = x[places] - aim, eye[places] - aim_rows
                continue
            unit = aim / length
            widening = contacts.friction[i] * eye[normal] if x[normal] > 0.0 else np.zeros(len(x))
            turning = radius / length * (aim_rows - np.outer(unit, unit @ aim_rows))
            residual[places] = x[places] - radius * unit
            jacobian[places] = eye[places] - np.outer(unit, widening) - turning
        mobilities = np.diag(D)[contacts.normals][contacts.owners]
        return residual, jacobian, max(float(np.abs(self._free / mobilities).max()), float(self.given.max()))


def _directions(dimension: int, sides: int) -> Floats:
    """Return the edges of a pyramid with an even number of sides in a tangential space."""
    if dimension < 2:
        return np.array([[1.0], [-1.0]])[:, :dimension] if dimension else np.zeros((0, 0))
    angles = 2.0 * np.pi * np.arange(sides) / sides
    return np.column_stack((np.cos(angles), np.sin(angles)))
