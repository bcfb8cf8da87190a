"""Files of MuJoCo: accelerations of imports are MuJoCo's own, whatever parts the file has."""

from __future__ import annotations

import importlib.util
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from campaign import campaign
from mujoco_models import acceleration_error, our_state, random_state

import gyrostat as gs
from gyrostat.errors import GyrostatError

TOLERANCE = 1e-8

EVERYTHING = """<mujoco model="everything"><compiler angle="radian" autolimits="true"/>
  <option gravity="0.3 -1 -9.81"/>
  <worldbody>
    <geom type="plane" size="2 2 .1"/>
    <site name="post" pos=".4 0 1"/>
    <body name="cart" pos=".1 .2 .3" quat=".9 .1 .2 -.3">
      <joint name="rail" type="slide" axis="1 2 0" ref=".3" stiffness="20" springref=".1" damping="2" armature=".4"/>
      <joint name="tilt" axis="0 1 1" pos=".1 0 0" ref="-.4" armature=".05" damping=".3" range="-1 1"/>
      <geom type="box" size=".1 .2 .05" pos=".05 0 0" mass="2"/>
      <site name="eye" pos="0 .1 .2" quat="1 .2 0 0"/>
      <body name="arm" pos="0 .3 .1" euler=".3 -.2 .5" gravcomp=".6">
        <joint name="ball" type="ball" pos="0 0 .2" damping=".2" armature=".03"/>
        <geom type="capsule" size=".03 .2" mass=".7" pos="0 .05 -.1"/>
        <site name="tip" pos="0 0 -.3"/>
        <body name="fixed" pos="0 0 -.3"><geom type="sphere" size=".05"/>
          <body name="finger-1" pos=".1 0 0"><joint name="f 1" axis="0 0 1" frictionloss=".2"/><geom type="cylinder"
            size=".02 .1" pos=".1 0 0"/></body>
          <body name="lambda" pos="-.1 0 0"><joint name="f2" axis="0 1 0"/><geom type="ellipsoid"
            size=".02 .1 .03" pos="-.1 0 0"/></body>
        </body>
      </body>
    </body>
    <body name="weak" pos="3 0 0"><joint name="w" actuatorfrcrange="-3 2" axis="0 1 0"/><geom size=".1" pos=".2 0 0"/>
    </body><body name="drifter" pos="1 0 1" euler="0 .3 0"><joint name="loose" type="free"/><geom size=".1"
      pos=".1 0 .2"/></body>
    <body name="damped" pos="-1 0 1" quat=".7 .1 -.7 0"><joint name="slow" type="free" damping=".4" armature=".2"/>
      <geom type="box" size=".1 .2 .3" pos=".1 0 0"/><site name="hook" pos="0 .1 0"/></body>
  </worldbody>
  <tendon>
    <fixed name="sum" stiffness="7" damping=".6" springlength=".2"><joint joint="f 1" coef="2"/><joint joint="f2"
      coef="-1"/></fixed>
    <spatial name="cord" stiffness="30" damping="3" springlength=".1"><site site="post"/><site site="eye"/><site
      site="tip"/><pulley divisor="2"/><site site="tip"/><site site="hook"/></spatial>
    <spatial name="loose_cord" stiffness="30" springlength=".1 9"><site site="post"/><site site="hook"/></spatial>
  </tendon>
  <actuator>
    <motor name="pull" joint="rail"/>
    <position name="limp" joint="w" kp="50"/>
    <motor name="geared" joint="f2" gear="-7" ctrlrange="-.2 .3"/>
    <position name="servo" joint="tilt" kp="40" kv="3" forcerange="-50 60"/>
    <velocity name="speed" joint="f 1" kv="2" gear="3"/>
    <general name="filtered" joint="f2" dyntype="filter" dynprm=".2" gaintype="affine" gainprm="2 .5 -.1"
      biastype="affine" biasprm=".3 -1 -.2"/>
    <intvelocity name="creep" joint="rail" kp="5" actrange="-1 1"/>
    <motor name="reel" tendon="cord" gear="4"/>
    <position name="grip" tendon="sum" kp="3"/>
  </actuator>
  <keyframe><key name="start" qpos="1.2 .1 .5 .5 .5 .5 .1 .2 .9 1 2 3 .5 .5 -.5 .5 .1 .2 .3 .8 .6 0 0"
    qvel="1 2 .1 .2 .3 .4 .5 .7 1 2 3 .1 .2 .3 3 2 1 .3 .2 .1"/></keyframe>
</mujoco>"""


