"""Import of URDF: kinds of joints, names, limits, laws, inertias, massless links, malformed and hostile files."""

from __future__ import annotations

import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import gyrostat as gs
from gyrostat.cli import app
from gyrostat.errors import GyrostatError, ModelError, ModelFileError
from gyrostat.io.urdf.inertia import is_physical, repaired

INERTIAL = '<inertial><origin xyz="0.1 0 0"/><mass value="2"/><inertia ixx="1" iyy="1.2" izz="1.1"/></inertial>'


def link(name: str, content: str = INERTIAL) -> str:
    return f'<link name="{name}">{content}</link>'


def joint(name: str, kind: str, child: str, parent: str = "base", content: str = "") -> str:
    return f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>{content}</joint>'


def robot(*content: str) -> str:
    return '<?xml version="1.0"?>\n<robot name="test robot">' + "".join([link("base"), *content]) + "</robot>"


@pytest.fixture
def load(tmp_path: Path) -> Any:
    """A function that writes a file and imports it, without warnings unless they are expected."""

    def load_text(text: str, **choices: Any) -> gs.Model:
        (tmp_path / "robot.urdf").write_text(text, encoding="utf-8")
        return gs.load_urdf(tmp_path / "robot.urdf", **choices)

    return load_text


@pytest.fixture
def quiet(load: Any) -> Any:
    """A function that imports a text, and returns the model and the warning."""

    def load_quietly(text: str, **choices: Any) -> tuple[gs.Model, str]:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            model = load(text, **choices)
        return model, " ".join(str(warning.message) for warning in caught)

    return load_quietly


def pose(model: gs.Model, body: str, q: list[float]) -> Any:
    """Return the pose of a body as a 4 × 4 matrix."""
    found = gs.formulate(model).poses(q)
    i = found.bodies.index(body)
    return np.block([[found.rotations[i], found.positions[i][:, None]], [np.eye(4)[3:]]])


# --- joints ----------------------------------------------------------------------------------------------------------


def test_every_kind_of_joint(quiet):
    kinds = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar", "spherical")
    content = [link(f"b{kind}") + joint(kind, kind, f"b{kind}", content='<axis xyz="0 0 1"/>') for kind in kinds]
    model, _ = quiet(robot(*content))
    found = {name: type(one).__name__ for name, one in model.joints.items()}
    expected = ("Revolute", "Revolute", "Prismatic", "Weld", "Free", "Planar", "Spherical")
    assert found == dict(zip(kinds, expected, strict=True))
    assert model.inputs == ("revolute_motor", "continuous_motor", "prismatic_motor")


def test_poses_by_roll_pitch_and_yaw(quiet):
    place = '<origin xyz="1 2 3" rpy="0.1 -0.2 0.3"/><axis xyz="0 1 0"/>'
    model, _ = quiet(robot(link("a"), joint("j", "revolute", "a", content=place)))
    R = pose(model, "a", [0.0])[:3, :3]
    np.testing.assert_allclose(np.arctan2(R[2, 1], R[2, 2]), 0.1)
    np.testing.assert_allclose(np.arcsin(-R[2, 0]), -0.2)
    np.testing.assert_allclose(np.arctan2(R[1, 0], R[0, 0]), 0.3)


@pytest.mark.parametrize("normal", [(0, 0, 1), (0, 0, -1), (1, 0, 0), (1, -2, 0.5)])
def test_planar_joints_with_any_normal(quiet, normal):
    given = " ".join(map(str, normal))
    axis = f'<origin xyz="0.3 0 0" rpy="0.4 0 0.2"/><axis xyz="{given}"/>'
    model, _ = quiet(robot(link("a"), joint("j", "planar", "a", content=axis)), gravity=(0, 0, 0))
    still, moved = (pose(model, "a", q) for q in ([0.0, 0, 0], [0.7, -0.4, 0.9]))
    turn = still[:3, :3].T @ moved[:3, :3]
    step = still[:3, :3].T @ (moved[:3, 3] - still[:3, 3])
    np.testing.assert_allclose(turn @ normal, normal, atol=1e-12)  # it turns about the normal, in the joint's frame
    assert step @ normal == pytest.approx(0, abs=1e-12)
    assert np.linalg.norm(step) == pytest.approx(np.hypot(0.7, 0.4))


