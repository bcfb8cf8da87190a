"""The examples of Trom (1990), chapters 3 to 5, equation by equation and table by table, from the walks.

The walks have the angular part of six-vectors first; the dissertation has the linear part first.
"""

from __future__ import annotations

from math import cos, pi, sin
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy
from numpy.typing import NDArray
from operating_models import rotating_pendulum

import gyrostat as gs

Floats = NDArray[np.float64]
EXAMPLES = Path(__file__).parents[3] / "examples"
LINEAR_FIRST = [3, 4, 5, 0, 1, 2, 9, 10, 11, 6, 7, 8]


# --- 3.2.4: slider and pendulum -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def slider() -> gs.System:
    return gs.formulate(gs.Model.load(EXAMPLES / "slider_pendulum.yaml"))


def test_equations_of_motion_3_36(slider: gs.System) -> None:
    walk = slider.velocity_transformation()
    y, theta, y_rate, theta_rate = sympy.symbols("y theta ydot thetadot", real=True)
    m2, m3, length, j3x, k, c, wall, g = sympy.symbols("m2 m3 l j3x k c wall g")
    names = {str(symbol): symbol for symbol in (y, theta, y_rate, theta_rate)}

    def own(entry: Any) -> Any:
        return entry.subs({symbol: names.get(str(symbol), symbol) for symbol in entry.free_symbols})

    mass = walk["BᵀMB"].applyfunc(own)
    assert sympy.simplify(
        mass
        - sympy.Matrix(
            [
                [m2 + m3, m3 * length / 2 * sympy.cos(theta)],
                [m3 * length / 2 * sympy.cos(theta), m3 * length**2 / 4 + j3x],
            ]
        )
    ) == sympy.zeros(2)
    rest = walk["Bᵀ(MḂu + h − f)"].applyfunc(own).subs(sympy.Abs(wall + y), wall + y)
    printed = sympy.Matrix(
        [
            -m3 * length / 2 * sympy.sin(theta) * theta_rate**2 + c * y_rate + k * y,
            m3 * g * length / 2 * sympy.sin(theta),
        ]
    )
    assert sympy.simplify(rest - printed) == sympy.zeros(2, 1)


def test_transformation_and_loads_3_38_to_3_40(slider: gs.System) -> None:
    """The second row of 3.38 is [0×6 | 0 1 0 1 0 0]; the printed one has a column too many."""
    walk = slider.velocity_transformation({})
    B = walk["B"][LINEAR_FIRST]
    np.testing.assert_allclose(B.T[0], [0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0], atol=1e-15)
    np.testing.assert_allclose(B.T[1], [0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0], atol=1e-15)
    M = walk["M"][np.ix_(LINEAR_FIRST, LINEAR_FIRST)]
    np.testing.assert_allclose(np.diag(M)[[0, 1, 2, 6, 7, 8, 9]], [10, 10, 10, 20, 20, 20, 15], atol=1e-12)
    np.testing.assert_allclose(M - np.diag(np.diag(M)), 0, atol=1e-12)
    f = walk["f"].ravel()[LINEAR_FIRST]
    np.testing.assert_allclose(f, [0, 0, -98.1, 0, 0, 0, 0, 0, -196.2, 0, 0, 0], atol=1e-12)


def test_derivatives_3_41_to_3_44_and_the_sum_3_10(slider: gs.System) -> None:
    """In 3.43 the one belongs in the ninth column: the centre of the pendulum rises with θ̇ as it swings out."""
    walk = slider.velocity_transformation()
    B, f = walk["B"], walk["f"]
    q = [next(s for s in (B.free_symbols | f.free_symbols) if str(s) == name) for name in ("y", "theta")]
    values = {sympy.Symbol(name): value for name, value in slider.model.values().items()}
    rest = {s: values.get(s, values.get(sympy.Symbol(str(s)), 0)) for s in B.free_symbols | f.free_symbols}

    def number(expression: Any) -> Floats:
        found = np.array(expression.subs(rest).tolist(), dtype=float)
        return found[LINEAR_FIRST]

    B_q = [number(B.diff(symbol)) for symbol in q]
    np.testing.assert_allclose(B_q[0], 0, atol=1e-15)
    expected = np.zeros((12, 2))
    expected[8, 1] = 1
    np.testing.assert_allclose(B_q[1], expected, atol=1e-15)
    near = f.subs(sympy.Abs(sympy.Symbol("wall") + q[0]), sympy.Symbol("wall") + q[0])
    f_q = [number(near.diff(symbol)) for symbol in q]
    expected = np.zeros((12, 1))
    expected[1] = -20
    np.testing.assert_allclose(f_q[0], expected, atol=1e-12)
    np.testing.assert_allclose(f_q[1], 0, atol=1e-12)
    K = -np.hstack([B_q[i].T @ number(near) + number(B).T @ f_q[i] for i in range(2)])
    np.testing.assert_allclose(K, [[20, 0], [0, 196.2]], atol=1e-12)


