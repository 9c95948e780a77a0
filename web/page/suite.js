// Prove it here: the suite in a worker, every cell of every case judged against MPFR.
import { $, el, say } from './dom.js';
import { startWorker } from './engine.js';
import { model } from './state.js';

let worker = null, busy = false, begun = 0, results = new Map(), tally = null, judged = '';
const MOST_LISTED = 300;

// ---- the worker -----------------------------------------------------------------------------------------------------

async function begin() {
    stop();
    const run = ++begun;
    running(true);
    $('#suite-state').textContent = 'Starting\u2026';
    results = new Map();
    tally = { passed: 0, failed: 0, notDone: 0, cells: 0, edges: 0, bits: 0, started: performance.now() };
    $('#suite-failures').replaceChildren();
    $('#suite-cases').replaceChildren();
    makeMatrix();
    const request = {
        wasm: model.wasm,
        backend: judged = $('#suite-backend').value,
        full: 0,
        op: $('#suite-op').value === 'this' ? model.op.name : '*',
        element: $('#suite-element').value === 'this' ? model.theCase.element : '',
    };
    const started = await startWorker();
    if (!busy || run !== begun) { // it may have been cancelled meanwhile
        started.terminate();
    } else {
        worker = started;
        worker.onmessage = (event) => hear(event.data);
        worker.onerror = (event) => {
            $('#suite-state').textContent = `The worker failed: ${event.message}`;
            stop();
        };
        worker.postMessage(request);
    }
}

function stop() {
    worker?.terminate();
    worker = null;
    if (busy) {
        $('#panel-prove').dataset.ended = String(begun); // the last run that is over, however it ended
    }
    running(false);
}

function running(yes) {
    busy = yes;
    $('#suite-run').disabled = yes;
    $('#suite-cancel').disabled = !yes;
    $('#panel-prove').setAttribute('aria-busy', String(yes));
}

function hear({ wrong, done, count, batch, finished }) {
    if (wrong) {
        $('#suite-state').textContent = wrong;
        stop();
        return;
    }
    if (finished) {
        stop();
        $('#suite-state').textContent = summary(count, count);
        say($('#suite-state').textContent);
        return;
    }
    batch.forEach(take);
    $('#suite-progress').max = count;
    $('#suite-progress').value = done;
    $('#suite-state').textContent = summary(done, count);
    new Set(batch.map((one) => `${one.op}|${one.element}`)).forEach(showCount);
}

// ---- results --------------------------------------------------------------------------------------------------------

/** A failure opens at its line and cell, with the mutant's results beside the reference's. */
function link(one) {
    const line = one.line ? `&line=${one.line}` : '', cell = one.cell ? `&cell=${one.cell}` : '';
    const of = one.of === 'db' ? '&of=db' : '', wrong = one.result === 'failed' && judged.startsWith('mutant:');
    return el('a', { href: `#${one.id}${line}${cell}${of}&tab=prove${wrong ? `&rival=${judged}` : ''}` }, one.id);
}

function take(one) {
    const key = `${one.op}|${one.element}`;
    if (!results.has(key)) {
        results.set(key, []);
    }
    results.get(key).push(one);
    tally[one.result === 'passed' ? 'passed' : one.result === 'failed' ? 'failed' : 'notDone']++;
    tally.cells += one.cells;
    tally.edges += one.edges;
    tally.bits += one.bits;
    if (one.result === 'failed' && $('#suite-failures').childElementCount < MOST_LISTED) {
        $('#suite-failures').append(
            el('li', {}, link(one), el('p', {}, `${one.clause ? `${one.clause}: ` : ''}${one.why}`)),
        );
    }
}

function summary(done, count) {
    const { passed, failed, notDone, cells, edges, bits, started } = tally,
        seconds = (performance.now() - started) / 1000;
    return `${done.toLocaleString('en')} of ${count.toLocaleString('en')} cases: ${
        passed.toLocaleString('en')
    } passed, ${failed.toLocaleString('en')} failed${notDone ? `, ${notDone} not done by the backend` : ''}; ` +
        `${cells.toLocaleString('en')} cells compared (${edges.toLocaleString('en')} edges, ${
            bits.toLocaleString('en')
        } bit for bit) in ${seconds.toFixed(1)} s.`;
}

function makeMatrix() {
    const { ops, elements } = model.engine.tables;
    $('#suite-matrix').replaceChildren(
        el(
            'thead',
            {},
            el('tr', {}, el('th', { scope: 'col' }, 'op'), elements.map((name) => el('th', { scope: 'col' }, name))),
        ),
        el(
            'tbody',
            {},
            ops.map((op) =>
                el(
                    'tr',
                    {},
                    el('th', { scope: 'row' }, op.name),
                    elements.map((element) => el('td', { id: `m-${op.name}-${element}` }, '\u00b7')),
                )
            ),
        ),
    );
}

function showCount(key) {
    const [op, element] = key.split('|'),
        all = results.get(key),
        failed = all.filter((one) => one.result === 'failed').length;
    const cell = $(`#m-${op}-${element}`), label = failed ? `${failed} failed` : String(all.length);
    cell.className = failed ? 'bad' : 'good';
    cell.replaceChildren(
        el('button', {
            type: 'button',
            'aria-label': `${op} ${element}: ${all.length} cases, ${failed} failed; list them`,
            onclick: () => listCases(key),
        }, label),
    );
}

function listCases(key) {
    const all = results.get(key),
        sorted = [...all.filter((one) => one.result === 'failed'), ...all.filter((one) => one.result !== 'failed')];
    $('#suite-cases').replaceChildren(
        el('h4', {}, `${key.replace('|', ' ')}: ${all.length} cases`),
        el(
            'ul',
            { class: 'cases' },
            sorted.slice(0, MOST_LISTED).map((one) =>
                el('li', { class: one.result }, link(one), ` ${one.result}, ${one.cells} cells`)
            ),
        ),
        all.length > MOST_LISTED ? el('p', {}, `\u2026 and ${all.length - MOST_LISTED} more`) : null,
    );
}

function showMutant(backends) {
    const one = backends.find(({ name }) => name === $('#suite-backend').value);
    $('#suite-about').textContent = one.clause ? `Breaks ${one.clause} in ${one.ops}: ${one.about}.` : '';
}

export function startSuite() {
    const backends = model.engine.json('suite_backends'),
        clauses = [...new Set(backends.map((one) => one.clause).filter(Boolean))];
    const option = ({ name, about }) =>
        el('option', { value: name }, name === 'ref' ? about : `${name.replace('mutant:', '')}: ${about}`);
    $('#suite-backend').replaceChildren(
        ...backends.filter((one) => !one.clause).map(option),
        ...clauses.map((clause) =>
            el(
                'optgroup',
                { label: `mutants of ${clause}` },
                backends.filter((one) => one.clause === clause).map(option),
            )
        ),
    );
    $('#suite-backend').addEventListener('change', () => showMutant(backends));
    $('#suite-run').addEventListener('click', begin);
    $('#suite-cancel').addEventListener('click', () => {
        stop();
        $('#suite-state').textContent += ' Cancelled.';
    });
    running(false);
}
