import json
import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gyrostat.errors import TopologyError
from gyrostat.graph.linear_graph import Edge, LinearGraph

CASES = Path(__file__).parents[1] / "data" / "cases"


@st.composite
def connected_graphs(draw: st.DrawFn) -> LinearGraph:
    """Connected graphs: parallel edges, any directions, any datum, vertices and edges in any order."""
    n = draw(st.integers(1, 9))
    pairs = [(draw(st.integers(0, i - 1)), i) for i in range(1, n)]
    if n > 1:
        different = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)).filter(lambda pair: pair[0] != pair[1])
        pairs += draw(st.lists(different, max_size=8))
    turned = [pair[::-1] if draw(st.booleans()) else pair for pair in pairs]
    edges = [
        Edge(f"e{number}", f"v{tail}", f"v{head}", priority=draw(st.integers(0, 2)))
        for number, (tail, head) in enumerate(turned)
    ]
    vertices = draw(st.permutations([f"v{i}" for i in range(n)]))
    return LinearGraph(draw(st.permutations(edges)), draw(st.sampled_from(vertices)), vertices)


def test_path_matrix_of_000_eq_7(figure_2):
    tree = figure_2.spanning_tree(cut=["6"])
    assert tree.path.rows == tree.arcs == ("1", "2", "3", "4", "5")
    assert tree.path.columns == ("1", "2", "3", "4", "5")
    assert tree.path.to_array().tolist() == [
        [-1, -1, -1, -1, -1],
        [0, -1, -1, -1, -1],
        [0, 0, 0, 0, -1],
        [0, 0, 0, -1, 0],
        [0, 0, 1, 1, 0],
    ]


def test_double_pendulum_of_000_eqs_33_and_34():
    graph = LinearGraph([("a1", "0", "1"), ("a2", "1", "2")], "0")
    assert graph.reduced_incidence.to_array().tolist() == [[-1, 1], [0, -1]]
    assert graph.spanning_tree().path.to_array().tolist() == [[-1, -1], [0, -1]]


def test_way_through_the_tree_of_figure_2(figure_2):
    tree = figure_2.spanning_tree()
    assert tree.chords == ("6",)
    assert tree.order == ("0", "1", "2", "5", "3", "4")
    assert dict(tree.depth) == {"0": 0, "1": 1, "2": 2, "5": 3, "3": 3, "4": 4}
    assert dict(tree.parent_edge) == {"1": "1", "2": "2", "5": "3", "3": "5", "4": "4"}
    assert dict(tree.parent_vertex) == {"1": "0", "2": "1", "5": "2", "3": "2", "4": "3"}
    assert dict(tree.parent_direction) == {"1": -1, "2": -1, "5": -1, "3": 1, "4": -1}
    assert tree.chain("4") == ("4", "5", "2", "1")
    assert tree.chain("0") == ()
    assert tree.loop("6") == (("6", 1), ("4", -1), ("5", 1), ("3", 1))
    assert tree.subtree("2") == ("2", "5", "3", "4")
    assert tree.subtree("3") == ("3", "4")
    assert set(tree.subtree("0")) == set("012345")


def test_six_edge_network_of_001():
    case = json.loads((CASES / "mcphee_circuit_six_edge.json").read_text(encoding="utf-8"))
    expected = {quantity["name"]: quantity["value"] for quantity in case["quantities"]}
    ends = {"E1": "ad", "R2": "bc", "R3": "ab", "R4": "dc", "R5": "db", "I6": "ca"}
    graph = LinearGraph([(name, *pair) for name, pair in ends.items()], "d", "abcd")
    tree = graph.spanning_tree(tree=["E1", "R2", "R3"])
    assert graph.incidence.to_array().tolist() == expected["IM"]
    assert np.linalg.matrix_rank(graph.incidence) == expected["rank_IM"]
    assert tree.cutset.to_array().tolist() == expected["A_f"]
    assert tree.circuit.to_array().tolist() == expected["B_f"]
    assert graph.number_of_spanning_trees() == expected["number_of_spanning_trees"]
    # 001: the network's through and across variables fulfil the cutset and circuit equations
    assert tree.cutset.to_array() @ expected["tau_float"] == pytest.approx(0, abs=1e-12)
    assert tree.circuit.to_array() @ expected["alpha_float"] == pytest.approx(0, abs=1e-12)


