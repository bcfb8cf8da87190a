"""The example models: valid files, the right structure, loops that close, and the numbers of their sources.

Positions come from products of 4 × 4 matrices and everything else from differences of them, independently of the
package's own kinematics.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from jsonschema import Draft202012Validator
from scipy.optimize import brentq
from typer.testing import CliRunner

from gyrostat.cli import app
from gyrostat.model import Model
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.forces.force_element import PointMotion
from gyrostat.model.formula import Formula
from gyrostat.model.joints import Joint
from gyrostat.model.kinds import End
from gyrostat.model.model_file import model_schema
from gyrostat.scalar import FloatScalars
from gyrostat.topology import Topology

EXAMPLES = Path(__file__).parent.parent / "examples"
CASES = Path(__file__).parent / "data" / "cases"
STEP = 1e-4
"""Step of central differences: their error is about 1e-8 of the value."""


@dataclass(frozen=True)
class Expected:
    """Structure of an example: counted mobility in space and in the plane, and the freedoms that its joints leave."""

    bodies: int
    joints: int
    chords: tuple[str, ...]
    spatial: int
    planar: int | None
    freedoms: int
    notes: tuple[str, ...] = ()


NO_GRAVITY = ("there is no gravity.",)
DELTA_BALLS = ("ball_right1", "ball_left2", "ball_right2", "ball_left3", "ball_right3")
EXPECTED = {
    "andrews_squeezer": Expected(7, 10, ("pin_E3", "pin_E4", "pin_E6"), -8, 1, 1, NO_GRAVITY),
    "autoparametric_absorber": Expected(2, 2, (), 2, 2, 2),
    "bricard": Expected(5, 6, ("a6",), 0, 3, 1),
    "crank_slider": Expected(3, 4, ("pin_crank",), -3, 0, 0),
    "delta_robot": Expected(10, 15, DELTA_BALLS, 3, None, 3),
    "double_pendulum": Expected(2, 2, (), 2, 2, 2),
    "four_bar": Expected(3, 4, ("pin_rocker",), -2, 1, 1),
    "gear_train": Expected(4, 4, (), 4, 4, 4),
    "gyrostat_satellite": Expected(1, 1, (), 6, None, 6, NO_GRAVITY),
    "mcpherson_strut": Expected(3, 4, ("ball",), 2, None, 2),
    "parametric_pendulum": Expected(2, 2, (), 1, 1, 1),
    "quick_return": Expected(5, 7, ("pin_block", "pin_link"), -6, 0, 0),
    "rolling_disc": Expected(1, 1, (), 6, None, 6),
    "seven_joint_arm": Expected(7, 7, (), 7, 7, 7),
    "slider_pendulum": Expected(2, 2, (), 2, 2, 2),
    "spatial_four_bar": Expected(3, 4, ("ball",), 1, None, 1),
    "spatial_slider_crank": Expected(3, 4, ("ball",), 1, None, 1),
    "spinning_top": Expected(1, 1, (), 3, None, 3),
    "spring_pendulum": Expected(2, 2, (), 2, 2, 2),
    "stewart_platform": Expected(13, 18, tuple(f"ball{k}" for k in range(2, 7)), 6, None, 6),
    "twist_beam_axle": Expected(2, 2, (), 4, None, 4),
    "universal_drive_line": Expected(4, 5, ("cross_2",), 1, None, 1),
    "vehicle_on_springs": Expected(5, 5, (), 10, None, 10),
    "whipple_bicycle": Expected(4, 4, (), 9, None, 9),
}

each_example = pytest.mark.parametrize("name", EXPECTED)


def path_of(name: str) -> Path:
    return EXAMPLES / f"{name}.yaml"


@cache
def case(name: str) -> dict[str, Any]:
    return json.loads((CASES / f"{name}.json").read_text(encoding="utf-8"))


def quantities(name: str, quantity: str) -> list[dict[str, Any]]:
    return [record for record in case(name)["quantities"] if record["name"] == quantity]


class Mechanism:
    """A model at chosen coordinates, as a computation of positions only."""

    def __init__(self, model: Model, **parameters: float) -> None:
        self.model = model
        self.topology = Topology.of(model)
        self.joints = model.joints
        self.values = model.values(parameters)
        self.value = model.evaluator(parameters)
        self.place = cache(self._place)

    @staticmethod
    def of(name: str, **parameters: float) -> "Mechanism":
        return Mechanism(Model.load(path_of(name)), **parameters)

    # --- initial values -----------------------------------------------------------------------------------------

    def q0(self) -> dict[str, float]:
        """Return the initial coordinates of all joints, arcs and chords, by name."""
        q = {}
        at_start = Evaluator(FloatScalars(), {**self.values, "t": 0.0}.__getitem__)
        for joint in self.joints.values():
            for coordinate, name in zip(joint.coordinates, joint.coordinate_names, strict=True):
                if coordinate.label in joint.driven:
                    q[name] = at_start(joint.driven[coordinate.label])
                else:
                    q[name] = float(self.value(joint.initial.get(coordinate.label, Formula.of(coordinate.rest))))
        return q

    def u0(self) -> dict[str, float]:
        """Return the initial speeds of all joints by name; a speed that is not given is zero."""
        return {
            name: float(self.value(joint.initial.get(label, Formula.of(0))))
            for joint in self.joints.values()
            for label, name in zip(joint.speed_labels, joint.speed_names, strict=True)
        }

    @property
    def drivers(self) -> list[str]:
        return [f"{joint.full_name(label)}.rate" for joint in self.joints.values() for label in joint.driven]

    @property
    def free_speeds(self) -> list[str]:
        names = [name for joint in self.joints.values() for name in joint.speed_names]
        return [name for name in names if name not in self.drivers]

    @property
    def arc_speeds(self) -> list[str]:
        """The speeds of the tree, in the order in which its joints were added."""
        return [name for arc in self.topology.arcs for name in self.joints[arc].speed_names]

    # --- positions ----------------------------------------------------------------------------------------------

    def _place(self, end: End) -> np.ndarray:
        """Return how an end stands in its body."""
        return _transform(*self.model.placement(end, self.value))

    def across(self, joint: Joint, q: Mapping[str, float]) -> np.ndarray:
        """Return how the child body stands in the parent body by the joint's own coordinates."""
        pose = joint.pose([q[name] for name in joint.coordinate_names], self.value)
        return self.place(joint.parent) @ _transform(pose.R_PC, pose.r_PC_P) @ np.linalg.inv(self.place(joint.child))

    def poses(self, q: Mapping[str, float]) -> dict[str, np.ndarray]:
        """Return how each body stands in the world, along the tree."""
        poses = {"ground": np.eye(4)}
        tree = self.topology.tree
        for body, arc in tree.parent_edge.items():
            step = self.across(self.joints[arc], q)
            outward = self.joints[arc].child.body == body
            poses[body] = poses[tree.parent_vertex[body]] @ (step if outward else np.linalg.inv(step))
        return poses

    def point(self, end: str, q: Mapping[str, float]) -> np.ndarray:
        body, _, name = end.partition(".")
        return (self.poses(q)[body] @ self.place(End(body, name or None)))[:3, 3]

    def mismatch(self, q: Mapping[str, float]) -> np.ndarray:
        """Return, for all chords, the pose of child in parent along the tree minus that by the chord's coordinates."""
        poses = self.poses(q)
        chords = [self.joints[name] for name in self.topology.chords]
        gaps = [np.linalg.inv(poses[j.parent.body]) @ poses[j.child.body] - self.across(j, q) for j in chords]
        return np.array(gaps).ravel()

    # --- differences --------------------------------------------------------------------------------------------

    def moved(self, q: Mapping[str, float], u: Mapping[str, float], step: float) -> dict[str, float]:
        """Return q + step·q̇ for the given speeds, Euler parameters kept at unit length; other speeds are zero."""
        moved = {}
        for joint in self.joints.values():
            held = [q[name] for name in joint.coordinate_names]
            rates = joint.coordinate_rates(held, [u.get(name, 0.0) for name in joint.speed_names], self.value)
            moved |= {n: x + step * v for n, x, v in zip(joint.coordinate_names, held, rates, strict=True)}
            euler = [joint.full_name(c.label) for c in joint.coordinates if c.measure == "number"]
            norm = np.linalg.norm([moved[name] for name in euler])
            moved |= {name: moved[name] / norm for name in euler}
        return moved

    def closure_matrix(self, q: Mapping[str, float], speeds: list[str]) -> np.ndarray:
        """Return the rate of the mismatch for each speed, as columns."""
        columns = [self._rate(self.mismatch, q, {speed: 1.0}) for speed in speeds]
        return np.array(columns).reshape(len(speeds), -1).T

    def _rate(self, function: Any, q: Mapping[str, float], u: Mapping[str, float]) -> Any:
        return (function(self.moved(q, u, STEP)) - function(self.moved(q, u, -STEP))) / (2 * STEP)

    def assembled(self, q: Mapping[str, float], **held: float) -> dict[str, float]:
        """Return coordinates that close all loops, with some held at given values, by Gauss and Newton."""
        q = {**q, **held}
        speeds = [speed for speed in self.free_speeds if speed.removesuffix(".rate") not in held]
        for _ in range(20):
            gap = self.mismatch(q)
            if np.abs(gap).max() < 1e-13:
                break
            change = np.linalg.lstsq(self.closure_matrix(q, speeds), -gap, rcond=1e-7)[0]
            q = self.moved(q, dict(zip(speeds, change, strict=True)), 1.0)
        assert np.abs(self.mismatch(q)).max() < 1e-11
        return q

    def driven(self, q: Mapping[str, float], coordinate: str, target: float) -> dict[str, float]:
        """Return the assembled position that is reached when one coordinate goes to a given value."""
        for value in np.linspace(q[coordinate], target, 2 + int(3 * abs(target - q[coordinate])))[1:]:
            q = self.assembled(q, **{coordinate: value})
        return dict(q)

    # --- energy -------------------------------------------------------------------------------------------------

    def kinetic_energy(self, q: Mapping[str, float], u: Mapping[str, float]) -> float:
        here, before, after = (self.poses(self.moved(q, u, h)) for h in (0.0, -STEP, STEP))
        energy = 0.0
        for name in self.topology.bodies:
            rate = (after[name] - before[name]) / (2 * STEP)
            properties = self.model.bodies[name].mass_properties(self.value)
            velocity = rate @ np.array([*properties.com, 1.0])
            spin = here[name][:3, :3].T @ rate[:3, :3]
            omega = np.array([spin[2, 1], spin[0, 2], spin[1, 0]])
            energy += (properties.mass * velocity @ velocity + omega @ np.array(properties.inertia) @ omega) / 2
        return energy

    def mass_matrix(self, q: Mapping[str, float]) -> np.ndarray:
        """Return the mass matrix of the tree from kinetic energies."""
        speeds = self.arc_speeds

        def energy(*moving: str) -> float:
            return self.kinetic_energy(q, {speed: float(moving.count(speed)) for speed in moving})

        single = [energy(speed) for speed in speeds]
        return np.array(
            [[energy(a, b) - single[i] - single[j] for j, b in enumerate(speeds)] for i, a in enumerate(speeds)]
        )

    def potential(self, q: Mapping[str, float]) -> float:
        poses = self.poses(q)
        gravity = np.array(self.value.vector(self.model.gravity), dtype=float)
        energy = 0.0
        for name in self.topology.bodies:
            properties = self.model.bodies[name].mass_properties(self.value)
            energy -= properties.mass * gravity @ (poses[name] @ np.array([*properties.com, 1.0]))[:3]
        still = Still(self, poses, q)
        return energy + sum(force.potential(still) or 0.0 for force in self.model.forces.values())

    def slope(self, q: Mapping[str, float]) -> np.ndarray:
        """Return the potential's derivatives for all speeds of the tree."""
        return np.array([self._rate(self.potential, q, {speed: 1.0}) for speed in self.arc_speeds])

    def stiffness(self, q: Mapping[str, float]) -> np.ndarray:
        return np.array([self._rate(self.slope, q, {speed: 1.0}) for speed in self.arc_speeds])


