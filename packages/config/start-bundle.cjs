/**
 * Starts a program of a CommonJS bundle with the code that V8 compiled of its chunks when the bundle was made
 * (`keep-code.cjs`): parsing and compiling them takes longer than all else of a short task. Code that was kept by another
 * Node.js or with other flags is refused by V8, and the chunk is compiled as ever. `bundle` copies this file beside the
 * chunks.
 */
const fs = require('node:fs');
const path = require('node:path');
const { fileURLToPath } = require('node:url');
const vm = require('node:vm');

/** Where the build collects what was compiled, if it runs this. */
const kept = globalThis[Symbol.for('pdf2press.code')];

const loaded = new Map();

/** `import()` for the chunks, which lie beside this file: V8 forgets whose `import()` it is in code that was kept. */
const importFrom = async (id) => {
  // A chunk that is named by its path, as a thread names its job: Node.js would read and compile all of it once more.
  const file = id.startsWith('file:') ? fileURLToPath(id) : id;
  return path.dirname(file) === __dirname && file.endsWith('.cjs') ? load(file) : import(id);
};

/** What a chunk of a bundle exports. `file` is its absolute path. */
function load(file) {
  const known = loaded.get(file);
  if (known) return known.exports;
  const module = { exports: {} };
  loaded.set(file, module);
  const codeFile = `${file}.code`;
  const script = new vm.Script(
    // Strict, as the modules are of which the chunk is made.
    `(function(exports,require,module,__filename,__dirname,importFrom){"use strict";${fs.readFileSync(file, 'utf8')}\n})`,
    { filename: file, cachedData: fs.existsSync(codeFile) ? fs.readFileSync(codeFile) : undefined },
  );
  kept?.set(file, script);
  const folder = path.dirname(file);
  const requireFrom = (id) => (id.startsWith('./') ? load(path.join(folder, id)) : require(id));
  script.runInThisContext()(module.exports, requireFrom, module, file, folder, importFrom);
  return module.exports;
}

module.exports = load;
