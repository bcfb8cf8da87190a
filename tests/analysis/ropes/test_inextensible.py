"""Inextensible ropes of nodes: catenaries, motions, natural frequencies, and the limit of elastic ropes."""

import numpy as np
import pytest
from cases import case, value

import gyrostat as gs

CATENARY = case("catenary_level")
GIVEN = CATENARY["parameters"]


def hooked(n, EA=None, last=("ground", (2, 0, 0))):
    """Return a chain of the case's length from the origin to an end; the damping time of elastic ones is 1 ms."""
    model = gs.Model("chain", gravity=(0, -GIVEN["g"], 0))
    given = {"segments": n, "length": GIVEN["L"], "density": GIVEN["rho"], "EA": EA, "damping": 1e-3 * (EA or 0)}
    model.add(gs.Rope("rope", ["ground", last], **given))
    return gs.formulate(model)


@pytest.fixture(scope="module")
def fifteen():
    return hooked(15)


def horizontal_tension(system):
    """Return that of the second element in equilibrium."""
    point = gs.equilibrium(system, guess=gs.lay_rope(system, "rope", "catenary"))
    places = system.poses(point.q)
    way = places["rope.n2"].position - places["rope.n1"].position
    tension = system.multipliers(point.q, point.u)["rope.e2: tension"]
    return float(tension * way[0] / np.linalg.norm(way))


def test_catenary_is_the_exact_one_of_the_segments(fifteen):
    assert horizontal_tension(fifteen) == pytest.approx(3.021264385, abs=1e-9)


def test_catenary_of_fifty_segments():
    assert horizontal_tension(hooked(50)) == pytest.approx(3.023571033, abs=1e-9)


@pytest.fixture(scope="module")
def swinging():
    return hooked(2, last=None)


def test_two_segments_are_a_double_pendulum(swinging):
    """The same masses on massless bars with hinges, in angles."""
    start = {"rope.m1.x": 1.5, "rope.m1.y": 0, "rope.m2.x": 1.5 * (1 + np.sin(0.3)), "rope.m2.y": -1.5 * np.cos(0.3)}
    times = np.linspace(0, 2, 5)
    tight = {"times": times, "integrator": gs.DOP853(1e-11, 1e-11)}
    run = gs.simulate(swinging, **tight, initial=start)
    model = gs.Model("double pendulum", gravity=(0, -GIVEN["g"], 0))
    for i, mass, parent in ((1, 0.75, "ground"), (2, 0.375, ("a1", (0, -1.5, 0)))):
        model.add(gs.Body(f"a{i}", mass=mass, inertia=(0, 0, 0), com=(0, -1.5, 0)))
        model.add(gs.Revolute(f"j{i}", parent, f"a{i}"))
    model.add(gs.Body("end", gs.point_mass(0)))
    model.add(gs.Weld("tip", ("a2", (0, -1.5, 0)), "end"))
    bars = gs.simulate(model, **tight, initial={"j1": np.pi / 2, "j2": 0.3 - np.pi / 2})
    assert run["rope.n2"].values == pytest.approx(bars["end"].values, abs=1e-7)


def test_elastic_ropes_tend_to_the_inextensible_one(fifteen):
    """The difference of positions falls as 1/EA while the chain swings from beside its catenary."""
    laid = gs.lay_rope(fifteen, "rope", "catenary")
    pushed = laid | {f"rope.m{i}.z.rate": np.sin(np.pi * i / 15) for i in range(1, 15)}
    middles = []
    for EA, method in ((None, gs.DOP853(1e-9, 1e-9)), (1e5, gs.Rodas5P(1e-8, 1e-9)), (1e6, gs.Rodas5P(1e-8, 1e-9))):
        system = fifteen if EA is None else hooked(15, EA)
        run = gs.simulate(system, 0.5, step=0.5, initial=pushed, integrator=method)
        middles.append(run["rope.n7"].values[-1])
    soft, stiff = (float(np.linalg.norm(one - middles[0])) for one in middles[1:])
    assert abs(middles[0][2]) > 0.05
    assert stiff < 3e-5
    assert soft / stiff == pytest.approx(10, rel=0.3)


def test_frequencies_of_a_hanging_chain():
    bessel = case("hanging_chain_bessel")
    model = gs.Model("hanging", gravity=(0, -bessel["parameters"]["g"], 0))
    model.add(gs.Rope("rope", ["ground", None], segments=20, length=bessel["parameters"]["L"], density=0.5))
    system = gs.formulate(model)
    point = gs.equilibrium(system, guess=gs.lay_rope(system, "rope", "straight"))
    roots = np.linalg.eigvals(gs.linearize(system, point).A)
    found = np.unique(np.round(np.abs(roots.imag), 6))
    off = found[found > 1e-3][:2] / value(bessel, "natural_frequencies")[:2] - 1
    assert (np.abs(off) < (1e-3, 1.2e-2)).all()


def test_a_rope_shorter_than_its_span_is_refused():
    with pytest.raises(gs.StateError, match=r"Rope 'rope' is 3 m long, its path 3.001 m. Give a longer rope"):
        gs.lay_rope(hooked(4, last=("ground", (3.001, 0, 0))), "rope", "straight")
