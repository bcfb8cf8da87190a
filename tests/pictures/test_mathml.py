"""LaTeX of equations as MathML."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

import gyrostat as gs
from gyrostat.pictures.mathml import mathml

EXAMPLES = Path(__file__).parent.parent.parent / "examples"


def tree(latex: str) -> ElementTree.Element:
    return ElementTree.fromstring(mathml(latex))


def words(latex: str) -> str:
    return "".join(tree(latex).itertext())


def test_fractions_indices_accents_and_brackets():
    assert mathml(r"\dot{\theta}_{1}^{2}", display=False) == (
        '<math><msubsup><mover accent="true"><mi>θ</mi><mo stretchy="false">˙</mo></mover>'
        "<mn>1</mn><mn>2</mn></msubsup></math>"
    )
    assert words(r"\frac{a}{b} - \left(c + d\right)") == "ab−(c+d)"
    assert mathml("x'", display=False) == "<math><mi>x</mi><mo>′</mo></math>"
    assert mathml(r"\sqrt[3]{x}", display=False) == "<math><mroot><mi>x</mi><mrow><mn>3</mn></mrow></mroot></math>"


def test_neighbouring_letters_are_one_name_and_factors_stand_apart():
    shown = mathml("a line", display=False)
    assert shown == '<math><mi>a</mi><mspace width="0.17em"/><mi>line</mi></math>'


def test_matrices_and_texts():
    math = tree(r"M = \left[\begin{matrix}1 & 0\\0 & x\end{matrix}\right]\quad\text{a note & more}")
    table = next(one for one in math.iter("mtable") if "border" in one.get("style", ""))
    assert [[cell.find("*").text for cell in row] for row in table] == [["1", "0"], ["0", "x"]]
    assert next(math.iter("mtext")).text == "a note & more"


def test_long_equations_are_broken_at_signs():
    long = " + ".join(f"a_{{{k}}} \\cos{{\\left(\\theta_{{{k}}} \\right)}}" for k in range(30))
    rows = list(tree(rf"\begin{{aligned}} x &= {long} \end{{aligned}}").iter("mtr"))
    assert len(rows) > 3
    for row in rows[1:]:
        signs = list(row.iter("mo"))
        assert signs[0].text == "+", "a line begins with the sign of its first term"


@pytest.mark.parametrize("name", ["double_pendulum", "four_bar", "rolling_disc", "spring_pendulum"])
def test_equations_of_examples_are_well_formed(name: str):
    system = gs.formulate(gs.Model.load(EXAMPLES / f"{name}.yaml"))
    assert len(list(tree(system.equations().latex()).iter("mi"))) > 10


def test_unfinished_latex_does_not_hang():
    for text in (r"\frac{a", r"\left(", r"\begin{matrix}1 &", "}", "_", "", r"\unknown{x}"):
        ElementTree.fromstring(mathml(text))
