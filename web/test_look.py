"""What a person sees of the page, and can reach. Run by test_look.sh."""

import sys

from fixture_browser import BUILD, ok, run, skip
from selenium.webdriver.common.keys import Keys

TABS = {
    "order": "#softmax/f32/9/0/contig/uniform/1&tab=order",
    "numbers": "#hypot/f32/9/-/contig/uniform/1",
    "map": "#hypot/f32/9/-/contig/uniform/1&tab=map",
    "prove": "#max/f32/9/0/contig/ties/1&tab=prove",
    "share": "#max/f32/9/0/contig/ties/1&tab=share",
    "kernel": "#max/f32/9/0/contig/ties/1&tab=kernel",
    "bits": "#softmax/f32/9/0/contig/uniform/1&tab=bits",
    "beside": "#max/f32/9/0/contig/ties/1&tab=beside",
}
READY = {
    "bits": "return document.querySelectorAll('#bits-kernels button').length > 0",
    "beside": "return document.querySelectorAll('#beside-conventions td').length > 0",
}
# Controls of the open tab at whose centre something else is seen, once each has been scrolled to.
COVERED = """
    const seen = (node) => {
        node.scrollIntoView({ block: 'center' });
        const box = node.getBoundingClientRect();
        const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
        return node === top || node.contains(top) || top?.contains(node) && top.tagName === 'LABEL';
    };
    const controls = '.more [role=tabpanel]:not([hidden]) :is(input, select, textarea, button, #panel-beside tbody th)';
    document.querySelectorAll('details').forEach((one) => {
        one.open = true;
    });
    const all = [...document.querySelectorAll(controls)].filter((node) => node.getBoundingClientRect().width > 0);
    return [all.length, all.filter((node) => !seen(node)).map((node) => node.id || node.outerHTML.slice(0, 60))];
"""


def set_screen(page, width, height, touch=False):
    page.driver.screen(width, height, touch)


def clear_screen(page):
    page.driver.any_screen()


def test_overlap(page, screens=((390, 664), (1366, 650), (2000, 1100))):
    page.open()
    for width, height in screens:
        set_screen(page, width, height)
        for tab, address in TABS.items():
            page.go(address)
            if tab in ("bits", "kernel") and not page.js("return document.querySelector('#packed-kernels') !== null"):
                continue
            page.wait(READY[tab], f"{tab} is filled") if tab in READY else None
            count, covered = page.js(COVERED)
            ok(count > 0 and not covered, f"nothing lies over {tab} at {width} x {height}", covered[:6])
        page.js("scrollTo(0, document.documentElement.scrollHeight)")
        cell, more = page.js("""
            const box = (selector) => document.querySelector(selector).getBoundingClientRect();
            return [box('.cell').bottom, box('.more').top];
        """)
        ok(cell <= more, f"the chosen cell ends above the tabs at {width} x {height}", f"{cell} {more}")
    clear_screen(page)


def test_first_edit(
    page, widths=(360, 390, 1280, 1366, 1400), ops=("softmax", "max", "cumprod", "var", "lerp", "hypot")
):
    """An edit must not move the plots under the pointer."""
    moved = []
    page.open()
    for width in widths:
        set_screen(page, width, 900)
        for op in ops:
            operand, place = ("a", "-") if op in ("lerp", "hypot") else ("x", "0")
            page.go(f"#{op}/f32/8/{place}/contig/uniform/1{',w=0.25' if op == 'lerp' else ''}")
            top = "return document.querySelector('#plots').getBoundingClientRect().top"
            before = page.js(top)
            page.js(f"document.querySelector('#plots .v-{operand} [data-cell=\"3\"]').focus({{ preventScroll: true }})")
            page.driver.press(Keys.ARROW_UP)
            page.rest()
            if page.js(top) != before or f"{operand}.3=" not in page.js("return location.hash"):
                moved.append(f"{op} at {width}: {before} {page.js(top)}")
    clear_screen(page)
    ok(not moved, "the first edit moves no plot", "\n".join(moved))


def test_labels(page):
    """On a phone, where some labels are left out, every menu that Options unfolds has one that is seen."""
    set_screen(page, 390, 664, touch=True)
    bare = []
    for address in (
        "cummax/f32/8/0/contig/uniform/1",
        "max/f32/8/0/contig/uniform/1",
        "var/f32/3x4/1/contig/uniform/1",
    ):
        page.open("#" + address)
        page.find("#options").click()
        bare += page.js("""
            const wide = (label) => label.querySelector('span').getBoundingClientRect().width > 8;
            const all = [...document.querySelectorAll('#choose label.option, #choose .option label')];
            return all.filter((label) => label.clientWidth && !wide(label)).map((label) => label.textContent);
        """)
    ok(not bare, "every option has its label on a phone", bare)
    clear_screen(page)


