import { expect, test } from 'vitest';
import { buildPdf } from '@pdf2press/pdf/testing';
import { fixedBy, contentOf } from '../testing/fix-files.ts';
const font='/Font << /F1 5 0 R >>';
const objects={5:'<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'};
test('x', async () => {
  const pdf = buildPdf({ pages:[{content:'0.6 0.4 0.4 1 k BT /F1 10 Tf 20 100 Td (Hello) Tj ET 0 0 0 rg BT /F1 10 Tf 20 80 Td (RGB) Tj ET 0.6 0.5 0.5 1 K 1 w 10 10 m 100 10 l S 1 0 0 RG 0.1 w 10 20 m 100 20 l S 0 g 30 30 100 0.1 re f 0 g BT /F1 8 Tf 20 60 Td (gray) Tj ET 0 0 0 1 k BT /F1 8 Tf 20 50 Td (kk) Tj ET', resources: font}], objects });
  for (const [k,s] of [['RichBlack',{}],['Overprint',{}],['ThickenLines',{}]] as const) {
    const one = await fixedBy(pdf, k, s);
    console.log(k, one.report.actions[0], contentOf(one.path), one.report.changes.map(c=>[c.what,c.before,c.after,c.count].join('|')));
    const two = await fixedBy(one.path, k, s);
    expect(two.report.actions[0]?.outcome).toBe('NothingToDo');
  }
});
