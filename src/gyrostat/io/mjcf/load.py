"""Files of MuJoCo as models."""

from __future__ import annotations

import os
import warnings

from gyrostat.errors import Fault, GyrostatError, ModelError, ModelFileError
from gyrostat.io.mjcf.actuators import add_actuators
from gyrostat.io.mjcf.bodies import add_bodies
from gyrostat.io.mjcf.compiled import compile_mjcf, mesh_references
from gyrostat.io.mjcf.effects import Effects, add_effects
from gyrostat.io.mjcf.equality import add_constraints
from gyrostat.io.mjcf.import_record import ImportRecord
from gyrostat.io.mjcf.keyframe import start_at
from gyrostat.io.mjcf.tendons import add_tendon, passive_force, tendons_of
from gyrostat.io.places import numbers
from gyrostat.model import Model
from gyrostat.model.checks import structural_faults
from gyrostat.model.contacts import NormalLaw
from gyrostat.model.friction import FrictionLaw
from gyrostat.model.names import first_few
from gyrostat.program.warning import GyrostatWarning


def load_mjcf(
    path: str | os.PathLike[str],
    *,
    keyframe: str | None = None,
    friction_speed: float | None = None,
    stops: NormalLaw | None = None,
    contacts: NormalLaw | None = None,
    friction: FrictionLaw | None = None,
    unsupported: str = "refuse",
) -> Model:
    """Return the model of an MJCF file, as MuJoCo compiles it; a warning names what was changed or left out.

    Coordinates, and the names of bodies, joints, tendons and actuators, are those of the file. Bodies with several
    joints get bodies without mass between these. Springs, damping and armature of joints, gravity compensation, tendons
    over joints and through sites, and actuators with affine gain and bias are taken over: an actuator becomes an
    input of its name. Equality constraints hold exactly. Geometries that MuJoCo's viewer shows, meshes among them, are
    drawn. `keyframe` names the initial state.

    Limits are recorded; with a normal law of contacts as `stops`, a `JointLimit` enforces each. Dry friction of joints
    becomes a `Coulomb` law if `friction_speed`, the speed over which it changes its sign, is given. With a normal law,
    `contacts` lets bodies touch by their planes, spheres, capsules, boxes and cylinders, with a law of `friction`.

    What changes the motion and has no counterpart is refused; with unsupported="leave" it is left out.
    """
    if unsupported not in ("refuse", "leave"):
        raise GyrostatError(f"unsupported={unsupported!r:.40} is not known. Use 'refuse' or 'leave'.")
    m = compile_mjcf(path)
    file = os.path.basename(path)
    name = bytes(m.names[: m.names.index(b"\0")]).decode() if m.names else ""
    model = Model(name or "mjcf", gravity=numbers(m.opt.gravity))
    found = ImportRecord(m, model, mesh_references=mesh_references(path, m))
    add_bodies(found)
    tendons = tendons_of(found)
    along = add_actuators(found, tendons)
    for t, tendon in tendons.items():
        add_tendon(found, tendon, [passive_force(found, t, tendon), *along.get(t, [])])
    add_constraints(found, tendons)
    add_effects(found, Effects(friction_speed, stops, contacts, friction))
    if keyframe is not None:
        start_at(found, keyframe, file)
    _refuse(found, file, leave=unsupported == "leave")
    faults = structural_faults(found.model)
    if faults:
        raise ModelError(faults, f"{file} cannot be imported:")
    if found.undrawn:
        of = first_few(list(dict.fromkeys(found.undrawn)))
        found.notes.append(f"meshes without a file that can be read here, and height fields, are not drawn: {of}.")
    changed = [f"{old} is {new}" for old, new in found.names.changed.items()]
    notes = [*found.notes, *([f"names were changed: {first_few(changed)}."] if changed else [])]
    if notes:
        warnings.warn(f"{file}: {' '.join(notes)}", GyrostatWarning, stacklevel=2)
    return found.model


def _refuse(found: ImportRecord, file: str, *, leave: bool) -> None:
    """Raise an error that lists what has no counterpart, or note it."""
    m = found.m
    if m.opt.density or m.opt.viscosity:
        found.refused.append("forces of a fluid")
    for what, count in (("flexes", m.nflex), ("plugins", m.nplugin)):
        if count:
            found.refused.append(what)
    if not found.refused:
        return
    listed = first_few(found.refused)
    if leave:
        found.notes.append(f"left out: {listed}.")
        return
    remedy = "load_mjcf(…, unsupported='leave') leaves them out."
    raise ModelFileError(Fault(file, f"parts of it have no counterpart: {listed}.", remedy))
