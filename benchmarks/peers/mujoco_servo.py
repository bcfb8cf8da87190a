"""MuJoCo: the arm with servos, by its own actuators of type dcmotor and by user dynamics compiled from C.

With dcmotor actuators, torques are those of the current at the end of the step, and currents are advanced by an
exponential formula, whatever the integrator: all of them are of first order. User dynamics keep the order of the
integrator. Controls, and the loop over samples, are compiled from C as well; sampled laws in Python are compared too.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
from servo_models import SAMPLE_PERIOD, Servos

from peers.mujoco import specification
from peers.solver import Found, Solver
from peers.tree import Floats, Tree

_SOURCE = Path(__file__).with_suffix(".c")
_NO_STEP = 1e-14
"""A step after which the current of an actuator of type dcmotor is still that at the beginning (s)."""
_FIRST_STEP = 4e-3
"""The step to begin with (s): RK4 is stable up to 4.6 ms."""
_FINEST_OF_FIRST_ORDER = 1e-5
"""Errors below this take methods of first order millions of steps."""
_INPUTS = mujoco.mjtCtrlInput
_RK4, _IMPLICITFAST = mujoco.mjtIntegrator.mjINT_RK4, mujoco.mjtIntegrator.mjINT_IMPLICITFAST


@dataclass(frozen=True)
class _Way:
    """How motors are modelled: what an actuator is, and the callbacks that it needs."""

    name: str
    connect: Callable[[Any, Servos, int], None]
    control: str = ""
    dynamics: str = ""
    order: float = 4.0


def mujoco_servos(tree: Tree, servos: Servos, duration: float, *, error: float) -> list[Solver]:
    """Return motions under continuous control, from rest at zero."""

    def solver(way: _Way, method: str, kind: Any) -> Solver:
        model = _arm(tree, servos, way)
        data = mujoco.MjData(model)

        def run(step: float) -> Found:
            steps = max(1, round(duration / step))
            model.opt.integrator, model.opt.timestep = kind, duration / steps
            mujoco.mj_resetData(model, data)
            _run(way, servos, lambda: mujoco.mj_step(model, data, nstep=steps))
            return Found(tree.back(np.array(data.qpos)))

        return Solver("MuJoCo", f"{method}, {way.name}", "step", run, _FIRST_STEP, way.order)

    found = [solver(_USER, "RK4", _RK4), solver(_OWN, "RK4", _RK4), solver(_OWN, "implicitfast", _IMPLICITFAST)]
    return [one for one in found if one.order > 1.0 or error >= _FINEST_OF_FIRST_ORDER]


def mujoco_sampled_servos(tree: Tree, servos: Servos, duration: float) -> list[Solver]:
    """Return motions under sampled control, the law in C and in Python, by whole numbers of steps between samples."""
    samples = round(duration / SAMPLE_PERIOD)

    def solver(way: _Way, label: str, law: Callable[[Any, Any, Servos, int, int], None]) -> Solver:
        model = _arm(tree, servos, way)
        data = mujoco.MjData(model)

        def run(step: float) -> Found:
            steps = max(1, round(SAMPLE_PERIOD / step))
            model.opt.integrator, model.opt.timestep = _RK4, SAMPLE_PERIOD / steps
            mujoco.mj_resetData(model, data)
            _run(way, servos, lambda: law(model, data, servos, samples, steps))
            return Found(tree.back(np.array(data.qpos)))

        return Solver("MuJoCo", f"RK4, {way.name}, {label}", "step at most", run, SAMPLE_PERIOD, way.order)

    laws = {"law in C": _sampled_in_c, "law in Python": _sampled_in_python}
    return [solver(way, label, law) for label, law in laws.items() for way in (_USER_CURRENT, _OWN_CURRENT)]


def mujoco_servo_rates(tree: Tree, servos: Servos, t: float, state: tuple[Floats, ...]) -> list[tuple[Floats, Floats]]:
    """Return accelerations and rates of currents in a state (q, u, integrals, currents), for both ways."""
    q, u, integral, current = (tree.outwards(part) for part in state)
    found = []
    for way, scale in ((_OWN, servos.gear), (_USER, 1.0)):
        model = _arm(tree, servos, way)
        model.opt.timestep = _NO_STEP
        data = mujoco.MjData(model)
        data.time, data.qpos[:], data.qvel[:] = t, q, u
        data.act[0::2], data.act[1::2] = scale * integral, current
        _run(way, servos, lambda model=model, data=data: mujoco.mj_forward(model, data))
        found.append((tree.back(np.array(data.qacc)), tree.back(np.array(data.act_dot[1::2]))))
    return found


def _arm(tree: Tree, servos: Servos, way: _Way) -> Any:
    """Return the arm without contacts, with one actuator on each joint."""
    spec = specification(tree)
    for i, link in enumerate(tree.links):
        gear = [servos.gear, 0, 0, 0, 0, 0]
        motor = spec.add_actuator(trntype=mujoco.mjtTrn.mjTRN_JOINT, target=f"{link.name}_0", gear=gear)
        way.connect(motor, servos, i)
    return spec.compile()


def _own_servo(motor: Any, servos: Servos, joint: int) -> None:
    """Make an actuator a motor with MuJoCo's controller, whose gains are those at the motor."""
    gains = [gain / servos.gear**2 for gain in servos.gains[joint]]
    _own_motor(motor, servos, [*gains, 0, 0, 0], _INPUTS.mjINPUT_POS | _INPUTS.mjINPUT_VEL)


