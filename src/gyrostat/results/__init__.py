"""Labelled arrays and what analyses return."""
