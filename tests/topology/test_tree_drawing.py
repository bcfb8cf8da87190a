"""Drawings of the trees of positions and orientations: colours, names with coordinates, legend, places."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

import gyrostat as gs
from gyrostat.errors import GyrostatError

EXAMPLES = Path(__file__).parents[2] / "examples"
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def slider_crank():
    """Document 001's slider-crank."""
    model = gs.Model("slider-crank")
    for name in ("crank", "rod", "slider"):
        model.add(gs.Body(name, gs.slender_rod(1, 1, along="x")))
    model.add(gs.Revolute("h8", "ground", "crank", symbol="beta_8"))
    model.add(gs.Revolute("h9", "crank", "rod"))
    model.add(gs.Revolute("h10", "slider", "rod", symbol="beta_10"))
    model.add(gs.Prismatic("s11", "ground", "slider", axis="x"))
    return model


def groups(svg, css_class):
    found = [g for g in ElementTree.fromstring(svg).iter(f"{SVG}g") if css_class in g.attrib["class"].split()]
    return {g.attrib["data-name"]: g for g in found}


def strands(svg):
    """For each edge the colours of its strands, or the style of its line."""
    found = {}
    for name, group in groups(svg, "gs-edge").items():
        colours = [line.attrib["class"].rpartition("-")[2] for line in group.iter(f"{SVG}polyline")]
        found[name] = colours or group.attrib["class"].rpartition("-")[2]
    return found


def labels(svg):
    return {name: group.find(f"{SVG}text").text for name, group in groups(svg, "gs-label").items()}


def drawn(model, choice):
    return gs.formulate(model, choice).draw_trees()


def test_two_trees_in_their_colours(slider_crank):
    svg = drawn(slider_crank, gs.Trees(["h8", "h9", "h10"], ["h8", "h10", "s11"]))
    both = ["blue", "green"]
    assert strands(svg) == {
        "crank": "other",
        "rod": "other",
        "slider": "other",
        "h8": both,
        "h9": ["blue"],
        "h10": both,
        "s11": ["green"],
    }
    assert list(groups(svg, "gs-legend")) == [
        "in both trees",
        "in the tree of positions",
        "in the tree of orientations",
        "body in no tree: its motion follows",
    ]


def test_joint_coordinates_have_one_tree_for_both(slider_crank):
    svg = gs.formulate(slider_crank, cut=["h9"]).draw_trees()
    assert [name for name, found in strands(svg).items() if found == ["blue", "green"]] == ["h8", "h10", "s11"]
    assert strands(svg)["h9"] == "chord"
    assert list(groups(svg, "gs-legend")) == [
        "in both trees",
        "joint in no tree: it closes a loop",
        "body in no tree: its motion follows",
    ]


def test_absolute_coordinates_have_the_bodies(slider_crank):
    svg = drawn(slider_crank, "absolute")
    assert [name for name, found in strands(svg).items() if found == ["blue", "green"]] == ["crank", "rod", "slider"]
    assert labels(svg)["rod"] == "rod: x, y, angle"


def test_names_tell_the_coordinates_that_an_edge_carries(slider_crank):
    told = labels(drawn(slider_crank, gs.Trees(["h8", "h10", "s11"])))
    assert (told["h8"], told["h9"], told["s11"]) == ("h8: β₈", "h9", "s11: displacement")
    branch = labels(drawn(slider_crank, "branch"))
    assert (branch["h8"], branch["crank"], branch["slider"]) == ("h8", "crank: angle", "slider")


def test_a_driven_coordinate_is_none_of_the_unknowns():
    model = gs.Model("driven")
    model.add(gs.Body("bar", gs.slender_rod(1, 1, along="x")))
    model.add(gs.Revolute("a1", "ground", "bar", driven="2*t"))
    assert labels(gs.formulate(model).draw_trees())["a1"] == "a1"


def test_joints_of_several_coordinates():
    model = gs.Model("spatial")
    model.add(gs.Body("ball", gs.sphere(1, 1)))
    model.add(gs.Spherical("s", "ground", "ball", angles="zxz", symbol={"angle1": "phi"}))
    assert labels(gs.formulate(model).draw_trees())["s"] == "s: φ, angle2, angle3"
    assert labels(gs.formulate(model, "absolute").draw_trees())["ball"] == "ball: x, y, z, e0, e1, e2, e3"


def test_all_trees_are_drawn_in_the_same_places(slider_crank):
    def boxes(choice):
        found = groups(drawn(slider_crank, choice), "gs-vertex").items()
        middles = {name: float(g.find(f"{SVG}text").attrib["y"]) for name, g in found}
        return sorted(middles, key=middles.__getitem__)

    assert boxes("joint") == boxes("absolute") == boxes("branch") == ["slider", "rod", "crank", "ground"]


def test_the_legend_lies_below_and_inside_the_page(slider_crank):
    root = ElementTree.fromstring(drawn(slider_crank, "branch"))
    _, top, _, height = map(float, root.attrib["viewBox"].split())
    rows = [
        float(text.attrib["y"])
        for g in groups(ElementTree.tostring(root), "gs-legend").values()
        for text in g.iter(f"{SVG}text")
    ]
    below = max(
        float(text.attrib["y"])
        for g in groups(ElementTree.tostring(root), "gs-vertex").values()
        for text in g.iter(f"{SVG}text")
    )
    assert rows == sorted(rows)
    assert below < rows[0]
    assert rows[-1] < top + height


def test_bodies_in_no_tree_are_left_out_where_there_are_many():
    model, before = gs.Model("chain"), "ground"
    for i in range(13):
        model.add(gs.Body(f"b{i}", gs.slender_rod(1, 1, along="x")))
        model.add(gs.Revolute(f"h{i}", before, f"b{i}"))
        before = f"b{i}"
    assert list(strands(drawn(model, "joint"))) == [f"h{i}" for i in range(13)]
    assert len(strands(drawn(model, "absolute"))) == 26


@pytest.mark.parametrize("choice", ["joint", "absolute", "branch"])
@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.yaml")), ids=lambda path: path.stem)
def test_all_examples_can_be_drawn(path, choice):
    system = gs.formulate(gs.Model.load(path), choice)
    svg, trees = system.draw_trees(), system.chosen_trees
    found = strands(svg)
    for colour, names in (("blue", trees.translation), ("green", trees.rotation)):
        assert sorted(names) == sorted(name for name, lines in found.items() if colour in lines)


def test_written_whole(slider_crank, tmp_path):
    system = gs.formulate(slider_crank, "branch")
    assert system.draw_trees(tmp_path / "trees.svg") == (tmp_path / "trees.svg").read_text(encoding="utf-8")
    with pytest.raises(GyrostatError, match=r"choose a file name that ends in \.svg"):
        system.draw_trees(tmp_path / "trees.png")
