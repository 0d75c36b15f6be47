import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { factsOf } from '../facts/facts.ts';
import { isReservedName, knownNames } from '../facts/known-names.ts';
import { sessionVariables, type Variable } from '../facts/predefined.ts';
import { isDatePattern } from './date-pattern.ts';
import { type Format, formatNames, formats } from './formats.ts';
import { maxFaults, maxPlaceholders, parsePlaceholders } from './parse.ts';
import { placeholderText } from './placeholder-text.ts';
import { checkPlaceholders, escapeHtml, namesIn, oneLine, resolvePlaceholders } from './placeholders.ts';

const reader = { locale: 'en', unit: 'Millimeters', timeZone: 'Europe/Berlin' } as const;
const known = knownNames({ variables: [{ name: 'Grammage', type: 'Number', options: [] }] });
const facts = factsOf(
  {
    'file.name': 'flyer.pdf',
    'file.baseName': 'Größe & Preis',
    'pdf.trimWidth': (210 * 72) / 25.4,
    'pdf.inks': ['Cyan', 'Gold'],
    'pdf.hasTransparency': true,
    'session.createdAt': '2026-11-22T23:30:00Z',
    'order.dueDate': '2026-11-27',
    'order.quantity': 1234.5,
    'file.sizeBytes': 3_355_443,
    'order.id': null,
    grammage: 135,
  },
  (name) => known.get(name)?.type,
);
const say = (text: string, more = {}) => resolvePlaceholders(text, facts, { ...reader, ...more });
const faults = (text: string) => checkPlaceholders(text, known).map(({ code, offset }) => [code.slice(12), offset]);

describe('what a text becomes', () => {
  test.each([
    ['no placeholder } { at all', 'no placeholder } { at all'],
    ['{{file.name}}', 'flyer.pdf'],
    ['{{ FILE.Name | upper }}.', 'FLYER.PDF.'],
    ['{{file.baseName|slug|max:5}}', 'gross'],
    ['{{order.id}}|{{order.id|default:none}}|{{order.id|default:"a|b}} ""c"""}}', '|none|a|b}} "c"'],
    ['{{order.id|upper|default:none|upper}}', 'NONE'],
    ['{{file.name|default:none}}', 'flyer.pdf'],
    ['{{pdf.trimWidth}} {{pdf.trimWidth|unit:in}} {{pdf.trimWidth|in:cm|number:1}}', '210 8.268 in 21.0'],
    ['{{pdf.inks}} {{pdf.inks|join:" + "}} {{pdf.inks|count|pad:3}}', 'Cyan, Gold Cyan + Gold 002'],
    ['{{pdf.hasTransparency}}', 'Yes'],
    ['{{session.createdAt}}', '2026-11-23 00:30'],
    ["{{session.createdAt|date:d MMM yyyy 'at' H:mm}}", '23 Nov 2026 at 0:30'],
    [
      '{{order.dueDate}} {{order.dueDate|date:EEEE dd.MM.yy}} {{order.dueDate|date:long}}',
      '2026-11-27 Friday 27.11.26 November 27, 2026',
    ],
    ['{{order.quantity}} {{order.quantity|number:1}}', '1234.5 1,234.5'],
    ['{{file.sizeBytes|size}}', '3.20 MB'],
    ['{{Grammage}} g/m²', '135 g/m²'],
    ['{{{file.name}}}', '{flyer.pdf}'],
    ['{{file.name}}}}', 'flyer.pdf}}'],
  ])('%s → %s', (text, expected) => expect(say(text).replaceAll(' ', ' ')).toBe(expected));

  test('words and numbers are the reader’s, the plain form is the same everywhere', () => {
    expect(say('{{pdf.hasTransparency}} {{order.quantity}} {{order.quantity|number:2}}', { locale: 'it-IT' })).toBe(
      'Sì 1234.5 1234,50',
    );
    expect(say('{{order.dueDate|date:EEEE}} {{order.dueDate|date:yyyy}}', { locale: 'zh' })).toBe('星期五 2026');
    expect(say('{{pdf.trimWidth}}', { unit: 'Inches' })).toBe('8.268');
    // A calendar day is the same day in every time zone.
    expect(say('{{order.dueDate}}', { timeZone: 'America/Los_Angeles' })).toBe('2026-11-27');
  });

  test('only what is filled in is escaped', () => {
    const dangerous = factsOf({ 'file.name': '<b>"Tom\r\n& Co\'</b>' });
    const html = resolvePlaceholders('<i>{{file.name}}</i>', dangerous, { ...reader, escape: escapeHtml });
    expect(html).toBe('<i>&lt;b&gt;&quot;Tom\r\n&amp; Co&#39;&lt;/b&gt;</i>');
    expect(oneLine('a\r\nBcc: b\u2028c')).toBe('a Bcc: b c');
    // What a value holds is never read again as a placeholder.
    expect(resolvePlaceholders('{{a}}', factsOf({ a: '{{file.name}}' }), reader)).toBe('{{file.name}}');
  });

  test('every format does what its example says, and refuses what its argument is not', () => {
    for (const name of formatNames) {
      const format: Format = formats[name];
      const [value, call, result] = format.example;
      const text = `{{x|${call}}}`;
      expect(resolvePlaceholders(text, new Map([['x', value]]), reader)).toBe(result);
      const own: Record<string, Variable> = { x: { type: value.type, example: value.value } };
      expect(checkPlaceholders(text, knownNames({ own }))).toEqual([]);
      const wrong = checkPlaceholders(`{{x|${name}:zz?}}`, knownNames({ own }));
      if (format.argument !== 'text' || format.accepts)
        expect(wrong.map(({ code }) => code)).toEqual(['placeholder.argumentInvalid']);
      const bare = checkPlaceholders(`{{x|${name}}}`, knownNames({ own }));
      expect(bare.length).toBe(format.argument === 'none' ? 0 : 1);
    }
  });
});

