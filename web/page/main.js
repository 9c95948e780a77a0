// Starts the page: engine first, then what shows it.
import { $ } from './dom.js';
import { inflate, startEngine } from './engine.js';
import { address, model, readAddress, undo } from './state.js';
import { FORMULAS } from './formulas.js';
import { readFormulas } from './read.js';
import { showRefusal, startControls } from './controls.js';
import { frameTimes, startStage } from './stage.js';
import { startTable } from './table.js';
import { startSteps } from './steps.js';
import { startTruth } from './truth.js';
import { startKernel } from './kernel.js';
import { startRival } from './rival.js';
import { startStories } from './stories.js';
import { startBeside } from './beside.js';
import { startOrder } from './order.js';
import { startMap } from './map.js';
import { startBits } from './bits.js';
import { startSuite } from './suite.js';
import { picture, pixels, startPicture } from './picture.js';
import { startShare } from './share.js';
import { showTab, startTabs } from './tabs.js';

function follow() {
    const { refused, ignored } = readAddress();
    showRefusal(refused, ignored);
    showTab(model.tab);
}

/** The case of the address, or the first one where there is none, or a bad one. */
function openFirst() {
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
}

function undoByKeys(event) {
    const key = event.key.toLowerCase(), writes = event.target.matches?.('input[type=text], textarea');
    if ((event.ctrlKey || event.metaKey) && !event.shiftKey && key === 'z' && !writes && undo()) {
        event.preventDefault();
    } else if ((event.ctrlKey || event.metaKey) && !writes && (key === 'y' || key === 'z' && event.shiftKey)) {
        event.preventDefault();
        history.forward();
    }
}

async function start() {
    const packed = $('#packed-engine').textContent;
    model.wasm = await inflate(packed);
    model.engine = await startEngine(model.wasm);
    startControls();
    startStage();
    startTable();
    startSteps();
    startTruth();
    startMap();
    startBits();
    startSuite();
    startShare();
    startPicture();
    startBeside();
    startOrder();
    startKernel();
    startRival();
    startStories();
    startTabs(() => history.replaceState(history.state, '', address()));
    openFirst();
    addEventListener('hashchange', follow);
    addEventListener('keydown', undoByKeys);
    $('#version').textContent = model.engine.tables.version;
    document.documentElement.dataset.ready = String(Math.round(performance.now()));
}

// For whoever wants to look inside, and for the tests.
window.cotangent = { model, frameTimes, picture, pixels, FORMULAS, readFormulas };

start().catch((error) => {
    $('#refused').textContent =
        `The page could not start: ${error.message}. It needs WebAssembly with SIMD and DecompressionStream ` +
        '(Chromium 91, Firefox 113, Safari 16.4).';
    throw error;
});
