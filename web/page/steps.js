// One cell: its formula with the numbers filled in, step by step, down to the bits, and how far the result is from the
// exact value.
import { $, el, soon } from './dom.js';
import { decimals, exactly, roughly, splitBits } from './numbers.js';
import { fn, frac, markup, math, row, sub, sum, sup, words } from './mathml.js';
import { model, outputs, selectCell, watch } from './state.js';
import { showErrors } from './table.js';

const MOST_TRUTH = 512; // cells; MPFR is exact, not fast
const MOST_LISTED = 400, MOST_TRACED = 1024;
let shownBits = null; // the step whose bits are shown; null: the result

// ---- a step as a formula --------------------------------------------------------------------------------------------

// deno-fmt-ignore
const SIGNS = { add: '+', sub: '\u2212', mul: '\u00b7', equal: '=', unequal: '\u2260', less: '<', greater: '>',
    'at least': '\u2265' };
// deno-fmt-ignore
const TIGHT = { input: 3, constant: 3, exp: 3, log: 3, pow: 3, hypot: 3, abs: 3, div: 3,
    mul: 2, neg: 1, add: 1, sub: 1 };

/** Large constants are few bits far to the left: 3 * 2^26. */
function constant(v) {
    let power = 0;
    for (; Math.abs(v) >= 2 ** 20 && v % 2 === 0; power++) {
        v /= 2;
    }
    for (; power && v % 2 === 0; power++) {
        v /= 2;
    }
    const text = exactly(v, 'f64').replace('-', '\u2212');
    return power ? row(text, '\u00b7', sup('2', String(power))) : row(text);
}

function symbol(node) {
    if (node.kind === 'constant' && !node.name) {
        return constant(Number(node.value));
    }
    return node.index >= 0 || node.index === 'j'
        ? sub(node.name, String(node.index))
        : node.name === 'mean'
        ? markup('<mover><mi class="v-x">x</mi><mo>\u00af</mo></mover>')
        : node.name === 'sum'
        ? markup('<mi>s</mi>')
        : row(node.name ?? '\u2026');
}

const MOST_LEAVES = 3;

function leaves(node, nodes) {
    return !node
        ? 0
        : node.name || ['input', 'constant'].includes(node.kind)
        ? 1
        : leaves(nodes.get(node.a), nodes) + leaves(nodes.get(node.b), nodes);
}

/** The expression that a node stands for; what has a name is not opened, and what is long is named by its step. */
function expression(node, nodes, top = true) {
    if (!top && node.name || ['input', 'constant'].includes(node.kind)) {
        return symbol(node);
    }
    if (!top && node.step && leaves(node, nodes) > MOST_LEAVES) {
        return words(`step ${node.step}`);
    }
    const a = nodes.get(node.a), b = nodes.get(node.b);
    const inside = (child, least) => {
        const text = expression(child, nodes, false), loose = !child.name && TIGHT[child.kind] < least;
        return loose ? row('(', text, ')') : text;
    };
    switch (node.kind) {
        case 'neg':
            return row('\u2212', inside(a, 2));
        case 'div':
            return frac(expression(a, nodes, false), expression(b, nodes, false));
        case 'pow':
            return sup(inside(a, 3), expression(b, nodes, false));
        case 'exp':
        case 'log':
            return fn(node.kind, expression(a, nodes, false));
        case 'abs':
            return row('|', expression(a, nodes, false), '|');
        case 'hypot':
            return fn('hypot', expression(a, nodes, false), ',', expression(b, nodes, false));
        case 'mul':
            return row(inside(a, 2), '\u00b7', inside(b, 3));
        case 'sub':
            return row(inside(a, 1), '\u2212', inside(b, 2));
        default:
            return row(inside(a, 1), SIGNS[node.kind], inside(b, 1));
    }
}

const value = (node, compute) => exactly(Number(node.value), compute);
const signed = (text) => text.startsWith('-') ? `(${text})` : text;

/** The same step in numbers. */
function inNumbers(node, nodes, compute) {
    const a = nodes.get(node.a) && signed(value(nodes.get(node.a), compute)),
        b = nodes.get(node.b) && signed(value(nodes.get(node.b), compute));
    const sign = { div: '/', pow: '^', ...SIGNS }[node.kind];
    return sign
        ? `${a} ${sign} ${b}`
        : node.kind === 'neg'
        ? `\u2212${a}`
        : `${node.kind}(${[a, b].filter(Boolean).join(', ')})`;
}

// ---- sums -----------------------------------------------------------------------------------------------------------

