"""Stills and films: scenes drawn without a browser."""

from gyrostat.pictures.stills.film import write_film
from gyrostat.pictures.stills.picture import Picture
from gyrostat.pictures.stills.still import still_bytes, write_still

__all__ = ["Picture", "still_bytes", "write_film", "write_still"]
