"""Errors of the expansion: what cannot be expanded, in the problem's own names."""

from __future__ import annotations

from gyrostat.analysis.scales.combination import Combination
from gyrostat.analysis.scales.oscillators import Oscillators
from gyrostat.analysis.scales.term import Term
from gyrostat.errors import Fault, ModelError


def _item(term: Term) -> str:
    source = f" (from {term.source!r})" if term.source else ""
    return f"equation of {term.oscillator!r}, term {term.monomial or term.coefficient}{source}"


def order_zero_fault(term: Term) -> ModelError:
    """Return the error of a term of order zero that is no force."""
    what = "nonlinear" if term.degree > 1 else "linear but not of the form ω² x"
    return ModelError(
        Fault(
            _item(term),
            f"is {what} and stands at order zero, where only x'' + ω² x and forces may stand.",
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
    """Return the error of a force of order zero that makes the oscillator grow without bound from the start."""
    oscillator = problem.oscillators[k]
    if oscillator.is_free:
        fact = "is pushed by a constant force of order zero, and has no stiffness: it runs away."
        remedy = "Choose the equilibrium so that constant forces vanish, or make the force small."
    else:
        fact = f"is forced at order zero with its own frequency, {frequency}: a secular term at the equilibrium itself."
        remedy = "Make the force small (eps*F), as is usual for a primary resonance."
    return ModelError(Fault(f"oscillator {oscillator.name!r}", fact, remedy))


def exact_resonance(problem: Oscillators, k: int, force: Combination, natural: Combination) -> ModelError:
    """Return the error of a resonance that was not declared and makes a divisor vanish."""
    sign = -1 if (value := (force.value(problem.values))) is not None and value < 0 else 1
    relation = force * sign - natural
    names = [name for name in relation.names if name in problem.forcing_frequencies] or list(relation.names)[::-1]
    name = names[0]
    near = (Combination.of({name: 1}) * relation[name] - relation) * (1 / relation[name])
    return ModelError(
        Fault(
            f"oscillator {problem.oscillators[k].name!r}",
            f"is forced with the frequency {force * sign}, which equals its own, {natural}: an undeclared resonance.",
            f'Declare it: resonances=[..., "{name} ≈ {near}"], or "{name} = {near}" where it holds exactly.',
        )
    )
