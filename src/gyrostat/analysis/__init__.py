"""Analyses of a system: one file each, with the record of its result."""
