// Starts the page: engine first, then what shows it.
import { $ } from './dom.js';
import { inflate, startEngine } from './engine.js';
import { address, model, readAddress } from './state.js';
import { FORMULAS } from './formulas.js';
import { showRefusal, startControls } from './controls.js';
import { frameTimes, startStage } from './stage.js';
import { startTable } from './table.js';
import { startSteps } from './steps.js';
import { startStories } from './stories.js';
import { startBeside } from './beside.js';
import { startOrder } from './order.js';
import { startMap } from './map.js';
import { startBits } from './bits.js';
import { startSuite } from './suite.js';
import { startShare } from './share.js';
import { showTab, startTabs } from './tabs.js';

function follow() {
    const { refused, ignored } = readAddress();
    showRefusal(refused, ignored);
    showTab(model.tab);
}

async function start() {
    const packed = $('#packed-engine').textContent;
    model.wasm = await inflate(packed);
    model.engine = await startEngine(model.wasm);
    startControls();
    startStage();
    startTable();
    startSteps();
    startMap();
    startBits();
    startSuite();
    startShare();
    startBeside();
    startOrder();
    startStories();
    startTabs(() => history.replaceState(null, '', address()));
    if (location.hash) {
        follow();
    }
    if (!model.theCase) {
        history.replaceState(null, '', location.pathname + location.search);
        const refused = $('#refused').textContent;
        follow();
        if (refused) {
            $('#refused').textContent = refused;
        }
    }
    addEventListener('hashchange', follow);
    $('#version').textContent = model.engine.tables.version;
    document.documentElement.dataset.ready = String(Math.round(performance.now()));
}

window.cotangent = { model, frameTimes, FORMULAS }; // for whoever wants to look inside, and for the tests

start().catch((error) => {
    $('#refused').textContent =
        `The page could not start: ${error.message}. It needs WebAssembly with SIMD and DecompressionStream ` +
        '(Chromium 91, Firefox 113, Safari 16.4).';
    throw error;
});
