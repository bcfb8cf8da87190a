"""Formulas: accepted and refused texts, without side effects."""

import math
import operator
import time
from fractions import Fraction

import numpy as np
import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from gyrostat.errors import FormulaError
from gyrostat.model.formula import LENGTH_LIMIT, Formula
from gyrostat.scalar import ARITY

VALUES = {"x": 0.7, "y": -1.3, "b.tip": 2.5, "t": 4.0}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 + 2*3", 7),
        ("2**3**2", 512),
        ("-2**2", -4),
        ("2**-1", 0.5),
        ("--2", 2),
        ("+-+2", -2),
        ("1/4", 0.25),
        ("7 - 2 - 1", 4),
        ("30*deg", math.pi / 6),
        ("pi", math.pi),
        ("x*y", 0.7 * -1.3),
        ("b.tip/t", 2.5 / 4),
        ("(b).tip", 2.5),
        ("sqrt(abs(y)) + hypot(3, 4)", math.sqrt(1.3) + 5),
        ("atan2(y, x)", math.atan2(-1.3, 0.7)),
        ("min(1, x, y)", -1.3),
        ("max(1, x)", 1),
        ("where(x < y, 1, 2)", 2),
        ("where(not x < y, 1, 2)", 1),
        ("where(x > 0 and y < 0 and t != 0, 1, 2)", 1),
        ("where(x == 0 or y >= 0, 1, 2)", 2),
        ("sign(y)*floor(2.7) + ceil(0.2)", -1),
        ("0x10 + 1_000", 1016),
        ("  1 \n", 1),
        ("1e-3", 0.001),
    ],
)
def test_text_means_what_it_says(text, expected):
    assert Formula.of(text).value(VALUES) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize("name", ARITY)
def test_every_function_is_that_of_mathematics(name):
    arguments = [0.3, 0.6, 0.9][: ARITY[name] or 2]
    if name == "acosh":
        arguments = [1.5]
    independent = {
        "asinh": np.arcsinh, "acosh": np.arccosh, "atanh": np.arctanh, "asin": np.arcsin, "acos": np.arccos,
        "atan": np.arctan, "atan2": np.arctan2, "min": np.minimum, "max": np.maximum,
    }  # fmt: skip
    expected = independent.get(name) or getattr(np, name)
    text = f"{name}({', '.join(map(str, arguments))})"
    assert Formula.of(text).value() == pytest.approx(float(expected(*arguments)), rel=1e-15)


@pytest.mark.parametrize(
    ("given_value", "source"),
    [
        (3, 3),
        (2.5, 2.5),
        ("3", 3),
        ("-3", -3),
        ("- 2.5", -2.5),
        ("+2", 2),
        (np.float64(2.5), 2.5),
        (np.int32(3), 3),
        (Fraction(1, 3), "1/3"),
        (" l1/2 ", "l1/2"),
        (2**1023 - 1, 2**1023 - 1),
        (-(2**1000), -(2**1000)),
    ],
)
def test_numbers_and_text_are_kept_as_they_are_written(given_value, source):
    formula = Formula.of(given_value)
    assert formula.source == source
    assert type(formula.source) is type(source)
    assert formula.number == (source if not isinstance(source, str) else None)
    assert Formula.of(formula) is formula
    assert Formula.of(formula.source) == formula
    assert math.isfinite(formula.value({"l1": 1.0}))


def test_names_are_listed_without_constants_and_functions():
    assert Formula.of("sin(pi*t)*l1 + b.tip.x*30*deg").names == {"t", "l1", "b.tip.x"}
    assert Formula.of(3).names == frozenset()


def test_formulas_are_equal_when_written_alike():
    assert Formula.of("a + b") == Formula.of(" a + b")
    assert Formula.of("a + b") != Formula.of("a+b")
    assert len({Formula.of("a"), Formula.of("a"), Formula.of(1), Formula.of("1")}) == 2


def test_an_unknown_name_is_a_key_error_of_the_lookup():
    with pytest.raises(KeyError, match="l9"):
        Formula.of("l9").value({"l1": 1.0})


