"""The dragline: statics against an independent minimisation of energy, facts of the thesis, and the digging cycle."""

from functools import cache
from pathlib import Path

import dragline_statics
import numpy as np
import pytest
from campaign import campaign

import gyrostat as gs
from examples.dragline import cycle, fidelities, machine
from examples.dragline.fidelities import CLOSING, LAWS
from gyrostat.analysis.simulation.rope_rest import rest_of

HERE = Path(__file__).parent.parent / "examples" / "dragline"
CARRY = "rigging.bucket.carry"
POSITIONS = [(70, 30), (62, 40), (55, 50), (45, 62), (45, 72)]
"""Hoist and drag rope beyond the sheaves (m)."""
POINT = 8 + 100 * np.cos(np.radians(38)), 5 + 100 * np.sin(np.radians(38))
POINTS = {
    "point_radius": 1e-3,
    "fairlead_radius": 1e-3,
    "house.hoist_drum_x": POINT[0] - 0.01,
    "house.hoist_drum_z": POINT[1],
    "house.drag_drum_x": 7.99,
    "house.drag_drum_z": 4.0,
    "rigging.eye": 1e-3,
    "rigging.upper": 6.0,
    "rigging.lower": 8.0,
    "rigging.chain_EA": 2e9,
    "rigging.block_mass": 6e3,
    "rigging.spreader_mass": 4e3,
    "rigging.equaliser_mass": 4e3,
    "rigging.trunnion_mass": 0,
    "rigging.hitch_mass": 0,
    "rigging.arch_mass": 0,
}
"""Ropes from points in the place of sheaves, chains to the middle of the spreader: the rig of the reference values."""


@cache
def dragline() -> gs.System:
    return gs.formulate(gs.Model.load(HERE / "dragline.yaml"))


def at(hoist: float, drag: float, **values: float) -> dict[str, float]:
    return {"hoist_winch.out": hoist, "drag_winch.out": drag, **values}


def rest(hoist: float, drag: float, **values: float) -> gs.OperatingPoint:
    return gs.equilibrium(dragline(), parameters=at(hoist, drag, **values))


def carry(point: gs.OperatingPoint) -> float:
    return float(np.degrees(point[CARRY]))


def tensions(point: gs.OperatingPoint) -> list[float]:
    return [float(point[f"{name}.tension"]) / 1e3 for name in ("hoist", "drag", "rigging.dump_rope")]


@pytest.mark.parametrize(("position", "expected"), list(zip(POSITIONS, (48.2, 42.3, 33.5, 15.0, -24.7), strict=True)))
def test_reference_values_of_the_statics(position, expected):
    found = rest(*position, **POINTS)
    assert carry(found) == pytest.approx(expected, abs=0.1)
    if position == (70, 30):
        assert tensions(found) == pytest.approx([1824, 952, 429], abs=1)
    assert "minimum" in str(found.stability)


@pytest.mark.parametrize("position", [*POSITIONS, (75, 25)])
def test_statics_agree_with_an_independent_minimum_of_energy(position):
    found, expected = rest(*position), dragline_statics.rest(dragline().model.values(at(*position)))
    assert carry(found) == pytest.approx(expected.carry, abs=2e-3)
    want = [expected.tensions[name] / 1e3 for name in ("hoist", "drag", "dump")]
    assert tensions(found) == pytest.approx(want, rel=1e-4)
    np.testing.assert_allclose(found["rigging.block"][[0, 2]], expected.block, atol=1e-3)


def test_statics_do_not_depend_on_the_guess():
    want = carry(rest(58, 46))
    rng = np.random.default_rng(5)
    for _ in range(4):
        x, z, block, equaliser = rng.uniform(-6, 6, 4)
        guess = {
            "rigging.bucket.float.x": 60 + x,
            "rigging.bucket.float.z": z,
            "rigging.block_float.x": 64 + block,
            "rigging.block_float.z": 13 + block,
            "rigging.equaliser_float.x": 53 + equaliser,
            "rigging.spreader_float.x": 62.0,
            "rigging.spreader_float.z": 7.0,
        }
        found = gs.equilibrium(dragline(), guess=guess, parameters=at(58, 46))
        assert carry(found) == pytest.approx(want, abs=1e-6)


