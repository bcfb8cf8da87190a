"""Pages of the reference: every public name under `gyrostat`, written from signatures and docstrings."""

from __future__ import annotations

import enum
import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from types import ModuleType
from typing import Any

import gyrostat as gs
from builder.text import default_text, markdown_of
from gyrostat.model.record_type import own_text

SECTIONS = (
    ("model", "Model", "model model.angle model.limits model.measure"),
    ("solids", "Solids, shapes and sections", "model.solids io.meshes"),
    ("joints", "Joints", "model.joints"),
    ("forces", "Forces", "model.forces"),
    ("laws", "Laws of contact, friction and tyres", "model.contacts model.friction model.tyres"),
    ("constraints", "Constraints", "model.constraints"),
    (
        "ropes",
        "Ropes and beams",
        "model.compounds model.ropes analysis.assembly.lay_rope analysis.operating.rope_settling",
    ),
    ("subsystems", "Subsystems", "model.subsystems"),
    ("states", "Inputs and states", "model.inputs model.states"),
    ("networks", "Network elements", "model.elements written.formulation written.network"),
    ("topology", "Topology and system", "topology system closing analysis.assembly"),
    ("equations", "Equations and methods", "written scalar analysis.comparison"),
    ("simulation", "Simulation", "analysis.simulation shown"),
    ("integrators", "Integrators", "analysis.integrators"),
    ("events", "Events", "analysis.events"),
    ("operating", "Operating points and stability", "analysis.operating analysis.variations"),
    ("linear", "Linear models", "analysis.linear"),
    ("optimization", "Optimisation", "analysis.optimization"),
    ("scales", "Multiple scales", "analysis.scales"),
    ("sweeps", "Sweeps", "analysis.sweeps"),
    ("files", "Files of other programs", "io"),
    ("studio", "Studio", "studio"),
    ("errors", "Errors and warnings", "errors program"),
)
"""The pages: name, title, and the modules whose public names it has; the longest matching module decides."""

_MODULES = {"sections": "solids", "shapes": "solids"}
_SIMPLE = re.compile(r"[-+\w.()]+|'[^']*'")
"""Defaults that are shown in signatures."""


def page_of(name: str) -> str:
    """Return the page that has a public name."""
    if name in _MODULES:
        return _MODULES[name]
    home = gs._HOME_OF[name].removeprefix("gyrostat.")
    matches = [
        (len(module), page) for page, _, modules in SECTIONS for module in modules.split() if _within(home, module)
    ]
    if not matches:
        raise LookupError(f"gyrostat.{name} of {home} has no page: add its module to SECTIONS in {__file__}.")
    return max(matches)[1]


def _within(home: str, module: str) -> bool:
    return home == module or home.startswith(module + ".")


def public_names() -> tuple[str, ...]:
    """Return all public names but the version."""
    return tuple(name for name in gs.__all__ if name != "__version__")


def reference_pages() -> Mapping[str, str]:
    """Return the pages by path: one for each section, and the list of all names."""
    by_page: dict[str, list[str]] = {page: [] for page, _, _ in SECTIONS}
    for name in public_names():
        by_page[page_of(name)].append(name)
    pages = {f"reference/{page}.md": _page(title, sorted(by_page[page], key=str.lower)) for page, title, _ in SECTIONS}
    pages["reference/index.md"] = _index(by_page)
    return pages


def _index(by_page: Mapping[str, list[str]]) -> str:
    parts = ["# Reference\n", "All public names; `import gyrostat as gs` and write `gs.` before them.\n"]
    for page, title, _ in SECTIONS:
        names = ", ".join(f"{{py:obj}}`{name} <gyrostat.{name}>`" for name in sorted(by_page[page], key=str.lower))
        parts.append(f"**[{title}]({page}.md)**: {names}\n")
    entries = "\n".join(page for page, _, _ in SECTIONS)
    parts.append(f"```{{toctree}}\n:hidden:\n\n{entries}\n```\n")
    return "\n".join(parts)


def _page(title: str, names: list[str]) -> str:
    return "\n".join([f"# {title}\n", "```{py:currentmodule} gyrostat\n```\n", *(_entry(name) for name in names)])


