"""Steady motions against published numbers and closed forms, and why some motions are not steady."""

import numpy as np
import pytest
from cases import case, value
from operating_models import (
    bead_on_hoop,
    disc_in_a_circle,
    free_disc,
    governor,
    planar_vehicle,
    rotating_pendulum,
    top,
    upright_disc,
    vehicle,
)
from simulations import double_pendulum

import gyrostat as gs
from gyrostat.analysis.variations.steadiness import require_steady

CONE, TOP, DISC, HOOP = (
    case(name) for name in ("trom_rotating_pendulum", "lagrange_top", "rolling_disc", "bead_on_rotating_hoop")
)


@pytest.fixture(scope="module")
def pendulum():
    given = CONE["parameters"]
    return gs.formulate(rotating_pendulum(given["m"], given["l"], given["g"]))


@pytest.fixture(scope="module")
def circle():
    given = DISC["parameters"]
    return gs.formulate(disc_in_a_circle(given["m"], given["R"], given["g"]))


@pytest.fixture(scope="module")
def upright():
    given = DISC["parameters"]
    square = given["m"] * given["R"] ** 2
    return gs.formulate(upright_disc(given["m"], given["R"], given["g"], square / 2, square / 4))


@pytest.fixture(scope="module")
def car():
    return gs.formulate(vehicle())


def frequencies(point):
    """Return the positive imaginary parts of eigenvalues."""
    found = point.stability.eigenvalues.imag
    return np.sort(found[found > 1e-6])


def of_disc(name):
    """Return a published value of the disc."""
    (found,) = [one["value"] for one in DISC["quantities"] if one["name"] == name and one["body"] == "disc"]
    return found


def test_rotating_pendulum(pendulum):
    rate, angle = CONE["initial_conditions"]["phidot"], CONE["initial_conditions"]["theta"]
    found = gs.steady_motion(pendulum, {"turn.rate": rate}, guess={"swing": 0.4})
    assert found.kind is gs.OperatingKind.STEADY_MOTION
    assert found["swing"] == pytest.approx(angle, abs=1e-12)
    assert found["swing.rate"] == 0.0
    assert found.stability.verdict is gs.Verdict.STABLE
    assert frequencies(found) == pytest.approx([value(CONE, "eigenvalue_imag_exact")], abs=1e-9)
    again = gs.steady_motion(pendulum, fixed={"swing": angle}, solve_for=["turn.rate"], guess={"turn.rate": 4.0})
    assert again["turn.rate"] == pytest.approx(rate, abs=1e-12)
    assert again.notes == ()


@pytest.mark.parametrize("angle", [0.5, 0.0])
def test_the_choice_of_coordinates_changes_nothing(angle):
    """In absolute coordinates velocities, and the coefficients of the linear motion, go round in axes of the world."""
    model = gs.Model("rotating pendulum", gravity=(0, 0, -9.81))
    model.add(gs.Body("plane", mass=1, inertia=(0.1, 0.1, 0.1)))
    model.add(gs.Body("ball", gs.sphere(10, 0.05), points={"pivot": (0, 0, 0.5)}))
    model.add(gs.Revolute("turn", "ground", "plane"))
    model.add(gs.Revolute("swing", "plane", "ball.pivot", axis="x"))
    points = [
        gs.steady_motion(gs.formulate(model, coordinates=choice), {"turn.rate": 5.0}, guess={"swing": angle})
        for choice in ("joint", "absolute")
    ]
    assert points[1]["swing"] == pytest.approx(points[0]["swing"], abs=1e-7)
    first, second = (np.sort_complex(point.stability.eigenvalues[:2]) for point in points)
    np.testing.assert_allclose(second, first, atol=1e-5)
    assert points[1].stability.verdict is (gs.Verdict.STABLE if angle else gs.Verdict.UNSTABLE)


def test_what_is_left_open_is_said(pendulum):
    found = gs.steady_motion(pendulum, solve_for=["turn.rate"], guess={"turn.rate": 5.0, "swing": 0.5})
    assert found["turn.rate"] ** 2 * np.cos(found["swing"]) == pytest.approx(9.81 / 0.5)
    assert found.notes == ("one of a family, not unique in 'turn.rate'; the point nearest to the guess was taken",)