def test_carry_angle_is_steep_near_the_fairlead_and_flat_near_the_boom_point():
    angles = [carry(rest(*position)) for position in POSITIONS]
    assert angles == sorted(angles, reverse=True)
    assert angles[0] > 45
    assert angles[-1] < 0  # paying out the drag rope dumps


def test_a_longer_dump_rope_dumps_nearer_to_the_machine():
    """With a longer dump rope the bucket tips at a smaller radius, further from the boom point."""
    radii = []
    for dump in (25.5, 26.0, 26.5):
        for drag in np.arange(67, 76, 1.0):
            found = rest(45, drag, **{"rigging.dump": dump})
            if carry(found) < -15:
                radii.append(float(found["rigging.bucket.shell"][0]))
                break
    assert len(radii) == 3
    assert radii[0] > radii[1] > radii[2]


@cache
def digging(rtol: float) -> gs.Trajectory:
    with pytest.warns(gs.GyrostatWarning, match="fleet angle"):
        return cycle.run(dragline(), gs.DOP853(rtol, rtol))


def test_cycle_digs_carries_and_dumps():
    run = digging(1e-6)
    assert run.status.success
    assert 60 <= run.time[-1] <= 80
    time, angle = run.time, np.degrees(run[CARRY].values)
    dump, hoist = run["rigging.dump_rope.tension"].values, run["hoist.tension"].values
    filling, carrying = (time > 9) & (time < 16), (time > 34) & (time < 46)
    assert np.median(dump[filling]) < 0.1 * np.median(dump[carrying])  # slack but for the weight of the block
    assert np.abs(angle[filling]).max() < 2  # flat on the floor
    assert angle[carrying].min() > 5  # the load stays in
    assert np.abs(angle).max() < 90  # nor does the empty bucket turn over on its way back
    (dumped,) = (one.time for one in run.at_event("dump"))  # once: later swings are those of the empty bucket
    assert 47 < dumped < 52  # after the drag rope is paid out
    held = hoist[carrying].mean()
    assert hoist[carrying].max() > 1.1 * held  # dynamic loads
    assert np.degrees(run["house.swing"].values[time > 53][0]) == pytest.approx(90)
    lifted = run["drag.tension"].values[(time > 18) & (time < 47)]
    assert lifted.min() > 0  # hoisted gently, the load leaves the floor without slack drag ropes
    assert lifted.max() < 2e6


@pytest.mark.parametrize(("rtol", "bound"), [(1e-6, 1e-4), (1e-9, 1e-6)])
def test_energy_account_of_a_cycle_closes(rtol, bound):
    run = digging(rtol)
    assert np.abs(run.energy()["balance"].values).max() < bound * energy_of_drives(run)


def energy_of_drives(run: gs.Trajectory) -> float:
    """Return the energy that the hoist winch supplies while it lifts the load (J)."""
    tension, speed = run["hoist.tension"].values, -run["hoist_feed.rate"].values
    return float(np.trapezoid(np.maximum(tension * speed, 0), run.time))


@pytest.mark.filterwarnings("ignore::gyrostat.GyrostatWarning")
@pytest.mark.parametrize(("rtol", "bound"), [(1e-6, 1e-4), (1e-9, 1e-6)])
def test_energy_account_of_a_swing_closes(rtol, bound):
    assert fidelities.swing("a", gs.DOP853(rtol, rtol)).unbalanced < bound


@cache
def frozen(fidelity: str) -> gs.Model:
    return machine.machine(fidelity, commands=LAWS, floor=False).freeze()


def rigging_mass(fidelity: str) -> float:
    """Return the mass of the rigging with bucket and load, and of dump rope and sheave where they are bodies (kg)."""
    model = frozen(fidelity)
    value = model.evaluator()
    own = [body for name, body in model.bodies.items() if name.startswith(("rigging.", "dump_rope.", "dump_sheave"))]
    return sum(float(body.mass_properties(value).mass) for body in own)