@dataclass(frozen=True)
class Still:
    """What force elements may ask, in a system at rest."""

    mechanism: Mechanism
    poses: Mapping[str, np.ndarray]
    q: Mapping[str, float]

    @property
    def scalars(self) -> FloatScalars:
        return FloatScalars()

    def end(self, end: End) -> PointMotion:
        frame = self.poses[end.body] @ self.mechanism.place(end)
        (a, b, c), position = frame[:3, :3].tolist(), tuple(frame[:3, 3].tolist())
        return PointMotion(position, (0, 0, 0), (tuple(a), tuple(b), tuple(c)), (0, 0, 0))

    def coordinate(self, name: str) -> float:
        return self.q[name]

    def speed(self, name: str) -> float:
        return 0.0

    def input(self, name: str) -> float:
        return 0.0

    def evaluate(self, formula: Formula, **variables: float) -> float:
        return formula.evaluate(self.scalars, {**self.mechanism.values, **variables}.__getitem__)


def _transform(R: Any, r: Any) -> np.ndarray:
    transform = np.eye(4)
    transform[:3, :3], transform[:3, 3] = R, r
    return transform


# --- files ------------------------------------------------------------------------------------------------------


def test_every_example_is_listed_here() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.yaml")} == set(EXPECTED)


@each_example
def test_it_has_no_faults_and_no_oversights(name: str) -> None:
    assert Model.load(path_of(name)).check().notes == EXPECTED[name].notes
    result = CliRunner().invoke(app, ["check", str(path_of(name))])
    assert result.exit_code == 0
    assert "No faults found." in result.output


