"""Static equilibria against closed forms: trees, loops, Euler parameters, drivers, stability and messages."""

from pathlib import Path

import numpy as np
import pytest
from loop_models import closed_chain
from operating_models import bead_on_hoop, hanging_four_bar, truss
from scipy.optimize import brentq
from simulations import ball, double_pendulum

import gyrostat as gs
from gyrostat.analysis.variations.dynamics import Dynamics
from gyrostat.closing.closing import Closer

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.fixture(scope="module")
def pendulum():
    return gs.formulate(double_pendulum())


def test_all_equilibria_of_a_double_pendulum(pendulum):
    found = gs.equilibrium(pendulum, guess={"a1": 0.1}, search=25)
    assert found.kind is gs.OperatingKind.EQUILIBRIUM
    angles = {tuple(round(abs(x) / np.pi) for x in point.q): point for point in found.all}
    assert set(angles) == {(0, 0), (0, 1), (1, 0), (1, 1)}
    np.testing.assert_allclose(found.q, 0, atol=1e-12)
    assert all(np.abs(point.q).max() <= np.pi + 1e-9 for point in found.all)
    verdicts = {place: point.stability.verdict for place, point in angles.items()}
    assert verdicts.pop((0, 0)) is gs.Verdict.STABLE
    assert set(verdicts.values()) == {gs.Verdict.UNSTABLE}
    assert "falls in 2 directions" in str(angles[1, 0].stability)
    assert "3 other solutions" in str(found)


def test_guesses_lead_to_equilibria_near_them(pendulum):
    found = gs.equilibrium(pendulum, guesses=[{"a1": 3.0}, {"a2": 3.0}, {"a1": 3.1}])
    assert [np.round(np.abs(point.q) / np.pi).tolist() for point in found.all] == [[1, 0], [0, 1]]


def test_random_positions_are_searched_once_for_a_guess_of_all_coordinates(monkeypatch):
    """Rough values of all coordinates leave a loop open: each is kept near the position found, where it can be."""
    system, calls = gs.formulate(hanging_four_bar(1.5)), []
    original = Closer.closed

    def counted(self, *args, **options):
        calls.append(self.trials)
        return original(self, *args, **options)

    want = gs.equilibrium(system, guess={"h1": -1.2, "h2": 1.2})
    guess = {name: want[name] + 0.05 * i for i, name in enumerate(system.coordinate_names)}
    monkeypatch.setattr(Closer, "closed", counted)
    found = gs.equilibrium(system, guess=guess)
    assert found.q == pytest.approx(want.q, abs=1e-9)
    assert 0 in calls  # some names were tried by themselves
    assert len([trials for trials in calls if trials]) < 40
    assert len(calls) < 60


def test_guesses_that_lead_nowhere_are_mentioned():
    """A load x³ − 3 x + 3 is zero at one place only, and from others it pushes away without end."""
    model = gs.Model("runaway")
    model.add(gs.Body("mass", gs.point_mass(1)))
    model.add(gs.Prismatic("x", "ground", "mass", axis="x"))
    model.add(gs.TorsionSpring("push", "x", torque="x**3 - 3*x + 3"))
    found = gs.equilibrium(model, guesses=[{"x": -2.0}, {"x": 1.0}])
    assert found["x"] == pytest.approx(np.roots([1, 0, -3, 3])[0].real)
    assert found.notes == ("1 of 2 guesses led to no equilibrium",)
    with pytest.raises(gs.StateError, match=r"No equilibrium of 'runaway' was found: .* in x: "):
        gs.equilibrium(model, guess={"x": 1.0})


def test_full_turns_do_not_count_where_nothing_depends_on_them(pendulum):
    found = gs.equilibrium(pendulum, guesses=[{"a1": 0.1}, {"a1": 9.3}, {"a1": 6.2}, {"a1": -3.0}])
    assert np.abs(np.concatenate([point.q for point in found.all])) == pytest.approx([0, 0, np.pi, 0], abs=1e-9)
    wound = double_pendulum()
    wound.add(gs.TorsionSpring("winding", "a1", 1.5))
    found = gs.equilibrium(wound, guesses=[{}, {"a1": 5.5}])
    assert [round(point["a1"], 1) for point in found.all] == [0.0, 5.6]


