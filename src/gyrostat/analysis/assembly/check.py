"""The check of a model and its kinematics: loops that cannot close, mobility by rank, contradictory values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gyrostat.analysis.assembly.assemble import Assembly, assemble
from gyrostat.analysis.assembly.overlaps import overlap_notes
from gyrostat.analysis.assembly.rope_paths import rope_notes
from gyrostat.closing.indeterminacy import indeterminate_loads
from gyrostat.coordinates import Choice
from gyrostat.errors import Fault, ModelError, StateError
from gyrostat.lazy import later
from gyrostat.model import Model
from gyrostat.model.checks import CheckReport
from gyrostat.model.forces import Contacts
from gyrostat.system import formulate, require_model
from gyrostat.topology import Trees

if TYPE_CHECKING:
    from gyrostat.analysis.simulation import separating
else:
    (separating,) = later("gyrostat.analysis.simulation", "separating")


def check(model: Model, coordinates: str | Choice | Trees = "joint") -> CheckReport:
    """Return a report on a valid model, including its kinematics; raise `ModelError` naming item, fault and remedy.

    In addition to `model.check()` this closes the loops from the model's initial values, and determines the degrees of
    freedom by the rank of the constraints, in a choice of coordinates: see `formulate`.

    >>> import gyrostat as gs
    >>> model = gs.Model("pendulum")
    >>> bar = model.add(gs.Body("bar", gs.rod(2, 1, along="y"), points={"top": (0, 0.5, 0)}))
    >>> hinge = model.add(gs.Revolute("a1", "ground", "bar.top"))
    >>> print(gs.check(model))
    Model 'pendulum': 1 body, 1 joint, 0 forces, 0 parameters. No faults found.
    Note: there is no gravity.
    Note: The mechanism has 1 degree of freedom.
    """
    require_model(model)
    report = model.check()
    flat = model.freeze()  # formulas may use parameters of subsystems
    known = flat.values()
    missing = [name for name in flat.parameters if name not in known]
    if missing:
        unknown = f"Parameter {missing[0]!r} has no value, so that kinematics was not checked."
        return CheckReport(report.summary, (*report.notes, unknown))
    system = formulate(model, coordinates)
    notes = list(report.notes)
    try:
        assembly = assemble(system)
        notes += [*assembly.notes, *(_indeterminate(assembly) if system.constrained else [])]
        notes += [*overlap_notes(assembly), *rope_notes(assembly)]
        if any(isinstance(force, Contacts) for force in system.kernel_forces):
            notes += separating.pair_overlap_notes(system, assembly.parts)
    except StateError as error:
        fact, _, remedy = str(error).partition(". ")
        raise ModelError(Fault(f"model {model.name!r}", f"{fact}.", remedy)) from None
    return CheckReport(report.summary, (*notes, _mobility(assembly)))


def _indeterminate(assembly: Assembly) -> list[str]:
    """Return the joints with statically indeterminate loads, without loads normal to a plane mechanism."""
    system = assembly.system
    owners, coordinates = {row.owner for row in system.constraints}, system.coordinates
    idle = [name for name in coordinates.chords if name not in owners and not any(coordinates.held(name))]
    if not assembly.rank.redundant and not idle:
        return []
    joints = ", ".join(repr(name) for name in indeterminate_loads(system, assembly.q))
    return [f"The loads of joints {joints} do not follow from the motion alone: constraints are redundant."]


def _mobility(assembly: Assembly) -> str:
    """Return the number of degrees of freedom; with loops by the rank of the constraints, not by counting."""
    system, freedom = assembly.system, assembly.freedom
    word = "degree" if freedom == 1 else "degrees"
    driven = len(system.coordinates.all_driven)
    beyond = f" beside its {driven} driven coordinate{'' if driven == 1 else 's'}" if driven else ""
    return f"The mechanism has {freedom} {word} of freedom{beyond}."
