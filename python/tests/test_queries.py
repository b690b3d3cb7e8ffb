# SPDX-License-Identifier: MIT
import numpy as np
import pytest

import abut


def test_depth_and_distance_of_boxes():
    table = abut.CollisionObject(abut.Box(size=[2, 2, 0.2]))
    can = abut.CollisionObject(abut.Cylinder(0.2, 0.5), position=[0, 0, 0.349])
    contacts = abut.collide(table, can)
    assert contacts["depth"].max() == pytest.approx(0.001, abs=1e-12)
    assert abut.distance(table, can).distance == pytest.approx(-0.001, abs=1e-12)
    can.set_pose([0, 0, 1])
    gap = abut.distance(table, can)
    assert gap.distance == pytest.approx(0.65) and gap.status == "separated"
    assert len(abut.collide(table, can)) == 0


def test_casts_and_rays_in_a_group():
    group = abut.CollisionGroup()
    for i in range(5):
        group.add(abut.CollisionObject(abut.Sphere(0.5), position=[2 * i, 0, 0], id=10 + i))
    hit = group.raycast([-5, 0, 0], [1, 0, 0], max_fraction=100)
    assert hit.object == 10 and hit.point[0] == pytest.approx(-0.5)
    assert [h.object for h in group.raycast_all([-5, 0, 0], [1, 0, 0], 100)] == [10, 11, 12, 13, 14]
    assert group.raycast([-5, 3, 0], [1, 0, 0], 100) is None
    ball = abut.CollisionObject(abut.Sphere(0.25), position=[4, 3, 0], id=1)
    cast = group.cast(ball, [0, -3, 0])
    assert cast and cast.object2 == 12 and 3 * cast.fraction == pytest.approx(2.25)
    assert abut.cast(ball, [0, -3, 0], abut.CollisionObject(abut.Sphere(0.5), position=[4, 0, 0])).hit


def test_every_shape_can_be_made_and_asked():
    points = np.array([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]], float)
    triangles = [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]]
    shapes = [abut.Sphere(1), abut.Box([1, 2, 3]), abut.Box(half_extents=[1, 1, 1]), abut.Capsule(1, 2),
              abut.Cylinder(1, 2), abut.Cone(1, 2), abut.Plane([0, 0, 1]), abut.Convex(points),
              abut.Mesh(points, triangles), abut.HeightField(np.zeros((3, 4)), 0.5, 0.5),
              abut.PointCloud(points, 0.1),
              abut.Compound([(abut.Sphere(1), [1, 0, 0], [1, 0, 0, 0]), (abut.Sphere(1), [-1, 0, 0], [1, 0, 0, 0])])]
    for shape in shapes:
        assert np.isfinite(shape.signed_distance([5, 0, 5]))
    octahedron = abut.Mesh(points, triangles)
    assert octahedron.is_solid and octahedron.mass(3.0)["mass"] == pytest.approx(4.0)
    assert abut.Convex(points).mass(3.0)["mass"] == pytest.approx(4.0)


def test_bad_arrays_are_refused():
    with pytest.raises(abut.Error, match=r"shape \(n, 3\)"):
        abut.Convex(np.zeros((4, 2)))
    with pytest.raises(abut.Error, match="either size"):
        abut.Box()
    with pytest.raises(abut.Error, match="unit length"):
        abut.CollisionObject(abut.Sphere(1), orientation=[1, 1, 0, 0])
