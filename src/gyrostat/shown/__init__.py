"""Figures, scenes and tables of results."""
