// Side by side: the same numbers under every convention, and in every element type. A second engine computes them.
import { $, el } from './dom.js';
import { startEngine } from './engine.js';
import { exactly, inPrint, roughly } from './numbers.js';
import { editable, joinId, model, outputs, shownOperands, splitId, watch } from './state.js';
import { spacing } from './order.js';
import { isShown, whenShown } from './tabs.js';

const MOST = 16; // cells in a row
const TITLES = { spec: 'the spec', torch: 'PyTorch', jax: 'JAX' };
let second = null;

/** Results of the same inputs in another case: by output, or null where it is refused. */
function computed(change) {
    const parts = splitId(model.theCase.id), keys = { ...parts.keys, ...change.keys };
    delete keys.alias;
    if (second.open(joinId({ ...parts, ...change, keys }))) {
        return null;
    }
    second.look(model.line);
    for (const operand of shownOperands(model.op).filter(editable)) {
        model.engine.values(operand).forEach((value, i) => second.set(operand, i, value));
    }
    return second.compute() ? null : Object.fromEntries(
        outputs(model.op).map((name) => [name, Float64Array.from(second.values(name))]),
    );
}

function underConvention(name) {
    const keys = { conv: name === 'spec' ? null : name };
    model.engine.tables.policies.forEach((policy) => {
        keys[policy.name] = null;
    });
    return computed({ keys });
}

// ---- tables ---------------------------------------------------------------------------------------------------------

const shownCells = () => {
    const from = Math.max(0, Math.min(model.cell - MOST / 2, model.theCase.n - MOST));
    return Array.from({ length: Math.min(MOST, model.theCase.n) }, (_, i) => from + i);
};

const heading = (name) =>
    el(
        'thead',
        {},
        el('tr', {}, el('th', { scope: 'col' }, name), shownCells().map((i) => el('th', { scope: 'col' }, i))),
    );

const row = (title, texts, differs) =>
    el(
        'tr',
        {},
        el('th', { scope: 'row' }, title),
        shownCells().map((i) => el('td', { class: differs(i) ? 'differs' : '' }, texts(i))),
    );

function conventionTable(name, results) {
    const spec = results.spec[name];
    const rows = Object.entries(results).filter(([, one]) => one).map(([convention, one]) =>
        row(TITLES[convention] ?? convention, (i) => roughly(one[name][i]), (i) => !Object.is(one[name][i], spec[i]))
    );
    return el('table', { class: 'numbers' }, heading(name), el('tbody', {}, rows));
}

/** The spec's own sentences about a policy: one clause, or one for each op that it is about. */
function clausesOf(policy) {
    const id = `POLICY-${policy.name.toUpperCase().replaceAll('_', '-')}`;
    return [id, `${id}-${model.op.name.toUpperCase()}`].map((one) => model.engine.json('clause', one))
        .filter((one) => one.clause);
}

/** The clause that the chosen cell is about under the spec's own policies. */
function specClause() {
    const { engine, of, cell } = model;
    const one = engine.json('clause', engine.text('cell_clause', engine.tables.operands[of], cell));
    return el('li', {}, `${of}[${cell}] is a case of `, el('b', {}, one.clause), `: ${one.text}`);
}

/** What decides where conventions differ: the policies of this op, with the sentence of each. */
function policySentences() {
    const { policies, conventions } = model.engine.tables;
    const own = policies.filter((policy, i) => model.op.policies >> i & 1 && new Set(policy.conventions).size > 1);
    return own.map((policy) =>
        el(
            'li',
            {},
            el('b', {}, policy.name.replace('_', ' ')),
            ` (${policy.about}): ${
                conventions.map((name, i) => `${TITLES[name] ?? name} ${policy.conventions[i]}`).join(' \u00b7 ')
            }`,
            clausesOf(policy).map((clause) => el('p', {}, el('b', {}, clause.clause), ` ${clause.text}`)),
        )
    );
}

function showConventions() {
    const results = Object.fromEntries(
        model.engine.tables.conventions.map((name) => [name, underConvention(name)]),
    );
    const sentences = policySentences();
    $('#beside-conventions').replaceChildren(
        ...(results.spec ? outputs(model.op).map((name) => conventionTable(name, results)) : []),
    );
    $('#beside-policies').replaceChildren(
        ...(model.theCase.n ? [specClause()] : []),
        ...(sentences.length ? sentences : [el('li', {}, 'This operation is the same under all of them.')]),
    );
}

function showTypes() {
    const name = model.of;
    const all = model.engine.tables.elements.map((element) => [element, computed({ element })]);
    const best = all.find(([element]) => element === 'f64')?.[1]?.[name];
    const rows = all.filter(([, one]) => one).flatMap(([element, one]) => [
        row(
            element,
            (i) => inPrint(exactly(one[name][i], element).slice(0, 12)),
            (i) => best && Math.abs(one[name][i] - best[i]) > Math.abs(best[i]) * 1e-3,
        ),
        row('spacing there', (i) => roughly(spacing(one[name][i], element), 2), () => false),
    ]);
    $('#beside-types').replaceChildren(el('table', { class: 'numbers' }, heading(name), el('tbody', {}, rows)));
}

async function show() {
    if (!isShown('beside')) {
        return;
    }
    second ??= await startEngine(model.wasm);
    showConventions();
    showTypes();
    document.documentElement.dataset.beside = model.theCase.id;
}

export function startBeside() {
    whenShown('beside', show);
    watch('case', show);
    watch('rest', show);
}