def test_touch(page, width=390):
    set_screen(page, width, 664, touch=True)
    page.open("#softmax/f32/8/0/contig/uniform/1")
    page.js("""
        window.cancelled = 0;
        addEventListener('pointercancel', () => window.cancelled++, true);
        addEventListener('pointerdown', (event) => window.pointed = event.pointerType, true);
        document.querySelector('.plot.v-x').scrollIntoView({ block: 'center' });
    """)
    before, scrolled = float(page.values("x")[3]), page.js("return scrollY")
    x, y = page.js("""
        const box = document.querySelector('.plot.v-x [data-cell="3"] .target').getBoundingClientRect();
        return [box.left + box.width / 2, box.top + box.height / 2];
    """)
    page.driver.finger(x, y, 0, -36, 12)
    page.rest()
    after, seen = float(page.values("x")[3]), page.js("return [window.pointed, window.cancelled, scrollY]")
    good = after > before + 0.3 and seen == ["touch", 0, scrolled]
    ok(good, "a finger drags a point, and the page stays", f"{before} {after} {seen}")
    clear_screen(page)


def test_operators(page):
    page.open()
    for op, expected in (("maximum", 2), ("minimum", 2)):
        page.go(f"#{op}/f32/8/-/contig/uniform/1")
        widths = page.js("""
            const signs = [...document.querySelectorAll('#formula mo')].filter((one) => one.textContent === '<');
            return signs.map((one) => one.getBoundingClientRect().width);
        """)
        ok(len(widths) == expected and min(widths) > 3, f"{op}: every < is drawn", widths)


def test_wrong_address(page):
    page.open("#%")
    ok(
        "WebAssembly" not in page.text("#refused") and "address" in page.text("#refused"),
        "an address that cannot be read is named as the cause",
        page.text("#refused"),
    )
    ok(page.text("#cell-value") != "", "and something is shown")


# How many pixels of an element's left part are not paper, as a share of its height.
INK = """
    const [picture, x, y, width, height] = arguments, done = arguments[5], image = new Image();
    image.onload = () => {
        const canvas = document.createElement('canvas'), context = canvas.getContext('2d');
        canvas.width = image.width, canvas.height = image.height;
        context.drawImage(image, 0, 0);
        const { data } = context.getImageData(x, y, width, height), paper = data.slice(0, 3);
        const differs = (i) => Math.abs(data[4 * i] - paper[0]) + Math.abs(data[4 * i + 1] - paper[1]) > 60;
        const rows = Array.from({ length: height }, (_, r) => r)
            .filter((r) => Array.from({ length: width }, (_, c) => r * width + c).some(differs));
        done(rows.length / height);
    };
    image.src = `data:image/png;base64,${picture}`;
"""


def test_roots(page):
    """A root is seen from its top to its bottom, whatever the font: without it a norm would be its square."""
    for op in ("hypot", "norm2", "std"):
        shape = "9/-" if op == "hypot" else "9/0"
        page.open(f"#{op}/f32/{shape}/contig/uniform/1")
        box = page.js("""
            const math = document.querySelector('#formula .forward math');
            math.style.fontFamily = 'monospace';
            math.scrollIntoView({ block: 'center' });
            const root = math.querySelector('.root, msqrt'), box = root.getBoundingClientRect();
            const inner = root.firstElementChild.getBoundingClientRect();
            return [box.left, box.top, Math.max(1, inner.left - box.left - 1), box.height].map(Math.round);
        """)
        picture = page.driver.get_screenshot_as_base64()
        share = page.driver.execute_async_script(INK, picture, *box)
        ok(box[2] > 5 and share > 0.9, f"{op}: the root is drawn, from top to bottom", f"{box} {share}")


