// What can be said of the chosen cell: its exact value, how far the result is from it, and the clause that it is about.
import { $ } from './dom.js';
import { decimals, exactly, roughly } from './numbers.js';
import { model, outputs, watch } from './state.js';
import { showErrors } from './table.js';

const MOST_TRUTH = 512; // cells; MPFR is exact, not fast
const RULINGS = {
    edge: 'An edge: no rounding decides it. Under these policies every sound evaluation gives exactly this.',
    bits: 'The bits agree with an evaluation of the clause in MPFR that shares no source with the library.',
    bound: 'Within the bound that the spec derives for this cell.',
    open:
        'An intermediate leaves the range of numbers: no bound holds, and a backend may also be near the exact value.',
};

function showTruth() {
    const { engine, op, of, cell, theCase } = model;
    const all = theCase.n && theCase.n <= MOST_TRUTH
        ? Object.fromEntries(outputs(op).map((name) => [name, engine.truth(name)]))
        : null;
    showErrors(all);
    const truth = all?.[of], one = truth?.cells[cell];
    $('#truth').hidden = !one;
    if (!one) {
        return;
    }
    const exact = Number(one.exact), bounded = one.bounded && one.ruling !== 'edge';
    $('#exact').textContent = one.ruling === 'edge'
        ? exactly(Number(one.literal), theCase.element)
        : Number.isFinite(exact)
        ? decimals(Number(one.high), Number(one.low), one.exponent)
        : exactly(exact, 'f64');
    $('#ulps').textContent = one.ruling === 'edge'
        ? 'is the result'
        : Number.isFinite(exact) && Number(one.ulps) === 0
        ? 'is the result'
        : Number.isFinite(exact)
        ? `${Number(one.ulps).toPrecision(3)} ulp from it`
        : '';
    $('#ruling').textContent = `${one.wrong ? 'WRONG. ' : ''}${RULINGS[one.ruling]}${
        bounded ? ` Error over bound: ${roughly(Number(one.ratio), 2)}.` : ''
    }`;
    showClause(engine.text('cell_clause', engine.tables.operands[of], cell));
}

function showClause(id) {
    $('#clause').textContent = id;
    $('#clause-text').textContent = model.engine.json('clause', id).text ?? '';
}

export function startTruth() {
    watch('rest', showTruth);
}
