"""Law of the energy of a system between events: constant, only falling, or changed by known powers."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gyrostat.analysis.integrators.integrator import Integrator
from gyrostat.analysis.simulation.contact_modes import ContactModes
from gyrostat.analysis.simulation.inputs import InputPlan
from gyrostat.analysis.simulation.segment import Segment
from gyrostat.coordinates.arguments import Floats
from gyrostat.lazy import later
from gyrostat.model.evaluator import Evaluator
from gyrostat.scalar import FloatScalars
from gyrostat.scalar.arrays import ArrayScalars
from gyrostat.system import System
from gyrostat.system.energy_sources import EnergySources

if TYPE_CHECKING:
    from gyrostat.analysis.simulation import rope_rest
else:
    (rope_rest,) = later("gyrostat.analysis.simulation", "rope_rest")


class EnergyLaw(Enum):
    """Law of a system's energy between events."""

    CONSTANT = "constant"
    NOT_RISING = "not rising"
    SUPPLIED = "supplied"
    UNKNOWN = "unknown"


def energy_law(system: System, segment: Segment) -> EnergyLaw:
    """Return what is known of the energy in a segment; `system` has the contacts closed that rest in it.

    It is constant where all loads have potentials, and only falls where dampers act beside them. Otherwise the powers
    of loads, drivers and inputs are known. Those of inputs that are Python functions, of closed rigid contacts and of
    contacts of many pairs are known where the integrator adds them up on the way. Without other supplies closed rigid
    contacts take energy by friction and give none.
    """
    sources, contacts = system.energy_sources, segment.contacts
    if segment.carries_work:
        return EnergyLaw.SUPPLIED
    if sources.unaccounted:
        return EnergyLaw.UNKNOWN
    law, closed = _law(sources, segment.plan, segment.parameters), contacts is not None and contacts.closed
    if law is EnergyLaw.SUPPLIED:
        return EnergyLaw.UNKNOWN if closed or segment.plan.functions else law
    return EnergyLaw.NOT_RISING if closed else law


def adds_up_work(
    system: System,
    integrator: Integrator,
    plan: InputPlan,
    parameters: Mapping[str, float],
    contacts: ContactModes | None,
) -> bool:
    """Return whether an integrator adds up the work of loads under inputs, parameters and modes of rigid contacts.

    Loads of drivers, of rotors with a given motion and of constraints that may depend on time follow from the
    accelerations, which takes about as long as these: their powers are computed at checkpoints alone. So are those of
    ropes of nodes and of large systems on rolled code, which forms velocities once more for them. Fixed steps resolve
    no fast decay: where only dampers act, their energy must not rise.
    """
    sources = system.energy_sources
    if not integrator.adds_up_work or sources.moved or sources.networks:
        return False
    if not sources.unaccounted and (contacts is None or not contacts.closed):
        law, fixed = _law(sources, plan, parameters), getattr(integrator, "rtol", None) is None
        if law is EnergyLaw.CONSTANT or (law is EnergyLaw.NOT_RISING and fixed):
            return False
    return not system.rolls and (not system.whole_ropes or rope_rest.rest_of(system) is None)


class EnergyLaws(NamedTuple):
    """Laws of the energies of many motions that differ in values of parameters and inputs."""

    supplied: NDArray[np.bool_]
    """Where loads or inputs do work."""
    falling: NDArray[np.bool_]
    """Where dampers act; without them, and where nothing is supplied, the energy is constant."""


def energy_laws(
    system: System, plan: InputPlan, parameters: Mapping[str, Floats], inputs: Mapping[str, Floats], count: int
) -> EnergyLaws:
    """Return the laws of so many motions, with columns of parameters and of inputs that the plan does not have."""
    sources, nothing = system.energy_sources, np.zeros(count, dtype=bool)
    acting = nothing | sources.supplied | _acts(sources.actuators, plan)
    for name in set(inputs) & set(sources.actuators):
        acting = acting | (inputs[name] != 0)
    if sources.supplied:
        return EnergyLaws(acting, nothing)
    supplied, damped = _effects(sources, Evaluator(ArrayScalars(), parameters.__getitem__))
    return EnergyLaws(acting | supplied, nothing | damped)


def _law(sources: EnergySources, plan: InputPlan, parameters: Mapping[str, float]) -> EnergyLaw:
    """Return the law under inputs and values of the parameters."""
    if sources.supplied or (sources.actuators and _acts(sources.actuators, plan)):
        return EnergyLaw.SUPPLIED
    if not sources.loads and not sources.dampers:
        return EnergyLaw.NOT_RISING if sources.damped else EnergyLaw.CONSTANT
    supplied, damped = _effects(sources, Evaluator(FloatScalars(), parameters.__getitem__))
    return EnergyLaw.SUPPLIED if supplied else EnergyLaw.NOT_RISING if damped else EnergyLaw.CONSTANT


def _effects(sources: EnergySources, value: Evaluator) -> tuple[Any, Any]:
    """Return whether loads or negative dampers supply energy, and whether dampers act, for numbers or for columns."""
    supplied: Any = False
    damped: Any = sources.damped
    for load in sources.loads:
        supplied = supplied | (value(load) != 0)
    for damper in sources.dampers:
        coefficient = value(damper)
        supplied, damped = supplied | (coefficient < 0), damped | (coefficient > 0)
    return supplied, damped


def _acts(actuators: tuple[str, ...], plan: InputPlan) -> bool:
    """Return whether an input of an actuator is not zero throughout."""
    if not plan.numbers and plan.constant:
        return False
    courses = {*plan.formulas, *plan.tables, *plan.functions}
    return any(plan.numbers.get(name) or name in courses for name in actuators)
