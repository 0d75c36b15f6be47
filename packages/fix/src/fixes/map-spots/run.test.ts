import { evaluateTint, interpretPage } from '@pdf2press/pdf';
import { buildPdf } from '@pdf2press/pdf/testing';
import { expect, test } from 'vitest';
import { bytesOf, look, quicklyFixedBy } from '../../testing/fix-files.ts';

const key = 'MapSpots';
const spot = (name: string, cmyk: string) =>
  `[/Separation/${name}/DeviceCMYK<</FunctionType 2/Domain[0 1]/C0[0 0 0 0]/C1[${cmyk}]/N 1>>]`;
const pdf = (...spaces: string[]) =>
  buildPdf({
    pages: [
      {
        content: spaces.map((_, at) => `/S${at} cs 0.5 scn ${at * 30} 20 20 20 re f`).join(' '),
        resources: `/ColorSpace<<${spaces.map((space, at) => `/S${at} ${space}`).join('')}>>`,
        mediaBox: [0, 0, 200, 60],
      },
    ],
  });

/** Name, tint and alternate colour of each fill. */
const inks = (file: string): unknown[] =>
  look(file, (opened) => {
    const found: unknown[] = [];
    interpretPage(opened, 1, [
      {
        path({ state: { fill } }) {
          const { space, values } = fill;
          found.push(
            space.family === 'Separation'
              ? [space.names[0], ...(evaluateTint(opened, space, [1]) ?? []).map((ink) => Math.round(ink * 100))]
              : values.map((ink) => Math.round(ink * 100)),
          );
        },
      },
    ]);
    return found;
  });

test.each([
  ['renamed', { from: 'gold', to: 'Silver' }, [['Silver', 0, 20, 80, 10]]],
  ['to the process inks of the rule', { from: 'G*', action: 'ToProcess', cmyk: [10, 20, 30, 40] }, [[5, 10, 15, 20]]],
  ['to its alternate', { from: 'Gold', action: 'ToAlternate' }, [[0, 10, 40, 5]]],
  ['not named', { from: 'Other', to: 'Silver' }, [['Gold', 0, 20, 80, 10]]],
])('an ink is %s', async (_, rule, expected) => {
  const { path } = await quicklyFixedBy(pdf(spot('Gold', '0 0.2 0.8 0.1')), key, { rules: [rule] });
  expect(inks(path)).toEqual(expected);
});

const spellings = pdf(spot('Pantone#20485#20C', '0 0.9 0.9 0'), spot('PANTONE#20485-C', '0 0.9 0.9 0'));

test('spellings of a name become one ink, and names with paper suffixes where asked', async () => {
  expect(inks((await quicklyFixedBy(spellings, key)).path).map((ink) => (ink as string[])[0])).toEqual([
    'Pantone 485 C',
    'Pantone 485 C',
  ]);
  const kept = await quicklyFixedBy(spellings, key, { mergeSpellings: false });
  expect(kept.report.actions[0]?.outcome).toBe('NothingToDo');
  const papers = pdf(spot('Spot#2012#20C', '0 0.9 0.9 0'), spot('Spot#2012#20U', '0 0.9 0.9 0'));
  expect((await quicklyFixedBy(papers, key)).report.actions[0]?.outcome).toBe('NothingToDo');
  expect(inks((await quicklyFixedBy(papers, key, { mergeSuffixes: true })).path)).toEqual([
    ['Spot 12 C', 0, 90, 90, 0],
    ['Spot 12 C', 0, 90, 90, 0],
  ]);
});

test('an ink has one definition; differences within the tolerance are kept', async () => {
  const file = pdf(spot('Gold', '0 0.2 0.8 0.1'), spot('Gold', '0 0.3 0.8 0.1'));
  const made = await quicklyFixedBy(file, key);
  expect(inks(made.path)).toEqual([
    ['Gold', 0, 20, 80, 10],
    ['Gold', 0, 20, 80, 10],
  ]);
  expect((await quicklyFixedBy(bytesOf(made.path), key)).report.actions[0]?.outcome).toBe('NothingToDo');
  const left = await quicklyFixedBy(file, key, { tolerance: 10 });
  expect(left.report.actions[0]?.outcome).toBe('NothingToDo');
});
