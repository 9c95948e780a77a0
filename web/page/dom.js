// A little shorthand for the document.

export const $ = (selector, root = document) => root.querySelector(selector);
export const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

function fill(node, attributes, children) {
    for (const [key, value] of Object.entries(attributes)) {
        if (key.startsWith('on')) {
            node.addEventListener(key.slice(2), value);
        } else if (value === true) {
            node.setAttribute(key, '');
        } else if (value !== false && value != null) {
            node.setAttribute(key, value);
        }
    }
    node.append(...children.flat().filter((child) => child != null));
    return node;
}

/** An element with attributes (on... are listeners) and children. */
export function el(tag, attributes = {}, ...children) {
    return fill(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes = {}, ...children) {
    return fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

export function set(node, attributes) {
    for (const [key, value] of Object.entries(attributes)) {
        if (node.getAttribute(key) !== String(value)) {
            node.setAttribute(key, value);
        }
    }
}

/** Says something to a screen reader, once it has come to rest. */
export const say = (() => {
    let timer;
    return (message) => {
        clearTimeout(timer);
        timer = setTimeout(() => {
            $('#said').textContent = message;
        }, 400);
    };
})();

/** A function that runs soon after it was last called for, and not in the same frame. */
export function soon(work) {
    let waiting = false;
    return () => {
        if (waiting) {
            return;
        }
        waiting = true;
        setTimeout(() => {
            waiting = false;
            work();
        }, 40);
    };
}
