import pickle

import numpy as np
import pytest
from scipy.sparse import csr_array

from gyrostat.errors import TopologyError
from gyrostat.results.labelled_matrix import LabelledMatrix, listed


@pytest.fixture
def matrix() -> LabelledMatrix:
    return LabelledMatrix.from_array(["r1", "r2"], ["a", "b", "c"], [[1, 0, -1], [0, 12, 0]], title="thing", symbol="X")


def test_entries_rows_and_columns_by_name(matrix):
    assert matrix["r1", "c"] == -1
    assert matrix["r2", "a"] == 0
    assert isinstance(matrix["r1", "c"], int)
    assert matrix.row("r1") == {"a": 1, "c": -1}
    assert matrix.row("r2") == {"b": 12}
    assert matrix.column("a") == {"r1": 1}
    assert matrix.shape == (2, 3)
    assert matrix.nonzeros == 3


def test_dense_and_sparse_forms(matrix):
    expected = [[1, 0, -1], [0, 12, 0]]
    assert matrix.to_array().tolist() == expected
    assert matrix.to_array().dtype == np.int64
    assert np.asarray(matrix).tolist() == expected
    assert np.asarray(matrix, dtype=float).dtype == np.float64
    assert isinstance(matrix.sparse, csr_array)
    assert (matrix.sparse @ np.array([1, 1, 1])).tolist() == [0, 12]
    assert (matrix @ np.array([1, 1, 1])).tolist() == [0, 12]


def test_floats_stay_floats():
    matrix = LabelledMatrix.from_triplets(["r"], ["a", "b"], [0, 0], [0, 1], [0.5, 2.0])
    assert matrix["r", "a"] == 0.5
    assert str(matrix).splitlines()[-1].split() == ["r", "0.5", "2"]


def test_triplets_add_up_and_cancel():
    matrix = LabelledMatrix.from_triplets(["r"], ["a", "b"], [0, 0, 0, 0], [0, 0, 1, 1], [2, 3, 1, -1])
    assert matrix.row("r") == {"a": 5}
    assert matrix.nonzeros == 1


def test_nothing_can_be_changed(matrix):
    with pytest.raises(AttributeError):
        matrix.rows = ("x", "y")
    with pytest.raises(ValueError, match="read-only"):
        matrix.sparse.data[0] = 7
    matrix.to_array()[0, 0] = 7
    assert matrix["r1", "a"] == 1


def test_copies_through_pickle_cannot_be_changed_either(matrix):
    copy = pickle.loads(pickle.dumps(matrix))
    assert copy == matrix
    assert (copy.title, copy.symbol) == ("thing", "X")
    with pytest.raises(ValueError, match="read-only"):
        copy.sparse.data[0] = 7


def test_transpose_and_product(matrix):
    assert matrix.T.rows == ("a", "b", "c")
    assert matrix.T["c", "r1"] == -1
    assert (matrix @ matrix.T).to_array().tolist() == [[2, 0], [0, 144]]
    assert (matrix @ matrix.T).rows == (matrix @ matrix.T).columns == ("r1", "r2")


def test_submatrix_keeps_the_order_asked_for(matrix):
    part = matrix.submatrix(rows=["r2", "r1"], columns=["c", "b"])
    assert (part.rows, part.columns) == (("r2", "r1"), ("c", "b"))
    assert part.to_array().tolist() == [[0, 12], [-1, 0]]
    assert matrix.submatrix(columns=[]).shape == (2, 0)
    assert matrix.submatrix() == matrix


def test_equality_means_names_and_values(matrix):
    same = LabelledMatrix.from_triplets(["r1", "r2"], ["a", "b", "c"], [1, 0, 0], [1, 2, 0], [12, -1, 1], title="other")
    assert matrix == same
    assert hash(matrix) == hash(same)
    assert matrix != LabelledMatrix.from_array(["r1", "r2"], ["a", "b", "d"], [[1, 0, -1], [0, 12, 0]])
    assert matrix != LabelledMatrix.from_array(["r1", "r2"], ["a", "b", "c"], [[1, 0, -1], [0, 13, 0]])
    assert matrix != "matrix"


