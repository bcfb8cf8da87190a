"""The studio's server: who is answered, on which port, and what a page is told when it ends."""

from __future__ import annotations

import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from studio_window import PATIENCE, Window

import gyrostat as gs
from gyrostat.studio import StudioFolder
from gyrostat.studio.server import StudioServer
from gyrostat.studio.serving import bound_socket, serving

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
TEXT = (EXAMPLES / "double_pendulum.yaml").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, page_bundle: None) -> Iterator[StudioServer]:
    folder = tmp_path_factory.mktemp("models")
    (folder / "model.yaml").write_text(TEXT, encoding="utf-8")
    made = StudioServer(StudioFolder(folder), "model.yaml")
    with serving(made):
        yield made


def fetched(address: str, **headers: str) -> tuple[int, str, dict[str, str]]:
    request = urllib.request.Request(address, headers=headers)
    try:
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=20) as answer:
            return answer.status, answer.read().decode(), dict(answer.headers)
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode(), dict(error.headers)


def test_the_secret_is_required_and_other_hosts_and_origins_are_refused(server: StudioServer) -> None:
    root = f"http://127.0.0.1:{server.port}"
    status, _, headers = fetched(server.address)
    assert status == 200
    assert "default-src 'none'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
    for address in (f"{root}/", f"{root}/studio.js", f"{root}/{'x' * 32}/", f"{root}/{'x' * 32}/studio.js"):
        assert fetched(address)[0] == 403
    assert "secret" in fetched(f"{root}/wrong/")[1]
    assert fetched(server.address, Origin="http://evil.example")[0] == 403
    assert fetched(server.address, Origin="null")[0] == 403
    assert fetched(server.address, Host=f"evil.example:{server.port}")[0] == 403
    assert fetched(server.address, **{"Sec-Fetch-Site": "cross-site"})[0] == 403
    assert fetched(f"{server.address}../../etc/passwd")[0] in (403, 404)


def test_the_server_listens_on_the_loopback_address_only(server: StudioServer) -> None:
    with socket.socket() as probe:
        probe.settimeout(1.0)
        with pytest.raises(OSError):
            probe.connect((_other_address(), server.port))


def _other_address() -> str:
    """Return an address of this machine that is not the loopback address; one that nobody has where there is none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            found = probe.getsockname()[0]
        except OSError:
            found = "127.0.0.2"
    return "127.0.0.2" if found.startswith("127.") else str(found)


@pytest.mark.parametrize("secret", [True, False])
def test_pages_of_another_origin_cannot_open_the_socket(browser: Any, server: StudioServer, secret: bool) -> None:
    path = server.secret if secret else "guess"
    context = browser.new_context()
    page = context.new_page()
    page.goto("data:text/html,<title>another origin</title>")
    outcome = page.evaluate(
        f"""() => new Promise((done) => {{
            const socket = new WebSocket("ws://127.0.0.1:{server.port}/{path}/socket");
            socket.onopen = () => done("open");
            socket.onclose = socket.onerror = () => done("refused");
        }})"""
    )
    context.close()
    assert outcome == "refused"


def test_a_busy_port_is_told_in_the_page(browser: Any, server: StudioServer) -> None:
    second = StudioServer(server.folder)
    with serving(second, server.port) as address:
        assert second.port != server.port
        made = Window(browser, address, wait=False)  # the notice stays for some seconds only
        made.page.wait_for_selector(f"#notices >> text=Port {server.port} cannot be used", timeout=PATIENCE)
        made.close()
    with pytest.raises(gs.GyrostatError, match="is not a port"):
        bound_socket(99_999)


def test_a_page_whose_server_was_killed_says_so(browser: Any, tmp_path: Path) -> None:
    (tmp_path / "model.yaml").write_text(TEXT, encoding="utf-8")
    command = [sys.executable, "-m", "gyrostat", "studio", str(tmp_path / "model.yaml"), "--no-open"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        first = process.stdout.readline()
        assert first.startswith("Studio: http://127.0.0.1:"), (first, process.stderr.read() if process.stderr else "")
        made = Window(browser, first.removeprefix("Studio: ").strip())
        process.kill()
        made.until("state", "ended")
        assert "does not answer any more" in made.page.inner_text("#ended")
        assert made.page.locator("#copy").is_visible()
        assert made.ask("studio.editor.text") == TEXT
        made.close()
    finally:
        process.kill()
        process.communicate(timeout=20)
