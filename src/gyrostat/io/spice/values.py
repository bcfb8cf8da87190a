"""Values of a SPICE netlist: numbers with suffixes, and expressions over parameters, as formulas of a model."""

from __future__ import annotations

import re
from collections.abc import Mapping

from gyrostat.errors import Fault, FormulaError
from gyrostat.model.formula import Formula
from gyrostat.model.names import did_you_mean

_SUFFIXES = {
    "t": 1e12,
    "g": 1e9,
    "meg": 1e6,
    "k": 1e3,
    "m": 1e-3,
    "mil": 25.4e-6,
    "u": 1e-6,
    "µ": 1e-6,
    "n": 1e-9,
    "p": 1e-12,
    "f": 1e-15,
    "a": 1e-18,
}
_NUMBER = re.compile(r"([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)([a-zµμ]*)", re.IGNORECASE)
_TOKEN = re.compile(r"(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?[a-zµμ]*|[a-z_][\w.]*", re.IGNORECASE)


def number(text: str) -> float | None:
    """Return a number with a suffix, or None; letters after the suffix, such as units, have no meaning.

    >>> number("4.7k"), number("10MEGohm"), number("3mA"), number("2uF"), number("x")
    (4700.0, 10000000.0, 0.003, 2e-06, None)
    """
    found = _NUMBER.fullmatch(text)
    if found is None:
        return None
    word = found[2].lower().replace("μ", "µ")
    suffix = next((one for one in ("meg", "mil") if word.startswith(one)), word[:1])
    return _scaled(found[1], _SUFFIXES.get(suffix, 1.0))


def _scaled(digits: str, factor: float) -> float:
    """Return a number times a power of ten as it is written, without a rounding error: 4.7u is 4.7e-6."""
    value = float(digits) * factor
    return float(f"{value:.15g}")


def formula(text: str, names: Mapping[str, str]) -> Formula:
    """Return a value as a formula: a number, the name of a parameter, or an expression in braces or quotes.

    `names` are those of the parameters in the model, by their names in the netlist. Unknown names and a syntax that is
    not that of formulas raise `FormulaError`.

    >>> formula("{2*R0 + 1k}", {"r0": "r0"}).source
    '2*r0 + 1000.0'
    """
    plain = number(text)
    if plain is not None:
        return Formula.of(plain)
    inner = text[1:-1] if text[:1] in "{'" else text
    return Formula.of(_TOKEN.sub(lambda token: _translated(token[0], names), inner).replace("^", "**"))


def _translated(token: str, names: Mapping[str, str]) -> str:
    """Return a number or name of an expression in the language of formulas."""
    value = number(token)
    if value is not None:
        return token if token.isdigit() else repr(value)
    name = token.lower()
    if name in names:
        return names[name]
    if name == "ln":
        return "log"
    if name not in FUNCTIONS:
        fact = "it is no parameter, and no function that formulas know."
        raise FormulaError([Fault(repr(token), fact, did_you_mean(name, (*names, *FUNCTIONS)))])
    return name


FUNCTIONS = frozenset(("sin", "cos", "tan", "exp", "log", "sqrt", "abs", "min", "max", "sinh", "cosh", "tanh", "pi"))
"""The functions and constants of expressions that formulas know by the same names."""
