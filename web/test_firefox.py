"""What a person sees of the page in Firefox: the same tests as in Chromium, fewer of them. Run by test_firefox.sh."""

import sys

from fixture_browser import ok, run
from fixture_firefox import Firefox
from test_look import (
    test_addresses,
    test_exact,
    test_first_edit,
    test_formulas,
    test_operators,
    test_overlap,
    test_roots,
    test_touch,
)
from test_see import test_failure_link, test_steps
from test_stories import test_two_clicks


def test_screen(page):
    test_overlap(page, screens=((1366, 650),))
    test_first_edit(page, widths=(1280, 1366), ops=("softmax", "max", "hypot"))


def test_finger(page):
    test_touch(page, width=500)  # no window of Firefox is narrower


def test_found(page):
    test_two_clicks(page, screens=((500, 664),))


def test_drag(page):
    page.open("#softmax/f32/8/0/contig/uniform/1")
    before = page.values("dx")
    start = page.js("""
        const box = document.querySelector('.plot.v-x [data-cell="3"] .target').getBoundingClientRect();
        return [box.left + box.width / 2, box.top + box.height / 2, window.cotangent.model.engine.values('x')[3]];
    """)
    x, y, value = start
    page.driver.drag(x, y, 0, -24, 8)
    page.rest()
    after = float(page.values("x")[3])
    ok(after > value + 0.1 and page.values("dx") != before, "a point can be dragged", f"{value} {after}")
    box = page.js("return document.querySelector('.plot.v-x [data-cell=\"3\"] .target').getBoundingClientRect().top")
    ok(abs(box + 8 - (y - 24)) < 40, "and stays under the pointer", f"{box} {y}")


def test_numbers(page):
    """The bits are the processor's and the engine's, whatever the browser: the first cell's is checked."""
    page.open("#max/f32/8/0/contig/uniform/1&x.2=2&x.5=2&dy.0=1&cell=2&rival=mutant:max_tie_split")
    said = page.js("return document.querySelector('#rival-says').textContent")
    ok("must be 1" in said and "MAX-TIE" in said, "a bug is seen", said)
    ok(page.values("dx") == list("00100100"), "and the gradient beside it", page.values("dx"))


if __name__ == "__main__":
    tests = [test_screen, test_operators, test_formulas, test_roots, test_exact, test_addresses, test_steps]
    tests += [test_found, test_drag, test_finger, test_failure_link, test_numbers]
    sys.exit(run(tests, browser=Firefox))