def imported(path: Path, **options: Any) -> gs.Model:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", gs.GyrostatWarning)
        return gs.load_mjcf(path, **options)


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "model.xml"
    path.write_text(text)
    return path


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory, mujoco: Any) -> tuple[Any, gs.Model]:
    path = written(tmp_path_factory.mktemp("mjcf"), EVERYTHING)
    return mujoco.MjModel.from_xml_path(str(path)), imported(path, keyframe="start")


@pytest.mark.parametrize("seed", range(4))
def test_all_parts(mujoco: Any, everything: tuple[Any, gs.Model], seed: int) -> None:
    """Several joints on a body, references, springs, armature, tendons, actuators, activation, limits of forces."""
    m, model = everything
    assert acceleration_error(mujoco, m, model, seed) < TOLERANCE


def test_mass_matrix_and_energy(mujoco: Any, everything: tuple[Any, gs.Model]) -> None:
    m, model = everything
    bare = model.copy()
    bare.remove(*model.forces, *model.states)
    d, system = random_state(mujoco, m, 3), gs.formulate(bare)
    q, u = our_state(system, m, d)
    M = np.zeros((m.nv, m.nv))
    mujoco.mj_fullM(m, d, M)
    assert system.energy(q, u).kinetic == pytest.approx(d.qvel @ M @ d.qvel / 2, rel=1e-10)


def test_keyframes(mujoco: Any, everything: tuple[Any, gs.Model]) -> None:
    m, model = everything
    d = mujoco.MjData(m)
    mujoco.mj_resetDataKeyframe(m, d, 0)
    mujoco.mj_normalizeQuat(m, d.qpos)
    system = gs.formulate(model)
    start = gs.simulate(system, duration=1e-9).state
    q, u = our_state(system, m, d)
    expected = dict(zip((*system.coordinate_names, *system.speed_names), (*q, *u), strict=True))
    for name, value in expected.items():
        assert start[name] == pytest.approx(value, abs=1e-4), name


def public_files() -> dict[str, Path]:
    """Return MJCF files of packages that are installed, by package and path."""
    found = {}
    for package, folder in (("gymnasium", "envs/mujoco/assets"), ("dm_control", ""), ("mujoco", "testdata")):
        spec = importlib.util.find_spec(package)
        if spec is not None and spec.submodule_search_locations:
            base = Path(next(iter(spec.submodule_search_locations)))
            for path in sorted((base / folder).rglob("*.xml")):
                found[f"{package}/{path.relative_to(base).as_posix()}"] = path
    return found


REFUSED = {
    **dict.fromkeys(
        ("swimmer.xml", "fish.xml", "test_assets/arena.xml", "drosophila_defaults.xml"), "forces of a fluid"
    ),
    **dict.fromkeys(("fruitfly.xml", "floor.xml"), "which acts neither on a joint nor on a tendon"),
    "model.xml": "which wraps around a geometry",
}
"""Ends of paths of files with parts that have no counterpart, and a part of the message."""
FEW = [f"gymnasium/envs/mujoco/assets/{name}.xml" for name in ("ant", "humanoid", "pusher", "swimmer", "walker2d")]
FEW += [f"dm_control/suite/{name}.xml" for name in ("cheetah", "quadruped", "stacker")]


@campaign(list(dict.fromkeys([*public_files(), *FEW])), "name", few=FEW)
def test_public_files(mujoco: Any, name: str) -> None:
    """Each file that MuJoCo compiles is imported with MuJoCo's accelerations, or refused with the part."""
    path = public_files().get(name)
    if path is None:
        pytest.skip(f"peer {name.partition('/')[0]!r} is not installed")
    try:
        m = mujoco.MjModel.from_xml_path(str(path))
    except ValueError:
        with pytest.raises(GyrostatError, match=r"MuJoCo cannot compile it|its root element is"):
            gs.load_mjcf(path)
        return
    message = next((message for end, message in REFUSED.items() if name.endswith(f"/{end}")), None)
    if message is not None:
        with pytest.raises(GyrostatError, match=message):
            imported(path)
        return
    model = imported(path)
    for constraint in list(model.constraints):
        model.remove(constraint)  # MuJoCo's are soft
    loops = [joint for joint in model.joints if joint in {m.equality(i).name or f"equality{i}" for i in range(m.neq)}]
    model.remove(*loops)
    if m.nv:
        assert acceleration_error(mujoco, m, model, 1) < TOLERANCE


