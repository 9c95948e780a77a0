// What to compute: menus made from the library's tables.
import { $, el } from './dom.js';
import { changeCase, evaluated, howItIs, model, resetEdits, selectLine, splitId, watch } from './state.js';

const option = (value, label = value, title) => el('option', { value, title }, label);
const LONGEST = 4096;

function fillMenus() {
    const { ops, elements, generators, conventions } = model.engine.tables;
    const families = [...new Set(ops.map((op) => op.family))];
    $('#op').replaceChildren(
        ...families.map((family) =>
            el(
                'optgroup',
                { label: family.replace('_', ' with a ') },
                ops.filter((op) => op.family === family).map((op) => option(op.name)),
            )
        ),
    );
    $('#element').replaceChildren(...elements.map((name) => option(name)));
    $('#generator').replaceChildren(...generators.map(({ name, about }) => option(name, `${name}: ${about}`)));
    $('#convention').replaceChildren(...conventions.map((name) => option(name)), option('custom', 'one by one'));
}

// ---- policies -------------------------------------------------------------------------------------------------------

const policiesOf = (op) => model.engine.tables.policies.filter((_, i) => op.policies >> i & 1);

function showPolicies(keys) {
    const own = policiesOf(model.op), values = howItIs();
    $('#policy-part').hidden = own.length === 0;
    $('#convention').value = keys.conv ??
        (model.engine.tables.policies.some((policy) => keys[policy.name]) ? 'custom' : 'spec');
    $('#policies').replaceChildren(...own.map((policy) => {
        const menu = el('select', {
            id: `policy-${policy.name}`,
            onchange: () => choosePolicies({ ...values, [policy.name]: menu.value }),
        }, policy.values.map((value) => option(value)));
        menu.value = values[policy.name];
        return el('label', { title: policy.about }, el('span', {}, policy.name.replace('_', ' ')), menu);
    }));
}

function choosePolicies(values) {
    const keys = { conv: null };
    for (const policy of model.engine.tables.policies) {
        keys[policy.name] = values[policy.name] === policy.values[0] ? null : values[policy.name];
    }
    choose({ keys });
}

function chooseConvention(name) {
    const keys = { conv: name === 'spec' ? null : name };
    model.engine.tables.policies.forEach((policy) => {
        keys[policy.name] = null;
    });
    if (name !== 'custom') {
        choose({ keys });
    }
}

// ---- showing the case -----------------------------------------------------------------------------------------------

function show() {
    const { theCase, op } = model, parts = splitId(theCase.id);
    $('#op').value = op.name;
    $('#element').value = theCase.element;
    $('#generator').value = parts.generator;
    $('#length').value = theCase.n;
    $('#seed').value = parts.seed;
    $('#reverse-part').hidden = !op.reverse;
    $('#reverse').checked = Boolean(parts.keys.rev);
    $('#correction-part').hidden = !op.correction;
    $('#correction').value = parts.keys.corr ?? 0;
    $('#weight-part').hidden = !op.param;
    $('#weight').value = parts.keys.w === undefined ? '' : Number(model.engine.parseDouble(parts.keys.w));
    $('#line-part').hidden = theCase.lines < 2;
    $('#line').max = theCase.lines - 1;
    $('#line').value = model.line;
    $('#line-of').textContent = `of ${theCase.lines}`;
    $('#line-part').title = `Lines of a tensor of ${theCase.shape.join('\u00d7')} cells, along axis ${theCase.axis}`;
    showPolicies(parts.keys);
    ['length', 'seed', 'correction', 'weight', 'line'].forEach((id) => mark(id, null));
    edited();
}

function edited() {
    $('#reset').disabled = model.edits.size === 0; // it keeps its place: the plots must not move under the pointer
}

// ---- wrong input ----------------------------------------------------------------------------------------------------

/** Marks a field, with the reason beside it. */
export function mark(id, reason) {
    const field = $(`#${id}`), note = $(`#${id}-wrong`);
    field.setAttribute('aria-invalid', String(Boolean(reason)));
    if (note) {
        note.textContent = reason ?? '';
    }
}

function whole(id, least, most, use) {
    $(`#${id}`).addEventListener('change', () => {
        const number = evaluated($(`#${id}`).value);
        if (!Number.isInteger(number) || number < least || number > most) {
            mark(id, `a whole number from ${least} to ${most}`);
            return;
        }
        mark(id, null);
        $(`#${id}`).value = number;
        use(number);
    });
}

function choose(change) {
    showRefusal(changeCase(change));
}

export function showRefusal(reason, ignored = []) {
    $('#refused').textContent = reason
        ? `Not computed: ${reason}. What you see is the last good result.`
        : ignored.length
        ? `Left out of the address: ${ignored.join('; ')}.`
        : '';
}

function chooseLength(n) {
    const shape = model.theCase.shape.slice();
    shape[model.theCase.axis] = n;
    choose({ shape: shape.join('x') });
}

export function startControls() {
    fillMenus();
    watch('case', show);
    watch('values', edited);
    watch('error', showRefusal);
    $('#op').addEventListener('change', () => choose({ op: $('#op').value }));
    $('#element').addEventListener('change', () => choose({ element: $('#element').value }));
    $('#generator').addEventListener('change', () => choose({ generator: $('#generator').value }));
    $('#reverse').addEventListener('change', () => choose({ keys: { rev: $('#reverse').checked ? 1 : null } }));
    $('#convention').addEventListener('change', () => chooseConvention($('#convention').value));
    $('#again').addEventListener('click', () => choose({ seed: String(Number(splitId(model.theCase.id).seed) + 1) }));
    $('#reset').addEventListener('click', resetEdits);
    $('#options').addEventListener('click', () => {
        const all = $('#choose').classList.toggle('all');
        $('#options').setAttribute('aria-expanded', String(all));
    });
    whole('length', 1, LONGEST, chooseLength);
    whole('seed', 0, Number.MAX_SAFE_INTEGER, (seed) => choose({ seed: String(seed) }));
    whole('correction', -(2 ** 31), 2 ** 31 - 1, (corr) => choose({ keys: { corr: corr || null } }));
    $('#line').addEventListener('change', () => selectLine(Number($('#line').value)));
    $('#weight').addEventListener('change', () => {
        const w = evaluated($('#weight').value);
        mark('weight', w === undefined ? 'a number, as 0.25 or 1/3' : null);
        if (w !== undefined) {
            choose({ keys: { w: model.engine.hex(w) } });
        }
    });
}
