"""Linear state space as a block."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gyrostat.model.forces import Motion
from gyrostat.model.forces.force_element import LAW
from gyrostat.model.formula import Formula
from gyrostat.model.kinds import ListKind, OptionalKind, Quantity, QuantityKind
from gyrostat.model.place import Place
from gyrostat.model.record import value
from gyrostat.model.state_variable import StateVariable
from gyrostat.model.states.state_element import StateElement, StateOutput
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, multiply, total

Rows = tuple[tuple[Quantity, ...], ...]
_MATRIX = ListKind(ListKind(QuantityKind()))
_ZERO = Formula.of(0)


@dataclass(frozen=True)
class StateSpaceBlock(StateElement):
    """A linear system ẋ = A x + B v, y = C x + D v, with several inputs v: an observer, a filter, a controller.

    States are `name.x1`, `name.x2`, …. A single output has the name of the block, several are `name.y1`, `name.y2`, ….

    >>> observer = StateSpaceBlock("observer", ("a", "push"), A=[[0, 1], [-9, -6]], B=[[6, 0], [9, 1]], C=[[0, 1]])
    >>> list(observer.outputs)
    ['observer']
    """

    inputs: tuple[Quantity, ...] = value(ListKind(QuantityKind(LAW)), doc="the inputs v, formulas")
    A: Rows = value(_MATRIX, doc="matrix of the states, n × n")
    B: Rows = value(_MATRIX, doc="matrix of the inputs, n × m")
    C: Rows = value(_MATRIX, doc="matrix of the outputs, p × n")
    D: Rows | None = value(OptionalKind(_MATRIX), None, doc="feedthrough, p × m; none by default")
    initial: tuple[Quantity, ...] | None = value(
        OptionalKind(ListKind(QuantityKind())), None, doc="initial values of the states; zero by default", keyword=True
    )

    def validate(self, place: Place) -> None:
        """Require matrices that match."""
        n, m, p = len(self.A), len(self.inputs), len(self.C)
        if not n or not m or not p:
            place.report("it has no states, no inputs or no outputs.", "Give A, B, C with rows, and inputs.")
            return
        for name, rows, shape in (
            ("A", self.A, (n, n)),
            ("B", self.B, (n, m)),
            ("C", self.C, (p, n)),
            ("D", self.D, (p, m)),
        ):
            if rows is not None and (len(rows), *{len(row) for row in rows}) != shape:
                widths = " and ".join(str(width) for width in sorted({len(row) for row in rows}))
                fact = f"it has {len(rows)} rows of {widths or 'no'} entries."
                place.inside(name).report(fact, f"It must have {shape[0]} rows of {shape[1]}.")
        if self.initial is not None and len(self.initial) != n:
            place.inside("initial").report(
                f"it has {len(self.initial)} values.", f"Give one for each of the {n} states."
            )

    @property
    def state_variables(self) -> tuple[StateVariable, ...]:
        """The states x."""
        begin = self.initial or (_ZERO,) * len(self.A)
        return tuple(
            StateVariable(f"{self.name}.x{i + 1}", "", f"state {i + 1} of {self.name}", one)
            for i, one in enumerate(begin)
        )

    @property
    def _output_names(self) -> list[str]:
        return [self.name] if len(self.C) == 1 else [f"{self.name}.y{i + 1}" for i in range(len(self.C))]

    @property
    def outputs(self) -> Mapping[str, StateOutput]:
        """The outputs y."""
        return {name: StateOutput("", f"output {name}") for name in self._output_names}

    def feedthrough(self, output: str) -> tuple[Formula, ...]:
        """Return the inputs with an entry in the output's row of D."""
        if self.D is None:
            return ()
        row = self.D[self._output_names.index(output)]
        return tuple(formula for formula, entry in zip(self.inputs, row, strict=True) if entry.number != 0)

    def observed(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return C x + D v, without the inputs that no output needs."""
        x = self._x(motion)
        through = self.D or ((_ZERO,) * len(self.inputs),) * len(self.C)
        return {
            name: add(
                _product(motion, of_x, x),
                total(
                    [
                        multiply(motion.evaluate(entry), motion.evaluate(formula))
                        for entry, formula in zip(of_v, self.inputs, strict=True)
                        if entry.number != 0
                    ]
                ),
            )
            for name, of_x, of_v in zip(self._output_names, self.C, through, strict=True)
        }

    def state_rates(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return A x + B v."""
        x, v = self._x(motion), [motion.evaluate(formula) for formula in self.inputs]
        return {
            variable.name: add(_product(motion, of_x, x), _product(motion, of_v, v))
            for variable, of_x, of_v in zip(self.state_variables, self.A, self.B, strict=True)
        }

    def _x(self, motion: Motion) -> list[Scalar]:
        return [motion.quantity(variable.name) for variable in self.state_variables]


def _product(motion: Motion, row: tuple[Quantity, ...], values: list[Scalar]) -> Scalar:
    """Return the product of a row of a matrix and a column of values."""
    return total([multiply(motion.evaluate(entry), value) for entry, value in zip(row, values, strict=True)])
