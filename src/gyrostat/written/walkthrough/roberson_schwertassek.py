"""The Roberson–Schwertassek method step by step, with the equation numbers of Forehand, Cartmell and Khanin."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from gyrostat.coordinates import Coordinates
from gyrostat.equations.consistency import Blocks, Consistency
from gyrostat.equations.roberson_schwertassek import RobersonSchwertassek
from gyrostat.errors import TopologyError
from gyrostat.model.joints import Mode
from gyrostat.model.names import GROUND
from gyrostat.once import cached_property
from gyrostat.spatial import Matrix, Vector, apply, transpose
from gyrostat.topology.rigidity import require_rigid
from gyrostat.written.equation_set import Equations
from gyrostat.written.walkthrough.evaluation import Evaluation
from gyrostat.written.walkthrough.quantity import Quantity, Section, indexed
from gyrostat.written.walkthrough.walkthrough import Walkthrough


@dataclass(frozen=True, eq=False)
class RobersonSchwertassekWalk(Walkthrough):
    """Every quantity of the method (Forehand, Cartmell and Khanin); `method` has them over the scalars in use."""

    evaluation: Evaluation

    @staticmethod
    def of(coordinates: Coordinates, evaluation: Evaluation) -> RobersonSchwertassekWalk:
        """Return the walk for a system, which must have joint coordinates and rigid bodies."""
        if not coordinates.are_joint_coordinates:
            raise TopologyError(
                "The Roberson–Schwertassek method has joint coordinates; these are "
                f"{coordinates.description}. Use system.in_joint_coordinates, or formulate(model)."
            )
        require_rigid(coordinates.topology, "the Roberson–Schwertassek method is written", "Use system.equations().")
        return RobersonSchwertassekWalk(evaluation)

    @property
    def equations(self) -> Equations | None:
        """The equations of motion; None where the quantities are numbers."""
        return self.evaluation.equations

    @property
    def title(self) -> str:
        """The method and the paper."""
        return "The Roberson–Schwertassek method (Forehand, Cartmell and Khanin)"

    @cached_property
    def method(self) -> RobersonSchwertassek:
        """The method over the scalars in use."""
        return RobersonSchwertassek(self.evaluation.motion)

    @cached_property
    def consistency(self) -> Consistency:
        """The method's consistency conditions."""
        return Consistency(self.method)

    def _sections(self) -> Iterator[Section]:
        method, topology = self.method, self.evaluation.motion.tree.coordinates.topology
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
        yield Section("Free mode vectors", "18, 21", tuple(indexed("φ", r"\phi", (a,), self._modes(a)) for a in arcs))
        yield Section(
            "Modified attachment vectors",
            "51",
            tuple(
                indexed("ĉ", r"\hat{c}", key, self._vector(v)) for key, v in method.c_hat.items() if key[0] != GROUND
            ),
        )
        yield Section(
            "Attachment vectors",
            "50, 52–55",
            tuple(indexed("â", r"\hat{a}", (i, j), self._vector(method.a_hat[i, j])) for i in bodies for j in bodies),
        )
        yield Section(
            "Direction cosines",
            "41",
            tuple(indexed("A^0", "A^{0}", (i,), self._matrix(method.A(i))) for i in bodies),
        )
        yield Section(
            "K",
            "42, 68–71",
            tuple(indexed("K", "K", (i, k), self._matrix(method.K[i, k])) for i in bodies for k in bodies),
        )
        yield Section(
            "J",
            "38, 40",
            tuple(indexed("J", "J", (a, b), self._blocks(method.J(a, b))) for a in arcs for b in arcs),
        )
        yield Section(
            "J_I",
            "29, 72–75",
            tuple(indexed("J_I", "J_I", (a, b), self._rows(method.J_I(a, b))) for a in arcs for b in arcs),
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
            quantities = tuple(indexed(name, latex, (i,), self._vector(vector)) for i, vector in values.items())
            yield Section(name, numbers, quantities)
        yield Section(
            "χ",
            "30, 105–106",
            tuple(indexed("χ", r"\chi", (a,), self._column(list(method.chi(a)))) for a in arcs),
        )
        yield Section(
            "λ",
            "31, 107",
            tuple(indexed("λ", r"\lambda", (a,), self._column(list(method.lambda_(a)))) for a in arcs),
        )

    def _circuits(self) -> Iterator[Section]:
        """Yield the quantities of chords: W^ac of arcs on a chord's circuit, loads, and consistency conditions."""
        found, arcs, chords = self.consistency, self.method.arcs, self.consistency.chords
        yield Section(
            "Relative velocities",
            "14",
            tuple(indexed("G", "G", (a,), self._column([*arc.Omega, *arc.V])) for a, arc in arcs.items()),
        )
        yield Section(
            "Circuits", "15–16", tuple(indexed("W", "W", key, self._blocks(found.W(*key))) for key in found.TS_C)
        )
        yield Section(
            "Unit reactions of chords",
            "15",
            tuple(indexed("ψ", r"\psi", (c,), self._columns(chord.psi)) for c, chord in chords.items()),
        )
        yield Section(
            "Loads of chords",
            "15",
            tuple(indexed("Λ", r"\Lambda", (c,), self._column(self._load(c))) for c in chords),
        )
        yield Section(
            "Consistency conditions",
            "16",
            tuple(indexed("G", "G", (c,), self._column([*_entries(found.G(c))])) for c in chords),
        )

    def _load(self, chord: str) -> list[Any]:
        """Return Λ^c = [moment; force] on the to-body in multipliers, in the axes of the from-body."""
        on_target = self.evaluation.loads.of_chords[chord][0]
        R = transpose(self.method.A(self.consistency.chords[chord].origin))
        return [*apply(R, on_target.moment), *apply(R, on_target.force)]

    # --- writing -------------------------------------------------------------------------------------------------

    def _labelled(self, matrix: Any) -> Any:
        return self.evaluation.matrix(matrix.to_array().tolist())

    def _column(self, values: list[Any]) -> Any:
        return self.evaluation.column(values)

    def _vector(self, vector: Vector) -> Any:
        return self._column(list(vector))

    def _matrix(self, matrix: Matrix) -> Any:
        return self._rows(matrix)

    def _rows(self, rows: Any) -> Any:
        return self.evaluation.matrix(rows)

    def _modes(self, arc: str) -> Any:
        return self._columns([mode for _, mode in self.method.arcs[arc].phi])

    def _columns(self, modes: Iterable[Mode]) -> Any:
        columns = [_entries(mode) for mode in modes]
        return self.evaluation.matrix(list(zip(*columns, strict=True)) if columns else [()] * 6)

    def _blocks(self, blocks: Blocks) -> Any:
        (upper_left, upper_right), (lower_left, lower_right) = blocks
        upper = [(*left, *right) for left, right in zip(upper_left, upper_right, strict=True)]
        return self._rows(upper + [(*left, *right) for left, right in zip(lower_left, lower_right, strict=True)])

    def _write_latex(self, value: Any) -> str:
        return self.evaluation.latex(value)

    @property
    def _closing(self) -> tuple[str, str]:
        if self.equations is None:
            return "", ""
        heading = "Equations of motion"
        latex = f"\\paragraph{{{heading}}}\n\\[ {self.equations.latex()} \\]"
        return f"{heading} (eqs 28, 108–109)\n{self.equations}", latex


def _entries(mode: Mode) -> tuple[Any, ...]:
    return (*mode.angular, *mode.linear)
