// The numbers: a row for each cell; inputs can be typed.
import { $, el, set, soon } from './dom.js';
import { exactly } from './numbers.js';
import { beginMove, editable, editCell, evaluated, model, outputs, selectCell, shownOperands, watch } from './state.js';

const ROWS = 64; // more cells than that are shown a window at a time
const EXPECTED = 'a number: 1.5, 1/3, 2^10, 0x1.8p-3, inf or nan';
let first = 0, fields = new Map();

const name = (operand, i) => model.engine.count(operand) === 1 ? operand : `${operand}[${i}]`;

function wrong(field, reason) {
    const id = `${field.id}-wrong`;
    field.setAttribute('aria-invalid', String(Boolean(reason)));
    field.nextElementSibling.textContent = reason ?? '';
    reason ? field.setAttribute('aria-describedby', id) : field.removeAttribute('aria-describedby');
}

/** Takes back what was typed and not understood. */
function restore(field, operand, i) {
    wrong(field, null);
    field.value = exactly(model.engine.values(operand)[i], model.theCase.element);
}

function typed(field, operand, i) {
    if (!field.value.trim()) {
        restore(field, operand, i);
        return;
    }
    const asked = evaluated(field.value);
    if (asked === undefined) {
        wrong(field, `not ${EXPECTED}`);
        return;
    }
    const value = model.engine.parse(model.engine.hex(asked));
    wrong(field, null);
    if (Object.is(value, model.engine.values(operand)[i])) {
        field.value = exactly(value, model.theCase.element);
        return;
    }
    beginMove(operand, i);
    editCell(operand, i, asked);
    field.value = exactly(model.engine.values(operand)[i], model.theCase.element);
}

function makeCell(operand, i) {
    if (i >= model.engine.count(operand)) {
        return el('td', { class: 'same' }, '');
    }
    const colour = { dy: 'g', da: 'dx' }[operand] ?? operand;
    if (!editable(operand)) {
        const cell = el('td', { class: `v-${colour}` });
        fields.set(`${operand}.${i}`, cell);
        return cell;
    }
    const id = `cell-${operand}-${i}`;
    const field = el('input', {
        id,
        class: `v-${colour}`,
        type: 'text',
        inputmode: 'text',
        autocomplete: 'off',
        spellcheck: 'false',
        'aria-label': name(operand, i),
        onchange: () => typed(field, operand, i),
        onkeydown: (event) => event.key === 'Escape' && restore(field, operand, i),
        onfocus: () => selectCell(model.engine.count(operand) === 1 ? model.cell : i),
    });
    fields.set(`${operand}.${i}`, field);
    return el('td', {}, field, el('span', { class: 'wrong', id: `${id}-wrong`, role: 'alert' }));
}

function makeRow(i, operands) {
    const choose = el('button', {
        type: 'button',
        class: 'row-button',
        'aria-label': `look at cell ${i}`,
        onclick: () => selectCell(i),
    }, String(i));
    return el(
        'tr',
        { 'data-cell': i },
        el('th', { scope: 'row' }, choose),
        operands.map((operand) => makeCell(operand, i)),
        el('td', { class: 'error-cell', 'data-of': i }),
    );
}

function build() {
    const operands = shownOperands(model.op), n = model.theCase.n;
    first = n <= ROWS ? 0 : Math.max(0, Math.min(n - ROWS, model.cell - ROWS / 2));
    fields = new Map();
    const rows = Array.from({ length: Math.min(n, ROWS) }, (_, k) => makeRow(first + k, operands));
    $('#numbers-head').replaceChildren(
        el('th', { scope: 'col' }, 'cell'),
        ...operands.map((operand) => el('th', { scope: 'col' }, operand)),
        el('th', { scope: 'col' }, 'off by'),
    );
    $('#numbers-body').replaceChildren(...rows);
    $('#window').textContent = n > ROWS
        ? `Cells ${first} to ${first + ROWS - 1} of ${n}; choose a cell in the plots to see those around it.`
        : '';
    update();
}

function update() {
    for (const [key, node] of fields) {
        const [operand, i] = key.split('.'), text = exactly(model.engine.values(operand)[i], model.theCase.element);
        if (node.tagName !== 'INPUT') {
            node.textContent = text;
        } else if (
            node !== document.activeElement && node.getAttribute('aria-invalid') !== 'true' ||
            node.dataset.line !== String(model.line)
        ) {
            node.value = text;
        }
        if (node.tagName === 'INPUT') {
            node.dataset.line = model.line;
        }
    }
    highlight();
}

function highlight() {
    if (model.theCase.n > ROWS && (model.cell < first || model.cell >= first + ROWS)) {
        build();
        return;
    }
    for (const row of $('#numbers-body').rows) {
        set(row, { class: Number(row.dataset.cell) === model.cell ? 'chosen' : '' });
    }
}

/** Each result's distance from the exact value, in units in the last place. */
export function showErrors(truth) {
    for (const cell of document.querySelectorAll('.error-cell')) {
        const all = outputs(model.op).map((operand) => truth?.[operand]?.cells[cell.dataset.of]).filter(Boolean);
        cell.textContent = all.map((one) => one.ruling === 'edge' ? 'exact' : `${Number(one.ulps).toPrecision(2)} ulp`)
            .join(', ');
    }
}

export function startTable() {
    watch('case', build);
    watch('values', soon(update));
    watch('cell', highlight);
}
