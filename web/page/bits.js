// Same bits: the CUDA kernel's own PTX on the software device, beside the reference.
import { inflate } from './engine.js';
import { $, el } from './dom.js';
import { exactly } from './numbers.js';
import { model, watch } from './state.js';
import { isShown, whenShown } from './tabs.js';

const MOST_CELLS = 4096, MOST_SHOWN = 256, MOST_LINES = 6000;
let kernels = null, shownKernel = 0, last = null;

// ---- the kernels of the page ----------------------------------------------------------------------------------------

/** The text with the numbers of its registers put back: each is a distance from the one before of its kind. */
function weave(text, numbers) {
    const now = {};
    let at = 0;
    return text.replace(/(%[a-z]+)#/g, (_, kind) => kind + (now[kind] = (now[kind] ?? 0) + numbers[at++]));
}

async function load() {
    if (kernels) {
        return;
    }
    const { text, registers, cuda } = JSON.parse(
        new TextDecoder().decode(await inflate($('#packed-kernels').textContent)),
    );
    kernels = { ptx: {}, cuda };
    for (const name of Object.keys(text)) {
        kernels.ptx[name] = weave(text[name], registers[name]);
        model.engine.call('gpu_module', name, kernels.ptx[name]);
    }
}

// ---- showing --------------------------------------------------------------------------------------------------------

function showAgreement({ refused, cells, differing }) {
    const state = $('#bits-state');
    state.className = refused || differing ? 'verdict bad' : 'verdict good';
    state.textContent = refused
        ? `The device did not run this: ${refused}.`
        : differing
        ? `${differing} of ${cells} results differ.`
        : `All ${cells} results agree, bit for bit.`;
}

function showCells({ outputs = {} }) {
    const { theCase } = model,
        names = Object.keys(outputs),
        count = Math.min(MOST_SHOWN, outputs[names[0]]?.reference.length ?? 0);
    const cell = (name, i) => {
        const { reference, device } = outputs[name],
            [left, right] = [reference[i], device[i]].map(model.engine.fromBits);
        const same = reference[i] === device[i] || (Number.isNaN(left) && Number.isNaN(right)); // any NaN is any NaN
        return [
            el('td', {}, reference[i]),
            el('td', { class: same ? '' : 'bad' }, device[i]),
            el('td', {}, exactly(left, theCase.element)),
        ];
    };
    $('#bits-table').replaceChildren(
        el(
            'thead',
            {},
            el(
                'tr',
                {},
                el('th', { scope: 'col' }, 'cell'),
                names.flatMap((name) =>
                    ['reference', 'PTX', 'value'].map((what) => el('th', { scope: 'col' }, `${name} ${what}`))
                ),
            ),
        ),
        el(
            'tbody',
            {},
            Array.from({ length: count }, (_, i) =>
                el(
                    'tr',
                    { class: i === model.cell ? 'chosen' : '' },
                    el('th', { scope: 'row' }, String(i)),
                    names.flatMap((name) => cell(name, i)),
                )),
        ),
    );
}

function showCounters(launch) {
    const rows = Object.entries(launch).filter(([, value]) => typeof value === 'number');
    $('#bits-counters').replaceChildren(
        ...rows.map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value.toLocaleString('en')))),
    );
}

function showReports({ reports }) {
    $('#bits-reports').replaceChildren(
        ...(reports.length
            ? reports.map(({ text }) => el('li', { class: 'bad' }, text))
            : [el('li', {}, 'Memory, initialisation, races and barriers were checked: nothing to report.')]),
    );
}

/** The module that holds a kernel, and where in its text the kernel is. */
function findKernel(kernel) {
    for (const [name, text] of Object.entries(kernels.ptx)) {
        const at = text.indexOf(`.entry ${kernel}(`);
        if (at >= 0) {
            return {
                name,
                text,
                first: text.slice(0, at).split('\n').length,
                length: text.slice(at).split('\n}')[0].split('\n').length + 1,
            };
        }
    }
    return null;
}

function showPtx(launch) {
    const found = findKernel(launch.kernel);
    $('#ptx').replaceChildren();
    $('#cuda').textContent = '';
    if (!found) {
        return;
    }
    const counts = new Map();
    for (let i = 0; i < launch.lines.length; i += 2) {
        counts.set(launch.lines[i], launch.lines[i + 1]);
    }
    const most = Math.max(1, ...counts.values()),
        lines = found.text.split('\n').slice(found.first - 1, found.first - 1 + Math.min(found.length, MOST_LINES));
    $('#ptx').replaceChildren(...lines.map((line, i) => {
        const count = counts.get(found.first + i);
        const row = el(
            'div',
            { class: count ? 'ran' : '' },
            el('span', { class: 'times' }, count ? count.toLocaleString('en') : ''),
            el('span', {}, line.replace(/^\t/, '  ') || ' '),
        );
        if (count) {
            row.style.setProperty('--heat', (Math.log1p(count) / Math.log1p(most)).toFixed(2));
        }
        return row;
    }));
    const module = found.name.replace(/_[a-z0-9]+$/, '');
    $('#cuda-name').textContent = `backend_cuda/${module}.cu`;
    $('#cuda').textContent = kernels.cuda[module] ?? '';
}

function showLaunch(result) {
    const launches = result.launches;
    shownKernel = Math.min(shownKernel, Math.max(0, launches.length - 1));
    $('#bits-kernels').replaceChildren(
        ...launches.map((launch, i) =>
            el('button', {
                type: 'button',
                class: 'pill',
                'aria-pressed': String(i === shownKernel),
                onclick: () => {
                    shownKernel = i;
                    showLaunch(result);
                },
            }, launch.kernel)
        ),
    );
    $('#bits-launch').hidden = !launches.length;
    if (launches.length) {
        showCounters(launches[shownKernel]);
        showPtx(launches[shownKernel]);
    }
}

// ---- running --------------------------------------------------------------------------------------------------------

async function run() {
    if (!isShown('bits') || !model.theCase.n) {
        return;
    }
    if (model.theCase.n > MOST_CELLS) {
        $('#bits-state').textContent = `Lines of up to ${MOST_CELLS} cells.`;
        return;
    }
    await load();
    last = model.engine.json('gpu_run');
    showAgreement(last);
    showCells(last);
    showReports(last);
    showLaunch(last);
}

export function startBits() {
    const has = Boolean($('#packed-kernels'));
    $('#tab-bits').hidden = !has;
    if (!has) {
        return;
    }
    whenShown('bits', run);
    watch('case', () => {
        shownKernel = 0;
    });
    watch('rest', run);
}
