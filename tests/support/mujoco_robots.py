"""Public URDF files in MuJoCo."""

from __future__ import annotations

import tempfile
from collections.abc import Container
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from robots import repaired_text

_LEAVE = '<mujoco><compiler fusestatic="false" boundmass="0" boundinertia="0"/></mujoco>'
"""Settings with which MuJoCo changes neither links nor inertias."""


@dataclass
class MujocoRobot:
    """A robot in MuJoCo, without contacts and limits."""

    mujoco: Any
    model: Any
    data: Any

    @property
    def names(self) -> list[str]:
        """The joints in the order of velocities."""
        return [self.model.joint(i).name for i in range(self.model.njnt)]

    def move(self, q: Any, u: Any) -> None:
        """Set coordinates and speeds in the order of the joints, and evaluate all that depends on them."""
        self.data.qpos[:], self.data.qvel[:] = q, u
        self.mujoco.mj_forward(self.model, self.data)

    def mass_matrix(self) -> Any:
        """Return the mass matrix."""
        found = np.zeros((self.model.nv, self.model.nv))
        self.mujoco.mj_fullM(self.model, self.data, found)
        return found

    def accelerations(self) -> Any:
        """Return the rates of the speeds without loads of drives."""
        return self.data.qacc.copy()

    def load(self, acceleration: Any) -> Any:
        """Return the loads on the joints that a motion needs."""
        self.data.qacc[:] = acceleration
        self.mujoco.mj_inverse(self.model, self.data)
        return self.data.qfrc_inverse.copy()

    def energies(self) -> tuple[float, float]:
        """Return the kinetic and the potential energy."""
        self.mujoco.mj_energyPos(self.model, self.data)
        self.mujoco.mj_energyVel(self.model, self.data)
        potential, kinetic = self.data.energy
        return float(kinetic), float(potential)


def in_mujoco(mujoco: Any, path: Path, locked: Container[str] = ()) -> MujocoRobot | None:
    """Return a robot in MuJoCo, its inertias repaired alike; None where MuJoCo cannot read it."""
    text = repaired_text(path, locked)
    head, end, rest = text.partition(">")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "robot.urdf"
        file.write_text(head + end + _LEAVE + rest, encoding="utf-8")
        try:
            model = mujoco.MjModel.from_xml_path(str(file))
        except ValueError:
            return None
    disabled = mujoco.mjtDisableBit
    model.opt.disableflags |= disabled.mjDSBL_CONTACT | disabled.mjDSBL_CONSTRAINT
    return MujocoRobot(mujoco, model, mujoco.MjData(model))
