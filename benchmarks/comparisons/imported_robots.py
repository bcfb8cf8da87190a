"""Import of public robots and their first evaluation, beside Pinocchio's and MuJoCo's loaders; building FMUs."""

from __future__ import annotations

import sys
import tempfile
import warnings
from collections.abc import Callable, Mapping
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any
from xml.etree import ElementTree

import numpy as np

import gyrostat as gs
from comparisons.calls import AnalysisRow
from comparisons.row import Row

FOLDER = "cmeel.prefix/share/example-robot-data/robots"
ROBOTS = (
    "ur_description/urdf/ur5_robot.urdf",
    "kinova_description/robots/kinova.urdf",
    "xarm_description/urdf/xarm7.urdf",
    "panda_description/urdf/panda.urdf",
    "a1_description/urdf/a1.urdf",
    "go2_description/urdf/go2.urdf",
    "baxter_description/urdf/baxter.urdf",
    "g1_description/urdf/g1_29dof_rev_1_0.urdf",
    "talos_data/robots/talos_reduced.urdf",
    "g1_description/urdf/g1_29dof_with_hand_rev_1_0.urdf",
)
"""Files of example-robot-data that all three read as they are, but for geometry, laws and mimicry."""
EXAMPLES = Path(__file__).parents[2] / "examples"
_QUANTITY = "import and first u̇"
_LEFT_OUT = {"link": ("visual", "collision"), "joint": ("dynamics", "mimic", "safety_controller", "calibration")}


def compare_imports(*, rounds: int) -> list[Row]:
    """Return rows of ten robots: a file to accelerations at a first state, the first time in a cache without them."""
    files = [path for path in (_found(name) for name in ROBOTS) if path is not None]
    peers = {name: run for name, run in _PEERS.items() if find_spec(name) is not None}
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        for file in files:
            path = Path(folder) / file.name
            path.write_text(_stripped(file), encoding="utf-8")
            if not rows:  # packages are imported before
                gs.formulate(gs.Model.load(EXAMPLES / "double_pendulum.yaml")).forward_dynamics([0, 0], [0, 0])
                for run in peers.values():
                    run(path)
            seconds, ours = _timed(partial(_in_gyrostat, path))
            for name, run in peers.items():
                runs = [_timed(partial(run, path)) for _ in range(rounds)]
                theirs, peer_seconds = runs[0][1], median(time for time, _ in runs)
                difference = _difference(ours, theirs)
                rows.append(Row(_QUANTITY, file.stem, seconds, name, peer_seconds, seconds / peer_seconds, difference))
    return rows


def measure_units() -> list[AnalysisRow]:
    """Return the times of building FMUs: formulas, C sources and the compiler together."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name in ("double_pendulum", "four_bar"):
            system = gs.formulate(gs.Model.load(EXAMPLES / f"{name}.yaml"))
            seconds, _ = _timed(partial(gs.export_fmu, system, Path(folder) / f"{name}.fmu"))
            rows.append(AnalysisRow(f"FMU of {name}", seconds))
        if (humanoid := _found(ROBOTS[-1])) is not None:
            system = gs.formulate(_loaded(humanoid))
            seconds, _ = _timed(partial(gs.export_fmu, system, Path(folder) / "humanoid.fmu"))
            rows.append(AnalysisRow(f"FMU of a humanoid with {len(system.coordinate_names)} joints", seconds))
    return rows


def _found(name: str) -> Path | None:
    paths = (Path(entry or ".") / FOLDER / name for entry in sys.path)
    return next((path for path in paths if path.is_file()), None)


def _stripped(file: Path) -> str:
    """Return the text of a file without geometry, laws and mimicry."""
    root = ElementTree.fromstring(file.read_bytes().lstrip())
    for tag, left_out in _LEFT_OUT.items():
        for element in root.findall(tag):
            for part in [part for part in element if part.tag in left_out]:
                element.remove(part)
    return ElementTree.tostring(root, encoding="unicode")


def _timed(run: Callable[[], Any]) -> tuple[float, Any]:
    start = perf_counter()
    found = run()
    return perf_counter() - start, found


def _loaded(path: Path) -> gs.Model:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", gs.GyrostatWarning)
        return gs.load_urdf(path, actuators=False)


def _state(size: int) -> Any:
    return np.linspace(0.1, 0.5, size)


def _in_gyrostat(path: Path) -> dict[str, float]:
    model = _loaded(path)
    system = gs.formulate(model)
    names = [model.joints[name].label or name for name in system.coordinate_names]
    order = np.argsort(names)
    q, u = np.zeros(len(names)), np.zeros(len(names))
    q[order] = u[order] = _state(len(names))
    return dict(zip(names, system.forward_dynamics(q, u).tolist(), strict=True))


def _in_pinocchio(path: Path) -> dict[str, float]:
    import pinocchio

    model = pinocchio.buildModelFromUrdf(str(path))
    data, names = model.createData(), list(model.names)[1:]
    places = {name: model.joints[model.getJointId(name)].idx_v for name in names}
    q, u = pinocchio.neutral(model), np.zeros(model.nv)
    for name, value in zip(sorted(names), _state(len(names)), strict=True):
        joint, u[places[name]] = model.joints[model.getJointId(name)], value
        q[joint.idx_q : joint.idx_q + joint.nq] = [np.cos(value), np.sin(value)] if joint.nq == 2 else [value]
    found = pinocchio.aba(model, data, q, u, np.zeros(model.nv))
    return {name: float(found[place]) for name, place in places.items()}


def _in_mujoco(path: Path) -> dict[str, float]:
    import mujoco

    model = mujoco.MjModel.from_xml_path(str(path))
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT | mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    data, names = mujoco.MjData(model), [model.joint(i).name for i in range(model.njnt)]
    for name, value in zip(sorted(names), _state(len(names)), strict=True):
        data.qpos[names.index(name)] = data.qvel[names.index(name)] = value
    mujoco.mj_forward(model, data)
    return dict(zip(names, data.qacc.tolist(), strict=True))


def _difference(ours: Mapping[str, float], theirs: Mapping[str, float]) -> float:
    assert ours.keys() == theirs.keys(), "both have the same joints"
    return max(abs(ours[name] - theirs[name]) for name in ours) / max(abs(value) for value in theirs.values())


_PEERS: dict[str, Callable[[Path], dict[str, float]]] = {"pinocchio": _in_pinocchio, "mujoco": _in_mujoco}
