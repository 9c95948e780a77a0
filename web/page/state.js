// What is shown, and how it is written in the address: the case's id, then edits and the place looked at.
//
//     #softmax/f32/16/0/contig/uniform/1&x.3=0x1.8p-1&dy.2=nan&cell=5
//
// An edit names operand, cell and number, with the line in front where there are several (x.2:3); numbers are
// hexadecimal, so that no bit is lost.

import { arithmetic } from './numbers.js';

const FIELDS = ['op', 'element', 'shape', 'axis', 'layout', 'generator', 'seed'];
export const FIRST_CASE = 'softmax/f32/16/0/contig/uniform/1';

export const model = {
    engine: null,
    theCase: null, // as the engine has it
    op: null, // the op table's row
    edits: new Map(), // "x.2:3" -> number
    line: 0,
    cell: 0,
    of: 'dx', // the output whose cell is looked at
    tab: 'numbers',
    story: '', // the name of the one that is told
    rival: '', // whose results are drawn beside the reference's: "mutant:NAME", "own", or nobody's
    before: null, // results before the last move, by operand
    moved: null, // { operand, i, from }
    atRest: true, // nothing has moved for a moment, and whoever waits for that has been told
};

// ---- who wants to know ----------------------------------------------------------------------------------------------

const watchers = { case: [], values: [], cell: [], rest: [], error: [] };

/** case: everything may have changed; values: numbers; cell: the place looked at; rest: nothing moved for a moment. */
export const watch = (what, callback) => watchers[what].push(callback);
const tell = (what, detail) => watchers[what].forEach((callback) => callback(detail));

let resting;
function restLater() {
    clearTimeout(resting);
    model.atRest = false;
    resting = setTimeout(() => {
        writeAddress();
        tell('rest');
        model.atRest = true;
    }, 120);
}

// ---- ids ------------------------------------------------------------------------------------------------------------

export function splitId(id) {
    const [fields, ...keys] = id.split(',');
    const parts = Object.fromEntries(fields.split('/').map((field, i) => [FIELDS[i], field]));
    parts.keys = Object.fromEntries(keys.map((key) => key.split('=')));
    return parts;
}

export function joinId(parts) {
    const keys = Object.entries(parts.keys).filter(([, value]) => value !== '' && value != null);
    return [FIELDS.map((field) => parts[field]).join('/'), ...keys.map(([key, value]) => `${key}=${value}`)].join(',');
}

/** What the case says of policies, direction and correction. */
export function howItIs() {
    const { policies, conventions } = model.engine.tables,
        { keys } = splitId(model.theCase.id),
        bundle = Math.max(0, conventions.indexOf(keys.conv ?? 'spec'));
    const values = policies.map((policy) => [policy.name, keys[policy.name] ?? policy.conventions[bundle]]);
    return { ...Object.fromEntries(values), reverse: Boolean(keys.rev), correction: Number(keys.corr ?? 0) };
}

export const opOf = (name) => model.engine.tables.ops.find((op) => op.name === name);
export const outputs = (op) => op.axis ? ['dx'] : ['da', 'db'];
export const inputs = (op) => op.axis ? ['x'] : ['a', 'b'];
export const editable = (operand) =>
    ['dy', 'x', 'a', 'b'].includes(operand) || (operand === 'y' && Boolean(model.theCase.yGiven));
/** A saved y that the case brings along stands for x where the gradient does not read x. */
export const shownOperands = (
    op,
) => [...(model.theCase.yGiven && !op.reads.includes('x') ? [] : inputs(op)), 'y', 'dy', ...outputs(op)];

// ---- opening --------------------------------------------------------------------------------------------------------

const keyOf = (operand, i, line) => model.theCase.lines > 1 ? `${operand}.${line}:${i}` : `${operand}.${i}`;

const partsOf = (key) => key.match(/^(\w+)\.(?:(\d+):)?(\d+)$/).slice(1);

/** Edits of cells that the case has not go. Returns their keys. */
function dropStrays() {
    const strays = [...model.edits.keys()].filter((key) => {
        const [operand, line, i] = partsOf(key);
        const has = editable(operand) && shownOperands(model.op).includes(operand);
        return !has || Number(line ?? 0) >= model.theCase.lines || Number(i) >= model.engine.count(operand);
    });
    strays.forEach((key) => model.edits.delete(key));
    return strays;
}

function applyEdits() {
    for (const [key, value] of model.edits) {
        const [operand, line, i] = partsOf(key);
        model.engine.look(Number(line ?? 0));
        model.engine.set(operand, Number(i), value);
    }
    model.engine.look(model.line);
}

const MOST_CELLS = 65536;

/** An address may ask for more than a page can show without standing still. */
function tooLarge(id) {
    const extents = (id.split('/')[2] ?? '').split('x').map(Number);
    const cells = extents.reduce((product, extent) => product * Math.max(extent, 1), 1); // strides count 0 as 1
    return cells > MOST_CELLS
        ? `${cells.toLocaleString('en')} cells are more than this page shows (${MOST_CELLS.toLocaleString('en')})`
        : null;
}

/** Opens a case; what was shown stays where that is refused. Returns null, or what is wrong. */
export function openCase(id, edits = new Map(), place = {}) {
    const wrong = tooLarge(id) ?? model.engine.open(id);
    if (wrong) {
        tell('error', wrong);
        return wrong;
    }
    const previous = model.op?.name;
    model.theCase = model.engine.theCase();
    model.op = opOf(model.theCase.op);
    model.edits = edits;
    model.line = Math.min(place.line ?? model.line, Math.max(0, model.theCase.lines - 1));
    model.cell = Math.min(place.cell ?? model.cell, Math.max(0, model.theCase.n - 1));
    model.of = outputs(model.op).includes(place.of ?? model.of) ? place.of ?? model.of : outputs(model.op)[0];
    model.before = model.moved = null;
    place.strays = dropStrays();
    applyEdits();
    const refused = compute();
    tell('case', previous !== model.op.name);
    restLater();
    return refused;
}