/** Which nodes only feed a sum: they are shown in its own list. */
function feedsSum(list, result) {
    const users = new Map();
    for (const node of list) {
        for (const operand of [node.a, node.b]) {
            users.has(operand) ? users.get(operand).push(node) : users.set(operand, [node]);
        }
    }
    const feeds = new Map();
    for (const node of [...list].reverse()) {
        const by = users.get(node.id) ?? [];
        const sums = new Set(by.map((user) => user.sum || feeds.get(user.id)));
        if (node.id !== result && !node.sum && by.length && sums.size === 1 && !sums.has(undefined)) {
            feeds.set(node.id, [...sums][0]);
        }
    }
    return feeds;
}

/** A term that is not there: -0, and sums of nothing else. */
const isMissing = (node, nodes) =>
    node.kind === 'constant' ? !node.name : node.kind === 'add' && node.sum > 0 && Object.is(Number(node.value), -0) &&
        isMissing(nodes.get(node.a), nodes) && isMissing(nodes.get(node.b), nodes);

/** Additions of a missing term (-0) change no bit, and are left out. */
function sumDetails(number, list, nodes, feeds, compute) {
    const terms = list.filter((node) => feeds.get(node.id) === number && !['input', 'constant'].includes(node.kind));
    const adds = list.filter((node) =>
        node.sum === number && !['input', 'constant'].includes(node.kind) &&
        !(node.kind === 'add' && (isMissing(nodes.get(node.a), nodes) || isMissing(nodes.get(node.b), nodes)))
    );
    const line = (node) => el('li', {}, `${inNumbers(node, nodes, compute)} = ${value(node, compute)}`);
    const lines = el('ol');
    const open = () => {
        if (!lines.childElementCount) lines.append(...[...terms, ...adds].slice(0, MOST_LISTED).map(line));
    };
    return el(
        'details',
        { class: 'sum', ontoggle: open },
        el('summary', {}, `${terms.length + adds.length} operations, in the spec\u2019s order`),
        lines,
    );
}

// ---- the list -------------------------------------------------------------------------------------------------------

/** s = the sum over j of what its terms have in common. */
function sumFormula(node, list, nodes) {
    const isTerm = (one) => !one.sum && !isMissing(one, nodes),
        uses = list.filter((one) => one.sum === node.sum).flatMap((one) => [nodes.get(one.a), nodes.get(one.b)]);
    const term = uses.find((one) => one && isTerm(one));
    if (!term || node.name !== 'sum') {
        return symbol(node);
    }
    const general = new Map([...nodes].map(([id, one]) => [id, one.index >= 0 ? { ...one, index: 'j' } : one]));
    return row(symbol(node), '=', sum('j', expression(general.get(term.id), general)));
}

function stepRow(node, nodes, compute, details, formula) {
    const button = el('button', {
        type: 'button',
        class: 'step',
        'aria-pressed': String(shownBits === node.id),
        onclick: () => {
            shownBits = node.id;
            showSteps();
        },
    });
    const compares = ['equal', 'unequal', 'less', 'greater', 'at least'].includes(node.kind),
        lone = ['input', 'constant'].includes(node.kind);
    const what = el('span', { class: 'what' }),
        outcome = compares ? (Number(node.value) ? 'true' : 'false') : value(node, compute);
    what.innerHTML = math(
        node.name && !lone ? (formula ?? row(symbol(node), '=', expression(node, nodes))) : expression(node, nodes),
    );
    button.append(
        what,
        el('span', { class: 'numbers' }, details || lone ? '' : inNumbers(node, nodes, compute)),
        el('span', { class: 'outcome' }, `= ${outcome}`),
    );
    return el('li', {}, button, details);
}

function listSteps(steps) {
    const list = steps.nodes,
        nodes = new Map(list.map((node) => [node.id, node])),
        feeds = feedsSum(list, steps.result),
        rows = [];
    const lastOf = new Map(list.filter((node) => node.sum).map((node) => [node.sum, node.id]));
    for (const node of list) {
        const shown = node.id === steps.result || !['input', 'constant'].includes(node.kind);
        if (!shown || feeds.has(node.id) || (node.sum && lastOf.get(node.sum) !== node.id)) {
            continue;
        }
        node.step = rows.length + 1;
        rows.push(
            stepRow(
                node,
                nodes,
                steps.compute,
                ...(node.sum
                    ? [sumDetails(node.sum, list, nodes, feeds, steps.compute), sumFormula(node, list, nodes)]
                    : [null]),
            ),
        );
    }
    return rows;
}

// ---- bits -----------------------------------------------------------------------------------------------------------

const PARTS = ['sign', 'exponent', 'fraction'];

