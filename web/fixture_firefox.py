"""Firefox, driven by its own protocol (Marionette): messages over TCP, each its length, a colon and JSON. It answers to
the few methods of Selenium's driver that the page's tests use."""

import itertools
import json
import pathlib
import socket
import subprocess
import time

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the protocol's name for a reference


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


class Element:
    """A node of the page, as Selenium has it."""

    def __init__(self, marionette, reference):
        self.marionette, self.id = marionette, reference

    def send(self, command, **more):
        return self.marionette.send(f"WebDriver:{command}", {"id": self.id, **more})

    def click(self):
        self.send("ElementClick")

    def clear(self):
        self.send("ElementClear")

    def send_keys(self, *keys):
        self.send("ElementSendKeys", text="".join(keys))

    def get_attribute(self, name):
        return self.send("GetElementProperty", name=name)

    def is_enabled(self):
        return self.send("IsElementEnabled")

    @property
    def text(self):
        return self.send("GetElementText")


class Firefox:
    has_logs = False  # the protocol offers none

    def __init__(self, profile):
        pathlib.Path(profile, "user.js").write_text(
            'user_pref("marionette.port", 0);\nuser_pref("app.update.enabled", false);\n'
            'user_pref("datareporting.policy.dataSubmissionEnabled", false);\n'
            'user_pref("browser.shell.checkDefaultBrowser", false);\nuser_pref("dom.w3c_touch_events.enabled", 1);\n'
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

    def find_element(self, _by, selector):
        found = self.marionette.send("WebDriver:FindElement", {"using": "css selector", "value": selector})
        return Element(self.marionette, found[ELEMENT])

    def get_screenshot_as_base64(self):
        return self.marionette.send("WebDriver:TakeScreenshot", {"full": False})

    def screen(self, width, height, touch=False):
        """Firefox takes fingers on any screen."""
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

    def drag(self, x, y, by_x, by_y, steps, pointer="mouse"):
        moves = [
            {"type": "pointerMove", "x": round(x + by_x * k / steps), "y": round(y + by_y * k / steps), "duration": 10}
            for k in range(steps + 1)
        ]
        down, up = {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}
        source = {"type": "pointer", "id": pointer, "parameters": {"pointerType": pointer}}
        self.perform({**source, "actions": [moves[0], down, *moves[1:], up]})

    def finger(self, x, y, by_x, by_y, steps):
        self.drag(x, y, by_x, by_y, steps, pointer="touch")

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
