"""A trace: a system at a symbolic state, from which a recipe forms the function that a program is made from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from gyrostat.coordinates import Coordinates
from gyrostat.coordinates.row import PORTS
from gyrostat.kinematics.world import WorldMotion
from gyrostat.model.formula import Formula
from gyrostat.scalar import Scalar
from gyrostat.scalar.tracing import in_turn

Formed = TypeVar("Formed")


@dataclass(frozen=True)
class Trace:
    """A system at a symbolic state: the arguments as columns, and the motion whose formulas are asked for."""

    arguments: dict[str, Any]
    motion: WorldMotion
    rates: list[Scalar]
    """u̇ as symbols, for what depends on it."""
    softness: float = 0.0
    """How soft constraints are made for solving, where some follow from others; relative to their own size."""
    formed: list[Any] = field(default_factory=list)
    """All values, in the order in which the formulas form them."""
    kept: dict[str, Any] = field(default_factory=dict, init=False, repr=False)
    """What several formulas of a recipe ask for."""

    def once(self, name: str, form: Callable[[Trace], Formed]) -> Formed:
        """Return what a function forms from this trace; under one name it is formed once."""
        if name not in self.kept:
            self.kept[name] = form(self)
        found: Formed = self.kept[name]
        return found


def begin_trace(coordinates: Coordinates, softness: float = 0.0) -> Trace:
    """Return a system at a symbolic state."""
    from gyrostat.kinematics.build import build_mechanism
    from gyrostat.kinematics.state import State
    from gyrostat.model.evaluator import Evaluator
    from gyrostat.scalar.traced import TracedScalars, symbols

    model = coordinates.topology.model
    inputs = model.inputs
    sizes = {
        **coordinates.row.sizes,
        "udot": coordinates.n_u,
        "seed_q": coordinates.n_q,
        "seed_u": coordinates.n_u,
    }
    columns: dict[str, Any] = {}
    entries: dict[str, list[Scalar]] = {}
    formed: list[Any] = []
    for name, size in sizes.items():
        columns[name], entries[name] = symbols(name, size, formed)
    values = dict(zip(model.parameters, entries["parameters"], strict=True))
    tree = build_mechanism(coordinates, Evaluator(TracedScalars(), values.__getitem__))
    state = State(entries["q"], entries["u"], entries["t"][0], dict(zip(inputs, entries["inputs"], strict=True)))
    return Trace(columns, tree.at(state), entries["udot"], softness, formed)


@dataclass(frozen=True)
class Recipe:
    """What a program computes: output columns by name, from a trace; with `udot`, accelerations are an input too.

    With `loads`, multipliers of constraints are an input, which the recipe enters in the trace's arguments by itself.
    With `seeds`, a direction in which the state changes is an input as well, as seed_q and seed_u. `own` names further
    inputs, which the recipe enters in the trace's arguments too.
    """

    outputs: Callable[[Trace], dict[str, Any]]
    udot: bool = False
    seeds: bool = False
    loads: bool = False
    own: tuple[str, ...] = ()

    @property
    def arguments(self) -> tuple[str, ...]:
        """The inputs of the program, in order."""
        further = {"udot": self.udot, "loads": self.loads, "seed_q": self.seeds, "seed_u": self.seeds}
        return (*PORTS, *(name for name, wanted in further.items() if wanted), *self.own)


@in_turn
def build_function(
    name: str,
    recipe: Recipe,
    coordinates: Coordinates,
    inputs: Mapping[str, Formula] | None = None,
    softness: float = 0.0,
    *,
    in_order: bool = False,
) -> Any:
    """Return the function of a recipe, with named inputs and outputs; some of the system's inputs may be formulas.

    With `in_order` it has one more output, by which `read_graph` lists its instructions as the formulas run: link by
    link, few values wait for their use. CasADi by itself lists them as the outputs ask for them.
    """
    import casadi

    trace = begin_trace(coordinates, softness)
    if inputs:
        from gyrostat.recipes.input_formulas import with_input_formulas

        trace = with_input_formulas(trace, inputs)
    outputs = recipe.outputs(trace)
    columns = [trace.arguments[argument] for argument in recipe.arguments]
    if in_order:
        outputs = {**_order(trace, columns), **outputs}
    return casadi.Function(name, columns, list(outputs.values()), list(recipe.arguments), list(outputs))


def _order(trace: Trace, columns: list[Any]) -> dict[str, Any]:
    """Return the output that says in what order values were formed, or none where they have other arguments."""
    import casadi

    from gyrostat.program.graph import FORMED

    formed = casadi.vertcat(casadi.SX(0, 1), *trace.formed)
    known = {symbol.element_hash() for symbol in casadi.symvar(casadi.vertcat(*columns))}
    return {FORMED: formed} if all(s.element_hash() in known for s in casadi.symvar(formed)) else {}
