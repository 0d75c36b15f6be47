import { interpretPage } from '@pdf2press/pdf';
import { buildPdf } from '@pdf2press/pdf/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytesOf, contentOf, fixedBy, look } from '../../testing/fix-files.ts';

const key = 'FontsOutline';
const settings = { targets: 'Vectors' };

/** Painting operators of each page, to find remaining strokes. */
const paints = (file: string): string[] =>
  look(file, (pdf) => {
    const found: string[] = [];
    for (const page of pdf.pages)
      interpretPage(pdf, page.number, [{ path: (event) => void found.push(event.paints) }], { everyUse: true });
    return found;
  });

const page = (content: string, resources = '') =>
  buildPdf({ pages: [{ content, resources, mediaBox: [0, 0, 200, 200] }] });

const shapes = [
  '20 20 m 90 40 l 30 90 l S',
  '20 120 m 60 190 90 110 150 180 c S',
  '110 20 60 50 re s',
  '100 100 m 100 150 180 150 180 100 c b',
  '30 30 m 160 150 l 165 20 l h B*',
  '120 60 m 122 90 124 30 126 60 c S',
];
const styles = fc.record({
  width: fc.constantFrom(0.3, 2, 9),
  cap: fc.constantFrom(0, 1, 2),
  join: fc.constantFrom(0, 1, 2),
  dash: fc.constantFrom('[] 0 d', '[6 3] 2 d', '[1 8] 0 d', '[5] 1 d'),
  ctm: fc.constantFrom('1 0 0 1 0 0', '1.4 0.3 -0.2 0.7 20 10', '0.02 0 0 0.02 0 0'),
  clip: fc.constantFrom('', 'W '),
});

test('outlined strokes of every style cover the same area', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...shapes), styles, async (shape, { width, cap, join, dash, ctm, clip }) => {
      const isTiny = ctm.startsWith('0.02');
      const drawn = shape.replace(/[\d.]+ /g, (number) => (isTiny ? `${Number(number) * 50} ` : number));
      const pattern = isTiny ? dash.replace(/\d+/g, (number) => String(Number(number) * 50)) : dash;
      const clipped = drawn.replace(/(\S+)$/, `${clip}$1`);
      const pdf = page(
        `q ${ctm} cm 0 0.9 0.1 0 K 0.3 0 0 0.1 k ${width * (isTiny ? 50 : 1)} w ${cap} J ${join} j 4 M ${pattern} ${clipped} 0 0 1 0 k 90 90 20 20 re f Q`,
      );
      const { report, path } = await fixedBy(pdf, key, settings);
      expect([drawn, report.actions[0]?.outcome, report.actions[0]?.gate?.isPassed]).toEqual([drawn, 'Applied', true]);
      expect(paints(path)).not.toContain('stroke');
      expect(paints(path)).not.toContain('both');
      expect((await fixedBy(bytesOf(path), key, settings)).report.actions[0]?.outcome).toBe('NothingToDo');
    }),
    { numRuns: 15, seed: 11 },
  );
});

test('a spot stays a spot; overprint and opacity of the stroke apply to the fill', async () => {
  const spot = '[/Separation/Gold/DeviceCMYK<</FunctionType 2/Domain[0 1]/C0[0 0 0 0]/C1[0 0.2 0.8 0.1]/N 1>>]';
  const pdf = page(
    '/S CS 0.8 SCN /G gs 0 1 0 0 k 5 w 20 20 m 150 150 l S 50 20 20 20 re f',
    `/ColorSpace<</S ${spot}>>/ExtGState<</G<</OP true/op false/CA 0.5/ca 1>>>>`,
  );
  const { path } = await fixedBy(pdf, key, settings);
  look(path, (file) => {
    const found: unknown[] = [];
    interpretPage(file, 1, [
      {
        path: ({ state }) =>
          void found.push([state.fill.space.family, state.fill.values, state.fillOverprint, state.fillAlpha]),
      },
    ]);
    expect(found).toEqual([
      ['Separation', [0.8], true, 0.5],
      ['DeviceCMYK', [0, 1, 0, 0], false, 1],
    ]);
  });
});

test('zero-width lines stay and are reported; thin lines are reported', async () => {
  const hair = await fixedBy(page('0 w 10 10 m 90 90 l S'), key, settings);
  expect(hair.report.actions[0]).toMatchObject({ outcome: 'NothingToDo', warnings: [{ code: 'hairline' }] });
  const thin = await fixedBy(page('0.1 w 10 10 m 90 90 l S'), key, settings);
  expect(thin.report.actions[0]?.warnings).toMatchObject([{ code: 'thinStroke', params: { width: 0.1, limit: 0.25 } }]);
});

test('the target Fonts leaves lines unchanged', async () => {
  const content = '1 w 10 10 m 90 90 l S';
  expect(contentOf((await fixedBy(page(content), key, { targets: 'Fonts' })).path)).toBe(content);
});
