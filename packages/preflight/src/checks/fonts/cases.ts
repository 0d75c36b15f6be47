import { tinyFont } from '@pdf2press/pdf/testing';
import { doc, font, onCyan, text } from '../../quality/content.ts';
import type { RuleCase } from '../../quality/rule-case.ts';

/** A font with a code that shows .notdef. */
const withHole =
  '/Subtype /Type1 /BaseFont /Helvetica /FirstChar 97 /LastChar 98 /Widths [500 500] /Encoding << /Differences [97 /a /.notdef] >>';

/** The program has one letter, a, which is 700 thousandths of an em wide. */
const tiny = (width: number) =>
  font(
    `/Subtype /TrueType /BaseFont /Tiny /FirstChar 97 /LastChar 98 /Widths [${width} 700] /Encoding /WinAnsiEncoding /FontDescriptor 483 0 R`,
    {
      483: '<< /Type /FontDescriptor /FontName /Tiny /Flags 32 /FontBBox [0 0 600 600] /Ascent 800 /Descent -200 /ItalicAngle 0 /StemV 80 /CapHeight 600 /FontFile2 484 0 R >>',
      484: { dict: '', data: tinyFont() },
    },
  );

export const cases: readonly RuleCase<'Fonts'>[] = [
  {
    kind: 'object',
    rule: 'notEmbedded',
    countsInWhite: true,
    breaks: doc('BT /F2 12 Tf 100 200 Td (Text) Tj ET'),
    passes: doc(text(12, '0 g')),
  },
  {
    kind: 'object',
    rule: 'courierSubstitution',
    countsInWhite: true,
    breaks: doc('BT /F2 12 Tf 100 200 Td (Text) Tj ET'),
    passes: doc(text(12, '0 g')),
  },
  {
    kind: 'object',
    rule: 'type',
    countsInWhite: true,
    settings: { allowedTypes: ['TrueType'] },
    breaks: doc(text(12, '0 g')),
    passes: doc('0 g 10 10 10 10 re f'),
  },
  {
    kind: 'object',
    rule: 'name',
    countsInWhite: true,
    settings: { names: { policy: 'Disallow', list: ['Helv*'] } },
    breaks: doc(text(12, '0 g')),
    passes: doc('BT /F2 12 Tf 100 200 Td (Text) Tj ET'),
  },
  {
    kind: 'object',
    rule: 'small',
    settings: { minSize: { failBelow: 5, warnBelow: null } },
    breaks: doc(text(4.9, '0 g')),
    passes: doc(text(5, '0 g')),
  },
  {
    kind: 'object',
    rule: 'smallWhite',
    settings: { minSizeWhite: 9 },
    breaks: doc(onCyan(text(8.9, '0 0 0 0 k'))),
    passes: doc(onCyan(text(9, '0 0 0 0 k'))),
  },
  {
    kind: 'object',
    rule: 'smallWhite',
    settings: { minSizeWhite: 9 },
    breaks: doc(onCyan(text(8.9, '1 g'))),
    passes: doc(text(8.9, '1 g')),
  },
  {
    kind: 'object',
    rule: 'smallMultiInk',
    settings: { minSizeMultiInk: 8 },
    breaks: doc(text(7.9, '0 1 0 1 k')),
    passes: doc(text(8, '0 1 0 1 k')),
  },
  {
    kind: 'object',
    rule: 'smallMultiInk',
    settings: { minSizeMultiInk: 8 },
    breaks: doc(text(7.9, '0 1 1 0 k')),
    passes: doc(text(7.9, '0 1 0 0 k')),
  },
  {
    kind: 'object',
    rule: 'type3',
    countsInWhite: true,
    breaks: doc(
      'BT /Own 12 Tf 100 200 Td (a) Tj ET',
      font(
        '/Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [1 0 0 1 0 0] /FirstChar 97 /LastChar 97 /Widths [1] /Encoding << /Differences [97 /a] >> /CharProcs << /a 483 0 R >>',
        { 483: { dict: '', data: '1 0 0 0 1 1 d1 0 0 1 1 re f' } },
      ),
    ),
    passes: doc(text(12, '0 g')),
  },
  {
    kind: 'object',
    rule: 'invalidFont',
    countsInWhite: true,
    breaks: doc(
      'BT /Own 12 Tf 100 200 Td (a) Tj ET',
      font('/Subtype /TrueType /BaseFont /Broken /FirstChar 97 /LastChar 97 /Widths [500] /FontDescriptor 483 0 R', {
        483: '<< /Type /FontDescriptor /FontName /Broken /Flags 32 /FontBBox [0 0 1 1] /FontFile2 484 0 R >>',
        484: { dict: '/Length1 9', data: 'no font !' },
      }),
    ),
    passes: doc(text(12, '0 g')),
  },
  {
    kind: 'object',
    rule: 'notdefGlyph',
    countsInWhite: true,
    breaks: doc('BT /Own 12 Tf 100 200 Td (b) Tj ET', font(withHole)),
    passes: doc('BT /Own 12 Tf 100 200 Td (a) Tj ET', font(withHole)),
  },
  {
    kind: 'object',
    rule: 'notdefGlyph',
    countsInWhite: true,
    breaks: doc('BT /Own 12 Tf 100 200 Td (ab) Tj ET', tiny(700)),
    passes: doc('BT /Own 12 Tf 100 200 Td (a) Tj ET', tiny(700)),
  },
  {
    kind: 'object',
    rule: 'widthDiffers',
    countsInWhite: true,
    settings: { widthTolerance: 10 },
    breaks: doc('BT /Own 12 Tf 100 200 Td (a) Tj ET', tiny(711)),
    passes: doc('BT /Own 12 Tf 100 200 Td (a) Tj ET', tiny(710)),
  },
  {
    // Spacing and scaling belong to the text and not to the font.
    kind: 'object',
    rule: 'widthDiffers',
    countsInWhite: true,
    settings: { widthTolerance: 10 },
    breaks: doc('BT /Own 12 Tf 98 Tz 100 200 Td (a) Tj ET', tiny(714)),
    passes: doc('BT /Own 12 Tf 1 Tc 120 Tz 100 200 Td (a) Tj ET', tiny(700)),
  },
];
