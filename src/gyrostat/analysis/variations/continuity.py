"""Requirement of analyses of small motions and of steady states: a system without memory of its past."""

from __future__ import annotations

from gyrostat.errors import StateError
from gyrostat.model.states import Delay, Sampled
from gyrostat.system import System


def require_continuous(system: System, *, sampled: bool = False) -> None:
    """Raise an error if a system has rigid contacts, delays or, unless they are allowed, sampled blocks."""
    contact = next(iter(system.rigid_contacts), None)
    if contact is not None:
        raise StateError(
            f"{contact.noun} {contact.name!r} is rigid: whether it is open, sticks or slides is decided from instant "
            "to instant, and this analysis has no such modes. Use gs.simulate, gs.equilibrium or gs.linearize; "
            "elsewhere put constraints that hold in its place, or a gs.Contact with compliance."
        )
    for name, block in system.model.states.items():
        if isinstance(block, Delay):
            raise StateError(
                f"{name!r} is a delay, which no finite number of states describes. Use Padé's approximation of it: "
                "linearize(…, delay=gs.Pade(3)), or gs.Pade(3).applied(model) for other analyses."
            )
        if isinstance(block, Sampled) and not sampled:
            raise StateError(
                f"{name!r} is sampled: it holds its value between samples, so that the system has no linear model in "
                "continuous time. Use that in discrete time: linearize(…, hold=gs.ZeroOrderHold()); for other analyses "
                f"put a continuous law in the place of {name!r}."
            )