@pytest.mark.parametrize("text", ["1/0", "log(0)", "sqrt(-1)", "9**9**9**9", "(-8)**(1/3)", "exp(1000)", "asin(2)"])
def test_values_outside_the_reals_are_errors_and_quick(text):
    start = time.process_time()
    with pytest.raises((ValueError, ArithmeticError)):
        Formula.of(text).value()
    assert time.process_time() - start < 0.5


CANNOT = r"contains {}, which is not allowed in a formula\. A formula may contain numbers, names, \+ - \* / \*\*, "
REFUSED = {
    "lambda: 1": CANNOT.format("Lambda"),
    "[x for x in y]": CANNOT.format("ListComp"),
    "(x for x in y)": CANNOT.format("GeneratorExp"),
    "(x := 1)": CANNOT.format("NamedExpr"),
    "f'{x}'": CANNOT.format("(JoinedStr|TemplateStr)"),
    "x if y else z": CANNOT.format("IfExp"),
    "a[0]": CANNOT.format("Subscript"),
    "a // b": CANNOT.format("BinOp"),
    "a % b": CANNOT.format("BinOp"),
    "a @ b": CANNOT.format("BinOp"),
    "a << 1": CANNOT.format("BinOp"),
    "~a": CANNOT.format("UnaryOp"),
    "a < b < c": CANNOT.format("Compare"),
    "a is b": CANNOT.format("Compare"),
    "a in b": CANNOT.format("Compare"),
    "{}": CANNOT.format("Dict"),
    "{1}": CANNOT.format("Set"),
    "(1, 2)": CANNOT.format("Tuple"),
    "[]": CANNOT.format("List"),
    "...": CANNOT.format("Constant"),
    "sin(x=1)": CANNOT.format("Call"),
    "sin(*x)": CANNOT.format("Starred"),
    "(lambda: 1)()": CANNOT.format("Call"),
    "x.real(1)": CANNOT.format("Call"),
    "().__class__.__bases__": "has a dot after something that is not a name",
    "sin(1).x": "has a dot after something that is not a name",
    "__import__('os').system('true')": CANNOT.format("Call"),
    "__import__('os')": r"calls '__import__', which is not a known function\. A formula may contain",
    "eval('1')": "calls 'eval', which is not a known function",
    "sin()": r"gives 0 to 'sin'\. It takes 1 argument\.",
    "sin(1, 2)": r"gives 2 to 'sin'\. It takes 1 argument\.",
    "atan2(1)": r"gives 1 to 'atan2'\. It takes 2 arguments\.",
    "max(1)": r"gives 1 to 'max'\. It takes two or more arguments\.",
    "where(1, 2)": r"gives 2 to 'where'\. It takes 3 arguments\.",
    "1j": r"contains 1j, which is not a real number\. Use numbers and names\.",
    "'a'": r"contains 'a', which is not a real number",
    "b'a'": r"contains b'a', which is not a real number",
    "None": "contains None, which is not a real number",
    "True": "contains True, which is not a real number",
    "1e999": r"contains a number too large for a float\. Rescale it\.",
    "1" * 400: r"is an integer of more than 308 digits\. Use a floating-point number or rescale\.",
    "1" * 5000: "is not a formula: Exceeds the limit",
    "0x" + "f" * 300: "is an integer of more than 308 digits",
    str(2**1024 - 1): "is an integer of more than 308 digits",
    "": r"is empty\. Write a number or a formula\.",
    "   ": "is empty",
    "1 +": r"is not a formula: invalid syntax.* Write it as in Python: 2\*l1\*cos\(alpha\)\*\*2\.",
    "a b": "is not a formula: invalid syntax at character 3",
    "(": r"is not a formula: '\(' was never closed at character 1",
    "a; b": "is not a formula",
    "a\nb": "is not a formula",
    "a = 1": "is not a formula",
    "import os": "is not a formula",
    "yield": "is not a formula",
    "a # b": r"contains '#'\. Write comments elsewhere",
    "007": "is not a formula: leading zeros",
    "a\0b": "is not a formula: source code string cannot contain null bytes",
    "１２": r"is not a formula: invalid character '１' \(U\+FF11\)",
    "a\u202eb": r"is not a formula: invalid non-printable character U\+202E",
    "\ufeff1": r"is not a formula: invalid non-printable character U\+FEFF",
    "\u0301x": "is not a formula: invalid character",
    "\ud800": "is not a formula: .*surrogates not allowed",
    "a"
    * (
        LENGTH_LIMIT + 1
    ): rf"has {LENGTH_LIMIT + 1} characters\. At most {LENGTH_LIMIT} are allowed; define parts of it as parameters\.",
    "(" * 500 + "1" + ")" * 500: "(too many nested parentheses|is nested too deeply)",
}


