// How the op table's formulas look in print, by op: [forward, gradient, ...]. An op that is not here has what the table
// says: in print where that is an equation, in words where it is not.
import { cases, fn, frac, markup, product, root, row, sub, sum, sup, words } from './mathml.js';
import { readFormulas } from './read.js';

const x_i = sub('x', 'i'), y_i = sub('y', 'i'), g_i = sub('g', 'i');
const x_j = sub('x', 'j'), y_j = sub('y', 'j'), g_j = sub('g', 'j');
const dx_i = sub('dx', 'i'), dx_j = sub('dx', 'j');
const mean = markup('<mover><mi class="v-x">x</mi><mo>\u00af</mo></mover>');

const where = (...parts) => row(words('where '), ...parts);
const elsewhere = words('elsewhere');
/** A formula that holds but for one case. */
const except = (value, condition, formula) => cases([value, condition], [formula, elsewhere]);

// How far a scan reaches, forward and in its gradient.
const upTo = ({ reverse }) => ['j', reverse ? '\u2265' : '\u2264', 'i'];
const fromOn = ({ reverse }) => ['i', reverse ? '\u2264' : '\u2265', 'j'];

// ---- formulas that heed policies ------------------------------------------------------------------------------------

const TAKES = {
    all: ['g', () => where(x_i, '=', 'y')],
    split: [frac('g', 'k'), () => where(x_i, '=', 'y', words(', k of them'))],
    first: ['g', () => row(words('at the first '), x_i, '=', 'y')],
    last: ['g', () => row(words('at the last '), x_i, '=', 'y')],
};
const AT_NAN = {
    none: ['0', () => where('y', words(' is NaN'))],
    spread: ['NaN', () => where('y', words(' is NaN'))],
    first: ['g', () => words('at the first NaN')],
};
/** What a cell gets that takes nothing: 0, or g · 0. */
const nothing = (multiplies) => multiplies ? row('g', '\u00b7', '0') : '0';
const isExtremum = (name) => ({ ties, max_nan, losers }) => {
    const lost = nothing(losers !== 'zero');
    const taken = [TAKES[ties], AT_NAN[max_nan]].map(([value, at]) => [value === '0' ? lost : value, at()]);
    return [row('y', '=', fn(name, x_i)), row(dx_i, '=', cases(...taken, [lost, elsewhere]))];
};
const winner = (name) => (how) => [
    row(y_i, '=', markup(`<munder><mi>${name}</mi>${row(...upTo(how))}</munder>`), x_j),
    row(dx_j, '=', sum([words('where '), 'j', words(' wins ')], g_i)),
    words(
        `of equals the ${how.scan_ties} wins; a NaN wins ${
            how.scan_nan === 'every' ? 'whenever it comes' : 'only where the line starts with it'
        }`,
    ),
];
const pick = (name, wins, loses) => ({ pair_nan, losers }) => {
    const lost = nothing(losers === 'product');
    const share = (own, other) =>
        cases(
            ['g', row(own, wins, other)],
            [frac('g', '2'), row('a', '=', 'b')],
            [lost, row(own, loses, other)],
            [pair_nan === 'both' ? 'g' : lost, words('where one is NaN')],
        );
    return [row('y', '=', fn(name, 'a', ',', 'b')), row('da', '=', share('a', 'b')), row('db', '=', share('b', 'a'))];
};
const unlessZero = (denominator, dead, formula) =>
    denominator === 'zero' ? except(dead, where('y', '=', '0'), formula) : formula;

/** What m is: n without the correction, and what happens where nothing is left. */
function divisor({ divisor: policy, correction }) {
    const says = {
        one: ', 1 where that is not > 0',
        literal: '',
        dead: ', and g counts as 0 where that is not > 0',
    };
    return row('m', '=', 'n', '\u2212', String(correction).replace('-', '\u2212'), words(says[policy]));
}
const deviation = row('(', x_i, '\u2212', mean, ')');
const variance = frac(sum('i', sup(deviation, '2')), 'm');
/** How x − mean is computed, and a line that says so where it is not as written. */
const first = sub('x', '0'), placed = row('(', x_i, '\u2212', first, ')');
const centred = ({ centre }) => centre === 'shifted' ? row('(', placed, '\u2212', 'c', ')') : deviation;
const centreOf = ({ centre }) =>
    centre === 'shifted' ? [row('c', '=', frac(sum('i', placed), 'n'), words(', the first x taken off'))] : [];

