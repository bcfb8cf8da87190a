"""Models of bodies with contacts of many pairs."""

from __future__ import annotations

from contact_models import floor

import gyrostat as gs
from gyrostat.model.contacts import NormalLaw
from gyrostat.model.friction import FrictionLaw

LAW = gs.HuntCrossley(1e6, chi=0.2)


def loose(solids: dict[str, object], gravity: float = 9.81, *, on_floor: bool = True) -> gs.Model:
    """Return free bodies above a floor."""
    model = gs.Model("loose bodies", gravity=(0, 0, -gravity))
    if on_floor:
        model.add(floor())
    for name, solid in solids.items():
        model.add(gs.Body(name, solid))
        model.add(gs.Free(f"{name}_motion", "ground", name))
    return model


def balls(
    radii: list[float],
    normal: NormalLaw = LAW,
    friction: FrictionLaw | None = None,
    gravity: float = 9.81,
    *,
    on_floor: bool = True,
) -> gs.Model:
    """Return free balls b0, b1, … of unit mass, which touch each other and a floor."""
    solids = {f"b{i}": gs.sphere(1, radius) for i, radius in enumerate(radii)}
    model = loose(solids, gravity, on_floor=on_floor)
    among = [*(["ground"] if on_floor else []), *solids]
    model.add(gs.Contacts("contacts", among=among, normal=normal, friction=friction))
    return model
