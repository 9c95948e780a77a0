// How the op table's formulas look in print, by op: [forward, gradient, ...]. An op that is not here is shown as the
// table has it.
import { cases, fn, frac, product, root, row, sub, sum, sup, words } from './mathml.js';

const x_i = sub('x', 'i'), y_i = sub('y', 'i'), g_i = sub('g', 'i');
const x_j = sub('x', 'j'), y_j = sub('y', 'j'), g_j = sub('g', 'j');
const dx_i = sub('dx', 'i'), dx_j = sub('dx', 'j');
const mean = '<mover><mi class="v-x">x</mi><mo>\u00af</mo></mover>';
const upTo = ['j', '\u2264', 'i'], fromOn = ['i', '\u2265', 'j'];
const isExtremum = (name) => [
    row('y', '=', fn(name, x_i)),
    row(dx_i, '=', cases(['g', row(words('where '), x_i, '=', 'y')], ['0', words('elsewhere')])),
];
const winner = (name) => [
    row(y_i, '=', `<munder><mi>${name}</mi>${row(...upTo)}</munder>`, x_j),
    row(dx_j, '=', sum([words('where '), 'j', words(' wins ')], g_i)),
];
const share = (wins, loses, own, other) =>
    cases(['g', row(own, wins, other)], [frac('g', '2'), row('a', '=', 'b')], ['0', row(own, loses, other)]);
const pick = (name, wins, loses) => [
    row('y', '=', fn(name, 'a', ',', 'b')),
    row('da', '=', share(wins, loses, 'a', 'b')),
    row('db', '=', share(wins, loses, 'b', 'a')),
];
const square = row(sup('a', '2'), '+', sup('b', '2'));

export const FORMULAS = {
    sum: [row('y', '=', sum('i', x_i)), row(dx_i, '=', 'g')],
    mean: [row('y', '=', frac(sum('i', x_i), 'n')), row(dx_i, '=', frac('g', 'n'))],
    max: isExtremum('max'),
    min: isExtremum('min'),
    prod: [row('y', '=', product('i', x_i)), row(dx_i, '=', frac(row('g', '\u00b7', 'y'), x_i))],
    norm2: [row('y', '=', root(sum('i', sup(x_i, '2')))), row(dx_i, '=', frac(row('g', '\u00b7', x_i), 'y'))],
    logsumexp: [
        row('y', '=', fn('log', sum('i', fn('exp', x_i)))),
        row(dx_i, '=', 'g', '\u00b7', fn('exp', x_i, '\u2212', 'y')),
    ],
    var: [
        row('y', '=', frac(sum('i', sup(row('(', x_i, '\u2212', mean, ')'), '2')), 'm')),
        row(dx_i, '=', frac(row('g', '\u00b7', '2', '(', x_i, '\u2212', mean, ')'), 'm')),
    ],
    std: [
        row('y', '=', root(frac(sum('i', sup(row('(', x_i, '\u2212', mean, ')'), '2')), 'm'))),
        row(dx_i, '=', frac(row('g', '\u00b7', '(', x_i, '\u2212', mean, ')'), row('m', '\u00b7', 'y'))),
    ],
    cumsum: [row(y_i, '=', sum(upTo, x_j)), row(dx_j, '=', sum(fromOn, g_i))],
    cumprod: [row(y_i, '=', product(upTo, x_j)), row(dx_j, '=', frac(sum(fromOn, g_i, '\u00b7', y_i), x_j))],
    cummax: winner('max'),
    cummin: winner('min'),
    logcumsumexp: [
        row(y_i, '=', fn('log', sum(upTo, fn('exp', x_j)))),
        row(dx_j, '=', sum(fromOn, g_i, '\u00b7', fn('exp', x_j, '\u2212', y_i))),
    ],
    add: [row('y', '=', 'a', '+', 'b'), row('da', '=', 'g'), row('db', '=', 'g')],
    sub: [row('y', '=', 'a', '\u2212', 'b'), row('da', '=', 'g'), row('db', '=', '\u2212', 'g')],
    mul: [row('y', '=', 'a', '\u00b7', 'b'), row('da', '=', 'g', '\u00b7', 'b'), row('db', '=', 'g', '\u00b7', 'a')],
    div: [
        row('y', '=', frac('a', 'b')),
        row('da', '=', frac('g', 'b')),
        row('db', '=', '\u2212', frac(row('g', '\u00b7', 'a'), row('b', '\u00b7', 'b'))),
    ],
    maximum: pick('max', '>', '<'),
    minimum: pick('min', '<', '>'),
    pow: [
        row('y', '=', sup('a', 'b')),
        row('da', '=', 'g', '\u00b7', 'b', '\u00b7', sup('a', ['b', '\u2212', '1'])),
        row('db', '=', 'g', '\u00b7', sup('a', 'b'), '\u00b7', fn('log', 'a')),
    ],
    atan2: [
        row('y', '=', fn('atan2', 'a', ',', 'b')),
        row('da', '=', frac(row('g', '\u00b7', 'b'), square)),
        row('db', '=', frac(row('\u2212', 'g', '\u00b7', 'a'), square)),
    ],
    hypot: [
        row('y', '=', root(square)),
        row('da', '=', frac(row('g', '\u00b7', 'a'), fn('hypot', 'a', ',', 'b'))),
        row('db', '=', frac(row('g', '\u00b7', 'b'), fn('hypot', 'a', ',', 'b'))),
    ],
    lerp: [
        row('y', '=', 'a', '+', 'w', '(', 'b', '\u2212', 'a', ')'),
        row('da', '=', '(', '1', '\u2212', 'w', ')', '\u00b7', 'g'),
        row('db', '=', 'w', '\u00b7', 'g'),
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

/** The formulas of an op: of its table row, where nothing better is known. */
export function formulasOf(op) {
    return FORMULAS[op.name] ?? [words(op.forward), words(op.gradient)];
}
