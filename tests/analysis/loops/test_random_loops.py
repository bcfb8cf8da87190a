"""Random closed mechanisms against mechanics without trees: absolute accelerations, solved by NumPy."""

import numpy as np
import pytest
from campaign import campaign
from closed_models import VALUE, closed_system

from gyrostat.closing.closing import Closer
from gyrostat.model.joints import Pose

SEEDS = range(30)
EXCLUDED = []


def cross(a):
    x, y, z = a
    return np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])


class Absolute:
    """All bodies of a system at a state: twists about their mass centres in world axes, and joints as rows on them."""

    def __init__(self, system, q, u):
        self.system, self.model = system, system.model
        self.motion = system.body_motion(q, u)
        self.place = {name: 6 * i for i, name in enumerate(system.bodies)}
        value = self.model.evaluator()
        self.mass, self.com, self.inertia = {}, {}, {}
        for name in system.bodies:
            properties = self.model.bodies[name].mass_properties(value)
            self.mass[name] = float(properties.mass)
            self.com[name] = np.array(properties.com, float)
            self.inertia[name] = np.array(properties.inertia, float)

    def pose(self, body):
        if body == "ground":
            return np.eye(3), np.zeros(3), np.zeros(3)
        found = self.motion[body]
        return found.rotation, found.position, found.position + found.rotation @ self.com[body]

    @property
    def twists(self):
        parts = []
        for name in self.system.bodies:
            found = self.motion[name]
            parts += [found.omega, found.velocity + np.cross(found.omega, found.rotation @ self.com[name])]
        return np.concatenate(parts)

    @property
    def rows(self):
        """Return the rows of all joints on the bodies' twists."""
        value = self.model.evaluator()
        found = []
        for joint in self.model.joints.values():
            sides = []
            for end in (joint.parent, joint.child):
                R, r, centre = self.pose(end.body)
                R_BE, r_BE = (np.array(part, float) for part in self.model.placement(end, value))
                position = r + R @ r_BE
                jacobian = np.zeros((6, 6 * len(self.place)))
                if end.body != "ground":
                    at = self.place[end.body]
                    jacobian[:3, at : at + 3] = np.eye(3)
                    jacobian[3:, at : at + 3] = -cross(position - centre)
                    jacobian[3:, at + 3 : at + 6] = np.eye(3)
                sides.append((R @ R_BE, position, jacobian))
            (R_P, r_P, J_P), (R_C, r_C, J_C) = sides
            relative = J_C - J_P
            relative[3:] += cross(r_C - r_P) @ J_P[:3]
            relative = np.vstack((R_C.T @ relative[:3], R_C.T @ relative[3:]))
            pose = Pose(tuple(map(tuple, (R_P.T @ R_C).tolist())), tuple((R_P.T @ (r_C - r_P)).tolist()))
            for mode in joint.reaction_space(pose, VALUE):
                found.append(np.array([*mode.angular, *mode.linear], float) @ relative)
        return np.array(found)

    def solve(self, drift):
        """Return the accelerations of all bodies that obey rows · a = −drift, under gravity."""
        size = 6 * len(self.place)
        mass, load = np.zeros((size, size)), np.zeros(size)
        gravity = np.array([f.value() for f in self.model.gravity])
        for name, at in self.place.items():
            R = self.motion[name].rotation
            J, omega = R @ self.inertia[name] @ R.T, self.motion[name].omega
            mass[at : at + 3, at : at + 3], mass[at + 3 : at + 6, at + 3 : at + 6] = J, self.mass[name] * np.eye(3)
            load[at : at + 3], load[at + 3 : at + 6] = -np.cross(omega, J @ omega), self.mass[name] * gravity
        rows = self.rows
        whole = np.block([[mass, rows.T], [rows, np.zeros((len(rows), len(rows)))]])
        return np.linalg.lstsq(whole, np.concatenate((load, -drift)), rcond=1e-11)[0][:size]


def along(closed, udot, step, work):
    """Return the derivative of what `work` says along the motion, by differences of fourth order."""
    system, q, u = closed.system, closed.q, closed.u
    closer = Closer(system)

    def at(h):
        # the path bends as the motion bends; what is left is even in h or of third order
        return work(closer.moved(q, h * (u + 0.5 * h * udot)), u + h * udot)

    slopes = [(at(h) - at(-h)) / (2 * h) for h in (step, step / 2)]
    return (4 * slopes[1] - slopes[0]) / 3