def test_bead_on_a_driven_hoop():
    given = HOOP["parameters"]
    system = gs.formulate(bead_on_hoop(given["R"], given["g"], given["m"], given["Omega"]))
    up = gs.steady_motion(system, guess={"angle": 1.2})
    assert up["angle"] == pytest.approx(value(HOOP, "equilibrium_theta"), rel=1e-12)
    assert frequencies(up) == pytest.approx([value(HOOP, "small_osc_freq")], rel=1e-9)
    bottom = gs.steady_motion(system, guess={"angle": 0.05})
    assert bottom["angle"] == pytest.approx(0.0, abs=1e-12)
    assert bottom.stability.verdict is gs.Verdict.UNSTABLE
    assert bottom.stability.eigenvalues.real.max() == pytest.approx(value(HOOP, "bottom_growth_rate"), rel=1e-9)


@pytest.fixture(scope="module")
def spinning():
    return gs.formulate(top(TOP["parameters"], "zxz"))


def test_a_family_is_no_branch(spinning):
    with pytest.raises(gs.StateError, match=r"not one branch but a family of motions, not unique in 'tip.angle3.rate'"):
        gs.continuation(
            spinning,
            over="tip.angle1.rate",
            to=3.0,
            speeds={"tip.angle1.rate": 1.9},
            solve_for=["tip.angle3.rate"],
            guess={"tip.angle3.rate": 50.0, "tip.angle2": 0.7},
        )


def test_precession_of_a_top(spinning):
    for rate in value(TOP, "steady_precession_slow_fast"):
        found = gs.steady_motion(
            spinning,
            {"tip.angle1.rate": float(rate)},
            fixed={"tip.angle2": "pi/4"},
            solve_for=["tip.angle3.rate"],
            guess={"tip.angle3.rate": 50.0},
        )
        spin = found["tip.angle3.rate"] + rate * np.cos(np.pi / 4)
        assert spin == pytest.approx(TOP["initial_conditions"]["steady"]["omega3"], rel=1e-10)
        assert found.stability.verdict is gs.Verdict.STABLE


def test_a_sleeping_top_needs_its_speed():
    system = gs.formulate(top(TOP["parameters"], None))
    threshold = value(TOP, "sleeping_top_min_spin")
    for factor, verdict in ((0.999, gs.Verdict.UNSTABLE), (1.001, gs.Verdict.STABLE)):
        assert gs.steady_motion(system, {"tip.w3": factor * threshold}).stability.verdict is verdict


def test_a_disc_rolls_in_a_circle(circle):
    found = gs.steady_motion(circle, {"azimuth.rate": 3.0}, fixed={"tilt": "60*deg"}, guess={"spin.rate": -4.0})
    spin = found["spin.rate"] + 3.0 * np.cos(np.pi / 3)
    assert spin == pytest.approx(value(DISC, "steady: wn for al=60deg, Om=3"), rel=1e-10)
    assert found["distance"] == pytest.approx(value(DISC, "steady: radius of centre path"), rel=1e-10)
    assert found.multipliers["roll: force along the normal"] == pytest.approx(9.81)
    run = gs.simulate(circle, duration=1.0, initial=found.state, step=0.25, integrator=gs.DOP853(rtol=1e-11))
    np.testing.assert_allclose(run["tilt"].values, np.pi / 3, atol=1e-8)
    np.testing.assert_allclose(run["spin.rate"].values, found["spin.rate"], atol=1e-7)


def test_an_upright_disc_needs_its_speed(upright):
    critical, wobble = of_disc("critical_speed"), of_disc("wobble_freq_at_1.5_crit")
    slow, fast = (gs.steady_motion(upright, {"x.rate": factor * critical}) for factor in (0.99, 1.5))
    assert slow.stability.verdict is gs.Verdict.UNSTABLE
    assert fast.stability.verdict is gs.Verdict.STABLE
    assert frequencies(fast)[-1] == pytest.approx(wobble, rel=1e-7)
    assert fast["spin.rate"] == pytest.approx(-1.5 * critical / DISC["parameters"]["R"])


@pytest.fixture(scope="module")
def rolling():
    given = DISC["parameters"]
    square = given["m"] * given["R"] ** 2
    return gs.formulate(free_disc(given["m"], given["R"], given["g"], square / 2, square / 4))


