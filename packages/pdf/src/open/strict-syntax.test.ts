import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { buildPdf } from '../testing/build-pdf.ts';
import { openPdf } from './pdf-file.ts';
import { isStrictDict } from './strict-syntax.ts';

test.each([
  '<<>>',
  '<< /Size 5 /Root 1 0 R /ID [<00FF a1> (a\\)b)] >>',
  '<</Type/Catalog/Pages 2 0 R/PageLayout/OneColumn/Lang(en)/A<</B[1 -.5 +3. true null]>>>>',
  '<< /A % said aside\n 1 /B << /C [[1] << >>] >> >> what follows',
])('%s has no fault', (text) => expect(isStrictDict(text)).toBe(true));

test.each([
  '',
  '5',
  '<< /Size 5',
  '<< /Size >>',
  '<< /Size /Root 1 0 R >>',
  '<< 5 /Size >>',
  '<< /Size 5 6 >>',
  '<< /Root 1 1e10 R >>',
  '<< /Root R >>',
  '<< /ID [<0g>] >>',
  '<< /ID [<00> >>',
  '<< /ID <00>] >>',
  '<< /A (open >>',
  '<< /A 1x >>',
  '<< /A tru >>',
])('%s has a fault', (text) => expect(isStrictDict(text)).toBe(false));

const folder = mkdtempSync(join(tmpdir(), 'strict-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const page = { content: '0 1 0 0 k 10 10 80 80 re f', mediaBox: [0, 0, 100, 100] };
const whole = Buffer.from(buildPdf({ pages: [page] })).toString('latin1');

test.each([
  ['an undamaged file', whole],
  ['a key twice', whole.replace('/Root 1 0 R', '/Root 1 0 R /Root 1 0 R')],
  ['a fault in the trailer', whole.replace('/Root 1 0 R', '/Root 1 0 R /Info (')],
  ['a fault in the catalog', whole.replace('/Type /Catalog', '/Type /Catalog 5')],
  ['a place beyond the end', whole.replace(/(\n)0000000\d{3}( 00000 n \ntrailer)/, '$10009999999$2')],
  ['a layer that is nothing', whole.replace('/Type /Catalog', '/Type /Catalog /OCProperties 99 0 R')],
])('%s is told as repaired if MuPDF repairs it', (_, text) => {
  const path = join(folder, 'file.pdf');
  writeFileSync(path, text, 'latin1');
  const file = openPdf({ path });
  const told = file.isRepaired;
  expect(told).toBe(file.engine.wasRepaired());
  file.close();
});
