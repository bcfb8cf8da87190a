"""The walk through document 000: its equations typed in by hand, in its own order (misprints corrected)."""

from __future__ import annotations

from typing import Any

import pytest
import sympy
from document_pendulum import document_pendulum

import gyrostat as gs
from gyrostat.written.walkthrough import Walkthrough

m1, m2, l1, l2, g = sympy.symbols("m1 m2 l1 l2 g")
th1, th2, w1, w2 = sympy.symbols("theta_1 theta_2 thetadot_1 thetadot_2")
sin, cos, half = sympy.sin, sympy.cos, sympy.Rational(1, 2)


@pytest.fixture(scope="module")
def walk() -> Walkthrough:
    return gs.formulate(document_pendulum()).roberson_schwertassek()


def same(found: Any, expected: Any) -> bool:
    """Tell whether two matrices are equal as functions, whatever their form."""
    expected = sympy.Matrix(expected)
    return found.shape == expected.shape and all(gs.trig_normal_form(x) == 0 for x in found - expected)


S = sin(th2)
ZERO = [0, 0, 0]
ALONG_1, ALONG_2 = sympy.Matrix([-sin(th1), cos(th1), 0]), sympy.Matrix([-sin(th1 + th2), cos(th1 + th2), 0])
CHI_2 = -m2 * l1 * l2 / 2 * w1**2 * S - m2 * g * l2 / 2 * sin(th1 + th2)
CHI_1 = m2 * l1 * l2 / 2 * (w1 + w2) ** 2 * S - (m1 / 2 + m2) * g * l1 * sin(th1) + CHI_2

DOCUMENT = {
    "S": [[-1, 1], [0, -1]],  # eq 33: rows are bodies 1 and 2, columns joints a1 and a2
    "T": [[-1, -1], [0, -1]],  # eq 34
    "φ^(a1)": [0, 0, 1, 0, 0, 0],  # eq 36
    "φ^(a2)": [0, 0, 1, 0, 0, 0],
    "ĉ^(bar1, a1)": [0, l1 / 2, 0],  # eq 51
    "ĉ^(bar1, a2)": [0, -l1 / 2, 0],
    "ĉ^(bar2, a2)": [0, l2 / 2, 0],
    "â^(bar1, bar1)": [0, l1 / 2, 0],  # eq 52
    "â^(bar1, bar2)": [0, l1, 0],  # eq 53
    "â^(bar2, bar1)": ZERO,  # eq 54
    "â^(bar2, bar2)": [0, l2 / 2, 0],  # eq 55
    "A^0^(bar1)": [[cos(th1), -sin(th1), 0], [sin(th1), cos(th1), 0], [0, 0, 1]],  # eq 41, transposed
    "J_I^(a1, a1)": [(m1 / 3 + m2) * l1**2 + m2 * l1 * l2 * cos(th2) + m2 * l2**2 / 3],  # eq 72
    "J_I^(a1, a2)": [m2 * l1 * l2 / 2 * cos(th2) + m2 * l2**2 / 3],  # eq 73
    "J_I^(a2, a1)": [m2 * l1 * l2 / 2 * cos(th2) + m2 * l2**2 / 3],  # eq 74
    "J_I^(a2, a2)": [m2 * l2**2 / 3],  # eq 75
    "Q_I^(bar1)": ZERO,  # below eq 85
    "Q_I^(bar2)": ZERO,
    "Q_V^(bar1)": ZERO,
    "Q_V^(bar2)": ZERO,
    "Q_II^(bar1)": ZERO,  # below eq 87
    "Q_II^(bar2)": ZERO,
    "Q_III^(bar1)": ZERO,  # below eq 90
    "Q_III^(bar2)": ZERO,
    "Q_IV^(bar1)": l1 / 2 * w1**2 * ALONG_1,  # eq 97
    "Q_IV^(bar2)": l1 * w1**2 * ALONG_1 + l2 / 2 * (w1 + w2) ** 2 * ALONG_2,  # eq 98, which prints l1/2 for l2/2
    "Q″_1^(bar1)": [0, 0, -m2 * l1 * l2 / 2 * (w1 + w2) ** 2 * S],  # eq 99, which prints Q′
    "Q″_1^(bar2)": [0, 0, m2 * l1 * l2 / 2 * w1**2 * S],  # eq 100
    "Q′_1^(bar1)": [0, 0, (m1 / 2 + m2) * g * l1 * sin(th1)],  # eq 103, which prints Q^a
    "Q′_1^(bar2)": [0, 0, m2 * g * l2 / 2 * sin(th1 + th2)],  # eq 104
    "χ^(a1)": [CHI_1],  # eq 105
    "χ^(a2)": [CHI_2],  # eq 106
    "λ^(a1)": [0],  # eq 107
    "λ^(a2)": [0],
}


@pytest.mark.parametrize("name", DOCUMENT)
def test_quantities_of_the_document(walk: Walkthrough, name: str) -> None:
    assert same(walk[name], DOCUMENT[name])


def test_misprints_are_not_reproduced(walk: Walkthrough) -> None:
    printed = l1 * w1**2 * ALONG_1 + l1 / 2 * (w1 + w2) ** 2 * ALONG_2
    assert not same(walk["Q_IV^(bar2)"], printed)


@pytest.mark.parametrize(
    ("i", "j", "expected"),
    [
        ("bar1", "bar1", l1 / 2 * ALONG_1),  # eq 64
        ("bar1", "bar2", l1 * ALONG_1),  # eq 65
        ("bar2", "bar1", sympy.zeros(3, 1)),  # eq 66
        ("bar2", "bar2", l2 / 2 * ALONG_2),  # eq 67
    ],
)
def test_attachment_vectors_in_the_world(walk: Walkthrough, i: str, j: str, expected: Any) -> None:
    found = sympy.Matrix([walk.equations.expression(x) for x in walk.method.rho[i, j]])
    assert same(found, expected)


