"""Firefox, driven by its own protocol (Marionette): messages over TCP, each its length, a colon and JSON. It answers to
the few methods of Selenium's driver that the page's tests use."""

import itertools
import json
import pathlib
import socket
import subprocess
import time

BUTTON = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}}


class Marionette:
    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=120)
        self.pending, self.numbers = b"", itertools.count(1)
        self.receive()  # it says who it is

    def receive(self):
        while b":" not in self.pending:
            self.pending += self.more()
        length, self.pending = self.pending.split(b":", 1)
        while len(self.pending) < int(length):
            self.pending += self.more()
        message, self.pending = self.pending[: int(length)], self.pending[int(length) :]
        return json.loads(message)

    def more(self):
        data = self.socket.recv(65536)
        if not data:
            raise ConnectionError("Firefox has closed the connection")
        return data

    def send(self, command, parameters=None):
        number = next(self.numbers)
        message = json.dumps([0, number, command, parameters or {}]).encode()
        self.socket.sendall(b"%d:%s" % (len(message), message))
        _, answered, error, result = self.receive()
        assert answered == number, f"an answer to {answered}, and not to {number}"
        if error:
            raise RuntimeError(f"{command}: {error['error']}: {error['message']}")
        return result.get("value") if isinstance(result, dict) and "value" in result else result


class Firefox:
    touches = False

    def __init__(self, profile):
        pathlib.Path(profile, "user.js").write_text(
            'user_pref("marionette.port", 0);\nuser_pref("app.update.enabled", false);\n'
            'user_pref("datareporting.policy.dataSubmissionEnabled", false);\n'
            'user_pref("browser.shell.checkDefaultBrowser", false);\n'
        )
        self.process = subprocess.Popen(
            ["firefox-esr", "--headless", "--marionette", "--no-remote", "--profile", profile],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.marionette = Marionette(self.port(pathlib.Path(profile, "MarionetteActivePort")))
        self.marionette.send("WebDriver:NewSession", {"capabilities": {}})
        self.chrome = [0, 0]  # what the window has around the page

    def port(self, file, seconds=120):
        """Firefox writes it into its profile once it listens."""
        end = time.time() + seconds
        while not (file.exists() and file.read_text().strip()):
            if time.time() > end or self.process.poll() is not None:
                raise TimeoutError("Firefox does not start")
            time.sleep(0.05)
        return int(file.read_text())

    def get(self, address):
        self.marionette.send("WebDriver:Navigate", {"url": address})

    def execute_script(self, script, *arguments):
        return self.marionette.send("WebDriver:ExecuteScript", {"script": script, "args": arguments, "sandbox": None})

    def execute_async_script(self, script, *arguments):
        parameters = {"script": script, "args": arguments, "sandbox": None}
        return self.marionette.send("WebDriver:ExecuteAsyncScript", parameters)

    def get_log(self, _kind):
        return []  # Marionette has none

    def screen(self, width, height, touch=False):
        assert not touch, "Firefox has no fingers here"
        for _ in range(2):  # the second time it is known how much the window has around the page
            self.marionette.send(
                "WebDriver:SetWindowRect", {"width": width + self.chrome[0], "height": height + self.chrome[1]}
            )
            inner = self.execute_script("return [outerWidth - innerWidth, outerHeight - innerHeight]")
            self.chrome = inner
        seen = self.execute_script("return [innerWidth, innerHeight]")
        assert seen == [width, height], f"a page of {seen}, and not of {width} x {height}"

    def any_screen(self):
        pass

    def press(self, *keys):
        strokes = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.perform({"type": "key", "id": "keys", "actions": strokes})

    def chord(self, modifier, key):
        strokes = [("keyDown", modifier), ("keyDown", key), ("keyUp", key), ("keyUp", modifier)]
        self.perform({"type": "key", "id": "keys", "actions": [{"type": kind, "value": one} for kind, one in strokes]})

    def drag(self, x, y, by_x, by_y, steps):
        moves = [
            {"type": "pointerMove", "x": round(x + by_x * k / steps), "y": round(y + by_y * k / steps), "duration": 10}
            for k in range(steps + 1)
        ]
        down, up = {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}
        self.perform({**BUTTON, "actions": [moves[0], down, *moves[1:], up]})

    def perform(self, source):
        self.marionette.send("WebDriver:PerformActions", {"actions": [source]})
        self.marionette.send("WebDriver:ReleaseActions")

    def quit(self):
        try:
            self.marionette.send("Marionette:Quit", {"flags": ["eForceQuit"]})
            self.process.wait(20)
        except (RuntimeError, OSError, subprocess.TimeoutExpired):
            self.process.kill()
        self.process.wait()
