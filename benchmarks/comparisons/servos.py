"""A servo-driven arm at equal achieved error: seven joints, each with a DC motor and a controller."""

from __future__ import annotations

import numpy as np
from peers.gyrostat_motion import dop853, own_solvers, rk4, rodas5p
from peers.servo_packages import sampled_servo_solvers, servo_rates, servo_solvers
from peers.tree import Tree, read_tree
from servo_models import SAMPLE_PERIOD, Servos, sampled_arm, servo_arm

import gyrostat as gs
from comparisons.agreement import demand_agreement
from comparisons.matching import MotionRow, compare_motions

DURATION = 10.0
SAMPLED_DURATION = 2.0
ERRORS = (1e-4, 1e-6)
TARGETS = {"MuJoCo": 0.2, "Exudyn": 0.2}


def compare_servos(*, rounds: int) -> list[MotionRow]:
    """Return the motions under continuous control, then under sampled control, which has no targets."""
    servos = Servos()
    model = servo_arm(servos)
    system, tree = gs.formulate(model), read_tree(model)
    _check_equations(system, tree, servos)
    exact = _end(system, DURATION, rodas5p(1e-11))
    rows: list[MotionRow] = []
    for error in ERRORS:
        own = own_solvers(system, DURATION, rodas5p, first=error)
        peers = servo_solvers(tree, servos, DURATION, error=error)
        rows += compare_motions(_name(system, DURATION), own, peers, TARGETS, exact, error=error, rounds=rounds)
    return rows + _compare_sampled(servos, tree, rounds)


def _compare_sampled(servos: Servos, tree: Tree, rounds: int) -> list[MotionRow]:
    system, duration = gs.formulate(sampled_arm(servos)), SAMPLED_DURATION
    exact = _end(system, duration, dop853(1e-12))
    peers = sampled_servo_solvers(tree, servos, duration)
    rows: list[MotionRow] = []
    for error in ERRORS:
        own = [
            *own_solvers(system, duration, rk4, first=SAMPLE_PERIOD),
            *own_solvers(system, duration, dop853, first=error),
        ]
        rows += compare_motions(_name(system, duration), own, peers, {}, exact, error=error, rounds=rounds)
    return rows


def _name(system: gs.System, duration: float) -> str:
    return f"{system.model.name}, {duration:g} s"


def _end(system: gs.System, duration: float, integrator: gs.Integrator) -> np.ndarray:
    return gs.simulate(system, duration, step=duration, integrator=integrator).q[-1]


def _check_equations(system: gs.System, tree: Tree, servos: Servos) -> None:
    """Compare accelerations and rates of currents of all packages at random states and times."""
    draw = np.random.default_rng(5)
    rates = system.program("rates")
    joints = len(tree.links)
    for _ in range(3):
        t, q, u = draw.uniform(0, 3), *draw.uniform(-0.7, 0.7, (2, joints))
        integral, current = draw.uniform(-0.1, 0.1, joints), draw.uniform(-5, 5, joints)
        named = {f"servo{i}.integral": integral[i] for i in range(joints)}
        named |= {f"drive{i}.current": current[i] for i in range(joints)}
        z = np.array([named[name] for name in system.state_names])
        row = np.zeros(rates.input_size)
        for name, values in (("t", t), ("q", q), ("u", u), ("z", z), ("parameters", system.parameter_values())):
            row[rates.input_slice(name)] = values
        found = rates.loop(row[None, :])[0]
        currents = [2 * joints + system.state_names.index(f"drive{i}.current") for i in range(joints)]
        own = {"accelerations": found[None, joints : 2 * joints], "current rates": found[None, currents]}
        for package, (udot, idot) in servo_rates(tree, servos, t, (q, u, integral, current)):
            other = {"accelerations": udot[None, :], "current rates": idot[None, :]}
            demand_agreement(package, system.model.name, other, own)