def test_table_3_5_and_3_7(slider: gs.System) -> None:
    """The printed real parts of table 3.7 lack their minus signs."""
    walk = gs.linearize(slider).walkthrough()
    np.testing.assert_allclose(walk["M_l"], [[30, 20], [20, 35]], atol=1e-12)
    np.testing.assert_allclose(walk["K_l"], [[20, 0], [0, 196.2]], atol=1e-9)
    np.testing.assert_allclose(walk["C_l"], [[20, 0], [0, 0]], atol=1e-12)
    np.testing.assert_allclose(walk["K^(gravity)"], [[0, 0], [0, 196.2]], atol=1e-9)
    np.testing.assert_allclose(walk["K^(spring)"], [[20, 0], [0, 0]], atol=1e-9)
    squares = np.sort(np.linalg.eigvals(np.linalg.solve(walk["M_l"], walk["K_l"])).real)
    np.testing.assert_allclose(squares, [0.63569205, 9.49661564], atol=5e-9)
    damped = sorted(walk["eigenvalues"], key=lambda one: (one.imag, one.real))[2:]
    printed = [complex(-0.312177, 0.747815), complex(-0.226284, 3.023550)]
    np.testing.assert_allclose(damped, printed, atol=1e-6)
    undamped = gs.linearize(slider, parameters={"c": 0.0}).walkthrough()
    np.testing.assert_allclose(np.sort(undamped["eigenvalues"].imag)[2:], [0.797303, 3.081658], atol=5e-7)
    A = walk["A"]
    np.testing.assert_allclose(A[2:, :2], -np.linalg.solve(walk["M_l"], walk["K_l"]), atol=1e-9)
    np.testing.assert_allclose(A[2:, 2:], -np.linalg.solve(walk["M_l"], walk["C_l"]), atol=1e-9)


# --- 3.2.5: seven degrees of freedom --------------------------------------------------------------------------------


def seven_freedoms() -> gs.Model:
    """Rods of 2 m on a hinge, a cross, a hinge, a slide and a cross.

    Masses are those of figure 3.5; joint axes, springs and the wall are only in the figure and chosen here.
    """
    model = gs.Model("seven freedoms", gravity=(0, 0, -9.81))
    masses = {"b2": 5.0, "b3": 3.0, "b4": 2.0, "b5": 1.0, "b6": 1.0}
    for name, mass in masses.items():
        long, round_ = 0.4 * mass, 0.1 * mass
        points = {"top": (0, 0, 1), "tip": (0, 0, -1)}
        model.add(gs.Body(name, mass=mass, inertia=(long, long, round_), points=points))
    model.add(gs.Revolute("j2", "ground", "b2.top", axis="x"))
    model.add(gs.Universal("j3", "b2.tip", "b3.top"))
    model.add(gs.Revolute("j4", "b3.tip", "b4.top", axis="x"))
    model.add(gs.Prismatic("j5", "b4.tip", "b5.top", axis="z"))
    model.add(gs.Universal("j6", "b5.tip", "b6.top"))
    model.add(gs.JointSpring("rotational", "j4", stiffness=60))
    model.add(gs.JointSpring("slide", "j5", stiffness=60, length=0))
    model.add(gs.SpringDamper("side", ("ground", (0.6, 1.5, -9)), "b6.tip", stiffness=8, damping=0, length=1))
    return model


