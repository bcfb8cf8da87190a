"""Fields of force elements: requirements, names in their laws, written form."""

import pytest

import gyrostat as gs
from gyrostat.errors import ModelError
from gyrostat.model.forces import FORCES
from gyrostat.model.kinds import End, FormulaUse
from gyrostat.model.place import Place

MADE = {
    "SpringDamper": gs.SpringDamper("f", "ground", "b.tip", 100, "c", "l0", "k3*(length - l0)**3 - rate"),
    "TorsionSpring": gs.TorsionSpring("f", "c.angle", "k", 0.1, "30*deg", "-sign(rate) + angle"),
    "JointSpring": gs.JointSpring("f", "c.displacement", "k", 0.1, length="l0", force="-sign(rate) + length"),
    "BendingSpring": gs.BendingSpring("f", "ground", "b.tip", ("b", (0, "l", 0)), "k", 0.1),
    "SheaveContact": gs.SheaveContact(
        *("f", "b.tip", gs.Pulley("sheave", "wheel.hub", "l", "right", mu="mu"), gs.KelvinVoigt("k", 10)),
        gs.LimitedViscous("mu", "c"),
        side_stiffness="k",
        side_load=5,
    ),
    "Bushing": gs.Bushing("f", "ground", ("b", (0, "l", 0)), (1, 2, 3), (0, 0, "c"), rotational_stiffness=(4, 5, 6)),
    "CompliantJoint": gs.CompliantJoint("f", gs.Revolute("joint", "ground", "b.tip", axis="x"), "k", 0.1, length="l"),
    "Force": gs.Force("f", "b.tip", (0, "F*sin(t)", 0), "body"),
    "Torque": gs.Torque("f", "b", (0, 0, "motor + a1.rate"), "b.hub"),
    "Actuator": gs.Actuator("f", "c.displacement"),
    "DCMotor": gs.DCMotor("f", "a1", 1.2, "L", 0.05, gear="N", voltage="12*sin(t)", initial="i0"),
    "Contact": gs.Contact(
        "f",
        "b",
        "ground.floor",
        gs.HuntCrossley("k", 1.5, restitution=0.8),
        gs.Bristle(0.3, "mu", 1e5, 300, 0.01),
        rolling=gs.RollingResistance("l"),
        shape_a=gs.shapes.Sphere("l"),
    ),
    "Contacts": gs.Contacts("f", among=["b", "ground"], normal=gs.KelvinVoigt("k", 10), friction=gs.Coulomb(0.3, 0.01)),
    "Grains": gs.Grains(
        "f",
        ["l", 0.1],
        "m",
        ["ground", "b"],
        count=5,
        fill=gs.shapes.Box((1, "l", 2), at=(0, 0, "l")),
        normal=gs.HuntCrossley("k", restitution=0.5),
        friction=gs.GranularFriction("mu", 0.1),
        wall_friction=gs.GranularFriction(0.2),
        step="1e-3*l",
    ),
    "RigidContact": gs.RigidContact(
        "f", "b", "ground.floor", "mu", "2*mu", 0.5, law="stronge", shape_a=gs.shapes.Sphere("l")
    ),
    "Tyre": gs.Tyre(
        "f",
        "b",
        "ground.road",
        gs.MagicFormula(gs.MagicCurve(10, 1.9, "mu", 0.97), gs.MagicCurve(12, 1.6, 1)),
        radius="l",
        normal=gs.KelvinVoigt("k", 10),
        relaxation="l",
        surface=gs.shapes.Relief("0.1*sin(x)"),
    ),
    "Reeving": gs.Reeving(
        "f",
        ["b", gs.Pulley("p", "ground.floor", "l", "left", lifts=True), gs.Pulley("q", "b.hub", 1, "right", "mu"), "a"],
        "l0",
        "k",
        relaxation=1e-5,
    ),
    "Belt": gs.Belt("f", [gs.Pulley("p", "a", "l", "left", grip=True), gs.Pulley("q", "b", 1, "left")], "l0", 1e5, 10),
    "Winch": gs.Winch("f", "rope", "a1", "l", layers=3, turns=20, diameter="d", at="last"),
    "VariableMass": gs.VariableMass(
        "f",
        "b",
        mass="m - q*t",
        center=(0, "l", 0),
        inertia=(1, 1, "1 + q*t"),
        shifts=True,
        exit_velocity=(0, 0, "-w"),
        at="b.hub",
    ),
    "Bond": gs.Bond(
        "f", "b", "a", "strength", stiffness="k", damping=3, axis="-x", length="l", shear_stiffness=0, shear_limit=7
    ),
    "JointLimit": gs.JointLimit("f", "a1", gs.HuntCrossley("k", 1, restitution=0.3), "-30*deg", "a_max"),
    "JointFriction": gs.JointFriction("f", "a1", gs.Bristle(0.3, "mu", 1e5, 300, 0.01, breakaway=0.8), load="9.81*m"),
}
EVERY = pytest.mark.parametrize("tag", FORCES.tags)


