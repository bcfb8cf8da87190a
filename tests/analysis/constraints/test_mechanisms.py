"""Constraint components in motion, against equivalent joints and closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from simulations import TIGHT, columns

import gyrostat as gs
from gyrostat.errors import StateError


def bob(**initial: float) -> gs.Model:
    """Return a point mass on slides along x and y, with weight along −y."""
    model = gs.Model("bob", gravity=(0, "-g", 0), parameters={"m": 2.0, "g": 9.81, "l": 1.0})
    model.add(gs.Body("carrier", mass=0))
    model.add(gs.Body("bob", gs.point_mass("m")))
    model.add(gs.Prismatic("x", "ground", "carrier", axis="x", initial=initial.get("x", 0.0)))
    model.add(gs.Prismatic("y", "carrier", "bob", axis="y", initial=initial.get("y", 0.0)))
    return model


def pendulum() -> gs.Trajectory:
    """Return the same mass on a hinge, from the horizontal, for a second."""
    model = gs.Model("pendulum", gravity=(0, "-g", 0), parameters={"m": 2.0, "g": 9.81, "l": 1.0})
    model.add(gs.Body("bob", gs.point_mass("m"), points={"top": (0, "l", 0)}))
    model.add(gs.Revolute("a", "ground", "bob.top", initial="90*deg"))
    return gs.simulate(model, duration=1, step=0.05, integrator=TIGHT)


def test_a_rod_is_a_pendulum():
    model = bob(x=1.0)
    model.add(gs.Distance("rod", "ground", "bob", "l"))
    found, wanted = gs.simulate(model, duration=1, step=0.05, integrator=TIGHT), pendulum()
    assert found["bob"].values == pytest.approx(wanted["bob"].values, abs=1e-10)
    tension = np.linalg.norm(wanted.reaction("a").force.values, axis=1)
    assert found["rod.force"].values == pytest.approx(tension, abs=1e-8)
    assert found["rod.force"].attrs["units"] == "N"
    assert found.residuals().position.max() < 1e-12
    assert found.residuals().speed.max() < 1e-12


def test_a_bead_on_a_circle_is_a_pendulum():
    model = bob(x=1.0)
    model.add(gs.PointOnCurve("wire", "bob", "ground", ["x**2 + y**2 - l**2"]))
    found, wanted = gs.simulate(model, duration=1, step=0.05, integrator=TIGHT), pendulum()
    assert found["bob"].values == pytest.approx(wanted["bob"].values, abs=1e-10)
    tension = np.linalg.norm(wanted.reaction("a").force.values, axis=1)
    assert found["wire.force"].values == pytest.approx(-tension, abs=1e-8)  # the normal points outward


def test_a_bead_on_an_incline():
    model = bob()
    model.add(gs.PointOnLine("rail", "bob", ("ground", (0, 0, 0)), (3, -4, 0)))
    trajectory = gs.simulate(model, duration=1, step=0.5, integrator=TIGHT)
    assert trajectory["x"].values[-1] == pytest.approx(0.5 * 9.81 * 0.8 * 0.6)
    loads = trajectory.constraint("rail")
    assert list(loads) == ["force along normal 1"]  # the other is out of the plane of motion
    assert np.abs(loads["force along normal 1"].values) == pytest.approx(np.full(3, 2 * 9.81 * 0.6))


def test_gears_share_inertia_and_lose_nothing():
    model = gs.Model("gears", parameters={"n": -2.5})
    model.add(gs.Body("small", mass=1, inertia=(1, 1, 0.1)))
    model.add(gs.Body("large", mass=1, inertia=(1, 1, 0.8)))
    model.add(gs.Revolute("a", "ground", "small"))
    model.add(gs.Revolute("b", ("ground", (1, 0, 0)), "large", initial=0.3))
    model.add(gs.Gear("mesh", "a", "b", "n", 0.3))
    model.add(gs.Actuator("motor", "a"))
    model.add(gs.TorsionSpring("coil", "b", 3.0))
    system = gs.formulate(model)
    motion = system.forward_dynamics({}, {"a.rate": 1.0, "b.rate": -2.5}, inputs={"motor": 2.0})
    inertia, load = 0.1 + 2.5**2 * 0.8, 2.0 - 2.5 * (-3.0 * 0.3)
    assert motion == pytest.approx([load / inertia, -2.5 * load / inertia])
    mesh = system.multipliers({}, {}, inputs={"motor": 2.0})["mesh: load on b"]
    assert mesh == pytest.approx(0.8 * motion[1] + 3.0 * 0.3)
    trajectory = gs.simulate(system, duration=5, initial={"a.rate": 1.0, "b.rate": -2.5}, step=0.05, integrator=TIGHT)
    assert np.abs(trajectory.energy().balance.values).max() < 1e-11
    assert columns(trajectory, "b")[:, 0] == pytest.approx(-2.5 * trajectory["a"].values + 0.3, abs=1e-12)
    axial = trajectory.reaction("b").moment.values[:, 2]
    spring = -3.0 * trajectory["b"].values
    assert axial == pytest.approx(trajectory["mesh.force"].values + spring, abs=1e-9)


def test_a_rack_has_the_unit_of_a_force():
    model = gs.Model("rack", gravity=(0, 0, -9.81))
    model.add(gs.Body("pinion", mass=1, inertia=(1, 1, 0.02)))
    model.add(gs.Body("rack", mass=3))
    model.add(gs.Revolute("turn", "ground", "pinion"))
    model.add(gs.Prismatic("lift", "ground", "rack", axis="z"))
    model.add(gs.RackPinion("teeth", "turn", "lift", 0.1))
    trajectory = gs.simulate(model, duration=1, step=0.5, integrator=TIGHT)
    fall = 3 * 9.81 / (3 + 0.02 / 0.1**2)
    assert trajectory["lift"].values[-1] == pytest.approx(-fall / 2)
    assert trajectory["turn"].values[-1] == pytest.approx(-fall / 2 / 0.1)
    assert trajectory["teeth.force"].values == pytest.approx(np.full(3, 3 * (9.81 - fall)))
    assert trajectory["teeth.force"].attrs["units"] == "N"


def test_a_cable_over_two_points_is_atwoods_machine():
    model = gs.Model("Atwood", gravity=(0, 0, "-g"), parameters={"m1": 3.0, "m2": 2.0, "g": 9.81})
    model.add(gs.Body("ground", points={"left": (0, 0, 0), "right": (1, 0, 0)}))
    for i in (1, 2):
        model.add(gs.Body(f"mass{i}", gs.point_mass(f"m{i}")))
        foot = ("ground", (float(i - 1), 0, -2))
        model.add(gs.Prismatic(f"z{i}", foot, f"mass{i}", axis="z"))
    model.add(gs.Cable("rope", ["mass1", "ground.left", "ground.right", "mass2"], 5))
    trajectory = gs.simulate(model, duration=0.5, step=0.1, integrator=TIGHT)
    assert trajectory["z1"].values[-1] == pytest.approx(-0.2 * 9.81 * 0.5**2 / 2)
    assert trajectory["rope.force"].values == pytest.approx(np.full(6, 2 * 3 * 2 * 9.81 / 5))
    assert trajectory.reaction("z1").force.values == pytest.approx(np.zeros((6, 3)), abs=1e-9)


def test_a_driven_point_is_a_driven_slide():
    """A pendulum whose pivot is moved: by the joint, and by a driver of a point on a free joint."""
    path = "0.1*sin(7*t)"

    def cart(**slide: str) -> gs.Model:
        model = gs.Model("cart", gravity=(0, -9.81, 0))
        model.add(gs.Body("cart", mass=3, points={"pin": (0, 0.2, 0)}))
        model.add(gs.Body("bar", gs.rod(1, 1, along="y"), points={"top": (0, 0.5, 0)}))
        model.add(gs.Prismatic("slide", "ground", "cart", axis="x", **slide))
        model.add(gs.Revolute("a", "cart.pin", "bar.top", initial=0.4))
        return model

    wanted = gs.simulate(cart(driven=path), duration=2, step=0.1, integrator=TIGHT)
    model = cart()
    model.add(gs.PointDriver("push", "cart.pin", {"x": path}))
    found = gs.simulate(model, duration=2, step=0.1, integrator=TIGHT)
    assert found["a"].values == pytest.approx(wanted["a"].values, abs=1e-10)
    assert found["push.force"].values == pytest.approx(wanted.driver_load("slide").values, abs=1e-7)
    works = [trajectory.energy() for trajectory in (found, wanted)]
    assert works[0].supplied.sel(supplier="push").values == pytest.approx(
        works[1].supplied.sel(supplier="slide").values, abs=1e-8
    )
    assert np.abs(works[0].balance.values).max() < 1e-9
    here = {"slide": 0.0, "a": 0.4}
    powers = found.system.powers(here, {"slide.rate": 0.7})
    assert powers.constraints["push"] == pytest.approx(found["push.force"].values[0] * 0.7)


def test_a_driven_orientation_is_a_driven_hinge():
    """A body on a ball joint, turned about a fixed axis."""
    places = {"points": {"eye": (0.3, -0.2, 0.1)}, "mass": 2, "inertia": (0.2, 0.3, 0.4)}
    wanted_model = gs.Model("hinge", gravity=(0, 0, -9.81))
    wanted_model.add(gs.Body("b", **places))
    wanted_model.add(gs.Revolute("h", "ground", "b.eye", axis=(1, 2, 2), driven="sin(2*t)"))
    model = gs.Model("ball", gravity=(0, 0, -9.81))
    model.add(gs.Body("b", **places))
    model.add(gs.Spherical("h", "ground", "b.eye"))
    model.add(gs.OrientationDriver("turn", "b", [((1, 2, 2), "sin(2*t)")]))
    t = 0.4
    wanted = gs.formulate(wanted_model).reactions([], [], t=t)["h"]
    system = gs.formulate(model)
    angle, axis = np.sin(2 * t), np.array([1, 2, 2]) / 3
    q, u = np.append(np.cos(angle / 2), np.sin(angle / 2) * axis), 2 * np.cos(2 * t) * axis
    moment = np.array(list(system.multipliers(q, u, t=t).values()))
    rotation = system.poses(q)["b"].rotation
    assert rotation @ moment == pytest.approx(wanted.moment, abs=1e-9)
    assert system.reactions(q, u, t=t)["h"].force == pytest.approx(wanted.force, abs=1e-9)
    trajectory = gs.simulate(system, duration=1, initial={"h.w1": 2 / 3, "h.w2": 4 / 3, "h.w3": 4 / 3}, step=0.5)
    half = np.sin(2) / 2
    assert trajectory["b.quaternion"].values[-1] == pytest.approx(
        np.append(np.cos(half), np.sin(half) * axis), abs=1e-9
    )


def test_a_bar_that_leans_on_a_rod_loads_its_hinge():
    """A horizontal bar, hinged at one end and held by a vertical rod at the other: each bears half the weight."""
    model = gs.Model("held bar", gravity=(0, -9.81, 0))
    model.add(gs.Body("bar", gs.rod(2, 1, along="x"), points={"a": (-0.5, 0, 0), "b": (0.5, 0, 0)}))
    model.add(gs.Revolute("h", "ground", "bar.a"))
    model.add(gs.Distance("rod", ("ground", (1, 2, 0)), "bar.b", 2))
    system = gs.formulate(model)
    assert system.forward_dynamics([0.0], [0.0]) == pytest.approx([0.0], abs=1e-12)
    assert system.multipliers([0.0], [0.0])["rod: tension"] == pytest.approx(9.81)
    assert system.reactions([0.0], [0.0])["h"].force == pytest.approx([0, 9.81, 0])


def test_an_equation_ties_a_point_to_a_coordinate():
    """The end of a bar is kept at a height that another joint sets: y = 0.2 + lift."""
    model = gs.Model("lift", gravity=(0, -9.81, 0))
    model.add(gs.Body("bar", gs.rod(2, 1, along="x"), points={"a": (-0.5, 0, 0), "b": (0.5, 0, 0)}))
    model.add(gs.Body("weight", mass=0.4))
    model.add(gs.Revolute("h", "ground", "bar.a", initial="asin(0.2)"))
    model.add(gs.Prismatic("lift", ("ground", (1, 0, 0)), "weight", axis="y"))
    model.add(gs.Equation("tie", "bar.b.y - 0.2 - lift"))
    trajectory = gs.simulate(model, duration=1, step=0.1, integrator=TIGHT)
    assert trajectory["bar.b.y"].values == pytest.approx(0.2 + trajectory["lift"].values, abs=1e-12)
    assert np.abs(trajectory.energy().balance.values).max() < 1e-10
    acceleration = trajectory["lift.acc"].values
    assert trajectory["tie.force"].values == pytest.approx(-0.4 * (9.81 + acceleration), abs=1e-8)


def test_redundant_components_are_named_and_borne():
    model = bob(x=1.0)
    model.add(gs.Distance("rod", "ground", "bob", "l"))
    model.add(gs.PointOnCurve("wire", "bob", "ground", ["x**2 + y**2 - l**2"]))
    system = gs.formulate(model)
    assert [str(one) for one in system.rank.dependences] == ["'wire': its constraint is already implied by rod"]
    found = gs.simulate(system, duration=1, step=0.05, integrator=TIGHT)
    assert found["bob"].values == pytest.approx(pendulum()["bob"].values, abs=1e-8)


def test_what_a_trajectory_says_of_unknown_constraints():
    trajectory = pendulum()
    with pytest.raises(StateError, match=r"There is no constraint 'rod' with a load\. The system has no constraints\."):
        trajectory.constraint("rod")
    assert float(trajectory.residuals().position.max()) == 0.0


def test_impacts_obey_constraints():
    """A pendulum on a rod bounces off a wall, as one on a hinge does."""
    wall = gs.Event("wall", "bob.x - 0.6", direction="falling", action=gs.Restitution(0.5))
    model = bob(x=1.0)
    model.add(gs.Distance("rod", "ground", "bob", "l"))
    found = gs.simulate(model, duration=0.8, step=0.1, integrator=TIGHT, events=[wall])
    hinged = gs.Model("pendulum", gravity=(0, -9.81, 0))
    hinged.add(gs.Body("bob", gs.point_mass(2), points={"top": (0, 1, 0)}))
    hinged.add(gs.Revolute("a", "ground", "bob.top", initial="90*deg"))
    wanted = gs.simulate(hinged, duration=0.8, step=0.1, integrator=TIGHT, events=[wall])
    assert len(found.events) == len(wanted.events) > 0
    assert found["bob"].values == pytest.approx(wanted["bob"].values, abs=1e-9)
    assert found["bob.velocity"].values == pytest.approx(wanted["bob.velocity"].values, abs=1e-8)


def test_the_driver_of_a_joint_that_closes_a_loop_supplies_its_work():
    """A hinge of a four-bar is driven: as an arc of the tree, or as the chord."""
    model = gs.Model("four-bar", gravity=(0, -9.81, 0))
    for name, length in {"crank": 0.4, "coupler": 1.0, "rocker": 0.8}.items():
        ends = {"a": (-length / 2, 0, 0), "b": (length / 2, 0, 0)}
        model.add(gs.Body(name, gs.slender_rod(length, length, along="x"), points=ends))
    model.add(gs.Revolute("h1", "ground", "crank.a", driven="0.5 + 2*t"))
    model.add(gs.Revolute("h2", "crank.b", "coupler.a", initial=0.13453))
    model.add(gs.Revolute("h3", "coupler.b", "rocker.b", initial=0.73952))
    model.add(gs.Revolute("h4", ("ground", (1, 0, 0)), "rocker.a"))
    runs = [
        gs.simulate(gs.formulate(model, cut=[cut]), duration=1, step=0.25, integrator=TIGHT).energy()
        for cut in ("h4", "h1")
    ]
    works = [run.supplied.sel(supplier="h1").values for run in runs]
    assert works[0] == pytest.approx(works[1], abs=1e-8)
    assert np.abs(works[0]).max() > 1.0
    assert all(np.abs(run.balance.values).max() < 1e-8 for run in runs)


def test_a_sphere_rolls_on_a_plank_that_gives_way():
    """No force acts along the track: the momentum of plank and sphere stays, and so does their energy."""
    model = gs.Model("plank", gravity=(0, 0, -9.81))
    model.add(gs.Body("plank", mass=3, inertia=(1, 1, 1), frames={"top": gs.Frame((0, 0, 0.1))}))
    model.add(gs.Body("ball", gs.sphere(2, 0.15)))
    model.add(gs.Prismatic("slide", "ground", "plank", axis="x"))
    model.add(gs.Free("flight", "ground", "ball", initial={"z": 0.25}))
    model.add(gs.RollingSphere("roll", "ball", 0.15, "plank.top"))
    model.add(gs.Actuator("push", "slide"))
    system = gs.formulate(model)
    # with a force F on the plank, the contact accelerates the ball by 2/7 of what the plank does
    plank = 7.0 / (3 + 2 * 2 / 7)
    found = dict(zip(system.speed_names, system.forward_dynamics({}, {}, inputs={"push": 7.0}), strict=True))
    assert found["slide.rate"] == pytest.approx(plank)
    assert found["flight.v1"] == pytest.approx(2 / 7 * plank)
    start = {"slide.rate": 0.4, "flight.v1": 1.0, "flight.w2": (1.0 - 0.4) / 0.15, "flight.w3": 2.0}
    run = gs.simulate(system, duration=2, step=0.5, initial=start, integrator=TIGHT)
    assert run.momentum().linear.values[:, 0] == pytest.approx(np.full(5, 3 * 0.4 + 2 * 1.0))
    assert np.abs(run.energy().balance.values).max() < 1e-10