@each_example
def test_it_satisfies_the_schema(name: str) -> None:
    Draft202012Validator(model_schema()).validate(yaml.safe_load(path_of(name).read_text(encoding="utf-8")))


@each_example
@pytest.mark.parametrize("suffix", ["yaml", "json"])
def test_it_survives_saving_and_loading(name: str, suffix: str, tmp_path: Path) -> None:
    model = Model.load(path_of(name))
    model.save(tmp_path / f"first.{suffix}")
    again = Model.load(tmp_path / f"first.{suffix}")
    again.save(tmp_path / f"second.{suffix}")
    assert again == model
    assert (tmp_path / f"second.{suffix}").read_bytes() == (tmp_path / f"first.{suffix}").read_bytes()


@each_example
def test_it_says_where_it_comes_from_and_what_its_quantities_are(name: str) -> None:
    model = Model.load(path_of(name))
    assert len(model.description) > 100
    for parameter in model.parameters.values():
        assert parameter.unit
        assert parameter.description
    for joint in model.joints.values():
        assert len(joint.symbol) == len(joint.coordinates)


# --- structure --------------------------------------------------------------------------------------------------


@each_example
def test_it_has_the_expected_structure(name: str) -> None:
    expected, topology = EXPECTED[name], Topology.of(Model.load(path_of(name)))
    assert (len(topology.bodies), len(topology.joints), topology.chords) == (
        expected.bodies,
        expected.joints,
        expected.chords,
    )
    assert (topology.mobility.spatial, topology.mobility.planar) == (expected.spatial, expected.planar)


