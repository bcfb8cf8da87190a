"""The recursive form: equations of motion as a list of assignments, each common part once.

Expanded equations of a spatial arm with seven joints have a hundred times the operations of this form.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from gyrostat.coordinates import Coordinates
from gyrostat.pipeline.symbols import Symbols, acceleration_name
from gyrostat.pipeline.traces import ARGUMENTS, Recipe, Trace, build_function, symmetric_sx
from gyrostat.program.graph import Graph, read_graph
from gyrostat.program.listing import Language, Listing, listing


@dataclass(frozen=True, eq=False)
class RecursiveEquations:
    """M(q) u̇ = forcing(q, u, t, inputs) as assignments x1 = …, x2 = … and entries written in them."""

    layout: Coordinates

    @cached_property
    def symbols(self) -> Symbols:
        """The symbols by the model's own names."""
        return Symbols(self.layout)

    @cached_property
    def _graph(self) -> Graph:
        return read_graph(mass_and_forcing_function(self.layout))

    @cached_property
    def input_names(self) -> tuple[str, ...]:
        """The symbols of t, q, u, parameters and inputs, in the order of the graph's inputs."""
        model = self.layout.topology.model
        names = {
            "t": ("t",),
            "q": self.layout.coordinate_names,
            "u": self.layout.speed_names,
            "z": (),
            "parameters": tuple(model.parameters),
            "inputs": model.inputs,
        }
        return tuple(self.symbols.text[name] for argument in ARGUMENTS for name in names[argument])

    def listing(self, language: Language = Language.FORMULA, names: Sequence[str] | None = None) -> Listing:
        """Return the assignments, and the entries of M (those in `entries`) and forcing, in a language.

        `names` replaces `input_names` where these mean something else in the language.
        """
        return listing(self._graph, self.input_names if names is None else names, language)

    @cached_property
    def entries(self) -> tuple[tuple[tuple[int, int], ...], int]:
        """The places of M's entries in the list of results, as (row, column), and the number of speeds."""
        port = self._graph.outputs[0]
        if port.pattern is None:
            places = tuple((i, j) for j in range(port.columns) for i in range(port.rows))
        else:
            places = tuple(zip(port.pattern[0].tolist(), port.pattern[1].tolist(), strict=True))
        return places, self.layout.n_u

    @property
    def operations(self) -> int:
        """The number of operations."""
        return len(self._graph.codes)

    @property
    def constants(self) -> dict[Any, Any]:
        """The assigned symbols and what they stand for, in order."""
        return dict(self.replacements)

    @cached_property
    def replacements(self) -> tuple[tuple[Any, Any], ...]:
        """The assignments as SymPy symbols and expressions."""
        return tuple((self._sympy(name), self._sympy(text)) for name, text in self.listing().statements)

    @cached_property
    def mass_matrix(self) -> Any:
        """M as a SymPy matrix in the assigned symbols."""
        import sympy

        places, n = self.entries
        M = sympy.zeros(n, n)
        for (i, j), text in zip(places, self.listing().results, strict=False):
            M[i, j] = self._sympy(text)
        return M.as_immutable()

    @cached_property
    def forcing(self) -> Any:
        """The right-hand side as a SymPy column in the assigned symbols."""
        import sympy

        texts = self.listing().results[len(self.entries[0]) :]
        return sympy.ImmutableMatrix(len(texts), 1, [self._sympy(text) for text in texts])

    def _sympy(self, text: str) -> Any:
        """Return the SymPy expression of a text that this class has written itself."""
        from gyrostat.model.formula import Formula
        from gyrostat.scalar.sympy_scalars import SympyScalars

        return Formula.of(text).evaluate(SympyScalars(), SympyScalars.symbol)

    def __str__(self) -> str:
        found = self.listing()
        lines = [f"{name} = {text}" for name, text in found.statements]
        places, _ = self.entries
        for (i, j), text in zip(places, found.results, strict=False):
            if j <= i:
                lines.append(f"M[{i}][{j}] = {text}")
        lines.extend(f"forcing[{i}] = {text}" for i, text in enumerate(found.results[len(places) :]))
        return "\n".join(lines)

    def python(self, *, numpy: bool = False) -> str:
        """Return a stand-alone Python module with a function that computes M and forcing."""
        from gyrostat.pipeline.export import python_source

        return python_source(self, Language.NUMPY if numpy else Language.PYTHON)

    def c(self) -> str:
        """Return stand-alone C with a function that computes M and forcing."""
        from gyrostat.pipeline.export import c_source

        return c_source(self)

    def latex(self) -> str:
        """Return the assignments and entries as LaTeX, aligned at the equals signs."""
        import sympy

        lines = [f"{sympy.latex(name)} &= {sympy.latex(value)}" for name, value in self.replacements]
        places, _ = self.entries
        lines.extend(f"M_{{{i + 1}{j + 1}}} &= {sympy.latex(self.mass_matrix[i, j])}" for i, j in places if j <= i)
        lines.extend(f"f_{{{i + 1}}} &= {sympy.latex(entry)}" for i, entry in enumerate(self.forcing))
        body = " \\\\\n".join(lines)
        return f"\\begin{{aligned}}\n{body}\n\\end{{aligned}}"

    @property
    def coordinates(self) -> tuple[Any, ...]:
        """The symbols of q."""
        return tuple(self.symbols.sympy[name] for name in self.layout.coordinate_names)

    @property
    def speeds(self) -> tuple[Any, ...]:
        """The symbols of u."""
        return tuple(self.symbols.sympy[name] for name in self.layout.speed_names)

    @property
    def accelerations(self) -> tuple[Any, ...]:
        """The symbols of u̇."""
        return tuple(self.symbols.sympy[acceleration_name(name)] for name in self.layout.speed_names)

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex()}$"


def mass_and_forcing_function(coordinates: Coordinates) -> Any:
    """Return the traced function of M and forcing, with the arguments that every program of a system has."""
    return build_function("equations", Recipe(_mass_and_forcing), coordinates)


def _mass_and_forcing(trace: Trace) -> dict[str, Any]:
    from gyrostat.equations.composite_body import mass_matrix
    from gyrostat.equations.newton_euler import inverse_dynamics
    from gyrostat.scalar.algebra import negate
    from gyrostat.scalar.traced import column

    n = len(trace.rates)
    loads = inverse_dynamics(trace.motion, [0] * n)
    return {
        "mass_matrix": symmetric_sx(mass_matrix(trace.motion), n),
        "forcing": column([negate(load) for load in loads]),
    }
