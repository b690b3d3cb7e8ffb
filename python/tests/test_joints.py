# SPDX-License-Identifier: MIT
import math

import numpy as np
import pytest

import abut


def pendulum(angle, **axis):
    """A rod of 1 m and 1 kg that hangs from the origin, turned by an angle about y."""
    world = abut.World()
    turn = [math.cos(angle / 2), 0, math.sin(angle / 2), 0]
    rod = world.add_body(abut.Box(size=[0.02, 0.02, 1]), mass=1, inertia=[1 / 12, 1 / 12, 1e-4],
                         position=[-0.5 * math.sin(angle), 0, -0.5 * math.cos(angle)], orientation=turn)
    hinge = world.add_joint("hinge", None, rod, point=[0, 0, 0], axis=[0, 1, 0], axes=[abut.Axis(**axis)])
    return world, rod, hinge


def test_a_pendulum_keeps_its_energy_and_swings_with_the_period_of_a_rod():
    world, rod, hinge = pendulum(math.radians(5))
    start = world.joint(hinge).position[0]
    times, last = [], world.joint(hinge).rate[0]
    for i in range(2000):
        world.step(1 / 1000)
        rate = world.joint(hinge).rate[0]
        if last * rate < 0:
            times.append(world.time - 1e-3 * rate / (rate - last))
        last = rate
    # T = 2 pi sqrt(2 L / 3 g) (1 + angle^2 / 16 + ...) = 1.638726531 s at 5 degrees.
    assert times[-1] - times[-2] == pytest.approx(1.638726531 / 2, rel=1e-5)
    assert abs(world.ledger.residual) < 1e-12
    assert abs(start) == pytest.approx(0.0, abs=1e-12)


def test_a_servo_holds_a_rod_level_with_the_torque_of_its_weight():
    world, rod, hinge = pendulum(math.radians(90))
    servo = abut.Drive("position", 0.0, stiffness=1e6, damping=1e3, max_force=100)
    world.set_drive(hinge, servo)
    world.step(1 / 240, count=480)
    state = world.joint(hinge)
    assert abs(state.drive_force[0]) == pytest.approx(0.5 * 9.81, rel=1e-6)
    assert state.force == pytest.approx(np.array([0, 0, 9.81]), abs=1e-6)
    assert set(state.work) == {"motors", "dampers", "springs", "limits", "friction"}
    assert servo.mode == "position"


def test_gears_turn_at_their_ratio():
    world = abut.World(gravity=[0, 0, 0])
    wheels = [world.add_body(None, mass=1, inertia=[1, 1, i], position=[x, 0, 0]) for i, x in ((0.02, 0), (0.08, 1))]
    hinges = [world.add_joint("hinge", None, wheel, point=[x, 0, 0]) for wheel, x in zip(wheels, (0, 1))]
    world.add_coupling(hinges[0], hinges[1], -0.5)
    world.set_drive(hinges[0], abut.Drive("force", 1.0))
    world.step(0.01, count=100)
    # 1 N m on 0.02 + 0.08 / 4 kg m^2: 12.5 rad and 25 rad/s after a second.
    assert world.joint(hinges[0]).rate[0] == pytest.approx(25, rel=2e-7)
    assert world.joint(hinges[1]).rate[0] == pytest.approx(-0.5 * world.joint(hinges[0]).rate[0], rel=1e-14)
    assert world.joint(hinges[0]).position[0] == pytest.approx(12.5, rel=2e-7)
    assert world.joint(hinges[1]).position[0] == pytest.approx(-6.25, rel=2e-7)
    assert world.joint_ids == sorted(hinges)


def test_a_joint_breaks_beyond_its_force():
    world = abut.World()
    ball = world.add_body(abut.Sphere(0.1), mass=1)
    joint = world.add_joint("ball", None, ball, point=[0, 0, 0], break_force=9)
    world.step(1 / 60)
    assert world.joint_events["joint"].tolist() == [joint]
    assert world.joint_events["force"][0] == pytest.approx(9.81)
    assert world.joint_ids == []


def test_bad_joints_are_refused_and_nothing_changes():
    world, rod, hinge = pendulum(0.3)
    before = world.hash()
    cases = [
        (dict(type="hing", body1=None, body2=rod, point=[0, 0, 0]), "type: expected 'fixed'"),
        (dict(type="hinge", body1=None, body2=None, point=[0, 0, 0]), ""),
        (dict(type="hinge", body1=None, body2=99, point=[0, 0, 0]), "99"),
        (dict(type="hinge", body1=rod, body2=rod, point=[0, 0, 0]), ""),
        (dict(type="hinge", body1=None, body2=rod, point=[0, 0, 0], axis=[0, 0, 0]), "axis"),
        (dict(type="hinge", body1=None, body2=rod, point=[0, 0, float("nan")]), ""),
        (dict(type="hinge", body1=None, body2=rod), "either point"),
        (dict(type="hinge", body1=None, body2=rod, point=[0, 0, 0], axes=[abut.Axis(limits=(1, -1))]), "limits"),
        (dict(type="fixed", body1=None, body2=rod, point=[0, 0, 0], axes=[abut.Axis()]), "axes"),
    ]
    for arguments, words in cases:
        with pytest.raises(abut.Error, match=words):
            world.add_joint(**arguments)
    with pytest.raises(abut.Error, match="mode"):
        abut.Drive("fast")
    with pytest.raises(abut.Error):
        world.set_drive(hinge, abut.Drive("speed", 1.0), axis=3)
    with pytest.raises(abut.Error):
        world.joint(12345)
    assert world.hash() == before and world.joint_ids == [hinge]