@pytest.mark.parametrize("text", REFUSED, ids=lambda text: ascii(text)[:30])
def test_what_is_not_a_formula_is_refused_with_the_reason(text):
    start = time.process_time()
    with pytest.raises(FormulaError, match=REFUSED[text]) as error:
        Formula.of(text)
    assert time.process_time() - start < 0.5
    assert len(str(error.value)) < 700


@pytest.mark.parametrize(
    "text",
    [
        "-" * 5000 + "1",
        "+" * 9000 + "1",
        "+-" * 4000 + "1",
        "not " * 4000 + "1",
        "+".join(["1"] * 9000),
        "**".join(["1"] * 4000),
        "x" + ".a" * 4000,
        "1<" * 5000 + "2",
        "sin(" * 190 + "x" + ")" * 190,
        "min(" * 150 + "1" + ", 2)" * 150,
        "[" * 199,
        "{" * 199 + "}" * 199,
        "x" * LENGTH_LIMIT,
        "a,"  * 9000,
    ],
    ids=lambda text: text[:12],
)  # fmt: skip
def test_deep_and_long_text_is_read_or_refused_quickly(text):
    start = time.process_time()
    try:
        formula = Formula.of(text)
    except FormulaError as error:
        assert len(str(error)) < 700  # noqa: PT017  (both outcomes are allowed; Python versions differ in their limits)
    else:
        if formula.names <= {"x"}:
            assert isinstance(formula.value({"x": 0.5}), float)
    assert time.process_time() - start < 0.5


@pytest.mark.parametrize("text", ["a.__class__", "__builtins__", "x.__globals__.os", "t.__init__.__self__"])
def test_dunder_names_are_names_and_reach_nothing(text):
    formula = Formula.of(text)
    assert formula.names == {text}
    assert formula.evaluate(None, {text: 3.0}.__getitem__) == 3.0


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (None, r"value None: is not a number or a formula\. Give a number or text such as 'l1/2'\."),
        (True, "value True: is not a number or a formula"),
        (np.bool_(True), "is not a number or a formula"),
        (1j, "value 1j: is not a number or a formula"),
        (b"1", "value b'1': is not a number or a formula"),
        ([1], r"value \[1\]: is not a number or a formula"),
        (["x" * 100], r"value \['x+\.\.\.: is not"),
        (np.array([1.0]), "is not a number or a formula"),
        (float, "is not a number or a formula"),
        (math.nan, r"value nan: is not a finite number\. Give a finite value\."),
        (math.inf, "value inf: is not a finite number"),
        (-np.inf, "value -inf: is not a finite number"),
        (10**400, "is an integer of more than 308 digits"),
        (Fraction(10**400, 3), "is an integer of more than 308 digits"),
        (sp.I, r"formula 'I': contains I, which a formula cannot\. Use finite real numbers and names\."),
        (sp.oo * sp.Symbol("x", positive=True), "contains oo"),
        (sp.zoo, "contains zoo"),
        (sp.nan, "contains nan"),
        (sp.GoldenRatio, "contains GoldenRatio"),
        (sp.Float("1e400"), "is not a finite number"),
        (sp.Symbol("x + 1") * 2, r"formula 'x \+ 1': is a symbol that cannot be a name in a formula"),
        (sp.sec(sp.Symbol("x")), "calls 'sec', which is not a known function"),
        (sp.Function("f")(sp.Symbol("x")), "calls 'f', which is not a known function"),
        (sp.Matrix([1, 2]), "calls 'Matrix', which is not a known function"),
        (sp.Piecewise((1, sp.Symbol("x") > 0)),
         r"is not defined everywhere\. Give Piecewise a last case that is always true\."),
        (sp.sin, "is not a number or a formula"),
        (sp.true, "contains True"),
    ],
)  # fmt: skip
def test_other_values_are_refused_with_the_reason(value, message):
    with pytest.raises(FormulaError, match=message):
        Formula.of(value)


