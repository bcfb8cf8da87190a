"""Contract: values of components survive Python → file → subsystem → file: shapes, solids, sections and laws.

Each is a record of its own registry. Its formulas of parameters belong to the scope of the part.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import gyrostat as gs
from gyrostat.model.kinds import Reference
from gyrostat.model.record import Component
from gyrostat.model.sections import SECTIONS

_FOUR = [[0, 0, 1], [1, 0, 0], [-1, 1, 0], [-1, -1, 0]]
_PLACED: dict[str, Any] = {"at": (0, "k", 0), "turn": [("x", "0.1*k")]}
SHAPES: dict[str, Any] = {
    "box": gs.shapes.Box((1, 2, "k")),
    "cylinder": gs.shapes.Cylinder(0.5, "k"),
    "tube": gs.shapes.Tube("k", 0.25, 1),
    "sphere": gs.shapes.Sphere("k"),
    "ellipsoid": gs.shapes.Ellipsoid((1, 2, "k")),
    "cone": gs.shapes.Cone("k", 1),
    "ring": gs.shapes.Ring("2*k", 0.1),
    "line": gs.shapes.Line([(0, 0, 0), (1, "k", 0)], 0.1),
    "capsule": gs.shapes.Capsule(0.5, "k"),
    "polyhedron": gs.shapes.Polyhedron(_FOUR, **_PLACED),
    "plane": gs.shapes.Plane("k"),
    "relief": gs.shapes.Relief("k*sin(x) + y**2"),
    "mesh": gs.shapes.Mesh("arm.stl", scale=(1, 2, "k")),
    "triangle_mesh": gs.shapes.TriangleMesh(_FOUR, [[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]], **_PLACED),
    "height_field": gs.shapes.HeightField([0, 1], [0, 1, 2], [[0, 0, 1], [0, 1, 0]], **_PLACED),
    "group": gs.shapes.Group([gs.shapes.Sphere(1), gs.shapes.Group([gs.shapes.Cylinder(1, "k")])]),
}
SOLIDS: dict[str, Any] = {
    "rod": gs.rod(1, "k"),
    "slender_rod": gs.slender_rod("k", 1),
    "box": gs.box(1, 1, 2, "k"),
    "cylinder": gs.cylinder(1, 0.5, "k"),
    "tube": gs.tube(1, "k", 0.25, 1),
    "sphere": gs.sphere(1, "k"),
    "shell": gs.shell(1, "k"),
    "disc": gs.disc(1, "k"),
    "ring": gs.ring(1, "k"),
    "ellipsoid": gs.ellipsoid(1, (1, 2, "k")),
    "cone": gs.cone(1, "k", 1),
    "point_mass": gs.point_mass("k"),
    "composite": gs.composite([gs.Part(gs.sphere(1, 1), at=(0, "k", 0))]),
}
SECTION: dict[str, Any] = {
    "rectangle": gs.sections.Rectangle("k", 0.1),
    "circle": gs.sections.Circle("k"),
    "tube": gs.sections.Tube("k", 0.1),
    "i": gs.sections.ISection("k", 0.1, 0.01, 0.02),
}
NORMAL: dict[str, Any] = {
    "HuntCrossley": gs.HuntCrossley("k", 1.5, restitution=0.6),
    "Hertz": gs.Hertz(1e7, 0.4, [0.2, "0.1*k"]),
    "KelvinVoigt": gs.KelvinVoigt(3e3, "k"),
    "NormalFormula": gs.NormalFormula("where(gap < 0, -k*gap, 0)"),
    "Adhesion": gs.Adhesion(gs.HuntCrossley(2e4, chi=0.2), "k", 0.01),
}
FRICTION: dict[str, Any] = {
    "Coulomb": gs.Coulomb("0.1*k", 1e-4),
    "LimitedViscous": gs.LimitedViscous(0.4, "k"),
    "Stribeck": gs.Stribeck(0.4, 0.6, 0.01, 1e-4, viscous="k"),
    "LuGre": gs.LuGre(0.4, 0.6, 1e4, 10, 0.01, viscous="k"),
    "Bristle": gs.Bristle(0.4, 0.6, 1e4, 10, 0.01, viscous="k"),
    "FixedBristle": gs.FixedBristle(0.4, "k", 1e-4, 0.01),
}
TYRE: dict[str, Any] = {
    "LinearTyre": gs.LinearTyre("k", trail=0.03),
    "MagicFormula": gs.MagicFormula(gs.MagicCurve(10, 1.9, "k", 0.97)),
    "TyreFormula": gs.TyreFormula("load*tanh(k*angle)"),
}


def _contact(law: Any, friction: Any) -> Component:
    ball, floor = gs.shapes.Sphere(0.1), gs.shapes.Plane()
    return gs.Contact("host", "b", "ground", law, friction, shape_a=ball, shape_b=floor)


def _tyre(law: Any) -> Component:
    return gs.Tyre("host", "b", "ground", law, radius=0.3, normal=gs.KelvinVoigt(1e3, 1))


def _beam(section: Any) -> Component:
    return gs.Beam("host", length=1, section=section, E=2e11, density=7800, terms={"v": 2})


HOSTS: dict[str, tuple[dict[str, Any], Any, Callable[[Any], Component]]] = {
    "shape": (SHAPES, gs.SHAPES, lambda value: gs.Body("host", gs.sphere(1, 1), shape=value)),
    "solid": (SOLIDS, gs.SOLIDS, lambda value: gs.Body("host", value)),
    "section": (SECTION, SECTIONS, _beam),
    "normal law": (NORMAL, gs.NORMAL_LAWS, lambda value: _contact(value, None)),
    "friction law": (FRICTION, gs.FRICTION_LAWS, lambda value: _contact(gs.KelvinVoigt(1e3, 1), value)),
    "tyre law": (TYRE, gs.TYRE_LAWS, lambda value: _tyre(value)),
}
CASES = [(kind, tag) for kind, (values, _, _) in HOSTS.items() for tag in values]


def part_with(kind: str, tag: str) -> gs.Model:
    """Return a model with a component that has the value, on a body that turns."""
    values, _, host = HOSTS[kind]
    component = host(values[tag])
    part = gs.Model("part", parameters={"k": 1.2})
    part.add(gs.Body("b", gs.sphere(1, 1)))
    part.add(gs.Revolute("hinge", "ground", "b"))
    part.add(component)
    if isinstance(component, gs.Body | gs.Beam):
        part.add(gs.Revolute("root", "ground", "host"))
    return part


@pytest.mark.parametrize(("kind", "tag"), CASES)
def test_unchanged_from_file_to_file_with_names_in_scope(kind: str, tag: str, tmp_path: Path) -> None:
    part = part_with(kind, tag)
    part.save(tmp_path / "part.yaml")
    assert gs.Model.load(tmp_path / "part.yaml") == part
    whole = gs.Model("whole")
    whole.add(gs.Subsystem("left", tmp_path / "part.yaml"))
    whole.freeze().save(tmp_path / "whole.yaml")
    again = gs.Model.load(tmp_path / "whole.yaml")
    assert again == whole
    assert again.freeze().components == whole.freeze().components
    every = (use for component in again.freeze().components.values() for use in component.all_uses)
    formulas = [use for use in every if not isinstance(use, Reference)]
    names = {name for use in formulas for name in use.formula.names - use.scope.variables - {"t"}}
    assert "left.k" in names
    assert all(name.startswith("left.") for name in names)


@pytest.mark.parametrize("kind", HOSTS)
def test_every_kind_of_value_is_tested(kind: str) -> None:
    values, registry, _ = HOSTS[kind]
    own = {cls.tag or cls.__name__ for cls in registry if cls.__module__.startswith("gyrostat.")}
    assert set(values) == own
