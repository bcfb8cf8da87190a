"""Pairs of shapes whose points of contact a kernel finds: solids with corners or rims, triangles, planes."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum

from gyrostat.model.contacts.core import Ball, Block, Core, Drum, Facets, HalfSpace, Peak, Segment, Surface
from gyrostat.model.contacts.features import FeatureMode

CORNERED_SOLIDS = (Ball, Segment, Block, Facets)
"""Solids that are corners, edges and faces with a rounding."""

ROUND_SOLIDS = (Drum, Peak)
"""Solids with rims: cylinders and cones."""


class PatchKind(IntEnum):
    """How points of contact are found."""

    NONE = 0
    """A closed form gives them."""
    SOLIDS = 1
    """Two convex solids: faces that overlap, or edges."""
    SURFACE = 2
    """Corners of a solid on a surface of triangles."""
    PLANE = 3
    """Corners of a solid on a plane."""
    ROUND = 4
    """A cylinder or a cone and another convex solid."""
    RIM = 5
    """A cylinder or a cone on a plane, where contacts are rigid; the closed form has one point of each rim."""


FEATURE_MODES: Mapping[PatchKind, tuple[FeatureMode, ...]] = {
    PatchKind.SOLIDS: tuple(FeatureMode),
    PatchKind.SURFACE: (FeatureMode.PLANE_B, FeatureMode.CORNER_EDGE, FeatureMode.CORNERS),
    PatchKind.PLANE: (FeatureMode.PLANE_B,),
    PatchKind.RIM: (FeatureMode.PLANE_B,),
    PatchKind.ROUND: (
        FeatureMode.PLANE_B,
        FeatureMode.PLANE_A,
        FeatureMode.CROSSING_B,
        FeatureMode.CROSSING_A,
        FeatureMode.CORNER_B,
        FeatureMode.CORNER_A,
        FeatureMode.EDGES,
    ),
}
"""Modes of features that kernels find."""


def patch_of(a: type[Core], b: type[Core]) -> PatchKind:
    """Return how points of contact of two kinds of shapes are found, in either order; NONE where they are not."""
    kinds = {a, b}
    if kinds <= set(CORNERED_SOLIDS) and (Facets in kinds or (Block in kinds and Ball not in kinds)):
        return PatchKind.SOLIDS
    if kinds & set(ROUND_SOLIDS) and kinds <= {*ROUND_SOLIDS, Segment, Block, Facets}:
        return PatchKind.ROUND
    for solid, other in ((a, b), (b, a)):
        if solid in CORNERED_SOLIDS and other is Surface:
            return PatchKind.SURFACE
        if solid is Facets and other is HalfSpace:
            return PatchKind.PLANE
    return PatchKind.NONE


def rigid_patch_of(a: type[Core], b: type[Core]) -> PatchKind:
    """Return how points of rigid contact are found: cylinders and cones stand on a plane on several ones."""
    return PatchKind.RIM if HalfSpace in (a, b) and {a, b} & set(ROUND_SOLIDS) else patch_of(a, b)
