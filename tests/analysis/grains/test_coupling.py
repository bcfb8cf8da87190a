"""Grains and bodies: momentum across the exchange, weight, continuing, order of the exchange."""

import numpy as np
import pytest
from grain_models import DENSITY, G, last_motion, mass_of, vessel

import gyrostat as gs

TIGHT = gs.DOP853(rtol=1e-11, atol=1e-13)


def _shell(exchange, *, offset=(0, 0, 0), count=3, step=2.5e-4):
    """Return a free vessel with grains that fly in it, without gravity."""
    model = gs.Model("shell")
    inertia = gs.Body("shell", gs.box(300, size=(2, 2, 2)), surfaces={"inside": vessel(1.0, at=offset)})
    model.add(inertia)
    model.add(gs.Free("fly", "ground", "shell"))
    places = np.stack(np.meshgrid(*[np.linspace(-0.5, 0.5, count)] * 3), -1).reshape(-1, 3) + offset
    model.add(gs.Grains(
        "grains", 0.12, DENSITY, ["shell"], positions=places, velocity=(1.5, -0.7, 0.4),
        normal=gs.HuntCrossley(2e5, 1.0, chi=0.2), friction=gs.GranularFriction(0.4, 0.05), exchange=exchange,
        step=step,
    ))  # fmt: skip
    return model


def _momenta(run):
    """Return linear and angular momentum of grains and bodies at the end."""
    record, (x, v, w) = run.motion.grains["grains"], last_motion(run, "grains")
    moving = record.masses[:, None] * v
    spin = (0.4 * record.masses * record.radii**2)[:, None] * w
    bodies = run.momentum()
    angular = (np.cross(x, moving) + spin).sum(0) + bodies["angular"].values[-1]
    return moving.sum(0) + bodies["linear"].values[-1], angular


def test_linear_momentum_is_conserved_across_the_exchange():
    run = gs.simulate(_shell(10), 0.8, step=0.2, integrator=TIGHT)
    first = 27 * mass_of(0.12) * np.array([1.5, -0.7, 0.4])
    found, _ = _momenta(run)
    assert np.linalg.norm(run.momentum()["linear"].values[-1]) > 0.1 * np.linalg.norm(first)
    assert np.linalg.norm(found - first) < 1e-9 * np.linalg.norm(first)


def test_angular_momentum_errs_by_the_second_order_of_the_exchange_interval():
    """A body that is held off its mass centre turns while the grains press: the prediction of its origin errs."""
    errors = []
    for exchange in (32, 16, 8):
        model = gs.Model("arm")
        model.add(gs.Body(
            "arm", mass=200, inertia=(30, 30, 30), com=(0.7, 0.2, -0.3), surfaces={"inside": vessel(1.0)}
        ))  # fmt: skip
        model.add(gs.Free("fly", "ground", "arm"))
        model.add(gs.Grains(
            "grains", 0.12, DENSITY, ["arm"], positions=[(0.3, 0.2, 0.1)], velocity=(3.0, -0.5, 0.8),
            normal=gs.HuntCrossley(5e5, 1.0, chi=0.1), friction=gs.GranularFriction(0.4), exchange=exchange, step=1e-4,
        ))  # fmt: skip
        run = gs.simulate(model, 0.512, step=0.256, integrator=TIGHT)
        first = np.cross((0.3, 0.2, 0.1), mass_of(0.12) * np.array([3.0, -0.5, 0.8]))
        errors.append(np.linalg.norm(_momenta(run)[1] - first) / np.linalg.norm(first))
    assert errors[2] < 1e-3
    orders = np.log2(np.array(errors[:-1]) / np.array(errors[1:]))
    assert (orders > 1.6).all()


