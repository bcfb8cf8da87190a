"""An object file in the memory of this process, loaded without LLVM, which would take longer to start than to load."""

from __future__ import annotations

from gyrostat.program.code_memory import CodeMemory, available, outside_address
from gyrostat.program.object_file import UnknownLayoutError, layout


class LoadedObject:
    """Object code in memory; its functions stay valid while this object lives.

    Raises UnknownLayoutError for code that must be left to LLVM, OSError where the system refuses.
    """

    def __init__(self, code: bytes) -> None:
        plan = layout(code)
        outside = [outside_address(name) for name in plan.needed]
        if not all(outside):
            raise UnknownLayoutError(f"no function {plan.needed[outside.index(0)]!r} in this process")
        self._memory = CodeMemory(plan.size)
        image = plan.image(code, [self._memory.address, *outside])
        self._memory.write(image.ctypes.data, code_size=plan.code_size)
        self._functions = plan.functions

    def get_function_address(self, symbol: str) -> int:
        """Return the address of a function; 0 if there is none."""
        place = self._functions.get(symbol)
        return 0 if place is None else self._memory.address + place


def load_object(code: bytes) -> LoadedObject | None:
    """Return an object file loaded into this process, or None where that is left to LLVM."""
    if not available():
        return None
    try:
        return LoadedObject(code)
    except (UnknownLayoutError, OSError):
        return None
