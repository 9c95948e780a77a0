"""Pictures of the page: doc/page.png, and one for each width, light and dark, to look at. Run by make screenshots.

usage: screenshots.py DOC-PICTURE DIRECTORY"""

import pathlib
import sys
import tempfile

from fixture_browser import Page, open_browser

SCREENS = ((360, 740), (390, 664), (800, 900), (1366, 650), (1400, 900), (2000, 1100))
ADDRESSES = {
    "softmax": "#softmax/f32/16/0/contig/uniform/1",
    "bug": "#max/f32/8/0/contig/uniform/1&x.2=2&x.5=2&dy.0=1&cell=2&rival=mutant:max_tie_split&tab=prove&story=wrong",
    "hypot": "#hypot/f32/16/-/contig/uniform/1&tab=map",
    "beside": "#max/f32/9/0/contig/uniform/1&x.2=2&x.5=2&cell=2&tab=beside&story=ties",
    "order": "#softmax/f32/48/0/contig/uniform/2&tab=order&story=order",
}
DOC = "#softmax/f32/16/0/contig/uniform/1&cell=3"


def save(page, path, whole=False):
    if whole:
        height = page.js("return document.documentElement.scrollHeight")
        page.driver.screen(page.js("return innerWidth"), height)
        page.rest()
    page.driver.save_screenshot(str(path))
    print(path)


def main(doc, directory):
    directory.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="page.", ignore_cleanup_errors=True) as profile:
        driver = open_browser(profile)
        try:
            page = Page(driver)
            page.open()
            for scheme in ("light", "dark"):
                driver.scheme(scheme)
                for width, height in SCREENS:
                    for name, address in ADDRESSES.items():
                        driver.screen(width, height, touch=width < 500)
                        page.go(address)
                        save(page, directory / f"{name}-{width}-{scheme}.png", whole=True)
            driver.scheme("light")
            driver.screen(1280, 860)
            page.go(DOC)
            save(page, doc)
        finally:
            driver.quit()


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
