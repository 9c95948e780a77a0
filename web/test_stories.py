"""The stories: found, opened, and their points seen; and the tables that they lead to. Run by test_stories.sh."""

import sys

from fixture_browser import ok, run
from selenium.webdriver.common.keys import Keys

# What each story promises, as what its page has.
POINTS = {
    "ties": "Array.from(engine.values('dx')).join() === '0,0,1,0,0,1,0,0'",
    "corner": "Number.isNaN(engine.values('da')[3]) && Number.isNaN(engine.values('db')[3])",
    "cancel": "Math.abs(engine.values('dx').reduce((s, v) => s + v)) < 1e-7 && model.op.name === 'softmax'",
    "zero": "engine.values('dx').some(Number.isNaN)",
    "correction": "document.querySelector('#correction').value === '1'",
    "order": "new Set(results()).size === 4",
    "types": "beside().length === 8 && new Set(beside().filter((_, i) => i % 2 === 0)).size === 4",
    "small": "results()[1] === '1024' && Number(results()[0]) > 1800",
    "nan": "engine.values('y').every(Number.isNaN) && engine.values('dx').filter((v) => v !== 0).length === 1",
    "wrong": "/must be 1.*MAX-TIE/.test(document.querySelector('#rival-says').textContent)",
}


def test_stories(page):
    page.open()
    names = page.js("return [...document.querySelectorAll('#stories button')].map((one) => one.dataset.story)")
    ok(names == list(POINTS), "there are ten stories", names)
    page.js("""
        const cells = (selector) => [...document.querySelectorAll(selector)].map((one) => one.textContent);
        window.results = () => cells('#order-results tbody td:nth-child(2)');
        window.beside = () => cells('#beside-types tbody td:nth-child(2)');
    """)
    for name, point in POINTS.items():
        page.js(f"document.querySelector('[data-story={name}]').click()")
        page.wait(f"return window.cotangent.model.story === '{name}'", "the story opens")
        page.rest()
        if "beside" in page.js("return location.hash"):
            page.wait("return document.documentElement.dataset.beside === window.cotangent.model.theCase.id", "beside")
        said = page.text("#story-text") + page.text("#story-act")
        good = page.engine(point) and len(said) > 100 and page.text("#refused") == ""
        ok(good, f"the story \u201c{name}\u201d shows its point", f"{said} {page.text('#refused')}")
    page.js("history.back()")
    page.wait("return window.cotangent.model.story === 'nan'", "back")
    ok(True, "and the browser goes back to the one before")


# What a story must bring before one's eyes at once, and what "Show it" must bring there, whole.
AT_ONCE = {
    **dict.fromkeys(("ties", "corner", "cancel", "zero", "order", "types", "small"), ["#story-point"]),
    "correction": ["#correction"],
    "nan": [".plot.v-x", ".plot.v-dx"],
    "wrong": ["#rival-says"],
}
SEEN = {
    "ties": ["#beside-conventions .differs"],
    "corner": ["#beside-conventions .differs"],
    "cancel": ["#sums", ".plot.v-x", ".plot.v-dx"],
    "zero": ["#beside-conventions .differs"],
    "correction": ["#correction", ".plot.v-dx"],
    "order": ["#order-results .differs"],
    "types": ["#beside-types .differs"],
    "small": ["#order-results .differs"],
    "nan": [".plot.v-x", ".plot.v-dx"],
    "wrong": ["#rival-says", ".plot.v-dx"],
}
HIDDEN = """
    return arguments[0].filter((selector) => {
        const node = document.querySelector(selector);
        if (!node) return true;
        const { left, top, right, bottom } = node.getBoundingClientRect();
        const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        return left < 0 || top < 0 || right > innerWidth || bottom > innerHeight || right - left < 5
            || !(node.contains(there) || there?.contains(node));
    });
"""
CUT = "const node = document.querySelector('#story-point'); return node.scrollHeight > node.clientHeight + 1"
SCREENS = ((1366, 650), (1440, 780), (390, 664), (360, 740))


def open_story(page, name):
    """By one click where its pill is seen, else by two: the button that shows them all, and the pill."""
    pill = f"[data-story={name}]"
    if page.js(HIDDEN, [pill]):
        page.find("#stories-all").click()
    hidden = page.js(HIDDEN, [pill])
    page.find(pill).click()
    page.wait(f"return window.cotangent.model.story === '{name}'", "the story opens")
    page.rest()
    if "#story-point" in AT_ONCE[name]:
        page.wait("return document.querySelector('#story-point').textContent !== ''", "its point", 20)
    return hidden


