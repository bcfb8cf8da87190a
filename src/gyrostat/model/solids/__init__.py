"""Solids, one file each. A new one is added here by one line, or from outside with `SOLIDS.add`."""
