// See the bug: somebody else's gradient of the same numbers, a mutant's or a file's, drawn beside the reference's, with
// the clause that it breaks. The judge is the suite's.
import { $, el, say } from './dom.js';
import { takePtx } from './kernel.js';
import { bfloat, half, readNpy } from './npy.js';
import { exactly } from './numbers.js';
import {
    evaluated,
    inputs,
    joinId,
    model,
    openCase,
    outputs,
    selectCell,
    splitId,
    tellValues,
    watch,
} from './state.js';

const MOST_JUDGED = 8192, MOST_GIVEN = 4096; // cells
let own = {}; // whole outputs that were handed over, by name
let verdict = null;

const isMutant = () => model.rival.startsWith('mutant:');

// ---- whose values ---------------------------------------------------------------------------------------------------

function handOver() {
    model.engine.call('rival_begin');
    for (const [name, cells] of Object.entries(own)) {
        cells.forEach((value, i) => model.engine.call('rival_put', model.engine.tables.operands[name], i, value));
    }
}

/** The rival's results on the line, by output; null where there is no rival. */
export function rivalResults() {
    if (!model.rival) {
        return null;
    }
    if (!isMutant()) {
        handOver();
    } else if (model.engine.call('rival_run', model.rival.replace('mutant:', ''))) {
        return null;
    }
    return Object.fromEntries(
        outputs(model.op).map((name) => [name, Float64Array.from(model.engine.rivalValues(name))]),
    );
}

// ---- what is wrong --------------------------------------------------------------------------------------------------

const title = () => isMutant() ? `The mutant ${model.rival.replace('mutant:', '')}` : 'Your result';

function place({ of, cell, got, want }) {
    const { element } = model.theCase, show = (number) => exactly(Number(number), element);
    return el(
        'button',
        { type: 'button', class: 'pill', onclick: () => selectCell(cell, of) },
        `${of}[${cell}] is ${show(got)}, and must be ${show(want)}`,
    );
}

function sentences() {
    const count = Object.values(verdict.marks).flat().length;
    const more = count > 1 ? ` ${count} cells of this line are wrong.` : '';
    return [
        el('b', {}, `${title()} is wrong: `),
        place(verdict),
        verdict.clause ? el('span', {}, ' Clause ', el('b', {}, verdict.clause), `: ${verdict.sentence}`) : null,
        more,
    ];
}

function show() {
    $('#rival').hidden = !model.rival;
    if (!model.rival) {
        verdict = null;
        return;
    }
    const ran = rivalResults();
    verdict = ran && model.theCase.n <= MOST_JUDGED ? model.engine.json('rival_verdict') : null;
    const says = !ran
        ? [`${title()} does not run here: ${model.engine.text('error')}.`]
        : !verdict
        ? [`${title()}, beside the reference. Lines of up to ${MOST_JUDGED} cells are judged.`]
        : verdict.failed
        ? sentences()
        : [`${title()} is right on this line: all ${verdict.cells} cells have the spec\u2019s own bits.`];
    $('#rival-says').replaceChildren(...says.filter(Boolean));
    say($('#rival-says').textContent);
}

function close() {
    model.rival = '';
    own = {};
    tellValues();
}

// ---- files and pasted numbers ---------------------------------------------------------------------------------------

const complain = (reason) => {
    $('#own-says').textContent = reason;
    $('#own-says').className = 'wrong';
};

const nameOf = (file) => file.name.replace(/\.npy$/i, '');

function cellsOf({ type, words }) {
    return type === 'bf16' ? words.map(bfloat) : type === 'f16' ? words.map(half) : words;
}

/** Inputs become edits of a case of the file's shape and type. */
function openInputs(given) {
    const parts = splitId(model.theCase.id), [first] = Object.values(given), { shape } = first;
    const axis = model.op.axis ? Math.min(Number(parts.axis), shape.length - 1) : shape.length - 1;
    const edits = new Map();
    const lines = (extents) => extents.reduce((all, extent, d) => d === axis ? all : all * extent, 1);
    for (const [name, array] of Object.entries(given)) {
        const inner = array.shape.slice(axis + 1).reduce((all, extent) => all * extent, 1),
            along = array.shape[axis] ?? 1;
        cellsOf(array).forEach((value, at) => {
            const line = Math.floor(at / (inner * along)) * inner + at % inner, i = Math.floor(at / inner) % along;
            edits.set(lines(shape) > 1 ? `${name}.${line}:${i}` : `${name}.${i}`, value);
        });
    }
    const full = given[inputs(model.op)[0]]?.shape ?? shape;
    return openCase(
        joinId({
            ...parts,
            shape: full.join('x'),
            axis: model.op.axis ? String(axis) : '-',
            element: first.type,
            layout: 'contig',
        }),
        edits,
    );
}

