"""Pages of components: what is written by hand, with drawing and fields of each kind from the registries.

A page in docs/components/catalogue has a heading for each kind of a registry, and an example below it. The example is
run here, as the tests do, so that its model can be drawn.
"""

from __future__ import annotations

import contextlib
import io
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from types import ModuleType
from typing import Any

import gyrostat as gs
from builder.drawings import block_symbol, element_symbol
from builder.images import shrink
from builder.text import default_text, markdown_of
from gyrostat.model.record_type import own_text

FOLDER = Path("components/catalogue")
EXAMPLES = Path(__file__).parents[2] / "examples"
PAGES: Mapping[str, tuple[str, ...]] = {
    "joints": ("JOINTS",),
    "forces": ("FORCES",),
    "constraints": ("CONSTRAINTS",),
    "ropes_and_beams": ("COMPOUNDS",),
    "laws": ("NORMAL_LAWS", "FRICTION_LAWS", "TYRE_LAWS", "GRANULAR_ENGINES"),
    "states": ("STATES",),
    "elements": ("ELEMENTS",),
    "solids": ("SOLIDS",),
    "shapes": ("SHAPES",),
}
"""The pages and the registries whose kinds they have."""

_HEADING = re.compile(r"^## (\w+)$", re.MULTILINE)
_PYTHON = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_CURVES = {
    "NORMAL_LAWS": ("c.gap", "c.force"),
    "FRICTION_LAWS": ("x.rate", "f.force"),
    "TYRE_LAWS": ("tyre.angle", "tyre.friction"),
}


@dataclass(frozen=True)
class Kind:
    """A registered kind of component and the part of a page that describes it."""

    tag: str
    registry: str
    text: str

    @property
    def record(self) -> Any:
        """The class."""
        return getattr(gs, self.registry).get(self.tag)


def kinds_of(registries: tuple[str, ...]) -> dict[str, str]:
    """Return the registry of each kind of a page."""
    return {tag: name for name in registries for tag in getattr(gs, name).tags}


def split(page: str, text: str) -> tuple[str, tuple[Kind, ...]]:
    """Return what stands before the first kind of a page, and its kinds."""
    known = kinds_of(PAGES[page])
    parts = _HEADING.split(text)
    found = [Kind(tag, known[tag], body) for tag, body in zip(parts[1::2], parts[2::2], strict=True)]
    return parts[0], tuple(found)


def component_pages(documents: Path) -> Iterator[tuple[str, str | bytes]]:
    """Yield pages and drawings, by path."""
    for page in PAGES:
        before, kinds = split(page, (documents / FOLDER / f"{page}.md").read_text(encoding="utf-8"))
        parts = [before]
        with _namespace(before) as names:
            for kind in kinds:
                drawing = _drawing(kind, names)
                if drawing is not None:
                    yield f"{FOLDER}/drawings/{kind.tag}{drawing[0]}", drawing[1]
                parts.append(_section(kind, None if drawing is None else drawing[0]))
        yield f"{FOLDER}/{page}.md", "\n".join(parts)


@contextlib.contextmanager
def _namespace(before: str) -> Iterator[dict[str, Any]]:
    """Run what stands before the first kind, in a temporary working folder with the examples."""
    module = ModuleType("component_page")
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        shutil.copytree(EXAMPLES, Path(folder) / "examples")
        _run(before, module.__dict__)
        yield module.__dict__


def _run(text: str, names: dict[str, Any]) -> None:
    with contextlib.redirect_stdout(io.StringIO()):
        for code in _PYTHON.findall(text):
            exec(code, names)


def _drawing(kind: Kind, names: dict[str, Any]) -> tuple[str, str | bytes] | None:
    """Run the example and return the ending and the content of a drawing."""
    names.pop("run", None)
    _run(kind.text, names)
    if kind.registry == "ELEMENTS":
        return ".svg", element_symbol(kind.tag)
    if kind.registry == "STATES":
        return ".svg", block_symbol(kind.tag)
    if kind.registry in _CURVES:
        return ".svg", _curve(names["run"], *_CURVES[kind.registry])
    model = names.get("model")
    return None if model is None or kind.tag == "relief" else (".png", _still(model))


def _still(model: gs.Model) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "still.png"
        gs.picture(model, path)
        shrink(path, 480)
        return path.read_bytes()


def _curve(run: gs.Trajectory, x: str, y: str) -> str:
    """Draw one output over another."""
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(3.6, 2.4), layout="constrained")
    values = run[y].values
    axes.plot(run[x].values, values if values.ndim == 1 else values[:, 1], color="#4a7ebb")
    axes.set_xlabel(f"{x} ({run[x].attrs.get('units', '')})")
    axes.set_ylabel(f"{y} ({run[y].attrs.get('units', '')})")
    axes.grid(alpha=0.3)
    drawn = io.StringIO()
    figure.savefig(drawn, format="svg", metadata={"Date": None})
    plt.close(figure)
    return drawn.getvalue()


def _section(kind: Kind, ending: str | None) -> str:
    """Return heading, drawing, description, what is written by hand, and the table of fields."""
    figure = (
        ""
        if ending is None
        else f"```{{image}} drawings/{kind.tag}{ending}\n:alt: {kind.tag}\n:class: component\n```\n"
    )
    described = markdown_of(own_text(kind.record), doctests=False)
    return f"## {kind.tag}\n\n{figure}\n{described}\n{kind.text}\n{_fields(kind.record)}\n"


def _fields(record: Any) -> str:
    """Return the fields with meaning and default, folded."""
    declared = [field for field in fields(record) if field.metadata.get("doc")]
    rows = [f"| `{field.name}` | {field.metadata['doc']} | {default_text(field.default)} |" for field in declared]
    outputs = getattr(record, "outputs", None)
    shown = ["| field | meaning | default |", "|---|---|---|", *rows]
    if isinstance(outputs, Mapping) and outputs:
        shown += ["", "| output | meaning | unit |", "|---|---|---|"]
        shown += [
            f"| `.{name}` | {getattr(o, 'description', '')} | {getattr(o, 'unit', '')} |" for name, o in outputs.items()
        ]
    body = "\n".join(shown)
    return f"::::{{dropdown}} Fields of {record.__name__}\n:class-container: fields\n\n{body}\n::::\n"