def test_the_fidelities_have_the_same_masses():
    """Bodies of the plain machine have halves of hoist and drag ropes, of 58 m and 46 m, and the whole dump rope."""
    v = frozen("a").values()
    ropes, dump = v["rope_density"] * (58 + 46) / 2, v["rigging.dump_density"] * v["rigging.dump"]
    assert rigging_mass("b") == pytest.approx(rigging_mass("a") - ropes - dump, rel=1e-12)
    for fidelity in ("c", "c, links"):
        assert rigging_mass(fidelity) == pytest.approx(rigging_mass("a") - ropes, rel=1e-12)


def test_segments_are_short_where_ropes_meet_sheaves():
    """Nodes that may lie on a drum or sheave during the run are at most half its radius apart; spans are coarser."""
    travels = machine.TRAVELS
    for name in ("hoist", "drag"):
        rope = frozen("c").owners[name]
        lengths = np.array(rope.fractions) * rope.length.value()
        ends = np.cumsum(lengths)
        radius = min(pulley.radius.value(frozen("c").values()) for pulley in rope.pulleys)
        met = rope.length.value() - travels[name].least  # what has run over the sheave when most is taken in
        assert lengths[(ends > met - 5) & (ends < met)].max() <= radius / 2 * (1 + 1e-9)
        assert lengths[:20].max() <= radius / 2 * (1 + 1e-9)
        assert lengths[-1] > 3 * radius


def test_ropes_end_at_bodies_of_subsystems():
    assert [str(end) for end in frozen("c").owners["dump_rope"].ends] == [
        "rigging.equaliser",
        "rigging.bucket.shell.arch",
    ]


@campaign(["motors", "links", "springs", "flexible", "nodes", "rope of links"], name="variant", few=[])
@pytest.mark.filterwarnings("ignore::gyrostat.GyrostatWarning")
def test_variants_carry_the_bucket_like_the_plain_machine(variant):
    times, values = np.linspace(0, 2.0 if variant == "motors" else 30.0, 61), at(70, 30)
    method, start = gs.DOP853(1e-6, 1e-6), gs.equilibrium(dragline(), parameters=at(70, 30))
    want = gs.simulate(dragline(), times=times, initial=start.state, parameters=values, inputs=LAWS, integrator=method)
    inputs = LAWS
    if variant == "motors":
        system = gs.formulate(machine.machine(motors=True))
        begin = {**start.state, **cycle.held_by_motors(system, start, values)}
    elif variant == "flexible":
        system = gs.formulate(machine.machine(boom=HERE / "boom_flexible.yaml"))
        begin = gs.equilibrium(system, parameters=values).state
    elif variant in ("nodes", "rope of links"):
        model = machine.machine("c" if variant == "nodes" else "c, links", commands=LAWS, floor=False)
        system, inputs, method = machine.formulated(model, CLOSING), None, gs.Rodas4(1e-2, 1e-2)
        begin = machine.at_rest(system, start, values)
    else:
        system, inputs = machine.formulated(machine.machine("b", commands=LAWS)), None
        begin = gs.equilibrium(system, guess=machine.laid(start), parameters=values).state
    if variant == "springs":
        system = machine.formulated(machine.machine("b", commands=LAWS), CLOSING)
        method = gs.Rodas5P(1e-5, 1e-6)
    run = gs.simulate(system, times=times, initial=begin, parameters=values, inputs=inputs, integrator=method)
    assert run.status.success
    difference = np.abs(np.degrees(run[CARRY].values - want[CARRY].values))
    assert difference.max() < 1
    assert np.sqrt((difference**2).mean()) < 0.6


