"""Labelled arrays, and records of results."""
