// Keeps the machine code of MuPDF that drawing pages with pictures and text needs, for children with the default limits.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { deflateSync } from 'node:zlib';
import { childFlags, defaultLimits } from './dist/limited/limited.js';
import { keepEngine } from './dist/open/kept-engine.js';
import { loadMupdf } from './dist/open/mupdf.js';
import { encodeJpeg, openPdf, renderPreview } from './dist/pdf.js';
import { buildPdf } from './dist/testing/testing.js';

const side = 480;

/** Noise, whose pixels compress as badly as those of a photograph. */
function noise(components) {
  const samples = new Uint8Array(side * side * components);
  for (let at = 0, seed = 1; at < samples.length; at += 1) {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
    samples[at] = (at % 160) + ((seed >> 16) & 63);
  }
  return samples;
}

const picture = (space, filter, data) => ({
  dict: `/Type /XObject /Subtype /Image /Width ${side} /Height ${side} /ColorSpace /${space} /BitsPerComponent 8 ${filter}`,
  data,
});

/** Rows with PNG filters, as `deflateSamples` and other programs write them. */
function filtered(samples, components) {
  const row = side * components;
  const rows = new Uint8Array((row + 1) * side);
  for (let y = 0; y < side; y += 1) {
    rows[y * (row + 1)] = 1;
    for (let x = 0; x < row; x += 1)
      rows[y * (row + 1) + 1 + x] = samples[y * row + x] - (x < components ? 0 : samples[y * row + x - components]);
  }
  return deflateSync(rows);
}

async function pages() {
  const size = { width: side, height: side };
  const grade = { quality: 85, isSubsampled: false };
  const predictor = (colours) =>
    `/Filter /FlateDecode /DecodeParms << /Predictor 15 /Colors ${colours} /Columns ${side} >>`;
  const pictures = {
    6: picture('DeviceRGB', '', noise(3)),
    7: picture('DeviceCMYK', predictor(4), filtered(noise(4), 4)),
    8: picture('DeviceRGB', '/Filter /DCTDecode', await encodeJpeg(noise(3), { ...size, components: 3 }, grade)),
    9: picture('DeviceCMYK', '/Filter /DCTDecode', await encodeJpeg(noise(4), { ...size, components: 4 }, grade)),
    10: picture('DeviceRGB', predictor(3), filtered(noise(3), 3)),
  };
  const text = Array.from(
    { length: 30 },
    (_, line) => `0 -12 Td (Line ${line} of a page of text, set in Helvetica) Tj`,
  );
  const contents = [
    ...Object.keys(pictures).map((number) => `q 180 0 0 180 10 10 cm /I${number} Do Q 0 0 0 1 k 20 20 30 30 re f`),
    `BT /F1 10 Tf 20 380 Td ${text.join(' ')} ET 0.2 0.4 0.1 0 k 20 20 m 90 20 120 80 160 160 c 4 w S`,
  ];
  const resources = `/Font << /F1 5 0 R >> /XObject << ${Object.keys(pictures)
    .map((number) => `/I${number} ${number} 0 R`)
    .join(' ')} >>`;
  return buildPdf({
    pages: contents.map((content) => ({ content, resources, mediaBox: [0, 0, 400, 400] })),
    objects: { 5: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>', ...pictures },
  });
}

async function draw() {
  const folder = mkdtempSync(path.join(tmpdir(), 'pdf2press-engine-'));
  const file = path.join(folder, 'pages.pdf');
  try {
    writeFileSync(file, await pages());
    await loadMupdf();
    for (let round = 0; round < 12; round += 1) {
      const pdf = openPdf({ path: file });
      for (const { number } of pdf.pages) renderPreview(pdf, number, { dpi: 60 + round });
      pdf.close();
      // The best code is made in threads of V8, which need time.
      await sleep(50);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (process.argv[2] === 'draw') await keepEngine(draw);
else {
  const program = [fileURLToPath(import.meta.url), 'draw'];
  const options = { encoding: 'utf8', maxBuffer: 1e8 };
  const { status, signal, stderr } = spawnSync(process.execPath, [...childFlags(defaultLimits), ...program], options);
  // V8 ends the process where it has nothing to keep. Children compile MuPDF themselves then: later, but the same.
  if (status !== 0) console.warn(`The code of MuPDF is not kept (${signal ?? status}): ${stderr}`);
}
