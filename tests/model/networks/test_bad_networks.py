"""Networks that have no solution are refused with the names of their elements."""

from __future__ import annotations

import pytest
from networks import network, rc_circuit

import gyrostat as gs

R = gs.Resistor("R", "a", "g", 1.0)
FAULTS = {
    "floating nodes": (
        (R, gs.Resistor("S", "x", "y", 1.0)),
        r"nodes 'x', 'y' of 'S' are connected with no datum: their network floats\. Add a datum, as in Datum\('y'\)",
    ),
    "two domains": (
        (R, gs.Resistor("S", "a", "h", 1), gs.Datum("h", "thermal")),
        r"element 'h': it is thermal, and datum 'g' of the same network is electrical\. A network has one domain",
    ),
    "between data": ((R, gs.Datum("a")), r"element 'R': both of its ends are data, which are one node\. Connect two"),
    "lonely datum": ((R, gs.Datum("h")), r"element 'h': no element is at this node\. Connect one"),
    "loop of sources": (
        (gs.VoltageSource("E1", "a", "g", 1), gs.VoltageSource("E2", "a", "g", 2), R),
        r"element 'E2': it closes a loop of given voltages with 'E1'\. Leave one of them out, or put a resistance",
    ),
    "cutset of sources": (
        (R, gs.CurrentSource("J1", "g", "b", 1), gs.CurrentSource("J2", "b", "a", 2)),
        r"only given currents flow to one of its ends: a cutset with 'J.'\. Connect the end by a resistance",
    ),
    "open source": (
        (R, gs.CurrentSource("J1", "a", "b", 1)),
        r"element 'J1': only given currents flow to one of its ends, of this element alone",
    ),
    "contradictory capacitors": (
        (gs.Capacitor("C1", "a", "g", 1, 5), gs.Capacitor("C2", "g", "a", 1, 3), R),
        r"'C2': its initial voltage 3 contradicts that of 'C1', from which -5 follows\. Leave the initial",
    ),
    "contradictory inductors": (
        (R, gs.Inductor("L1", "a", "b", 1, 5), gs.Inductor("L2", "b", "g", 1, 3)),
        r"its initial current . contradicts that of 'L.', from which . follows",
    ),
    "hidden index": (
        (
            gs.VoltageSource("E", "a", "g", "t"),
            R,
            gs.OperationalAmplifier("A", "a", "g", "o", "g"),
            gs.Resistor("S", "o", "g", 1),
        ),
        r"the equations of 'A' leave no unknown that they could determine\..* \(hidden index 2\); put a resistance",
    ),
    "one node": (
        (R, gs.Resistor("S", "a", "a", 1)),
        r"element 'S': both of its ends are node 'a'\. Connect two different",
    ),
    "node and component": (
        (gs.Resistor("S", "R", "g", 1), R),
        r"node 'R': a component of the model has the same name\. Rename one of them",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_fault_is_explained(name: str) -> None:
    elements, message = FAULTS[name]
    with pytest.raises(gs.ModelError, match=message):
        network(*elements).check()


def test_no_datum() -> None:
    model = gs.Model("no datum")
    model.add(gs.Resistor("R", "a", "b", 1))
    with pytest.raises(gs.ModelError, match=r"nodes 'a', 'b' of 'R' are connected with no datum"):
        gs.formulate(model)


def test_domains_do_not_mix() -> None:
    with pytest.raises(gs.ModelError, match=r"element 'D': it is electrical, and its network is hydraulic\. Use an"):
        network(R, gs.Diode("D", "a", "g"), domain="hydraulic").check()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: gs.Resistor("R", "a", "b", 0), "the resistance is zero. Join the two nodes"),
        (lambda: gs.Capacitor("C", "a", "b", -1), "-1 is not positive. Leave the element out"),
        (lambda: gs.Inductor("L", "a", "b", 0), "0 is not positive. Leave the element out"),
        (lambda: gs.LawElement("X", "a", "b"), "it has no law. Give through_law="),
        (lambda: gs.LawElement("X", "a", "b", through_law="across", equation="across"), "explicit law and an equation"),
        (lambda: gs.OperationalAmplifier("A", "a", "b", "c", "g", limit=5), "an ideal amplifier has no limit"),
        (lambda: gs.Datum("g", "optical"), "'optical' is not one of the choices"),
        (lambda: gs.Switch("S", "a", "b", "t > 1", on=0), "0 is not positive"),
        (lambda: gs.Resistor("R", "a", 3, 1), "3 is not the name of a node"),
    ],
)
def test_wrong_values_are_refused(make: object, message: str) -> None:
    with pytest.raises(gs.ModelError, match=message):
        make()


def test_a_source_that_depends_on_its_own_network_is_refused() -> None:
    model = network(gs.VoltageSource("E", "a", "g", "2*R.current + 1"), R)
    with pytest.raises(gs.ModelError, match=r"its law depends on its own value: .*R\.current"):
        model.check()


def test_unknown_names_in_laws_are_explained() -> None:
    with pytest.raises(gs.ModelError, match=r"element 'E'.*refers to 'Q'"):
        network(gs.VoltageSource("E", "a", "g", "Q"), R).check()


def test_elements_can_be_replaced_and_removed() -> None:
    model = rc_circuit()
    model.replace(gs.Resistor("R3", "b", "g", 1))
    model.remove("R2", "E1")
    assert gs.formulate(model).state_names == ("C4.voltage",)
    with pytest.raises(gs.ModelError, match=r"it cannot be removed while element 'R3' refers to 'g'"):
        model.remove("g")
