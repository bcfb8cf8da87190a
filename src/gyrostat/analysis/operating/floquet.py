"""Floquet analysis: periodic motions, and the growth of their disturbances from period to period."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gyrostat.analysis.assembly.number import number
from gyrostat.analysis.integrators import Integrator
from gyrostat.analysis.operating.newton import LeastSteps
from gyrostat.analysis.operating.state_transition import StateTransition
from gyrostat.analysis.simulation.simulate import default_integrator
from gyrostat.analysis.simulation.trajectory import Trajectory
from gyrostat.analysis.variations.continuity import require_continuous
from gyrostat.analysis.variations.dynamics import Dynamics
from gyrostat.analysis.variations.operating_point import At, OperatingPoint, operating_point
from gyrostat.analysis.variations.reduction import orthonormal_reduction
from gyrostat.analysis.variations.stability import Stability
from gyrostat.analysis.variations.stability_criteria import stability_of_multipliers
from gyrostat.coordinates.arguments import Floats
from gyrostat.coordinates.row import StateParts
from gyrostat.errors import StateError
from gyrostat.model import Model
from gyrostat.results.text_table import monospaced
from gyrostat.system import System, system_of
from gyrostat.system.kernel_forces import refuse_kernel_forces

_CLOSURE_TOLERANCE = 1e-9
"""Tolerance of the state after a period, in radians, sizes of the mechanism, and these per second."""
_ITERATIONS = 25
_DIFFERENCE, _CHANGE_TOLERANCE, _OUTPUTS = 1e-4, 1e-3, 64
"""Disturbances followed across switches of laws, the allowed change by halving them, and outputs of the orbit."""
_RANK_TOLERANCE = 1e-8
"""Singular values below this, relative to the largest, belong to disturbances that lead to other periodic motions."""


@dataclass(frozen=True, eq=False)
class FloquetAnalysis:
    """A periodic motion, and the change of disturbances in a period; prints as a table of multipliers."""

    orbit: Trajectory
    """One period of the motion."""
    period: float
    monodromy: Floats
    """The monodromy matrix of disturbances, in the basis of states that constraints allow, shape (k, k)."""
    basis: Floats
    """Columns of displacements and changes of speeds and of states with rates, a row for each name."""
    multipliers: NDArray[np.complex128]
    """The eigenvalues of the monodromy matrix, the largest first."""
    stability: Stability
    autonomous: bool
    """Whether the system is autonomous: then one multiplier is 1, that of a start along the motion."""

    @property
    def system(self) -> System:
        """The system."""
        return self.orbit.system

    @property
    def state_names(self) -> tuple[str, ...]:
        """The names of the rows of the basis: displacements, by coordinate or direction, speeds, and states."""
        return _labels(self.system)

    @property
    def exponents(self) -> NDArray[np.complex128]:
        """The logarithms of the multipliers by the period (1/s); imaginary parts are known up to whole turns."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.multipliers) / self.period)

    def __str__(self) -> str:
        kind = "autonomous" if self.autonomous else "forced"
        head = f"Floquet analysis of {self.system.model.name!r}: period {self.period:.6g} s, {kind}"
        lines = [f"  {'multiplier':>26} {'size':>12} {'angle (°)':>10} {'exponent (1/s)':>26}"]
        for value, exponent in zip(self.multipliers, self.exponents, strict=True):
            angle = np.degrees(np.angle(value))
            lines.append(f"  {_written(value):>26} {abs(value):>12.6g} {angle:>10.4g} {_written(exponent):>26}")
        return "\n".join([head, *lines, f"  {self.stability}"])

    def _repr_html_(self) -> str:
        return monospaced(str(self))