@pytest.mark.filterwarnings("ignore::gyrostat.GyrostatWarning")
def test_a_dump_rope_of_links_over_its_block_holds_the_bucket():
    """Segments in universal joints with contact by penalty, as in Crous (2000, chapter 5), at rest and held there."""
    plain = rest(70, 30)
    system = machine.formulated(machine.machine("c, links", commands=LAWS, floor=False), CLOSING)
    start = machine.at_rest(system, plain, at(70, 30))
    run = gs.simulate(
        system, times=[0, 0.5], initial=start, parameters=at(70, 30), integrator=gs.Rodas4(1e-2, 1e-2)
    )  # fmt: skip
    assert run.status.success
    assert abs(float(np.degrees(run[CARRY].values[0])) - carry(plain)) < 0.1
    assert abs(float(np.degrees(run[CARRY].values[1] - run[CARRY].values[0]))) < 1e-3


@pytest.mark.filterwarnings("ignore::gyrostat.GyrostatWarning")
def test_conditions_of_the_pit_floor_leave_programs_rolled():
    """A dump rope of links digs without straight code for its 215 freedoms: conditions of laws are modes on tapes."""
    work = fidelities.DIG
    model = machine.machine("c, links", commands=work.laws, travels=work.travels)
    rest = rest_of(machine.formulated(model, CLOSING)).system
    assert rest.derivatives_roll
    program = rest.ready_program("rates", locked=True)
    assert program is rest.ready_program("rates", locked=True)
    assert program.input_size > rest.row.size  # there are modes
    assert not any("rates" in text for text in rest._compiled._known)


@campaign(["c", "c, links"], name="fidelity", few=[])
@pytest.mark.filterwarnings("ignore::gyrostat.GyrostatWarning")
def test_heavy_ropes_dig_like_the_plain_machine(fidelity):
    """While the bucket fills, after it has been set down and has come to lie on the floor."""
    one, plain = (fidelities.swing(name, duration=18.0, work=fidelities.DIG) for name in (fidelity, "a"))
    assert one.run.status.success
    assert np.abs(one.carry - plain.carry)[one.run.time >= 9].max() < 1
    place = one.run["rigging.bucket.shell"].values - plain.run["rigging.bucket.shell"].values
    assert np.abs(place[-1]).max() < 0.3


@campaign(["b", "c"], name="fidelity", few=[])
@pytest.mark.filterwarnings("ignore::gyrostat.GyrostatWarning")
def test_fidelities_carry_a_load_that_they_have_dug_alike(fidelity):
    """The bucket pitches about the same mean; phases part as the load tips about its heel and leaves the floor."""
    one, plain = (fidelities.swing(name, duration=46.0, work=fidelities.DIG) for name in (fidelity, "a"))
    assert one.run.status.success
    carried = one.run.time >= 30
    difference = one.carry[carried] - plain.carry[carried]
    assert abs(difference.mean()) < 0.3
    assert np.sqrt((difference**2).mean()) < 3


def changed(subsystem: str, file: str, **values: float) -> tuple[str, ...]:
    """Return the notes of the check with other parameters of a subsystem."""
    model = gs.Model.load(HERE / "dragline.yaml")
    old = model.components[subsystem]
    model.replace(gs.Subsystem(subsystem, HERE / file, parameters={**old.parameters, **values}, at=old.at))
    return gs.check(model).notes


def test_the_machine_is_without_notes():
    assert changed("hoist_winch", "winch.yaml") == (
        "The mechanism has 18 degrees of freedom beside its 3 driven coordinates.",
    )


def test_ropes_too_short_are_explained():
    assert any(
        "rope 'hoist' is too short for its path initially" in one
        for one in changed("hoist_winch", "winch.yaml", out=50)
    )
    assert any("rope 'rigging.dump_rope' is too short" in one for one in changed("rigging", "rigging.yaml", dump=15))


def test_an_equilibrium_on_ropes_too_short_is_explained():
    """Hoist and drag ropes that pull against each other are stretched by a third: wire ropes break at 2 %."""
    notes = rest(2, 30, pit=-200).notes
    assert any("rope 'hoist' is too short for its path at rest" in one for one in notes)
    assert not any("too short" in one for one in rest(70, 30).notes)


def test_a_bucket_below_ground_is_explained():
    notes = changed("rigging", "rigging.yaml", **{"bucket.z": -16})
    assert any("heel_l and ground overlap by" in one for one in notes)
