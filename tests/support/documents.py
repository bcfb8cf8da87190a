"""Documents that run: Markdown files whose Python blocks are executed and whose printed results are compared."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from typer.testing import CliRunner

from gyrostat.cli import app

FENCE = re.compile(r"^(?P<indent> *)(?P<fence>```+|~~~+) *(?P<language>[\w+-]*).*$")
COMMAND = "$ gyrostat"


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text, the line where its text begins, and whether it follows another one."""

    language: str
    text: str
    line: int
    follows: bool = False


def blocks_of(text: str) -> tuple[Block, ...]:
    """Return the fenced blocks; one follows another if only blank lines stand between them."""
    found: list[Block] = []
    lines = text.splitlines()
    at, between = 0, True
    while at < len(lines):
        opening = FENCE.match(lines[at])
        if opening is None:
            between = between and not lines[at].strip()
            at += 1
            continue
        indent, fence = len(opening["indent"]), opening["fence"]
        end = next((k for k in range(at + 1, len(lines)) if lines[k].strip() == fence), None)
        if end is None:
            raise AssertionError(f"line {at + 1}: the block is not closed")
        content = "\n".join(line[indent:] if not line[:indent].strip() else line for line in lines[at + 1 : end])
        found.append(Block(opening["language"], content, at + 2, bool(found) and between))
        at, between = end + 1, True
    return tuple(found)


def check_document(path: Path, text: str | None = None) -> int:
    """Run a document's blocks in order, in one namespace; return how many were run.

    A text block directly behind a Python block is what that prints; a console block shows calls of the command line.
    """
    ran = 0
    printed: str | None = None
    with _module(f"document_{path.stem}") as module:
        for block in blocks_of(path.read_text(encoding="utf-8") if text is None else text):
            where = f"{path.name}, line {block.line}"
            if block.language == "python":
                printed = _run(block, path, module)
                ran += 1
                continue
            if block.language == "text" and block.follows and printed is not None:
                _compare(where, printed, block.text)
            elif block.language == "console":
                ran += _run_commands(block, where)
            printed = None
    return ran


@contextlib.contextmanager
def _module(name: str) -> Iterator[ModuleType]:
    """Give the document's names a module, which dataclasses and pickling ask for."""
    module = ModuleType(name)
    sys.modules[name] = module
    try:
        yield module
    finally:
        del sys.modules[name]


def _run(block: Block, path: Path, module: ModuleType) -> str:
    code = compile("\n" * (block.line - 1) + block.text, str(path), "exec")
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(code, module.__dict__)
    return output.getvalue()


def _run_commands(block: Block, where: str) -> int:
    """Run the calls of gyrostat in a console block; other commands are not ours to run."""
    ran = 0
    for call in re.split(r"^(?=\$ )", block.text, flags=re.MULTILINE):
        command, _, shown = call.partition("\n")
        if not command.startswith(COMMAND):
            continue
        result = CliRunner().invoke(app, shlex.split(command.removeprefix(COMMAND)))
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise AssertionError(f"{where}: {command} fails: {result.exception}") from result.exception
        if shown.strip():
            _compare(f"{where}: {command}", result.output, shown)
        elif result.exit_code != 0:
            raise AssertionError(f"{where}: {command} ends with {result.exit_code}: {result.output}")
        ran += 1
    return ran


def _compare(where: str, printed: str, shown: str) -> None:
    if _tidy(printed) != _tidy(shown):
        raise AssertionError(
            f"{where}: what is printed is not what is shown.\n--- printed\n{printed}\n--- shown\n{shown}"
        )


def _tidy(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip("\n").splitlines()]


def in_folder(folder: Path, work: Callable[[], int]) -> int:
    """Do something in another working folder."""
    with contextlib.chdir(folder):
        return work()
