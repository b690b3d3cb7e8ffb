#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""abut view as its page meets it: wishes, refusals, and recordings that replay to the bit.

usage: view_control.py TOOL SCENES
"""
import http.client
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time

TOOL, SCENES = sys.argv[1:3]
SEED = 20261116
failures = []


def check(fact, holds, detail=""):
    if not holds:
        failures.append(fact)
        print(f"FAILED {fact}: {detail}")


class View:
    def __init__(self, scene, *options):
        self.process = subprocess.Popen([TOOL, "view", scene, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/\?token=([0-9a-f]{32})", line)
        if not found:
            rest = self.process.stderr.read()
            if re.search("built without|could not be bundled", rest):
                print("skipped:", rest.strip())
                sys.exit(77)
            raise SystemExit(f"no address in {line!r} {rest!r}")
        self.port, self.token = int(found.group(1)), found.group(2)

    def ask(self, method, path, body=None, headers=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            connection.request(method, path, body=body, headers=headers or {})
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def wish(self, **wish):
        body = json.dumps(wish)
        status, text = self.ask("POST", "/control", body, {"X-Abut-Token": self.token})
        return status, (json.loads(text) if status == 200 else text.decode())

    def state(self):
        return json.loads(self.ask("GET", "/state")[1])

    def wait(self, fact, what, seconds=30):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            state = self.state()
            if what(state):
                return state
            time.sleep(0.02)
        check(fact, False, state)
        return state

    def raw(self, data, wait=0.2):
        with socket.create_connection(("127.0.0.1", self.port), timeout=5) as s:
            s.sendall(data)
            s.settimeout(wait)
            try:
                return s.recv(65536)
            except (TimeoutError, ConnectionError):
                return b""

    def end(self, code=0):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        out, err = self.process.communicate(timeout=30)
        check("it ends with its code", self.process.returncode == code, (self.process.returncode, err))
        return out


def replay(path, *flags):
    done = subprocess.run([TOOL, "replay", path, *flags], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def refusals(view):
    status, _ = view.ask("POST", "/control", '{"do": "pause"}')
    check("no token, no change", status == 403, status)
    status, _ = view.ask("POST", "/control", '{"do": "pause"}', {"X-Abut-Token": view.token[:-1] + "g"})
    check("a wrong token changes nothing", status == 403, status)
    status, _ = view.ask("POST", "/control", '{"do": "pause"}', {"X-Abut-Token": view.token, "Origin": "http://example.org"})
    check("another origin changes nothing, token or not", status == 403, status)
    status, _ = view.ask("POST", "/control", '{"do": "pause"}', {"X-Abut-Token": view.token, "Host": "example.org"})
    check("another host changes nothing", status == 403, status)
    check("GET does not change", view.ask("GET", "/control?token=" + view.token)[0] == 405)
    check("only /control takes a POST", view.ask("POST", "/frames?from=0", "")[0] == 405)
    check("PUT is refused", view.ask("PUT", "/control", "{}")[0] == 405)
    check("a run that is gone has no frames", view.ask("GET", "/frames?run=99&from=0")[0] == 204)
    check("frames want a number", view.ask("GET", "/frames?from=x")[0] == 400 and view.ask("GET", "/frames?from=0&run=-1")[0] == 400)
    check("a body that is too long is refused", view.ask("POST", "/control", " " * 5000, {"X-Abut-Token": view.token})[0] == 413)
    check("the token is in no answer", view.token not in view.ask("GET", "/")[1].decode() + view.ask("GET", "/state")[1].decode())
    bad = ["", "{", "[]", "3", "null", '"pause"', "{}", '{"do": 3}', '{"do": "fly"}', '{"do": "pause", "now": 1}', '{"do": "step"}',
           '{"do": "step", "count": 0}', '{"do": "step", "count": 1.5}', '{"do": "step", "count": -1}', '{"do": "step", "count": 1e300}',
           '{"do": "speed", "value": -1}', '{"do": "speed", "value": "1"}', '{"do": "gravity", "value": [0, 0]}',
           '{"do": "gravity", "value": [0, 0, "x"]}', '{"do": "gravity", "value": 9.81}', '{"do": "gravity", "value": [0, 0, 1e999]}',
           '{"do": "friction", "material": "cheese", "value": 1}', '{"do": "friction", "material": "default", "value": -1}',
           '{"do": "pull", "body": "nobody", "point": [0, 0, 0], "target": [0, 0, 0]}', '{"do": "pull"}',
           '{"do": "pull", "body": "floor", "point": [0, 0, 0], "target": [0, 0, 0]}',
           '{"do": "pull", "body": "a", "point": [0, 0, null], "target": [0, 0, 0]}', '{"do": "pause", "do": "resume"}', "{" * 3000]
    for body in bad:
        status, text = view.ask("POST", "/control", body, {"X-Abut-Token": view.token})
        check("what is not understood is refused in one line", status == 400 and text.count(b"\n") == 1 and len(text) > 10, (body[:60], status, text))


def nonsense(view):
    """Bytes of all kinds: it answers or hangs up, and goes on."""
    r = random.Random(SEED)
    head = f"POST /control HTTP/1.1\r\nHost: 127.0.0.1:{view.port}\r\nX-Abut-Token: {view.token}\r\n".encode()
    pieces = [b"\r\n", b"{", b'"do"', b":", b"1e999", b"\x00", b"\xff", b"Content-Length: 4\r\n", b"Content-Length: -4\r\n",
              b"Content-Length: 99999999999999999999\r\n", b"Transfer-Encoding: chunked\r\n", b"GET / HTTP/1.1", b"X-Abut-Token: a\r\n"]
    for _ in range(150):
        data = head if r.random() < 0.7 else b""
        for _ in range(r.randrange(12)):
            data += r.choice(pieces) if r.random() < 0.8 else r.randbytes(r.randrange(40))
        view.raw(data + b"\r\n\r\n", 0.02)
    answer = view.raw(head + b"Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcde")
    check("two lengths are refused", b" 400 " in answer[:20], answer[:60])
    check("it is still there", view.ask("GET", "/state")[0] == 200 and view.process.poll() is None)


SCENE = {"step": 0.005, "duration": 1000,
         "materials": {"wood": {"friction": 0.5}},
         "bodies": [{"name": "floor", "type": "static", "shapes": [{"plane": {"normal": [0, 0, 1]}, "material": "wood"}]},
                    {"name": "a", "position": [0, 0, 0.5], "shapes": [{"box": {"size": [1, 1, 1]}, "material": "wood"}]},
                    {"name": "b", "position": [0.2, 0, 1.5], "shapes": [{"box": {"size": [1, 1, 1]}, "material": "wood"}]}]}


def play(folder, every):
    """Every wish once, then the recording is made again."""
    path, scene = os.path.join(folder, f"play{every}.abut"), os.path.join(folder, f"play{every}.json")
    with open(scene, "w", encoding="utf-8") as out:
        json.dump({**SCENE, "record": {"every": every}}, out)
    view = View(scene, "--paused", "--record", path)
    state = view.state()
    check("it waits at the beginning", state["state"] == "paused" and state["step"] == 0 and state["run"] == 1, state)
    check("it says what holds", state["gravity"] == [0, 0, -9.81] and {"material": "wood", "value": 0.5} in state["friction"], state)
    if every == 1:
        refusals(view)
        nonsense(view)
    check("nothing of that changed the run", view.state() == state, view.state())
    view.wish(do="step", count=3)
    state = view.wait("three steps", lambda s: s["step"] == 3 and s["state"] == "paused")
    check("single steps stop where they should", state["step"] == 3, state)
    view.wish(do="pull", body="b", point=[0.5, 0, 0], target=[3, 0, 4])
    view.wish(do="speed", value=0)
    view.wish(do="resume")
    view.wait("it runs", lambda s: s["step"] > 60 and s["pull"] is not None)
    view.wish(do="friction", material="wood", value=0.05)
    view.wish(do="gravity", value=[1, 0, -3])
    view.wish(do="pull", body="b", point=[0.5, 0, 0], target=[-3, 1, 2])
    at = view.wait("changes hold", lambda s: s["gravity"] == [1, 0, -3] and {"material": "wood", "value": 0.05} in s["friction"])["step"]
    view.wait("it goes on", lambda s: s["step"] > at + 100)
    view.wish(do="release")
    at = view.wait("it is let go", lambda s: s["pull"] is None)["step"]
    view.wait("it goes on", lambda s: s["step"] > at + 37)
    status, refused = view.wish(do="gravity", value=[0, 0, 1e300])
    view.wait("what the world refuses is told", lambda s: "gravity" in s["message"].lower(), 10)
    view.wish(do="pause")
    view.wait("it pauses", lambda s: s["state"] == "paused")
    time.sleep(0.2)
    state = view.state()
    time.sleep(0.2)
    check("a pause is a pause", view.state()["step"] == state["step"])
    out = view.end()
    check("it names the recording", path in out, out)
    code, said = replay(path)
    check("the recording tells of changes", code == 0 and "changes" in said, said)
    for flag in ("--verify", "--bisect"):
        code, said = replay(path, flag)
        check(f"replay {flag} gives the same bits (every {every})", code == 0 and "bit for bit" in said and f"step {state['step']}" in said, said)
    return scene


def restart(folder, scene):
    path = os.path.join(folder, "again.abut")
    view = View(scene, "--speed", "0", "--record", path)
    view.wish(do="gravity", value=[0, 0, 0])
    view.wait("gravity is off", lambda s: s["gravity"] == [0, 0, 0] and s["step"] > 50)
    view.wish(do="restart")
    state = view.wait("it begins again", lambda s: s["run"] == 2)
    check("a restart brings the scene's gravity back", state["gravity"] == [0, 0, -9.81], state)
    check("frames of the first run are gone", view.ask("GET", "/frames?run=1&from=0")[0] == 204)
    view.wish(do="pull", body="a", point=[0, 0, 0], target=[0, 5, 5])
    view.wait("it pulls", lambda s: s["pull"] is not None and s["step"] > 80)
    view.end()
    code, said = replay(path, "--verify")
    check("after a restart the recording holds the new run", code == 0, said)
    code, said = replay(path)
    check("with the changes of that run only", re.search(r"changes +1 by", said) is not None, said)


def ends(folder):
    scene = os.path.join(folder, "short.json")
    with open(scene, "w", encoding="utf-8") as out:
        json.dump({**SCENE, "duration": 0.1}, out)
    view = View(scene, "--speed", "0")
    view.wait("it comes to its end", lambda s: s["state"] == "over" and s["step"] == 20)
    view.wish(do="resume")
    view.wait("it goes on beyond", lambda s: s["state"] == "running" and s["step"] > 40)
    view.end()
    view = View(os.path.join(SCENES, "bouncing_located.json"), "--speed", "0")
    state = view.wait("a variable step runs", lambda s: s["step"] > 2)
    check("a run with a variable step says that it cannot be changed", state["editable"] is False)
    status, text = view.wish(do="gravity", value=[0, 0, 0])
    check("and refuses", status == 400 and "variable step" in text, text)
    view.wish(do="pause")
    view.wait("but pauses", lambda s: s["state"] in ("paused", "over"))
    view.end()


with tempfile.TemporaryDirectory() as folder:
    scene = play(folder, 1)
    play(folder, 9)
    restart(folder, scene)
    ends(folder)
print(f"seed {SEED}: {len(failures)} failures")
sys.exit(1 if failures else 0)
