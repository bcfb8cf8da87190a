"""Ropes: pulleys, the path of a rope over them, and how a rope is divided into bodies."""