def differences(system: gs.System, point: Any, step: float) -> Floats:
    """Natural frequencies by finite differences of the stiffness, as in eq. 3.7."""
    zero = np.zeros(system.coordinates.n_u)
    columns = []
    for i in range(system.coordinates.n_q):
        moved = [np.array(point.q) for _ in range(2)]
        moved[0][i] += step
        moved[1][i] -= step
        loads = [system.inverse_dynamics(q, zero, zero) for q in moved]
        columns.append((loads[0] - loads[1]) / (2 * step))
    K, M = np.array(columns).T, system.mass_matrix(point.q)
    return np.asarray(np.sort(np.sqrt(np.linalg.eigvals(np.linalg.solve(M, K)).real)))


def spectral_peaks(values: Floats, spacing: float) -> Floats:
    """The peaks of amplitude spectra, summed over signals, refined by a parabola through the logarithms (Hz)."""
    window = np.hanning(len(values))[:, None]
    spectrum = np.abs(np.fft.rfft((values - values.mean(axis=0)) * window, axis=0))
    total = (spectrum / spectrum.max(axis=0)).sum(axis=1)
    inner = np.flatnonzero((total[1:-1] > total[:-2]) & (total[1:-1] > total[2:]) & (total[1:-1] > 2e-3)) + 1
    left, mid, right = (np.log(total[inner + k]) for k in (-1, 0, 1))
    return np.asarray((inner + 0.5 * (left - right) / (left - 2 * mid + right)) / (len(values) * spacing))


def test_table_3_6() -> None:
    """Three ways to the frequencies of seven freedoms: exact derivatives, differences, and an FFT of 200 s.

    The initial speeds are a tenth of those printed: these springs are softer, and combination tones would show.
    """
    system = gs.formulate(seven_freedoms())
    rest = gs.equilibrium(system, guess={"j5": -0.3})
    linear = gs.linearize(system, at=rest)
    frequencies = np.sort(linear.modes().eigenvalues.imag)[7:] / (2 * pi)
    assert frequencies[0] > 0.01
    assert len(frequencies) == 7
    np.testing.assert_allclose(differences(system, rest, 1e-5) / (2 * pi), frequencies, rtol=2e-5)
    rates = dict(zip(system.speed_names, 0.002 * np.array([1, -1.5, -1.5, -1.5, 2.5, 1.5, -1.5]), strict=True))
    start = dict(zip(system.coordinate_names, rest.q, strict=True)) | rates
    run = gs.simulate(system, 200.0, step=0.2, initial=start)
    peaks = spectral_peaks(np.array([run[name] for name in system.coordinate_names]).T, 0.2)
    for frequency in frequencies:
        assert np.abs(peaks - frequency).min() < 0.0025


# --- 4.4: spatial four-bar ------------------------------------------------------------------------------------------


def test_table_4_1() -> None:
    walk = gs.linearize(gs.Model.load(EXAMPLES / "spatial_four_bar.yaml")).walkthrough()
    opened = [[25, 7.5, 0, 0], [7.5, 7.5, 0, 0], [0, 0, 7.5, 0], [0, 0, 0, 7.5]]
    np.testing.assert_allclose(walk["M_l"], opened, atol=1e-12)
    np.testing.assert_allclose(walk["K^(gravity)"], np.diag([147.15, 0, 0, 49.05]), atol=1e-9)
    Q2 = walk["Q2"].ravel() * np.sign(walk["Q2"].ravel()[0])
    np.testing.assert_allclose(Q2, [0.57735027, -0.57735027, 0, 0.57735027], atol=1e-8)
    np.testing.assert_allclose(walk["Q2ᵀMQ2"], [[8.3333333]], atol=1e-7)
    np.testing.assert_allclose(walk["Q2ᵀKQ2"], [[65.4]], atol=1e-9)
    np.testing.assert_allclose(walk["Q2ᵀ(K − K_λ)Q2"], [[65.4]], atol=1e-9)
    np.testing.assert_allclose(walk["ω"] ** 2, [7.848], atol=1e-9)
    np.testing.assert_allclose(np.sort(walk["eigenvalues"].imag) ** 2, [7.848, 7.848], atol=1e-9)


# --- 4.5: suspensions -----------------------------------------------------------------------------------------------


