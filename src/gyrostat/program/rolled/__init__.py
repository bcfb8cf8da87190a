"""Rolled code: native functions of kinds of links, called one after the other from a table."""