def test_a_deep_sympy_expression_is_refused():
    deep = sp.Symbol("x")
    for _ in range(2000):
        deep = sp.sin(deep, evaluate=False)
    with pytest.raises(FormulaError, match=r"is nested too deeply\. Define parts of it as parameters\."):
        Formula.of(deep)


x, y = sp.symbols("x y")


@pytest.mark.parametrize(
    "expression",
    [
        sp.Rational(1, 3) * x - y**2,
        x / 3 + sp.Float(0.1) * y + sp.Float(1) / 3,
        sp.Float(-0.1) ** 3 * x - sp.Float(1e-20) * y,
        sp.Float("0.1", 30) + x,
        sp.Abs(y) ** sp.Rational(2, 3) + sp.sqrt(x),
        1 / (x * y) - x ** (-2) + 2**x + sp.exp(-x) + sp.E,
        sp.Max(x, y, sp.Rational(1, 2)) + sp.Min(x, y),
        sp.Piecewise((x, x > y), (y, True)),
        sp.Piecewise((1, sp.And(x > 1, y > 1)), (2, sp.Or(sp.Eq(x, y), sp.Ne(x, 1))), (3, True)) * x,
        sp.Piecewise((x, sp.Not(sp.Or(x < 0, y > x))), (y, True)) + 1,
        sp.atan2(y, x) + sp.asinh(x) + sp.log(x) + sp.tanh(y) + sp.cosh(x),
        sp.sign(y) + sp.floor(y) + sp.ceiling(y),
        -(x - y) * (x + y) / (x * 2),
        -x,
        sp.pi * x,
        sp.Symbol("b.tip") + 1,
        sp.Integer(3),
        sp.Rational(1, 3),
    ],
    ids=str,
)
def test_sympy_expressions_keep_their_value(expression):
    substituted = expression.subs({x: sp.Float(0.7, 30), y: sp.Float(-1.3, 30), sp.Symbol("b.tip"): 2.5})
    assert Formula.of(expression).value(VALUES) == pytest.approx(float(substituted.evalf(30)), rel=1e-15)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_floats_survive_text_and_sympy_exactly(number):
    assert Formula.of(repr(number)).value() == number
    assert Formula.of(sp.Float(number) * x).value({"x": 1.0}) == number


# A grammar of formulas, each with the function that computes it independently of the parser.

names = st.sampled_from(["x", "y", "t"]).map(lambda name: (name, lambda v: v[name]))
literals = st.one_of(st.integers(0, 9), st.floats(0.125, 8, width=32)).map(lambda n: (repr(n), lambda _: float(n)))
ARITHMETIC = {"+": operator.add, "-": operator.sub, "*": operator.mul}
COMPARISONS = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


def _binary(left, sign, right):
    return f"({left[0]}){sign}({right[0]})", lambda v: ARITHMETIC[sign](left[1](v), right[1](v))


def _negative(inner):
    return f"-({inner[0]})", lambda v: -inner[1](v)


def _call(name, inner):
    return f"{name}({inner[0]})", lambda v: getattr(math, name)(inner[1](v))


def _extreme(name, left, right):
    return f"{name}({left[0]}, {right[0]})", lambda v: {"min": min, "max": max}[name](left[1](v), right[1](v))


def _where(left, sign, right, yes, no):
    text = f"where({left[0]} {sign} {right[0]}, {yes[0]}, {no[0]})"
    return text, lambda v: yes[1](v) if COMPARISONS[sign](left[1](v), right[1](v)) else no[1](v)