def closed_differences(system: gs.System, point: Any, Q2: Floats, step: float) -> Floats:
    """Natural frequencies by differences of accelerations at closed positions near a state of rest."""
    zero, columns = np.zeros(system.coordinates.n_u), []
    for direction in Q2.T:
        found = []
        for sign in (1, -1):
            q = point.q + sign * step * system.coordinate_rates(point.q, direction)
            closed = gs.assemble(system, guess=dict(zip(system.coordinate_names, q, strict=True)))
            found.append(Q2.T @ system.forward_dynamics(closed.q, zero))
        columns.append((found[0] - found[1]) / (2 * step))
    return np.asarray(np.sort(np.sqrt(np.linalg.eigvals(-np.array(columns).T).real)))


@pytest.mark.parametrize(("name", "count"), [("mcpherson_strut", 1), ("twist_beam_axle", 2)])
def test_table_4_2(name: str, count: int) -> None:
    """Two suspensions, three ways; their geometry is in figures only, so that the numbers are our own."""
    system = gs.formulate(gs.Model.load(EXAMPLES / f"{name}.yaml"))
    rest = gs.equilibrium(system)
    walk = gs.linearize(system, at=rest).walkthrough()
    frequencies = np.sort(walk["ω"]) / (2 * pi)
    assert len(frequencies) == count
    assert frequencies[0] > 10
    assert frequencies[-1] < 15  # the thesis has 11.6, and 10.3 and 10.8 Hz
    np.testing.assert_allclose(closed_differences(system, rest, walk["Q2"], 1e-5) / (2 * pi), frequencies, rtol=1e-6)
    states = gs.linearize(system, at=rest).states
    independent = states[len(states) // 2 :]
    start = dict(zip(system.coordinate_names, rest.q, strict=True))
    start |= {speed: 0.01 * (i + 1) for i, speed in enumerate(independent)}
    run = gs.simulate(system, 20.0, step=0.01, initial=start)
    peaks = spectral_peaks(np.array([run[speed] for speed in independent]).T, 0.01)
    for frequency in frequencies:
        assert np.abs(peaks - frequency).min() < 0.025


def test_the_strut_needs_the_stiffness_of_multipliers() -> None:
    """Eq. 4.12 as printed gives the strut 11.40 Hz for 11.46: its joints bear the static load."""
    system = gs.formulate(gs.Model.load(EXAMPLES / "mcpherson_strut.yaml"))
    walk = gs.linearize(system, at=gs.equilibrium(system)).walkthrough()
    assert walk["ω"] / (2 * pi) == pytest.approx([11.46223953], abs=1e-6)
    assert walk["ω, eq. 4.12"] / (2 * pi) == pytest.approx([11.39709592], abs=1e-6)


# --- 5.3: rotating pendulum -----------------------------------------------------------------------------------------


def test_table_5_1_and_5_28() -> None:
    m, length, g, theta = 10.0, 0.5, 9.81, pi / 6
    system = gs.formulate(rotating_pendulum(m, length, g))
    rate = float(np.sqrt(g / (length * cos(theta))))
    assert rate == pytest.approx(4.75975, abs=5e-6)
    point = gs.steady_motion(system, {"turn.rate": rate}, guess={"swing": 0.4})
    walk = gs.linearize(system, at=point).walkthrough()
    order = [system.speed_names.index(name) for name in ("swing.rate", "turn.rate")]
    chosen = np.ix_(order, order)
    square = m * length**2
    sign = np.sign(walk["u"][order[1]])
    coupling = 2 * square * sin(theta) * cos(theta) * rate * sign
    np.testing.assert_allclose(walk["M_l"][chosen], np.diag([square, square * sin(theta) ** 2]), atol=1e-9)
    np.testing.assert_allclose(walk["C_l"][chosen], [[0, -coupling], [coupling, 0]], atol=1e-9)
    stiffness = square * rate**2 * (sin(theta) ** 2 - cos(theta) ** 2) + m * g * length * cos(theta)
    np.testing.assert_allclose(walk["K_l"][chosen], np.diag([stiffness, 0]), atol=1e-8)
    np.testing.assert_allclose(np.sort(walk["eigenvalues"].imag)[-1], 8.58076, atol=5e-6)
