"""Measure everything and write docs/benchmarks.md: `make bench`, or `python benchmarks/run.py --short` for a try."""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path
from time import perf_counter

from comparisons.andrews import compare_andrews
from comparisons.beams import compare_beams, measure_beams
from comparisons.cached_start import measure_starts
from comparisons.calls import compare_calls, measure_analyses, measure_overheads
from comparisons.chains import LINKS, measure_chains
from comparisons.circuits import NODES, compare_circuits, measure_circuit_growth
from comparisons.cold_simulation import measure_cold_simulations
from comparisons.contacts import SIDES as PLATES
from comparisons.contacts import compare_contacts, compare_pairs
from comparisons.coordinates import SIDES, compare_coordinates, measure_trusses
from comparisons.derivatives import compare_derivatives, compare_long_derivatives
from comparisons.edits import compare_edits
from comparisons.equations import compare_equations
from comparisons.forward_dynamics import check_peers, compare_forward_dynamics
from comparisons.four_bars import COMPARED, COUNTS, compare_four_bars, measure_four_bars
from comparisons.growth import LINKS as GROWING
from comparisons.growth import measure_growth
from comparisons.imported_robots import compare_imports, measure_units
from comparisons.linearization import compare_linearization, compare_symbolic_linearization
from comparisons.matching import MotionRow
from comparisons.ropes import compare_ropes, measure_ropes
from comparisons.row import Row
from comparisons.scales import compare_scales
from comparisons.sensitivities import compare_sensitivities
from comparisons.servos import compare_servos
from comparisons.simulation import compare_simulations
from comparisons.stiff_loops import compare_stiff_loops
from comparisons.sweeps import compare_sweeps, measure_memory
from comparisons.switching import compare_switching
from comparisons.watching import compare_watching
from machine import describe_machine, describe_versions
from models import BENCHMARKED
from peers import Peer, installed_peers
from report import (
    analysis_table,
    beam_table,
    budget_table,
    chain_table,
    choice_table,
    cold_table,
    equation_table,
    four_bar_table,
    growth_table,
    memory_table,
    motion_table,
    overhead_table,
    pair_table,
    ratio_table,
    rope_table,
    scales_table,
    start_table,
    sweep_table,
    switch_table,
    truss_table,
    watch_table,
)
from stiff_models import STIFF_LOOPS

REPORT = Path(__file__).parent.parent / "docs" / "benchmarks.md"
_STATES = {"seven_joint_arm": 512, "thirty_joint_tree": 256, "universal_chain": 64}
_WITH_DERIVATIVES = ("seven_joint_arm", "thirty_joint_tree")


