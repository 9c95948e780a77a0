"""The page, as a person would use it: in Chromium, from disk, in TAP. Run by test_page.sh."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

BUILD = pathlib.Path(os.environ["builddir"]).resolve()
SOURCE = pathlib.Path(os.environ["srcdir"]).resolve()
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


# ---- the browser -----------------------------------------------------------------------------------------------------


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
    return webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)


class Page:
    def __init__(self, driver):
        self.driver = driver
        self.console, self.requests = [], []

    def js(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def engine(self, expression):
        return self.js(f"const {{ model, frameTimes }} = window.cotangent, {{ engine }} = model; return {expression};")

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
        Select(self.find(selector)).select_by_value(value)

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


# ---- tests -----------------------------------------------------------------------------------------------------------


def test_start(page):
    page.open()
    ready = int(page.js("return document.documentElement.dataset.ready"))
    print(f"# first result {ready} ms after load, {(BUILD / 'web/index.html').stat().st_size} bytes")
    ok(ready < 2000, "the page starts", ready)
    ok(
        page.text("#cell-value") not in ("", "nan") and "softmax" in page.js("return location.hash"),
        "it shows a gradient, and its address",
    )
    listed = page.js("return [...document.querySelectorAll('#op option')].map(o => o.value)")
    known = [row["op"] for row in json.loads(output_of("cotangent", "ops", "--json"))]
    ok(listed == known, "its menu is the op table", listed)
    missing = [op for op in listed if not page.js(f"return window.cotangent.FORMULAS['{op}']")]
    ok(missing == [], "every op has its formulas in print", missing)


def test_bits(page):
    """Every op and element type, over the suite's layouts and generators: the native build's bits."""
    cases = [line.split(" ") for line in output_of("web/host/native_bits").splitlines() if line]
    wrong = page.js(
        """
        const { engine } = window.cotangent.model;
        const differs = ([id, digest]) => engine.open(id) || engine.compute() || engine.text('digest') !== digest;
        return arguments[0].filter(differs).map(one => one[0]);
    """,
        cases,
    )
    each = {}
    for case, _ in cases:
        each.setdefault("/".join(case.split("/")[:2]), []).append(case)
    print(f"# {len(cases)} case ids, {min(map(len, each.values()))} or more for each of {len(each)} ops and types")
    for name, ids in each.items():
        bad = [case for case in ids if case in wrong]
        ok(len(ids) >= 20 and not bad, f"{name}: native bits for {len(ids)} case ids", "\n".join(bad))
    pairs = page.js(
        "const { ops, elements } = window.cotangent.model.engine.tables; return ops.length * elements.length"
    )
    ok(len(each) == pairs > 0, "all ops and element types were looked at", f"{len(each)} of {pairs}")


def test_trace(page):
    """Steps that do not end at the gradient would be a second formula."""
    wrong = page.js("""
        const { engine } = window.cotangent.model, { ops, elements, generators, operands } = engine.tables, bad = [];
        let cells = 0;
        const kinds = [['17', ''], ['40x3', ',conv=torch'], ['1100', ''], ['5', ',conv=jax']];
        for (const op of ops) for (const element of elements)
        for (const { name } of generators) for (const [shape, key] of kinds) {
            const keys = `${op.reverse ? ',rev=1' : ''}${op.param ? ',w=0.3' : ''}${key}`;
            const id = `${op.name}/${element}/${shape}/${op.axis ? 0 : '-'}/contig/${name}/5${keys}`;
            if (engine.open(id) || engine.compute()) { bad.push(id); continue; }
            for (const out of op.axis ? ['dx'] : ['da', 'db'])
                for (let i = 0, n = engine.count(out); i < n; i += n > 100 ? 211 : 3, cells++)
                    if (!Object.is(engine.values(out)[i], engine.call('steps_result', operands[out], i)))
                        bad.push(`${id} ${out}[${i}]`);
        }
        return [cells, bad];
    """)
    ok(
        wrong[0] > 10000 and not wrong[1],
        f"the steps of {wrong[0]} cells end at the gradient, bit for bit",
        "\n".join(wrong[1]),
    )


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
    split = [float(value) for value in page.values("dx") if value != "0"]
    ok(
        "conv=torch" in page.js("return location.hash")
        and shares > 1
        and len(split) == shares
        and abs(sum(split) - float(page.values("dy")[0])) < 1e-6,
        "torch's policies give other edges: ties share",
        split,
    )
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


def test_kernels(page):
    """The GPU kernels' own PTX, on the software device, beside the reference."""
    if not list((BUILD / "backend_cuda/kernels").glob("*.ptx")):
        skip("the kernels' PTX gives the reference's bits", "this build has no kernels")
        return
    page.open("#softmax/f32/33/0/contig/uniform/1&tab=bits")
    page.wait("return document.querySelector('#bits-state').textContent !== ''", "the kernel runs")
    ok(
        "All 33 results agree" in page.text("#bits-state"),
        "the panel shows that every bit agrees",
        page.text("#bits-state"),
    )
    ran = page.js("return [...document.querySelectorAll('#ptx .ran .times')].map(e => e.textContent)")
    ok(
        len(ran) > 20 and page.text("#bits-counters") != "" and "nothing to report" in page.text("#bits-reports"),
        "with counts by line, counters and the checkers' word",
        len(ran),
    )
    ok(
        "softmax" in page.text("#bits-kernels")
        and len(page.js("return document.querySelector('#cuda').textContent")) > 200,
        "and the CUDA source beside it",
    )
    wrong = page.js("""
        const { engine } = window.cotangent.model, { ops, elements } = engine.tables, bad = [];
        let cells = 0;
        for (const op of ops) for (const element of elements)
        for (const n of [1, 16, 33, 300]) for (const numbers of ['uniform', 'nan', 'zeros']) {
            const id = `${op.name}/${element}/${n}/${op.axis ? 0 : '-'}/contig/${numbers}/3${op.param ? ',w=0.3' : ''}`;
            const wrong = engine.open(id) || engine.compute();
            const ran = wrong ? { refused: wrong } : engine.json('gpu_run');
            cells += ran.cells ?? 0;
            if (ran.refused || ran.differing || ran.reports.length)
                bad.push(`${id}: ${ran.refused ?? ran.differing} ${ran.reports?.[0]?.text ?? ''}`);
        }
        return [cells, bad];
    """)
    ok(
        wrong[0] > 100000 and not wrong[1],
        f"every op's PTX gives the reference's bits, in {wrong[0]} cells",
        "\n".join(wrong[1]),
    )


