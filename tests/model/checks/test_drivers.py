"""Drivers that fight."""

import pytest

import gyrostat as gs

BODIES = [gs.Body(f"b{i}", gs.sphere(1, 1)) for i in (1, 2, 3)]


def driven(name, parent, child):
    return gs.Revolute(name, parent, child, driven="t")


def test_an_actuator_on_a_driven_coordinate(faults):
    body = BODIES[0]
    assert faults(body, driven("a1", "ground", "b1"), gs.Actuator("motor", "a1")) == [
        "force 'motor', joint: 'a1' is driven as a function of time, so an actuator on it has no effect. "
        "Remove the actuator, or driven=… of joint 'a1'."
    ]
    sleeve = gs.Cylindrical("c", "ground", "b1", driven={"angle": "t"})
    assert len(faults(body, sleeve, gs.Actuator("motor", "c.angle"))) == 1
    assert faults(body, sleeve, gs.Actuator("motor", "c.displacement")) == []


@pytest.mark.parametrize(
    ("joints", "conflicts"),
    [
        ([driven("a1", "ground", "b1"), driven("a2", "ground", "b1")], ["a2"]),
        ([driven("a1", "ground", "b1"), gs.Weld("w", "ground", "b1")], ["a1"]),
        ([driven("a1", "ground", "b1"), driven("a2", "b1", "b2"), driven("a3", "b2", "ground")], ["a3"]),
        ([driven("a1", "ground", "b1"), driven("a2", "b1", "b2"), gs.Revolute("a3", "b2", "ground")], []),
        ([gs.Weld("w1", "ground", "b1"), gs.Weld("w2", "b1", "ground")], []),
        ([driven("a1", "ground", "b1"), gs.Cylindrical("c", "ground", "b1", driven={"angle": "t"})], []),
        (
            [
                driven("a1", "ground", "b1"),
                gs.Cylindrical("c", "b1", "ground", driven={"angle": "t", "displacement": 1}),
            ],
            ["c"],
        ),
        (
            [
                gs.Weld("w", "ground", "b1"),
                driven("a1", "b1", "b2"),
                driven("a2", "ground", "b2"),
                driven("a3", "b2", "b1"),
            ],
            ["a2", "a3"],
        ),
    ],
)
def test_drivers_around_a_closed_chain(faults, joints, conflicts):
    needed = {end.body for joint in joints for end in (joint.parent, joint.child)}
    found = faults(*(body for body in BODIES if body.name in needed), *joints)
    assert found == [
        f"joint '{name}', driven: its motion is driven, but other drivers and welds between the same bodies already "
        "prescribe it. Remove one of the drivers of this closed chain."
        for name in conflicts
    ]
