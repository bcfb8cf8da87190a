"""Thousands of damaged model files: each is read and checked, or refused with an error of the package.

The damage is the same in every run. A failure leaves its file, with the seed in its name, in the temporary folder.
"""

import json
import random
import re
import time
from pathlib import Path

from any_models import any_model
from campaign import campaign

import gyrostat as gs
from gyrostat.errors import GyrostatError
from gyrostat.model.documents import read_json, read_yaml, write_json, write_yaml
from gyrostat.model.model_file import model_to_plain

EXAMPLES = sorted((Path(__file__).parent.parent / "examples").glob("*.yaml"))
BATCHES, PER_BATCH = 20, 270
SLOWEST = 15.0

TOKEN = re.compile(r"\w+|\s+|[^\w\s]")
VALUES = (
    *(
        "0",
        "-1",
        "1e400",
        "-0.0",
        "1e-320",
        "9" * 50,
        "null",
        "true",
        "''",
        '"',
        "[]",
        "{}",
        "[0, 0, 0]",
        ".inf",
        ".nan",
    ),
    *("t", "pi", "ground", "ground.", ".", "..", "a.b.c", "1/0", "x y", "sin", "sin()", "sqrt(-1)", "log(0)", "0**-1"),
    *(
        "&a",
        "*a",
        "<<: *a",
        "!!str",
        "? ",
        "- ",
        ": ",
        "#",
        "|",
        ">",
        "%",
        "@",
        "\t",
        "\r",
        "\0",
        "\u202e",
        "\ufeff",
        "é",
    ),
    *("Revolute", "Free", "Weld", "Spherical", "Actuator", "rod", "zxz", "world", "body", "rate", "1e200", "min(1)"),
)
KEYS = ("mass", "inertia", "type", "parent", "child", "axis", "driven", "initial", "points", "name", "gyrostat", "x")


def plain_models():
    """Return plain data of the examples and of generated models."""
    examples = [read_yaml(path.read_text(encoding="utf-8")).data for path in EXAMPLES]
    return [*examples, *(model_to_plain(any_model(random.Random(seed))) for seed in range(15))]


MODELS = plain_models()
TEXTS = [write(data) for data in MODELS for write in (write_yaml, write_json)]


# --- damage to bytes and tokens -------------------------------------------------------------------------------------


def flip_bytes(rng, text):
    content = bytearray(text.encode())
    for _ in range(rng.randrange(1, 6)):
        content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
    return bytes(content)


def cut(rng, text):
    start, end = sorted((rng.randrange(len(text)), rng.randrange(len(text))))
    return rng.choice([text[:start], text[start:], text[:start] + text[end:]]).encode()


def tokens(rng, text):
    """Delete, double, exchange or replace tokens."""
    parts = TOKEN.findall(text)
    for _ in range(rng.randrange(1, 8)):
        i, j = rng.randrange(len(parts)), rng.randrange(len(parts))
        match rng.randrange(4):
            case 0:
                parts[i] = ""
            case 1:
                parts[i] *= rng.choice([2, 2, 3, 50])
            case 2:
                parts[i], parts[j] = parts[j], parts[i]
            case _:
                parts[i] = rng.choice(VALUES)
    return "".join(parts).encode("utf-8", "surrogatepass")


def lines(rng, text):
    """Delete, double, move or indent lines."""
    rows = text.splitlines(keepends=True)
    i, j = rng.randrange(len(rows)), rng.randrange(len(rows))
    match rng.randrange(4):
        case 0:
            del rows[i]
        case 1:
            rows.insert(j, rows[i])
        case 2:
            rows[i], rows[j] = rows[j], rows[i]
        case _:
            rows[i] = " " * rng.randrange(1, 5) + rows[i]
    return "".join(rows).encode()


# --- damage to data -------------------------------------------------------------------------------------------------


def places(data):
    """Yield every container with each of its keys."""
    for key in data if isinstance(data, dict) else range(len(data)):
        yield data, key
        if isinstance(data[key], dict | list):
            yield from places(data[key])


def structure(rng, data):
    """Exchange values, rename keys, and put parts of other models where they do not belong."""
    data = json.loads(json.dumps(data))
    for _ in range(rng.randrange(1, 5)):
        found = list(places(data))
        if not found:
            break
        container, key = rng.choice(found)
        other, other_key = rng.choice(found)
        match rng.randrange(6):
            case 0:
                container[key] = json.loads(json.dumps(other[other_key]))
            case 1 if isinstance(container, dict):
                container[rng.choice([*KEYS, f"{key}_", f"{key}"[:-1], f"{key}"[::-1]])] = container.pop(key)
            case 2:
                foreign = list(places(rng.choice(MODELS)))
                inner, inner_key = rng.choice(foreign)
                container[key] = json.loads(json.dumps(inner[inner_key]))
            case 3:
                del container[key]
            case 4:
                container[key] = rng.choice([None, True, 0, -1, 1e300, 1e-300, 2**80, "", [], {}, *VALUES])
            case _:
                text = str(container[key])
                container[key] = rng.choice([text + rng.choice(VALUES), text[::-1], f"-({text})", f"1/({text})"])
    return rng.choice([write_yaml, write_json])(data)


def structured(rng, text):
    return structure(rng, rng.choice(MODELS)).encode("utf-8", "surrogatepass")


DAMAGES = (flip_bytes, cut, tokens, lines, structured, structured, structured)


def damaged(seed):
    """Return the suffix and the bytes of a damaged file."""
    rng = random.Random(seed)
    text = rng.choice(TEXTS)
    damage = rng.choice(DAMAGES)
    try:
        content = damage(rng, text)
    except ValueError:  # writers refuse what no file can hold, such as control characters in JSON
        content = flip_bytes(rng, text)
    suffix = "json" if content.lstrip()[:1] in (b"{", b"[") else "yaml"
    return rng.choice([suffix, suffix, suffix, "yaml", "json"]), content


# --- what must not happen -------------------------------------------------------------------------------------------


def try_file(path):
    """Load, check and save again; return whether the model was sound."""
    try:
        model = gs.Model.load(path)
        again = path.with_stem("again")
        model.save(again)
        assert gs.Model.load(again) == model
        model.check()
    except GyrostatError as error:
        message = str(error)
        assert 5 < len(message) < 8000
        assert message.isprintable() or "\n" in message
        return False
    topology = gs.Topology.of(model)
    assert str(topology)
    assert topology.elements.graph.is_connected
    return True


@campaign(BATCHES, "batch", each=PER_BATCH)
def test_damaged_files_end_in_errors_of_ours(batch, tmp_path):
    sound = 0
    for seed in range(batch * PER_BATCH, (batch + 1) * PER_BATCH):
        suffix, content = damaged(seed)
        path = tmp_path / f"seed_{seed}.{suffix}"
        path.write_bytes(content)
        start = time.process_time()
        sound += try_file(path)
        assert time.process_time() - start < SLOWEST, path
        path.unlink()
    assert 0 < sound < PER_BATCH, "some damage is harmless and most is not"


def test_the_damage_is_the_same_in_every_run():
    assert [damaged(seed) for seed in range(50)] == [damaged(seed) for seed in range(50)]
    assert BATCHES * PER_BATCH >= 5000


def test_undamaged_files_are_sound(tmp_path):
    for path in EXAMPLES:
        copy = tmp_path / path.name
        copy.write_bytes(path.read_bytes())
        assert try_file(copy)


def test_plain_data_survives_the_writers():
    for data in MODELS:
        assert read_json(write_json(data)).data == read_yaml(write_yaml(data)).data == data
