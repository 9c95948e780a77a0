// The stage: formulas on top, and below them the plots of x (or a and b), y, dy and the gradient, aligned cell by cell.
import { $, el, say, set, svg } from './dom.js';
import { roughly } from './numbers.js';
import { math, prose } from './mathml.js';
import { formulasOf } from './formulas.js';
import { Plot } from './plot.js';
import { rivalResults } from './rival.js';
import {
    beginMove,
    editable,
    editCell,
    howItIs,
    inputs,
    model,
    outputs,
    selectCell,
    shownOperands,
    watch,
} from './state.js';

const COLOURS = { x: 'x', a: 'a', b: 'b', y: 'y', dy: 'g', dx: 'dx', da: 'dx', db: 'db' };
const TITLES = {
    x: 'x, the input',
    a: 'a, the first input',
    b: 'b, the second input',
    y: 'y, the result',
    dy: 'dy, the gradient that comes in (g)',
    dx: 'dx, the gradient',
    da: 'da, the gradient for a',
    db: 'db, the gradient for b',
};
const MOST_DIFFERENCES = 256;

let plots = [], built = '', written = '';
export const frameTimes = []; // milliseconds from a move to all plots drawn, for whoever measures

// ---- making ---------------------------------------------------------------------------------------------------------

function makePlot(operand) {
    const select = (i) => {
        if (!isLone(operand)) selectCell(i, outputs(model.op).includes(operand) ? operand : model.of);
    };
    const handlers = editable(operand)
        ? {
            select,
            begin: (i) => beginMove(operand, i),
            move: (i, value) => moveTo(operand, i, value),
            end: () => {
                drawAll();
                sayChange();
            },
        }
        : { select, point: (i) => showFlow(operand, i) };
    const plot = new Plot(operand, TITLES[operand], COLOURS[operand], handlers);
    plot.node.prepend(
        el(
            'p',
            { class: `plot-title v-${COLOURS[operand]}` },
            el('b', {}, operand),
            ` ${TITLES[operand].replace(/^\w+, /, '')}`,
            editable(operand) ? el('span', { class: 'hint' }, 'drag') : null,
        ),
    );
    return plot;
}

const isLone = (operand) => model.engine.count(operand) === 1 && model.theCase.n !== 1;

/** Every gradient below its input; then what comes in, and the result. */
function plotOrder(op) {
    const shown = shownOperands(op), pairs = inputs(op).flatMap((name, i) => [name, outputs(op)[i]]);
    return (shown.includes(inputs(op)[0]) ? [...pairs, 'dy', 'y'] : ['y', ...outputs(op), 'dy'])
        .filter((name) => shown.includes(name));
}

function build() {
    showFlow('', null);
    const wanted = plotOrder(model.op);
    const key = wanted.map((name) => name + editable(name)).join();
    if (key !== built) {
        built = key;
        plots = wanted.map(makePlot);
        $('#plots').replaceChildren(...plots.map((plot) => plot.node));
    }
    const formulas = formulasOf(model.op, howItIs()).map((formula, i) =>
        prose(formula)
            ? `<p class="note">${prose(formula)}</p>`
            : `<div class="${i ? 'gradient' : 'forward'}">${math(formula, i ? '' : model.op.forward)}</div>`
    ).join('');
    if (formulas !== written) {
        $('#formula').innerHTML = written = formulas;
    }
    const { op, id, n, element } = model.theCase;
    $('#print-title').textContent = `${op}: ${n} cells of ${element} (${id}${model.edits.size ? ', edited' : ''})`;
    resize();
    drawAll();
}

const LEAST = { main: 58, side: 44 }, GOOD_HEIGHT = 110, MOST_HEIGHT = 220; // pixels
const SIDE = 0.7; // of the height: dy and y

const CELLS_HEIGHT = 14; // pixels
const isSide = (plot) => ['dy', 'y'].includes(plot.operand);

const top = () => Math.round($('#plots').getBoundingClientRect().top + window.scrollY);
let fitted = 0;

/** All plots fit the screen together, where it has room for them at all; on a large one, with what is below them. */
function resize() {
    const width = $('#plots').clientWidth, above = fitted = top();
    const shares = plots.reduce((sum, plot) => sum + (isSide(plot) ? SIDE : 1), 0);
    const fit = (below) => (innerHeight - above - 12 - CELLS_HEIGHT - 2 * plots.length - below) / shares;
    const each = Math.min(MOST_HEIGHT, Math.max(fit($('.below').offsetHeight + 12), Math.min(GOOD_HEIGHT, fit(0))));
    for (const plot of plots) {
        const side = isSide(plot);
        plot.resize(width, Math.floor(Math.max(side ? LEAST.side : LEAST.main, side ? each * SIDE : each)));
        plot.drawnAxis = null;
    }
}

