"""Fixtures and reports of all tests: their own caches of programs and kernels, random campaigns, missing peers."""

from __future__ import annotations

import gc
import importlib.metadata
import importlib.util
import os
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import campaign
import pytest
from browsing import browser, page_bundle  # noqa: F401 (fixtures of all tests of pages)
from hypothesis import settings

from gyrostat.program.cache import load
from gyrostat.program.checked_entry import SWITCH
from gyrostat.program.optimisation import LIMIT

ROOT = Path(__file__).parent.parent

os.environ.setdefault(SWITCH, "1")  # kernels check the indices of arrays, in processes that tests start as well
if not campaign.SOAK:  # code compiles in a quarter of the time; `make soak` runs what users run
    os.environ.setdefault(LIMIT, "0")


KERNELS = ROOT / ".pytest_cache" / "kernels"
"""Compiled kernels, which take long to make and are the same for all sessions until their sources change."""

SLOWEST = 10
"""Number of files in the list of the slowest."""
YOUNG_OBJECTS = 20_000
"""New objects after which the collector of cycles looks at them; Python's default is 700."""
settings.register_profile("test", max_examples=campaign.examples(100), derandomize=True, deadline=None)
settings.register_profile("soak", max_examples=100, deadline=None, print_blob=True)
settings.load_profile("soak" if campaign.SOAK else "test")

gc.disable()  # nothing that is collected becomes garbage: see pytest_collection_finish

PEERS = {
    "pinocchio": "pin",
    "mujoco": "mujoco",
    "example_robot_data": "example-robot-data",
    "pybullet_data": "pybullet",
    "fmpy": "fmpy",
    "jax": "jax",
    "ziglang": "ziglang",
    "dm_control": "dm_control",
    "pyarrow": "pyarrow",
    "mcap": "mcap",
}
"""Packages that results are compared with, by module and by name of their distribution."""


@pytest.fixture(scope="session", autouse=True)
def _programs_of_this_session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep programs in a temporary place that all workers share, never in the user's own cache."""
    previous = os.environ.get("GYROSTAT_CACHE_DIR")
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "programs"
    KERNELS.mkdir(parents=True, exist_ok=True)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
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


@pytest.fixture(scope="session")
def mujoco() -> Any:
    """The peer MuJoCo, or a skip that the summary counts."""
    return pytest.importorskip("mujoco", reason=_reason("mujoco"))


def _reason(module: str) -> str:
    return f"peer {PEERS[module]!r} is not installed"


def _installed(module: str) -> bool:
    try:
        if importlib.util.find_spec(module) is not None:
            return True
        importlib.metadata.distribution(PEERS[module])  # one of data alone has no module
    except (ValueError, importlib.metadata.PackageNotFoundError):  # barred from being imported, or missing
        return False
    return True


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Note the number of random cases of each test, for the summary."""
    for item in items:
        if count := campaign.size_of(item):
            item.user_properties.append(("random cases", count))


def pytest_collection_finish() -> None:
    """Leave modules and tests, 700 000 objects, out of all collections of cycles: they took a tenth of the time."""
    gc.freeze()
    gc.set_threshold(YOUNG_OBJECTS, 10, 10)
    gc.enable()


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Report the slowest files, the campaigns of `make soak`, and tests skipped for want of a peer or a browser."""
    reports = [report for found in terminalreporter.stats.values() for report in found if hasattr(report, "duration")]
    _report_slowest(terminalreporter, reports)
    if campaign.SOAK:
        _report_campaigns(terminalreporter, reports, config)
    skipped = [str(report.longrepr) for report in terminalreporter.stats.get("skipped", [])]
    _report_skipped_page(terminalreporter, [text for text in skipped if "animation page: " in text])
    _report_missing_peers(terminalreporter, skipped)


def _report_slowest(terminalreporter: Any, reports: list[Any]) -> None:
    """List the files whose tests take longest, over all workers."""
    seconds: Counter[str] = Counter()
    for report in reports:
        seconds[report.nodeid.partition("::")[0]] += report.duration
    if len(seconds) <= SLOWEST:
        return
    terminalreporter.section(f"{SLOWEST} slowest files of {len(seconds)}, {sum(seconds.values()):.0f} s in all")
    for file, duration in seconds.most_common(SLOWEST):
        terminalreporter.line(f"{duration:7.1f} s  {file}")


def _report_campaigns(terminalreporter: Any, reports: list[Any], config: pytest.Config) -> None:
    """Report the number of random cases, the seed and the failures."""
    counts = {report.nodeid: dict(report.user_properties).get("random cases", 0) for report in reports}
    cases = [count for count in counts.values() if count]
    failed = sorted({report.nodeid for report in reports if report.failed and counts[report.nodeid]})
    terminalreporter.section("soak")
    terminalreporter.line(
        f"{sum(cases):,} random cases in {len(cases):,} tests, seed of Hypothesis "
        f"{config.getoption('--hypothesis-seed')}, {len(failed)} tests failed"
    )
    for nodeid in failed:
        terminalreporter.line(f"failed: {nodeid}", red=True)


def _report_missing_peers(terminalreporter: Any, skipped: list[str]) -> None:
    counts = {module: sum(_reason(module) in text for text in skipped) for module in PEERS if not _installed(module)}
    if not any(counts.values()):
        return
    terminalreporter.section("MISSING PEERS", sep="=", red=True, bold=True)
    for module, count in counts.items():
        terminalreporter.line(
            f"{PEERS[module]} is not installed: {count} tests of agreement with it were SKIPPED. "
            "Install the extras: pip install 'gyrostat[peers,robots]'; pip install --no-deps dm_control.",
            red=True,
        )


def _report_skipped_page(terminalreporter: Any, skipped: list[str]) -> None:
    if not skipped:
        return
    terminalreporter.section("ANIMATION PAGE NOT TESTED", sep="=", red=True, bold=True)
    reasons = sorted({text.rpartition("animation page: ")[2].strip(" .'\")") for text in skipped})
    terminalreporter.line(
        f"{len(skipped)} tests of the animation page in a real browser were SKIPPED: {'; '.join(reasons)}. "
        "Install Chromium (Debian: apt-get install chromium) and the extra: pip install 'gyrostat[browser]'.",
        red=True,
    )
