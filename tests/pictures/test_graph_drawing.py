import itertools
import os
import random
import re
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gyrostat.errors import GyrostatError
from gyrostat.pictures.edge_lines import EdgeStyle
from gyrostat.pictures.edge_routing import Rectangle
from gyrostat.pictures.graph_drawing import DrawnEdge, DrawnVertex, VertexKind, draw_graph, write_drawing

SVG = "{http://www.w3.org/2000/svg}"
ARC, CHORD, OTHER = EdgeStyle.ARC, EdgeStyle.CHORD, EdgeStyle.OTHER


def groups(svg: str, css_class: str) -> dict[str, ElementTree.Element]:
    found = [g for g in ElementTree.fromstring(svg).iter(f"{SVG}g") if css_class in g.attrib["class"].split()]
    by_name = {g.attrib["data-name"]: g for g in found}
    assert len(by_name) == len(found)
    return by_name


def box(group: ElementTree.Element) -> Rectangle:
    rect = group.find(f"{SVG}rect")
    assert rect is not None
    x, y, width, height = (float(rect.attrib[key]) for key in ("x", "y", "width", "height"))
    return Rectangle(x + width / 2, y + height / 2, width, height)


def points_of(group: ElementTree.Element) -> list[tuple[float, float]]:
    """All control points of an edge's line."""
    line = group.find(f"{SVG}path")
    assert line is not None
    return [(float(x), float(y)) for x, y in re.findall(r"(-?[\d.]+),(-?[\d.]+)", line.attrib["d"])]


def four_bar() -> tuple[list[DrawnVertex], list[DrawnEdge]]:
    vertices = [DrawnVertex("ground", kind=VertexKind.DATUM), *map(DrawnVertex, ("crank", "coupler", "rocker"))]
    edges = [
        DrawnEdge("A", "ground", "crank"),
        DrawnEdge("B", "crank", "coupler"),
        DrawnEdge("C", "coupler", "rocker", CHORD),
        DrawnEdge("D", "rocker", "ground"),
        DrawnEdge("spring", "crank", "rocker", OTHER),
    ]
    return vertices, edges


def test_one_element_per_vertex_and_edge_and_name():
    svg = draw_graph(*four_bar(), title="four-bar")
    assert list(groups(svg, "gs-vertex")) == ["ground", "crank", "coupler", "rocker"]
    assert list(groups(svg, "gs-edge")) == ["A", "B", "C", "D", "spring"]
    for name, group in (groups(svg, "gs-vertex") | groups(svg, "gs-label")).items():
        assert group.find(f"{SVG}text").text == name
    assert ElementTree.fromstring(svg).find(f"{SVG}title").text == "four-bar"


def test_arcs_are_solid_chords_dashed_others_dotted():
    dashes = {
        name: group.find(f"{SVG}path").attrib.get("stroke-dasharray")
        for name, group in groups(draw_graph(*four_bar()), "gs-edge").items()
    }
    assert dashes["A"] is dashes["B"] is dashes["D"] is None
    assert dashes["C"]
    assert dashes["spring"]
    assert dashes["C"] != dashes["spring"]


def test_the_datum_stands_hatched_at_the_bottom():
    vertices = groups(draw_graph(*four_bar()), "gs-vertex")
    assert vertices["ground"].find(f"{SVG}path").attrib["class"] == "gs-hatch"
    assert vertices["crank"].find(f"{SVG}path") is None
    heights = {name: box(group).y for name, group in vertices.items()}
    assert heights["ground"] > heights["crank"] == heights["rocker"] > heights["coupler"]


def test_arrows_point_from_tail_to_head():
    svg = draw_graph(*four_bar())
    vertices, edges = groups(svg, "gs-vertex"), groups(svg, "gs-edge")
    for edge in four_bar()[1]:
        first, *_, last = points_of(edges[edge.name])
        tip = edges[edge.name].find(f"{SVG}polygon").attrib["points"].split()[0]
        assert tuple(map(float, tip.split(","))) == last
        for name, (x, y) in ((edge.tail, first), (edge.head, last)):
            end = box(vertices[name])
            assert abs(x - end.x) <= end.width / 2 + 4, "the line starts and ends at the rims of its boxes"
            assert abs(y - end.y) <= end.height / 2 + 4


