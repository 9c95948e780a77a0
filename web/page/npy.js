// NumPy's files, as far as gradients come in them.

const TYPES = { '<f8': 'f64', '<f4': 'f32', '<f2': 'f16', '<u2': 'bf16', '|V2': 'bf16', '<V2': 'bf16' };
const ARRAYS = { f64: Float64Array, f32: Float32Array, f16: Uint16Array, bf16: Uint16Array };

const bits = new DataView(new ArrayBuffer(4));

/** A bf16 from its bits: the upper half of an f32's. */
export function bfloat(word) {
    bits.setUint32(0, word << 16);
    return bits.getFloat32(0);
}

/** An f16 from its bits. */
export function half(word) {
    const exponent = word >> 10 & 31, fraction = word & 1023, sign = word & 0x8000 ? -1 : 1;
    if (exponent === 31) {
        return fraction ? NaN : sign * Infinity;
    }
    return sign * (exponent ? (1024 + fraction) * 2 ** (exponent - 25) : fraction * 2 ** -24);
}

function headerOf(buffer) {
    const view = new DataView(buffer), long = view.getUint8(6) > 1;
    const start = long ? 12 : 10, length = long ? view.getUint32(8, true) : view.getUint16(8, true);
    return { text: new TextDecoder('latin1').decode(buffer.slice(start, start + length)), data: start + length };
}

/** { type, shape, words }: numbers, or 16-bit words where JavaScript has no such type. Or { wrong }. */
export function readNpy(buffer) {
    if (buffer.byteLength < 12 || new TextDecoder('latin1').decode(buffer.slice(1, 6)) !== 'NUMPY') {
        return { wrong: 'this is no .npy file: save it with numpy.save' };
    }
    const { text, data } = headerOf(buffer);
    const descr = text.match(/'descr': *'([^']+)'/)?.[1], shape = text.match(/'shape': *\(([^)]*)\)/)?.[1];
    if (!TYPES[descr] || shape === undefined) {
        return { wrong: `its type is ${descr}: save it as float64, float32, float16, or bf16\u2019s bits as uint16` };
    }
    if (/'fortran_order': *True/.test(text)) {
        return { wrong: 'its order is Fortran\u2019s: save numpy.ascontiguousarray of it' };
    }
    const type = TYPES[descr], extents = shape.split(',').map((one) => one.trim()).filter(Boolean).map(Number);
    const count = extents.reduce((all, extent) => all * extent, 1);
    if (buffer.byteLength < data + count * ARRAYS[type].BYTES_PER_ELEMENT) {
        return { wrong: `it ends before its ${count} cells: save it again` };
    }
    return { type, shape: extents, words: Array.from(new ARRAYS[type](buffer.slice(data), 0, count)) };
}
