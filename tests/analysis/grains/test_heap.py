"""Heaps: the angle of repose rises with sliding and with rolling friction (Zhou et al. 2001)."""

import itertools

import numpy as np
from grain_models import G

import gyrostat as gs

RADIUS, DISC = 0.005, 0.055


def _angle(mu, rolling):
    """Return the angle (degrees) of a heap that is left on a disc when a block of grains has collapsed."""
    model = gs.Model("heap", gravity=(0, 0, -G))
    disc = gs.shapes.Cylinder(DISC, 0.01, at=(0, 0, -0.005))
    model.add(gs.Body("ground", surfaces={"disc": disc}))
    width, stiffness, mass = 1.4 * DISC, 2000.0, 2500 * 4 / 3 * np.pi * RADIUS**3
    model.add(gs.Grains(
        "sand", [0.95 * RADIUS, RADIUS, 1.05 * RADIUS], 2500, ["ground"], count=400,
        fill=gs.shapes.Box((width, width, 0.2), at=(0, 0, 0.1 + 1e-4)),
        normal=gs.KelvinVoigt(stiffness, 0.36 * np.sqrt(stiffness * mass)), friction=gs.GranularFriction(mu, rolling),
        exchange=100,
    ))  # fmt: skip
    run = gs.simulate(model, 0.7, step=0.35)
    x = run.motion.grains["sand"].state["motion"][:, :3]
    r = np.hypot(x[:, 0], x[:, 1])
    left = (x[:, 2] > 0) & (r < DISC)
    edges = np.linspace(0.1, 0.95, 7) * DISC
    places, tops = [], []
    for low, high in itertools.pairwise(edges):
        ring = np.sort(x[left & (r >= low) & (r < high), 2])
        if len(ring):
            places.append((low + high) / 2)
            tops.append(ring[-max(1, len(ring) // 6) :].mean())
    return float(np.degrees(np.arctan(-np.polyfit(places, tops, 1)[0])))


def test_angle_of_repose_rises_with_friction():
    smooth, rough, resisting, both = (_angle(*given) for given in ((0.1, 0.0), (0.2, 0.1), (0.6, 0.1), (0.6, 0.25)))
    assert smooth < 5  # spheres that roll freely leave a flat disc
    assert smooth < rough < resisting < both
    assert 15 < both < 35
