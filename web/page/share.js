// Share it: the address holds everything; the same as a command, JSON and CSV.
import { $, el } from './dom.js';
import { exactly } from './numbers.js';
import { address, editable, model, shownOperands, watch } from './state.js';
import { isShown, whenShown } from './tabs.js';

const MOST_SHOWN = 512; // cells; more would make an edit wait for text that nobody reads
const columns = () => shownOperands(model.op).map((name) => [name, [...model.engine.values(name)]]);

/** For an edited line: the numbers go into files that NumPy writes, and the command reads. */
function editedCommand() {
    const { op, theCase, engine } = model;
    const type = { f16: 'float16', bf16: 'uint16', f32: 'float32', f64: 'float64' }[theCase.element];
    const one = (name) =>
        theCase.element === 'bf16'
            ? Array.from(engine.values(name), (_, i) => `0x${engine.bits(name, i)}`)
            : Array.from(engine.values(name), (v) => `float.fromhex("${engine.hex(v)}")`);
    const given = ['dy', ...shownOperands(op).filter((name) => name !== 'dy' && editable(name))],
        keys = theCase.id.split(',').slice(1).map((key) => key.split('='));
    const flags = keys.map(([key, value]) =>
        ({ rev: ' --reverse', corr: ` --correction ${value}`, w: ` --param ${value}` })[key] ?? ''
    ).join('');
    const save = given.map((name) => `numpy.save("${name}.npy", numpy.array([${one(name).join(', ')}], "${type}"))`)
        .join('\n');
    const outs = op.axis ? '--dx dx.npy' : '--da da.npy --db db.npy';
    return `python3 - <<'END'\nimport numpy\n${save}\nEND\ncotangent run ${op.name} --dtype ${theCase.element}${
        op.axis ? ' --axis 0' : ''
    }${flags} ${given.map((name) => `--${name} ${name}.npy`).join(' ')} ${outs}`;
}

const FORMS = {
    address: () => location.href.split('#')[0] + address(),
    command: () => model.edits.size ? editedCommand() : `cotangent check --case ${model.theCase.id}`,
    json: () =>
        JSON.stringify(
            {
                case: model.theCase.id,
                line: model.line,
                edited: model.edits.size > 0,
                values: Object.fromEntries(
                    columns().map(([name, values]) => [name, values.map((v) => exactly(v, model.theCase.element))]),
                ),
                bits: Object.fromEntries(
                    columns().map(([name, values]) => [name, values.map((_, i) => model.engine.bits(name, i))]),
                ),
            },
            null,
            1,
        ),
    csv: () => {
        const all = columns(),
            line = (i) =>
                [i, ...all.map(([, values]) => i < values.length ? exactly(values[i], model.theCase.element) : '')]
                    .join(',');
        return [
            ['cell', ...all.map(([name]) => name)].join(','),
            ...Array.from({ length: model.theCase.n }, (_, i) => line(i)),
        ].join('\n');
    },
};

function show() {
    if (!isShown('share')) {
        return;
    }
    for (const [name, form] of Object.entries(FORMS)) {
        const later = ['json', 'csv'].includes(name) && model.theCase.n > MOST_SHOWN;
        $(`#share-${name}`).value = later ? `${model.theCase.n} cells: made when it is copied` : form();
    }
}

async function copy(name, button) {
    const field = $(`#share-${name}`);
    field.value = FORMS[name]();
    field.focus();
    field.select();
    try {
        await navigator.clipboard.writeText(field.value);
    } catch {
        document.execCommand('copy'); // from disk there may be no clipboard
    }
    button.textContent = 'Copied';
    setTimeout(() => {
        button.textContent = 'Copy';
    }, 1500);
}

export function startShare() {
    const labels = { address: 'Address of exactly this', command: 'Command', json: 'JSON', csv: 'CSV' };
    $('#share').replaceChildren(
        ...Object.keys(FORMS).map((name) => {
            const button = el('button', {
                type: 'button',
                'aria-label': `Copy ${labels[name]}`,
                onclick: () => copy(name, button),
            }, 'Copy');
            const field = el(name === 'address' ? 'input' : 'textarea', {
                id: `share-${name}`,
                readonly: true,
                rows: name === 'command' ? 3 : 5,
            });
            return el(
                'div',
                { class: 'share-item' },
                el('label', { for: `share-${name}` }, labels[name]),
                button,
                field,
            );
        }),
    );
    whenShown('share', show);
    watch('case', show);
    watch('rest', show);
    $('#open-form').addEventListener('submit', (event) => {
        event.preventDefault();
        location.hash = `#${$('#open-id').value.trim()}`;
    });
}