def _entry(name: str) -> str:
    found = getattr(gs, name)
    if inspect.isclass(found):
        return f"## {name}\n\n" + _class(name, found)
    if isinstance(found, ModuleType):
        return f"## {name}\n\n" + _module(name, found)
    if callable(found):
        return f"## {name}\n\n" + _described("py:function", name + _signature(found), _text(found))
    return f"## {name}\n\n" + _described("py:data", name, _text(type(found)))


def _module(name: str, module: ModuleType) -> str:
    """Describe a module that stands under `gyrostat`: its classes and functions."""
    names = [n for n in getattr(module, "__all__", dir(module)) if not n.startswith("_")]
    parts = [f"{_text(module)}\n\n```{{py:module}} gyrostat.{name}\n```\n"]
    for inner in names:
        found = getattr(module, inner)
        if inspect.isclass(found):
            parts.append(_class(f"{name}.{inner}", found, brief=True))
        elif inspect.isfunction(found):
            parts.append(_described("py:function", f"{name}.{inner}{_signature(found)}", _text(found)))
    parts.append("```{py:currentmodule} gyrostat\n```\n")
    return "\n".join(parts)


def _class(name: str, cls: type, *, brief: bool = False) -> str:
    parts = [_text(cls)]
    if issubclass(cls, enum.Enum):
        parts += [f"* `{member.name}`: {_value_text(member)}" for member in cls]
    else:
        parts.append(_field_table(cls))
        if not brief:
            parts += _members(cls)
    head = name if issubclass(cls, (enum.Enum, BaseException)) else name + _signature(cls)
    return _described("py:class", head, "\n\n".join(part for part in parts if part))


def _value_text(member: enum.Enum) -> str:
    return f"`{member.value!r}`"


def _field_table(cls: type) -> str:
    """Return the fields of a record with defaults and descriptions, as a table."""
    if not is_dataclass(cls):
        return ""
    declared = [field for field in fields(cls) if field.metadata.get("doc")]
    if not declared:
        return ""
    rows = [f"| `{f.name}` | {f.metadata['doc']} | {default_text(f.default)} |" for f in declared]
    return "\n".join(["| field | meaning | default |", "|---|---|---|", *rows])


def _members(cls: type) -> Iterator[str]:
    """Yield the methods and properties that a class defines itself or takes from the package."""
    inherited: set[str] = set()
    if issubclass(cls, tuple) or cls.__module__.startswith("gyrostat.model"):
        inherited = {name for base in cls.__mro__[1:] for name in vars(base)}
    for name, member in sorted(inspect.getmembers_static(cls), key=lambda item: item[0]):
        owner = next((base for base in cls.__mro__ if name in vars(base)), object)
        if name.startswith("_") or name in inherited or not owner.__module__.startswith("gyrostat"):
            continue
        if isinstance(member, (classmethod, staticmethod)):
            option = ":classmethod:" if isinstance(member, classmethod) else ":staticmethod:"
            bound = getattr(cls, name)
            yield _described("py:method", name + _signature(bound), _text(member.__func__), option)
        elif inspect.isfunction(member):
            yield _described("py:method", name + _signature(member, skip=True), _text(member))
        elif isinstance(member, property) or type(member).__name__ == "cached_property":
            yield _described("py:property", name, _text(member))


def _described(kind: str, head: str, text: str, option: str = "") -> str:
    """Return a directive of the Python domain; outer ones have longer fences."""
    fence = "`" * (4 + 3 * (kind in ("py:class", "py:function", "py:data")))
    return f"{fence}{{{kind}}} {head}\n{option}\n\n{text}\n{fence}\n"


def _signature(called: Callable[..., Any], *, skip: bool = False) -> str:
    try:
        signature = inspect.signature(called)
    except (TypeError, ValueError):
        return "()"
    given = list(signature.parameters.values())[1 if skip else 0 :]
    shown = [_parameter(p) for p in given]
    keyword = next((k for k, p in enumerate(given) if p.kind is p.KEYWORD_ONLY), None)
    if keyword is not None and not any(p.kind is p.VAR_POSITIONAL for p in given):
        shown.insert(keyword, "*")
    return f"({', '.join(shown)})"


def _parameter(parameter: inspect.Parameter) -> str:
    sign = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
    if parameter.default is parameter.empty:
        return sign + parameter.name
    shown = repr(parameter.default)
    return f"{parameter.name}={shown if _SIMPLE.fullmatch(shown) else '…'}"


def _text(found: Any) -> str:
    return markdown_of(own_text(found))
