"""Listings: an expression graph as straight-line source code."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np

from gyrostat.errors import ProgramError
from gyrostat.program.graph import Graph
from gyrostat.program.operation import BINARY_OPERATIONS, NAMES
from gyrostat.scalar import ARITY

_EXPRESSION_LENGTH_LIMIT = 96
_ATOM, _POWER, _SIGN, _PRODUCT, _SUM, _TRUTH = range(6)
"""Precedence of an expression; an operand of lower precedence gets brackets."""


class Language(Enum):
    """Language of a listing; `FORMULA` is the language of model files."""

    PYTHON = "python"
    NUMPY = "numpy"
    JAX = "jax"
    C = "c"
    MATLAB = "matlab"
    FORMULA = "formula"


_PREFIX = dict.fromkeys(Language, "")
_PREFIX |= {Language.PYTHON: "math.", Language.NUMPY: "np.", Language.JAX: "jnp."}
_COMMON_FUNCTIONS = (
    *("exp", "log", "sqrt", "sin", "cos", "tan", "sinh", "cosh", "tanh", "floor", "ceil"),
    *("hypot", "log1p", "expm1", "copysign", "fmod"),
)
_INVERSE_FUNCTIONS = ("asin", "acos", "atan", "atan2", "asinh", "acosh", "atanh")
_INFIX = {"add": (" + ", _SUM), "sub": (" - ", _SUM), "mul": ("*", _PRODUCT), "div": ("/", _PRODUCT)}
_RELATION = {"lt": "<", "le": "<=", "eq": "==", "ne": "!="}


@dataclass(frozen=True)
class Listing:
    """Assignments in order, and the text of each entry of the output vector."""

    statements: tuple[tuple[str, str], ...]
    results: tuple[str, ...]


def listing(graph: Graph, names: Sequence[str], language: Language, prefix: str = "x") -> Listing:
    """Return a graph as assignments; `names` are those of the input vector's entries.

    A value that is used once is written where it is used, unless the line would get long; others get names x1, x2, …,
    as far as the inputs do not have them.
    """
    if len(names) != graph.input_size:
        raise ProgramError(f"The graph {graph.name!r} has {graph.input_size} inputs, not {len(names)} names.")
    return _Writer(graph, names, language, prefix).write()


class _Writer:
    def __init__(self, graph: Graph, names: Sequence[str], language: Language, prefix: str) -> None:
        self.graph = graph
        self.language = language
        self.prefix = prefix
        self.taken = frozenset(names)
        self.count = 0
        self.texts: dict[int, tuple[str, int]] = {i: (name, _ATOM) for i, name in enumerate(names)}
        self.statements: list[tuple[str, str]] = []

    def write(self) -> Listing:
        graph, first = self.graph, self.graph.input_size
        uses = self._uses()
        for k, code in enumerate(graph.codes.tolist()):
            text, binding = self._operation(NAMES[code], int(graph.left[k]), int(graph.right[k]))
            value = first + k
            if not text.isidentifier() and (uses[value] > 1 or len(text) > _EXPRESSION_LENGTH_LIMIT):
                name = self._new_name()
                self.statements.append((name, text))
                text, binding = name, _ATOM
            self.texts[value] = (text, binding)
        return Listing(tuple(self.statements), tuple(self._text(int(value), _TRUTH) for value in graph.results))

    def _new_name(self) -> str:
        self.count += 1
        while f"{self.prefix}{self.count}" in self.taken:
            self.count += 1
        return f"{self.prefix}{self.count}"

    def _uses(self) -> Mapping[int, int]:
        """Return how often each value is written; squares and signs write their operand twice."""
        graph = self.graph
        count = len(graph.codes) + graph.input_size
        uses = np.zeros(count, dtype=np.int64)
        for k, code in enumerate(graph.codes.tolist()):
            name = NAMES[code]
            operands = (
                [int(graph.left[k])] if name not in BINARY_OPERATIONS else [int(graph.left[k]), int(graph.right[k])]
            )
            if name in ("sq", "sign"):
                operands *= 2
            for operand in operands:
                if operand >= 0:
                    uses[operand] += 1
        for value in graph.results.tolist():
            if value >= 0:
                uses[value] += 1
        return dict(enumerate(uses.tolist()))

    def _text(self, value: int, loosest: int) -> str:
        """Return a value's text, in brackets if its precedence is lower than the context requires."""
        if value < 0:
            number = float(self.graph.constants[-1 - value])
            text = _number(number, self.language)
            binding = _SIGN if text.startswith("-") else _ATOM
        else:
            text, binding = self.texts[value]
        return f"({text})" if binding > loosest else text

    def _operation(self, name: str, a: int, b: int) -> tuple[str, int]:
        if name in _INFIX:
            sign, binding = _INFIX[name]
            right = binding - 1 if name in ("sub", "div") else binding
            return f"{self._text(a, binding)}{sign}{self._text(b, right)}", binding
        if name in _RELATION:
            return self._truth(f"{self._text(a, _SUM)} {_RELATION[name]} {self._text(b, _SUM)}")
        match name:
            case "neg":
                return f"-{self._text(a, _POWER)}", _SIGN
            case "sq":
                text = self._text(a, _ATOM)
                return f"{text}*{text}", _PRODUCT
            case "twice":
                return f"2*{self._text(a, _PRODUCT)}", _PRODUCT
            case "inv":
                return f"1/{self._text(a, _SIGN)}", _PRODUCT
            case "pow" | "constpow":
                return self._power(a, b)
            case "if_else_zero":
                condition, value = self._text(a, _SUM), self._text(b, _SUM)
                return self._choice(f"{condition} != 0", value, "0.0")
            case "and" | "or":
                word = _WORD[self.language][name]
                return self._truth(f"({self._text(a, _SUM)} != 0) {word} ({self._text(b, _SUM)} != 0)")
            case "not":
                return self._truth(f"{self._text(a, _SUM)} == 0")
            case "sign" if self.language in (Language.PYTHON, Language.C):
                x = self._text(a, _SUM)
                negative, _ = self._choice(f"{x} < 0", "-1.0", "0.0")
                return self._choice(f"{x} > 0", "1.0", f"({negative})")
        return self._call(name, a, b)

    def _power(self, a: int, b: int) -> tuple[str, int]:
        whole = b < 0 and float(self.graph.constants[-1 - b]).is_integer()
        if self.language is Language.C or (self.language is Language.PYTHON and not whole):
            # Python's ** would return a complex number where the base is negative
            return f"{_PREFIX[self.language]}pow({self._text(a, _TRUTH)}, {self._text(b, _TRUTH)})", _ATOM
        if self.language is Language.MATLAB:
            # realpow is an error where ^ would return a complex number; a ^ b ^ c is (a ^ b) ^ c
            return f"realpow({self._text(a, _TRUTH)}, {self._text(b, _TRUTH)})", _ATOM
        return f"{self._text(a, _ATOM)}**{self._text(b, _POWER)}", _POWER

    def _truth(self, condition: str) -> tuple[str, int]:
        return self._choice(condition, "1.0", "0.0")

    def _choice(self, condition: str, yes: str, no: str) -> tuple[str, int]:
        if self.language is Language.C:
            return f"({condition}) ? {yes} : {no}", _TRUTH
        if self.language is Language.MATLAB:
            return f"choose({condition.replace('!=', '~=')}, {yes}, {no})", _ATOM
        if self.language in (Language.NUMPY, Language.JAX, Language.FORMULA):
            return f"{_PREFIX[self.language]}where({condition}, {yes}, {no})", _ATOM
        return f"{yes} if {condition} else {no}", _TRUTH

    def _call(self, name: str, a: int, b: int) -> tuple[str, int]:
        arguments = (
            self._text(a, _TRUTH)
            if name not in BINARY_OPERATIONS
            else f"{self._text(a, _TRUTH)}, {self._text(b, _TRUTH)}"
        )
        function = _FUNCTION[self.language].get(name)
        if function is None:
            raise ProgramError(f"The operation {name!r} cannot be written in {self.language.value}.")
        return f"{function}({arguments})", _ATOM


