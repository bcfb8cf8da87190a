"""Decisions on closed contacts by their accelerations."""

from __future__ import annotations

import numpy as np

from gyrostat.analysis.events.contact_accelerations import ClosedContacts, ContactDecision, decide

ALONG = np.array([1.0, 0.0, 0.0])


def block(
    normal: float, tangential: float, mu: float = 0.5, static: float | None = None, coupling: float = 0.0
) -> ClosedContacts:
    """Return one contact of unit mobilities with free accelerations; loads may couple normal and tangent."""
    D = np.diag([1.0, 1.0, 1.0, 0.0])
    D[0, 1] = D[1, 0] = coupling
    free = np.array([normal, tangential, 0.0, 0.0])
    return ClosedContacts(("c",), D, free, np.array([[mu, mu if static is None else static]]))


def decided(contacts: ClosedContacts, **given: object) -> ContactDecision:
    arguments = {"sliding": {}, "released": (), "breaking": {}} | given
    found = decide(contacts, **arguments)  # type: ignore[arg-type]
    assert found is not None
    return found


def test_a_contact_sticks_up_to_the_limit_of_rest_and_slides_beyond() -> None:
    assert decided(block(-10, 4.9)).closed == (0,)
    assert not decided(block(-10, 4.9)).sliding
    assert np.allclose(decided(block(-10, -5.1)).sliding[0], -ALONG)
    assert not decided(block(-10, 5.9, static=0.6)).sliding
    assert np.allclose(decided(block(-10, 6.1, static=0.6)).sliding[0], ALONG)


def test_a_contact_opens_without_a_load() -> None:
    assert decided(block(0.1, 3.0)).closed == ()
    assert decided(block(-1e-18, 3.0, mu=0.0), released=[0]).closed == ()
    assert decided(block(-1.0, 0.0), released=[0]).closed == (0,)  # a load presses it on after all


def test_friction_at_its_limit_breaks_where_an_event_has_found_it() -> None:
    assert not decided(block(-10, 5.0)).sliding
    assert np.allclose(decided(block(-10, 5.0), breaking={0: ALONG}).sliding[0], ALONG)
    assert not decided(block(-10, 4.0), breaking={0: ALONG}).sliding  # it would slide backwards


def test_sliding_contacts_have_the_friction_of_their_direction() -> None:
    """With coupling the friction of sliding changes the normal load: N = 10/(1 − μ c) along, 10/(1 + μ c) back."""
    for direction in (ALONG, -ALONG):
        assert decided(block(-10, 0, coupling=0.8), sliding={0: direction}).closed == (0,)
    assert decided(block(-10, 0, mu=0.9, coupling=0.8), sliding={0: ALONG}).ambiguous == ()


def test_painleve_has_no_solution_or_several() -> None:
    """Friction that presses a contact on more than its load separates it, 1 − μ c < 0."""
    assert decide(block(-10, 0, mu=1.5, coupling=0.8), {0: ALONG}, (), {}) is None
    found = decide(block(10, 0, mu=1.5, coupling=0.8), {0: ALONG}, (), {})
    assert found is not None
    assert found.ambiguous == (0,)
