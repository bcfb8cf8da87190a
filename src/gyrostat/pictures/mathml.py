r"""LaTeX of equations as MathML, which browsers show without a script or a font.

The part of LaTeX is that in which equations are written here: fractions, roots, indices and powers, accents, brackets,
matrices, aligned lines, texts. Neighbouring letters are one name, as products have spaces between their factors.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape

_TOKEN = re.compile(r"\\[a-zA-Z]+\*?|\\.|[a-zA-Z]+|\d+(?:\.\d+)?(?:e[+-]?\d+)?|\s+|.", re.DOTALL)
_GREEK = [
    "alpha",
    "beta",
    "gamma",
    "delta",
    "epsilon",
    "zeta",
    "eta",
    "theta",
    "iota",
    "kappa",
    "lambda",
    "mu",
    "nu",
    "xi",
    "omicron",
    "pi",
    "rho",
    "sigma",
    "tau",
    "upsilon",
    "phi",
    "chi",
    "psi",
    "omega",
    "Alpha",
    "Beta",
    "Gamma",
    "Delta",
    "Epsilon",
    "Zeta",
    "Eta",
    "Theta",
    "Iota",
    "Kappa",
    "Lambda",
    "Mu",
    "Nu",
    "Xi",
    "Omicron",
    "Pi",
    "Rho",
    "Sigma",
    "Tau",
    "Upsilon",
    "Phi",
    "Chi",
    "Psi",
    "Omega",
]
_LETTERS = dict(zip(_GREEK, "αβγδεζηθικλμνξοπρστυφχψωΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ", strict=True)) | {
    "varepsilon": "ε",
    "varphi": "φ",
    "vartheta": "ϑ",
    "ell": "ℓ",
    "partial": "∂",
    "infty": "∞",
    "nabla": "∇",
}
_OPERATORS = {
    "cdot": "·",
    "times": "×",
    "le": "≤",
    "leq": "≤",
    "ge": "≥",
    "geq": "≥",
    "neq": "≠",
    "ne": "≠",
    "pm": "±",
    "to": "→",
    "rightarrow": "→",
    "approx": "≈",
    "equiv": "≡",
    "sum": "∑",
    "int": "∫",
    "prod": "∏",
    "in": "∈",
    "dots": "…",
    "ldots": "…",
    "cdots": "⋯",
    "vdots": "⋮",
    "mid": "|",
    "vert": "|",
    "Vert": "‖",
    "langle": "⟨",
    "rangle": "⟩",
    "land": "∧",
    "lor": "∨",
    "neg": "¬",
    "prime": "′",
    "wedge": "∧",
    "top": "⊤",
    "dagger": "†",
    "lfloor": "⌊",
    "rfloor": "⌋",
    "lceil": "⌈",
    "rceil": "⌉",
    "lbrace": "{",
    "rbrace": "}",
}
_ACCENTS = {
    "dot": "˙",
    "ddot": "¨",
    "hat": "^",
    "tilde": "~",
    "bar": "¯",
    "overline": "¯",
    "vec": "→",
    "check": "ˇ",
    "widetilde": "~",
    "widehat": "^",
    "dddot": "⃛",
}
_SPACES = {"quad": "1em", "qquad": "2em", ",": "0.17em", ";": "0.28em", ":": "0.22em", " ": "0.25em", "!": "0"}
_MATRIX = "<mrow><mtable>"
_BRACKETS = "border: solid; border-width: 0 1.2px; border-radius: 3px; padding: 0 0.3em"
"""Brackets of a matrix as lines, for fonts without tall ones."""
_FENCES = {"matrix": ("", ""), "pmatrix": ("(", ")"), "bmatrix": ("[", "]"), "vmatrix": ("|", "|"), "cases": ("{", "")}
_WIDEST, _LEAST = 84, 36
"""Approximate number of characters of a line, beyond which it goes on in the next one at a sum's sign, and the least
number for one side of an equation."""


def mathml(latex: str, *, display: bool = True) -> str:
    r"""Return LaTeX as an element `math`.

    >>> mathml(r"\frac{m_{1}}{2}", display=False)
    '<math><mfrac><msub><mi>m</mi><mn>1</mn></msub><mn>2</mn></mfrac></math>'
    """
    lines = _Reader(_TOKEN.findall(latex)).lines()
    cells = [cell for line in lines for cell in line]
    single = len(cells) == 1 and (not display or len(cells[0]) == 1)
    body = "".join(cells[0]) if single else _aligned(lines)
    return f'<math display="block">{body}</math>' if display else f"<math>{body}</math>"


class _Reader:
    """Reads tokens from the left to the right; each part is a piece of MathML."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens, self.place = tokens, 0

    def peek(self) -> str:
        while self.place < len(self.tokens) and self.tokens[self.place].isspace():
            self.place += 1
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def take(self) -> str:
        token = self.peek()
        self.place += 1
        return token

    def lines(self, end: Callable[[str], bool] = lambda token: not token) -> list[list[list[str]]]:
        """Return lines of cells of parts up to an end."""
        lines: list[list[list[str]]] = [[[]]]
        while not end(self.peek()) and self.peek():
            token = self.peek()
            if token == "&":
                self.take()
                lines[-1].append([])
            elif token == "\\\\":
                self.take()
                lines.append([[]])
            else:
                cell, part = lines[-1][-1], self.scripted()
                if cell and _is_factor(cell[-1]) and _is_factor(part) and not cell[-1].startswith(_UPRIGHT):
                    cell.append(_THIN)
                cell.append(part)
        return lines

    def group(self) -> str:
        """Return a group in braces, or a single token, as one part."""
        if self.peek() != "{":
            return self.atom()
        self.take()
        cells = self.lines(lambda token: token == "}")
        self.take()
        parts = [part for line in cells for cell in line for part in cell]
        return parts[0] if len(parts) == 1 else f"<mrow>{''.join(parts)}</mrow>"

    def text(self) -> str:
        """Return the words of a group in braces."""
        if self.peek() != "{":
            return self.take()
        self.take()
        words, depth = "", 1
        while self.place < len(self.tokens):
            token = self.tokens[self.place]
            self.place += 1
            depth += (token == "{") - (token == "}")
            if not depth:
                break
            words += {"\\_": "_", "\\&": "&", "\\%": "%", "\\#": "#", "\\ ": " ", "{": "", "}": ""}.get(token, token)
        return words

    def scripted(self) -> str:
        """Return a part with its index and power."""
        base = self.atom()
        below = above = ""
        while self.peek() in ("_", "^"):
            if self.take() == "_":
                below = self.group()
            else:
                above = self.group()
        if below and above:
            return f"<msubsup>{base}{below}{above}</msubsup>"
        if below:
            return f"<msub>{base}{below}</msub>"
        return f"<msup>{base}{above}</msup>" if above else base

    def atom(self) -> str:
        token = self.take()
        if token == "{":
            self.place -= 1
            return self.group()
        if token.startswith("\\") and len(token) > 1:
            return self.command(token[1:])
        if token[:1].isdigit():
            return f"<mn>{token}</mn>"
        if token[:1].isalpha():
            return f"<mi>{escape(token)}</mi>"
        if token == "'":
            return "<mo>′</mo>"
        return f"<mo{_NARROW.get(token, '')}>{escape('−' if token == '-' else token)}</mo>"

    def command(self, name: str) -> str:
        if name in _LETTERS:
            return f"<mi>{_LETTERS[name]}</mi>"
        if name in _OPERATORS:
            return f"<mo>{_OPERATORS[name]}</mo>"
        if name in _SPACES:
            return f'<mspace width="{_SPACES[name]}"/>'
        if name in _ACCENTS:
            return f'<mover accent="true">{self.group()}<mo stretchy="false">{_ACCENTS[name]}</mo></mover>'
        match name:
            case "frac" | "tfrac" | "dfrac":
                return f"<mfrac>{self.group()}{self.group()}</mfrac>"
            case "sqrt":
                return self.root()
            case "left":
                return self.fenced()
            case "begin":
                return self.environment()
            case "mathrm" | "operatorname" | "mathit" | "mathsf" | "mathtt":
                return f'<mi mathvariant="normal">{escape(self.text())}</mi>'
            case "text" | "textrm" | "textit":
                return f"<mtext>{escape(self.text())}</mtext>"
            case "mathbf" | "boldsymbol" | "mathbb" | "mathcal":
                return f'<mrow style="font-weight: bold">{self.group()}</mrow>'
            case "displaystyle" | "limits" | "nolimits" | "big" | "Big" | "bigl" | "bigr":
                return ""
        return f'<mi mathvariant="normal">{escape(name)}</mi>' if name.isalpha() else f"<mo>{escape(name)}</mo>"

    def root(self) -> str:
        if self.peek() != "[":
            return f"<msqrt>{self.group()}</msqrt>"
        self.take()
        degree = "".join(part for line in self.lines(lambda token: token == "]") for cell in line for part in cell)
        self.take()
        return f"<mroot>{self.group()}<mrow>{degree}</mrow></mroot>"

    def fenced(self) -> str:
        left = self._fence()
        inner = self.lines(lambda token: token == "\\right")
        self.take()
        right = self._fence()
        parts = "".join(part for line in inner for cell in line for part in cell)
        if left == right.replace("]", "[") and "[" in left and parts.startswith(_MATRIX):
            return parts.replace("<mtable>", f'<mtable style="{_BRACKETS}">', 1)
        return f"<mrow>{left}{parts}{right}</mrow>"

    def _fence(self) -> str:
        token = self.take()
        if token == ".":
            return ""
        sign = _OPERATORS.get(token[1:], token[1:]) if token.startswith("\\") else token
        return f'<mo fence="true">{escape(sign)}</mo>'

    def environment(self) -> str:
        name = self.text()
        if name == "array":
            self.text()
        lines = self.lines(lambda token: token == "\\end")
        self.take()
        self.text()
        if name == "aligned":
            return _aligned(lines)
        rows = "".join(
            "<mtr>" + "".join(f"<mtd>{''.join(cell)}</mtd>" for cell in line) + "</mtr>"
            for line in lines
            if any(cell for cell in line)
        )
        left, right = (f'<mo fence="true">{one}</mo>' if one else "" for one in _FENCES.get(name, ("", "")))
        return f"<mrow>{left}<mtable>{rows}</mtable>{right}</mrow>"


