"""The page, as a person would use it. Run by test_page.sh."""

import json
import subprocess
import sys
import tempfile

from fixture_browser import BUILD, ok, output_of, run, skip
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys


def test_start(page):
    page.open()
    ready = int(page.js("return document.documentElement.dataset.ready"))
    print(f"# first result {ready} ms after load, {(BUILD / 'web/index.html').stat().st_size} bytes")
    ok(ready > 0, "the page starts", ready)
    ok(
        page.text("#cell-value") not in ("", "nan") and "softmax" in page.js("return location.hash"),
        "it shows a gradient, and its address",
    )
    listed = page.js("return [...document.querySelectorAll('#op option')].map(o => o.value)")
    known = [row["op"] for row in json.loads(output_of("cotangent", "ops", "--json"))]
    ok(listed == known, "its menu is the op table", listed)
    missing = page.js("""
        const { FORMULAS, readFormulas, model } = window.cotangent;
        const inPrint = (op) => FORMULAS[op.name] ?? (readFormulas(op.forward) && readFormulas(op.gradient));
        return model.engine.tables.ops.filter((op) => !inPrint(op)).map((op) => op.name);
    """)
    ok(missing == [], "every op has its formulas in print", missing)


def test_formulas(page):
    """The op table's text in print: MathML, with brackets left out where a fraction or an exponent holds all."""
    page.open()
    for text, printed in (
        ("y = a + b", "y=a+b"),
        ("da = g * b, db = -g", "da=g\u00b7b | db=\u2212g"),
        ("db = g / (1 + exp(a - b)) / 2", "db={{g/1+exp\u2061(a\u2212b)}/2}"),
        ("y_i = (a + b) * a^(b - 1)", "[y,i]=(a+b)\u00b7[a,b\u22121]"),
        ("y = hypot(a, (b)) * 0.5", "y=hypot\u2061(a,(b))\u00b70.5"),
        ("dx = x == y ? g : 0", None),
        ("winner takes g", None),
        ("y = (a", None),
        ("y = a b", None),
        ("y = a,", None),
    ):
        shown = page.js(
            """
            const flat = (e) => {
                const inside = [...e.childNodes].map((c) => c.nodeType === 3 ? c.data : flat(c));
                return e.tagName === 'mfrac' ? `{${inside.join('/')}}` : /^ms(ub|up)$/.test(e.tagName)
                    ? `[${inside.join(',')}]` : inside.join('');
            };
            return window.cotangent.readFormulas(arguments[0])?.map((row) => {
                const holder = document.createElement('div');
                holder.innerHTML = `<math>${row}</math>`;
                return flat(holder);
            }).join(' | ') ?? null;
            """,
            text,
        )
        ok(shown == printed, f"in print: {text}", shown)


def test_edit(page):
    page.open("#softmax/f32/8/0/contig/uniform/1")
    before = page.values("dx")
    page.type("#cell-x-2", "0x1.8p-1")
    ok(
        page.values("x")[2] == "0.75" and page.values("dx") != before,
        "a hexadecimal number can be typed, and everything follows",
    )
    ok("x.2=0x1.8p-1" in page.js("return location.hash"), "the address holds the edit", page.js("return location.hash"))
    good = page.values("dx")
    page.type("#cell-x-3", "12..5")
    invalid = page.find("#cell-x-3").get_attribute("aria-invalid")
    ok(
        invalid == "true" and "number" in page.text("#cell-x-3-wrong"),
        "a wrong number is marked at its cell, with a reason",
        page.text("#cell-x-3-wrong"),
    )
    ok(page.values("dx") == good and page.text("#cell-value") != "", "the last good result stays")
    page.type("#cell-x-3", "nan")
    ok(
        page.values("dx") == ["NaN"] * 8 and page.find("#cell-x-3").get_attribute("aria-invalid") == "false",
        "nan is a number here, and softmax spreads it",
    )
    page.type("#cell-x-3", "-0")
    ok(page.js("return Object.is(window.cotangent.model.engine.values('x')[3], -0)"), "-0 keeps its sign")
    page.type("#length", "none")
    ok(
        "whole number" in page.text("#length-wrong") and len(page.values("x")) == 8,
        "a wrong length is marked, and nothing changes",
    )
    page.type("#length", "12")
    ok(len(page.values("x")) == 12 and page.text("#length-wrong") == "", "a length can be typed")
    page.find("#again").click()
    ok(
        "/2" in page.js("return location.hash") or page.engine("model.theCase.id").endswith("/2"),
        "other numbers can be drawn",
    )


