"""Random trees of bodies: one description, from which models of several packages are built."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

import gyrostat as gs

Floats = NDArray[np.float64]

KINDS = (
    *("revolute", "prismatic", "cylindrical", "screw", "universal", "spherical", "angles", "planar", "free", "weld"),
)
SEQUENCES = [a + b + c for a in "xyz" for b in "xyz" for c in "xyz" if a != b != c]


@dataclass(frozen=True)
class Placement:
    """A frame on a body: a position and rotations one after the other."""

    at: tuple[float, float, float] = (0.0, 0.0, 0.0)
    turn: tuple[tuple[tuple[float, float, float], float], ...] = ()

    @property
    def rotation(self) -> Floats:
        """R_BF."""
        R = np.eye(3)
        for axis, angle in self.turn:
            R = R @ Rotation.from_rotvec(angle * np.array(axis) / np.linalg.norm(axis)).as_matrix()
        return R

    def frame(self) -> gs.Frame:
        """The frame as a model has it."""
        return gs.Frame(self.at, list(self.turn))


@dataclass(frozen=True)
class BodyDescription:
    """A body with its inboard joint; with `against`, the joint is written from the body to its parent."""

    name: str
    parent: str
    kind: str
    axis: tuple[float, float, float]
    pitch: float
    angles: str
    against: bool
    inboard: Placement
    outboard: Placement
    mass: float
    com: tuple[float, float, float]
    inertia: Floats

    @property
    def joint(self) -> str:
        """The joint's name."""
        return f"j_{self.name}"


@dataclass(frozen=True)
class TreeDescription:
    """Bodies, each after its parent, and gravity."""

    bodies: tuple[BodyDescription, ...]
    gravity: tuple[float, float, float]

    def model(self, *, order: Sequence[int] | None = None, driven: dict[str, Any] | None = None) -> gs.Model:
        """Return the tree as a model, its bodies and joints added in a given order."""
        model = gs.Model("random tree", gravity=self.gravity)
        frames: dict[str, dict[str, gs.Frame]] = {name: {} for name in ("ground", *(b.name for b in self.bodies))}
        for body in self.bodies:
            frames[body.parent][f"to_{body.name}"] = body.inboard.frame()
            frames[body.name]["hinge"] = body.outboard.frame()
        model.add(gs.Body("ground", frames=frames["ground"]))
        chosen = [self.bodies[i] for i in (range(len(self.bodies)) if order is None else order)]
        for body in chosen:
            inertia = body.inertia.tolist()
            model.add(gs.Body(body.name, mass=body.mass, com=body.com, inertia=inertia, frames=frames[body.name]))
        for body in chosen:
            model.add(_joint(body, (driven or {}).get(body.joint, {})))
        return model


def _joint(body: BodyDescription, driven: dict[str, Any]) -> Any:
    ends = [f"{body.parent}.to_{body.name}", f"{body.name}.hinge"]
    if body.against:
        ends.reverse()
    options: dict[str, Any] = {"driven": driven} if driven else {}
    axial = {"revolute": gs.Revolute, "prismatic": gs.Prismatic, "cylindrical": gs.Cylindrical}
    if body.kind in axial:
        return axial[body.kind](body.joint, *ends, axis=body.axis, **options)
    if body.kind == "screw":
        return gs.Screw(body.joint, *ends, axis=body.axis, pitch=body.pitch, **options)
    if body.kind == "angles":
        return gs.Spherical(body.joint, *ends, angles=body.angles, **options)
    plain = {
        "universal": gs.Universal,
        "spherical": gs.Spherical,
        "planar": gs.Planar,
        "free": gs.Free,
        "weld": gs.Weld,
    }
    return plain[body.kind](body.joint, *ends, **options)


