"""Pages of the gallery: each example with picture, animation, plot, equations, and its file.

Pictures and animations are made while the site is built and kept by a digest of the example and of the settings, so
that a second build only makes what has changed.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import gyrostat as gs
from builder.images import shrink
from builder.programs import PROGRAMS, about, program_pages

LONGEST_EQUATIONS = 1600
"""Characters of LaTeX beyond which equations are not shown."""


@dataclass(frozen=True)
class Show:
    """How an example is shown: duration, plotted outputs, traced points, initial values, inputs, settings."""

    duration: float
    plots: tuple[str, ...]
    paths: tuple[str, ...] = ()
    initial: Mapping[str, float] = field(default_factory=dict)
    at: float = 0.0
    options: Mapping[str, Any] = field(default_factory=dict)
    group: str = "Open chains"


LOOPS, SPATIAL, ROLLING, VIBRATION, ROBOTS = (
    *("Planar loops", "Spatial mechanisms", "Rolling and spinning", "Vibration", "Robots and vehicles"),
)
SHOWS: Mapping[str, Show] = {
    "double_pendulum": Show(6, ("a1", "a2"), ("bar2.tip",), {"a1": 1.8, "a2": 0.4}, 0.6),
    "spring_pendulum": Show(6, (), (), at=0.3, group=VIBRATION),
    "slider_pendulum": Show(6, (), (), at=0.2, group=VIBRATION),
    "parametric_pendulum": Show(8, (), (), at=0.5, group=VIBRATION),
    "autoparametric_absorber": Show(12, (), (), at=0.5, group=VIBRATION),
    "four_bar": Show(1.2, ("hinge_crank", "hinge_rocker"), ("coupler.tip",), at=0.1, group=LOOPS),
    "crank_slider": Show(0.2, (), (), group=LOOPS),
    "quick_return": Show(2, (), (), at=0.3, group=LOOPS),
    "andrews_squeezer": Show(0.03, ("hinge_O",), (), at=0.01, group=LOOPS),
    "gear_train": Show(1.2, (), (), {"hoist.rate": 2.5}, 0.3, group=LOOPS),
    "bricard": Show(3, (), (), at=0.4, group=SPATIAL),
    "spatial_four_bar": Show(4, (), (), {"hinge_2.rate": 1.0}, 0.5, group=SPATIAL),
    "spatial_slider_crank": Show(2, (), (), at=0.2, group=SPATIAL),
    "universal_drive_line": Show(1, (), (), at=0.1, group=SPATIAL),
    "stewart_platform": Show(1.5, ("platform",), ("platform",), at=0.1, group=ROBOTS),
    "delta_robot": Show(3, ("platform",), ("platform",), {"shoulder1.rate": 2.0}, 0.2, group=ROBOTS),
    "seven_joint_arm": Show(2, (), (), at=0.3, group=ROBOTS),
    "vehicle_on_springs": Show(3, (), (), group=ROBOTS),
    "mcpherson_strut": Show(1, ("swing",), ("carrier.patch",), {"swing.rate": 2.0}, 0.02, group=ROBOTS),
    "twist_beam_axle": Show(1, ("twist",), (), {"twist.rate": 3.0}, 0.02, group=ROBOTS),
    "spinning_top": Show(4, ("socket.angle1", "socket.angle2"), ("top.head",), at=2.6, group=ROLLING),
    "rolling_disc": Show(4, (), (), at=1.0, group=ROLLING),
    "whipple_bicycle": Show(3, (), (), at=0.5, group=ROLLING),
    "gyrostat_satellite": Show(10, (), (), at=1.0, group=ROLLING),
}


def show_of(name: str) -> Show:
    """Return how an example is shown; one without settings of its own is shown for two seconds."""
    return SHOWS.get(name, Show(2, ()))


def gallery_pages(examples: Path, kept: Path) -> Iterator[tuple[str, str | bytes]]:
    """Yield pages, pictures and animations of all examples, by path in the site."""
    names = sorted(path.stem for path in examples.glob("*.yaml"))
    for name in names:
        yield from _example(examples / f"{name}.yaml", kept)
    yield "gallery/index.md", _index(names, examples)
    yield from program_pages(examples, kept, sources_digest())
    for path in _other_programs(examples):
        yield f"gallery/{path.stem}.md", _script(path)


def _other_programs(examples: Path) -> list[Path]:
    """Return the programs that are shown by their code alone."""
    return [path for path in sorted(examples.glob("*.py")) if path.stem not in PROGRAMS]


def _index(names: list[str], examples: Path) -> str:
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(show_of(name).group, []).append(name)
    parts = [
        "# Gallery\n",
        "Every example of the package: `gyrostat examples` lists them, `gyrostat examples NAME` writes the file. "
        "All of them are tested against their sources.\n",
    ]
    for group, members in groups.items():
        cards = [_card(name, _title(name, examples)) for name in members]
        parts.append(f"## {group}\n\n::::{{grid}} 2 2 3 3\n:gutter: 3\n\n" + "\n".join(cards) + "::::\n")
    cards = [_card(name, program.title) for name, program in PROGRAMS.items()]
    others = _other_programs(examples)
    listed = "\n".join(f"* [`{path.name}`]({path.stem}.md): {_about(path)}" for path in others)
    shown = f"::::{{grid}} 2 2 3 3\n:gutter: 3\n\n{chr(10).join(cards)}::::\n"
    parts.insert(2, f"## Programs\n\n{shown}\n{listed}\n")
    entries = "\n".join([*PROGRAMS, *names, *(path.stem for path in others)])
    parts.append(f"```{{toctree}}\n:hidden:\n\n{entries}\n```\n")
    return "\n".join(parts)


def _card(name: str, title: str) -> str:
    return f":::{{grid-item-card}} {title}\n:link: {name}\n:link-type: doc\n:img-top: pictures/{name}.png\n:::\n"


def _title(name: str, examples: Path) -> str:
    found = re.search(r"^name: (.+)$", (examples / f"{name}.yaml").read_text(encoding="utf-8"), re.MULTILINE)
    title = found[1].strip("'\"") if found else name.replace("_", " ")
    return title[0].upper() + title[1:]


def _about(path: Path) -> str:
    return about(path.read_text(encoding="utf-8"))


def _script(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    title = path.stem.replace("_", " ").capitalize()
    return f"# {title}\n\n{_about(path)}\n\n```{{code-block}} python\n:linenos:\n\n{text}```\n"


def _example(path: Path, kept: Path) -> Iterator[tuple[str, str | bytes]]:
    """Yield the page of an example, its pictures and its animation."""
    name, show = path.stem, show_of(path.stem)
    text = path.read_text(encoding="utf-8")
    digest = hashlib.sha256(f"{gs.__version__}{show}{text}{sources_digest()}".encode()).hexdigest()[:16]
    folder = kept / f"{name}-{digest}"
    if not (folder / "page.md").is_file():
        folder.mkdir(parents=True, exist_ok=True)
        _make(path, show, folder)
    for file in sorted(folder.iterdir()):
        target = {".png": f"gallery/pictures/{file.name}", ".html": f"_extra/gallery/animations/{file.name}"}.get(
            file.suffix
        )
        target = target or (f"gallery/pictures/{file.name}" if file.suffix == ".svg" else f"gallery/{name}.md")
        yield target, file.read_bytes() if file.suffix != ".md" else file.read_text(encoding="utf-8")


def sources_digest() -> str:
    """Return a digest of what draws: pictures depend on it."""
    package = Path(gs.__file__).parent
    whole = hashlib.sha256(Path(__file__).read_bytes())
    for file in sorted([*(package / "pictures").rglob("*.py"), *(package / "shown").rglob("*.py")]):
        whole.update(file.read_bytes())
    return whole.hexdigest()


def _make(path: Path, show: Show, folder: Path) -> None:
    """Simulate an example and write its pictures, its animation and its page."""
    model = gs.Model.load(path)
    system = gs.formulate(model)
    step = show.duration / 400
    run = gs.simulate(system, duration=show.duration, step=step, initial=dict(show.initial), **show.options)
    plots = show.plots or system.coordinate_names[: min(3, len(system.coordinate_names))]
    run.picture(show.at, folder / f"{path.stem}.png", paths=list(show.paths))
    run.picture(show.at, folder / f"{path.stem}_dark.png", paths=list(show.paths), dark=True)
    run.plot(*plots, path=folder / f"{path.stem}_plot.svg")
    with contextlib.suppress(gs.PictureError):  # where the page was not bundled the site has pictures alone
        run.animate(folder / f"{path.stem}.html", paths=list(show.paths), plots=list(plots))
    for picture in folder.glob("*.png"):
        shrink(picture, 800)
    animated = (folder / f"{path.stem}.html").is_file()
    (folder / "page.md").write_text(_page(path, model, system, animated=animated), encoding="utf-8")


def _page(path: Path, model: gs.Model, system: gs.System, *, animated: bool) -> str:
    name = path.stem
    title = model.name[0].upper() + model.name[1:]
    figures = (
        f"```{{image}} pictures/{name}.png\n:alt: {model.name}\n:class: only-light\n```\n"
        f"```{{image}} pictures/{name}_dark.png\n:alt: {model.name}\n:class: only-dark\n```\n"
    )
    if animated:
        frame = (
            f'<iframe class="animation" src="animations/{name}.html" title="Animation of {model.name}" loading="lazy">'
        )
        figures = f"```{{raw}} html\n{frame}</iframe>\n```\n"
    rows = "\n".join(f"| `{key}` | {one.description} | {one.unit} |" for key, one in model.parameters.items())
    parts = [
        f"# {title}\n",
        model.description + "\n",
        figures,
        f"```{{image}} pictures/{name}_plot.svg\n:alt: Plot of a motion of {model.name}\n:class: plot\n```\n",
        "## Equations\n\n" + _equations(system),
        "## Coordinates\n\n```text\n" + str(system.summary()) + "\n```\n",
        f"::::{{dropdown}} Parameters\n\n| name | meaning | unit |\n|---|---|---|\n{rows}\n::::\n",
        f"::::{{dropdown}} The model file\n\n```yaml\n{path.read_text(encoding='utf-8')}```\n::::\n",
        f'To run it: `gyrostat simulate {name}.yaml`, or in Python `gs.simulate(gs.Model.load("examples/{name}.yaml"), '
        "duration=2)`.\n",
    ]
    return "\n".join(parts)


def _equations(system: gs.System) -> str:
    """Return the exact equations where they fit on a page."""
    quaternions = any(name.endswith(".e0") for name in system.coordinate_names)
    if len(system.speed_names) > 4 or quaternions:
        return (
            f"The equations in {len(system.speed_names)} speeds are too long for a page: `system.equations()` writes "
            "them, in LaTeX, Python or C.\n"
        )
    try:
        latex = system.equations().latex()
    except gs.GyrostatError as error:
        return f"{error}\n"
    if len(latex) > LONGEST_EQUATIONS:
        return "The equations are too long for a page: `system.equations()` writes them, in LaTeX, Python or C.\n"
    return f"$$\n{latex}\n$$\n"
