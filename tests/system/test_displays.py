"""Notebook displays of models, topologies, systems and equations."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from document_pendulum import document_pendulum
from exact_models import example

import gyrostat as gs
from gyrostat.results.html_table import ROW_LIMIT, html_table


class Cells(HTMLParser):
    """The text of all table cells, and whether all tags are closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.cells: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.open.append(tag)
        if tag in ("td", "th"):
            self.cells.append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in ("td", "th"):
            self.cells[-1] += data


def cells(html: str) -> list[str]:
    found = Cells(html)
    assert found.open == []
    return found.cells


def test_a_model() -> None:
    html = document_pendulum()._repr_html_()
    shown = cells(html)
    row = shown.index("a2")
    assert shown[row - 1 : row + 3] == ["joint", "a2", "Revolute", "bar1.tip → bar2.top"]
    assert shown[shown.index("m1") + 1] == "1.3"
    assert "Model 'double pendulum': 2 bodies, 2 joints, 0 forces" in html.replace("&#x27;", "'")


def test_a_model_of_nothing() -> None:
    assert cells(gs.Model("nothing")._repr_html_()) == ["section", "name", "kind", "between"]


def test_a_system() -> None:
    shown = cells(gs.formulate(document_pendulum())._repr_html_())
    assert shown == [
        *("role", "name", "symbol"),
        *("coordinate", "a1", r"$\theta_{1}$", "coordinate", "a2", r"$\theta_{2}$"),
        *("speed", "a1.rate", r"$\dot{\theta}_{1}$", "speed", "a2.rate", r"$\dot{\theta}_{2}$"),
    ]


def test_a_system_whose_symbols_clash_is_shown_without_them() -> None:
    shown = cells(gs.formulate(document_pendulum(g="theta_1"))._repr_html_())
    assert shown[3:6] == ["coordinate", "a1", ""]


def test_a_topology_has_its_drawing_and_its_loops() -> None:
    html = gs.Topology.of(example("four_bar"))._repr_html_()
    assert html.startswith("<svg")
    assert "<p>Loop closed by pin_rocker:" in html
    assert "chord" in cells(html[html.index("<table>") :])


@pytest.mark.parametrize("form", ["textbook", "recursive"])
def test_equations_are_typeset(form: str) -> None:
    equations = gs.formulate(document_pendulum()).equations(form)
    assert equations._repr_latex_() == f"$\\displaystyle {equations.latex()}$"


def test_names_are_escaped_and_long_tables_cut() -> None:
    assert "&lt;script&gt;" in gs.Model("<script>")._repr_html_()
    many = html_table("many", ["a", "b"], [[str(i), ""] for i in range(ROW_LIMIT + 5)])
    assert cells(many)[-2:] == ["… and 5 more", ""]
    assert str(ROW_LIMIT) not in cells(many)
