"""The equations of motion varied about an operating point: all their exact derivatives, as numbers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gyrostat.analysis.variations.operating_point import OperatingPoint
from gyrostat.analysis.variations.pair_loads import LoadSlopes, PairLoads
from gyrostat.closing.null_space import null_space
from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import StateError
from gyrostat.once import cached_property
from gyrostat.program import Program
from gyrostat.recipes.compiled import derivatives_are_long
from gyrostat.recipes.table import BLOCKS
from gyrostat.system import System

_RANK_TOLERANCE = 1e-9
"""Singular values of constraints below this, relative to the largest, belong to redundant rows."""
_ENTRY_ROUNDING = 1e-14
"""Entries of constraint matrices below this are rounding errors: rows may have none but these."""

_BATCH_COLUMNS = 100
"""The least number of columns for which a function on several columns at once is compiled."""

_SINGULARITY_TOLERANCE = 1e-13
"""Eigenvalues of the scaled mass matrix below this, relative to the largest, are zero; those of rounding errors are
1e-14, the least of eight terms of Taylor's basis is 6e-13."""
_REGULAR_PIVOT = 1e-4
"""Pivots of the scaled mass matrix above this prove it regular, without eigenvalues."""


@dataclass(frozen=True, eq=False)
class StateVariations:
    """How loads vary with all state variables z, and their rates with everything; of algebraic ones, their equations.

    δr = load δz,    δż = position δθ + speed δu + own δz, and zero in place of δż at the places `algebraic`.
    """

    load: Floats
    position: Floats
    speed: Floats
    own: Floats
    algebraic: tuple[int, ...]

    @property
    def free(self) -> list[int]:
        """The places of the variables that have rates."""
        return [i for i in range(len(self.own)) if i not in self.algebraic]


@dataclass(frozen=True, eq=False)
class Variations:
    """Derivatives at an operating point, with n speeds and m constraints.

    Varied are θ, with δq = N δθ, u, and z (see `StateVariations`), so that at δz = 0

        δθ̇ = carried δθ + δu
        mass δu̇ + matrixᵀ δλ + load_by_position δθ + load_by_speed δu = 0
        matrix δu̇ + rate_by_position δθ + rate_by_speed δu = 0
        residual_by_position δθ = 0,    speed_by_position δθ + matrix δu = 0

    The derivatives of loads are those at fixed u̇ and λ, the stiffness of the multipliers among them.
    """

    point: OperatingPoint
    udot: Floats
    loads: Floats
    """λ of minus the loads along the rows' directions: r + Aᵀλ = 0. Where rows are redundant, the smallest."""
    mass: Floats
    matrix: Floats
    carried: Floats
    rates_left_inverse: Floats | None
    """N⁺, or None where speeds are the rates of coordinates."""
    load_by_position: Floats
    load_by_speed: Floats
    residual_by_position: Floats
    speed_by_position: Floats
    rate_by_position: Floats
    rate_by_speed: Floats
    states: StateVariations
    contacts: LoadSlopes | None = None
    """How the inputs that contacts of many pairs act by vary; derivatives of loads include them."""

    @property
    def system(self) -> System:
        """The system."""
        return self.point.system

    @cached_property
    def acting(self) -> dict[str, Floats]:
        """The derivatives of loads, residuals, speeds, rates, ż and θ̇ by inputs and parameters, side by side."""
        program = self.system.program("linear_input_derivatives")
        found = evaluated_ports(program, np.concatenate((self.point.row, self.udot, self.loads)))
        qdot = found.pop("qdot")
        inverse = self.rates_left_inverse
        none = {"state": np.zeros((0, qdot.shape[1]))}
        return {**none, **found, "carried": qdot if inverse is None else inverse @ qdot}


def variation_names(system: System) -> tuple[str, ...]:
    """Return a name for each direction in which positions vary: that of the coordinate whose rate the speed is.

    Joints with Euler parameters are varied by small turns and shifts in the axes of the child: `j.turn1`, `j.shift1`.
    """
    return tuple(variation_name(speed) for speed in system.speed_names)


