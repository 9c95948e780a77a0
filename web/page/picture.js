// The plots as one picture, to save: an SVG that stands by itself, and a PNG of it.
import { $, $$, set, svg } from './dom.js';
import { model } from './state.js';

const HEAD = 30, SCALE = 2;
// What the plots' own styles come to, with the colours of now.
const STYLED = ['fill', 'stroke', 'stroke-width', 'fill-opacity', 'opacity', 'font-size', 'font-family', 'font-weight'];

/** A copy that needs no style sheet. */
function standAlone(node) {
    const copy = node.cloneNode(true), theirs = [node, ...$$('*', node)], ours = [copy, ...$$('*', copy)];
    theirs.forEach((one, i) => {
        const style = getComputedStyle(one);
        STYLED.forEach((name) => ours[i].setAttribute(name, style.getPropertyValue(name)));
        ours[i].removeAttribute('class');
    });
    $$('circle', copy).forEach((target) => target.remove()); // where fingers go
    return copy;
}

function title(text, y, size) {
    const { color, fontFamily } = getComputedStyle(document.body);
    return svg('text', { x: 8, y, 'font-size': size, 'font-family': fontFamily, fill: color }, text);
}

export function picture() {
    const plots = $$('#plots .plot'), width = Math.max(...plots.map((plot) => plot.clientWidth));
    let y = HEAD;
    const parts = plots.map((plot) => {
        const copy = standAlone(plot), name = title(plot.getAttribute('aria-label'), y + 10, 11);
        set(copy, { x: 0, y });
        y += plot.clientHeight + 4;
        return [copy, name];
    });
    const cells = standAlone($('#cells'));
    set(cells, { x: 0, y });
    const size = { width, height: y + 18, viewBox: `0 0 ${width} ${y + 18}`, xmlns: 'http://www.w3.org/2000/svg' };
    const paper = svg('rect', { width, height: y + 18, fill: getComputedStyle($('.stage')).backgroundColor });
    return svg('svg', size, paper, title($('#print-title').textContent, 19, 14), parts.flat(), cells);
}

const textOf = (node) => new XMLSerializer().serializeToString(node);

function save(blob, ending) {
    const link = document.createElement('a'), address = URL.createObjectURL(blob);
    link.href = address;
    link.download = `${model.theCase.op}.${ending}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
}

export async function pixels() {
    const drawn = picture(), image = new Image(), canvas = document.createElement('canvas');
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(textOf(drawn))}`;
    await image.decode();
    canvas.width = SCALE * Number(drawn.getAttribute('width'));
    canvas.height = SCALE * Number(drawn.getAttribute('height'));
    canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((done) => canvas.toBlob(done));
}

export function startPicture() {
    $('#save-svg').addEventListener(
        'click',
        () => save(new Blob([textOf(picture())], { type: 'image/svg+xml' }), 'svg'),
    );
    $('#save-png').addEventListener('click', async () => save(await pixels(), 'png'));
}
