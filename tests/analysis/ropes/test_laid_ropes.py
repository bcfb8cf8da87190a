"""Ropes laid with the parameters of the call."""

import pytest

import gyrostat as gs


def over_a_pulley(realisation: str, x: object, radius: object, bend: object) -> gs.Model:
    """Return a rope over a pulley beside the origin; links are carried by a joint in a turned frame."""
    given = {"x": 0.5, "r": 0.2, "bend": 0.0}
    model = gs.Model("laid", gravity=(0, -9.81, 0), parameters=given)
    path = [None, gs.Pulley("p", ("ground", (x, 0.1, 0)), radius, "right"), None]
    options = {"EA": 1e5} if realisation == "nodes" else {"realisation": "links"}
    law = gs.KelvinVoigt(1e4, 10)
    model.add(gs.Rope("rope", path, segments=12, length=2, density=1, normal=law, **options))
    if realisation == "links":
        model.add(gs.Planar("float", ("ground", gs.Frame((x, 0, 0), [("z", bend)])), "rope.s1"))
    return model


@pytest.mark.parametrize("realisation", ["nodes", "links"])
def test_ropes_are_laid_with_the_parameters_of_the_call(realisation):
    """Places and radii of pulleys and frames of joints; the places were those of the model's own values."""
    at = {"x": 0.8, "r": 0.3, "bend": 0.2}
    found = gs.lay_rope(over_a_pulley(realisation, "x", "r", "bend"), "rope", parameters=at)
    exact = gs.lay_rope(over_a_pulley(realisation, 0.8, 0.3, 0.2), "rope")
    assert found == pytest.approx(exact, abs=1e-9)
