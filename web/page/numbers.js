// Numbers as people read them.

const DIGITS = { f16: 5, bf16: 4, f32: 9, f64: 17 }; // enough to name every number of the type
export const FORMATS = { f16: [5, 10], bf16: [8, 7], f32: [8, 23], f64: [11, 52] }; // bits of exponent and fraction

function special(v) {
    if (Number.isNaN(v)) {
        return 'nan';
    }
    if (!Number.isFinite(v)) {
        return v < 0 ? '-inf' : 'inf';
    }
    return Object.is(v, -0) ? '-0' : null;
}

const tidy = (text) => text.replace(/(\.\d*?)0+(e|$)/, '$1$2').replace(/\.(e|$)/, '$1').replace('e+', 'e');

/** A number's text where it is read, and not typed. */
export const inPrint = (text) => text.replace(/-/g, '\u2212').replace('nan', 'NaN');

/** The shortest decimal that names v in its type. */
export function exactly(v, element) {
    if (special(v) || element === 'f64') {
        return special(v) ?? String(v);
    }
    if (element === 'f32') {
        for (let digits = 1; digits < 9; digits++) {
            if (Math.fround(Number(v.toPrecision(digits))) === v) {
                return tidy(String(Number(v.toPrecision(digits)))); // 10, and not 1e1
            }
        }
    }
    return tidy(v.toPrecision(DIGITS[element]));
}

/** A double as an integer times a power of two. */
function whole(v) {
    let power = 0;
    for (; !Number.isInteger(v); power--) {
        v *= 2;
    }
    for (; Math.abs(v) > Number.MAX_SAFE_INTEGER; power++) {
        v /= 2;
    }
    return [BigInt(v), power];
}

/** (high + low) * 2^exponent in decimal: so many digits, and dots where there are more. */
export function decimals(high, low, exponent, digits = 25) {
    const [a, p] = whole(high), [b, q] = whole(low), least = low ? Math.min(p, q) : p;
    const total = (a << BigInt(p - least)) + (low ? b << BigInt(q - least) : 0n), power = least + exponent;
    const size = total < 0n ? -total : total, sign = total < 0n ? '\u2212' : '';
    if (!size) {
        return '0';
    }
    const above = power > 0 ? size << BigInt(power) : size, below = power < 0 ? 1n << BigInt(-power) : 1n;
    const guess = Math.floor(Math.log10(Math.abs(high + low)) + exponent * Math.log10(2));
    const ten = guess >= 0 && above / 10n ** BigInt(guess) < below
        ? guess - 1
        : guess < 0 && above * 10n ** BigInt(-guess) < below
        ? guess - 1
        : guess;
    const shift = digits - 1 - ten,
        scaled = shift >= 0 ? above * 10n ** BigInt(shift) : above,
        unit = shift >= 0 ? below : below * 10n ** BigInt(-shift);
    const text = String(scaled / unit), rest = scaled % unit ? '\u2026' : '';
    return sign + placed(rest ? text : text.replace(/0+$/, ''), ten).replace(/(e|$)/, `${rest}$1`);
}

/** Digits with their point: the first stands for 10^ten. */
function placed(digits, ten) {
    if (ten < -6 || ten > 20) {
        return `${digits[0]}${digits.length > 1 ? '.' : ''}${digits.slice(1)}e${ten}`;
    }
    if (ten < 0) {
        return `0.${'0'.repeat(-1 - ten)}${digits}`;
    }
    const whole = digits.slice(0, ten + 1).padEnd(ten + 1, '0'), rest = digits.slice(ten + 1);
    return rest ? `${whole}.${rest}` : whole;
}

/** About four digits, with a real minus sign. */
export function roughly(v, digits = 4) {
    const size = Math.abs(v);
    const text = special(v) ??
        (size !== 0 && (size < 1e-4 || size >= 1e6) ? v.toExponential(digits - 1) : v.toPrecision(digits));
    return tidy(text).replace('-', '\u2212').replace('inf', '\u221e').replace('nan', 'NaN');
}

