// MathML out of small pieces. A variable's class gives it the colour of its plot.

const COLOURED = { x: 'x', y: 'y', g: 'g', dy: 'g', dx: 'dx', a: 'a', b: 'b', da: 'dx', db: 'db' };
const escaped = (text) => String(text).replace(/[&<>]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[c]);

/** Strings become identifiers, numbers or operators by what they look like. */
function piece(part) {
    if (part.startsWith?.('<')) {
        return part;
    }
    const text = escaped(part);
    if (/^[\d.]+$/.test(text)) {
        return `<mn>${text}</mn>`;
    }
    if (/^[A-Za-z\u00c0-\u024f\u03b1-\u03c9]+$/.test(text)) {
        return `<mi${COLOURED[text] ? ` class="v-${COLOURED[text]}"` : ''}>${text}</mi>`;
    }
    return `<mo${/^[()]$/.test(text) ? ' stretchy="false"' : ''}>${text}</mo>`;
}

/** Parentheses grow only round what is tall. */
export function row(...parts) {
    const tall = parts.some((part) => /<m(frac|under)/.test(part));
    return `<mrow>${
        parts.map((part) => tall && /^[()]$/.test(part) ? `<mo>${part}</mo>` : piece(part)).join('')
    }</mrow>`;
}
export const frac = (above, below) => `<mfrac>${row(above)}${row(below)}</mfrac>`;
export const sub = (base, index) => {
    const colour = COLOURED[base];
    return `<msub${colour ? ` class="v-${colour}"` : ''}>${piece(base)}${row(...[index].flat())}</msub>`;
};
export const sup = (base, exponent) => `<msup>${piece(base)}${row(...[exponent].flat())}</msup>`;
export const root = (...parts) => `<msqrt>${row(...parts)}</msqrt>`;
export const fn = (name, ...parts) => row(`<mi>${name}</mi>`, '<mo>\u2061</mo>', '(', ...parts, ')');
export const sum = (under, ...parts) => row(`<munder><mo>\u2211</mo>${row(...[under].flat())}</munder>`, ...parts);
export const product = (under, ...parts) => row(`<munder><mo>\u220f</mo>${row(...[under].flat())}</munder>`, ...parts);
// A space at an end would be dropped.
export const words = (text) => `<mtext>${escaped(text).replace(/^ | $/g, '\u00a0')}</mtext>`;
export const cases = (...lines) =>
    row(
        '{',
        `<mtable class="cases">${
            lines.map((line) => `<mtr>${line.map((cell) => `<mtd>${piece(cell)}</mtd>`).join('')}</mtr>`).join('')
        }</mtable>`,
    );
export const math = (content, label) =>
    `<math displaystyle="true"${label ? ` aria-label="${escaped(label)}"` : ''}>${content}</math>`;
