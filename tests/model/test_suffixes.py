"""Suffixes of outputs are reserved per kind of component: a name is refused only where two meanings would meet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import gyrostat as gs
from gyrostat.errors import ModelError
from gyrostat.model.joints import Coordinate, Joint
from gyrostat.model.record import Component

WORDS = ("force", "moment", "length", "rate", "acc", "gap", "tension")


@pytest.fixture(scope="module")
def run() -> gs.Trajectory:
    model = gs.Model("bar", gravity=(0, -9.81, 0))
    points = dict.fromkeys(WORDS, (0, -0.5, 0))
    wheel = gs.Rotor("wheel", "x", 0.01, free=True)
    model.add(gs.Body("bar", gs.rod(1, 1, along="y"), points=points, rotors=[wheel]))
    model.add(gs.Body("cart", mass=1))
    model.add(gs.Revolute("a", "ground", "bar.force", initial=0.3))
    model.add(gs.Prismatic("slide", "ground", "cart", axis="x", initial=0.5))
    model.add(gs.SpringDamper("spring", "ground", "bar.length", stiffness=1, length=0.1))
    model.add(gs.Distance("link", "cart", ("bar", (0, 0.5, 0)), 1.5))
    return gs.simulate(model, duration=0.1, step=0.05, progress=False)


def test_points_take_the_suffixes_of_other_kinds_of_components(run: gs.Trajectory) -> None:
    for word in WORDS:
        np.testing.assert_array_equal(run[f"bar.{word}"], run["bar.gap"])
        np.testing.assert_array_equal(run[f"bar.{word}.velocity"], run["bar.gap.velocity"])
    assert run["spring.length"].dims == ("time",)
    assert run["bar.length"].dims == ("time", "axis")


def test_all_outputs_of_components_have_declared_suffixes(run: gs.Trajectory) -> None:
    components = run.system.model.components
    for name in run.names:
        owner, dot, suffix = name.partition(".")
        if dot and owner in components:
            kind = components[owner]
            assert suffix in {*kind.suffixes, *kind.open_suffixes, *_names_within(kind)}, name


def _names_within(component: Component) -> Iterator[str]:
    if isinstance(component, gs.Body):
        for place in component.points:
            yield from (place, f"{place}.velocity", f"{place}.acc")
        for rotor in component.rotors:
            yield from (rotor.name, *(f"{rotor.name}.{suffix}" for suffix in rotor.suffixes))


def test_a_joint_refuses_coordinates_with_the_names_of_its_outputs() -> None:
    @dataclass(frozen=True)
    class Loaded(Joint):
        """A joint with a coordinate that is called as its load is."""

        @property
        def coordinates(self) -> tuple[Coordinate, ...]:
            return (Coordinate("reaction", "length"),)

        def pose(self, q: Any, value: Any) -> Any:
            raise NotImplementedError

        motion_space = reaction_space = pose

    with pytest.raises(
        ModelError, match=r"joint 'j': 'reaction' is the name of an output of the same component\. Call it"
    ):
        Loaded("j", "ground", "bar")
