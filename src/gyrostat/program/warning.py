"""Warnings of the package."""


class GyrostatWarning(UserWarning):
    """A result with a reservation; the message states the reason and the remedy."""
