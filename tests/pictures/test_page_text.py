"""The page as text: its security policy, escaped names, and paths that cannot be written."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest
from scenes import double_pendulum

from gyrostat.errors import PictureError
from gyrostat.pictures.animation import notebook_frame, page_html, write_page
from gyrostat.pictures.animation.bundle import load_bundle
from gyrostat.pictures.scene import Scene, SceneBody, SceneShape, ShapeKind

HOSTILE = "</script><script>alert(1)</script><!-- & \" ' \u2028"


class Page(HTMLParser):
    """Takes a page apart as browsers do: elements with their attributes and text."""

    def __init__(self, text):
        super().__init__()
        self.elements = []
        self.open = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes), []))
        self.open = self.elements[-1][2]

    def handle_endtag(self, tag):
        self.open = []

    def handle_data(self, data):
        self.open.append(data)

    def all(self, tag):
        return [(attributes, "".join(text)) for name, attributes, text in self.elements if name == tag]


@pytest.fixture(scope="module")
def pendulum(page_bundle):
    return page_html(double_pendulum())


def hostile_scene():
    ball = SceneShape(ShapeKind.SPHERE, {"radius": 0.1})
    return Scene(HOSTILE, [0.0], [SceneBody(HOSTILE, [ball], np.zeros((1, 3)))])


def test_a_pendulum_with_plots_is_small(pendulum):
    assert len(pendulum.encode()) < 2_000_000


def test_the_policy_allows_this_script_and_no_connection(pendulum):
    page = Page(pendulum)
    policy = next(a["content"] for a, _ in page.all("meta") if a.get("http-equiv") == "Content-Security-Policy")
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    assert "connect-src" not in rules
    script = next(text for attributes, text in page.all("script") if "type" not in attributes)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert rules["script-src"] == f"'sha256-{digest}'"


def test_the_page_refers_to_nothing_outside(pendulum):
    page = Page(pendulum)
    outside = [
        a for _, a, _ in page.elements for key in ("src", "href") if not a.get(key, "#").startswith(("#", "data:"))
    ]
    assert outside == []
    assert not re.search(r"@(TITLE|POLICY|LICENCES|STYLE|HEADER|ARRAYS|SCRIPT)@", pendulum)


def test_licences_of_others_are_in_the_page(pendulum):
    assert "three.js authors" in pendulum
    assert "Leon Sorokin" in pendulum


@pytest.mark.usefixtures("page_bundle")
def test_hostile_names_stay_names():
    page = Page(page_html(hostile_scene()))
    assert len(page.all("script")) == 3
    header = json.loads(next(text for attributes, text in page.all("script") if attributes.get("id") == "header"))
    assert header["bodies"][0]["name"] == HOSTILE
    assert page.all("title")[0][1] == HOSTILE


@pytest.mark.usefixtures("page_bundle")
def test_a_notebook_frame_is_closed_to_the_notebook():
    text = page_html(hostile_scene())
    ((frame, _),) = Page(notebook_frame(text, height=300)).all("iframe")
    assert frame["sandbox"] == "allow-scripts allow-downloads"
    assert frame["srcdoc"] == text
    assert "height: 300px" in frame["style"]


@pytest.mark.usefixtures("page_bundle")
def test_pages_are_written_whole_or_not_at_all(tmp_path):
    scene = hostile_scene()
    target = tmp_path / "page.html"
    target.write_text("old")
    assert write_page(scene, target) == target
    assert target.read_text(encoding="utf-8") == page_html(scene)
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]
    with pytest.raises(PictureError, match=r"page\.png: animations are written as HTML; choose a file name"):
        write_page(scene, tmp_path / "page.png")
    with pytest.raises(PictureError, match=r"the animation cannot be written \(No such file or directory\)"):
        write_page(scene, tmp_path / "missing" / "page.html")
    (tmp_path / "folder.html").mkdir()
    with pytest.raises(PictureError, match=r"folder\.html: the animation cannot be written"):
        write_page(scene, tmp_path / "folder.html")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder.html", "page.html"]


def test_a_missing_script_is_explained(tmp_path):
    with pytest.raises(PictureError, match=r"script of the animation page is missing.*pip install.*make page"):
        load_bundle(tmp_path)
