import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import { isNight } from '@pdf2press/config/by-day';
import { buildPdf } from '@pdf2press/pdf/testing';
import { afterAll, expect, test } from 'vitest';
import { runTask } from './tasks.ts';

const directory = mkdtempSync(path.join(os.tmpdir(), 'large-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** A page of a few kilobytes whose picture has very many pixels. */
const page = (width: number, height: number, bits: number, space: string, components: number): Uint8Array =>
  buildPdf({
    objects: {
      30: {
        dict: `/Subtype/Image/Width ${width}/Height ${height}/BitsPerComponent ${bits}/ColorSpace/${space}/Filter/FlateDecode`,
        data: deflateSync(Buffer.alloc(Math.ceil((width * bits * components) / 8) * height, 0x5a)),
      },
    },
    pages: [{ content: 'q 180 0 0 180 10 10 cm /I Do Q', resources: '/XObject<</I 30 0 R>>' }],
  });

async function reduced(bytes: Uint8Array) {
  const folder = mkdtempSync(path.join(directory, 'case-'));
  const file = path.join(folder, 'in.pdf');
  writeFileSync(file, bytes);
  const profile = { actions: [{ key: 'ImageResolution', when: { is: 'Always' } }] };
  const report = await runTask(
    'fix',
    { path: file, fileName: 'in.pdf', profile, out: path.join(folder, 'out.pdf') },
    { workDir: mkdtempSync(path.join(folder, 'work-')) },
  );
  return report.actions[0];
}

/** A quarter of the pixels by day. */
const side = isNight ? 20_000 : 10_000;

test(`a scan of ${side ** 2 / 1e6} million pixels is made smaller in the memory of a child process`, async () => {
  expect(await reduced(page(side, side, 1, 'DeviceGray', 1))).toMatchObject({ outcome: 'Applied', warnings: [] });
});

test('a picture that no memory holds stays as it is with a warning, and the rest goes on', async () => {
  expect(await reduced(page(9000, 9000, 16, 'DeviceCMYK', 4))).toMatchObject({
    outcome: 'NothingToDo',
    warnings: [{ code: 'imageUnreadable', params: { page: 1, object: 30 } }],
  });
});
