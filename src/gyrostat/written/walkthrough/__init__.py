"""Founding methods step by step: every quantity under its source's name and equation number, exact or in numbers."""

from gyrostat.written.walkthrough.quantity import Quantity, Section
from gyrostat.written.walkthrough.walkthrough import Walkthrough

__all__ = ["Quantity", "Section", "Walkthrough"]