@campaign(SEEDS)
def test_accelerations_are_those_of_absolute_coordinates(seed):
    closed = closed_system(seed)
    if closed is None:
        pytest.skip("the constraints leave no motion")
    system, q, u = closed.system, closed.q, closed.u
    state = Closer(system).at(q, u)
    assert np.abs(state.residuals).max() < 1e-10
    assert np.abs(state.speeds).max() < 1e-8
    mass = system.mass_matrix(q)
    condition = np.linalg.cond(state.matrix @ np.linalg.solve(mass, state.matrix.T))
    if condition > 1e8 and not system.rank.redundant:
        EXCLUDED.append(seed)
        assert len(EXCLUDED) <= 0.05 * len(SEEDS) + 1
        return
    udot = system.forward_dynamics(q, u)
    absolute = Absolute(system, q, u)
    twists = absolute.twists
    drift = along(closed, udot, 1e-3, lambda a, b: Absolute(system, a, b).rows @ twists)
    expected = absolute.solve(drift)
    found = along(closed, udot, 1e-3, lambda a, b: Absolute(system, a, b).twists)
    scale = max(1.0, float(np.abs(expected).max()))
    np.testing.assert_allclose(found, expected, atol=1e-7 * scale * max(1.0, np.sqrt(condition) * 1e-3))


@campaign(SEEDS)
def test_the_principle_of_virtual_power_holds_and_rows_stay_satisfied(seed):
    closed = closed_system(seed)
    if closed is None:
        pytest.skip("the constraints leave no motion")
    system, q, u = closed.system, closed.q, closed.u
    udot = system.forward_dynamics(q, u)
    state = Closer(system).at(q, u)
    loads = system.inverse_dynamics(q, u, udot)
    _, sizes, turned = np.linalg.svd(state.matrix)
    rank = int((sizes > 1e-9 * sizes[0]).sum())
    scale = max(1.0, float(np.abs(loads).max()), float(np.abs(udot).max()))
    np.testing.assert_allclose(turned[rank:] @ loads, 0, atol=1e-7 * scale)
    rates = along(closed, udot, 1e-3, lambda a, b: Closer(system).at(a, b).speeds)
    np.testing.assert_allclose(rates, 0, atol=1e-6 * scale)


@campaign(12, few=(9,))
def test_loads_balance_on_every_body(seed):
    closed = closed_system(seed)
    if closed is None:
        pytest.skip("the constraints leave no motion")
    system, q, u = closed.system, closed.q, closed.u
    udot = system.forward_dynamics(q, u)
    absolute, value = Absolute(system, q, u), system.model.evaluator()
    moving = along(closed, udot, 1e-3, lambda a, b: Absolute(system, a, b).twists)
    reactions = system.reactions(q, u)
    gravity = np.array([f.value() for f in system.model.gravity])
    scale = max(1.0, *(float(np.abs(r.force).max()) for r in reactions.values()))
    for name, at in absolute.place.items():
        force, moment = absolute.mass[name] * gravity, np.zeros(3)
        R, _, centre = absolute.pose(name)
        for joint in system.model.joints.values():
            _, r_BE = system.model.placement(joint.child, value)
            R_C, r_C, _ = absolute.pose(joint.child.body)
            point = r_C + R_C @ np.array(r_BE, float)
            for side, sign in ((joint.child.body, 1), (joint.parent.body, -1)):
                if side == name:
                    load = reactions[joint.name]
                    force = force + sign * load.force
                    moment = moment + sign * (load.moment + np.cross(point - centre, load.force))
        J, omega = R @ absolute.inertia[name] @ R.T, absolute.motion[name].omega
        np.testing.assert_allclose(force, absolute.mass[name] * moving[at + 3 : at + 6], atol=1e-6 * scale)
        expected = J @ moving[at : at + 3] + np.cross(omega, J @ omega)
        np.testing.assert_allclose(moment, expected, atol=1e-6 * scale)
