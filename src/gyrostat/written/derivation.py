"""Exact derivations of equations of motion, shared by all forms of writing."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

from gyrostat.coordinates import Coordinates
from gyrostat.equations.composite_body import Entries
from gyrostat.equations.dynamics import inverse_dynamics, mass_matrix
from gyrostat.errors import SizeError, StateError
from gyrostat.kinematics.constraints import has_constraints
from gyrostat.kinematics.state_rates import state_rates
from gyrostat.model.forces import JointFriction
from gyrostat.once import cached_property
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import negate
from gyrostat.written import SIZE_LIMIT
from gyrostat.written.exact_constraints import ExactConstraints
from gyrostat.written.exact_trace import ExactTrace, exact_trace
from gyrostat.written.progress import DerivationProgress, Report

T = TypeVar("T")
_LONGEST_PART = 6
"""The limit of a whole set of equations divided by that of one expression in it."""


@dataclass(frozen=True, eq=False)
class Derivation:
    """A system on the exact engine, with the quantities derived so far."""

    layout: Coordinates
    most_terms: int | None = None
    """Terms of one expression with roots, quotients or Euler parameters beyond which it is refused."""
    sets: dict[object, Any] = field(default_factory=dict, repr=False)
    """Written sets of equations by form."""
    _found: dict[str, Any] = field(default_factory=dict, repr=False)

    @cached_property
    def trace(self) -> ExactTrace:
        """The system at a symbolic state."""
        return exact_trace(self.layout, self.most_terms)

    @cached_property
    def constrained(self) -> bool:
        """Whether joints close loops or the model has constraints."""
        return has_constraints(self.layout)

    def mass_matrix(self, report: Report | None = None) -> Entries:
        """Return the lower half of M."""
        return self._once("mass matrix", lambda: mass_matrix(self.trace.motion), report)

    def forcing(self, report: Report | None = None) -> list[Scalar]:
        """Return the right-hand side."""
        at_rest: list[Scalar] = [0] * self.layout.n_u
        return self._once(
            "forcing", lambda: [negate(load) for load in inverse_dynamics(self.trace.motion, at_rest)], report
        )

    def states(self, report: Report | None = None) -> list[Scalar]:
        """Return the rates of the state variables of components, residuals for algebraic ones."""
        return self._once("states", lambda: state_rates(self.trace.motion), report)

    def constraints(self, report: Report | None = None) -> ExactConstraints:
        """Return the constraints."""

        def derive() -> ExactConstraints:
            found = ExactConstraints(self.trace)
            if self.constrained:
                _ = found.entries, found.rates
            return found

        return self._once("constraints", derive, report)

    def _once(self, stage: str, work: Callable[[], T], report: Report | None) -> T:
        """Return a quantity of the exact engine, derived once; report the number of products formed meanwhile."""
        if stage not in self._found:
            try:
                self._found[stage] = self._watched(stage, work, report)
            except SizeError as error:
                raise SizeError(f"{self.layout.topology.model.name!r}, {stage}: {error}") from None
        return cast(T, self._found[stage])

    def _watched(self, stage: str, work: Callable[[], T], report: Report | None) -> T:
        if report is None:
            return work()
        ring = self.trace.ring
        report(DerivationProgress(stage, ring.spent))
        with ring.watched(lambda spent: report(DerivationProgress(stage, spent))):
            return work()


class Derivations(threading.local):
    """Cache of the derivations of the last eight systems, by model, coordinates, trees and limit of terms.

    A notebook cell that is run again, or another form of the same equations, reuses them. Each thread has its own
    cache, since the exact engine adds to its tables while it works.
    """

    _ENTRY_LIMIT = 8

    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], Derivation] = {}

    def of(self, coordinates: Coordinates, size_limit: int | None = SIZE_LIMIT) -> Derivation:
        """Return the derivation of a system; friction by a joint's own reaction has no closed form and is refused.

        One expression may have a sixth as many terms as the whole set may have products of sines and cosines.
        """
        model = coordinates.topology.model
        for force in model.forces.values():
            if isinstance(force, JointFriction) and force.by_reaction:
                raise StateError(
                    f"Exact equations cannot contain the friction {force.name!r} by its own reaction, which follows "
                    "from the accelerations and changes them. Give its load by a formula."
                )
        most_terms = None if size_limit is None else size_limit // _LONGEST_PART
        key = (model.contents, coordinates.choice, coordinates.tree_names, most_terms)
        try:
            hash(key)
        except TypeError:  # a component of the user's own that cannot be looked up
            return Derivation(coordinates, most_terms)
        found = self._known.pop(key, None)
        if found is None:
            found = Derivation(coordinates, most_terms)
            if len(self._known) >= self._ENTRY_LIMIT:
                del self._known[next(iter(self._known))]
        self._known[key] = found  # the last one used goes last
        return found

    def forget(self) -> None:
        """Clear the cache."""
        self._known.clear()


DERIVATIONS = Derivations()
"""The derivations of this thread."""
