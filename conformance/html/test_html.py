"""The page of a report in Chromium: at the width of a phone and of a desk, in light and dark, without the network."""

import json
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.environ["srcdir"], "web"))

import fixture_browser  # noqa: E402
from fixture_browser import ok, open_browser  # noqa: E402

CONTRAST = """
const luminance = (colour) => {
  const parts = colour.match(/[\\d.]+/g).slice(0, 3).map((c) => c / 255);
  const linear = parts.map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
};
const behind = (element) => {
  for (; element; element = element.parentElement) {
    const colour = getComputedStyle(element).backgroundColor;
    if (!/, 0\\)$/.test(colour)) return colour;
  }
  return "rgb(255, 255, 255)";
};
return Math.min(...[...document.querySelectorAll("h1, h2, p, th, td, small, code")].map((element) => {
  const pair = [getComputedStyle(element).color, behind(element)].map(luminance).sort((a, b) => b - a);
  return (pair[0] + 0.05) / (pair[1] + 0.05);
}));
"""


def look(driver, page, width, scheme):
    driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600},
    )
    driver.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    )
    driver.get("file://" + page)
    wide = driver.execute_script("return document.documentElement.scrollWidth")
    name = os.path.basename(page)
    ok(wide <= width, f"{name}: {width} pixels are wide enough in {scheme}", wide)
    contrast = driver.execute_script(CONTRAST)
    ok(contrast >= 4.5, f"{name}: text can be read in {scheme}, at {width}", contrast)
    if os.environ.get("PICTURES"):
        driver.save_screenshot(os.path.join(os.environ["PICTURES"], f"{name}-{width}-{scheme}.png"))


def requests(driver):
    for entry in driver.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            yield message["params"]["request"]["url"]


def main(pages):
    with tempfile.TemporaryDirectory() as profile:
        driver = open_browser(profile)
        try:
            for page in pages:
                for width in (360, 1280):
                    for scheme in ("light", "dark"):
                        look(driver, page, width, scheme)
            outside = [url for url in requests(driver) if url.startswith(("http:", "https:", "ws:", "wss:"))]
            ok(not outside, "nothing is asked of the network", outside)
            problems = [entry["message"] for entry in driver.get_log("browser") if entry["level"] == "SEVERE"]
            ok(not problems, "the console is silent", problems)
            driver.get("file://" + pages[0])
            cells = driver.execute_script("return document.querySelectorAll('td.bad').length")
            ok(cells == 2, "two cells of the matrix are red", cells)
            strips = driver.execute_script("return document.querySelectorAll('article svg rect.wrong').length")
            ok(strips > 0, "wrong cells are drawn", strips)
            mark = driver.execute_script("return getComputedStyle(document.querySelector('svg rect.wrong')).fill")
            cell = driver.execute_script("return getComputedStyle(document.querySelector('svg text')).fill")
            ok(mark != cell and mark != "rgb(0, 0, 0)", "in a colour of their own", (mark, cell))
        finally:
            driver.quit()
    return fixture_browser.count, fixture_browser.failures


if __name__ == "__main__":
    total, failed = main(sys.argv[1:])
    sys.exit(1 if failed or not total else 0)
