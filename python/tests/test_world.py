# SPDX-License-Identifier: MIT
import threading
import time

import numpy as np
import pytest

import abut


def falling_box(**options):
    world = abut.World(**options)
    world.add_body(abut.Plane([0, 0, 1]), type="static")
    box = world.add_body(abut.Box(size=[1, 1, 1]), position=[0, 0, 2])
    return world, box


def test_box_comes_to_rest_and_carries_its_weight():
    world, box = falling_box()
    world.step(1 / 240, count=480)
    contacts = world.contacts
    assert contacts["normal_force"].sum() == pytest.approx(1000 * 9.81, rel=1e-9)
    assert world.motion(box).position[2] == pytest.approx(0.5, abs=1e-5)
    assert abs(world.ledger.residual) < 1e-9
    assert world.time == pytest.approx(2.0)


def test_arrays_have_the_fields_and_own_their_memory():
    world, box = falling_box()
    world.step(1 / 240, count=240)
    contacts = world.contacts
    before = contacts.copy()
    world.step(1 / 240, count=10)
    assert (contacts == before).all()
    assert contacts["position"].shape == (len(contacts), 3)
    bodies = world.bodies
    assert list(bodies["id"]) == [1, box] and list(bodies["type"]) == [abut.STATIC, abut.DYNAMIC]
    assert np.allclose(np.linalg.norm(bodies["orientation"], axis=1), 1)
    assert world.events["kind"].tolist() == [abut.PERSIST]
    assert world.ledger.array["impact"][0] == world.ledger.impact


def test_errors_are_exceptions_with_the_messages_of_the_library():
    world, _ = falling_box()
    before = world.hash()
    with pytest.raises(abut.Error, match="expected dt from 0 to 1 s"):
        world.step(-1.0)
    with pytest.raises(ValueError, match="no body 77"):
        world.motion(77)
    with pytest.raises(abut.Error, match="expected 'static'"):
        world.add_body(abut.Sphere(1), type="fixed")
    with pytest.raises(abut.Error):
        abut.Sphere(-1)
    with pytest.raises(abut.InputError, match=":1:"):
        abut.Scene.from_text("{nonsense")
    assert world.hash() == before


def test_options_have_their_names_in_scenes():
    world = abut.World(scheme="real_time", gravity=(0, 0, -1.62), sleep_after=0.25, sweeps=20, max_step=0.05,
                       max_contacts=3, tolerance=None)
    world.add_body(abut.Plane((0, 0, 1), 0), type="static")
    world.add_body(abut.Box((1, 1, 1)), position=(0, 0, 0.5))
    before = world.hash()
    with pytest.raises(abut.Error, match="WorldLimits::contacts is 3"):
        world.step(0.01)
    with pytest.raises(abut.Error, match="expected dt from 0 to 0.05 s"):
        world.step(0.1)
    assert world.hash() == before
    with pytest.raises(TypeError, match="no option 'gravty'; there are scheme, threads, sleeping"):
        abut.World(gravty=(0, 0, 0))
    with pytest.raises(TypeError, match="sweeps: not a value of its type"):
        abut.World(sweeps="many")
    with pytest.raises(abut.Error, match="sleepAfter"):
        abut.World(sleep_after=-1)
    with pytest.raises(abut.Error, match="knows no contact model"):
        abut.World(scheme="real_time", model="frictionless")
    abut.World(model="frictionless", extrapolates=False).step(0.01)
    with pytest.raises(abut.Error, match="'decoupled'"):
        abut.World(model="cone")


def test_snapshot_restores_to_the_bit():
    world, _ = falling_box(scheme="real_time")
    world.step(1 / 60, count=30)
    saved = world.snapshot()
    world.step(1 / 60, count=30)
    end = world.hash()
    world.restore(saved)
    world.step(1 / 60, count=30)
    assert world.hash() == end


