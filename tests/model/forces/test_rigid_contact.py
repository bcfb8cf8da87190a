"""Faults of rigid contacts."""

from __future__ import annotations

import pytest

import gyrostat as gs


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"mu": -0.1}, r"mu: -0\.1 is negative\. Give a coefficient of friction of at least 0"),
        ({"mu": 0.3, "mu_static": 0.2}, r"mu_static: 0\.2 is less than mu = 0\.3\. Friction at rest"),
        ({"restitution": 1.1}, r"restitution: 1\.1 is not from 0 to 1\. Give 0 where bodies do not rebound"),
        ({"b": "ball.top"}, r"both sides are on body 'ball'\. Name two different bodies"),
        ({"law": "hertz"}, r"'hertz' is not one of the choices"),
    ],
)
def test_coefficients_out_of_range_are_refused(arguments: dict[str, object], text: str) -> None:
    given: dict[str, object] = {"a": "ball", "b": "ground.floor", **arguments}
    with pytest.raises(gs.ModelError, match=text):
        gs.RigidContact("c", **given)  # type: ignore[arg-type]


def test_sides_need_shapes_with_a_closed_form() -> None:
    model = gs.Model("m")
    model.add(gs.Body("ball", gs.sphere(1.0, 0.1)))
    model.add(gs.Free("p", "ground", "ball"))
    model.add(gs.RigidContact("c", "ball", "ground"))
    with pytest.raises(gs.ModelError, match="body 'ground' has no shape to touch with"):
        gs.formulate(model)