function compute() {
    const refused = model.engine.compute();
    tell('error', refused);
    return refused;
}

/** A change of the case's parts. Edits go where they would mean other cells. */
export function changeCase(change) {
    const parts = splitId(model.theCase.id);
    const next = { ...parts, ...change, keys: { ...parts.keys, ...change.keys } };
    const op = opOf(next.op);
    if (next.op !== parts.op) {
        model.story = '';
    }
    next.axis = op.axis ? (parts.axis === '-' ? '0' : next.axis) : '-';
    for (const [key, wanted] of [['rev', op.reverse], ['corr', op.correction], ['w', op.param]]) {
        if (!wanted) {
            delete next.keys[key];
        }
    }
    if (op.param && next.keys.w == null) {
        next.keys.w = '0.25';
    }
    delete next.keys.alias;
    const sameCells = ['shape', 'layout', 'generator', 'seed'].every((field) => next[field] === parts[field]);
    return openCase(joinId(next), sameCells ? model.edits : new Map());
}

// ---- editing --------------------------------------------------------------------------------------------------------

const snapshot = () =>
    Object.fromEntries(['y', ...outputs(model.op)].map((name) => [name, Float64Array.from(model.engine.values(name))]));

/** What follows is compared with what is now. */
export function beginMove(operand, i) {
    fresh = true;
    model.before = snapshot();
    model.moved = { operand, i, from: model.engine.values(operand)[i] };
}

export function editCell(operand, i, value) {
    model.engine.set(operand, i, value);
    model.edits.set(keyOf(operand, i, model.line), value);
    compute();
    tell('values');
    restLater();
}

/** Numbers beside the case's own have changed. */
export function tellValues() {
    tell('values');
    restLater();
}

/** What somebody typed: a number as the engine reads it, or arithmetic on such. undefined: neither. */
export const evaluated = (text) => arithmetic(text, model.engine.parseDouble);

export function resetEdits() {
    fresh = true;
    openCase(model.theCase.id, new Map());
}

export function selectCell(i, of = model.of) {
    model.cell = Math.max(0, Math.min(i, model.theCase.n - 1));
    model.of = of;
    tell('cell');
    restLater();
}

export function selectLine(line) {
    model.line = Math.max(0, Math.min(line, model.theCase.lines - 1));
    model.before = model.moved = null;
    model.engine.look(model.line);
    tell('case', false);
    restLater();
}

// ---- the address ----------------------------------------------------------------------------------------------------

export function address() {
    const parts = [model.theCase.id];
    for (const [key, value] of model.edits) {
        parts.push(`${key}=${model.engine.hex(value)}`);
    }
    if (model.line) {
        parts.push(`line=${model.line}`);
    }
    if (model.cell) {
        parts.push(`cell=${model.cell}`);
    }
    if (model.of === 'db') {
        parts.push('of=db');
    }
    if (model.tab !== 'numbers') {
        parts.push(`tab=${model.tab}`);
    }
    if (model.rival.startsWith('mutant:')) {
        parts.push(`rival=${model.rival}`);
    }
    if (model.story) {
        parts.push(`story=${model.story}`);
    }
    return `#${parts.join('&')}`;
}

let fresh = false; // an edit has begun since the address was last written

/** Every edit is a step of the browser's history, so that Back undoes it. */
function writeAddress() {
    if (location.hash !== address()) {
        fresh ? history.pushState({ edit: true }, '', address()) : history.replaceState(history.state, '', address());
    }
    fresh = false;
}

/** Takes back the last edit, or does it again; false where there is none. */
export function undo() {
    return Boolean(history.state?.edit) && (history.back(), true);
}

/** Shows what the address says. Returns what is wrong with it: `refused` and not shown, or `ignored`. */
export function readAddress() {
    let text;
    try {
        text = decodeURIComponent(location.hash.slice(1));
    } catch {
        return { refused: `the address ${location.hash} is not written as addresses are` };
    }
    const [id, ...rest] = text.split('&');
    const edits = new Map(), place = { line: 0, cell: 0 };
    const ignored = [];
    model.story = '';
    model.tab = 'numbers';
    model.rival = model.rival === 'own' && id === model.theCase?.id ? 'own' : '';
    for (const part of rest) {
        const [key, value] = part.split('=');
        const number = model.engine.parseDouble(value ?? '');
        if (/^(dy|x|y|a|b)\.(\d+:)?\d+$/.test(key) && number !== undefined) {
            edits.set(key, number);
        } else if (['line', 'cell'].includes(key) && /^\d+$/.test(value)) {
            place[key] = Number(value);
        } else if (key === 'of') {
            place.of = value;
        } else if (key === 'rival' && value?.startsWith('mutant:')) {
            model.rival = value;
        } else if (key === 'tab' || key === 'story') {
            model[key] = value;
        } else {
            ignored.push(`\u201c${part}\u201d is neither an edit nor a place`);
        }
    }
    const refused = openCase(id || FIRST_CASE, edits, place);
    ignored.push(...(place.strays ?? []).map((key) => `\u201c${key}\u201d is no cell that can be edited here`));
    return { refused, ignored };
}