def _functions(language: Language) -> dict[str, str]:
    prefix = _PREFIX[language]
    names = {name: f"{prefix}{name}" for name in (*_COMMON_FUNCTIONS, *_INVERSE_FUNCTIONS)}
    match language:
        case Language.NUMPY | Language.JAX:
            names |= {name: f"{prefix}arc{name[1:]}" for name in _INVERSE_FUNCTIONS}
            return names | {name: prefix + name for name in ("fmin", "fmax", "sign")} | {"fabs": f"{prefix}abs"}
        case Language.PYTHON:
            names |= {"fabs": "abs", "fmin": "min", "fmax": "max"}
            return names | {name: f"math.{name}" for name in ("erf", "remainder")}
        case Language.C:
            return names | {name: name for name in ("fabs", "fmin", "fmax", "erf", "remainder")}
        case Language.MATLAB:
            names |= {"fabs": "abs", "fmin": "min", "fmax": "max", "fmod": "rem", "sign": "sign", "erf": "erf"}
            del names["copysign"]
            return names
        case Language.FORMULA:
            names = {name: name for name in (*names, "sign") if name in ARITY}
            return names | {"fabs": "abs", "fmin": "min", "fmax": "max"}


_FUNCTION = {language: _functions(language) for language in Language}
_WORD = {language: {"and": "and", "or": "or"} for language in Language}
_WORD |= {language: {"and": "&", "or": "|"} for language in (Language.NUMPY, Language.JAX)}
_WORD |= {language: {"and": "&&", "or": "||"} for language in (Language.C, Language.MATLAB)}

