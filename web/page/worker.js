// The worker: the suite, which judges case after case and reports a few times a second; and somebody's own kernels.
import { startEngine } from './engine.js';

async function run({ wasm, backend, op, element, full }) {
    const engine = await startEngine(wasm);
    const count = engine.call('suite_open', backend, op, element, full);
    if (count < 0) {
        postMessage({ wrong: `${backend} does not open here` });
        return;
    }
    let batch = [], last = performance.now();
    for (let i = 0; i < count; i++) {
        batch.push(engine.json('suite_case', i));
        if (performance.now() - last > 100 || i === count - 1) {
            postMessage({ done: i + 1, count, batch });
            batch = [];
            last = performance.now();
        }
    }
    postMessage({ finished: true, count });
}

/** Somebody's kernel: its arrays as they come back, reports and counters. */
async function runKernel({ wasm, ptx, entry, extent, parameters }) {
    const engine = await startEngine(wasm);
    engine.call('ptx_clear');
    const places = parameters.map(({ isArray, bytes }) => {
        const at = isArray ? engine.call('ptx_array', bytes.length) : engine.call('ptx_number');
        engine.memory(at, bytes.length).set(bytes);
        return at;
    });
    const said = engine.json('ptx_run', ptx, entry, ...extent);
    const arrays = parameters.map(({ isArray, bytes }, k) =>
        isArray ? engine.memory(places[k], bytes.length).slice() : null
    );
    postMessage({ said, arrays });
}

const start = (request) => request.ptx === undefined ? run(request) : runKernel(request);

onmessage = (event) => start(event.data).catch((error) => postMessage({ wrong: error.message }));