def test_limits_damping_friction_and_effort(quiet):
    laws = '<limit lower="-1" upper="2" effort="30" velocity="4"/><dynamics damping="0.5" friction="0.2"/>'
    text = robot(link("a"), joint("j", "revolute", "a", content=laws))
    model, warning = quiet(text)
    assert model["j"].limits == {"angle": gs.Limits(-1, 2, 4, 30)}
    assert model["j_damping"] == gs.JointSpring("j_damping", "j", damping=0.5)
    assert "j_friction" not in model
    assert "dry friction was left out: j; friction_speed=… includes it." in warning
    with_friction, warning = quiet(text, friction_speed=0.01, actuators=False)
    assert with_friction["j_friction"] == gs.JointFriction("j_friction", "j", gs.Coulomb(0.2, 0.01))
    assert with_friction.inputs == ()
    assert "friction" not in warning
    for kind, lower in (("continuous", -1), ("prismatic", 5)):  # no bounds, and bounds the wrong way round
        turned = laws.replace("-1", str(lower))
        model, _ = quiet(robot(link("a"), joint("j", kind, "a", content=turned)))
        assert [(one.lower, one.upper, one.effort.number) for one in model["j"].limits.values()] == [(None, None, 30)]


def test_stops_at_the_limits(quiet, load):
    ends = ('lower="-1" upper="2"', 'upper="2"', 'lower="1" upper="1"', 'lower="3" upper="2"')
    content = [
        link(f"b{i}") + joint(f"j{i}", "revolute", f"b{i}", content=f'<limit {end} effort="30" velocity="1"/>')
        for i, end in enumerate(ends)
    ]
    law = gs.HuntCrossley(1e4, 1, restitution=0.5, speed=1)
    model, warning = quiet(robot(*content), stops=law)
    assert model["j0_stop"] == gs.JointLimit("j0_stop", "j0", law, -1, 2)
    assert model["j1_stop"] == gs.JointLimit("j1_stop", "j1", law, upper=2)
    assert "j2_stop" not in model
    assert "j3_stop" not in model
    assert "joints whose two limits are equal have no stops: j2." in warning
    model, _ = quiet(robot(*content))
    assert not any(isinstance(force, gs.JointLimit) for force in model.forces.values())
    with pytest.raises(GyrostatError, match=r"stops='hard' is no normal law of contacts\. Use gs\.HuntCrossley"):
        load(robot(*content), stops="hard")


def test_actuators_within_the_effort(quiet, load):
    content = [
        link(f"b{i}") + joint(f"j{i}", "revolute", f"b{i}", content=f'<axis xyz="0 0 1"/><limit effort="{effort}"/>')
        for i, effort in enumerate((30, 0))
    ]
    model, _ = quiet(robot(*content), actuators="limited")
    assert model["j0_motor"] == gs.Actuator("j0_motor", "j0", limit=30)
    assert model["j1_motor"] == gs.Actuator("j1_motor", "j1")  # an effort of zero states none
    system = gs.formulate(model)
    at_limit, beyond, other = (
        system.forward_dynamics([0, 0], [0, 0], inputs={"j0_motor": load})[0] for load in (30, 50, -70)
    )
    assert at_limit == beyond == -other
    assert at_limit == pytest.approx(30 / (1.1 + 2 * 0.1**2))  # the axis is vertical
    with pytest.raises(GyrostatError, match=r"actuators='weak' is not known\. Use True, False or 'limited'\."):
        load(robot(*content), actuators="weak")
    with pytest.raises(ModelError, match=r"limit: -3 is not positive\. Give the greatest load, or leave it out\."):
        gs.Actuator("motor", "j", limit=-3)


def test_mimicry_is_a_gear(quiet):
    follow = '<mimic joint="lead" multiplier="-2" offset="0.1"/>'
    content = [joint("lead", "revolute", "a"), joint("follow", "revolute", "b", content=follow)]
    model, _ = quiet(robot(link("a"), link("b"), *content))
    assert model["follow_mimic"] == gs.Gear("follow_mimic", "lead", "follow", -2, 0.1)
    assert model.inputs == ("lead_motor",)
    model, warning = quiet(robot(link("a"), link("b"), *content).replace("-2", "0"))
    assert not model.constraints
    assert "joint 'follow' does not follow 'lead', which cannot move it." in warning


def test_links_behind_fixed_joints(quiet):
    tool = joint("to_tool", "fixed", "tool", "a", '<origin xyz="0 0 1"/>') + link("tool", "")
    tip = joint("to_tip", "fixed", "tip", "tool", '<origin rpy="0 0 0.5"/>') + link("tip", "")
    load_ = joint("to_load", "fixed", "load", "tip", '<origin xyz="1 0 0"/>') + link("load")
    model, _ = quiet(robot(link("a"), joint("j", "revolute", "a"), tool, tip, load_))
    assert list(model["a"].frames) == ["tool", "tip"]
    assert list(model.joints) == ["j", "to_load"]
    np.testing.assert_allclose(pose(model, "load", [0.0])[:3, 3], (np.cos(0.5), np.sin(0.5), 1), atol=1e-15)


