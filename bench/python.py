#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What Python costs: python.py PROGRAM, with the module on PYTHONPATH. CPU times, medians of rounds
that alternate with the same steps from C++ (PROGRAM: bench/python_steps.cpp)."""
import os
import statistics
import subprocess
import sys
import time

import abut
import numpy as np

ROUNDS, STEPS = 9, 60
bars = []


def bar(what, value, limit, unit):
    bars.append(value <= limit)
    print(f"{'ok  ' if bars[-1] else 'MISS'} {what:52} {value:9.3f} {unit:4} (bar {limit:g})", flush=True)


def tower():
    world = abut.World(scheme="real_time")
    world.add_body(abut.Plane([0, 0, 1]), type="static")
    cube = abut.Box(size=[1, 1, 1])
    for i in range(1000):
        world.add_body(cube, position=[1.5 * (i % 10), 1.5 * (i // 10 % 10), 0.5 + 1.0 * (i // 100)])
    return world


def steps_of_a_thousand(program):
    world, here, there = tower(), [], []
    peer = subprocess.Popen([program, str(ROUNDS), str(STEPS)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    for _ in range(ROUNDS):
        peer.stdin.write(".")
        peer.stdin.flush()
        there.append(float(peer.stdout.readline()))
        begun = time.process_time()
        for _ in range(STEPS):
            world.step(1 / 60)
        here.append(1e6 * (time.process_time() - begun) / STEPS)
    same = int(peer.stdout.readline()) == world.hash()
    print(f"     1000 cubes: {statistics.median(there):.0f} us a step from C++, {statistics.median(here):.0f} us from Python, "
          f"{'the same bits' if same else 'OTHER BITS'}")
    bar("step from Python over step from C++", statistics.median(np.array(here) / np.array(there)), 1.05, "")
    bars.append(same)


def contacts_as_arrays():
    world = abut.World(scheme="real_time")
    world.add_body(abut.Plane([0, 0, 1]), type="static")
    cube = abut.Box(size=[1, 1, 1])
    for i in range(2500):
        world.add_body(cube, position=[1.5 * (i % 50), 1.5 * (i // 50), 0.5])
    world.step(1 / 60)
    contacts = world.contacts
    assert len(contacts) >= 10000, len(contacts)
    del contacts

    def taken(read):
        times = []
        for _ in range(50):
            begun = time.process_time()
            total = read()
            times.append(1e3 * (time.process_time() - begun))
        assert np.isclose(total, 2500 * 1000 * 9.81, rtol=1e-3), total
        return statistics.median(times)

    bar("10000 contacts as an array, and a sum of them", taken(lambda: world.contacts["normal_force"].sum()), 1.0, "ms")
    bar("the same by a view, without a copy", taken(lambda: world.contacts_view["normal_force"].sum()), 0.2, "ms")


def batch():
    def worlds():
        made = []
        for k in range(64):
            world = abut.World(scheme="real_time")
            world.add_body(abut.Plane([0, 0, 1]), type="static")
            for i in range(60):
                world.add_body(abut.Sphere(0.5), position=[1.01 * (i % 4) + 0.001 * k, 1.02 * (i // 4 % 4), 0.6 + 1.1 * (i // 16)])
            made.append(world)
        return made

    def run(threads):
        made, begun = worlds(), time.perf_counter()
        abut.step_all(made, 1 / 60, count=60, threads=threads)
        return time.perf_counter() - begun, [w.hash() for w in made]

    cores = len(os.sched_getaffinity(0))
    alone, hashes = run(1)
    for threads in sorted({2, 4, 8, 16, cores}):
        if threads > cores:
            continue
        taken, same = min((run(threads) for _ in range(3)), key=lambda r: r[0])
        print(f"     64 worlds on {threads:2} threads: {alone / taken:.2f} times as fast", flush=True)
        bars.append(same == hashes)
    bar(f"64 worlds on {cores} threads, over the ideal time", taken * cores / alone, 1.25, "")


steps_of_a_thousand(sys.argv[1])
contacts_as_arrays()
batch()
print(f"{sum(bars)} of {len(bars)} bars hold")
sys.exit(0 if all(bars) else 1)