def variation_name(speed: str) -> str:
    """Return the name of the position whose rate a speed is.

    >>> variation_name("a1.rate"), variation_name("ball.w2"), variation_name("car.v1")
    ('a1', 'ball.turn2', 'car.shift1')
    """
    if speed.endswith(".rate") or "." not in speed:
        return speed.removesuffix(".rate")
    joint, _, label = speed.rpartition(".")
    return f"{joint}.{ ({'w': 'turn', 'v': 'shift'}.get(label[:1], label[:1])) }{label[1:]}"


def vary(point: OperatingPoint) -> Variations:
    """Return the derivatives of a system's equations at an operating point."""
    system = point.system
    terms = _terms(system, point.row)
    mass, matrix, mapping, carried = terms.mass, terms.matrix, terms.mapping, terms.carried
    udot, loads, found = terms.udot, terms.loads, terms.jacobians
    size = len(udot)
    plain = mapping.shape == (size, size) and np.array_equal(mapping, np.eye(size))
    inverse = None if plain else np.asarray(np.linalg.solve(mapping.T @ mapping, mapping.T), dtype=float)
    row = np.concatenate((point.row, udot, loads))
    contacts = _add_contacts(point, row, mapping, found)
    return Variations(
        point,
        udot,
        loads,
        mass,
        matrix,
        carried if inverse is None else inverse @ carried,
        inverse,
        found["load_by_position"],
        found["load_by_speed"],
        found["residual_by_position"],
        found["speed_by_position"],
        found["rate_by_position"],
        found["rate_by_speed"],
        _state_variations(system, found),
        contacts,
    )


@dataclass(frozen=True, eq=False)
class _Terms:
    """The terms of the equations of motion at a state, and the derivatives by θ, u and z by name."""

    mass: Floats
    matrix: Floats
    mapping: Floats
    carried: Floats
    udot: Floats
    loads: Floats
    jacobians: dict[str, Floats]


def _terms(system: System, row: Floats) -> _Terms:
    """Return the terms at a row, and u̇ and λ of the motion; refuse a singular mass matrix."""
    rolled, size = system.tree_variations, system.coordinates.n_u
    if rolled is not None:
        return _tree_terms(system, rolled, row)
    terms = evaluated_ports(system.program("linear_terms"), row)
    matrix = terms.get("matrix", np.zeros((0, size)))
    matrix = np.where(np.abs(matrix) > _ENTRY_ROUNDING, matrix, 0.0)
    gamma = terms["gamma"][:, 0] if "gamma" in terms else np.zeros(0)
    udot, loads = _solved(system, terms["mass"], matrix, terms["bias"][:, 0], gamma)
    found = _jacobians(system, np.concatenate((row, udot, loads)), terms["mapping"], len(loads))
    return _Terms(terms["mass"], matrix, terms["mapping"], terms["carried"], udot, loads, found)


def _tree_terms(system: System, program: Program, row: Floats) -> _Terms:
    """Return the terms of a tree of many links, from one program."""
    terms = evaluated_ports(program, row)
    size = system.coordinates.n_u
    mass, mapping = terms["mass"], terms["mapping"]
    require_inertia(system, mass, np.eye(size))
    none, empty = np.zeros((0, size)), np.zeros(0)
    found = {f"{block}_by_{one}": none for block in ("residual", "speed", "rate") for one in ("position", "speed")}
    found |= {"load_by_position": terms["load_by_q"] @ mapping, "load_by_speed": terms["load_by_u"]}
    carried = terms["rates_by_q"] @ mapping - terms["mapping_rate"]
    return _Terms(mass, none, mapping, carried, terms["udot"][:, 0], empty, found)


def _add_contacts(point: OperatingPoint, row: Floats, mapping: Floats, found: dict[str, Floats]) -> LoadSlopes | None:
    """Add the variation of the loads of contacts of many pairs, and return it."""
    pairs = PairLoads.of(point.system, point.parameters)
    if pairs is None:
        return None
    slopes = pairs.slopes(point.row, mapping)
    by_inputs = evaluated_ports(point.system.program("linear_input_derivatives"), row)["load"][
        :, : len(slopes.by_speed)
    ]
    found["load_by_position"] = found["load_by_position"] + by_inputs @ slopes.by_position
    found["load_by_speed"] = found["load_by_speed"] + by_inputs @ slopes.by_speed
    return slopes


