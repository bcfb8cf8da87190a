"""Ropes laid: parameters of the call, and shapes that are not as meant."""

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


def arch(side: str) -> gs.Model:
    """Return a rope between two places below a pulley."""
    model = gs.Model("arch", gravity=(0, -9.81, 0))
    path = [("ground", (-0.3, -1, 0)), gs.Pulley("p", "ground", 0.2, side), ("ground", (0.3, -1, 0))]
    model.add(gs.Rope("rope", path, segments=40, length=4, density=1, EA=1e5, normal=gs.KelvinVoigt(1e4, 10)))
    return model


def test_a_rope_that_crosses_itself_is_noted(recwarn):
    """A sheave on the wrong side of the rope: it would go around below and come back."""
    gs.lay_rope(arch("right"), "rope")
    assert not recwarn.list
    with pytest.warns(
        gs.GyrostatWarning, match=r"'rope' crosses itself at pulley 'p', with a wrap angle of 235\.7°: should"
    ):
        gs.lay_rope(arch("left"), "rope")


@pytest.mark.parametrize("options", [{"EA": 1e5}, {"realisation": "links"}])
def test_a_rope_that_hangs_double_is_refused(options):
    model = gs.Model("double", gravity=(0, -9.81, 0))
    ends = ["ground", ("ground", (0, -0.2, 0))]
    model.add(gs.Rope("rope", ends, segments=10, length=1, density=1, **options))
    with pytest.raises(
        gs.StateError, match=r"'rope' of 1 m hangs double: its ends are 0 m apart sideways\. Move an end"
    ):
        gs.lay_rope(model, "rope", "catenary")
