"""Programs of a system that a run may need later."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from weakref import ref

from gyrostat.model.formula import Formula
from gyrostat.program import Program
from gyrostat.system import System


def program_on_demand(
    system: System,
    name: str,
    inputs: Mapping[str, Formula] | None = None,
    *,
    locked: bool = False,
    ready: bool = False,
) -> Callable[[], Program]:
    """Return a function that returns a program of a system; with `ready`, in the form that is ready first.

    It refers to the system weakly: a system may keep its runs, and cycles would keep both until garbage is collected.
    """
    reference = ref(system)

    def program() -> Program:
        owner = reference()
        assert owner is not None, "the problem of a run holds its system"
        if ready:
            return owner.ready_program(name, inputs=inputs, locked=locked)
        return owner.program(name, inputs=inputs, locked=locked)

    return program
