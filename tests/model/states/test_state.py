"""States as components: fields, files, names, checks; contracts over the registry."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from jsonschema import Draft202012Validator

import gyrostat as gs
from gyrostat.errors import ModelError
from gyrostat.model import STATES, StateElement
from gyrostat.model.documents import read_yaml, write_yaml
from gyrostat.model.forces import ForceElement, ForceOutput, Load, Motion
from gyrostat.model.model_file import model_schema, model_to_plain, read_model
from gyrostat.model.state_variable import StateVariable
from gyrostat.model.states.sampled import AbsentFunction

EXAMPLES: dict[str, tuple[StateElement, ...]] = {
    "State": (
        gs.State("x", rate="k*y - x", initial="2*k", unit="A", description="a filter"),
        gs.State("y", equation="y + a - x", initial=1),
    ),
    "Lag": (gs.Lag("x", "k*a.rate", time_constant="0.1*k", gain=2, initial=1, unit="V"),),
    "PI": (
        gs.PI("x", "k - a", 8, "20*k"),
        gs.PI("y", "x - a", 2, 3, limits=(-1, "k"), tracking=0.1, initial=0.2, unit="N"),
    ),
    "PID": (gs.PID("x", "k - a", 8, 20, 2, "0.01*k", limits=(-1, 1), initial=0.1, initial_filtered="k"),),
    "TransferFunctionBlock": (
        gs.TransferFunctionBlock("x", "a", (1, "k"), (2, 1, "k")),
        gs.TransferFunctionBlock("y", "x + a", (1, 0, 2), (1, "k", 2), unit="V"),
        gs.TransferFunctionBlock("gain", "y", (3,), (2,)),
    ),
    "StateSpaceBlock": (
        gs.StateSpaceBlock("x", ("a", "t"), [[0, 1], ["-k", -1]], [[0, 0], [1, 2]], [[1, 0]], initial=(1, "k")),
        gs.StateSpaceBlock("y", ("x",), [[-1]], [[1]], [[1], [2]], [[0], [1]]),
    ),
    "RateLimiter": (gs.RateLimiter("x", "sin(t)", 0.5, 0.01, falling="k", initial=0.1, unit="m"),),
    "Delay": (gs.Delay("x", "a + y", "0.1*k", initial="sin(t)"), gs.Delay("y", "x", 0.5)),
    "Sampled": (
        gs.Sampled("x", "0.01*k", "-k*a - x.sum", 0.5, memory={"sum": "k"}, update={"sum": "x.sum + a"}, unit="N"),
        gs.Sampled("y", 0.1, AbsentFunction("law"), memory={"n": 0}),
    ),
}
"""Examples of every kind of the registry, by tag; their formulas name x, y, a parameter k and a joint a."""

every_kind = pytest.mark.parametrize("tag", STATES.tags)


def model_with(*states: StateElement, **parameters: Any) -> gs.Model:
    """Return a rod on a hinge with states."""
    model = gs.Model("rod", parameters={"k": 3.0, **parameters})
    model.add(gs.Body("rod", gs.rod(1, 1, along="y")))
    model.add(gs.Revolute("a", "ground", "rod"))
    for state in states:
        model.add(state)
    return model


@every_kind
def test_a_kind_has_an_example_a_public_name_and_described_fields(tag: str) -> None:
    cls = STATES.get(tag)
    assert cls is not None
    assert {type(one) for one in EXAMPLES[tag]} == {cls}
    assert getattr(gs, tag) is cls
    assert all("description" in field for field in cls.schema()["properties"].values())


@every_kind
def test_files_round_trip_and_satisfy_the_schema(tag: str, tmp_path: Path) -> None:
    model = model_with(*EXAMPLES[tag])
    for name in ("model.yaml", "model.json"):
        model.save(tmp_path / name)
        assert gs.Model.load(tmp_path / name) == model
    plain = model_to_plain(model)
    Draft202012Validator(model_schema()).validate(plain)
    assert list(plain)[-1] == "states"
    assert read_model(read_yaml(write_yaml(plain))).model == model


@every_kind
def test_variables_have_rates_and_full_names(tag: str) -> None:
    model = model_with(*EXAMPLES[tag])
    system = gs.formulate(model)
    assert system.state_names == tuple(model.state_variables)
    for owner in EXAMPLES[tag]:
        for variable in owner.state_variables:
            assert variable.name == owner.name or variable.name.startswith(f"{owner.name}.")
            assert {variable.name, f"{variable.name}.rate"} <= set(system.signal_table.outputs)
    rates = system.state_rates([0.3], [0.7])
    assert rates.shape == (len(system.state_names),)
    assert np.isfinite(rates).all()


@every_kind
def test_the_output_of_a_component_has_its_name_and_every_formula_knows_it(tag: str) -> None:
    for owner in EXAMPLES[tag]:
        several = isinstance(owner, gs.StateSpaceBlock) and len(owner.C) > 1
        output = f"{owner.name}.y1" if several else owner.name
        others = [one for one in EXAMPLES[tag] if one is not owner]
        model = model_with(owner, *others)
        model.add(gs.TorsionSpring("load", "a", torque=f"2*{output}"))
        model.add(gs.State("follower", f"{output} - follower"))
        system = gs.formulate(model)
        inputs = dict.fromkeys(system.inputs, 0.7)
        observed = gs.operating_point(system, {"a": 0.3, "a.rate": 0.2}, inputs=inputs)
        assert observed["load.force"] == pytest.approx(2 * observed[output])
        assert observed["follower.rate"] == pytest.approx(observed[output])


@every_kind
def test_exact_and_traced_rates_agree(tag: str) -> None:
    if tag not in ("State", "Delay"):  # tests of written equations have the first, and the second has no rates
        assert gs.formulate(model_with(*EXAMPLES[tag])).equations().verify(points=1).agrees


def test_values_of_the_examples() -> None:
    model = model_with(*EXAMPLES["State"])
    system = gs.formulate(model)
    assert str(model) == "Model 'rod': 1 body, 1 joint, 0 forces, 2 states, 1 parameter"
    assert system.initial_states.tolist() == [6.0, 1.0]
    assert system.coordinates.algebraic == (1,)
    assert system.state_rates([0.3], [0.7], z=[2.0, 5.0]).tolist() == [13.0, pytest.approx(3.3)]
    assert (system.signal_table["x"].unit, system.signal_table["x.rate"].unit) == ("A", "A/s")
    assert system.signal_table["x"].description == "a filter"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "state 'x': it has neither a rate nor an equation. Give one of them: rate='…', or equation='…'"),
        ({"rate": 1, "equation": "x"}, "state 'x': it has a rate and an equation."),
        ({"equation": 2}, "state 'x', equation: 2 contains no name, so that it determines nothing. Write it with 'x'."),
        ({"rate": "x +"}, "state 'x', rate"),
    ],
)
def test_states_that_cannot_be(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ModelError) as error:
        gs.State("x", **options)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("states", "message"),
    [
        (
            (gs.State("x", "y"),),
            "state 'x', rate: y refers to 'y', which is not known here. It may use parameters, t, ",
        ),
        ((gs.State("x", "x.rate"),), "x.rate refers to 'x.rate', which is not known here."),
        ((gs.State("x", 1, initial="a"),), "state 'x', initial: a refers to 'a', which is not known here."),
        (
            (gs.State("w", equation="a - k*t"),),
            "state 'w', equation: its equation a - k*t contains no algebraic state. Write an equation with 'w', or "
            "give 'w' a rate.",
        ),
        (
            (gs.State("w", equation="w - a"), gs.State("v", equation="w + a")),
            "state 'v', equation: its equation w + a contains only 'w', which other equations determine.",
        ),
    ],
    ids=["unknown", "rate", "initial", "without a state", "too many for one state"],
)
def test_checks_name_the_state(states: tuple[StateElement, ...], message: str) -> None:
    with pytest.raises(ModelError) as error:
        model_with(*states).check()
    assert message in str(error.value)


def test_equations_may_exchange_their_states() -> None:
    model_with(gs.State("w", equation="v - a"), gs.State("v", equation="w + v + a")).check()


def test_names_are_unique() -> None:
    with pytest.raises(ModelError, match=r"state 'a': the name is taken by another joint\."):
        model_with(gs.State("a", 1))
    with pytest.raises(ModelError, match=r"state 'k': a parameter has the same name"):
        model_with(gs.State("k", 1))
    with pytest.raises(ModelError, match=r"state 't': 't' is a reserved word\."):
        model_with(gs.State("t", 1))


def test_constraints_do_not_know_states() -> None:
    model = model_with(gs.State("x", 1))
    model.add(gs.Equation("e", "a - x"))
    with pytest.raises(ModelError, match=r"constraint 'e', residual: a - x refers to 'x', which is not known here\."):
        model.check()


@dataclass(frozen=True)
class Brake(ForceElement):
    """A force element whose state has the name of one of its outputs, for the test's sake."""

    outputs: ClassVar[Mapping[str, ForceOutput]] = {"heat": ForceOutput(1, "J", "heat")}

    @property
    def state_variables(self) -> tuple[StateVariable, ...]:
        return (StateVariable(f"{self.name}.heat"),)

    def loads(self, motion: Motion) -> Iterator[Load]:
        yield from ()


def test_a_state_and_an_output_of_one_name_are_refused() -> None:
    model = model_with()
    model.add(Brake("brake"))
    with pytest.raises(ModelError) as error:
        model.check()
    assert "force 'brake': the name of its state 'brake.heat' is that of an output of force 'brake'." in str(
        error.value
    )
