"""SDF files: poses are those of the file, the mass matrix is that of pybullet; refusals name the element."""

from __future__ import annotations

import importlib.util
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from campaign import campaign
from typer.testing import CliRunner

import gyrostat as gs
from gyrostat.cli import app
from gyrostat.errors import GyrostatError
from gyrostat.io.sdf.element import SdfElement
from gyrostat.io.sdf.load import _described
from gyrostat.results.xml_document import read_xml

INERTIAL = """<inertial><pose>0.1 0 {z} 0.2 0 0.1</pose><mass>{m}</mass><inertia><ixx>0.2</ixx><iyy>0.3</iyy>
  <izz>0.25</izz><ixy>0.01</ixy><ixz>0</ixz><iyz>-0.02</iyz></inertia></inertial>"""


def link(name: str, pose: str = "0 0 0 0 0 0", m: float = 2.0, more: str = "") -> str:
    return f"<link name='{name}'><pose>{pose}</pose>{INERTIAL.format(z=0.2, m=m)}{more}</link>"


def joint(name: str, kind: str, parent: str, child: str, inside: str = "") -> str:
    return f"<joint name='{name}' type='{kind}'><parent>{parent}</parent><child>{child}</child>{inside}</joint>"


def load(tmp_path: Path, content: str, version: str = "1.9", **options: Any) -> gs.Model:
    path = tmp_path / "robot.sdf"
    path.write_text(f"<?xml version='1.0'?><sdf version='{version}'>{content}</sdf>")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", gs.GyrostatWarning)
        return gs.load_sdf(path, **options)


VISUAL = "<visual name='v'><geometry><box><size>1 2 3</size></box></geometry></visual>"
ARM = (
    "<model name='arm'><pose>0 0 1 0 0 0.3</pose>"
    + link("upper", "0 0.2 0 0.4 0 0", more=VISUAL)
    + link("lower", "0.3 0 0.1 0 -0.2 0.5", 1.0)
    + "<frame name='flange' attached_to='lower'><pose>0 0 0.4 0.1 0 0</pose></frame>"
    + "<link name='hand'><pose relative_to='flange'>0 0.1 0 0 0 0.7</pose>"
    + INERTIAL.format(z=0.1, m=0.5)
    + "</link>"
    + joint(
        "shoulder", "revolute", "world", "upper",
        "<pose>0 0 -0.3 0.1 0.2 0</pose><axis><xyz>0 1 0.5</xyz><limit><lower>-1</lower><upper>2</upper>"
        "<effort>9</effort></limit><dynamics><damping>0.7</damping><spring_stiffness>3</spring_stiffness><spring_reference>0.2"
        "</spring_reference><friction>0.1</friction></dynamics></axis>",
    )
    + joint("elbow", "prismatic", "upper", "lower", "<axis><xyz expressed_in='__model__'>1 0 0</xyz></axis>")
    + joint("wrist", "universal", "flange", "hand", "<axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 0 1</xyz></axis2>")
    + "</model>"
)  # fmt: skip


def test_a_robot_by_hand(tmp_path: Path) -> None:
    """Poses at zero coordinates are those of the file; axes have the directions of the file."""
    model = load(tmp_path, ARM, friction_speed=0.01)
    system = gs.formulate(model)
    assert system.coordinate_names == ("shoulder", "elbow", "wrist.angle1", "wrist.angle2")
    poses = system.poses(np.zeros(4))
    base = matrix((0, 0, 1, 0, 0, 0.3))
    upper, lower = base @ matrix((0, 0.2, 0, 0.4, 0, 0)), base @ matrix((0.3, 0, 0.1, 0, -0.2, 0.5))
    hand = lower @ matrix((0, 0, 0.4, 0.1, 0, 0)) @ matrix((0, 0.1, 0, 0, 0, 0.7))
    for name, expected in (("upper", upper), ("lower", lower), ("hand", hand)):
        np.testing.assert_allclose(poses[name].rotation, expected[:3, :3], atol=1e-12)
        np.testing.assert_allclose(poses[name].position, expected[:3, 3], atol=1e-12)
    moved = system.poses([0, 0.5, 0, 0])
    np.testing.assert_allclose(moved["lower"].position - lower[:3, 3], 0.5 * base[:3, 0], atol=1e-12)
    axis = (upper @ matrix((0, 0, -0.3, 0.1, 0.2, 0)))[:3, :3] @ (0, 1, 0.5) / np.sqrt(1.25)
    turned = system.poses([0.3, 0, 0, 0])["upper"].rotation @ poses["upper"].rotation.T
    np.testing.assert_allclose(turned @ axis, axis, atol=1e-12)
    turned = system.poses([0, 0, 0, 0.3])["hand"].rotation @ poses["hand"].rotation.T
    np.testing.assert_allclose(turned @ hand[:3, 2], hand[:3, 2], atol=1e-12)
    spring = model.forces["shoulder_spring"]
    assert [float(x.source) for x in (spring.stiffness, spring.damping, spring.angle)] == [3, 0.7, 0.2]
    assert model.joints["shoulder"].limits["angle"].effort.number == 9
    assert len(model.bodies["upper"].shape) == 1
    assert isinstance(model.forces["shoulder_friction"], gs.JointFriction)


