"""The topology of a model: matrices of the documents, choice of trees, words and drawings."""

import random
import xml.etree.ElementTree as ET
from itertools import pairwise

import numpy as np
import pytest

import gyrostat as gs
from gyrostat.errors import GyrostatError, TopologyError
from gyrostat.topology import Topology


def mechanism(*joints, cls=gs.Revolute):
    """A model of balls and joints (name, parent, child); bodies in natural order."""
    model = gs.Model("test")
    made = [joint if isinstance(joint, gs.model.Joint) else cls(*joint) for joint in joints]
    bodies = {end.body for joint in made for end in (joint.parent, joint.child)} - {"ground"}
    for name in sorted(bodies, key=lambda name: (len(name), name)):
        model.add(gs.Body(name, gs.sphere(1, 1)))
    for joint in made:
        model.add(joint)
    return model


@pytest.fixture
def figure_2_model():
    """Document 000, figure 2: six joints, five bodies; vertex pairs read off eq 6."""
    pairs = [("ground", "b1"), ("b1", "b2"), ("b2", "b5"), ("b3", "b4"), ("b3", "b2"), ("b5", "b4")]
    return mechanism(*((f"j{i}", *pair) for i, pair in enumerate(pairs, start=1)))


@pytest.fixture
def four_bar():
    return mechanism(
        ("a", "ground", "crank"), ("b", "crank", "coupler"), ("c", "coupler", "rocker"), ("d", "ground", "rocker")
    )


# --- matrices of the documents --------------------------------------------------------------------------------------


def test_incidence_of_000_eq_6(figure_2_model):
    S = Topology.of(figure_2_model).incidence
    assert S.rows == ("ground", "b1", "b2", "b3", "b4", "b5")
    assert S.columns == ("j1", "j2", "j3", "j4", "j5", "j6")
    assert S.to_array().tolist() == [
        [1, 0, 0, 0, 0, 0],
        [-1, 1, 0, 0, 0, 0],
        [0, -1, 1, 0, -1, 0],
        [0, 0, 0, 1, 1, 0],
        [0, 0, 0, -1, 0, -1],
        [0, 0, -1, 0, 0, 1],
    ]


def test_path_of_000_eq_7(figure_2_model):
    topology = Topology.of(figure_2_model)
    assert topology.arcs == ("j1", "j2", "j3", "j4", "j5")
    assert topology.chords == ("j6",)
    assert topology.path.rows == topology.arcs
    assert topology.path.columns == topology.bodies == ("b1", "b2", "b3", "b4", "b5")
    assert topology.path.to_array().tolist() == [
        [-1, -1, -1, -1, -1],
        [0, -1, -1, -1, -1],
        [0, 0, 0, 0, -1],
        [0, 0, 0, -1, 0],
        [0, 0, 1, 1, 0],
    ]


def test_reduced_incidence_of_000_eq_10(figure_2_model):
    assert Topology.of(figure_2_model).reduced_incidence.to_array().tolist() == [
        [-1, 1, 0, 0, 0, 0],
        [0, -1, 1, 0, -1, 0],
        [0, 0, 0, 1, 1, 0],
        [0, 0, 0, -1, 0, -1],
        [0, 0, -1, 0, 0, 1],
    ]


def test_double_pendulum_of_000_eqs_33_and_34():
    topology = Topology.of(mechanism(("a1", "ground", "bar1"), ("a2", "bar1", "bar2")))
    assert topology.incidence.to_array().tolist() == [[1, 0], [-1, 1], [0, -1]]
    assert topology.path.to_array().tolist() == [[-1, -1], [0, -1]]
    assert topology.body_path.to_array().tolist() == [[1, 0], [1, 1]]
    assert dict(topology.reference_body) == {"bar1": "ground", "bar2": "bar1"}
    assert topology.reference_matrix.to_array().tolist() == [[0, 0], [1, 0]]


