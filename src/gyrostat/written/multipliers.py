"""Multipliers: the loads of constraints, with symbols of owner and direction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from gyrostat.model.constraints import ConstraintRow
from gyrostat.results.html_table import html_table

_FILLERS = (
    frozenset(("force", "load", "of", "on", "the", "along", "across", "about")),
    frozenset(("force", "load", "of", "on", "the")),
    frozenset[str](),
)
"""Words left out of symbols, fewer where two rows of one owner would have the same symbol."""


@dataclass(frozen=True)
class Multiplier:
    """The load along the direction of one constraint: of the parent on the child where a joint closes a loop."""

    symbol: str
    owner: str
    direction: str
    unit: str

    @property
    def name(self) -> str:
        """The name of the constraint, by which a system gives the multiplier's value."""
        return f"{self.owner}: {self.direction}"

    @property
    def latex(self) -> str:
        r"""The symbol in LaTeX, where words in an index would run together otherwise.

        >>> Multiplier("lambda_pin_moment_1", "pin", "moment across 1", "N·m").latex
        '\\lambda_{\\mathrm{pin},\\mathrm{moment},1}'
        """
        direction = self.symbol.removeprefix(_joined(self.owner)).split("_")
        words = [self.owner.replace("_", r"\_"), *(word for word in direction if word)]
        shown = ",".join(word if len(word) == 1 else f"\\mathrm{{{word}}}" for word in words)
        return rf"\lambda_{{{shown}}}"


@dataclass(frozen=True)
class Multipliers:
    """All multipliers of a system in order; prints as a table."""

    items: tuple[Multiplier, ...]

    @staticmethod
    def of(rows: Sequence[ConstraintRow], taken: Collection[str]) -> Multipliers:
        """Return the multipliers of rows, with symbols that differ from those taken."""
        found: list[Multiplier] = []
        used = set(taken)
        for row, symbol in zip(rows, _symbols(rows), strict=True):
            free = next(text for text in _variants(symbol) if text not in used)
            used.add(free)
            found.append(Multiplier(free, row.owner, row.label, row.unit))
        return Multipliers(tuple(found))

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[Multiplier]:
        return iter(self.items)

    def __getitem__(self, place: int) -> Multiplier:
        return self.items[place]

    def _cells(self) -> list[tuple[str, str, str, str]]:
        return [(each.symbol, each.owner, each.direction, each.unit) for each in self.items]

    def __str__(self) -> str:
        cells = [_HEAD, *self._cells()]
        widths = [max(len(row[column]) for row in cells) for column in range(len(_HEAD))]
        return "\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in cells)

    def _repr_html_(self) -> str:
        cells = [(f"${each.latex}$", *row[1:]) for each, row in zip(self.items, self._cells(), strict=True)]
        return html_table("multipliers", _HEAD, cells)


_HEAD = ("symbol", "of", "direction", "unit")


def _symbols(rows: Sequence[ConstraintRow]) -> list[str]:
    """Return symbols such as lambda_pin_x: owner and direction, as short as is unique."""
    alone = Counter(row.owner for row in rows)
    shortest = {row.name: _joined(row.owner) for row in rows if alone[row.owner] == 1}
    for fillers in _FILLERS:
        short = {row.name: _joined(row.owner, *(w for w in row.label.split() if w not in fillers)) for row in rows}
        count = Counter(short.values())
        shortest = {name: text for name, text in short.items() if count[text] == 1} | shortest
    return [shortest.get(row.name, _joined(row.owner)) for row in rows]


def _joined(*words: str) -> str:
    return "_".join(("lambda", *(word.replace(".", "_") for word in words)))


def _variants(symbol: str) -> Iterator[str]:
    """Yield a symbol, then the same with a number."""
    yield symbol
    number = 2
    while True:
        yield f"{symbol}_{number}"
        number += 1