def matrix(pose: tuple[float, ...]) -> Any:
    """Return a pose as a matrix, by rotations about single axes."""
    found = np.eye(4)
    found[:3, 3] = pose[:3]
    for axis, angle in ((2, pose[5]), (1, pose[4]), (0, pose[3])):
        turn, c, s = np.eye(3), np.cos(angle), np.sin(angle)
        i, j = (axis + 1) % 3, (axis + 2) % 3
        turn[i, i], turn[i, j], turn[j, i], turn[j, j] = c, -s, s, c
        found[:3, :3] = found[:3, :3] @ turn
    return found


def test_free_models_nested_models_and_loops(tmp_path: Path) -> None:
    nested = (
        "<world name='w'><gravity>0 0 -3</gravity><model name='outer'>"
        + link("a")
        + "<model name='inner'><pose>1 0 0 0 0 0</pose>"
        + link("b")
        + link("c", "0 0 1 0 0 0")
        + joint("bc", "ball", "b", "c")
        + "</model>"
        + joint("ab", "revolute2", "a", "inner::b", "<axis><xyz>0 0 1</xyz></axis><axis2><xyz>1 0 0</xyz></axis2>")
        + joint("ca", "ball", "inner::c", "a")
        + "</model><model name='wall'><static>true</static>"
        + link("brick", "0 5 0 0 0 0")
        + "</model></world>"
    )
    system = gs.formulate(load(tmp_path, nested))
    assert system.coordinates.n_u == 6 + 2 + 3
    assert set(system.model.joints) == {"ab", "ab_2", "bc", "ca", "a_base", "brick_base"}
    assert isinstance(system.model.joints["brick_base"], gs.Weld)
    assert len(system.topology.chords) == 1
    assert [float(x.source) for x in system.model.gravity] == [0, 0, -3]
    held = load(tmp_path, nested, floating=False, gravity=(0, 0, 0))
    assert isinstance(held.joints["a_base"], gs.Weld)


def test_mimic_screw_and_weightless_links(tmp_path: Path) -> None:
    text = (
        "<model name='m'>"
        + link("a", more="<gravity>false</gravity>")
        + link("b")
        + joint("s", "screw", "world", "a", "<screw_thread_pitch>0.01</screw_thread_pitch><axis/>")
        + joint("r", "continuous", "a", "b", "<axis><xyz>0 0 1</xyz><mimic joint='s'><multiplier>2</multiplier>"
                "<offset>0.3</offset><reference>0.1</reference></mimic></axis>")
        + "</model>"
    )  # fmt: skip
    model = load(tmp_path, text)
    gear = model.constraints["r_mimic"]
    assert (gear.a, gear.b, float(gear.ratio.source), float(gear.offset.source)) == ("s", "r", 2, pytest.approx(0.1))
    assert float(model.joints["s"].pitch.source) == 0.01
    assert [float(x.source) for x in model.forces["a_lift"].components] == pytest.approx([0, 0, 2 * 9.8])
    old = load(tmp_path, text.replace("screw_thread_pitch>0.01", "thread_pitch>-100").replace("screw_thread", "thread"))
    assert float(old.joints["s"].pitch.source) == pytest.approx(2 * np.pi / 100)