def test_the_matrices_of_a_loop_belong_together(figure_2_model):
    topology = Topology.of(figure_2_model)
    assert (topology.cutset @ topology.circuit.T).nonzeros == 0
    S_A = topology.reduced_incidence.submatrix(columns=topology.arcs)
    assert np.array_equal((topology.path @ S_A).to_array(), np.eye(5))
    assert topology.circuit.row("j6") == {"j3": 1, "j4": -1, "j5": 1, "j6": 1}


# --- choice of the tree ---------------------------------------------------------------------------------------------


def test_the_user_chooses_arcs_or_chords(four_bar):
    assert Topology.of(four_bar).chords == ("d",)
    assert Topology.of(four_bar, cut=["b"]).chords == ("b",)
    assert Topology.of(four_bar, tree=["d", "c", "b"]).chords == ("a",)


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        ({"cut": ["x"]}, r"cut: there are no edges 'x'\. Known edges: 'a', 'b', 'c', 'd'\."),
        ({"cut": "ab"}, r"cut='ab' is one text; give a list of edge names, as in cut=\['ab'\]\."),
        (
            {"cut": ["a", "b"]},
            r"cut: without the edges 'a', 'b' the vertices 'crank' are cut off from the datum 'ground'",
        ),
        ({"tree": ["a", "b"]}, r"tree: the edges 'a', 'b' are not a spanning tree: the vertices 'rocker' are left out"),
        ({"tree": ["a", "b", "c", "d"]}, r"the edges 'd' close a circuit with the others"),
        ({"tree": ["a", "b", "c"], "cut": ["a"]}, r"The edges 'a' are in tree and in cut"),
    ],
)
def test_choices_that_are_no_tree(four_bar, choice, message):
    with pytest.raises(TopologyError, match=message):
        Topology.of(four_bar, **choice)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (gs.Weld("z", "ground", "b"), gs.Revolute("a", "ground", "b")),
        (gs.Revolute("z", "ground", "b"), gs.Cylindrical("a", "ground", "b")),
        (gs.Cylindrical("z", "ground", "b"), gs.Spherical("a", "ground", "b")),
        (gs.Spherical("z", "ground", "b"), gs.Free("a", "ground", "b")),
        (gs.Revolute("z", "ground", "b", driven="t"), gs.Revolute("a", "ground", "b")),
        (gs.Cylindrical("z", "ground", "b", driven={"angle": "t", "displacement": 1}), gs.Revolute("a", "ground", "b")),
        (gs.Revolute("a2", "ground", "b"), gs.Revolute("a10", "ground", "b")),
        (gs.Prismatic("a", "ground", "b"), gs.Revolute("b1", "ground", "b")),
    ],
)
def test_joints_with_few_undriven_coordinates_come_first_then_names(first, second):
    for order in ((first, second), (second, first)):
        topology = Topology.of(mechanism(*order))
        assert topology.arcs == (first.name,)
        assert topology.chords == (second.name,)


def test_the_tree_does_not_depend_on_the_order_of_joints(figure_2_model):
    joints = list(figure_2_model.joints.values())
    for seed in range(10):
        random.Random(seed).shuffle(joints)
        topology = Topology.of(mechanism(*joints))
        assert set(topology.arcs) == {"j1", "j2", "j3", "j4", "j5"}
        assert topology.arcs == tuple(joint.name for joint in joints if joint.name != "j6")


def test_the_model_is_frozen_and_later_changes_do_not_matter(four_bar):
    topology = Topology.of(four_bar)
    four_bar.add(gs.Body("more", mass=1))
    assert "more" not in topology.model
    with pytest.raises(GyrostatError, match="is frozen"):
        topology.model.add(gs.Body("more", mass=1))


def test_points_on_the_ground_do_not_make_it_a_moving_body():
    model = mechanism(("a", "ground.p", "b"))
    model.add(gs.Body("ground", points={"p": (1, 0, 0)}))
    assert Topology.of(model).bodies == ("b",)
    assert Topology.of(model).incidence.rows == ("ground", "b")


