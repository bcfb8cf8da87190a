"""The recursive form: equations of motion as a list of assignments with common subexpressions.

Expanded equations of a spatial arm with seven joints have a hundred times the operations of this form.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from gyrostat import recipes
from gyrostat.coordinates import Coordinates
from gyrostat.coordinates.row import PORTS
from gyrostat.lazy import LaterModule, later
from gyrostat.model.formula import Formula
from gyrostat.once import cached_property
from gyrostat.program.graph import Graph, read_graph
from gyrostat.program.listing import Language, Listing, listing
from gyrostat.program.port import Port
from gyrostat.scalar.latex import latex_text
from gyrostat.written.export import c_source, python_source
from gyrostat.written.symbols import MotionSymbols, Symbols

if TYPE_CHECKING:
    import sympy

    from gyrostat.scalar import sympy_scalars
else:
    sympy = LaterModule("sympy")
    (sympy_scalars,) = later("gyrostat.scalar", "sympy_scalars")

_Entry = TypeVar("_Entry")


@dataclass(frozen=True)
class Block:
    """A matrix or column of the equations: its name in code and LaTeX, its shape, where it has entries."""

    name: str
    latex: str
    is_column: bool
    shape: tuple[int, int]
    places: tuple[tuple[int, int], ...]

    @staticmethod
    def of(port: Port) -> Block:
        """Return the block that a port of the graph holds."""
        if port.pattern is None:
            places = tuple((i, j) for j in range(port.columns) for i in range(port.rows))
        else:
            places = tuple(zip(port.pattern[0].tolist(), port.pattern[1].tolist(), strict=True))
        return Block(*_BLOCKS[port.name], (port.rows, port.columns), places)

    @property
    def shown(self) -> tuple[tuple[int, int], ...]:
        """The entries that are shown: of the symmetric M the lower half."""
        return tuple((i, j) for i, j in self.places if self.name != "M" or j <= i)


_BLOCKS = {
    "mass_matrix": ("M", "M", False),
    "forcing": ("forcing", "f", True),
    "constraint_matrix": ("A", "A", False),
    "constraint_rates": ("rates", r"\gamma", True),
    "constraints": ("constraints", r"\Phi", True),
    "zdot": ("zdot", r"\dot{z}", True),
}
"""By output: name, LaTeX, and whether it is a column; only M and forcing are there in every system."""


@dataclass(frozen=True, eq=False)
class RecursiveEquations(MotionSymbols):
    """M(q) u̇ = forcing(q, u, t, inputs) as assignments x1 = …, x2 = … and entries written in them.

    Where joints close loops or the model has constraints, M u̇ = forcing + Aᵀ λ and A u̇ = γ as well; λ are the loads
    along the directions of the rows, as `System.constraints` lists them. Where components have state variables, ż
    follows, with the residuals of equations in the places of algebraic ones.
    """

    layout: Coordinates

    @cached_property
    def symbols(self) -> Symbols:
        """The symbols by the model's own names."""
        return Symbols(self.layout)

    @cached_property
    def _graph(self) -> Graph:
        return read_graph(recipes.equations_function(self.layout))

    @cached_property
    def input_names(self) -> tuple[str, ...]:
        """The symbols of t, q, u, z, parameters and inputs, in the order of the graph's inputs."""
        model = self.layout.topology.model
        names = {
            "t": ("t",),
            "q": self.layout.coordinate_names,
            "u": self.layout.speed_names,
            "z": self.layout.state_names,
            "parameters": tuple(model.parameters),
            "inputs": model.inputs,
        }
        return tuple(self.symbols.text[name] for argument in PORTS for name in names[argument])

    def listing(self, language: Language = Language.FORMULA, names: Sequence[str] | None = None) -> Listing:
        """Return the assignments, and the entries of the blocks in their order, in a language.

        `names` replaces `input_names` where these mean something else in the language.
        """
        return listing(self._graph, self.input_names if names is None else names, language)

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """M and forcing; of a system with constraints A, γ and the constraint functions; of one with states ż."""
        return tuple(Block.of(port) for port in self._graph.outputs)

    @property
    def constrained(self) -> bool:
        """Whether joints close loops or the model has constraints."""
        return any(block.name == "A" for block in self.blocks)

    def entries(self, results: Sequence[_Entry]) -> tuple[tuple[Block, dict[tuple[int, int], _Entry]], ...]:
        """Return each block with its entries by row and column, out of the results of all blocks."""
        left = iter(results)
        return tuple((block, {place: next(left) for place in block.places}) for block in self.blocks)

    @property
    def operations(self) -> int:
        """The number of operations."""
        return len(self._graph.codes)

    @property
    def constants(self) -> dict[Any, Any]:
        """The assigned symbols and their expressions, in order."""
        return dict(self.replacements)

    @cached_property
    def replacements(self) -> tuple[tuple[Any, Any], ...]:
        """The assignments as SymPy symbols and expressions."""
        return tuple((self._sympy(name), self._sympy(text)) for name, text in self.listing().statements)

    @property
    def mass_matrix(self) -> Any:
        """M as a SymPy matrix in the assigned symbols."""
        return self._matrices["M"]

    @property
    def forcing(self) -> Any:
        """The right-hand side as a SymPy column in the assigned symbols."""
        return self._matrices["forcing"]

    @property
    def constraint_matrix(self) -> Any:
        """A as a SymPy matrix in the assigned symbols."""
        return self._matrices["A"]

    @property
    def constraint_rates(self) -> Any:
        """γ in A u̇ = γ as a SymPy column in the assigned symbols."""
        return self._matrices["rates"]

    @property
    def constraints(self) -> Any:
        """The constraint functions, residuals of position or speeds, as a SymPy column in the assigned symbols."""
        return self._matrices["constraints"]

    @property
    def states(self) -> Any:
        """ż as a SymPy column in the assigned symbols; for algebraic variables, expressions that are zero."""
        return self._matrices["zdot"]

    @cached_property
    def constraint_names(self) -> tuple[str, ...]:
        """The names of the constraints, in order: owner and direction."""
        return tuple(row.name for row in recipes.named_rows(self.layout)) if self.constrained else ()

    @cached_property
    def _matrices(self) -> dict[str, Any]:
        """The blocks as SymPy matrices by name; those of constraints are empty where there are none."""
        found = {name: sympy.zeros(0, 1 if column else self.layout.n_u) for name, _, column in _BLOCKS.values()}
        for block, entries in self.entries(self.listing().results):
            found[block.name] = sympy.zeros(*block.shape)
            for place, text in entries.items():
                found[block.name][place] = self._sympy(text)
        return {name: matrix.as_immutable() for name, matrix in found.items()}

    def _sympy(self, text: str) -> Any:
        """Return the SymPy expression of a text that this class has written itself."""
        return Formula.of(text).evaluate(sympy_scalars.SympyScalars(), sympy_scalars.SympyScalars.symbol)

    def __str__(self) -> str:
        found = self.listing()
        lines = [f"{name} = {text}" for name, text in found.statements]
        for block, entries in self.entries(found.results):
            for i, j in block.shown:
                lines.append(f"{block.name}[{i}]{'' if block.is_column else f'[{j}]'} = {entries[i, j]}")
        return "\n".join(lines)

    def python(self, *, numpy: bool = False) -> str:
        """Return a stand-alone Python module with a function of M and forcing, and of the blocks of constraints."""
        return python_source(self, Language.NUMPY if numpy else Language.PYTHON)

    def c(self) -> str:
        """Return stand-alone C with a function of M and forcing, and of the blocks of constraints."""
        return c_source(self)

    def latex(self) -> str:
        """Return the assignments and entries as LaTeX, aligned at the equals signs."""
        lines = [f"{latex_text(name)} &= {latex_text(value)}" for name, value in self.replacements]
        for block in self.blocks:
            for i, j in block.shown:
                index = f"{i + 1}" if block.is_column else f"{i + 1}{j + 1}"
                lines.append(f"{block.latex}_{{{index}}} &= {latex_text(self._matrices[block.name][i, j])}")
        body = " \\\\\n".join(lines)
        return f"\\begin{{aligned}}\n{body}\n\\end{{aligned}}"

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex()}$"