_C_WORDS = (
    *("auto", "bool", "break", "case", "char", "const", "constexpr", "continue", "default", "do", "double", "else"),
    *("enum", "extern", "false", "float", "for", "goto", "if", "inline", "int", "long", "nullptr", "register"),
    *("restrict", "return", "short", "signed", "sizeof", "static", "struct", "switch", "true", "typedef", "union"),
    *("unsigned", "void", "volatile", "while", "alignas", "alignof", "static_assert", "thread_local", "typeof"),
    *("asm", "unix", "linux", "I", "NAN", "INFINITY", "HUGE_VAL", "DOMAIN", "SING", "OVERFLOW", "UNDERFLOW"),
    *("PLOSS", "TLOSS", "HUGE", "MAXFLOAT", "signgam"),
    *("M_E", "M_LOG2E", "M_LOG10E", "M_LN2", "M_LN10", "M_PI", "M_PI_2", "M_PI_4", "M_1_PI", "M_2_PI"),
    *("M_2_SQRTPI", "M_SQRT2", "M_SQRT1_2"),
)
_RESERVED_NAMES = {
    Language.PYTHON: frozenset(("math",)),
    Language.NUMPY: frozenset(("np",)),
    Language.JAX: frozenset(("jnp",)),
    Language.C: frozenset((*_C_WORDS, "pow", *_FUNCTION[Language.C].values())),
    Language.MATLAB: frozenset(("choose", "end", "function", *_FUNCTION[Language.MATLAB].values())),
    Language.FORMULA: frozenset[str](),
}


def usable_names(names: Sequence[str], language: Language, avoid: Collection[str] = ()) -> tuple[str, ...]:
    """Return names, with underscores appended to keywords of the language and to names to be avoided.

    >>> usable_names(["m", "double", "fmin_", "fmin"], Language.C)
    ('m', 'double_', 'fmin_', 'fmin__')
    """
    refused = {*_RESERVED_NAMES[language], *avoid}
    taken = {name for name in names if name not in refused}
    found: list[str] = []
    for name in names:
        usable = name
        while usable in refused or (usable != name and usable in taken):
            usable += "_"
        taken.add(usable)
        found.append(usable)
    return tuple(found)


def _number(value: float, language: Language) -> str:
    if math.isfinite(value):
        return repr(value)
    if language is Language.FORMULA:
        raise ProgramError(f"The number {value} cannot be written in a formula.")
    if language is Language.C:
        return "NAN" if math.isnan(value) else "INFINITY" if value > 0 else "-INFINITY"
    if language is Language.MATLAB:
        return "NaN" if math.isnan(value) else "Inf" if value > 0 else "-Inf"
    return f"{'-' if value < 0 else ''}{_PREFIX[language]}{'nan' if math.isnan(value) else 'inf'}"
