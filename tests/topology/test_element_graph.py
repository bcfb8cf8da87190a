"""The finer graph of document 001: bodies, arms, joints, drivers and force elements as edges."""

import pytest

import gyrostat as gs
from gyrostat.errors import TopologyError
from gyrostat.topology import ElementKind, Topology, element_graph


@pytest.fixture
def slider_crank():
    """Document 001's slider-crank: bodies m1–m3, arms r4–r7, joints h8, h9, h10, s11, a force on the slider."""
    model = gs.Model("slider-crank")
    model.add(gs.Body("m1", gs.rod(1, 0.15), points={"r4": (-0.075, 0, 0), "r5": (0.075, 0, 0)}))
    model.add(gs.Body("m2", gs.rod(2, 0.3), points={"r6": (-0.15, 0, 0), "r7": (0.15, 0, 0)}))
    model.add(gs.Body("m3", mass=1, inertia=(1, 1, 1)))
    model.add(gs.Revolute("h8", "ground", "m1.r4", driven="150*t"))
    model.add(gs.Revolute("h9", "m1.r5", "m2.r6"))
    model.add(gs.Revolute("h10", "m3", "m2.r7"))
    model.add(gs.Prismatic("s11", "ground", "m3", axis="x"))
    model.add(gs.Force("F", "m3", (-10, 0, 0)))
    return model


def ends(graph, name):
    return graph.edge[name].tail, graph.edge[name].head


def test_slider_crank_of_001(slider_crank):
    elements = element_graph(slider_crank)
    assert elements.of_kind(ElementKind.BODY) == ("m1", "m2", "m3")
    assert elements.of_kind(ElementKind.ARM) == ("m1.r4", "m1.r5", "m2.r6", "m2.r7")
    assert elements.of_kind(ElementKind.JOINT) == ("h8", "h9", "h10", "s11")
    assert elements.of_kind(ElementKind.DRIVER) == ("h8.driver",)
    assert elements.of_kind(ElementKind.FORCE) == ("F",)
    graph = elements.graph
    assert set(graph.vertices) == {"ground", "m1", "m2", "m3", "m1.r4", "m1.r5", "m2.r6", "m2.r7"}
    assert {edge.name: (edge.tail, edge.head) for edge in graph.edges} == {
        "m1": ("ground", "m1"),
        "m2": ("ground", "m2"),
        "m3": ("ground", "m3"),
        "m1.r4": ("m1", "m1.r4"),
        "m1.r5": ("m1", "m1.r5"),
        "m2.r6": ("m2", "m2.r6"),
        "m2.r7": ("m2", "m2.r7"),
        "h8": ("ground", "m1.r4"),
        "h8.driver": ("ground", "m1.r4"),
        "h9": ("m1.r5", "m2.r6"),
        "h10": ("m3", "m2.r7"),
        "s11": ("ground", "m3"),
        "F": ("ground", "m3"),
    }
    assert graph.datum == "ground"
    assert graph.is_connected


def test_trees_of_001_are_trees_of_this_graph(slider_crank):
    """r elements are always in the tree; with the bodies, or h8, h10 and s11, they reach every frame."""
    graph = Topology.of(slider_crank).elements.graph
    arms = ["m1.r4", "m1.r5", "m2.r6", "m2.r7"]
    for tree in (["m1", "m2", "m3"], ["h8", "h10", "s11"], ["m1", "h10", "h9"]):
        assert set(graph.spanning_tree(tree=[*arms, *tree]).arcs) == {*arms, *tree}


def test_every_edge_has_a_kind(slider_crank):
    elements = element_graph(slider_crank)
    assert set(elements.kinds) == {edge.name for edge in elements.graph.edges}


def test_springs_run_between_their_places(slider_crank):
    slider_crank.add(gs.Body("ground", points={"post": (1, 0, 0)}))
    slider_crank.add(gs.SpringDamper("S", "ground.post", ("m3", (0, "h", 0.5)), damping=1))
    slider_crank.add(gs.Bushing("B", "m1.r5", "m3", (1, 1, 1)))
    slider_crank.add(gs.Torque("T", "m2", (0, 0, 1), "m1.r5"))
    elements = element_graph(slider_crank)
    graph = elements.graph
    assert ends(graph, "S") == ("ground.post", "m3 at (0, h, 0.5)")
    assert ends(graph, "ground.post") == ("ground", "ground.post")
    assert ends(graph, "m3 at (0, h, 0.5)") == ("m3", "m3 at (0, h, 0.5)")
    assert ends(graph, "B") == ("m1.r5", "m3")
    assert ends(graph, "T") == ("ground", "m2")
    assert elements.kinds["m3 at (0, h, 0.5)"] is ElementKind.ARM
    assert graph.is_connected


def test_loads_on_coordinates_run_beside_their_joint(slider_crank):
    slider_crank.add(gs.Actuator("A", "s11"))
    slider_crank.add(gs.TorsionSpring("K", "h9", 1))
    slider_crank.add(gs.Cylindrical("c", "m1", "m3", driven={"angle": "t", "displacement": "2*t"}))
    slider_crank.add(gs.TorsionSpring("L", "c.angle", 1))
    elements = element_graph(slider_crank)
    assert ends(elements.graph, "A") == ("ground", "m3")
    assert ends(elements.graph, "K") == ("m1.r5", "m2.r6")
    assert ends(elements.graph, "L") == ends(elements.graph, "c.angle.driver") == ("m1", "m3")
    assert elements.of_kind(ElementKind.DRIVER) == ("h8.driver", "c.angle.driver", "c.displacement.driver")


def test_a_motor_on_a_rotor_acts_between_body_and_rotor():
    model = gs.Model("satellite")
    model.add(gs.Body("sat", mass=1, inertia=(1, 1, 1), rotors=[gs.Rotor("wheel", "z", 0.1, free=True)]))
    model.add(gs.Free("j", "ground", "sat"))
    model.add(gs.Actuator("motor", "sat.wheel"))
    assert model.check()
    graph = element_graph(model).graph
    assert ends(graph, "motor") == ("sat", "sat.wheel")
    assert graph.is_connected


@pytest.mark.parametrize(
    ("component", "message"),
    [
        (gs.Actuator("x", "h99"), r"There is no joint 'h99' in the model\. Check the model\."),
        (
            gs.Force("x", "m9.tip", (1, 0, 0)),
            r"'m9\.tip' is a place on body 'm9', which is not in the model\. Check the",
        ),
        (
            gs.Weld("x", "ground", ("m9", (0, 0, 0))),
            r"'m9 at \(0, 0, 0\)' is a place on body 'm9', which is not in the",
        ),
        (gs.Force("x", "ground", (1, 0, 0)), r"Edge 'x' leads from 'ground' to itself"),
    ],
)
def test_models_with_faults(slider_crank, component, message):
    slider_crank.add(component)
    with pytest.raises(TopologyError, match=message):
        element_graph(slider_crank)


def test_a_model_without_components():
    elements = element_graph(gs.Model("nothing"))
    assert elements.graph.vertices == ("ground",)
    assert elements.graph.edges == ()
