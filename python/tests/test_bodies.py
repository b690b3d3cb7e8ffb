# SPDX-License-Identifier: MIT
import threading

import pytest

import abut


def row():
    world = abut.World()
    for i in range(3):
        world.add_body(abut.Sphere(0.5), position=[2 * i, 0, 1], category=1 << i, id=3 - i)
    world.add_body(abut.Plane([0, 0, 1]), type="static", id=4)
    return world


def test_rays_casts_and_overlaps_see_the_bodies_where_they_are():
    world = row()
    hit = world.raycast([-3, 0, 1], [7, 0, 1])
    assert (hit.body, hit.distance, hit.normal.tolist()) == (3, 2.5, [-1, 0, 0])
    assert [h.body for h in world.raycast_all([-3, 0, 1], [7, 0, 1])] == [3, 2, 1]
    assert world.raycast([-3, 0, 1], [7, 0, 1], mask=4).body == 1
    assert world.raycast([-3, 0, 1], [7, 0, 1], ignore=3).body == 2
    assert world.raycast([-3, 0, 9], [7, 0, 9]) is None
    cast = world.shape_cast(abut.Sphere(0.25), [-3, 0, 1], [10, 0, 0])
    assert cast and cast.object2 == 3 and cast.fraction == pytest.approx(0.225)
    assert world.overlap(abut.Box(size=[3.2, 0.2, 0.2]), [1, 0, 1]) == [2, 3]
    body, distance = world.closest(abut.Sphere(0.25), [1.1, 0, 1], within=10)
    assert body == 2 and distance.distance == pytest.approx(0.15)
    assert world.closest(abut.Sphere(0.25), [1, 5, 1.5], within=0.5) is None
    assert world.distance(1, 3).distance == pytest.approx(3.0)
    with pytest.raises(abut.Error, match="same point"):
        world.raycast([0, 0, 0], [0, 0, 0])


def test_queries_from_many_threads_agree():
    world = row()
    found = []
    threads = [threading.Thread(target=lambda: found.extend(
        world.raycast([-3, 0, 1], [7, 0, 1]).body for _ in range(200))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [3] * 800


def test_filters_and_excluded_pairs_let_bodies_pass():
    for way in range(3):
        world = abut.World()
        world.add_body(abut.Plane([0, 0, 1]), type="static", id=1)
        world.add_body(abut.Box(size=[1, 1, 1]), position=[0, 0, 0.5], id=2, group=-1 if way == 0 else 0)
        world.add_body(abut.Box(size=[1, 1, 1]), position=[0, 0, 2], id=3, group=-1 if way == 0 else 0)
        if way == 1:
            world.exclude_pair(2, 3)
        if way == 2:
            world.set_filter(2, category=2)
            world.set_filter(3, mask=1)
        world.step(1 / 60, count=120)
        assert world.motion(3).position[2] == pytest.approx(0.5, abs=1e-3)
    with pytest.raises(abut.Error, match="not excluded"):
        world.include_pair(2, 3)


def test_sensors_report_and_do_not_push():
    world = abut.World()
    gate = world.add_body(abut.Box(size=[1, 1, 1]), type="static", sensor=True)
    ball = world.add_body(abut.Sphere(0.25), position=[0, 0, 2])
    kinds = []
    for _ in range(120):
        world.step(1 / 60)
        for event in world.sensor_events:
            assert (event["sensor"], event["body"]) == (gate, ball)
            kinds.append(event["kind"])
    assert kinds[0] == abut.BEGIN and kinds[-1] == abut.END and set(kinds[1:-1]) == {abut.PERSIST}
    assert len(world.contacts) == 0


def test_bodies_change_while_running_and_the_books_close():
    world = abut.World(gravity=[0, 0, 0])
    body = world.add_body(None, mass=2.0, inertia=[0.5, 0.5, 0.5])
    world.step(0.01)
    world.apply_impulse(body, [4, 0, 0], [0, 1, 0])
    assert world.motion(body).linear_velocity.tolist() == [2, 0, 0]
    world.set_mass(body, 4.0, inertia=[1, 1, 1.5], products_of_inertia=[0.1, 0, 0], center_of_mass=[0, 0, 0.1])
    assert world.mass(body)["mass"] == 4.0 and world.mass(body)["products_of_inertia"].tolist() == [0.1, 0, 0]
    world.set_gravity([0, 0, -1.0])
    world.apply_force_at(body, [1, 0, 0], [0, 0, 1])
    world.step(0.01)
    assert abs(world.ledger.residual) < 1e-12
    before = world.hash()
    with pytest.raises(abut.Error, match="above the sum"):
        world.set_mass(body, 1.0, inertia=[1, 1, 3])
    with pytest.raises(abut.Error, match="without shapes needs mass"):
        world.add_body(None)
    assert world.hash() == before
    world.set_type(body, "static")
    world.step(0.01)
    assert world.motion(body).linear_velocity.tolist() == [0, 0, 0]


def test_names_and_user_data():
    world = abut.World()
    a = world.add_body(abut.Sphere(1), name="ball", user_data=7)
    b = world.add_body(abut.Sphere(1), position=[5, 0, 0])
    assert world.find("ball") == a and world.find("nobody") is None
    assert world.name(a) == "ball" and world.name(b) == "" and world.user_data(a) == 7
    before = world.hash()
    world.set_name(b, "other")
    world.set_user_data(b, 2**64 - 1)
    assert world.hash() == before  # Nothing of the motion depends on them.
    saved = world.snapshot()
    world.set_name(b, "")
    world.restore(saved)
    assert world.find("other") == b and world.user_data(b) == 2**64 - 1
    with pytest.raises(abut.Error):
        world.name(99)
