"""Hairer and Wanner's Rosenbrock method of order four, for stiff systems with kinks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from gyrostat.analysis.integrators.rosenbrock_method import RosenbrockMethod
from gyrostat.analysis.integrators.tableau import RosenbrockTableau

_A = (
    (),
    (1.544,),
    (0.9466785280815826, 0.2557011698983284),
    (3.314825187068521, 2.896124015972201, 0.9986419139977817),
    (1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950),
)
"""The first five stages; to the weights of the fifth the sixth adds the fifth."""
_LINK = (
    (),
    (-5.6688,),
    (-2.430093356833875, -0.2063599157091915),
    (-0.1073529058151375, -9.594562251023355, -20.47028614809616),
    (7.496443313967647, -10.24680431464352, -33.99990352819905, 11.70890893206160),
    (8.083246795921522, -7.981132988064893, -31.52159432874371, 16.31930543123136, -6.058818238834054),
)
_GAMMA = 0.25
_C = (0.0, 0.386, 0.21, 0.63, 1.0, 1.0)
_TIME = (_GAMMA, -0.1043, 0.1035, -0.03620000000000023, 0.0, 0.0)
_DENSE = (
    (10.12623508344586, -7.487995877610167, -34.80091861555747, -7.992771707568823, 1.025137723295662, 0.0),
    (-0.6762803392801253, 6.087714651680015, 16.43084320892478, 24.76722511418386, -6.594389125716872, 0.0),
)
"""D1, D2 of the motion θ (y1 − y0) + θ (1 − θ) (D1 + θ D2)."""


@lru_cache
def _tableau() -> RosenbrockTableau:
    a, link = np.zeros((6, 6)), np.zeros((6, 6))
    for s in range(6):
        a[s, : min(s, 4)] = _A[min(s, 4)]
        a[s, 4:s] = 1.0
        link[s, :s] = _LINK[s]
    b = np.append(a[5, :5], 1.0)
    first, second = (np.array(row) for row in _DENSE)
    return RosenbrockTableau(
        "Rodas4",
        4,
        gamma=_GAMMA,
        a=a,
        link=link,
        b=b,
        c=np.array(_C),
        time=np.array(_TIME),
        error=np.eye(6)[5],
        error_order=4,
        dense=np.stack([b + first, second - first, -second], axis=1),
    )


@dataclass(frozen=True)
class Rodas4(RosenbrockMethod):
    """Variable step, linearly implicit, order 4 with an error estimate of order 3: for stiff systems with kinks.

    The method RODAS of Hairer and Wanner (Solving Ordinary Differential Equations II, section IV.7), with six stages
    and the exact Jacobian of the rates, L-stable. Dense output is of order 3. Where laws have many kinks, such as ropes
    on pulleys with friction, it takes fewer steps than `Rodas5P`; where motions are smooth, more.

    >>> Rodas4(rtol=1e-5).tableau.stages
    6
    """

    @property
    def tableau(self) -> RosenbrockTableau:
        """The coefficients of the method."""
        return _tableau()
