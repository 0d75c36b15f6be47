/**
 * Loaded by `keepCode` before a program of a bundle: when the program ends, the code that V8 compiled of its chunks is
 * kept beside them, that of the functions it ran among it.
 */
const fs = require('node:fs');
const { isMainThread } = require('node:worker_threads');

if (isMainThread) {
  const kept = new Map();
  globalThis[Symbol.for('pdf2press.code')] = kept;
  process.on('exit', () => {
    for (const [file, script] of kept) fs.writeFileSync(`${file}.code`, script.createCachedData());
  });
}
