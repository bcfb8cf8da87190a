"""Turns: one process makes an entry that several need; after any failure all obtain it, without endless waiting."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gyrostat.program import cache, store, turn
from gyrostat.program.file_lock import lock_file
from gyrostat.program.host import host_target
from gyrostat.program.turn import made_once
from gyrostat.program.warning import GyrostatWarning

MAKER = """
import os, signal, sys, time
from pathlib import Path
from gyrostat.program.turn import made_once
from gyrostat.program.warning import GyrostatWarning

folder, seconds = Path(sys.argv[1]), float(sys.argv[2])
thing = folder / "thing"

def find():
    return thing.read_text() if thing.exists() else None

def make():
    (folder / f"made-{os.getpid()}").touch()
    print("making", flush=True)
    time.sleep(seconds)
    (folder / "new").write_text("thing")
    (folder / "new").replace(thing)
    return "thing"

signal.signal(signal.SIGINT, signal.default_int_handler)  # jobs in the background begin with it ignored
print("begun", flush=True)
sys.stdin.readline()
assert made_once(str(folder / "thing.lock"), find, make) == "thing"
"""

KERNEL = """
import sys
import numpy as np
from gyrostat.analysis.kernels.library import polynomial_through

print("begun", flush=True)
sys.stdin.readline()
found = np.empty((2, 1))
polynomial_through(np.array([0.0, 0.5, 1.0]), np.array([[0.0], [0.5], [1.0]]), found, np.empty(3))
assert np.allclose(found, [[1.0], [0.0]])
print("gyrostat.program.translation" in sys.modules)
"""

posix = pytest.mark.skipif(os.name != "posix", reason="signals of Unix")


class Crew:
    """Processes of one test, which ends them."""

    def __init__(self) -> None:
        self._processes: list[subprocess.Popen[str]] = []

    def start(self, script: str, *arguments: object) -> subprocess.Popen[str]:
        """Start a process, which waits until it is told to go on."""
        command = [sys.executable, "-c", script, *map(str, arguments)]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._processes.append(process)
        assert self.heard(process) == "begun"
        return process

    def start_making(self, folder: Path, seconds: float) -> subprocess.Popen[str]:
        """Start a process that makes the thing, and return when it is at it."""
        process = self.start(MAKER, folder, seconds)
        self.go_on(process)
        assert self.heard(process) == "making"
        return process

    def go_on(self, process: subprocess.Popen[str]) -> None:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()

    def heard(self, process: subprocess.Popen[str]) -> str:
        assert process.stdout is not None
        return process.stdout.readline().strip()

    def end(self) -> None:
        for process in self._processes:
            process.kill()
            process.communicate()


@pytest.fixture
def crew() -> Iterator[Crew]:
    found = Crew()
    yield found
    found.end()


def makers(folder: Path) -> int:
    return len(list(folder.glob("made-*")))


def taken(folder: Path, *, find: Callable[[], str | None] = lambda: None) -> str:
    """Take the turn in this process."""
    return made_once(str(folder / "thing.lock"), find, lambda: "own")


def test_two_processes_translate_a_kernel_once(crew: Crew, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GYROSTAT_CACHE_DIR", str(tmp_path))
    processes = [crew.start(KERNEL) for _ in range(2)]
    for process in processes:
        crew.go_on(process)
    translated = [process.communicate(timeout=120)[0].strip() for process in processes]
    assert sorted(translated) == ["False", "True"]
    assert not list(tmp_path.glob("*.lock"))


def test_the_second_waits_and_finds_what_the_first_made(crew: Crew, tmp_path: Path) -> None:
    first = crew.start_making(tmp_path, 0.5)
    second = crew.start(MAKER, tmp_path, 0.5)
    crew.go_on(second)
    assert [process.wait(timeout=60) for process in (first, second)] == [0, 0]
    assert makers(tmp_path) == 1
    assert not (tmp_path / "thing.lock").exists()


@posix
def test_the_turn_of_a_killed_process_goes_to_one_that_waits(crew: Crew, tmp_path: Path) -> None:
    owner = crew.start_making(tmp_path, 600.0)
    waiting = [crew.start(MAKER, tmp_path, 0.2) for _ in range(2)]
    for process in waiting:
        crew.go_on(process)
    time.sleep(0.3)
    assert makers(tmp_path) == 1
    owner.kill()
    assert [process.wait(timeout=60) for process in waiting] == [0, 0]
    assert makers(tmp_path) == 2
    assert not (tmp_path / "thing.lock").exists()


@posix
def test_waiting_can_be_interrupted(crew: Crew, tmp_path: Path) -> None:
    owner = crew.start_making(tmp_path, 600.0)
    waiting = crew.start(MAKER, tmp_path, 0.0)
    crew.go_on(waiting)
    assert interrupted(waiting) != 0
    assert owner.poll() is None


def interrupted(process: subprocess.Popen[str]) -> int:
    """Return the exit status of a process that is interrupted; on a busy machine it may not wait at the first try."""
    for _ in range(60):
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            return process.wait(timeout=1)
    raise AssertionError("the process cannot be interrupted")


def test_nobody_waits_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turn, "PATIENCE", 0.05)
    held = os.open(tmp_path / "thing.lock", os.O_RDWR | os.O_CREAT)
    try:
        assert lock_file(held)
        assert taken(tmp_path) == "own"
        assert (tmp_path / "thing.lock").exists()  # it is somebody else's
    finally:
        os.close(held)


def test_a_file_that_was_left_stops_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "sleep", forbidden)
    (tmp_path / "thing.lock").write_text("of a process that was killed long ago")
    assert taken(tmp_path) == "own"
    assert not list(tmp_path.iterdir())


def test_what_came_before_the_turn_is_not_made_again(tmp_path: Path) -> None:
    answers = iter([None, "found"])
    assert taken(tmp_path, find=lambda: next(answers)) == "found"
    assert not list(tmp_path.iterdir())


@posix
def test_a_lock_whose_file_was_removed_is_taken_again(tmp_path: Path) -> None:
    """As when the owner ends between another's opening and locking: a third could begin with a new file."""
    path = tmp_path / "thing.lock"
    waiting = turn._Turn(str(path))
    owner = turn._Turn(str(path))
    assert owner.begin()
    assert not waiting.begin()
    owner.end()
    assert not path.exists()
    assert not waiting.begin()  # locked, but nobody sees that file
    assert waiting.begin()
    third = turn._Turn(str(path))
    assert not third.begin()
    for each in (third, waiting):
        each.end()
    assert not path.exists()


