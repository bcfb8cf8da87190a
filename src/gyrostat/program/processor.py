"""What tells processors apart, asked without LLVM: the answers of x86-64's instruction CPUID.

LLVM names a processor and its features by these answers alone, so equal answers are the same target. Asking LLVM
itself takes 20 times as long as all else that a process does to load a program from the cache.
"""

from __future__ import annotations

import ctypes

from gyrostat.program.code_memory import CodeMemory, available
from gyrostat.program.object_file import PAGE

# void ask(uint32_t question, uint32_t part, uint32_t answers[4]):
#   push rbx; mov r8, rdx; mov eax, edi; mov ecx, esi; cpuid;
#   mov [r8], eax; mov [r8+4], ebx; mov [r8+8], ecx; mov [r8+12], edx; pop rbx; ret
_ASK = bytes.fromhex("53 4989d0 89f8 89f1 0fa2 418900 41895804 41894808 4189500c 5b c3")
# void state(uint32_t number, uint32_t, uint32_t answers[2]):  which registers the system saves
#   mov r8, rdx; mov ecx, edi; xgetbv; mov [r8], eax; mov [r8+4], edx; ret
_STATE = bytes.fromhex("4989d0 89f9 0f01d0 418900 41895004 c3")
_STATE_PLACE = 64

_FUNCTION = ctypes.CFUNCTYPE(None, ctypes.c_uint32, ctypes.c_uint32, ctypes.c_void_p)

# Questions about features, with their parts: those that LLVM asks. Of the first the second answer, and of 13 all but
# the first, depend on the core and on what it did last.
_FEATURES = (
    *((1, 0), (7, 0), (7, 1), (13, 1), (0x14, 0), (0x19, 0), (0x1E, 1), (0x24, 0), (0x29, 0)),
    *((0x80000001, 0), (0x80000008, 0)),
)
_LASTING = {1: (0, 2, 3), 13: (0,)}
_SAVES_STATE = 1 << 27


def processor_identity() -> str | None:
    """Return text that is the same for processors with the same features; None where it cannot be had this way."""
    if not available():
        return None
    try:
        memory = CodeMemory(PAGE)
        code = ctypes.create_string_buffer(_ASK.ljust(_STATE_PLACE, b"\xcc") + _STATE, PAGE)
        memory.write(ctypes.addressof(code), code_size=PAGE)
    except OSError:
        return None
    ask, state = (_FUNCTION(memory.address + place) for place in (0, _STATE_PLACE))
    answers = (ctypes.c_uint32 * 4)()

    def answer(question: int, part: int) -> list[int]:
        ask(question, part, ctypes.addressof(answers))
        return list(answers)

    known = {base: answer(base, 0) for base in (0, 0x80000000)}
    found = [known[0]]
    for question, part in _FEATURES:
        if question <= known[question & 0x80000000][0]:
            full = answer(question, part)
            found.append([question, part, *(full[i] for i in _LASTING.get(question, range(4)))])
    if answer(1, 0)[2] & _SAVES_STATE:
        state(0, 0, ctypes.addressof(answers))
        found.append(list(answers[:2]))
    return " ".join(",".join(f"{number:x}" for number in numbers) for numbers in found)