def test_parallel_and_opposite_edges_are_apart():
    vertices = [DrawnVertex("0", kind=VertexKind.DATUM), DrawnVertex("1")]
    edges = [
        DrawnEdge("a", "0", "1"),
        *(DrawnEdge(name, *ends, CHORD) for name, ends in [("b", "01"), ("c", "10"), ("d", "10")]),
    ]
    svg = draw_graph(vertices, edges)
    middles = [sorted(points_of(group))[len(points_of(group)) // 2] for group in groups(svg, "gs-edge").values()]
    assert len(set(middles)) == 4
    labels = [box(group) for group in groups(svg, "gs-label").values()]
    assert not any(one.overlaps(other) for k, one in enumerate(labels) for other in labels[:k])


HOSTILE = ["<b>&\"'", "]]>", "</svg>", "nul\x00bell\x07", "\ud800lone", "línea λ 関節", "a\nb", "x" * 500, " ", "&amp;"]


def test_hostile_names_give_valid_xml(tmp_path):
    vertices = [DrawnVertex(name) for name in HOSTILE]
    edges = [DrawnEdge("e" + head, tail, head) for tail, head in itertools.pairwise(HOSTILE)]
    svg = draw_graph(vertices, edges, tmp_path / "hostile.svg", title="<&>")
    drawn = groups(svg, "gs-vertex")
    assert len(drawn) == len(HOSTILE)
    assert "<b>&\"'" in drawn
    assert drawn["<b>&\"'"].find(f"{SVG}text").text == "<b>&\"'"
    shortened = drawn["x" * 500]
    assert len(shortened.find(f"{SVG}text").text) < 40
    assert shortened.find(f"{SVG}title").text == "x" * 500
    assert ElementTree.parse(tmp_path / "hostile.svg").getroot().tag == f"{SVG}svg"


@settings(deadline=None)
@given(st.lists(st.text(max_size=20), min_size=1, max_size=6, unique=True))
def test_any_text_is_a_name(names):
    svg = draw_graph(map(DrawnVertex, names), [DrawnEdge("e" + name, names[0], name) for name in names[1:]])
    assert len(list(ElementTree.fromstring(svg).iter(f"{SVG}text"))) == 2 * len(names) - 1


@settings(deadline=None)
@given(st.integers(1, 14), st.integers(0, 4), st.randoms(use_true_random=False))
def test_vertices_and_arc_names_keep_apart_and_inside_the_page(n, chords, chance):
    vertices = [DrawnVertex(f"body {'x' * chance.randint(0, 30)}{i}") for i in range(n)]
    names = [vertex.name for vertex in vertices]
    edges = [
        DrawnEdge(f"{'j' * chance.randint(1, 30)}{i}", names[chance.randint(0, i - 1)], names[i]) for i in range(1, n)
    ]
    if n > 1:
        edges += [DrawnEdge(f"chord{k}", *chance.sample(names, 2), CHORD) for k in range(chords)]
    svg = draw_graph(vertices, edges)
    labels = [box(g) for name, g in groups(svg, "gs-label").items() if not name.startswith("chord")]
    boxes = [box(group) for group in groups(svg, "gs-vertex").values()] + labels
    assert not any(one.overlaps(other) for k, one in enumerate(boxes) for other in boxes[:k])
    left, top, width, height = map(float, ElementTree.fromstring(svg).attrib["viewBox"].split())
    for each in [*boxes, *map(box, groups(svg, "gs-label").values())]:
        assert left < each.x - each.width / 2 < each.x + each.width / 2 < left + width
        assert top < each.y - each.height / 2 < each.y + each.height / 2 < top + height


def test_long_names_of_arcs_push_short_siblings_apart():
    edges = [DrawnEdge(f"a joint with quite a long name {k}", "0", str(k)) for k in range(1, 4)]
    labels = [box(group) for group in groups(draw_graph(map(DrawnVertex, "0123"), edges), "gs-label").values()]
    assert not any(one.overlaps(other) for one, other in itertools.pairwise(labels))


def test_drawing_is_deterministic():
    assert draw_graph(*four_bar()) == draw_graph(*four_bar())


def test_separate_parts_and_vertices_reached_by_chords_only_are_drawn():
    vertices = [DrawnVertex(name) for name in "abcde"]
    edges = [DrawnEdge("1", "a", "b"), DrawnEdge("2", "c", "b", CHORD), DrawnEdge("3", "c", "d")]
    boxes = {name: box(group) for name, group in groups(draw_graph(vertices, edges), "gs-vertex").items()}
    assert boxes["a"].y == boxes["e"].y > boxes["b"].y > boxes["c"].y > boxes["d"].y
    assert draw_graph([], []).startswith("<svg")


def test_labels_replace_names():
    svg = draw_graph(
        [DrawnVertex("a", "body A"), DrawnVertex("b", kind=VertexKind.MINOR)], [DrawnEdge("j", "a", "b", label="hinge")]
    )
    assert groups(svg, "gs-vertex")["a"].find(f"{SVG}text").text == "body A"
    assert groups(svg, "gs-label")["j"].find(f"{SVG}text").text == "hinge"
    assert "gs-minor" in groups(svg, "gs-vertex")["b"].attrib["class"]


def test_it_has_colours_for_dark_surroundings():
    assert "@media (prefers-color-scheme: dark)" in draw_graph(*four_bar())


def test_a_large_graph_with_loops_is_drawn():
    chance = random.Random(1)
    edges = [DrawnEdge(f"e{i}", f"v{chance.randint(max(0, i - 20), i)}", f"v{i + 1}") for i in range(400)]
    edges += [DrawnEdge(f"c{k}", *(f"v{i}" for i in chance.sample(range(400), 2)), CHORD) for k in range(20)]
    svg = draw_graph([DrawnVertex(f"v{i}") for i in range(401)], edges)
    boxes = sorted(map(box, groups(svg, "gs-vertex").values()), key=lambda each: (each.y, each.x))
    assert len(groups(svg, "gs-edge")) == 420
    assert not any(one.overlaps(other) for one, other in itertools.pairwise(boxes))


@pytest.mark.parametrize(
    ("vertices", "edges", "message"),
    [
        ("a", [DrawnEdge("e", "a", "a")], "Edge 'e' leads from 'a' to itself, which cannot be drawn; leave it out"),
        ("a", [DrawnEdge("e", "a", "b")], "Edge 'e' ends at 'b', which is not among the vertices; add it"),
        ("aa", [], "needs a name of its own for every vertex and for every edge; some occur twice"),
        ("ab", [DrawnEdge("e", "a", "b"), DrawnEdge("e", "b", "a")], "some occur twice"),
    ],
)
def test_what_cannot_be_drawn_is_refused(vertices, edges, message):
    with pytest.raises(GyrostatError, match=message):
        draw_graph(map(DrawnVertex, vertices), edges)


def test_writing_replaces_the_file_and_leaves_nothing_else(tmp_path):
    target = tmp_path / "graph.svg"
    target.write_text("old")
    assert write_drawing(str(target), "new λ") == target
    assert target.read_text(encoding="utf-8") == "new λ"
    assert os.listdir(tmp_path) == ["graph.svg"]


@pytest.mark.parametrize("name", ["graph.png", "graph", "graph.svg.pdf"])
def test_only_svg_is_written(tmp_path, name):
    with pytest.raises(
        GyrostatError, match=rf"{name}: drawings are written as SVG; choose a file name that ends in \.svg"
    ):
        write_drawing(tmp_path / name, "")
    assert os.listdir(tmp_path) == []


def test_a_folder_that_cannot_be_written_to_is_named(tmp_path):
    message = r"missing.graph\.svg: the drawing cannot be written \(No such file or directory\); choose a folder"
    with pytest.raises(GyrostatError, match=message):
        write_drawing(tmp_path / "missing" / "graph.svg", "")
    (tmp_path / "taken.svg").mkdir()
    with pytest.raises(GyrostatError, match=r"taken\.svg: the drawing cannot be written \(Is a directory\)"):
        write_drawing(tmp_path / "taken.svg", "")
    assert os.listdir(tmp_path) == ["taken.svg"]