def main() -> None:
    """Run all comparisons and write the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--short", action="store_true", help="few repeats and short chains, printed only")
    short = parser.parse_args().short
    began = perf_counter()
    with tempfile.TemporaryDirectory(prefix="gyrostat-bench-") as cache:
        os.environ["GYROSTAT_CACHE_DIR"] = cache
        text = _report(short)
    print(text)
    if not short:
        REPORT.write_text(text, encoding="utf-8")
    print(f"Measured in {perf_counter() - began:.0f} s.")


def _report(short: bool) -> str:
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
    rounds = 5 if short else 31
    peers, missing = installed_peers()
    notes = [f"{name} is missing: {reason}." for name, reason in missing.items()]
    rows = _ratios(peers, notes, rounds)
    links = LINKS[:3] if short else LINKS
    chains = measure_chains(links=links, rounds=5 if short else 15)
    starts = measure_starts(tuple(BENCHMARKED), processes=3 if short else 15)
    print("Rows of four-bars …", flush=True)
    four_bars = measure_four_bars(counts=COUNTS[:3] if short else COUNTS, rounds=5)
    print("Choices of coordinates …", flush=True)
    choices = compare_coordinates(rounds=5 if short else 21)
    trusses = measure_trusses(sides=SIDES[:3] if short else SIDES, rounds=5 if short else 15)
    print("Beams …", flush=True)
    beam_costs, beams = measure_beams(short=short), compare_beams(rounds=3 if short else 7)
    motions = _motions(rounds=3 if short else 11, short=short)
    print("Servos …", flush=True)
    servos = compare_servos(rounds=3 if short else 11)
    print("Contacts …", flush=True)
    touching = compare_contacts(rounds=3 if short else 11, short=short)
    pairs = compare_pairs(PLATES[:3] if short else PLATES)
    print("Ropes …", flush=True)
    ropes = compare_ropes((50,) if short else (50, 100))
    rope_growth = measure_ropes((20, 50) if short else (50, 100, 200, 500))
    print("Circuits …", flush=True)
    circuits = compare_circuits(rounds=3 if short else 11)
    nodes = measure_circuit_growth(nodes=NODES[:2] if short else NODES)
    print("From an edit to a result …", flush=True)
    edits = compare_edits(rounds=3 if short else 7, short=short)
    print("Imported robots …", flush=True)
    imports = compare_imports(rounds=3 if short else 7)
    growth = measure_growth(links=GROWING[:2] if short else GROWING)
    cold = measure_cold_simulations(processes=2 if short else 7)
    derived, budgets = compare_equations(short=short)
    print("Sweeps …", flush=True)
    swept, memory = compare_sweeps(rounds=1 if short else 5, short=short), measure_memory(short=short)
    print("Linear models …", flush=True)
    linear = [row for n in _WITH_DERIVATIVES for row in compare_linearization(BENCHMARKED[n](), rounds=rounds)]
    linear += compare_symbolic_linearization(short=short)
    linear += compare_sensitivities(rounds=3 if short else 7)
    print("Calls and analyses …", flush=True)
    calls, overheads = compare_calls(rounds=rounds), measure_overheads(rounds=rounds)
    calls += compare_long_derivatives(rounds=rounds, short=short)
    analyses = measure_analyses(rounds=5 if short else 21, short=short)
    print("Multiple scales …", flush=True)
    scales = compare_scales(short=short)
    return _TEXT.format(
        machine=describe_machine(),
        load=load,
        versions=describe_versions([peer.distribution for peer in peers]),
        rounds=rounds,
        ratios=ratio_table(rows),
        linear=ratio_table(linear),
        calls=ratio_table(calls) if calls else "Pinocchio is missing.",
        overheads=overhead_table(overheads),
        analyses=analysis_table(analyses),
        ways="\n".join(_ways(peer) for peer in peers),
        notes="\n".join(f"* {note}" for note in (*_NOTES, *notes)),
        chains=chain_table(chains),
        starts=start_table(starts),
        motions=motion_table(motions),
        servos=motion_table(servos),
        contacts=motion_table(touching),
        pairs=pair_table(pairs),
        ropes=motion_table(ropes),
        rope_growth=rope_table(rope_growth),
        circuits=motion_table(circuits),
        nodes=growth_table(nodes, "circuit"),
        four_bars=four_bar_table(four_bars),
        switches=switch_table(compare_switching()),
        watching=watch_table(compare_watching(rounds=5 if short else 21)),
        choices=choice_table(choices),
        trusses=truss_table(trusses),
        beams=motion_table(beams),
        beam_costs=beam_table(beam_costs),
        cold=cold_table(cold),
        edits=motion_table(edits),
        imports=ratio_table(imports) if imports else "example-robot-data or its peers are missing.",
        units=analysis_table(measure_units()),
        growth=growth_table(growth),
        derived=equation_table(derived),
        budgets=budget_table(budgets),
        sweeps=sweep_table(swept),
        memory=memory_table(memory),
        scales=scales_table(scales) if scales else "oscilate is missing.",
    )


def _ratios(peers: list[type[Peer]], notes: list[str], rounds: int) -> list[Row]:
    """Return the rows, quantity by quantity, and add to the notes what could not be measured."""
    models = {name: make() for name, make in BENCHMARKED.items()}
    check_peers([models[name] for name in _WITH_DERIVATIVES], peers)
    rows: list[Row] = []
    for name, model in models.items():
        print(f"Forward dynamics of {model.name} …", flush=True)
        rows.extend(compare_forward_dynamics(model, peers, states=_STATES[name], rounds=rounds))
    if any(peer.distribution == "pin" for peer in peers):
        for name in _WITH_DERIVATIVES:
            print(f"Derivatives of {models[name].name} …", flush=True)
            found, reason = compare_derivatives(models[name], states=32, rounds=rounds)
            rows.extend(found)
        if reason:
            notes.append(f"No native loop over Pinocchio's derivatives: {reason}.")
    order = list(dict.fromkeys(row.quantity for row in rows))
    return sorted(rows, key=lambda row: order.index(row.quantity))


def _motions(*, rounds: int, short: bool) -> list[MotionRow]:
    """Return the motions: trees, four-bars, Andrews' mechanism, stiff loops."""
    print("Motions of trees …", flush=True)
    rows = compare_simulations(rounds=rounds)
    print("Motions of closed loops …", flush=True)
    rows += compare_four_bars(rounds=rounds, counts=COMPARED[:2] if short else COMPARED)
    rows += compare_andrews(rounds=rounds)
    print("Stiff closed loops …", flush=True)
    return rows + compare_stiff_loops(rounds=rounds, motions=STIFF_LOOPS[:1] if short else STIFF_LOOPS)


