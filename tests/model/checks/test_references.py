"""References: bodies, points, joints and coordinates that exist, and a chain to the ground for every body."""

import pytest

import gyrostat as gs

BAR = gs.Body("bar", mass=1, inertia=(1, 1, 1), points={"tip": (0, 1, 0)}, frames={"hub": gs.Frame()})
HINGE = gs.Revolute("a1", "ground", "bar.tip")
SLEEVE = gs.Cylindrical("c", "ground", "bar.hub")


@pytest.mark.parametrize(
    ("component", "messages"),
    [
        (
            gs.Weld("w", "ground", "bra"),
            ["joint 'w', child: refers to body 'bra', which is not in the model. Did you mean 'bar'?"],
        ),
        (
            gs.Weld("w", "gruond", "bar"),
            ["joint 'w', parent: refers to body 'gruond', which is not in the model. Did you mean 'ground'?"],
        ),
        (
            gs.Weld("w", "ground", "bar.tpi"),
            ["joint 'w', child: refers to 'bar.tpi', but body 'bar' has no point or frame 'tpi'. Did you mean 'tip'?"],
        ),
        (
            gs.Weld("w", "ground.tip", "bar"),
            ["joint 'w', parent: refers to 'ground.tip', but body 'ground' has no point or frame 'tip'. There"],
        ),
        (
            gs.Weld("w", "ground", ("bra", (0, 0, 0))),
            ["joint 'w', child[0]: refers to body 'bra', which is not in the model."],
        ),
        (gs.Weld("w", "a1", "bar"), ["joint 'w', parent: refers to body 'a1', which is not in the model."]),
        (
            gs.SpringDamper("f", "x1", "x2", damping=1),
            ["force 'f', a: refers to body 'x1', which", "force 'f', b: refers to body 'x2', which"],
        ),
        (
            gs.Bushing("f", "bar.top", "ground", (1, 1, 1)),
            ["force 'f', a: refers to 'bar.top', but body 'bar' has no point"],
        ),
        (gs.Force("f", "nothing", (1, 0, 0)), ["force 'f', at: refers to body 'nothing', which is not in the model."]),
        (
            gs.Force("f", "bar", (1, 0, 0), "bar.top"),
            ["force 'f', axes: refers to 'bar.top', but body 'bar' has no point"],
        ),
        (
            gs.Torque("f", "nothing", (1, 0, 0)),
            ["force 'f', body: refers to body 'nothing', which is not in the model."],
        ),
        (gs.Torque("f", "a1", (1, 0, 0)), ["force 'f', body: refers to body 'a1', which is not in the model."]),
        (gs.Actuator("f", "a2"), ["force 'f', joint: refers to joint 'a2', which is not in the model. Known: a1, c."]),
        (gs.Actuator("f", "bar"), ["force 'f', joint: refers to joint 'bar', which is not in the model."]),
        (
            gs.Actuator("f", "c"),
            ["force 'f', joint: joint 'c' has several coordinates. Choose one: c.angle, c.displacement."],
        ),
        (
            gs.Actuator("f", "c.angel"),
            ["force 'f', joint: joint 'c' has no coordinate 'angel'. Did you mean 'c.angle'?"],
        ),
        (gs.Actuator("f", "a1.angle"), ["force 'f', joint: joint 'a1' has no coordinate 'angle'. "]),
        (gs.TorsionSpring("f", "c.x", 1), ["force 'f', joint: joint 'c' has no coordinate 'x'. "]),
    ],
)
def test_references_to_nothing(faults, component, messages):
    found = [text for text in faults(BAR, HINGE, SLEEVE, component) if component.name in text.partition(":")[0]]
    assert len(found) == len(messages)
    assert all(text.startswith(message) for text, message in zip(found, messages, strict=True)), found


def test_a_weld_has_no_coordinate(faults):
    found = faults(BAR, gs.Weld("w", "ground", "bar"), gs.Actuator("f", "w"))
    assert found == ["force 'f', joint: joint 'w' has no coordinate. Use a joint that can move."]


def test_references_that_are_met(faults):
    good = [
        gs.SpringDamper("f1", "ground", "bar.tip", damping=1),
        gs.Force("f2", "bar.hub", (1, 0, 0), "bar.hub"),
        gs.Torque("f3", "bar", (1, 0, 0), "ground"),
        gs.Actuator("f4", "c.displacement"),
        gs.TorsionSpring("f5", "a1", 1),
        gs.Bushing("f6", ("ground", (1, 0, 0)), "bar", (1, 1, 1)),
    ]
    assert faults(BAR, HINGE, SLEEVE, *good) == []


def test_joints_from_a_body_to_itself(faults):
    assert faults(BAR, HINGE, gs.Revolute("j", "bar", "bar.tip")) == [
        "joint 'j', child: it connects body 'bar' to itself. Connect two different bodies."
    ]
    assert faults(gs.Weld("j", "ground", ("ground", (1, 0, 0)))) == [
        "joint 'j', child: it connects body 'ground' to itself. Connect two different bodies."
    ]


def test_bodies_without_a_chain_to_the_ground(faults):
    others = [gs.Body(f"b{i}", mass=1, inertia=(1, 1, 1)) for i in range(3)]
    found = faults(BAR, HINGE, *others, gs.Weld("w", "b0", "b1"))
    assert found == [
        f"body '{name}': no chain of joints connects it to the ground. "
        f"Add a joint; a body that flies freely has Free('{name}_motion', 'ground', '{name}')."
        for name in ("b0", "b1", "b2")
    ]
    assert (
        faults(BAR, HINGE, *others, gs.Weld("w", "b0", "b1"), gs.Weld("v", "b1", "bar"), gs.Free("f", "b2", "b0")) == []
    )


def test_forces_do_not_connect(faults):
    spring = gs.SpringDamper("s", "ground", "bar", damping=1)
    assert len(faults(BAR, spring)) == 1


@pytest.mark.parametrize(
    ("force", "message"),
    [
        (
            gs.SpringDamper("f", "bar.tip", "bar.tip", damping=1),
            "force 'f': it acts between bar.tip and itself. Connect two different places.",
        ),
        (
            gs.Bushing("f", ("bar", (1, 0, 0)), ("bar", (1, 0, 0)), (1, 1, 1)),
            "force 'f': it acts between bar at (1, 0, 0) and itself.",
        ),
        (
            gs.SpringDamper("f", "ground", "ground.p", damping=1),
            "force 'f': it acts on the ground, which does not move.",
        ),
        (
            gs.Force("f", "ground.p", (1, 0, 0)),
            "force 'f': it acts on the ground, which does not move. Let it act on a body.",
        ),
        (gs.Force("f", "ground", (1, 0, 0), "bar"), "force 'f': it acts on the ground, which does not move."),
        (gs.Torque("f", "ground", (1, 0, 0)), "force 'f': it acts on the ground, which does not move."),
    ],
)
def test_forces_without_effect(faults, force, message):
    [found] = faults(gs.Body("ground", points={"p": (1, 0, 0)}), BAR, HINGE, force)
    assert found.startswith(message)


def test_forces_inside_a_body_are_allowed(faults):
    assert faults(BAR, HINGE, gs.SpringDamper("f", "bar", "bar.tip", damping=1)) == []