def test_a_free_disc_rolls_on_though_its_axes_go_round(rolling):
    """Its speeds are in axes that spin with it: they go round, and yet the motion is steady."""
    critical, wobble = of_disc("critical_speed"), of_disc("wobble_freq_at_1.5_crit")
    fast = gs.steady_motion(rolling, {"flight.w2": 1.5 * critical / DISC["parameters"]["R"]})
    assert fast["flight.v1"] == pytest.approx(1.5 * critical)
    assert frequencies(fast) == pytest.approx([wobble], rel=1e-7)
    assert fast.notes[0] == "relative equilibrium: speeds are constant in axes that rotate at constant rates"
    require_steady(fast)
    branch = gs.continuation(
        rolling, over="flight.w2", to=4.0, speeds={"flight.w1": 0, "flight.w2": 2.5, "flight.w3": 0}, points=3
    )
    assert [turn.value for turn in branch.turns] == pytest.approx([critical / DISC["parameters"]["R"]], rel=1e-6)


def test_a_free_disc_rolls_in_a_circle(rolling):
    lean, precession = np.radians(30), 3.0
    height = DISC["parameters"]["R"] * np.cos(lean)
    guess = {"e0": np.cos(lean / 2), "e1": np.sin(lean / 2), "w2": -3.5, "v1": -1.0}
    found = gs.steady_motion(
        rolling,
        {"flight.w1": 0.0, "flight.w3": precession * np.cos(lean)},
        fixed={"flight.z": height},
        solve_for=["flight.w2"],
        guess={f"flight.{name}": x for name, x in guess.items()},
    )
    spin = value(DISC, "steady: wn for al=60deg, Om=3")
    assert found["flight.w2"] == pytest.approx(spin, rel=1e-9)
    assert found["disc.velocity"][0] == pytest.approx(DISC["parameters"]["R"] * spin, rel=1e-9)
    assert found.stability.verdict is gs.Verdict.STABLE
    run = gs.simulate(rolling, duration=1.0, initial=found.state, step=0.5, integrator=gs.DOP853(rtol=1e-11))
    np.testing.assert_allclose(run["disc.z"], height, atol=1e-8)


def test_a_planar_vehicle_turns_like_a_free_one(car):
    free = gs.steady_motion(car, {"road.v1": 20.0}, solve_for=["drive"])
    found = gs.steady_motion(
        planar_vehicle(),
        {"road.x.rate": 20.0},
        fixed={"road.angle": 0.0},
        solve_for=["drive", "road.y.rate", "road.angle.rate"],
    )
    assert found["road.angle.rate"] == pytest.approx(free["road.w3"], rel=1e-9)
    assert found.parameters["drive"] == pytest.approx(free.parameters["drive"], rel=1e-7)
    assert frequencies(found) == pytest.approx(frequencies(free), rel=1e-7)


def test_a_governor_opens_its_loop():
    found = gs.steady_motion(governor(), {"turn.rate": 25.0})
    cosine = 9 * 9.81 / (0.3 * 25.0**2)  # of the arm's angle, by virtual work
    assert found["slide"] == pytest.approx(-0.6 * cosine, rel=1e-9)
    assert found.stability.verdict is gs.Verdict.STABLE
    assert found["arm"] == pytest.approx(-np.arccos(cosine), rel=1e-9)  # a joint that closes the loop


def test_a_vehicle_in_a_steady_turn(car):
    """Its yaw rate is V δ/(L + K V²) with the understeer gradient K; the drive balances what turning costs."""
    found = gs.steady_motion(car, {"road.v1": 20.0}, solve_for=["drive"])
    p = car.model.values()
    length = p["a"] + p["b"]
    gradient = p["m"] * (p["b"] / p["front"] - p["a"] / p["rear"]) / length
    assert found["road.w3"] == pytest.approx(20 * p["steer"] / (length + gradient * 400), rel=1e-10)
    assert found.parameters["drive"] == pytest.approx(-p["m"] * found["road.w3"] * found["road.v2"], rel=1e-8)
    assert found.stability.verdict is gs.Verdict.STABLE
    steered = gs.steady_motion(car, {"road.v1": 20.0, "road.w3": 0.1}, solve_for=["drive", "steer"])
    assert steered.parameters["steer"] == pytest.approx(0.1 * (length + gradient * 400) / 20, rel=1e-8)