def test_prints_an_aligned_table(matrix):
    assert str(matrix).splitlines() == [
        "thing, 2 × 3",
        "    a   b   c",
        "r1  1   0  -1",
        "r2  0  12   0",
    ]
    assert repr(matrix) == "<LabelledMatrix thing, 2 × 3, 3 nonzeros>"


def test_prints_an_excerpt_of_a_large_matrix():
    names = [f"name{i}" for i in range(5000)]
    text = str(LabelledMatrix.from_triplets(names, names, range(5000), range(5000), [1] * 5000, title="unit"))
    lines = text.splitlines()
    assert lines[0] == "unit, 5000 × 5000, 5000 nonzeros (excerpt)"
    assert len(lines) < 40
    assert max(map(len, lines)) <= 120
    assert lines[1].endswith("…")
    assert set(lines[-1]) == {"…", " "}


def test_wide_matrix_with_few_rows_says_that_it_is_an_excerpt():
    columns = ["a rather long column name " + str(i) for i in range(10)]
    text = str(LabelledMatrix.from_triplets(["r"], columns, [], [], np.array([], dtype=int)))
    assert "0 nonzeros (excerpt)" in text


def test_empty_matrices_print():
    assert str(LabelledMatrix.from_array([], ["a"], [])).startswith("matrix, 0 × 1")
    assert LabelledMatrix.from_array(["a"], [], [])._repr_latex_()


def test_notebook_forms_escape_names():
    matrix = LabelledMatrix.from_array(["<b>&"], ["x_1", "50%\\ {a}"], [[1, 0]], title="<i>", symbol="S")
    html = matrix._repr_html_()
    assert "&lt;b&gt;&amp;" in html
    assert "&lt;i&gt;" in html
    assert "<b>" not in html
    latex = matrix._repr_latex_()
    assert latex.startswith("$$S = \\begin{array}{r|rr}")
    assert latex.endswith("\\end{array}$$")
    assert r"\mathrm{x\_1}" in latex
    assert r"\mathrm{50\%\backslash \ \{a\}}" in latex


@pytest.mark.parametrize(
    ("attempt", "message"),
    [
        (lambda m: m["nope", "a"], r"thing: there is no row 'nope'\. Known rows: 'r1', 'r2'\."),
        (lambda m: m["r1", "nope"], r"thing: there is no column 'nope'\. Known columns: 'a', 'b', 'c'\."),
        (lambda m: m["r1"], r"thing: an entry has two names, matrix\[row, column\], not 'r1'"),
        (lambda m: m.row("x"), "no row 'x'"),
        (lambda m: m.column("x"), "no column 'x'"),
        (lambda m: m.submatrix(rows=["x"]), "no row 'x'"),
        (
            lambda m: m @ m,
            r"thing @ thing: the columns of the first .* \('a', 'b', 'c', 'r1', 'r2' not on both sides\)",
        ),
        (lambda m: m @ m.T.submatrix(rows=["b", "a", "c"]), "the same names in another order.*submatrix"),
        (lambda m: LabelledMatrix.from_array(["a", "a"], ["b"], [[1], [1]]), "the rows 'a' occur twice"),
        (
            lambda m: LabelledMatrix.from_array(["a"], ["b"], [[1, 2]]),
            r"shape \(1, 2\) do not fit 1 row names and 1 col",
        ),
        (
            lambda m: LabelledMatrix.from_triplets(["a"], ["b"], [1], [0], [1]),
            r"row indices must be one per value and lie in 0…0; got 1 of them for 1 values",
        ),
        (lambda m: LabelledMatrix(("a",), ("b",), csr_array((2, 2), dtype=int)), r"shape \(2, 2\) do not fit"),
    ],
)
def test_errors_name_what_is_wrong(matrix, attempt, message):
    with pytest.raises(TopologyError, match=message):
        attempt(matrix)


def test_a_dense_form_cannot_be_shared(matrix):
    with pytest.raises(ValueError, match="thing: a sparse matrix has no dense form to share"):
        np.array(matrix, copy=False)


def test_long_lists_of_names_are_cut():
    assert listed([]) == "none"
    assert listed([f"n{i}" for i in range(15)]).endswith("'n11' and 3 more")
