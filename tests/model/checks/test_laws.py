"""Laws that refer to each other: cycles are named by the signals along them."""

from __future__ import annotations

from typing import Any

import pytest

import gyrostat as gs

BODIES = (gs.Body("ground", points={"p": (1, 0, 0)}), gs.Body("b", mass=1), gs.Prismatic("x", "ground", "b"))


def _faults(*parts: Any) -> str:
    model = gs.Model("m")
    for part in (*BODIES, *parts):
        model.add(part)
    try:
        model.check()
    except gs.ModelError as error:
        return str(error)
    return ""


def _spring(name: str, force: str) -> gs.SpringDamper:
    return gs.SpringDamper(name, "ground.p", "b", force=force)


def test_a_cycle_of_laws_is_named() -> None:
    found = _faults(_spring("a", "2*b2.force"), _spring("b2", "c.power/3"), gs.Force("c", "b", (0, "a.force", 0)))
    assert "its law depends on its own value: " in found
    assert any(f"{way}." in found for way in _rotations(["a.force", "b2.force", "c.power"])), found
    assert "Use signals that do not depend on it, or a state between them." in found


def _rotations(names: list[str]) -> list[str]:
    turned = [names[i:] + names[:i] for i in range(3)]
    return [" → ".join([*one, one[0]]) for one in turned]


@pytest.mark.parametrize(
    ("parts", "way"),
    [
        ((_spring("a", "a.force"),), "a.force → a.force"),
        ((gs.Measure("m1", "m2 + 1"), gs.Measure("m2", "m1")), "m1 → m2 → m1"),
        ((_spring("a", "m1"), gs.Measure("m1", "a.energy")), "a.energy → m1 → a.energy"),
        ((gs.Force("f", "b", ("f.force.x", 0, 0)),), "f.force → f.force"),
    ],
)
def test_a_law_of_itself_is_refused(parts: tuple[Any, ...], way: str) -> None:
    found = _faults(*parts)
    names = way.split(" → ")
    assert way in found or " → ".join((*names[1:], names[1])) in found


@pytest.mark.parametrize(
    "force", ["a.length", "b2.rate + b2.force", "m1", "b.seen_from.ground.p.velocity.y + b.rpy.yaw"]
)
def test_laws_without_a_cycle_are_accepted(force: str) -> None:
    assert not _faults(_spring("a", force), _spring("b2", "a.length + m1"), gs.Measure("m1", "a.rate"))


def test_an_input_may_use_accelerations_and_a_law_the_input() -> None:
    assert not _faults(gs.Input("u", law="x.acc + x.force.y"), _spring("a", "u"))


def test_a_measure_of_accelerations_is_no_part_of_a_law() -> None:
    message = "refers to 'm1', which follows from the accelerations or loads that these forces cause."
    assert message in _faults(gs.Measure("m1", "2*b.acc.x"), _spring("a", "m1"))


def test_a_variable_of_an_element_and_a_measure_of_one_name_are_refused() -> None:
    message = "refers to 'length', which has another meaning here"
    assert message in _faults(gs.Measure("length", "x"), _spring("a", "length"))
