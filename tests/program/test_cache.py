"""The object cache: round trips, damage, concurrency, permissions."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import casadi
import numpy as np
import pytest

from gyrostat.program import Program, cache_directory, compile_program, host_target, load_or_compile
from gyrostat.program import cache as cache_module
from gyrostat.program import store as store_module
from gyrostat.program.store import fetch_module, object_key
from gyrostat.program.turn import made_once
from gyrostat.program.warning import GyrostatWarning

ROWS = np.random.default_rng(4).normal(size=(9, 5))
POSIX = pytest.mark.skipif(os.name != "posix", reason="files have owners and modes on POSIX only")


class Counter:
    """Counts compilations."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count = 0
        honest = store_module.object_code

        def counted(*arguments: Any, **options: Any) -> bytes:
            self.count += 1
            return honest(*arguments, **options)

        monkeypatch.setattr(store_module, "object_code", counted)


@pytest.fixture
def compilations(monkeypatch: pytest.MonkeyPatch, cache_path: Path) -> Counter:
    return Counter(monkeypatch)


def files(path: Path) -> list[Path]:
    return sorted(path.glob("*.program"))


def assert_works(program: Program, pendulum: casadi.Function) -> None:
    reference = compile_program(pendulum, cache=False)
    np.testing.assert_array_equal(program.loop(ROWS), reference.loop(ROWS))


def test_second_compilation_comes_from_the_cache(
    pendulum: casadi.Function, compilations: Counter, cache_path: Path
) -> None:
    first = compile_program(pendulum)
    assert compilations.count == 1
    assert len(files(cache_path)) == 1
    second = compile_program(pendulum)
    assert compilations.count == 1
    np.testing.assert_array_equal(second.loop(ROWS), first.loop(ROWS))
    assert second.operation_counts == first.operation_counts
    assert second.outputs == first.outputs

    batch = first.batch(ROWS)
    assert compilations.count == 2
    np.testing.assert_array_equal(second.batch(ROWS), batch)
    first.batch(ROWS)
    assert compilations.count == 2
    assert len(files(cache_path)) == 2


def test_cache_can_be_left_alone(pendulum: casadi.Function, compilations: Counter, cache_path: Path) -> None:
    for _ in range(2):
        program = compile_program(pendulum, cache=False)
        program.batch(ROWS)
    assert compilations.count == 4
    assert not cache_path.exists()


def test_sparse_ports_come_back(cache_path: Path) -> None:
    S = casadi.SX.sym("S", casadi.Sparsity.lower(3))
    function = casadi.Function("f", [S], [2 * S], ["S"], ["D"])
    compile_program(function)
    again = compile_program(function)
    np.testing.assert_array_equal(again.outputs[0].pattern, [[0, 1, 2, 1, 2, 2], [0, 0, 0, 1, 1, 2]])


def test_keys_tell_apart_what_differs() -> None:
    host = host_target()
    from dataclasses import replace

    keys = {
        object_key("a", host, optimisation=2, lanes=1),
        object_key("b", host, optimisation=2, lanes=1),
        object_key("a", host, optimisation=1, lanes=1),
        object_key("a", host, optimisation=2, lanes=4),
        object_key("a", replace(host, cpu="other"), optimisation=2, lanes=1),
        object_key("a", replace(host, features="+other"), optimisation=2, lanes=1),
    }
    assert len(keys) == 6


def test_key_follows_versions_and_the_generator(monkeypatch: pytest.MonkeyPatch) -> None:
    host = host_target()
    before = object_key("a", host, optimisation=2, lanes=1)
    monkeypatch.setattr(store_module, "_generator", lambda: ["another version"])
    assert object_key("a", host, optimisation=2, lanes=1) != before


