// MathML out of small pieces. A variable's class gives it the colour of its plot.

const COLOURED = { x: 'x', y: 'y', g: 'g', dy: 'g', dx: 'dx', a: 'a', b: 'b', da: 'dx', db: 'db' };
const escaped = (text) => String(text).replace(/[&<>]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[c]);

/** What is markup already. A string never is, whatever it begins with. */
class Markup {
    constructor(text) {
        this.text = text;
    }
    toString() {
        return this.text;
    }
}
export const markup = (text) => new Markup(text);

/** Strings become identifiers, numbers or operators by what they look like. */
function piece(part) {
    if (part instanceof Markup) {
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
    return markup(
        `<mrow>${
            parts.map((part) => tall && /^[()]$/.test(part) ? `<mo symmetric="false">${part}</mo>` : piece(part)).join(
                '',
            )
        }</mrow>`,
    );
}
export const frac = (above, below) => markup(`<mfrac>${row(above)}${row(below)}</mfrac>`);
export const sub = (base, index) => {
    const colour = COLOURED[base];
    return markup(`<msub${colour ? ` class="v-${colour}"` : ''}>${piece(base)}${row(...[index].flat())}</msub>`);
};
export const sup = (base, exponent) => markup(`<msup>${piece(base)}${row(...[exponent].flat())}</msup>`);
// Not msqrt: with a font that has no growing root, browsers draw none, and the norm would be its square. CSS draws it.
export const root = (...parts) => markup(`<mrow class="root">${row(...parts)}</mrow>`);
export const fn = (name, ...parts) => row(markup(`<mi>${name}</mi>`), markup('<mo>\u2061</mo>'), '(', ...parts, ')');
export const sum = (under, ...parts) =>
    row(markup(`<munder><mo>\u2211</mo>${row(...[under].flat())}</munder>`), ...parts);
export const product = (under, ...parts) =>
    row(markup(`<munder><mo>\u220f</mo>${row(...[under].flat())}</munder>`), ...parts);
// A space at an end would be dropped.
export const words = (text) => markup(`<mtext>${escaped(text).replace(/^ | $/g, '\u00a0')}</mtext>`);
export const cases = (...lines) =>
    markup(
        `<mtable class="cases">${
            lines.map((line) => `<mtr>${line.map((cell) => `<mtd>${piece(cell)}</mtd>`).join('')}</mtr>`).join('')
        }</mtable>`,
    );
/** The text of a formula that is words alone: as text it can be broken into lines. */
export const prose = (formula) => /^<mtext>([^<]*)<\/mtext>$/.exec(String(formula))?.[1] ?? null;
export const math = (content, label) =>
    `<math displaystyle="true"${label ? ` aria-label="${escaped(label)}"` : ''}>${content}</math>`;
