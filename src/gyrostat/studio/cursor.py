"""The place of a cursor in the text of a model: the keys that lead there, and the keys beside it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_KEY = re.compile(r"""\s*(?:"([^"]*)"|'([^']*)'|([^\s#{}\[\],'"][^:{}\[\],#]*?))\s*:(?=\s|$)""")
_WORD = re.compile(r"[\w.+\-*/]*$")


@dataclass
class _Level:
    """A mapping or list that is open at the cursor; `indent` is that of a block, None inside brackets."""

    indent: int | None
    key: str | None = None
    """The key whose value comes next, or came last."""
    pending: bool = False
    """Whether that value is still to come."""
    known: dict[str, str] = field(default_factory=dict)
    is_list: bool = False


@dataclass(frozen=True)
class Cursor:
    """Where a cursor stands: the path of keys, whether a key or a value is typed, and the entries beside it."""

    path: tuple[str, ...]
    at_value: bool
    """Whether the value of the last key of the path is typed; otherwise a further key."""
    word: str
    """The beginning of a word before the cursor."""
    beside: dict[str, str]
    """Keys and simple values of the mapping that the cursor is in."""

    @staticmethod
    def at(text: str, place: int) -> Cursor:
        """Return the cursor at a place of a text, which need not be complete."""
        before = text[:place]
        word = _WORD.search(before[before.rfind("\n") + 1 :])
        typed = word[0] if word else ""
        levels = _levels(before[: len(before) - len(typed)], len(before) - len(typed) - before.rfind("\n") - 1)
        inner = levels[-1]
        path = tuple(level.key for level in levels[:-1] if level.key is not None)
        if inner.pending and inner.key is not None:
            return Cursor((*path, inner.key), True, typed, inner.known)
        if inner.is_list:
            return Cursor(path, True, typed, {})
        known = {**_after(text[place:], inner), **inner.known}
        return Cursor(path, False, typed, known)


def _levels(before: str, column: int) -> list[_Level]:
    """Return what is open at the end of a text, the outermost first; the cursor's line may be empty so far."""
    levels = [_Level(0)]
    lines = before.split("\n")
    for number, line in enumerate(lines):
        if levels[-1].indent is not None:
            blank = not line.strip() or line.lstrip().startswith("#")
            if blank and number < len(lines) - 1:
                continue
            _enter(levels, len(line) - len(line.lstrip()) if not blank else column)
        _scan(levels, line)
    return levels


def _enter(levels: list[_Level], indent: int) -> None:
    """Open or close blocks at the beginning of a line with an indentation."""
    while len(levels) > 1 and levels[-1].indent is not None and indent < levels[-1].indent:
        levels.pop()
    inner = levels[-1]
    if inner.indent is not None and indent > inner.indent and inner.pending:
        levels.append(_Level(indent))
    elif inner.indent is not None and indent <= inner.indent:
        inner.pending = False


def _scan(levels: list[_Level], line: str) -> None:
    """Read the keys, values and brackets of a line."""
    at = 0
    while at < len(line):
        character = line[at]
        if character == "#" and (at == 0 or line[at - 1].isspace()):
            return
        if character in "{[":
            levels.append(_Level(None, is_list=character == "["))
        elif character in "}]":
            if len(levels) > 1 and levels[-1].indent is None:
                levels.pop()
                levels[-1].pending = False
        elif character == ",":
            levels[-1].pending = False
        elif not character.isspace():
            at = _item(levels[-1], line, at)
            continue
        at += 1


def _item(level: _Level, line: str, at: int) -> int:
    """Read a key with its colon, or a scalar; return where it ends."""
    key = None if level.pending or level.is_list else _KEY.match(line, at)
    if key is not None:
        level.key, level.pending = next(group for group in key.groups() if group is not None), True
        level.known.setdefault(level.key, "")
        return key.end()
    ends = ",}]" if level.indent is None else ""
    end = at
    quote = line[at] if line[at] in "\"'" else ""
    if quote:
        end = line.find(quote, at + 1) + 1 or len(line)
    else:
        while end < len(line) and line[end] not in ends and not line.startswith(" #", end):
            end += 1
    if level.pending and level.key is not None:
        level.known[level.key] = line[at:end].strip().strip("\"'")
        level.pending = line[at:end].strip() == ""
    return max(end, at + 1)


def _after(rest: str, level: _Level) -> dict[str, str]:
    """Return simple entries behind the cursor, in the same mapping."""
    found: dict[str, str] = {}
    if level.indent is None:
        flow = rest.split("}")[0].split("{")[0]
        pairs = [part.partition(":") for part in flow.split(",")]
    else:
        lines = []
        for line in rest.split("\n")[1:]:
            indent = len(line) - len(line.lstrip())
            if line.strip() and indent < level.indent:
                break
            if indent == level.indent:
                lines.append(line)
        pairs = [line.partition(":") for line in lines]
    for key, sign, value in pairs:
        if sign:
            found[key.strip().strip("\"'")] = value.strip().strip("\"'")
    return found
