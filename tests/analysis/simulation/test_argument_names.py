"""Arguments of other packages are answered with the names that simulate has."""

import inspect

import pytest

import gyrostat as gs
from gyrostat.analysis.simulation.argument_names import _ANSWERS
from gyrostat.errors import StateError


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("t_end", r"simulate has no argument 't_end'\. Give the length of the run in seconds: duration=10\."),
        ("dt", r"simulate has no argument 'dt'\. The spacing of outputs is step=0\.01; an integrator with a fixed"),
        ("x0", r"Give initial values by name: initial="),
        ("rtol", r"Tolerances belong to the integrator: integrator=gs\.DOP853\("),
        ("max_step", r"Limits of the step belong to the integrator: integrator=gs\.DOP853\("),
        ("duraton", r"simulate has no argument 'duraton'\. Did you mean 'duration'\?"),
    ],
)
def test_other_names_are_answered(name, message):
    with pytest.raises(StateError, match=message):
        gs.simulate(gs.Model("never formulated"), **{name: 1})


def test_answers_name_arguments_that_exist_and_answer_none_of_them():
    known = set(inspect.signature(gs.simulate).parameters)
    for answer, names in _ANSWERS.items():
        assert any(f"{argument}=" in answer for argument in known), answer
        assert known.isdisjoint(names)
