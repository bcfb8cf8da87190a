"""Engines and schemas that the tests of the model share."""

from collections.abc import Callable
from typing import Any

import pytest
import sympy
from jsonschema import Draft202012Validator

from gyrostat.model.contacts import NORMAL_LAWS
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.friction import FRICTION_LAWS
from gyrostat.model.shapes import SHAPES
from gyrostat.model.solids import SOLIDS
from gyrostat.model.tyres import TYRE_LAWS
from gyrostat.scalar import FloatScalars


class SymbolicScalars:
    """SymPy's expressions as scalars: exact, and nothing is known to be zero that is not a literal number."""

    def constant(self, value: int | float) -> Any:
        return value

    def pi(self) -> Any:
        return sympy.pi

    def power(self, base: Any, exponent: Any) -> Any:
        return base**exponent

    def call(self, function: str, arguments: tuple[Any, ...]) -> Any:
        return getattr(sympy, {"abs": "Abs"}.get(function, function))(*arguments)


def _floats(**values: float) -> Evaluator:
    return Evaluator(FloatScalars(), values.__getitem__)


@pytest.fixture
def floats() -> Callable[..., Evaluator]:
    """An evaluator on floats: floats(m=1.0)."""
    return _floats


@pytest.fixture
def symbols() -> Evaluator:
    """An evaluator on SymPy, every name a positive symbol."""
    return Evaluator(SymbolicScalars(), lambda name: sympy.Symbol(name, positive=True))


def _family(registry: Any) -> dict[str, Any]:
    one_of = [
        {
            "type": "object",
            "properties": {tag: registry.get(tag).schema()},
            "required": [tag],
            "additionalProperties": False,
        }
        for tag in registry.tags
    ]
    return {"oneOf": one_of}


@pytest.fixture
def validator() -> Callable[[dict[str, Any]], Draft202012Validator]:
    """A JSON Schema validator of a record's schema, with the definitions that records refer to."""
    quantity = {"type": ["number", "string"]}
    axis_names = ["x", "y", "z", "-x", "-y", "-z"]
    vector = {"type": "array", "items": quantity, "minItems": 3, "maxItems": 3}
    definitions = {
        "quantity": quantity,
        "vector": vector,
        "axis": {"anyOf": [{"enum": axis_names}, vector]},
        "end": {"anyOf": [{"type": "string"}, {"type": "array", "minItems": 2, "maxItems": 2}]},
        "solid": _family(SOLIDS),
        "shape": _family(SHAPES),
        "normal_law": _family(NORMAL_LAWS),
        "friction_law": _family(FRICTION_LAWS),
        "tyre_law": _family(TYRE_LAWS),
    }

    def make(schema: dict[str, Any]) -> Draft202012Validator:
        whole = {**schema, "$defs": definitions}
        Draft202012Validator.check_schema(whole)
        return Draft202012Validator(whole)

    return make
