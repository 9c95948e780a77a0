// Tabs, as the ARIA practices have them: arrows move, the chosen one is in the tab order.
import { $, $$ } from './dom.js';
import { model } from './state.js';

const shown = new Map(); // tab -> what to do when it is shown

export const whenShown = (tab, callback) => shown.set(tab, callback);
export const isShown = (tab) => model.tab === tab;

export function showTab(name) {
    const tabs = $$('[role=tab]'),
        known = tabs.some((tab) => tab.dataset.tab === name && !tab.hidden) ? name : 'numbers';
    model.tab = known;
    for (const tab of tabs) {
        const chosen = tab.dataset.tab === known;
        tab.setAttribute('aria-selected', String(chosen));
        tab.tabIndex = chosen ? 0 : -1;
        $(`#panel-${tab.dataset.tab}`).hidden = !chosen;
    }
    shown.get(known)?.();
}

export function startTabs(changed) {
    for (const tab of $$('[role=tab]')) {
        tab.addEventListener('click', () => {
            showTab(tab.dataset.tab);
            changed();
        });
        tab.addEventListener('keydown', (event) => {
            const all = $$('[role=tab]').filter((other) => !other.hidden), at = all.indexOf(tab);
            const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1 }[event.key];
            if (to === undefined) {
                return;
            }
            event.preventDefault();
            const next = all[(to + all.length) % all.length];
            next.focus();
            next.click();
        });
    }
}
