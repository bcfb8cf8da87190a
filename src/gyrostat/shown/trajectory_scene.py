"""Trajectories as scenes: bodies with their shapes and poses, joints, springs, paths, plots, events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from gyrostat.analysis.simulation.outputs import Outputs
from gyrostat.analysis.simulation.recorded import Recorded
from gyrostat.coordinates.arguments import Floats
from gyrostat.coordinates.row import TIME
from gyrostat.errors import PictureError, StateError
from gyrostat.kinematics.placement import place_on_body
from gyrostat.model.constraints import Cable, Distance, RackPinion
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.forces import Actuator, Bushing, ForceElement, JointSpring, RopeElement, SpringDamper, TorsionSpring
from gyrostat.model.joints import Joint
from gyrostat.model.kinds import End
from gyrostat.model.names import GROUND, did_you_mean
from gyrostat.once import cached_property
from gyrostat.pictures.animation.viewpoint import Viewpoint
from gyrostat.pictures.scene import (
    ColourScale,
    JointMark,
    LineKind,
    Plot,
    Polyline,
    Reading,
    Scene,
    SceneEvent,
    SceneGrains,
    SceneJoint,
    ScenePath,
    overlay,
    unveiled,
)
from gyrostat.shown.arrows import ArrowSource, triad
from gyrostat.shown.attachments import joint_mark
from gyrostat.shown.changing_outputs import changing_outputs
from gyrostat.shown.flexible_lines import beam_tubes, modal_lines
from gyrostat.shown.floor import stated_floor
from gyrostat.shown.output_labels import OutputLabels, quantity
from gyrostat.shown.racks import rack_line
from gyrostat.shown.rope_lines import rope_points, rope_radius
from gyrostat.shown.scene_bodies import SceneBodies
from gyrostat.shown.scene_marks import SceneMarks, listed
from gyrostat.shown.tones import coloured
from gyrostat.shown.trajectory_plots import by_unit, compared_runs, components
from gyrostat.system import System

if TYPE_CHECKING:
    from gyrostat.analysis.simulation.trajectory import Trajectory

_PLOT_LIMIT = 6
_MARK_SHARE = 20.0
"""Size of a joint's mark by the distance to the next joint in sizes of the scene: marks of chains do not touch."""
_ROPE = "#a98657"
"""The colour of ropes and cables."""
_SPIRAL = np.linspace(0.0, 1.0, 28)
_SPIRAL_TURNS = 2.25
_SPIRAL_RADIUS, _SPIRAL_SHARE = 0.028, 0.35
"""Radius of a spiral in sizes of the scene, and its largest part of the way to the next joint: links stay visible."""


def trajectory_scene(
    trajectory: Trajectory,
    *,
    paths: Iterable[str] = (),
    plots: Iterable[str] | None = None,
    compare: Mapping[str, Trajectory] | None = None,
    title: str | None = None,
    view: ArrayLike | None = None,
    marks: SceneMarks | None = None,
) -> Scene:
    """Return the scene of a trajectory.

    `paths` are bodies or points whose traces are drawn, `plots` outputs to plot beside, by default the first
    coordinates; `compare` has other trajectories by name; `view` is a direction from the scene to the camera.
    """
    traced, plotted = listed("paths", paths), None if plots is None else listed("plots", plots)
    shown = marks or SceneMarks()

    def one(run: Trajectory) -> Scene:
        scenery = Scenery.of(run)
        return scenery.marked(run_scene(run, scenery, title=title, paths=traced, plots=plotted, view=view), shown)

    if not compare:
        return one(trajectory)
    return overlay(
        {name: one(run) for name, run in compared_runs(trajectory, compare).items()}, title, beside=shown.beside
    )


def run_scene(
    run: Trajectory,
    scenery: Scenery,
    *,
    title: str | None = None,
    paths: Sequence[str] = (),
    plots: Sequence[str] | None = None,
    view: ArrayLike | None = None,
) -> Scene:
    """Return the scene of one run with its events and grains, from the scenery of that run."""
    if not len(run.time):
        raise PictureError(f"The trajectory of {run.system.model.name!r} is empty: there is nothing to draw.")
    broken = ~np.isfinite(run.rows).all(axis=1)
    if broken.any():
        raise PictureError(
            f"The trajectory of {run.system.model.name!r} has values that are not finite at output "
            f"{int(np.argmax(broken))}: there is no pose to draw. Simulate again, or draw what lies before."
        )
    events = [SceneEvent(event.time, event.event) for event in run.events]
    scene = scenery.scene(title, paths=paths, plots=plots, events=events, view=view)
    if not run.motion.grains:
        return scene
    seen = run.motion.grains.values()
    return replace(
        scene, grains=[SceneGrains(one.name, one.times, one.positions.astype(float), one.radii) for one in seen]
    )


