"""Faults and exceptions: text, pickling."""

import copy
import pickle

import pytest

from gyrostat.errors import Fault, FormulaError, GyrostatError, ModelError, ModelFileError, Position


@pytest.mark.parametrize(
    ("fault", "text"),
    [
        (Fault("joint 'a1'", "has no child.", "Name one."), "joint 'a1': has no child. Name one."),
        (Fault("joint 'a1'", "has no child."), "joint 'a1': has no child."),
        (Fault("", "is empty."), "is empty."),
        (Fault("", "is empty.", path=("parameters",)), "parameters: is empty."),
        (Fault("body 'b'", "no.", "Yes.", ("points", "tip", 1)), "body 'b', points.tip[1]: no. Yes."),
        (
            Fault("body 'b'", "no.", "", ("points", "tip"), Position(3, 7)),
            "line 3, column 7: body 'b', points.tip: no.",
        ),
        (Fault("", "no.", "", (0, "x", 2), Position(1, 1)), "line 1, column 1: [0].x[2]: no."),
    ],
)
def test_a_fault_prints_place_item_fact_and_remedy(fault, text):
    assert str(fault) == text


def test_a_fault_seen_from_outside_has_a_longer_path_and_the_outer_item():
    inner = Fault("rod", "is short.", path=("length",))
    assert inner.within("body 'b'", "properties", "rod") == Fault(
        "body 'b'", "is short.", "", ("properties", "rod", "length")
    )
    assert inner.within("").item == "rod"
    assert inner.at(Position(2, 4)).position == Position(2, 4)
    assert inner.position is None


def test_a_model_error_lists_all_faults_under_its_heading():
    faults = [Fault("a", "one."), Fault("b", "two.")]
    assert str(ModelError(faults)) == "a: one.\nb: two."
    assert str(ModelError(iter(faults), "2 faults:")) == "2 faults:\n  a: one.\n  b: two."
    assert ModelError(faults[0]).faults == (faults[0],)


@pytest.mark.parametrize("cls", [ModelError, FormulaError, ModelFileError])
@pytest.mark.parametrize("travel", [lambda e: pickle.loads(pickle.dumps(e)), copy.copy, copy.deepcopy])
def test_model_errors_survive_processes_and_copies(cls, travel):
    error = cls([Fault("a", "one.", "Two.", ("x", 1), Position(1, 2))], "heading")
    again = travel(error)
    assert type(again) is cls
    assert (again.faults, again.heading, str(again)) == (error.faults, error.heading, str(error))


def test_every_exception_is_one_of_ours():
    from gyrostat import errors

    classes = [c for c in vars(errors).values() if isinstance(c, type) and issubclass(c, Exception)]
    assert len(classes) >= 6
    assert all(issubclass(c, GyrostatError) for c in classes)
