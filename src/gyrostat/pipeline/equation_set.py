"""Equations of motion that people can read: exact, in the user's symbols."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from gyrostat.coordinates import Coordinates
from gyrostat.equations.composite_body import Entries, mass_matrix
from gyrostat.equations.energy import energy
from gyrostat.equations.momentum import Momentum, generalized_momenta, momentum
from gyrostat.equations.newton_euler import inverse_dynamics, joint_loads, reaction
from gyrostat.errors import SizeError, StateError
from gyrostat.kinematics.parallel_axes import harmonics_expected
from gyrostat.kinematics.world import coordinate_rates
from gyrostat.model.kinds import End
from gyrostat.model.names import GROUND, did_you_mean
from gyrostat.pipeline.equation_writer import EquationWriter, Form, Written
from gyrostat.pipeline.exact_trace import ExactTrace, exact_trace
from gyrostat.pipeline.progress import Progress, Report
from gyrostat.pipeline.symbols import Symbols, acceleration_name
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, negate, total
from gyrostat.scalar.exact import immutable_matrix
from gyrostat.spatial import Vector, apply, cross, minus

RECURSIVE = "recursive"
"""The name of the compact form, which `RecursiveEquations` has."""

_DRAWS = 20
"""Random states are drawn up to so many times as often as points are wanted."""


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
        numbers = any(c.measure == "number" for j in coordinates.topology.joints.values() for c in j.coordinates)
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

    # --- exact ---------------------------------------------------------------------------------------------------

    @cached_property
    def trace(self) -> ExactTrace:
        """The system on the exact engine."""
        return exact_trace(self.layout)

    @cached_property
    def exact_mass_matrix(self) -> Entries:
        """The lower half of M as elements of the exact engine."""
        with self._reporting("mass matrix"):
            return mass_matrix(self.trace.motion)

    @cached_property
    def exact_forcing(self) -> list[Scalar]:
        """The forcing as elements of the exact engine."""
        at_rest: list[Scalar] = [0] * self.layout.n_u
        with self._reporting("forcing"):
            return [negate(load) for load in inverse_dynamics(self.trace.motion, at_rest)]

    @contextmanager
    def _reporting(self, stage: str) -> Iterator[None]:
        """Tell how many products have been formed while the exact engine works."""
        report, ring = self.progress, self.trace.ring
        if report is None:
            yield
            return
        report(Progress(stage, ring.spent))
        with ring.watched(lambda spent: report(Progress(stage, spent))):
            yield

    # --- SymPy ---------------------------------------------------------------------------------------------------

    @cached_property
    def _writer(self) -> EquationWriter:
        return EquationWriter(self.trace, self.symbols, self.form)

    def expression(self, value: Scalar) -> Any:
        """Return an element of the exact engine as SymPy writes it, in this set's form and symbols.

        Only the equations of motion are regrouped; other expressions of a regrouped set are in textbook form.
        """
        return self._writer(value)

    @cached_property
    def _written(self) -> Written:
        still, moving = list(self.exact_mass_matrix.values()), self.exact_forcing
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

    @cached_property
    def forcing(self) -> Any:
        """The right-hand side as a SymPy column."""
        entries = list(self._written.expressions[len(self.exact_mass_matrix) :])
        return immutable_matrix(len(entries), 1, entries)

    @cached_property
    def kinematics(self) -> Any:
        """q̇ as a SymPy column."""
        return self._column(coordinate_rates(self.trace.motion.tree, self.trace.motion.state))

    @property
    def constraints(self) -> Any:
        """Constraint equations: none in a tree."""
        return self._column([])

    def _column(self, values: list[Scalar]) -> Any:
        return immutable_matrix(len(values), 1, [self.expression(value) for value in values])

    def solved(self) -> Any:
        """Return u̇ = M⁻¹ forcing; grows fast with the number of speeds."""
        return self.mass_matrix.LUsolve(self.forcing)

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

    def position(self, place: str) -> Any:
        """Return the position of a body's frame, or of a point or frame on it, in world axes."""
        return self._vector(self.trace.motion.end(self._end(place)).position)

    def velocity(self, place: str) -> Any:
        """Return the velocity of a body's frame, or of a point or frame on it, in world axes."""
        return self._vector(self.trace.motion.end(self._end(place)).velocity)

    def angular_velocity(self, body: str) -> Any:
        """Return the angular velocity of a body, in world axes."""
        return self._vector(self.trace.motion.end(self._end(body)).omega)

    @cached_property
    def generalized_momenta(self) -> Any:
        """∂T/∂u as a SymPy column: M u where no motion is given by drivers or rotors."""
        return self._column(generalized_momenta(self.trace.motion))

    def linear_momentum(self, body: str | None = None) -> Any:
        """Return the linear momentum of a body, or of all bodies together, in world axes."""
        return self._vector(self._momentum(body).linear)

    def angular_momentum(self, body: str | None = None, *, about: str = GROUND) -> Any:
        """Return the angular momentum of a body, or of all together, about a place, in world axes; rotors included.

        The place is a body's frame, or a point or frame on it ("bar2.tip"); by default the world's origin. It is taken
        where it is at the instant: l_P = l_O − r_OP × p, whether it moves or not.
        """
        found = self._momentum(body)
        if about == GROUND:
            return self._vector(found.angular)
        r_WP_W = self.trace.motion.end(self._end(about)).position
        return self._vector(minus(found.angular, cross(r_WP_W, found.linear)))

    def _momentum(self, body: str | None) -> Momentum:
        motion = self.trace.motion
        if body is None:
            return momentum(motion)
        indices = {link.body: index for index, link in motion.tree.bodies}
        if body not in indices:
            raise StateError(f"There is no moving body {body!r}. {did_you_mean(body, indices)}")
        return momentum(motion, [indices[body]])

    def reaction(self, joint: str) -> tuple[Any, Any]:
        """Return force and moment of a joint's parent on its child, world axes, with accelerations as symbols."""
        tree = self.trace.motion.tree
        indices = {link.whole[0].name: index for index, link in tree.bodies}
        if joint not in indices:
            raise StateError(f"There is no joint {joint!r} in the tree. {did_you_mean(joint, indices)}")
        rates = [self.trace.ring.symbol(acceleration_name(name)) for name in self.layout.speed_names]
        load = reaction(joint_loads(self.trace.motion, rates), indices[joint])
        R_WH = self.trace.motion.pose(indices[joint]).R_WH
        return self._vector(apply(R_WH, load.force)), self._vector(apply(R_WH, load.moment))

    def _vector(self, vector: Vector) -> Any:
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
        lines = [f"{self._left(i, str)} = {self.forcing[i]}" for i in range(self.layout.n_u)]
        return "\n".join([*lines, *(f"{name} = {meaning}" for name, meaning in self.constants.items())])

    def latex(self) -> str:
        """Return all equations as LaTeX, one after the other, then the constants, aligned at the equals signs."""
        import sympy

        lines = [f"{self._left(i, sympy.latex)} &= {sympy.latex(self.forcing[i])}" for i in range(self.layout.n_u)]
        lines.extend(f"{sympy.latex(name)} &= {sympy.latex(meaning)}" for name, meaning in self.constants.items())
        body = " \\\\\n".join(lines)
        return f"\\begin{{aligned}}\n{body}\n\\end{{aligned}}"

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex()}$"

    def _left(self, row: int, write: Callable[[Any], str]) -> str:
        """Return a row of M u̇, each coefficient in brackets if it is a sum."""
        parts = []
        for coefficient, rate in zip(self.mass_matrix[row, :], self.accelerations, strict=True):
            if coefficient == 0:
                continue
            text = write(coefficient)
            opening, closing, times = ("(", ")", "*") if write is str else (r"\left(", r"\right)", " ")
            bracketed = f"{opening}{text}{closing}" if coefficient.is_Add else text
            parts.append(write(rate) if coefficient == 1 else f"{bracketed}{times}{write(rate)}")
        return " + ".join(parts) or "0"

    @property
    def operations(self) -> int:
        """The number of operations as SymPy counts them."""
        import sympy

        return int(sympy.count_ops([*self.mass_matrix, *self.forcing]))

    def verify(self, points: int = 5, seed: int = 0) -> Certificate:
        """Compare M and forcing, as they are written, with the traced engine at random states and parameters.

        States at which the traced engine has no finite value, as beyond a square root's domain, are drawn again.
        """
        from gyrostat.pipeline.recursive_equations import mass_and_forcing_function

        draw = np.random.default_rng(seed)
        layout, model = self.layout, self.layout.topology.model
        names = (*layout.coordinate_names, *layout.speed_names, "t", *model.parameters, *model.inputs)
        evaluate = self._function(names)
        other = mass_and_forcing_function(layout)
        errors: list[float] = []
        for _ in range(_DRAWS * points):
            if len(errors) == points:
                break
            q = _on_sphere(layout, draw.uniform(-1.5, 1.5, layout.n_q))
            u, t = draw.uniform(-1, 1, layout.n_u), draw.uniform(0, 1, 1)
            parameters, inputs = draw.uniform(0.5, 2, len(model.parameters)), draw.uniform(-1, 1, len(model.inputs))
            expected = [np.array(x.full()) for x in other(t, q, u, [], parameters, inputs)]
            if all(np.isfinite(right).all() for right in expected):
                with np.errstate(all="ignore"):
                    found = evaluate(*q, *u, *t, *parameters, *inputs)
                errors.append(max(_relative(part, right) for part, right in zip(found, expected, strict=True)))
        if len(errors) < points:
            raise StateError(
                f"The equations of {model.name!r} have finite values at only {len(errors)} of {_DRAWS * points} random "
                "states. Check the formulas for roots, logarithms and quotients of negative numbers and zeros."
            )
        return Certificate(points, max(errors, default=0.0))

    def _function(self, names: tuple[str, ...]) -> Callable[..., tuple[Any, Any]]:
        """Return M and forcing as a function of numbers in the order of names."""
        import sympy

        shown = (self.mass_matrix.xreplace(self.constants), self.forcing.xreplace(self.constants))
        function: Callable[..., tuple[Any, Any]] = sympy.lambdify(
            [self.symbols.sympy[n] for n in names], shown, "numpy"
        )
        return function


