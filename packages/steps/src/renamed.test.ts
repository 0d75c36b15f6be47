import { factsOf, loadRegularExpressions, type RegularExpressions } from '@pdf2press/settings';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { renameContract } from './rename/contract.ts';
import { renamed } from './renamed.ts';

let regular: RegularExpressions;
beforeAll(async () => {
  regular = await loadRegularExpressions();
});

const reader = { locale: 'en', unit: 'Millimeters', timeZone: 'UTC' } as const;

interface Asked {
  settings: object;
  name?: string;
  taken?: string[];
  values?: Record<string, string>;
}
const rename = ({ settings, name = 'Flyer.pdf', taken = [], values = {} }: Asked) =>
  renamed(name, renameContract.settings.parse(settings), {
    facts: factsOf({
      'file.name': name,
      'file.baseName': name.replace(/\.[A-Za-z0-9]{1,10}$/, ''),
      'file.extension': 'pdf',
      'order.id': '4711',
      'session.createdAt': '2026-11-22T08:00:00Z',
      now: '2026-11-24T08:00:00Z',
      counter: '12',
      'counter.daily': '3',
      ...values,
    }),
    reader,
    regular,
    taken,
    unique: '5e6f7a8b',
  });

test.each([
  ['{{file.baseName}}', 'Flyer.pdf'],
  ['{{order.id}}_{{file.baseName|lower}}', '4711_flyer.pdf'],
  ['{{order.id}}.PDF', '4711.pdf'],
  ['v1.2', 'v1.2.pdf'],
  ['{{customer.name}}', 'Flyer.pdf'],
  ['{{file.extension}}', 'pdf.pdf'],
])('the pattern %s gives %s', (pattern, wanted) => {
  expect(rename({ settings: { pattern } }).name).toBe(wanted);
});

test.each([
  ['prefix', { text: '{{order.id}}-' }, '4711-A_b_Größe.pdf'],
  ['suffix', { text: '-{{order.id}}' }, 'A_b_Größe-4711.pdf'],
  ['replace', { find: '_', replacement: '-' }, 'A-b-Größe.pdf'],
  ['replace', { find: 'a_B', replacement: '$&', isCaseSensitive: false }, '$&_Größe.pdf'],
  ['replace', { find: 'a_B', replacement: 'x' }, 'A_b_Größe.pdf'],
  ['replace', { find: '.*', replacement: 'x' }, 'A_b_Größe.pdf'],
  ['regex', { expression: '^(\\w)_(\\w)', replacement: '$2{{order.id}}$1' }, 'b4711A_Größe.pdf'],
  ['regex', { expression: 'B', replacement: '', isCaseSensitive: false }, 'A__Größe.pdf'],
  ['regex', { expression: '_', replacement: '{{price}}' }, 'A$1b$1Größe.pdf'],
  ['keepSegment', { segment: 2 }, 'b.pdf'],
  ['keepSegment', { segment: 1, countsFromEnd: true }, 'Größe.pdf'],
  ['keepSegment', { segment: 9 }, 'A_b_Größe.pdf'],
  ['removeSegment', { segment: 2 }, 'A_Größe.pdf'],
  ['removeSegment', { segment: 1, separator: '-' }, 'A_b_Größe.pdf'],
  ['case', { letters: 'upper' }, 'A_B_GRÖSSE.pdf'],
  ['case', { letters: 'lower' }, 'a_b_größe.pdf'],
  ['transliterate', {}, 'A_b_Grosse.pdf'],
  ['diacritics', {}, 'A_b_Große.pdf'],
  ['trim', {}, 'A_b_Größe.pdf'],
  ['pad', { digits: 3 }, 'A_b_Größe.pdf'],
  ['date', { date: 'received' }, '2026-11-22_A_b_Größe.pdf'],
  ['date', { datePattern: "dd.MM 'on'", place: 'end', separator: ' ' }, 'A_b_Größe 24.11 on.pdf'],
  ['counter', { counts: 'workflow' }, '0012_A_b_Größe.pdf'],
  ['counter', { counts: 'day', digits: 1, place: 'end', separator: '' }, 'A_b_Größe3.pdf'],
  // No number is known: nothing is added.
  ['counter', { counts: 'all' }, 'A_b_Größe.pdf'],
])('%s with %j gives %s', (action, operation, wanted) => {
  const settings = { operations: [{ action, ...operation }] };
  expect(rename({ settings, name: 'A_b_Größe.pdf', values: { price: '$1' } }).name).toBe(wanted);
});

test('operations are carried out in their order', () => {
  const upper = { action: 'case', letters: 'upper' };
  const suffix = { action: 'suffix', text: 'x' };
  expect(rename({ settings: { operations: [upper, suffix] } }).name).toBe('FLYERx.pdf');
  expect(rename({ settings: { operations: [suffix, upper] } }).name).toBe('FLYERX.pdf');
});

test.each([
  ['diacritics', 'Žluťoučký kůň ÄÖÜ ηχώ', 'Zlutoucky kun AOU ηχω'],
  ['diacritics', 'йод कि', 'йод कि'],
  ['trim', ' two \u00a0 words ', 'two words'],
  ['pad', 'page 7 of 12345', 'page 0007 of 12345'],
])('%s makes of %j the name %j', (action, value, wanted) => {
  const settings = { pattern: '{{value}}', operations: [{ action }] };
  expect(rename({ settings, values: { value } }).name).toBe(`${wanted}.pdf`);
});

