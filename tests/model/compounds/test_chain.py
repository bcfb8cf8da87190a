"""The chain of rods: its parts, and the same accelerations as a chain written out."""

import numpy as np
import pytest
from float_system import float_system

import gyrostat as gs
from gyrostat.errors import ModelError
from gyrostat.model.compounds import COMPOUNDS

PARAMETERS = {"m": 1.2, "l": 0.9, "c": 0.05}


def head() -> gs.Model:
    model = gs.Model("chain", gravity=(0, -9.81, 0), parameters=PARAMETERS)
    model.add(gs.Body("ground", points={"hook": (0.1, 2, 0)}))
    return model


def compound(**fields):
    model = head()
    model.add(gs.Chain("chain", "ground.hook", links=3, mass="m", length="l", **fields))
    return model


def by_hand():
    model = head()
    before = "ground.hook"
    for i in (1, 2, 3):
        points = {"top": (0, "l/6", 0), "tip": (0, "-l/6", 0)}
        model.add(gs.Body(f"link{i}", gs.slender_rod("m/3", "l/3", along="y"), points=points))
        model.add(gs.Revolute(f"hinge{i}", before, f"link{i}.top"))
        model.add(gs.TorsionSpring(f"damper{i}", f"hinge{i}", damping="c"))
        before = f"link{i}.tip"
    return model


def test_accelerations_are_those_of_a_chain_written_out():
    rng = np.random.default_rng(3)
    q, u = rng.normal(size=3), rng.normal(size=3)
    chain, written = float_system(compound(damping="c")), float_system(by_hand())
    np.testing.assert_allclose(chain.forward_dynamics(q, u), written.forward_dynamics(q, u), rtol=1e-12)


def test_other_components_refer_to_parts(tmp_path):
    model = compound()
    model.add(gs.Body("ball", gs.sphere(0.5, 0.1)))
    model.add(gs.Revolute("pin", "chain.link3.tip", "ball"))
    model.add(gs.TorsionSpring("spring", "chain.hinge2", stiffness="chain.hinge1**2 + 1"))
    model.add(gs.SpringDamper("rope", "chain.link1", ("chain.link2", (0, 0.1, 0)), stiffness=1, length=0))
    model.save(tmp_path / "chain.yaml")
    again = gs.Model.load(tmp_path / "chain.yaml")
    assert again == model
    for each in (model, again):
        system = gs.formulate(each)
        assert system.coordinate_names == ("pin", "chain.hinge1", "chain.hinge2", "chain.hinge3")
        assert system.model == model
    text = (tmp_path / "chain.yaml").read_text(encoding="utf-8")
    assert "compounds:\n  chain: {type: Chain, start" in text
    assert "link1:" not in text


def test_faults_of_fields():
    for fields, message in (
        ({"links": 0}, r"compound 'c', links: 0 is not a number of things\. Give a whole number from 1 to 10000\."),
        ({"links": 2.5}, r"compound 'c', links: 2\.5 is not a number of things"),
        ({"length": -1}, r"compound 'c', length: -1 is not positive"),
        ({"mass": "2 kg"}, r"compound 'c', mass: formula '2 kg' is a number followed by a word"),
    ):
        with pytest.raises(ModelError, match=message):
            gs.Chain("c", "ground", **{"links": 2, "mass": 1, "length": 1, **fields})


def test_every_compound_is_public_and_described():
    assert all(getattr(gs, tag) is COMPOUNDS.get(tag) for tag in COMPOUNDS.tags if hasattr(gs, tag))
    assert COMPOUNDS.get("Chain") is gs.Chain
    assert all("description" in field for field in gs.Chain.schema()["properties"].values())