def public_files() -> dict[str, Path]:
    """Return SDF files of installed packages."""
    found: dict[str, Path] = {}
    for package, above in (("pybullet_data", 0), ("pinocchio", 4)):
        spec = importlib.util.find_spec(package)
        if spec is not None and spec.submodule_search_locations:
            base = Path(next(iter(spec.submodule_search_locations)))
            base = base if not above else base.parents[above - 1] / "share" / "example-robot-data"
            found |= {f"{package}/{path.relative_to(base).as_posix()}": path for path in sorted(base.rglob("*.sdf"))}
    return found


MALFORMED = {
    "cassie.sdf": r"joint 'left-roll-joint' > <gearbox_reference_body>: it is not understood",
    "model2.sdf": r"model 'lbr_iiwa': there are two of this name",
}
FEW = [
    f"pybullet_data/{name}.sdf"
    for name in ("kuka_iiwa/kuka_world", "kuka_iiwa/model2", "gripper/wsg50_one_motor_gripper")
]


@campaign(list(public_files()) or FEW, "name", few=FEW)
def test_public_files(name: str) -> None:
    """The first state of an import has the poses of the file, and closed loops."""
    path = public_files().get(name)
    if path is None:
        pytest.skip("peer 'pybullet' is not installed")
    if path.name in MALFORMED:
        with pytest.raises(GyrostatError, match=MALFORMED[path.name]):
            gs.load_sdf(path)
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", gs.GyrostatWarning)
        model = gs.load_sdf(path)
    system = gs.formulate(model)
    described, _, _ = _described(SdfElement(path.name, read_xml(path, text=True), ""))
    start = gs.assemble(system)
    poses = system.poses(start.q)
    for full, element in described.links.items():
        body = next(b for b in model.bodies.values() if (b.label or b.name) == full.rpartition("::")[2])
        expected = described.pose(full, element)
        np.testing.assert_allclose(poses[body.name].position, expected[:3, 3], atol=1e-6)
        np.testing.assert_allclose(poses[body.name].rotation, expected[:3, :3], atol=1e-6)


def test_mass_matrix_of_pybullet() -> None:
    """Of a fixed arm, at a random state; pybullet would take inertias of geometries, so it is given them."""
    pybullet = pytest.importorskip("pybullet", reason="peer 'pybullet' is not installed")
    path = public_files()["pybullet_data/kuka_iiwa/model.sdf"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", gs.GyrostatWarning)
        system = gs.formulate(gs.load_sdf(path, floating=False))
    client = pybullet.connect(pybullet.DIRECT)
    try:
        (arm,) = pybullet.loadSDF(str(path), physicsClientId=client)
        for i in range(7):
            inertia = system.model.bodies[f"lbr_iiwa_link_{i + 1}"].inertia
            diagonal = [float(inertia[k][k].source) for k in range(3)]
            pybullet.changeDynamics(arm, i, localInertiaDiagonal=diagonal, physicsClientId=client)
        q = np.random.default_rng(1).normal(size=7)
        theirs = np.array(pybullet.calculateMassMatrix(arm, q.tolist(), physicsClientId=client))
    finally:
        pybullet.disconnect(client)
    np.testing.assert_allclose(system.mass_matrix(q), theirs, atol=1e-8)


# --- included models -------------------------------------------------------------------------------------------------


def store(path: Path, content: str, version: str = "1.9") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"<sdf version='{version}'>{content}</sdf>")
    return path


