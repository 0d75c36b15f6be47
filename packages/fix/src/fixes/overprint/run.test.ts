import { interpretPage } from '@pdf2press/pdf';
import { buildPdf } from '@pdf2press/pdf/testing';
import { expect, test } from 'vitest';
import { look, quicklyFixedBy } from '../../testing/fix-files.ts';

const key = 'Overprint';
const tint = '<</FunctionType 2/Domain[0 1]/C0[0 0 0 0]/C1[0 1 0 0]/N 1>>';
const page = (content: string) =>
  buildPdf({
    objects: { 9: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>' },
    pages: [
      {
        content,
        mediaBox: [0, 0, 200, 200],
        resources: `/Font<</F 9 0 R>>/ExtGState<</On<</op true/OP true>>>>/ColorSpace<</Cut[/Separation/CutContour/DeviceCMYK ${tint}]/Gold[/Separation/Gold/DeviceCMYK ${tint}]>>`,
      },
    ],
  });
/** Each painted object: colour space, overprint and overprint mode. */
const seen = (path: string): string[] =>
  look(path, (file) => {
    const found: string[] = [];
    const see = ({ state, paints }: { state: Parameters<typeof say>[0]; paints: string }) =>
      void found.push(say(state, paints));
    interpretPage(file, 1, [{ text: see, path: see }]);
    return found;
  });
const say = (
  state: {
    fill: { space: { family: string } };
    stroke: { space: { family: string } };
    fillOverprint: boolean;
    strokeOverprint: boolean;
    overprintMode: number;
  },
  paints: string,
): string => {
  const isOn = paints === 'stroke' ? state.strokeOverprint : state.fillOverprint;
  const { family } = (paints === 'stroke' ? state.stroke : state.fill).space;
  return `${family} ${isOn ? `on ${state.overprintMode}` : 'off'}`;
};

const everything =
  '0 0 0 1 k BT /F 10 Tf 10 10 Td (a) Tj ET 0 g BT /F 10 Tf 10 30 Td (b) Tj ET BT /F 20 Tf 10 50 Td (c) Tj ET ' +
  '0 0 0 1 K 1 w 10 90 m 90 90 l S 4 w 10 100 m 90 100 l S 0 0 0 0 k /On gs 10 110 10 10 re f 0 1 0 0 k 30 110 10 10 re f /Cut CS 1 SCN 1 w 50 110 10 10 re S';

test('small black text and thin black lines overprint, white knocks out, technical inks overprint, other objects stay', async () => {
  const { report, path } = await quicklyFixedBy(page(everything), key);
  expect(report.actions[0]).toMatchObject({ outcome: 'Applied' });
  expect(seen(path)).toEqual([
    'DeviceCMYK on 1',
    'DeviceCMYK on 1',
    'DeviceGray off',
    'DeviceCMYK on 1',
    'DeviceCMYK off',
    'DeviceCMYK off',
    'DeviceCMYK on 0',
    'Separation on 0',
  ]);
  expect((await quicklyFixedBy(path, key)).report.actions[0]?.outcome).toBe('NothingToDo');
});

test.each([
  ['each rule can be off', { blackText: false, blackLines: false, whiteKnockout: false }, 'NothingToDo'],
  ['targets: strokes only', { targets: 'Vectors', whiteKnockout: false }, 1],
  ['the size limit is off at 0', { textMaxSize: 0, blackLines: false, whiteKnockout: false }, 3],
  [
    'colour knocks out when asked',
    { blackText: false, blackLines: false, whiteKnockout: false, colourKnockout: true },
    1,
  ],
] as const)('%s', async (_, settings, expected) => {
  const [action] = (await quicklyFixedBy(page(everything), key, settings)).report.actions;
  expect(expected === 'NothingToDo' ? action?.outcome : action?.objects).toBe(expected);
});

test('black in DeviceGray cannot overprint and becomes K, or Separation Black', async () => {
  const text = page('0 g BT /F 10 Tf 10 30 Td (b) Tj ET');
  expect(seen((await quicklyFixedBy(text, key, { grayToBlack: 'SeparationBlack' })).path)).toEqual(['Separation on 1']);
  expect(seen((await quicklyFixedBy(text, key, { grayToBlack: 'Off' })).path)).toEqual(['DeviceGray on 1']);
});

test('inks can be excluded, a lower threshold includes dark greys', async () => {
  const gold = page('/Gold cs 1 scn 10 10 10 10 re f');
  const colour = { colourKnockout: true };
  expect((await quicklyFixedBy(gold, key, colour)).report.actions[0]?.outcome).toBe('NothingToDo');
  const dark = page('0 0 0 0.9 k BT /F 10 Tf 10 30 Td (b) Tj ET');
  expect((await quicklyFixedBy(dark, key)).report.actions[0]?.outcome).toBe('NothingToDo');
  expect((await quicklyFixedBy(dark, key, { blackThreshold: 90 })).report.actions[0]?.outcome).toBe('Applied');
  const cut = page('/Cut cs 1 scn 10 10 10 10 re f');
  expect((await quicklyFixedBy(cut, key)).report.actions[0]?.outcome).toBe('Applied');
  expect((await quicklyFixedBy(cut, key, { exclude: ['cut*'] })).report.actions[0]?.outcome).toBe('NothingToDo');
  expect((await quicklyFixedBy(cut, key, { technicalOverprint: false })).report.actions[0]?.outcome).toBe(
    'NothingToDo',
  );
});
