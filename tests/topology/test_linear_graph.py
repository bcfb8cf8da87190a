import pytest

from gyrostat.errors import TopologyError
from gyrostat.graph.linear_graph import Edge, LinearGraph, natural_key


def test_incidence_of_000_eq_6(figure_2):
    S = figure_2.incidence
    assert S.rows == ("0", "1", "2", "3", "4", "5")
    assert S.columns == ("1", "2", "3", "4", "5", "6")
    assert S.to_array().tolist() == [
        [1, 0, 0, 0, 0, 0],
        [-1, 1, 0, 0, 0, 0],
        [0, -1, 1, 0, -1, 0],
        [0, 0, 0, 1, 1, 0],
        [0, 0, 0, -1, 0, -1],
        [0, 0, -1, 0, 0, 1],
    ]


def test_reduced_incidence_of_000_eq_10(figure_2):
    S = figure_2.reduced_incidence
    assert S.rows == ("1", "2", "3", "4", "5")
    assert S.to_array().tolist() == [
        [-1, 1, 0, 0, 0, 0],
        [0, -1, 1, 0, -1, 0],
        [0, 0, 0, 1, 1, 0],
        [0, 0, 0, -1, 0, -1],
        [0, 0, -1, 0, 0, 1],
    ]


def test_vertices_keep_the_order_given():
    edges = [("E", "a", "d"), ("R", "b", "c"), ("Q", "a", "b")]
    assert LinearGraph(edges, "d").vertices == ("d", "a", "b", "c")
    assert LinearGraph(edges, "d", "abcd").vertices == ("a", "b", "c", "d")
    assert LinearGraph(edges, "d", "abcd").vertices_without_datum == ("a", "b", "c")


def test_graphs_are_values(figure_2):
    assert figure_2 == LinearGraph(figure_2.edges, "0", figure_2.vertices)
    assert hash(figure_2) == hash(LinearGraph(figure_2.edges, "0", figure_2.vertices))
    assert figure_2 != LinearGraph(figure_2.edges, "1", figure_2.vertices)
    with pytest.raises(AttributeError):
        figure_2.datum = "1"


def test_a_datum_alone_is_a_graph():
    alone = LinearGraph([], "ground")
    tree = alone.spanning_tree()
    assert alone.is_connected
    assert alone.incidence.shape == (1, 0)
    assert tree.order == ("ground",)
    assert tree.path.shape == tree.body_path.shape == tree.cutset.shape == tree.circuit.shape == (0, 0)
    assert alone.number_of_spanning_trees() == 1


def test_components_and_reach():
    graph = LinearGraph([("a", "0", "1"), ("b", "3", "2"), ("c", "2", "3")], "0", "0123x")
    assert graph.components() == (("0", "1"), ("2", "3"), ("x",))
    assert not graph.is_connected
    assert graph.unreachable == ("2", "3", "x")
    assert graph.number_of_spanning_trees() == 0


def test_parallel_edges_are_kept_apart():
    graph = LinearGraph([("a", "0", "1"), ("b", "0", "1"), ("c", "1", "0")], "0")
    assert graph.incidence.to_array().tolist() == [[1, 1, -1], [-1, -1, 1]]
    assert graph.number_of_spanning_trees() == 3
    assert graph.to_networkx().number_of_edges() == 3


def test_priority_then_natural_order_of_names_chooses_the_tree():
    edges = [Edge("a10", "0", "1"), Edge("a2", "1", "2"), Edge("a1", "2", "0")]
    graph = LinearGraph(edges, "0")
    assert graph.spanning_tree().chords == ("a10",)
    assert graph.spanning_tree(priority={"a1": 1}).chords == ("a1",)
    assert graph.spanning_tree(priority=lambda edge: -len(edge.name)).chords == ("a2",)
    own = LinearGraph([Edge("a10", "0", "1"), Edge("a2", "1", "2", priority=0.5), Edge("a1", "2", "0")], "0")
    assert own.spanning_tree().chords == ("a2",)
    assert own.spanning_tree(priority={"a2": -1}).chords == ("a10",)