def test_access(page):
    axe = next(iter((BUILD / "axe").rglob("axe.min.js")), None)
    if not axe:
        skip("axe finds nothing serious", "no axe-core (./quickstart test fetches it)")
        return
    source = axe.read_text()
    for scheme in ("light", "dark"):
        page.driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
        )
        for address in (
            "#softmax/f32/16/0/contig/uniform/1",
            "#pow/f16/16/-/contig/uniform/1&tab=map",
            "#var/f32/2x9/1/contig/nan/1&tab=prove",
            "#max/bf16/9/0/contig/ties/1&tab=share",
            "#mul/f32/9/-/contig/uniform/1&tab=bits",
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
                if v["impact"] in ("serious", "critical")
            ]
            ok(not serious, f"axe finds nothing serious: {scheme}, {address}", "\n".join(serious))


def test_sizes(page):
    for width in (360, 800, 1400):
        page.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500},
        )
        for address in (
            "#hypot/f64/16/-/contig/uniform/1&tab=map",
            "#std/f32/3x33/1/contig/wide/1&tab=numbers",
            "#logcumsumexp/f32/64/0/contig/uniform/1&tab=prove",
            "#atan2/f32/16/-/contig/uniform/1&tab=share",
        ):
            page.open(address)
            wide = page.js("return document.documentElement.scrollWidth")
            ok(wide <= width, f"nothing is wider than {width} pixels: {address}", wide)
    page.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


TESTS = [
    test_start,
    test_bits,
    test_trace,
    test_edit,
    test_drag,
    test_presets,
    test_share,
    test_edited_command,
    test_kernels,
    test_suite,
    test_sizes,
    test_access,
]


def main():
    with tempfile.TemporaryDirectory(prefix="page.") as profile:
        driver = open_browser(profile)
        try:
            page = Page(driver)
            for test in TESTS:
                try:
                    test(page)
                except Exception as error:  # a test that breaks off has failed, and the others go on
                    ok(False, f"{test.__name__} runs to its end", f"{type(error).__name__}: {error}")
            page.listen()
            ok(page.console == [], "the console has heard no error", "\n".join(page.console))
            ok(page.requests == [], "the network was asked for nothing", "\n".join(page.requests))
        finally:
            driver.quit()
    print(f"1..{count}")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