@each_example
def test_its_loops_close_at_the_initial_values(name: str) -> None:
    mechanism = Mechanism.of(name)
    assert np.abs(mechanism.mismatch(mechanism.q0())).max(initial=0) < 1e-14


@each_example
def test_it_has_as_many_freedoms_as_it_should(name: str) -> None:
    mechanism = Mechanism.of(name)
    speeds = mechanism.free_speeds
    matrix = mechanism.closure_matrix(mechanism.q0(), speeds)
    rank = np.linalg.matrix_rank(matrix, tol=1e-5 * np.abs(matrix).max()) if matrix.size else 0
    assert len(speeds) - rank == EXPECTED[name].freedoms


@pytest.mark.parametrize("name", [name for name, expected in EXPECTED.items() if expected.chords and expected.freedoms])
def test_its_initial_speeds_keep_loops_closed(name: str) -> None:
    mechanism = Mechanism.of(name)
    matrix = mechanism.closure_matrix(mechanism.q0(), mechanism.free_speeds)
    speeds = np.array([mechanism.u0()[speed] for speed in mechanism.free_speeds])
    assert np.abs(matrix @ speeds).max() < 1e-7 * (1 + np.abs(speeds).max())


def test_a_loop_stays_closed_when_dimensions_change() -> None:
    for name, changes in {
        "four_bar": {"a": 0.03, "start": 1.3},
        "spatial_four_bar": {"tilt": 0.4},
        "spatial_slider_crank": {"lBC": 0.35, "yA": 0.07},
        "quick_return": {"L78": 1.2, "start": 2.0},
        "universal_drive_line": {"beta": 0.3, "L": 1.8},
    }.items():
        mechanism = Mechanism.of(name, **changes)
        assert np.abs(mechanism.mismatch(mechanism.q0())).max() < 1e-14, name


