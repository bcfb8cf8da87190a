"""Arguments of a wrong kind are answered by an error of ours that says what to give."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import gyrostat as gs


@pytest.fixture(scope="module")
def system() -> gs.System:
    model = gs.Model("pendulum", gravity=(0, -9.81, 0), parameters={"k": 3.0})
    model.add(gs.Body("bar", gs.rod(1, 1, along="y"), points={"top": (0, 0.5, 0)}))
    model.add(gs.Revolute("a", "ground", "bar.top", initial=0.1))
    model.add(gs.TorsionSpring("spring", "a", stiffness="k"))
    return gs.formulate(model)


CALLS: dict[str, tuple[Callable[[gs.System], object], str]] = {
    "formulate": (lambda _: gs.formulate("model.yaml"), "is not a model. Give a gs.Model, or read one: gs.Model.load"),
    "simulate": (lambda _: gs.simulate("model.yaml", 1), "'model.yaml' is not a model"),
    "equilibrium of a name": (lambda _: gs.equilibrium("model.yaml"), "'model.yaml' is not a model"),
    "assembly of a name": (lambda _: gs.assemble("model.yaml"), "'model.yaml' is not a model"),
    "linear model of a name": (lambda _: gs.linearize("model.yaml"), "'model.yaml' is not a model"),
    "linear model of a point": (
        lambda s: gs.linearize(gs.equilibrium(s)),
        "OperatingPoint is a result, not a model. Give its",
    ),
    "simulate a trajectory": (lambda s: gs.simulate(gs.simulate(s, 1), 1), "initial=run"),
    "kinematics of a name": (lambda _: gs.kinematics("model.yaml", 1), "'model.yaml' is not a model"),
    "check of a name": (lambda _: gs.check("model.yaml"), "'model.yaml' is not a model"),
    "initial": (lambda s: gs.simulate(s, 1, initial=3), "The initial state is 3. Give values by name"),
    "inputs": (lambda s: gs.simulate(s, 1, inputs=3), "The inputs are 3. Give them by name"),
    "parameters": (lambda s: gs.simulate(s, 1, parameters=3), "they are 3, not values by name. Give a mapping"),
    "events": (lambda s: gs.simulate(s, 1, events=3), "Events are given as a list"),
    "outputs": (lambda s: gs.simulate(s, 1, outputs=3), "The outputs are 3. Give a list of names"),
    "one output": (lambda s: gs.simulate(s, 1, outputs="a"), "The outputs are 'a'. Give a list of names"),
    "assemble": (lambda s: gs.assemble(s, "a"), "Coordinates are given as 'a'. Give values by name"),
    "guess": (lambda s: gs.equilibrium(s, "a"), "The guess is 'a'. Give values by name"),
    "steady motion": (lambda s: gs.steady_motion(s, 3), "The speeds are 3. Give values by name"),
    "kinematics": (lambda s: gs.kinematics(s, 1, guess=3), "Coordinates are given as 3. Give values by name"),
    "linearize": (lambda s: gs.linearize(s, 3), "An operating point cannot be read from 3"),
    "root locus": (lambda s: gs.root_locus(s, "k", [1, 2]), "A root locus is over one parameter: over="),
    "locus value": (lambda s: gs.root_locus(s, {"k": "a"}), "values of 'k' must be at least two finite numbers"),
    "continuation": (lambda s: gs.continuation(s, "k", [1, 2]), "to end at k = .1, 2.. Give one number: to=2.5"),
    "sweep": (lambda s: gs.sweep(s, {"k": [1]}, 10), "The analysis is 10. Use gs.Simulation"),
}


@pytest.mark.parametrize("call", CALLS)
def test_wrong_calls_are_answered(system: gs.System, call: str) -> None:
    function, message = CALLS[call]
    with pytest.raises(gs.GyrostatError, match=message):
        function(system)
