"""What the page explains and lets one do: bugs, steps, clauses, bits, arithmetic, undoing. Run by test_see.sh."""

import pathlib
import struct
import sys
import tempfile

from fixture_browser import ok, run, skip
from selenium.webdriver.common.keys import Keys


def npy(directory, name, descr, shape, data):
    """A file as numpy.save writes it."""
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}"
    header = header.ljust(117) + "\n"
    path = pathlib.Path(directory, name)
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data)
    return str(path)


def diamonds(page, operand="dx"):
    drawn = page.js(f"return document.querySelector('.plot.v-{operand} .rival').getAttribute('d') ?? ''")
    return drawn.count("Z")


TIES = "#max/f32/8/0/contig/uniform/1&x.2=2&x.5=2&dy.0=1&cell=2"


# ---- see the bug -----------------------------------------------------------------------------------------------------


def test_rival(page):
    page.open(TIES + "&rival=mutant:max_tie_split")
    said = page.text("#rival-says")
    ok("dx[2] is 0.5, and must be 1" in said and "MAX-TIE" in said, "a mutant's wrong cell is named", said)
    ok("Every cell that equals y takes the whole g" in said, "with the sentence of its clause", said)
    ok(diamonds(page) == 2, "and both cells are drawn where the mutant has them", diamonds(page))
    page.type("#cell-x-5", "1/4")
    said = page.text("#rival-says")
    ok("is right on this line" in said and diamonds(page) == 0, "without a tie there is no bug", said)
    page.find("#rival-close").click()
    page.rest()
    ok("rival" not in page.js("return location.hash"), "and the mutant can be sent away")
    page.go("#softmax/f32/8/0/contig/uniform/1&rival=mutant:no_such")
    ok("does not run here" in page.text("#rival-says"), "one that there is not is named", page.text("#rival-says"))


