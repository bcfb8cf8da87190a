"""SPICE netlists as models: elements, expressions, subcircuits, waveforms, and lines that are refused."""

from __future__ import annotations

import time
import warnings
from pathlib import Path

import numpy as np
import pytest
from cases import case
from networks import transistor_amplifier
from typer.testing import CliRunner

import gyrostat as gs
from gyrostat.cli import app
from gyrostat.errors import GyrostatError
from gyrostat.io.spice.values import number

FINE = gs.DOP853(rtol=1e-10, atol=1e-12)


def load(tmp_path: Path, *lines: str) -> gs.Model:
    """Return the model of a netlist with a title."""
    path = tmp_path / "circuit.cir"
    path.write_text("\n".join(("test circuit", *lines, ".end")), encoding="utf-8")
    return gs.load_spice(path)


def at_once(model: gs.Model, name: str) -> float:
    return float(gs.simulate(model, times=[0.0])[name].values[0])


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(("4.7k", 4700), ("1MEG", 1e6), ("3m", 3e-3), ("2.2uF", 2.2e-6), ("10pF", 1e-11), ("1e-3", 1e-3), ("5V", 5)),
        *(("1mil", 25.4e-6), (".5n", 5e-10), ("-2K", -2000), ("1T", 1e12), ("7G", 7e9), ("2f", 2e-15)),
    ],
)
def test_suffixes(text: str, value: float) -> None:
    assert number(text) == value


def test_elements_keep_names_and_nodes(tmp_path: Path) -> None:
    model = load(
        tmp_path,
        "* a comment",
        "v1 IN1 0 DC 5 ; behind",
        "R1 in1 2 {2*rr + 1k} $ behind",
        "+ ",
        "c3 2 GND 1u ic=0.5",
        "L4 2 0 10m",
        ".param rr=1.5k",
    )
    assert model.name == "test circuit"
    assert list(model.elements) == ["gnd", "V1", "R1", "C3", "L4"]
    assert model.elements["R1"] == gs.Resistor("R1", "in1", "n2", "2*rr + 1000.0")
    assert model.elements["C3"] == gs.Capacitor("C3", "n2", "gnd", 1e-6, 0.5)
    assert model.elements["L4"] == gs.Inductor("L4", "n2", "gnd", 0.01)
    assert model.elements["V1"] == gs.VoltageSource("V1", "in1", "gnd", 5.0)
    assert model.parameters["rr"].value.number == 1500


def test_transistor_amplifier_from_a_netlist(tmp_path: Path) -> None:
    """The amplifier of the test set, its transistors by current-controlled and law elements of SPICE: D, F and V.

    A transistor that never saturates is a diode from base to emitter whose current controls the collector's.
    """
    parts = [
        "Ue e 0 SIN(0 0.1 100)".replace("Ue", "Ve"),
        *("Vb u 0 6", "R0 e 1 1k", "C1 1 2 1u ic=-3", "R1 2 0 9k", "R2 u 2 9k", "X1 4 2 3 trans", "R3 3 0 9k"),
        *("C2 3 0 2u ic=3", "R4 u 4 9k", "C3 4 5 3u ic=3", "R5 5 0 9k", "R6 u 5 9k", "X2 7 5 6 trans"),
        *("R7 6 0 9k", "C4 6 0 4u ic=3", "R8 u 7 9k", "C5 7 8 5u ic=6", "R9 8 0 9k"),
        *(".subckt trans c b e params: alpha=0.99", "F1 c b Vs {alpha}", "Vs b x 0", "D1 x e junction", ".ends"),
        ".model junction D(is=1u n={0.026/0.025864925})",
    ]
    published = case("ivp_transistor_amplifier")
    run = gs.simulate(load(tmp_path, *parts), times=[0, 0.2], integrator=gs.Rodas5P(rtol=1e-9, atol=1e-11))
    found = [run[f"n{k}.voltage"].values[-1] for k in range(1, 9)]
    np.testing.assert_allclose(found, published["quantities"][0]["value"], rtol=1e-8)
    direct = gs.formulate(transistor_amplifier())
    assert len(direct.state_names) == len(gs.formulate(load(tmp_path, *parts)).state_names)


def test_subcircuits_with_parameters(tmp_path: Path) -> None:
    model = load(
        tmp_path,
        ".subckt divider top out params: r=1k",
        ".param half={r/2}",
        "R1 top out {r}",
        "R2 out mid {half}",
        "X1 mid 0 stub",
        ".subckt stub a b",
        "R1 a b 500",
        ".ends stub",
        ".ends",
        "V1 a 0 10",
        "X1 a b divider",
        "X2 a c divider r=2k",
    )
    assert {"X1_R1", "X1_R2", "X1_X1_R1", "X2_X1_R1"} <= model.elements.keys()
    assert at_once(model, "b.voltage") == pytest.approx(10 * 1000 / 2000, rel=1e-12)
    assert at_once(model, "c.voltage") == pytest.approx(10 * 1500 / 3500, rel=1e-12)


