// One plot: an operand's cells along the line, as points on stems. Points of inputs are sliders, for the mouse, fingers
// and keys.
import { el, set, svg } from './dom.js';
import { niceRange, niceStep, onAxis, roughly, spoken } from './numbers.js';
import { linear, symlog } from './scale.js';

const LEFT = 56, RIGHT = 14, TOP = 14, BOTTOM = 6, HANDLES = 128;

export class Plot {
    /** handlers: select(i), begin(i), move(i, value), for inputs; select(i) alone for results. */
    constructor(operand, title, colour, handlers) {
        Object.assign(this, { operand, title, colour, handlers, count: 0, range: [-1, 1], frozen: null, cell: 0 });
        this.band = svg('rect', { class: 'band' });
        this.axis = svg('g', { class: 'axis', 'aria-hidden': 'true' });
        this.ghosts = svg('g', { class: 'ghosts', 'aria-hidden': 'true' });
        this.stems = svg('path', { class: 'stems' });
        this.overlay = svg('path', { class: 'differences' });
        this.flow = svg('path', { class: 'flow' });
        this.tip = svg('text', { class: 'tip', 'aria-hidden': 'true' });
        this.scale = linear;
        this.rival = svg('path', { class: 'rival' });
        this.points = svg('g', { class: 'points' });
        this.svg = svg(
            'svg',
            { class: `plot v-${colour}`, role: 'group', 'aria-label': title },
            this.band,
            this.axis,
            this.stems,
            this.ghosts,
            this.points,
            this.rival,
            this.flow,
            this.overlay,
            this.tip,
        );
        this.node = el('div', { class: 'plot-row' }, this.svg);
        // Browsers do not heed touch-action on parts of an SVG: a finger on a point would scroll the page.
        this.svg.addEventListener('touchstart', (event) => {
            if (this.editable && event.target.closest('.handle')) event.preventDefault();
        }, { passive: false });
        this.svg.addEventListener('pointerdown', (event) => this.pressed(event));
        this.svg.addEventListener('pointermove', (event) => this.dragged(event));
        this.svg.addEventListener('pointermove', (event) => this.hovered(event));
        this.svg.addEventListener('pointerleave', () => this.left());
        this.svg.addEventListener('pointerup', (event) => this.released(event));
        this.svg.addEventListener('pointercancel', (event) => this.released(event));
        this.svg.addEventListener('keydown', (event) => this.key(event));
    }

    get editable() {
        return Boolean(this.handlers.move);
    }

    // ---- geometry ---------------------------------------------------------------------------------------------------

    resize(width, height) {
        this.width = width;
        this.height = height;
        set(this.svg, { width, height, viewBox: `0 0 ${width} ${height}` });
    }

    /** `places` is how many cells the line has: an operand with one cell sits in the middle. */
    columnWidth() {
        return (this.width - LEFT - RIGHT) / Math.max(1, this.places);
    }
    xOf(i) {
        return LEFT + this.columnWidth() * (this.count === 1 ? this.places / 2 : i + 0.5);
    }
    yOf(v) {
        const [low, high] = (this.frozen ?? this.range).map(this.scale.to), inner = this.height - TOP - BOTTOM;
        const share = v === Infinity ? 1 : v === -Infinity ? 0 : (this.scale.to(v) - low) / (high - low);
        return TOP + inner * (1 - Math.max(-0.06, Math.min(1.06, share)));
    }
    valueAt(y) {
        const [low, high] = (this.frozen ?? this.range).map(this.scale.to);
        return this.scale.from(low + (high - low) * (1 - (y - TOP) / (this.height - TOP - BOTTOM)));
    }
    cellAt(x) {
        return this.count === 1
            ? 0
            : Math.max(0, Math.min(this.count - 1, Math.floor((x - LEFT) / this.columnWidth())));
    }

    // ---- drawing ----------------------------------------------------------------------------------------------------

    /** Other values that the range must show come in `also`. */
    draw(values, places, also = []) {
        this.values = values;
        this.places = places;
        if (values.length !== this.count || !this.dots) {
            this.makePoints(values.length);
        }
        const all = [...values, ...also];
        if (!this.frozen) {
            this.scale = this.logarithmic ? symlog(all) : linear;
        }
        this.range = this.scale.range?.(all) ?? niceRange(all);
        this.drawAxis();
        this.drawPoints();
    }

    makePoints(count) {
        this.count = count;
        const handles = count <= HANDLES;
        this.dots = handles ? Array.from({ length: count }, (_, i) => this.makePoint(i)) : [];
        this.points.replaceChildren(...this.dots.map((dot) => dot.group));
    }

