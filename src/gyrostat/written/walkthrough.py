"""The Roberson–Schwertassek method step by step, with the equation numbers of Forehand, Cartmell and Khanin."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sympy

from gyrostat.equations.consistency import Blocks, Consistency
from gyrostat.equations.roberson_schwertassek import RobersonSchwertassek
from gyrostat.errors import StateError, TopologyError
from gyrostat.model.joints import Mode
from gyrostat.model.names import GROUND, did_you_mean
from gyrostat.once import cached_property
from gyrostat.spatial import Matrix, Vector, apply, transpose
from gyrostat.topology.rigidity import require_mass_on_bodies, require_rigid
from gyrostat.written.equation_set import Equations

if TYPE_CHECKING:
    from gyrostat.system.system import System


@dataclass(frozen=True)
class Quantity:
    """One quantity of the method: its symbol in plain text and in LaTeX, and its value as SymPy has it."""

    name: str
    latex_name: str
    value: Any


@dataclass(frozen=True)
class Section:
    """Quantities of one kind, with the paper's equation numbers."""

    title: str
    numbers: str
    quantities: tuple[Quantity, ...]


@dataclass(frozen=True, eq=False)
class Walkthrough:
    """Every quantity of the method (Forehand, Cartmell and Khanin); `method` has them on the exact engine."""

    equations: Equations

    @staticmethod
    def of(system: System) -> Walkthrough:
        """Return the walk through the method for a system, which must have joint coordinates."""
        if not system.coordinates.are_joint_coordinates:
            raise TopologyError(
                "The Roberson–Schwertassek method has joint coordinates; these are "
                f"{system.coordinates.description}. Use system.in_joint_coordinates, or formulate(model)."
            )
        method = "the Roberson–Schwertassek method is written"
        require_rigid(system.topology, method, "Use system.equations().")
        require_mass_on_bodies(system.topology, method, "Use system.equations().")
        return Walkthrough(system.equations())

    @cached_property
    def method(self) -> RobersonSchwertassek:
        """The method on the exact engine."""
        return RobersonSchwertassek(self.equations.trace.motion)

    @cached_property
    def consistency(self) -> Consistency:
        """The method's consistency conditions on the exact engine."""
        return Consistency(self.method)

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """All quantities in the paper's order."""
        return tuple(self._sections())

    def _sections(self) -> Iterator[Section]:
        method, topology = self.method, self.equations.layout.topology
        bodies, arcs = method.bodies, tuple(method.arcs)
        yield Section(
            "Topology",
            "3, 5, 9",
            (
                Quantity("S̄", r"\bar{S}", self._labelled(topology.incidence)),
                Quantity("S", "S", self._labelled(topology.reduced_incidence)),
                Quantity("T", "T", self._labelled(topology.path)),
            ),
        )
        yield Section(
            "Free mode vectors", "18, 21", tuple(self._indexed("φ", r"\phi", (a,), self._modes(a)) for a in arcs)
        )
        yield Section(
            "Modified attachment vectors",
            "51",
            tuple(
                self._indexed("ĉ", r"\hat{c}", key, self._vector(v))
                for key, v in method.c_hat.items()
                if key[0] != GROUND
            ),
        )
        yield Section(
            "Attachment vectors",
            "50, 52–55",
            tuple(
                self._indexed("â", r"\hat{a}", (i, j), self._vector(method.a_hat[i, j])) for i in bodies for j in bodies
            ),
        )
        yield Section(
            "Direction cosines",
            "41",
            tuple(self._indexed("A^0", "A^{0}", (i,), self._matrix(method.A(i))) for i in bodies),
        )
        yield Section(
            "K",
            "42, 68–71",
            tuple(self._indexed("K", "K", (i, k), self._matrix(method.K[i, k])) for i in bodies for k in bodies),
        )
        yield Section(
            "J",
            "38, 40",
            tuple(self._indexed("J", "J", (a, b), self._blocks(method.J(a, b))) for a in arcs for b in arcs),
        )
        yield Section(
            "J_I",
            "29, 72–75",
            tuple(self._indexed("J_I", "J_I", (a, b), self._rows(method.J_I(a, b))) for a in arcs for b in arcs),
        )
        yield from self._loads()
        if self.consistency.chords:
            yield from self._circuits()

    def _loads(self) -> Iterator[Section]:
        method, arcs = self.method, tuple(self.method.arcs)
        for name, latex, numbers, values in (
            ("Q_I", "Q_{I}", "84", method.Q_I),
            ("Q_II", "Q_{II}", "86", method.Q_II),
            ("Q_III", "Q_{III}", "88", method.Q_III),
            ("Q_IV", "Q_{IV}", "94, 97–98", method.Q_IV),
            ("Q_V", "Q_{V}", "84", method.Q_V),
            ("Q″_1", "Q''_1", "84, 99–100", method.Q_1_second),
            ("Q″_2", "Q''_2", "80", method.Q_2_second),
            ("Q′_1", "Q'_1", "101, 103–104", method.Q_1_first),
            ("Q′_2", "Q'_2", "80", method.Q_2_first),
        ):
            quantities = tuple(self._indexed(name, latex, (i,), self._vector(vector)) for i, vector in values.items())
            yield Section(name, numbers, quantities)
        yield Section(
            "χ",
            "30, 105–106",
            tuple(self._indexed("χ", r"\chi", (a,), self._column(list(method.chi(a)))) for a in arcs),
        )
        yield Section(
            "λ",
            "31, 107",
            tuple(self._indexed("λ", r"\lambda", (a,), self._column(list(method.lambda_(a)))) for a in arcs),
        )

    def _circuits(self) -> Iterator[Section]:
        """Yield the quantities of chords: W^ac of arcs on a chord's circuit, loads, and consistency conditions."""
        found, arcs, chords = self.consistency, self.method.arcs, self.consistency.chords
        yield Section(
            "Relative velocities",
            "14",
            tuple(self._indexed("G", "G", (a,), self._column([*arc.Omega, *arc.V])) for a, arc in arcs.items()),
        )
        yield Section(
            "Circuits", "15–16", tuple(self._indexed("W", "W", key, self._blocks(found.W(*key))) for key in found.TS_C)
        )
        yield Section(
            "Unit reactions of chords",
            "15",
            tuple(self._indexed("ψ", r"\psi", (c,), self._columns(chord.psi)) for c, chord in chords.items()),
        )
        yield Section(
            "Loads of chords",
            "15",
            tuple(self._indexed("Λ", r"\Lambda", (c,), self._column(self._load(c))) for c in chords),
        )
        yield Section(
            "Consistency conditions",
            "16",
            tuple(self._indexed("G", "G", (c,), self._column([*_entries(found.G(c))])) for c in chords),
        )

    def _load(self, chord: str) -> list[Any]:
        """Return Λ^c = [moment; force] on the to-body in multipliers, in the axes of the from-body."""
        on_target = self.equations.exact_constraints.loads.of_chords[chord][0]
        R = transpose(self.method.A(self.consistency.chords[chord].origin))
        return [*apply(R, on_target.moment), *apply(R, on_target.force)]

    # --- writing -------------------------------------------------------------------------------------------------

    def _indexed(self, name: str, latex: str, indices: tuple[str, ...], value: Any) -> Quantity:
        upper = " ".join(sympy.latex(sympy.Symbol(index)) for index in indices)
        base = f"{{{latex}}}" if "^" in latex or "_" in latex or "'" in latex else latex
        return Quantity(f"{name}^({', '.join(indices)})", f"{base}^{{({upper})}}", value)

    def _labelled(self, matrix: Any) -> Any:
        return sympy.ImmutableMatrix(matrix.to_array().tolist())

    def _column(self, values: list[Any]) -> Any:
        return sympy.ImmutableMatrix(len(values), 1, [self.equations.expression(value) for value in values])

    def _vector(self, vector: Vector) -> Any:
        return self._column(list(vector))

    def _matrix(self, matrix: Matrix) -> Any:
        return self._rows(matrix)

    def _rows(self, rows: Any) -> Any:
        return sympy.ImmutableMatrix([[self.equations.expression(x) for x in row] for row in rows])

    def _modes(self, arc: str) -> Any:
        return self._columns([mode for _, mode in self.method.arcs[arc].phi])

    def _columns(self, modes: Iterable[Mode]) -> Any:
        columns = [_entries(mode) for mode in modes]
        if not columns:
            return sympy.ImmutableMatrix(6, 0, [])
        return self._rows(list(zip(*columns, strict=True)))

    def _blocks(self, blocks: Blocks) -> Any:
        (upper_left, upper_right), (lower_left, lower_right) = blocks
        upper = [(*left, *right) for left, right in zip(upper_left, upper_right, strict=True)]
        return self._rows(upper + [(*left, *right) for left, right in zip(lower_left, lower_right, strict=True)])

    def __getitem__(self, name: str) -> Any:
        """Return a quantity by its printed name, as in walk["K^(bar1, bar2)"]."""
        values = {q.name: q.value for section in self.sections for q in section.quantities}
        if name not in values:
            raise StateError(f"There is no quantity {name!r}. {did_you_mean(name, values)}")
        return values[name]

    def __str__(self) -> str:
        lines: list[str] = []
        for section in self.sections:
            lines.append(f"{section.title} (eq {section.numbers})")
            lines.extend(
                f"  {q.name} = {q.value.tolist() if q.value.cols != 1 else list(q.value)}" for q in section.quantities
            )
        return "\n".join([*lines, "Equations of motion (eqs 28, 108–109)", str(self.equations)])

    def latex(self) -> str:
        """Return the walk as LaTeX text with a heading for each section."""
        write = self.equations.write_latex
        parts: list[str] = []
        for section in self.sections:
            parts.append(f"\\paragraph{{{_escaped(section.title)} (eq {section.numbers})}}")
            parts.extend(f"\\[ {q.latex_name} = {write(q.value)} \\]" for q in section.quantities)
        return "\n".join([*parts, "\\paragraph{Equations of motion}", f"\\[ {self.equations.latex()} \\]"])


def _entries(mode: Mode) -> tuple[Any, ...]:
    return (*mode.angular, *mode.linear)


_GREEK = {"χ": r"$\chi$", "λ": r"$\lambda$", "′": "'", "″": "''", "_": r"\_"}


def _escaped(title: str) -> str:
    return "".join(_GREEK.get(character, character) for character in title)
