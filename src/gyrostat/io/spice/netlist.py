"""Lines of a SPICE netlist: title, cards with their line numbers, subcircuits. No other file is read."""

from __future__ import annotations

import os
import re
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from gyrostat.errors import Fault
from gyrostat.results.file_content import file_text, refusal

LINE_LIMIT: Final = 200_000

_COMMENT = re.compile(r";.*|(?:^|\s)\$\s.*|\s//.*")
_WORD = re.compile(r"\{[^{}]*\}|'[^']*'|[^\s(),={}']+|=")
"""A word of a card: an expression in braces or quotes, an equals sign, or text; parentheses and commas separate."""


class CardError(Exception):
    """A card cannot be imported: a fact and a remedy."""

    def __init__(self, fact: str, remedy: str) -> None:
        super().__init__(fact)
        self.fact, self.remedy = fact, remedy


@dataclass(frozen=True)
class Card:
    """A line with its continuations: words, and the number of the first line."""

    number: int
    words: tuple[str, ...]
    text: str

    @property
    def item(self) -> str:
        """The line, as messages name it."""
        return f"line {self.number}, {self.text!r:.60}"

    def fault(self, fact: str, remedy: str) -> Fault:
        """Return a fault of this line."""
        return Fault(self.item, fact, remedy)

    @property
    def arguments(self) -> tuple[tuple[str, ...], dict[str, str]]:
        """The words without the first, and the values with names, as in `ic=2`; names are lower case."""
        given = deque(self.words[1:])
        plain: list[str] = []
        named: dict[str, str] = {}
        while given:
            word = given.popleft()
            if len(given) > 1 and given[0] == "=":
                given.popleft()
                named[word.lower()] = given.popleft()
            elif word != "=":
                plain.append(word)
        return tuple(plain), named


@dataclass
class Circuit:
    """The cards of a netlist or subcircuit, without those of subcircuits within it."""

    name: str
    nodes: tuple[str, ...] = ()
    defaults: dict[str, str] = field(default_factory=dict)
    """The parameters of a subcircuit."""
    cards: list[Card] = field(default_factory=list)
    subcircuits: dict[str, Circuit] = field(default_factory=dict)


def read_netlist(path: str | os.PathLike[str]) -> tuple[Circuit, list[Fault]]:
    """Return the circuit of a file, with its title as name, and the faults of its structure."""
    file = Path(path)
    title, _, rest = file_text(file).partition("\n")
    if rest.count("\n") > LINE_LIMIT:
        raise refusal(file, f"it has more than {LINE_LIMIT:,} lines.", "Is this the right file?")
    return _circuit(title.strip().lstrip("*").strip() or file.stem, _cards(rest))


def _cards(text: str) -> list[Card]:
    """Return the cards after the title, up to `.end`."""
    joined: list[tuple[int, list[str]]] = []
    for number, line in enumerate(text.splitlines(), start=2):
        content = _COMMENT.sub("", line).strip()
        if not content or content.startswith("*"):
            continue
        if content.startswith("+") and joined:
            joined[-1][1].append(content[1:].strip())
        elif content.lower() == ".end":
            break
        else:
            joined.append((number, [content]))
    whole = ((number, " ".join(parts)) for number, parts in joined)
    return [Card(number, tuple(_WORD.findall(content)), content) for number, content in whole]


def _circuit(name: str, cards: list[Card]) -> tuple[Circuit, list[Fault]]:
    """Sort cards into the circuit and its subcircuits."""
    top = Circuit(name)
    within, faults = [top], list[Fault]()
    opened: list[Card] = []
    for card in cards:
        word = card.words[0].lower() if card.words else ""
        if word == ".subckt":
            plain, named = card.arguments
            if not plain:
                faults.append(card.fault("the subcircuit has no name.", "Write .subckt NAME NODE …"))
                continue
            nodes = tuple(node for node in plain[1:] if node.lower() != "params:")
            inner = Circuit(plain[0].lower(), nodes, named)
            within[-1].subcircuits[inner.name] = inner
            within.append(inner)
            opened.append(card)
        elif word == ".ends":
            if len(within) == 1:
                faults.append(card.fault("no subcircuit is open.", "Remove the line, or write .subckt before."))
                continue
            within.pop()
            opened.pop()
        elif word:
            within[-1].cards.append(card)
    faults += [card.fault("the subcircuit is not closed.", "Write .ends after its last line.") for card in opened]
    return top, faults