def _state_variations(system: System, found: dict[str, Floats]) -> StateVariations:
    n, algebraic = system.coordinates.n_u, system.coordinates.algebraic
    if not system.state_names:
        return StateVariations(np.zeros((n, 0)), np.zeros((0, n)), np.zeros((0, n)), np.zeros((0, 0)), ())
    names = ("load_by_state", "state_by_position", "state_by_speed", "state_by_state")
    load, position, speed, own = (found[name] for name in names)
    return StateVariations(load, position, speed, own, algebraic)


@dataclass(frozen=True, eq=False)
class ConstraintJacobians:
    """Derivatives of the constraints at a state: of residuals and speeds by θ, and of speeds by u (the matrix A)."""

    matrix: Floats
    residual_by_position: Floats
    speed_by_position: Floats


def constraint_jacobians(system: System, row: Floats) -> ConstraintJacobians:
    """Return the derivatives of the constraints at a row (t, q, u, parameters, inputs)."""
    size = system.coordinates.n_u
    if not system.constrained:
        none = np.zeros((0, size))
        return ConstraintJacobians(none, none, none)
    terms = evaluated_ports(system.program("linear_terms"), row)
    rows = len(terms["matrix"])
    # residuals and speeds depend on neither u̇ nor λ, which only the other blocks of the program need
    found = _jacobians(system, np.concatenate((row, np.zeros(size + rows))), terms["mapping"], rows)
    return ConstraintJacobians(terms["matrix"], found["residual_by_position"], found["speed_by_position"])


def acceleration_derivatives(system: System, row: Floats) -> tuple[Floats, Floats]:
    """Return ∂u̇/∂θ and ∂u̇/∂u, from the programs of linear models: −M⁻¹ ∂r, or with the constraints' rows satisfied.

    Where M is singular, `numpy.linalg.LinAlgError` is raised.
    """
    if system.constrained:
        return _constrained_derivatives(system, row)
    rolled = system.tree_variations
    if rolled is None:
        terms = evaluated_ports(system.program("linear_terms"), row)
        udot = np.linalg.solve(terms["mass"], -terms["bias"][:, 0])
        found = _jacobians(system, np.concatenate((row, udot)), terms["mapping"], 0)
    else:
        terms = evaluated_ports(rolled, row)
        udot = terms["udot"]
        found = {"load_by_position": terms["load_by_q"] @ terms["mapping"], "load_by_speed": terms["load_by_u"]}
    size = len(udot)
    both = np.linalg.solve(terms["mass"], -np.hstack((found["load_by_position"], found["load_by_speed"])))
    return np.asarray(both[:, :size], dtype=float), np.asarray(both[:, size:], dtype=float)


def _constrained_derivatives(system: System, row: Floats) -> tuple[Floats, Floats]:
    """Return ∂u̇/∂θ and ∂u̇/∂u with constraints: M δu̇ + Aᵀδλ + δr = 0, A δu̇ + δrate = 0 at fixed u̇ and λ."""
    terms = _terms(system, row)
    found, size = terms.jacobians, len(terms.udot)
    load, rate = (np.hstack((found[f"{name}_by_position"], found[f"{name}_by_speed"])) for name in ("load", "rate"))
    both = _moved(terms.mass, terms.matrix, null_space(terms.matrix), load, -rate)
    return both[:, :size], both[:, size:]


