"""Warnings of the package."""


class GyrostatWarning(UserWarning):
    """Something works, but not as well as it could; the message says why and what to do."""
