"""Equations of motion that people can read: exact, in the user's symbols."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from gyrostat.coordinates import Coordinates
from gyrostat.equations.composite_body import Entries
from gyrostat.equations.dynamics import generalized_momenta, inverse_dynamics, joint_loads, joint_reactions, mass_matrix
from gyrostat.equations.energy import energy
from gyrostat.equations.loads import applied_loads
from gyrostat.equations.momentum import Momentum, momentum
from gyrostat.errors import SizeError, StateError
from gyrostat.kinematics.constraints import has_constraints
from gyrostat.kinematics.parallel_axes import harmonics_expected
from gyrostat.kinematics.world import coordinate_rates
from gyrostat.model.kinds import End
from gyrostat.model.names import GROUND, did_you_mean
from gyrostat.pipeline.certificate import Certificate, certificate
from gyrostat.pipeline.equation_text import equation_lines
from gyrostat.pipeline.equation_writer import EquationWriter, Form, Written
from gyrostat.pipeline.exact_constraints import ExactConstraints
from gyrostat.pipeline.exact_trace import ExactTrace, exact_trace
from gyrostat.pipeline.multipliers import Multipliers
from gyrostat.pipeline.progress import Progress, Report
from gyrostat.pipeline.symbols import Symbols, acceleration_name
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, negate, total
from gyrostat.scalar.exact import immutable_matrix
from gyrostat.spatial import Vector, cross, minus

if TYPE_CHECKING:
    from gyrostat.pipeline.exact_embedding import EmbeddedEquations

T = TypeVar("T")

RECURSIVE = "recursive"
"""The name of the compact form, which `RecursiveEquations` has."""


def form_of(form: Form | str) -> Form:
    """Return a form by its name."""
    try:
        return Form(form)
    except ValueError:
        known = ", ".join(repr(choice) for choice in (*(each.value for each in Form), RECURSIVE))
        raise StateError(f"There is no form {form!r} of equations. Known: {known}.") from None


def equation_set(
    coordinates: Coordinates, form: Form | str, size_limit: int | None = None, progress: Report | None = None
) -> Equations:
    """Return the equations of a system in a form, or raise `SizeError` where they would be larger than the limit."""
    found = Equations(coordinates, form_of(form), progress)
    expected = harmonics_expected(found.trace.motion.tree, found.trace.groups)
    if size_limit is not None and expected > size_limit:
        numbers = bool(coordinates.euler_parameters)
        products = "sines, cosines and Euler parameters" if numbers else "sines and cosines"
        raise SizeError(
            f"Written out, the equations of {coordinates.topology.model.name!r} would have up to {expected:,} products "
            f"of {products}, more than anybody reads. "
            f"Use the compact form, equations({RECURSIVE!r}), or size_limit=None."
        )
    return found


@dataclass(frozen=True, eq=False)
class Equations:
    """M(q) u̇ = forcing(q, u, t, inputs), q̇ = kinematics(q, u): exact expressions, turned into SymPy when asked for.

    Where joints close loops or the model has constraints, M u̇ = forcing + Aᵀ λ with A u = b, hence A u̇ = γ. Each
    multiplier λ is the load along the direction of its row, of the parent on the child where a joint closes a loop.

    >>> import gyrostat as gs
    >>> model = gs.Model("pendulum", gravity=(0, "-g", 0), parameters={"m": 2, "l": 1, "g": 9.81})
    >>> bar = model.add(gs.Body("bar", gs.rod("m", "l", along="y"), points={"top": (0, "l/2", 0)}))
    >>> hinge = model.add(gs.Revolute("a1", "ground", "bar.top", symbol="theta"))
    >>> equations = gs.formulate(model).equations()
    >>> print(equations)
    l**2*m/3*thetaddot = -g*l*m*sin(theta)/2
    """

    layout: Coordinates
    form: Form = Form.TEXTBOOK
    progress: Report | None = field(default=None, repr=False)

    # --- symbols ------------------------------------------------------------------------------------------------

    @cached_property
    def symbols(self) -> Symbols:
        """The symbols by the model's own names."""
        return Symbols(self.layout)

    @property
    def coordinates(self) -> tuple[Any, ...]:
        """The symbols of q."""
        return tuple(self.symbols.sympy[name] for name in self.layout.coordinate_names)

    @property
    def speeds(self) -> tuple[Any, ...]:
        """The symbols of u."""
        return tuple(self.symbols.sympy[name] for name in self.layout.speed_names)

    @property
    def accelerations(self) -> tuple[Any, ...]:
        """The symbols of u̇."""
        return tuple(self.symbols.sympy[acceleration_name(name)] for name in self.layout.speed_names)

    @property
    def multipliers(self) -> tuple[Any, ...]:
        """The symbols of λ, in the order of the constraints."""
        return tuple(self._multiplier_symbols.values())

    @cached_property
    def multiplier_table(self) -> Multipliers:
        """The multipliers with their owners, directions and units; prints as a table."""
        return Multipliers.of(self.exact_constraints.rows, self.symbols.text.values())

    @property
    def constraint_names(self) -> tuple[str, ...]:
        """The names of the constraints, in order: owner and direction."""
        return tuple(each.name for each in self.multiplier_table)

    @cached_property
    def _multiplier_symbols(self) -> dict[str, Any]:
        """SymPy's symbols of multipliers by the names of rows."""
        import sympy

        return {each.name: sympy.Symbol(each.symbol) for each in self.multiplier_table}

    # --- exact ---------------------------------------------------------------------------------------------------

    @cached_property
    def trace(self) -> ExactTrace:
        """The system on the exact engine."""
        return exact_trace(self.layout)

    @cached_property
    def exact_mass_matrix(self) -> Entries:
        """The lower half of M as elements of the exact engine."""
        return self._reporting("mass matrix", lambda: mass_matrix(self.trace.motion))

    @cached_property
    def exact_forcing(self) -> list[Scalar]:
        """The forcing as elements of the exact engine."""
        at_rest: list[Scalar] = [0] * self.layout.n_u
        loads = self._reporting("forcing", lambda: inverse_dynamics(self.trace.motion, at_rest))
        return [negate(load) for load in loads]

    @cached_property
    def constrained(self) -> bool:
        """Whether joints close loops or the model has constraints."""
        return has_constraints(self.layout)

    @cached_property
    def exact_constraints(self) -> ExactConstraints:
        """The constraints as elements of the exact engine."""
        found = ExactConstraints(self.trace)
        if self.constrained:
            self._reporting("constraints", lambda: (found.entries, found.rates))
        return found

    def _reporting(self, stage: str, work: Callable[[], T]) -> T:
        """Return what the exact engine works out, telling how many products have been formed meanwhile."""
        report, ring = self.progress, self.trace.ring
        if report is None:
            return work()
        report(Progress(stage, ring.spent))
        with ring.watched(lambda spent: report(Progress(stage, spent))):
            return work()

    # --- SymPy ---------------------------------------------------------------------------------------------------

    @cached_property
    def _writer(self) -> EquationWriter:
        return EquationWriter(self.trace, self.symbols, self.form, self._multiplier_symbols if self.constrained else {})

    def expression(self, value: Scalar) -> Any:
        """Return an element of the exact engine as SymPy writes it, in this set's form and symbols.

        Only the equations of motion are regrouped; other expressions of a regrouped set are in textbook form.
        """
        return self._writer(value)

    @cached_property
    def _written(self) -> Written:
        """M, A and residuals, then forcing and speeds that are constraints themselves."""
        still, moving = [*self.exact_mass_matrix.values()], [*self.exact_forcing]
        if self.constrained:
            rows = self.exact_constraints.rows
            still += self.exact_constraints.entries.values()
            still += [row.residual for row in rows if row.residual is not None]
            moving += [row.speed for row in rows if row.residual is None]
        total = len(still) + len(moving)
        return self._writer.together(self._counted(still, 0, total), self._counted(moving, len(still), total))

    def _counted(self, values: list[Scalar], before: int, total: int) -> Iterator[Scalar]:
        """Yield values that are written one by one, telling how many have been."""
        for done, value in enumerate(values, before):
            if self.progress is not None:
                self.progress(Progress("writing", done, total))
            yield value

    @property
    def constants(self) -> dict[Any, Any]:
        """The named polynomials of parameters of the regrouped form, by symbol; empty in other forms."""
        return self._written.constants

    @cached_property
    def mass_matrix(self) -> Any:
        """M as a SymPy matrix."""
        import sympy

        n = self.layout.n_u
        entries = [sympy.S.Zero] * (n * n)
        for (i, j), entry in zip(self.exact_mass_matrix, self._written.expressions, strict=False):
            entries[n * i + j] = entries[n * j + i] = entry
        return immutable_matrix(n, n, entries)

    @property
    def _first_moving(self) -> int:
        """The place of the forcing in what is written."""
        return len(self._written.expressions) - self.layout.n_u - len(self._nonholonomic)

    @property
    def _nonholonomic(self) -> list[int]:
        rows = self.exact_constraints.rows if self.constrained else ()
        return [i for i, row in enumerate(rows) if row.residual is None]

    @cached_property
    def forcing(self) -> Any:
        """The right-hand side as a SymPy column; loads of constraints come on top."""
        first = self._first_moving
        return immutable_matrix(self.layout.n_u, 1, list(self._written.expressions[first : first + self.layout.n_u]))

    @cached_property
    def kinematics(self) -> Any:
        """q̇ as a SymPy column."""
        return self._column(coordinate_rates(self.trace.motion.tree, self.trace.motion.state))

    @cached_property
    def constraints(self) -> Any:
        """What constraints keep zero, as a SymPy column: residuals of position; of nonholonomic ones, speeds.

        Constraints that hold by themselves, such as those out of the plane of a planar mechanism, are left out.
        """
        written, first = self._written.expressions, len(self.exact_mass_matrix) + len(self.exact_constraints.entries)
        still, moving = iter(written[first : self._first_moving]), iter(written[self._first_moving + self.layout.n_u :])
        entries = [next(moving if row.residual is None else still) for row in self.exact_constraints.rows]
        return immutable_matrix(len(entries), 1, entries)

    @cached_property
    def constraint_matrix(self) -> Any:
        """A as a SymPy matrix, a row for each constraint."""
        import sympy

        n, found = self.layout.n_u, self.exact_constraints
        entries = [sympy.S.Zero] * (len(found.rows) * n)
        written = self._written.expressions[len(self.exact_mass_matrix) :]
        for (i, j), entry in zip(found.entries, written, strict=False):
            entries[n * i + j] = entry
        return immutable_matrix(len(found.rows), n, entries)

    @cached_property
    def constraint_speeds(self) -> Any:
        """b in A u = b as a SymPy column; zero where nothing is given in time."""
        return self._column(self.exact_constraints.speeds)

    @cached_property
    def constraint_rates(self) -> Any:
        """γ in A u̇ = γ as a SymPy column."""
        return self._column(self.exact_constraints.rates)

    def _column(self, values: list[Scalar]) -> Any:
        return immutable_matrix(len(values), 1, [self.expression(value) for value in values])

    def embedded(self, independent: Sequence[str] | None = None) -> EmbeddedEquations:
        """Return the equations in independent speeds, constraints and multipliers eliminated; by name, or a choice."""
        from gyrostat.pipeline.exact_embedding import embedded_equations

        return embedded_equations(self, independent)

    def solved(self) -> Any:
        """Return u̇ = M⁻¹ (forcing + Aᵀ λ), with the λ that obey A u̇ = γ; grows fast with the number of speeds."""
        if not self.multipliers:
            return self.mass_matrix.LUsolve(self.forcing)
        import sympy

        A, n = self.constraint_matrix, self.layout.n_u
        free = self.mass_matrix.LUsolve(sympy.Matrix.hstack(sympy.Matrix(self.forcing), sympy.Matrix(A.T)))
        still, pushed = free[:, 0], free[:, 1:]
        multipliers = (A * pushed).LUsolve(self.constraint_rates - A * still)
        return (still + pushed * multipliers).reshape(n, 1).as_immutable()

    # --- more expressions ----------------------------------------------------------------------------------------

    @cached_property
    def kinetic_energy(self) -> Any:
        """The kinetic energy."""
        return self.expression(energy(self.trace.motion).kinetic)

    @cached_property
    def potential_energy(self) -> Any:
        """The energy of gravity and of force elements."""
        found = energy(self.trace.motion)
        return self.expression(add(found.gravity, total(list(found.stored.values()))))

    def coordinate(self, name: str) -> Any:
        """Return a joint's coordinate, or its rate ("s20.rate"), in the unknowns of these equations."""
        known = [*self.layout.measures, *self.layout.speed_names, *(f"{each}.rate" for each in self.layout.measures)]
        if name not in known:
            raise StateError(f"There is no coordinate {name!r}. {did_you_mean(name, dict.fromkeys(known))}")
        return self.expression(self.trace.motion.quantity(name))

    def position(self, place: str) -> Any:
        """Return the position of a body's frame, or of a point or frame on it, in world axes."""
        return self.vector(self.trace.motion.end(self._end(place)).position)

    def velocity(self, place: str) -> Any:
        """Return the velocity of a body's frame, or of a point or frame on it, in world axes."""
        return self.vector(self.trace.motion.end(self._end(place)).velocity)

    def angular_velocity(self, body: str) -> Any:
        """Return the angular velocity of a body, in world axes."""
        return self.vector(self.trace.motion.end(self._end(body)).omega)

    @cached_property
    def generalized_momenta(self) -> Any:
        """∂T/∂u as a SymPy column: M u where no motion is given by drivers or rotors."""
        return self._column(generalized_momenta(self.trace.motion))

    def linear_momentum(self, body: str | None = None) -> Any:
        """Return the linear momentum of a body, or of all bodies together, in world axes."""
        return self.vector(self._momentum(body).linear)

    def angular_momentum(self, body: str | None = None, *, about: str = GROUND) -> Any:
        """Return the angular momentum of a body, or of all together, about a place, in world axes; rotors included.

        The place is a body's frame, or a point or frame on it ("bar2.tip"); by default the world's origin. It is taken
        where it is at the instant: l_P = l_O − r_OP × p, whether it moves or not.
        """
        found = self._momentum(body)
        if about == GROUND:
            return self.vector(found.angular)
        r_WP_W = self.trace.motion.end(self._end(about)).position
        return self.vector(minus(found.angular, cross(r_WP_W, found.linear)))

    def _momentum(self, body: str | None) -> Momentum:
        motion = self.trace.motion
        if body is None:
            return momentum(motion)
        indices = {link.body: index for index, link in motion.tree.bodies}
        if body not in indices:
            raise StateError(f"There is no moving body {body!r}. {did_you_mean(body, indices)}")
        return momentum(motion, [indices[body]])

    def reaction(self, joint: str) -> tuple[Any, Any]:
        """Return force and moment of a joint's parent on its child, world axes, with u̇ and multipliers as symbols."""
        motion, constraints = self.trace.motion, self.exact_constraints
        if joint not in self.layout.loaded_joints:
            raise StateError(f"There is no joint {joint!r}. {did_you_mean(joint, self.layout.loaded_joints)}")
        on_children = {name: on_child for name, (on_child, _) in constraints.chord_loads.items()}
        rates = [self.trace.ring.symbol(acceleration_name(name)) for name in self.layout.speed_names]
        found = joint_loads(motion, rates, applied_loads(motion, extra=constraints.loads))
        force, moment = joint_reactions(found, on_children)[joint]
        return self.vector(force), self.vector(moment)

    def vector(self, vector: Vector) -> Any:
        """Return a vector of the exact engine as a SymPy column."""
        return self._column(list(vector))

    def _end(self, place: str) -> End:
        body, _, name = place.partition(".")
        end = End(body, name or None)
        model = self.layout.topology.model
        if body not in self.trace.motion.tree.index_of:
            raise StateError(f"There is no body {body!r}. {did_you_mean(body, self.trace.motion.tree.index_of)}")
        if model.placement(end, self.trace.motion.tree.value) is None:
            owner = model.ground if body == GROUND else model.bodies[body]
            known = [*owner.points, *owner.frames]
            raise StateError(f"Body {body!r} has no point or frame {name!r}. {did_you_mean(name, known)}")
        return end

    # --- text ----------------------------------------------------------------------------------------------------

    def __str__(self) -> str:
        return "\n".join(f"{left} = {right}" for left, right in equation_lines(self, str))

    def latex(self) -> str:
        """Return all equations as LaTeX, then constraints, then constants, aligned at the equals signs."""
        body = " \\\\\n".join(f"{left} &= {right}" for left, right in equation_lines(self, self.write_latex))
        return f"\\begin{{aligned}}\n{body}\n\\end{{aligned}}"

    def write_latex(self, expression: Any) -> str:
        """Return a SymPy expression in the symbols of this set as LaTeX."""
        import sympy

        return str(sympy.latex(expression, symbol_names=self._latex_names))

    @cached_property
    def _latex_names(self) -> dict[Any, str]:
        return {self._multiplier_symbols[each.name]: each.latex for each in self.multiplier_table}

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex()}$"

    @property
    def operations(self) -> int:
        """The number of operations as SymPy counts them."""
        import sympy

        return int(sympy.count_ops([*self.mass_matrix, *self.forcing, *self.constraint_matrix, *self.constraints]))

    def verify(self, points: int = 5, seed: int = 0) -> Certificate:
        """Compare M and forcing, and A, γ and residuals of constraints, as they are written, with the traced engine."""
        return certificate(self, points, seed)
