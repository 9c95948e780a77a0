"""The page's numbers: the native build's bits, steps that end at them, and the kernels' PTX. Run by test_bits.sh."""

import sys

from fixture_browser import BUILD, ok, output_of, run, skip


def test_bits(page):
    """Every op and element type, over the suite's layouts and generators: the native build's bits."""
    page.open()
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
    page.open()
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


def every_op(page):
    """On the software device and by the reference."""
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
    every_op(page)


if __name__ == "__main__":
    sys.exit(run([test_bits, test_trace, test_kernels]))
