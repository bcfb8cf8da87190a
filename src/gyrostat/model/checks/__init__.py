"""Structural checks of a model, made before its kinematics are derived."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING

from gyrostat.errors import Fault, ModelError
from gyrostat.lazy import later
from gyrostat.model.checks.armature import armature_faults
from gyrostat.model.checks.axes import axis_faults
from gyrostat.model.checks.constraints import limit_faults
from gyrostat.model.checks.drivers import driver_faults
from gyrostat.model.checks.finding import Subject
from gyrostat.model.checks.formulas import formula_faults, formula_faults_of
from gyrostat.model.checks.gravity import gravity_notes, parameters_of_gravity
from gyrostat.model.checks.laws import law_cycle_faults
from gyrostat.model.checks.mass import mass_faults, massless_faults
from gyrostat.model.checks.references import force_faults, joint_faults, reference_faults, reference_faults_of
from gyrostat.model.checks.states import state_faults
from gyrostat.model.flattening import Flat
from gyrostat.model.kinds import FormulaUse
from gyrostat.model.model import Model
from gyrostat.model.place import FAULT_EXCESS, FAULT_LIMIT

if TYPE_CHECKING:
    from gyrostat.model.checks import (
        bonds,
        coefficients,
        contacts,
        flexible,
        grains,
        joint_friction,
        joint_springs,
        many_contacts,
        ropes,
        variable_mass,
    )
else:
    bonds, coefficients, contacts, flexible, grains, joint_friction, joint_springs, many_contacts, ropes = later(
        "gyrostat.model.checks",
        *("bonds", "coefficients", "contacts", "flexible", "grains", "joint_friction", "joint_springs"),
        *("many_contacts", "ropes"),
    )
    (variable_mass,) = later("gyrostat.model.checks", "variable_mass")

__all__ = ["CheckReport", "check_model", "gravity_notes", "require_valid", "structural_faults"]

Check = Callable[[Subject], Iterator[Fault]]


def _for(*kinds: str, check: Check) -> Check:
    """Return a check that is made, and imported, for models with components of these classes only."""
    wanted = frozenset(kinds)

    def faults(subject: Subject) -> Iterator[Fault]:
        return check(subject) if wanted & subject.class_names else iter(())

    return faults


_CHECKS: tuple[Check, ...] = (
    formula_faults,
    law_cycle_faults,
    armature_faults,
    axis_faults,
    reference_faults,
    joint_faults,
    force_faults,
    _for("JointSpring", check=lambda subject: joint_springs.joint_spring_faults(subject)),
    _for("JointFriction", check=lambda subject: joint_friction.joint_friction_faults(subject)),
    limit_faults,
    _for("Contact", "RigidContact", "Tyre", check=lambda subject: contacts.contact_faults(subject)),
    _for("Contacts", check=lambda subject: many_contacts.many_contacts_faults(subject)),
    _for(
        *("Contact", "Contacts", "JointFriction", "JointLimit", "SheaveContact", "Tyre"),
        check=lambda subject: coefficients.coefficient_faults(subject),
    ),
    _for("Grains", check=lambda subject: grains.grain_faults(subject)),
    _for("StationArm", check=lambda subject: flexible.flexible_faults(subject)),
    _for("RopeElement", "Winch", check=lambda subject: ropes.rope_faults(subject)),
    _for("Bond", check=lambda subject: bonds.bond_faults(subject)),
    mass_faults,
    massless_faults,
    _for("VariableMass", check=lambda subject: variable_mass.variable_mass_faults(subject)),
    driver_faults,
    state_faults,
)


@dataclass(frozen=True)
class CheckReport:
    """Result of a check that found no faults: a summary of the model, and notes."""

    summary: str
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "\n".join([f"{self.summary}. No faults found.", *(f"Note: {note}" for note in self.notes)])


def structural_faults(model: Model, lost: frozenset[str] = frozenset()) -> tuple[Fault, ...]:
    """Return all structural faults; `lost` names the components of a file that could not be read."""
    return _subject_and_faults(model, lost)[1]


def check_model(model: Model) -> CheckReport:
    """Return a report, or raise `ModelError` with all faults."""
    subject = _valid(model)
    return CheckReport(str(subject.model), (*_notes(subject), *gravity_notes(model)))


def require_valid(model: Model) -> None:
    """Raise `ModelError` with all faults, if there are any."""
    _valid(model)


def _valid(model: Model) -> Subject:
    subject, faults = _subject_and_faults(model)
    if faults:
        raise ModelError(faults)
    return subject


def _subject_and_faults(model: Model, lost: frozenset[str] = frozenset()) -> tuple[Subject, tuple[Fault, ...]]:
    """Return the model with all parts, and its faults; parts of an owner with faulty fields are not checked."""
    subject, of_owners = Subject(model.flattened(), lost), list[Fault]()
    if subject.model.is_flat and not model.is_flat:
        of_owners, faulty = _owner_faults(subject, model.flat)
        if faulty:
            subject = Subject(model.flattened(without=faulty), lost | faulty)
    found = chain(of_owners, (fault for check in _CHECKS for fault in check(subject)))
    faults = tuple(islice(found, FAULT_LIMIT))
    return subject, (*faults, FAULT_EXCESS) if next(found, None) else faults


def _owner_faults(subject: Subject, flat: Flat) -> tuple[list[Fault], frozenset[str]]:
    """Return the faults of owners and of names of their parts, and the names of owners with faulty fields."""
    faults = {
        name: [*formula_faults_of(owner, subject), *reference_faults_of(owner, subject)]
        for name, owner in flat.owners.items()
    }
    faulty = frozenset(name for name, found in faults.items() if found)
    return [*flat.faults, *chain.from_iterable(faults.values())], faulty


def _notes(subject: Subject) -> Iterator[str]:
    """Yield notes on probable oversights, which are not faults."""
    model = subject.model
    empty = [name for name in model.parameters if name not in subject.values]
    if empty:
        yield f"without a value: {_listed(empty)}; checks that need a value were skipped."
    used = {name for formula in model.gravity for name in formula.names}
    used |= {name for p in model.parameters.values() if p.value is not None for name in p.value.names}
    for uses in subject.uses.values():
        used |= {name for use in uses if isinstance(use, FormulaUse) for name in use.formula.names}
    used |= parameters_of_gravity(model.source)
    idle = [name for name in model.parameters if name not in used]
    if idle:
        yield f"not used: {_listed(idle)}."
    if all(formula.number == 0 for formula in model.gravity):
        yield "there is no gravity."


def _listed(names: list[str]) -> str:
    return ", ".join(names[:_NAME_LIMIT]) + (f" and {hidden} more" if (hidden := len(names) - _NAME_LIMIT) > 0 else "")


_NAME_LIMIT = 12
