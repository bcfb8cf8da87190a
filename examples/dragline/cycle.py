"""The digging cycle of the dragline: spot, fill, disengage and hoist, swing by 90° while paying out, dump, return.

`python -m examples.dragline.report` runs and draws it.
"""

from __future__ import annotations

from collections.abc import Mapping

import gyrostat as gs

from .machine import machine

DURATION = 80.0
"""Time of a cycle (s)."""
SPOT = {"hoist_winch.out": 67.5, "drag_winch.out": 48.5}
"""Rope beyond the sheaves where the empty bucket hangs over the spot at which it will dig (m)."""
LOAD = "rigging.bucket.payload.mass"
EMPTY, FULL = 2e3, 110e3
"""Load that sticks to an empty bucket, and that of a full one (kg)."""
FILLED = (6.0, 16.5)
"""Times between which the bucket fills (s)."""
QUARTER = 1.5707963267948966
"""The angle of swing (rad)."""
PORTIONS = 12
"""Portions in which a rigid load enters the bucket."""


def ramp(start: float, end: float, change: float) -> str:
    """Return a formula of t that grows by a change from one time to another, with continuous accelerations."""
    s = f"min(max((t - {start})/{end - start}, 0), 1)"
    return f"({change})*({s})**3*(10 - 15*({s}) + 6*({s})**2)"


def course(first: float, *ramps: tuple[float, float, float]) -> str:
    """Return a formula of t that begins at a value and changes by ramps."""
    return " + ".join([str(first), *(ramp(*one) for one in ramps)])


def commands(swing: float = 26.0) -> dict[str, str]:
    """Return the laws of the three commands; `swing` is the time of the swing by 90° (s).

    The load is hoisted at some 0.6 m/s, with the drag rope held, until it hangs free: paid out before, or hoisted
    faster, the drag rope falls slack and snaps tight. On the way back the drag rope is taken in before the hoist rope
    is let out: on slack drag ropes the empty bucket would turn over.
    """
    return {
        "hoist_winch.command": course(
            SPOT["hoist_winch.out"],
            *((0, 7, 8.5), (6, 15, 6.5), (14.5, 17.5, -3.2)),
            *((16, 23, -1.7), (19.5, 26.5, -1.7), (23, 30, -1.7), (26.5, 33, -2)),
            *((29.5, 49.5, -27), (56, 79, 22.3)),
        ),
        "drag_winch.command": course(
            SPOT["drag_winch.out"], (5, 16.5, -16), (30.5, 49, 29.5), (49, 53, 16), (53, 70, -29.5)
        ),
        "house.command": course(0, (27, 27 + swing, QUARTER), (54, 54 + swing, -QUARTER)),
    }


def events() -> list[gs.Event]:
    """Return the events of a rigid load: it enters the bucket in portions while this digs, and leaves it at once."""
    first, last = FILLED
    found = []
    for i in range(PORTIONS):
        time = first + (last - first) * i / (PORTIONS - 1)
        mass = EMPTY + (FULL - EMPTY) * (i + 1) / PORTIONS
        found.append(gs.Event(f"portion {i + 1}", when=f"t - {time}", action=gs.SetParameter(LOAD, mass)))
    found.append(
        gs.Event(
            "dump",
            when=f"where({LOAD} > {2 * EMPTY}, rigging.bucket.carry + 20*deg, 1)",  # an empty bucket dumps no more
            direction="falling",
            action=gs.SetParameter(LOAD, EMPTY),
        )
    )
    return found


def first_state(system: gs.System) -> Mapping[str, float]:
    """Return the equilibrium of the empty bucket over the spot; motors hold it."""
    values = {**SPOT, LOAD: EMPTY}
    if not system.state_names:
        return gs.equilibrium(system, parameters=values).state
    point = gs.equilibrium(gs.formulate(machine()), parameters=values)
    return {**point.state, **held_by_motors(system, point, values)}


def held_by_motors(system: gs.System, point: gs.OperatingPoint, values: Mapping[str, float]) -> dict[str, float]:
    """Return the states of motors and controllers that hold the drums at an equilibrium of the machine without them."""
    own, found = system.model.values(values), {}
    for winch, rope in (("hoist_winch", "hoist"), ("drag_winch", "drag")):
        resistance, constant, gear, radius = (
            own[f"{winch}.{name}"] for name in ("resistance", "constant", "gear", "radius")
        )
        current = -float(point[f"{rope}.tension"]) * radius / (constant * gear)
        found[f"{winch}.motor.current"] = current
        found[f"{winch}.controller.integral"] = current * resistance / (6 * constant * gear)
    return found


def run(
    system: gs.System,
    integrator: gs.Integrator | None = None,
    *,
    swing: float = 26.0,
    duration: float = DURATION,
    step: float = 0.05,
    initial: Mapping[str, float] | None = None,
) -> gs.Trajectory:
    """Return one cycle, or the beginning of it, from the hanging empty bucket on, or from another state."""
    return gs.simulate(
        system,
        duration=duration,
        step=step,
        initial=initial or first_state(system),
        inputs=commands(swing),
        parameters={**SPOT, LOAD: EMPTY},
        events=events(),
        integrator=integrator or gs.DOP853(1e-6, 1e-6),
    )