@pytest.mark.parametrize(
    ("i", "k", "expected"),
    [
        ("bar1", "bar1", (m1 / 3 + m2) * l1**2),  # eq 68
        ("bar1", "bar2", m2 * l1 * l2 / 2 * cos(th2)),  # eq 69
        ("bar2", "bar1", m2 * l1 * l2 / 2 * cos(th2)),  # eq 70
        ("bar2", "bar2", m2 * l2**2 / 3),  # eq 71
    ],
)
def test_K_of_the_document(walk: Walkthrough, i: str, k: str, expected: Any) -> None:
    assert gs.trig_normal_form(walk[f"K^({i}, {k})"][2, 2] - expected) == 0


def test_K_as_equation_42_defines_it(walk: Walkthrough) -> None:
    """All nine entries, from the definition with eqs 43 and 64–67 put in."""
    rho = {
        (i, j): sympy.Matrix([walk.equations.expression(x) for x in walk.method.rho[i, j]]) for i, j in walk.method.K
    }
    inertia = {
        body: (m * length**2 / 12) * walk[f"A^0^({body})"] * sympy.diag(1, 0, 1) * walk[f"A^0^({body})"].T  # eq 43
        for body, m, length in (("bar1", m1, l1), ("bar2", m2, l2))
    }
    for i, k in walk.method.K:
        expected = inertia[i] if i == k else sympy.zeros(3, 3)
        for j, m in (("bar1", m1), ("bar2", m2)):
            a, b = rho[i, j], rho[k, j]
            expected += m * (b.dot(a) * sympy.eye(3) - b * a.T)
        assert same(walk[f"K^({i}, {k})"], expected)


def test_written_as_the_document_writes_it(walk: Walkthrough) -> None:
    assert str(walk["K^(bar1, bar1)"][2, 2]) == "l1**2*(m1/3 + m2)"
    assert str(walk["J_I^(a1, a1)"][0]) == "l1**2*(m1/3 + m2) + l1*l2*m2*cos(theta_2) + l2**2*m2/3"
    assert str(walk["Q′_1^(bar1)"][2]) == "g*l1*(m1/2 + m2)*sin(theta_1)"
    assert str(walk["Q″_1^(bar1)"][2]) == "-l1*l2*m2*(thetadot_1 + thetadot_2)**2*sin(theta_2)/2"
    assert str(walk["χ^(a2)"][0]) == "-g*l2*m2*sin(theta_1 + theta_2)/2 - l1*l2*m2*thetadot_1**2*sin(theta_2)/2"


def test_the_walk_in_the_documents_order(walk: Walkthrough) -> None:
    titles = [section.title for section in walk.sections]
    order = ["Topology", "Free mode vectors", "Modified attachment vectors", "Attachment vectors", "K", "J_I"]
    order += ["Q_II", "Q_III", "Q_IV", "Q″_1", "Q′_1", "χ", "λ"]
    assert sorted(order, key=titles.index) == order
    shown = str(walk)
    assert "K (eq 42, 68–71)" in shown
    assert "  ĉ^(bar1, a2) = [0, -l1/2, 0]" in shown
    assert "  S = [[-1, 1], [0, -1]]" in shown
    assert shown.endswith(str(walk.equations))


def test_the_walk_as_latex(walk: Walkthrough) -> None:
    shown = walk.latex()
    for piece in (
        r"\paragraph{Attachment vectors (eq 50, 52–55)}",
        r"\[ \hat{a}^{(\mathrm{bar}_{1} \mathrm{bar}_{2})} = \left[\begin{matrix}0\\l_{1}\\0\end{matrix}\right] \]",
        r"{Q''_1}^{(\mathrm{bar}_{2})} = ",
        r"\paragraph{$\chi$ (eq 30, 105–106)}",
        r"\left(\dot{\theta}_{1} + \dot{\theta}_{2}\right)^{2}",
        walk.equations.latex(),
    ):
        assert piece in shown
    assert shown.count("{") == shown.count("}")
    assert not set("χλ′″") & set(shown)


def test_a_quantity_that_does_not_exist(walk: Walkthrough) -> None:
    with pytest.raises(gs.StateError, match=r"There is no quantity 'K\^\(bar1, bar3\)'. Did you mean 'K\^\(bar1, bar"):
        walk["K^(bar1, bar3)"]


def test_a_walk_with_welds_drivers_rotors_and_several_freedoms() -> None:
    model = gs.Model("mixed", gravity=(0, 0, "-g"), parameters={"m": 1, "J": 2, "g": 9.81})
    for name in ("base", "arm", "hand"):
        model.add(gs.Body(name, mass="m", inertia=("J", "J", "J"), points={"tip": (1, 0, 0)}))
    model.add(gs.Weld("fixed", "ground", "base"))
    model.add(gs.Universal("cross", "base.tip", "arm", symbol={"angle1": "alpha", "angle2": "beta"}))
    model.add(gs.Prismatic("slide", "arm.tip", "hand", axis="x", driven="0.1*t**2"))
    walk = gs.formulate(model).roberson_schwertassek()
    assert walk["φ^(fixed)"].shape == (6, 0)
    assert walk["φ^(cross)"].shape == (6, 2)
    assert walk["J_I^(cross, cross)"].shape == (2, 2)
    assert walk["J_I^(cross, fixed)"].rows * walk["J_I^(cross, fixed)"].cols == 0
    assert walk["χ^(slide)"].shape == (0, 1)
    assert walk["J^(cross, slide)"].shape == (6, 6)
    assert "χ^(cross)" in str(walk)
    assert r"\chi^{(\mathrm{cross})}" in walk.latex()