def test_included_models_are_those_written_in_place(tmp_path: Path) -> None:
    """By file, by folder, by the name of a model with a configuration; each with its own name, pose and flag."""
    pose = "<pose>1 2 3 0.1 0.2 0.3</pose>"
    tool = "<model name='tool'><pose>9 9 9 0 0 0</pose>" + link("tip") + "</model>"
    store(tmp_path / "parts" / "tool.sdf", tool)
    store(tmp_path / "table" / "model.sdf", "<model name='table'>" + link("top") + "</model>")
    (tmp_path / "arm").mkdir()
    files = "<sdf version='1.4'>old.sdf</sdf><sdf version='1.9'>new.sdf</sdf>"
    (tmp_path / "arm" / "model.config").write_text(f"<model>{files}</model>")
    store(tmp_path / "arm" / "old.sdf", "<model name='arm'>" + link("wrong") + "</model>")
    store(tmp_path / "arm" / "new.sdf", ARM.replace("<model name='arm'>", "<model name='arm'><include><uri>"
          "model://parts/tool.sdf</uri><name>grip</name></include>"))  # fmt: skip
    uses = "<include><uri>parts/tool.sdf</uri><name>own</name>" + pose + "</include>"
    uses += "<include><uri>table</uri><static>true</static></include><include><uri>model://arm</uri></include>"
    included = load(tmp_path, f"<world name='w'>{uses}</world>")
    nested = tool.replace("name='tool'", "name='grip'")
    by_hand = tool.replace("<pose>9 9 9 0 0 0</pose>", pose).replace("name='tool'", "name='own'")
    by_hand += "<model name='table'><static>true</static>" + link("top") + "</model>"
    by_hand += ARM.replace("<model name='arm'>", f"<model name='arm'>{nested}")
    assert included == load(tmp_path, f"<world name='w'>{by_hand}</world>")
    beside = store(tmp_path / "arm" / "beside.sdf", "<include><uri>model://table</uri></include>")
    assert "top" in gs.load_sdf(beside).bodies


def include(uri: str, attributes: str = "") -> str:
    return f"<include {attributes}><uri>{uri}</uri></include>"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (include("absent"), r"<include>: there is no file 'absent'\. Give the folder of a model, or its file, in the"),
        (include("/etc/passwd"), r"'/etc/passwd' is an absolute path"),
        (include("https://a.b/c"), r"'https://a\.b/c' is a network address"),
        (include("../out.sdf"), r"'\.\./out\.sdf' leads out of the folder of the outermost model file"),
        (include("model://../out.sdf"), r"'\.\./out\.sdf' leads out of the folder"),
        (include("link.sdf"), r"'link\.sdf' leads out of the folder"),
        (include("circle.sdf"), r"files use each other in a circle: circle\.sdf → circle\.sdf"),
        (include("robot.sdf"), r"files use each other in a circle: robot\.sdf → robot\.sdf"),
        (include("bomb0.sdf"), r"more than 1000 models are included\. Use fewer"),
        (include("two.sdf"), r"two\.sdf does not have one model\. Include a file with one <model> in <sdf>"),
        (include("two.sdf", "merge='true'"), r"merge='true' is not understood"),
        (include("odd"), r"model\.config: <sdf>: its version 'x' is none"),
    ],
)
def test_includes_that_are_refused(tmp_path: Path, content: str, message: str) -> None:
    folder = tmp_path / "robots"
    store(tmp_path / "out.sdf", "<model name='out'>" + link("a") + "</model>")
    store(folder / "circle.sdf", f"<model name='c'>{include('circle.sdf')}</model>")
    store(folder / "two.sdf", "<model name='a'/><model name='b'/>")
    for i in range(9):
        uses = "".join(f"<include><uri>bomb{i + 1}.sdf</uri><name>m{j}</name></include>" for j in range(9))
        store(folder / f"bomb{i}.sdf", f"<model name='b'>{uses if i < 8 else ''}</model>")
    (folder / "link.sdf").symlink_to(tmp_path / "out.sdf")
    (folder / "odd").mkdir()
    (folder / "odd" / "model.config").write_text("<model><sdf version='x'>a.sdf</sdf></model>")
    with pytest.raises(GyrostatError, match=message):
        load(folder, content)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("<model name='m'/>", r"it has no links\. Is this the whole file\?"),
        ("<modell/>", r"<modell>: it is not understood"),
        ("<model name='m'><include><uri>x</uri></include></model>", r"model 'm' > <include>: there is no file 'x'\."),
        ("<model><link name='a'/></model>", r"<model>: it has no name"),
        (f"<model name='m'>{link('a')}{link('a')}</model>", r"model 'm' > link 'a': there are two of this name"),
        (
            f"<model name='m'>{link('a')}{joint('j', 'gearbox', 'world', 'a')}</model>",
            r"joint 'j': its type 'gearbox' is not understood",
        ),
        (f"<model name='m'>{link('a')}{joint('j', 'revolute', 'world', 'a')}</model>", r"joint 'j': it has no <axis>"),
        (
            f"<model name='m'>{link('a')}{joint('j', 'revolute', 'b', 'a', '<axis><xyz>0 0 1</xyz></axis>')}</model>",
            r"joint 'j': there is no link 'm::b'",
        ),
        (
            f"<model name='m'>{link('a')}{joint('j', 'revolute', 'a', 'a', '<axis><xyz>0 0 1</xyz></axis>')}</model>",
            r"its parent and its child are the same link",
        ),
        (
            f"<model name='m'>{link('a')}{joint('j', 'revolute', 'world', 'a', '<axis><xyz>0 0</xyz></axis>')}</model>",
            r"joint 'j' > <axis> > <xyz>: '0 0' is not 3 finite numbers",
        ),
        (
            f"<model name='m'>{link('a')}"
            + joint("j", "revolute", "world", "a", "<axis><xyz>0 0 0</xyz></axis>")
            + "</model>",
            r"<axis>: its direction is zero",
        ),
        (
            f"<model name='m'>{link('a')}"
            + joint("j", "universal", "world", "a", "<axis><xyz>0 0 1</xyz></axis><axis2><xyz>0 1 1</xyz></axis2>")
            + "</model>",
            r"its axes are not at right angles",
        ),
        ("<model name='m'><link name='a'><inertial><mass>-1</mass></inertial></link></model>", r"the mass is -1"),
        ("<model name='m'><link name='a'><inertial auto='true'/></link></model>", r"to be computed from geometries"),
        (
            "<model name='m'><link name='a'><pose relative_to='f'/></link><frame name='f'>"
            "<pose relative_to='a'/></frame></model>",
            r"frames are relative to each other in a circle: m::a, m::f",
        ),
        ("<model name='m'><static>maybe</static><link name='a'/></model>", r"<static> is 'maybe'"),
        (
            f"<model name='m'>{link('a')}"
            + joint("j", "revolute", "world", "a", "<axis><xyz>0 0 1</xyz><mimic joint='k'/></axis>")
            + "</model>",
            r"it follows joint 'k', which is not in the model",
        ),
        ("<model name='m' placement_frame='a'><link name='a'/></model>", r"placement_frame is not understood"),
    ],
)
def test_refusals(tmp_path: Path, content: str, message: str) -> None:
    with pytest.raises(GyrostatError, match=message):
        load(tmp_path, content)