def test_generator_includes_every_module_that_shapes_code() -> None:
    # What the writer imports, directly or not, shapes code, but for the records that its keys contain; so does the
    # order of what it is given.
    script = (
        "import sys, gyrostat.program.writer, gyrostat.program.reordering; "
        "import gyrostat.program.rolled.driver, gyrostat.program.rolled.kind_code; "
        "print(*[m for m in sys.modules if m.startswith('gyrostat.program.')])"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    loaded = {name.removeprefix("gyrostat.program.").replace(".", "/") for name in result.stdout.split()}
    known = {name.removesuffix("/__init__") for name in store_module._CODE_MODULES}
    assert loaded - {"graph", "port", "target"} == known - {"native"}


def test_key_follows_the_source(monkeypatch: pytest.MonkeyPatch) -> None:
    def version() -> list[str]:
        return store_module._generator.__wrapped__()

    honest = store_module.__loader__

    class Edited:
        def get_data(self, path: str) -> bytes:
            return honest.get_data(path) + (b"# edited" if path.endswith("sincos.py") else b"")

    class Absent:
        def get_data(self, path: str) -> bytes:
            raise FileNotFoundError(path)

    before = version()
    assert version() == before
    monkeypatch.setattr(store_module, "__loader__", Edited())
    assert version() != before
    monkeypatch.setattr(store_module, "__loader__", Absent())  # bundled without sources
    assert version() != version()


DAMAGE = {
    "empty": lambda data: b"",
    "truncated head": lambda data: data[:30],
    "truncated code": lambda data: data[:-1],
    "longer": lambda data: data + b"x",
    "flipped bit in code": lambda data: data[:-100] + bytes([data[-100] ^ 1]) + data[-99:],
    "flipped bit in metadata": lambda data: data[:150] + bytes([data[150] ^ 1]) + data[151:],
    "foreign": lambda data: b"\x7fELF" + os.urandom(5000),
    "other version": lambda data: data.replace(b"gyrostat program 1", b"gyrostat program 0", 1),
    "other key": lambda data: data[:43] + bytes(32) + data[75:],
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_damaged_files_are_ignored_and_replaced(
    pendulum: casadi.Function, compilations: Counter, cache_path: Path, damage: str
) -> None:
    compile_program(pendulum)
    (path,) = files(cache_path)
    intact = path.read_bytes()
    path.write_bytes(DAMAGE[damage](intact))
    assert path.read_bytes() != intact
    program = compile_program(pendulum)
    assert compilations.count == 2
    assert_works(program, pendulum)
    assert cache_module.load(path.stem) is not None


@POSIX
def test_files_of_others_are_ignored(
    pendulum: casadi.Function, compilations: Counter, cache_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compile_program(pendulum)
    assert cache_path.stat().st_mode & 0o777 == 0o700
    (path,) = files(cache_path)
    assert path.stat().st_mode & 0o777 == 0o600
    owner = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: owner + 1)
    with pytest.warns(GyrostatWarning, match=r"is not used, because it belongs to another user.* Remove it, or set"):
        assert_works(compile_program(pendulum), pendulum)
    assert compilations.count == 3  # twice, and once for the comparison


@POSIX
def test_files_that_others_may_write_are_ignored(
    pendulum: casadi.Function, compilations: Counter, cache_path: Path
) -> None:
    compile_program(pendulum)
    (path,) = files(cache_path)
    path.chmod(0o666)
    compile_program(pendulum)
    assert compilations.count == 2
    assert files(cache_path)[0].stat().st_mode & 0o777 == 0o600


@POSIX
@pytest.mark.parametrize("mode", [0o777, 0o770, 0o1777], ids=oct)
def test_a_directory_that_others_can_write_is_not_used(
    pendulum: casadi.Function, compilations: Counter, cache_path: Path, mode: int
) -> None:
    compile_program(pendulum)
    before = files(cache_path)
    cache_path.chmod(mode)
    with pytest.warns(GyrostatWarning, match=rf"{cache_path} .* may be written by other users.* \(chmod go-w "):
        assert_works(compile_program(pendulum), pendulum)
    assert_works(compile_program(pendulum), pendulum)  # announced once
    fetch_module("two", lambda: "define double @two() {\nret double 2.0\n}\n", host_target())
    assert compilations.count == 1 + 2 * 2 + 1
    assert sorted(cache_path.iterdir()) == before


@POSIX
def test_links_are_not_followed(
    pendulum: casadi.Function, compilations: Counter, cache_path: Path, tmp_path: Path
) -> None:
    compile_program(pendulum)
    (path,) = files(cache_path)
    elsewhere = path.rename(tmp_path / "elsewhere")
    path.symlink_to(elsewhere)
    compile_program(pendulum)
    assert compilations.count == 2
    assert not path.is_symlink()
    lock, aim = Path(cache_module.lock_path("0" * 64)), tmp_path / "aim"
    lock.symlink_to(aim)
    assert made_once(str(lock), lambda: None, lambda: "own") == "own"
    assert not aim.exists()


@POSIX
def test_a_named_pipe_is_not_waited_for(pendulum: casadi.Function, cache_path: Path) -> None:
    """A reader of a pipe without a writer would wait forever, so another process opens it."""
    compile_program(pendulum)
    (path,) = files(cache_path)
    path.unlink()
    os.mkfifo(path, 0o600)
    code = f"from gyrostat.program import cache; assert cache.load({path.stem!r}) is None"
    subprocess.run([sys.executable, "-c", code], timeout=60, check=True)
    compile_program(pendulum)
    assert path.is_file()


def test_directory_that_cannot_be_made(
    pendulum: casadi.Function, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a directory")
    monkeypatch.setenv("GYROSTAT_CACHE_DIR", str(blocked / "cache"))
    with pytest.warns(GyrostatWarning, match="cannot be written: Not a directory. Programs are compiled anew"):
        assert_works(compile_program(pendulum), pendulum)
    assert_works(compile_program(pendulum), pendulum)  # announced once
    assert_works(load_or_compile("recipe", lambda: pendulum), pendulum)


def test_full_disk_leaves_no_rubbish(
    pendulum: casadi.Function, cache_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(source: str, destination: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.warns(GyrostatWarning, match="cannot be written: no space left on device. .* Make it writable, or set"):
        assert_works(compile_program(pendulum), pendulum)
    assert list(cache_path.iterdir()) == []


def test_path_that_is_a_directory(pendulum: casadi.Function, compilations: Counter, cache_path: Path) -> None:
    compile_program(pendulum)
    (path,) = files(cache_path)
    path.unlink()
    path.mkdir()
    with pytest.warns(GyrostatWarning, match="cannot be written: Is a directory"):
        assert_works(compile_program(pendulum), pendulum)


def test_oldest_files_are_removed_above_the_limit(cache_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_module, "LIMIT_BYTES", 10_000)
    keys = [f"{number:064x}" for number in range(8)]
    for age, key in enumerate(keys):
        cache_module.store(key, cache_module.Entry({}, code=bytes(2000)))
        path = cache_path / f"{key}.program"
        if path.exists():
            os.utime(path, (1000 + age, 1000 + age))
        if age == 3:
            assert cache_module.load(keys[0]) is not None  # used last, so it stays
    kept = [key for key in keys if (cache_path / f"{key}.program").exists()]
    assert sum(path.stat().st_size for path in files(cache_path)) <= 10_000
    assert keys[0] in kept
    assert keys[1] not in kept
    assert keys[-1] in kept


def test_many_processes_at_once(tmp_path: Path) -> None:
    script = """
import casadi, numpy, gyrostat.program as gp
x = casadi.SX.sym("x", 3)
for n in range(6):
    f = casadi.Function("f", [x], [casadi.sin(x) * (n + 1)], ["x"], ["y"])
    p = gp.compile_program(f, optimisation=0)
    assert numpy.allclose(p.loop(numpy.ones((2, 3))), numpy.sin(1.0) * (n + 1))
    q = gp.load_or_compile(str(n), lambda: f, optimisation=0)
    assert numpy.allclose(q.batch(numpy.ones((9, 3))), numpy.sin(1.0) * (n + 1))
"""
    environment = {**os.environ, "GYROSTAT_CACHE_DIR": str(tmp_path / "shared")}
    processes = [subprocess.Popen([sys.executable, "-c", script], env=environment) for _ in range(4)]
    assert [process.wait(timeout=60) for process in processes] == [0] * 4
    names = [path.name for path in (tmp_path / "shared").iterdir()]
    assert len(names) == 18  # six objects, six batches, six recipes
    assert all(name.endswith(".program") for name in names)


def test_recipe_needs_no_building(pendulum: casadi.Function, compilations: Counter) -> None:
    first = load_or_compile("model 1", lambda: pendulum)

    def never() -> casadi.Function:
        raise AssertionError("built although the cache knows the recipe")

    second = load_or_compile("model 1", never)
    assert compilations.count == 1
    np.testing.assert_array_equal(second.loop(ROWS), first.loop(ROWS))
    np.testing.assert_array_equal(second.batch(ROWS), first.batch(ROWS))
    with pytest.raises(AssertionError, match="built although"):
        load_or_compile("model 2", never)
    with pytest.raises(AssertionError, match="built although"):
        load_or_compile("model 1", never, optimisation=1)
    with pytest.raises(AssertionError, match="built although"):
        load_or_compile("model 1", never, cache=False)


def test_recipe_whose_object_was_removed(pendulum: casadi.Function, compilations: Counter, cache_path: Path) -> None:
    load_or_compile("model 1", lambda: pendulum)
    for path in files(cache_path):
        if cache_module.load(path.stem).code:
            path.unlink()
    assert_works(load_or_compile("model 1", lambda: pendulum), pendulum)


def test_cached_start_does_not_import_casadi(pendulum: casadi.Function, cache_path: Path) -> None:
    load_or_compile("model 1", lambda: pendulum)
    script = """
import sys, numpy, gyrostat.program as gp
program = gp.load_or_compile("model 1", None)
print(program.evaluate({"q": [0, 0], "u": [0, 1], "k": 1})["a"].tolist(), program.batch(numpy.zeros((3, 5))).shape)
print("casadi" in sys.modules)
"""
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert result.stdout.splitlines() == ["[0.0, 1.0] (3, 6)", "False"]


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("linux", {"XDG_CACHE_HOME": "/x/cache"}, "/x/cache/gyrostat"),
        ("linux", {}, "/home/someone/.cache/gyrostat"),
        ("darwin", {}, "/home/someone/Library/Caches/gyrostat"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/gyrostat"),
        ("win32", {}, "/home/someone/AppData/Local/gyrostat"),
        ("linux", {"GYROSTAT_CACHE_DIR": "/mine"}, "/mine"),
    ],
)
def test_directory_by_platform(
    platform: str, variables: dict[str, str], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("GYROSTAT_CACHE_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", "/home/someone")
    monkeypatch.setattr(sys, "platform", platform)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert cache_directory() == Path(expected)
