"""Symbols in mathematical notation: theta_1 as θ₁, in plain text or in matplotlib's mathematical text."""

from __future__ import annotations

import re
from dataclasses import dataclass

_NAMES = (
    *("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu"),
    *("nu", "xi", "omicron", "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega"),
)
_GREEK_LETTERS = dict(zip(_NAMES, "αβγδεζηθικλμνξοπρστυφχψω", strict=True))
_GREEK_LETTERS |= {name.capitalize(): letter.upper() for name, letter in _GREEK_LETTERS.items()}
_SUBSCRIPTS = dict(zip("0123456789aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", strict=True))
_DOTS = {0: "", 1: "\u0307", 2: "\u0308"}
_ACCENTS = {0: "", 1: r"\dot", 2: r"\ddot"}


@dataclass(frozen=True)
class _Parts:
    """The letters of a symbol, their number of dots, and the subscript."""

    base: str
    dots: int
    index: str


def _parts(symbol: str) -> _Parts:
    head, _, index = symbol.partition("_")
    match = re.fullmatch(r"(.*?\D)(\d+)", head)
    if match and not index:
        head, index = match[1], match[2]
    for ending, dots in (("ddot", 2), ("dot", 1)):
        if head.endswith(ending) and head != ending:
            return _Parts(head.removesuffix(ending), dots, index)
    return _Parts(head, 0, index)


def plain_symbol(symbol: str) -> str:
    """Return a symbol in plain text; an index that has no lowered letters stays after an underscore.

    >>> plain_symbol("theta_1"), plain_symbol("thetadot_1"), plain_symbol("s"), plain_symbol("z_fl")
    ('θ₁', 'θ̇₁', 's', 'z_fl')
    """
    parts = _parts(symbol)
    base = _GREEK_LETTERS.get(parts.base, parts.base) + _DOTS[parts.dots]
    if all(letter in _SUBSCRIPTS for letter in parts.index):
        return base + "".join(_SUBSCRIPTS[letter] for letter in parts.index)
    return f"{base}_{parts.index}"


def math_symbol(symbol: str) -> str:
    r"""Return a symbol in matplotlib's mathematical text.

    >>> print(math_symbol("theta_1"), math_symbol("xddot"), math_symbol("z_fl"))
    $\theta_{1}$ $\ddot{x}$ $z_{\mathrm{fl}}$
    """
    parts = _parts(symbol)
    base = rf"\{parts.base}" if _has_command(parts.base) else _letters(_GREEK_LETTERS.get(parts.base, parts.base))
    accent = _ACCENTS[parts.dots]
    base = f"{accent}{{{base}}}" if accent else base
    return f"${base}_{{{_letters(parts.index)}}}$" if parts.index else f"${base}$"


def math_words(text: str) -> str:
    """Return text for matplotlib in which nothing is taken for mathematics, nor for a label that is to be hidden."""
    escaped = text.replace("$", r"\$")
    return f" {escaped}" if escaped.startswith("_") else escaped


def _has_command(name: str) -> bool:
    """Return whether mathematical text has a command for a Greek letter; capitals that look Latin have none."""
    return name in _GREEK_LETTERS and (name[0].islower() or _GREEK_LETTERS[name] in "ΓΔΘΛΞΠΣΥΦΨΩ") and name != "omicron"


def _letters(text: str) -> str:
    """Return single letters and numbers as they are, words upright."""
    escaped = text.replace("_", r"\_")
    return text if len(text) == 1 or text.isdigit() else rf"\mathrm{{{escaped}}}"
