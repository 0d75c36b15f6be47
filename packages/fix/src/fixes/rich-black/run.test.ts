import { interpretPage } from '@pdf2press/pdf';
import { buildPdf } from '@pdf2press/pdf/testing';
import { expect, test } from 'vitest';
import { contentOf, look, quicklyFixedBy } from '../../testing/fix-files.ts';

const key = 'RichBlack';
const type3 =
  '<</Type/Font/Subtype/Type3/FontBBox[0 0 1000 1000]/FontMatrix[0.001 0 0 0.001 0 0]/CharProcs<</a 9 0 R>>/Encoding<</Differences[97/a]>>/FirstChar 97/LastChar 97/Widths[600]/Resources<<>>>>';
const page = (content: string, extra = '') =>
  buildPdf({
    objects: { 8: type3, 9: { dict: '', data: '600 0 0 0 600 700 d1 100 0 400 700 re f' } },
    pages: [
      {
        content,
        mediaBox: [0, 0, 600, 600],
        resources: `/Font<</T 8 0 R>>/ColorSpace<</All[/Separation/All/DeviceCMYK 10 0 R]>>/ExtGState<</Half<</ca 0.5>>>>${extra}`,
      },
    ],
  });
const text = (colour: string, size: number) => `${colour} BT /T ${size} Tf 30 30 Td (a) Tj ET`;

/** Fill and stroke colours in order, with overprint. */
const paints = (file: string): string[] =>
  look(file, (pdf) => {
    const found: string[] = [];
    const say = ({ state, paints }: { state: Parameters<typeof inks>[0]; paints: string }): void => {
      if (paints !== 'none') found.push(inks(state, paints === 'stroke'));
    };
    interpretPage(pdf, 1, [{ text: say, path: (event) => event.place.run.kind === 'page' && say(event) }]);
    return found;
  });
function inks(
  state: {
    fill: { values: readonly number[] };
    stroke: { values: readonly number[] };
    fillOverprint: boolean;
    strokeOverprint: boolean;
  },
  isStroke: boolean,
): string {
  const { values } = isStroke ? state.stroke : state.fill;
  return `${values.join(' ')}${(isStroke ? state.strokeOverprint : state.fillOverprint) ? ' over' : ''}`;
}

const rich = '0.6 0.4 0.4 1 k';
const line = (colour: string, width: number) => `${colour} ${width} w 10 10 m 90 90 l S`;

test.each([
  ['small text', text(rich, 10), {}, ['0 0 0 1']],
  ['text above textMaxSize', text(rich, 14), {}, ['0.6 0.4 0.4 1']],
  ['0 is every size', text(rich, 90), { textMaxSize: 0 }, ['0 0 0 1']],
  ['text not asked for', text(rich, 10), { objects: ['vector'] }, ['0.6 0.4 0.4 1']],
  ['thin line', line('0.6 0.4 0.4 1 K', 1), {}, ['0 0 0 1']],
  ['line above lineMaxWidth', line('0.6 0.4 0.4 1 K', 3), {}, ['0.6 0.4 0.4 1']],
  ['below minK', text('0.6 0.4 0.4 0.82 k', 10), {}, ['0.6 0.4 0.4 0.82']],
  ['below minK within the tolerance', text('0.6 0.4 0.4 0.82 k', 10), { tolerance: 5 }, ['0 0 0 1']],
  ['sum not above minSum', text('0.05 0 0 0.9 k', 10), {}, ['0.05 0 0 0.9']],
  ['sum within the tolerance', text('0.05 0 0 0.9 k', 10), { tolerance: 6 }, ['0 0 0 1']],
  ['RGB black', text('0.02 0.03 0.01 rg', 10), {}, ['0 0 0 1']],
  ['RGB above rgbMax', text('0.1 0.03 0.01 rg', 10), {}, ['0.1 0.03 0.01']],
  ['RGB within the tolerance', text('0.1 0.03 0.01 rg', 10), { tolerance: 7 }, ['0 0 0 1']],
  ['registration', text('/All cs 1 scn', 10), {}, ['0 0 0 1']],
  ['registration not asked for', text('/All cs 1 scn', 10), { includeRegistration: false }, ['1']],
  ['overprinting', text(rich, 10), { keepOverprint: true }, ['0 0 0 1 over']],
])('to black only: %s', async (_, content, settings, expected) => {
  const tint = { 10: { dict: '/FunctionType 4/Domain[0 1]/Range[0 1 0 1 0 1 0 1]', data: '{dup dup dup}' } };
  const pdf = buildPdf({
    objects: { 8: type3, 9: { dict: '', data: '600 0 0 0 600 700 d1 100 0 400 700 re f' }, ...tint },
    pages: [{ content, resources: '/Font<</T 8 0 R>>/ColorSpace<</All[/Separation/All/DeviceCMYK 10 0 R]>>' }],
  });
  expect(paints((await quicklyFixedBy(pdf, key, settings)).path)).toEqual(expected);
});

test('objects in transparency are changed and reported, or left and reported', async () => {
  const pdf = page(`/Half gs ${text(rich, 10)}`);
  const changed = await quicklyFixedBy(pdf, key);
  expect(changed.report.actions[0]).toMatchObject({ outcome: 'Applied', warnings: [{ code: 'transparency' }] });
  const left = await quicklyFixedBy(pdf, key, { excludeInsideTransparency: 'Exclude' });
  expect(left.report.actions[0]).toMatchObject({ outcome: 'NothingToDo', warnings: [{ code: 'transparencyLeft' }] });
});

test('large black areas become rich within the ink limit, small ones stay', async () => {
  const content = '0 0 0 1 k 0 0 500 500 re f 510 510 20 20 re f';
  const recipe = { direction: 'ToRich', recipe: { c: 60, m: 40, y: 40, k: 100 } };
  expect(paints((await quicklyFixedBy(page(content), key, recipe)).path)).toEqual(['0.6 0.4 0.4 1', '0 0 0 1']);
  const limited = await quicklyFixedBy(page(content), key, { ...recipe, maxInk: 170 });
  expect(paints(limited.path)).toEqual(['0.3 0.2 0.2 1', '0 0 0 1']);
  const all = await quicklyFixedBy(page(content), key, { ...recipe, minArea: 0 });
  expect(paints(all.path)).toEqual(['0.6 0.4 0.4 1', '0.6 0.4 0.4 1']);
  const other = page('0.9 0.9 0.2 1 k 0 0 500 500 re f');
  expect(contentOf((await quicklyFixedBy(other, key, recipe)).path)).toContain('0.9 0.9 0.2 1 k 0 0 500 500 re');
  expect(paints((await quicklyFixedBy(other, key, { ...recipe, direction: 'Recipe' })).path)).toEqual([
    '0.6 0.4 0.4 1',
  ]);
});
