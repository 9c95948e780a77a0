// The order of sums: the same terms added in four orders, each as a tree of additions with the error of every one.
import { $, el, svg } from './dom.js';
import { exactly, FORMATS, inPrint, roughly } from './numbers.js';
import { model, shownOperands, splitId, watch } from './state.js';
import { isShown, whenShown } from './tabs.js';

const LANES = 32, TILE = 1024; // clauses FOLD-ORDER and FOLD-TILES
const MOST_DRAWN = 64; // terms of a tree that can be looked at
const LARGEST = { f16: 65504, bf16: (0x1).fep127 };

// ---- rounding -------------------------------------------------------------------------------------------------------

const view = new DataView(new ArrayBuffer(8));

/** The exponent of a finite number that is not 0: 0 for those from 1 up to 2. */
function exponentOf(value) {
    view.setFloat64(0, value);
    const biased = view.getUint16(0) >> 4 & 0x7ff;
    return biased ? biased - 1023 : exponentOf(value * 2 ** 60) - 60;
}

/** The distance from a number to the next one in its type, away from zero. */
export function spacing(value, element) {
    const [bits, fraction] = FORMATS[element], least = 2 - 2 ** (bits - 1);
    return Number.isFinite(value) ? 2 ** (Math.max(least, value ? exponentOf(value) : least) - fraction) : NaN;
}

/** To the nearest number of a type, ties to even. Of a sum of two such numbers in a double this is the right one: a
 * double has more than twice their bits. */
export function rounded(value, element) {
    if (element === 'f64' || !Number.isFinite(value) || value === 0) {
        return value;
    }
    if (element === 'f32') {
        return Math.fround(value);
    }
    const step = spacing(value, element), steps = value / step, below = Math.floor(steps), rest = steps - below;
    const nearest = (below + (rest > 0.5 || (rest === 0.5 && below % 2) ? 1 : 0)) * step;
    return Math.abs(nearest) > LARGEST[element] ? Math.sign(nearest) * Infinity : nearest;
}

// ---- trees ----------------------------------------------------------------------------------------------------------

const leaf = (value) => ({ value, error: 0, level: 0, leaves: 1, turn: 0 });
let turns = 0; // additions made so far, in the order in which they are made

function add(left, right, element) {
    const a = left.value, b = right.value, sum = a + b, value = rounded(sum, element);
    const part = sum - a, lost = (a - (sum - part)) + (b - part); // what the double itself has lost
    return {
        left,
        right,
        value,
        error: Math.abs((sum - value) + (Number.isFinite(lost) ? lost : 0)),
        level: Math.max(left.level, right.level) + 1,
        leaves: left.leaves + right.leaves,
        turn: ++turns,
    };
}

const inTurn = (nodes, element) => nodes.reduce((sum, node) => add(sum, node, element));

function inPairs(nodes, element) {
    const half = nodes.length >> 1;
    return half ? add(inPairs(nodes.slice(0, half), element), inPairs(nodes.slice(half), element), element) : nodes[0];
}

/** A lane without a term holds -0, which changes nothing: it is left out. */
function folded(nodes, element) {
    if (nodes.length > TILE) {
        const tiles = Array.from(
            { length: Math.ceil(nodes.length / TILE) },
            (_, i) => folded(nodes.slice(TILE * i, TILE * (i + 1)), element),
        );
        return folded(tiles, element);
    }
    const lanes = Array.from(
        { length: Math.min(LANES, nodes.length) },
        (_, lane) => inTurn(nodes.filter((_, i) => i % LANES === lane), element),
    );
    for (let s = LANES / 2; s >= 1; s /= 2) {
        for (let lane = 0; lane < s && lane + s < lanes.length; lane++) {
            lanes[lane] = add(lanes[lane], lanes[lane + s], element);
        }
        lanes.length = Math.min(lanes.length, s);
    }
    return lanes[0];
}

