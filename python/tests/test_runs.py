# SPDX-License-Identifier: MIT
import json
import pathlib
import subprocess
import sys
import urllib.request

import numpy as np
import pytest

import abut

ROOT = pathlib.Path(__file__).resolve().parents[2]


def page_or_skip(recorder):
    try:
        return recorder.html()
    except abut.Error as error:
        if "without node" in str(error):
            pytest.skip(str(error))
        raise


def test_eight_lines_write_the_page(tmp_path):
    world = abut.World()
    world.add_body(abut.Plane([0, 0, 1]), type="static")
    world.add_body(abut.Box(size=[1, 1, 1]), position=[0, 0, 2])
    recorder = abut.Recorder(world)
    world.step(1 / 240, count=480)
    page = page_or_skip(recorder)
    recorder.report(str(tmp_path / "box.html"))
    assert (tmp_path / "box.html").read_text() == page and "application/x-abut" in page
    assert recorder.num_frames == 481
    assert "iframe" in recorder._repr_html_()


def test_recording_is_read_back(tmp_path):
    world = abut.World()
    world.add_body(abut.Sphere(1))
    with abut.Recorder(world, str(tmp_path / "run.abut"), every=5) as recorder:
        world.step(0.01, count=20)
    page_or_skip(recorder)
    abut.write_report(str(tmp_path / "run.abut"), str(tmp_path / "run.html"))
    assert (tmp_path / "run.html").stat().st_size > 10_000


def test_recorder_says_when_bodies_change():
    world = abut.World()
    world.add_body(abut.Sphere(1))
    recorder = abut.Recorder(world)
    world.step(0.01)
    world.add_body(abut.Sphere(1), position=[5, 0, 0])
    world.step(0.01)
    with pytest.raises(abut.Error, match="one set of bodies"):
        recorder.finish()


def test_scene_runs_to_the_hash_of_the_tool():
    scene = abut.Scene(str(ROOT / "scenes" / "capsule_spin.json"))
    scene.step(scene.num_steps)
    assert scene.is_over and scene.fault == ""
    body = json.loads((ROOT / "scenes" / "capsule_spin.json").read_text())["bodies"][0]["name"]
    assert scene.name_of(scene.find(body)) == body
    tool = ROOT / "build" / "abut"
    if tool.exists():
        out = subprocess.run([tool, "hash", ROOT / "scenes" / "capsule_spin.json"], text=True,
                             capture_output=True, check=True).stdout
        assert f"{scene.world.hash():016x}" in out


def test_impacts_are_located():
    world = abut.World()
    rubber = world.add_material(restitution=0.8)
    world.add_body(abut.Plane([0, 0, 1]), type="static", material=rubber)
    world.add_body(abut.Sphere(0.1), position=[0, 0, 1.1], material=rubber)
    simulation = abut.ImpactSimulation(world)
    simulation.advance(1.0)
    first = simulation.events["time"][0]
    assert first == pytest.approx(np.sqrt(2 / 9.81), abs=1e-12)
    assert simulation.num_impacts >= 1


def heun(fun, span, y, events, max_step=1e-4):
    """A stand-in for scipy.integrate.solve_ivp, which need not be there."""
    class Result:
        pass
    t, y = span[0], np.array(y)
    ts, ys, status = [t], [y], 0
    before = [e(t, y) for e in events]
    while t < span[1]:
        h = min(max_step, span[1] - t)
        k = fun(t, y)
        y = y + 0.5 * h * (k + fun(t + h, y + h * k))
        t += h
        ts.append(t)
        ys.append(y)
        now = [e(t, y) for e in events]
        if any(a * b < 0 for a, b in zip(before, now)):
            status = 1
            break
        before = now
    result = Result()
    result.t, result.y, result.status, result.message = np.array(ts), np.array(ys).T, status, ""
    return result


def test_compliant_contacts_with_zero_crossings():
    world = abut.World()
    soft = world.add_material(restitution=0.5, youngs_modulus=1e6)
    world.add_body(abut.Plane([0, 0, 1]), type="static", material=soft)
    world.add_body(abut.Sphere(0.1), position=[0, 0, 0.15], material=soft)
    system = abut.CompliantSystem(world)
    times, states, events = abut.integrate(system, 0.2, solver=heun)
    assert len(events) >= 1 and states[:, 2].min() < 0.1
    assert states[-1, 2] > 0.1 - 0.01
    assert np.isclose(times[-1], 0.2)


def ask(view, path, wish=None):
    """GET, or POST of a wish with the address's token."""
    base, token = view.address.split("?token=")
    data = None if wish is None else json.dumps(wish).encode()
    request = urllib.request.Request(base.rstrip("/") + path, data=data, headers={"X-Abut-Token": token})
    with urllib.request.urlopen(request, timeout=20) as answer:
        return answer.read()


def test_live_view_of_a_world_that_python_steps():
    world = abut.World()
    world.add_body(abut.Plane([0, 0, 1]), type="static", name="floor")
    ball = world.add_body(abut.Sphere(0.5), position=[0, 0, 3], name="ball")
    try:
        view = abut.LiveView(world, speed=0, step=0.01, name="live")
    except abut.Error as error:
        pytest.skip(str(error))
    start = world.hash()
    for _ in range(20):
        assert view.sync()
        world.step(0.01)
    assert json.loads(ask(view, "/state"))["state"] == "running"
    assert b"<html" in ask(view, "/").lower()
    ask(view, "/control", {"do": "gravity", "value": [0, 0, -1.0]})
    ask(view, "/control", {"do": "pause"})
    height = world.motion(ball).position[2]
    assert not view.sync(timeout=0.15)
    ask(view, "/control", {"do": "step", "count": 1})
    assert view.sync(timeout=5)
    speed = world.motion(ball).linear_velocity[2]
    world.step(0.01)
    assert np.isclose(world.motion(ball).linear_velocity[2], speed - 0.01)  # The new gravity.
    assert world.motion(ball).position[2] < height
    ask(view, "/control", {"do": "restart"})
    view.sync(timeout=0.15)
    assert view.num_restarts == 1 and world.hash() == start
    world.add_body(abut.Sphere(0.1), position=[2, 0, 1])  # Pages begin anew.
    bodies = json.loads(ask(view, "/state"))["bodies"]
    view.sync(timeout=0.05)
    assert json.loads(ask(view, "/state"))["bodies"] == bodies + 1


def test_stubs_name_everything():
    stub = (ROOT / "python" / "abut" / "__init__.pyi").read_text()
    for name in abut.__all__:
        assert name in stub, name
    for cls in (abut.World, abut.CollisionGroup, abut.Scene):
        for member in dir(cls):
            if not member.startswith("_"):
                assert f"{member}" in stub, f"{cls.__name__}.{member}"


def test_everything_has_a_docstring():
    for name in ("World", "Scene", "Recorder", "CollisionGroup", "Ledger", "ImpactSimulation"):
        assert getattr(abut, name).__doc__
    assert sys.modules["abut"].__doc__
