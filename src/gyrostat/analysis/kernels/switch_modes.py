"""Modes after a switch, or at the start: on which side each switching function goes on, or whether it slides.

A function that is zero goes on to the side to which the motion there leads. Where the motions of both sides lead to
zero it slides. With several functions at zero, modes μ in [0, 1] and rates r(μ) satisfy a linear complementarity
problem: r ≤ 0 at μ = 0, r ≥ 0 at μ = 1, and r = 0 between (Acary, Brogliato 2008, section 4.1).
"""

from __future__ import annotations

from gyrostat.analysis.kernels.local_coordinates import clear, is_finite, move
from gyrostat.analysis.kernels.problem import FIXED, LEAVING, OPEN, SLIDING, Equations, Floats, Progress, Switching
from gyrostat.analysis.kernels.progress import CULPRIT, DONE, NO_SLIDING, NON_FINITE
from gyrostat.analysis.kernels.right_side import evaluate_row, set_modes, set_state
from gyrostat.analysis.kernels.sliding import evaluate_switches, form_equations, list_sliding, solve_shared
from gyrostat.program.translation import call, kernel, rare_kernel

_ROUNDS = 12
"""The largest number of times that modes are decided anew, since some functions depend on modes of others."""
_ROUNDING = 1e-12
"""Rates below this part of their terms count as zero."""
_AFFINITY_TOLERANCE = 1e-6
"""The largest rate of a sliding function, in terms of those of both sides: otherwise it is not affine in the modes."""
_VALUE_TOLERANCE = 1e-12
"""The largest value of a sliding function at the start of a run, in terms of the state."""
_LOWER_END, _UPPER_END, _INTERIOR = 0, 1, 2


@rare_kernel
def settle(equations: Equations, progress: Progress, t: float, within: float, ahead: float) -> int:
    """Set all modes at a state where some functions are OPEN or unknown; return DONE, or why no motion goes on.

    `ahead` is a short time, after which the motions of both sides are compared where rates are zero.
    """
    switching, y = equations.switching, progress.y
    _release(equations, t, within, y)
    for _ in range(_ROUNDS):
        set_state(equations, t, within, y)
        _fix(equations)
        list_sliding(switching, SLIDING)
        outcome = DONE
        if switching.sizes[0] > 0:
            outcome = _decide(equations, progress, t, within, ahead)
        if outcome != DONE:
            return outcome
        if switching.sizes[0] > 0:
            project_sliding(equations, t, within, y)
        set_state(equations, t, within, y)
        set_modes(equations)
        if _agree(equations):
            break
    return _defined(equations, t, within, y, ahead)


@rare_kernel
def _release(equations: Equations, t: float, within: float, y: Floats) -> None:
    """Bring functions that leave a sliding mode to zero, and let those go that the state has left, as by an impact."""
    switching, size, leaving = equations.switching, 1.0, False
    if switching.sizes[0] == 0:
        return
    for i in range(y.size):
        size = max(size, abs(y[i]))
    set_state(equations, t, within, y)
    evaluate_switches(equations)
    for i in range(switching.modes.size):
        threshold = switching.lower[i] + 1.0 if switching.whole[i] > 0.0 else 0.0
        if switching.phases[i] == SLIDING and abs(switching.found[i] - threshold) > _VALUE_TOLERANCE * size:
            switching.phases[i] = FIXED
        leaving = leaving or switching.phases[i] == LEAVING
    if not leaving:
        return
    count = 0
    for i in range(switching.modes.size):
        if switching.phases[i] == SLIDING or switching.phases[i] == LEAVING:
            switching.sliding[count] = i
            count += 1
    switching.sizes[0] = count
    for a in range(count):
        switching.rights[a] = switching.modes[switching.sliding[a]]
    project_sliding(equations, t, within, y)
    for a in range(count):
        i = switching.sliding[a]
        switching.modes[i] = switching.rights[a]
        if switching.phases[i] == LEAVING:
            switching.phases[i] = OPEN


@kernel
def _fix(equations: Equations) -> None:
    """Set the modes of functions that are not zero by their signs; others become OPEN."""
    switching = equations.switching
    modes, found, phases = switching.modes, switching.found, switching.phases
    for _ in range(_ROUNDS):
        evaluate_switches(equations)
        changed = False
        for i in range(modes.size):
            value, whole = found[i], switching.whole[i] > 0.0
            if phases[i] != SLIDING:
                switching.lower[i] = _nearest(value) - 1.0 if whole else 0.0
            if phases[i] != FIXED:
                continue
            if value == (switching.lower[i] + 1.0 if whole else 0.0):
                phases[i] = OPEN
                continue
            wanted = _side(value, whole, switching.lower[i])
            if modes[i] != wanted:
                modes[i] = wanted
                changed = True
        if not changed:
            return


