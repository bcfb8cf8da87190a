"""The examples of README and documentation run, and print the results shown."""

import shutil
from pathlib import Path

import pytest
from documents import Block, blocks_of, check_document, in_folder

import gyrostat as gs
from gyrostat.pictures.animation import page
from gyrostat.pictures.animation.bundle import Bundle, load_bundle

ROOT = Path(__file__).parent.parent
DOCUMENTS = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")])
REGISTRIES = (gs.JOINTS, gs.FORCES, gs.CONSTRAINTS, gs.COMPOUNDS, gs.SOLIDS, gs.SHAPES, gs.GRANULAR_ENGINES)


@pytest.fixture
def _some_page(monkeypatch):
    """A page to write animations with, also where the package was installed without npm."""
    try:
        load_bundle()
    except gs.PictureError:
        monkeypatch.setattr(page, "load_bundle", lambda: Bundle("@TITLE@ @HEADER@", "", "", ""))


@pytest.fixture
def folder(tmp_path, _some_page):
    """A working folder; what a document registers is taken out again."""
    before = [set(registry.tags) for registry in REGISTRIES]
    yield tmp_path
    for registry, known in zip(REGISTRIES, before, strict=True):
        for tag in set(registry.tags) - known:
            registry.remove(tag)


@pytest.mark.parametrize("path", DOCUMENTS, ids=[str(path.relative_to(ROOT)) for path in DOCUMENTS])
def test_document(path, folder, request):
    if path.name == "mjcf.md":
        request.getfixturevalue("mujoco")
    if "examples" in path.read_text(encoding="utf-8") and (ROOT / "examples").is_dir():
        shutil.copytree(ROOT / "examples", folder / "examples")
    ran = in_folder(folder, lambda: check_document(path))
    assert ran > 0 or path.name != "README.md"


# --- the mechanism itself -------------------------------------------------------------------------------------------

SAMPLE = """\
# Sample

```python
import gyrostat as gs
model = gs.Model("sample")
print(model)   # a line
```

```text
Model 'sample': 0 bodies, 0 joints, 0 forces, 0 parameters
```

Names stay, and files stand in the working folder:

1. in a list

   ```python
   from dataclasses import dataclass
   @dataclass(frozen=True)
   class Own:
       "Has a module."
       x: "int" = 1
   model.save("sample.yaml")
   print(Own(), model.name, sep="\\n")
   ```

   ```text
   Own(x=1)
   sample
   ```

```console
$ gyrostat --version
gyrostat VERSION
$ pip install something-that-is-not-run
$ gyrostat check sample.yaml
Model 'sample': 0 bodies, 0 joints, 0 forces, 0 parameters. No faults found.
Note: there is no gravity.
Note: The mechanism has 0 degrees of freedom.
$ gyrostat schema
```

```yaml
not: run
```
""".replace("VERSION", gs.__version__)


def run(folder, text):
    return in_folder(folder, lambda: check_document(Path("sample.md"), text))


def test_a_sample_runs(folder):
    assert run(folder, SAMPLE) == 5
    assert (folder / "sample.yaml").is_file()


def test_blocks_are_found():
    text = "a\n```python\n1\n```\n\n```text\n2\n3\n```\nword\n~~~text\n4\n~~~\n"
    assert blocks_of(text) == (
        Block("python", "1", 3),
        Block("text", "2\n3", 7, follows=True),
        Block("text", "4", 12),
    )


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("0 parameters\n", "1 parameter\n", r"sample\.md, line 10: what is printed is not what is shown\."),
        ("Own(x=1)", "Own(x=2)", "what is printed is not what is shown"),
        ("found.\nNote: there is no gravity.", "found.", r"\$ gyrostat check sample\.yaml: what is printed is not"),
        ("gyrostat schema", "gyrostat chekc", r"\$ gyrostat chekc ends with 2"),
        ("gyrostat schema", "gyrostat topology missing.yaml", "fails: missing.yaml cannot be read"),
        ('print(model)', "print(modle)", "name 'modle' is not defined"),
        ("```yaml\nnot: run\n```\n", "```yaml\nnot: closed\n", "line 43: the block is not closed"),
    ],
)  # fmt: skip
def test_a_wrong_sample_fails(folder, old, new, message):
    wrong = SAMPLE.replace(old, new, 1)
    assert wrong != SAMPLE
    with pytest.raises((AssertionError, NameError), match=message):
        run(folder, wrong)


def test_text_that_follows_nothing_is_just_text(folder):
    assert run(folder, "```text\nanything\n```\n\n```python\nprint(1)\n```\n\nwords\n\n```text\n2\n```\n") == 1


def test_white_space_at_line_ends_does_not_matter(folder):
    assert run(folder, "```python\nprint('a  \\nb\\n')\n```\n```text\na\nb   \n```\n") == 1