def initial_scene(
    system: System, *, parameters: Mapping[str, object] | None = None, view: ArrayLike | None = None
) -> Scene:
    """Return the scene of a system in its initial position, with all inputs zero."""
    row = system.row.of(0.0, system.initial_state(parameters), system.parameter_values(parameters))
    return Scenery(system, row[None, :]).scene(None, plots=(), view=view)


@dataclass(frozen=True, eq=False)
class Scenery:
    """A system at rows of t, q, u, parameters, inputs; shapes and places on bodies are those of the first row."""

    system: System
    rows: Floats
    recorded: Recorded | None = None
    """The signals at the rows, where they are those of a motion."""
    extent: Viewpoint | None = None
    """The extent by which marks are sized; without it, that of these rows."""

    @staticmethod
    def of(run: Trajectory, extent: Viewpoint | None = None) -> Scenery:
        """Return the scenery of a run."""
        return Scenery(run.system, run.rows, run.recorded, extent)

    @cached_property
    def outputs(self) -> Outputs:
        """Outputs at the rows."""
        return Outputs(self.system, self.rows, self.recorded)

    @cached_property
    def labels(self) -> OutputLabels:
        """Labels of the outputs."""
        return OutputLabels(self.system)

    @cached_property
    def value(self) -> Evaluator:
        """Evaluator of formulas at the parameters of the first row."""
        model = self.system.model
        numbers = self.rows[0, self.system.row.parameters].tolist()
        return model.evaluator(dict(zip(model.parameters, numbers, strict=True)))

    @cached_property
    def bodies(self) -> SceneBodies:
        """The bodies, and the extent of the scene."""
        beams = [beam.points for beam in self._beams]
        return SceneBodies(self.system, self.outputs, self.rows[:, TIME], self.value, beams, self.extent)

    @cached_property
    def _beams(self) -> list[Polyline]:
        return beam_tubes(self.system, self.outputs.recorded, self.value)

    def scene(
        self,
        title: str | None,
        *,
        paths: Sequence[str] = (),
        plots: Sequence[str] | None = None,
        events: Sequence[SceneEvent] = (),
        view: ArrayLike | None = None,
    ) -> Scene:
        """Return the scene."""
        model = self.system.model
        scene = Scene(
            title=model.name if title is None else title,
            times=self.rows[:, TIME],
            bodies=self.bodies.all(),
            lines=[
                *(line for force in model.forces.values() for line in self._lines(force)),
                *self._rods(),
                *self._beams,
                *modal_lines(self.system, self.outputs.recorded),
            ],
            joints=[*self._joints(), *self._marks()],
            paths=[self._path(name) for name in paths],
            plots=self._plots(plots),
            events=events,
            gravity=np.array(self.value.vector(model.gravity), dtype=float),
            view=None if view is None else np.asarray(view, dtype=float),
            floor=stated_floor(model, self.value, self.bodies.extent.up),
        )
        springs = [force for force in model.forces.values() if isinstance(force, TorsionSpring | JointSpring)]
        spirals = [spiral for spring in springs for spiral in self._spirals(spring)]
        whole = replace(scene, lines=[*scene.lines, *spirals]) if spirals else scene
        return unveiled(whole, self.bodies.size)

    def marked(self, scene: Scene, marks: SceneMarks) -> Scene:
        """Return a scene with arrows, axes and colours."""
        source = ArrowSource(self.system, self.outputs, self.value, self.bodies.size)
        lines = [*scene.lines, *source.forces(tuple(marks.forces)), *source.vectors(tuple(marks.vectors))]
        bodies, scale = list(scene.bodies), None
        for name in marks.frames:
            end = self._place(name, "whose axes could be drawn")
            axes = triad(self.system, end, self.value, self.bodies.size)
            bodies = [replace(b, shapes=[*b.shapes, *axes]) if b.name == end.body else b for b in bodies]
        if marks.colour in ("speed", "energy"):
            bodies, scale = coloured(self.system, self.outputs.recorded, self.value, bodies, marks.colour)
        elif marks.colour is not None:
            scale = self._moment_scale()
        return replace(scene, lines=lines, bodies=bodies, scale=scale, poster=marks.poster)

    def _moment_scale(self) -> ColourScale:
        """Return the scale of the bending moments of beams."""
        if not self._beams:
            raise PictureError(
                "There is no beam that could be coloured by its bending moment. Colour by speed or energy."
            )
        largest = max(float(beam.readings[0].values.max()) for beam in self._beams)
        return ColourScale("bending moment of a beam, of its largest", "N·m", 0.0, largest)

    # --- bodies and joints --------------------------------------------------------------------------------------

    def _joints(self) -> list[SceneJoint]:
        """Return a mark for each joint, on its child; one whose motion is free has none."""
        found = []
        for joint in self.system.model.joints.values():
            known = [name for name in joint.coordinate_names if name in self.system.signal_table]
            readings = self._readings(known[:_PLOT_LIMIT])
            if (mark := joint_mark(joint, self.value)) is not None:
                share = min(1.0, _MARK_SHARE * self.bodies.nearest_joint(joint) / self.bodies.size)
                found.append(replace(self._mark(joint.name, joint.child, *mark, readings), share=share))
        return found

    def _marks(self) -> list[SceneJoint]:
        """Return marks of forces: motors around their joint's axis, bushings as dots."""
        model, found = self.system.model, []
        for force in model.forces.values():
            if isinstance(force, Bushing):
                found.append(self._mark(force.name, force.b, JointMark.DOT, np.array([0.0, 0.0, 1.0]), []))
            elif isinstance(force, Actuator) and (joint := self._joint_of(force.joint)) is not None:
                mark = joint_mark(joint, self.value)
                if mark is not None and mark[0] in (JointMark.HINGE, JointMark.SLIDER):
                    readings = self._readings([f"{force.name}.force"])
                    found.append(self._mark(force.name, joint.parent, JointMark.SLEEVE, mark[1], readings))
        return found

    def _mark(self, name: str, end: End, mark: JointMark, axis_E: Floats, readings: list[Reading]) -> SceneJoint:
        """Return a mark at an end, with an axis given in the end's axes."""
        R_BE, r_BE_B = place_on_body(self.system.model, end, self.value)
        body = "" if end.body == GROUND else end.body
        return SceneJoint(name, mark, body, r_BE_B, R_BE @ axis_E, readings)

    def _joint_of(self, coordinate: str) -> Joint | None:
        """Return the joint that has a coordinate; a rotor has none."""
        return next((j for j in self.system.model.joints.values() if coordinate in j.coordinate_names), None)

    def _readings(self, names: Sequence[str]) -> list[Reading]:
        """Return readings of outputs; an output without a value, as in a singular position, is left out."""
        found = []
        for name in names:
            with suppress(StateError):
                unit = self.system.signal_table[name].unit
                found.append(Reading(self.labels.plain(name), unit, self.outputs.values(name)))
        return found

    # --- lines, paths, plots ------------------------------------------------------------------------------------

    def _lines(self, force: ForceElement) -> list[Polyline]:
        """Return the line of a spring or damper between its ends, or of a rope over its pulleys."""
        if isinstance(force, RopeElement):
            places = rope_points(force, self.system, self.outputs.recorded, self.value)
            readings = self._readings([f"{force.name}.{output}" for output in ("tension", "length")])
            radius = rope_radius(force, places, self.value)
            return [Polyline(force.name, LineKind.LINK, places, radius=radius, colour=_ROPE, readings=readings)]
        if not isinstance(force, SpringDamper):
            return []
        ends = np.stack([self.outputs.recorded.position(end).T for end in (force.a, force.b)], axis=1)
        kinds = {
            (True, True): LineKind.SPRING_DAMPER,
            (True, False): LineKind.SPRING,
            (False, True): LineKind.DAMPER,
            (False, False): LineKind.ACTUATOR,
        }
        kind = kinds[force.stiffness.number != 0, force.damping.number != 0]
        readings = self._readings([f"{force.name}.{output}" for output in ("force", "length")])
        return [Polyline(force.name, kind, ends, readings=readings)]

    def _rods(self) -> list[Polyline]:
        """Return the massless rods, cables and racks among the constraints."""
        found = []
        for constraint in self.system.model.constraints.values():
            match constraint:
                case RackPinion(pinion=pinion, rack=rack):
                    found += self._rack(constraint.name, self._joint_of(rack), self._joint_of(pinion))
                    continue
                case Distance(a=a, b=b):
                    ends, colour = [a, b], None
                case Cable(points=points):
                    ends, colour = list(points), _ROPE
                case _:
                    continue
            places = np.stack([self.outputs.recorded.position(end).T for end in ends], axis=1)
            found.append(Polyline(constraint.name, LineKind.LINK, places, colour=colour))
        return found

    def _rack(self, name: str, rack: Joint | None, pinion: Joint | None) -> list[Polyline]:
        if rack is None or pinion is None:
            return []
        line = rack_line(name, rack, pinion, self.system, self.outputs.recorded, self.value)
        return [] if line is None else [line]

    def _spirals(self, spring: TorsionSpring | JointSpring) -> list[Polyline]:
        """Return a spiral about a hinge, its inner end on the child and its outer end on the parent."""
        joint = self._joint_of(spring.joint)
        mark = None if joint is None else joint_mark(joint, self.value)
        if joint is not None and mark is not None and mark[0] in (JointMark.SLIDER, JointMark.SLEEVE):
            return [self._coil(spring, joint, mark[1])]
        if joint is None or mark is None or mark[0] != JointMark.HINGE:
            return []
        R_BE, _ = place_on_body(self.system.model, joint.parent, self.value)
        radius = min(_SPIRAL_RADIUS * self.bodies.size, _SPIRAL_SHARE * self.bodies.nearest_joint(joint))
        axis = mark[1] / np.linalg.norm(mark[1])
        across = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
        across /= np.linalg.norm(across)
        angle = self.outputs[spring.joint].values[:, None]
        turned = angle + _SPIRAL * (2 * np.pi * _SPIRAL_TURNS - angle)
        away = radius * (0.3 + 0.7 * _SPIRAL)
        flat = (away * np.cos(turned))[..., None] * across + (away * np.sin(turned))[..., None] * np.cross(axis, across)
        R_WB = self.outputs.recorded.body_rotations(joint.parent.body)
        points = self.outputs.recorded.position(joint.parent).T[:, None] + np.einsum("nij,nkj->nki", R_WB @ R_BE, flat)
        readings = self._readings([f"{spring.name}.force"])
        return [Polyline(spring.name, LineKind.ROPE, points, radius=0.09 * radius, colour="#8d99a8", readings=readings)]

    def _coil(self, spring: TorsionSpring | JointSpring, joint: Joint, axis_C: Floats) -> Polyline:
        """Return the spring or damper of a slide, along its rail from an end of the rail to the child."""
        rail = self.bodies.rail_of(joint)
        place = self.outputs.recorded.position(joint.child).T
        R_WB = self.outputs.recorded.body_rotations(joint.parent.body)
        start = self.outputs.recorded.position(End(joint.parent.body)).T + R_WB @ rail.points[0]
        kind = LineKind.SPRING if spring.stiffness.number != 0 else LineKind.DAMPER
        readings = self._readings([f"{spring.name}.force"])
        return Polyline(spring.name, kind, np.stack([start, place], axis=1), readings=readings)

    def _path(self, name: str) -> ScenePath:
        end = self._place(name, "to trace")
        return ScenePath(name, end.body, place_on_body(self.system.model, end, self.value)[1])

    def _place(self, name: str, purpose: str) -> End:
        """Return a body, point or frame by name."""
        model = self.system.model
        places = {
            str(end): end
            for body in self.system.bodies
            for end in (End(body), *(End(body, p) for p in (*model.bodies[body].points, *model.bodies[body].frames)))
        }
        if name not in places:
            raise PictureError(f"There is no body or point {name!r} {purpose}. {did_you_mean(name, places)}")
        return places[name]

    def _plots(self, names: Sequence[str] | None) -> list[Plot]:
        """Return plots of outputs, one for each unit; by default of the first coordinates that change."""
        if names is None:
            names = changing_outputs(self.system, self.outputs, self.bodies.size)[:_PLOT_LIMIT]
        found = {name: self.outputs[name] for name in dict.fromkeys(names)}
        plots = []
        for unit, members in by_unit(found).items():
            series = {
                f"{self.labels.plain(name)} {component}".strip(): values
                for name in members
                for component, values in components(found[name]).items()
            }
            label = quantity(unit, [self.labels.plain(name) for name in members])
            plots.append(Plot(label, "" if unit == "1" else unit, series))
        return plots
