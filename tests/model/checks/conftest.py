"""Short models and the faults that a check finds in them."""

import pytest

import gyrostat as gs
from gyrostat.model.checks import structural_faults


@pytest.fixture
def built():
    """A model of components; parameters and gravity by keyword."""

    def built(*components, **head):
        model = gs.Model("test", **head)
        for component in components:
            model.add(component)
        return model

    return built


@pytest.fixture
def faults(built):
    """The messages about a model of these components."""
    return lambda *components, **head: [str(fault) for fault in structural_faults(built(*components, **head))]
