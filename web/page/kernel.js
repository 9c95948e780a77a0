// Your own PTX: a kernel that is pasted or dropped runs on the page's device, in a worker, with every checker on.
import { $, el } from './dom.js';
import { startWorker } from './engine.js';
import { exactly } from './numbers.js';
import { evaluated, model } from './state.js';
import { whenShown } from './tabs.js';

const EXAMPLE = `.version 7.0
.target sm_75
.address_size 64
// Every thread adds its x to one sum: without an atomic that is a race.
.visible .entry total(.param .u64 x, .param .u64 sum, .param .u32 n)
{
  .reg .pred %p<2>; .reg .b32 %r<8>; .reg .f32 %f<4>; .reg .b64 %rd<6>;
  ld.param.u64 %rd1, [x];
  ld.param.u64 %rd2, [sum];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %tid.x;
  setp.ge.u32 %p1, %r2, %r1;
  @%p1 bra DONE;
  mul.wide.u32 %rd3, %r2, 4;
  add.s64 %rd4, %rd1, %rd3;
  ld.global.f32 %f1, [%rd4];
  ld.global.f32 %f2, [%rd2];
  add.f32 %f3, %f2, %f1;
  st.global.f32 [%rd2], %f3;
DONE:
  ret;
}
`;
const EXAMPLE_VALUES = ['0..63', '0', '64'];
const ARRAYS = {
    f32: Float32Array,
    f64: Float64Array,
    i32: Int32Array,
    u32: Uint32Array,
    u16: Uint16Array,
    u8: Uint8Array,
    i64: BigInt64Array,
};
const MOST_CELLS = 1 << 20, MOST_SHOWN = 64;
const BY_PTX = {
    f32: 'f32',
    f64: 'f64',
    b64: 'i64',
    s64: 'i64',
    u64: 'i64',
    u16: 'u16',
    s16: 'u16',
    b16: 'u16',
    u8: 'u8',
};
let worker = null;

// ---- what the text has ----------------------------------------------------------------------------------------------

function entriesOf(text) {
    const bare = text.replace(/\/\/.*|\/\*[\s\S]*?\*\//g, '');
    return [...bare.matchAll(/\.entry\s+([\w$]+)\s*(?:\(([^)]*)\))?/g)].map(([, name, list]) => ({
        name,
        parameters: [
            ...(list ?? '').matchAll(/\.param\s+(?:\.align\s+\d+\s+)?\.(\w+)[^,]*?([\w$]+)(?:\[\d+\])?\s*(?:,|$)/g),
        ]
            .map(([, type, own]) => ({ type, name: own })),
    }));
}

const chosen = () => entriesOf($('#ptx-text').value).find(({ name }) => name === $('#ptx-entry').value);

/** A 64-bit parameter is an array until somebody says that it is a number. */
function row({ type, name }, i) {
    const kind = el('select', { id: `ptx-kind-${i}`, 'aria-label': `kind of ${name}` });
    const wide = /64$/.test(type) && type !== 'f64', number = BY_PTX[type] ?? (type === 's32' ? 'i32' : 'u32');
    const kinds = [...(wide ? Object.keys(ARRAYS).map((one) => `array of ${one}`) : []), `number ${number}`];
    kind.replaceChildren(...kinds.map((one) => el('option', { value: one }, one)));
    const field = el('input', {
        id: `ptx-value-${i}`,
        type: 'text',
        value: wide ? '0..31' : '32',
        spellcheck: 'false',
    });
    return el(
        'div',
        { class: 'group' },
        el('b', {}, name),
        kind,
        el('label', { class: 'grow' }, el('span', { class: 'hidden' }, `Values of ${name}`), field),
    );
}

function showEntries() {
    const entries = entriesOf($('#ptx-text').value), before = $('#ptx-entry').value;
    $('#ptx-entry').replaceChildren(...entries.map(({ name }) => el('option', { value: name }, name)));
    if (entries.some(({ name }) => name === before)) {
        $('#ptx-entry').value = before;
    }
    showParameters();
}

/** What was filled in for a parameter of the same name stays. */
function showParameters() {
    const parameters = chosen()?.parameters ?? [], held = new Map();
    for (const group of $('#ptx-parameters').children) {
        held.set(group.firstChild.textContent, [$('select', group).value, $('input', group).value]);
    }
    $('#ptx-parameters').replaceChildren(...parameters.map(row));
    for (const group of $('#ptx-parameters').children) {
        const [kind, values] = held.get(group.firstChild.textContent) ?? [];
        if ([...$('select', group).options].some(({ value }) => value === kind)) {
            $('select', group).value = kind;
            $('input', group).value = values;
        }
    }
}

// ---- values ---------------------------------------------------------------------------------------------------------

/** "1 2.5 1/3", "0..63", "zeros 64": numbers, or a reason. */
function numbersOf(text) {
    const range = text.match(/^\s*(-?\d+)\.\.(-?\d+)\s*$/), zeros = text.match(/^\s*zeros\s+(\d+)\s*$/);
    const count = range ? Number(range[2]) - Number(range[1]) + 1 : zeros ? Number(zeros[1]) : 0;
    if (count > MOST_CELLS) {
        return `${count} cells are more than ${MOST_CELLS}`;
    }
    if (range || zeros) {
        return Array.from({ length: Math.max(0, count) }, (_, i) => range ? Number(range[1]) + i : 0);
    }
    const words = text.split(/[\s,;[\]]+/).filter(Boolean),
        numbers = words.map(evaluated),
        bad = numbers.indexOf(undefined);
    return bad >= 0 ? `\u201c${words[bad]}\u201d is no number: write 1 2.5 1/3, 0..63 or zeros 64` : numbers;
}

