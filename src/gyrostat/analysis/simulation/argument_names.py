"""Names of arguments in other packages, answered with those of a simulation."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NoReturn

from gyrostat.errors import StateError
from gyrostat.model.names import did_you_mean

_ANSWERS = {
    "Give the length of the run in seconds: duration=10.": (
        *("t_end", "tend", "t_final", "t_stop", "tf", "end_time", "stop_time", "final_time", "until", "T"),
    ),
    "The spacing of outputs is step=0.01; an integrator with a fixed step has its own: integrator=gs.RK4(step=1e-3).": (
        *("dt", "h", "timestep", "time_step", "step_size", "sampling", "output_step"),
    ),
    "Give the times of outputs: times=[0, 0.1, 0.2], or duration=10 and step=0.01.": ("t_eval", "t_span", "t", "time"),
    "Give initial values by name: initial={'a1': 0.1, 'a1.rate': 2}.": (
        *("x0", "y0", "q0", "u0", "z0", "state", "initial_state", "initial_conditions", "initial_values", "ic", "at"),
    ),
    "Give an integrator: integrator=gs.DOP853().": ("method", "solver", "scheme"),
    "Tolerances belong to the integrator: integrator=gs.DOP853(rtol=1e-9, atol=1e-9).": ("rtol", "atol", "tol"),
    "Limits of the step belong to the integrator: integrator=gs.DOP853(largest_step=0.01).": (
        *("largest_step", "max_step", "hmax", "maxstep", "starting_step", "first_step"),
    ),
    "Give values of parameters by name: parameters={'m': 2}.": ("params", "p", "values", "args"),
    "Give inputs by name: inputs={'motor': '2*sin(t)'}.": ("input", "u", "controls", "control", "forcing"),
    "Give a budget of steps: most_steps=100_000.": ("max_steps", "maxiter", "max_iterations"),
    "Give a budget of computing time: most_seconds=60.": ("timeout", "max_seconds", "time_limit"),
}
_ANSWER_OF = {name: answer for answer, names in _ANSWERS.items() for name in names}


def refuse_arguments(function: str, given: Iterable[str], known: Iterable[str]) -> NoReturn:
    """Raise an error for an argument that a function does not have, with the name that it has for it."""
    name = next(iter(given))
    remedy = _ANSWER_OF.get(name) or did_you_mean(name, known)
    raise StateError(f"{function} has no argument {name!r}. {remedy}")
