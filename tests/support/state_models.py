"""Models with state variables: motors, controllers and bristles, by formulas of `State`, shared by many tests."""

from __future__ import annotations

from functools import cache

import gyrostat as gs

MOTOR = {"R": 1.2, "L": 0.002, "Ke": 0.05, "Kt": 0.05, "J": 1e-4, "b": 2e-5, "U": 12.0}
SERVO = {"m": 0.5, "l": 0.4, "g": 9.81, "R": 1.2, "L": 0.002, "K": 0.05, "N": 20.0, "b": 0.01}
LUGRE = {"m": 1.0, "k": 2.0, "v0": 0.1, "s0": 1e5, "s1": 316.2, "s2": 0.4, "Fc": 1.0, "Fs": 1.5, "vs": 1e-3}


@cache
def dc_motor() -> gs.System:
    """Return a rotor that a motor turns; the current is a state."""
    model = gs.Model("dc motor", parameters=MOTOR)
    model.add(gs.Body("rotor", mass=1, inertia=("J", "J", "J")))
    model.add(gs.Revolute("shaft", "ground", "rotor"))
    model.add(gs.State("current", "(U - R*current - Ke*shaft.rate)/L", unit="A", description="current of the motor"))
    model.add(gs.TorsionSpring("torque", "shaft", damping="b", torque="Kt*current"))
    return gs.formulate(model)


@cache
def servo() -> gs.System:
    """Return a hanging rod that a motor with PI control turns to 0.6 rad: integral and current are states."""
    model = gs.Model("servo", gravity=(0, "-g", 0), parameters=SERVO)
    model.add(gs.Body("rod", gs.rod("m", "l", along="y"), points={"top": (0, "l/2", 0)}))
    model.add(gs.Revolute("a", "ground", "rod.top"))
    model.add(gs.State("integral", "0.6 - a"))
    model.add(gs.State("current", "(8*(0.6 - a) + 20*integral - R*current - K*N*a.rate)/L", unit="A"))
    model.add(gs.TorsionSpring("drive", "a", damping="b", torque="N*K*current"))
    return gs.formulate(model)


@cache
def stick_slip() -> gs.System:
    """Return a block with LuGre friction that a spring pulls at constant speed; the bristle's deflection is a state."""
    model = gs.Model("stick-slip", parameters=LUGRE)
    model.add(gs.Body("block", gs.point_mass("m")))
    model.add(gs.Prismatic("x", "ground", "block", axis="x"))
    bristle = "(x.rate - s0*abs(x.rate)/(Fc + (Fs - Fc)*exp(-(x.rate/vs)**2))*z)"
    model.add(gs.State("z", bristle, unit="m"))
    model.add(gs.TorsionSpring("pull", "x", torque=f"k*(v0*t - angle) - s0*z - s1*{bristle} - s2*rate"))
    return gs.formulate(model)


@cache
def driven_four_bar(*, algebraic: bool) -> gs.System:
    """Return a four-bar whose crank a motor turns against gravity and a spring.

    With `algebraic`, the voltage behind a nonlinear resistance is an algebraic state.
    """
    model = gs.Model("four-bar with motor", gravity=(0, -9.81, 0), parameters={"R": 1.2, "L": 0.01, "K": 0.3, "U": 2.0})
    model.add(gs.Body("ground", points={"pivot": (1.0, 0, 0)}))
    for name, length in (("crank", 0.3), ("coupler", 0.9), ("rocker", 0.6)):
        points = {"p": (-length / 2, 0, 0), "d": (length / 2, 0, 0)}
        model.add(gs.Body(name, gs.rod(1.0, length, along="x"), points=points))
    model.add(gs.Revolute("c", "ground", "crank.p", initial={"angle": 0.5}))
    model.add(gs.Revolute("k", "crank.d", "coupler.p"))
    model.add(gs.Revolute("r", "ground.pivot", "rocker.p", initial={"angle": 1.5}))
    model.add(gs.Revolute("x", "coupler.d", "rocker.d"))
    voltage = "v" if algebraic else "U"
    model.add(gs.State("i", f"({voltage} - R*i - K*c.rate)/L", unit="A"))
    if algebraic:
        model.add(gs.State("v", equation="v + 0.2*v**3 + 0.1*i - U - 0.05*push", initial="U", unit="V"))
    model.add(gs.Actuator("push", "c"))
    model.add(gs.TorsionSpring("drive", "c", damping=0.05, stiffness=8.0, angle=0.5, torque="K*i"))
    return gs.formulate(model)