/** A label on an axis: short. */
export function onAxis(v) {
    const size = Math.abs(v);
    return v === 0 ? '0' : roughly(Number(v.toPrecision(3)), size >= 1e-3 && size < 1e5 ? 6 : 2);
}

export function spoken(v) {
    return roughly(v).replace('\u2212', 'minus ').replace('\u221e', 'infinity');
}

/** A number's bits, from hexadecimal digits: sign, exponent, fraction. */
export function splitBits(digits, element) {
    const bits = [...digits].map((d) => parseInt(d, 16).toString(2).padStart(4, '0')).join('');
    const [exponent] = FORMATS[element];
    return [bits.slice(0, 1), bits.slice(1, 1 + exponent), bits.slice(1 + exponent)];
}

/** Round limits for an axis that shows all of `values`, and zero. */
export function niceRange(values) {
    let low = 0, high = 0;
    for (const v of values) {
        if (Number.isFinite(v)) {
            low = Math.min(low, v), high = Math.max(high, v);
        }
    }
    if (low === high) {
        return [-1, 1];
    }
    const step = niceStep((high - low) / 4);
    return [
        low < 0 ? Math.floor(low / step * 1.0001) * step : 0,
        high > 0 ? Math.ceil(high / step * 1.0001) * step : 0,
    ];
}

/** The largest of 1, 2, 5 times a power of ten that is not above v. */
export function niceStep(v) {
    const power = 10 ** Math.floor(Math.log10(v));
    if (!(power > 0)) {
        return v || 1;
    }
    return (v / power >= 5 ? 5 : v / power >= 2 ? 2 : 1) * power;
}

// ---- arithmetic -----------------------------------------------------------------------------------------------------

const NUMBER = /^(0x[\da-f]*\.?[\da-f]*(p[+-]?\d+)?|(\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(e[+-]?\d+)?|inf(inity)?|nan|pi)/i;

/** Reads what binds tighter than `least`: 1 for sums, 2 for products, 3 for powers. */
function operation(text, least, parse) {
    const OPERATORS = { '+': [1, 2], '-': [1, 2], '*': [2, 3], '/': [2, 3], '^': [3, 3] };
    const JOINED = {
        '+': (a, b) => a + b,
        '-': (a, b) => a - b,
        '*': (a, b) => a * b,
        '/': (a, b) => a / b,
        '^': Math.pow,
    };
    let { value, rest } = factor(text, parse);
    for (;;) {
        const sign = rest[0], [own, right] = OPERATORS[sign] ?? [0];
        if (own < least || !own) {
            return { value, rest };
        }
        const next = operation(rest.slice(1), right, parse);
        value = JOINED[sign](value, next.value), rest = next.rest;
    }
}

function factor(text, parse) {
    if (text[0] === '-' || text[0] === '+') {
        const { value, rest } = operation(text.slice(1), 3, parse); // -2^2 is -4
        return { value: text[0] === '-' ? -value : value, rest };
    }
    if (text[0] === '(') {
        const { value, rest } = operation(text.slice(1), 1, parse);
        return rest[0] === ')' ? { value, rest: rest.slice(1) } : { value: undefined, rest: '?' };
    }
    const word = text.match(NUMBER)?.[0] ?? '';
    const value = word.toLowerCase() === 'pi' ? Math.PI : word ? parse(word.replaceAll('_', '')) : undefined;
    return { value, rest: value === undefined ? '?' : text.slice(word.length) };
}

/** A number, or arithmetic on numbers: 1/3, 2^10, -(1 + 2^-23), 1_000. `parse` reads a number. undefined: neither. */
export function arithmetic(typed, parse) {
    const text = typed.trim(), plain = parse(text);
    if (plain !== undefined || !text) {
        return plain;
    }
    const { value, rest } = operation(
        text.replace(/\s+/g, '').replaceAll('**', '^').replaceAll('\u2212', '-'),
        1,
        parse,
    );
    return rest ? undefined : value;
}