@pytest.mark.parametrize("blocked", ["a file for a folder", "a folder for a file"])
def test_where_nothing_can_be_written_everybody_makes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, blocked: str
) -> None:
    monkeypatch.setattr(time, "sleep", forbidden)
    folder = tmp_path / "cache"
    if blocked == "a file for a folder":
        folder.write_text("")
    else:
        (folder / "thing.lock").mkdir(parents=True)
    assert taken(folder) == "own"


@posix
@pytest.mark.skipif(os.name == "posix" and os.getuid() == 0, reason="the superuser may write everywhere")
def test_a_folder_that_is_read_only_stops_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "sleep", forbidden)
    tmp_path.chmod(0o500)
    assert taken(tmp_path) == "own"


@pytest.mark.parametrize("code", [errno.ENOLCK, errno.ENOSYS, errno.EIO])
def test_disks_without_locks_stop_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    def fail(descriptor: int) -> bool:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(time, "sleep", forbidden)
    monkeypatch.setattr(turn, "lock_file", fail)
    assert taken(tmp_path) == "own"


def test_a_failure_gives_the_turn_on(tmp_path: Path) -> None:
    def fail() -> str:
        raise RuntimeError("no thing")

    with pytest.raises(RuntimeError, match="no thing"):
        made_once(str(tmp_path / "thing.lock"), lambda: None, fail)
    assert not list(tmp_path.iterdir())
    assert taken(tmp_path) == "own"


def test_threads_take_turns_too(tmp_path: Path) -> None:
    made: list[str] = []

    def make() -> str:
        time.sleep(0.1)
        made.append("thing")
        return made[0]

    def work() -> None:
        assert made_once(str(tmp_path / "thing.lock"), lambda: made[0] if made else None, make) == "thing"

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert made == ["thing"]


def test_modules_are_made_where_no_cache_can_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a directory")
    monkeypatch.setenv("GYROSTAT_CACHE_DIR", str(blocked / "cache"))
    asked: list[int] = []

    def write() -> str:
        asked.append(1)
        return "define double @one() {\nret double 1.0\n}\n"

    with pytest.warns(GyrostatWarning, match="cannot be written: Not a directory"):
        codes = [store.fetch_module("one", write, host_target()) for _ in range(2)]
    assert codes[0] == codes[1]
    assert len(asked) == 2


def test_locks_that_were_left_go_with_old_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tmp_path.chmod(0o700)
    monkeypatch.setenv("GYROSTAT_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(cache, "LIMIT_BYTES", 1000)
    left = Path(cache.lock_path("0" * 64))
    left.touch()
    os.utime(left, (1000, 1000))
    cache.store("1" * 64, cache.Entry({}, code=bytes(2000)))
    assert not left.exists()


def forbidden(seconds: float) -> None:
    raise AssertionError("waits although there is nobody to wait for")