def test_the_default_tree_does_not_depend_on_the_order_of_the_edges(figure_2):
    turned = LinearGraph(figure_2.edges[::-1], "0")
    assert set(turned.spanning_tree().arcs) == set(figure_2.spanning_tree().arcs) == set("12345")


def test_the_user_chooses_the_tree_or_the_cut(figure_2):
    assert figure_2.spanning_tree(cut=["5"]).chords == ("5",)
    assert figure_2.spanning_tree(tree=["6", "1", "2", "3", "4"]).arcs == ("1", "2", "3", "4", "6")
    assert figure_2.spanning_tree(tree=list("12346"), cut=["5"]).chords == ("5",)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"tree": ["1", "2", "3", "4", "5", "6"]},
            r"tree: the edges .* are not a spanning tree: the edges '6' close a circuit with the others; leave them",
        ),
        ({"tree": ["1", "2", "3"]}, r"not a spanning tree: the vertices '3', '4' are left out; add edges that lead to"),
        ({"tree": ["2", "3", "4", "5", "6"]}, r"'6' close a circuit .*; the vertices '1', '2', '3', '4', '5' are left"),
        ({"tree": ["1", "9"]}, r"tree: there are no edges '9'\. Known edges: '1', '2', '3', '4', '5', '6'\."),
        ({"cut": ["joint"]}, r"cut: there are no edges 'joint'\. Known edges: '1', '2'"),
        ({"priority": {"joint": 1}}, r"priority: there are no edges 'joint'\. Known edges: '1', '2'"),
        ({"priority": {"3": float("nan")}}, r"Edge '3': its priority is not a number; give a finite one"),
        (
            {"cut": ["2"]},
            r"cut: without the edges '2' the vertices '2', '3', '4', '5' are cut off from the datum '0'; leave",
        ),
        ({"cut": ["3", "6"]}, r"cut: without the edges '3', '6' the vertices '5' are cut off"),
        ({"cut": "6"}, r"cut='6' is one text; give a list of edge names, as in cut=\['6'\]\."),
        ({"tree": "12345"}, r"tree='12345' is one text; give a list"),
        ({"tree": list("12345"), "cut": ["5"]}, r"The edges '5' are in tree and in cut; an edge is an arc or a chord"),
    ],
)
def test_an_impossible_tree_is_explained(figure_2, options, message):
    with pytest.raises(TopologyError, match=message):
        figure_2.spanning_tree(**options)


def test_a_forest_has_no_spanning_tree():
    graph = LinearGraph([("a", "0", "1"), ("b", "2", "3")], "0")
    with pytest.raises(
        TopologyError, match="Vertices '2', '3' cannot be reached from the datum '0'; connect them by an"
    ):
        graph.spanning_tree()


@pytest.mark.parametrize(
    ("edges", "datum", "vertices", "message"),
    [
        ([("a", "1", "1")], "1", None, "Edge 'a' leads from '1' to itself; an edge connects two different vertices"),
        ([("a", "0", "1"), ("a", "1", "2")], "0", None, "The edge names 'a' occur more than once; give every edge its"),
        ([("a", "0", "1")], "0", ["0", "1", "1"], "The vertex names '1' occur more than once"),
        ([("a", "0", "1")], "0", ["0"], "Edge 'a' refers to vertex '1', which is not given. Known vertices: '0'."),
        ([("a", "0", "1")], "9", ["0", "1"], "The datum '9' is not among the vertices. Known vertices: '0', '1'."),
    ],
)
def test_a_faulty_graph_is_refused(edges, datum, vertices, message):
    with pytest.raises(TopologyError, match=message):
        LinearGraph(edges, datum, vertices)


def test_natural_order_of_names():
    names = ["a1", "a01", "a2", "a10", "a10b2", "a10b10", "b", "a", "", "7", "07x", "a" + "9" * 5000]
    assert sorted(names, key=natural_key) == [
        *["", "7", "07x", "a", "a01", "a1", "a2", "a10", "a10b2", "a10b10"],
        *["a" + "9" * 5000, "b"],
    ]
