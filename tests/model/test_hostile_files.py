"""Hostile files: each is refused soon, with a readable error of the package."""

import json
import time

import pytest

import gyrostat as gs
from gyrostat.errors import GyrostatError, ModelError

HEAD = "gyrostat: 1\nname: x\n"
JHEAD = '{"gyrostat": 1, "name": "x", '
LONGEST = 20.0
"""Seconds; on an idle machine none takes much more than one."""


def entries(n, form):
    return "{" + ",".join(form.replace("#", str(i)) for i in range(n)) + "}"


def bomb():
    lines = ["a: &a [x, x, x, x, x, x, x, x, x]"]
    lines += [f"{c}: &{c} [{', '.join([f'*{p}'] * 9)}]" for p, c in zip("abcdefgh", "bcdefghi", strict=True)]
    return HEAD + "\n".join(lines)


HOSTILE = {
    "billion laughs.yaml": bomb,
    "recursive alias.yaml": lambda: HEAD + "a: &a [*a]",
    "repeated text.yaml": lambda: HEAD + f"description: &a '{'x ' * 500_000}'\nparameters: "
    + entries(50_000, "p#: {description: *a}"),
    "brackets.yaml": lambda: HEAD + "a: " + "[" * 7_900_000,
    "braces.yaml": lambda: HEAD + "a: " + "{a: " * 1_900_000,
    "dashes.yaml": lambda: HEAD + "a:\n" + "- " * 3_900_000,
    "steps.yaml": lambda: HEAD + "a:\n" + "".join(" " * i + "-\n" for i in range(1, 3000)),
    "question marks.yaml": lambda: "? " * 3_900_000,
    "commas.yaml": lambda: HEAD + "a: [" + "," * 7_900_000 + "]",
    "colons.yaml": lambda: HEAD + ": " * 3_900_000,
    "values.yaml": lambda: HEAD + "a: [" + "1," * 3_900_000 + "]",
    "comment.yaml": lambda: "#" * 7_900_000,
    "brackets.json": lambda: "[" * 7_900_000,
    "objects.json": lambda: '{"a":' * 1_500_000,
    "brackets as a key.json": lambda: "{" + "[" * 7_900_000,
    "commas.json": lambda: "[" + "," * 7_900_000,
    "values.json": lambda: "[" + "1," * 3_900_000 + "1]",
    "spaces.json": lambda: " " * 7_900_000,
    "digits.yaml": lambda: HEAD + "gravity: [" + "9" * 7_900_000 + ", 0, 0]",
    "digits.json": lambda: JHEAD + '"gravity": [' + "9" * 7_900_000 + ", 0, 0]}",
    "exponent.yaml": lambda: HEAD + "gravity: [1e999999999, 0, 0]",
    "exponent.json": lambda: JHEAD + '"gravity": [1e999999999, 0, 0]}',
    "powers.yaml": lambda: HEAD + "parameters: {a: 9**9**9**9**9, b: '2**99999999999', c: '10**400'}",
    "infinity.yaml": lambda: HEAD + "gravity: [.inf, .nan, -.inf]",
    "infinity.json": lambda: JHEAD + '"gravity": [Infinity, NaN, -Infinity]}',
    "sum.yaml": lambda: HEAD + "gravity: ['" + "1+" * 3_900_000 + "1', 0, 0]",
    "parentheses.yaml": lambda: HEAD + "gravity: ['" + "(" * 9000 + "1" + ")" * 9000 + "', 0, 0]",
    "signs.yaml": lambda: HEAD + "gravity: ['" + "-" * 19_000 + "1', 0, 0]",
    "code.yaml": lambda: HEAD + "gravity: ['__import__(\"os\").abort()', '().__class__', '[x for x in (1, 2)]']",
    "more code.yaml": lambda: HEAD + "gravity: ['(lambda: 0)()', 'open(\"x\")', 'x := 3']",
    "python tag.yaml": lambda: HEAD + "a: !!python/object/apply:os.abort []",
    "nul.yaml": lambda: HEAD + "a: \0",
    "nul.json": lambda: JHEAD + '"a\0": 1}',
    "escaped nul.json": lambda: JHEAD + '"a\\u0000": 1, "bodies": {"\\u0000": {"mass": 1}}}',
    "surrogates.json": lambda: JHEAD + '"a\\ud800": 1, "description": "\\udfff", "bodies": {"\\ud800": {"mass": 1}}}',
    "surrogates.yaml": lambda: 'gyrostat: 1\nname: "\\ud800"',
    "directions.yaml": lambda: HEAD + "bodies: {\u202eab: {mass: 1}, 'a\u200bb': {mass: 1}, ｂａｒ: {mass: 1}}\n"
    "\u202ex: 1",
    "long key.yaml": lambda: HEAD + "? " + "x" * 7_900_000 + "\n: 1",
    "long key.json": lambda: JHEAD + '"' + "x" * 7_900_000 + '": 1}',
    "long parameter.json": lambda: JHEAD + '"parameters": {"' + "x" * 7_900_000 + '": 1}}',
    "long name.json": lambda: JHEAD + '"bodies": {"' + "x" * 7_900_000 + '": {"mass": 1}}}',
    "long field.json": lambda: JHEAD + '"bodies": {"b": {"' + "x" * 7_900_000 + '": 1}}}',
    "long type.json": lambda: JHEAD + '"joints": {"j": {"type": "' + "x" * 7_900_000 + '"}}}',
    "long reference.json": lambda: JHEAD + '"forces": {"f": {"type": "Actuator", "joint": "' + "x" * 7_900_000 + '"}}}',
    "long solid.json": lambda: JHEAD + '"bodies": {"b": {"properties": {"' + "x" * 7_900_000 + '": 1}}}}',
    "long version.json": lambda: '{"gyrostat": "' + "x" * 7_900_000 + '"}',
    "wide vector.json": lambda: JHEAD + '"gravity": [' + "0," * 300_000 + "0]}",
    "merge.yaml": lambda: HEAD + "a: &a {x: 1}\nbodies: {b: {<<: *a, mass: 1}}\n<<: *a",
    "two documents.yaml": lambda: HEAD + "---\n" + HEAD,
    "tabs.yaml": lambda: HEAD + "bodies:\n\tb: {mass: 1}",
    "directive.yaml": lambda: "%YAML 9.9\n---\n" + HEAD,
    "100 000 sections.json": lambda: JHEAD + entries(100_000, '"f#":1')[1:],
    "100 000 fields.json": lambda: JHEAD + '"bodies": {"b": ' + entries(100_000, '"f#":1') + "}}",
    "100 000 bad names.json": lambda: JHEAD + '"parameters": ' + entries(100_000, '"2f#":1') + "}",
    "100 000 points.json": lambda: JHEAD + '"bodies": {"b": {"mass": 1, "points": '
    + entries(100_000, '"2f#":0') + "}}}",
    "100 000 types.json": lambda: JHEAD + '"joints": ' + entries(100_000, '"j#":{"type":"Rev#"}') + "}",
    "100 000 duplicates.json": lambda: JHEAD + '"bodies": {' + '"b":0,' * 100_000 + '"b":0}}',
    "100 000 turns.json": lambda: JHEAD + '"bodies": {"b": {"mass": 1, "frames": {"f": {"turn": ['
    + '["q", 0],' * 90_000 + '["q", 0]]}}}}}',
    "many loose bodies.json": lambda: JHEAD + '"bodies": ' + entries(15_000, '"b#":{"mass":1}') + "}",
    "many lost ends.json": lambda: JHEAD + '"bodies": ' + entries(4900, '"body#":{"mass":1}')
    + ', "joints": ' + entries(10_000, '"j#":{"type":"Weld","parent":"bod#x","child":"bdy#"}') + "}",
    "many unknown names.json": lambda: JHEAD + '"parameters": ' + entries(20_000, '"f#":"g#"') + "}",
    "a long cycle.json": lambda: JHEAD + '"parameters": ' + entries(20_000, '"f#":"f#+f0"') + "}",
    "many long remedies.json": lambda: JHEAD + '"parameters": ' + entries(100, '"f#":"nothing(#)"') + "}",
    "many cycles.json": lambda: JHEAD + '"parameters": ' + entries(20_000, '"f#":"f#"') + "}",
    "tiny axis.yaml": lambda: HEAD + "bodies: {b: {mass: 1}}\njoints: {j: {type: Revolute, parent: ground, child: b, "
    "axis: [1e-200, 1e-200, 0]}}",
    "huge body.yaml": lambda: HEAD + "bodies: {b: {properties: {box: {mass: 1e300, size: [1e200, 1e200, 1e200]}}}}\n"
    "joints: {j: {type: Free, parent: ground, child: b}}",
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_ends_soon_in_a_readable_error(name, tmp_path):
    path = tmp_path / f"hostile.{name.rpartition('.')[2]}"
    path.write_text(HOSTILE[name](), encoding="utf-8")
    start = time.process_time()
    with pytest.raises(ModelError) as error:
        gs.Model.load(path).check()
    seconds = time.process_time() - start
    message = str(error.value)
    assert 20 < len(message) < 8000
    assert len(error.value.faults) <= 1002
    assert all(len(line) < 800 for line in message.splitlines())
    assert all(c.isprintable() or c == "\n" for c in message)
    assert message.encode("utf-8")
    assert seconds < LONGEST


def test_as_many_rotors_and_points_as_a_file_holds_are_read_in_linear_time(tmp_path):
    points = {f"p{i}": [0, 0, 0] for i in range(20_000)}
    rotors = {f"w{i}": {"axis": "z", "momentum": 1} for i in range(20_000)}
    body = {"mass": 1, "inertia": [1, 1, 1], "points": points, "rotors": rotors}
    joint = {"type": "Weld", "parent": "ground", "child": "b"}
    path = tmp_path / "m.json"
    path.write_text(json.dumps({"gyrostat": 1, "name": "x", "bodies": {"b": body}, "joints": {"j": joint}}))
    start = time.process_time()
    assert len(gs.Model.load(path)["b"].rotors) == 20_000
    assert time.process_time() - start < LONGEST


@pytest.mark.parametrize("code", ["__import__('os').abort()", "exit()", "t.__class__", "print(1)", "a if b else c"])
def test_code_in_formulas_is_never_run(code):
    with pytest.raises(GyrostatError):
        gs.Model("m", parameters={"p": code}).check()