@EVERY
def test_plain_form_round_trips_and_fits_the_schema(tag, validator):
    force = MADE[tag]
    plain = force.to_plain()
    place = Place("again")
    assert type(force).from_plain(plain, place, name="f") == force
    assert place.faults == ()
    check = validator(type(force).schema())
    check.validate(plain)
    assert not check.is_valid({**plain, "colour": 1})
    assert not check.is_valid({})


@EVERY
def test_fields_are_described(tag):
    assert all("description" in field for field in FORCES.get(tag).schema()["properties"].values())


def test_written_forms():
    assert MADE["SpringDamper"].to_plain() == {
        "a": "ground",
        "b": "b.tip",
        "stiffness": 100,
        "damping": "c",
        "length": "l0",
        "force": "k3*(length - l0)**3 - rate",
    }
    assert MADE["Force"].to_plain() == {"at": "b.tip", "components": [0, "F*sin(t)", 0], "axes": "body"}
    assert MADE["Torque"].to_plain()["axes"] == "b.hub"
    assert MADE["Actuator"].to_plain() == {"joint": "c.displacement"}


@pytest.mark.parametrize(
    ("axes", "held", "written"),
    [
        ("world", End("ground"), None),
        ("ground", End("ground"), None),
        ("body", None, "body"),
        (None, None, "body"),
        ("b", End("b"), "b"),
        ("b.hub", End("b", "hub"), "b.hub"),
    ],
)
def test_axes_of_components(axes, held, written):
    force = gs.Force("f", "b", (1, 2, 3), axes)
    assert force.axes == held
    assert force.to_plain().get("axes") == written


def test_inputs_come_from_actuators_and_contacts_by_kernels_only():
    found = {tag: force.inputs for tag, force in MADE.items() if force.inputs}
    assert found.keys() == {"Actuator", "Contacts", "Grains", "RigidContact"}
    assert found["Actuator"] == ("f",)
    assert found["Contacts"][5:7] == ("f.load.5", "f.sum.depth")
    assert found["Grains"][11:13] == ("f.load.11", "f.sum.touching")
    assert found["RigidContact"][:2] == ("f.normal", "f.tangent_x")
    assert {tag for tag, force in MADE.items() if force.in_kernel} == {"Contacts", "Grains"}


@pytest.mark.parametrize(
    ("tag", "field", "time", "system", "variables"),
    [
        ("SpringDamper", "stiffness", True, True, set()),
        ("SpringDamper", "force", True, True, {"length", "rate"}),
        ("TorsionSpring", "stiffness", True, True, set()),
        ("TorsionSpring", "torque", True, True, {"angle", "rate"}),
        ("Bushing", "damping", False, False, set()),
        ("Force", "components", True, True, set()),
        ("Torque", "components", True, True, set()),
    ],
)
def test_what_laws_may_use(tag, field, time, system, variables):
    scopes = {use.scope for use in MADE[tag].uses() if isinstance(use, FormulaUse) and use.path[0] == field}
    assert [(scope.time, scope.system, set(scope.variables)) for scope in scopes] == [(time, system, variables)]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: gs.SpringDamper("f", "a", "b", 100), r"force 'f': it has stiffness but no natural length\. Give"),
        (lambda: gs.SpringDamper("f", "a", "b", "k"), r"force 'f': it has stiffness but no natural length"),
        (lambda: gs.SpringDamper("f", "a", "b"), r"force 'f': it has no stiffness, damping or force\. Give"),
        (lambda: gs.SpringDamper("f", "a", "b", length=1), r"force 'f': it has no stiffness, damping or force"),
        (lambda: gs.SpringDamper("f", "a", 4, damping=1), r"force 'f', b: 4 is not a place on a body"),
        (lambda: gs.TorsionSpring("f", "a1"), r"force 'f': it has no stiffness, damping or torque\. Give at least one"),
        (lambda: gs.TorsionSpring("f", 3, 1), r"force 'f', joint: 3 is not the name of a coordinate"),
        (lambda: gs.Bushing("f", "a", "b"), r"force 'f': it has no stiffness or damping\. Give at least one of them"),
        (lambda: gs.Bushing("f", "a", "b", 3), r"force 'f', stiffness: 3 is not a vector"),
        (lambda: gs.Force("f", "a", 3), r"force 'f', components: 3 is not a vector"),
        (lambda: gs.Force("f", "a", (1, 2, 3), 7), r"force 'f', axes: 7 is not a place on a body"),
        (lambda: gs.Torque("f", "b tip", (1, 2, 3)), r"force 'f', body: 'b tip' cannot be a name"),
        (lambda: gs.Actuator("f", "a b"), r"force 'f', joint: 'a b' cannot be a name"),
    ],
)  # fmt: skip
def test_forces_that_are_refused(make, message):
    with pytest.raises(ModelError, match=message):
        make()


def test_one_law_is_enough():
    assert gs.SpringDamper("f", "a", "b", damping=1).length is None
    assert gs.SpringDamper("f", "a", "b", force="100*(length - 1)").stiffness.number == 0
    assert gs.TorsionSpring("f", "a1", torque="-angle**3")
    assert gs.Bushing("f", "a", "b", rotational_damping=(0, 0, 1))