def _bucket(count, *, radius, stiffness, **fields):
    """Return a bucket that hangs on a spring with grains above its floor."""
    model = gs.Model("bucket", gravity=(0, 0, -G))
    model.add(gs.Body("bucket", gs.box(5e3, size=(2, 2, 2)), surfaces={"inside": vessel(1.0, lid=False)}))
    model.add(gs.Prismatic("hoist", "ground", "bucket", axis="z"))
    total = 5e3 + count * mass_of(radius)
    model.add(gs.JointSpring("rope", "hoist", stiffness=400 * total, damping=24 * total))
    mass = mass_of(radius)
    model.add(gs.Grains(
        "sand", radius, DENSITY, ["bucket"], count=count, fill=gs.shapes.Box((1.96, 1.96, 2.6), at=(0, 0, 0.35)),
        normal=gs.KelvinVoigt(stiffness, 0.5 * np.sqrt(stiffness * mass)), friction=gs.GranularFriction(0.5, 0.1),
        **fields,
    ))  # fmt: skip
    return model


def test_103_tonnes_in_a_hanging_bucket_weigh_what_they_should():
    """A bucket of 50 t on a hoist of 20 MN/m with 2800 grains: force of the grains, and load of the hoist."""
    radius, count, stiffness = 0.15, 2800, 1e6
    model = gs.Model("hanging bucket", gravity=(0, 0, -G))
    model.add(gs.Body("bucket", gs.box(5e4, size=(4, 4, 4)), surfaces={"plates": vessel(2.3, lid=False)}))
    model.add(gs.Prismatic("hoist", "ground", "bucket", axis="z"))
    model.add(gs.JointSpring("rope", "hoist", stiffness=2e7, damping=2e6))
    model.add(gs.Grains(
        "load", radius, DENSITY, ["bucket"], count=count, fill=gs.shapes.Box((4.5, 4.5, 7.0), at=(0, 0, 1.25)),
        normal=gs.KelvinVoigt(stiffness, 0.4 * np.sqrt(stiffness * mass_of(radius))),
        friction=gs.GranularFriction(0.5, 0.1), exchange=20,
    ))  # fmt: skip
    run = gs.simulate(model, 2.4, step=0.02)
    weight, late = count * mass_of(radius) * G, run.time > 1.9
    assert weight / G == pytest.approx(102.9e3, rel=1e-3)
    assert float(-run["load.bucket.force"].values[late, 2].mean()) == pytest.approx(weight, rel=2e-3)
    assert float(-run["hoist"].values[late].mean()) * 2e7 == pytest.approx(weight + 5e4 * G, rel=2e-3)


@pytest.mark.parametrize("integrator", [gs.RK4(1e-3), gs.Rodas5P(1e-6), gs.GaussLegendre(1e-3)])
def test_any_integrator_moves_the_bodies(integrator):
    run = gs.simulate(_bucket(20, radius=0.12, stiffness=2e5), 0.3, step=0.1, integrator=integrator)
    other = gs.simulate(_bucket(20, radius=0.12, stiffness=2e5), 0.3, step=0.1)
    assert float(run["hoist"][-1]) == pytest.approx(float(other["hoist"][-1]), rel=1e-4)


def test_runs_repeat_to_the_last_bit_and_continue_from_trajectories_and_files(tmp_path):
    model = _bucket(40, radius=0.12, stiffness=2e5, step=5e-4)  # exchanges every 5 ms
    whole = gs.simulate(model, 0.5, step=0.05)
    again = gs.simulate(model, 0.5, step=0.05)
    assert np.array_equal(last_motion(whole, "sand")[0], last_motion(again, "sand")[0])
    first = gs.simulate(model, 0.25, step=0.05)
    first.save(tmp_path / "first.nc")
    for start in (first, gs.load(tmp_path / "first.nc")):
        rest = gs.simulate(model, 0.25, step=0.05, initial=start)
        assert np.allclose(last_motion(rest, "sand")[0], last_motion(whole, "sand")[0], rtol=0, atol=1e-9)