test('writing that is not Latin becomes ASCII', () => {
  const settings = { operations: [{ action: 'transliterate' }] };
  expect(rename({ settings, name: 'Москва.pdf' }).name).toBe('Moskva.pdf');
  expect(rename({ settings, name: '名片.pdf' }).name).toMatch(/^[A-Za-z]+\.pdf$/);
});

describe('a name that another file has', () => {
  test.each([
    ['version', ['FLYER.pdf'], 'Flyer_v2.pdf'],
    ['version', ['flyer.pdf', 'flyer_v2.pdf'], 'Flyer_v3.pdf'],
    ['version', ['other.pdf'], 'Flyer.pdf'],
    ['unique', ['flyer.pdf'], 'Flyer_5e6f7a8b.pdf'],
    ['unique', ['flyer.pdf', 'Flyer_5e6f7a8b.pdf'], 'Flyer_5e6f7a8b_v2.pdf'],
    ['overwrite', ['flyer.pdf'], 'Flyer.pdf'],
    ['fail', ['flyer.pdf'], null],
    ['fail', ['other.pdf'], 'Flyer.pdf'],
  ])('%s with %j: %s', (collision, taken, wanted) => {
    expect(rename({ settings: { collision }, taken })).toEqual({ wanted: 'Flyer.pdf', name: wanted });
  });
});

test.each([
  ['../../etc/passwd', '_.._etc_passwd.pdf'],
  ['C:\\jobs\\a', 'C__jobs_a.pdf'],
  ['\u202Efdp.exe', 'fdp.exe.pdf'],
  ['a\u0000b\r\nc', 'abc.pdf'],
  ['.hidden', 'hidden.pdf'],
  ['end. . ', 'end.pdf'],
  ['CON', '_CON.pdf'],
  ['lpt1.old', '_lpt1.old.pdf'],
  ['nul .x', '_nul .x.pdf'],
  ['cafe\u0301', 'caf\u00e9.pdf'],
  ['a<b>:c|d?*"', 'a_b__c_d___.pdf'],
  ['{{file.name}}', '{{file.name}}.pdf'],
  ['\ud800', 'Flyer.pdf'],
])('the value %j becomes the clean name %j', (value, wanted) => {
  expect(rename({ settings: { pattern: '{{hostile}}' }, values: { hostile: value } }).name).toBe(wanted);
});

test('a long name is cut between characters and keeps its extension', () => {
  const { name } = rename({ settings: { pattern: '{{long}}' }, values: { long: '👩‍👩‍👧é'.repeat(100) } });
  expect(Buffer.byteLength(name ?? '')).toBeLessThanOrEqual(200);
  expect(name).toMatch(/[👩👧é]\.pdf$/u);
  const taken = [name ?? ''];
  const other =
    rename({ settings: { pattern: '{{long}}' }, values: { long: '👩‍👩‍👧é'.repeat(100) }, taken }).name ?? '';
  expect(other).toMatch(/_v2\.pdf$/);
  expect(Buffer.byteLength(other)).toBeLessThanOrEqual(200);
});

const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({
    unit: fc.constantFrom('.', ' ', '/', '\\', 'con', 'COM1', '\u202e', '\u0301', '_', 'ß', '$1', '\ud800'),
    maxLength: 60,
  }),
);
const operation = fc.record({
  action: fc.constantFrom(
    'prefix',
    'suffix',
    'replace',
    'regex',
    'keepSegment',
    'removeSegment',
    'case',
    'trim',
    'pad',
    'diacritics',
    'transliterate',
    'date',
    'counter',
  ),
  text: hostile.map((text) => text.slice(0, 200)),
  find: hostile.map((text) => text.slice(0, 200)),
  expression: fc.constantFrom('.', '^', '(.)', '[a-z]*', '\\s'),
  replacement: hostile.map((text) => text.slice(0, 200)),
  isCaseSensitive: fc.boolean(),
  separator: fc.constantFrom('_', '.', ' ', ''),
  digits: fc.integer({ min: 1, max: 20 }),
  place: fc.constantFrom('front', 'end'),
  date: fc.constantFrom('now', 'received'),
  segment: fc.integer({ min: 1, max: 5 }),
  countsFromEnd: fc.boolean(),
  letters: fc.constantFrom('upper', 'lower', 'title'),
});

test('whatever the values and operations, the name is clean, and cleaning it again changes nothing', () => {
  fc.assert(
    fc.property(
      hostile,
      fc.array(operation, { maxLength: 4 }),
      fc.constantFrom('version', 'unique', 'overwrite'),
      fc.constantFrom('Flyer.pdf', 'flyer', '..', 'con.PDF'),
      (value, operations, collision, name) => {
        const asked = { settings: { pattern: '{{hostile}}', operations, collision }, name, values: { hostile: value } };
        const first = rename(asked).name ?? '';
        const second = rename({ ...asked, taken: [first] }).name ?? '';
        if (collision !== 'overwrite') expect(second.toLowerCase()).not.toBe(first.toLowerCase());
        for (const made of [first, second]) {
          expect(made).toBe(made.normalize('NFC'));
          expect(Buffer.byteLength(made)).toBeLessThanOrEqual(200);
          expect(made).not.toMatch(/[/\\<>:"|?*]|[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|^[.\s]|[.\s]$|^$/u);
          expect(made).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)\s*(\.|$)/i);
          if (/\.pdf$/i.test(name)) expect(made).toMatch(/\.pdf$/i);
          expect(rename({ settings: { pattern: '{{made}}' }, name, values: { made } }).name).toBe(made);
        }
      },
    ),
    { numRuns: 1_000 },
  );
}, 300_000);
