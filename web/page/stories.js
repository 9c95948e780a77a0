// Questions that the page answers: each is an address, two sentences, something to touch, and what has to be in view
// for its point to be seen.
import { $, el } from './dom.js';
import { model, watch } from './state.js';
import { showTab } from './tabs.js';

const FIRST = {
    text: 'Drag a point, and see every gradient move. The numbers are the library\u2019s own, to the last bit.',
    act: '',
};

// ---- what a story has to show, in a line above the plots ------------------------------------------------------------

/** A column of a table as "title value", one for each of its rows. */
const column = (table, at, rows) =>
    rows(Array.from(table.tBodies[0].rows)).map(({ cells }) => `${cells[0].textContent} ${cells[at].textContent}`)
        .join(' \u00b7 ');

/** The chosen cell's column, where there is one. */
function ofCell(place, rows) {
    const table = $(`${place} table`);
    const at = table ? Array.from(table.rows[0].cells).findIndex((one) => one.textContent === String(model.cell)) : -1;
    return at > 0 ? `${table.rows[0].cells[0].textContent}[${model.cell}]: ${column(table, at, rows)}` : '';
}
const conventions = () => ofCell('#beside-conventions', (rows) => rows.slice(0, 3));
const types = () => ofCell('#beside-types', (rows) => rows.filter((_, i) => i % 2 === 0)); // between them: spacing
const orders = () => $('#order-results').tBodies[0] ? column($('#order-results'), 1, (rows) => rows.slice(0, 3)) : '';
const sums = () => $('#sums').textContent;

export const STORIES = [
    {
        name: 'ties',
        label: 'Who wins a tie?',
        question: 'Who gets the gradient when two are the maximum?',
        text: 'Two cells hold the maximum. The spec gives each of them the whole g; PyTorch and JAX split it.',
        act: 'Drag one of the two a little down, and see who loses.',
        address: 'max/f32/8/0/contig/uniform/1&x.2=2&x.5=2&dy.0=1&cell=2&tab=beside',
        shows: ['#beside-conventions'],
        says: conventions,
    },
    {
        name: 'corner',
        label: 'Why NaN?',
        question: 'Why is this NaN?',
        text: 'At a = b = 0 the slope of hypot is 0 / 0: the cone has a point there, and no slope.',
        act: 'Drag a[3] away from 0, and the NaN goes. JAX returns g / 2 instead, PyTorch NaN: see below.',
        address: 'hypot/f32/8/-/contig/uniform/1&a.3=0&b.3=0&cell=3&tab=beside',
        shows: ['#beside-conventions'],
        says: conventions,
    },
    {
        name: 'cancel',
        label: 'Why cancel?',
        question: 'Why do softmax\u2019s gradients cancel?',
        text: 'The outputs always add up to 1, so what one gains the others lose: the gradients add up to 0.',
        act: 'Drag any x or dy: the sum of dx, under the plots, stays 0 but for rounding.',
        address: 'softmax/f32/8/0/contig/uniform/1',
        shows: ['.plot.v-x', '.plot.v-dx', '#sums'],
        says: sums,
    },
    {
        name: 'zero',
        label: 'A zero in a product?',
        question: 'What does one zero do to cumprod?',
        text: 'The formula divides by x, so a zero gives 0 / 0. PyTorch multiplies the others instead: no NaN.',
        act: 'Drag x[3] away from 0; then compare the conventions below.',
        address: 'cumprod/f32/8/0/contig/uniform/1&x.3=0&cell=3&tab=beside',
        shows: ['#beside-conventions'],
        says: conventions,
    },
    {
        name: 'correction',
        label: 'n or n \u2212 1?',
        question: 'Divide by n, or by n \u2212 1?',
        text: 'The variance of a sample divides by n \u2212 1, so with n = 4 its gradients are a third larger.',
        act: 'Set the correction from 1 to 0, and watch every dx shrink.',
        address: 'var/f32/4/0/contig/uniform/1,corr=1',
        shows: ['#correction', '.plot.v-dx'],
    },
    {
        name: 'order',
        label: 'Another order?',
        question: 'Same numbers, another order, other bits?',
        text: 'Sums of floats depend on their order. Left to right, in pairs, in the spec\u2019s 32 lanes: other bits.',
        act: 'Below is each order as a tree, with the error of every addition. Draw again for other numbers.',
        address: 'softmax/f32/48/0/contig/uniform/2&tab=order',
        shows: ['#panel-order .short'],
        says: orders,
    },
    {
        name: 'types',
        label: 'What bf16 loses',
        question: 'What does bf16 throw away?',
        text: 'bf16 keeps 8 bits of every number: neighbours near 1 are 1/128 apart. The same inputs, in four types.',
        act: 'Drag an x by very little: in bf16 nothing happens until it jumps. See the spacing below.',
        address: 'softmax/bf16/8/0/contig/uniform/1&tab=beside',
        shows: ['#beside-types'],
        says: types,
    },
    {
        name: 'small',
        label: 'A sum that sticks',
        question: 'When is an accumulator too small?',
        text: '4,096 equal terms in f16: left to right the sum stops at 1,024, each term below half its step.',
        act: 'See the orders below; then round to f32 instead, and the error is gone.',
        address: 'softmax/f16/4096/0/contig/constant/1&tab=order',
        shows: ['#panel-order .short'],
        says: orders,
    },
    {
        name: 'nan',
        label: 'Where NaNs go',
        question: 'Where does a NaN go?',
        text: 'A NaN that comes first wins a cumulative maximum, and takes every g; a later one never wins.',
        act: 'Type a number for x[0] in the table below, then nan for x[3]. In softmax one NaN spoils all.',
        address: 'cummax/f32/8/0/contig/uniform/1&x.0=nan&x.4=1',
        shows: ['.plot.v-x', '.plot.v-dx'],
    },
    {
        name: 'wrong',
        label: 'What is wrong?',
        question: 'Why is this kernel wrong?',
        text:
            'This backend splits ties: on random numbers it looks fine, and here it is \u25c7, far from the reference.',
        act: 'The red box names the clause. Drag x[2] down, and the bug is gone; or run the suite below.',
        address: 'max/f32/8/0/contig/uniform/1&x.2=2&x.5=2&dy.0=1&cell=2&tab=prove&rival=mutant:max_tie_split',
        shows: ['#rival', '.plot.v-dx'],
        backend: 'mutant:max_tie_split',
    },
];

