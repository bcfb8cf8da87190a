"""Numerical closing of loops: coordinates that satisfy the constraints, near given ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gyrostat import recipes
from gyrostat.closing.null_space import least_change
from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import StateError
from gyrostat.kinematics.driving_inputs import driving_values
from gyrostat.lazy import later
from gyrostat.once import cached_property

if TYPE_CHECKING:
    from gyrostat.closing import diagnosis
    from gyrostat.system.system import System
else:
    (diagnosis,) = later("gyrostat.closing", "diagnosis")

CLOSURE_TOLERANCE = 1e-12
"""The largest residual of a closed loop, relative to the size of the mechanism."""

_TRIVIAL_RESIDUAL = 1e-9
"""The largest residual of a trivial constraint, relative to the size of the mechanism."""
TRIALS = 24
"""Random positions from which a closed one is searched."""
_ITERATIONS = 200
_PROGRESS = 0.99
"""The largest ratio of residuals that counts as progress."""
_TRIALS = 10
_LARGEST_STEP = 0.3
"""The largest change of a coordinate in one step: radians, or sizes of the mechanism."""
DEPENDENCE_TOLERANCE = 1e-8
"""The relative norm of a row after projection, below which it depends on the others."""

_SPARSE_ROWS = 60
"""The number of rows above which sparse algebra is tried first."""
_GRAM_EIGENVALUE = 1e-9
"""The least eigenvalue of the Gram matrix of unit rows that are safely independent."""


@dataclass(frozen=True, eq=False)
class ConstraintState:
    """The constraints at a state: residuals and speeds (m), their matrix A (m, n_u)."""

    residuals: Floats
    speeds: Floats
    matrix: Floats


@dataclass(frozen=True, eq=False)
class _Chords:
    """Coordinates of joints that close loops by name, their rates and speeds, rows of the Jacobian, and the angles."""

    values: dict[str, float]
    rates: dict[str, float]
    rows: dict[str, Floats]
    angles: set[str]


def _wrapped(gap: float, angle: bool) -> float:
    """Return a gap; for angles in (−π, π]."""
    return float(np.arctan2(np.sin(gap), np.cos(gap))) if angle else gap


@dataclass(frozen=True, eq=False)
class Closer:
    """Closes the loops of a system at one time, with values of its parameters."""

    system: System
    t: float = 0.0
    parameters: Mapping[str, object] | None = None
    aims: Mapping[str, float] = field(default_factory=dict)
    """Target values of coordinates and rates of joints that close loops, by name."""
    held: Mapping[str, float] = field(default_factory=dict)
    """Values of coordinates q to keep, by name, where their rates are combinations of speeds."""
    trials: int = TRIALS
    """Random positions from which a closed one is searched where none is near."""

    def aiming(self, aims: Mapping[str, float]) -> Closer:
        """Return the same with further aims."""
        return replace(self, aims={**self.aims, **aims})

    @property
    def without_aims(self) -> Closer:
        """The same without aims and without coordinates to keep."""
        return replace(self, aims={}, held={})

    def at(self, q: Floats, u: Floats) -> ConstraintState:
        """Return the constraints at a state, followed by residuals and rows of aims and of coordinates to keep."""
        state = self._aimed(q, u)
        if not self.held:
            return state
        place_of = self.system.coordinates.place_of
        places = [place_of[name][1] for name in self.held]
        gaps = q[places] - np.array(list(self.held.values()))
        rows = self._coordinate_rates(q)[places]
        return ConstraintState(np.append(state.residuals, gaps), state.speeds, np.vstack((state.matrix, rows)))

    def _aimed(self, q: Floats, u: Floats) -> ConstraintState:
        state = self._constraints(q, u)
        if not self.aims:
            return state
        chords = self._chords(q, u)
        aims = {name: value for name, value in self.aims.items() if name in chords.values}
        sign = self._facing(chords, aims)
        gaps = [
            _wrapped(sign.get(name, 1) * chords.values[name] - value, name in chords.angles)
            for name, value in aims.items()
        ]
        rows = [sign.get(name, 1) * chords.rows[name] for name in aims]
        return ConstraintState(np.append(state.residuals, gaps), state.speeds, np.vstack((state.matrix, *rows)))

    def _facing(self, chords: _Chords, aims: Mapping[str, float]) -> dict[str, int]:
        """Return signs of aimed Euler parameters: e and −e are the same rotation, and the nearer one is compared."""
        measures = self.system.coordinates.measures
        numbers = [name for name in aims if measures[name] == "number"]
        along: dict[str, float] = {}
        for name in numbers:
            owner = name.rpartition(".")[0]
            along[owner] = along.get(owner, 0.0) + chords.values[name] * aims[name]
        return {name: -1 if along[name.rpartition(".")[0]] < 0 else 1 for name in numbers}

    def speeds_at(self, q: Floats, u: Floats) -> tuple[Floats, Floats]:
        """Return the residual speeds of the constraints and of the aims for rates, and the rows of both."""
        state = self._constraints(q, u)
        if not self.aims:
            return state.speeds, state.matrix
        chords = self._chords(q, u)
        aims = {name: value for name, value in self.aims.items() if name in chords.rates}
        gaps = [chords.rates[name] - value for name, value in aims.items()]
        rows = [chords.rows[name.removesuffix(".rate")] for name in aims]
        return np.append(state.speeds, gaps), np.vstack((state.matrix, *rows))

    def _chords(self, q: Floats, u: Floats) -> _Chords:
        """Return the coordinates of joints that close loops, their rates, and the Jacobian of these by u."""
        coordinates = self.system.coordinates
        names = coordinates.chord_coordinates
        angles = {name for name in names if coordinates.measures[name] == "angle"}
        program = self.system.program("chord_jacobian")
        outputs = program.loop(self._row(q, u)[None, :])[0]
        values, rates = outputs[program.output_slice("values")], outputs[program.output_slice("rates")]
        moving = (*(f"{name}.rate" for name in names), *coordinates.chord_speeds)
        matrix = outputs[program.output_slice("jacobian")].reshape(len(u), len(moving)).T
        return _Chords(
            dict(zip(names, values, strict=True)),
            dict(zip(moving, rates, strict=True)),
            dict(zip((*names, *coordinates.chord_speeds), matrix, strict=True)),
            angles,
        )

    def speed(self, name: str, q: Floats, u: Floats) -> tuple[float, Floats]:
        """Return the rate of any coordinate by its name, or any speed, and its derivatives by the speeds."""
        names = self.system.speed_names
        own = name if name in names else f"{name}.rate"
        if own in names:
            return float(u[names.index(own)]), np.eye(len(names))[names.index(own)]
        chords = self._chords(q, u)
        name = name.removesuffix(".rate")
        return chords.rates[name if name in chords.rates else f"{name}.rate"], chords.rows[name]

    def _constraints(self, q: Floats, u: Floats) -> ConstraintState:
        program = self.system.ready_program("constraints")
        outputs = program.loop(self._row(q, u)[None, :])[0]
        if not np.isfinite(outputs).all():
            raise diagnosis.explain_failure(self.system.coordinates, self._row(q, u))
        ports = {port.name: port for port in program.outputs}
        matrix = np.zeros((ports["matrix"].rows, ports["matrix"].columns))
        stored = outputs[program.output_slice("matrix")]
        if ports["matrix"].pattern is None:
            matrix[...] = stored.reshape(matrix.shape[::-1]).T
        else:
            rows, columns = ports["matrix"].pattern
            matrix[rows, columns] = stored
        return ConstraintState(
            outputs[program.output_slice("residuals")], outputs[program.output_slice("speeds")], matrix
        )

    def require_possible(self, q: Floats, u: Floats) -> None:
        """Raise an error if a trivial constraint is violated, which no motion can correct."""
        program = self.system.ready_program("constraints")
        found = program.loop(self._row(q, u)[None, :])[0][program.output_slice("trivial")].reshape(-1, 2)
        worst = np.abs(found).max(axis=1, initial=0.0)
        if not len(worst) or worst.max() <= _TRIVIAL_RESIDUAL * max(self.system.model_size, 1.0):
            return
        i = int(np.argmax(worst))
        row = recipes.trivial_rows(self.system.coordinates)[i]
        lengths = row.unit == "N"
        gap = f"{abs(found[i, 0]):.4g} {'m' if lengths else 'rad'}, changing by {abs(found[i, 1]):.4g} a second"
        raise StateError(
            f"{row.owner!r} cannot be met: no free motion changes its {row.label!r}, which is off by {gap}. Check its "
            "dimensions, and whether joints and drivers allow it."
        )

    @cached_property
    def _values(self) -> Floats:
        """The values of the parameters, in order."""
        return self.system.parameter_values(self.parameters)

    def _row(self, q: Floats, u: Floats) -> Floats:
        return self.system.row.of(self.t, self.system.row.mechanical(q, u), self._values, self._inputs)

    @cached_property
    def _inputs(self) -> Floats:
        """The inputs: zero, but for those that drive coordinates, which follow the laws of the model."""
        model = self.system.model
        if not self.system.driving_inputs:
            return np.zeros(len(self.system.inputs))
        driving = driving_values(model, self.t, model.values(self.parameters))
        return np.array([driving.get(name, 0.0) for name in self.system.inputs])

    def moved(self, q: Floats, change: Floats) -> Floats:
        """Return coordinates after a small motion: q + N(q) change, Euler parameters of unit length."""
        system = self.system
        program = system.ready_program("rates_of_coordinates")
        new: Floats = q + program.loop(self._row(q, change)[None, :])[0]
        for first in system.coordinates.euler_parameters.values():
            new[first : first + 4] /= np.linalg.norm(new[first : first + 4])
        return new

    def _coordinate_rates(self, q: Floats) -> Floats:
        """Return the matrix N(q) with q̇ = N u."""
        program = self.system.ready_program("rates_of_coordinates")
        speeds = np.eye(self.system.coordinates.n_u)
        rows = np.tile(self._row(q, speeds[0]), (len(speeds), 1))
        rows[:, self.system.row.u] = speeds
        return program.loop(rows).T

    @property
    def scales(self) -> Floats:
        """The size of a change of each speed's coordinate: 1 for angles, the size of the mechanism for lengths."""
        return np.where(self.system.coordinates.sliding, self.system.model_size, 1.0)

    def closed(
        self, q: Floats, free: NDArray[np.bool_] | None = None, *, patience: int = _ITERATIONS
    ) -> tuple[Floats, Floats]:
        """Return coordinates that close all loops, by the least change of the free ones, and the remaining residuals.

        Newton's method with minimum-norm steps of limited length; redundant rows are allowed. It gives up after as many
        iterations without progress as its patience.
        """
        scales = self.scales
        free = np.ones(len(scales), dtype=bool) if free is None else free
        still = np.zeros(len(scales))
        best, best_open = q, self.at(q, still).residuals
        now, mark, since = q, np.inf, 0
        for _ in range(_ITERATIONS):
            try:
                state = self.at(now, still)
            except StateError:
                if now is q:
                    raise
                break
            size = float(np.abs(state.residuals).max(initial=0.0))
            if size < float(np.abs(best_open).max(initial=np.inf)) or now is q:
                best, best_open = now, state.residuals
            mark, since = (size, 0) if size < _PROGRESS * mark else (mark, since + 1)
            if size <= CLOSURE_TOLERANCE * self.system.model_size or since > patience:
                break
            change = np.zeros(len(scales))
            matrix = state.matrix[:, free] * scales[free]
            change[free] = least_change(matrix, -state.residuals) * scales[free]
            largest = float(np.abs(change / scales).max(initial=0.0))
            damping = min(1.0, _LARGEST_STEP / largest) if largest > 0.0 else 0.0
            if largest <= 1e-15:
                break
            now = self.moved(now, damping * change)
        return best, best_open

    def regular(self, q: Floats) -> Floats:
        """Return coordinates at which all constraints are finite: the given ones, or perturbed ones."""
        still, near = np.zeros(self.system.coordinates.n_u), q
        rng: np.random.Generator | None = None
        for trial in range(_TRIALS):
            try:
                self.at(near, still)
            except StateError:
                rng = rng or np.random.default_rng(0)
                near = self.moved(q, 0.05 * (1 + trial) * rng.normal(size=len(still)) * self.scales)
            else:
                return near
        self.at(q, still)
        return q

    def independent_rows(self, q: Floats) -> int:
        """Return the number of independent constraints at a position."""
        matrix = self.at(q, np.zeros(self.system.coordinates.n_u)).matrix * self.scales
        tolerance = DEPENDENCE_TOLERANCE * max(1.0, float(np.abs(matrix).max(initial=0.0)))
        if len(matrix) > _SPARSE_ROWS and _clearly_independent(matrix, tolerance):
            return len(matrix)
        return int(np.linalg.matrix_rank(matrix, tol=tolerance))

    def admissible_speeds(self, q: Floats, u: Floats, free: NDArray[np.bool_] | None = None) -> tuple[Floats, Floats]:
        """Return speeds that satisfy the constraints, by the least change of the free ones, and the residuals left."""
        scales = self.scales
        free = np.ones(len(scales), dtype=bool) if free is None else free
        speeds, matrix = self.speeds_at(q, u)
        change = least_change(matrix[:, free] * scales[free], -speeds) * scales[free]
        found = u.copy()
        found[free] += change
        return found, self.speeds_at(q, found)[0]


def _clearly_independent(matrix: Floats, tolerance: float) -> bool:
    """Decide by sparse algebra whether rows are safely independent; otherwise dense algebra decides.

    The least eigenvalue of the products of rows of unit length is found by inverse iteration.
    """
    from scipy.sparse import csc_array
    from scipy.sparse.linalg import splu

    sizes = np.linalg.norm(matrix, axis=1)
    if sizes.min() * np.sqrt(_GRAM_EIGENVALUE) <= tolerance:
        return False
    rows = csc_array(matrix / sizes[:, None])
    try:
        factor = splu((rows @ rows.T).tocsc(), permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0)
    except RuntimeError:  # exactly singular
        return False
    x = np.random.default_rng(0).normal(size=len(matrix))
    for _ in range(5):
        x = factor.solve(x / np.linalg.norm(x))
    return bool(np.isfinite(x).all() and np.linalg.norm(x) < 1.0 / _GRAM_EIGENVALUE)