def floquet(
    system: System | Model,
    at: At,
    period: float | str,
    *,
    inputs: Mapping[str, Any] | None = None,
    parameters: Mapping[str, object] | None = None,
    t: float = 0.0,
    integrator: Integrator | None = None,
) -> FloquetAnalysis:
    """Return the periodic motion near a state, and the multipliers of its disturbances.

    `at` is an operating point, values by name, or a trajectory and a time; it need not lie on the periodic motion,
    which is found from it by shooting. Where loads, drivers or inputs depend on time, they must repeat after `period`;
    otherwise `period` is a first guess. Inputs are numbers, formulas or tables. Disturbances satisfy all constraints.

    >>> import gyrostat as gs
    >>> model = gs.Model("pendulum on a shaken pivot", gravity=(0, -1, 0))
    >>> pivot = model.add(gs.Body("pivot", gs.point_mass(1)))
    >>> bob = model.add(gs.Body("bob", gs.point_mass(1), points={"top": (0, 1, 0)}))
    >>> shake = model.add(gs.Prismatic("shake", "ground", "pivot", axis="y", driven="0.05*cos(2*t)"))
    >>> swing = model.add(gs.Revolute("swing", "pivot", "bob.top"))
    >>> print(gs.floquet(model, at={}, period="pi").stability)
    unstable: a multiplier has the size 1.17.
    """
    system = system_of(system)
    require_continuous(system)
    refuse_kernel_forces(system, "Floquet multipliers")
    point = operating_point(system, at, t=t, parameters=parameters)
    laws = system.model.input_laws
    held = {name: value for name, value in point.inputs.items() if name not in laws}
    acting = {**held, **(inputs or {})} if isinstance(at, OperatingPoint | tuple) else dict(inputs or {})
    method = integrator or default_integrator(system, rtol=1e-12, atol=1e-13)
    flow = StateTransition(system, point.t, point.parameters, acting, method)
    length = _length(system, period, point.parameters)
    autonomous = not flow.timed
    if not autonomous and not flow.plan.tables and not flow.repeats(length):
        raise StateError(
            f"Loads, drivers or inputs of {system.model.name!r} do not repeat after {length:g} s. Give their period."
        )
    shot = _Shooting(flow, autonomous)
    state, length = shot.closed(point.parts, length)
    orbit, monodromy, basis = shot.monodromy(state, length)
    values = np.asarray(np.linalg.eigvals(monodromy), dtype=complex)
    values = values[np.argsort(-np.abs(values), kind="stable")]
    return FloquetAnalysis(orbit, length, monodromy, basis, values, stability_of_multipliers(values), autonomous)


def _length(system: System, period: object, parameters: Mapping[str, object]) -> float:
    """Return the period as a number: given as one, or as a formula over parameters."""
    length = number("period", period, system.model.values(dict(parameters)))
    if length <= 0.0:
        raise StateError(f"The period is {period!r}. It must be a positive number of seconds.")
    return length


