"""Dry friction, stops and contacts of a compiled model, on request."""

from __future__ import annotations

from dataclasses import dataclass, replace

from gyrostat.errors import GyrostatError
from gyrostat.io.mjcf.geoms import SOLID_TYPES, shapes_of
from gyrostat.io.mjcf.import_record import ImportRecord
from gyrostat.io.places import numbers
from gyrostat.io.plain_values import made
from gyrostat.model import Body
from gyrostat.model.contacts import NormalLaw
from gyrostat.model.forces import Contacts, JointFriction, JointLimit
from gyrostat.model.friction import Coulomb, FrictionLaw
from gyrostat.model.names import first_few


@dataclass(frozen=True)
class Effects:
    """Effects that an import adds on request: see `load_mjcf`."""

    friction_speed: float | None
    stops: NormalLaw | None
    contacts: NormalLaw | None
    friction: FrictionLaw | None


def add_effects(found: ImportRecord, effects: Effects) -> None:
    """Add dry friction and stops of hinges and slides, and contacts; note what is left out."""
    m, dry, soft = found.m, list[str](), list[str]()
    for law in (effects.stops, effects.contacts):
        if law is not None and not isinstance(law, NormalLaw):
            raise GyrostatError(
                f"{law!r:.40} is no normal law of contacts. Use gs.HuntCrossley(1e4, 1) or another one."
            )
    for j, name in found.joints.items():
        loss = float(m.dof_frictionloss[m.jnt_dofadr[j]])
        single = found.coordinate(j) is not None
        if loss and single and effects.friction_speed is not None:
            dry_law = made(Coulomb, loss, effects.friction_speed)
            found.model.add(made(JointFriction, found.names.take(f"{name}_friction", "force"), name, dry_law))
        elif loss:
            dry.append(name)
        if m.jnt_limited[j] and single and effects.stops is not None:
            stop = found.names.take(f"{name}_stop", "force")
            found.model.add(made(JointLimit, stop, name, effects.stops, *numbers(m.jnt_range[j])))
        elif m.jnt_limited[j] and not single:
            soft.append(name)
    if dry:
        found.notes.append(
            f"dry friction was left out: {first_few(dry)}; friction_speed=… includes that of one freedom."
        )
    if soft:
        found.notes.append(f"limits of joints with three rotations were left out: {first_few(soft)}.")
    if effects.contacts is not None:
        _add_contacts(found, effects)
    elif m.ngeom and (m.geom_contype.any() or m.geom_conaffinity.any()):
        found.notes.append("contacts were left out; contacts=… includes them.")


def _add_contacts(found: ImportRecord, effects: Effects) -> None:
    """Let bodies touch by those shapes that contacts know."""
    m, touching, unknown = found.m, list[str](), list[str]()
    for b, name in found.bodies.items():
        geoms = range(int(m.body_geomadr[b]), int(m.body_geomadr[b]) + int(m.body_geomnum[b]))
        active = [g for g in geoms if m.geom_contype[g] or m.geom_conaffinity[g]]
        if any(m.geom_type[g] not in SOLID_TYPES for g in active):
            unknown.append(name)
        shapes = shapes_of(found, b, only=[g for g in active if m.geom_type[g] in SOLID_TYPES])
        if shapes:
            known = found.model.components.get(name)
            if isinstance(known, Body):
                found.model.replace(replace(known, shape=tuple(shapes)))
            else:
                found.model.add(made(Body, name, shape=shapes))
            touching.append(name)
    if unknown:
        found.notes.append(f"meshes, ellipsoids and height fields do not touch: {first_few(unknown)}.")
    if len(touching) > 1:
        name = found.names.take("contacts", "force")
        found.model.add(made(Contacts, name, among=touching, normal=effects.contacts, friction=effects.friction))
