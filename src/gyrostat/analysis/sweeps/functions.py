"""Python functions in sweeps: what they are called, and how one is recognised in another session."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from types import CodeType
from typing import Any


def function_name(function: Callable[..., Any]) -> str:
    """Return what a function is called."""
    return str(getattr(function, "__name__", type(function).__name__))


def fingerprint(function: Callable[..., Any]) -> str:
    """Return a text that changes with what a function does, as far as its own code and the values it holds tell.

    >>> fingerprint(lambda x: x + 1) == fingerprint(lambda x: x + 1), fingerprint(abs)
    (True, 'builtins.abs')
    """
    code = getattr(function, "__code__", None)
    if code is None:
        inside = getattr(function, "func", None)  # functools.partial
        name = f"{getattr(function, '__module__', '')}.{getattr(function, '__qualname__', repr(type(function)))}"
        if inside is None:
            return name if hasattr(function, "__qualname__") else f"{name} {function!r}"
        held = repr((getattr(function, "args", ()), getattr(function, "keywords", {})))
        return f"partial {fingerprint(inside)} {held}"
    cells = [repr(cell.cell_contents) for cell in getattr(function, "__closure__", None) or ()]
    held = repr((getattr(function, "__defaults__", None), getattr(function, "__kwdefaults__", None), cells))
    digest = hashlib.sha256((_text(code) + held).encode()).hexdigest()
    return f"{getattr(function, '__qualname__', '')} {digest}"


def _text(code: CodeType) -> str:
    constants = [_text(one) if isinstance(one, CodeType) else repr(one) for one in code.co_consts]
    return f"{code.co_code.hex()} {code.co_names} {constants}"