def test_a_torque_that_holds_an_arm(pendulum):
    found = gs.equilibrium(pendulum, fixed={"a1": 0.5}, solve_for=["motor"])
    assert found["a1"] == pytest.approx(0.5, abs=1e-12)
    assert found["a2"] == pytest.approx(-0.5, abs=1e-9)
    assert found.inputs["motor"] == pytest.approx((1.2 * 0.5 + 0.7) * 9.81 * np.sin(0.5))
    mass = gs.equilibrium(pendulum, fixed={"a1": 0.5}, inputs={"motor": 7.0}, solve_for=["m1"])
    assert mass.parameters["m1"] == pytest.approx((7.0 / 9.81 / np.sin(0.5) - 0.7) / 0.5)


def test_without_a_load_that_holds_it_the_need_is_named(pendulum):
    need = (1.2 * 0.5 + 0.7) * 9.81 * np.sin(0.5)
    with pytest.raises(gs.StateError, match=f"unbalanced in a1: -{need:.4g} N·m.* solve_for"):
        gs.equilibrium(pendulum, fixed={"a1": 0.5})


@pytest.mark.parametrize(("base", "angle", "frequency"), [(1.0, 90, 3.431035), (2.0, 60, 4.345038)])
def test_hanging_four_bars(base, angle, frequency):
    """Their frequencies feel the stiffness of multipliers, all but the parallelogram's."""
    found = gs.equilibrium(hanging_four_bar(base), guess={"h1": -1.2, "h2": 1.2})
    assert np.degrees([found["h1"], found["h2"]]) == pytest.approx([-angle, angle], abs=1e-9)
    assert found.stability.verdict is gs.Verdict.STABLE
    assert np.abs(found.stability.eigenvalues.imag) == pytest.approx(frequency, abs=1e-6)
    above = gs.equilibrium(hanging_four_bar(base), guess={"h1": 1.2, "h2": -1.2})
    assert above.stability.verdict is gs.Verdict.UNSTABLE
    assert above.stability.eigenvalues.real.max() == pytest.approx(frequency, abs=1e-6)


@pytest.mark.parametrize("coordinates", ["absolute", "branch"])
def test_the_choice_of_coordinates_changes_nothing(coordinates):
    system = gs.formulate(hanging_four_bar(2.0), coordinates=coordinates)
    found = gs.equilibrium(system, guess={"h1": -1.2, "h2": 1.2})
    assert found["h1"] == pytest.approx(np.radians(-60), abs=1e-8)
    assert np.abs(found.stability.eigenvalues.imag) == pytest.approx(4.345038, abs=1e-6)


def test_chains_hang_as_catenaries():
    """The sag of a chain of rods comes near that of a catenary as the square of their length."""
    a = brentq(lambda a: a * np.sinh(0.6 / a) - 1.0, 0.05, 10.0)
    errors = []
    for count in (4, 8):
        found = gs.equilibrium(gs.formulate(closed_chain(count)))
        assert found.stability.verdict is gs.Verdict.STABLE
        middle = found[f"link{count // 2}.a"]
        np.testing.assert_allclose(middle[0], 0.6, atol=1e-9)
        errors.append(middle[1] + a * (np.cosh(0.6 / a) - 1.0))
    assert 3.4 < errors[0] / errors[1] < 4.8


