"""The same accelerations by every method, with what each of them costs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from gyrostat import closing
from gyrostat.analysis.assembly.assemble import assemble
from gyrostat.analysis.simulation.outputs import Outputs
from gyrostat.closing.mapped_state import mapped_state
from gyrostat.coordinates.arguments import Floats
from gyrostat.coordinates.row import StateParts
from gyrostat.errors import TopologyError
from gyrostat.lazy import later
from gyrostat.model import Model
from gyrostat.model.joints.euler_parameters import rotation_of
from gyrostat.once import cached_property
from gyrostat.program import Program, compile_program
from gyrostat.recipes.table import RECIPES, SOFTNESS
from gyrostat.results.html_table import html_table
from gyrostat.system import System, formulate
from gyrostat.topology.rigidity import require_rigid

if TYPE_CHECKING:
    from gyrostat.recipes import methods, tracing
    from gyrostat.recipes.trace import Recipe
    from gyrostat.written import Walkthrough
    from gyrostat.written.walkthrough.graph_numbers import GraphNumbers
else:
    methods, tracing = later("gyrostat.recipes", "methods", "tracing")

_STATES, _REPEATS = 64, 7
_HEAD = ("method", "coordinates", "equations", "operations", "derive", "evaluate", "condition", "difference")


@dataclass(frozen=True)
class MethodRow:
    """One method: its equations, operations and times, and how far its accelerations are from the first method's."""

    method: str
    coordinates: str
    equations: int
    """Accelerations and multipliers to be solved for."""
    operations: int | None
    """Operations of the native program that evaluates accelerations; None where there is no such program."""
    derive: float
    """Seconds from the model to the program; of methods that run in Python, those of the first evaluation."""
    evaluate: float
    """Seconds of one evaluation."""
    condition: float | None
    """Condition of the matrix that is factorised; None where none is formed."""
    difference: float
    """The largest difference of an acceleration of a body, relative to the largest acceleration."""

    @property
    def cells(self) -> tuple[str, ...]:
        """The row as text."""
        numbers = "" if self.operations is None else str(self.operations)
        condition = "" if self.condition is None else f"{self.condition:.1e}"
        times = _shown(self.derive), _shown(self.evaluate)
        return self.method, self.coordinates, str(self.equations), numbers, *times, condition, f"{self.difference:.0e}"


def _shown(seconds: float) -> str:
    scale, unit = next((pair for pair in ((1.0, "s"), (1e-3, "ms")) if seconds >= pair[0]), (1e-6, "µs"))
    return f"{seconds / scale:.3g} {unit}"


