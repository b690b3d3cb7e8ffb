# SPDX-License-Identifier: MIT
"""Rigid-body contact, from shapes to forces.

    import abut
    world = abut.World()
    world.add_body(abut.Plane([0, 0, 1]), type="static")
    box = world.add_body(abut.Box(size=[1, 1, 1]), position=[0, 0, 2])
    recorder = abut.Recorder(world)
    world.step(1 / 240, count=480)
    print(world.contacts["normal_force"], world.ledger.residual)
    recorder.report("box.html")

SI units and radians; z is up; orientations are quaternions (w, x, y, z). What Abut refuses raises
abut.Error (a ValueError) and changes nothing. Equal input gives equal bits on every machine:
World.hash() tells.
"""
from ._abut import (Axis, Box, Capsule, Cast, CollisionGroup, CollisionObject, CompliantSystem,
                    Compound, Cone, Convex, Cylinder, Distance, Drive, Error, HeightField,
                    ImpactSimulation, InputError, JointState, Ledger, LiveView, Mesh, Motion,
                    Plane, PointCloud, RayHit, Scene, Shape, Sphere, StepReport, World,
                    WorldRayHit, __version__, cast, collide, distance, step_all, write_report)
from ._abut import Recorder as _Recorder
from ._variable_step import integrate

BEGIN, PERSIST, END = 0, 1, 2  # World.events["kind"], World.sensor_events["kind"]
STATIC, KINEMATIC, DYNAMIC = 0, 1, 2  # World.bodies["type"]


class Recorder(_Recorder):
    __doc__ = _Recorder.__doc__

    def _repr_html_(self):
        """The page inline in a notebook."""
        import base64
        page = base64.b64encode(self.html().encode()).decode()
        return (f'<iframe src="data:text/html;base64,{page}" width="100%" height="600" '
                'style="border:0" title="Abut"></iframe>')

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.finish()


def run_scene(path, report=None, count=None):
    """Runs a scene file to its end (or `count` steps) and returns it; writes the page to `report`."""
    scene = Scene(path)
    recorder = None
    if report is not None:
        recorder = Recorder(scene.world, name=scene.name)
    scene.step(scene.num_steps if count is None else count)
    if recorder is not None:
        recorder.report(report)
        recorder.finish()
    return scene


__all__ = [name for name in dir() if not name.startswith("_")]