def test_the_root_is_the_ground_or_flies(quiet):
    text = robot(link("a"), joint("j", "revolute", "a"))
    fixed, warning = quiet(text)
    assert "link 'base' is ground" in warning
    assert fixed["ground"].label == "base"
    free, _ = quiet(text, floating=True)
    assert len(gs.formulate(free).speed_names) == 7


def test_names_that_a_model_cannot_have(quiet, tmp_path):
    content = [
        *(link("left-arm"), link("2nd"), link("hinge"), link("world"), link("sin")),
        *(joint("a/b", "revolute", "left-arm"), joint("t", "revolute", "2nd"), joint("hinge", "revolute", "hinge")),
        *(joint("w", "fixed", "world"), joint("s", "fixed", "sin")),
    ]
    model, warning = quiet(robot(*content))
    labels = {c.label: name for name, c in model.components.items() if getattr(c, "label", "")}
    assert labels == {
        "base": "ground",
        "left-arm": "left_arm",
        "2nd": "_2nd",
        "world": "world_2",
        "sin": "sin_2",
        "a/b": "a_b",
        "t": "t_joint",
        "hinge": "hinge_joint",
    }
    assert "names were changed: link 'base' is ground, link 'left-arm' is left_arm, link '2nd' is _2nd" in warning
    model.save(tmp_path / "robot.yaml")
    assert gs.Model.load(tmp_path / "robot.yaml") == model


