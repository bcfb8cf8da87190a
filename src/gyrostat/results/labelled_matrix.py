"""A sparse matrix whose rows and columns carry names.

Graph matrices are sparse; their nonzero entries are stored and accessed by names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from gyrostat.errors import TopologyError
from gyrostat.once import cached_property

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, DTypeLike, NDArray
    from scipy.sparse import csr_array

_TEXT_ROWS = 24
_TEXT_WIDTH = 110
_RICH_ROWS = 24
_RICH_COLUMNS = 24
_LATEX_SPECIAL = {character: "\\" + character for character in "#$%&_{}"} | {
    "\\": r"\backslash ",
    " ": r"\ ",
    "~": r"\sim ",
    "^": r"\wedge ",
}


def listed(names: Iterable[str], limit: int = 12) -> str:
    """Return names quoted and joined for a message, the tail of a long list counted only.

    >>> listed(["a", "b"])
    "'a', 'b'"
    >>> listed(map(str, range(10_000)), limit=2)
    "'0', '1' and 9998 more"
    """
    everything = tuple(names)
    text = ", ".join(repr(name) for name in everything[:limit])
    hidden = len(everything) - limit
    return f"{text} and {hidden} more" if hidden > 0 else text or "none"


@dataclass(frozen=True, eq=False, repr=False)
class LabelledMatrix:
    """An immutable sparse matrix (len(rows) × len(columns)) of ints or floats with a name for each row and column.

    Made by `from_triplets` or `from_array`; the bare constructor takes a csr array over and freezes its memory.
    `title` heads the printed table, `symbol` is its LaTeX name; both are decoration and do not enter equality.

    >>> S = LabelledMatrix.from_triplets(["1", "2"], ["a1", "a2"], [0, 0, 1], [0, 1, 1], [-1, 1, -1], title="incidence")
    >>> print(S)
    incidence, 2 × 2
       a1  a2
    1  -1   1
    2   0  -1
    >>> S["1", "a2"], S.row("2"), (S @ S.T)["1", "1"]
    (1, {'a2': -1}, 2)
    """

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    _matrix: csr_array[Any]
    title: str = "matrix"
    symbol: str = ""

    def __post_init__(self) -> None:
        for side, names in (("rows", self.rows), ("columns", self.columns)):
            twice = [name for name, count in Counter(names).items() if count > 1]
            if twice:
                raise TopologyError(
                    f"{self.title}: the {side} {listed(twice)} occur twice; give every one its own name."
                )
        if self._matrix.shape != (len(self.rows), len(self.columns)):
            raise TopologyError(
                f"{self.title}: values of shape {self._matrix.shape} do not fit {len(self.rows)} row names "
                f"and {len(self.columns)} column names; give one name per row and column."
            )
        self._matrix.sum_duplicates()
        self._matrix.eliminate_zeros()
        for part in (self._matrix.data, self._matrix.indices, self._matrix.indptr):
            part.flags.writeable = False

    def __reduce__(self) -> tuple[type[LabelledMatrix], tuple[object, ...]]:
        return (LabelledMatrix, (self.rows, self.columns, self._matrix, self.title, self.symbol))

    @classmethod
    def from_triplets(
        cls,
        rows: Sequence[str],
        columns: Sequence[str],
        row_indices: ArrayLike,
        column_indices: ArrayLike,
        values: ArrayLike,
        *,
        title: str = "matrix",
        symbol: str = "",
    ) -> LabelledMatrix:
        """Return the matrix with values[k] added at (row_indices[k], column_indices[k]), counted from zero."""
        from scipy.sparse import coo_array

        data = np.asarray(values)
        kind = np.float64 if data.dtype.kind == "f" else np.int64
        places = tuple(np.asarray(indices, dtype=np.int64) for indices in (row_indices, column_indices))
        for side, indices, names in zip(("row", "column"), places, (rows, columns), strict=True):
            if indices.shape != data.shape or np.any((indices < 0) | (indices >= len(names))):
                raise TopologyError(
                    f"{title}: {side} indices must be one per value and lie in 0…{len(names) - 1}; "
                    f"got {indices.size} of them for {data.size} values."
                )
        matrix = coo_array((data.astype(kind), places), shape=(len(rows), len(columns))).tocsr()
        return cls(tuple(rows), tuple(columns), matrix, title, symbol)

    @classmethod
    def from_array(
        cls, rows: Sequence[str], columns: Sequence[str], values: ArrayLike, *, title: str = "matrix", symbol: str = ""
    ) -> LabelledMatrix:
        """Return the matrix with the values of a dense array (rows × columns)."""
        dense = np.asarray(values).reshape(len(rows), len(columns)) if not np.size(values) else np.asarray(values)
        if dense.shape != (len(rows), len(columns)):
            raise TopologyError(
                f"{title}: values of shape {dense.shape} do not fit {len(rows)} row names "
                f"and {len(columns)} column names; give one name per row and column."
            )
        i, j = np.nonzero(dense)
        return cls.from_triplets(rows, columns, i, j, dense[i, j], title=title, symbol=symbol)

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of rows and columns."""
        return (len(self.rows), len(self.columns))

    @property
    def nonzeros(self) -> int:
        """The number of nonzero entries."""
        return int(self._matrix.nnz)

    @property
    def sparse(self) -> csr_array[Any]:
        """The values as a SciPy csr array over read-only memory; `.copy()` it to change it."""
        from scipy.sparse import csr_array

        stored = self._matrix
        view: csr_array[Any] = csr_array((stored.data, stored.indices, stored.indptr), shape=self.shape, copy=False)
        return view

    def to_array(self) -> NDArray[Any]:
        """Return the values as a new dense array (rows × columns)."""
        dense: NDArray[Any] = self._matrix.toarray()
        return dense

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        if copy is False:
            raise ValueError(f"{self.title}: a sparse matrix has no dense form to share; allow a copy.")
        dense = self.to_array()
        return dense if dtype is None else dense.astype(dtype, copy=False)

    def __getitem__(self, names: tuple[str, str]) -> Any:
        if not (isinstance(names, tuple) and len(names) == 2):
            raise TopologyError(f"{self.title}: an entry has two names, matrix[row, column], not {names!r}.")
        return self._matrix[self._row_place(names[0]), self._column_place(names[1])].item()

    def row(self, name: str) -> dict[str, Any]:
        """Return the entries of one row that are not zero, by column name."""
        start, stop = self._matrix.indptr[self._row_place(name) :][:2]
        places, values = self._matrix.indices[start:stop], self._matrix.data[start:stop]
        return {self.columns[place]: value for place, value in zip(places.tolist(), values.tolist(), strict=True)}

    def column(self, name: str) -> dict[str, Any]:
        """Return the entries of one column that are not zero, by row name."""
        entries = self._matrix[:, [self._column_place(name)]].tocoo()
        places, values = entries.coords[0].tolist(), entries.data.tolist()
        return {self.rows[place]: value for place, value in zip(places, values, strict=True)}

    @property
    def T(self) -> LabelledMatrix:
        """The transpose (columns × rows)."""
        title, symbol = f"{self.title}, transposed", f"{{{self.symbol}}}^T" if self.symbol else ""
        return LabelledMatrix(self.columns, self.rows, self._matrix.T.tocsr(), title, symbol)

    def submatrix(self, *, rows: Iterable[str] | None = None, columns: Iterable[str] | None = None) -> LabelledMatrix:
        """Return the part with the named rows and columns, in the order named; all of them where none are named."""
        row_names = self.rows if rows is None else tuple(rows)
        column_names = self.columns if columns is None else tuple(columns)
        # dtype: an empty selection would otherwise index with floats
        row_places = np.array([self._row_place(name) for name in row_names], dtype=np.int64)
        column_places = np.array([self._column_place(name) for name in column_names], dtype=np.int64)
        part = self._matrix[row_places, :][:, column_places].tocsr()
        return LabelledMatrix(row_names, column_names, part, self.title)

    def __matmul__(self, other: LabelledMatrix) -> LabelledMatrix:
        if not isinstance(other, LabelledMatrix):
            return NotImplemented
        if self.columns != other.rows:
            missing = sorted(set(self.columns) ^ set(other.rows))
            fact = f"{listed(missing)} not on both sides" if missing else "the same names in another order"
            raise TopologyError(
                f"{self.title} @ {other.title}: the columns of the first are not the rows of the second ({fact}); "
                "choose and order them with submatrix(rows=…) or submatrix(columns=…)."
            )
        product = (self._matrix @ other._matrix).tocsr()
        return LabelledMatrix(self.rows, other.columns, product, f"{self.title} @ {other.title}")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LabelledMatrix):
            return NotImplemented
        if (self.rows, self.columns) != (other.rows, other.columns):
            return False
        mine, theirs = self._matrix, other._matrix  # both canonical: sorted, no duplicates, no stored zeros
        return (
            np.array_equal(mine.indptr, theirs.indptr)
            and np.array_equal(mine.indices, theirs.indices)
            and np.array_equal(mine.data, theirs.data)
        )

    def __hash__(self) -> int:
        return hash((self.rows, self.columns, self.nonzeros))

    def __repr__(self) -> str:
        return f"<LabelledMatrix {self.title}, {len(self.rows)} × {len(self.columns)}, {self.nonzeros} nonzeros>"

    def __str__(self) -> str:
        stub = max([len(name) for name in self.rows[:_TEXT_ROWS]], default=0)
        shown, left = 0, _TEXT_WIDTH - stub
        while shown < len(self.columns) and left > 0:
            left -= max(len(self.columns[shown]), 2) + 2
            shown += left > 0 or shown == 0
        table = list(self._excerpt(_TEXT_ROWS, shown))
        widths = [max(map(len, cells)) for cells in zip(*table, strict=True)]
        lines = [
            "  ".join([cells[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(cells[1:], widths[1:], strict=True))])
            for cells in table
        ]
        return "\n".join(line.rstrip() for line in [self._heading(_TEXT_ROWS, shown), *lines])

    def _repr_html_(self) -> str:
        first, *rest = self._excerpt(_RICH_ROWS, _RICH_COLUMNS)
        head = "".join(f"<th>{escape(cell)}</th>" for cell in first)
        body = "".join(
            f"<tr><th>{escape(cells[0])}</th>{''.join(f'<td>{escape(cell)}</td>' for cell in cells[1:])}</tr>"
            for cells in rest
        )
        return (
            f"<table><caption>{escape(self._heading(_RICH_ROWS, _RICH_COLUMNS))}</caption>"
            f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        )

    def _repr_latex_(self) -> str:
        first, *rest = self._excerpt(_RICH_ROWS, _RICH_COLUMNS)
        lines = [" & ".join(map(_latex_text, first)) + r" \\ \hline"]
        for name, *values in rest:
            lines.append(" & ".join([_latex_text(name), *values]).replace("…", r"\dots") + r" \\")
        grid = "r|" + "r" * (len(first) - 1)
        left = f"{self.symbol} = " if self.symbol else ""
        return "\n".join([f"$${left}\\begin{{array}}{{{grid}}}", *lines, r"\end{array}$$"])

    def _heading(self, most_rows: int, most_columns: int) -> str:
        size = f"{self.title}, {len(self.rows)} × {len(self.columns)}"
        whole = len(self.rows) <= most_rows and len(self.columns) <= most_columns
        return size if whole else f"{size}, {self.nonzeros} nonzeros (excerpt)"

    def _excerpt(self, most_rows: int, most_columns: int) -> Iterator[list[str]]:
        """Yield the column names and the first rows as cells; dots at the end mark omitted columns and rows."""
        height, width = min(most_rows, len(self.rows)), min(most_columns, len(self.columns))
        dots = ["…"] if width < len(self.columns) else []
        yield ["", *self.columns[:width], *dots]
        corner = self._matrix[:height, :][:, :width].toarray().tolist()
        for name, values in zip(self.rows[:height], corner, strict=True):
            yield [name, *(_number_text(value) for value in values), *dots]
        if height < len(self.rows):
            yield ["…"] * (1 + width + len(dots))

    @cached_property
    def _row_places(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self.rows)}

    @cached_property
    def _column_places(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self.columns)}

    def _row_place(self, name: str) -> int:
        return self._place("row", self._row_places, name)

    def _column_place(self, name: str) -> int:
        return self._place("column", self._column_places, name)

    def _place(self, side: str, places: dict[str, int], name: str) -> int:
        if name not in places:
            raise TopologyError(f"{self.title}: there is no {side} {name!r}. Known {side}s: {listed(places)}.")
        return places[name]


def _number_text(value: float) -> str:
    return format(value, ".6g") if isinstance(value, float) else str(value)


def _latex_text(name: str) -> str:
    """Return a name in upright LaTeX; special characters are escaped."""
    return r"\mathrm{" + "".join(_LATEX_SPECIAL.get(character, character) for character in name) + "}" if name else ""