def test_a_redundant_loop():
    """A bar on three equal cranks, one of which follows from the others: ω² = (3 g/2 + g)/(3/3 + 1)."""
    model = gs.Model("three cranks", gravity=(0, -9.81, 0))
    model.add(gs.Body("bar", gs.slender_rod(1, 2, along="x"), points={f"p{i}": (i - 1, 0, 0) for i in range(3)}))
    for i in range(3):
        ends = {"top": (0, 0.5, 0), "low": (0, -0.5, 0)}
        model.add(gs.Body(f"crank{i}", gs.slender_rod(1, 1, along="y"), points=ends))
        model.add(gs.Revolute(f"c{i}", ("ground", (i, 0, 0)), f"crank{i}.top", initial=0.4))
        model.add(gs.Revolute(f"k{i}", f"crank{i}.low", f"bar.p{i}", initial=-0.4))
    system = gs.formulate(model)
    assert system.rank.redundant
    found = gs.equilibrium(system)
    assert [found[name] for name in ("c0", "c2", "k1")] == pytest.approx([0, 0, 0], abs=1e-9)
    assert found.stability.verdict is gs.Verdict.STABLE
    assert np.abs(found.stability.eigenvalues.imag) == pytest.approx(np.sqrt(1.25 * 9.81), rel=1e-7)


def test_euler_parameters_on_springs():
    """A box hangs from four equal springs: level, lower by its weight over their stiffness, free in nothing."""
    model = gs.Model("hung box", gravity=(0, 0, -9.81))
    corners = {f"c{i}": (x, y, 0) for i, (x, y) in enumerate(((1, 1), (1, -1), (-1, 1), (-1, -1)))}
    model.add(gs.Body("box", gs.box(10, (2, 2, 0.2)), points=corners))
    model.add(gs.Free("flight", "ground", "box", initial={"e0": np.cos(0.2), "e1": np.sin(0.2), "x": 0.2}))
    for name, (x, y, _) in corners.items():
        model.add(gs.SpringDamper(name + "s", ("ground", (x, y, 2)), f"box.{name}", stiffness=100, length=2, damping=5))
    found = gs.equilibrium(model)
    assert found["flight.z"] == pytest.approx(-10 * 9.81 / 400, abs=1e-10)
    assert abs(found["flight.e0"]) == pytest.approx(1.0, abs=1e-12)
    assert found.stability.verdict is gs.Verdict.STABLE
    assert len(found.stability.eigenvalues) == 12


def test_neutral_directions_are_named():
    model = gs.Model("drifting", gravity=(0, 0, -9.81))
    model.add(gs.Body("cart", gs.box(2, (1, 1, 1))))
    model.add(gs.Body("bob", gs.point_mass(1), points={"top": (0, 0, 1)}))
    model.add(gs.Prismatic("way", "ground", "cart", axis="x"))
    model.add(gs.Revolute("swing", "cart", "bob.top", axis="y", initial=0.3))
    found = gs.equilibrium(model)
    assert found.stability.verdict is gs.Verdict.NEUTRAL
    assert found["swing"] == pytest.approx(0.0, abs=1e-9)
    assert found.notes == ("nothing changes along 'way'",)
    everywhere = gs.equilibrium(model, search=8)  # one of each family
    assert np.abs([point["swing"] for point in everywhere.all]) == pytest.approx([0, np.pi], abs=1e-9)
    body = gs.Model("space")
    body.add(gs.Body("body", gs.box(1, (1, 2, 3))))
    body.add(gs.Free("flight", "ground", "body"))
    assert "6 directions" in gs.equilibrium(body).stability.reason


def test_a_flat_minimum_is_undecided():
    model = gs.Model("quartic")
    model.add(gs.Body("mass", gs.point_mass(1)))
    model.add(gs.Prismatic("x", "ground", "mass", axis="x"))
    model.add(gs.TorsionSpring("spring", "x", torque="-x**3"))
    found = gs.equilibrium(model)
    assert found.stability.verdict is gs.Verdict.UNDECIDED
    assert "to second order in one direction" in found.stability.reason


