"""PI controller."""

from __future__ import annotations

from dataclasses import dataclass

from gyrostat.model.forces import Motion
from gyrostat.model.states.controller import Controller
from gyrostat.scalar import Scalar


@dataclass(frozen=True)
class PI(Controller):
    """A PI controller: K_p e + K_i ∫e dt, with e the input; `name.integral` is the integral, a state.

    With `limits` the output keeps within them, and the integral does not wind up (see `Saturation`).

    >>> controller = PI("controller", "0.6 - a", proportional=8, integral=20, limits=(-24, 24))
    >>> list(controller.outputs), [one.name for one in controller.state_variables]
    (['controller'], ['controller.integral'])
    """

    def _unlimited(self, motion: Motion, error: Scalar) -> Scalar:
        """Return the output without limits."""
        return self._proportional_integral(motion, error)
