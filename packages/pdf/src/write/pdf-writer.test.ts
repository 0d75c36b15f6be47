import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createPdfWriter } from './pdf-writer.ts';

const directory = mkdtempSync(join(tmpdir(), 'writer-'));
afterAll(() => rmSync(directory, { recursive: true }));

const buffer = 1 << 17;

test('pieces of every size around that of the buffer arrive whole, and where the table says', () => {
  const path = join(directory, 'pieces.pdf');
  const writer = createPdfWriter({ path, version: '1.4' });
  const sizes = [0, 1, 1000, buffer - 1, buffer, buffer + 1, 2 * buffer, 3 * buffer + 7, 5, buffer - 200];
  const streams = sizes.map((size, at) => {
    const bytes = Buffer.alloc(size, `piece ${at} `);
    const num = writer.reserve();
    writer.stream(num, '', bytes, bytes.subarray(0, size / 2));
    return { num, text: `stream\n${bytes.toString('latin1')}${bytes.toString('latin1', 0, size / 2)}\nendstream` };
  });
  const long = writer.reserve();
  writer.object(long, `(${'x'.repeat(buffer)})`);
  const size = writer.finish({ root: long });

  const file = readFileSync(path, 'latin1');
  expect(file.length).toBe(size);
  const table = file.slice(file.lastIndexOf('\nxref\n'));
  const places = [...table.matchAll(/^(\d{10}) 00000 n $/gm)].map(([, offset]) => Number(offset));
  for (const { num, text } of streams) {
    const at = places[num - 1] ?? -1;
    const length = text.length - 'stream\n\nendstream'.length;
    const expected = `${num} 0 obj\n<</Length ${length}>>\n${text}\nendobj\n`;
    expect(file.slice(at, at + expected.length) === expected, `object ${num}`).toBe(true);
  }
  expect(file.startsWith(`${long} 0 obj\n(xxx`, places[long - 1])).toBe(true);
});
