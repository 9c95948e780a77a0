// The gradients of a binary operation over the plane of (a, b), with a probe that is the cell looked at.
import { $, el, soon } from './dom.js';
import { roughly } from './numbers.js';
import { beginMove, editCell, model, watch } from './state.js';
import { isShown, whenShown } from './tabs.js';

const SIDE = 96;
const RANGES = { '\u22121 to 1': [-1, 1], '\u22124 to 4': [-4, 4], '0 to 4': [0, 4], '\u2212100 to 100': [-100, 100] };
let range = RANGES['\u22124 to 4'];

// ---- colours --------------------------------------------------------------------------------------------------------

const rgb = (name) =>
    getComputedStyle(document.documentElement).getPropertyValue(name).trim().match(/\w\w/g).map((part) =>
        parseInt(part, 16)
    );
const mix = (a, b, t) => a.map((v, k) => v + (b[k] - v) * t);

/** Signs by colour, sizes by depth, on a scale that the median fills half. NaN has a colour of its own. */
function paint(canvas, values) {
    const sizes = values.filter(Number.isFinite).map(Math.abs).sort(),
        median = sizes[sizes.length >> 1] || sizes.at(-1) || 1;
    const [none, minus, plus, nan] = ['--map-zero', '--map-minus', '--map-plus', '--map-nan'].map(rgb);
    const image = new ImageData(SIDE, SIDE);
    values.forEach((v, i) => {
        const share = Math.abs(v) / (Math.abs(v) + median),
            colour = Number.isNaN(v) ? nan : mix(none, v < 0 ? minus : plus, Number.isFinite(v) ? share : 1);
        image.data.set([...colour, 255], 4 * i);
    });
    canvas.getContext('2d').putImageData(image, 0, 0);
}

// ---- the probe ------------------------------------------------------------------------------------------------------

const at = (name) => model.engine.values(name)[model.cell];
const share = (v) => Math.max(0, Math.min(1, (v - range[0]) / (range[1] - range[0])));

function showProbe() {
    if (!isShown('map') || model.op.axis || !model.theCase.n) {
        return;
    }
    for (const probe of document.querySelectorAll('.probe')) {
        probe.style.left = `${100 * share(at('a'))}%`;
        probe.style.top = `${100 * (1 - share(at('b')))}%`;
    }
    for (const name of ['a', 'b']) {
        $(`#probe-${name}`).value = at(name);
        $(`#probe-${name}`).setAttribute('aria-valuetext', roughly(at(name)));
    }
    $('#probe-says').textContent = `At a = ${roughly(at('a'))}, b = ${roughly(at('b'))} with g = ${
        roughly(at('dy'))
    }: da = ${roughly(at('da'))}, db = ${roughly(at('db'))}.`;
}

function move(a, b) {
    beginMove('a', model.cell);
    editCell('a', model.cell, Number(a.toPrecision(4)));
    editCell('b', model.cell, Number(b.toPrecision(4)));
}

function drag(canvas) {
    const place = (event) => {
        const box = canvas.getBoundingClientRect(), width = range[1] - range[0];
        const x = Math.max(0, Math.min(1, (event.clientX - box.left) / box.width)),
            y = Math.max(0, Math.min(1, (event.clientY - box.top) / box.height));
        move(range[0] + width * x, range[1] - width * y);
    };
    canvas.addEventListener('pointerdown', (event) => {
        event.preventDefault();
        canvas.setPointerCapture(event.pointerId);
        place(event);
    });
    canvas.addEventListener('pointermove', (event) => {
        if (canvas.hasPointerCapture(event.pointerId)) place(event);
    });
}

// ---- drawing --------------------------------------------------------------------------------------------------------

let drawnFor = '';

function show() {
    const tab = $('#tab-map');
    tab.hidden = Boolean(model.op.axis);
    if (model.op.axis || !isShown('map') || !model.theCase.n) {
        return;
    }
    const g = at('dy'),
        key = [model.theCase.id, range, g, matchMedia('(prefers-color-scheme: dark)').matches].join('|');
    if (key !== drawnFor) {
        drawnFor = key;
        const both = model.engine.map(SIDE, ...range, ...range, Number.isNaN(g) ? 1 : g);
        if (both) {
            paint($('#map-da'), Float64Array.from(both.subarray(0, SIDE * SIDE)));
            paint($('#map-db'), Float64Array.from(both.subarray(SIDE * SIDE)));
        }
    }
    for (const [low, high] of [range]) {
        $('#map-range-says').textContent = `a from left to right, b from bottom to top, both from ${
            roughly(low, 3)
        } to ${roughly(high, 3)}`;
    }
    showProbe();
}

export function startMap() {
    $('#map-range').replaceChildren(
        ...Object.keys(RANGES).map((name) => el('option', { selected: RANGES[name] === range }, name)),
    );
    $('#map-range').addEventListener('change', () => {
        range = RANGES[$('#map-range').value];
        for (const name of ['a', 'b']) {
            Object.assign($(`#probe-${name}`), { min: range[0], max: range[1] });
        }
        show();
    });
    for (const name of ['a', 'b']) {
        Object.assign($(`#probe-${name}`), { min: range[0], max: range[1], step: 'any' });
        $(`#probe-${name}`).addEventListener(
            'input',
            () => move(Number($('#probe-a').value), Number($('#probe-b').value)),
        );
    }
    ['#map-da', '#map-db'].forEach((id) => drag($(id)));
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', show);
    whenShown('map', show);
    watch('case', show);
    watch('values', soon(showProbe));
    watch('rest', show);
    watch('cell', show);
}
