"""A chain that is dropped onto a pulley on a pendulum: the experiment of Crous 2000, chapter 4.

The thesis gives masses, inertias, the effective radius of the pulley (0.21 m), 1.475 m of chain, and contact elements
of 5000 N/m and 500 N·s/m; its layout is in figures alone. Chosen here: the pendulum hangs from the origin and carries
the pulley at its end; the chain is fixed below the left side of the pulley, runs over it, and its other end is held to
the right. All hangs in equilibrium, then the end is released. 29 equal links have the mass of the whole chain; the
thesis has 29 bodies and a half. Of the printed inertias of links the power of ten is wrong (10⁻², not 10⁻⁵), and
Jyy = 6.6277 exceeds the sum of the others; it does not enter a planar motion. Friction on the pulley is not given: 0.3
is chosen.

    python examples/crous_chain.py        runs of 14 s, as in the thesis and by variable steps, and a picture
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping

import numpy as np

import gyrostat as gs

LINKS = 29
LENGTH = 1.475
HELD = (0.62, -0.36, 0)
"""Where the free end is held."""
FIXED = (-0.21, -0.76, 0)
INSTANTS = (0.0, 0.1, 0.2, 0.3)
"""Times of the picture (s)."""


def build(fade_depth: float | None = None, bending_damping: float = 1e-5) -> gs.Model:
    """Return the model; with a depth over which the dampers of contacts fade in, their forces are continuous.

    `bending_damping` stands for the friction between links; without it fixed steps of 1 ms fail after some seconds.
    The parameter `grip` is the stiffness of the hold on the free end, zero after the release, and `drag` the damping of
    the pendulum's bearing and of the sensor.
    """
    model = gs.Model("chain on a pulley", gravity=(0, -9.81, 0), parameters={"grip": 0.0, "drag": 0.05})
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
    model.add(gs.Bushing("hold", ("ground", HELD), f"chain.s{LINKS}.end", ("grip", "grip", 0)))
    return model


def held() -> dict[str, float]:
    """Return the equilibrium in which the free end is held: the chain settles with damped joints before."""
    calm, grip = gs.formulate(build(fade_depth=1e-3, bending_damping=3e-3)), {"grip": 2000.0}
    start = gs.lay_rope(calm, "chain", depth=2e-3)
    settling = gs.simulate(calm, times=[0, 2], initial=start, parameters=grip, integrator=gs.Rodas4(1e-3, 1e-5))
    guess = dict(zip(calm.coordinate_names, settling.q[-1].tolist(), strict=True))
    point = gs.equilibrium(calm, guess=guess, parameters=grip)
    return dict(zip(calm.coordinate_names, point.q.tolist(), strict=True))


def released(start: Mapping[str, float], duration: float = 14.0, *, literal: bool) -> gs.Trajectory:
    """Return the motion after the release: as in the thesis, by fixed steps of 1 ms, or by variable steps."""
    system = gs.formulate(build() if literal else build(fade_depth=1e-3))
    integrator = gs.RK4(1e-3) if literal else gs.DOP853(1e-5, 1e-7)
    with warnings.catch_warnings():  # dampers that are overdamped in the thesis limit fixed steps: the status says so
        warnings.simplefilter("ignore", gs.GyrostatWarning)
        return gs.simulate(system, duration, step=0.01, initial=start, integrator=integrator)


def main() -> None:
    """Run the experiment, also from a slightly different start."""
    start = held()
    moved = {**start, f"chain.j{LINKS - 1}": start[f"chain.j{LINKS - 1}"] + 0.01}
    runs = {
        "RK4, 1 ms": released(start, literal=True),
        "DOP853": released(start, literal=False),
        "DOP853, last link turned by 0.01 rad": released(moved, literal=False),
    }
    for name, run in runs.items():
        angle = np.degrees(run["swing"].values)
        shown = ", ".join(f"{angle[round(100 * t)]:.2f}°" for t in (0.5, 1, 2, 5, 10, 14))
        print(f"{name}: {run.status.steps} steps, swing at 0.5, 1, 2, 5, 10, 14 s {shown}")
    print(runs["DOP853"].picture(INSTANTS, "crous_chain.png"))


if __name__ == "__main__":
    main()
