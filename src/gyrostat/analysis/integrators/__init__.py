"""Integrators, one file each; see docs/howto/integrators.md for the contract."""

from gyrostat.analysis.integrators.cvode import CVODE, Multistep
from gyrostat.analysis.integrators.dop853 import DOP853
from gyrostat.analysis.integrators.euler import Euler
from gyrostat.analysis.integrators.gauss_legendre import GaussLegendre
from gyrostat.analysis.integrators.integrator import Integrator
from gyrostat.analysis.integrators.moreau import Moreau
from gyrostat.analysis.integrators.rk2 import RK2
from gyrostat.analysis.integrators.rk4 import RK4
from gyrostat.analysis.integrators.rkf45 import RKF45
from gyrostat.analysis.integrators.rodas4 import Rodas4
from gyrostat.analysis.integrators.rodas5p import Rodas5P
from gyrostat.analysis.integrators.rotation_update import RotationUpdate

__all__ = [
    "CVODE",
    "DOP853",
    "RK2",
    "RK4",
    "RKF45",
    "Euler",
    "GaussLegendre",
    "Integrator",
    "Moreau",
    "Multistep",
    "Rodas4",
    "Rodas5P",
    "RotationUpdate",
]