const told = () => STORIES.find(({ name }) => name === model.story);

function tell() {
    const story = told();
    $('#story-question').textContent = story?.question ?? '';
    $('#story-text').textContent = (story ?? FIRST).text;
    $('#story-act').textContent = (story ?? FIRST).act;
    $('#story-close').hidden = $('#story-show').hidden = !story;
    $('#story-point').hidden = !story?.says;
    document.documentElement.dataset.story = story?.name ?? '';
    for (const button of $('#stories').children) {
        button.setAttribute('aria-pressed', String(button.dataset.story === model.story));
    }
    if (story?.backend) {
        $('#suite-backend').value = story.backend;
        $('#suite-backend').dispatchEvent(new Event('change'));
    }
    document.querySelectorAll('.pointed').forEach((one) => one.classList.remove('pointed'));
    sayPoint();
}

function sayPoint() {
    $('#story-point').textContent = told()?.says?.() ?? '';
}

// ---- the row of stories: those that fit, and a button for all of them -----------------------------------------------

const isCut = (button) => button.offsetTop >= $('#stories').clientHeight;

function showAll(all) {
    $('#stories').classList.toggle('all', all);
    $('#stories-all').setAttribute('aria-expanded', String(all));
}

function startRow() {
    const header = $('#stories').closest('header');
    $('#stories-all').addEventListener('click', () => showAll(!$('#stories').classList.contains('all')));
    new ResizeObserver(() => {
        if (!$('#stories').classList.contains('all')) {
            $('#stories-all').hidden = true; // it takes room itself
            $('#stories-all').hidden = !Array.from($('#stories').children).some(isCut);
        }
    }).observe(header);
    $('#stories').addEventListener('focusin', ({ target }) => {
        if (isCut(target)) showAll(true); // the keyboard has come to it
    });
    header.addEventListener('focusout', ({ relatedTarget }) => {
        if (relatedTarget && !header.contains(relatedTarget)) showAll(false);
    });
    addEventListener('keydown', ({ key }) => {
        if (key === 'Escape') showAll(false);
    });
    addEventListener('pointerdown', ({ target }) => {
        if (!header.contains(target)) showAll(false);
    });
}

function open(story) {
    showAll(false);
    location.hash = `#${story.address}${story.address.includes('tab=') ? '' : '&tab=numbers'}&story=${story.name}`;
}

/** The story's point comes into view, all of it where it is no taller than the screen, and is marked for a moment. */
function show() {
    const { shows, address } = told(), there = (point) => point.getClientRects().length > 0;
    showTab(/tab=(\w+)/.exec(address)?.[1] ?? model.tab);
    if (!shows.every((selector) => there($(selector)))) {
        $('#options').click(); // small screens have the options folded away
    }
    const points = shows.map((selector) => $(selector)).filter(there); // another operation may have fewer
    const boxes = points.map((point) => point.getBoundingClientRect());
    const top = Math.min(...boxes.map((box) => box.top)), bottom = Math.max(...boxes.map((box) => box.bottom));
    if (top < 0 || bottom > innerHeight) {
        window.scrollBy(0, top - Math.max(8, (innerHeight - (bottom - top)) / 2));
    }
    points[0]?.focus({ preventScroll: true });
    for (const point of points) {
        point.querySelector('.differs')?.scrollIntoView({ block: 'nearest', inline: 'nearest' }); // of wide tables
        point.classList.add('pointed');
        setTimeout(() => point.classList.remove('pointed'), 2500);
    }
}

export function startStories() {
    $('#stories').replaceChildren(
        ...STORIES.map((story) =>
            el('button', {
                type: 'button',
                class: 'pill',
                title: story.question,
                'data-story': story.name,
                onclick: () => open(story),
            }, story.label)
        ),
    );
    $('#story-show').addEventListener('click', show);
    $('#story-close').addEventListener('click', () => {
        location.hash = location.hash.replace(/&story=\w+/, '');
    });
    startRow();
    watch('case', tell);
    watch('cell', sayPoint);
    const seen = new MutationObserver(sayPoint);
    for (const source of ['#beside-conventions', '#beside-types', '#order-results', '#sums']) {
        seen.observe($(source), { childList: true, subtree: true });
    }
}
