"""Random impacts with friction: no penetration, no gain of energy, momentum balance, friction within its cone."""

from __future__ import annotations

import itertools
import warnings
from functools import cache

import numpy as np
import pytest
from campaign import campaign
from impact_models import CHAIN_POINTS, chain, chain_jacobian, component
from random_trees import Floats
from scipy.optimize import nnls
from simulations import TIGHT

import gyrostat as gs
from gyrostat.analysis.events.contact import ClosedContact
from gyrostat.analysis.events.contact_set import ContactSet
from gyrostat.analysis.events.coulomb import CoulombProblem
from gyrostat.analysis.events.impact import solve_impact
from gyrostat.analysis.events.impulse_process import impulses_by_work
from gyrostat.analysis.events.lemke import solve_complementarity
from gyrostat.program.warning import GyrostatWarning


@campaign(300)
def test_random_impacts_of_a_chain_with_friction(seed: int) -> None:
    rng, system = np.random.default_rng(seed), chain()
    names = ("p.x", "p.y", "p.angle", "a2", "a3")
    initial = dict(zip((*names, *(f"{name}.rate" for name in names)), rng.normal(size=10), strict=True))
    masses = {f"m{i}": float(rng.uniform(0.1, 3.0)) for i in (1, 2, 3)}
    free = gs.simulate(system, 0.1, initial=initial, parameters=masses, integrator=TIGHT)
    signs = -np.sign(chain_jacobian(free.q[-1]) @ free.u[-1])
    heights = [component(free, point) for point in CHAIN_POINTS]
    mu, e = rng.choice([0.1, 0.5, rng.uniform(0, 2)], size=4), rng.choice([0.0, 1.0, rng.random()], size=4)
    values = {**masses}
    for i in range(4):
        values |= {f"s{i}": signs[i], f"c{i}": heights[i], f"e{i}": e[i], f"mu{i}": mu[i]}
    chosen = np.flatnonzero(rng.random(4) < 0.8)
    laws = rng.choice(["newton", "poisson"], size=4)
    events = [
        gs.Event(
            f"hit {i}",
            f"s{i}*({CHAIN_POINTS[i]} - c{i})",
            "falling",
            (gs.Restitution(f"e{i}", friction=f"mu{i}", law=str(laws[i])), gs.Stop()),
        )
        for i in chosen
    ]
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Event .*e was reduced", GyrostatWarning)
        run = gs.simulate(system, 0.2, initial=initial, parameters=values, events=events, integrator=TIGHT)
    if not len(chosen):
        return
    assert run.status.outcome is gs.Outcome.STOPPED
    q, u, final = run.events[0].q, run.events[0].u, run.events[-1].u_after
    together = [i for i in chosen if abs(signs[i] * (_height(q, i) - heights[i])) < 1e-9]
    normals = (signs[:, None] * chain_jacobian(q))[together]
    tangents = chain_jacobian(q, along=True)[together]
    M = system.mass_matrix(q, parameters=masses)
    speed = np.sqrt(u @ M @ u)
    assert (normals @ final).min() > -1e-9 * speed
    assert final @ M @ final <= (u @ M @ u) * (1 + 1e-10)
    # momentum balance within the friction cones, whose edges are n ± μ t
    edges = mu[together][:, None] * tangents
    push = M @ (final - u)
    assert nnls(np.vstack((normals + edges, normals - edges)).T, push)[1] < 1e-8 * np.linalg.norm(push)


def _height(q: Floats, number: int) -> float:
    """Return the coordinate of a point of the chain."""
    angles = np.cumsum(q[2:])
    x, y = q[:2, None] + 0.5 * np.array([np.cos(angles[:1]), np.sin(angles[:1])])
    ends = np.array([np.cos(angles), np.sin(angles)])
    places = [
        q[1] - 0.5 * ends[1, 0],
        float(x[0]),
        float(y[0]) + ends[1, 1],
        float(y[0]) + ends[1, 1] + ends[1, 2],
    ]
    return float(places[number])