def test_two_clicks(page, screens=SCREENS):
    """From the first screen two clicks show a story and its point, and one more what is behind it."""
    page.open()
    for width, height in screens:
        page.driver.screen(width, height, touch=width < 500)
        bad = []
        for name, points in SEEN.items():
            page.go("#softmax/f32/16/0/contig/uniform/1")
            page.js("scrollTo(0, 0)")
            pill = open_story(page, name)
            at_once = page.js(HIDDEN, AT_ONCE[name])
            cut = "#story-point" in AT_ONCE[name] and page.js(CUT)
            page.find("#story-show").click()
            page.rest()
            later = page.js(HIDDEN, points)
            bad += [f"{name}: {pill} {at_once} {cut} {later}"] if pill or at_once or cut or later else []
        ok(not bad, f"two clicks show every story's point on {width} x {height}", "\n".join(bad))
    page.driver.any_screen()


def test_keyboard(page):
    page.driver.screen(390, 664)
    page.open()
    page.js("document.querySelector('#skip').focus()")
    reached = []
    for _ in SEEN:
        page.driver.press(Keys.TAB)
        page.rest()
        name = page.js("return document.activeElement.dataset.story")
        reached.append(None if page.js(HIDDEN, [f"[data-story={name}]"]) else name)
    ok(reached == list(SEEN), "the keyboard brings every story into view", reached)
    page.driver.press(Keys.ESCAPE)
    closed = page.js("return document.querySelector('#stories-all').getAttribute('aria-expanded')")
    ok(closed == "false" and page.js(HIDDEN, ["[data-story=wrong]"]), "Escape folds the row again", closed)
    page.driver.any_screen()


def test_point(page):
    """What a story says of its point is said of the numbers as they are."""
    page.open()
    open_story(page, "ties")
    before = page.text("#story-point")
    page.js("document.querySelector('#plots .v-x [data-cell=\"5\"]').focus({ preventScroll: true })")
    page.driver.press(Keys.ARROW_DOWN)
    page.rest()
    page.wait("return !document.querySelector('#story-point').textContent.includes('0.5')", "the tie is over", 20)
    after = page.text("#story-point")
    wanted = ["dx[2]: the spec 1 \u00b7 PyTorch 0.5 \u00b7 JAX 0.5", "dx[5]: the spec 0 \u00b7 PyTorch 0 \u00b7 JAX 0"]
    ok([before, after] == wanted, "a story's point follows the numbers", f"{before} | {after}")


def test_beside(page):
    page.open("#max/f32/8/0/contig/uniform/1&x.2=2&x.5=2&dy.0=1&tab=beside")
    page.wait("return document.querySelectorAll('#beside-conventions td').length > 0", "the tables")
    rows = page.js("""
        return [...document.querySelectorAll('#beside-conventions tbody tr')].map((row) => [
            row.firstChild.textContent, row.children[3].textContent, row.querySelectorAll('.differs').length]);
    """)
    want = [["the spec", "1", 0], ["PyTorch", "0.5", 2], ["JAX", "0.5", 2]]
    ok(rows[:3] == want, "ties under the spec, PyTorch and JAX, what differs marked", rows)
    ok("split" in page.text("#beside-policies"), "with the policy that decides", page.text("#beside-policies"))


def test_order(page):
    """The spec's order is the library's: log_softmax of y = 0 gives dx = g - sum(g)."""
    page.open("#log_softmax/f32/48/0/contig/uniform/3&tab=order")
    by_spec, nodes = page.js("""
        const cell = document.querySelector('#order-results tbody td:nth-child(3)');
        return [cell.textContent, document.querySelectorAll('#order-tree circle').length];
    """)
    steps = page.engine("JSON.stringify(engine.steps('dx', 0))")
    ok(nodes == 95, "the tree has every term and every addition", nodes)
    value = page.js("return window.cotangent.model.engine.parseDouble(arguments[0])", by_spec)
    ok(str(value) in steps or repr(value)[:12] in steps, "its sum is the one of the steps", f"{by_spec} {value}")


if __name__ == "__main__":
    sys.exit(run([test_stories, test_two_clicks, test_keyboard, test_point, test_beside, test_order]))