def _solved(system: System, mass: Floats, matrix: Floats, bias: Floats, gamma: Floats) -> tuple[Floats, Floats]:
    """Return u̇ and λ of M u̇ + bias + Aᵀλ = 0, A u̇ = γ; of redundant rows the smallest λ."""
    free = null_space(matrix)
    require_inertia(system, free.T @ mass @ free, free)
    if not len(matrix):
        return np.asarray(np.linalg.solve(mass, -bias), dtype=float), np.zeros(0)
    udot = _moved(mass, matrix, free, bias, gamma)
    loads = np.linalg.lstsq(matrix.T, -(bias + mass @ udot), rcond=_RANK_TOLERANCE)[0]
    return udot, np.asarray(loads, dtype=float)


def _moved(mass: Floats, matrix: Floats, free: Floats, bias: Floats, gamma: Floats) -> Floats:
    """Return u̇, one or several columns, of M u̇ + bias + Aᵀλ = 0, A u̇ = γ, with a basis of the null space of A."""
    given = np.linalg.lstsq(matrix, gamma, rcond=_RANK_TOLERANCE)[0]
    moved = given - free @ np.linalg.solve(free.T @ mass @ free, free.T @ (bias + mass @ given))
    return np.asarray(moved, dtype=float)


def _jacobians(system: System, row: Floats, mapping: Floats, rows: int) -> dict[str, Floats]:
    """Return the derivatives by θ, u and z: by one function, or column by column where that would be long."""
    size, n_z = system.coordinates.n_u, system.row.n_z
    if not derivatives_are_long(system.coordinates):
        return evaluated_ports(system.program("linear_derivatives"), row)
    program = system.program("linear_derivatives_along")
    directions = np.zeros((2 * size + n_z, program.input_size))
    directions[:, : len(row)] = row
    directions[:size, len(row) : len(row) + len(mapping)] = mapping.T
    directions[size:, len(row) + len(mapping) :] = np.eye(size + n_z)
    columns = (program.batch(directions) if len(directions) > _BATCH_COLUMNS else program.loop(directions)).T
    found: dict[str, Floats] = {}
    first = 0
    for name, height in zip(BLOCKS, (size, rows, rows, rows, n_z), strict=True):
        parts = np.split(columns[first : first + height], (size, 2 * size), axis=1)
        found |= dict(zip((f"{name}_by_position", f"{name}_by_speed", f"{name}_by_state"), parts, strict=True))
        first += height
    return found


def evaluated_ports(program: Program, row: Floats) -> dict[str, Floats]:
    """Return the outputs of a program as full matrices."""
    outputs = program.loop(row[None, :])[0]
    found: dict[str, Floats] = {}
    for port in program.outputs:
        stored = outputs[program.output_slice(port.name)]
        found[port.name] = port.full(stored).reshape(port.rows, port.columns)
    return found


def require_inertia(system: System, mass: Floats, basis: Floats) -> None:
    """Raise an error where the mass matrix, reduced to a basis of motions, is singular, or empty without states."""
    if not len(mass) and system.state_names:
        return
    if not len(mass):
        raise StateError(
            f"The constraints of {system.model.name!r} leave it no freedom, so that it has no linear model. Remove a "
            "driver or a constraint."
        )
    sizes = np.sqrt(np.abs(np.diag(mass)))
    sizes[sizes == 0.0] = 1.0
    scaled = mass / np.outer(sizes, sizes)
    if _clearly_regular(scaled):
        return
    values, vectors = np.linalg.eigh(scaled)
    if values[0] > _SINGULARITY_TOLERANCE * max(values[-1], 1e-300):
        return
    direction = np.abs(basis @ (vectors[:, 0] / sizes))
    shown = [i for i in np.argsort(-direction)[:3] if direction[i] > 1e-3 * direction.max()]
    named = ", ".join(repr(system.speed_names[i]) for i in shown)
    raise StateError(
        f"The mass matrix of {system.model.name!r} is singular: motion with {named} has no inertia. Give the "
        "bodies that move there mass or inertia, or choose a position at which coordinates are not singular."
    )


def _clearly_regular(matrix: Floats) -> bool:
    """Decide by the pivots whether a matrix with ones on its diagonal is far from singular."""
    try:
        pivots = np.diag(np.linalg.cholesky(matrix))
    except np.linalg.LinAlgError:
        return False
    return bool((pivots > _REGULAR_PIVOT).all())