def test_a_model_without_bodies():
    topology = Topology.of(gs.Model("nothing"))
    assert topology.bodies == topology.arcs == topology.chords == ()
    assert str(topology).startswith("Topology of 'nothing': 0 bodies, 0 joints")
    assert topology.path.shape == (0, 0)


@pytest.mark.parametrize(
    ("joints", "message"),
    [
        ([("j", "b", "b")], r"Joint 'j' leads from body 'b' to itself\. Connect two bodies\."),
        ([("j", "b", "c")], r"Vertices 'b', 'c' cannot be reached from the datum 'ground'; connect them by an edge"),
    ],
)
def test_models_without_a_tree(joints, message):
    with pytest.raises(TopologyError, match=message):
        Topology.of(mechanism(*joints))


def test_a_joint_to_nowhere():
    model = gs.Model("m")
    model.add(gs.Revolute("j", "ground", "nowhere"))
    with pytest.raises(TopologyError, match=r"'j' refers to vertex 'nowhere', which is not given"):
        Topology.of(model)


# --- words and drawings ---------------------------------------------------------------------------------------------


def test_loops_by_names(four_bar):
    [(chord, loop)] = Topology.of(four_bar).loops.items()
    assert chord == "d"
    assert [tuple(step) for step in loop] == [("d", 1), ("c", -1), ("b", -1), ("a", -1)]


def test_printed(four_bar):
    four_bar.add(gs.Body("ball", gs.sphere(1, 1)))
    four_bar.add(gs.Cylindrical("sleeve", "coupler", ("ball", (0, "l", 0)), driven={"angle": "t"}))
    assert str(Topology.of(four_bar)).splitlines() == [
        "Topology of 'test': 4 bodies, 5 joints",
        "  joint   kind         from     to                 coordinates   role",
        "  a       Revolute     ground   crank              1             arc",
        "  b       Revolute     crank    coupler            1             arc",
        "  c       Revolute     coupler  rocker             1             arc",
        "  d       Revolute     ground   rocker             1             chord",
        "  sleeve  Cylindrical  coupler  ball at (0, l, 0)  2 (1 driven)  arc",
        "Loop closed by d: d, −c, −b, −a",
        "Mobility by counting: -1 in space (1 driven coordinate subtracted).",
    ]


def test_explained(four_bar):
    assert Topology.of(four_bar).explain() == (
        "Loop closed by d: d, −c, −b, −a\nMobility by counting: -2 in space, 1 if all motion is in one plane."
    )
    tree = Topology.of(mechanism(("a", "ground", "b")))
    assert tree.explain() == "No loops: the mechanism is a tree.\nMobility by counting: 1 in space."


def test_long_tables_are_cut():
    names = ["ground", *(f"b{i}" for i in range(100))]
    text = str(Topology.of(mechanism(*((f"j{i}", *pair) for i, pair in enumerate(pairwise(names))))))
    assert len(text.splitlines()) == 63
    assert text.endswith("… and 40 more")


def test_drawn(four_bar, tmp_path):
    topology = Topology.of(four_bar)
    path = tmp_path / "graph.svg"
    text = topology.draw(path)
    assert path.read_text(encoding="utf-8") == text == topology._repr_svg_()
    root = ET.fromstring(text)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    shown = " ".join(root.itertext())
    assert all(name in shown for name in ("ground", "crank", "coupler", "rocker", "a", "b", "c", "d"))
    assert text.count("gs-edge gs-arc") == 3
    assert text.count("gs-edge gs-chord") == 1
    assert "stroke-dasharray" in text


def test_a_drawing_that_cannot_be_written(four_bar, tmp_path):
    with pytest.raises(GyrostatError):
        Topology.of(four_bar).draw(tmp_path / "none" / "graph.svg")