def _random_contacts(rng: np.random.Generator, most: int) -> tuple[list[ClosedContact], Floats, Floats]:
    size, count = int(rng.integers(3, 9)), int(rng.integers(1, most + 1))
    root = rng.normal(size=(size, size)) * 10.0 ** rng.uniform(-0.5, 0.5, size)
    M, u = root @ root.T + 0.05 * np.eye(size), rng.normal(size=size)
    contacts = []
    for i in range(count):
        J = rng.normal(size=(1 + int(rng.integers(0, 3)), size))
        J[0] *= -np.sign(J[0] @ u)
        mu, e = float(rng.choice([0.1, 0.5, rng.uniform(0, 1.5)])), float(rng.random())
        contacts.append(ClosedContact(f"c{i}", J[0], float(J[0] @ u), e, mu, J[1:].T.copy(), J[1:] @ u))
    return contacts, M, u


def _set_of(contacts: list[ClosedContact], M: Floats) -> ContactSet:
    W = np.hstack([one.columns for one in contacts])
    return ContactSet.of(contacts, W.T @ np.linalg.solve(M, W), np.concatenate([one.speeds for one in contacts]))[0]


@campaign(300)
def test_random_problems_of_coulomb_friction(seed: int) -> None:
    """Contacts with none, one or two tangential directions, more of them than speeds: the conditions hold exactly."""
    contacts, M, _ = _random_contacts(np.random.default_rng(seed), 4)
    found = _set_of(contacts, M)
    count = len(contacts)
    rng = np.random.default_rng(seed + 1)
    given = rng.random(count) * (rng.random(count) < 0.3)
    impulses = CoulombProblem(found, given, np.zeros(count)).solve()
    assert impulses is not None
    speeds = found.speeds + found.D @ impulses
    scale, strong = float(np.abs(found.speeds).max()), float(np.abs(impulses).max())
    for i, normal in enumerate(found.normals):
        extra = impulses[normal] - given[i]
        assert extra >= -1e-9 * strong
        assert speeds[normal] >= -1e-8 * scale
        assert abs(extra * speeds[normal]) <= 1e-8 * strong * scale
        t, v = impulses[found.tangents(i)], speeds[found.tangents(i)]
        bound = found.friction[i] * impulses[normal]
        assert np.linalg.norm(t) <= bound + 1e-9 * strong
        # against the sliding, and of full size where it slides
        assert np.linalg.norm(bound * v + np.linalg.norm(v) * t) <= 1e-8 * strong * scale


@campaign(100)
@pytest.mark.parametrize("law", [gs.ImpactLaw.NEWTON, gs.ImpactLaw.POISSON])
def test_random_impacts_with_cones_in_space(seed: int, law: gs.ImpactLaw) -> None:
    contacts, M, u = _random_contacts(np.random.default_rng(seed), 3)
    contacts = [ClosedContact(*(getattr(c, f) for f in _FIELDS), law=law) for c in contacts]
    impact = solve_impact(contacts, lambda d: np.asarray(np.linalg.solve(M, d)))
    assert impact is not None
    final = u + impact.change
    assert final @ M @ final <= (u @ M @ u) * (1 + 1e-9)
    assert min(one.direction @ final / np.linalg.norm(one.direction) for one in contacts) > -1e-8 * np.linalg.norm(u)
    if len(contacts) == 1 and law is gs.ImpactLaw.NEWTON and not impact.reduced:
        assert np.isclose(contacts[0].direction @ final, -contacts[0].restitution * contacts[0].speed, rtol=1e-8)


_FIELDS = ("event", "direction", "speed", "restitution", "friction", "tangents", "sliding")


@campaign(400, few=(3, 33, 41, 51, 73))
@pytest.mark.parametrize("directions", [1, 2], ids=["plane", "space"])
def test_stronges_law_against_small_steps(seed: int, directions: int) -> None:
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(3, 4))[: 1 + directions]
    D, speeds = root @ root.T, np.append(-1.0, rng.normal(size=directions))
    _check_stronges_law(D, speeds, e=float(rng.random()), mu=float(rng.uniform(0.05, 1.0)))


def test_rounding_errors_of_a_contact_that_sticks_are_no_sliding() -> None:
    """By friction along a rounding error of the speeds, a contact would not separate: 2.6 % of these cases."""
    for seed in range(200):
        rng = np.random.default_rng(seed)
        root = rng.normal(size=(2, 3))
        contacts = _single(
            root @ root.T, np.append(-1.0, rng.normal(size=1)), float(rng.uniform(0.2, 1)), float(rng.uniform(0.5, 2.0))
        )
        assert contacts.speeds[0] + contacts.D[0] @ impulses_by_work(contacts) > 1e-3


