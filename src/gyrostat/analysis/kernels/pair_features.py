"""Features of the points of contact of a pair, by the kinds of its shapes.

This kernel is compiled once and called by its address: it is the largest part of the kernels of pairs, of which every
loop of an integrator has its own copy.
"""

from __future__ import annotations

from gyrostat.analysis.kernels.face_patch import find_points
from gyrostat.analysis.kernels.pair_tables import ShapeTables
from gyrostat.analysis.kernels.plane_points import find_plane_points
from gyrostat.analysis.kernels.problem import Floats, Places
from gyrostat.analysis.kernels.rim_points import find_rim_points
from gyrostat.analysis.kernels.round_points import find_round_points
from gyrostat.analysis.kernels.round_separation import separate_round
from gyrostat.analysis.kernels.separation import separate
from gyrostat.analysis.kernels.solid_tables import BY_PLANE, BY_RIM, BY_ROUND, BY_SURFACE, Patch, Solids, Surfaces
from gyrostat.analysis.kernels.surface_points import find_surface_points
from gyrostat.program.translation import rare_kernel


@rare_kernel
def features_of_pair(
    shapes: ShapeTables,
    patches: Places,
    solids: Solids,
    surfaces: Surfaces,
    patch: Patch,
    frames: Floats,
    i: int,
    j: int,
    rigid: int,
) -> int:
    """Write the features of all points of a pair and its separation, in `patch`; return 1 where b comes before a.

    Of rigid contacts, points are found at any distance, otherwise where shapes overlap.
    """
    how, swapped = patches[shapes.groups[i], shapes.kinds[i], shapes.kinds[j]], 0
    if how == BY_SURFACE:
        swapped = 1 if surfaces.first_box[i + 1] > surfaces.first_box[i] else 0
        a, b = (j if swapped > 0 else i), (i if swapped > 0 else j)
        find_surface_points(solids, surfaces, patch, frames[a], frames[b], a, b, shapes.radii[a])
    elif how == BY_PLANE:
        find_plane_points(solids, patch, frames[i], frames[j], i)
    elif how == BY_RIM:
        find_rim_points(solids, patch, frames[i], frames[j], i)
    elif how == BY_ROUND:
        size = min(shapes.radii[i], shapes.radii[j])
        apart = (
            separate_round(solids, patch, frames[i], frames[j], i, j, size) - solids.rounding[i] - solids.rounding[j]
        )
        patch.number[0] = 0
        if apart < 0.0 or rigid > 0:
            find_round_points(solids, patch, frames[i], frames[j], i, j)
        patch.axis[3] = apart
    else:
        apart = separate(solids, patch, frames[i], frames[j], i, j) - solids.rounding[i] - solids.rounding[j]
        patch.number[0] = 0
        if apart < 0.0 or rigid > 0:
            find_points(solids, patch, frames[i], frames[j], i, j)
        patch.axis[3] = apart
    return swapped