const POWERS = {
    literal: (da, db) => [da, db],
    masked: (da, db) => [
        except('0', where('b', '=', '0'), da),
        except(nothing(true), where('a', '=', '0', ',', 'b', '\u2265', '0'), db),
    ],
    unit_log: (da, db) => [
        da,
        except(row('g', '\u00b7', sup('a', 'b'), '\u00b7', fn('log', '1')), where('a', '=', '0'), db),
    ],
};
const square = row(sup('a', '2'), '+', sup('b', '2'));

/** g · a / b as written, or with the quotient first; and a / b / b, which no square can lose. */
const over = (first, g, a, b) => first ? row(g, '\u00b7', frac(a, b)) : frac(row(g, '\u00b7', a), b);
/** Does the quotient of div and norm2 come first? */
const careful = (quotient) => quotient !== 'literal';
const twice = (a, b) => frac(row(a, '/', b), b);

function ofPow({ pow_zero }) {
    const [da, db] = POWERS[pow_zero](
        row('g', '\u00b7', 'b', '\u00b7', sup('a', ['b', '\u2212', '1'])),
        row('g', '\u00b7', sup('a', 'b'), '\u00b7', fn('log', 'a')),
    );
    return [row('y', '=', sup('a', 'b')), row('da', '=', da), row('db', '=', db)];
}

function ofProd({ zeros }) {
    const exactly = row('g', '\u00b7', product(['j', '\u2260', 'i'], x_j));
    const literally = frac(row('g', '\u00b7', 'y'), x_i);
    const dx = {
        literal: literally,
        exact: exactly,
        where_zero: cases([exactly, words('where the line holds a 0')], [literally, elsewhere]),
    }[zeros];
    return [row('y', '=', product('i', x_i)), row(dx_i, '=', dx)];
}

function ofCumprod(how) {
    const past = how.reverse ? ['k', '>', 'j'] : ['k', '<', 'j'];
    const between = how.reverse ? ['i', '\u2264', 'k', '<', 'j'] : ['j', '<', 'k', '\u2264', 'i'];
    const x_k = sub('x', 'k');
    const exactly = row(product(past, x_k), '\u00b7', sum(fromOn(how), g_i, '\u00b7', product(between, x_k)));
    const literally = frac(sum(fromOn(how), g_i, '\u00b7', y_i), x_j);
    const dx = {
        literal: literally,
        exact: exactly,
        where_zero: cases(
            [literally, words('before the first 0, i too')],
            [exactly, words('at it, i before the second')],
            ['0', words('after it')],
        ),
    }[how.zeros];
    return [row(y_i, '=', product(upTo(how), x_j)), row(dx_j, '=', dx)];
}

