// One cell: its formula with the numbers filled in, step by step, down to the bits.
import { showBits, showChosenBits } from './bitrow.js';
import { $, el, soon } from './dom.js';
import { exactly } from './numbers.js';
import { fn, frac, markup, math, row, sub, sum, sup, words } from './mathml.js';
import { model, outputs, selectCell, watch } from './state.js';

const COMPARISONS = ['equal', 'unequal', 'less', 'greater', 'at least'];
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

/** v + c \u2212 c: the constant is so large that its last bit counts 16 (clause LCSE-LINEAR). Returns v, or nothing. */
function anchored(node, nodes) {
    const sum = nodes.get(node.a), taken = nodes.get(node.b);
    const added = sum?.kind === 'add' && nodes.get(sum.b);
    const large = taken?.kind === 'constant' && !taken.name && Number(taken.value) >= 2 ** 26;
    return node.kind === 'sub' && large && added?.kind === 'constant' && added.value === taken.value
        ? nodes.get(sum.a)
        : null;
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
            if (anchored(node, nodes)) {
                return row('16', '\u00b7', fn('round', frac(expression(anchored(node, nodes), nodes, false), '16')));
            }
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
    const sign = { div: '/', pow: '^', ...SIGNS }[node.kind], near = anchored(node, nodes);
    return near
        ? `the multiple of 16 that is nearest to ${value(near, compute)}`
        : sign
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
    const compares = COMPARISONS.includes(node.kind),
        lone = ['input', 'constant'].includes(node.kind);
    const what = el('span', { class: 'what' }),
        outcome = compares ? (Number(node.value) ? 'yes' : 'no') : `= ${value(node, compute)}`;
    what.innerHTML = math(
        compares
            ? row(words('Is '), expression(node, nodes), words(' ?'))
            : node.name && !lone
            ? (formula ?? row(symbol(node), '=', expression(node, nodes)))
            : expression(node, nodes),
    );
    button.append(
        what,
        el('span', { class: 'numbers' }, details || lone ? '' : inNumbers(node, nodes, compute)),
        el('span', { class: 'outcome' }, outcome),
    );
    return el('li', { class: compares ? 'asks' : '' }, button, details);
}

// What the library's formulas have a name for, and no formula of the page shows.
// deno-fmt-ignore
const DEFINITIONS = {
    H: { cumprod: 'what this cell\u2019s g and all that the scan took before it add up to, each g times the x between',
        logcumsumexp: 'the sum of g\u00b7exp(Y \u2212 y) over this cell and all that the scan took before it, where ' +
            'Y is this cell\u2019s y as a multiple of 16: sums are rescaled only where Y changes' },
    before: 'the product of all x that the forward operation takes before this cell',
    after: 'the product of all x that come after this cell',
    ties: 'how many cells hold the extremum, and share g',
    m: 'what the sum of squares is divided by: n \u2212 correction',
    n: 'how many cells the line has',
    mean: 'the mean of the line\u2019s x',
    w: 'the weight, rounded to f32',
};

/** The names in a list of nodes that stand for something, each with what it is. */
function definitions(list) {
    const op = model.op.name;
    const named = [...new Set(list.map((node) => node.name))].filter((name) => DEFINITIONS[name]);
    return named.map((name) => {
        const says = DEFINITIONS[name];
        return el('li', {}, el('b', {}, name === 'mean' ? 'x\u0304' : name), `: ${says[op] ?? says}.`);
    });
}

function listSteps(steps) {
    const list = steps.nodes,
        nodes = new Map(list.map((node) => [node.id, node])),
        feeds = feedsSum(list, steps.result),
        rows = [];
    const lastOf = new Map(list.filter((node) => node.sum).map((node) => [node.sum, node.id]));
    const hidden = new Set(list.filter((node) => anchored(node, nodes)).map((node) => node.a));
    const last = (node) => node.id === steps.result; // reasons stand before what they lead to
    for (const node of [...list.filter((one) => !last(one)), ...list.filter(last)]) {
        const shown = node.id === steps.result || !['input', 'constant'].includes(node.kind);
        if (!shown || hidden.has(node.id) || feeds.has(node.id) || (node.sum && lastOf.get(node.sum) !== node.id)) {
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

// ---- the cell -------------------------------------------------------------------------------------------------------

function resultBits() {
    const { of, cell, theCase, engine } = model;
    showBits(`${of}[${cell}] in ${theCase.element} `, engine.bits(of, cell), theCase.element);
}

function showSteps() {
    const { engine, of, cell, theCase } = model;
    $('#cell-title').innerHTML = math(row(sub(of, String(cell)), '='));
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
    $('#definitions').replaceChildren(...(steps ? definitions(steps.nodes) : []));
    $('#no-steps').hidden = Boolean(steps) || !theCase.n;
    $('#no-steps').textContent = `Steps are shown for lines of up to ${MOST_TRACED} cells.`;
    if (!steps) {
        $('#rounding').textContent = '';
        theCase.n ? showChosenBits(resultBits, showSteps) : $('#bits').replaceChildren();
        return;
    }
    const rounds = theCase.element !== steps.compute;
    $('#rounding').textContent = rounds
        ? `Computed in ${steps.compute}, rounded once to ${theCase.element}.`
        : `Computed in ${steps.compute}; nothing is fused or reordered.`;
    const chosen = steps.nodes.find((node) => node.id === shownBits);
    const instead = () =>
        chosen && chosen.id !== steps.result
            ? showBits(`the chosen step, in ${steps.compute} `, chosen.bits, steps.compute)
            : resultBits();
    showChosenBits(instead, showSteps);
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
}
