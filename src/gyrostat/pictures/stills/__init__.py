"""Stills and films: scenes drawn without a browser."""

from gyrostat.pictures.stills.film import write_film
from gyrostat.pictures.stills.still import write_still

__all__ = ["write_film", "write_still"]