/** By op: its formulas, or a function that has them under the policies' values, the direction and the correction. */
export const FORMULAS = {
    sum: [row('y', '=', sum('i', x_i)), row(dx_i, '=', 'g')],
    mean: [row('y', '=', frac(sum('i', x_i), 'n')), row(dx_i, '=', frac('g', 'n'))],
    max: isExtremum('max'),
    min: isExtremum('min'),
    prod: ofProd,
    norm2: ({ denominator, quotient }) => [
        row('y', '=', root(sum('i', sup(x_i, '2')))),
        row(dx_i, '=', unlessZero(denominator, nothing(true), over(careful(quotient), 'g', x_i, 'y'))),
    ],
    logsumexp: [
        row('y', '=', fn('log', sum('i', fn('exp', x_i)))),
        row(dx_i, '=', 'g', '\u00b7', fn('exp', x_i, '\u2212', 'y')),
    ],
    var: (how) => [
        row('y', '=', variance),
        row(dx_i, '=', frac(row('g', '\u00b7', '2', centred(how)), 'm')),
        divisor(how),
        ...centreOf(how),
    ],
    std: (how) => [
        row('y', '=', root(variance)),
        row(
            dx_i,
            '=',
            unlessZero(
                how.denominator,
                frac(row('0', '\u00b7', centred(how)), 'm'),
                frac(row('g', '\u00b7', centred(how)), row('m', '\u00b7', 'y')),
            ),
        ),
        divisor(how),
        ...centreOf(how),
    ],
    cumsum: (how) => [row(y_i, '=', sum(upTo(how), x_j)), row(dx_j, '=', sum(fromOn(how), g_i))],
    cumprod: ofCumprod,
    cummax: winner('max'),
    cummin: winner('min'),
    logcumsumexp: (how) => [
        row(y_i, '=', fn('log', sum(upTo(how), fn('exp', x_j)))),
        row(dx_j, '=', sum(fromOn(how), g_i, '\u00b7', fn('exp', x_j, '\u2212', y_i))),
    ],
    div: ({ quotient }) => [
        row('y', '=', frac('a', 'b')),
        row('da', '=', frac('g', 'b')),
        careful(quotient)
            ? row('db', '=', '\u2212', 'g', '\u00b7', twice('a', 'b'))
            : row('db', '=', '\u2212', frac(row('g', '\u00b7', 'a'), row('b', '\u00b7', 'b'))),
    ],
    maximum: pick('max', '>', '<'),
    minimum: pick('min', '<', '>'),
    pow: ofPow,
    atan2: ({ atan2_zero, quotient }) => {
        const byRoot = quotient === 'careful', none = byRoot ? 'h' : square;
        const side = (name, sign, own) => {
            const formula = byRoot
                ? row(...sign, 'g', '\u00b7', twice(own, 'h'))
                : frac(row(...sign, 'g', '\u00b7', own), square);
            const dead = row(...sign, 'g', '\u00b7', own, '\u00b7', '0');
            const whole = atan2_zero === 'zero' ? except(dead, where(none, '=', '0'), formula) : formula;
            return row(name, '=', whole);
        };
        return [
            row('y', '=', fn('atan2', 'a', ',', 'b')),
            side('da', [], 'b'),
            side('db', ['\u2212'], 'a'),
            ...(byRoot ? [row('h', '=', fn('hypot', 'a', ',', 'b'))] : []),
        ];
    },
    hypot: ({ hypot_zero, quotient }) => {
        const share = (own) => {
            const formula = over(quotient === 'careful', 'g', own, fn('hypot', 'a', ',', 'b'));
            return hypot_zero === 'half' ? except(frac('g', '2'), where('a', '=', 'b', '=', '0'), formula) : formula;
        };
        return [row('y', '=', root(square)), row('da', '=', share('a')), row('db', '=', share('b'))];
    },
    lerp: ({ lerp_weight }) => [
        row('y', '=', 'a', '+', 'w', '(', 'b', '\u2212', 'a', ')'),
        row('da', '=', '(', '1', '\u2212', 'w', ')', '\u00b7', 'g'),
        row('db', '=', 'w', '\u00b7', 'g'),
        words(lerp_weight === 'f32' ? 'w is rounded to f32 first' : '1 \u2212 w is taken in f64'),
    ],
    softmax: [
        row(y_i, '=', frac(fn('exp', x_i), sum('j', fn('exp', x_j)))),
        row(dx_i, '=', y_i, '\u00b7', '(', g_i, '\u2212', sum('j', y_j, '\u00b7', g_j), ')'),
    ],
    log_softmax: [
        row(y_i, '=', x_i, '\u2212', fn('log', sum('j', fn('exp', x_j)))),
        row(dx_i, '=', g_i, '\u2212', fn('exp', y_i), '\u00b7', sum('j', g_j)),
    ],
};

const printed = (text) => readFormulas(text) ?? [words(text)];

/** The formulas of an op under `how`; those of its table row, where nothing better is known. */
export function formulasOf(op, how) {
    const known = FORMULAS[op.name] ?? [...printed(op.forward), ...printed(op.gradient)];
    return typeof known === 'function' ? known(how) : known;
}
