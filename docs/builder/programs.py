"""Programs of the examples in the gallery: a motion of each, with its code."""

from __future__ import annotations

import ast
import hashlib
import importlib
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gyrostat as gs
from builder.images import shrink

ROOT = Path(__file__).parent.parent.parent


@dataclass(frozen=True)
class Program:
    """How a program is shown: the file of its code, what makes a motion, when it is pictured, what is plotted."""

    file: str
    title: str
    make: Callable[[], gs.Trajectory]
    at: float
    plots: tuple[str, ...]
    paths: tuple[str, ...] = ()
    more: str = ""


def _module(name: str) -> Any:
    """Return a module of the examples."""
    if str(ROOT) not in sys.path:
        sys.path.insert(0, str(ROOT))
    return importlib.import_module(f"examples.{name}")


def _dragline() -> gs.Trajectory:
    machine, cycle = _module("dragline.machine"), _module("dragline.cycle")
    return cycle.run(gs.formulate(machine.machine()))


def _crous_chain() -> gs.Trajectory:
    chain = _module("crous_chain")
    return chain.released(chain.held()[0], duration=2.0, literal=False)


def _cart_poles() -> gs.Trajectory:
    return gs.simulate(_module("cart_poles").cart_pole(), duration=3.0, step=0.01, initial={"a": 0.05})


def _bucket_in_gravel() -> gs.Trajectory:
    """Return the first half of the cycle, with larger grains than the program has."""
    bucket = _module("bucket_in_gravel")
    return gs.simulate(bucket.dig_model(bucket.Dig(radius=0.16)), duration=6.0, step=0.05)


def _flexible_slider_crank() -> gs.Trajectory:
    example = _module("flexible_slider_crank")
    turns = 4 * 3.141592653589793 / example.SPEED
    return gs.simulate(example.slider_crank(), duration=turns, step=turns / 200)


PROGRAMS: Mapping[str, Program] = {
    "dragline": Program(
        *("dragline/machine.py", "Dragline", _dragline, 33.0),
        *(("rigging.bucket.carry", "hoist.tension", "drag.tension"), ("rigging.bucket.shell",)),
        "The machine, its digging cycle and its verification have [a page of their own](../howto/dragline.md), and the "
        "last of the [lectures](../lectures/10_dragline.md) begins with its essence.",
    ),
    "crous_chain": Program("crous_chain.py", "Chain on a pulley", _crous_chain, 0.4, ("swing", "axle")),
    "bucket_in_gravel": Program(
        "bucket_in_gravel.py", "Bucket in gravel", _bucket_in_gravel, 4.0, ("gravel.bucket.force",)
    ),
    "flexible_slider_crank": Program(
        *("flexible_slider_crank.py", "Flexible slider-crank", _flexible_slider_crank, 0.02, ("rod.v1", "rod.v2"))
    ),
    "cart_poles": Program("cart_poles.py", "Cart-poles", _cart_poles, 1.0, ("x", "a")),
}


def runs() -> Iterator[tuple[str, gs.Trajectory]]:
    """Yield a motion of each program."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", gs.GyrostatWarning)
        for name, program in PROGRAMS.items():
            yield name, program.make()


def program_pages(examples: Path, kept: Path, sources: str) -> Iterator[tuple[str, str | bytes]]:
    """Yield pages, pictures and animations of all programs, by path in the site."""
    for name, program in PROGRAMS.items():
        code = (examples / program.file).read_text(encoding="utf-8")
        files = sorted(path for path in (examples / program.file).parent.glob("*") if path.is_file())
        content = "".join(path.read_text(encoding="utf-8") for path in files)
        digest = hashlib.sha256(f"{sources}{program.plots}{program.at}{content}".encode()).hexdigest()[:16]
        folder = kept / f"{name}-{digest}"
        if not (folder / "done").is_file():
            folder.mkdir(parents=True, exist_ok=True)
            _draw(name, program, folder)
            (folder / "done").touch()
        for file in sorted(folder.iterdir()):
            if file.suffix in (".png", ".html"):
                place = "_extra/gallery/animations" if file.suffix == ".html" else "gallery/pictures"
                yield f"{place}/{file.name}", file.read_bytes()
        yield f"gallery/{name}.md", _page(name, program, code, (folder / f"{name}.html").is_file())


def _draw(name: str, program: Program, folder: Path) -> None:
    """Simulate a program's motion, and write its picture and its animation."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", gs.GyrostatWarning)
        run = program.make()
        for suffix, dark in (("", False), ("_dark", True)):
            run.picture(program.at, folder / f"{name}{suffix}.png", paths=list(program.paths), dark=dark)
            shrink(folder / f"{name}{suffix}.png", 800)
        try:
            run.animate(
                folder / f"{name}.html", paths=list(program.paths), plots=list(program.plots), poster=program.at
            )
        except gs.PictureError:  # where the page was not bundled the site has pictures alone
            return


def about(text: str) -> str:
    """Return the first paragraph of a program's docstring."""
    return (ast.get_docstring(ast.parse(text)) or "").split("\n\n")[0].replace("\n", " ")


def _page(name: str, program: Program, code: str, animated: bool) -> str:
    shown = f"```{{image}} pictures/{name}.png\n:alt: {program.title}\n```\n"
    if animated:
        place, title = f"animations/{name}.html", f"Animation of {program.title}"
        frame = f'<iframe class="animation" src="{place}" title="{title}" loading="lazy"></iframe>'
        shown = f"```{{raw}} html\n{frame}\n```\n"
    parts = [
        f"# {program.title}\n",
        about(code) + "\n",
        *([program.more + "\n"] if program.more else []),
        shown,
        f"The code is in `examples/{program.file}`:\n",
        f"```{{code-block}} python\n:linenos:\n\n{code}```\n",
    ]
    return "\n".join(parts)