# --- numbers of the sources -------------------------------------------------------------------------------------

SOURCES = {
    "andrews_squeezer": ("ivp_andrews_squeezer", {}),
    "bricard": ("iftomm_A04_bricard", {"m": "rod_mass", "l": "rod_length", "s": "square_section"}),
    "crank_slider": ("mcphee_slider_crank", {}),
    "double_pendulum": ("forehand_double_pendulum_bars", {}),
    "gyrostat_satellite": ("gyrostat_axisymmetric", {}),
    "quick_return": ("mcphee_quick_return", {}),
    "slider_pendulum": ("trom_slider_pendulum", {}),
    "spatial_four_bar": ("trom_four_bar", {}),
    "spatial_slider_crank": (
        "iftomm_spatial_slider_crank",
        {"I_crank": "Ixx_crank_com", "I_rod": "I_rod_transverse", "I_rod_axial": "I_rod_axial"},
    ),
    "spinning_top": ("lagrange_top", {"I1": "I1_fixed_point"}),
}
ELSEWHERE = {
    "A",  # a point, compared below
    "I",  # another variant of the satellite
    "spin_axis",
    "omega_s",
    "c",  # two variants, one of which is compared below
    "gravity",
    "inertia_axial",  # follow from mass and section, compared below
    "inertia_transverse",
    "joint_axes",
    "points_P1_to_P6",
}


@pytest.mark.parametrize("name", SOURCES)
def test_its_parameters_are_those_of_the_source(name: str) -> None:
    source, renamed = SOURCES[name]
    given = case(source)["parameters"]
    if source == "gyrostat_axisymmetric":
        given = given["axisymmetric"]
    values = Model.load(path_of(name)).values()
    names = {renamed.get(own, own): own for own in values}
    compared = {
        theirs: values[names[theirs]] for theirs in given if theirs in names and not isinstance(given[theirs], list)
    }
    assert compared == {theirs: given[theirs] for theirs in compared}
    assert set(given) - set(compared) <= ELSEWHERE


def test_double_pendulum_has_the_published_mass_matrix_and_start() -> None:
    mechanism = Mechanism.of("double_pendulum", m1=2.0, m2=3.0, l1=0.7, l2=1.3)
    start = case("forehand_double_pendulum_bars")["initial_conditions"]
    q = mechanism.q0()
    assert (q["a1"], q["a2"]) == (start["theta1"], start["theta2"])
    m1, m2, l1, l2, cosine = 2.0, 3.0, 0.7, 1.3, np.cos(q["a2"])
    J22 = m2 * l2**2 / 3
    J12 = m2 * l1 * l2 * cosine / 2 + J22
    J11 = (m1 / 3 + m2) * l1**2 + m2 * l1 * l2 * cosine + J22
    assert mechanism.mass_matrix(q) == pytest.approx(np.array([[J11, J12], [J12, J22]]), rel=1e-7)
    assert mechanism.model.inputs == ("motor",)


def test_crank_slider_passes_through_the_published_positions() -> None:
    mechanism = Mechanism.of("crank_slider")
    q = mechanism.q0()
    for record in quantities("mcphee_slider_crank", "b10,s11,b10d,sd,b10dd,sdd"):
        q = mechanism.driven(q, "bearing", record["beta8"])
        assert (q["hinge_rod"], q["guide"]) == pytest.approx(tuple(record["value"][:2]), rel=1e-9)


def test_crank_slider_has_the_published_inertias() -> None:
    mechanism = Mechanism.of("crank_slider")
    matrix = mechanism.mass_matrix(mechanism.q0())
    assert matrix[0, 0] == pytest.approx(0.002727, rel=1e-7)  # Simeon's J1, about the bearing
    assert matrix[2, 2] == pytest.approx(0.0045339259, rel=1e-7)  # Simeon's J2, about the rod's end


def test_four_bar_stands_as_in_the_textbook() -> None:
    q = Mechanism.of("four_bar").q0()
    assert np.degrees(q["hinge_coupler"] + q["hinge_crank"]) == pytest.approx(20.298, abs=5e-4)
    assert np.degrees(q["hinge_rocker"]) == pytest.approx(57.325, abs=5e-4)


