"""LaTeX of formulas: names of several letters are upright and apart, as one name and not as a product of letters."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

_WORD = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{2,}")
"""Letters that are neither a command nor the rest of one."""

_UPRIGHT = re.compile(r"(\\[a-z]+\{)*\\mathrm\{")
"""The beginning of a word, with or without dots."""


def latex_text(expression: Any, names: Mapping[Any, str] | None = None) -> str:
    r"""Return LaTeX of a SymPy expression; `names` are symbols with LaTeX of their own.

    >>> import sympy
    >>> load, angle, power = sympy.symbols("load theta_1 k_motor")
    >>> print(latex_text(load * angle * power))
    k_{\mathrm{motor}} \, \mathrm{load} \, \theta_{1}
    >>> print(latex_text(sympy.Symbol("hingedot_crank")))
    \dot{\mathrm{hinge}}_{\mathrm{crank}}
    """
    return str(_printer()({"symbol_names": dict(names or {})}).doprint(expression))


@lru_cache(maxsize=1)
def _printer() -> Any:
    """Return the class of the printer; SymPy is imported with it."""
    from sympy.printing.latex import LatexPrinter

    class Printer(LatexPrinter):  # type: ignore[misc]
        """SymPy's printer with upright words in the names of symbols."""

        def _print_Symbol(self, symbol: Any, style: str = "plain") -> str:
            text = str(super()._print_Symbol(symbol, style=style))
            own = symbol in self._settings["symbol_names"] or "{" in symbol.name
            return text if own else _WORD.sub(r"\\mathrm{\g<0>}", text)

        def _print_Mul(self, expr: Any) -> str:
            """Return a product, with thin spaces between the factors where one is a word."""
            before = self._settings["mul_symbol_latex"]
            factors = (factor.as_base_exp()[0] for factor in expr.args)
            words = any(one.is_Symbol and _UPRIGHT.match(self._print(one)) for one in factors)
            self._settings["mul_symbol_latex"] = r" \, " if words else " "
            try:
                return str(super()._print_Mul(expr))
            finally:
                self._settings["mul_symbol_latex"] = before

    return Printer