function showBits(label, digits, element) {
    const parts = splitBits(digits, element);
    const spans = parts.map((bits, k) =>
        el(
            'span',
            { class: `bits ${PARTS[k]}` },
            [...bits].map((bit) => el('i', { class: bit === '1' ? 'one' : '' }, bit)),
        )
    );
    $('#bits').replaceChildren(
        el('p', { class: 'bits-of' }, label, el('code', {}, `0x${digits}`)),
        el('div', {
            class: 'bit-row',
            role: 'img',
            'aria-label': `${label}: sign ${parts[0]}, exponent ${parts[1]}, fraction ${parts[2]}`,
        }, spans),
        el('p', { class: 'bit-legend', 'aria-hidden': 'true' }, PARTS.map((part) => el('span', { class: part }, part))),
    );
}

function resultBits() {
    const { of, cell, theCase, engine } = model;
    showBits(`${of}[${cell}] in ${theCase.element} `, engine.bits(of, cell), theCase.element);
}

function showSteps() {
    const { engine, of, cell, theCase } = model;
    $('#cell-title').innerHTML = math(row(sub(of, String(cell)), '=', ''));
    $('#cell-value').textContent = theCase.n ? exactly(engine.values(of)[cell], theCase.element) : 'no cells';
    $('#cell-hex').textContent = theCase.n ? engine.hex(engine.values(of)[cell]).replace('-nan', 'nan') : '';
    $('#of').replaceChildren(
        ...(outputs(model.op).length < 2 ? [] : outputs(model.op)).map((name) =>
            el('button', {
                type: 'button',
                class: 'pill',
                'aria-pressed': String(name === of),
                onclick: () => selectCell(cell, name),
            }, name)
        ),
    );
    const steps = theCase.n && theCase.n <= MOST_TRACED ? engine.steps(of, cell) : null;
    $('#steps').replaceChildren(...(steps ? listSteps(steps) : []));
    $('#no-steps').hidden = Boolean(steps) || !theCase.n;
    $('#no-steps').textContent = `Steps are shown for lines of up to ${MOST_TRACED} cells.`;
    if (!steps) {
        $('#rounding').textContent = '';
        theCase.n ? resultBits() : $('#bits').replaceChildren();
        return;
    }
    const rounds = theCase.element !== steps.compute;
    $('#rounding').textContent = rounds
        ? `Computed in ${steps.compute}, rounded once to ${theCase.element}.`
        : `Computed in ${steps.compute}; nothing is fused or reordered.`;
    const chosen = steps.nodes.find((node) => node.id === shownBits);
    chosen && chosen.id !== steps.result
        ? showBits(`the chosen step, in ${steps.compute} `, chosen.bits, steps.compute)
        : resultBits();
}

// ---- truth ----------------------------------------------------------------------------------------------------------

const RULINGS = {
    edge: 'An edge: no rounding decides it. Under these policies every sound evaluation gives exactly this.',
    bits: 'The bits agree with an evaluation of the clause in MPFR that shares no source with the library.',
    bound: 'Within the bound that the spec derives for this cell.',
    none: 'An intermediate leaves the normal range: no bound holds here, only the bits do.',
};

function showTruth() {
    const { engine, op, of, cell, theCase } = model;
    const all = theCase.n && theCase.n <= MOST_TRUTH
        ? Object.fromEntries(outputs(op).map((name) => [name, engine.truth(name)]))
        : null;
    showErrors(all);
    const truth = all?.[of], one = truth?.cells[cell];
    $('#truth').hidden = !one;
    if (!one) {
        return;
    }
    const exact = Number(one.exact), bounded = one.bounded && one.ruling !== 'edge';
    $('#exact').textContent = one.ruling === 'edge'
        ? exactly(Number(one.literal), theCase.element)
        : Number.isFinite(exact)
        ? decimals(Number(one.high), Number(one.low), one.exponent)
        : exactly(exact, 'f64');
    $('#ulps').textContent = one.ruling === 'edge'
        ? 'exact'
        : Number.isFinite(exact)
        ? `${Number(one.ulps).toPrecision(3)} ulp from it`
        : '';
    $('#ruling').textContent = `${one.wrong ? 'WRONG. ' : ''}${RULINGS[one.ruling]}${
        bounded ? ` Error over bound: ${roughly(Number(one.ratio), 2)}.` : ''
    } Clause ${truth.clause}.`;
}

export function startSteps() {
    watch('case', () => {
        shownBits = null;
        showSteps();
    });
    watch('values', soon(showSteps));
    watch('cell', () => {
        shownBits = null;
        showSteps();
    });
    watch('rest', showTruth);
}