def test_four_bar_is_a_crank_rocker() -> None:
    mechanism = Mechanism.of("four_bar")
    values = mechanism.values
    lengths = sorted(values[name] for name in "abcd")
    assert lengths[0] == values["a"]
    assert lengths[0] + lengths[3] < lengths[1] + lengths[2]
    around = mechanism.driven(mechanism.q0(), "hinge_crank", mechanism.q0()["hinge_crank"] + 2 * np.pi)
    assert around["hinge_rocker"] == pytest.approx(mechanism.q0()["hinge_rocker"], abs=1e-9)


def test_spatial_four_bar_has_the_published_matrices() -> None:
    mechanism = Mechanism.of("spatial_four_bar")
    q = mechanism.q0()
    for published, found in (("M_open", mechanism.mass_matrix(q)), ("K_open", mechanism.stiffness(q))):
        (record,) = quantities("trom_four_bar", published)
        assert found == pytest.approx(np.array(record["value"]), abs=1e-5)


def test_spinning_top_turns_about_its_tip() -> None:
    mechanism = Mechanism.of("spinning_top")
    start = case("lagrange_top")["initial_conditions"]["cusp"]
    q, u = mechanism.q0(), mechanism.u0()
    assert q["socket.angle2"] == pytest.approx(np.pi / 6)
    assert [u[f"socket.angle{i}.rate"] for i in (1, 2, 3)] == [start["phidot"], start["thetadot"], start["omega3"]]
    I1, I3, cosine, sine = 0.3, 0.05, np.cos(np.pi / 6), np.sin(np.pi / 6)
    expected = [[I1 * sine**2 + I3 * cosine**2, 0, I3 * cosine], [0, I1, 0], [I3 * cosine, 0, I3]]
    assert mechanism.mass_matrix(q) == pytest.approx(np.array(expected), abs=1e-7)
    assert mechanism.slope(q) == pytest.approx(np.array([0, -9.81 * 0.5 * sine, 0]), abs=1e-7)


def test_gyrostat_satellite_starts_as_published() -> None:
    mechanism = Mechanism.of("gyrostat_satellite")
    u = mechanism.u0()
    assert [u[f"orbit.w{i}"] for i in (1, 2, 3)] == case("gyrostat_axisymmetric")["initial_conditions"]["omega"]
    assert mechanism.mass_matrix(mechanism.q0()) == pytest.approx(np.diag([2.0, 2, 1, 20, 20, 20]), abs=1e-6)
    (wheel,) = mechanism.model.bodies["satellite"].rotors
    assert mechanism.value(wheel.momentum) == case("gyrostat_axisymmetric")["parameters"]["axisymmetric"]["h"]


def test_andrews_squeezer_has_the_published_start_and_mass_matrix() -> None:
    mechanism = Mechanism.of("andrews_squeezer")
    published = case("ivp_andrews_squeezer")
    q, p = mechanism.q0(), published["parameters"]
    order = ["hinge_O", "hinge_F", "hinge_B", "hinge_G", "hinge_A5", "hinge_H", "hinge_A7"]
    assert [q[name] for name in order] == published["initial_conditions"]["q"]
    assert mechanism.arc_speeds == [f"{name}.rate" for name in order]

    q |= {"hinge_F": 0.3, "hinge_G": 0.5, "hinge_H": -0.4}  # the tree's mass matrix holds in any position
    cosine, sine_g, sine_h = np.cos(0.3), np.sin(0.5), np.sin(-0.4)
    g, h = p["e"] - p["ea"], p["zf"] - p["fa"]
    M = np.zeros((7, 7))
    M[0, 0] = p["m1"] * p["ra"] ** 2 + p["m2"] * (p["rr"] ** 2 - 2 * p["da"] * p["rr"] * cosine + p["da"] ** 2)
    M[0, 0] += p["i1"] + p["i2"]
    M[0, 1] = p["m2"] * (p["da"] ** 2 - p["da"] * p["rr"] * cosine) + p["i2"]
    M[1, 1] = p["m2"] * p["da"] ** 2 + p["i2"]
    M[2, 2] = p["m3"] * (p["sa"] ** 2 + p["sb"] ** 2) + p["i3"]
    M[3, 3] = p["m4"] * g**2 + p["i4"]
    M[3, 4] = p["m4"] * (g**2 + p["zt"] * g * sine_g) + p["i4"]
    M[4, 4] = p["m4"] * (p["zt"] ** 2 + 2 * p["zt"] * g * sine_g + g**2) + p["i4"]
    M[4, 4] += p["m5"] * (p["ta"] ** 2 + p["tb"] ** 2) + p["i5"]
    M[5, 5] = p["m6"] * h**2 + p["i6"]
    M[5, 6] = p["m6"] * (h**2 - p["u"] * h * sine_h) + p["i6"]
    M[6, 6] = p["m6"] * (h**2 - 2 * p["u"] * h * sine_h + p["u"] ** 2) + p["i6"]
    M[6, 6] += p["m7"] * (p["ua"] ** 2 + p["ub"] ** 2) + p["i7"]
    M = np.triu(M) + np.triu(M, 1).T
    assert mechanism.mass_matrix(q) == pytest.approx(M, abs=1e-6 * np.abs(M).max())


