"""The spatial slider-crank with a flexible rod after Jonker (1989), of first, second and exact order.

The crank of 0.15 m turns at 150 rad/s about an axis 0.1 m beside the track of the slider; the rod is a steel wire of
6 mm diameter and 0.3 m length. Without the shortening by bending (order 1) the rod is not stiffened by its own inertia
loads, and its deflections are three times too large.

    python examples/flexible_slider_crank.py slider_crank.svg
"""

from __future__ import annotations

import sys
from math import asin, pi
from typing import Any

import numpy as np

import gyrostat as gs

CRANK, ROD, OFFSET, RADIUS = 0.15, 0.3, 0.1, 0.003
SPEED = 150.0
DENSITY = 7870.0
MODULUS = 2e11
REVOLUTIONS = 2


def slider_crank(*, order: Any = 2, terms: int = 3, rotary_inertia: bool = True) -> gs.Model:
    """Return the mechanism; the joint between crank and rod keeps the rod from turning about its axis."""
    mass = DENSITY * pi * RADIUS**2 * ROD
    model = gs.Model("flexible slider-crank")
    model.add(gs.Body("crank", mass=0.1, inertia=(1e-4, 1e-3, 1e-3), points={"pin": (CRANK, 0, OFFSET)}))
    model.add(gs.Body("yoke", mass=0))
    section = gs.sections.Circle(RADIUS)
    shape = {"terms": {"v": terms, "w": terms}, "order": order, "stations": {"mid": ROD / 2}}
    shape["rotary_inertia"] = rotary_inertia
    model.add(gs.Beam("rod", length=ROD, section=section, E=MODULUS, density=DENSITY, **shape))
    model.add(gs.Body("slider", gs.point_mass(mass / 2)))
    model.add(gs.Revolute("drive", "ground", "crank", driven=f"{SPEED}*t"))
    model.add(gs.Revolute("turn", "crank.pin", "yoke", initial={"angle": 0}))
    model.add(gs.Revolute("swing", "yoke", "rod", axis="y", initial={"angle": asin(OFFSET / ROD)}))
    model.add(gs.Prismatic("guide", "ground", "slider", axis="x"))
    model.add(gs.Spherical("eye", "slider", "rod.tip"))
    return model


def mid_deflections(model: gs.Model) -> tuple[Any, Any]:
    """Return crank angles, and the deflections of the middle of the rod from the line between its ends.

    They are along y and z of the rod's root: in the plane of the crank, and across it.
    """
    duration = REVOLUTIONS * 2 * pi / SPEED
    integrator = gs.DOP853(rtol=1e-7, atol=1e-10)
    run = gs.simulate(model, duration=duration, step=duration / 400, integrator=integrator)
    tip, mid = (np.array(run[f"rod.{station}.seen_from.rod"]) for station in ("tip", "mid"))
    along = np.sum(tip * mid, axis=1) / np.sum(tip * tip, axis=1)
    return np.array(run["drive"]), (mid - along[:, None] * tip)[:, 1:]


def main() -> None:
    """Draw the deflections over the angle of the crank."""
    import matplotlib.pyplot as plt

    _, axes = plt.subplots(2, 1, figsize=(7, 6), sharex=True, layout="constrained")
    for order, terms, style in ((1, 3, ":"), (2, 3, "-"), ("exact", 3, "--")):
        angle, found = mid_deflections(slider_crank(order=order, terms=terms))
        for ax, column in zip(axes, found.T, strict=True):
            ax.plot(np.degrees(angle), 1e3 * column, style, label=f"order {order}")
    axes[0].set_ylabel("along y of the rod (mm)")
    axes[1].set_ylabel("along z of the rod (mm)")
    axes[1].set_xlabel("angle of the crank (°)")
    axes[0].legend()
    for ax in axes:
        ax.grid(visible=True, alpha=0.3)
    plt.savefig(sys.argv[1] if len(sys.argv) > 1 else "slider_crank.svg")


if __name__ == "__main__":
    main()
