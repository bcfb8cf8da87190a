"""Rotors: exactly one way of turning."""

import pytest

import gyrostat as gs
from gyrostat.errors import ModelError
from gyrostat.model.kinds import FormulaUse


@pytest.mark.parametrize(
    "rotor",
    [
        gs.Rotor("w", "z", 0.1, spin="omega*t"),
        gs.Rotor("w", (0, 1, 1), "I_w", momentum=3),
        gs.Rotor("w", "x", momentum="h*sin(t)"),
        gs.Rotor("w", "-y", 0.1, free=True),
        gs.Rotor("w", "x", 0, spin=0),
    ],
)
def test_each_way_of_turning_is_accepted(rotor):
    body = gs.Body("b", mass=1, inertia=(1, 1, 1), rotors=rotor)
    assert body.rotors == (rotor,)
    assert gs.Body("b", mass=1, inertia=(1, 1, 1), rotors={"w": rotor.to_plain()}) == body


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: gs.Rotor("w", "z", 1), r"rotor 'w': neither spin nor momentum nor free given\. Give exactly one"),
        (lambda: gs.Rotor("w", "z", 1, free=False), "neither spin nor momentum nor free given"),
        (lambda: gs.Rotor("w", "z", 1, spin=1, momentum=2), r"rotor 'w': spin and momentum given\. Give exactly one"),
        (lambda: gs.Rotor("w", "z", 1, spin=1, free=True), r"rotor 'w': spin and free given"),
        (lambda: gs.Rotor("w", "z", spin=1), r"rotor 'w': its axial inertia is missing\. Give inertia=…\."),
        (lambda: gs.Rotor("w", "z", free=True), r"rotor 'w': its axial inertia is missing"),
        (lambda: gs.Rotor("w", (0, 0, 0), momentum=1), r"rotor 'w', axis: the axis is zero"),
        (lambda: gs.Rotor("w", "q", momentum=1), r"rotor 'w', axis: 'q' is not an axis"),
        (lambda: gs.Rotor("w", "z", 1, free=1), r"rotor 'w', free: 1 is neither true nor false"),
        (lambda: gs.Rotor("rate", "z", momentum=1), r"rotor 'rate': 'rate' is the name of an output of the same"),
        (lambda: gs.Rotor("my wheel", "z", momentum=1), r"rotor 'my wheel': 'my wheel' cannot be a name"),
    ],
)  # fmt: skip
def test_rotors_that_are_refused(make, message):
    with pytest.raises(ModelError, match=message):
        make()


def test_spin_and_momentum_may_use_time_and_the_inertia_may_not():
    uses = gs.Rotor("w", "z", "I", spin="a*t").uses()
    scopes = {use.path[0]: use.scope.time for use in uses if isinstance(use, FormulaUse)}
    assert scopes == {"inertia": False, "spin": True}
