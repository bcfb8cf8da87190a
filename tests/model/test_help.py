"""`help` of a component fits a screen: fields with units, outputs, an example."""

from __future__ import annotations

import inspect
import pydoc
import re

import pytest

import gyrostat as gs
from gyrostat.model.record import Record, kinds_of

RECORDS = sorted(
    {
        one
        for name in gs.__all__
        if isinstance(one := getattr(gs, name), type) and issubclass(one, Record) and not inspect.isabstract(one)
    },
    key=lambda one: one.__name__,
)
SCREEN = 54
"""Lines of a screen."""


def shown(record: type) -> str:
    return re.sub(r".\x08", "", pydoc.render_doc(record))


def test_the_help_of_a_force_tells_what_it_needs():
    text = shown(gs.Force)
    assert "components  x, y, z components (N)" in text
    assert "default 'world'" in text
    assert "Outputs: force (N)" in text
    assert 'gs.Force("a", "body", (1, 0, 0))' in text
    assert len(text.splitlines()) < 32


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.__name__)
def test_every_component_fits_a_screen(record: type[Record]):
    text = shown(record)
    assert len(text.splitlines()) <= SCREEN
    for name in kinds_of(record):
        assert re.search(rf"^ [|]    {name} ", text, re.MULTILINE), name


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.__name__)
def test_examples_can_be_called(record: type[Record]):
    found = re.search(r"Example:\n \|    (gs\.[^\n]*)", shown(record))
    assert found or ">>>" in shown(record), "each has an example"
    if found:
        assert isinstance(eval(found[1], {"gs": gs}), record)


def test_instances_list_their_attributes():
    force = gs.Force("a", "body", (1, 0, 0))
    assert {"components", "loads", "to_plain"} <= set(dir(force))