def test_andrews_squeezer_is_driven_and_held_as_published() -> None:
    mechanism = Mechanism.of("andrews_squeezer")
    p, q = case("ivp_andrews_squeezer")["parameters"], mechanism.q0()
    gamma = q["hinge_B"]
    D = np.array([p["xb"], p["yb"]]) + np.array(
        [
            p["sd"] * np.cos(gamma) + p["sc"] * np.sin(gamma),
            p["sd"] * np.sin(gamma) - p["sc"] * np.cos(gamma),
        ]
    )
    assert mechanism.point("K3.D", q)[:2] == pytest.approx(D, abs=1e-15)
    away = D - np.array([p["xc"], p["yc"]])
    length = np.linalg.norm(away)
    tension = p["c0"] * (length - p["l0"])
    lever = np.array([-(D[1] - p["yb"]), D[0] - p["xb"]])
    expected = tension * away @ lever / length  # ∂V/∂γ, and zero for all other angles
    assert mechanism.slope(q) == pytest.approx(np.array([0, 0, expected, 0, 0, 0, 0]), abs=1e-7)
    assert [mechanism.value(x) for x in mechanism.model.forces["drive"].components] == [0, 0, p["mom"]]


def test_andrews_squeezer_passes_through_the_published_positions() -> None:
    mechanism = Mechanism.of("andrews_squeezer")
    (record,) = (r for r in quantities("ivp_andrews_squeezer", "state") if r["t"] == 0.01)
    q = mechanism.driven(mechanism.q0(), "hinge_O", record["value"][0])
    found = [q[name] for name in ("hinge_F", "hinge_B", "hinge_G", "hinge_A5", "hinge_H", "hinge_A7")]
    assert found == pytest.approx(record["value"][1:], abs=1e-8)


def test_quick_return_passes_through_the_published_positions() -> None:
    mechanism = Mechanism.of("quick_return")
    q = mechanism.q0()
    for record in quantities("mcphee_quick_return", "theta9,theta12,s20,theta9dot,theta12dot,s20dot"):
        q = mechanism.driven(q, "hinge_crank", 0.4356 + 4 * np.pi * record["t"])
        found = (q["hinge_rocker"], q["hinge_link"], q["guide_ram"])
        assert found == pytest.approx(tuple(record["value"][:3]), rel=1e-9)


def test_bricard_stands_on_the_edges_of_a_cube() -> None:
    mechanism = Mechanism.of("bricard")
    parameters = case("iftomm_A04_bricard")["parameters"]
    q, joints = mechanism.q0(), mechanism.joints.values()
    assert [mechanism.point(str(joint.parent), q).tolist() for joint in joints] == parameters["points_P1_to_P6"]
    assert [[float(x.source) for x in joint.axis] for joint in joints] == parameters["joint_axes"]
    moments = sorted((parameters["inertia_axial"], *[parameters["inertia_transverse"]] * 2))
    for rod in ("rod1", "rod2", "rod3", "rod4", "rod5"):
        inertia = np.array(mechanism.model.bodies[rod].mass_properties(mechanism.value).inertia)
        assert np.linalg.eigvalsh(inertia) == pytest.approx(moments, rel=1e-12)


def test_bricard_passes_through_the_published_positions() -> None:
    mechanism = Mechanism.of("bricard")

    half = mechanism.driven(mechanism.q0(), "a1", 0.7)

    def P3(angle: float) -> np.ndarray:
        return mechanism.point("rod2.P3", mechanism.driven(half, "a1", angle))

    for record in quantities("iftomm_A04_bricard", "P3_xyz")[:2]:
        x = record["value"][0]
        angle = brentq(lambda angle, x=x: P3(angle)[0] - x, 0.1, 1.5, xtol=1e-9)
        assert P3(angle) == pytest.approx(np.array(record["value"]), abs=1e-8)


