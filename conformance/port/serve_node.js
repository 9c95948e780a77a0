// Before emcc's own code: the module beside this file, read as a file. (Node's fetch does not take file names.)
Module['wasmBinary'] = require('fs').readFileSync(__filename.replace(/js$/, 'wasm'));
