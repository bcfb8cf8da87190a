"""Costs of chains of growing length."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from comparisons.chains import COMPILE_TARGET, LINKS, Chain, exponent, measure_chains
from tables import duration, mark, table

TITLE = "Growing chains"
_TEXT = """\
Chains of hinges about x and y in turn. *Formulate* is `gs.formulate`; *graph* is running the formulas of forward
dynamics on symbols; *compile* goes from the graph to loaded code, at the optimisation that is the default and without
the cache; *evaluate* is the native loop of that code. Times are the processor's. The last row has the exponents of
growth: 1 is linear. Code has about 6 bytes for each operation, so that of the longest chain exceeds a second-level
cache of 1 MB; each chunk of long code runs on four states before the next, so that *evaluate* rises little there.

{chains}
"""


def section(*, short: bool) -> str:
    """Measure and return the text of the section."""
    chains = measure_chains(links=LINKS[:3] if short else LINKS, rounds=5 if short else 15)
    return _TEXT.format(chains=chain_table(chains))


def chain_table(chains: Sequence[Chain]) -> str:
    """Return the costs of growing chains, and how they grow."""
    headings = (
        *("links", "operations", "formulate, per link", "graph, per link", "compile, per operation", "target"),
        *("met", "compile unoptimised, per operation", "evaluate, per link"),
    )
    rows = [
        (
            str(chain.links),
            str(chain.operations),
            duration(chain.formulate / chain.links),
            duration(chain.graph / chain.links),
            duration(chain.compile_2 / chain.operations),
            f"≤ {duration(COMPILE_TARGET)}",
            mark(chain.compile_2 / chain.operations <= COMPILE_TARGET),
            duration(chain.compile_0 / chain.operations),
            duration(chain.evaluation / chain.links),
        )
        for chain in chains
    ]
    costs: tuple[Callable[[Chain], float], ...] = (
        lambda chain: chain.formulate,
        lambda chain: chain.graph,
        lambda chain: chain.compile_2,
        lambda chain: chain.compile_0,
        lambda chain: chain.evaluation,
    )
    formulate, graph, optimised, fast, evaluate = (f"links^{exponent(list(chains), cost):.2f}" for cost in costs)
    operations = f"links^{exponent(list(chains), lambda chain: chain.operations):.2f}"
    rows.append(("growth", operations, formulate, graph, optimised, "", "", fast, evaluate))
    return table(headings, rows)