@campaign([588, 670, 751, 916, 921, 3767, 3865, 4458, 5163, 5440, 5491, 5549], few=[751, 3767])
def test_contacts_that_approach_again_during_expansion(seed: int) -> None:
    """Sliding turns towards the direction in which friction presses the contact: 12 cases of 6000."""
    rng = np.random.default_rng(seed)
    block = np.array([1.0, rng.uniform(0.2, 5.0)])
    mu, pull = float(rng.uniform(0.5, 3.0)), rng.normal(size=2)
    pull *= rng.uniform(0.3, 0.999) / np.sqrt(pull @ (pull / block))
    D = np.diag([1.0, *block])
    D[0, 1:] = D[1:, 0] = pull
    speeds = np.append(-1.0, rng.normal(size=2) * rng.choice([1.0, 3.0]))
    _check_stronges_law(D, speeds, e=float(rng.uniform(0.3, 1.0)), mu=mu)


@campaign(2000)
def test_stronges_law_with_few_free_speeds_and_unequal_mobilities(seed: int) -> None:
    """Singular and ill-conditioned Delassus matrices, sliding from rounding errors to 100 times the approach."""
    rng = np.random.default_rng(seed)
    size = int(rng.integers(1, 5))
    root = rng.normal(size=(3, size)) * 10.0 ** rng.uniform(-1.5, 1.5, size)
    root /= np.linalg.norm(root[0])
    u = rng.normal(size=size) * 10.0 ** rng.choice([-16.0, -8.0, -2.0, 0.0, 2.0])
    u -= root[0] * (1.0 + root[0] @ u)
    e, mu = float(rng.choice([0.0, 1.0, rng.random()])), float(10.0 ** rng.uniform(-2.0, 1.0))
    contacts = _single(root @ root.T, root @ u, e, mu)
    found = impulses_by_work(contacts)
    error = 1e-9 + 1e-12 * float(np.abs(found).max()) * float(np.abs(contacts.D).max())  # that of the direction
    assert contacts.energy_gain(found) <= error
    assert contacts.speeds[0] + contacts.D[0] @ found >= -error
    assert np.linalg.norm(found[1:]) <= mu * found[0] * (1 + 1e-9)


@cache
def _tumbling_block() -> gs.System:
    """Return a free block of 1 kg with a corner, whose mass centre is its origin."""
    names = ("jx", "jy", "jz", "cx", "cy", "cz", "e", "mu")
    model = gs.Model("block", parameters=dict.fromkeys(names, 1.0))
    model.add(gs.Body("block", mass=1, inertia=("jx", "jy", "jz"), points={"corner": ("cx", "cy", "cz")}))
    model.add(gs.Free("p", "ground", "block"))
    return gs.formulate(model)


@campaign(200, few=(1, 4, 16))
def test_a_tumbling_block_hits_the_floor_with_a_corner(seed: int) -> None:
    """A mechanism in space, by Stronge's law: the change of its motion against small steps of the impulse."""
    rng = np.random.default_rng(seed)
    inertia, corner = rng.uniform(0.05, 0.09, 3), rng.uniform(-0.5, 0.5, 3)
    v, omega, e, mu = rng.normal(size=3), rng.normal(size=3) * 3, float(rng.random()), float(rng.uniform(0.05, 1.5))
    v[2] -= (v + np.cross(omega, corner))[2] + 1.0
    W = np.hstack((np.eye(3), -np.cross(np.eye(3), corner)))[[2, 0, 1]]  # n · (ω × c) = −(n × c) · ω
    D = W @ np.diag(np.append(np.ones(3), 1 / inertia)) @ W.T
    expected = _small_steps(D, W @ np.append(v, omega), e, mu)
    values = dict(zip(("jx", "jy", "jz", "cx", "cy", "cz", "e", "mu"), [*inertia, *corner, e, mu], strict=True))
    speeds = {f"p.{kind}{i + 1}": float(x) for kind, part in (("v", v), ("w", omega)) for i, x in enumerate(part)}
    hits = gs.Event(
        "hits",
        "block.corner.z",
        "falling",
        (gs.Restitution("e", friction="mu", law="stronge", at="block.corner"), gs.Stop()),
    )
    run = gs.simulate(
        _tumbling_block(), 0.1, initial={"p.z": -float(corner[2]), **speeds}, parameters=values, events=[hits]
    )
    assert run.events[0].time < 1e-12
    change = np.roll(np.append(np.ones(3), 1 / inertia) * (W.T @ expected), 3)  # u has angular velocities first
    np.testing.assert_allclose(run.events[0].u_after - run.events[0].u, change, atol=3e-3 * np.abs(change).max())