def test_files_keep_the_motion_of_grains_in_single_precision(tmp_path):
    run = gs.simulate(_bucket(30, radius=0.12, stiffness=2e5), 0.1, step=0.02)
    run.save(tmp_path / "run.nc")
    found, own = gs.load(tmp_path / "run.nc").grains("sand"), run.grains("sand")
    assert found.position.dtype == np.float32
    assert found.equals(own)
    assert found.position.dims == ("time", "grain", "axis")
    assert len(found.time) == len(run.time)
    with pytest.raises(gs.StateError, match=r"no grains 'gravel'\. The trajectory has sand"):
        run.grains("gravel")


def test_events_within_an_interval_keep_the_loads():
    """An event that only records changes nothing."""
    model = _bucket(20, radius=0.12, stiffness=2e5)
    event = gs.Event("deep", when="hoist + 0.01")
    plain = gs.simulate(model, 0.3, step=0.1)
    watched = gs.simulate(model, 0.3, step=0.1, events=[event])
    assert watched.at_event("deep")
    assert float(watched["hoist"][-1]) == pytest.approx(float(plain["hoist"][-1]), abs=1e-9)


def test_a_moving_wall_carries_grains_and_does_work():
    """Grains on a table that is driven sideways move with it."""
    model = gs.Model("table", gravity=(0, 0, -G))
    model.add(gs.Body("table", gs.box(10, size=(2, 1, 0.1)), surfaces={"top": gs.shapes.Box((2, 1, 0.1))}))
    model.add(gs.Prismatic("slide", "ground", "table", axis="x", driven="0.5*t**2"))
    model.add(gs.Grains(
        "load", 0.05, DENSITY, ["table"], positions=[(-0.3, 0, 0.0999), (0.0, 0.1, 0.0999)],
        normal=gs.KelvinVoigt(2e5, 100), friction=gs.GranularFriction(0.6, 0.4),
    ))  # fmt: skip
    run = gs.simulate(model, 1.0, step=0.1)
    _, v, _ = last_motion(run, "load")
    assert v[:, 0] == pytest.approx(1.0, abs=0.02)
    energy = run["load.kinetic"] + run["load.potential"] + run["load.dissipated"] - run["load.supplied"]
    assert float(run["load.supplied"][-1]) > 0.8 * mass_of(0.05)
    assert float(energy[-1] - energy[0]) == pytest.approx(0, abs=0.02 * float(run["load.supplied"][-1]))
    account = run.energy()  # that of the bodies
    work = float(account["supplied"].sel(supplier="load")[-1])
    assert work == pytest.approx(-float(run["load.supplied"][-1]), rel=0.02)
    assert "load" not in account["damper"]
    assert np.abs(account["balance"]).max() < 1e-9 * abs(work)


def _light(mass):
    """Return the run of a light tray under grains of 31 kg in all, from rest on it."""
    model = gs.Model("tray", gravity=(0, 0, -G))
    tray = gs.shapes.Box((1, 1, 0.02), at=(0, 0, -0.01))
    model.add(gs.Body("tray", gs.box(mass, size=(1, 1, 0.02)), surfaces={"floor": tray}))
    model.add(gs.Prismatic("lift", "ground", "tray", axis="z"))
    model.add(gs.JointSpring("spring", "lift", stiffness=2e4, damping=1e3))
    model.add(gs.Grains(
        "sand", 0.04, DENSITY, ["tray"], count=45, fill=gs.shapes.Box((0.8, 0.8, 0.2), at=(0, 0, 0.1)),
        normal=gs.KelvinVoigt(5e4, 30), friction=gs.GranularFriction(0.5, 0.3),
    ))  # fmt: skip
    return gs.simulate(model, 0.8, step=0.01)


def test_light_bodies_get_shorter_exchange_intervals():
    """With ten steps to an exchange, loads on a body of 1 kg would oscillate by more than the weight of the grains."""
    force = _light(1.0)["sand.tray.force"].values[-20:, 2]
    assert force.mean() == pytest.approx(-45 * mass_of(0.04) * G, rel=0.02)
    assert force.std() < 0.05 * abs(force.mean())
    with pytest.warns(UserWarning, match="A wall of grains 'sand' is so light that loads oscillate"):
        _light(0.05)
