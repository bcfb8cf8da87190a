"""Content of an SDF file: links and joints in one scope, with their frames resolved."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from gyrostat.io.sdf.element import Pose, SdfElement
from gyrostat.io.sdf.included_models import IncludedModels
from gyrostat.model.names import did_you_mean

WORLD = "world"
_MODEL = ("pose", "static", "link", "joint", "frame", "model", "plugin", "self_collide", "allow_auto_disable",
          "enable_wind", "gripper", "include")  # fmt: skip


@dataclass(frozen=True)
class Attachment:
    """A pose relative to a frame, by full name; empty for the world."""

    pose: Pose
    frame: str


@dataclass
class SdfDescription:
    """Links, joints and frames of all models by full name, such as "arm::hand"; attachments of all of them."""

    included: IncludedModels
    links: dict[str, SdfElement] = field(default_factory=dict)
    joints: dict[str, tuple[SdfElement, str]] = field(default_factory=dict)
    """Each joint with the scope of its names."""
    static: set[str] = field(default_factory=set)
    attachments: dict[str, Attachment] = field(default_factory=dict)
    plugins: list[str] = field(default_factory=list)

    def read(self, model: SdfElement, scope: str, host: str, *, static: bool = False) -> None:
        """Take in a model, whose pose is relative to a host frame, and models within it."""
        model.require_known(*_MODEL)
        if "placement_frame" in model.element.attrib:
            raise model.refusal("placement_frame is not understood.", "Give the pose of the model itself.")
        own = f"{scope}{model.name}"
        pose, relative = model.pose()
        self._attach(model, own, pose, f"{scope}{relative}" if relative else host)
        static = static or model.flag("static", False)
        inside = f"{own}::"
        for link in model.children("link"):
            name = f"{inside}{link.name}"
            self._attach_element(link, name, inside, own)
            self.links[name] = link
            if static:
                self.static.add(name)
        for frame in model.children("frame"):
            attached = frame.element.get("attached_to", "")
            self._attach_element(frame, f"{inside}{frame.name}", inside, f"{inside}{attached}" if attached else own)
        for joint in model.children("joint"):
            name = f"{inside}{joint.name}"
            child = joint.text("child")
            self._attach_element(joint, name, inside, WORLD if child == WORLD else f"{inside}{child}")
            self.joints[name] = (joint, inside)
        for nested in model.children("model"):
            self.read(nested, inside, own, static=static)
        for include in model.children("include"):
            self.include(include, inside, own, static=static)
        self.plugins += [plugin.path for plugin in model.children("plugin")]

    def include(self, include: SdfElement, scope: str, host: str, *, static: bool = False) -> None:
        """Take in the model of another file."""
        with self.included.model_of(include) as model:
            self.read(model, scope, host, static=static)

    def _attach_element(self, element: SdfElement, name: str, scope: str, host: str) -> None:
        pose, relative = element.pose()
        if relative:
            host = scope[:-2] if relative == "__model__" else f"{scope}{relative}"
        self._attach(element, name, pose, host)

    def _attach(self, element: SdfElement, name: str, pose: Pose, host: str) -> None:
        if name in self.attachments:
            raise element.refusal("there are two of this name.", "Rename one of them.")
        self.attachments[name] = Attachment(pose, "" if host == WORLD else host)

    def pose(self, name: str, at: SdfElement) -> Pose:
        """Return the pose of a frame in the world, in the position that the file describes."""
        found, seen = np.eye(4), list[str]()
        while name:
            attachment = self.attachments.get(name)
            if attachment is None:
                fact = f"there is no frame {name!r:.60}."
                raise at.refusal(fact, did_you_mean(name, list(self.attachments)))
            if name in seen:
                raise at.refusal(f"frames are relative to each other in a circle: {', '.join(seen)}.", "Cut it.")
            seen.append(name)
            found, name = attachment.pose @ found, attachment.frame
        return found

    def link_of(self, name: str, at: SdfElement) -> str:
        """Return the link that a name stands for: a link, or that which a frame is attached to."""
        seen = set[str]()
        while name and name != WORLD and name not in self.links:
            attachment = self.attachments.get(name)
            if attachment is None or name in seen:
                raise at.refusal(f"there is no link {name!r:.60}.", did_you_mean(name, list(self.links)))
            seen.add(name)
            name = attachment.frame
        return name or WORLD
