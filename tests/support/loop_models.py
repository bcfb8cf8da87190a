"""Small closed mechanisms."""

from __future__ import annotations

import gyrostat as gs


def four_bar(crank: float = 1.0, coupler: float = 1.0, rocker: float = 1.0, base: float = 1.0) -> gs.Model:
    """Return a planar four-bar of slender rods whose mass per length is one; h4 is the rocker's bearing."""
    model = gs.Model("four-bar", gravity=(0, -9.81, 0))
    for name, length in {"crank": crank, "coupler": coupler, "rocker": rocker}.items():
        ends = {"a": (-length / 2, 0, 0), "b": (length / 2, 0, 0)}
        model.add(gs.Body(name, gs.slender_rod(length, length, along="x"), points=ends))
    model.add(gs.Revolute("h1", "ground", "crank.a"))
    model.add(gs.Revolute("h2", "crank.b", "coupler.a"))
    model.add(gs.Revolute("h3", "coupler.b", "rocker.b"))
    model.add(gs.Revolute("h4", ("ground", (base, 0, 0)), "rocker.a"))
    return model


def four_bars(count: int) -> gs.Model:
    """Return a row of parallelograms of unit rods, standing upright; they flatten twice in a turn of the cranks."""
    model = gs.Model(f"{count} four-bars", gravity=(0, -9.81, 0))
    for i in range(count + 1):
        ends = {"a": (0, -0.5, 0), "b": (0, 0.5, 0)}
        model.add(gs.Body(f"crank{i}", gs.slender_rod(1.0, 1.0, along="y"), points=ends))
        model.add(gs.Revolute(f"c{i}", ("ground", (i, 0, 0)), f"crank{i}.a", axis="-z"))
    for i in range(count):
        ends = {"a": (-0.5, 0, 0), "b": (0.5, 0, 0)}
        model.add(gs.Body(f"coupler{i}", gs.slender_rod(1.0, 1.0, along="x"), points=ends))
        model.add(gs.Revolute(f"k{i}", f"crank{i}.b", f"coupler{i}.a", axis="-z"))
        model.add(gs.Revolute(f"x{i}", f"crank{i + 1}.b", f"coupler{i}.b", axis="-z"))
    return model


def slider_crank(crank: float, rod: float) -> gs.Model:
    """Return a slider-crank of slender rods; of equal length, they pass a position with the slider at the bearing."""
    model = gs.Model("slider-crank", gravity=(0, -9.81, 0))
    for name, length in {"crank": crank, "rod": rod}.items():
        ends = {"a": (-length / 2, 0, 0), "b": (length / 2, 0, 0)}
        model.add(gs.Body(name, gs.slender_rod(1.0, length, along="x"), points=ends))
    model.add(gs.Body("slider", gs.box(1.0, (0.1, 0.1, 0.1))))
    model.add(gs.Revolute("h1", "ground", "crank.a"))
    model.add(gs.Revolute("h2", "crank.b", "rod.a"))
    model.add(gs.Prismatic("guide", "ground", "slider", axis="x"))
    model.add(gs.Revolute("h3", "rod.b", "slider"))
    return model


def closed_chain(count: int, *, damping: float = 0.0) -> gs.Model:
    """Return a planar chain of equal links, two metres long, that hangs between two bearings 1.2 m apart."""
    model = gs.Model(f"chain of {count}", gravity=(0, -9.81, 0))
    length, outer = 2 / count, "ground"
    for i in range(count):
        ends = {"a": (-length / 2, 0, 0), "b": (length / 2, 0, 0)}
        model.add(gs.Body(f"link{i}", gs.slender_rod(length, length, along="x"), points=ends))
        turn = 0.8 if i == 0 else -1.6 / (count - 1)
        model.add(gs.Revolute(f"h{i}", outer, f"link{i}.a", initial=turn))
        if damping:
            model.add(gs.TorsionSpring(f"damper{i}", f"h{i}", damping=damping))
        outer = f"link{i}.b"
    model.add(gs.Revolute("last", ("ground", (1.2, 0, 0)), outer))
    return model


def peaucellier(course: str, arm: float = 1.0, side: float = 0.6, crank: float = 0.3) -> gs.Model:
    """Return the inversor of Peaucellier with a driven crank; the pin P moves on x = (arm² − side²)/(2 crank)."""
    model = gs.Model("Peaucellier", gravity=(0, -9.81, 0))
    lengths = {"crank": crank, "oc": arm, "od": arm} | dict.fromkeys(("bc", "bd", "cp", "dp"), side)
    for name, length in lengths.items():
        ends = {"a": (-length / 2, 0, 0), "b": (length / 2, 0, 0)}
        model.add(gs.Body(name, gs.rod(1, length, along="x"), points=ends))
    model.add(gs.Revolute("A", ("ground", (crank, 0, 0)), "crank.a", driven=course))
    pins = {
        "O1": ("ground", "oc.a"),
        "O2": ("ground", "od.a"),
        "C1": ("oc.b", "bc.b"),
        "D1": ("od.b", "bd.b"),
        "B1": ("crank.b", "bc.a"),
        "B2": ("crank.b", "bd.a"),
        "C2": ("oc.b", "cp.a"),
        "D2": ("od.b", "dp.a"),
        "P": ("cp.b", "dp.b"),
    }
    for name, ends in pins.items():
        model.add(gs.Revolute(name, *ends))
    return model
