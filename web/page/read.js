// Formulas in print, read from the op table's text: equations of names, numbers, calls, + - * / and powers.
import { fn, frac, row, sub, sup } from './mathml.js';

const SIGNS = { '-': '\u2212', '*': '\u00b7' };
const SUMS = ['+', '-'], PRODUCTS = ['*', '/'];

/** A piece that is alone stands for itself. */
const joined = (parts) => parts.length === 1 ? parts[0] : row(...parts);
/** What a fraction or an exponent holds needs no parentheses. */
const bare = (parts) => joined(parts[0] === '(' && parts.lone ? parts.slice(1, -1) : parts);
const named = (name) => name.includes('_') ? sub(...name.split('_', 2)) : name;

/** Takes tokens from the front; throws where they are no formula. Expressions are lists of pieces. */
class Reader {
    constructor(text) {
        this.tokens = text.match(/[A-Za-z]\w*|[\d.]+|\S/g) ?? [];
    }
    take(...wanted) {
        if (!wanted.includes(this.tokens[0])) {
            throw new SyntaxError(`${this.tokens[0]} is none of ${wanted}`);
        }
        return this.tokens.shift();
    }
    sum() {
        const parts = this.product();
        while (SUMS.includes(this.tokens[0])) {
            const sign = this.tokens.shift();
            parts.push(SIGNS[sign] ?? sign, ...this.product());
            parts.lone = false;
        }
        return parts;
    }
    product() {
        let parts = this.power();
        while (PRODUCTS.includes(this.tokens[0])) {
            const over = this.tokens.shift() === '/', right = this.power();
            parts = over ? [frac(bare(parts), bare(right))] : [...parts, SIGNS['*'], ...right];
        }
        return parts;
    }
    power() {
        if (this.tokens[0] === '-') {
            return [SIGNS[this.tokens.shift()], ...this.power()];
        }
        const base = this.atom();
        if (this.tokens[0] !== '^') {
            return base;
        }
        this.tokens.shift();
        return [sup(joined(base), bare(this.atom()))];
    }
    atom() {
        const token = this.tokens.shift() ?? '';
        if (token === '(') {
            const parts = ['(', ...this.sum(), this.take(')')];
            return Object.assign(parts, { lone: true });
        }
        if (!/^[\w.]+$/.test(token)) {
            throw new SyntaxError(`${token} begins nothing`);
        }
        return this.tokens[0] === '(' ? [this.call(token)] : [named(token)];
    }
    call(name) {
        const inner = [];
        do {
            const opens = this.tokens.shift();
            inner.push(...(opens === ',' ? [','] : []), joined(this.sum()));
        } while (this.tokens[0] === ',');
        this.take(')');
        return fn(name, ...inner);
    }
    equation() {
        const name = this.tokens.shift() ?? '';
        this.take('=');
        return row(named(name), '=', ...this.sum());
    }
}

/** A row for each equation; null where the text says something in words. */
export function readFormulas(text) {
    const reader = new Reader(text), rows = [];
    try {
        do {
            rows.push(reader.equation());
        } while (reader.tokens.length && reader.take(','));
    } catch {
        return null;
    }
    return rows;
}