@dataclass(frozen=True)
class Certificate:
    """The outcome of a comparison: how many random points, and the largest relative difference seen."""

    points: int
    error: float

    @property
    def agrees(self) -> bool:
        """Whether the difference is rounding."""
        return self.error < 1e-10

    def __str__(self) -> str:
        verdict = "agree" if self.agrees else "DISAGREE"
        return f"{verdict} at {self.points} random points; largest relative difference {self.error:.1e}"


def _relative(found: Any, right: Any) -> float:
    """Return the largest difference relative to the largest number, or to one; infinite where it is not a number."""
    difference = np.abs(np.asarray(found, dtype=complex).reshape(right.shape) - right)
    largest = float(difference.max(initial=0.0)) / max(1.0, float(np.abs(right).max(initial=0.0)))
    return largest if np.isfinite(largest) else float("inf")


def _on_sphere(layout: Coordinates, q: Any) -> Any:
    """Return coordinates whose Euler parameters have length one."""
    for name, places in layout.joints.items():
        joint = layout.topology.joints[name]
        pairs = zip(places.coordinates, joint.coordinates, strict=True)
        units = [place for place, coordinate in pairs if coordinate.measure == "number" and isinstance(place, int)]
        if units:
            q[units] /= np.linalg.norm(q[units])
    return q
