// The library as WebAssembly, and JavaScript's way to it. Shared by the page and its worker. Nothing here knows a
// formula.

/** Bytes of a compressed block of the page. */
export async function inflate(base64) {
    const bytes = Uint8Array.from(atob(base64.trim()), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** A worker with an engine of its own. */
export async function startWorker() {
    const part = (id) => document.getElementById(id).textContent;
    const own = new TextDecoder().decode(await inflate(part('packed-worker')));
    const blob = new Blob([part('glue'), ';\n', part('shared'), ';\n', own], { type: 'text/javascript' });
    const url = URL.createObjectURL(blob), worker = new Worker(url);
    URL.revokeObjectURL(url);
    return worker;
}

/** Calls a function of the module by its name; strings go over as UTF-8. */
function caller(m) {
    return (name, ...args) => {
        const held = [];
        const passed = args.map((arg) => {
            if (typeof arg !== 'string') {
                return arg;
            }
            const size = m.lengthBytesUTF8(arg) + 1, at = m._malloc(size);
            m.stringToUTF8(arg, at, size);
            held.push(at);
            return at;
        });
        const result = m[`_web_${name}`](...passed);
        held.forEach((at) => m._free(at));
        return result;
    };
}

/** Starts the engine from its bytes. */
export async function startEngine(wasmBinary) {
    const m = await createEngine({ wasmBinary });

    const call = caller(m);
    const text = (name, ...args) => m.UTF8ToString(call(name, ...args));
    const json = (name, ...args) => JSON.parse(text(name, ...args));
    const numbers = (at, count) => at ? m.HEAPF64.subarray(at / 8, at / 8 + count) : null;

    const tables = json('tables');
    const operand = (name) => tables.operands[name];
    const parsed = m._malloc(8);
    return {
        tables,
        call,
        text,
        json,
        /** null, or what is wrong with the id. */
        open: (id) => call('open', id) ? text('why') : null,
        theCase: () => json('case'),
        /** null, or why it was refused. */
        compute: () => call('compute') ? text('error') : null,
        look: (line) => call('look', line),
        count: (name) => call('count', operand(name)),
        values: (name) => numbers(call('values', operand(name)), call('count', operand(name))),
        /** The engine's memory from an address on. */
        memory: (at, bytes) => m.HEAPU8.subarray(at, at + bytes),
        set: (name, i, value) => call('set', operand(name), i, value),
        rivalValues: (name) => numbers(call('rival_values', operand(name)), call('count', operand(name))),
        bits: (name, i) => text('bits', operand(name), i),
        fromBits: (digits) => call('from_bits', digits),
        hex: (value) => text('show_hex', value),
        /** A number as typed, rounded to the element type; undefined where it is none. */
        parse: (typed) => call('parse', typed, parsed) ? undefined : m.HEAPF64[parsed / 8],
        parseDouble: (typed) => call('parse_double', typed, parsed) ? undefined : m.HEAPF64[parsed / 8],
        differences: (name) => numbers(call('differences', operand(name)), call('count', operand(name))),
        steps: (name, i) => json('steps', operand(name), i),
        truth: (name) => json('truth', operand(name)),
        map: (side, a0, a1, b0, b1, g) => numbers(call('map', side, a0, a1, b0, b1, g), 2 * side * side),
    };
}
