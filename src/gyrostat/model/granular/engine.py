"""The contract of granular engines: they take the motion of walls and return the impulses of grains on them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from gyrostat.model.record import Record
from gyrostat.model.registry import Registry

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class WallGeometry:
    """The surfaces of a body that grains touch, in axes of the body; arrays may be empty."""

    body: str
    triangles: Floats
    """Shape (m, 3, 3): three corners for each triangle; both sides count."""
    planes: Floats
    """Shape (m, 2, 3): a point, and the unit normal away from the material."""
    segments: Floats
    """Shape (m, 7): two ends, and the radius of a capsule."""
    spheres: Floats
    """Shape (m, 4): centre and radius."""


@dataclass(frozen=True, eq=False)
class GranularBed:
    """Initial data of an engine: grains, walls, laws, gravity. SI units, world axes."""

    name: str
    radii: Floats
    masses: Floats
    positions: Floats
    velocities: Floats
    gravity: Floats
    walls: tuple[WallGeometry, ...]
    laws: Floats
    """Shape (2, 14): coefficients of the laws between grains and with walls, as `analysis.kernels.grain_tables` lists
    them."""
    step: float
    """The longest granular step."""
    parameters: Mapping[str, float]
    """All parameters of the model."""
    state: Mapping[str, Floats] = field(default_factory=dict)
    """The value that `GranularRun.state` returned at the end of the run that is continued; empty at a first start."""


class GranularRun(Protocol):
    """Grains in motion. A simulation calls `advance` once in every exchange interval."""

    @property
    def positions(self) -> Floats:
        """Positions of the centres, (n, 3)."""

    @property
    def velocities(self) -> Floats:
        """Velocities of the centres, (n, 3)."""

    def advance(self, walls: Floats, duration: float) -> Floats:
        """Advance the grains by a time; return the impulses of the grains on the walls.

        `walls` has a row of 18 numbers for each wall: origin, rotation matrix row by row, velocity and angular velocity
        of the body at the beginning. Walls move on with them. The result has a row of 6 numbers for each wall: the
        integral of the force over the time, and of its moment about the origin of the world.
        """

    def sums(self) -> Mapping[str, float]:
        """Return outputs by label, such as `touching` and `dissipated`; those that are left out are zero."""

    def state(self) -> Mapping[str, Floats]:
        """Return all that is needed to continue from here, as arrays by name."""

    def close(self) -> None:
        """End the run: release processes and files, if there are any."""


@dataclass(frozen=True)
class GranularEngine(Record):
    """Base of granular engines. A subclass declares its settings as fields and is registered in `GRANULAR_ENGINES`."""

    @abstractmethod
    def begin(self, bed: GranularBed) -> GranularRun:
        """Return the grains at rest or in motion, ready to advance."""


GRANULAR_ENGINES: Registry[Any] = Registry("granular engine", GranularEngine)
