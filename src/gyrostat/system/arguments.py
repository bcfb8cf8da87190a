"""The arguments of a system's numeric methods, as users give them."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from numpy.typing import ArrayLike

from gyrostat.coordinates.arguments import Inputs, Parameters, Values


class At(NamedTuple):
    """Where a program is evaluated; names left out have initial values, inputs are zero then."""

    q: Values
    u: Values | None = None
    z: Values | None = None
    """State variables of components."""
    t: ArrayLike = 0.0
    inputs: Inputs = None
    parameters: Parameters = None
    udot: Values | None = None
    """Accelerations, for programs that need them."""


Arguments: TypeAlias = tuple[Values, Values | None, Values | None, ArrayLike, Inputs, Parameters, Values | None]
"""The fields of `At` as a plain tuple, which is formed in a tenth of the time."""
