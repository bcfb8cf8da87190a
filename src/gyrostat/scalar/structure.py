"""Structure of expressions: equal expressions have equal numbers, and expressions of the state are told from others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import casadi as ca

from gyrostat.scalar.operations import Scalar
from gyrostat.scalar.traced import Traced, as_sx

_SCALING = (ca.OP_MUL, ca.OP_DIV)


class TracedStructure:
    """Numbers of CasADi's scalar expressions; operations on the same operands have the same number.

    `fixed` are the symbols that do not depend on the state: time and parameters. Each node is visited once.
    """

    def __init__(self, fixed: Iterable[Any]) -> None:
        self._fixed = {symbol.element_hash() for symbol in fixed}
        self._numbers: dict[Any, int] = {}
        self._known: dict[int, int] = {}
        self._kept: list[Any] = []
        """The expressions of all numbers, kept so that their addresses are not used again."""
        self._varying: list[bool] = []
        self._moded: list[bool] = []
        self._modes: set[int] = set()

    def expression(self, value: Scalar) -> Any:
        """Return the expression of a scalar."""
        return as_sx(value)

    def scalar(self, expression: Any) -> Traced:
        """Return the scalar of an expression."""
        return Traced(expression)

    def is_known(self, value: Scalar) -> bool:
        """Tell whether a scalar is a number, known while the formula is formed."""
        return not isinstance(value, Traced)

    def sides(self, expression: Any) -> tuple[Any, Any]:
        """Return whose difference an expression is: x and y of x − y, y and x of −(x − y), else it and 0."""
        if expression.op() == ca.OP_NEG:
            return self.sides(expression.dep(0))[::-1]
        return (expression.dep(0), expression.dep(1)) if expression.op() == ca.OP_SUB else (expression, as_sx(0))

    def new_mode(self, name: str) -> Any:
        """Return a new symbol that counts as a mode."""
        symbol = ca.SX.sym(name)
        self._modes.add(symbol.element_hash())
        self._kept.append(symbol)
        return symbol

    def number(self, expression: Any) -> int:
        """Return the number of an expression."""
        pending = [expression]
        while pending:
            node = pending[-1]
            place = node.element_hash()
            if place in self._known:
                pending.pop()
                continue
            operands = [node.dep(i) for i in range(node.n_dep())] if not node.is_leaf() else []
            missing = [operand for operand in operands if operand.element_hash() not in self._known]
            if missing:
                pending += missing
                continue
            pending.pop()
            self._known[place] = self._enter(node, [self._known[operand.element_hash()] for operand in operands])
            self._kept.append(node)
        return self._known[expression.element_hash()]

    def _enter(self, node: Any, operands: list[int]) -> int:
        if node.is_symbolic():
            key: Any = ("symbol", node.element_hash())
            varying, moded = node.element_hash() not in self._fixed, node.element_hash() in self._modes
        elif node.is_constant():
            key, varying, moded = ("number", float(node)), False, False
        else:
            key, varying, moded = (
                (node.op(), *operands),
                any(self._varying[operand] for operand in operands),
                any(self._moded[operand] for operand in operands),
            )
        if key not in self._numbers:
            self._numbers[key] = len(self._varying)
            self._varying.append(varying)
            self._moded.append(moded)
        return self._numbers[key]

    def varies(self, expression: Any) -> bool:
        """Tell whether an expression depends on the state."""
        return self._varying[self.number(expression)]

    def has_modes(self, expression: Any) -> bool:
        """Tell whether an expression depends on modes."""
        return self._moded[self.number(expression)]

    def core(self, expression: Any) -> int:
        """Return the number of an expression without its sign and its factors that do not depend on the state."""
        while not expression.is_leaf():
            operation = expression.op()
            if operation == ca.OP_MUL and not self.varies(expression.dep(0)):
                expression = expression.dep(1)
            elif operation == ca.OP_NEG or (operation in _SCALING and not self.varies(expression.dep(1))):
                expression = expression.dep(0)
            else:
                break
        return self.number(expression)
