"""Refusals of multiple scales, in the mechanism's own names."""

import warnings
from typing import Any

import pytest
from scales_models import chain, driven_pendulum, pendulum, spring_pendulum

import gyrostat as gs
from gyrostat.analysis.scales import multiple_scales
from gyrostat.analysis.scales.mechanism import oscillators_of
from gyrostat.analysis.scales.ordering import Ordering


def block(**fields: Any) -> gs.Model:
    """A block on a spring, with a further element on its coordinate."""
    parameters = {"m": 1, "k": 10, "c": 0.1, "F": 0.1, "Omega": 3.0, "b": 0.2}
    model = gs.Model("block", gravity=(0, 0, 0), parameters=parameters)
    model.add(gs.Body("block", gs.point_mass("m")))
    model.add(gs.Prismatic("slide", "ground", "block", axis="x"))
    model.add(gs.TorsionSpring("spring", "slide", stiffness="k"))
    if fields:
        model.add(gs.TorsionSpring("extra", "slide", **fields))
    return model


@pytest.mark.parametrize(
    "law", ["-b*abs(angle)*angle", "-b*sign(rate)", "-b*sqrt(abs(angle))", "-b*max(angle, 0)", "-b*rate*abs(rate)"]
)
def test_terms_that_cannot_be_expanded(law: str) -> None:
    with pytest.raises(gs.ModelError, match=r"force 'extra': it cannot be expanded about the equilibrium") as error:
        oscillators_of(block(torque=law))
    assert "Multiple scales of 'block'" in str(error.value)


def test_zero_length_spring_cannot_be_expanded() -> None:
    model = gs.Model("string", gravity=(0, 0, 0), parameters={"m": 1, "k": 10})
    model.add(gs.Body("bead", gs.point_mass("m")))
    model.add(gs.Prismatic("slide", "ground", "bead", axis="x"))
    model.add(gs.SpringDamper("spring", "ground", "bead", stiffness="k", length=0.2))
    with pytest.raises(gs.ModelError, match=r"force 'spring'.*not smooth there"):
        oscillators_of(model, at={"slide": 0})


def test_unstable_equilibrium() -> None:
    with pytest.raises(gs.StateError, match=r"unstable: a small disturbance of 'a1' grows as exp\(3\.836 t\)"):
        oscillators_of(pendulum(), at={"a1": "pi"})
    with pytest.raises(gs.StateError, match=r"unstable: a small disturbance of 'a1', 'a2' grows"):
        oscillators_of(chain(2), at={"a1": "pi"})


def test_no_equilibrium() -> None:
    with pytest.raises(
        gs.StateError, match=r"not in equilibrium at a1 = 1/2: the residual loads are -4\.70316 on 'a1'"
    ):
        oscillators_of(pendulum(), at={"a1": 0.5})


@pytest.mark.parametrize(
    ("at", "message"),
    [
        ({"a2": 0}, "at names 'a2', which is no coordinate"),
        ({"a1": "pi*x"}, "The equilibrium of 'a1' refers to 'x', which is no parameter"),
        (3, "at=3 gives no equilibrium"),
    ],
)
def test_equilibria_that_cannot_be_read(at: Any, message: str) -> None:
    with pytest.raises(gs.StateError, match=message):
        oscillators_of(pendulum(), at=at)


def test_undeclared_resonance_is_told_of() -> None:
    with pytest.warns(match="near resonance is not declared: oscillator 'slide' is forced with the frequency"):
        multiple_scales(spring_pendulum(k=40.0), order=1, resonances=[])


def test_found_resonance_is_a_note_and_no_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = multiple_scales(spring_pendulum(k=40.0), order=1)
    assert "omega_r" in str(found.resonances[0])
    assert "2*omega_theta" in str(found.resonances[0])