def test_spatial_slider_crank_passes_through_the_published_positions() -> None:
    mechanism = Mechanism.of("spatial_slider_crank")
    q = mechanism.q0()
    for record in quantities("iftomm_spatial_slider_crank", "crank_angle,slider_x,crank_rate")[:2]:
        angle, position, _ = record["value"]
        q = mechanism.driven(q, "hinge", angle)
        assert q["track"] == pytest.approx(position, abs=1e-9)


def test_spatial_slider_crank_starts_as_published() -> None:
    mechanism = Mechanism.of("spatial_slider_crank")
    published = case("iftomm_spatial_slider_crank")
    start, q, u = published["initial_conditions"], mechanism.q0(), mechanism.u0()
    assert mechanism.point("ground.A", q) == pytest.approx(published["parameters"]["A"])
    assert (q["hinge"], q["track"]) == pytest.approx((start["theta"], start["slider_x"]))
    assert (u["hinge.rate"], u["track.rate"]) == pytest.approx((start["thetadot"], start["slider_v"]))
    pitch_axis = np.array([0, np.cos(q["cross.angle1"]), np.sin(q["cross.angle1"])])
    omega = u["cross.angle1.rate"] * np.array([1, 0, 0]) + u["cross.angle2.rate"] * pitch_axis
    assert omega == pytest.approx(quantities("iftomm_spatial_slider_crank", "rod_omega_global_t0")[0]["value"])
    (m_eff,) = quantities("iftomm_spatial_slider_crank", "m_eff(0)")
    assert 2 * mechanism.kinetic_energy(q, u) / u["hinge.rate"] ** 2 == pytest.approx(m_eff["value"], rel=1e-6)


def test_slider_pendulum_has_the_published_matrices() -> None:
    mechanism = Mechanism.of("slider_pendulum")
    q = mechanism.q0()
    for published, found in (("M", mechanism.mass_matrix(q)), ("K", mechanism.stiffness(q))):
        (record,) = quantities("trom_slider_pendulum", published)
        assert found == pytest.approx(np.array(record["value"]), abs=1e-5)
    assert mechanism.values["c"] in case("trom_slider_pendulum")["parameters"]["c"]


def test_drive_line_turns_its_output_as_its_input() -> None:
    mechanism = Mechanism.of("universal_drive_line", beta=0.3)
    q = mechanism.q0()
    for angle in (0.4, 1.2, 2.5):
        q = mechanism.driven(q, "bearing_in", angle)
        assert (q["bearing_out"], q["slip"]) == pytest.approx((angle, 0), abs=1e-10)
        # the shaft between them is ahead or behind: tan of the angles is in the ratio of the cosine (Hooke)
        R = mechanism.poses(q)["front"][:3, :3]
        across = mechanism.poses(mechanism.q0())["front"][:3, :3]
        spin = np.arctan2(R[:, 0] @ across[:, 1], R[:, 0] @ across[:, 0])
        assert np.tan(spin) == pytest.approx(np.tan(angle) * np.cos(0.3), abs=1e-9)


def test_vehicle_rests_in_its_design_position() -> None:
    mechanism = Mechanism.of("vehicle_on_springs", drop=0.0)
    q = mechanism.q0()
    assert mechanism.slope(q) == pytest.approx(np.zeros(10), abs=1e-3)  # of 15 kN
    assert np.linalg.eigvalsh(mechanism.stiffness(q)).min() > 0
    for wheel in ("fl", "fr", "rl", "rr"):
        assert mechanism.point(f"wheel_{wheel}.contact", q)[2] == pytest.approx(0, abs=1e-15)


def test_arm_is_a_chain_of_seven_hinges_with_motors() -> None:
    mechanism = Mechanism.of("seven_joint_arm")
    assert mechanism.arc_speeds == [f"j{i}.rate" for i in range(1, 8)]
    assert mechanism.model.inputs == tuple(f"motor{i}" for i in range(1, 8))
    assert np.linalg.eigvalsh(mechanism.mass_matrix(mechanism.q0())).min() > 0