def test_controlled_sources(tmp_path: Path) -> None:
    model = load(
        tmp_path,
        *("F1 0 f V1 2", "H1 h 0 v1 50", "V1 a b 3", "R1 b 0 100", "R2 a 0 200"),
        *("E1 e 0 a b 4", "G1 0 g a b 0.5", "RF f 0 10", "RH h 0 10", "RE e 0 10", "RG g 0 10"),
    )
    current = -3 / 300  # through V1 from a to b
    run = gs.simulate(model, times=[0.0])
    found = [float(run[f"{node}.voltage"].values[0]) for node in "fheg"]
    np.testing.assert_allclose(found, [20 * current, 50 * current, 12, 15], rtol=1e-12)


def test_waveforms(tmp_path: Path) -> None:
    model = load(
        tmp_path,
        "V1 a 0 SIN(1 2 1k 1m 100 30)",
        "V2 b 0 DC 7 PULSE(-1 4 1m 0.1m 0.2m 0.5m 2m)",
        "I3 0 c PWL(1m 0, 2m 3, 4m -1)",
        "V4 d 0 pulse 0 5 1m",
        *("R1 a 0 1", "R2 b 0 1", "R3 c 0 1", "R4 d 0 1"),
    )
    t = np.linspace(0, 6e-3, 241) + 1e-7
    run = gs.simulate(model, times=t)
    late = np.maximum(t - 1e-3, 0)
    sine = 1 + 2 * np.exp(-100 * late) * np.sin(2e3 * np.pi * late + np.pi / 6)
    np.testing.assert_allclose(run["a.voltage"].values, sine, atol=1e-9)
    saw = np.where(t < 1e-3, 0, (t - 1e-3) % 2e-3)
    pulse = np.interp(saw, [0, 1e-4, 6e-4, 8e-4, 2e-3], [-1, 4, 4, -1, -1])
    np.testing.assert_allclose(run["b.voltage"].values, pulse, atol=1e-9)
    np.testing.assert_allclose(run["c.voltage"].values, np.interp(t, [1e-3, 2e-3, 4e-3], [0, 3, -1]), atol=1e-9)
    np.testing.assert_allclose(run["d.voltage"].values, np.where(t < 1e-3, 0, 5), atol=1e-12)


def test_semiconductors(tmp_path: Path) -> None:
    thermal = 0.025864925
    with pytest.warns(gs.GyrostatWarning, match=r"of model 'dd' cjo are left out\."):
        model = load(
            tmp_path,
            *("V1 a 0 5", "R1 a b 1k", "D1 b 0 dd 2", ".model DD D(IS=1e-12 N=1.5 RS=4 CJO=1p)"),
            *("R2 a c 1k", "M1 c a 0 0 nch W=20u L=2u", ".model nch NMOS(VTO=1 KP=50u LAMBDA=0.02)"),
            *("R3 a d 1k", "R4 a e 100k", "Q1 d e 0 qq", ".model qq NPN(IS=1e-15 BF=50 BR=2)"),
        )
    run = gs.simulate(model, times=[0.0])
    v = {name: float(run[f"{name}.voltage"].values[0]) for name in "bcde"}
    current = (5 - v["b"]) / 1000
    assert 2e-12 * np.expm1((v["b"] - 2 * current) / (1.5 * thermal)) == pytest.approx(current, rel=1e-6)
    over = 4.0  # v_GS − V_t
    channel = 5e-4 * (over * v["c"] - v["c"] ** 2 / 2) * (1 + 0.02 * v["c"])
    assert (5 - v["c"]) / 1000 == pytest.approx(channel, rel=1e-6)
    forward, backward = (1e-15 * np.expm1(x / thermal) for x in (v["e"], v["e"] - v["d"]))
    assert (5 - v["d"]) / 1000 == pytest.approx(forward - backward - backward / 2, rel=1e-6)
    assert (5 - v["e"]) / 1e5 == pytest.approx(forward / 50 + backward / 2, rel=1e-6)
    p_channel = load(
        tmp_path,
        *("V1 s 0 5", "M1 d 0 s s pch", "R1 d 0 1k", ".model pch PMOS(VTO=-1 KP=1m)"),
    )
    d = 5 - at_once(p_channel, "d.voltage")
    assert (5 - d) / 1000 == pytest.approx(1e-3 * (4 * d - d**2 / 2), rel=1e-6)


def test_analyses_are_left_out_with_their_calls(tmp_path: Path) -> None:
    message = r"\.tran is left out: call gs\.simulate\. \.print is left out\. AC amplitudes are left out"
    with pytest.warns(gs.GyrostatWarning, match=message):
        load(tmp_path, ".tran 1u 1m", ".print v(1)", "R1 a 0 1", "I1 0 a AC 1 90")