/** The cells' numbers, below all plots: as many as there is room for. */
function drawCells() {
    const [plot] = plots, n = model.theCase.n, key = `${n} ${plot.width}`;
    if (key === numbered) {
        return;
    }
    numbered = key;
    const every = Math.max(1, Math.ceil(n * (7 * String(n).length + LEAST_APART) / plot.width));
    const step = every === 1 ? 1 : 2 ** Math.ceil(Math.log2(every)), whole = plots.find(({ count }) => count === n);
    const shown = Array.from({ length: Math.ceil(n / step) }, (_, k) => k * step);
    const text = (i) => svg('text', { x: whole.xOf(i), y: 11, 'text-anchor': 'middle' }, String(i));
    $('#cells').replaceChildren(...(whole ? shown.map(text) : []));
    set($('#cells'), { width: plot.width, height: CELLS_HEIGHT });
}

// ---- data flow ------------------------------------------------------------------------------------------------------

const MOST_FLOW = 128, LEAST_APART = 12; // cells; pixels between two cells' numbers
const NAMES = { g: 'dy' };
let flowing = '', numbered = '';

/** The inputs that lead to a result, by operand, as the steps of its evaluation have them. */
function sources(of, cell) {
    const nodes = model.engine.steps(of, cell)?.nodes ?? [], cells = {};
    for (const node of nodes) {
        if (node.kind === 'input') {
            (cells[NAMES[node.name] ?? node.name] ??= new Set()).add(Math.max(0, node.index));
        }
    }
    return cells;
}

function showFlow(operand, cell) {
    const key = cell === null ? '' : `${operand}|${cell}`, made = outputs(model.op).includes(operand);
    if (key === flowing) {
        return;
    }
    flowing = key;
    const cells = key && made && model.theCase.n <= MOST_FLOW ? sources(operand, cell) : {};
    plots.forEach((plot) => plot.drawFlow(cells[plot.operand]));
}

// ---- drawing --------------------------------------------------------------------------------------------------------

function slopesFor(operand) {
    const input = inputs(model.op)[outputs(model.op).indexOf(operand)];
    const wanted = $('#differences').checked && input && model.theCase.n <= MOST_DIFFERENCES;
    return wanted ? Float64Array.from(model.engine.differences(input) ?? []) : null;
}

function drawAll() {
    const rival = rivalResults() ?? {};
    plots.forEach((plot) => {
        plot.logarithmic = $('#symlog').checked;
    });
    for (const plot of plots) {
        const slopes = slopesFor(plot.operand), theirs = rival[plot.operand];
        const also = [...(slopes ?? []), ...(theirs ?? [])];
        plot.draw(Float64Array.from(model.engine.values(plot.operand)), model.theCase.n, also);
        plot.drawRival(theirs);
        plot.drawBand(model.cell);
        plot.drawGhosts(model.before?.[plot.operand]);
        plot.drawDifferences(slopes);
    }
    drawCells();
    $('#changed').textContent = change();
    $('#sums').textContent = ['y', ...outputs(model.op)].map(sums).filter(Boolean).join(' \u00b7 ');
}

/** The sum and the norm of an operand's cells, in doubles. */
function sums(name) {
    const values = model.engine.values(name);
    const sum = values.reduce((s, v) => s + v, 0), norm = Math.sqrt(values.reduce((s, v) => s + v * v, 0));
    return values.length > 1 ? `\u03a3${name} ${roughly(sum, 3)}, \u2016${name}\u2016 ${roughly(norm, 3)}` : '';
}

let pending = null;

/** Moves are drawn once a frame, whatever the pace at which they come. */
function moveTo(operand, i, value) {
    if (!pending) {
        requestAnimationFrame(() => {
            const start = performance.now(), { operand: which, i: cell, value: now } = pending;
            pending = null;
            editCell(which, cell, now);
            frameTimes.push(performance.now() - start);
        });
    }
    pending = { operand, i, value };
}

// ---- what changed ---------------------------------------------------------------------------------------------------

function changeOf(name) {
    const now = model.engine.values(name), before = model.before[name];
    let changed = 0, most = 0, at = 0;
    for (let i = 0; i < now.length; i++) {
        if (Object.is(now[i], before[i])) {
            continue;
        }
        changed++;
        const by = Math.abs(now[i] - before[i]);
        if (by > most || Number.isNaN(by)) {
            most = by, at = i;
        }
    }
    if (!changed) {
        return `${name} did not change`;
    }
    const where = now.length > 1 ? ` in ${changed} of ${now.length} cells, most at ${at}` : '';
    return `${name} changed${where} (${roughly(before[at])} \u2192 ${roughly(now[at])})`;
}

function change() {
    if (!model.moved) {
        return '';
    }
    const { operand, i, from } = model.moved, to = model.engine.values(operand)[i];
    if (Object.is(from, to)) {
        return '';
    }
    return `${operand}[${i}] went from ${roughly(from)} to ${roughly(to)}: ${
        Object.keys(model.before).map(changeOf).join('; ')
    }.`;
}

const sayChange = () => say(change());

export function startStage() {
    watch('case', build);
    watch('values', drawAll);
    watch('cell', () => plots.forEach((plot) => plot.drawBand(model.cell)));
    $('#differences').addEventListener('change', drawAll);
    $('#symlog').addEventListener('change', drawAll);
    const fit = new ResizeObserver(() => {
        if (plots[0] && (top() !== fitted || $('#plots').clientWidth !== plots[0].width)) {
            resize();
            drawAll();
        }
    });
    ['.story', '#formula', '#rival', '#plots', '#choose'].forEach((place) => fit.observe($(place)));
}
