"""Modes: classification of eigenvalues, shapes, energies, tables, pictures, and tracking by name."""

from math import pi, sqrt
from pathlib import Path

import numpy as np
import pytest
from campaign import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from linear_models import hanging_four_bar, rotating_pendulum, sleeping_top, slider_pendulum

import gyrostat as gs
from gyrostat.analysis.variations.spectrum import spectrum


def blocks(*parts: np.ndarray) -> np.ndarray:
    from scipy.linalg import block_diag

    return np.asarray(block_diag(*parts), dtype=float)


def jordan(value: float, size: int) -> np.ndarray:
    return value * np.eye(size) + np.eye(size, k=1)


@settings(deadline=None, max_examples=examples(100))
@given(st.integers(0, 2**32 - 1))
def test_zero_repeated_and_defective_eigenvalues_are_told_apart(seed: int) -> None:
    """In random coordinates: a chain of two zeros, a single zero, −1 twice, −2 defective, a pair, and −3."""
    pair = np.array([[-0.5, 2.0], [-2.0, -0.5]])
    matrix = blocks(jordan(0, 2), np.zeros((1, 1)), -np.eye(2), jordan(-2, 2), pair, np.array([[-3.0]]))
    rng = np.random.default_rng(seed)
    Q = np.linalg.qr(rng.normal(size=matrix.shape))[0]
    turn = Q @ np.diag(rng.uniform(0.5, 2.0, len(matrix)))
    A = turn @ matrix @ np.linalg.inv(turn)
    found = spectrum(A)
    facts = [(round(one.value.real, 6), round(one.value.imag, 6), one.multiplicity, one.vectors) for one in found]
    assert facts == [
        *[(0, 0, 3, 2)] * 2,
        *[(-1, 0, 2, 2)] * 2,
        *[(-2, 0, 2, 1)] * 2,
        (-3, 0, 1, 1),
        (-0.5, 2, 1, 1),
        (-0.5, -2, 1, 1),
    ]
    assert sorted(one.chain for one in found[:2]) == [1, 2]
    for one in found:
        assert np.abs(A @ one.right - one.value * one.right).max() < 1e-7 * np.abs(one.right).max()
        assert np.abs(one.left.conj() @ A - one.value * one.left.conj()).max() < 1e-7 * np.abs(one.left).max()
    simple = [one for one in found if not one.defective]
    for one in simple:
        assert np.vdot(one.left, one.right) == pytest.approx(1.0)
    assert abs(np.vdot(simple[0].left, simple[1].right)) < 1e-9  # repeated, but vectors are matched


def test_slow_and_fast_modes_in_one_system() -> None:
    """Eight decades of frequency, a rigid body, and no eigenvalue is taken for another."""
    model = gs.Model("wide")
    for name, stiffness in (("slow", 1e-4), ("fast", 1e12)):
        model.add(gs.Body(name, gs.point_mass(1.0)))
        model.add(gs.Prismatic(f"x_{name}", "ground", name, axis="x"))
        model.add(gs.TorsionSpring(f"s_{name}", f"x_{name}", stiffness=stiffness))
    model.add(gs.Body("free", gs.point_mass(1.0)))
    model.add(gs.Prismatic("x_free", "ground", "free", axis="x"))
    modes = gs.linearize(model).modes()
    assert [mode.kind.value for mode in modes] == ["rigid body", "oscillation", "oscillation"]
    assert [mode.eigenvalue.imag for mode in modes][1:] == pytest.approx([1e-2, 1e6], rel=1e-9)


def test_numbers_of_a_mode_by_hand() -> None:
    mode = gs.linearize(slider_pendulum()).modes()[0]
    value = mode.eigenvalue
    assert mode.oscillates
    assert mode.frequency == pytest.approx(0.7478154173420137 / (2 * pi))
    assert mode.undamped_frequency == pytest.approx(abs(value) / (2 * pi))
    assert mode.damping_ratio == pytest.approx(0.3121772274011186 / abs(value))
    assert mode.time_constant == pytest.approx(1 / 0.3121772274011186)
    assert mode.period * mode.frequency == pytest.approx(1.0)
    assert mode.verdict.value == "stable"


def test_critical_damping_is_recognised_as_defective() -> None:
    model = gs.Model("critical", parameters={"c": 20.0})
    model.add(gs.Body("mass", gs.point_mass(1.0)))
    model.add(gs.Prismatic("x", "ground", "mass", axis="x"))
    model.add(gs.TorsionSpring("spring", "x", stiffness=100.0, damping="c"))
    modes = gs.linearize(model).modes()
    assert [mode.defective for mode in modes] == [True, True]
    assert modes.eigenvalues == pytest.approx([-10, -10])
    assert "2-fold, defective" in str(modes)


