"""Fresh processes as users have them: with the bytecode of installed packages on disk."""

from __future__ import annotations

import os


def installed_environment(folder: str) -> dict[str, str]:
    """Return this process's environment, in which bytecode is kept in a folder even if Python was told to keep none."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPYCACHEPREFIX": folder}
