import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cleanFileName } from './file-names.ts';

test.each([
  ['Brochure.pdf', 'Brochure.pdf'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\jobs\\Karte A5.pdf', 'Karte A5.pdf'],
  ['.hidden.pdf', 'hidden.pdf'],
  ['CON.pdf', '_CON.pdf'],
  ['a\u202Efdp.exe', 'afdp.exe'],
  ['', 'file'],
  ['...', 'file'],
  ['a<b>:c|d?.pdf', 'a_b__c_d_.pdf'],
  [`${'n'.repeat(300)}.pdf`, `${'n'.repeat(196)}.pdf`],
])('%j becomes %j', (given, wanted) => expect(cleanFileName(given)).toBe(wanted));

test('any name becomes short and safe, and cleaning it again changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (name) => {
      const clean = cleanFileName(name);
      expect(Buffer.byteLength(clean)).toBeLessThanOrEqual(201);
      expect(clean).not.toMatch(/[/\\]|^\.|^$/);
      expect(cleanFileName(clean)).toBe(clean);
    }),
    { numRuns: 2000 },
  );
});