def _own_current(motor: Any, servos: Servos, joint: int) -> None:
    _own_motor(motor, servos, [0.0] * 6, _INPUTS.mjINPUT_VOLTAGE)


def _own_motor(motor: Any, servos: Servos, controller: list[float], inputs: Any) -> None:
    motor.set_to_dcmotor(
        motorconst=[servos.constant, servos.constant],
        resistance=servos.resistance,
        inductance=[servos.inductance, 0.0],
        controller=controller,
        ctrlspec=int(inputs),
    )


def _user_servo(motor: Any, servos: Servos, joint: int) -> None:
    _user_motor(motor, servos, states=2)


def _user_current(motor: Any, servos: Servos, joint: int) -> None:
    _user_motor(motor, servos, states=1)


def _user_motor(motor: Any, servos: Servos, *, states: int) -> None:
    """Make an actuator one whose torque is the constant times the last of its states."""
    motor.dyntype, motor.gaintype = mujoco.mjtDyn.mjDYN_USER, mujoco.mjtGain.mjGAIN_FIXED
    motor.actdim, motor.gainprm[0] = states, servos.constant


_OWN = _Way("dcmotor", _own_servo, control="servo_reference", order=1.0)
_USER = _Way("user dynamics in C", _user_servo, dynamics="servo_dynamics")
_OWN_CURRENT = _Way("dcmotor", _own_current, order=1.0)
_USER_CURRENT = _Way("user dynamics in C", _user_current, dynamics="servo_current")


def _sampled_in_c(model: Any, data: Any, servos: Servos, samples: int, steps: int) -> None:
    pointers = ctypes.c_void_p(model._address), ctypes.c_void_p(data._address)
    step = ctypes.cast(_mujoco().mj_step, ctypes.c_void_p)
    _library().servo_sampled(*pointers, samples, steps, step)


def _sampled_in_python(model: Any, data: Any, servos: Servos, samples: int, steps: int) -> None:
    law = servos.sampled_law()
    for k in range(samples):
        data.ctrl[:] = law(k * SAMPLE_PERIOD, data.qpos, data.qvel)
        mujoco.mj_step(model, data, nstep=steps)


def _run(way: _Way, servos: Servos, run: Callable[[], object]) -> None:
    """Run with the callbacks of a way, which are global to MuJoCo; steps that are too long are not reported."""
    library = _library()
    gains, amplitudes = np.array(servos.gains).ravel(), np.array(servos.amplitudes)
    numbers = np.array([servos.frequency, servos.gear, servos.constant, servos.resistance, servos.inductance])
    library.servo_set(len(amplitudes), *map(_pointer, (amplitudes, gains, np.append(numbers, SAMPLE_PERIOD))))
    mujoco.set_mjcb_control(getattr(library, way.control) if way.control else None)
    mujoco.set_mjcb_act_dyn(getattr(library, way.dynamics) if way.dynamics else None)
    mujoco.set_mju_user_warning(lambda message: None)
    try:
        run()
    finally:
        mujoco.set_mju_user_warning(None)
        mujoco.set_mjcb_control(None)
        mujoco.set_mjcb_act_dyn(None)


def _pointer(values: Floats) -> ctypes.c_void_p:
    return values.ctypes.data_as(ctypes.c_void_p)


@cache
def _library() -> ctypes.CDLL:
    """Compile the C functions; an OSError says that there is no compiler."""
    compiler = shutil.which("cc")
    if compiler is None:
        raise OSError("there is no C compiler")
    headers = Path(mujoco.__file__).parent / "include"
    with tempfile.TemporaryDirectory() as folder:
        built = Path(folder) / "servo.so"
        command = [compiler, "-O3", "-march=native", "-shared", "-fPIC", f"-I{headers}", str(_SOURCE), "-o", str(built)]
        subprocess.run([*command, "-lm"], check=True, capture_output=True)
        return ctypes.CDLL(str(built))


@cache
def _mujoco() -> ctypes.CDLL:
    return ctypes.CDLL(str(next(Path(mujoco.__file__).parent.glob("libmujoco.so*"))))