def test_shapes_in_terms_of_joints_and_points() -> None:
    lin = gs.linearize(hanging_four_bar(1.0))
    mode = lin.modes()[0]
    assert mode.shape.sel(coordinate=["h1", "h2", "h3"]).values == pytest.approx([1, -1, 1])
    assert mode.phase.sel(coordinate="h2").item() == pytest.approx(pi)
    points = mode.points()
    assert points.displacement.sel(place="a.r").values == pytest.approx([1, 0, 0], abs=1e-12)
    assert points.displacement.sel(place="b").values == pytest.approx([1, 0, 0], abs=1e-12)
    assert points.turn.sel(body="b").values == pytest.approx([0, 0, 0], abs=1e-12)
    energy = mode.energy()
    assert energy.kinetic.values == pytest.approx([1 / 5, 3 / 5, 1 / 5])
    assert energy.stiffness.sum().item() == pytest.approx(1.0)


def test_outputs_move_with_a_mode() -> None:
    """The hinge that closes the loop, a point, and a load that only motion makes."""
    mode = gs.linearize(hanging_four_bar(1.0)).modes()[0]
    found = mode.outputs("h4", "a.r", "h1.acc")
    assert found.sel(output="h4").item() == pytest.approx(1.0)
    assert found.sel(output=["a.r.x", "a.r.y"]).values == pytest.approx([1, 0], abs=1e-12)
    assert found.sel(output="h1.acc").item() == pytest.approx(-6 * 9.81 / 5)


def test_energy_by_element_explains_frequency_and_damping() -> None:
    for mode in gs.linearize(slider_pendulum(), parameters={"c": 0.5}).modes():
        energy = mode.energy()
        assert energy.kinetic.sum().item() == pytest.approx(1.0)
        assert energy.stiffness.sum().item() == pytest.approx(1.0, abs=1e-3)
        assert energy.damping.sel(element="spring").item() == pytest.approx(mode.damping_ratio, rel=1e-4)


def test_participation_sums_up_to_one() -> None:
    for mode in gs.linearize(slider_pendulum()).modes():
        assert mode.participation().sum().item() == pytest.approx(1.0)


def test_rigid_body_and_stability() -> None:
    model = gs.Model("free pair")
    for name in ("a", "b"):
        model.add(gs.Body(name, gs.point_mass(1.0)))
        model.add(gs.Prismatic(f"x_{name}", "ground", name, axis="x"))
    model.add(gs.TorsionSpring("link", "x_b", torque="-50*(x_b - x_a)"))
    model.add(gs.TorsionSpring("back", "x_a", torque="-50*(x_a - x_b)"))
    modes = gs.linearize(model).modes()
    assert [mode.kind for mode in modes] == [gs.ModeKind.RIGID_BODY, gs.ModeKind.OSCILLATION]
    assert modes[0].shape.values == pytest.approx([1, 1])
    assert modes[1].shape.values == pytest.approx([1, -1])
    assert modes[1].eigenvalue == pytest.approx(10j)
    assert modes.stability.verdict.value == "undecided"
    assert "rigid body" in str(modes)
    assert modes.eigenvalues == pytest.approx([0, 0, 10j, -10j])


def test_table() -> None:
    text = str(gs.linearize(slider_pendulum()).modes())
    assert text.startswith("Modes of 'slider-pendulum'; stable: all modes decay")
    assert "real part  imaginary part  damped (Hz)  undamped (Hz)" in text
    assert "-0.226284         3.02355     0.481213       0.482559  0.07463" in text
    frame = gs.linearize(slider_pendulum()).modes().table()
    assert list(frame["kind"]) == ["oscillation", "oscillation"]
    assert "<table>" in gs.linearize(slider_pendulum()).modes()._repr_html_()
    assert "50.50°" in str(gs.linearize(slider_pendulum()).modes()[0])


def test_left_out_states_move_along_in_shapes() -> None:
    at = {"theta": pi / 6, "phi.rate": sqrt(9.81 / 0.5 / np.cos(pi / 6))}
    lin = gs.linearize(rotating_pendulum(), at)
    whole, part = lin.modes()[-1], lin.without_ignorable().modes()[-1]
    assert part.shape.values == pytest.approx(whole.shape.values)


def test_pictures(tmp_path: Path) -> None:
    modes = gs.linearize(hanging_four_bar(2.0)).modes()
    page = modes.animate(0, tmp_path / "mode.html")
    assert "mode 0, 0.6915 Hz" in page.read_text(encoding="utf-8")
    modes[0].plot(path=tmp_path / "shape.svg")
    modes.plot(path=tmp_path / "eigenvalues.svg")
    assert {path.name for path in tmp_path.iterdir()} == {"mode.html", "shape.svg", "eigenvalues.svg"}
    with pytest.raises(gs.StateError, match=r"no mode 3\. The modes are numbered from 0 to 0"):
        modes.animate(3, tmp_path / "mode.html")
    with pytest.raises(gs.PictureError, match=r"written as \.html, \.gif or \.mp4"):
        modes.animate(0, tmp_path / "mode.txt")
    with pytest.raises(gs.StateError, match="amplitude"):
        modes.animate(0, tmp_path / "mode.html", amplitude=-1.0)