def heap(n=60):
    world = abut.World(scheme="real_time")
    world.add_body(abut.Plane([0, 0, 1]), type="static")
    for i in range(n):
        world.add_body(abut.Box(size=[1, 1, 1]), position=[1.1 * (i % 5), 1.1 * (i // 5 % 4), 0.6 + 1.2 * (i // 20)])
    return world


def test_batches_give_the_bits_of_worlds_alone():
    alone = heap()
    alone.step(1 / 60, count=20)
    worlds = [heap() for _ in range(8)]
    abut.step_all(worlds, 1 / 60, count=20, threads=3)
    assert {w.hash() for w in worlds} == {alone.hash()}


def test_the_interpreter_runs_while_a_world_steps():
    world = heap(200)
    ticks = 0
    done = threading.Event()

    def work():
        world.step(1 / 60, count=60)
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    refused = 0
    while not done.is_set():
        ticks += 1
        try:
            world.time
        except RuntimeError as error:
            assert "another thread" in str(error)
            refused += 1
        time.sleep(0.0005)
    thread.join()
    assert ticks > 1 and refused > 0


def test_ten_thousand_contacts_are_read_in_a_millisecond():
    world = abut.World(scheme="real_time", gravity=[0, 0, -9.81])
    world.add_body(abut.Plane([0, 0, 1]), type="static")
    for i in range(2500):
        world.add_body(abut.Box(size=[1, 1, 1]), position=[1.5 * (i % 50), 1.5 * (i // 50), 0.4999])
    world.step(1 / 240)
    assert len(world.contacts) == 10_000
    best = min(_seconds(lambda: world.contacts["normal_force"]) for _ in range(20))
    assert best < 5e-3  # 1 ms on a quiet machine; the tests run beside others.


def _seconds(call):
    begin = time.perf_counter()
    call()
    return time.perf_counter() - begin


def test_kinematic_bodies_drive_and_report_their_work():
    world = abut.World(gravity=[0, 0, 0])
    pusher = world.add_body(abut.Box(size=[1, 1, 1]), type="kinematic", linear_velocity=[1, 0, 0])
    ball = world.add_body(abut.Sphere(0.5), position=[1.05, 0, 0], mass=2.0)
    world.step(1 / 100, count=20)
    # Pushed inelastically: the ball has the pusher's velocity, the driver gave p v = 2 J.
    assert world.motion(ball).linear_velocity[0] == pytest.approx(1.0)
    assert world.ledger.drivers == pytest.approx(2.0)
    world.set_path(pusher, [(world.time, [0.2, 0, 0], [1, 0, 0, 0]), (world.time + 1, [0, 0, 0], [1, 0, 0, 0])])
    world.step(1 / 100, count=10)


def test_locks_forces_and_sleeping():
    world = abut.World(sleeping=True)
    world.add_body(abut.Plane([0, 0, 1]), type="static")
    slider = world.add_body(abut.Box(size=[1, 1, 1]), position=[0, 0, 5], locks=["z", "rx", "ry", "rz"], mass=1.0)
    world.apply_force(slider, [2, 0, 0])
    world.step(0.1)
    motion = world.motion(slider)
    assert motion.linear_velocity[0] == pytest.approx(0.2) and motion.position[2] == 5.0
    world.remove_body(slider)
    assert len(world) == 1


def test_views_without_a_copy_hold_the_world():
    world = abut.World()
    world.add_body(abut.Plane([0, 0, 1]), type="static")
    box = world.add_body(abut.Box(size=[1, 1, 1]), position=[0, 0, 0.5])
    assert len(world.contacts_view) == 0
    world.step(1 / 240)
    view = world.contacts_view
    forces = view["normal_force"]
    assert np.array_equal(view, world.contacts) and np.shares_memory(forces, view)
    with pytest.raises(ValueError):
        forces[0] = 1.0
    del view
    for call in (lambda: world.step(1 / 240), lambda: world.restore(world.snapshot()), lambda: abut.step_all([world], 1 / 240)):
        with pytest.raises(RuntimeError, match="contacts_view"):
            call()  # What was cut from the view still shows the world's memory.
    assert np.isclose(forces.sum(), 9810)
    world.apply_force(box, [0, 0, 1])  # That ends nothing.
    del forces
    world.step(1 / 240)
    other = abut.World()
    other.add_body(abut.Sphere(1), position=[0, 0, 1])
    other.add_body(abut.Plane([0, 0, 1]), type="static")
    other.step(1 / 240)
    kept = other.contacts_view
    del other  # The view keeps the world.
    assert len(kept) == 1 and kept["normal_force"][0] > 0