def test_names_that_a_model_cannot_have(tmp_path: Path) -> None:
    with pytest.warns(gs.GyrostatWarning, match=r"names were changed: node 'in' is in_"):
        model = load(tmp_path, "V1 in 0 5", "R1 in 0 1")
    assert at_once(model, "in_.voltage") == 5


REFUSED = {
    ".include models.lib": r"line 2, '\.include models\.lib': '\.include' is not imported\. Copy the lines of",
    "K1 L1 L2 0.9": r"'K1' is not imported\. Describe the transformer by gs\.Transformer",
    "S1 a b c d sw": r"'S1' is not imported\. Use gs\.Switch",
    "B1 a 0 V={2}": r"'B1' is not imported\. Use gs\.LawElement",
    "R1 a": r"it has too few words\. Write Rname node node value",
    "R1 a 0": r"it has no value\. Write Rname node node value",
    "R1 a 0 {rx}": r"'rx': it is no parameter, and no function that formulas know",
    "R1 a 0 1k tc=3": r"'tc' is not imported\. Leave it out",
    "R1 a 0 0": r"the resistance is zero",
    "E1 a 0 POLY(1) b 0 1": r"POLY is not imported",
    "F1 a 0 V9 2": r"there is no voltage source 'V9' in its circuit",
    "D1 a 0 dd": r"there is no model 'dd' for it\. Known models: none\. Add a \.model card",
    ".model j NJF(beta=1)": r"its kind of device is not imported\. Known kinds are D, NPN",
    "X1 a b sub": r"there is no subcircuit 'sub'\. Known subcircuits: none",
    ".ends": r"no subcircuit is open",
    ".subckt s a": r"the subcircuit is not closed\. Write \.ends",
    ".subckt": r"the subcircuit has no name",
    "V1 a 0 PWL(0 1 2)": r"its times and values are no pairs of numbers",
    "V1 a 0 SIN(0 1)": r"SIN: it has too few values",
    "V1 a 0 DC": r"DC has no value",
}


@pytest.mark.parametrize("line", REFUSED)
def test_refused_lines_are_named(line: str, tmp_path: Path) -> None:
    with pytest.raises(gs.ModelError, match=REFUSED[line]):
        load(tmp_path, line)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (
            (".subckt s a b", "R1 a b 1", ".ends", "X1 a s"),
            r"it has 1 nodes, and subcircuit 's' has 2\. Give the nodes",
        ),
        ((".subckt s a", "X1 a s", ".ends", "X1 a s"), r"nested more than 50 deep\. Is one within itself"),
        (("Q1 a b 0 q", ".model q NPN(nf=1 nr=2)"), r"model 'q': its emission coefficients nf and nr differ"),
        (("M1 a b 0 0 m", ".model m NMOS(level=3)"), r"its level is 3.*\. Only level 1"),
        (("R1 a 0 1", "r1 b 0 1"), r"there are two elements 'r1'\. Rename one"),
    ],
)
def test_refused_circuits(lines: tuple[str, ...], message: str, tmp_path: Path) -> None:
    with pytest.raises(gs.ModelError, match=message):
        load(tmp_path, *lines)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(gs.ModelFileError, match=r"it cannot be read: No such file"):
        gs.load_spice(tmp_path / "missing.cir")
    (tmp_path / "bytes.cir").write_bytes(b"title\n\xff\xfe")
    with pytest.raises(gs.ModelFileError, match=r"it is not UTF-8 text"):
        gs.load_spice(tmp_path / "bytes.cir")


def test_command_line(tmp_path: Path) -> None:
    (tmp_path / "rc.cir").write_text("RC\nV1 a 0 5\nR1 a b 1k\nC1 b 0 1u\n.op\n.end\n")
    out = tmp_path / "rc.yaml"
    result = CliRunner().invoke(app, ["import", str(tmp_path / "rc.cir"), "--out", str(out)])
    assert result.exit_code == 0, result.output
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert gs.Model.load(out) == gs.load_spice(tmp_path / "rc.cir")
    wrong = CliRunner().invoke(app, ["import", str(tmp_path / "rc.txt"), "--out", str(out)])
    assert wrong.exit_code != 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("R1 a b 1\n" + "+ 1\n" * 300_000, "it has more than 200,000 lines. Is this the right file?"),
        ("R1 a b 1\n" + f"+ {'1' * 60}\n" * 150_000 + ".subckt", "the subcircuit has no name."),
        ("R1 a b " + "{" * 10_000_000, "it has no value. Write Rname node node value."),
        (".subckt a " + "b=" * 1_000_000, "the subcircuit is not closed."),
    ],
)
def test_hostile_netlists_are_refused_soon(text, message, tmp_path):
    (tmp_path / "hostile.cir").write_text(f"title\n{text}")
    start = time.process_time()
    with pytest.raises(GyrostatError) as error:
        gs.load_spice(tmp_path / "hostile.cir")
    assert message in str(error.value)
    assert time.process_time() - start < 5  # a second on an idle machine
