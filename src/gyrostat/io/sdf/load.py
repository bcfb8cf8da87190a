"""SDF files as models."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from gyrostat.errors import Fault, GyrostatError, ModelError, ModelFileError
from gyrostat.io.names import Names
from gyrostat.io.places import numbers, place_of_pose, quaternion_of
from gyrostat.io.plain_values import made
from gyrostat.io.sdf.bodies import LinkReader, weight_off
from gyrostat.io.sdf.description import WORLD, SdfDescription
from gyrostat.io.sdf.element import SdfElement, version_of
from gyrostat.io.sdf.included_models import IncludedModels
from gyrostat.io.sdf.joints import JointBuilder
from gyrostat.io.urdf.inertia import InertiaPolicy
from gyrostat.model import Model
from gyrostat.model.checks import structural_faults
from gyrostat.model.joints import Free, Weld
from gyrostat.model.kinds import End
from gyrostat.model.names import GROUND, first_few
from gyrostat.program.warning import GyrostatWarning
from gyrostat.results.xml_document import read_xml

_WORLD = ("gravity", "model", "light", "physics", "scene", "plugin", "gui", "magnetic_field", "atmosphere", "state",
          "spherical_coordinates", "audio", "wind", "road", "population", "frame", "actor", "include")  # fmt: skip


def load_sdf(
    path: str | os.PathLike[str],
    *,
    gravity: Sequence[object] | None = None,
    floating: bool = True,
    inertia: str | InertiaPolicy = "warn",
    friction_speed: float | None = None,
) -> Model:
    """Return the model of all models in an SDF file; a warning names what was changed or left out.

    Links become bodies with the frames of the file, joints keep their names. Links that no joint connects with the
    world move freely, as the format says; with floating=False the first one of each such tree is welded to the ground,
    in its pose. Models that it includes lie in its folder, or beside it where that is the folder of a model. Static
    models are welded. Joints keep their limits; damping and springs become a `JointSpring`, mimicry a `Gear`, dry
    friction a `Coulomb` law if `friction_speed` is given. `gravity` is that of the file, otherwise (0, 0, −9.8). An
    `inertia` that no body can have is repaired with a warning ("warn") or without ("repair"), or refused ("refuse").
    Elements that are not understood are refused with their path.
    """
    try:
        policy = InertiaPolicy(inertia)
    except ValueError:
        known = ", ".join(repr(one.value) for one in InertiaPolicy)
        raise GyrostatError(f"inertia={inertia!r:.40} is not known. Use {known}.") from None
    root = SdfElement(str(path), read_xml(path, text=True), "")
    root = replace(root, version=version_of(root))
    file = os.path.basename(path)
    found, weight, name = _described(root)
    names = Names()
    model = Model(name, gravity=weight if gravity is None else gravity)
    bodies = {link: names.take(link.rpartition("::")[2], "link") for link in found.links}
    reader = LinkReader(policy)
    for link, element in found.links.items():
        label = element.name if element.name != bodies[link] else ""
        body = model.add(reader.body(element, bodies[link], label))
        lift = weight_off(element, f"{bodies[link]}_lift", body, weight if gravity is None else ())
        if lift is not None:
            names.reserve([model.add(lift).name])
    builder = JointBuilder(found, bodies, names, model, friction_speed)
    for full, (joint, scope) in found.joints.items():
        builder.add(full, joint, scope)
    builder.add_mimicry()
    _place_roots(found, bodies, names, model, floating=floating)
    faults = structural_faults(model)
    if faults:
        raise ModelError(faults, f"{file} cannot be imported:")
    notes = _notes(found, reader, builder, names)
    if notes:
        warnings.warn(f"{file}: {' '.join(notes)}", GyrostatWarning, stacklevel=2)
    return model


def _described(root: SdfElement) -> tuple[SdfDescription, tuple[float, ...], str]:
    """Return all models of a file, gravity, and a name."""
    if root.tag != "sdf":
        raise ModelFileError(
            Fault(os.path.basename(root.file), f"it begins with <{root.tag:.40}>.", "An SDF file begins with <sdf>.")
        )
    root.require_known("model", "world", "light", "actor", "include")
    found = SdfDescription(IncludedModels.of(Path(root.file)))
    weight: tuple[float, ...] = (0.0, 0.0, -9.8)
    worlds, models = list(root.children("world")), list(root.children("model"))
    includes = list(root.children("include"))
    name = models[0].name if models else ""
    for world in worlds:
        world.require_known(*_WORLD)
        weight = tuple(world.vector("gravity", (0.0, 0.0, -9.8)))
        models += world.children("model")
        includes += world.children("include")
        name = name or world.name
    for model in models:
        found.read(model, "", WORLD)
    for include in includes:
        found.include(include, "", WORLD)
    if not found.links:
        raise ModelFileError(Fault(os.path.basename(root.file), "it has no links.", "Is this the whole file?"))
    return found, weight, name or Path(root.file).stem


def _place_roots(found: SdfDescription, bodies: dict[str, str], names: Names, model: Model, *, floating: bool) -> None:
    """Weld static links, and let one link of each tree that hangs on nothing move freely, or weld it too."""
    reached = {GROUND}
    neighbours: dict[str, set[str]] = {}
    for joint in model.joints.values():
        a, b = joint.parent.body, joint.child.body
        neighbours.setdefault(a, set()).add(b)
        neighbours.setdefault(b, set()).add(a)

    def spread(body: str) -> None:
        waiting = [body]
        while waiting:
            reached.add(one := waiting.pop())
            waiting += neighbours.get(one, set()) - reached

    spread(GROUND)
    for link, body in bodies.items():
        static = link in found.static
        if body in reached and not static:
            continue
        pose = found.pose(link, found.links[link])
        if static or not floating:
            model.add(made(Weld, names.take(f"{body}_base", "joint"), place_of_pose(GROUND, pose), End(body)))
        else:
            initial = dict(zip("xyz", numbers(pose[:3, 3]), strict=True))
            initial |= {f"e{i}": float(e) for i, e in enumerate(quaternion_of(pose[:3, :3]))}
            model.add(made(Free, names.take(f"{body}_base", "joint"), GROUND, body, initial=initial))
        spread(body)


def _notes(found: SdfDescription, reader: LinkReader, builder: JointBuilder, names: Names) -> list[str]:
    changed = [f"{old} is {new}" for old, new in names.changed.items()]
    reports = (
        ("inertias that no body can have were replaced by the nearest ones", reader.mended, reader.policy.value),
        ("links without <inertial> have 1 kg and 1 kg·m², as the format says", reader.default, "warn"),
        ("meshes and other geometries are not drawn", list(dict.fromkeys(reader.undrawn)), "warn"),
        ("dry friction was left out, which friction_speed=… includes", builder.dry, "warn"),
        ("plugins were left out", found.plugins, "warn"),
        ("names were changed", changed, "warn"),
    )
    return [f"{what}: {first_few(of)}." for what, of, policy in reports if of and policy == "warn"]


__all__ = ["load_sdf"]