def test_modes_keep_their_names_through_a_crossing(tmp_path: Path) -> None:
    """Two oscillators that do not know of each other, one ever stiffer: their frequencies cross."""
    model = gs.Model("two", parameters={"k": 50.0})
    for name, stiffness in (("a", "k"), ("b", 100.0)):
        model.add(gs.Body(name, gs.point_mass(1.0)))
        model.add(gs.Prismatic(f"x_{name}", "ground", name, axis="x"))
        model.add(gs.TorsionSpring(f"s_{name}", f"x_{name}", stiffness=stiffness, damping=0.1))
    locus = gs.root_locus(model, {"k": np.linspace(50, 150, 8)})
    found = [np.abs(locus[name].values.imag) for name in locus.names]
    for values in found:
        moving = values == pytest.approx(np.sqrt(locus.values - 0.0025), rel=1e-9)
        still = values == pytest.approx(np.full(8, sqrt(100 - 0.0025)), rel=1e-9)
        assert moving or still
    assert not locus.limits()
    named = locus.renamed({"0": "moving"})
    assert "moving" in named.names
    locus.plot(path=tmp_path / "plane.svg")
    locus.plot_over(path=tmp_path / "over.svg")
    locus.campbell(orders=(1, 2), path=tmp_path / "campbell.svg")
    assert len(list(tmp_path.iterdir())) == 3


def test_whirl_of_a_driven_rotor() -> None:
    """A disc on a sprung gimbal: I ω² ∓ I₃ Ω ω − k = 0, forward and backward whirl."""
    model = gs.Model("rotor", parameters={"Omega": 100.0})
    model.add(gs.Body("hub", mass=0))
    model.add(gs.Body("disc", mass=1.0, inertia=(0.02, 0.02, 0.04)))
    model.add(gs.Universal("gimbal", "ground", "hub"))
    model.add(gs.Revolute("spin", "hub", "disc", axis="z", driven="Omega*t"))
    for i in (1, 2):
        model.add(gs.TorsionSpring(f"spring{i}", f"gimbal.angle{i}", stiffness=50.0))
    locus = gs.root_locus(model, {"Omega": np.linspace(0, 200, 5)})
    for speed, values in zip(locus.values, locus.eigenvalues.values, strict=True):
        middle = 0.04 * speed / 0.02 / 2
        expected = [sqrt(middle**2 + 2500) - middle, sqrt(middle**2 + 2500) + middle]
        assert np.sort(values.imag)[2:] == pytest.approx(expected, rel=1e-9)


def test_root_locus_of_the_top_finds_the_least_spin() -> None:
    locus = gs.root_locus(sleeping_top(True), {"spin": np.linspace(40, 60, 9)})
    grows = (locus.eigenvalues.values.real > 1e-9).any(axis=1)
    assert list(grows) == [value < 48.522 for value in locus.values]


def test_root_locus_refusals() -> None:
    with pytest.raises(gs.StateError, match="no parameter 'q' to vary"):
        gs.root_locus(slider_pendulum(), {"q": [1, 2]})
    with pytest.raises(gs.StateError, match="over one parameter"):
        gs.root_locus(slider_pendulum(), {"k": [1, 2], "c": [1, 2]})
    with pytest.raises(gs.StateError, match=r"over one parameter: over=\{'m': \[1, 2, 3\]\}"):
        gs.root_locus(slider_pendulum(), "k", [1, 2])
    with pytest.raises(gs.StateError, match="at least two finite numbers"):
        gs.root_locus(slider_pendulum(), {"k": [1]})
    with pytest.raises(gs.StateError, match="no mode 'x'"):
        gs.root_locus(slider_pendulum(), {"k": [10, 20]})["x"]


def test_a_root_locus_does_not_pass_where_constraints_vanish() -> None:
    model = gs.Model("three slides", parameters={"p": 0.0})
    for name in "xyz":
        model.add(gs.Body(f"block_{name}", gs.point_mass(1)))
        model.add(gs.Prismatic(name, "ground", f"block_{name}", axis="x"))
        model.add(gs.TorsionSpring(f"spring_{name}", name, stiffness=4))
    model.add(gs.Equation("tie", "x - y"))
    model.add(gs.Equation("other", "x - y + p*(y - z)"))  # with p = 0 the same as the first
    with pytest.raises(gs.StateError, match="number of states changes between 0 and 1: constraints begin or cease to"):
        gs.root_locus(model, {"p": [0.0, 1.0]})


def test_a_coupling_of_the_size_of_rounding_is_balanced_without_a_warning(recwarn: pytest.WarningsRecorder) -> None:
    """SciPy casts the weights, which are beyond the range of whole numbers."""
    found = spectrum(np.array([[0.0, 1.0], [1e-40, 0.0]]))
    assert {one.value for one in found} == {0.0}
    assert not recwarn.list