@dataclass
class Draw:
    """Random pieces of mechanisms; frames are now aligned, now turned by quarters, now askew."""

    seed: int
    random: np.random.Generator = field(init=False)

    def __post_init__(self) -> None:
        self.random = np.random.default_rng(self.seed)

    def vector(self, size: float = 1.0) -> tuple[float, float, float]:
        """Return a vector, often with zeros."""
        entries = self.random.normal(size=3) * size
        entries[self.random.random(3) < 0.25] = 0.0
        x, y, z = entries.tolist()
        return (x, y, z)

    def axis(self) -> tuple[float, float, float]:
        """Return an axis along x, y, z (either way) or askew, not always of unit length."""
        if self.random.random() < 0.6:
            unit = np.eye(3)[self.random.integers(3)] * self.random.choice([1, -1])
            x, y, z = unit.tolist()
            return (x, y, z)
        x, y, z = self.random.normal(size=3).tolist()
        return (x, y, z)

    def placement(self) -> Placement:
        """Return a frame."""
        choice = self.random.random()
        if choice < 0.3:
            return Placement(self.vector(0.5))
        if choice < 0.5:
            quarter = float(self.random.choice([0.5, 1.0, -0.5])) * np.pi
            return Placement(self.vector(0.5), (((0.0, 0.0, 1.0), quarter), ((1.0, 0.0, 0.0), 0.5 * np.pi)))
        x, y, z = self.random.normal(size=3).tolist()
        return Placement(self.vector(0.5), (((x, y, z), float(self.random.uniform(-3, 3))), ((0.0, 1.0, 0.0), 0.4)))

    def inertia(self, size: float) -> Floats:
        """Return an inertia that a body can have, sometimes diagonal."""
        A = self.random.normal(size=(3, 3))
        spread = A @ A.T + 0.3 * np.eye(3)
        if self.random.random() < 0.3:
            spread = np.diag(np.diag(spread))
        return np.asarray(size * (np.trace(spread) * np.eye(3) - spread))

    def tree(self, bodies: int, kinds: Sequence[str] = KINDS, against: float = 0.35) -> TreeDescription:
        """Return a tree; about half of the bodies continue a chain, the others hang anywhere."""
        found: list[BodyDescription] = []
        for i in range(bodies):
            anywhere = int(self.random.integers(-1, i)) if self.random.random() < 0.5 else i - 1
            mass = float(self.random.uniform(0.3, 3))
            found.append(
                BodyDescription(
                    name=f"b{i}",
                    parent="ground" if anywhere < 0 else f"b{anywhere}",
                    kind=str(self.random.choice(list(kinds))),
                    axis=self.axis(),
                    pitch=float(self.random.uniform(-1, 1)),
                    angles=str(self.random.choice(SEQUENCES)),
                    against=bool(self.random.random() < against),
                    inboard=self.placement(),
                    outboard=self.placement(),
                    mass=mass,
                    com=self.vector(0.3),
                    inertia=self.inertia(0.1 * mass),
                )
            )
        return TreeDescription(tuple(found), self.vector(7.0))

    def state(self, system: gs.System) -> tuple[Floats, Floats]:
        """Return coordinates and speeds; Euler parameters have unit norm, and angles keep clear of gimbal lock."""
        q = self.random.uniform(-1.2, 1.2, system.coordinates.n_q)
        for name, layout in system.coordinates.joints.items():
            angles, middle = getattr(system.topology.joints[name], "angles", None), layout.coordinates[1:2]
            if angles and angles[0] == angles[2] and isinstance(middle[0], int):
                q[middle[0]] = self.random.choice([-1, 1]) * self.random.uniform(0.5, 1.5)
            places = [
                place
                for coordinate, place in zip(system.topology.joints[name].coordinates, layout.coordinates, strict=True)
                if coordinate.measure == "number" and isinstance(place, int)
            ]
            if places:
                e = self.random.normal(size=4)
                q[places] = e / np.linalg.norm(e)
        return q, self.random.uniform(-1.5, 1.5, system.coordinates.n_u)


def relative_error(found: Any, expected: Any) -> float:
    """Return the largest difference, relative to the largest expected number (or to one, where that is less)."""
    found, expected = np.asarray(found, dtype=float), np.asarray(expected, dtype=float)
    assert found.shape == expected.shape
    if not expected.size:
        return 0.0
    return float(np.abs(found - expected).max() / max(1.0, np.abs(expected).max()))


__all__ = ["KINDS", "SEQUENCES", "BodyDescription", "Draw", "Floats", "Placement", "TreeDescription", "relative_error"]
