import { buildPdf } from '@pdf2press/pdf/testing';
import { expect, test } from 'vitest';
import { fixedBy } from '../../testing/fix-files.ts';

test('black on many pages with transparency is what it was, though renderers show it through the new output intent', async () => {
  const pdf = buildPdf({
    pages: Array.from({ length: 5 }, () => ({
      mediaBox: [0, 0, 100, 100] as const,
      content: '0 g 5 5 60 60 re f 0 0 1 rg 70 70 20 20 re f q /Half gs 1 0 0 rg 70 5 20 20 re f Q',
      resources: '/ExtGState<</Half<</ca 0.5>>>>',
    })),
  });
  const { report } = await fixedBy(pdf, 'ColorspaceTransformation');
  expect(report.actions[0]).toMatchObject({ outcome: 'Applied', reason: null });
});