def test_the_steady_turn_is_a_motion(car):
    found = gs.steady_motion(car, {"road.v1": 20.0}, solve_for=["drive"])
    run = gs.simulate(car, duration=2.0, initial=found.state, parameters=found.parameters, step=0.5)
    np.testing.assert_allclose(run.u, np.broadcast_to(found.u, run.u.shape), atol=1e-6)


def test_free_bodies_turn_steadily_about_principal_axes():
    model = gs.Model("free")
    model.add(gs.Body("body", mass=1, inertia=(1, 2, 3)))
    model.add(gs.Free("flight", "ground", "body"))
    system = gs.formulate(model)
    verdicts = [gs.steady_motion(system, {f"flight.w{i}": 2.0}).stability.verdict for i in (1, 2, 3)]
    assert verdicts == [gs.Verdict.STABLE, gs.Verdict.UNSTABLE, gs.Verdict.STABLE]
    with pytest.raises(gs.StateError, match=r"unbalanced in flight.w3: -1 N·m. The speeds of 'flight' are in the axes"):
        gs.steady_motion(system, {"flight.w1": 1.0, "flight.w2": 1.0})


@pytest.mark.parametrize(
    ("speeds", "options", "message"),
    [
        ({"swing.rate": 1.0}, {"guess": {"swing": 0.3}}, "The equations depend on 'swing', whose speed was chosen"),
        ({"turn": 1.0}, {}, "no speed 'turn' to choose. Did you mean 'turn.rate'"),
        (
            {"turn.rate": 5.0},
            {"fixed": {"swing": 0.3}},
            "loads stay unbalanced in swing: .* Solved for were coordinates only",
        ),
        ({"turn.rate": 5.0}, {"guess": {"swong": 0.3}}, "no coordinate, speed or unknown 'swong' to guess"),
        ({"turn.rate": 5.0}, {"solve_for": ["mass"]}, "no input, parameter or speed 'mass' to solve for"),
    ],
)
def test_refusals(pendulum, speeds, options, message):
    with pytest.raises(gs.StateError, match=message):
        gs.steady_motion(pendulum, speeds, **options)


def carriage(*elements):
    """Return a carriage that moves along x and carries a slide across."""
    model = gs.Model("carriage", gravity=(0, 0, 0))
    model.add(gs.Body("frame", gs.point_mass(1)))
    model.add(gs.Prismatic("x", "ground", "frame", axis="x"))
    model.add(gs.Body("slide", gs.point_mass(1)))
    model.add(gs.Prismatic("y", "frame", "slide", axis="y"))
    for element in elements:
        model.add(element)
    return model


def test_loads_that_depend_on_time_leave_no_speed_constant():
    model = carriage(gs.Force("push", "frame", ("sin(t)", 0, 0)))
    expected = r"loads are unbalanced later, in x: .* N\. Drivers or loads depend on time\. Make them constant"
    with pytest.raises(gs.StateError, match=expected):
        gs.steady_motion(model, {"x.rate": 1.0, "y.rate": 0.0})


def test_a_fixed_value_against_a_spring_that_does_not_yield():
    model = carriage(gs.TorsionSpring("stop", "y", stiffness=1e12))
    with pytest.raises(gs.StateError, match=r"'y' is off by 0\.1\. Choose fewer speeds or fixed values"):
        gs.steady_motion(model, {"x.rate": 1.0}, fixed={"y": 0.1})


def test_turning_world_axes_are_not_ignorable(upright):
    with pytest.raises(gs.StateError, match="depend on 'heading', whose speed was chosen"):
        gs.steady_motion(upright, {"x.rate": 1.0, "heading.rate": 1.0})


def test_a_driven_speed_is_not_chosen():
    with pytest.raises(gs.StateError, match=r"'turn.rate' cannot be chosen: its driver gives it"):
        gs.steady_motion(bead_on_hoop(0.5, 9.81, 1.0, 6.0), {"turn.rate": 2.0})


def test_at_rest_it_is_an_equilibrium():
    """At the bottom no load acts on a pendulum that swings through, yet it does not stay so: its speed must be zero."""
    guess = {"a1": 0.1, "a1.rate": 0.3}
    found = gs.steady_motion(double_pendulum(), solve_for=["a1.rate"], guess=guess)
    np.testing.assert_allclose(np.concatenate((found.q, found.u)), 0, atol=1e-9)