def test_formulas(page):
    """The formula is that of the policies and the direction that are chosen."""
    page.open()
    for address, has, has_not in (
        ("max/f32/9/0/contig/ties/1", "gwhere", "k of them"),
        ("max/f32/9/0/contig/ties/1,conv=torch", "k of them", "at the last"),
        ("max/f32/9/0/contig/ties/1,ties=last", "at the last", "k of them"),
        ("prod/f32/9/0/contig/uniform/1,conv=jax", "\u220fj\u2260i", "g\u00b7yxi"),
        ("prod/f32/9/0/contig/uniform/1,conv=torch", "where the line holds a 0", "xyz"),
        ("cumprod/f32/9/0/contig/uniform/1,conv=torch", "before the first 0", "xyz"),
        ("max/f32/9/0/contig/ties/1,losers=product", "g\u00b70elsewhere", "xyz"),
        ("maximum/f32/9/-/contig/uniform/1,conv=jax", "g\u00b70", "xyz"),
        ("maximum/f32/9/-/contig/uniform/1,conv=torch", "g2", "g\u00b70"),
        ("cumsum/f32/9/0/contig/uniform/1", "j\u2264i", "j\u2265i"),
        ("cumsum/f32/9/0/contig/uniform/1,rev=1", "j\u2265i", "j\u2264i"),
        ("hypot/f32/9/-/contig/uniform/1", "hypot", "g2"),
        ("hypot/f32/9/-/contig/uniform/1,conv=jax", "g2", "xyz"),
        ("maximum/f32/9/-/contig/uniform/1", "where one is NaN", "xyz"),
        ("var/f32/9/0/contig/uniform/1,corr=2", "m=n\u22122", "n\u22120"),
        ("atan2/f32/9/-/contig/uniform/1,conv=torch", "\u00b70", "xyz"),
        ("pow/f32/9/-/contig/uniform/1,conv=torch", "b\u22650", "log\u2061(1)"),
    ):
        page.go("#" + address)
        text = page.js("return document.querySelector('#formula').textContent").replace("\u00a0", " ")
        squeezed = text.replace(" ", "")
        seen = has.replace(" ", "") in squeezed
        ok(seen and has_not.replace(" ", "") not in squeezed, f"the formula of {address}", text)


def test_exact(page):
    page.open("#mean/f32/3/0/contig/uniform/1&dy.0=1")
    ok(page.text("#exact") == "0." + "3" * 25 + "\u2026", "a third has 25 true digits", page.text("#exact"))
    page.open("#mul/f32/3/-/contig/uniform/1&dy.0=2&b.0=0.75")
    ok(page.text("#exact") == "1.5", "what ends has no dots after it", page.text("#exact"))
    page.open("#hypot/f32/3/-/contig/uniform/1&a.0=0&b.0=0")
    ok("Under these policies" in page.text("#ruling"), "an edge is one under its policies", page.text("#ruling"))
    ok(page.text("#cell-hex") == "nan", "a NaN has no sign to show", page.text("#cell-hex"))


def test_addresses(page):
    page.open("#sum/f32/4000000/0/contig/uniform/1")
    ok("more than this page shows" in page.text("#refused"), "too long a line is refused", page.text("#refused"))
    page.open("#add/f32/0x65536x65536/-/contig/uniform/1")
    ok("more than this page shows" in page.text("#refused"), "so is one that hides behind a 0", page.text("#refused"))
    page.open("#sum/f32/8/0/contig/uniform/1&x.99=3&foo=1")
    said = page.text("#refused")
    ok(
        "x.99" in said and "foo=1" in said and "Not computed" not in said,
        "what an address has in vain is said, and the rest computed",
        said,
    )
    page.open("#max/f32/8/0/contig/uniform/1&x.2=0x1.8p+3&cell=2")
    page.choose("#op", "min")
    page.rest()
    ok(page.values("x")[2] == "12", "an edit survives another op of the same input", page.values("x"))
    page.js("const f = document.querySelector('#cell-x-3'); f.focus(); f.select()")
    before = page.find("#cell-x-3").get_attribute("value")
    page.find("#cell-x-3").send_keys("nonsense", Keys.ESCAPE)
    ok(page.find("#cell-x-3").get_attribute("value") == before, "Escape takes back what was typed")


ONE_SCREEN = """
    scrollTo(0, 0);
    const low = [...document.querySelectorAll('.plot.v-x, .plot.v-a, .plot.v-b, .plot.v-dx, .plot.v-db')]
        .map((plot) => plot.getBoundingClientRect().bottom);
    const cut = [...document.querySelectorAll('#formula > *')].filter((one) => one.scrollWidth > one.clientWidth + 1);
    return [low.length, Math.max(...low), innerHeight, scrollY, cut.map((one) => one.textContent)];
"""


