"""The literal Roberson–Schwertassek form against the recursions, and against document 000's worked example."""

from __future__ import annotations

import numpy as np
import pytest
from campaign import campaign
from float_system import float_system
from random_models import random_inputs, random_model
from random_trees import Draw, relative_error

import gyrostat as gs
from gyrostat.equations.roberson_schwertassek import RobersonSchwertassek

T = 0.7
M1, M2, L1, L2, G = 1.3, 0.7, 0.9, 1.6, 9.81
TH1, TH2, W1, W2 = 0.4, -1.1, 0.8, -0.3


@campaign(40)
def test_the_same_equations_as_the_recursions(seed: int) -> None:
    """All joints, in both directions, with gyrostats, free rotors, drivers and forces."""
    system = float_system(random_model(seed, 2 + seed % 5))
    draw = Draw(seed)
    q, u = draw.state(system.system)
    inputs = random_inputs(draw, system.system)
    if not len(u):
        return
    literal = RobersonSchwertassek(system.motion(q, u, t=T, inputs=inputs))
    assert relative_error(literal.mass_matrix(), system.mass_matrix(q, t=T)) < 1e-12
    expected = -np.array(system.inverse_dynamics(q, u, np.zeros(len(u)), t=T, inputs=inputs))
    assert relative_error(literal.forcing(), expected) < 1e-10


@pytest.fixture
def pendulum() -> RobersonSchwertassek:
    """Document 000's double pendulum, at a state without symmetry."""
    model = gs.Model("double pendulum", gravity=(0, -G, 0))
    model.add(gs.Body("bar1", gs.rod(M1, L1, along="y")))
    model.add(gs.Body("bar2", gs.rod(M2, L2, along="y")))
    model.add(gs.Revolute("a1", "ground", ("bar1", (0, L1 / 2, 0))))
    model.add(gs.Revolute("a2", ("bar1", (0, -L1 / 2, 0)), ("bar2", (0, L2 / 2, 0))))
    return RobersonSchwertassek(float_system(model).motion([TH1, TH2], [W1, W2]))


def test_topology_and_attachment_vectors_of_the_document(pendulum: RobersonSchwertassek) -> None:
    inner = {key: sign for key, sign in pendulum.S_bar.items() if key[0] != "ground"}
    assert inner == {("bar1", "a1"): -1, ("bar1", "a2"): 1, ("bar2", "a2"): -1}  # eq 33
    assert pendulum.T == {("a1", "bar1"): -1, ("a1", "bar2"): -1, ("a2", "bar2"): -1}  # eq 34
    assert pendulum.c_hat["bar1", "a1"] == (0, L1 / 2, 0)  # eq 51
    assert pendulum.c_hat["bar1", "a2"] == (0, -L1 / 2, 0)
    assert pendulum.c_hat["bar2", "a2"] == (0, L2 / 2, 0)
    assert pendulum.a_hat["bar1", "bar1"] == (0, L1 / 2, 0)  # eq 52
    assert pendulum.a_hat["bar1", "bar2"] == (0, L1, 0)  # eq 53
    assert pendulum.a_hat["bar2", "bar1"] == (0, 0, 0)  # eq 54
    assert pendulum.a_hat["bar2", "bar2"] == (0, L2 / 2, 0)  # eq 55
    assert [mode.angular for _, mode in pendulum.arcs["a2"].phi] == [(0, 0, 1)]  # eq 36


def test_inertia_terms_of_the_document(pendulum: RobersonSchwertassek) -> None:
    s1, c1, s12, c12 = np.sin(TH1), np.cos(TH1), np.sin(TH1 + TH2), np.cos(TH1 + TH2)
    assert pendulum.rho["bar1", "bar1"] == pytest.approx(np.array([-s1, c1, 0]) * L1 / 2)  # eq 64
    assert pendulum.rho["bar1", "bar2"] == pytest.approx(np.array([-s1, c1, 0]) * L1)  # eq 65
    assert pendulum.rho["bar2", "bar2"] == pytest.approx(np.array([-s12, c12, 0]) * L2 / 2)  # eq 67
    assert pendulum.K["bar1", "bar1"][2][2] == pytest.approx((M1 / 3 + M2) * L1**2)  # eq 68
    assert pendulum.K["bar1", "bar2"][2][2] == pytest.approx(M2 * L1 * L2 / 2 * np.cos(TH2))  # eq 69
    assert pendulum.K["bar2", "bar2"][2][2] == pytest.approx(M2 * L2**2 / 3)  # eq 71
    coupled = M2 * L1 * L2 / 2 * np.cos(TH2) + M2 * L2**2 / 3
    assert pendulum.J_I("a1", "a1")[0][0] == pytest.approx(
        (M1 / 3 + M2) * L1**2 + M2 * L1 * L2 * np.cos(TH2) + M2 * L2**2 / 3
    )
    assert pendulum.J_I("a1", "a2")[0][0] == pytest.approx(coupled)  # eq 73
    assert pendulum.J_I("a2", "a1")[0][0] == pytest.approx(coupled)  # eq 74
    assert pendulum.J_I("a2", "a2")[0][0] == pytest.approx(M2 * L2**2 / 3)  # eq 75


def test_velocity_and_load_terms_of_the_document(pendulum: RobersonSchwertassek) -> None:
    s1, c1, s12, c12, s2 = np.sin(TH1), np.cos(TH1), np.sin(TH1 + TH2), np.cos(TH1 + TH2), np.sin(TH2)
    for zero in (pendulum.Q_I, pendulum.Q_II, pendulum.Q_III, pendulum.Q_V):
        assert all(vector == pytest.approx((0, 0, 0)) for vector in zero.values())
    first = L1 / 2 * W1**2 * np.array([-s1, c1, 0])
    second = L2 / 2 * (W1 + W2) ** 2 * np.array([-s12, c12, 0])  # l2/2, where eq 98 prints l1/2
    assert pendulum.Q_IV["bar1"] == pytest.approx(first)  # eq 97
    assert pendulum.Q_IV["bar2"] == pytest.approx(2 * first + second)  # eq 98
    assert pendulum.Q_1_second["bar1"] == pytest.approx((0, 0, -M2 * L1 * L2 / 2 * (W1 + W2) ** 2 * s2))  # eq 99
    assert pendulum.Q_1_second["bar2"] == pytest.approx((0, 0, M2 * L1 * L2 / 2 * W1**2 * s2))  # eq 100
    assert pendulum.Q_1_first["bar1"] == pytest.approx((0, 0, (M1 / 2 + M2) * G * L1 * s1))  # eq 103
    assert pendulum.Q_1_first["bar2"] == pytest.approx((0, 0, M2 * G * L2 * s12 / 2))  # eq 104
    lower = -M2 * L1 * L2 / 2 * W1**2 * s2 - M2 * G * L2 / 2 * s12
    upper = M2 * L1 * L2 / 2 * (W1 + W2) ** 2 * s2 - (M1 / 2 + M2) * G * L1 * s1 + lower
    assert pendulum.chi("a1") == pytest.approx((upper,))  # eq 105
    assert pendulum.chi("a2") == pytest.approx((lower,))  # eq 106
    assert pendulum.lambda_("a1") == pendulum.lambda_("a2") == (0,)  # eq 107
