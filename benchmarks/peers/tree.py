"""A model's numbers as every peer needs them: hinges and universal joints, bodies described in their joint frames."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

import gyrostat as gs

Floats = NDArray[np.float64]
UNIVERSAL_AXES = (np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0]))
_NO_MASS = (0.0, np.zeros(3), np.zeros((3, 3)))


@dataclass(frozen=True)
class Link:
    """A body with the joint that carries it; its frame H is the joint's outboard frame.

    `parent` is the number of the link inboard, −1 for the ground; `axes` has one axis, or the two of a universal joint;
    R_PH and r_PH_P place the joint in the parent's frame, at zero angles.
    """

    name: str
    parent: int
    axes: tuple[Floats, ...]
    R_PH: Floats
    r_PH_P: Floats
    mass: float
    com: Floats
    inertia: Floats
    """About the mass centre, in axes of H."""


@dataclass(frozen=True)
class Tree:
    """Links numbered depth first, as some peers require."""

    gravity: Floats
    links: tuple[Link, ...]
    coordinates: NDArray[np.intp]
    """Where each of the peers' coordinates, which follow the links, stands in gyrostat's."""

    def outwards(self, values: Floats) -> Floats:
        """Return values of coordinates, shape (…, n), in the order of the links."""
        return np.ascontiguousarray(values[..., self.coordinates])

    def back(self, values: Floats) -> Floats:
        """Return values of coordinates, shape (…, n), in gyrostat's order."""
        return np.ascontiguousarray(values[..., np.argsort(self.coordinates)])

    def with_hinges(self) -> Tree:
        """Return the same tree with each universal joint as two hinges and a massless link between them."""
        links: list[Link] = []
        last = {-1: -1}
        for i, link in enumerate(self.links):
            parent = last[link.parent]
            if len(link.axes) == 2:
                cross = Link(f"{link.name}_cross", parent, link.axes[:1], link.R_PH, link.r_PH_P, *_NO_MASS)
                outer = replace(link, parent=len(links), axes=link.axes[1:], R_PH=np.eye(3), r_PH_P=np.zeros(3))
                links.extend((cross, outer))
            else:
                links.append(replace(link, parent=parent))
            last[i] = len(links) - 1
        return replace(self, links=tuple(links))


def read_tree(model: gs.Model) -> Tree:
    """Return the numbers of a model whose joints are hinges and universal joints, written outward."""
    value = model.evaluator()
    columns, inboard, children = _layout(model)
    frames: dict[str, tuple[int, Floats, Floats]] = {"ground": (-1, np.eye(3), np.zeros(3))}
    links: list[Link] = []
    coordinates: list[int] = []
    pending = list(reversed(children.get("ground", [])))
    while pending:
        body = pending.pop()
        pending.extend(reversed(children.get(body, [])))
        joint = inboard[body]
        parent, R_HB, r_HB = frames[joint.parent.body]
        R_BP, r_BP = _placement(model, joint.parent)
        R_BC, r_BC = _placement(model, joint.child)
        properties = model.bodies[body].mass_properties(value)
        R_CB, r_CB = R_BC.T, -R_BC.T @ r_BC
        links.append(
            Link(
                name=body,
                parent=parent,
                axes=_axes(joint, value),
                R_PH=R_HB @ R_BP,
                r_PH_P=R_HB @ r_BP + r_HB,
                mass=float(properties.mass),
                com=R_CB @ np.array(properties.com, float) + r_CB,
                inertia=R_CB @ np.array(properties.inertia, float) @ R_CB.T,
            )
        )
        frames[body] = (len(links) - 1, R_CB, r_CB)
        coordinates.extend(columns[joint.name])
    gravity = np.array(value.vector(model.gravity), float)
    return Tree(gravity, tuple(links), np.array(coordinates))


def _layout(model: gs.Model) -> tuple[dict[str, range], dict[str, gs.Revolute | gs.Universal], dict[str, list[str]]]:
    """Return each joint's columns, each body's joint, and each body's children."""
    columns: dict[str, range] = {}
    inboard: dict[str, gs.Revolute | gs.Universal] = {}
    children: dict[str, list[str]] = {}
    size = 0
    for joint in model.joints.values():
        if not isinstance(joint, gs.Revolute | gs.Universal):
            raise TypeError(f"Joint {joint.name!r} is a {type(joint).__name__}; peers get hinges and universal joints.")
        columns[joint.name] = range(size, size + len(joint.coordinates))
        size += len(joint.coordinates)
        inboard[joint.child.body] = joint
        children.setdefault(joint.parent.body, []).append(joint.child.body)
    return columns, inboard, children


def _placement(model: gs.Model, end: object) -> tuple[Floats, Floats]:
    placed = model.placement(end, model.evaluator())
    assert placed is not None
    return np.array(placed[0], float), np.array(placed[1], float)


def _axes(joint: gs.Revolute | gs.Universal, value: object) -> tuple[Floats, ...]:
    if isinstance(joint, gs.Universal):
        return UNIVERSAL_AXES
    return (np.array(value.direction(joint.axis), float),)