def _single(D: Floats, speeds: Floats, e: float, mu: float) -> ContactSet:
    one = np.zeros(len(D), dtype=np.intp)
    return ContactSet(("hit",), (gs.ImpactLaw.STRONGE,), D, speeds, one, one[:1], np.array([e]), np.array([mu]))


def _check_stronges_law(D: Floats, speeds: Floats, *, e: float, mu: float) -> None:
    """Compare with small steps of the normal impulse, friction from the sliding of the moment."""
    contacts = _single(D, speeds, e, mu)
    found = impulses_by_work(contacts)
    np.testing.assert_allclose(found, _small_steps(D, speeds, e, mu), atol=2e-3 * np.abs(found).max())
    assert contacts.energy_gain(found) <= 1e-9
    assert speeds[0] + D[0] @ found >= -1e-9


def _small_steps(D: Floats, speeds: Floats, e: float, mu: float) -> Floats:
    """Return the impulses of the impulse process, semi-implicit in the sliding."""
    dp = 1.0 / D[0, 0] / 4000
    g, impulses, work, least = speeds.copy(), np.zeros(len(D)), 0.0, 0.0
    hold = np.linalg.inv(D[1:, 1:])
    for _ in range(2_000_000):
        f = -hold @ (g[1:] + dp * D[1:, 0]) / dp  # brings the sliding to rest within the step
        if np.linalg.norm(f) > mu:
            size = np.linalg.norm(g[1:])
            f = -mu * g[1:] / size if size > dp * (np.linalg.norm(D[1:, 0]) + mu * np.linalg.norm(D[1:, 1:])) else None
            if f is None:
                direction = D[1:, 0] + g[1:] / dp
                s = direction / np.linalg.norm(direction)
                for _ in range(50):  # (μ D_tt + λ) s = D_tn + γ_t / dp
                    grown = np.linalg.norm(direction - mu * D[1:, 1:] @ s)
                    s = np.linalg.solve(mu * D[1:, 1:] + grown * np.eye(len(s)), direction)
                    s = s / np.linalg.norm(s)
                f = -mu * s
        step = dp * np.append(1.0, f)
        change = D @ step
        work += dp * (g[0] + 0.5 * change[0])
        g, impulses, least = g + change, impulses + step, min(work, least)
        if g[0] > 0.0 and work >= (1.0 - e * e) * least:
            return impulses
    raise AssertionError("The impact does not end.")


@campaign(200)
def test_lemkes_algorithm_against_enumeration(seed: int) -> None:
    rng = np.random.default_rng(seed)
    size = int(rng.integers(1, 6))
    root = rng.normal(size=(size, size))
    M, q = root @ root.T + 0.1 * (root - root.T) + 0.01 * np.eye(size), rng.normal(size=size)
    q[rng.random(size) < 0.2] = 0.0  # degenerate
    found = solve_complementarity(M, q)
    assert found is not None
    for active in itertools.product((False, True), repeat=size):
        inside = np.flatnonzero(active)
        z = np.zeros(size)
        z[inside] = np.linalg.solve(M[np.ix_(inside, inside)], -q[inside])
        if z.min() >= -1e-12 and (M @ z + q).min() >= -1e-12:
            break
    np.testing.assert_allclose(found, z, atol=1e-8 * (1 + np.abs(z).max()))


def test_lemkes_algorithm_ends_on_a_ray() -> None:
    assert solve_complementarity(np.zeros((2, 2)), np.array([-1.0, 1.0])) is None