describe('what is wrong, and where', () => {
  test.each([
    ['{{fil.name}}', [['unknownName', 0]]],
    [
      'a {{__proto__}} {{constructor}} {{file.name|toString}}',
      [
        ['unknownName', 2],
        ['unknownName', 16],
        ['unknownFormat', 44],
      ],
    ],
    ['{{file.name|shout}}', [['unknownFormat', 12]]],
    ['{{file.name|max}}', [['argumentMissing', 12]]],
    [
      '{{file.name|max:0}} {{file.name|max:x}} {{file.name|upper:1}}',
      [
        ['argumentInvalid', 12],
        ['argumentInvalid', 32],
        ['argumentInvalid', 52],
      ],
    ],
    ['{{now|date:YYYY}}', [['argumentInvalid', 6]]],
    ['{{pdf.inks|number:1}}', [['formatNotForType', 11]]],
    ['{{pdf.inks|count|number:1}}', []],
    ['{{file.name|size}}', [['formatNotForType', 12]]],
    ['{{file.name', [['unclosed', 0]]],
    ['{{file.name} and {{date}}', [['unclosed', 0]]],
    [
      '{{}} {{ |upper}}',
      [
        ['empty', 0],
        ['empty', 5],
      ],
    ],
    ['{{file.name|default:"open}}\n{{date}}', [['quoteUnclosed', 0]]],
    ['{{file.name|default:"a"b}}', [['quoteUnclosed', 0]]],
    ['{{date:dd}}', [['unknownName', 0]]],
    [
      '{{preflight.check.Bleed.result}} {{preflight.check.Bleed.value|number:1}} {{preflight.check.Bleed.x}}',
      [['unknownName', 74]],
    ],
  ])('%s', (text, expected) => expect(faults(text)).toEqual(expected));

  test('a profile may use any variable that a workflow may have, and no name that only looks like ours', () => {
    const profile = knownNames({ scope: 'sheet' });
    const codes = (text: string) => checkPlaceholders(text, profile).map(({ code }) => code);
    expect(codes('{{sheet.no}} {{Auftrag}} {{file.name}}')).toEqual([]);
    expect(codes('{{sheet.number}} {{fil.name}} {{page.no}} {{a b}}')).toHaveLength(4);
    expect(checkPlaceholders('{{sheet.no}}', known)).toHaveLength(1);
    const field = placeholderText({ scope: 'sheet', max: 40 });
    expect(field.parse('Job {{session.id}}')).toBe('Job {{session.id}}');
    expect(field.safeParse('Job {{session.ID2}}').error?.issues[0]).toMatchObject({
      params: { code: 'placeholder.unknownName', params: { name: 'session.ID2', offset: 4 } },
    });
  });

  test('names in a text, each once', () => {
    expect(namesIn('{{a|upper}} {{A}} {{b.c}} {{')).toEqual(['a', 'b.c']);
  });
});

