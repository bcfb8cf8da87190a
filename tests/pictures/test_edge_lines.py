"""Lines of drawn edges: strands side by side, arrow heads at the end, dashes."""

from xml.etree import ElementTree

import numpy as np
import pytest

from gyrostat.pictures.edge_lines import EdgeStyle, Strand, edge_lines
from gyrostat.pictures.edge_routing import EdgeCurve

BENT = EdgeCurve(np.array([(0.0, 0.0), (0.0, -60.0), (80.0, -40.0), (80.0, -100.0)]))


def elements(*arguments):
    return [ElementTree.fromstring(text) for text in edge_lines(*arguments)]


def points(element):
    return np.array([[float(x) for x in pair.split(",")] for pair in element.attrib["points"].split()])


def test_strands_run_side_by_side():
    blue, green, arrow = elements(BENT, EdgeStyle.ARC, (Strand.BLUE, Strand.GREEN))
    assert [line.attrib["class"] for line in (blue, green)] == ["gs-strand gs-blue", "gs-strand gs-green"]
    apart = np.hypot(*(points(blue) - points(green)).T)
    assert apart == pytest.approx(np.full(len(apart), 3.4), abs=0.2)
    assert arrow.attrib["class"] == "gs-arrow"


def test_one_strand_follows_the_curve_and_colours_its_arrow():
    line, arrow = elements(BENT, EdgeStyle.ARC, (Strand.GREEN,))
    on_curve = BENT.points(2000)
    for point in points(line):
        assert np.hypot(*(on_curve - point).T).min() < 0.2
    assert arrow.attrib["class"] == "gs-arrow gs-green"


@pytest.mark.parametrize("strands", [(), (Strand.BLUE,), (Strand.BLUE, Strand.GREEN)])
def test_the_arrow_head_ends_where_the_curve_ends(strands):
    *lines, arrow = elements(BENT, EdgeStyle.ARC, strands)
    assert points(arrow)[0].tolist() == [80.0, -100.0]
    for line in lines if strands else ():
        assert np.hypot(*(points(line)[-1] - points(arrow)[0])) < 11  # the head covers the end


def test_only_lines_of_a_style_are_dashed():
    dashes = [elements(BENT, style)[0].attrib.get("stroke-dasharray") for style in EdgeStyle]
    assert dashes == [None, "7 5", "2 4"]
    assert all("stroke-dasharray" not in each.attrib for each in elements(BENT, EdgeStyle.CHORD, (Strand.BLUE,)))


def test_a_short_edge_keeps_its_strands():
    short = EdgeCurve(np.array([(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (3.0, 0.0)]))
    line, _ = elements(short, EdgeStyle.ARC, (Strand.BLUE,))
    assert len(points(line)) > 1