def test_nothing_that_oscillates() -> None:
    model = gs.Model("driven", gravity=(0, 0, 0))
    model.add(gs.Body("bob", gs.point_mass(1)))
    model.add(gs.Prismatic("slide", "ground", "bob", driven="sin(t)"))
    with pytest.raises(gs.StateError, match="no free coordinates"):
        oscillators_of(model)


def test_damping_without_a_parameter() -> None:
    with pytest.raises(gs.ModelError, match=r"force 'extra': its damping has no parameter of its own.*numbers alone"):
        oscillators_of(block(damping=0.1))
    with pytest.raises(gs.ModelError, match=r"force 'extra': its damping has no parameter of its own.*consists of k"):
        oscillators_of(block(damping="0.01*k"))


def test_excitation_without_a_parameter() -> None:
    with pytest.raises(gs.ModelError, match=r"its excitation has no parameter of its own.*'F\*cos\(Omega\*t\)'"):
        oscillators_of(block(torque="0.1*cos(Omega*t)"))


@pytest.mark.parametrize(
    ("law", "fact"),
    [
        ("F*t", "time occurs outside sin and cos, in t"),
        ("F*exp(-t)", "time occurs outside sin and cos, in exp"),
        ("F*cos(Omega*t**2)", r"sin or cos of Omega\*t\*\*2 is no harmonic of time"),
        ("F*cos(Omega*sqrt(t))", r"sin or cos of Omega\*sqrt\(t\) is no harmonic of time"),
        ("F*cos(Omega*t/(1 + t))", "sin or cos of .* is no harmonic of time"),
        ("F*cos(sin(t))", r"sin or cos of sin\(t\) is no harmonic of time"),
        ("F*cos(Omega*t/m)", "is no harmonic of time.*with a parameter as frequency"),
    ],
)
def test_excitation_that_is_not_harmonic(law: str, fact: str) -> None:
    with pytest.raises(gs.ModelError, match=rf"force 'extra'.*{fact}"):
        oscillators_of(block(torque=law))


@pytest.mark.parametrize(
    ("law", "kind", "message"),
    [
        ("(k + F)*cos(Omega*t)", gs.StateError, r"The excitation -k cos\(Omega\*t\) of 'extra' is not small"),
        (
            "-(k + F)*cos(Omega*t)*angle",
            gs.ModelError,
            r"its excitation k cos\(Omega\*t\) changes the linear",
        ),
    ],
)
def test_excitation_of_which_a_part_is_small(law: str, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        oscillators_of(block(torque=law), ordering=Ordering(parameters={"F": 1}))


def test_strong_excitation_of_a_coefficient() -> None:
    """Excitation that shares its parameter with the stiffness is not small."""
    with pytest.raises(gs.ModelError, match="its excitation has no parameter of its own"):
        oscillators_of(block(torque="-k*cos(Omega*t)*angle"))


def test_gyroscopic_terms_are_refused_unless_small() -> None:
    parameters = {"m": 1, "J": 0.1, "k": 10, "k2": 22, "H": 0.3}
    model = gs.Model("gyro", gravity=(0, 0, 0), parameters=parameters)
    wheel = gs.Rotor("wheel", axis="z", inertia=0.05, momentum="H")
    model.add(gs.Body("plate", mass="m", inertia=("J", "J", "2*J"), rotors=[wheel]))
    model.add(gs.Universal("cross", "ground", "plate"))
    model.add(gs.TorsionSpring("spring1", "cross.angle1", stiffness="k"))
    model.add(gs.TorsionSpring("spring2", "cross.angle2", stiffness="k2"))
    with pytest.raises(gs.ModelError, match=r"inertia: the linear equations have gyroscopic terms.*with one of H"):
        oscillators_of(model)
    found = oscillators_of(model, ordering=Ordering(parameters={"H": 1}))
    assert [term.order for term in found.oscillators.terms if term.degree == 1] == [1, 1]


def test_followers_are_refused() -> None:
    """Beck's double pendulum: the load turns with the last bar."""
    model = gs.Model("follower", gravity=(0, 0, 0), parameters={"m": 1, "l": 1, "k": 10, "P": 3})
    before = "ground"
    for i in (1, 2):
        points = {"foot": (0, "-l/2", 0), "head": (0, "l/2", 0)}
        model.add(gs.Body(f"bar{i}", gs.rod("m", "l", along="y"), points=points))
        model.add(gs.Revolute(f"a{i}", before, f"bar{i}.foot"))
        model.add(gs.TorsionSpring(f"spring{i}", f"a{i}", stiffness="k"))
        before = f"bar{i}.head"
    model.add(gs.Force("thrust", "bar2.head", (0, "-P", 0), axes="body"))
    with pytest.raises(gs.ModelError, match=r"force 'thrust': the stiffness between 'a1' and 'a2' is not symmetric"):
        oscillators_of(model)
    assert oscillators_of(model, ordering=Ordering(parameters={"P": 1})).ordering.powers == {"P": 1}


def test_inputs_that_cannot_be_read() -> None:
    model = pendulum()
    model.add(gs.Actuator("motor", "a1"))
    with pytest.raises(gs.StateError, match=r"There is no input 'moter'\. Did you mean 'motor'"):
        oscillators_of(model, inputs={"moter": "1"})
    with pytest.raises(gs.StateError, match="Input 'motor' is function, which has no expansion"):
        oscillators_of(model, inputs={"motor": lambda t: 0.0})
    with pytest.raises(gs.StateError, match=r"of input 'motor' refers to 'a1\.acc', which needs accelerations"):
        oscillators_of(model, inputs={"motor": "-a1.acc"})


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"amplitude": 2}, "amplitude is 2. Give 1"),
        ({"damping": 0}, "damping is 0. Give a whole power of ε, at least 1"),
        ({"parameters": {"c": 1.5}}, "c is 1.5. Give a whole power of ε, at least 0"),
    ],
)
def test_orderings_that_make_no_sense(given: Any, message: str) -> None:
    with pytest.raises(gs.StateError, match=message):
        Ordering(**given)


