"""Scenes for the tests of pictures: small mechanisms, integrated here, so that pictures need no solver of ours."""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp

from gyrostat.pictures.scene import (
    JointMark,
    LineKind,
    Plot,
    Polyline,
    Reading,
    Scene,
    SceneBody,
    SceneEvent,
    SceneJoint,
    ScenePath,
    SceneShape,
    ShapeKind,
)

ALONG_Y = [[0, 1, 0], [0, 0, 1], [1, 0, 0]]
"""Leads the axis z of a shape to the body's y."""


def turn_z(angles):
    """Return quaternions of rotations about z."""
    angles = np.asarray(angles)
    zero = np.zeros_like(angles)
    return np.stack([np.cos(angles / 2), zero, zero, np.sin(angles / 2)], axis=-1)


def double_pendulum(frames=1001, duration=10.0, release=(2.0, 2.5), title="double pendulum"):
    """A double pendulum of bars with a spring to the ground, the path of its tip, and plots."""
    m1, m2, l1, l2, g = 10.0, 5.0, 0.5, 1.0, 9.81

    def rates(_, y):
        a, b, u, v = y
        mass = np.array(
            [
                [(m1 / 3 + m2) * l1**2, m2 * l1 * l2 / 2 * np.cos(a - b)],
                [m2 * l1 * l2 / 2 * np.cos(a - b), m2 * l2**2 / 3],
            ]
        )
        gyro = m2 * l1 * l2 / 2 * np.sin(a - b)
        load = [-gyro * v**2 - (m1 / 2 + m2) * g * l1 * np.sin(a), gyro * u**2 - m2 * g * l2 / 2 * np.sin(b)]
        return [u, v, *np.linalg.solve(mass, load)]

    times = np.linspace(0, duration, frames)
    a, b, u, v = solve_ivp(rates, (0, duration), [*release, 0, 0], t_eval=times, rtol=1e-8, atol=1e-8).y

    def way(angle, length):
        return length * np.stack([np.sin(angle), -np.cos(angle), np.zeros_like(angle)], axis=-1)

    elbow = way(a, l1)
    ends = np.stack([np.broadcast_to([-0.9, -0.2, 0.0], elbow.shape), elbow], axis=1)
    length = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
    bars = [
        SceneBody("bar1", [bar(l1)], way(a, l1 / 2), turn_z(a), readings=[Reading("angle", "rad", a)]),
        SceneBody("bar2", [bar(l2)], elbow + way(b, l2 / 2), turn_z(b), readings=[Reading("angle", "rad", b)]),
    ]
    energy = 0.5 * ((m1 / 3 + m2) * (l1 * u) ** 2 + m2 / 3 * (l2 * v) ** 2 + m2 * l1 * l2 * np.cos(a - b) * u * v)
    potential = -g * ((m1 / 2 + m2) * l1 * np.cos(a) + m2 * l2 / 2 * np.cos(b))
    return Scene(
        title,
        times,
        bodies=bars,
        lines=[Polyline("spring", LineKind.SPRING, ends, readings=[Reading("length", "m", length)])],
        joints=[
            SceneJoint("a1", JointMark.HINGE, ""),
            SceneJoint("a2", JointMark.HINGE, "bar1", [0, -l1 / 2, 0]),
            SceneJoint("anchor", JointMark.BALL, "", [-0.9, -0.2, 0]),
        ],
        paths=[ScenePath("tip", "bar2", [0, -l2 / 2, 0])],
        plots=[
            Plot("angle", "rad", {"θ₁": a, "θ₂": b}),
            Plot("rate", "rad/s", {"θ̇₁": u, "θ̇₂": v}),
            Plot("energy", "J", {"kinetic": energy, "potential": potential, "total": energy + potential}),
        ],
        events=[SceneEvent(float(times[np.argmax(np.abs(v))]), "fastest")],
        gravity=[0, -g, 0],
    )


def bar(length):
    return SceneShape(ShapeKind.CYLINDER, {"radius": length / 40, "length": length}, rotation=ALONG_Y)