@dataclass(frozen=True, eq=False)
class _Shooting:
    """Shooting for the initial state of a periodic motion."""

    flow: StateTransition
    autonomous: bool

    def _dynamics(self) -> Dynamics:
        flow = self.flow
        return Dynamics.of(flow.system, flow.t, flow.parameters, dict(flow.plan.numbers))

    @property
    def _free(self) -> list[int]:
        """The places of state variables that have rates; algebraic ones follow."""
        coordinates = self.flow.system.coordinates
        return [place for place in range(len(coordinates.state_names)) if place not in coordinates.algebraic]

    def closed(self, state: StateParts, period: float) -> tuple[StateParts, float]:
        """Return the start and the period of a periodic motion."""
        dynamics, free = self._dynamics(), self._free
        sizes = np.maximum(1.0, np.abs(state.z[free]))
        scales = np.concatenate((dynamics.scales, dynamics.scales, sizes))
        gap = self._gap(state, self.flow.end(state, period))
        for _ in range(_ITERATIONS):
            if np.abs(gap / scales).max(initial=0.0) <= _CLOSURE_TOLERANCE:
                return state, period
            orbit, monodromy, basis = self.monodromy(state, period)
            columns = basis @ (monodromy - np.eye(len(monodromy)))
            if self.autonomous:
                columns = np.column_stack((columns, self._rates(orbit)))
            size = np.append(np.ones(basis.shape[1]), [period] * self.autonomous)
            step = size * LeastSteps.of(columns / scales[:, None], size, _RANK_TOLERANCE).step(gap / scales)
            step *= min(1.0, 0.5 / max(1e-300, float(np.abs(step / size).max(initial=0.0))))
            state = self._moved(state, basis @ step[: basis.shape[1]])
            period = period + float(step[-1]) if self.autonomous else period
            gap = self._gap(state, self.flow.end(state, period))
        raise StateError(self._failure(gap, scales, period))

    def monodromy(self, state: StateParts, period: float) -> tuple[Trajectory, Floats, Floats]:
        """Return the motion over a period, the monodromy matrix, and the basis that it refers to."""
        dynamics, (q, u, _) = self._dynamics(), state
        mechanical = orthonormal_reduction(dynamics.constraint_jacobians(q, u)).basis
        (rows, width), own = mechanical.shape, len(self._free)
        basis = np.zeros((rows + own, width + own))
        basis[:rows, :width], basis[rows:, width:] = mechanical, np.eye(own)
        orbit = self.flow.motion(state, period, _OUTPUTS)
        if orbit.status.switches:
            return orbit, self._across_switches(state, period, basis), basis
        n = len(u)
        motion = dynamics.motion_matrix(q)
        columns = np.vstack((motion @ basis[:n], basis[n:]))
        orbit, after = self.flow.variation(state, period, columns)
        back = np.linalg.pinv(dynamics.motion_matrix(orbit.q[-1]))
        found = np.linalg.pinv(basis) @ np.vstack((back @ after[: len(q)], after[len(q) :]))
        return orbit, np.asarray(found, dtype=float), basis

    def _across_switches(self, state: StateParts, period: float, basis: Floats) -> Floats:
        """Return the monodromy matrix of a motion along which laws switch, from disturbed motions.

        Disturbances change at once where the rates jump, which the linear equations between the switches do not say.
        """
        inverse, found = np.linalg.pinv(basis), []
        for size in (_DIFFERENCE, 0.5 * _DIFFERENCE):
            columns = []
            for direction in basis.T:
                ends = [self.flow.end(self._moved(state, sign * size * direction), period) for sign in (-1.0, 1.0)]
                columns.append(inverse @ self._gap(*ends) / (2.0 * size))
            found.append(np.column_stack(columns))
        coarse, fine = found
        if np.abs(fine - coarse).max() > _CHANGE_TOLERANCE * np.abs(fine).max():
            raise StateError(
                f"Small disturbances of the periodic motion of {self.flow.system.model.name!r} meet other switches of "
                "its laws than the motion itself: it just touches a condition, and has no multipliers. Change a "
                "parameter a little, or use gs.simulate from disturbed states."
            )
        return np.asarray((4.0 * fine - coarse) / 3.0)

    def _moved(self, state: StateParts, change: Floats) -> StateParts:
        """Return a state moved by displacements, speeds and state variables, with the constraints satisfied."""
        dynamics, n, z = self._dynamics(), len(state.u), state.z.copy()
        q, u = dynamics.closed(dynamics.moved(state.q, change[:n])), state.u + change[n : 2 * n]
        u = dynamics.closer.admissible_speeds(q, u)[0] if dynamics.system.constrained else u
        z[self._free] += change[2 * n :]
        return StateParts(q, u, z)

    def _rates(self, orbit: Trajectory) -> Floats:
        """Return speeds, accelerations and ż at the end of a motion: the disturbance along it."""
        q, u, z = orbit.states.at(-1)
        dynamics = replace(self._dynamics().later(float(orbit.time[-1])), z=z)
        return np.concatenate((u, dynamics.accelerations(q, u), dynamics.state_rates(q, u)[self._free]))

    def _gap(self, start: StateParts, end: StateParts) -> Floats:
        """Return the displacement from a start to an end, without whole turns, and the change of speeds and states."""
        q, q_end = start.q, end.q
        coordinates = self.flow.system.coordinates
        change = q_end - q
        for i, name in enumerate(coordinates.coordinate_names):
            if coordinates.measures.get(name) == "angle":
                change[i] = np.arctan2(np.sin(change[i]), np.cos(change[i]))
        for first in coordinates.euler_parameters.values():
            part = slice(first, first + 4)
            if q_end[part] @ q[part] < 0.0:
                change[part] = -q_end[part] - q[part]
        moved = np.linalg.pinv(self._dynamics().motion_matrix(q)) @ change
        return np.concatenate((moved, end.u - start.u, (end.z - start.z)[self._free]))

    def _failure(self, gap: Floats, scales: Floats, period: float) -> str:
        labels = _labels(self.flow.system)
        order = np.argsort(-np.abs(gap / scales))[:4]
        gaps = ", ".join(f"{labels[i]} by {gap[i]:.3g}" for i in order)
        return (
            f"No periodic motion of {self.flow.system.model.name!r} was found: after {period:g} s it is off in {gaps}. "
            "Give a state nearer to it, or another period."
        )


def _labels(system: System) -> tuple[str, ...]:
    """Return the names of displacements, speeds, and states that have rates."""
    names, bound = system.speed_names, system.coordinates.algebraic
    own = (name for place, name in enumerate(system.state_names) if place not in bound)
    return (*(name.removesuffix(".rate") for name in names), *names, *own)


def _written(value: complex) -> str:
    if abs(value.imag) < 1e-9 * max(abs(value), 1e-12):
        return f"{value.real:.6g}"
    return f"{value.real:.6g} {'+' if value.imag > 0 else '−'} {abs(value.imag):.6g}i"