@dataclass(frozen=True)
class MethodComparison:
    """Rows by method; it prints as a table."""

    model: str
    rows: tuple[MethodRow, ...]

    def __getitem__(self, method: str) -> MethodRow:
        return next(row for row in self.rows if row.method == method)

    @property
    def largest_difference(self) -> float:
        """The largest difference between two methods' accelerations, relative to the largest acceleration."""
        return max(row.difference for row in self.rows)

    def __str__(self) -> str:
        lines = [_HEAD, *(row.cells for row in self.rows)]
        widths = [max(len(line[i]) for line in lines) for i in range(len(_HEAD))]
        texts = ("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) for line in lines)
        return "\n".join([f"Accelerations of {self.model!r} by each method", *(text.rstrip() for text in texts)])

    def _repr_html_(self) -> str:
        return html_table(f"Accelerations of {self.model!r}", _HEAD, [row.cells for row in self.rows])


def compare_methods(
    model: Model | System, *, at: Mapping[str, object] | None = None, parameters: Mapping[str, object] | None = None
) -> MethodComparison:
    """Return the accelerations of a mechanism by every method, compared and measured.

    `at` has coordinates and speeds by name, the others have initial values; loops are closed. Joint coordinates: the
    recursion of articulated bodies (open trees), composite bodies, the velocity transformation, Roberson and
    Schwertassek's method, and the embedding in independent speeds (closed loops). Then absolute and branch coordinates,
    the projected cutsets of the latter, and Crous's equations in Euler parameters. Times are those of this process,
    without the cache.

    >>> import gyrostat as gs
    >>> model = gs.Model("pendulum", gravity=(0, -9.81, 0))
    >>> bar = model.add(gs.Body("bar", gs.rod(2, 1, along="y"), points={"top": (0, 0.5, 0)}))
    >>> hinge = model.add(gs.Revolute("a", "ground", "bar.top"))
    >>> found = gs.compare_methods(model, at={"a": 0.5})
    >>> found["velocity transformation"].equations, found.largest_difference < 1e-10
    (1, True)
    """
    topology = (formulate(model) if isinstance(model, Model) else model).topology
    require_rigid(topology, "methods are compared", "Use system.equations().")
    system = formulate(topology.model)
    if not system.coordinates.n_u:
        raise TopologyError(f"All coordinates of {system.model.name!r} are driven: there are no accelerations to find.")
    assembly = assemble(system, at, parameters=parameters)
    point = _Point(system, StateParts(assembly.q, assembly.u, assembly.z), parameters)
    return MethodComparison(system.model.name, tuple(_rows(point)))


@dataclass(frozen=True)
class _Point:
    """A system at a state."""

    system: System
    state: StateParts
    parameters: Mapping[str, object] | None

    @cached_property
    def row(self) -> Floats:
        """Time, state, parameters and inputs, as programs take them."""
        row = np.zeros(self.system.row.size)
        row[self.system.row.state] = np.concatenate(self.state)
        row[self.system.row.parameters] = self.system.parameter_values(self.parameters)
        return row

    @cached_property
    def of_bodies(self) -> Floats:
        """Linear and angular accelerations of all bodies, in world axes."""
        outputs = Outputs(self.system, self.row[None, :])
        names = [f"{body}.{kind}" for body in self.system.topology.bodies for kind in ("acc", "alpha")]
        return np.concatenate([outputs.values(name)[0] for name in names])

    def condition(self) -> float:
        """Return the condition of [M Aᵀ; A 0]; infinite where constraints are redundant."""
        system, (q, u, _) = self.system, self.state
        M = system.mass_matrix(q, parameters=self.parameters)
        if not system.constrained:
            return float(np.linalg.cond(M))
        A = closing.Closer(system, 0.0, self.parameters).at(q, u).matrix
        return float(np.linalg.cond(np.block([[M, A.T], [A, np.zeros((len(A), len(A)))]])))

    def moved_to(self, system: System) -> _Point:
        """Return the same state in other coordinates."""
        return _Point(system, mapped_state(self.system, system, self.state, 0.0, self.parameters), self.parameters)


def _rows(point: _Point) -> Iterator[MethodRow]:
    """Yield the row of each method; the first one's accelerations are those that others are compared with."""
    system, unknowns = point.system, len(point.system.constraints) + point.system.coordinates.n_u
    recipes = dict(methods.JOINT_METHODS)
    if not system.constrained:
        recipes = {"articulated bodies": methods.ARTICULATED_BODIES, **recipes}
    expected, condition = np.zeros(0), point.condition()
    _program(methods.JOINT_METHODS["composite bodies"], system)  # imports count for none of them
    for name, recipe in recipes.items():
        began = perf_counter()
        program = _program(recipe, system)
        derive = perf_counter() - began
        udot = program.loop(point.row[None, :])[0]
        expected = expected if len(expected) else udot
        size = None if name == "articulated bodies" else condition
        count = system.coordinates.n_u if name == "articulated bodies" else unknowns
        seconds = _evaluation(program, point)
        yield MethodRow(name, "joint", count, program.operations, derive, seconds, size, _difference(udot, expected))
    if system.constrained:
        yield _embedded(point, expected)
    for choice in ("absolute", "branch"):
        yield _in_coordinates(point, choice)
    if not any(rotor.free for body in system.model.bodies.values() for rotor in body.rotors):
        yield _by_cutsets(point)
        yield _in_euler_parameters(point)


def _program(recipe: Recipe, system: System) -> Program:
    softness = SOFTNESS if system.constrained and system.rank.redundant else 0.0
    function = tracing.build_function("compared", recipe, system.coordinates, None, softness, in_order=True)
    return compile_program(function, cache=False)


def _evaluation(program: Program, point: _Point) -> float:
    rows = np.tile(point.row, (_STATES, 1))
    return _timed(lambda: program.loop(rows)) / _STATES


def _timed(run: Callable[[], object]) -> float:
    times = []
    for _ in range(_REPEATS):
        began = perf_counter()
        run()
        times.append(perf_counter() - began)
    return median(times)


def _difference(found: Floats, expected: Floats) -> float:
    return float(np.abs(found - expected).max() / max(np.abs(expected).max(), 1e-300))


def _embedded(point: _Point, expected: Floats) -> MethodRow:
    """Return the row of the embedding in independent speeds, which is evaluated in NumPy."""
    began = perf_counter()
    embedding = point.system.embedding()
    q, u, z = point.state

    def evaluate() -> Any:
        return embedding.at(q, u, z=z, parameters=point.parameters)

    found = evaluate()
    derive = perf_counter() - began
    count, difference = len(found.independent), _difference(found.accelerations, expected)
    return MethodRow("embedding", "joint", count, None, derive, _timed(evaluate), found.condition, difference)


def _in_coordinates(point: _Point, choice: str) -> MethodRow:
    """Return the row of absolute or branch coordinates, by their own recursions."""
    began = perf_counter()
    system = formulate(point.system.model, choice)
    program = _program(RECIPES["forward_dynamics"], system)
    derive = perf_counter() - began
    moved = point.moved_to(system)
    unknowns = system.coordinates.n_u + len(system.constraints)
    difference = _difference(moved.of_bodies, point.of_bodies)
    seconds, operations = _evaluation(program, moved), program.operations
    return MethodRow(
        f"{choice} coordinates", choice, unknowns, operations, derive, seconds, moved.condition(), difference
    )


def _by_cutsets(point: _Point) -> MethodRow:
    """Return the row of projected cutsets and circuits in branch coordinates, formed and solved in Python."""
    began = perf_counter()
    moved = point.moved_to(formulate(point.system.model, "branch"))
    derive = perf_counter() - began
    q, u, _ = moved.state

    def evaluate() -> GraphNumbers:
        numbers = moved.system.graph_method(q, u, parameters=point.parameters).numbers
        numbers.accelerations()
        return numbers

    began = perf_counter()
    numbers = evaluate()
    spent = perf_counter() - began
    expected = moved.system.forward_dynamics(q, u, parameters=point.parameters)
    difference = _difference(numbers.accelerations(), expected)
    unknowns = len(expected) + len(numbers.jacobian)
    return MethodRow("cutsets", "branch", unknowns, None, derive + spent, spent, moved.condition(), difference)


def _in_euler_parameters(point: _Point) -> MethodRow:
    """Return the row of Crous's augmented equations, which are formed and solved in Python."""
    q, u, _ = point.state
    began = perf_counter()
    walk = point.system.absolute_method(q, u, parameters=point.parameters)
    rates = walk["q̈"]
    spent = perf_counter() - began
    bodies = [name[3:-1] for name in walk.names if name.startswith("q^(")]
    found = {body: _of_body(walk, body, rates[7 * i : 7 * i + 7]) for i, body in enumerate(bodies)}
    difference = _difference(np.concatenate([found[body] for body in point.system.topology.bodies]), point.of_bodies)
    matrix = walk["[M C_qᵀ; C_q 0]"]
    condition = float(np.linalg.cond(matrix))
    return MethodRow("Euler parameters", "absolute", len(matrix), None, spent, spent, condition, difference)


def _of_body(walk: Walkthrough, body: str, rates: Floats) -> Floats:
    """Return linear and angular acceleration in world axes from r̈ and ε̈."""
    e = walk[f"q^({body})"][3:]
    R = np.array(rotation_of(list(e)), dtype=float)
    return np.concatenate([rates[:3], R @ (walk[f"G^({body})"] @ rates[3:])])