def spinning_top(frames=1500, duration=3.0):
    """A symmetric top on a point: Euler's equations in body axes with the weight's moment."""
    mass, height, transverse, axial, g = 0.6, 0.09, 0.006, 0.0009, 9.81

    def rates(_, y):
        q, w = y[:4] / np.linalg.norm(y[:4]), y[4:]
        down = rotate_back(q, np.array([0, 0, -mass * g]))
        moment = np.cross([0, 0, height], down)
        inertia = np.array([transverse, transverse, axial])
        turn = (moment - np.cross(w, inertia * w)) / inertia
        e0, e = q[0], q[1:]
        return [-0.5 * e @ w, *(0.5 * (e0 * w + np.cross(e, w))), *turn]

    times = np.linspace(0, duration, frames)
    start = [np.cos(0.22), np.sin(0.22), 0, 0, 0, 0, 120]
    y = solve_ivp(rates, (0, duration), start, t_eval=times, method="DOP853", rtol=1e-7, atol=1e-7).y
    q = (y[:4] / np.linalg.norm(y[:4], axis=0)).T
    tilt = np.degrees(np.arccos(1 - 2 * (q[:, 1] ** 2 + q[:, 2] ** 2)))
    shapes = [
        SceneShape(ShapeKind.CONE, {"radius": 0.055, "length": 0.09}, np.diag([1, -1, -1]), [0, 0, 0.0675]),
        SceneShape(ShapeKind.CYLINDER, {"radius": 0.055, "length": 0.02}, position=[0, 0, 0.1], colour="#e0862f"),
        SceneShape(ShapeKind.CYLINDER, {"radius": 0.006, "length": 0.06}, position=[0, 0, 0.14]),
        SceneShape(ShapeKind.BOX, {"size": [0.012, 0.114, 0.008]}, position=[0, 0, 0.1], colour="#c9504f"),
    ]
    return Scene(
        "spinning top",
        times,
        bodies=[SceneBody("top", shapes, [0, 0, 0], q, readings=[Reading("tilt", "°", tilt)])],
        joints=[SceneJoint("point", JointMark.BALL, "")],
        paths=[ScenePath("tip", "top", [0, 0, 0.17])],
        plots=[Plot("tilt", "°", {"tilt": tilt}), Plot("angular velocity", "rad/s", {"ω₁": y[4], "ω₂": y[5]})],
        gravity=[0, 0, -g],
    )


def rotate_back(q, vector):
    """Return a vector in body axes."""
    e0, e = q[0], -q[1:]
    return vector + 2 * e0 * np.cross(e, vector) + 2 * np.cross(e, np.cross(e, vector))


def catalogue(frames=200):
    """Every shape, line and mark once, moving gently: a look at all that can be drawn."""
    times = np.linspace(0, 4, frames)
    wave = np.sin(np.pi * times)
    dimensions = {
        ShapeKind.BOX: {"size": [0.3, 0.2, 0.4]},
        ShapeKind.CYLINDER: {"radius": 0.12, "length": 0.4},
        ShapeKind.TUBE: {"outer_radius": 0.16, "inner_radius": 0.1, "length": 0.3},
        ShapeKind.SPHERE: {"radius": 0.18},
        ShapeKind.ELLIPSOID: {"semi_axes": [0.2, 0.1, 0.15]},
        ShapeKind.CONE: {"radius": 0.16, "length": 0.4},
        ShapeKind.RING: {"radius": 0.16, "wire_radius": 0.04},
        ShapeKind.LINE: {"points": [[-0.2, 0, -0.2], [0.2, 0, -0.2], [0.2, 0, 0.2]], "radius": 0},
        ShapeKind.MESH: {
            "vertices": [[-0.2, -0.1, -0.1], [0.2, -0.1, -0.1], [0, 0.2, -0.1], [0, 0, 0.25]],
            "triangles": [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
        },
        ShapeKind.POINT: {},
    }
    bodies = []
    for k, kind in enumerate(ShapeKind):
        place = np.stack([0.6 * k + 0 * wave, 0 * wave, 0.5 + 0.05 * np.sin(np.pi * times + k)], axis=1)
        bodies.append(SceneBody(kind.value, [SceneShape(kind, dimensions[kind])], place, turn_z(times + 0.3 * k)))
    lines = []
    for k, kind in enumerate(LineKind):
        count = 9 if kind in (LineKind.ROPE, LineKind.BEAM) else 2
        x = np.linspace(0, 1, count)
        points = np.zeros((frames, count, 3))
        points[:, :, 0] = 0.75 * k + 0.15 * x
        points[:, :, 1] = 1.0 + 0.1 * np.sin(np.pi * x) * wave[:, None]
        points[:, :, 2] = 0.1 + x * (0.7 + 0.25 * wave[:, None])
        lines.append(Polyline(kind.value, kind, points, readings=[Reading("length", "m", points[:, -1, 2] - 0.1)]))
    marks = [SceneJoint(mark.value, mark, "", [0.8 * k, -0.8, 0.2], [0, 1, 0.3]) for k, mark in enumerate(JointMark)]
    return Scene("catalogue", times, bodies, lines, marks, gravity=[0, 0, -9.81])


def ball(radius=0.15):
    return SceneShape(ShapeKind.SPHERE, {"radius": radius})


def two_balls(frames=101):
    """A red ball that circles and a blue one that stands still."""
    times = np.linspace(0, 4, frames)
    circle = np.stack([np.cos(np.pi / 2 * times), 0 * times, 1 + np.sin(np.pi / 2 * times)], axis=1)
    return Scene(
        "two balls",
        times,
        [
            SceneBody("red", [ball()], circle, colour="#ff0000", readings=[Reading("angle", "rad", np.pi / 2 * times)]),
            SceneBody("blue", [ball()], [0, 0, 1], colour="#0000ff"),
        ],
        plots=[Plot("height", "m", {"z": circle[:, 2]})],
        events=[SceneEvent(1.0, "top")],
        gravity=[0, 0, -9.81],
        view=[0.3, -1, 0.3],
    )
