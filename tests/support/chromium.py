"""Finds a Chromium for the tests of the animation page; run as a script, it also tries to install one.

As a script it never fails: without a browser those tests are skipped, and the summary says so.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge", "microsoft-edge")
_PLACES = (
    "/usr/bin/chromium",
    "/usr/lib/chromium/chromium",
    "/snap/bin/chromium",
    "/opt/google/chrome/chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
)


def find_chromium() -> str | None:
    """Return the path of a Chromium or a relative of it; GYROSTAT_CHROMIUM overrides the search."""
    given = os.environ.get("GYROSTAT_CHROMIUM")
    if given is not None:
        return given if Path(given).is_file() else None
    found = next((path for name in _NAMES if (path := shutil.which(name))), None)
    return found or next((place for place in _PLACES if Path(place).is_file()), None)


def install_chromium() -> str:
    """Install Debian's package where that works without a question; return what came of it."""
    if found := find_chromium():
        return f"Browser for the tests of the animation page: {found}"
    apt = shutil.which("apt-get")
    if apt and hasattr(os, "geteuid") and os.geteuid() == 0 and Path("/etc/debian_version").exists():
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for command in (["install", "-y", "chromium"], ["update"], ["install", "-y", "chromium"]):
            try:
                subprocess.run([apt, "-q", *command], env=environment, capture_output=True, timeout=400, check=False)
            except (OSError, subprocess.SubprocessError):
                break
            if found := find_chromium():
                return f"Installed a browser for the tests of the animation page: {found}"
    return "No Chromium was found or could be installed; the browser tests of the animation page will be skipped."


if __name__ == "__main__":
    print(install_chromium())