    makePoint(i) {
        const mark = svg('path', { class: 'mark' });
        if (!this.editable) {
            return { group: svg('g', {}, mark), mark };
        }
        const target = svg('circle', { class: 'target', r: 14 });
        const group = svg(
            'g',
            { class: 'handle', role: 'slider', tabindex: '-1', 'data-cell': i, 'aria-label': `${this.operand} ${i}` },
            target,
            mark,
        );
        group.addEventListener('focus', () => this.handlers.select(i));
        return { group, mark, target };
    }

    drawAxis() {
        const [low, high] = this.frozen ?? this.range,
            key = [low, high, this.width, this.height, this.scale.key].join('|');
        if (key === this.drawnAxis) {
            return;
        }
        this.drawnAxis = key;
        const ticks = (this.scale.ticks?.(low, high) ?? [...new Set([low, 0, high])])
            .filter((v) => v >= low && v <= high);
        this.axis.replaceChildren(...ticks.flatMap((v) => [
            svg('line', {
                x1: LEFT,
                x2: this.width - RIGHT,
                y1: this.yOf(v),
                y2: this.yOf(v),
                class: v === 0 ? 'zero' : 'tick',
            }),
            svg('text', { x: LEFT - 8, y: this.yOf(v) + 4, 'text-anchor': 'end' }, onAxis(v)),
        ]));
    }

    drawPoints() {
        const zero = this.yOf(0),
            stems = [],
            size = this.count === 1 ? 6 : Math.max(2.5, Math.min(5.5, this.columnWidth() / 3));
        for (let i = 0; i < this.count; i++) {
            const v = this.values[i], x = this.xOf(i), y = this.yOf(v);
            if (!Number.isNaN(v)) {
                stems.push(`M${x} ${zero}V${y}`);
            }
            if (this.dots.length) {
                this.drawPoint(this.dots[i], i, v, x, Number.isNaN(v) ? zero : y, size);
            }
        }
        if (this.count === 1 && !Number.isNaN(this.values[0])) {
            stems.push(`M${LEFT} ${this.yOf(this.values[0])}H${this.width - RIGHT}`);
        }
        set(this.stems, { d: stems.join('') });
    }

    drawPoint(dot, i, v, x, y, size) {
        const cross = Number.isNaN(v), arrow = !cross && !Number.isFinite(v), up = v > 0 ? -1 : 1, s = size;
        const shape = cross
            ? `M${-s} ${-s}L${s} ${s}M${-s} ${s}L${s} ${-s}`
            : arrow
            ? `M${-s} 0L0 ${up * s * 1.6}L${s} 0Z`
            : `M${-s} 0A${s} ${s} 0 1 0 ${s} 0A${s} ${s} 0 1 0 ${-s} 0Z`;
        set(dot.mark, { d: shape, transform: `translate(${x} ${y})`, class: cross ? 'mark nan' : 'mark' });
        if (!dot.target) {
            return;
        }
        set(dot.target, { cx: x, cy: y, r: Math.max(8, Math.min(16, this.columnWidth() / 2 + 2)) });
        set(dot.group, {
            'aria-valuenow': Number.isFinite(v) ? v : 0,
            'aria-valuetext': spoken(v),
            tabindex: i === this.tabStop() ? 0 : -1,
        });
    }

    tabStop() {
        return Math.min(this.cell, this.count - 1);
    }

    drawBand(cell) {
        const moved = this.cell !== cell;
        this.cell = cell;
        const width = this.columnWidth(), one = this.count === 1;
        set(this.band, {
            x: one ? LEFT : LEFT + width * cell,
            y: 0,
            width: one ? 0 : Math.max(2, width),
            height: this.height,
        });
        if (moved && this.editable) {
            this.dots.forEach((dot, i) => set(dot.group, { tabindex: i === this.tabStop() ? 0 : -1 }));
        }
    }

    /** Where the points were: rings, and lines to where they are. */
    drawGhosts(before) {
        const marks = [];
        for (let i = 0; before && before.length === this.count && i < this.count && this.count <= HANDLES; i++) {
            if (Object.is(before[i], this.values[i]) || Number.isNaN(before[i])) {
                continue;
            }
            const x = this.xOf(i), y = this.yOf(before[i]);
            marks.push(`M${x - 3} ${y}A3 3 0 1 0 ${x + 3} ${y}A3 3 0 1 0 ${x - 3} ${y}`);
        }
        this.ghosts.replaceChildren(svg('path', { d: marks.join('') }));
    }

