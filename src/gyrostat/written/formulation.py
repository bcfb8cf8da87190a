"""A formulation of a network: equations and their variables, which print and render."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gyrostat.model.names import counted
from gyrostat.scalar.latex import latex_text


@dataclass(frozen=True, eq=False)
class Formulation:
    """A named set of equations as SymPy's `Eq`, and the variables for which they are to be solved."""

    name: str
    equations: tuple[Any, ...]
    variables: tuple[Any, ...]

    def __len__(self) -> int:
        return len(self.equations)

    def __str__(self) -> str:
        lines = [f"{one.lhs} = {one.rhs}" for one in self.equations]
        count = counted(len(self.equations), "equation", "equations")
        head = f"{self.name}: {count} in {', '.join(str(each) for each in self.variables)}"
        return "\n".join([head, *(f"  {line}" for line in lines)])

    __repr__ = __str__

    def latex(self) -> str:
        """Return the equations as aligned LaTeX."""

        rows = [f"{latex_text(one.lhs)} &= {latex_text(one.rhs)}" for one in self.equations]
        return "\\begin{aligned}\n" + " \\\\\n".join(rows) + "\n\\end{aligned}"

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex()}$"
