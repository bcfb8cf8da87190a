"""Equations are derived once for each system, for all callers."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import pytest

import gyrostat as gs
from gyrostat.written.derivation import DERIVATIONS, Derivations
from gyrostat.written.progress import DerivationProgress


def _pendulum(length: object = 1, name: str = "pendulum") -> gs.Model:
    model = gs.Model(name, gravity=(0, "-g", 0), parameters={"m": 2, "l": length, "g": 9.81})
    model.add(gs.Body("bar", gs.rod("m", "l", along="y"), points={"top": (0, "l/2", 0)}))
    model.add(gs.Revolute("a1", "ground", "bar.top"))
    return model


def test_equal_models_have_one_set_of_equations() -> None:
    first, second = (gs.formulate(_pendulum()).equations() for _ in range(2))

    assert second is first


def test_forms_share_what_is_derived() -> None:
    system = gs.formulate(_pendulum())

    expanded, regrouped = system.equations("expanded"), system.equations("regrouped")

    assert expanded.derivation is regrouped.derivation
    assert expanded.mass_matrix != regrouped.mass_matrix


@pytest.mark.parametrize("other", [_pendulum(2), _pendulum("2*m"), _pendulum(name="other")])
def test_other_models_have_their_own(other: gs.Model) -> None:
    assert gs.formulate(other).equations() is not gs.formulate(_pendulum()).equations()


def test_other_coordinates_have_their_own() -> None:
    joint, absolute = (gs.formulate(_pendulum(), choice).equations() for choice in ("joint", "absolute"))

    assert joint.layout.coordinate_names != absolute.layout.coordinate_names


def test_a_model_that_was_changed_is_another() -> None:
    model = _pendulum()
    before = gs.formulate(model).equations()
    model.add(gs.TorsionSpring("spring", joint="a1", stiffness="m"))

    assert gs.formulate(model).equations().forcing != before.forcing


def test_progress_is_told_of_what_is_not_known_yet() -> None:
    stages: list[str] = []

    def report(progress: DerivationProgress) -> None:
        stages.append(progress.stage)

    system = gs.formulate(_pendulum())
    _ = system.equations(progress=report).mass_matrix
    assert "mass matrix" in stages

    stages.clear()
    _ = system.equations("expanded", progress=report).mass_matrix

    assert set(stages) == {"writing"}


def test_threads_do_not_share_what_grows() -> None:
    own = DERIVATIONS.of(gs.formulate(_pendulum()).coordinates)

    with ThreadPoolExecutor(1) as pool:
        other = pool.submit(lambda: DERIVATIONS.of(gs.formulate(_pendulum()).coordinates)).result()

    assert other is not own


def test_the_last_eight_are_known() -> None:
    known = Derivations()
    layouts = [gs.formulate(_pendulum(name=f"pendulum {i}")).coordinates for i in range(9)]
    first = [known.of(layout) for layout in layouts]

    assert known.of(layouts[8]) is first[8]
    assert known.of(layouts[1]) is first[1]
    assert known.of(layouts[0]) is not first[0]


def test_changes_of_a_users_constants_do_not_stay() -> None:
    equations = gs.formulate(_pendulum()).equations("regrouped")
    before = dict(equations.constants)

    equations.constants.clear()

    assert before
    assert equations.constants == before


def test_components_that_cannot_be_looked_up_are_derived_each_time() -> None:
    @dataclass(frozen=True)
    class Marked(gs.Revolute):
        marks: list[int] = field(default_factory=list)

    model = _pendulum()
    marked = gs.Model("marked", gravity=model.gravity, parameters=dict.fromkeys("mlg", 1))
    marked.add(model.bodies["bar"])
    marked.add(Marked("a1", "ground", "bar.top"))
    layout = gs.formulate(marked).coordinates

    assert DERIVATIONS.of(layout) is not DERIVATIONS.of(layout)