function shuffled(nodes, seed) {
    const all = nodes.slice();
    let state = BigInt(seed) + 1n;
    for (let i = all.length - 1; i > 0; i--) {
        state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
        const j = Number((state >> 33n) % BigInt(i + 1));
        [all[i], all[j]] = [all[j], all[i]];
    }
    return all;
}

export const ORDERS = {
    spec: { title: 'the spec\u2019s 32 lanes', sum: folded },
    turn: { title: 'left to right', sum: inTurn },
    pairs: { title: 'in pairs', sum: inPairs },
    random: {
        title: 'in random order',
        sum: (nodes, element) => inTurn(shuffled(nodes, splitId(model.theCase.id).seed), element),
    },
};

/** The sum without rounding but the last: what additions of doubles lose is added as well. */
function exactSum(terms) {
    let sum = 0, lost = 0;
    for (const term of terms) {
        const next = sum + term, part = next - sum;
        lost += (sum - (next - part)) + (term - part);
        sum = next;
    }
    return sum + lost;
}

// ---- drawing --------------------------------------------------------------------------------------------------------

function place(node, from, width, top, height) {
    const middle = from + node.leaves * width / 2;
    node.x = node.left ? 0 : middle;
    node.y = top + height * (1 - node.level / Math.max(1, place.levels));
    if (node.left) {
        place(node.left, from, width, top, height);
        place(node.right, from + node.left.leaves * width, width, top, height);
        node.x = (node.left.x + node.right.x) / 2;
    }
}

function allNodes(node) {
    return node.left ? [node, ...allNodes(node.left), ...allNodes(node.right)] : [node];
}

function drawTree(root) {
    const room = $('#order-tree').parentNode.clientWidth - 2, high = 260, nodes = allNodes(root);
    const wide = Math.max(300, root.leaves * 7, Math.min(room, root.leaves * 40)), apart = wide / root.leaves;
    const worst = Math.max(...nodes.map((node) => node.error));
    place.levels = root.level;
    place(root, 0, apart, 16, high - 32);
    const lines = nodes.filter((node) => node.left).map((node) => {
        const d = [node.left, node.right].map((child) => `M${node.x} ${node.y}L${child.x} ${child.y}`).join('');
        return svg('path', { d, class: 'branches', 'data-turn': node.turn });
    });
    $('#order-tree').replaceChildren(
        ...lines,
        ...nodes.map((node) =>
            svg(
                'circle',
                {
                    cx: node.x,
                    cy: node.y,
                    r: node.left ? Math.min(5, apart * 0.45) : Math.min(3.5, apart * 0.3),
                    class: node.left ? 'sum-node' : 'term-node',
                    'data-turn': node.turn,
                    'fill-opacity': worst > 0 ? (0.12 + 0.88 * node.error / worst).toFixed(3) : 0,
                },
                svg(
                    'title',
                    {},
                    node.left
                        ? `${roughly(node.left.value)} + ${roughly(node.right.value)} = ${roughly(node.value)}, error ${
                            roughly(node.error, 2)
                        }`
                        : roughly(node.value),
                ),
            )
        ),
    );
    $('#order-tree').setAttribute('viewBox', `0 0 ${wide} ${high}`);
    $('#order-tree').setAttribute('width', wide);
    $('#order-tree').setAttribute('height', high);
}

const signed = (text) => text.startsWith('-') ? `(${text})` : text;
const sentence = (node, element) =>
    `${exactly(node.left.value, element)} + ${signed(exactly(node.right.value, element))} = ${
        exactly(node.value, element)
    }` +
    (node.error ? `, rounded by ${roughly(node.error, 2)}` : ', exactly');

// ---- playing --------------------------------------------------------------------------------------------------------

let playing = 0, played = [];

/** The tree as it is after so many additions. */
function showTurn(turn) {
    const last = played[turn - 1], element = $('#order-type').value;
    for (const node of $('#order-tree').querySelectorAll('[data-turn]')) {
        const own = Number(node.dataset.turn);
        node.classList.toggle('later', own > turn);
        node.classList.toggle('now', own > 0 && own === turn && turn < played.length);
    }
    $('#order-at').max = played.length;
    $('#order-at').value = turn;
    $('#order-step').textContent = `${turn} of ${played.length}`;
    $('#order-now').textContent = last ? sentence(last, element) : 'The terms, before any addition.';
}