def test_inertias_of_no_body(tmp_path: Path) -> None:
    text = "<model name='m'><link name='a'><inertial><inertia><ixx>5</ixx></inertia></inertial></link></model>"
    with pytest.raises(GyrostatError, match=r"link 'a' > <inertial>: no body has these moments of inertia"):
        load(tmp_path, text, inertia="refuse")
    (tmp_path / "robot.sdf").write_text(f"<sdf version='1.9'>{text}</sdf>")
    with pytest.warns(gs.GyrostatWarning, match=r"inertias that no body can have were replaced by the nearest ones: a"):
        gs.load_sdf(tmp_path / "robot.sdf")
    with pytest.raises(GyrostatError, match=r"inertia='drop' is not known"):
        gs.load_sdf(tmp_path / "robot.sdf", inertia="drop")
    (tmp_path / "robot.sdf").write_text("<robot/>")
    with pytest.raises(GyrostatError, match=r"it begins with <robot>\. An SDF file begins with <sdf>"):
        gs.load_sdf(tmp_path / "robot.sdf")


def test_command_line(tmp_path: Path) -> None:
    (tmp_path / "robot.sdf").write_text(f"<sdf version='1.9'>{ARM}</sdf>")
    out = tmp_path / "robot.yaml"
    result = CliRunner().invoke(app, ["import", str(tmp_path / "robot.sdf"), "--out", str(out)])
    assert result.exit_code == 0, result.output
    assert gs.Model.load(out).joints.keys() == {"shoulder", "elbow", "wrist"}