describe('reserved names', () => {
  test('every predefined name and its group belong to the product', () => {
    for (const name of Object.keys(sessionVariables)) expect(isReservedName(name.toUpperCase())).toBe(true);
    for (const name of ['preflight.check.Bleed.value', 'order.sku', 'side', 'sheet.no'])
      expect(isReservedName(name)).toBe(true);
    for (const name of ['quantity', 'files', 'my.name', '__proto__', 'constructor', ''])
      expect(isReservedName(name)).toBe(false);
  });
  test('every example has the type that is declared', () => {
    for (const [name, variable] of Object.entries<Variable>(sessionVariables)) {
      expect(
        resolvePlaceholders(
          `{{${name}}}`,
          factsOf({ [name]: variable.example }, () => variable.type),
          reader,
        ),
      ).not.toBe('');
      if (variable.options) expect(variable.options).toContain(variable.example);
    }
  });
});

describe('hostile texts', () => {
  // Each is so long that time with the square of the length would not end within the limit of a test.
  const size = 1_000_000;
  test.each([
    ['opening braces', '{'.repeat(size)],
    ['closing braces', '}'.repeat(size)],
    ['openings with a name', '{{a'.repeat(size / 4)],
    ['quotes that never close', '{{a|b:"'.repeat(size / 7)],
    ['doubled quotes', `{{a|b:"${'""'.repeat(size / 2)}`],
    ['bars', `{{a${'|'.repeat(size)}}}`],
    ['colons', `{{a|${':'.repeat(size)}}}`],
    ['blanks', `{{${' '.repeat(size)}`],
    ['blanks before a quote', '{{a|b: '.repeat(size / 8)],
    ['one long name', `{{${'n'.repeat(size)}}}`],
    ['one long argument', `{{date|date:${'d'.repeat(size)}}}`],
    ['quotes in a pattern', `{{date|date:${"'".repeat(size)}}}`],
  ])('%s', (_, text) => {
    const found = checkPlaceholders(text, known);
    expect(found.length).toBeLessThanOrEqual(maxFaults);
    for (const { params } of found) expect(JSON.stringify(params).length).toBeLessThan(300);
    expect(say(text).length).toBeLessThanOrEqual(size + 20);
  });
  test('a text of very many placeholders is refused, and does not grow past the limit', () => {
    const text = '{{file.name}}'.repeat(maxPlaceholders + 5);
    expect(checkPlaceholders(text, known).map(({ code }) => code)).toEqual(['placeholder.tooMany']);
    expect(say(text)).toBe('flyer.pdf'.repeat(maxPlaceholders) + '{{file.name}}'.repeat(5));
  });
  test('parts and faults cover any text without overlap, and a sound text has no fault', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '{{',
      '}}',
      '|',
      ':',
      '"',
      ' ',
      'file.name',
      'upper',
      'max:3',
      '\n',
      'é',
      '{{date}}',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join('');
        const { parts } = parsePlaceholders(text);
        expect(
          parts.map((part) => (typeof part === 'string' ? part : text.slice(part.offset, part.end))).join(''),
        ).toBe(text);
        for (const { offset, length } of checkPlaceholders(text, known)) {
          expect(offset).toBeGreaterThanOrEqual(0);
          expect(offset + length).toBeLessThanOrEqual(text.length);
        }
      }),
    );
  });
  test('date patterns are judged, not tried', () => {
    expect(isDatePattern("yyyy-MM-dd'T'HH:mm:ss")).toBe(true);
    expect(isDatePattern('short')).toBe(true);
    for (const wrong of ['', 'ddd', 'Y', "'open", 'd'.repeat(101)]) expect(isDatePattern(wrong)).toBe(false);
  });
});
