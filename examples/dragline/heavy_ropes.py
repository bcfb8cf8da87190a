"""Hoist, drag and dump ropes with mass all along, over drums, sheaves and dump block with friction (fidelity c)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import gyrostat as gs

SHEAVES = {
    "point": ("boom.truss.sheave", "point_radius", 3000.0),
    "fairlead": ("house.frame.fairlead", "fairlead_radius", 2000.0),
    "dump": ("rigging.block.sheave", "rigging.dump_radius", 300.0),
}
"""Sheaves that turn: their places, radii and masses (kg, plausible)."""
FRICTION = 0.15
"""Coefficient of friction between ropes and sheaves (steel on greased steel, plausible)."""
CREEP = 0.05
"""Speed over which friction changes its sign (m/s)."""
SINKING = 2e-3
"""Depth to which a rope is pressed into a sheave (m)."""
SPAN = 5.0
"""Length of segments in free spans (m)."""
TURNS = {"hoist": 2, "drag": 2}
"""Whole turns on the drums when the longest rope is out."""
ROOM = 2.0
"""Fine segments beyond those that meet a sheave (m)."""

RUNNING = 8.0, 19.0
"""Part of the dump rope that may run over the block, from the equaliser (m)."""
DUMP_FINE = 4
"""Segments of that part per radius of the block; with 2 the carry angle is 1.2° off that of fidelity a, with 4 0.8°."""
DUMP_SPAN = 1.5
"""Length of segments of the dump rope beside that part (m)."""
BENDING = 300.0
"""Damping of joints between rigid segments of the dump rope (N·m²·s; inner friction of a rope of 90 mm, plausible)."""


@dataclass(frozen=True)
class Pressing:
    """A rope pressed on a sheave: length of a segment and radius of the sheave (m), and tension (N)."""

    segment: float
    radius: float
    tension: float

    @property
    def load(self) -> float:
        """The force between a corner of the rope and the sheave (N)."""
        return self.tension * self.segment / self.radius


@dataclass(frozen=True)
class Travel:
    """Rope beyond a sheave (m): at the start, and least and most of it during a run."""

    start: float
    least: float
    most: float


def with_heavy_ropes(model: gs.Model, travels: Mapping[str, Travel], *, links: bool = False) -> gs.Model:
    """Return the machine with its wrapped ropes replaced by ropes of nodes that drums wind.

    With `links` the dump rope consists of rigid segments in universal joints, as Crous (2000, chapter 5) asks.
    """
    values = model.freeze().values()
    for name, (place, radius, mass) in SHEAVES.items():
        disc = gs.cylinder(mass, radius, 0.4)
        model.add(gs.Body(f"{name}_sheave", disc))
        model.add(gs.Revolute(f"{name}_turn", place, f"{name}_sheave"))
    for name, end in (("hoist", "rigging.block"), ("drag", "rigging.equaliser")):
        model.remove(f"{name}_feed", name)
        model.add(_winched(name, end, travels[name], values))
    model.add(_dump(values, links=links))
    return model


def _winched(name: str, end: str, travel: Travel, v: Mapping[str, float]) -> gs.Rope:
    """Return a rope from its drum over its sheave to a body."""
    sheave, tension = ("point", 1.9e6) if name == "hoist" else ("fairlead", 1.0e6)
    drum, wheel = v[f"{name}_winch.radius"], v[f"{sheave}_radius"]
    reach = v[f"{name}_reach"]
    arc = v["boom.angle"] + math.pi / 2 if name == "hoist" else math.pi / 6
    heading = _heading(name, v)
    # from the anchor at the lowest point of the drum, clockwise, to where the rope leaves it
    turns = TURNS[name] + math.ceil((travel.most - travel.start) / (2 * math.pi * drum))
    # it is pressed into the drum and stretched by its tension
    wound = (drum - SINKING) * (2 * math.pi * turns + math.pi - heading) / (1 + tension / v["rope_EA"])
    length = wound + reach + wheel * arc + travel.start
    fine = min(drum, wheel) / 2
    begin = wound + reach - (travel.most - travel.start) - ROOM
    stop = wound + reach + wheel * arc + (travel.start - travel.least) + ROOM
    taken = wound + (travel.start - travel.least) + ROOM
    pieces = [(taken, fine), (begin - taken, SPAN), (stop - begin, fine)] if taken < begin else [(stop, fine)]
    pulleys = [
        gs.Pulley("drum", f"{name}_winch.drum.barrel", f"{name}_winch.radius", "right", mu=FRICTION, turns=turns),
        gs.Pulley("sheave", f"{sheave}_sheave", f"{sheave}_radius", "right", mu=FRICTION),
    ]
    return _rope(
        name, [f"{name}_winch.drum.anchor", *pulleys, end], length, [*pieces, (length - stop, SPAN)],
        Pressing(fine, wheel, tension), {"EA": "rope_EA", "damping": f"{name}_damping", "density": "rope_density"},
    )  # fmt: skip


def _heading(name: str, v: Mapping[str, float]) -> float:
    """Return the angle of the span from a drum to its sheave over the horizontal (rad)."""
    if name == "drag":
        return math.atan2(
            v["house.fairlead_z"] - v["house.drag_drum_z"], v["house.fairlead_x"] - v["house.drag_drum_x"]
        )
    rise = v["house.foot_z"] + v["boom.length"] * math.sin(v["boom.angle"]) - v["house.hoist_drum_z"]
    return math.atan2(rise, v["house.foot_x"] + v["boom.length"] * math.cos(v["boom.angle"]) - v["house.hoist_drum_x"])


def _dump(v: Mapping[str, float], *, links: bool) -> gs.Rope:
    """Return the dump rope from the equaliser over the dump block to the arch."""
    radius, length = v["rigging.dump_radius"], v["rigging.dump"]
    sheave = gs.Pulley("sheave", "dump_sheave", "rigging.dump_radius", "right", mu=FRICTION)
    path = ["rigging.equaliser", sheave, "rigging.bucket.shell.arch"]
    first, last = RUNNING
    pieces = [(first, DUMP_SPAN), (last - first, radius / DUMP_FINE), (length - last, DUMP_SPAN)]
    given = {"density": "rigging.dump_density"}
    if links:
        given |= {"realisation": "links", "joints": "universal", "radius": 0.045, "bending_damping": BENDING}
    else:
        given |= {"EA": "rigging.dump_EA", "damping": "rigging.dump_damping"}
    return _rope("dump_rope", path, length, pieces, Pressing(radius / DUMP_FINE, radius, 4.5e5), given)


def _rope(
    name: str,
    path: list[object],
    length: float,
    pieces: list[tuple[float, float]],
    pressing: Pressing,
    given: Mapping[str, object],
) -> gs.Rope:
    """Return a rope; `pieces` are lengths with the longest segments in them (m)."""
    runs = [(piece / math.ceil(piece / most), math.ceil(piece / most)) for piece, most in pieces]
    load = pressing.load
    return gs.Rope(
        name,
        path,
        segments=sum(count for _, count in runs),
        grading=runs,
        length=length,
        normal=gs.HuntCrossley(load / SINKING**1.5, chi=1.0),
        creep_speed=CREEP,
        side_stiffness=0.2 * load / SINKING,
        side_damping=0.002 * load / SINKING,
        side_load=load,
        **given,
    )