def _ways(peer: type[Peer]) -> str:
    call = peer.about_call or "none"
    return f"* {peer.name}: native loop: {peer.about_batch}; call from Python: {call}."


_NOTES = (
    "Where a peer's call from Python is *none*, it offers no evaluation of accelerations alone.",
    "On the chain of universal joints Pinocchio's own universal joint loses digits, all of them in its batch: see the "
    "column of differences. With two hinges in its place, and on a chain of four links, it agrees with gyrostat, as do "
    "Drake, MuJoCo and Exudyn on the long chain. Targets are judged against the universal joint all the same: it is "
    "the faster.",
    "MuJoCo's and Drake's evaluations compute more than accelerations; no lighter entry is offered.",
    "Two threads need two idle cores: with other work on the machine that row says little.",
)

_TEXT = """# Benchmarks

Written by `make bench`. Ratios are gyrostat's time divided by the peer's: smaller is better for gyrostat. Times of one
evaluation are given as information; they depend on the machine, the ratios much less.

* Machine: {machine}; load when the measurement began: {load:.1f} (below 1 is quiet).
* Versions: {versions}.
* Measured: all candidates for a model run alternately, {rounds} rounds of at least 4 ms each; times are medians over
  rounds, ratios medians of the ratios within a round. Everything runs on one thread unless stated. Before timing, the
  accelerations (and derivatives) of both sides are compared; *difference* is the largest, relative to the largest
  entry of the same state.
* Models: `benchmarks/models.py`, with the same numbers for every package and random states, speeds and loads.

## Ratios

{ratios}

What is timed:

* gyrostat: native loop: `program.loop`; SIMD batch: `program.batch`; call from Python: `program(buffer, buffer)`.
{ways}

Notes:

{notes}

## Growing chains

Chains of hinges about x and y in turn. *Formulate* is `gs.formulate`; *graph* is running the formulas of forward
dynamics on symbols; *compile* goes from the graph to loaded code, at the optimisation that is the default and without
the cache; *evaluate* is the native loop of that code. Times are the processor's. The last row has the exponents of
growth: 1 is linear. Code has about 6 bytes for each operation, so that of the longest chain exceeds a second-level
cache of 1 MB; each chunk of long code runs on four states before the next, so that *evaluate* rises little there.

{chains}

## Cached start

Medians over fresh processes, of processor time; the program is in the cache. *Load* goes from the result of
`gs.formulate` to a program that can be called.

{starts}

## Simulations

Motions at equal achieved error. *Error* is the largest difference of a coordinate at the end from a reference: a run
with tolerances of 1e-13 for trees, the differential equation of one crank for four-bars, published digits (and the
error relative to them) for Andrews' mechanism. For each solver the step or tolerance is searched for that brings its
error just below the same bound, within a factor of three where its errors follow its settings; then all run
alternately. Of a package's solvers the fastest counts. *Whole call* is `gs.simulate`, *integration* what its status
says. All sides give the state at the end alone.

* SciPy's integrators call the same native rates through buffers; implicit ones get the exact Jacobian. In closed loops
  they do without projection.
* Exudyn has trees as a `KinematicTree` (explicit methods of orders 4 to 7, with fixed and variable steps), four-bars
  as plane bodies with plane joints (generalised α, trapezoidal rule of index 2).
* MuJoCo makes steps with `mj_step(…, nstep=…)`: RK4 for what is not stiff, implicit and implicitfast for the stiff
  chain. Its four-bars are trees closed by equality constraints of the hardest impedance, which take back a gap within
  two steps, its least. Four-bars flatten several times in 10 s.
* Stiff closed loops (`benchmarks/stiff_models.py`): IDA of SUNDIALS (scikit-sundae), stabilised after Gear, Gupta and
  Leimkuhler or of index one, and generalised α of index three, get native residuals and exact matrices in descriptor
  form, without tolerances for multipliers. IDA's residuals are called through Python, and generalised α is a loop in
  Python: its time is no measure, only its steps are.
* IDAS gets equations derived in CasADi from energies: accelerations and loads are algebraic variables in units of
  their size, without a part in the control of errors.

{motions}

## Servo-driven arm

The seven-joint arm with a DC motor and a controller on every joint (`benchmarks/servo_models.py`), at equal error of
the angles at the end. The controller follows a smooth reference by proportional, integral and rate feedback, and
compensates the back-EMF; states are the integral of the error and the current of the motor. Its time constant of 1.7 ms
makes the equations stiff: stability limits the steps of DOP853. Before timing, accelerations and rates of currents of
all sides are compared at random states.

* MuJoCo has such servos as actuators of type `dcmotor`, whose formulas are of first order in the step; where that
  takes too many steps, the same equations are user dynamics compiled from C, with RK4. References are controls set by
  a callback in C.
* Exudyn couples states of first order with a tree through Python functions only. Here its native objects express the
  same equations: charges for currents, an oscillator for the reference, coupled by constant matrices.
* With sampled control, voltages are set at 1 kHz, without the integral, and held. In gyrostat the laws are formulas of
  `Sampled`; MuJoCo has a loop in C around `mj_step`, and one in Python; Exudyn a Python function before each step.
  That row has no target.

{servos}

## Contacts

Spheres of 1 kg with a restitution of 0.5 and a coefficient of friction of 0.3 (`benchmarks/sphere_models.py`) at equal
error: a ball that bounces twice, one that slides and comes to roll, and a stack of ten against the exact end with rigid
contacts; for spheres that fall into a box, the mean height against a fine run. Packages have laws of their own:
gyrostat Hunt and Crossley's, and rigid contacts with `Moreau`; MuJoCo springs and dampers with the same time of contact
and restitution. Times are those of the integration.

{contacts}

The kernel of all pairs alone: plates of spheres on each other. *Ready* goes from the model to tables of the kernel,
with the functions of the pairs; *first evaluation* includes the list of neighbours.

{pairs}

## Rope over a pulley

A rope with mass and end masses over a pulley with friction (Crous 2000, appendix D.2) by nodes, one simulated second.
The error is that of the drop of the heavy mass (m), which has a closed form. In MuJoCo the rope is a chain of capsules
on hinges; its step is the longest with which the chain does not diverge, and its error the larger.

{ropes}

{rope_growth}

## Circuits

The transistor amplifier of the test set for initial value problems and a ladder of 50 stages, each a resistor and a
capacitor and a diode to the ground, from the same SPICE netlists (`benchmarks/circuit_models.py`), at equal error of
the voltages of all nodes at the end (V). Of ngspice the time that it reports for its analyses counts, without its
start. SciPy's Radau has nodal equations in NumPy that know nothing of gyrostat, with exact Jacobian; before timing both
sides are compared at fine tolerances. *Whole call* is `gs.simulate` with the labelled voltages of all nodes.

{circuits}

Ladders of growing length, from the netlist to the results of two simulations, in processor time; programs are compiled
anew.

{nodes}

## Conditions of the state

Evaluations of the rates at which the error of a position at the end is 1e-5, root mean square over five starts, with
steps that end where a condition of the state switches, and with steps that pass over it, as other codes do: a ball on a
floor of Hertz's law with dry friction; a driven oscillator between damped stops; two wheels with backlash; a control of
variable structure; and a pendulum without conditions, which must not change. Counts do not depend on the machine. The
conditions themselves are evaluated besides, about twice in each step.

{switches}

## Watching

Processor time of whole calls of `simulate` on smooth motions, with and without what guards against wrong numbers: the
search for switches of time and state, and the comparison of the energy with what it must be. Evaluations are those of
the rates by the integrator. Under loads that do work the comparison takes their power, and its rate, at each of up to
1024 steps.

{watching}

## Four-bars in a row

*Prepare* goes from the model to the end of a first short simulation, without the cache; *evaluate* is the native loop
of the rates; the error is that of the crank's angle after 10 s with DOP853 and tolerances of 1e-8. The last row has
exponents of growth from ten four-bars on: 1 is linear.

{four_bars}

## Choices of coordinates

The same mechanisms in joint, branch and absolute coordinates. *Operations* and *evaluate* are those of the rates, in a
native loop over states of the motion; *a simulated second* is what integration with DOP853 takes with the tolerance
at which all bodies are, at the end, within 1e-7 of the mechanism's size of where a run with tolerances of 1e-13 has
them. Ratios are to joint coordinates, of runs in turn.

{choices}

Trusses of hinged squares, as many above as beside each other. *Prepare* goes from the model to a loaded program,
without the cache, in processor time. The last rows have exponents of growth with the number of squares: 1 is linear.

{trusses}

## Flexible beams

The spin-up of Simo and Vu-Quoc at equal error of the tip's deflection after 8 s: a beam of order exact with four
terms, 32 rigid segments with torsion springs in this package, and 8 or 16 ANCF cables of Exudyn by generalised α, whose
drive is a Python function. The reference is order exact with six terms and tolerances of 1e-10. The first revolution of
the flexible slider-crank (`examples/flexible_slider_crank.py`) at equal error of the rod's middle: a beam of order 2
with three terms in each direction, and eight ANCF cables; the reference is order exact.

{beams}

Costs of the rates: *prepare* goes from the system to a loaded program, without the cache, in processor time. Beams of
order exact have four sections more than terms.

{beam_costs}

## From an edit to a result

A new model each time, in a process that has run others: ours is built in Python, formulated and simulated for a second;
MuJoCo begins with the text of its model, whose constants have six digits. Trees are irregular: random frames, axes and
inertias. Kinds of links are in the cache, the model is not.

{edits}

How these times grow, in processor time; the trees' rates and energies are rolled code.

{growth}

## Imported robots

Public URDF files of `example-robot-data`, without geometry: from the file to accelerations at a first state. Ours is
measured once, since the second time the program is in the cache; kinds of links are there from other models.

{imports}

FMUs for both kinds of use: formulas, C sources and the compiler together.

{units}

## From a cold process to a simulation

Wall time from starting `python` to the end of a double pendulum's first 10 s, with caches of programs and kernels that
are empty, and medians with filled ones. *Kernels* is what the integration of a first run takes more than that of a
second: translating and compiling its loop, or loading its machine code.

{cold}

## Exact equations

Wall time from `Model` to SymPy's matrices, in textbook form, beside `KanesMethod` of sympy.physics.mechanics as it
comes, unsimplified; *operations* are `sympy.count_ops` of mass matrix and forcing. Pendulums are of uniform rods or of
points, with the same relative angles on both sides. Both sides have run before; small systems are derived five times in
a row, of which the median counts. SymPy keeps results in a cache, and gyrostat the equations of the last systems: both
are emptied before each run. In the last but one ratio the same derivation has just filled SymPy's, in the last both. A
target is met if the first ratio and the last meet it.

{derived}

{budgets}

## Sweeps

Double pendula from random angles, at rest. Settings are matched as above, by the largest error of a coordinate at the
end over 48 motions, by which peers are timed too; ours is the whole call of `gs.sweep`, with the start of processes on
two cores. *In lanes* beside *unbatched* compares processor times of the same steps.

{sweeps}

Peak memory of a process that sweeps into a store, two numbers for each point:

{memory}

## Linear models

A and B of ẋ = A x + B w of trees at one state, called from Python: native derivatives and their assembly, beside those
of Pinocchio and beside central differences with the same native accelerations. Closed forms: processor time from a
system to SymPy's matrices M, C, K about rest, beside SymPy's `linearize` of equations that are formed already, without
solving for ẋ; SymPy's cache is emptied before.

{linear}

## Calls and analyses

Numeric methods of a system at one state, given as arrays, through the public interface. *Native* is the same program
called on buffers; as differences of times are judged, not ratios, the least times of all rounds count.

{calls}

{overheads}

Processor times of analyses. *First* is the first call of a model whose kinds of links are in the cache; the sweep runs
in one process. Outputs of a long run are evaluated in a process of its own.

{analyses}

## Multiple scales

Processor time from equations to modulation equations in polar form, beside oscilate; SymPy's cache is emptied before
each run. *Difference* is that of the amplitudes' rates at a random point. Through order two both agree. At order three
oscilate's terms of ε³ differ, those of a linear oscillator too; tests show that the error of gyrostat's solution falls
with ε³. Coupled oscillators at order two are beyond oscilate.

{scales}
"""


if __name__ == "__main__":
    main()
