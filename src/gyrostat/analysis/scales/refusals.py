"""Errors of problems that cannot be expanded, in the problem's names."""

from __future__ import annotations

from collections.abc import Iterable

from gyrostat.analysis.scales.frequencies import Combination, Resonance
from gyrostat.analysis.scales.oscillators import Oscillators
from gyrostat.analysis.scales.term import Term
from gyrostat.errors import Fault, ModelError


def _item(term: Term) -> str:
    source = f" (from {term.source!r})" if term.source else ""
    return f"equation of {term.oscillator!r}, term {term.monomial or term.coefficient}{source}"


def order_zero_fault(term: Term) -> ModelError:
    """Return the error of a term of order zero that is not a force."""
    what = "nonlinear" if term.degree > 1 else "linear but not of the form ω² x"
    return ModelError(
        Fault(
            _item(term),
            f"is {what} and of order zero, where only x'' + ω² x and forces are allowed.",
            "Give it a power of the small parameter, as in eps*alpha*x**3; linear coupling at order zero is removed by "
            "modal coordinates.",
        )
    )


def position_of_free_fault(term: Term, name: str) -> ModelError:
    """Return the error of a term that contains the position of a coordinate that drifts."""
    return ModelError(
        Fault(
            _item(term),
            f"contains {name!r} itself, whose frequency is zero: it drifts, and powers of it grow without bound.",
            f"Only {name}.rate and {name}.acc may occur; give {name!r} a stiffness, or write equations relative to it.",
        )
    )


def secular_fault(problem: Oscillators, k: int, frequency: Combination) -> ModelError:
    """Return the error of a resonant force of order zero."""
    oscillator = problem.oscillators[k]
    if oscillator.is_free:
        fact = "is pushed by a constant force of order zero, and has no stiffness: it runs away."
        remedy = "Choose the equilibrium so that constant forces vanish, or make the force small."
    else:
        fact = f"is forced at order zero with its own frequency, {frequency}: a secular term at the equilibrium itself."
        remedy = "Make the force small (eps*F), as is usual for a primary resonance."
    return ModelError(Fault(f"oscillator {oscillator.name!r}", fact, remedy))


class UndeclaredResonanceError(ModelError):
    """An undeclared resonance makes a divisor vanish; `resonance` is the declaration that is needed."""

    def __init__(self, faults: Fault | Iterable[Fault], heading: str = "", resonance: Resonance | None = None) -> None:
        super().__init__(faults, heading)
        self.resonance = resonance


def exact_resonance(problem: Oscillators, k: int, force: Combination, natural: Combination) -> UndeclaredResonanceError:
    """Return the error of an undeclared exact resonance."""
    value = force.value(problem.values)
    force = -force if value is not None and value < 0 else force
    resonance = relation(problem, force, natural)
    return UndeclaredResonanceError(
        Fault(
            f"oscillator {problem.oscillators[k].name!r}",
            f"is forced with the frequency {force}, which equals its own, {natural}: an undeclared resonance.",
            "" if resonance is None else declaration(resonance),
        ),
        resonance=resonance,
    )


def declaration(resonance: Resonance) -> str:
    """Return the text of a declaration of a resonance."""
    name, near = resonance.frequency, resonance.near
    return f'Declare it: resonances=[..., "{name} ≈ {near}"], or "{name} = {near}" where it holds exactly.'


def relation(problem: Oscillators, force: Combination, natural: Combination) -> Resonance | None:
    """Return the resonance force ≈ natural, solved for a forcing frequency, else for the last natural one."""
    difference = force - natural
    forcing = [name for name in difference.names if name in problem.forcing_frequencies]
    names = forcing or [name for o in reversed(problem.oscillators) for name in o.frequency.names if difference[name]]
    if not names:
        return None
    name = names[0]
    near = (Combination.of({name: 1}) * difference[name] - difference) * (1 / difference[name])
    return Resonance(name, near, detuning=f"sigma_{name}")