LOOPS = """<mujoco><worldbody>
  <body name="a"><joint name="qa" axis="0 1 0" ref="10"/><geom type="capsule" fromto="0 0 0 1 0 0" size=".02"/></body>
  <body name="b" pos="0 0 1"><joint name="qb" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 1 0 0" size=".02"/>
  </body>
  <body name="c" pos="0 2 0"><joint name="qc" axis="0 1 0"/><geom size=".1" pos=".3 0 0"/></body>
  <body name="d" pos="0 3 0"><joint name="qd" axis="0 1 0"/><geom size=".1" pos=".3 0 0"/></body>
  <body name="e" pos="1 0 0"><freejoint name="qe"/><geom size=".1"/></body>
  <body name="f" pos="1 5 0"><freejoint name="qf"/><geom size=".1" pos="0 0 .3"/></body>
  </worldbody>
  <tendon><fixed name="t"><joint joint="qc" coef="1"/><joint joint="qd" coef="2"/></fixed></tendon>
  <equality>
  <joint name="ratio" joint1="qa" joint2="qb" polycoef=".1 2 0 0 0"/>
  <joint name="bent" joint1="qc" joint2="qb" polycoef="0 1 .5 0 0"/>
  <tendon name="both" tendon1="t" polycoef=".2 0 0 0 0"/>
  <connect name="pin" body1="b" body2="e" anchor="1 0 0"/>
  <weld name="glue" body1="b" body2="f"/>
  <joint name="idle" joint1="qd" active="false"/>
  </equality></mujoco>"""


def test_equality_constraints(mujoco: Any, tmp_path: Path) -> None:
    """At random positions the residuals are MuJoCo's; the motion satisfies them."""
    path = written(tmp_path, LOOPS)
    m = mujoco.MjModel.from_xml_path(str(path))
    model = imported(path)
    run = gs.simulate(gs.formulate(model), duration=0.5)
    d = mujoco.MjData(m)
    for j in range(m.njnt):
        name, q = m.joint(j).name, int(m.jnt_qposadr[j])
        if m.jnt_type[j] == 0:
            for i, label in enumerate(("x", "y", "z", "e0", "e1", "e2", "e3")):
                d.qpos[q + i] = float(run[f"{name}.{label}"][-1])
        else:
            d.qpos[q] = float(run[name][-1])
    mujoco.mj_forward(m, d)
    rows = d.efc_type == int(mujoco.mjtConstraint.mjCNSTR_EQUALITY)
    assert rows.sum() == 12
    assert np.abs(d.efc_pos[rows]).max() < 1e-7


MESHES = """<mujoco><compiler meshdir="meshes"/><asset>
  <mesh name="plain" file="corner.obj" scale="1 -2 .5"/>
  <mesh name="moved" file="corner.obj" scale="2 1 1" refpos=".1 .2 .3"/>
  <mesh name="turned" file="corner.obj" refquat="1 .2 0 0"/>
  <mesh name="inline" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset><worldbody>
  <body name="a"><joint/><geom type="mesh" mesh="plain" pos="1 2 3" euler="10 20 30"/></body>
  <body name="b"><joint/><geom type="mesh" mesh="moved" euler="0 -50 0"/>
    <geom type="mesh" mesh="plain" group="3" mass="1"/></body>
  <body name="c"><joint/><geom type="mesh" mesh="turned"/></body>
  <body name="d"><joint/><geom type="mesh" mesh="inline"/></body>
  </worldbody></mujoco>"""