def test_failure_link(page):
    page.open("#max/f32/16/0/contig/uniform/1&tab=prove")
    page.choose("#suite-backend", "mutant:max_tie_split")
    page.find("#suite-run").click()
    page.wait("return Number(document.querySelector('#panel-prove').dataset.ended ?? 0) > 0", "the suite ends", 300)
    failures = page.js("return [...document.querySelectorAll('#suite-failures a')].map((a) => a.getAttribute('href'))")
    ok(len(failures) > 3, "the mutant fails cases", len(failures))
    blind = []
    for href in failures[:: max(1, len(failures) // 8)]:
        page.go(href)
        said, drawn = page.text("#rival-says"), diamonds(page)
        cell = page.js("return window.cotangent.model.cell")
        here = f"cell={cell}" in href if cell else "cell=" not in href
        if "rival=" not in href or "MAX-TIE" not in said or drawn < 1 or not here:
            blind.append(f"{href}: {drawn} drawn; {said}")
    ok(not blind, "every failure opens where it shows", "\n".join(blind))


def test_own(page):
    page.open(TIES + "&tab=prove")
    page.js("document.querySelector('.own').open = true")
    with tempfile.TemporaryDirectory() as place:
        wrong = struct.pack("<8f", 0, 0, 0.5, 0, 0, 0.5, 0, 0)
        page.find("#own-files").send_keys(npy(place, "dx.npy", "<f4", "(8,)", wrong))
        page.wait("return window.cotangent.model.rival === 'own'", "the file is read", 20)
        page.rest()
        said = page.text("#rival-says")
        ok("dx[2] is 0.5, and must be 1" in said and "MAX-TIE" in said, "one's own .npy is judged and drawn", said)
        files = [
            npy(place, "x.npy", "<f8", "(2, 3)", struct.pack("<6d", 1, 3, 3, 5, 4, 5)),
            npy(place, "dy.npy", "<f8", "(2, 1)", struct.pack("<2d", 2, 8)),
            npy(place, "dx.npy", "<f8", "(2, 3)", struct.pack("<6d", 0, 2, 2, 8, 0, 4)),
        ]
        page.go("#max/f64/2x3/1/contig/uniform/1&tab=prove")
        page.find("#own-files").send_keys("\n".join(files))
        page.wait("return window.cotangent.model.edits.size > 0", "the files are read", 20)
        page.rest()
        page.js("document.querySelector('#line').value = 1")
        page.js("document.querySelector('#line').dispatchEvent(new Event('change'))")
        page.rest()
        said = page.text("#rival-says")
        ok(
            page.values("x") == ["5", "4", "5"] and "dx[2] is 4, and must be 8" in said,
            "with its inputs, line by line",
            f"{page.values('x')} {said}",
        )
        page.find("#own-files").send_keys(npy(place, "da.npy", "<f4", "(8,)", wrong))
        page.wait("return document.querySelector('#own-says').textContent !== ''", "a complaint", 20)
        ok("no operand of max" in page.text("#own-says"), "a file of another op is refused", page.text("#own-says"))
    page.go(TIES + "&tab=prove")
    for text, says in (("0 1/2 oops", "oops"), ("1 2 3", "3 cells, and this case 8"), ("0 0 1 0 0 1 0 0", "")):
        field = page.find("#own-text")
        field.clear()
        field.send_keys(text)
        page.find("#own-judge").click()
        page.rest()
        ok(says in page.text("#own-says"), f"\u201c{text}\u201d is understood, or not", page.text("#own-says"))
    ok("is right on this line" in page.text("#rival-says"), "right numbers are right", page.text("#rival-says"))


# ---- steps and clauses -----------------------------------------------------------------------------------------------


def test_steps(page):
    """Steps are of the chosen output alone, ask questions, and name nothing that is not said."""
    page.open()
    for address, has, has_not in (
        ("maximum/f32/3/-/contig/uniform/1&a.0=1&b.0=2", "Isa0=b0?|no", "b0<a0"),
        ("maximum/f32/3/-/contig/uniform/1&a.0=1&b.0=2", "Isa0<b0?|yes", "true"),
        ("maximum/f32/3/-/contig/uniform/1&a.0=1&b.0=2&of=db", "Isb0<a0?|no", "a0<b0"),
        ("max/f32/8/0/contig/uniform/1&x.2=2&x.5=2&cell=2,", "Isx2=y?|yes", "true"),
        ("max/f32/8/0/contig/uniform/1,conv=torch&x.2=2&x.5=2&cell=2", "ties:howmanycells", "Isx2=y?|Isx2=y?"),
        ("pow/f32/3/-/contig/uniform/1,conv=torch&a.0=0&b.0=0", "Isb0=0?|yes", "a0=0"),
        ("logcumsumexp/f32/8/0/contig/uniform/1", "16\u00b7round", "2^"),
        ("logcumsumexp/f32/8/0/contig/uniform/1", "H:thesumofg", "true"),
        ("cumprod/f32/8/0/contig/uniform/1,conv=jax&cell=3", "before:theproductofallx", "true"),
    ):
        page.go("#" + address.replace("cell=2,", "cell=2"))
        text = page.js("""
            const steps = [...document.querySelectorAll('.step')].map((one) =>
                `${one.querySelector('.what').textContent}|${one.querySelector('.outcome').textContent}`);
            return [...steps, document.querySelector('#definitions').textContent].join('|');
        """)
        squeezed = "".join(text.replace("\u2061", "").split())
        ok(has in squeezed and has_not not in squeezed, f"the steps of {address}", squeezed)
    for op, out in (("max", "dx"), ("maximum", "da")):
        page.go(f"#{op}/f32/3/{'0' if out == 'dx' else '-'}/contig/uniform/1")
        last = page.js("return document.querySelector('#steps > li:last-child').className")
        ok(last != "asks", f"{op}: reasons come before the result", last)


RULED = {
    "edge": "hypot/f32/3/-/contig/uniform/1&a.0=0&b.0=0",
    "bits": "sum/f32/9/0/contig/uniform/1",
    "bound": "logsumexp/f32/9/0/contig/uniform/1",
    "open": "logcumsumexp/f32/9/0/contig/huge/1",
}
CLAUSES = {
    "MAX-TIE": "max/f32/8/0/contig/uniform/1&x.2=2&x.5=2&cell=2",
    "MAX": "max/f32/8/0/contig/uniform/1",
    "HYPOT-ZERO": "hypot/f32/3/-/contig/uniform/1&a.0=0&b.0=0",
    "MAXIMUM-TIE": "maximum/f32/3/-/contig/uniform/1&a.0=1&b.0=1",
    "POW-NEGATIVE": "pow/f32/3/-/contig/uniform/1&a.0=-2&b.0=3&dy.0=1",
    "CUMMAX-TIE": "cummax/f32/4/0/contig/uniform/1&x.1=2&x.2=2&cell=2",
    "SOFTMAX": "softmax/f32/8/0/contig/uniform/1",
    "POLICY-HYPOT-ZERO": "hypot/f32/3/-/contig/uniform/1,conv=jax&a.0=0&b.0=0",
}


def test_clauses(page):
    page.open()
    for ruling, address in RULED.items():
        page.go("#" + address)
        seen = page.engine("engine.truth(model.of).cells[model.cell].ruling")
        said = page.text("#ruling")
        good = seen == ruling and "undefined" not in said and len(said) > 30
        ok(good, f"a cell is ruled by {ruling}, and it says so", f"{seen}: {said}")
    for clause, address in CLAUSES.items():
        page.go("#" + address)
        name, text = page.text("#clause"), page.text("#clause-text")
        ok(name == clause and len(text) > 15, f"{clause} is named, and says", f"{name}: {text}")
    page.go("#max/f32/8/0/contig/uniform/1&x.2=2&x.5=2&cell=2&tab=beside")
    page.wait(
        "return document.querySelector('#beside-policies').textContent.includes('POLICY-TIES')", "the clauses", 20
    )
    said = page.text("#beside-policies")
    ok("takes the whole g" in said, "side by side there is the clause's own sentence", said)


# ---- editing ---------------------------------------------------------------------------------------------------------


def test_bits(page):
    page.open("#mul/f32/3/-/contig/uniform/1&a.1=1&b.1=3&dy.1=1&cell=1")
    page.find("#bits-whose [data-whose=a]").click()
    page.find("#bits [data-bit='31']").click()
    page.rest()
    ok(page.values("a")[1] == "-1" and page.values("db")[1] == "-1", "a bit that is clicked flips", page.values("a"))
    ok("a.1=-0x1p+0" in page.js("return location.hash"), "and is an edit", page.js("return location.hash"))
    page.find("#ulp-up").click()
    page.rest()
    ok(float(page.values("a")[1]) == -1 + 2**-24, "the next number up is half a ULP of 1 away", page.values("a"))
    for _ in range(2):
        page.find("#ulp-down").click()
        page.rest()
    ok(float(page.values("a")[1]) == -1 - 2**-23, "and down a whole one", page.values("a"))
    page.find("#bits-whose [data-whose=da]").click()
    ok(not page.js("return document.querySelector('#bits [data-bit]')"), "a result's bits are not to be flipped")


def test_arithmetic(page):
    page.open("#mul/f32/3/-/contig/uniform/1")
    for typed, value in (
        ("1/3", 0.3333333432674408),
        ("2^10", 1024),
        ("-2^2 + 1_000", 996),
        ("2^-(1+2)*8", 1),
        ("2^3^2", 512),
        ("0x1.8p1*2", 6),
        ("1e3/4", 250),
    ):
        page.type("#cell-a-0", typed)
        seen = float(page.values("a")[0])
        ok(seen == value, f"{typed} is understood", seen)
    for typed in ("1/", "(2", "2..3", "one", "2**"):
        page.type("#cell-a-0", typed)
        ok(float(page.values("a")[0]) == 250 and "not a number" in page.text("#cell-a-0-wrong"), f"{typed} is not")
    page.type("#length", "2^4")
    ok(page.engine("model.theCase.n") == 16, "a length may be a power", page.engine("model.theCase.n"))


def test_undo(page):
    page.open("#mul/f32/4/-/contig/uniform/1")
    first = page.values("a")[2]
    for value in ("1/2", "1/4"):
        page.type("#cell-a-2", value)
    page.js("document.querySelector('#plots').focus()")
    seen = []
    for want in ("0.5", first):
        page.driver.chord(Keys.CONTROL, "z")
        page.wait(f"return String(window.cotangent.model.engine.values('a')[2]) === '{want}'", f"back to {want}", 20)
        page.rest()
        seen.append(page.values("a")[2])
    ok(seen == ["0.5", first], "Ctrl-Z takes back edit after edit", seen)
    page.driver.chord(Keys.CONTROL, "z")
    page.rest()
    ok("mul/f32/4" in page.js("return location.hash"), "and stops at the first", page.js("return location.hash"))
    page.js("history.forward()")
    page.wait("return window.cotangent.model.engine.values('a')[2] === 0.5", "forward", 20)
    ok(True, "the browser's history has every edit")


# ---- looking and taking along ----------------------------------------------------------------------------------------

POINT = """
    const plot = document.querySelector(`.plot.v-${arguments[0]}`), mark = plot.querySelectorAll('.mark')[arguments[1]];
    const box = mark.getBoundingClientRect();
    const at = { clientX: box.left + box.width / 2, clientY: box.top + box.height / 2 };
    plot.dispatchEvent(new PointerEvent('pointermove', { ...at, bubbles: true, pointerType: 'mouse' }));
    const flow = (name) => document.querySelector(`.plot.v-${name} .flow`)?.getAttribute('d') ?? '';
    const flows = ['x', 'g', 'y'].map(flow);
    return [plot.querySelector('.tip').textContent, ...flows.map((d) => d.split('Z').length - 1)];
"""


def test_pointing(page):
    page.open("#cumsum/f32/8/0/contig/uniform/1&dy.3=0x1p-2")
    tip, *_ = page.js(POINT, "g", 3)
    ok(tip == "dy[3] = 0.25", "a value is shown where it is pointed at", tip)
    for address, cell, want in (
        ("cumsum/f32/8/0/contig/uniform/1", 5, [0, 3, 0]),
        ("softmax/f32/8/0/contig/uniform/1", 5, [0, 8, 8]),
        ("mul/f32/8/-/contig/uniform/1", 5, [0, 1, 0]),
    ):
        page.go("#" + address)
        _, *flows = page.js(POINT, "dx", cell)
        ok(flows == want, f"{address}: what a gradient is made of is marked", flows)
    numbers = page.js("return [...document.querySelectorAll('#cells text')].map((one) => one.textContent)")
    ok(numbers == list("01234567"), "cells have their numbers below", numbers)


def test_symlog(page):
    page.open("#mul/f32/9/-/contig/uniform/1&a.0=0x1p-60&a.1=0x1p+60&b.0=1&b.1=1&dy.0=1&dy.1=1")
    heights = """
        const marks = [...document.querySelectorAll('.plot.v-a .mark')].slice(0, 2);
        return marks.map((mark) => Number(mark.getAttribute('transform').match(/ ([\\d.-]+)\\)/)[1]));
    """
    small, large = page.js(heights)
    zero = page.js("return Number(document.querySelector('.plot.v-a .axis .zero').getAttribute('y1'))")
    ok(abs(small - zero) < 1 and zero - large > 20, "on a linear axis 2^-60 lies on zero", f"{small} {large} {zero}")
    page.find("#symlog").click()
    page.rest()
    small, large = page.js(heights)
    zero = page.js("return Number(document.querySelector('.plot.v-a .axis .zero').getAttribute('y1'))")
    ok(zero - large > zero - small > -1, "on a logarithmic one both are seen", f"{small} {large} {zero}")
    before = float(page.values("a")[4])
    page.js("document.querySelector('#plots .v-a [data-cell=\"4\"]').focus()")
    page.driver.press(Keys.ARROW_UP)
    page.rest()
    ok(float(page.values("a")[4]) > before, "and the keys still move a point", page.values("a"))


def test_tree(page):
    page.open("#softmax/f32/9/0/contig/uniform/1&tab=order")
    shown = "return document.querySelectorAll('#order-tree circle.sum-node:not(.later)').length"
    ok(page.js(shown) == 8, "the whole tree is there at first", page.js(shown))
    page.js("const at = document.querySelector('#order-at'); at.value = 3; at.dispatchEvent(new Event('input'))")
    said = page.text("#order-now")
    ok(page.js(shown) == 3 and " + " in said and " = " in said, "it can be followed addition by addition", said)
    left, right, total = (float(part.split(",")[0].strip("()")) for part in said.replace(" = ", " + ").split(" + "))
    near = abs(left + right - total) <= 2**-23 * abs(total) + 1e-12
    ok(near, "and says which numbers are added", said)
    page.find("#order-play").click()
    page.wait(f"{shown} === 8", "it plays to the end", 20)
    ok(True, "played, it comes to its end")


def test_taking(page):
    page.open("#hypot/f32/9/-/contig/uniform/1&tab=share")
    seen = page.driver.execute_async_script("""
        const done = arguments[0], { picture, pixels } = window.cotangent;
        const text = new XMLSerializer().serializeToString(picture());
        const parsed = new DOMParser().parseFromString(text, 'image/svg+xml');
        const draw = async () => {
            const bitmap = await createImageBitmap(await pixels()), canvas = document.createElement('canvas');
            canvas.width = bitmap.width, canvas.height = bitmap.height;
            const context = canvas.getContext('2d');
            context.drawImage(bitmap, 0, 0);
            const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height), colours = new Set();
            for (let i = 0; i < data.length; i += 4) colours.add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]);
            return [bitmap.width, colours.size];
        };
        draw().then(([width, colours]) => done({ width, colours, text,
            broken: parsed.querySelector('parsererror') !== null, marks: parsed.querySelectorAll('path').length }));
    """)
    ok(not seen["broken"] and seen["marks"] > 50, "the plots are an SVG that stands by itself", seen["text"][:300])
    ok("hypot: 9 cells of f32" in seen["text"] and "class=" not in seen["text"], "with a heading and its own colours")
    ok(seen["width"] > 1000 and seen["colours"] > 20, "and a PNG that shows them", f"{seen['width']} {seen['colours']}")
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    title, controls = page.js("""
        const box = (selector) => document.querySelector(selector).getBoundingClientRect().width;
        return [box('#print-title'), box('#choose')];
    """)
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    ok(title > 50 and controls == 0, "on paper there is a heading, and no control", f"{title} {controls}")


def run_ptx(page, change=None):
    if change:
        page.js(
            """
            const field = document.querySelector('#ptx-text');
            field.value = field.value.replace(...arguments[0]);
            field.dispatchEvent(new Event('input'));
            """,
            change,
        )
    page.find("#ptx-run").click()
    page.wait("return !document.querySelector('#ptx-run').disabled", "the kernel ends", 120)
    return page.text("#ptx-state"), page.text("#ptx-reports")


def test_ptx(page):
    """A kernel of one's own on the page's device."""
    page.open("#sum/f32/8/0/contig/uniform/1&tab=kernel")
    if page.js("return document.querySelector('#tab-kernel').hidden"):
        skip("one's own PTX runs on the page's device", "this build has no kernels")
        return
    page.find("#ptx-example").click()
    state, reports = run_ptx(page)
    ok("report" in state and "race" in reports, "a race is found in PTX that was pasted", f"{state} {reports}")
    ok("global load sectors" in page.text("#ptx-counters"), "with counters", page.text("#ptx-counters"))
    page.find("#ptx-example").click()
    atomic = ["st.global.f32 [%rd2], %f3", "red.global.add.f32 [%rd2], %f1"]
    run_ptx(page, ["ld.global.f32 %f2, [%rd2];", "mov.f32 %f2, 0f00000000;"])
    state, reports = run_ptx(page, atomic)
    arrays = page.js("return [...document.querySelectorAll('#ptx-arrays dd')].map((one) => one.textContent)")
    ok("nothing" in state or "no checker" in state, "an atomic addition is none", f"{state} {reports}")
    ok(arrays[1] == "2016", "and arrays come back", arrays)
    field = page.find("#ptx-value-0")
    field.clear()
    field.send_keys("0..15")
    state, reports = run_ptx(page)
    ok(
        "out of bounds" in (state + reports) or "invalid" in (state + reports),
        "what lies outside is seen",
        state + reports,
    )
    field.clear()
    field.send_keys("1 oops")
    ok("oops" in run_ptx(page)[0], "a word is no number", page.text("#ptx-state"))
    page.find("#ptx-example").click()
    ok("refused" in run_ptx(page, ["ld.param.u64 %rd1", "ld.nonsense %rd1"])[0], "bad PTX is refused, with a reason")
    page.find("#ptx-example").click()
    page.js("""
        const field = document.querySelector('#ptx-text');
        field.value = field.value.replace('DONE:', 'DONE: bra DONE;');
    """)
    page.find("#ptx-run").click()
    page.find("#ptx-stop").click()
    ok(page.text("#ptx-state") == "Stopped.", "a kernel without an end can be stopped", page.text("#ptx-state"))


if __name__ == "__main__":
    tests = [test_rival, test_failure_link, test_own, test_steps, test_clauses, test_bits, test_arithmetic, test_undo]
    sys.exit(run([*tests, test_pointing, test_symlog, test_tree, test_taking, test_ptx]))