def test_seven_bodies_of_002():
    """Row 6 of the printed π is missing; it follows from L(6) = 3."""
    joints = [
        ("j1", "0", "1"),
        *((f"j{j}", str(i), str(j)) for j, i in [(2, 1), (3, 1), (4, 2), (5, 2), (6, 3), (7, 3)]),
    ]
    tree = LinearGraph(joints, "0").spanning_tree()
    assert tree.body_path.rows == tree.body_path.columns == tuple("1234567")
    assert tree.body_path.to_array().tolist() == [
        [1, 0, 0, 0, 0, 0, 0],
        [1, 1, 0, 0, 0, 0, 0],
        [1, 0, 1, 0, 0, 0, 0],
        [1, 1, 0, 1, 0, 0, 0],
        [1, 1, 0, 0, 1, 0, 0],
        [1, 0, 1, 0, 0, 1, 0],
        [1, 0, 1, 0, 0, 0, 1],
    ]
    assert dict(tree.reference_body) == {"1": "0", "2": "1", "3": "1", "4": "2", "5": "2", "6": "3", "7": "3"}
    assert tree.reference_matrix.to_array().tolist() == [
        [0, 0, 0, 0, 0, 0, 0],
        [1, 0, 0, 0, 0, 0, 0],
        [1, 0, 0, 0, 0, 0, 0],
        [0, 1, 0, 0, 0, 0, 0],
        [0, 1, 0, 0, 0, 0, 0],
        [0, 0, 1, 0, 0, 0, 0],
        [0, 0, 1, 0, 0, 0, 0],
    ]


def test_graphs_and_trees_travel_through_pickle(figure_2):
    """Sweeps send systems to other processes, also after something was derived from them."""
    tree = figure_2.spanning_tree()
    assert tree.path.nonzeros
    assert figure_2.edge["1"]
    copy = pickle.loads(pickle.dumps(tree))
    assert copy == tree
    assert copy.path == tree.path


@pytest.mark.parametrize(
    ("attempt", "message"),
    [
        (lambda tree: tree.loop("1"), "Edge '1' is not a chord, so it has no loop. Chords: '6'."),
        (lambda tree: tree.loop("x"), "Edge 'x' is not a chord"),
        (lambda tree: tree.chain("x"), "There is no vertex 'x'. Known vertices: '0', '1', '2', '3', '4', '5'."),
        (lambda tree: tree.subtree("x"), "There is no vertex 'x'"),
    ],
)
def test_unknown_names_are_answered_with_known_ones(figure_2, attempt, message):
    with pytest.raises(TopologyError, match=message):
        attempt(figure_2.spanning_tree())


@settings(deadline=None)
@given(connected_graphs())
def test_path_is_the_inverse_of_the_tree_incidence(graph):
    tree = graph.spanning_tree()
    T, S_A = tree.path, graph.reduced_incidence.submatrix(columns=tree.arcs)
    unit = np.eye(len(graph.vertices) - 1)
    assert np.array_equal((T @ S_A).to_array(), unit)
    assert np.array_equal((S_A @ T).to_array(), unit)


@settings(deadline=None)
@given(connected_graphs())
def test_cutsets_and_circuits_are_orthogonal_and_of_full_rank(graph):
    tree = graph.spanning_tree()
    A_f, B_f = tree.cutset, tree.circuit
    v, e = len(graph.vertices), len(graph.edges)
    assert (A_f @ B_f.T).nonzeros == 0
    assert A_f.shape == (v - 1, e)
    assert B_f.shape == (e - v + 1, e)
    assert A_f.rows + B_f.rows == A_f.columns == B_f.columns
    if v > 1:
        assert np.linalg.matrix_rank(graph.incidence) == np.linalg.matrix_rank(A_f) == v - 1
    if e > v - 1:
        assert np.linalg.matrix_rank(B_f) == e - v + 1


@settings(deadline=None)
@given(connected_graphs())
def test_cutset_is_path_times_incidence(graph):
    tree = graph.spanning_tree()
    assert tree.cutset == tree.path @ graph.reduced_incidence.submatrix(columns=tree.arcs + tree.chords)


