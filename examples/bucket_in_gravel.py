"""A dragline bucket digs in gravel: it is dragged through a bed of grains, hoisted with its load, and dumped.

The bucket is a mesh of triangles whose motion is given; the force of the grains on it is the drag force, and the mass
in it is counted. The drag force is compared with the fundamental equation of earthmoving. Run it with a folder to
write the animation and the drag force there:

    python examples/bucket_in_gravel.py out
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.optimize import minimize_scalar

import gyrostat as gs

DENSITY = 2600.0
LOOSE = 0.5
"""Share of the volume of a loose bed that grains have."""
BULK = 0.6 * DENSITY
"""Density of a full load, of which grains have six tenths (kg/m³)."""
GRAVITY = 9.81
FRICTION_ANGLES = 30.0, 35.0
"""Least and largest angle of internal friction of loose gravel (degrees; its angle of repose, plausible)."""


@dataclass(frozen=True)
class Dig:
    """Sizes of bucket and bed, and the times of a cycle: 7 m³ struck, of the class of small draglines."""

    radius: float = 0.11
    stiffness: float = 4e6
    length: float = 2.2
    width: float = 2.4
    height: float = 1.4
    depth: float = 0.7
    """How deep the lip goes below the surface of the bed (m)."""
    bed: tuple[float, float, float] = (11.5, 4.2, 1.7)
    """Length, width and height of the lattice from which the bed settles (m)."""
    settled: float = 0.8
    """Time for the bed to settle (s)."""
    way: float = 7.5
    """Way of the bucket through the bed (m)."""
    speed: float = 1.5
    pitch: float = 24.0
    """How far the lip points down while it enters the bed (degrees)."""
    level: float = 5.0
    """How far it points down at full depth (degrees)."""

    @property
    def volume(self) -> float:
        """Struck volume of the bucket (m³)."""
        return self.length * self.width * self.height

    @property
    def dragged(self) -> tuple[float, float]:
        """When the drag begins and ends."""
        begin = self.settled + 0.8
        return begin, begin + self.way / self.speed

    @property
    def duration(self) -> float:
        """Time of the whole cycle."""
        return self.dragged[1] + 6.0


def bucket_mesh(dig: Dig) -> gs.shapes.TriangleMesh:
    """Return floor, back and sides of a bucket that opens towards +x and above; its lip is the edge at the origin."""
    long, w, h = dig.length, dig.width / 2, dig.height
    floor = [(0, -w, 0), (0, w, 0), (-long, w, 0), (-long, -w, 0)]
    points = [*floor, (-0.2 * long, -w, h), (-0.2 * long, w, h), (-long, w, h), (-long, -w, h)]
    faces = [(0, 1, 2), (0, 2, 3), (3, 2, 6), (3, 6, 7), (0, 3, 7), (0, 7, 4), (1, 6, 2), (1, 5, 6)]
    return gs.shapes.TriangleMesh(points, faces, closed=False)


def smooth(begin: float, end: float) -> str:
    """Return a formula that rises smoothly from 0 to 1 between two times."""
    share = f"min(max((t - {begin})/{end - begin}, 0), 1)"
    return f"({share})**3*(10 - 15*({share}) + 6*({share})**2)"


def dig_model(dig: Dig) -> gs.Model:
    """Return bed and bucket, whose lip moves along x and z and turns about y by given formulas."""
    long, wide, high = dig.bed
    model = gs.Model("bucket in gravel", gravity=(0, 0, -GRAVITY))
    plane = gs.shapes.Plane
    model.add(gs.Body("ground", surfaces={
        "floor": plane(),
        "back": plane(at=(-0.5 * long, 0, 0), turn=[("y", "pi/2")]),
        "front": plane(at=(0.5 * long, 0, 0), turn=[("y", "-pi/2")]),
        "left": plane(at=(0, -0.5 * wide, 0), turn=[("x", "-pi/2")]),
        "right": plane(at=(0, 0.5 * wide, 0), turn=[("x", "pi/2")]),
    }))  # fmt: skip
    model.add(gs.Body("carriage", gs.point_mass(1.0)))
    model.add(gs.Body("lift", gs.point_mass(1.0)))
    mesh = bucket_mesh(dig)
    model.add(gs.Body("bucket", gs.box(9e3, size=(dig.length, dig.width, dig.height)), surfaces={"plates": mesh}))
    begin, end = dig.dragged
    surface, start = _surface(dig), -0.5 * long + dig.length + 0.4
    above, low, span = surface + 1.0, surface - dig.depth, end - begin
    touched, lowered, raised = (
        smooth(dig.settled, begin),
        smooth(begin, begin + 0.55 * span),
        smooth(end - 0.8, end + 2.4),
    )
    drag = f"{start} + {dig.way}*{smooth(begin, end)}"
    at = surface + 0.15
    lift = f"{above} + {at - above}*{touched} + {low - at}*{lowered} + {above + 2.0 - low}*{raised}"
    tilt, level, curl, dump = (np.radians(a) for a in (dig.pitch, dig.pitch - dig.level, 20.0 + dig.level, 110.0))
    levelled, curled, dumped = (
        smooth(begin + 0.3 * span, begin + 0.6 * span), smooth(end - 1.0, end + 0.6), smooth(end + 3.2, end + 4.5)
    )  # fmt: skip
    turned = f"{tilt} - {level}*{levelled} - {curl}*{curled} + {dump}*{dumped}"
    model.add(gs.Prismatic("drag", "ground", "carriage", axis="x", driven=drag))
    model.add(gs.Prismatic("hoist", "carriage", "lift", axis="z", driven=lift))
    model.add(gs.Revolute("tilt", "lift", "bucket", axis="y", driven=turned))
    mass = DENSITY * 4 / 3 * np.pi * dig.radius**3
    model.add(gs.Grains(
        "gravel", [0.9 * dig.radius, dig.radius, 1.1 * dig.radius], DENSITY, ["ground", "bucket"],
        fill=gs.shapes.Box((long, wide, high), at=(0, 0, 0.5 * high)),
        normal=gs.KelvinVoigt(dig.stiffness, 0.4 * np.sqrt(dig.stiffness * mass)),
        friction=gs.GranularFriction(0.5, 0.15), wall_friction=gs.GranularFriction(0.35, 0.1),
    ))  # fmt: skip
    return model


def _surface(dig: Dig) -> float:
    """Return the height of the settled bed, by the volume of its grains."""
    spacing = 2.04 * 1.1 * dig.radius
    count = int(np.prod(np.floor(np.array(dig.bed) / spacing)))
    volume = count * 4 / 3 * np.pi * np.mean([(f * dig.radius) ** 3 for f in (0.9, 1.0, 1.1)])
    return float(volume / LOOSE / (dig.bed[0] * dig.bed[1]))


def mass_inside(run: gs.Trajectory, dig: Dig) -> np.ndarray:
    """Return the mass of the grains in the bucket over time: between its sides, above its floor, before its back."""
    grains = run.grains("gravel")
    poses = run["bucket"].values, run["bucket.quaternion"].values
    found = []
    for x, r, (a, b, c, d) in zip(grains.position.values, *poses, strict=True):
        rotation = np.array([
            [1 - 2 * (c * c + d * d), 2 * (b * c - a * d), 2 * (b * d + a * c)],
            [2 * (b * c + a * d), 1 - 2 * (b * b + d * d), 2 * (c * d - a * b)],
            [2 * (b * d - a * c), 2 * (c * d + a * b), 1 - 2 * (b * b + c * c)],
        ])  # fmt: skip
        local = (x - r) @ rotation
        inside = (local[:, 0] > -dig.length) & (local[:, 0] < 0) & (np.abs(local[:, 1]) < dig.width / 2)
        inside &= (local[:, 2] > 0) & (local[:, 2] < 1.4 * dig.height)
        found.append(float(grains.mass.values[inside].sum()))
    return np.array(found)


def earthmoving_factor(friction: float, rake: float, interface: float) -> float:
    """Return N_γ of soil without cohesion (McKyes 1985): the failure wedge in front of a blade with the least force.

    Angles in radians: of internal friction, of the blade to the horizontal, and of friction between soil and blade.
    """
    leaning = rake + interface

    def factor(wedge: float) -> float:
        resisted = np.cos(leaning) + np.sin(leaning) / np.tan(wedge + friction)
        return float((1 / np.tan(rake) + 1 / np.tan(wedge)) / (2 * resisted))

    # the force grows without bound towards a flat wedge, and towards the steepest one along which soil can slide
    return float(minimize_scalar(factor, bounds=(0.02, np.pi - leaning - friction - 0.02), method="bounded").fun)


def earthmoving_force(cut: Cut, friction: float) -> float:
    """Return the horizontal force on a loaded bucket by Reece's (1964) equation, γ d² N_γ w + q d N_q w (N).

    Soil at rest in the bucket is its blade: a vertical plane above the lip, with two thirds of the angle of internal
    friction (radians) against the soil ahead, on which the heap that the bucket pushes weighs.
    """
    interface = 2 * friction / 3
    factor = earthmoving_factor(friction, np.pi / 2, interface)
    weight = cut.density * GRAVITY * cut.depth * (cut.depth + 2 * cut.heap)  # N_q = 2 N_γ
    return float(weight * factor * cut.width * np.cos(interface))


@dataclass(frozen=True)
class Cut:
    """What a bucket cuts at depth: depth, width, mean height of the heap ahead (m), density of the bed (kg/m³)."""

    depth: float
    width: float
    heap: float
    density: float


def measured_cut(run: gs.Trajectory, dig: Dig, late: np.ndarray) -> Cut:
    """Return the cut at the times `late`, by the places of the grains."""
    grains = run.grains("gravel")
    settled = grains.position.values[np.searchsorted(run.time, dig.settled)]
    surface = float(np.percentile(settled[:, 2], 95)) + dig.radius
    depths, heaps = [], []
    for x, lip in zip(grains.position.values[late], run["bucket"].values[late], strict=True):
        ahead = (x[:, 0] > lip[0]) & (x[:, 0] < lip[0] + dig.height) & (np.abs(x[:, 1]) < dig.width / 2)
        depths.append(surface - lip[2])
        heaps.append(float(np.percentile(x[ahead, 2], 95)) + dig.radius - surface)
    density = float(grains.mass.values.sum()) / (dig.bed[0] * dig.bed[1] * surface)
    return Cut(float(np.mean(depths)), dig.width, max(float(np.mean(heaps)), 0.0), density)


def summary(run: gs.Trajectory, dig: Dig) -> dict[str, float]:
    """Return the load after hoisting and after dumping by the struck volume, and the drag by the area of the cut."""
    begin, end = dig.dragged
    inside = mass_inside(run, dig) / BULK / dig.volume
    late = (run.time > begin + 0.55 * (end - begin)) & (run.time < begin + 0.8 * (end - begin))
    drag = -float(run["gravel.bucket.force"].values[late, 0].mean())
    cut = measured_cut(run, dig, late)
    low, high = (earthmoving_force(cut, np.radians(angle)) for angle in FRICTION_ANGLES)
    return {
        "filled": float(inside[np.searchsorted(run.time, end + 3.0)]),
        "dumped": float(inside[-1]),
        "depth of the cut (m)": cut.depth,
        "heap ahead (m)": cut.heap,
        "density of the bed (kg/m³)": cut.density,
        "drag force (kN)": drag / 1e3,
        "least by Reece (kN)": low / 1e3,
        "most by Reece (kN)": high / 1e3,
        "specific resistance (kPa)": drag / (cut.width * cut.depth) / 1e3,
    }


def main(folder: str | None = None) -> None:
    """Dig, print what came out, and write pictures."""
    dig = Dig()
    run = gs.simulate(dig_model(dig), dig.duration, step=0.05)
    print(run.status, len(run.motion.grains["gravel"].radii), "grains")
    for name, value in summary(run, dig).items():
        print(f"{name:28}{value:8.2f}")
    if folder is not None:
        out = Path(folder)
        out.mkdir(parents=True, exist_ok=True)
        run.animate(out / "bucket_in_gravel.html", plots=["gravel.bucket.force"])
        run.plot("gravel.bucket.force", path=out / "drag_force.svg")


if __name__ == "__main__":
    main(*sys.argv[1:2])
