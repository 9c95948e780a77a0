// The suite's worker: judges case after case, and reports a few times a second.
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

onmessage = (event) => run(event.data).catch((error) => postMessage({ wrong: error.message }));
