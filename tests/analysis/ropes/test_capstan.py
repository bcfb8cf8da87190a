"""Ratio of tensions of a rope that slips on a drum (Euler 1769, Eytelwein 1808)."""

import numpy as np
import pytest
from campaign import campaign
from cases import case, value
from rope_models import capstan, held_capstan

import gyrostat as gs


def ratio(contacts):
    """Return the ratio of the tensions on both sides of a drum that turns steadily."""
    model, segments = capstan(contacts)
    system = gs.formulate(model)
    start = gs.lay_rope(system, "rope")
    run = gs.simulate(system, times=[0, 0.1], initial=start, integrator=gs.Rodas4(1e-4, 1e-6))
    return run[f"rope.e{segments}.force"].values[-1] / run["rope.e1.force"].values[-1]


@campaign([(8, 2.6010), (16, 2.5749)], name="contacts, exact", few=[(16, 2.5749)])
def test_ratio_of_tensions_of_nodes(contacts, exact):
    """Each node passes on (1 + μt)/(1 − μt), t = tan(π/2n): 2.6010 for 8, 2.5749 for 16."""
    t = np.tan(np.pi / (2 * contacts))
    formula = ((1 + 0.3 * t) / (1 - 0.3 * t)) ** contacts
    assert formula == pytest.approx(exact, abs=1e-4)
    assert ratio(contacts) == pytest.approx(formula, abs=6e-3)


def test_nodes_converge_to_the_capstan_equation():
    exact = value(case("capstan"), "light T2/T1")
    assert abs(ratio(16) - exact) < 0.5 * abs(ratio(8) - exact)


RAMP = "1 + {rise}*min(t/3, 1)**2*(3 - 2*min(t/3, 1))"


@campaign([8, 16], name="contacts", few=[8])
def test_bristles_hold_and_slip_at_the_ratio_of_the_segments(contacts):
    """Held 0.002 below ((1 + μt)/(1 − μt))ⁿ, slipping 0.002 above it."""
    t = np.tan(np.pi / (2 * contacts))
    limit = ((1 + 0.3 * t) / (1 - 0.3 * t)) ** contacts
    equal, _ = held_capstan(contacts, "1")
    start = gs.settle_ropes(equal, gs.lay_rope(equal, "rope"))
    moves = []
    for ratio in (limit - 0.002, limit + 0.002):
        model, segments = held_capstan(contacts, RAMP.format(rise=ratio - 1))
        run = gs.simulate(model, times=[0, 5, 6], initial=start, integrator=gs.Rodas4(1e-4, 1e-7))
        moves.append(float(-np.diff(run[f"rope.m{segments}.y"].values)[-1]))
    assert abs(moves[0]) < 1e-5
    assert moves[1] > 1e-2


def test_bristles_do_not_creep_below_the_limit():
    """At a ratio of 2 the end moves by less than 1e-7 m in 100 s."""
    equal, segments = held_capstan(16, "1")
    start = gs.settle_ropes(equal, gs.lay_rope(equal, "rope"))
    model, _ = held_capstan(16, RAMP.format(rise=1))
    run = gs.simulate(model, times=[0, 10, 110], initial=start, integrator=gs.Rodas4(1e-5, 1e-9))
    assert abs(np.diff(run[f"rope.m{segments}.y"].values)[-1]) < 1e-7
