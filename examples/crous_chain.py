"""A chain that falls onto a pulley on a pendulum: the experiment of Crous 2000, chapter 4.

The thesis gives masses, inertias, the effective radius of the pulley (0.21 m), 1.475 m of chain, and contact elements
of 5000 N/m and 500 N·s/m; its layout is in figures alone. Chosen here: the pendulum hangs from the origin and carries
the pulley at its end; the chain is fixed to the left above the top of the pulley, lies on it, and its other end is held
to the right, higher still. All hangs in equilibrium, then the end is released: the chain falls onto the pulley, stays
on it, and swings the pendulum by up to 48°. 29 equal links have the mass of the whole chain; the thesis has 29 bodies
and a half. Of the printed inertias of links the power of ten is wrong (10⁻², not 10⁻⁵), and Jyy = 6.6277 exceeds the
sum of the others; it does not enter a planar motion. Friction on the pulley and the damping of the sensor are not
given: 0.3 and 0.05 N·m·s are chosen.

    python examples/crous_chain.py        runs of 14 s, as in the thesis and by variable steps, and a picture
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

import gyrostat as gs

LINKS = 29
LENGTH = 1.475
FIXED = (-0.5, -0.1, 0)
HELD = (0.6, 0.1)
"""Where the free end is held before the release (m)."""
MOVES = (1e-9, 1e-6, 1e-3)
"""Distances by which the held end is moved to see how sensitive the motion is (m)."""
INSTANTS = (0.0, 0.2, 0.3, 0.4, 0.6, 1.0)
"""Times of the picture (s)."""


def build(fade_depth: float | None = None, bending_damping: float = 1e-5) -> gs.Model:
    """Return the model; with a depth over which the dampers of contacts fade in, their forces are continuous.

    `bending_damping` stands for the friction between links. The parameter `grip` is the stiffness of the hold on the
    free end, zero after the release, `held_x` and `held_y` its place, and `drag` the damping of the pendulum's bearing
    and of the sensor.
    """
    given = {"grip": 0.0, "held_x": HELD[0], "held_y": HELD[1], "drag": 0.05}
    model = gs.Model("chain on a pulley", gravity=(0, -9.81, 0), parameters=given)
    pendulum = {
        "mass": 1.48,
        "inertia": (0, 3.183e-2, 3.183e-2),
        "com": (0, -0.23, 0),
        "points": {"end": (0, -0.46, 0)},
    }
    model.add(gs.Body("pendulum", **pendulum, shape=gs.shapes.Line([(0, 0, 0), (0, -0.46, 0)], 0.01)))
    model.add(gs.Body("pulley", mass=4.24, inertia=(4.15e-2, 4.15e-2, 8.3e-2), shape=gs.shapes.Ring(0.2, 0.01)))
    model.add(gs.Revolute("swing", "ground", "pendulum"))
    model.add(gs.Revolute("axle", "pendulum.end", "pulley"))
    model.add(gs.TorsionSpring("bearing", "swing", damping="drag"))
    model.add(
        gs.Rope(
            "chain",
            [("ground", FIXED), gs.Pulley("rim", "pulley", 0.21, "right"), None],
            segments=LINKS,
            length=LENGTH,
            density=2.695,
            realisation="links",
            contact="centres",
            inertia=(1.2638e-5, 3.6277e-5, 3.0602e-5),
            bending_damping=bending_damping,
            normal=gs.KelvinVoigt(5000, 500, fade_depth),
            friction=gs.LimitedViscous(0.3, 20),
        )
    )
    model.add(gs.Bushing("hold", ("ground", ("held_x", "held_y", 0)), f"chain.s{LINKS}.end", ("grip", "grip", 0)))
    return model


def held(moves: tuple[float, ...] = ()) -> list[dict[str, float]]:
    """Return the equilibrium in which the free end is held, and those with the hold moved to the right.

    The chain settles with damped joints before.
    """
    calm, grip = gs.formulate(build(fade_depth=1e-3, bending_damping=3e-3)), {"grip": 2000.0}
    start = gs.lay_rope(calm, "chain", depth=2e-3)
    settling = gs.simulate(calm, times=[0, 2], initial=start, parameters=grip, integrator=gs.Rodas4(1e-3, 1e-5))
    guess, found = _named(calm, settling.q[-1]), []
    for move in (0.0, *moves):
        point = gs.equilibrium(calm, guess=guess, parameters=grip | {"held_x": HELD[0] + move})
        found.append(_named(calm, point.q))
        guess = found[0]
    return found


def _named(system: gs.System, q: NDArray[np.float64]) -> dict[str, float]:
    return dict(zip(system.coordinate_names, q.tolist(), strict=True))


def released(
    start: Mapping[str, float], duration: float = 14.0, *, literal: bool, rtol: float = 1e-5, step: float = 0.01
) -> gs.Trajectory:
    """Return the motion after the release: as in the thesis, by fixed steps of 1 ms, or by variable steps."""
    system = gs.formulate(build() if literal else build(fade_depth=1e-3))
    integrator = gs.RK4(1e-3) if literal else gs.DOP853(rtol, rtol / 100)
    with warnings.catch_warnings():  # dampers that are overdamped in the thesis limit fixed steps: the status says so
        warnings.simplefilter("ignore", gs.GyrostatWarning)
        return gs.simulate(system, duration, step=step, initial=start, integrator=integrator)


def apart(one: gs.Trajectory, other: gs.Trajectory) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return by how much the swing (°) and the end of the chain (m) of two motions differ at each time."""
    swing = np.degrees(np.abs(one["swing"].values - other["swing"].values))
    end = f"chain.s{LINKS}"
    return swing, np.linalg.norm(one[end].values - other[end].values, axis=1)


def exponent(distance: NDArray[np.float64], time: NDArray[np.float64], first: float, last: float) -> float:
    """Return the mean rate of growth of a distance between two times: a finite-time Lyapunov exponent (1/s)."""
    i, j = np.searchsorted(time, (first - 1e-9, last - 1e-9))
    return float(np.log(distance[j] / distance[i]) / (last - first))


def main() -> None:
    """Run the experiment by both methods, each also with the free end held a little further to the right."""
    starts, times = held(MOVES), (0.5, 1, 1.5, 2, 2.5, 3, 4, 7, 10, 14)
    for literal in (True, False):
        first, *others = (released(start, literal=literal, rtol=1e-11) for start in starts)
        print(
            f"{'RK4, 1 ms' if literal else 'DOP853'}: {first.status.steps} steps. By time (s): swing (°); differences"
        )
        print(f"of swing (°) and of the end of the chain (m) where it was held {MOVES} m to the right")
        gaps = [apart(first, other) for other in others]
        for t in times:
            i = round(100 * t)
            differences = ", ".join(f"{swing[i]:.0e} {end[i]:.0e}" for swing, end in gaps)
            print(f"{t:4} {np.degrees(first['swing'].values[i]):7.2f}; {differences}")
        rates = ", ".join(f"{exponent(distance, first.time, 0.5, 3):.1f}" for distance in gaps[0])
        print(f"exponents of growth between 0.5 and 3 s, swing and end: {rates} 1/s")
    print(first.picture(INSTANTS, "crous_chain.png"))


if __name__ == "__main__":
    main()
