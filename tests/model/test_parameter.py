"""Parameters: formulas of each other, overrides, cycles, units."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gyrostat as gs
from gyrostat.errors import ModelError
from gyrostat.model.formula import Formula
from gyrostat.model.parameter import Parameters, write_parameter


def test_numbers_formulas_and_nothing():
    parameters = Parameters({"l": 2, "r": "l/4", "A": "pi*r**2", "k": None, "dependent": "2*k"})
    assert list(parameters) == ["l", "r", "A", "k", "dependent"]
    assert len(parameters) == 5
    assert parameters["r"].value == Formula.of("l/4")
    assert parameters.values_of() == {"l": 2.0, "r": 0.5, "A": pytest.approx(0.7853981633974483)}


def test_order_of_writing_does_not_matter():
    assert Parameters({"a": "b + 1", "b": "c + 1", "c": 1}).values_of() == {"a": 3.0, "b": 2.0, "c": 1.0}


def test_units_and_descriptions():
    model = gs.Model("m", parameters={"l1": {"value": 0.5, "unit": "m", "description": "length of the upper bar"}})
    parameter = model.parameters["l1"]
    assert (parameter.value, parameter.unit) == (Formula.of(0.5), "m")
    assert parameter.description == "length of the upper bar"
    assert gs.Model("m", parameters={"l1": parameter}).parameters["l1"] is parameter


@pytest.mark.parametrize(
    ("parameter", "written"),
    [
        (gs.Parameter(0.5), 0.5),
        (gs.Parameter("l/2"), "l/2"),
        (gs.Parameter(), None),
        (gs.Parameter(0.5, "m"), {"value": 0.5, "unit": "m"}),
        (gs.Parameter(unit="m", description="later"), {"unit": "m", "description": "later"}),
    ],
)
def test_the_short_form_is_written_where_it_says_all(parameter, written):
    assert write_parameter(parameter) == written
    assert Parameters({"p": written})["p"] == parameter


def test_overrides_change_what_depends_on_them():
    model = gs.Model("m", parameters={"a": 1, "b": "2*a", "c": "b + a", "k": None})
    assert model.values() == {"a": 1, "b": 2, "c": 3}
    assert model.values({"a": 10}) == {"a": 10, "b": 20, "c": 30}
    assert model.values({"b": "a + 5"}) == {"a": 1, "b": 6, "c": 7}
    assert model.values({"k": 4}) == {"a": 1, "b": 2, "c": 3, "k": 4}
    assert model.values({}) == model.values()
    assert model.evaluator({"a": 3})(Formula.of("c*2")) == 18


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        ({"lenght": 1}, r"parameter 'lenght': there is no such parameter\. Did you mean 'length'\?"),
        ({3: 1}, "parameter 3: there is no such parameter"),
        ({"length": "2*"}, r"parameter 'length': formula '2\*' is not a formula"),
        ({"length": None}, r"parameter 'length': value None is not a number or a formula"),
        ({"length": "2*widht"}, r"parameter 'length': 2\*widht refers to 'widht', which is not a parameter\. Did"),
        ({"length": "t"}, r"parameter 'length': t refers to 't', which is not a parameter"),
        ({"length": "width", "width": "length"}, r"'length': it depends on itself: length → width → length\."),
        ({"length": "1/(width - 2)"}, r"parameter 'length': 1/\(width - 2\) has no value: float division by zero"),
        ({"length": "exp(1000)"}, r"parameter 'length': exp\(1000\) has no value: math range error\."),
        ({"length": "1e200*width*1e200"}, r"has no value: the result is not finite\. Correct it or its parts\."),
        ({"length": "sqrt(-width)"}, r"sqrt\(-width\) has no value: "),
    ],
)  # fmt: skip
def test_overrides_that_mean_nothing(overrides, message):
    model = gs.Model("m", parameters={"length": 1, "width": 2})
    with pytest.raises(ModelError, match=message):
        model.values(overrides)


def test_all_unknown_overrides_are_named():
    with pytest.raises(ModelError) as error:
        gs.Model("m", parameters={"a": 1}).values({"x": 1, "y": 2, "a": "z"})
    assert [fault.item for fault in error.value.faults] == ["parameter 'x'", "parameter 'y'", "parameter 'a'"]


@pytest.mark.parametrize(
    ("parameters", "cycles"),
    [
        ({"a": "a"}, ["a → a"]),
        ({"a": "b", "b": "a"}, ["a → b → a"]),
        ({"z": "c + 1", "c": "b", "b": "a*2", "a": "c"}, ["c → b → a → c"]),
        ({"a": "b", "b": "a", "c": "d", "d": "c", "e": 1}, ["a → b → a", "c → d → c"]),
        ({"a": "b + c", "b": "a", "c": "a"}, ["a → b → a", "a → c → a"]),
    ],
)
def test_cycles_are_shown(parameters, cycles):
    with pytest.raises(ModelError) as error:
        Parameters(parameters).values_of()
    facts = [fault.fact for fault in error.value.faults]
    assert facts == [f"it depends on itself: {cycle}." for cycle in cycles]
    assert {fault.remedy for fault in error.value.faults} == {"Give one of these parameters a number."}


def test_a_long_cycle_is_shown_in_part():
    n = 5000
    with pytest.raises(ModelError) as error:
        Parameters({f"p{i}": f"p{(i + 1) % n}" for i in range(n)}).values_of()
    assert "p0 → p1 → p2 → " in str(error.value)
    assert str(error.value).endswith("p10 → … → p4999 → p0. Give one of these parameters a number.")


def test_a_long_chain_does_not_recurse():
    n = 20_000
    chain = {f"p{i}": f"p{i + 1} + 1" for i in range(n)} | {f"p{n}": 0}
    assert Parameters(chain).values_of()["p0"] == n


def test_one_faulty_parameter_does_not_blame_those_that_use_it():
    with pytest.raises(ModelError) as error:
        Parameters({"a": "1/0", "b": "a + 1", "c": "log(0)"}).values_of()
    assert [fault.item for fault in error.value.faults] == ["parameter 'a'", "parameter 'c'"]


@pytest.mark.parametrize(
    ("given_", "message"),
    [
        ({"2m": 1}, r"parameters, 2m: '2m' cannot be a name\. .* for example '_2m'"),
        ({"t": 1}, r"parameters, t: 't' is a reserved word\. Call it 't_1', for example\."),
        ({"pi": 1}, "'pi' is a reserved word"),
        ({"sin": 1}, "'sin' is a reserved word"),
        ({"ground": 1}, "'ground' is a reserved word"),
        ({"lambda": 1}, "'lambda' is a word of the formula language"),
        ({3: 1}, "the name 3 is not text"),
        ({"a": True}, r"parameters, a: value True is not a number or a formula"),
        ({"a": [1]}, r"parameters, a: value \[1\] is not a number or a formula"),
        ({"a": {"valu": 1}}, r"parameters, a\.valu: is not a field here\. Did you mean 'value'\?"),
        ({"a": {"unit": 3}}, r"parameters, a\.unit: 3 is not text"),
        ({"a": float("inf")}, r"parameters, a: value inf is not a finite number"),
    ],
)
def test_entries_that_are_refused(given_, message):
    with pytest.raises(ModelError, match=message):
        Parameters(given_)


@settings(deadline=None)
@given(st.permutations(range(8)), st.integers(0, 7), st.floats(-5, 5))
def test_values_do_not_depend_on_order_and_overrides_equal_rewriting(order, changed, number):
    formulas = {f"p{i}": i + 1 if i < 2 else f"p{i - 1} - 2*p{i - 2}" for i in range(8)}
    shuffled = {f"p{i}": formulas[f"p{i}"] for i in order}
    assert Parameters(shuffled).values_of() == Parameters(formulas).values_of()
    rewritten = Parameters({**formulas, f"p{changed}": number})
    assert Parameters(shuffled).values_of({f"p{changed}": number}) == rewritten.values_of()