def _grow(inner):
    return st.one_of(
        st.builds(_binary, inner, st.sampled_from(list(ARITHMETIC)), inner),
        st.builds(_negative, inner),
        st.builds(_call, st.sampled_from(["sin", "cos", "tanh", "atan"]), inner),
        st.builds(_extreme, st.sampled_from(["min", "max"]), inner, inner),
        st.builds(_where, inner, st.sampled_from(list(COMPARISONS)), inner, inner, inner),
    )


written = st.recursive(st.one_of(names, literals), _grow, max_leaves=20)


@given(written, st.fixed_dictionaries({name: st.floats(-3, 3) for name in "xyt"}))
def test_formulas_have_the_value_of_their_grammar(pair, values):
    text, expected = pair
    assert Formula.of(text).value(values) == expected(values)


flat = st.lists(
    st.tuples(st.sampled_from(["+", "-", "*", "/", "**"]), st.sampled_from(["2", "3.5", "x", "-y", "(x - 4)"])),
    max_size=6,
)


@given(flat)
def test_precedence_is_that_of_python(pairs):
    text = "1.5" + "".join(f" {sign} {term}" for sign, term in pairs)
    values = {"x": 1.25, "y": -0.75}
    try:
        expected = eval(text, {"__builtins__": {}}, values)
    except ArithmeticError:
        return
    if isinstance(expected, complex):
        return
    found = Formula.of(text)
    try:
        assert found.value(values) == pytest.approx(expected, rel=1e-12)
    except ArithmeticError:  # an inner power left the reals or the range, which Python's complex numbers pass through
        assert "**" in text
    except ValueError:
        assert "**" in text


@given(st.text(max_size=40))
def test_any_text_is_a_formula_or_a_formula_error(text):
    try:
        Formula.of(text)
    except FormulaError as error:
        assert str(error)  # noqa: PT017


@given(st.text(alphabet="xt19.+-*/()<>=!, \t\nsincomax_#'\"\\[]{}:;@~%&|^`$?\0\u202e１é\u0301", max_size=60))
def test_text_like_a_formula_is_a_formula_or_a_formula_error(text):
    try:
        Formula.of(text)
    except FormulaError as error:
        assert str(error)  # noqa: PT017


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("l^2", r"formula 'l\^2': contains \^\. Write \*\* for powers, as in l\*\*2\."),
        ("2*(l1 + l2)^2", r"contains \^\. Write \*\* for powers"),
        ("2 kg", r"'2 kg': is a number followed by a word\. .* \{value: 2, unit: kg\}\. A product needs \*: 2\*l\."),
        ("3.5e-2 N/m", r"is a number followed by a word"),
        ("-4kg", r"is a number followed by a word"),
        ("2 kg*", r"is a number followed by a word|is not a formula"),
        ("1 + 2 kg", r"is not a formula: invalid syntax at character"),
    ],
)
def test_usual_slips_are_answered_with_the_right_form(text, message):
    with pytest.raises(FormulaError, match=message):
        Formula.of(text)


def test_maximum_and_minimum_are_max_and_min():
    assert Formula.of("maximum(1, x) + minimum(x, 2, 5)").value({"x": 3.0}) == 5.0
    assert Formula.of("maximum(x, 1)").steps == Formula.of("max(x, 1)").steps
    with pytest.raises(FormulaError, match=r"gives 1 to 'max'\. It takes two or more"):
        Formula.of("maximum(x)")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("l*cos(a.angle) + t - v", "w.l*cos(w.a.angle) + t - v"),
        ("1e5*e5 + 0.5e-3 + .5*e", "1e5*w.e5 + 0.5e-3 + .5*w.e"),
        ("(a . b +\n a.bc)", "(w.a.b +\n w.a.bc)"),
        ("max(max_1, pi*deg) > x2 and not y", "max(w.max_1, pi*deg) > w.x2 and not w.y"),
        ("ﬁ + K", "w.fi + w.K"),  # Python reads names in normal form
    ],
)
def test_names_are_changed_and_nothing_else(text, expected):
    changed = Formula.of(text).renamed(lambda name: f"w.{name}", {"v"})
    assert changed == Formula.of(expected)
    assert Formula.of(text).renamed(str) is Formula.of(text)
    assert Formula.of(3).renamed(str.upper) == Formula.of(3)