def test_meshes_whose_scale_cannot_be_read_are_not_drawn(quiet, tmp_path):
    (tmp_path / "x.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    for scale, shapes in (("2 2 2", 1), ("1 1 1 1", 0)):
        mesh = f'<mesh filename="{tmp_path / "x.obj"}" scale="{scale}"/>'
        drawn = f"<visual><geometry>{mesh}</geometry></visual>"
        model, warning = quiet(robot(link("a", INERTIAL + drawn), joint("j", "revolute", "a")))
        assert len(model["a"].shape or ()) == shapes
        assert ("meshes are not drawn: a." in warning) == (not shapes)


def test_shapes(quiet):
    drawn = "".join(
        f'<visual><origin xyz="0 0 1"/><geometry>{shape}</geometry></visual>'
        for shape in (
            *('<box size="1 2 3"/>', '<sphere radius="0.5"/>', '<cylinder radius="0.1" length="2"/>'),
            *('<capsule radius="0.1" length="2"/>', '<mesh filename="x.stl"/>', '<sphere radius="0"/>'),
        )
    )
    model, warning = quiet(robot(link("a", INERTIAL + drawn), joint("j", "revolute", "a")))
    assert [type(shape).__name__ for shape in model["a"].shape] == ["Box", "Sphere", "Cylinder", "Group"]
    assert "meshes are not drawn: a. geometries without size are not drawn: a." in warning


# --- inertia ---------------------------------------------------------------------------------------------------------


def inertial(moments: str, mass: float = 1) -> str:
    return f'<inertial><mass value="{mass}"/><inertia {moments}/></inertial>'


IMPOSSIBLE = robot(link("a", inertial('ixx="1" iyy="1" izz="5"')), joint("j", "revolute", "a"))


def test_inertias_that_no_body_can_have(load, quiet):
    warned, warning = quiet(IMPOSSIBLE)
    assert "inertias that no body can have were replaced by the nearest ones: a." in warning
    mended, warning = quiet(IMPOSSIBLE, inertia="repair")
    assert "inertias" not in warning
    assert mended == warned
    assert [[float(x.source) for x in row] for row in mended["a"].inertia] == [[2.5, 0, 0], [0, 2.5, 0], [0, 0, 5]]
    with pytest.raises(ModelError) as error:
        load(IMPOSSIBLE, inertia="refuse")
    assert "link 'a': no body has principal moments of inertia 1, 1, 5 kg·m². None is negative or exceeds" in str(
        error.value
    )
    with pytest.raises(GyrostatError, match=r"inertia='mend' is not known\. Use 'warn', 'repair', 'refuse'\."):
        load(IMPOSSIBLE, inertia="mend")


def test_inertia_is_turned_to_the_axes_of_the_link(quiet):
    content = '<inertial><origin rpy="0 0 1.5707963267948966"/><mass value="1"/>'
    content += '<inertia ixx="1" iyy="2" izz="2.5" ixy="0.1" ixz="0.2" iyz="0.3"/></inertial>'
    model, _ = quiet(robot(link("a", content), joint("j", "revolute", "a")))
    found = np.array([[float(entry.source) for entry in row] for row in model["a"].inertia])
    np.testing.assert_allclose(found, [[2, -0.1, -0.3], [-0.1, 1, 0.2], [-0.3, 0.2, 2.5]], atol=1e-12)


def test_a_repaired_inertia_is_the_nearest_one():
    """Of the second moments of mass, compared with random bodies; a physical inertia stays."""
    random = np.random.default_rng(4)
    for _ in range(50):
        given = random.normal(size=(3, 3))
        given = given + given.T
        found = repaired(1.0, given)
        assert is_physical(1.0, (0, 0, 0), found)
        np.testing.assert_allclose(repaired(1.0, found), found, atol=1e-12)
        second, own = (np.trace(one) / 2 * np.eye(3) - one for one in (given, found))
        for _ in range(20):
            root = np.linalg.cholesky(own + 1e-9 * np.eye(3)) + random.normal(scale=0.1, size=(3, 3))
            assert np.linalg.norm(second - own) <= np.linalg.norm(second - root @ root.T) + 1e-7


def test_inertia_without_mass_is_dropped(load, quiet):
    text = robot(link("a", inertial('ixx="1" iyy="1" izz="1"', 0)), joint("j", "revolute", "a"), link("b"))
    text = text.replace("</robot>", joint("k", "revolute", "b", "a") + "</robot>")
    model, _ = quiet(text)
    assert model["a"].inertia is None
    with pytest.raises(ModelError, match="link 'a': it has inertia but no mass"):
        load(text, inertia="refuse")


def test_moving_links_without_inertia(load, quiet):
    text = robot(link("a"), joint("j", "revolute", "a"), link("b", ""), joint("k", "revolute", "b", "a"))
    text = text.replace("</robot>", link("c", "") + joint("m", "continuous", "c", "b") + "</robot>")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(
            ModelError,
            match=r"joint 'm': 'm\.rate' would have no inertia: body 'c' cannot resist it\. Use massless='lock'",
        ):
            load(text)
    locked, warning = quiet(text, massless="lock")
    assert "joints of moving links without inertia were locked: m, k." in warning
    assert gs.formulate(locked).coordinate_names == ("j",)
    assert locked.inputs == ("j_motor",)
    filled, warning = quiet(text, massless=(0.1, 0.01))
    assert "got mass and inertia for their links: m." in warning
    assert gs.formulate(filled).coordinate_names == ("j", "k", "m")
    with pytest.raises(GyrostatError, match=r"massless='weld' is not known\. Use 'refuse', 'lock' or \(mass, moment\)"):
        load(text, massless="weld")
    with pytest.raises(GyrostatError, match="massless="):
        load(text, massless=(0.1, -1))


# --- malformed and hostile files -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "robot.urdf: it is not XML: no element found"),
        ("<robot", "robot.urdf: it is not XML"),
        ("<sdf/>", "robot.urdf: it begins with <sdf>. A URDF file begins with <robot>."),
        ("<robot/>", "robot: it has no links."),
        ('<!DOCTYPE x [<!ENTITY a "b">]><robot/>', "robot.urdf: it contains <!DOCTYPE. Document types and entities"),
        (
            robot('<xacro:macro xmlns:xacro="http://ros.org/wiki/xacro"/>'),
            "it has elements or expressions of xacro. Expand",
        ),
        (robot(link("${name}")), "it has elements or expressions of xacro."),
        (
            robot('<i:include xmlns:i="http://www.w3.org/2001/XInclude" href="arm.urdf"/>'),
            "it includes other files by XInclude. Expand it first: xmllint --xinclude",
        ),
        (robot(link("a")), "robot: there are 2 links without a parent: base, a. Connect all links"),
        (robot(link("a"), link("a")), "link 'a': there are two of this name. Rename one of them."),
        (robot("<link/>"), "link: it has no name."),
        (
            robot(joint("j", "revolute", "x")),
            "joint 'j': its child is link 'x', which is not in the file. Known: base.",
        ),
        (robot(link("a"), joint("j", "hinge", "a")), "joint 'j': its type 'hinge' is not known."),
        (robot(link("a"), joint("j", "revolute", "a", content='<axis xyz="0 0 0"/>')), "joint 'j': its axis is zero."),
        (robot(link("a"), joint("j", "revolute", "a", content='<axis xyz="0 0"/>')), "is not 3 finite numbers."),
        (robot(link("a"), joint("j", "revolute", "a", content='<limit lower="nan"/>')), "is not a finite number."),
        (robot(link("a", inertial("", -1)), joint("j", "revolute", "a")), "link 'a': its mass is -1."),
        (
            robot(link("a"), joint("j", "revolute", "a"), joint("k", "revolute", "a")),
            "link 'a': it is the child of joints 'j' and 'k'. URDF describes trees",
        ),
        (
            robot(link("a"), link("b"), joint("j", "revolute", "a", "b"), joint("k", "revolute", "b", "a")),
            "robot: links are connected in a circle: a, b. URDF describes trees",
        ),
        (
            robot(link("a"), joint("j", "revolute", "a", content='<mimic joint="x"/>')),
            "joint 'j': it mimics joint 'x', which is not in the file. Known: j.",
        ),
    ],
)
def test_malformed_files(load, text, message):
    with pytest.raises(ModelError) as error:
        load(text)
    assert message in str(error.value)