_UPRIGHT = '<mi mathvariant="normal">'
"""The beginning of names of functions, whose argument follows closely."""
_THIN = '<mspace width="0.17em"/>'
"""The space between factors."""


def _is_factor(part: str) -> bool:
    return (bool(part) and not part.startswith(("<mo", "<mspace", "<mtext"))) or part.startswith("<mover")


_NARROW = {"(": ' stretchy="false"', ")": ' stretchy="false"', "[": ' stretchy="false"', "]": ' stretchy="false"'}
_SIGNS = ("<mo>+</mo>", "<mo>−</mo>")


def _aligned(lines: list[list[list[str]]]) -> str:
    """Return lines below each other, the first column to the right and the others to the left; long ones are broken."""
    rows = []
    for cells in lines:
        columns = _broken_cells(cells)
        for k in range(max(len(column) for column in columns) if any(cells) else 0):
            shown = []
            for place, column in enumerate(columns):
                side = "right" if len(columns) > 1 and place == 0 else "left"
                indent = '<mspace width="2em"/>' if 0 < k < len(column) else ""
                content = indent + "".join(column[k]) if k < len(column) else ""
                shown.append(f'<mtd style="text-align: {side}; padding: 0.15em 0">{content}</mtd>')
            rows.append(f"<mtr>{''.join(shown)}</mtr>")
    return f'<mtable displaystyle="true">{"".join(rows)}</mtable>'


