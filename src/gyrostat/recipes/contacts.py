"""Programs of contacts with friction: sliding speeds at a contact point, and its normal.

Names are checked here, without CasADi; `contact_recipes` forms the programs when one is not in the cache.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from gyrostat.lazy import later
from gyrostat.model.formula import Formula
from gyrostat.program import Program
from gyrostat.recipes.compiled import CompiledPrograms
from gyrostat.recipes.trace import Recipe
from gyrostat.signals.contact_place import ContactPlace

if TYPE_CHECKING:
    from gyrostat.recipes import contact_recipes
else:
    (contact_recipes,) = later("gyrostat.recipes", "contact_recipes")


def contact_program(
    compiled: CompiledPrograms,
    place: ContactPlace,
    when: Formula,
    event: str,
    inputs: Mapping[str, Formula] | None = None,
) -> Program:
    """Return the program of "speeds" and their "jacobian" by u at a contact of an event; at a point also its "normal".

    At a point, the speeds are the velocity relative to the other body, in world axes; otherwise the sliding speeds.
    """
    found = place.resolved(compiled.signals, when, event)
    if found.sliding:
        written = {f"sliding {i}": one for i, one in enumerate(found.sliding)}
        return compiled.program("sliding", Recipe(lambda trace: contact_recipes.sliding(trace, found)), inputs, written)
    inferred = place.end is None
    recipe = Recipe(lambda trace: contact_recipes.contact_motion(trace, found, when, event, inferred=inferred))
    written = {f"{found.end} against {found.against}{', inferred' if inferred else ''}": when}
    written |= {f"offset {i}": one for i, one in enumerate(found.offset)}
    return compiled.program("contact", recipe, inputs, written)