def test_drag(page):
    page.open("#softmax/f32/64/0/contig/uniform/1")
    handle = page.find("[data-cell='20'] .target")
    before = page.values("dx")
    actions = ActionChains(page.driver, duration=10).move_to_element(handle).click_and_hold()
    for step in range(60):
        actions = actions.move_by_offset(0, -1 if step % 40 < 20 else 1)
    actions.release().perform()
    page.rest()
    after = page.values("dx")
    ok(
        before != after and "x.20=" in page.js("return location.hash"),
        "a point can be dragged, and the gradient follows",
    )
    ok(
        "x[20] went from" in page.text("#changed") and "dx changed in 64 of 64" in page.text("#changed"),
        "the page says what changed",
        page.text("#changed"),
    )
    times = sorted(page.engine("frameTimes"))
    median = times[len(times) // 2] if times else 1e9
    print(
        f"# {len(times)} frames while dragging with 64 cells: median {median:.2f} ms, worst {max(times or [0]):.2f} ms"
    )
    ok(len(times) >= 20 and median < 16, "every plot is drawn within a frame", median)


def test_keys_and_differences(page):
    page.open("#softmax/f32/64/0/contig/uniform/1")
    page.js("document.querySelector('#plots [data-cell=\"5\"]').focus()")
    value = float(page.values("x")[5])
    ActionChains(page.driver).send_keys(Keys.ARROW_UP, Keys.ARROW_UP).perform()
    page.rest()
    ok(float(page.values("x")[5]) > value and page.engine("model.cell") == 5, "the keyboard moves a point, too")
    ActionChains(page.driver).send_keys(Keys.ARROW_RIGHT).perform()
    page.rest()
    ok(page.engine("model.cell") == 6, "and goes from cell to cell")
    page.find("#differences").click()
    page.rest()
    bars = page.js(
        "return document.querySelector('.plot.v-dx path.differences').getAttribute('d').split('M').length - 1"
    )
    ok(bars == 64, "finite differences lie over the gradient", bars)
    near = page.engine(
        "Math.max(...Array.from(engine.differences('x'), (d, i) => Math.abs(d - engine.values('dx')[i])))"
    )
    ok(near < 1e-5, "and agree with it", near)


def test_presets(page):
    page.open("#max/f32/16/0/contig/uniform/1")
    page.choose("#generator", "ties")
    page.rest()
    taken = page.values("dx")
    ok(sum(value == page.values("dy")[0] for value in taken) > 1, "ties: every one of them takes g", taken)
    page.choose("#op", "pow")
    page.choose("#element", "bf16")
    page.choose("#generator", "zeros")
    page.rest()
    ok(
        page.engine("model.theCase.id") == "pow/bf16/16/-/contig/zeros/1",
        "op, element type and numbers can be chosen",
        page.engine("model.theCase.id"),
    )
    ok("NaN" in page.values("da"), "pow at 0 is as literal as the clause")
    page.open("#max/f32/16/0/contig/ties/1")
    shares = sum(value != "0" for value in page.values("dx"))
    page.choose("#convention", "torch")
    page.rest()
    split = [float(value) for value in page.values("dx") if float(value) != 0]
    ok(
        "conv=torch" in page.js("return location.hash")
        and shares > 1
        and len(split) == shares
        and abs(sum(split) - float(page.values("dy")[0])) < 1e-6,
        "torch's policies give other edges: ties share",
        split,
    )


def test_options(page):
    page.open("#max/f32/16/0/contig/ties/1")
    page.choose("#op", "cumsum")
    page.rest()
    page.find("#reverse").click()
    page.rest()
    ok(",rev=1" in page.engine("model.theCase.id"), "a scan can be reversed")
    page.choose("#op", "var")
    page.rest()
    page.type("#correction", "1")
    ok(",corr=1" in page.engine("model.theCase.id"), "a correction can be given")
    page.choose("#op", "lerp")
    page.rest()
    page.type("#weight", "0.125")
    ok("w=0x1p-3" in page.engine("model.theCase.id"), "so can a weight", page.engine("model.theCase.id"))


def test_map(page):
    page.open("#mul/f64/9/-/contig/uniform/1&tab=map&cell=4")
    page.js("const c = document.querySelector('#map-da'); c.scrollIntoView();")
    ActionChains(page.driver).move_to_element(page.find("#map-da")).click().perform()
    page.rest()
    ok(
        abs(float(page.values("a")[4])) < 0.2 and "At a =" in page.text("#probe-says"),
        "the heat map's probe moves a and b",
        page.text("#probe-says"),
    )
    drawn = page.js("""
        const context = document.querySelector('#map-da').getContext('2d');
        return new Set(context.getImageData(0, 0, 96, 96).data).size;
    """)
    ok(drawn > 20, "the heat map is drawn", drawn)


def test_share(page):
    page.open("#logcumsumexp/f16/2x9/1/contig/wide/4,rev=1&line=1&cell=3")
    page.type("#cell-dy-2", "0x1.4p+1")
    page.find("#tab-share").click()
    page.rest()
    address = page.find("#share-address").get_attribute("value")
    shown = page.values("dx")
    bits = page.engine("Array.from(engine.values('dx'), (_, i) => engine.bits('dx', i))")
    as_json = json.loads(page.find("#share-json").get_attribute("value"))
    ok(as_json["bits"]["dx"] == bits, "JSON has the bits")
    csv = page.find("#share-csv").get_attribute("value").split("\n")
    ok(csv[0] == "cell,x,y,dy,dx" and len(csv) == 10, "CSV has the numbers", csv[0])
    page.open("#" + address.split("#", 1)[1])
    ok(
        page.values("dx") == shown
        and page.engine("model.line") == 1
        and page.engine("model.cell") == 2
        and page.engine("model.tab") == "share",
        "the address brings back the whole state",
        page.js("return location.hash"),
    )
    case = "softmax/f32/5x37/1/contig/nan/7"
    page.open("#" + case)
    native = output_of("web/host/native_bits", case).split()[1]
    ok(page.engine("engine.text('digest')") == native, "a case id of the command line opens with the same bits")
    page.find("#tab-share").click()
    page.rest()
    command = page.find("#share-command").get_attribute("value")
    ok(command == f"cotangent check --case {case}", "and can be copied as the command", command)
    ran = subprocess.run([BUILD / "cotangent", *command.split()[1:]], capture_output=True, text=True)
    ok(ran.returncode == 0, "which runs", ran.stdout + ran.stderr)
    page.open("#nonsense/f32/4/0/contig/uniform/1")
    ok(
        "nonsense" in page.text("#refused") and page.text("#cell-value") != "",
        "a wrong address says why, and something is shown",
        page.text("#refused"),
    )


def test_edited_command(page):
    """The command for edited numbers gives the page's bits: NumPy is needed to write them."""
    if subprocess.run(["/usr/bin/python3", "-c", "import numpy"], capture_output=True).returncode:
        skip("the command for edited numbers gives the same bits", "no NumPy")
        return
    page.open("#std/f32/9/0/contig/uniform/4,corr=1&x.3=0x1.9p+1&dy.0=-0x1p-1")
    page.find("#tab-share").click()
    page.rest()
    command, bits = (
        page.find("#share-command").get_attribute("value"),
        page.engine("Array.from(engine.values('dx'), (_, i) => engine.bits('dx', i))"),
    )
    with tempfile.TemporaryDirectory() as place:
        command = command.replace("python3 -", "/usr/bin/python3 -")
        words = '" ".join("%08x" % v for v in numpy.load("dx.npy").view("uint32"))'
        show = f"\n/usr/bin/python3 -c 'import numpy; print({words})'"
        ran = subprocess.run(
            ["bash", "-ec", command.replace("cotangent run", f"{BUILD}/cotangent run") + show],
            cwd=place,
            capture_output=True,
            text=True,
        )
    ok(
        ran.stdout.split() == bits,
        "the command for edited numbers gives the same bits",
        ran.stdout + ran.stderr + command,
    )


ENDED = "Number(document.querySelector('#panel-prove').dataset.ended ?? 0)"


def end_suite(page, end):
    """Waits until a run has ended that had not when `end` clicked for it, and returns what the page says of it."""
    before = page.js(f"return {ENDED}")
    end()
    page.wait(f"return {ENDED} > {before}", "the suite ends", 300)
    return page.text("#suite-state")


def run_suite(page, backend):
    page.choose("#suite-backend", backend)
    return end_suite(page, page.find("#suite-run").click)


def test_suite(page):
    page.open("#max/f32/16/0/contig/uniform/1&tab=prove")
    state = run_suite(page, "ref")
    print(f"# {state}")
    ok(" 0 failed" in state and " passed" in state, "the suite passes in a worker", state)
    page.find("#m-max-f32 button").click()
    links = page.js("return [...document.querySelectorAll('#suite-cases a')].map(a => a.getAttribute('href'))")
    ok(len(links) > 20 and links[0].startswith("#max/f32/"), "each case has a link")
    page.js("document.querySelector('#suite-cases a').click()")
    page.rest()
    ok(page.js("return location.hash").startswith(links[0]), "which opens it", page.js("return location.hash"))
    mutants = page.js("""
        const group = document.querySelector('#suite-backend optgroup[label="mutants of MAX-TIE"]');
        return [...group.querySelectorAll('option')].map(o => o.value);
    """)
    ok(len(mutants) > 0, "there are mutants of MAX-TIE to choose", mutants)
    for mutant in mutants:
        state = run_suite(page, mutant)
        blamed = page.text("#suite-failures")
        ok(
            ", 0 failed" not in state and "MAX-TIE" in blamed,
            f"{mutant} is caught, and its clause named",
            state + blamed[:300],
        )
    page.choose("#suite-op", "all")
    page.choose("#suite-element", "all")
    page.find("#suite-run").click()
    page.wait("return /of .* cases/.test(document.querySelector('#suite-state').textContent)", "the whole suite begins")
    state = end_suite(page, page.find("#suite-cancel").click)
    ok("Cancelled" in state and page.find("#suite-run").is_enabled(), "a run can be cancelled")


TESTS = [
    *(test_start, test_formulas, test_edit, test_drag, test_keys_and_differences, test_presets, test_options, test_map),
    *(test_share, test_edited_command, test_suite),
]

if __name__ == "__main__":
    sys.exit(run(TESTS))