@kernel
def _nearest(value: float) -> float:
    """Return the nearest whole number."""
    found = float(int(value))
    if value - found >= 0.5:
        return found + 1.0
    return found - 1.0 if found - value > 0.5 else found


@kernel
def _side(value: float, whole: bool, lower: float) -> float:
    """Return the mode of a function that is not at a threshold."""
    if whole:
        return lower + 1.0 if value > lower + 1.0 else lower
    return 1.0 if value > 0.0 else 0.0


@kernel
def _agree(equations: Equations) -> bool:
    """Return whether the modes that are held agree with the values that the functions have with these modes."""
    switching = equations.switching
    evaluate_switches(equations)
    for i in range(switching.modes.size):
        if switching.phases[i] == FIXED:
            value, mode = switching.found[i], switching.modes[i]
            margin = min(value - mode, mode + 1.0 - value)
            if switching.whole[i] == 0.0:
                margin = value if mode > 0.5 else -value
            if margin < -1e-9 * (1.0 + abs(value)):
                return False
    return True


@rare_kernel
def _decide(equations: Equations, progress: Progress, t: float, within: float, ahead: float) -> int:
    """Decide on all functions that slide or are OPEN."""
    switching, y = equations.switching, progress.y
    count, order, phases, modes = switching.sizes[0], switching.order, switching.phases, switching.modes
    for a in range(count):
        i = switching.sliding[a]
        above = modes[i] > switching.lower[i] + 0.5
        order[a] = _INTERIOR if phases[i] == SLIDING else (_UPPER_END if above else _LOWER_END)
    form_equations(equations)
    looked = _is_flat(switching)
    if looked:
        _form_ahead(equations, t, within, y, ahead)
    if not _complement(switching):
        progress.counts[CULPRIT] = switching.sliding[0]
        return NO_SLIDING
    for a in range(count):
        i, free = switching.sliding[a], order[a] == _INTERIOR
        modes[i] = switching.lower[i] + (switching.solution[a] if free else float(order[a]))
        if looked and (free or _is_ambiguous(switching, a)):
            modes[i] = switching.lower[i] + switching.at_zero[i]
            free = False
        phases[i] = SLIDING if free else FIXED
    set_state(equations, t, within, y)
    list_sliding(switching, SLIDING)
    return DONE if looked else _verify(equations, progress)


@kernel
def _is_flat(switching: Switching) -> bool:
    """Return whether the rate of an OPEN function is zero with all modes."""
    for a in range(switching.sizes[0]):
        total = abs(switching.right[a])
        for b in range(switching.sizes[0]):
            total += abs(switching.matrix[b, a])
        if total == 0.0:
            return True
    return False


@kernel
def _is_ambiguous(switching: Switching, a: int) -> bool:
    """Return whether a function would leave zero to either side."""
    low, high = -switching.right[a], -switching.right[a]
    for b in range(switching.sizes[0]):
        high += switching.matrix[b, a] * (1.0 if a == b else switching.solution[b])
        low += 0.0 if a == b else switching.matrix[b, a] * switching.solution[b]
    return bool(low <= 0.0 and high >= 0.0)


@rare_kernel
def _form_ahead(equations: Equations, t: float, within: float, y: Floats, ahead: float) -> None:
    """Write the equations of modes by the rates a short time ahead, each with its own motion."""
    switching = equations.switching
    count, sliding, modes, found = switching.sizes[0], switching.sliding, switching.modes, switching.found
    n, size = modes.size, y.size
    for vertex in range(-1, count):
        for a in range(count):
            modes[sliding[a]] = switching.lower[sliding[a]] + (1.0 if a == vertex else 0.0)
        set_state(equations, t, within, y)
        evaluate_row(equations, switching.changes[0])
        for i in range(size):
            switching.step[i] = ahead * switching.changes[0, i]
        move(y, switching.step, equations.rotations, switching.state)
        set_state(equations, t + ahead, within, switching.state)
        evaluate_switches(equations)
        for a in range(count):
            if vertex < 0:
                switching.right[a] = -found[n + sliding[a]]
            else:
                switching.matrix[vertex, a] = found[n + sliding[a]] + switching.right[a]


