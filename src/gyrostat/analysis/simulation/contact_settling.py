"""Rigid contacts at an instant: impacts, and which contacts are closed, stick or slide from there on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from gyrostat.analysis.events import Instant
from gyrostat.analysis.events.contact import ClosedContact
from gyrostat.analysis.events.contact_accelerations import ClosedContacts, ContactDecision, decide
from gyrostat.analysis.events.impact import solve_impact
from gyrostat.analysis.events.impact_law import ImpactLaw
from gyrostat.analysis.integrators import DOP853
from gyrostat.analysis.kernels.problem import OPEN_CONTACT, SLIPPING, STICKING
from gyrostat.analysis.simulation.contact_modes import ContactModes
from gyrostat.analysis.simulation.contact_points import contact_points, friction_of
from gyrostat.analysis.simulation.contact_terms import (
    ContactTerms,
    contact_loads,
    contact_terms,
    hold_contacts,
    least_loads,
)
from gyrostat.analysis.simulation.event_round import Aftermath, closed_distance
from gyrostat.analysis.simulation.input_rows import input_values
from gyrostat.analysis.simulation.inputs import InputPlan
from gyrostat.analysis.simulation.motion import Motion
from gyrostat.analysis.simulation.occurrence import Occurrence
from gyrostat.analysis.simulation.problem import Problem
from gyrostat.analysis.simulation.status import Ending, Outcome
from gyrostat.coordinates.arguments import Floats
from gyrostat.coordinates.row import StateParts
from gyrostat.errors import StateError
from gyrostat.model.forces.rigid_element import INPUTS
from gyrostat.system import System

_REST_SPEED = 1e-9
"""Speed below which a contact is at rest, relative to the speeds at contacts, at least 1 m/s."""
_ROUNDING = 1e-14
"""Gap or sliding speed from which contacts that open or begin to slide start, relative to the mechanism."""
_ONSET_SPEED = 1e-5
"""Speed (m/s) below which friction keeps the direction in which sliding began from rest."""
_LOWEST_BOUNCE = 1e-13
"""Height of a rebound, relative to the mechanism, below which a contact stays closed: infinitely many would follow."""
_LEAST_SHARE = 1e-3
"""Smallest normal load, relative to the largest, by which indeterminate friction is shared."""
_FRICTION_ROUNDING = 1e-9
"""Friction beyond its limit, relative to the heaviest load, that counts as rounding."""
_SHARED_FRICTION_ROUNDING = 1e-6
"""Friction beyond its limit, relative to the heaviest load, that chosen indeterminate loads may reach by rounding."""
_MOBILITY_TOLERANCE = 1e-7
"""Mobility left to a direction by held ones, relative to its own, below which it cannot move."""
_IMPACT_LIMIT = 100
_STALL_SEGMENTS = 200
"""Number of segments without progress in time after which a run ends."""


@dataclass
class Settling:
    """The contacts of a motion at one instant, with the state as it changes."""

    problem: Problem
    after: Aftermath
    t: float
    before: ContactModes
    margins: tuple[int, ...]
    """Margins that have become zero: 2 i for the normal one of contact i, 2 i + 1 for the tangential one."""
    remarks: dict[str, str] = field(default_factory=dict)
    """Notes on the contacts, by what they are about."""

    def terms(self) -> ContactTerms:
        """Return gaps, speeds and free accelerations at the present state."""
        problem, after = self.problem, self.after
        x = problem.vector(self.t, after.state, after.parameters, after.plan)
        x[problem.system.row.inputs] = input_values(problem.system, after.plan, x[None, :])[0]
        return contact_terms(problem.system, after.plan, x)

    def hold(self, terms: ContactTerms, closed: Sequence[int], held: Sequence[int]) -> None:
        """Close the gaps of some contacts, and set speeds in some directions to zero, by small impulses."""
        after = self.after
        after.q, after.u = hold_contacts(self.problem.system, terms, after.q, after.u, closed, held)


def settle_contacts(motion: Motion, after: Aftermath, t: float) -> tuple[Aftermath, Ending | None]:
    """Return the state with impacts done and modes of rigid contacts decided; the outcome where there is no motion."""
    problem = motion.problem
    if not problem.system.rigid_contacts or after.stopped_by is not None:
        return after, None
    contacts = contact_points(problem.system)
    if _lacks_progress(motion, t):
        names = ", ".join(dict.fromkeys(repr(one.event) for one in motion.occurrences[-_STALL_SEGMENTS // 4 :]))
        return after, (Outcome.CHATTER, f"contacts change without end: {names} recur within rounding of the time.")
    before = after.contacts or ContactModes.open(len(contacts))
    settling = Settling(problem, replace(after), t, before, after.margins)
    try:
        modes, hit = _settled(settling)
    except StateError as error:
        return after, (Outcome.NO_MOTION, str(error))
    for key, text in settling.remarks.items():
        motion.remarks.setdefault(key, [text])
    found = settling.after
    changed = modes.modes != before.modes or bool(hit) or bool(after.margins)
    _record(motion, t, before, modes, hit, after.state, found.state)
    return replace(found, contacts=modes, margins=(), jumped=after.jumped or changed), None


@dataclass(frozen=True, eq=False)
class ContactsAtRest:
    """Closed contacts of a system at rest."""

    q: Floats
    """The coordinates, with gaps closed to rounding."""
    modes: ContactModes
    loads: dict[str, float]
    """The loads by the names of inputs."""
    notes: tuple[str, ...]
    terms: ContactTerms


def contacts_at_rest(
    system: System, state: StateParts, t: float, parameters: Mapping[str, float], inputs: Mapping[str, float]
) -> ContactsAtRest:
    """Return which contacts of a system at rest are closed and stick, with their loads."""
    contacts, plan = contact_points(system), InputPlan(dict(inputs))
    after = Aftermath(state.q.copy(), np.zeros_like(state.u), state.z, parameters, plan)
    settling = Settling(Problem(system, DOP853()), after, t, ContactModes.open(len(contacts)), ())
    modes, _ = _settled(settling)
    terms = settling.terms()
    loads = contact_loads(terms, modes, friction_of(system, parameters)).reshape(-1, 4)
    named = {
        f"{one.name}.{label}": float(value)
        for one, row in zip(contacts, loads, strict=True)
        for label, value in zip(INPUTS, row, strict=False)
    }
    return ContactsAtRest(after.q, modes, named, tuple(settling.remarks.values()), terms)


def _lacks_progress(motion: Motion, t: float) -> bool:
    """Tell whether the last segments took no time but rounding."""
    if len(motion.segments) < _STALL_SEGMENTS:
        return False
    return t - motion.segments[-_STALL_SEGMENTS].start <= 1e-13 * max(abs(t), float(np.ptp(motion.times)))


def _settled(settling: Settling) -> tuple[ContactModes, set[int]]:
    """Do impacts and decide the modes; return these and the contacts that were hit."""
    problem, before, after = settling.problem, settling.before, settling.after
    contacts, near = contact_points(problem.system), closed_distance(problem)
    terms = settling.terms()
    touched = {margin // 2 for margin in settling.margins if before.modes[margin // 2] == OPEN_CONTACT}
    if before.closed:  # where the motion jumps, by an impulse or a kink of a driver, they may be hit or separate
        settling.hold(terms, before.closed, () if after.jumped else before.held)
        terms = settling.terms()
    friction = friction_of(problem.system, after.parameters)
    loads = contact_loads(terms, before, friction)
    closed = {i for i in range(len(contacts)) if terms.gaps[i] <= near} | touched | set(before.closed)
    for i in closed:
        if terms.gaps[i] < -near and i not in touched and before.modes[i] == OPEN_CONTACT:
            raise StateError(
                f"contact {contacts[i].name!r}: the surfaces overlap by {-terms.gaps[i]:.3g} m. "
                f"{contacts[i].contact.separation}"
            )
    hit = _impacts(settling, terms, sorted(closed), friction)
    terms = settling.terms()
    fast = max(1.0, float((np.abs(terms.directions) @ np.abs(after.u)).max(initial=0.0)))
    height = _LOWEST_BOUNCE * max(problem.system.model_size, 1.0)
    slow = np.sqrt(2.0 * height * np.maximum(-terms.free[::4], 0.0))
    resting = [i for i in sorted(closed) if terms.speeds[4 * i] <= max(_REST_SPEED * fast, slow[i])]
    if not resting:
        modes = ContactModes.open(len(contacts))
        modes.offsets[:, 0] = _depths(terms, closed)
        return modes, hit
    speed = np.linalg.norm(terms.speeds.reshape(-1, 4)[:, 1:], axis=1)
    stopped = [4 * i + k for i in resting if speed[i] <= _REST_SPEED * fast and friction[i, 1] > 0.0 for k in (1, 2, 3)]
    settling.hold(terms, resting, sorted([*(4 * i for i in resting), *stopped]))
    terms = settling.terms()
    decision = _decision(settling, terms, resting, loads.reshape(-1, 4), friction, _REST_SPEED * fast)
    modes = _modes(settling, terms, resting, decision, friction)
    _remark(settling, terms, modes, [contacts[resting[a]].name for a in decision.ambiguous])
    settling.hold(terms, modes.closed, sorted({*modes.held, *(4 * i for i in resting)}))
    modes.offsets[:, 0] += _depths(settling.terms(), closed.difference(modes.closed))
    return modes, hit


def _depths(terms: ContactTerms, separating: set[int]) -> Floats:
    """Return how far contacts that separate overlap, by rounding or by the accuracy of the integration."""
    own = np.isin(np.arange(len(terms.gaps)), list(separating))
    return np.where(own, np.maximum(-terms.gaps, 0.0), 0.0)


def _impacts(settling: Settling, terms: ContactTerms, closed: Sequence[int], friction: Floats) -> set[int]:
    """Let closed contacts that approach be hit; return those that received an impulse."""
    problem, after = settling.problem, settling.after
    contacts, hit, values = contact_points(problem.system), set[int](), dict(after.parameters)
    instant = Instant(
        "contact", settling.t, after.q, after.u, 0.0, lambda: np.zeros(0), problem.system, values, z=after.z
    )
    A = terms.directions
    for _ in range(_IMPACT_LIMIT):
        speeds = terms.speeds + A @ (after.u - instant.u)
        fast = max(1.0, float((np.abs(A) @ np.abs(after.u)).max(initial=0.0)))
        if not any(speeds[4 * i] < -_REST_SPEED * fast for i in closed):
            break
        taking = [
            ClosedContact(
                contacts[i].name,
                A[4 * i],
                float(speeds[4 * i]),
                contacts[i].contact.impact[0].value(values),
                float(friction[i, 0]),
                A[4 * i + 1 : 4 * i + 4].T if friction[i, 0] > 0.0 else None,
                speeds[4 * i + 1 : 4 * i + 4],
                _impact_law(contacts[i].contact.impact[1], float(friction[i, 0])),
            )
            for i in closed
        ]
        impact = solve_impact(taking, instant.mobility)
        if impact is None:
            break
        after.u = after.u + impact.change
        hit |= {i for i, size in zip(closed, impact.impulses, strict=True) if size > 0.0}
    return hit


def _impact_law(name: str | None, friction: float) -> ImpactLaw:
    if name is not None:
        return ImpactLaw(name)
    return ImpactLaw.POISSON if friction > 0.0 else ImpactLaw.NEWTON


def _decision(
    settling: Settling, terms: ContactTerms, resting: list[int], loads: Floats, friction: Floats, slow: float
) -> ContactDecision:
    """Decide on closed contacts without speed of separation, by their accelerations."""
    contacts, before = contact_points(settling.problem.system), settling.before
    places = np.array([4 * i + k for i in resting for k in range(4)], dtype=np.intp)
    velocity = terms.speeds.reshape(-1, 4)[:, 1:]
    speed = np.linalg.norm(velocity, axis=1)
    sliding = {a: velocity[i] / speed[i] for a, i in enumerate(resting) if speed[i] > slow and friction[i, 1] > 0.0}
    over = {margin for margin in settling.margins if before.modes[margin // 2] != OPEN_CONTACT}
    released = [a for a, i in enumerate(resting) if 2 * i in over]
    breaking = {}
    for a, i in enumerate(resting):
        size = float(np.linalg.norm(loads[i, 1:]))
        if 2 * i + 1 in over and before.modes[i] == STICKING and size > 0.0:
            breaking[a] = -loads[i, 1:] / size
    closed = ClosedContacts(
        tuple(contacts[i].name for i in resting), terms.D[np.ix_(places, places)], terms.free[places], friction[resting]
    )
    found = decide(closed, sliding, released, breaking)
    if found is None:
        raise _painleve(closed, sliding)
    return found


def _painleve(closed: ClosedContacts, sliding: dict[int, Floats]) -> StateError:
    """Return the error of contacts for which no loads exist."""
    names = ", ".join(map(repr, (closed.names[i] for i in sliding))) or ", ".join(map(repr, closed.names))
    plural = "contacts" if "," in names else "contact"
    return StateError(
        f"{plural} {names}: no contact loads keep the surfaces apart while they slide (Painlevé's paradox): friction "
        "presses them together faster than the normal load separates them. Reduce the friction, or use a contact with "
        "compliance."
    )


def _modes(
    settling: Settling, terms: ContactTerms, resting: list[int], decision: ContactDecision, friction: Floats
) -> ContactModes:
    """Return the modes of all contacts."""
    count = len(terms.gaps)
    modes, directions, offsets = [OPEN_CONTACT] * count, np.zeros((count, 3)), np.zeros((count, 3))
    size = max(settling.problem.system.model_size, 1.0)
    for a, i in enumerate(resting):
        if a not in decision.closed:
            offsets[i, 0] = _ROUNDING * size
        elif a in decision.sliding or friction[i, 1] == 0.0:
            modes[i], directions[i] = SLIPPING, decision.sliding.get(a, np.zeros(3))
            along = float(terms.speeds[4 * i + 1 : 4 * i + 4] @ directions[i])
            if along <= _REST_SPEED:
                offsets[i, 1:] = _ROUNDING * size, _ONSET_SPEED
        else:
            modes[i] = STICKING
    found = ContactModes(tuple(modes), directions, offsets, np.ones(count), np.zeros((count, 4)))
    loads = contact_loads(terms, found, friction)[::4]
    if found.closed:
        share = np.abs(loads) / max(float(np.abs(loads).max()), 1e-300)
        found = replace(found, weights=1.0 / np.maximum(share, _LEAST_SHARE))
        if not _admissible(contact_loads(terms, found, friction).reshape(-1, 4), found, friction):
            found.preload[resting] = decision.loads
            found.preload[[i for i in range(count) if modes[i] == OPEN_CONTACT]] = 0.0
            sticking = np.array(modes) == STICKING  # chosen loads lie on the limits of several contacts at once
            offsets[sticking, 1] = _SHARED_FRICTION_ROUNDING * float(np.abs(found.preload[:, 0]).max())
    for i in found.closed:
        if modes[i] == SLIPPING and offsets[i, 1] > 0.0 and _held_by_others(terms, found, i):
            offsets[i, 1] = _REST_SPEED
    return found


def _admissible(loads: Floats, modes: ContactModes, friction: Floats) -> bool:
    """Tell whether normal loads press, and loads of contacts that stick are within their friction cones."""
    heaviest = float(np.abs(loads[:, 0]).max())
    rubbing = np.linalg.norm(loads[:, 1:], axis=1) - friction[:, 1] * loads[:, 0]
    sticking = np.array(modes.modes) == STICKING
    return bool((loads[:, 0] >= 0.0).all() and (rubbing[sticking] <= _FRICTION_ROUNDING * heaviest).all())


def _remark(settling: Settling, terms: ContactTerms, modes: ContactModes, ambiguous: list[str]) -> None:
    """Note contacts whose loads are statically indeterminate, or for which other motions are possible."""
    contacts = contact_points(settling.problem.system)
    held = [
        row for row in modes.held if terms.D[row, row] > _MOBILITY_TOLERANCE * terms.D[row - row % 4, row - row % 4]
    ]
    values, vectors = np.linalg.eigh(terms.D[np.ix_(held, held)])
    loose = vectors[:, values <= _MOBILITY_TOLERANCE * max(float(values.max(initial=0.0)), 0.0)]
    owners = {
        held[place] // 4 for place in np.flatnonzero(np.abs(loose).max(axis=1, initial=0.0) > _MOBILITY_TOLERANCE)
    }
    if owners:
        names = ", ".join(repr(contacts[i].name) for i in sorted(owners))
        chosen = "normal loads of least squares were chosen, and friction in proportion to them"
        if modes.preload.any():
            chosen = "loads were chosen that press and stay within friction cones, which those of least squares do not"
        settling.remarks[f"indeterminate {names}"] = (
            f"From t = {settling.t:.9g} s the loads of contact{'s' * (len(owners) > 1)} {names} are statically "
            f"indeterminate: {chosen}. The motion does not depend on the choice while all of them stay closed and "
            "stick."
        )
    if ambiguous:
        names = ", ".join(map(repr, ambiguous))
        settling.remarks[f"ambiguous {names}"] = (
            f"At t = {settling.t:.9g} s sliding at contact {names} admits several motions (Painlevé's paradox): "
            "friction presses the surfaces together. One of them was chosen."
        )


def _held_by_others(terms: ContactTerms, modes: ContactModes, i: int) -> bool:
    """Tell whether contacts that stick prevent a sliding contact from moving along its direction."""
    D, held = terms.D, modes.held
    own = np.zeros(len(D))
    own[4 * i + 1 : 4 * i + 4] = modes.directions[i]
    response = D[held] @ own
    left = own @ D @ own - response @ least_loads(D[np.ix_(held, held)], response)
    return bool(left <= _MOBILITY_TOLERANCE * (own @ D @ own))


def _record(
    motion: Motion, t: float, before: ContactModes, now: ContactModes, hit: set[int], old: StateParts, new: StateParts
) -> None:
    """Record changes of modes and impacts as events of the motion."""
    for i, contact in enumerate(contact_points(motion.problem.system)):
        was, word = before.modes[i], ""
        if i in hit or (was == OPEN_CONTACT != now.modes[i]):
            word = "touch"
        elif now.modes[i] == OPEN_CONTACT != was:
            word = "lift_off"
        elif was != now.modes[i]:
            word = "stick" if now.modes[i] == STICKING else "slip"
        elif was == SLIPPING and before.directions[i] @ now.directions[i] < 0.0:
            word = "reversal"
        if word:
            motion.occurrences.append(Occurrence.of(f"{contact.name}.{word}", t, -1, old.copy(), new.copy()))