    /** Where somebody else's results differ: hollow diamonds, on a line to what they should be. */
    drawRival(theirs) {
        const marks = [], s = Math.max(4, Math.min(7, this.columnWidth() / 3));
        for (let i = 0; theirs && i < this.count; i++) {
            const here = this.values[i], there = theirs[i];
            if (Object.is(here, there)) {
                continue;
            }
            const x = this.xOf(i), y = this.yOf(Number.isNaN(there) ? 0 : there);
            const from = this.yOf(Number.isNaN(here) ? 0 : here);
            marks.push(`M${x} ${from}V${y}M${x - s} ${y}L${x} ${y - s}L${x + s} ${y}L${x} ${y + s}Z`);
            if (Number.isNaN(there)) {
                marks.push(`M${x - s} ${y - s}L${x + s} ${y + s}M${x - s} ${y + s}L${x + s} ${y - s}`);
            }
        }
        set(this.rival, { d: marks.join('') });
    }

    /** Finite differences, as short bars. */
    drawDifferences(slopes) {
        const half = Math.max(3, Math.min(9, this.columnWidth() / 2 - 1)), marks = [];
        for (let i = 0; slopes && i < this.count; i++) {
            if (Number.isFinite(slopes[i])) {
                marks.push(`M${this.xOf(i) - half} ${this.yOf(slopes[i])}h${2 * half}`);
            }
        }
        set(this.overlay, { d: marks.join('') });
    }

    /** Which cells what is pointed at was made of: triangles under them. */
    drawFlow(cells) {
        const marks = [], low = this.height - 1;
        for (const i of cells ?? []) {
            const x = this.xOf(i), s = Math.max(2, Math.min(5, this.columnWidth() / 3));
            marks.push(`M${x - s} ${low}L${x} ${low - 1.6 * s}L${x + s} ${low}Z`);
        }
        set(this.flow, { d: marks.join('') });
    }

    // ---- looking ----------------------------------------------------------------------------------------------------

    /** The value under the pointer, and who wants to know that it is pointed at. */
    hovered(event) {
        if (!this.count || event.pointerType === 'touch') {
            return;
        }
        const i = this.dragging ?? this.cellAt(this.local(event)[0]), v = this.values[i], x = this.xOf(i);
        const left = x > this.width / 2;
        this.tip.textContent = `${this.operand}${this.count > 1 ? `[${i}]` : ''} = ${roughly(v, 6)}`;
        set(this.tip, { x: x + (left ? -8 : 8), y: 12, 'text-anchor': left ? 'end' : 'start' });
        this.handlers.point?.(i);
    }

    left() {
        this.tip.textContent = '';
        this.handlers.point?.(null);
    }

    // ---- fingers and keys -------------------------------------------------------------------------------------------

    local(event) {
        const box = this.box ?? this.svg.getBoundingClientRect();
        return [event.clientX - box.left, event.clientY - box.top];
    }

    pressed(event) {
        if (event.button || !this.count) {
            return;
        }
        const [x] = this.local(event), handle = event.target.closest('.handle');
        const i = handle ? Number(handle.dataset.cell) : this.cellAt(x);
        this.handlers.select(i);
        if (!this.editable || (event.pointerType === 'touch' && !handle)) {
            return;
        }
        event.preventDefault();
        this.dots[i]?.group.focus({ preventScroll: true });
        this.svg.setPointerCapture(event.pointerId);
        this.dragging = i;
        this.frozen = this.range;
        this.box = this.svg.getBoundingClientRect();
        this.handlers.begin(i);
        if (!handle) {
            this.dragged(event);
        }
    }

    dragged(event) {
        if (this.dragging === undefined) {
            return;
        }
        const [, y] = this.local(event), [low, high] = this.frozen, grain = (high - low) / 1000, to = this.valueAt(y);
        const round = this.scale === linear ? Math.round(to / grain) * grain : to;
        this.handlers.move(this.dragging, Number(round.toPrecision(this.scale === linear ? 4 : 3)));
    }

    released() {
        if (this.dragging === undefined) {
            return;
        }
        this.dragging = undefined;
        this.frozen = this.box = null;
        this.handlers.end?.();
    }

    key(event) {
        const cell = event.target.closest('.handle')?.dataset.cell;
        if (cell === undefined || event.ctrlKey || event.metaKey || event.altKey) {
            return;
        }
        const i = Number(cell),
            step = niceStep((this.range[1] - this.range[0]) / 40),
            by = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key];
        const to = { ArrowLeft: i - 1, ArrowRight: i + 1, Home: 0, End: this.count - 1 }[event.key];
        if (by === undefined && to === undefined) {
            return;
        }
        event.preventDefault();
        if (to !== undefined) {
            this.dots[Math.max(0, Math.min(this.count - 1, to))].group.focus();
            return;
        }
        const v = this.values[i], next = Number.isFinite(v) ? Math.round((v + by * step) / step) * step : 0;
        this.handlers.begin(i);
        this.handlers.move(i, Number(next.toPrecision(6)));
    }
}