function take(arrays) {
    const { op } = model, mine = [...inputs(op), 'dy'];
    const strange = Object.keys(arrays).find((name) => ![...mine, ...outputs(op)].includes(name));
    if (strange) {
        return `${strange}.npy is no operand of ${op.name}: name files ${[...mine, ...outputs(op)].join(', ')}`;
    }
    const large = Object.keys(arrays).find((name) => arrays[name].words.length > MOST_GIVEN);
    if (large) {
        return `${large}.npy has more than ${MOST_GIVEN} cells: use cotangent judge on the command line`;
    }
    const given = Object.fromEntries(Object.entries(arrays).filter(([name]) => mine.includes(name)));
    if (Object.keys(given).length) {
        const refused = openInputs(given);
        if (refused) {
            return refused;
        }
    }
    return takeOutputs(Object.entries(arrays).filter(([name]) => outputs(op).includes(name)));
}

function takeOutputs(results) {
    const { n, lines, element } = model.theCase;
    for (const [name, array] of results) {
        if (array.words.length !== n * lines) {
            return `${name} has ${array.words.length} cells, and this case ${n * lines}: drop its inputs as well`;
        }
        if (array.type && array.type !== element) {
            return `${name} is of type ${array.type}, and this case of ${element}: choose that type first`;
        }
        own[name] = cellsOf(array);
    }
    if (results.length) {
        model.rival = 'own';
        tellValues();
    }
    return null;
}

async function takeFiles(files) {
    if (/\.ptx$/i.test(files[0]?.name)) {
        await takePtx(files[0]);
        return;
    }
    const arrays = {};
    for (const file of files) {
        const array = readNpy(await file.arrayBuffer());
        if (array.wrong) {
            complain(`${file.name}: ${array.wrong}`);
            return;
        }
        const name = nameOf(file);
        arrays[files.length === 1 && !/^(d?[xab]|dy)$/.test(name) ? model.of : name] = array;
    }
    finish(take(arrays));
}

function finish(wrong) {
    complain(wrong ?? '');
    if (!wrong && model.rival) {
        $('#rival').scrollIntoView({ block: 'nearest' });
    }
}

function takeText() {
    const words = $('#own-text').value.split(/[\s,;[\]]+/).filter(Boolean), numbers = words.map(evaluated);
    const bad = numbers.indexOf(undefined);
    if (bad >= 0 || !numbers.length) {
        complain(numbers.length ? `\u201c${words[bad]}\u201d is no number` : 'no numbers: type or paste them first');
        return;
    }
    finish(take({ [model.of]: { words: numbers, shape: [numbers.length] } }));
}

// ---- starting -------------------------------------------------------------------------------------------------------

export function startRival() {
    watch('case', () => {
        const cells = model.theCase.n * model.theCase.lines;
        if (Object.keys(own).some((name) => !outputs(model.op).includes(name) || own[name].length !== cells)) {
            own = {};
            model.rival = model.rival === 'own' ? '' : model.rival;
        }
        $('#rival').hidden = !model.rival;
        $('#rival-says').textContent = model.rival ? `${title()}, beside the reference.` : '';
    });
    watch('rest', show);
    watch('cell', () => {
        $('#own-of').textContent = model.of;
    });
    $('#rival-close').addEventListener('click', close);
    $('#own-files').addEventListener('change', () => takeFiles([...$('#own-files').files]));
    $('#own-judge').addEventListener('click', takeText);
    addEventListener('dragover', (event) => event.preventDefault());
    addEventListener('drop', (event) => {
        event.preventDefault();
        takeFiles([...event.dataTransfer.files]);
    });
}
