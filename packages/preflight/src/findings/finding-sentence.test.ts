import { type Finding, findingSchema, locales, messageOf } from '@pdf2press/contract';
import type { StructureProblem, SyntaxEvent } from '@pdf2press/pdf';
import { expect, test } from 'vitest';
import { findingSentence } from './finding-sentence.ts';
import { messages } from './messages.ts';

const finding = (given: Partial<Finding>): Finding =>
  findingSchema.parse({ id: 'f1', checkKey: 'Bleed', ruleKey: 'Bleed.short', severity: 'Fail', page: 1, ...given });
const told = (given: Partial<Finding>) =>
  locales.flatMap((locale) =>
    (['customer', 'operator'] as const).map((audience) =>
      findingSentence(finding(given), locale, audience, 'Millimeters'),
    ),
  );

/** Every code that a sentence may be given; a code without a word would be shown as it is. */
const codes = {
  'header.missing': true,
  'header.leadingBytes': true,
  'header.version': true,
  'end.missing': true,
  'startxref.missing': true,
  'xref.offset': true,
  'xref.entries': true,
  'xref.loop': true,
  'trailer.unreadable': true,
  'operator.unknown': true,
  'operand.missing': true,
  'operand.type': true,
  'operand.tooMany': true,
  'token.bad': true,
  'restore.unmatched': true,
  'save.unmatched': true,
  'text.nested': true,
  'text.unmatched': true,
  'mark.unmatched': true,
  'inlineImage.unterminated': true,
  'resource.missing': true,
  'content.unreadable': true,
  'content.recursive': true,
  'content.tooDeep': true,
  'font.unreadable': true,
  'number.huge': true,
} satisfies Record<StructureProblem | SyntaxEvent['code'], true>;

test('a fault of the file is told in words of every language, never by its code', () => {
  for (const locale of locales)
    for (const code of Object.keys(codes)) expect(messageOf(messages, locale, `words.${code}`), code).toBeTruthy();
  const damaged = { checkKey: 'DocumentIntegrity', ruleKey: 'DocumentIntegrity.damaged', page: null };
  const sentences = told({ ...damaged, params: { problems: ['end.missing', 'xref.loop'] } });
  for (const sentence of sentences) expect(sentence).not.toMatch(/end\.missing|xref\.loop/);
  expect(sentences[1]).toContain('end of file missing');
  const syntax = { checkKey: 'DocumentIntegrity', ruleKey: 'DocumentIntegrity.syntaxErrors' };
  for (const sentence of told({ ...syntax, params: { code: 'save.unmatched', operator: 'Q' } }))
    expect(sentence).not.toContain('save.unmatched');
});

test('a bleed that ends inside of the trim is no bleed, not a negative one', () => {
  for (const value of [-2.8, -0.001, 0])
    for (const sentence of told({ side: 'left', measured: { value, unit: 'pt' }, limit: { value: 8.5, unit: 'pt' } }))
      expect(sentence).not.toMatch(/[-−–]\s?\d/);
});

test('text of the page stands in the quotation marks of the language, and none where there is no text', () => {
  const near = { checkKey: 'SafetyDistance', ruleKey: 'SafetyDistance.nearEdge', side: 'left' } as const;
  const measures = { measured: { value: 3, unit: 'pt' }, limit: { value: 8.5, unit: 'pt' } } as const;
  const sentences = told({ ...near, ...measures, params: { kind: 'text', sample: 'Small print' } });
  for (const sentence of sentences) expect(sentence).toMatch(/(“|« ?)Small print( ?»|”)/);
  for (const sentence of told({ ...near, ...measures, params: { kind: 'text' } }))
    expect(sentence).not.toMatch(/[“”«»]/);
});

test('a limit that must be exceeded is told to customers as the whole number that is enough', () => {
  const low = (value: number) =>
    told({
      checkKey: 'ImageResolution',
      ruleKey: 'ImageResolution.low',
      measured: { value: 72, unit: 'ppi' },
      limit: { value, unit: 'ppi', op: '>' },
    }).filter((_, at) => at % 2 === 0);
  for (const sentence of low(149)) expect(sentence).toMatch(/150 ppi/);
  // Of a banner that is looked at from some metres the limit is no whole number.
  for (const sentence of low(49.7)) expect(sentence).toMatch(/ 50 ppi/);
});
