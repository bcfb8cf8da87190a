"""Beams against closed forms, shooting and published values: frequencies, buckling, rotation, large deflections."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from beam_models import UNIT, beam_on, squared_frequencies
from campaign import SOAK
from cases import case, value
from scipy.optimize import root
from scipy.special import jv

import gyrostat as gs
from gyrostat.model.flexible.station_arm import StationArm
from gyrostat.model.flexible.strain_energy import strain_sums
from gyrostat.model.kinds import End
from gyrostat.system import System

SLOW = pytest.mark.skipif(not SOAK, reason="a minute of stiff vibrations: make soak")


@pytest.fixture(scope="module")
def cantilever() -> System:
    """A cantilever with a mass, a dead axial load P and a follower load F at its tip, all of them parameters."""
    model = gs.Model("cantilever", parameters={"I": 1e-12, "E": 1e12, "m": 0.0, "P": 0.0, "F": 0.0})
    given = {"length": 1, "area": 1, "Iz": "I", "E": "E", "density": 1, "terms": {"v": 8}}
    model.add(gs.Beam("beam", **given))
    model.add(gs.Weld("clamp", "ground", "beam"))
    model.add(gs.Body("load", mass="m"))
    model.add(gs.Weld("bolt", "beam.tip", "load"))
    model.add(gs.Force("dead", "beam.tip", ("-P", 0, 0)))
    model.add(gs.Force("follower", "beam.tip", ("-F", 0, 0), axes="body"))
    return gs.formulate(model)


def test_frequencies_of_a_cantilever_are_the_roots_of_cos_cosh(cantilever: System) -> None:
    found = case("cantilever_frequencies")
    beta = value(found, "beta_L")[:3]
    np.testing.assert_allclose(squared_frequencies(cantilever)[:3], beta**4, rtol=3e-6)


def test_rotary_inertia_lowers_the_frequencies(cantilever: System) -> None:
    """I/(A L²) = 0.0025, by shooting (Rayleigh's beam)."""
    found = squared_frequencies(cantilever, parameters={"I": 0.0025, "E": 400.0})
    np.testing.assert_allclose(np.sqrt(found[:2]), [3.49574816, 21.19068974], rtol=1e-7)


def test_tip_mass_of_the_beams_own_mass(cantilever: System) -> None:
    found = squared_frequencies(cantilever, parameters={"m": 1.0})
    assert np.sqrt(found[0]) == pytest.approx(1.55729786, rel=1e-8)


def test_dead_axial_load_lowers_the_frequency_and_buckles_at_a_quarter_of_pi_squared(cantilever: System) -> None:
    assert np.sqrt(squared_frequencies(cantilever, parameters={"P": 1.0})[0]) == pytest.approx(2.75362494, rel=1e-8)
    critical = squared_frequencies(cantilever, parameters={"P": np.pi**2 / 4})[0]
    assert abs(critical) < 1e-7


def test_follower_load_flutters_at_becks_load(cantilever: System) -> None:
    below, above = (
        gs.linearize(cantilever, at={}, parameters={"F": load}) for load in (20.05095 - 1e-4, 20.05095 + 1e-4)
    )
    assert max(np.linalg.eigvals(below.A).real) < 1e-6
    assert max(np.linalg.eigvals(above.A).real) > 1e-2


def test_first_order_beams_do_not_buckle() -> None:
    model = beam_on(order=1, terms={"v": 4})
    model.add(gs.Force("dead", "beam.tip", (-(np.pi**2) / 2, 0, 0)))
    assert np.sqrt(squared_frequencies(model)[0]) == pytest.approx(3.5160153, rel=1e-4)


def test_free_beam() -> None:
    found = squared_frequencies(beam_on(gs.Planar("free", "ground", "beam")))
    assert np.sqrt(found[3]) == pytest.approx(22.3732854, rel=1e-7)
    np.testing.assert_allclose(found[:3], 0, atol=1e-6)


@pytest.fixture(scope="module")
def rotor() -> System:
    terms = {"v": 6, "w": 6}
    return gs.formulate(beam_on(gs.Revolute("hub", "ground", "beam", driven="3.5*t"), Iy=1, terms=terms))


def test_centrifugal_stiffening(rotor: System) -> None:
    """Flapping at η = 3.5 by series; in the plane of rotation the square is smaller by η²."""
    found = squared_frequencies(rotor)
    np.testing.assert_allclose(found[:2], [5.178931382**2 - 3.5**2, 5.178931382**2], rtol=1e-6)


@pytest.mark.parametrize(("speed", "stable"), [(3.51, True), (3.52, False)])
def test_first_order_beams_are_unstable_above_their_own_frequency(speed: float, stable: bool) -> None:
    hub = gs.Revolute("hub", "ground", "beam", driven=f"{speed}*t")
    softest = squared_frequencies(beam_on(hub, order=1, terms={"v": 4}))[0]
    assert softest > 0 if stable else softest < 0


def test_lateral_buckling_needs_curvatures_of_second_order() -> None:
    """Prandtl: a tip load across the stiff plane of a strip, EIz much larger than EIy = GJ = 1."""
    given = UNIT | {"Iz": 1e6, "Iy": 1, "G": 1, "J": 1, "terms": {"v": 2, "w": 6, "phi": 6}, "rotary_inertia": True}
    beam, numbers = gs.Beam("beam", **given).properties, gs.Model("numbers").evaluator()
    sums = strain_sums(beam, numbers)
    arm = StationArm("arm", End("beam"), End("tip"), beam=beam, at=1)
    size = len(beam.labels)

    def residual(q: Any, load: float) -> Any:
        R_PC = np.array(arm.pose(list(q), numbers).R_PC, dtype=float)
        moved = np.array([mode.linear for mode in arm.motion_space(list(q), numbers)], dtype=float)
        return np.array(sums.loads(list(q), [0] * size, 0), dtype=float) + moved @ R_PC.T @ np.array([0, load, 0])

    def softest(load: float) -> float:
        """Return the smallest stiffness out of the plane, at the deflection in the plane."""
        q = np.zeros(size)
        q[0] = load / 6e6 * 3  # v = P (3 x² − x³)/6 EI, Ritz functions x² and x² (2 x − 1)
        q[1] = -load / 12e6
        q[0] = load / 2e6 + q[1]
        np.testing.assert_allclose(residual(q, load)[:2], 0, atol=1e-5 * load)
        h, out = 1e-6, slice(2, size)
        rows = [(residual(q + h * e, load) - residual(q - h * e, load))[out] / (2 * h) for e in np.eye(size)[out]]
        return float(np.linalg.eigvalsh(-np.array(rows))[0])

    critical = 4.01259934
    assert abs(jv(-0.25, critical / 2)) < 1e-8
    assert softest(critical * 0.999) > 0 > softest(critical * 1.001)


def test_spin_up_of_a_beam_of_second_order() -> None:
    """With every product of displacements −0.57586, by an independent program; to second order the published case."""
    assert _spun_up(order=2).min() == pytest.approx(-0.57586, abs=2e-5)
    peak, _ = value(case("spinup_beam_simo"), "peak_tip_deflection")
    assert _spun_up(order=2, kinetic_energy="truncated").min() == pytest.approx(peak, abs=2e-5)


@pytest.mark.filterwarnings("ignore:Stability limited the step")  # stretch is stiff
@pytest.mark.parametrize(
    ("terms", "peak"), [({"v": 4}, -0.57376), pytest.param({"v": 4, "u": 2}, -0.57380, marks=SLOW)]
)
def test_spin_up_of_a_beam_of_order_exact(terms: dict[str, int], peak: float) -> None:
    """Without and with stretch, by an independent strain-based computation and by ANCF cables."""
    assert _spun_up(order="exact", terms=terms).min() == pytest.approx(peak, abs=2e-5)


def _spun_up(*, terms: Any = None, duration: float = 8, **changed: Any) -> Any:
    """Return the deflection of the tip in the rotating frame, over the first seconds."""
    given = case("spinup_beam_simo")["parameters"]
    parameters = {name: given[name] for name in ("L", "omega_s", "Ts")}
    model = gs.Model("spin-up", parameters=parameters)
    section = {"area": 1.0, "Iz": given["rhoI"] / given["rhoA"], "E": given["EA"], "density": given["rhoA"]}
    model.add(gs.Beam("beam", length="L", terms=terms or {"v": 4}, **section, **changed))
    driven = "omega_s/Ts*(t**2/2 + (Ts/(2*pi))**2*(cos(2*pi*t/Ts) - 1))"
    model.add(gs.Revolute("hub", "ground", "beam", driven=driven))
    assert section["E"] * section["Iz"] == pytest.approx(given["EI"])
    result = gs.simulate(model, duration=duration, step=0.02, integrator=gs.DOP853(rtol=1e-9, atol=1e-10))
    tip, angle = np.array(result["beam.tip"]), np.array(result["hub"])
    return np.cos(angle) * tip[:, 1] - np.sin(angle) * tip[:, 0]


def test_beams_of_first_order_diverge_in_a_spin_up_and_the_run_tells_why() -> None:
    with pytest.warns(gs.GyrostatWarning, match="Order 1 has no shortening by bending: a beam that rotates fast is"):
        assert _spun_up(order=1).min() < -1.5
    with pytest.warns(
        gs.GyrostatWarning, match=r"ended at t = 1.*slope of beam 'beam' has grown to .*order=2 or order="
    ):
        assert len(_spun_up(order=1, duration=15)) < 700


def test_an_equilibrium_beyond_the_validity_of_second_order_is_noted() -> None:
    """P L²/EI = 0.8: the slope of the linear deflection is 0.4, the error of its size 7 %."""
    model = beam_on(terms={"v": 2})
    model.add(gs.Force("dead", "beam.tip", (0, 0.8, 0)))
    found = gs.equilibrium(model)
    assert "The slope of beam 'beam' reaches 0.4; order 2 is accurate up to 0.15" in str(found)
    assert "off by about 7 %" in str(found)
    model = beam_on(terms={"v": 2})
    model.add(gs.Force("dead", "beam.tip", (0, 0.2, 0)))
    assert "slope" not in str(gs.equilibrium(model))


def test_slopes_between_outputs_are_noted() -> None:
    """A sudden load bends the beam to twice its slope at rest, 0.1, and back after 5.7 ms: outputs are there."""
    model = gs.Model("struck")
    model.add(gs.Beam("beam", length=1, area=1, Iz=1e-4, E=1e9, density=1, terms={"v": 2}))
    model.add(gs.Weld("clamp", "ground", "beam"))
    model.add(gs.Force("load", "beam.tip", (0, 2e4, 0)))
    with pytest.warns(gs.GyrostatWarning, match=r"The slope of beam 'beam' reaches 0\.(19|20)\d* at t = 0\.00[23]"):
        run = gs.simulate(model, 0.0057, step=0.0057)
    assert abs(float(run["beam.tip.slope"][-1].max())) < 0.15


def test_eight_terms_of_taylors_basis_have_the_frequencies_of_legendres() -> None:
    """They are the same functions; the least eigenvalue of the scaled mass matrix is 6e-13 of the largest."""
    found = [
        [mode.frequency for mode in gs.linearize(beam_on(terms={"v": 8}, basis=basis), at={}).modes()[:3]]
        for basis in ("taylor", "legendre")
    ]
    np.testing.assert_allclose(found[0], found[1], rtol=1e-5)


def test_steady_stretch_of_a_rotating_bar() -> None:
    """Ω = 5, E A = 1e4: tan(k L)/k − L with k = Ω √(ρA/EA)."""
    model = beam_on(gs.Revolute("hub", "ground", "beam", driven="5*t"), E=1e4, terms={"u": 4})
    system = gs.formulate(model)
    found = root(lambda q: system.inverse_dynamics(q, np.zeros(4), np.zeros(4)), np.zeros(4))
    assert float(system.poses(found.x)["beam.tip"].position[0]) - 1 == pytest.approx(8.34168e-4, rel=1e-6)


def test_steady_rotation_of_a_strain_based_beam() -> None:
    """Nothing depends on time but the angle of the hub: the stored derivatives by time are none."""
    hub = gs.Revolute("hub", "ground", "beam", driven="5*t")
    found = gs.steady_motion(beam_on(hub, E=1e4, terms={"v": 1, "u": 4}, order="exact"), {})
    assert float(found.system.poses(found.q)["beam.tip"].position[0]) - 1 == pytest.approx(8.34168e-4, rel=1e-6)


@pytest.fixture(scope="module")
def elastica() -> System:
    model = gs.Model("elastica", parameters={"P": 0.0, "M": 0.0})
    model.add(gs.Beam("beam", **(UNIT | {"terms": {"v": 6}, "order": "exact"})))
    model.add(gs.Weld("clamp", "ground", "beam"))
    model.add(gs.Force("dead", "beam.tip", (0, "P", 0)))
    model.add(gs.Torque("moment", "beam.tip", (0, 0, "M")))
    return gs.formulate(model)


def _bent(system: System, **parameters: float) -> Any:
    """Return the pose of the tip at rest under loads, raised step by step."""
    zero = np.zeros(system.coordinates.n_u)
    q = zero
    for share in (0.25, 0.5, 0.75, 1.0):
        loads = {name: share * load for name, load in parameters.items()}
        found = root(lambda x, now=loads: system.inverse_dynamics(x, zero, zero, parameters=now), q, tol=1e-12)
        q = found.x
    return system.poses(q)["beam.tip"]


@pytest.mark.parametrize(
    ("load", "w", "u", "theta"),
    [(0.5, 0.16214358, 0.01591896, 0.24453365), (3.0, 0.60325344, 0.25442018, 0.98601695)],
)
def test_elastica(elastica: System, load: float, w: float, u: float, theta: float) -> None:
    """Large deflections under a dead load across the tip, by a boundary value solver."""
    tip = _bent(elastica, P=load)
    x, y, _ = np.array(tip.position)
    assert (y, 1 - x) == pytest.approx((w, u), abs=2e-8)
    slope = np.array(tip.rotation)[1, 0]
    assert np.arcsin(slope) == pytest.approx(theta, abs=4e-8)


def test_a_moment_rolls_the_beam_into_a_circle(elastica: System) -> None:
    tip = _bent(elastica, M=2 * np.pi)
    np.testing.assert_allclose(np.array(tip.position), 0, atol=1e-9)


def test_flexible_pendulum() -> None:
    """EI = 0.5, hinged, from the horizontal: strain-based and 16 to 64 rigid segments extrapolated agree to 1e-4."""
    model = gs.Model("pendulum", gravity=(0, -9.81, 0))
    model.add(gs.Beam("beam", **(UNIT | {"E": 0.5, "terms": {"v": 8}, "order": "exact"})))
    model.add(gs.Revolute("hinge", "ground", "beam"))
    result = gs.simulate(model, duration=1, step=0.5, integrator=gs.DOP853(rtol=1e-8, atol=1e-9))
    tip = np.array(result["beam.tip"])
    np.testing.assert_allclose(tip[1, :2], (-0.10745, -0.99323), atol=1e-4)
    np.testing.assert_allclose(tip[2, :2], (-0.9928, 0.0406), atol=1e-4)
    energy = np.array(result.energy()["total"])
    np.testing.assert_allclose(energy, energy[0], atol=1e-6)


def test_power_balance_with_damping_and_gravity() -> None:
    """The energy of a spatial beam falls by the power of its damping."""
    given = UNIT | {"terms": {"v": 2, "w": 2, "phi": 1}, "damping": 2e-3, "rotary_inertia": True}
    given |= {"Iz": 0.01, "Iy": 0.02, "J": 0.03, "E": 3000, "G": 700}
    model = gs.Model("damped", gravity=(0, -9.81, 3))
    model.add(gs.Beam("beam", **given))
    model.add(gs.Spherical("ball", "ground", "beam", initial={"w1": 1, "w2": 0.4, "w3": -2}))
    result = gs.simulate(model, duration=0.5, step=0.05, integrator=gs.DOP853(rtol=1e-10, atol=1e-11))
    energy = result.energy()
    assert float(energy["total"][-1]) < float(energy["total"][0]) - 5e-4
    np.testing.assert_allclose(energy["balance"], 0, atol=1e-6)
