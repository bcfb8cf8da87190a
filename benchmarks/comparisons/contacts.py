"""Contacts of many pairs: cost of a pair against their number, time to the first step, and 1000 spheres beside MuJoCo.

Spheres in a box fall and settle. Laws of contact differ between packages; the height of the mass centre must agree.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import gyrostat as gs
from gyrostat.analysis.kernels.library import load_pairs
from gyrostat.analysis.simulation.pairs import PairSet

RADIUS, SPACING, STIFFNESS = 0.1, 0.22, 1e6
STEP, DURATION = 2e-4, 0.3
AGREEMENT = 0.02
"""The largest difference of the heights of the mass centre, relative to the height at the start."""


@dataclass(frozen=True)
class PairRow:
    """The kernel of all pairs of spheres on a lattice, in which neighbours touch."""

    spheres: int
    touching: int
    ready: float
    """Seconds from the model to the first step."""
    seconds: float
    """Seconds of one evaluation of all loads."""

    @property
    def per_pair(self) -> float:
        """Seconds for each pair that touches."""
        return self.seconds / max(self.touching, 1)


@dataclass(frozen=True)
class SphereRow:
    """Falling spheres: processor seconds of two packages, and the heights of the mass centre at the end."""

    spheres: int
    seconds: float
    peer: str
    peer_seconds: float
    height: float
    peer_height: float


def places(count: int, spacing: float = SPACING) -> NDArray[np.float64]:
    """Return centres of spheres on a cubic lattice with a small random displacement."""
    side = max(2, round(count ** (1 / 3)))
    n = np.arange(count)
    lattice = np.stack((n % side, n // side % side, n // side**2), axis=1) + 0.5
    moved: NDArray[np.float64] = spacing * lattice + np.random.default_rng(0).uniform(-0.005, 0.005, (count, 3))
    return moved


def spheres(count: int, centres: NDArray[np.float64]) -> gs.Model:
    """Return free spheres in a box without a lid."""
    width = SPACING * max(2, round(count ** (1 / 3)))
    plane, half = gs.shapes.Plane, [("z", np.pi)]
    walls = {
        "bottom": plane(),
        "west": plane(along="x"),
        "east": plane(along="x", at=(width, 0, 0), turn=half),
        "south": plane(along="y"),
        "north": plane(along="y", at=(0, width, 0), turn=half),
    }
    model = gs.Model("spheres in a box", gravity=(0, 0, -9.81))
    model.add(gs.Body("ground", surfaces=walls))
    names = [f"b{i}" for i in range(count)]
    for name, (x, y, z) in zip(names, centres.tolist(), strict=True):
        model.add(gs.Body(name, gs.sphere(1.0, RADIUS)))
        model.add(gs.Free(f"{name}_motion", "ground", name, initial={"x": x, "y": y, "z": z}))
    law = gs.HuntCrossley(STIFFNESS, restitution=0.5, speed=1)
    model.add(gs.Contacts("grains", among=["ground", *names], normal=law, friction=gs.Coulomb(0.3, speed=0.01)))
    return model


def compare_pairs(counts: tuple[int, ...] = (10, 100, 1000)) -> list[PairRow]:
    """Return the cost of the kernel for several numbers of spheres."""
    rows = []
    for count in counts:
        began = time.process_time()
        system = gs.formulate(spheres(count, places(count, 0.195)))
        gs.simulate(system, STEP, step=STEP, integrator=gs.RK4(step=STEP), progress=False)
        ready = time.process_time() - began
        pairs = PairSet.of(system, {})
        assert pairs is not None
        row = system.row.of(0.0, system.initial_state(), [])
        load = load_pairs.bind(pairs.tables(system.row.state_size).tables)
        load(row)
        repeats = max(3, 3000 // count)
        began = time.process_time()
        for _ in range(repeats):
            load(row)
        seconds = (time.process_time() - began) / repeats
        touching = int(row[system.row.inputs.start + system.inputs.index("grains.sum.touching")])
        rows.append(PairRow(count, touching, ready, seconds))
    return rows


def compare_spheres(count: int = 1000) -> SphereRow:
    """Return the cost of falling spheres beside MuJoCo, with the same fixed step."""
    centres = places(count)
    system = gs.formulate(spheres(count, centres))
    method = gs.RK4(step=STEP)
    gs.simulate(system, STEP, step=STEP, integrator=method, progress=False)
    began = time.process_time()
    run = gs.simulate(system, DURATION, step=DURATION, integrator=method, progress=False)
    seconds = time.process_time() - began
    height = float(np.mean([run.state[f"b{i}_motion.z"] for i in range(count)]))
    peer_seconds, peer_height = _in_mujoco(centres)
    if not abs(height - peer_height) < AGREEMENT * centres[:, 2].mean():
        raise AssertionError(f"Mass centres are at {height:.4f} m and {peer_height:.4f} m; the times do not compare.")
    return SphereRow(count, seconds, "MuJoCo", peer_seconds, height, peer_height)


def _in_mujoco(centres: NDArray[np.float64]) -> tuple[float, float]:
    """Return processor seconds and the height of the mass centre at the end."""
    import mujoco

    width = SPACING * max(2, round(len(centres) ** (1 / 3)))
    contact = f'solref="-{STIFFNESS} -100" friction="0.3 0 0"'
    planes = (
        ("0 0 0", "0 0 1"),
        ("0 0 0", "1 0 0"),
        (f"{width} 0 0", "-1 0 0"),
        ("0 0 0", "0 1 0"),
        (f"0 {width} 0", "0 -1 0"),
    )
    walls = "".join(f'<geom type="plane" size="0 0 1" pos="{pos}" zaxis="{z}" {contact}/>' for pos, z in planes)
    ball = f'<freejoint/><geom type="sphere" size="{RADIUS}" mass="1" {contact}/>'
    bodies = "".join(f'<body pos="{x} {y} {z}">{ball}</body>' for x, y, z in centres)
    text = f'<mujoco><option timestep="{STEP}"/><worldbody>{walls}{bodies}</worldbody></mujoco>'
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    began = time.process_time()
    for _ in range(round(DURATION / STEP)):
        mujoco.mj_step(model, data)
    return time.process_time() - began, float(data.qpos.reshape(-1, 7)[:, 2].mean())


if __name__ == "__main__":
    for row in compare_pairs():
        print(f"{row.spheres:6} {row.touching:7} {row.ready:8.2f} s {row.seconds:.2e} s {row.per_pair:.2e} s/pair")
    print(compare_spheres())