def test_follower_loads_are_judged_by_eigenvalues():
    """A rod with torsion springs under a load along its end flutters beyond a critical load (Ziegler)."""
    model = gs.Model("Ziegler", parameters={"P": 1.0})
    for name, mass in (("lower", 2.0), ("upper", 1.0)):
        ends = {"a": (-1, 0, 0)}
        model.add(gs.Body(name, gs.point_mass(mass), points=ends))
    model.add(gs.Revolute("a1", "ground", "lower.a"))
    model.add(gs.Revolute("a2", "lower", "upper.a"))
    for name in ("a1", "a2"):
        model.add(gs.TorsionSpring(f"spring_{name}", name, 1.0))
    model.add(gs.Force("load", "upper", ("-P", 0, 0), axes="upper"))
    system = gs.formulate(model)
    critical = 7 / 2 - np.sqrt(2)  # of masses 2 m, m and equal springs
    below, above = (gs.equilibrium(system, parameters={"P": critical + shift}) for shift in (-0.01, 0.01))
    assert below.stability.verdict is gs.Verdict.STABLE
    assert "to first order" in below.stability.reason
    assert above.stability.verdict is gs.Verdict.UNSTABLE


def test_drivers_at_rest_and_moving():
    model = gs.Model("driven", gravity=(0, -9.81, 0), parameters={"tilt": 0.4})
    for name in ("one", "two"):
        model.add(gs.Body(name, gs.point_mass(1), points={"top": (0, 1, 0)}))
    model.add(gs.Revolute("a1", "ground", "one.top", driven="tilt"))
    model.add(gs.Revolute("a2", "one", "two.top"))
    assert gs.equilibrium(model)["a2"] == pytest.approx(-0.4, abs=1e-10)
    with pytest.raises(gs.StateError, match="no equilibrium while 'turn' is driven and moves"):
        gs.equilibrium(bead_on_hoop(0.5, 9.81, 1.0, 6.0))


def test_a_constraint_that_moves_is_refused():
    model = gs.Model("lifted", gravity=(0, -9.81, 0), parameters={"rate": 0.5})
    model.add(gs.Body("bar", gs.rod(1, 1, along="x"), points={"a": (-0.5, 0, 0), "b": (0.5, 0, 0)}))
    model.add(gs.Planar("flight", "ground", "bar"))
    model.add(gs.PointDriver("lift", "bar.a", {"y": "rate*t"}))
    with pytest.raises(gs.StateError, match="no equilibrium while 'lift' is driven and moves"):
        gs.equilibrium(model)
    found = gs.equilibrium(model, parameters={"rate": 0})
    assert found["flight.angle"] == pytest.approx(-np.pi / 2, abs=1e-9)
    assert found.notes == ("nothing changes along 'flight.x'",)


def test_loads_that_depend_on_time_are_mentioned():
    model = truss()
    model.add(gs.Force("gust", "mass", (0, "0.1*t", 0)))
    found = gs.equilibrium(model, t=2.0)
    assert found.t == 2.0
    assert found.notes == ("loads depend on time: this is the equilibrium at t = 2 s",)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"guess": {"a1.rate": 1.0}}, "'a1.rate' is a speed, which is zero"),
        ({"guess": {"a3": 1.0}}, "no coordinate, speed or unknown 'a3' to guess"),
        ({"fixed": {"a3": 1.0}}, "no coordinate 'a3' to fix"),
        ({"solve_for": ["motr"]}, "no input, parameter or speed 'motr' to solve for. Did you mean 'motor'"),
    ],
)
def test_refusals(pendulum, options, message):
    with pytest.raises(gs.StateError, match=message):
        gs.equilibrium(pendulum, **options)


def test_what_nothing_holds_has_none():
    with pytest.raises(gs.StateError, match=r"No equilibrium of 'ball' was found: .* in z: -9.81 N"):
        gs.equilibrium(ball())


def test_settling_ends_at_a_kink(monkeypatch):
    """A disc that has fallen on its plane jumps from one side of its rim to the other, and would go on for ever."""
    steps = []
    tangent = Dynamics.tangent
    monkeypatch.setattr(Dynamics, "tangent", lambda self, q: steps.append(q) or tangent(self, q))
    system = gs.formulate(gs.Model.load(EXAMPLES / "rolling_disc.yaml"))
    point = gs.equilibrium(system)
    assert point.state["flight.z"] == pytest.approx(0.3), "upright, although not stable"
    assert len(steps) < 100