@settings(deadline=None)
@given(connected_graphs())
def test_loops_close(graph):
    tree = graph.spanning_tree()
    for chord in tree.chords:
        steps = tree.loop(chord)
        ways = [(graph.edge[name].tail, graph.edge[name].head)[::step] for name, step in steps]
        assert steps[0] == (chord, 1)
        assert all(here[1] == after[0] for here, after in zip(ways, ways[1:] + ways[:1], strict=True))
        assert len({way[0] for way in ways}) == len(ways), "no vertex is passed twice"
        assert all(name in tree.arcs for name, _ in steps[1:])


@settings(deadline=None)
@given(connected_graphs())
def test_body_path_chains_and_subtrees_tell_the_same(graph):
    tree = graph.spanning_tree()
    for vertex in graph.vertices_without_datum:
        assert set(tree.path.column(vertex)) == set(tree.chain(vertex))
        assert len(tree.chain(vertex)) == tree.depth[vertex]
        assert set(tree.body_path.column(vertex)) == set(tree.subtree(vertex))
        assert tree.body_path.row(vertex).keys() == {v for v in graph.vertices if vertex in tree.subtree(v)} - {
            graph.datum
        }
    unit = np.eye(len(graph.vertices) - 1)
    # ω_i − ω_L(i) is the relative angular velocity, and π sums relative ones: π (1 − ρ) = 1 (002 eqs 2 and 4)
    assert np.array_equal(tree.body_path.to_array() @ (unit - tree.reference_matrix.to_array()), unit)


@settings(deadline=None)
@given(connected_graphs())
def test_every_vertex_comes_after_its_parent(graph):
    tree = graph.spanning_tree()
    place = {vertex: number for number, vertex in enumerate(tree.order)}
    assert sorted(tree.order) == sorted(graph.vertices)
    assert all(place[parent] < place[vertex] for vertex, parent in tree.parent_vertex.items())
    depths = [tree.depth[vertex] for vertex in tree.order]
    assert depths == sorted(depths)


@settings(deadline=None)
@given(connected_graphs(), st.data())
def test_new_names_and_orders_permute_matrices_and_do_nothing_else(graph, data):
    tree = graph.spanning_tree()
    vertex_names = dict(zip(graph.vertices, data.draw(st.permutations(graph.vertices)), strict=True))
    names = [edge.name for edge in graph.edges]
    edge_names = dict(zip(names, data.draw(st.permutations(names)), strict=True))
    other = LinearGraph(
        [
            Edge(edge_names[edge.name], vertex_names[edge.tail], vertex_names[edge.head])
            for edge in data.draw(st.permutations(graph.edges))
        ],
        vertex_names[graph.datum],
        data.draw(st.permutations(graph.vertices)),
    )
    other_tree = other.spanning_tree(tree=[edge_names[arc] for arc in tree.arcs])
    rename = vertex_names | edge_names
    pairs = [(graph.incidence, other.incidence), (graph.reduced_incidence, other.reduced_incidence)]
    for name in ("path", "cutset", "circuit", "body_path", "reference_matrix"):
        pairs.append((getattr(tree, name), getattr(other_tree, name)))
    for mine, theirs in pairs:
        expected = theirs.submatrix(rows=[rename[r] for r in mine.rows], columns=[rename[c] for c in mine.columns])
        assert np.array_equal(mine.to_array(), expected.to_array())


@settings(deadline=None)
@given(connected_graphs(), st.data())
def test_the_tree_depends_on_names_and_priorities_only(graph, data):
    edges, vertices = data.draw(st.permutations(graph.edges)), data.draw(st.permutations(graph.vertices))
    other = LinearGraph(edges, graph.datum, vertices)
    assert set(other.spanning_tree().arcs) == set(graph.spanning_tree().arcs)
    assert graph.spanning_tree() == LinearGraph(graph.edges, graph.datum, graph.vertices).spanning_tree()


@settings(deadline=None)
@given(connected_graphs(), st.data())
def test_arcs_have_the_least_total_priority(graph, data):
    """No exchange of a chord against an arc of its loop is an improvement."""
    tree = graph.spanning_tree()
    for chord in tree.chords:
        assert all(graph.edge[name].priority <= graph.edge[chord].priority for name, _ in tree.loop(chord)[1:])


@settings(deadline=None)
@given(connected_graphs())
def test_any_chord_can_be_kept_and_any_arc_of_its_loop_cut(graph):
    tree = graph.spanning_tree()
    for chord in tree.chords:
        for arc, _ in tree.loop(chord)[1:]:
            assert arc in graph.spanning_tree(cut=[arc]).chords
