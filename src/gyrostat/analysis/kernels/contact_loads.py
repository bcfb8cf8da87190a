"""Loads of closed rigid contacts in fixed modes.

With the speeds v = A u of all contacts, v̇ = b + A M⁻¹Aᵀ λ. A sticking contact holds all its directions, v̇ = 0. A
sliding one holds the normal direction, and its friction is −μ N d with d = v_t/|v_t|. The linear equations of the held
directions may be singular, in planar systems and where loads are statically indeterminate: a small compliance selects
loads of least size, or nearest to a preload, friction in proportion to normal loads, and iterative refinement removes
its effect on the accelerations.
"""

from __future__ import annotations

import math

from gyrostat.analysis.kernels.local_coordinates import is_finite, normalise
from gyrostat.analysis.kernels.problem import OPEN_CONTACT, SLIPPING, STICKING, Equations, Floats, HeldContacts
from gyrostat.program.translation import call, kernel, rare_kernel

_COMPLIANCE = 1e-8
"""Compliance relative to the largest mobility of a held direction."""
_REFINEMENTS = 8
_ROUNDING = 1e-15
"""Residual, relative to the right side, at which refinement ends."""


@rare_kernel
def set_contact_loads(equations: Equations) -> None:
    """Write the loads of all contacts at the time, state and inputs in x into x."""
    contacts, x = equations.contacts, equations.x
    n, places = contacts.modes.size, contacts.places
    evaluate_contacts(equations)
    count = _list_rows(contacts)
    for a in range(count):
        row = contacts.rows[a]
        contacts.right[a] = -contacts.found[5 * n + row]
        contacts.solution[a] = contacts.preload[row // 4, row % 4]
        _write_column(contacts, a)
    _solve(contacts, count)
    for a in range(count):
        row = contacts.rows[a]
        c = row // 4
        x[places[c] + row - 4 * c] = contacts.solution[a]
        if contacts.modes[c] == SLIPPING:
            for k in range(3):
                x[places[c] + 1 + k] = -contacts.friction[c, 0] * contacts.solution[a] * _direction(contacts, c, k)


@kernel
def evaluate_contacts(equations: Equations) -> None:
    """Evaluate gaps, speeds and accelerations at loads of zero."""
    contacts, x = equations.contacts, equations.x
    for c in range(contacts.modes.size):
        for k in range(4):
            x[contacts.places[c] + k] = 0.0
    call(contacts.terms, x.ctypes.data, contacts.found.ctypes.data)


@kernel
def _list_rows(contacts: HeldContacts) -> int:
    """List the directions that closed contacts hold; return their number."""
    count = 0
    for c in range(contacts.modes.size):
        if contacts.modes[c] == OPEN_CONTACT:
            continue
        for k in range(4 if contacts.modes[c] == STICKING else 1):
            contacts.rows[count] = 4 * c + k
            count += 1
    return count


@kernel
def _direction(contacts: HeldContacts, c: int, k: int) -> float:
    """Return a component of the direction of sliding, continued smoothly where sliding passes zero.

    Where sliding has begun from rest, its first direction is added with a small speed: the velocity would turn at a
    rate of μ g/|v| otherwise.
    """
    first, found = contacts.modes.size + 4 * c + 1, contacts.found
    sign = 1.0 if sliding_speed(contacts, c) >= 0.0 else -1.0
    slow, total = contacts.offsets[c, 2], 0.0
    for i in range(3):
        total += (sign * found[first + i] + slow * contacts.directions[c, i]) ** 2
    if total == 0.0:
        return float(contacts.directions[c, k])
    return float((sign * found[first + k] + slow * contacts.directions[c, k]) / math.sqrt(total))


@kernel
def sliding_speed(contacts: HeldContacts, c: int) -> float:
    """Return the sliding velocity along the direction in which sliding began."""
    first, speed = contacts.modes.size + 4 * c + 1, 0.0
    for k in range(3):
        speed += contacts.found[first + k] * contacts.directions[c, k]
    return speed


@kernel
def _write_column(contacts: HeldContacts, a: int) -> None:
    """Write the accelerations u̇ per unit of an unknown load: of a sliding contact, with its friction."""
    row, n_u, mobility = contacts.rows[a], contacts.n_u, _mobility_at(contacts)
    c = row // 4
    for j in range(n_u):
        contacts.columns[a, j] = contacts.found[mobility + row * n_u + j]
    if contacts.modes[c] == SLIPPING and contacts.friction[c, 0] > 0.0:
        for k in range(3):
            factor = contacts.friction[c, 0] * _direction(contacts, c, k)
            for j in range(n_u):
                contacts.columns[a, j] -= factor * contacts.found[mobility + (row + 1 + k) * n_u + j]


@kernel
def _mobility_at(contacts: HeldContacts) -> int:
    """Return where the mobility begins in the output of `terms`."""
    n = contacts.modes.size
    return 9 * n + 4 * n * contacts.n_u


@kernel
def _solve(contacts: HeldContacts, count: int) -> None:
    """Solve the equations of the listed rows and columns for the loads that lead to the right side.

    `solution` is the start: among several solutions, the nearest one is found.
    """
    n_u, first, matrix, largest = contacts.n_u, 9 * contacts.modes.size, contacts.matrix, 0.0
    for a in range(count):
        for b in range(count):
            value = 0.0
            for j in range(n_u):
                value += contacts.found[first + contacts.rows[a] * n_u + j] * contacts.columns[b, j]
            matrix[a, b] = value
        largest = max(largest, abs(matrix[a, a]))
    for a in range(count):
        for b in range(count):
            contacts.factors[a, b] = matrix[a, b]
        c = contacts.rows[a] // 4
        weight = 1.0 if contacts.rows[a] == 4 * c else contacts.weights[c]
        contacts.factors[a, a] += _COMPLIANCE * weight * largest
    _factorise(contacts, count)
    size = 0.0
    for a in range(count):
        size = max(size, abs(contacts.right[a]))
    for _ in range(_REFINEMENTS):
        left = 0.0
        for a in range(count):
            value = contacts.right[a]
            for b in range(count):
                value -= matrix[a, b] * contacts.solution[b]
            contacts.correction[a] = value
            left = max(left, abs(value))
        if left <= _ROUNDING * size:
            return
        _substitute(contacts, count)
        for a in range(count):
            contacts.solution[a] += contacts.correction[a]


@kernel
def _factorise(contacts: HeldContacts, count: int) -> None:
    """Replace the matrix in `factors` by its factors, with row pivots."""
    factors, pivots = contacts.factors, contacts.pivots
    for k in range(count):
        place = k
        for i in range(k + 1, count):
            if abs(factors[i, k]) > abs(factors[place, k]):
                place = i
        pivots[k] = place
        if place != k:
            for j in range(count):
                factors[k, j], factors[place, j] = factors[place, j], factors[k, j]
        for i in range(k + 1, count):
            factor = factors[i, k] / factors[k, k]
            factors[i, k] = factor
            if factor != 0.0:
                for j in range(k + 1, count):
                    factors[i, j] -= factor * factors[k, j]


@kernel
def _substitute(contacts: HeldContacts, count: int) -> None:
    """Replace `correction` by the solution of the equations with factors."""
    factors, right, pivots = contacts.factors, contacts.correction, contacts.pivots
    for k in range(count):
        if pivots[k] != k:
            right[k], right[pivots[k]] = right[pivots[k]], right[k]
    for k in range(count):
        for i in range(k + 1, count):
            right[i] -= factors[i, k] * right[k]
    for k in range(count - 1, -1, -1):
        value = right[k]
        for j in range(k + 1, count):
            value -= factors[k, j] * right[j]
        right[k] = value / factors[k, k]


@rare_kernel
def set_contact_margins(equations: Equations) -> None:
    """Write the functions whose zeros end the modes of contacts into x, after the loads have been set.

    The first is the gap of an open contact, the normal load of a closed one. The second is the distance of friction
    from its limit where a contact sticks, the speed of sliding where it slides.
    """
    contacts, x = equations.contacts, equations.x
    if contacts.closed[0] == 0:
        evaluate_contacts(equations)
    for c in range(contacts.modes.size):
        first = contacts.places[c]
        load, mode = x[first], contacts.modes[c]
        x[first + 4], x[first + 5] = load, 1.0
        if mode == OPEN_CONTACT:
            x[first + 4] = contacts.found[c] + contacts.offsets[c, 0]
        elif mode == STICKING:
            limit = contacts.friction[c, 1] * load
            friction = x[first + 1] ** 2 + x[first + 2] ** 2 + x[first + 3] ** 2
            x[first + 5] = contacts.offsets[c, 1] + (limit - friction / limit if limit > 0.0 else limit)
        elif contacts.friction[c, 1] > 0.0:
            x[first + 5] = sliding_speed(contacts, c) + contacts.offsets[c, 1]


@rare_kernel
def hold_contacts(equations: Equations, y: Floats) -> None:
    """Bring the state in x and y back to closed gaps and speeds of zero in the held directions, by small impulses."""
    contacts = equations.contacts
    n, n_q, n_u, found = contacts.modes.size, contacts.n_q, contacts.n_u, contacts.found
    count = 0
    for c in range(n):
        if contacts.modes[c] != OPEN_CONTACT:
            contacts.rows[count] = 4 * c
            contacts.right[count] = -found[c]
            count += 1
    _solve_symmetric(contacts, count)
    if not is_finite(contacts.solution[:count]):
        return
    first = _mobility_at(contacts) + 4 * n * n_u
    for a in range(count):
        c = contacts.rows[a] // 4
        for j in range(n_q):
            y[j] += found[first + c * n_q + j] * contacts.solution[a]
    normalise(equations.rotations, y)
    count = _list_rows(contacts)
    for a in range(count):
        contacts.right[a] = -found[n + contacts.rows[a]]
    _solve_symmetric(contacts, count)
    if not is_finite(contacts.solution[:count]):
        return
    for a in range(count):
        for j in range(n_u):
            y[n_q + j] += contacts.columns[a, j] * contacts.solution[a]


@kernel
def _solve_symmetric(contacts: HeldContacts, count: int) -> None:
    """Solve for impulses along the listed directions themselves."""
    n_u, mobility = contacts.n_u, _mobility_at(contacts)
    for a in range(count):
        contacts.solution[a] = 0.0
        for j in range(n_u):
            contacts.columns[a, j] = contacts.found[mobility + contacts.rows[a] * n_u + j]
    _solve(contacts, count)