def test_meshes_are_drawn_where_mujoco_has_them(tmp_path: Path, mujoco: Any) -> None:
    """MuJoCo moves vertices to principal axes; the mesh of the file stands at the same places on the body."""
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3.0]])
    (tmp_path / "meshes").mkdir()
    lines = [f"v {x} {y} {z}" for x, y, z in corners] + ["f 1 3 2", "f 1 2 4", "f 1 4 3", "f 2 3 4"]
    (tmp_path / "meshes" / "corner.obj").write_text("\n".join(lines))
    path = written(tmp_path, MESHES)
    m = mujoco.MjModel.from_xml_path(str(path))
    with pytest.warns(gs.GyrostatWarning, match=r"and height fields, are not drawn: c, d\."):
        model = gs.load_mjcf(path)
    assert model["c"].shape is None
    for body, g in (("a", 0), ("b", 1)):
        (mesh,) = model[body].shape  # that of group 3 is hidden
        R, r = gs.Frame(mesh.at, mesh.turn).placement(model.evaluator())
        ours = corners * [float(x.source) for x in mesh.scale] @ np.array(R, float).T + np.array(r, float)
        first = m.mesh_vertadr[m.geom_dataid[g]]
        turned = np.zeros(9)
        mujoco.mju_quat2Mat(turned, m.geom_quat[g])
        theirs = m.mesh_vert[first : first + 4] @ turned.reshape(3, 3).T + m.geom_pos[g]
        np.testing.assert_allclose(np.sort(ours, axis=0), np.sort(theirs, axis=0), atol=1e-6)  # theirs are float32


def test_options(tmp_path: Path, mujoco: Any) -> None:
    text = """<mujoco><worldbody><geom type="plane" size="1 1 1"/><body pos="0 0 1"><freejoint/><geom size=".1"/></body>
      <body name="b" pos="0 1 1"><joint name="h" range="-1 1" limited="true" frictionloss=".2" axis="0 1 0"/>
      <geom type="ellipsoid" size=".1 .1 .2" pos="0 0 .1"/></body></worldbody></mujoco>"""
    path = written(tmp_path, text)
    law = gs.HuntCrossley(1e5, 0.1)
    model = imported(path, stops=law, contacts=law, friction=gs.Coulomb(0.3, 0.01), friction_speed=0.01)
    kinds = sorted(type(force).__name__ for force in model.forces.values())
    assert kinds == ["Contacts", "JointFriction", "JointLimit"]
    assert model.forces["contacts"].among == ("ground", "body1")
    with pytest.warns(gs.GyrostatWarning, match=r"dry friction was left out: h.* contacts were left out"):
        gs.load_mjcf(path)
    run = gs.simulate(gs.formulate(imported(path, contacts=law)), duration=0.7)
    assert 0.05 < float(run["body1"][-1, 2]) < 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<robot name='r'/>", r"its root element is <robot>, not <mujoco>. Use gs.load_urdf"),
        ("<mujoco><worldbody><bodi/></worldbody></mujoco>", r"MuJoCo cannot compile it: .*bodi"),
        ("<!DOCTYPE x><mujoco/>", "it contains <!DOCTYPE"),
        (
            '<mujoco><option density="1"/><worldbody><body><joint type="ball" stiffness="1"/><geom size="1"/></body>'
            "</worldbody></mujoco>",
            r"parts of it have no counterpart: the spring of joint 'joint0', which has three rotations, forces of a "
            r"fluid\. load_mjcf\(…, unsupported='leave'\)",
        ),
        (
            '<mujoco><worldbody><body><joint name="h" actuatorfrcrange="-1 1"/><geom size="1"/>'
            '<site name="s"/></body></worldbody><actuator>'
            '<motor joint="h"/>'
            '<motor name="jet" site="s"/><muscle name="m" joint="h" lengthrange="0 1"/></actuator></mujoco>',
            r"the limit of the sum of actuator forces at joint 'h', "
            r"actuator 'jet', which acts neither on a joint nor on a tendon, actuator 'm', whose gain or bias",
        ),
    ],
)
def test_refusals(tmp_path: Path, mujoco: Any, text: str, message: str) -> None:
    with pytest.raises(GyrostatError, match=message):
        gs.load_mjcf(written(tmp_path, text))


def test_wrong_options(tmp_path: Path, mujoco: Any) -> None:
    path = written(tmp_path, "<mujoco><worldbody><body><joint/><geom size='1'/></body></worldbody></mujoco>")
    with pytest.raises(GyrostatError, match=r"unsupported='drop' is not known. Use 'refuse' or 'leave'"):
        gs.load_mjcf(path, unsupported="drop")
    with pytest.raises(GyrostatError, match=r"it has no keyframe 'home'"):
        gs.load_mjcf(path, keyframe="home")
    with pytest.raises(GyrostatError, match=r"3 is no normal law of contacts"):
        gs.load_mjcf(path, stops=3)  # type: ignore[arg-type]