def test_one_screen(page):
    """Inputs and gradients are seen together, of every op, and its formulas whole."""
    page.open()
    ops = page.engine("engine.tables.ops.map(({ name, axis, param }) => [name, axis, param])")
    for width, height in ((1366, 650), (1440, 780), (390, 664), (360, 740)):
        set_screen(page, width, height, touch=width < 500)
        bad = []
        for name, axis, param in ops:
            page.go(f"#{name}/f32/16/{'0' if axis else '-'}/contig/uniform/1{',w=0.25' if param else ''}")
            seen, low, inner, scrolled, cut = page.js(ONE_SCREEN)
            if seen != (2 if axis else 4) or low > inner or scrolled or cut:
                bad.append(f"{name}: {seen} {low} {inner} {scrolled} {cut}")
        ok(len(ops) > 20 and not bad, f"every op's inputs and gradients on {width} x {height}", "\n".join(bad))
    clear_screen(page)


def test_shift(page):
    """What is there before the engine does not jump when it has started."""
    for width, height in ((360, 740), (390, 664), (800, 900), (1366, 650), (1400, 900), (2000, 1100)):
        set_screen(page, width, height, touch=width < 500)
        page.open()
        shift = page.driver.execute_async_script("""
            const done = arguments[0];
            let sum = 0;
            new PerformanceObserver((list) => list.getEntries().forEach((entry) => sum += entry.value))
                .observe({ type: 'layout-shift', buffered: true });
            setTimeout(() => done(sum), 100);
        """)
        ready = page.js("return document.documentElement.dataset.ready")
        print(f"# {width} x {height}: layout shift {shift:.4f}, first result after {ready} ms")
        ok(shift < 0.05, f"nothing jumps while the page of {width} x {height} starts", shift)
    clear_screen(page)


def test_sizes(page):
    page.open()
    for width in (360, 390, 800, 1366, 1400, 2000):
        set_screen(page, width, 900, touch=width < 500)
        for address in (
            "#hypot/f64/16/-/contig/uniform/1&tab=map",
            "#std/f32/3x33/1/contig/wide/1&tab=numbers",
            "#logcumsumexp/f32/64/0/contig/uniform/1&tab=prove",
            "#atan2/f32/16/-/contig/uniform/1&tab=share",
            "#hypot/f32/64/-/contig/uniform/1&tab=beside",
            "#softmax/f32/64/0/contig/uniform/1&tab=order",
        ):
            page.go(address)
            wide = page.js("return document.documentElement.scrollWidth")
            ok(wide <= width, f"nothing is wider than {width} pixels: {address}", wide)
    clear_screen(page)


def test_access(page):
    axe = next(iter((BUILD / "axe").rglob("axe.min.js")), None)
    if not axe:
        skip("axe finds nothing serious or moderate", "no axe-core (./quickstart test fetches it)")
        return
    source = axe.read_text()
    for scheme in ("light", "dark"):
        page.driver.scheme(scheme)
        for address in (
            "#softmax/f32/16/0/contig/uniform/1",
            "#pow/f16/16/-/contig/uniform/1&tab=map",
            "#var/f32/2x9/1/contig/nan/1&tab=prove",
            "#max/bf16/9/0/contig/ties/1&tab=share",
            "#mul/f32/9/-/contig/uniform/1&tab=bits",
            "#mul/f32/9/-/contig/uniform/1&tab=kernel",
            "#max/f32/8/0/contig/uniform/1&x.2=2&x.5=2&dy.0=1&cell=2&tab=prove&rival=mutant:max_tie_split",
            "#max/f32/9/0/contig/uniform/1&tab=beside&story=ties",
            "#softmax/f32/33/0/contig/uniform/1&tab=order&story=order",
        ):
            page.open(address)
            page.driver.execute_cdp_cmd("Runtime.evaluate", {"expression": source})
            found = page.driver.execute_async_script("""
                const done = arguments[0];
                const failed = e => done([{ id: String(e), impact: 'critical', nodes: [] }]);
                axe.run().then(r => done(r.violations), failed);
            """)
            serious = [
                f"{v['id']}: {[n['target'] for n in v['nodes']][:3]}"
                for v in found
                if v["impact"] in ("moderate", "serious", "critical")
            ]
            ok(not serious, f"axe finds nothing serious or moderate: {scheme}, {address}", "\n".join(serious))


if __name__ == "__main__":
    tests = [
        test_overlap,
        test_first_edit,
        test_labels,
        test_touch,
        test_operators,
        test_roots,
        test_formulas,
        test_exact,
    ]
    tests += [test_addresses, test_wrong_address, test_one_screen, test_shift]
    sys.exit(run([*tests, test_sizes, test_access]))
