"""Flexible bodies."""
