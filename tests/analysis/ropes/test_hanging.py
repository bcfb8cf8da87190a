"""Ropes that hang: catenaries and natural frequencies."""

import numpy as np
import pytest
from cases import case, value

import gyrostat as gs

CATENARY = case("catenary_level")
BESSEL = case("hanging_chain_bessel")


def between_two_hooks(n, **options):
    """Return the chain of the case between level hooks."""
    model = gs.Model("catenary", gravity=(0, -CATENARY["parameters"]["g"], 0))
    given = {"segments": n, "length": CATENARY["parameters"]["L"], "density": CATENARY["parameters"]["rho"]}
    ends = ["ground", ("ground", (CATENARY["parameters"]["span"], 0, 0))]
    model.add(gs.Rope("rope", ends, **given, **options))
    return gs.formulate(model)


def test_links_hang_in_the_exact_discrete_catenary():
    """The horizontal tension of 15 rigid links is 3.021264385 N; that of the rope 3.0237998 N."""
    system = between_two_hooks(15, realisation="links")
    laid = gs.lay_rope(system, "rope", "catenary")
    point = gs.equilibrium(system, guess=laid)
    assert max(abs(laid[name] - x) for name, x in zip(system.coordinate_names, point.q, strict=True)) < 1e-9
    pull = abs(system.reactions(point.q, point.u, 0 * point.u)["rope.j0"].force[0])
    assert pull == pytest.approx(3.021264385, abs=1e-9)
    assert pull == pytest.approx(value(CATENARY, "horizontal_tension"), rel=1e-3)


@pytest.mark.parametrize(("n", "exact"), [(15, 3.021264385), (50, 3.023571033)])
def test_nodes_hang_in_the_same_catenary(n, exact):
    """With EA = 10 MN the stretch is below 1e-6; tension and direction of each element give H."""
    system = between_two_hooks(n, EA=1e7)
    point = gs.equilibrium(system, guess=gs.lay_rope(system, "rope", "catenary"))
    outputs = system.force_outputs(point.q, point.u)
    places = system.poses(point.q)
    way = places["rope.n2"].position - places["rope.n1"].position
    tension = float(outputs["rope.e2"]["force"])
    assert tension * way[0] / np.linalg.norm(way) == pytest.approx(exact, abs=2e-5)
    sag = value(CATENARY, "sag")
    assert -min(places[f"rope.n{i}"].position[1] for i in range(n + 1)) == pytest.approx(sag, rel=2 / n**2)


@pytest.mark.parametrize(
    ("options", "errors"),
    [({"realisation": "links", "segments": 10}, (1e-3, 1.2e-2)), ({"EA": 1e6, "segments": 20}, (1e-3, 1.2e-2))],
    ids=["links", "nodes"],
)
def test_frequencies_of_a_hanging_chain(options, errors):
    """Zeros of J0 (Bernoulli). Links are stiffer than the rope, lumped nodes softer."""
    model = gs.Model("hanging", gravity=(0, -BESSEL["parameters"]["g"], 0))
    model.add(gs.Rope("rope", ["ground", None], length=BESSEL["parameters"]["L"], density=0.5, **options))
    system = gs.formulate(model)
    point = gs.equilibrium(system, guess=gs.lay_rope(system, "rope", "straight"))
    roots = np.linalg.eigvals(gs.linearize(system, point).A)
    found = np.unique(np.round(np.abs(roots[np.abs(roots) < 15].imag), 6))
    exact = value(BESSEL, "natural_frequencies")
    off = found[found > 0][:2] / exact[:2] - 1
    assert (np.abs(off) < errors).all()
    assert (np.sign(off) == (1 if "realisation" in options else -1)).all()


def test_a_rope_shorter_than_its_span_is_refused():
    model = gs.Model("short", gravity=(0, -9.81, 0))
    ends = ["ground", ("ground", (4, 0, 0))]
    model.add(gs.Rope("rope", ends, segments=5, length=3, density=1, realisation="links"))
    with pytest.raises(gs.StateError, match=r"Rope 'rope' is 3 m long, its path 4 m. Give a longer rope"):
        gs.lay_rope(model, "rope", "catenary")
