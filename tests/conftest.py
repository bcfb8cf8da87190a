"""What all tests share: caches of programs and kernels of their own, and a word about peers that are missing."""

from __future__ import annotations

import importlib.util
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gyrostat.program.cache import load
from gyrostat.program.checked_entry import SWITCH

ROOT = Path(__file__).parent.parent

os.environ.setdefault(SWITCH, "1")  # kernels check the indices of arrays, in processes that tests start as well


KERNELS = ROOT / ".pytest_cache" / "kernels"
"""Compiled kernels, which take long to make and are the same for all sessions until their sources change."""

PEERS = {"pinocchio": "pin"}
"""Packages that results are compared with, by module and by name of their distribution."""


@pytest.fixture(scope="session", autouse=True)
def _programs_of_this_session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep programs in a temporary place that all workers share, never in the user's own cache."""
    previous = os.environ.get("GYROSTAT_CACHE_DIR")
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "programs"
    for place in (folder, KERNELS):
        place.mkdir(parents=True, exist_ok=True)
    known = list(KERNELS.glob("*.program"))
    for path in known:
        _give(path, folder)
    os.environ["GYROSTAT_CACHE_DIR"] = str(folder)
    yield
    names = {path.name for path in known}
    for path in folder.glob("*.program"):
        if path.name not in names and _is_kernel(path.stem):
            _give(path, KERNELS)
    if previous is None:
        del os.environ["GYROSTAT_CACHE_DIR"]
    else:
        os.environ["GYROSTAT_CACHE_DIR"] = previous


def _give(path: Path, folder: Path) -> None:
    """Copy a file to a folder where other workers may read and write it at the same time."""
    target = folder / path.name
    if not target.exists():
        part = folder / f".new-{os.getpid()}-{path.name}"
        shutil.copy(path, part)
        part.replace(target)


def _is_kernel(key: str) -> bool:
    """Tell whether an entry of the cache is a kernel's, not a model's."""
    entry = load(key)
    return entry is not None and "module" in entry.metadata


@pytest.fixture(scope="session")
def pinocchio() -> Any:
    """The peer Pinocchio, or a skip that the summary counts."""
    return pytest.importorskip("pinocchio", reason=_reason("pinocchio"))


def _reason(module: str) -> str:
    return f"peer {PEERS[module]!r} is not installed"


def _installed(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ValueError:  # barred from being imported
        return False


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say which peers are missing, whether there was a browser, and how many tests were skipped for it."""
    skipped = [str(report.longrepr) for report in terminalreporter.stats.get("skipped", [])]
    _tell_of_the_page(terminalreporter, [text for text in skipped if "animation page: " in text])
    missing = [module for module in PEERS if not _installed(module)]
    if not missing:
        return
    terminalreporter.section("MISSING PEERS", sep="=", red=True, bold=True)
    for module in missing:
        count = sum(_reason(module) in text for text in skipped)
        terminalreporter.line(
            f"{PEERS[module]} is not installed: {count} tests of agreement with it were SKIPPED. "
            "Install the extra: pip install 'gyrostat[peers]'.",
            red=True,
        )


def _tell_of_the_page(terminalreporter: Any, skipped: list[str]) -> None:
    if not skipped:
        return
    terminalreporter.section("ANIMATION PAGE NOT TESTED", sep="=", red=True, bold=True)
    reasons = sorted({text.rpartition("animation page: ")[2].strip(" .'\")") for text in skipped})
    terminalreporter.line(
        f"{len(skipped)} tests of the animation page in a real browser were SKIPPED: {'; '.join(reasons)}. "
        "Install Chromium (Debian: apt-get install chromium) and the extra: pip install 'gyrostat[browser]'.",
        red=True,
    )
