"""Calls of native functions by address from compiled loops."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic


def _call_of(pointers: int) -> Any:
    """Return an intrinsic that calls a native function of so many pointers; all addresses are integers."""

    @intrinsic  # type: ignore[untyped-decorator]
    def call(typing_context: Any, function: Any, addresses: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            byte_pointer = ir.IntType(8).as_pointer()
            kind = ir.FunctionType(ir.VoidType(), [byte_pointer] * pointers)
            target = builder.inttoptr(arguments[0], kind.as_pointer())
            given = [builder.inttoptr(builder.extract_value(arguments[1], i), byte_pointer) for i in range(pointers)]
            builder.call(target, given)
            return context.get_dummy_value()

        return types.void(types.int64, addresses), generate

    return call


call_with_one = _call_of(1)
call_with_two = _call_of(2)