def test_orderings_that_do_not_fit() -> None:
    with pytest.raises(gs.StateError, match=r"amplitude is 1/2, but terms of second degree \(inertia, gravity\)"):
        oscillators_of(spring_pendulum(), ordering=Ordering(amplitude=0.5))
    with pytest.raises(gs.StateError, match="The ordering names 'd', which is no parameter"):
        oscillators_of(driven_pendulum(), ordering=Ordering(parameters={"d": 1}))
    with pytest.raises(gs.StateError, match=r"puts a term of 'extra' at ε\^1\.5\. Use whole powers"):
        oscillators_of(block(torque="-b*angle**2"), order=2, ordering=Ordering(amplitude=0.5, parameters={"b": 1}))


def test_coordinates_that_move_one_mass_alike() -> None:
    """Two links without mass that hang straight: both angles move the bob to the side, nothing moves it along."""
    model = gs.Model("light", gravity=(0, "-g", 0), parameters={"g": 9.81})
    model.add(gs.Body("link", gs.point_mass(0), points={"top": (0, 1, 0)}))
    model.add(gs.Revolute("upper", "ground", "link.top"))
    model.add(gs.Body("bob", gs.point_mass(1), points={"top": (0, 1, 0)}))
    model.add(gs.Revolute("lower", "link", "bob.top"))
    with pytest.raises(gs.StateError, match=r"mass matrix of 'upper', 'lower' is not positive definite\. Give all"):
        oscillators_of(model)


def test_force_of_leading_order_at_a_natural_frequency() -> None:
    """A secular term at the equilibrium itself: the force is said to be hard, and has the natural frequency."""
    model = block(torque="F*cos(Omega*t) - b*angle**3")
    with pytest.raises(gs.ModelError, match=r"oscillator 'slide'.*forced at order zero with its own frequency"):
        multiple_scales(model, resonances=["Omega = omega_slide"], ordering=Ordering(forcing=0))
