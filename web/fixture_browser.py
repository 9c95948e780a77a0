"""A browser with the page in it, for the page's tests: Chromium or Firefox, from disk, in TAP."""

import json
import os
import pathlib
import subprocess
import tempfile
import time

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

BUILD = pathlib.Path(os.environ["builddir"]).resolve()
PAGE = (BUILD / "web/index.html").as_uri()
count = failures = 0


def ok(good, name, detail=""):
    global count, failures
    count += 1
    failures += not good
    print(f"{'ok' if good else 'not ok'} {count} - {name}", flush=True)
    if not good and detail != "":
        print("\n".join("# " + line for line in str(detail).splitlines()[:3]), flush=True)


def skip(name, why):
    global count
    count += 1
    print(f"ok {count} - {name} # SKIP {why}", flush=True)


def output_of(program, *arguments):
    """What a program of the build prints."""
    return subprocess.run([BUILD / program, *arguments], check=True, capture_output=True, text=True).stdout


def open_browser(profile):
    options = Options()
    for argument in [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-dev-shm-usage",
        f"--user-data-dir={profile}",
        "--window-size=1400,1000",
    ]:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = Chromium(service=Service("/usr/bin/chromedriver"), options=options)
    driver.set_script_timeout(300)  # many cells are compared in one go
    return driver


class Chromium(webdriver.Chrome):
    has_logs = True

    def screen(self, width, height, touch=False):
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": touch}
        self.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        self.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": touch})

    def any_screen(self):
        self.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})
        self.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

    def scheme(self, name):
        """Light or dark."""
        features = [{"name": "prefers-color-scheme", "value": name}]
        self.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def press(self, *keys):
        ActionChains(self).send_keys(*keys).perform()

    def chord(self, modifier, key):
        ActionChains(self).key_down(modifier).send_keys(key).key_up(modifier).perform()

    def drag(self, x, y, by_x, by_y, steps):
        actions = ActionChains(self, duration=10)
        actions.w3c_actions.pointer_action.move_to_location(round(x), round(y))
        actions.click_and_hold()
        for _ in range(steps):
            actions.move_by_offset(by_x / steps, by_y / steps)
        actions.release().perform()

    def finger(self, x, y, by_x, by_y, steps):
        def touch(kind, *points):
            self.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

        touch("touchStart", {"x": x, "y": y})
        for step in range(1, steps + 1):
            touch("touchMove", {"x": x + by_x * step / steps, "y": y + by_y * step / steps})
        touch("touchEnd")


class Page:
    def __init__(self, driver):
        self.driver = driver
        self.console, self.requests = [], []

    def js(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def engine(self, expression):
        return self.js(f"const {{ model, frameTimes }} = window.cotangent, {{ engine }} = model; return {expression};")

    def go(self, address):
        """Another address in the page that is open: much quicker than to open it."""
        self.js("location.hash = arguments[0]", address)
        self.rest()

    def open(self, address=""):
        self.listen()
        self.driver.get("about:blank")
        self.driver.get(PAGE + address)
        self.wait("return document.documentElement.dataset.ready !== undefined", "the page starts")
        self.rest()

    def wait(self, condition, what, seconds=120):
        """Until the page itself says so; the time only ends what hangs."""
        end = time.time() + seconds
        while not self.js(condition):
            if time.time() > end:
                raise TimeoutError(what)
            time.sleep(0.03)

    def rest(self):
        """Until what was done has been drawn, and the page has nothing left to do about it."""
        for _ in range(2):  # the first frame may come before the event's own task
            self.driver.execute_async_script(
                "const done = arguments[0]; requestAnimationFrame(() => setTimeout(done, 20))"
            )
            self.wait("return window.cotangent.model.atRest", "the page comes to rest")

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def text(self, selector):
        return self.find(selector).text

    def choose(self, selector, value):
        self.find(f'{selector} option[value="{value}"]').click()

    def type(self, selector, text):
        field = self.find(selector)
        field.click()
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys(text, Keys.TAB)
        self.rest()

    def values(self, operand):
        return self.js("return Array.from(window.cotangent.model.engine.values(arguments[0]), String)", operand)

    def listen(self):
        """What the console and the network have heard so far."""
        if not self.driver.has_logs:
            return
        self.console += [
            entry["message"] for entry in self.driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")
        ]
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                url = message["params"]["request"]["url"]
                if not url.startswith(
                    (PAGE, "data:", "blob:", "about:", "chrome:")
                ):  # the browser's own first tab is chrome:
                    self.requests.append(url)


def run(tests, browser=open_browser):
    """Runs tests one after the other in one browser. Returns the program's status."""
    with tempfile.TemporaryDirectory(prefix="page.", ignore_cleanup_errors=True) as profile:
        driver = browser(profile)
        try:
            page = Page(driver)
            for test in tests:
                try:
                    test(page)
                except Exception as error:  # a test that breaks off has failed, and the others go on
                    ok(False, f"{test.__name__} runs to its end", f"{type(error).__name__}: {error}")
            if driver.has_logs:
                page.listen()
                ok(page.console == [], "the console has heard no error", "\n".join(page.console))
                ok(page.requests == [], "the network was asked for nothing", "\n".join(page.requests))
        finally:
            driver.quit()
    print(f"1..{count}")
    return failures != 0
