// Bundles the programs of the child process, whose start time every task pays, and keeps the code that V8 compiles of them.
// Third-party packages are not bundled.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle, keepCode } from '@pdf2press/config/bundle';
import { childFlags, defaultLimits } from '@pdf2press/pdf/limited';
import { buildPdf } from '@pdf2press/pdf/testing';
import { presetOf } from '@pdf2press/preflight/contracts';

const dist = (name) => fileURLToPath(new URL(`dist/${name}`, import.meta.url));

// clipper2-ts is no CommonJS.
const takes = (name) => name === 'zod' || name === 'clipper2-ts';

await bundle({
  entry: dist('child.js'),
  out: dist('child'),
  name: 'child',
  // Benchmarks measure what a child does, so they start what it loads.
  beside: { 'preflight-once': dist('preflight-once.js') },
  takes,
  isCommonJs: true,
});
await bundle({ entry: dist('quick-child.js'), out: dist('quick'), name: 'quick', takes, isCommonJs: true });

/** A page with text, a picture and a spot ink. */
const page = {
  mediaBox: [0, 0, 240, 150],
  resources:
    '/Font << /F1 5 0 R >> /XObject << /I 6 0 R >>' +
    ' /ColorSpace << /S [/Separation /Gold /DeviceCMYK << /FunctionType 2 /Domain [0 1] /N 1 /C0 [0 0 0 0] /C1 [0 0.2 0.6 0.2] >>] >>',
  content: 'q 90 0 0 90 20 20 cm /I Do Q /S cs 1 scn 120 20 50 50 re f BT /F1 12 Tf 0 0 0 1 k 20 125 Td (Text) Tj ET',
};
const objects = {
  5: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  6: {
    dict: '/Type /XObject /Subtype /Image /Width 2 /Height 2 /ColorSpace /DeviceRGB /BitsPerComponent 8',
    data: Buffer.from('ff000000ff000000ffffffff', 'hex'),
  },
};

const folder = mkdtempSync(path.join(tmpdir(), 'pdf2press-code-'));
const file = path.join(folder, 'two-pages.pdf');

/** Runs a task with the flags of its limits, as `runTask` does. */
function keep(program, task, params) {
  const input = JSON.stringify({ task, params });
  const answer = keepCode({ program: dist(program), flags: childFlags(defaultLimits), input, folder });
  if (!/^\{"result":/m.test(answer)) throw new Error(`${task}: ${answer}`);
}

try {
  writeFileSync(file, buildPdf({ pages: [page, page], objects }));
  const reader = { locale: 'en', unit: 'Millimeters' };
  const twoUp = { type: 'AcrossDown', rows: 1, columns: 2 };
  keep('quick/quick.cjs', 'inspect', { path: file });
  keep('quick/quick.cjs', 'impose', { inputs: [{ path: file }], profile: twoUp, outputs: ['output'], tellIn: reader });
  const checked = { path: file, fileName: 'two-pages.pdf', findingsText: { locale: reader.locale } };
  keep('child/child.cjs', 'preflight', { ...checked, profile: presetOf('standard').profile });
  const fixed = { path: file, fileName: 'two-pages.pdf', out: path.join(folder, 'fixed.pdf'), tellIn: reader.locale };
  const actions = ['SetPageBoxes', 'ColorspaceTransformation', 'RichBlack'].map((key) => ({ key }));
  keep('child/child.cjs', 'fix', { ...fixed, profile: { actions } });
  keep('child/child.cjs', 'thumbnails', { path: file, most: 1 });
} finally {
  rmSync(folder, { recursive: true });
}