HOSTILE = {
    "entities": lambda: '<!DOCTYPE r [<!ENTITY a "aaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]><robot>&b;</robot>',
    "external entity": lambda: '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><robot name="&x;"/>',
    "depth": lambda: "<robot>" + "<a>" * 1_000_000,
    "many elements": lambda: "<robot>" + "<link/>" * 2_000_000 + "</robot>",
    "long attribute": lambda: '<robot name="' + "x" * 20_000_000 + '"/>',
    "many attributes": lambda: "<robot " + " ".join(f"a{i}='1'" for i in range(500_000)) + "/>",
    "long text": lambda: "<robot>" + "x" * 30_000_000 + "</robot>",
    "numbers": lambda: robot(link("a", '<inertial><mass value="' + "9" * 90_000 + '"/></inertial>')),
}


FOUND = {
    "entities": "it contains <!DOCTYPE.",
    "external entity": "it contains <!DOCTYPE.",
    "depth": "elements are nested more than 100 levels deep.",
    "many elements": "it has more than 200,000 elements.",
    "long attribute": "element <robot> has too many or too long attributes.",
    "many attributes": "element <robot> has too many or too long attributes.",
    "long text": "it has no links.",
    "numbers": "of <mass> is not a finite number.",
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_files_are_refused_soon(load, kind):
    start = time.perf_counter()
    with pytest.raises(ModelError) as error:
        load(HOSTILE[kind]())
    assert FOUND[kind] in str(error.value)
    assert len(str(error.value)) < 1000
    assert time.perf_counter() - start < 20  # on an idle machine all take less than one


def test_other_encodings_and_missing_files(tmp_path):
    (tmp_path / "robot.urdf").write_bytes('<!DOCTYPE r><robot name="x"/>'.encode("utf-16"))
    with pytest.raises(ModelFileError, match=r"robot\.urdf: it is not UTF-8 text \(byte 0\)\. Save it as UTF-8\."):
        gs.load_urdf(tmp_path / "robot.urdf")
    with pytest.raises(ModelFileError, match=r"absent\.urdf: it cannot be read: No such file or directory\."):
        gs.load_urdf(tmp_path / "absent.urdf")
    with pytest.raises(ModelFileError, match="it cannot be read"):
        gs.load_urdf(tmp_path)


# --- command line ----------------------------------------------------------------------------------------------------


def test_import_command(tmp_path):
    (tmp_path / "robot.urdf").write_text(IMPOSSIBLE)
    result = CliRunner().invoke(app, ["import", str(tmp_path / "robot.urdf"), "--out", str(tmp_path / "robot.yaml")])
    assert result.exit_code == 0, result.output
    assert "Model 'test robot': 1 body, 1 joint, 1 force, 0 parameters" in result.output
    assert "nearest ones: a." in result.output
    assert gs.Model.load(tmp_path / "robot.yaml").joints.keys() == {"j"}
    for arguments, text in (
        ([str(tmp_path / "robot.urdf"), "--out", str(tmp_path / "robot.yaml")], "exists already"),
        (
            [str(tmp_path / "robot.stp"), "--out", str(tmp_path / "x.yaml")],
            "the suffix '.stp' is not known. Use .urdf",
        ),
        ([str(tmp_path / "robot.urdf"), "--out", str(tmp_path / "x.yaml"), "--inertia", "refuse"], "no body has"),
    ):
        failed = CliRunner().invoke(app, ["import", *arguments])
        assert failed.exit_code != 0
        assert text in str(failed.exception)
