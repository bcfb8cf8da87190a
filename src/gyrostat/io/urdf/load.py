"""URDF files as models."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence

from gyrostat.errors import GyrostatError
from gyrostat.io.urdf.building import build_model
from gyrostat.io.urdf.choices import Choices, Drives, Massless
from gyrostat.io.urdf.inertia import InertiaPolicy
from gyrostat.io.urdf.reading import read_urdf
from gyrostat.model import Model
from gyrostat.model.contacts import NormalLaw
from gyrostat.model.names import first_few
from gyrostat.program.warning import GyrostatWarning


def load_urdf(
    path: str | os.PathLike[str],
    *,
    gravity: Sequence[object] = (0, 0, -9.81),
    floating: bool = False,
    inertia: str | InertiaPolicy = "warn",
    massless: str | tuple[float, float] = "refuse",
    friction_speed: float | None = None,
    stops: NormalLaw | None = None,
    actuators: bool | str = True,
) -> Model:
    """Return the model of a robot in a URDF file; a warning names what was changed or left out.

    Links become bodies, but those without inertia behind fixed joints frames of the bodies that they are fixed to; the
    root is the ground, or with `floating` a body that moves freely. Joints keep their limits; with
    a normal law of contacts as `stops`, a `JointLimit` `…_stop` enforces each. Damping becomes a `JointSpring`, a
    mimicked joint a `Gear`, and with `actuators` each other coordinate of a hinge or slide gets an actuator `…_motor`;
    with actuators="limited" its load stays within the effort of the file. Names that a model cannot have are changed,
    and kept as labels.

    Dry friction becomes a `Coulomb` law if `friction_speed`, the speed over which it changes its sign, is given. An
    `inertia` that no body can have is repaired with a warning ("warn") or without ("repair"), or refused ("refuse").
    Moving links without inertia are refused by default; with `massless="lock"` their joints are welded, with
    massless=(mass, moment) they get these (kg, kg·m²).
    """
    choices = Choices(
        tuple(gravity),
        floating,
        _policy(inertia),
        _massless(massless),
        friction_speed,
        _stops(stops),
        _drives(actuators),
    )
    robot = read_urdf(path)
    built = build_model(robot, choices)
    changed = [f"{old} is {new}" for old, new in built.changed.items()]
    notes = [*robot.notes, *built.notes, *([f"names were changed: {first_few(changed)}."] if changed else [])]
    if notes:
        warnings.warn(f"{os.path.basename(path)}: {' '.join(notes)}", GyrostatWarning, stacklevel=2)
    return built.model


def _policy(given: str | InertiaPolicy) -> InertiaPolicy:
    try:
        return InertiaPolicy(given)
    except ValueError:
        known = ", ".join(repr(policy.value) for policy in InertiaPolicy)
        raise GyrostatError(f"inertia={given!r:.40} is not known. Use {known}.") from None


def _stops(given: NormalLaw | None) -> NormalLaw | None:
    if given is None or isinstance(given, NormalLaw):
        return given
    raise GyrostatError(
        f"stops={given!r:.40} is no normal law of contacts. Use gs.HuntCrossley(1e4, 1) or another one."
    )


def _drives(given: bool | str) -> Drives:
    if isinstance(given, bool):
        return Drives.UNLIMITED if given else Drives.NONE
    if given == Drives.LIMITED.value:
        return Drives.LIMITED
    raise GyrostatError(f"actuators={given!r:.40} is not known. Use True, False or 'limited'.")


def _massless(given: str | tuple[float, float]) -> Massless:
    if given in ("refuse", "lock"):
        return Massless(lock=given == "lock")
    if isinstance(given, tuple) and len(given) == 2 and all(isinstance(x, float | int) and x > 0 for x in given):
        return Massless(fill=(float(given[0]), float(given[1])))
    raise GyrostatError(f"massless={given!r:.40} is not known. Use 'refuse', 'lock' or (mass, moment), both positive.")