function parameter({ name }, i) {
    const kind = $(`#ptx-kind-${i}`).value, numbers = numbersOf($(`#ptx-value-${i}`).value);
    if (typeof numbers === 'string') {
        return { wrong: `${name}: ${numbers}` };
    }
    const type = kind.split(' ').pop(), isArray = kind.startsWith('array');
    if (!isArray && numbers.length !== 1) {
        return { wrong: `${name} is one number` };
    }
    if (type === 'i64' && !numbers.every(Number.isSafeInteger)) {
        return { wrong: `${name}: whole numbers, please` };
    }
    const cells = ARRAYS[type].from(type === 'i64' ? numbers.map(BigInt) : numbers);
    return { isArray, type, name, bytes: new Uint8Array(cells.buffer) };
}

/** "4" or "4,2". */
function extentOf(id) {
    const parts = $(id).value.split(/[,x\s]+/).filter(Boolean).map(Number);
    return parts.length >= 1 && parts.length <= 2 && parts.every((one) => Number.isInteger(one) && one > 0)
        ? [parts[0], parts[1] ?? 1]
        : null;
}

// ---- running --------------------------------------------------------------------------------------------------------

function say(text, bad = false) {
    $('#ptx-state').textContent = text;
    $('#ptx-state').className = bad ? 'verdict bad' : 'verdict good';
}

function stop() {
    worker?.terminate();
    worker = null;
    $('#ptx-run').disabled = false;
    $('#ptx-stop').disabled = true;
}

function showArrays(parameters, arrays) {
    $('#ptx-arrays').replaceChildren(...parameters.flatMap(({ name, type, isArray }, k) => {
        if (!isArray) {
            return [];
        }
        const cells = new ARRAYS[type](arrays[k].buffer), shown = [...cells.slice(0, MOST_SHOWN)];
        const text = (v) => typeof v === 'bigint' ? String(v) : exactly(v, type === 'f32' ? 'f32' : 'f64');
        const more = cells.length > MOST_SHOWN ? ` \u2026 and ${cells.length - MOST_SHOWN} more` : '';
        return [el('dt', {}, name), el('dd', {}, shown.map(text).join(' ') + more)];
    }));
}

function show({ said, arrays, wrong }, parameters) {
    stop();
    if (wrong) {
        say(`The worker failed: ${wrong}`, true);
        return;
    }
    const count = said.reports.length;
    say(
        said.refused
            ? `The device refused: ${said.why || said.refused}`
            : count
            ? `It ran, and the checkers report ${count === 1 ? 'one thing' : `${count} things`}.`
            : 'It ran, and no checker has anything to report.',
        Boolean(said.refused || count),
    );
    $('#ptx-reports').replaceChildren(...said.reports.map(({ text }) => el('li', { class: 'bad' }, text)));
    const counters = Object.entries(said.launches[0] ?? {}).filter(([, value]) => typeof value === 'number');
    $('#ptx-counters').replaceChildren(
        ...counters.map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value.toLocaleString('en')))),
    );
    showArrays(said.refused ? [] : parameters, arrays);
}

async function run() {
    const entry = chosen(), grid = extentOf('#ptx-grid'), block = extentOf('#ptx-block');
    const parameters = (entry?.parameters ?? []).map(parameter), bad = parameters.find(({ wrong }) => wrong);
    const wrong = !entry
        ? 'this text has no .entry: paste the PTX of a kernel'
        : !grid || !block
        ? 'grid and block are one or two whole numbers above 0, as 4 or 4,2'
        : bad?.wrong;
    if (wrong) {
        say(wrong, true);
        return;
    }
    stop();
    $('#ptx-run').disabled = true;
    $('#ptx-stop').disabled = false;
    say('Running\u2026');
    const own = worker = await startWorker();
    own.onmessage = (event) => own === worker && show(event.data, parameters);
    own.onerror = (event) => own === worker && show({ wrong: event.message }, parameters);
    own.postMessage({
        wasm: model.wasm,
        ptx: $('#ptx-text').value,
        entry: entry.name,
        extent: [...grid, ...block],
        parameters,
    });
}

// ---- starting -------------------------------------------------------------------------------------------------------

function example() {
    $('#ptx-text').value = EXAMPLE;
    $('#ptx-block').value = '64';
    showEntries();
    EXAMPLE_VALUES.forEach((value, i) => {
        $(`#ptx-value-${i}`).value = value;
    });
}

/** Takes a .ptx file that was dropped; false where it is none. */
export async function takePtx(file) {
    $('#tab-kernel').click();
    $('#ptx-text').value = await file.text();
    showEntries();
}

export function startKernel() {
    const has = Boolean($('#packed-kernels'));
    $('#tab-kernel').hidden = !has;
    if (!has) {
        return;
    }
    whenShown('kernel', () => $('#ptx-text').value || example());
    $('#ptx-text').addEventListener('input', showEntries);
    $('#ptx-entry').addEventListener('change', showParameters);
    $('#ptx-example').addEventListener('click', example);
    $('#ptx-run').addEventListener('click', run);
    $('#ptx-stop').addEventListener('click', () => {
        stop();
        say('Stopped.', true);
    });
}
