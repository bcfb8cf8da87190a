"""Names with dots everywhere: each example as parts of an owner gives the same numbers under the names of the parts.

Equal graphs of programs give equal numbers, bit for bit, so that graphs are compared for all examples and analyses by
name for some.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from campaign import SOAK, examples_by_size
from owned_models import owned

import gyrostat as gs
from gyrostat.analysis.simulation.trajectory import Trajectory
from gyrostat.model.formula import Formula
from gyrostat.program.graph import read_graph
from gyrostat.recipes.signals import values_and_rates_recipe
from gyrostat.recipes.table import RECIPES, SOFTNESS
from gyrostat.recipes.tracing import build_function
from gyrostat.signals.signal import Level
from gyrostat.system import System, formulate
from gyrostat.topology.element_graph import ElementKind
from gyrostat.written.export import c_source, python_source
from gyrostat.written.symbols import Symbols

EXAMPLES = Path(__file__).parent.parent / "examples"
NAMES = examples_by_size(path.stem for path in EXAMPLES.glob("*.yaml"))
OWNERS = ("outer", "inner")
COORDINATES = ("joint", "absolute", "branch")
RECIPES_OF_NAMES = ("reactions", "powers", "multipliers", "driven", "chords")
"""Recipes that read names of bodies, joints, coordinates and forces."""


def renamed(name: str) -> str:
    """Return the name of the same quantity in the model of parts."""
    return name if name == "t" or name.split(".")[0] == "ground" else f"{'.'.join(OWNERS)}.{name}"


def element(name: str) -> str:
    """Return the name of an element without the position of a place: a place on the ground of a part has no name."""
    return "ground" if name.startswith("ground") else name.partition(" at ")[0]


@cache
def model(name: str) -> gs.Model:
    return gs.Model.load(EXAMPLES / f"{name}.yaml")


@cache
def parts(name: str) -> gs.Model:
    return owned(model(name), *OWNERS)


@cache
def systems(name: str, coordinates: str = "joint") -> tuple[System, System]:
    return formulate(model(name), coordinates), formulate(parts(name), coordinates)


def digest(system: System, name: str, recipe: Any) -> str:
    return str(read_graph(build_function(name, recipe, system.coordinates, in_order=True)).digest())


# --- all examples ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_structure_and_signals(name):
    for coordinates in COORDINATES:
        alone, part = systems(name, coordinates)
        assert part.coordinate_names == tuple(map(renamed, alone.coordinate_names))
        assert part.speed_names == tuple(map(renamed, alone.speed_names))
        assert part.inputs == tuple(map(renamed, alone.inputs))
        assert part.coordinates.chords == tuple(map(renamed, alone.coordinates.chords))
        found = [(s.name, s.unit, s.labels, s.level) for s in part.signal_table.every]
        assert found == [(renamed(s.name), s.unit, s.labels, s.level) for s in alone.signal_table.every]
        rows = [row.name for row in alone.constraints]
        assert [row.name.replace("outer.inner.", "") for row in part.constraints] == rows
        named = [row.name in part.signal_table for row in part.constraints]
        assert named == [row in alone.signal_table for row in rows]
    alone, part = systems(name)
    for kind in ElementKind:
        drawn = [element(each) for each in part.topology.elements.of_kind(kind)]
        assert drawn == [renamed(element(each)) for each in alone.topology.elements.of_kind(kind)]
    assert "outer.inner." in part.topology.draw()
    assert part.model == parts(name)
    assert list(part.model.source.subsystems) == ["outer"]


@pytest.mark.parametrize("name", NAMES)
def test_graphs_of_programs_are_the_same(name):
    alone, part = systems(name)
    constrained = alone.constrained
    for recipe in RECIPES if SOAK else RECIPES_OF_NAMES:
        if constrained or recipe not in ("multipliers", "constraints", "chords"):
            assert digest(part, recipe, RECIPES[recipe]) == digest(alone, recipe, RECIPES[recipe]), recipe
    signals = [s for s in alone.signal_table.outputs.values() if s.level <= Level.SPEED]
    scalars = [scalar for signal in signals for scalar in signal.scalar_names]
    formulas = {scalar: Formula.of(scalar) for scalar in (scalars if SOAK else scalars[::3])}
    moved = {scalar: formula.renamed(renamed) for scalar, formula in formulas.items()}
    both = (
        digest(alone, "signals", values_and_rates_recipe(formulas)),
        digest(part, "signals", values_and_rates_recipe(moved)),
    )
    assert both[0] == both[1]


# --- analyses by name ------------------------------------------------------------------------------------------------


@cache
def runs(name: str) -> tuple[Trajectory, Trajectory]:
    alone, part = systems(name)
    times = np.linspace(0, 0.05, 6)
    return tuple(gs.simulate(system, times=times, progress=False) for system in (alone, part))  # type: ignore[return-value]


@pytest.mark.parametrize("name", NAMES if SOAK else ["gear_train", "gyrostat_satellite"])
def test_outputs_reactions_and_files(name, tmp_path):
    alone, part = runs(name)
    part.save(tmp_path / "run.nc", outputs=[renamed(s) for s in alone.names[:3]])
    again = gs.load(tmp_path / "run.nc")
    assert again.system.model == parts(name)
    for output in alone.names:
        np.testing.assert_array_equal(part[renamed(output)].values, alone[output].values, err_msg=output)
        np.testing.assert_array_equal(again[renamed(output)].values, alone[output].values)
    for joint in alone.system.topology.joints:
        for load in ("force", "moment"):
            np.testing.assert_array_equal(part.reaction(renamed(joint))[load], alone.reaction(joint)[load])
    parts(name).save(tmp_path / "model.yaml")
    assert gs.Model.load(tmp_path / "model.yaml") == parts(name)


@pytest.mark.parametrize("name", ["double_pendulum", "four_bar", "spring_pendulum"])
def test_linear_models_and_modes(name):
    alone, part = systems(name)
    body = next(b for b in alone.model.bodies if b != "ground")
    springs = [n for n, f in alone.model.forces.items() if isinstance(f, gs.SpringDamper | gs.TorsionSpring)][:1]
    inputs = [*alone.inputs, *list(alone.model.parameters)[:1], *springs, f"{body}.force", f"{body}.moment.z"]
    outputs = [alone.coordinate_names[-1], f"{body}.velocity"]
    one = gs.linearize(alone, inputs=inputs, outputs=outputs, frozen=True)
    two = gs.linearize(part, inputs=map(renamed, inputs), outputs=map(renamed, outputs), frozen=True)
    for matrix in "ABCD":
        np.testing.assert_array_equal(getattr(two, matrix).values, getattr(one, matrix).values)
    assert two.states == tuple(map(renamed, one.states))
    assert two.inputs == tuple(map(renamed, one.inputs))
    assert two.outputs == tuple(map(renamed, one.outputs))
    np.testing.assert_array_equal(two.modes().eigenvalues, one.modes().eigenvalues)


def test_drivers_as_linear_inputs():
    alone, part = systems("parametric_pendulum")
    driven = list(alone.coordinates.all_driven)
    assert driven
    channels = gs.linearize(part, inputs=[renamed(driven[0])], frozen=True).inputs
    assert channels == (renamed(driven[0]),)


def test_events_inputs_and_initial_values():
    found = []
    for system, name in zip(systems("double_pendulum"), (str, renamed), strict=True):
        m1, a1 = name("m1"), name("a1")
        heavier = gs.Event("e", when=f"{a1} - 0.1*{m1}", action=[gs.SetParameter(m1, f"2*{m1}"), gs.Record()])
        kick = gs.Event("k", when=f"{name('bar2.tip.x')} - 0.2", action=gs.Impulse(a1, 0.1))
        found.append(
            gs.simulate(
                *(system, 1),
                step=0.25,
                initial={a1: f"0.2*{m1}", name("a2.rate"): 0.3},
                inputs={name("motor"): f"0.1*{name('bar1.tip.velocity.y')} + sin(t)"},
                parameters={m1: 3},
                events=[heavier, kick],
                progress=False,
            )
        )
    np.testing.assert_array_equal(found[0].rows, found[1].rows)
    assert [(e.event, e.time) for e in found[0].events] == [(e.event, e.time) for e in found[1].events]
    assert len(found[0].events) >= 2
    assert set(found[1].state) == set(map(renamed, found[0].state))


def test_sweeps(tmp_path):
    found = []
    for system, name in zip(systems("double_pendulum"), (str, renamed), strict=True):
        over = {name("m1"): [1.0, 2.0], name("a1"): [0.1, 0.2], name("motor"): ["0", f"-{name('a1.rate')}"]}
        outputs = [gs.Last(name("a2")), f"maximum({name('bar2.tip.y')})"]
        analysis = gs.Simulation(duration=0.05, integrator=gs.RK4(step=0.01), outputs=outputs)
        store = None if name is str else tmp_path / "sweep.zarr"
        found.append(gs.sweep(system, over=over, analysis=analysis, store=store, workers=1, progress=False))
    for alone, part in zip(found[0].dataset.values(), found[1].dataset.values(), strict=True):
        np.testing.assert_array_equal(part.values, alone.values)
    assert renamed("m1") in found[1].dataset.dims
    again = gs.load_sweep(tmp_path / "sweep.zarr")
    np.testing.assert_array_equal(again[f"last({renamed('a2')})"], found[0]["last(a2)"])


def test_operating_points_sensitivities_and_optimisation():
    found = []
    for system, name in zip(systems("spring_pendulum"), (str, renamed), strict=True):
        point = gs.equilibrium(system)
        linear = gs.linearize(system, at=point)
        branch = gs.continuation(system, over=name("m"), to=1.5, points=2)
        best = gs.optimize(system, vary={name("k"): (5, 500)}, objective=gs.Target(gs.ModeFrequency(1), 2.0))
        assert str(point).count(name("swing")) == 1
        assert name("m") in str(linear.sensitivity(0))
        found.append((linear.A.values, branch.points[-1].q if hasattr(branch.points[-1], "q") else 0, best.parameters))
    assert found[1][2] == {renamed(key): value for key, value in found[0][2].items()}
    np.testing.assert_array_equal(found[0][0], found[1][0])


# --- equations -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["four_bar", "spinning_top", "gyrostat_satellite", "gear_train"])
def test_equations_are_the_same_up_to_symbols(name):
    alone, part = systems(name)
    before, after = Symbols(alone.coordinates), Symbols(part.coordinates)
    assert len(set(after.text.values())) == len(after.text)
    symbols = {before.sympy[each]: after.sympy[renamed(each)] for each in before.text}
    one, two = alone.equations(), part.equations()
    assert one.mass_matrix.xreplace(symbols) == two.mass_matrix
    assert list(map(str, two.multipliers)) == [
        str(one).replace("lambda_", "lambda_outer_inner_") for one in one.multipliers
    ]
    assert "." not in "".join(map(str, two.mass_matrix.free_symbols))
    compile(python_source(part.recursive_equations()), "listing", "exec")
    assert "outer_inner" in c_source(part.recursive_equations())


def test_symbols_of_parts_are_readable_and_unique():
    symbols = Symbols(systems("double_pendulum")[1].coordinates)
    assert symbols.latex[renamed("a1.rate")] == r"\dot{\theta}_{1 \mathrm{outer} \mathrm{inner}}"
    assert symbols.latex[renamed("m1")] == r"m_{1 \mathrm{outer} \mathrm{inner}}"
    model = gs.Model("m", parameters={"hinge1_c": 1, "hinge2_c": 1})
    model.add(gs.Chain("c", "ground", links=2, mass="hinge1_c", length="hinge2_c"))
    assert Symbols(formulate(model).coordinates).text["c.hinge1"] == "hinge1_c_2"


def test_multiple_scales():
    alone = gs.multiple_scales(
        model("autoparametric_absorber"), resonances=["omega_y = 2*omega_theta", "Omega = omega_y"]
    )
    two = "omega_y_outer_inner = 2*omega_theta_outer_inner"
    part = gs.multiple_scales(
        parts("autoparametric_absorber"), resonances=[two, f"{renamed('Omega')} = omega_y_outer_inner"]
    )
    problem = str(part).partition("\na_outer")[0].replace("outer.inner.", "").replace("_outer_inner", "")
    assert problem == str(alone).partition("\na_lift")[0]
    terms = [
        set(text.replace("outer.inner.", "").replace("_outer_inner", "").split()) for text in (str(part), str(alone))
    ]
    assert len(str(part).splitlines()) == len(str(alone).splitlines())
    assert {"gamma1'", "gamma2'", "a_lift'", "a_swing'"} <= terms[0] & terms[1]


# --- pictures --------------------------------------------------------------------------------------------------------


def test_pictures(tmp_path):
    _, part = runs("gear_train")
    plot = part.plot(*part.system.coordinate_names[:2])
    assert plot is not None
    part.animate(tmp_path / "page.html", paths=[renamed("drum")])
    assert "outer.inner.drum" in (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "outer.inner.drum" in systems("gear_train", "branch")[1].draw_trees()


def test_messages_know_owners():
    _, part = runs("gear_train")
    with pytest.raises(gs.StateError, match=r"There is no output 'outer'\. Did you mean one of outer\.inner\."):
        part["outer"]
    with pytest.raises(gs.StateError, match=r"There is no output 'drum'\. Did you mean .*'outer\.inner\.drum'"):
        part["drum"]


def test_loads_on_coordinates_belong_to_joints():
    """Statically indeterminate loads and cutsets find the joint of the coordinate on which a motor acts."""
    soft = [
        read_graph(build_function("soft", RECIPES["multipliers"], system.coordinates, softness=SOFTNESS))
        for system in systems("four_bar")
    ]
    assert soft[0].digest() == soft[1].digest()
    alone, part = systems("double_pendulum")
    before, after = Symbols(alone.coordinates), Symbols(part.coordinates)
    symbols = {before.sympy[each]: after.sympy[renamed(each)] for each in before.text}
    one, two = alone.cutset("a1"), part.cutset(renamed("a1"))
    assert two.term(renamed("motor")) == one.term("motor").xreplace(symbols) != one.term("motor") * 0
    assert list(two.projection) == list(map(renamed, one.projection))