function pause() {
    clearInterval(playing);
    playing = 0;
    $('#order-play').textContent = 'Play';
}

function play() {
    if (playing) {
        pause();
        return;
    }
    if (Number($('#order-at').value) === played.length) {
        showTurn(0);
    }
    $('#order-play').textContent = 'Pause';
    playing = setInterval(() => {
        const next = Number($('#order-at').value) + 1;
        showTurn(Math.min(next, played.length));
        if (next >= played.length) pause();
    }, Math.max(60, Math.min(500, 8000 / played.length)));
}

/** dy where it is as long as the line, else the input. */
const termsOf = () =>
    shownOperands(model.op).includes('dy') && model.engine.count('dy') === model.theCase.n
        ? 'dy'
        : shownOperands(model.op)[0];

function show() {
    if (!isShown('order')) {
        return;
    }
    const name = termsOf(), element = $('#order-type').value, kind = $('#order-kind').value;
    const terms = Array.from(model.engine.values(name), (value) => rounded(value, element)), exact = exactSum(terms);
    const sums = Object.entries(ORDERS).map(([key, order]) => {
        turns = 0;
        return [key, order.title, order.sum(terms.map(leaf), element)];
    });
    const chosen = sums.find(([key]) => key === kind)[2], drawn = terms.length <= MOST_DRAWN;
    $('#order-says').textContent =
        `The sum of ${name} over this line, ${terms.length} terms, each addition rounded to ` +
        `${element}. ${
            drawn
                ? 'The deeper a point\u2019s colour, the larger the rounding error of its addition.'
                : `A tree is drawn up to ${MOST_DRAWN} terms.`
        }`;
    $('#order-tree').parentNode.hidden = !drawn;
    $('#order-at').parentNode.hidden = $('#order-play').hidden = !drawn;
    pause();
    if (drawn) {
        drawTree(chosen);
        played = allNodes(chosen).filter((node) => node.left).sort((a, b) => a.turn - b.turn);
        showTurn(played.length);
    } else {
        $('#order-step').textContent = $('#order-now').textContent = '';
    }
    showResults(sums, exact, element);
}

function showResults(sums, exact, element) {
    const head = ['order', 'result', 'hexadecimal', 'off by, in its last place', 'additions one after the other'];
    const values = sums.map(([, , root]) => root.value);
    $('#order-results').replaceChildren(
        el('thead', {}, el('tr', {}, head.map((title) => el('th', { scope: 'col' }, title)))),
        el(
            'tbody',
            {},
            sums.map(([key, title, root]) =>
                el(
                    'tr',
                    { class: key === $('#order-kind').value ? 'chosen' : '' },
                    el('th', { scope: 'row' }, title),
                    el(
                        'td',
                        { class: Object.is(root.value, values[0]) ? '' : 'differs' },
                        inPrint(exactly(root.value, element)),
                    ),
                    el('td', {}, model.engine.hex(root.value)),
                    el('td', {}, roughly((root.value - exact) / spacing(exact, element), 3)),
                    el('td', {}, root.level),
                )
            ),
        ),
    );
}

export function startOrder() {
    const option = (value, label) => el('option', { value }, label);
    $('#order-kind').replaceChildren(...Object.entries(ORDERS).map(([key, { title }]) => option(key, title)));
    $('#order-type').replaceChildren(...model.engine.tables.elements.map((name) => option(name, name)));
    $('#order-kind').addEventListener('change', show);
    $('#order-type').addEventListener('change', show);
    $('#order-play').addEventListener('click', play);
    $('#order-at').addEventListener('input', () => {
        pause();
        showTurn(Number($('#order-at').value));
    });
    whenShown('order', show);
    watch('case', () => {
        $('#order-type').value = model.theCase.element;
        show();
    });
    watch('values', show);
}
