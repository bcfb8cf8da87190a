# Spheres in a bucket of facets: `yade -n -x -j1 yade_grains.py NUMBERS.json`. Names such as O and facet are YADE's.
# ruff: noqa
import json, math, sys, time

from yade import *
from yade import utils

given = json.load(open(sys.argv[-1]))
stone = O.materials.append(
    FrictMat(
        density=given["density"],
        young=given["stiffness"] / given["radius"],
        poisson=2 / 7.0,
        frictionAngle=math.atan(given["mu"]),
    )
)
for place in given["places"]:
    O.bodies.append(sphere(place, given["radius"], material=stone))
for triangle in given["triangles"]:
    O.bodies.append(utils.facet([given["corners"][i] for i in triangle], material=stone))
O.engines = [
    ForceResetter(),
    InsertionSortCollider([Bo1_Sphere_Aabb(), Bo1_Facet_Aabb()], verletDist=0.3 * given["radius"]),
    InteractionLoop(
        [Ig2_Sphere_Sphere_ScGeom(), Ig2_Facet_Sphere_ScGeom()],
        [Ip2_FrictMat_FrictMat_FrictPhys()],
        [Law2_ScGeom_FrictPhys_CundallStrack()],
    ),
    NewtonIntegrator(gravity=(0, 0, -given["gravity"]), damping=0.2),
]
O.dt = given["step"]
O.run(int(given["settled"] / O.dt), True)
for _ in range(given["rounds"]):
    began = time.process_time()
    O.run(given["steps"], True)
    print("seconds", time.process_time() - began, O.interactions.countReal(), flush=True)
