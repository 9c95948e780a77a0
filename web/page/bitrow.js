// The bits of a number, each under its part. Those of an input can be flipped, and go to the next number and back.
import { $, el } from './dom.js';
import { splitBits } from './numbers.js';
import { beginMove, editable, editCell, model, outputs, shownOperands } from './state.js';

const PARTS = ['sign', 'exponent', 'fraction'];
let whose = null; // the operand whose bits are shown at the chosen cell; null: the result's, or a step's

const cellOf = (operand) => model.engine.count(operand) === 1 ? 0 : model.cell;

// ---- editing --------------------------------------------------------------------------------------------------------

function put(operand, bits, digits) {
    const i = cellOf(operand);
    beginMove(operand, i);
    editCell(operand, i, model.engine.fromBits(bits.toString(16).padStart(digits, '0')));
}

/** The bits of the next number up, or down: a negative number's grow as it sinks. */
function neighbour(bits, digits, up) {
    const sign = 1n << BigInt(4 * digits - 1), size = bits & (sign - 1n), negative = Boolean(bits & sign);
    if (!size) {
        return up ? 1n : sign | 1n;
    }
    return negative === up ? bits - 1n : bits + 1n;
}

function buttons(operand, hex) {
    const bits = BigInt(`0x${hex}`);
    const step = (up) => () => put(operand, neighbour(bits, hex.length, up), hex.length);
    return el(
        'span',
        { class: 'ulps' },
        el('button', { type: 'button', class: 'pill', id: 'ulp-down', onclick: step(false) }, '\u22121 ULP'),
        el('button', { type: 'button', class: 'pill', id: 'ulp-up', onclick: step(true) }, '+1 ULP'),
    );
}

// ---- showing --------------------------------------------------------------------------------------------------------

function bit(text, place, operand, hex) {
    const flip = () => put(operand, BigInt(`0x${hex}`) ^ 1n << BigInt(place), hex.length);
    const shown = { class: text === '1' ? 'one' : '' };
    return operand
        ? el('button', {
            ...shown,
            type: 'button',
            'data-bit': place,
            'aria-label': `bit ${place}: ${text}`,
            onclick: flip,
        }, text)
        : el('i', shown, text);
}

/** Shows a number's bits; where an operand is named they are its own at the chosen cell, and can be flipped. */
export function showBits(label, digits, element, operand = null) {
    const parts = splitBits(digits, element), focused = document.activeElement?.dataset?.bit;
    let place = 4 * digits.length;
    const spans = parts.map((bits, k) =>
        el('span', { class: `bits ${PARTS[k]}` }, [...bits].map((one) => bit(one, --place, operand, digits)))
    );
    const says = `${label}: sign ${parts[0]}, exponent ${parts[1]}, fraction ${parts[2]}`;
    $('#bits').replaceChildren(
        el('p', { class: 'bits-of' }, label, el('code', {}, `0x${digits}`), operand && buttons(operand, digits)),
        el('div', { class: 'bit-row', role: operand ? 'group' : 'img', 'aria-label': says }, spans),
        el('p', { class: 'bit-legend', 'aria-hidden': 'true' }, PARTS.map((part) => el('span', { class: part }, part))),
    );
    if (focused !== undefined) {
        $(`#bits [data-bit="${focused}"]`)?.focus({ preventScroll: true });
    }
}

/** The bits of what was chosen: an input's, or else what `instead` shows. */
export function showChosenBits(instead, again) {
    const { theCase, engine, of } = model;
    const choices = shownOperands(model.op).filter((name) => name === of || !outputs(model.op).includes(name));
    whose = choices.includes(whose) ? whose : null;
    $('#bits-whose').replaceChildren(...choices.map((name) =>
        el('button', {
            type: 'button',
            class: 'pill',
            'data-whose': name,
            'aria-pressed': String(name === (whose ?? of)),
            onclick: () => {
                whose = name === of ? null : name;
                again();
            },
        }, name)
    ));
    if (!whose) {
        instead();
        return;
    }
    const i = cellOf(whose);
    showBits(`${whose}[${i}] in ${theCase.element} `, engine.bits(whose, i), theCase.element, editable(whose) && whose);
}