@rare_kernel
def _complement(switching: Switching) -> bool:
    """Solve the complementarity problem by exchanging sets of modes; return whether it has been solved.

    Many modes are exchanged at once first, then one at a time, which ends where −∂r/∂μ is a P-matrix.
    """
    count, order, solution = switching.sizes[0], switching.order, switching.solution
    for trial in range(40 + 10 * count):
        _solve_free(switching)
        changed = False
        for a in range(count):
            rate, size, own = -switching.right[a], abs(switching.right[a]), switching.matrix[a, a]
            for b in range(count):
                rate += switching.matrix[b, a] * solution[b]
                size += abs(switching.matrix[b, a])
            wanted = order[a]
            if order[a] == _INTERIOR:
                if solution[a] < -_ROUNDING:
                    wanted = _LOWER_END
                elif solution[a] > 1.0 + _ROUNDING:
                    wanted = _UPPER_END
            elif order[a] == _LOWER_END and rate > _ROUNDING * size:
                wanted = _INTERIOR if own < 0.0 else _UPPER_END
            elif order[a] == _UPPER_END and rate < -_ROUNDING * size:
                wanted = _INTERIOR if own < 0.0 else _LOWER_END
            if wanted != order[a] and not (changed and trial > 10 + count):
                order[a] = wanted
                changed = True
        if not changed:
            return True
    return False


@kernel
def _solve_free(switching: Switching) -> None:
    """Write the modes: 0 or 1 where they are held, otherwise those with which the rates of free functions are zero."""
    count, order, solution, matrix, left = (
        switching.sizes[0],
        switching.order,
        switching.solution,
        switching.matrix,
        switching.left,
    )
    row = 0
    for a in range(count):
        solution[a] = 1.0 if order[a] == _UPPER_END else 0.0
    for a in range(count):
        if order[a] != _INTERIOR:
            continue
        value, column = switching.right[a], 0
        for b in range(count):
            if order[b] == _INTERIOR:
                left[column, row] = matrix[b, a]
                column += 1
            else:
                value -= matrix[b, a] * solution[b]
        switching.rights[row] = value
        row += 1
    solve_shared(left, row, switching.rights)
    row = 0
    for a in range(count):
        if order[a] == _INTERIOR:
            solution[a] = switching.rights[row]
            row += 1


@rare_kernel
def _verify(equations: Equations, progress: Progress) -> int:
    """Compare the rates of sliding functions with zero: laws that are not affine in the modes have no such motion."""
    switching = equations.switching
    n, found = switching.modes.size, switching.found
    evaluate_switches(equations)
    for a in range(switching.sizes[0]):
        i = switching.sliding[a]
        if not abs(found[n + i]) <= _AFFINITY_TOLERANCE * _range(switching):
            progress.counts[CULPRIT] = i
            return NO_SLIDING
    return DONE


@kernel
def _range(switching: Switching) -> float:
    """Return the largest rate in the equations of modes."""
    largest = 0.0
    for a in range(switching.sizes[0]):
        largest = max(largest, abs(switching.right[a]))
        for b in range(switching.sizes[0]):
            largest = max(largest, abs(switching.matrix[b, a]))
    return largest


@rare_kernel
def project_sliding(equations: Equations, t: float, within: float, y: Floats) -> None:
    """Bring the state back to the zeros of sliding functions, along the loads that hold it there.

    With d_j the change of ẏ by mode j, a change of the state Σ c_j d_j changes the functions by ∂r/∂μ c.
    """
    switching = equations.switching
    count, sliding, modes, changes = switching.sizes[0], switching.sliding, switching.modes, switching.changes
    set_state(equations, t, within, y)
    form_equations(equations)
    evaluate_switches(equations)
    for a in range(count):
        i = sliding[a]
        threshold = switching.lower[i] + 1.0 if switching.whole[i] > 0.0 else 0.0
        switching.solution[a] = threshold - switching.found[i]
    solve_shared(switching.matrix, count, switching.solution)
    evaluate_row(equations, changes[0])
    clear(switching.step)
    for b in range(count):
        modes[sliding[b]] += 1.0
        evaluate_row(equations, changes[1])
        modes[sliding[b]] -= 1.0
        for i in range(y.size):
            switching.step[i] += switching.solution[b] * (changes[1, i] - changes[0, i])
    if is_finite(switching.step):
        for i in range(y.size):
            y[i] += switching.step[i]


@rare_kernel
def _defined(equations: Equations, t: float, within: float, y: Floats, ahead: float) -> int:
    """Return DONE where the laws themselves, with their conditions, have finite rates just ahead."""
    switching, x = equations.switching, equations.x
    set_state(equations, t, within, y)
    set_modes(equations)
    evaluate_row(equations, switching.changes[0])
    for i in range(y.size):
        switching.step[i] = ahead * switching.changes[0, i]
    move(y, switching.step, equations.rotations, switching.state)
    set_state(equations, t + ahead, within, switching.state)
    clear(switching.changes[1])  # they may be accelerations alone
    call(switching.rates, x.ctypes.data, switching.changes[1].ctypes.data)
    if is_finite(switching.changes[0]) and not is_finite(switching.changes[1]):
        return NON_FINITE
    return DONE