def _broken_cells(cells: list[list[str]]) -> list[list[list[str]]]:
    """Return the cells of a line, each broken so that both sides of an equation have room beside each other."""
    widths = [sum(_width(part) for part in cell) for cell in cells]
    if len(cells) != 2 or sum(widths) <= _WIDEST:
        return [_broken(cell, _WIDEST) for cell in cells]
    left = max(_LEAST, min(widths[0], _WIDEST - min(widths[1], _WIDEST // 2)))
    return [_broken(cells[0], left), _broken(cells[1], max(_LEAST, _WIDEST - min(left, widths[0])))]


def _broken(parts: list[str], widest: int) -> list[list[str]]:
    """Return parts in lines that are not too wide, broken before a sign of a sum."""
    lines: list[list[str]] = [[]]
    width = 0
    for k, part in enumerate(parts):
        sign = part in _SIGNS and k > 0 and not parts[k - 1].startswith("<mo")
        if sign and width + _next_width(parts, k) > widest and lines[-1]:
            lines.append([])
            width = 0
        lines[-1].append(part)
        width += _width(part)
    return lines


def _next_width(parts: list[str], start: int) -> int:
    """Return the width of a term with its sign."""
    total = 0
    for k, part in enumerate(parts[start:]):
        if k and part in _SIGNS:
            break
        total += _width(part)
    return total


def _width(part: str) -> int:
    """Return the approximate width of a part in characters; of a fraction that of its wider half."""
    if part.startswith("<mfrac>"):
        return max(1, len(re.sub(r"<[^>]*>", "", part)) * 2 // 3)
    return len(re.sub(r"&[a-z]+;", "x", re.sub(r"<[^>]*>", "", part)))
