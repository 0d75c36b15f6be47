import { createColourService } from '@pdf2press/pdf';
import { buildPdf } from '@pdf2press/pdf/testing';
import { expect, test } from 'vitest';
import { checkGate } from '../../gate/gate.ts';
import { fixedBy, testDir, writePdf } from '../../testing/fix-files.ts';
import { fixContracts } from '../contracts.ts';

/** More pages than the gate separates, each with transparency; one may have a square of another colour. */
const document = (odd?: { page: number; colour: string }): Uint8Array =>
  buildPdf({
    pages: Array.from({ length: 6 }, (_, index) => ({
      mediaBox: [0, 0, 100, 100] as const,
      content: `0 g 5 5 60 60 re f ${odd?.page === index + 1 ? odd.colour : '0 0 1 rg'} 70 70 20 20 re f q /Half gs 1 0 0 rg 70 5 20 20 re f Q`,
      resources: '/ExtGState<</Half<</ca 0.5>>>>',
    })),
  });

test('black on many transparent pages passes the gate, although renderers show it differently through the new output intent', async () => {
  const { report } = await fixedBy(document(), 'ColorspaceTransformation');
  expect(report.actions[0]).toMatchObject({ outcome: 'Applied', reason: null });
});

test.each([2, 5])('a wrong colour on page %i of six is found', async (page) => {
  const wrong = await fixedBy(document({ page, colour: '0 1 0 rg' }), 'ColorspaceTransformation');
  const workDir = testDir();
  const gate = await checkGate({
    before: { path: writePdf(document(), workDir) },
    after: { path: wrong.path },
    contract: fixContracts.ColorspaceTransformation,
    boxes: new Map(),
    method: 'Auto',
    isEdgeTolerant: false,
    colour: createColourService,
    workDir,
    signal: new AbortController().signal,
  });
  expect(gate).toMatchObject({ isPassed: false, broken: [] });
});
