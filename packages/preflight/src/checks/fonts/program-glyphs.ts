import { type Font, type PdfFile, programGlyphs } from '@pdf2press/pdf';
import type { TextObject } from '../../reading/scene.ts';
import type { PageContext } from '../runner.ts';
import { fontFinding, textFacts } from './font-finding.ts';

/** A code of a font: what the file says about it, and what the font program has for it. */
interface CodeFacts {
  letter: string;
  /** Advances in thousandths of an em. */
  declared: number;
  inProgram: number;
  isMissing: boolean;
}

/** A code and its number of bytes as one number: the same number in one and in two bytes are different codes. */
const keyOf = (code: number, bytes: number): number => code * 8 + bytes;
const hexOf = (key: number): string =>
  Math.floor(key / 8)
    .toString(16)
    .padStart((key % 8) * 2, '0');

/** What is known of a font's codes in this thread; null for a code that has its glyph, of the same width. */
const known = new WeakMap<Font, Map<number, CodeFacts | null>>();

/** Advances of programs are single-precision numbers. */
const roundedApart = 0.01;

/** Letters that a finding names; the others are counted by nobody. */
const namedLetters = 12;

/**
 * Compares the codes that a page shows with the glyphs of embedded font programs: a glyph that the program lacks prints as
 * an empty box or nothing; widths that differ (ISO 19005-2, 6.2.11.5) let letters overlap where a program is replaced.
 */
export function watchGlyphs(context: PageContext<'Fonts'>): {
  note: (font: Font, object: TextObject) => void;
  report: () => void;
} {
  const shown = new Map<Font, Map<number, TextObject>>();
  const isOn = context.isOn('notdefGlyph') || context.isOn('widthDiffers');
  return {
    note(font, object) {
      if (!isOn || font.program === 0 || font.object === 0 || font.type === 'Type3') return;
      const facts = known.get(font);
      let codes = shown.get(font);
      object.event.eachCode((code, bytes) => {
        const key = keyOf(code, bytes);
        if (facts?.get(key) === null || codes?.has(key)) return;
        codes ??= new Map();
        codes.set(key, object);
      });
      if (codes) shown.set(font, codes);
    },
    report() {
      for (const [font, codes] of shown) {
        const facts = factsOf(context.file, font, codes);
        const some = [...codes].flatMap(([key, object]) => {
          const one = facts.get(key);
          return one ? [{ ...one, object }] : [];
        });
        tell(context, font, { rule: 'notdefGlyph', of: some.filter(({ isMissing }) => isMissing) });
        const { widthTolerance } = context.settings;
        const isApart = (one: CodeFacts) =>
          !one.isMissing && Math.abs(one.inProgram - one.declared) > widthTolerance + roundedApart;
        if (!font.isVertical) tell(context, font, { rule: 'widthDiffers', of: some.filter(isApart) });
      }
    },
  };
}

type Told = { rule: 'notdefGlyph' | 'widthDiffers'; of: readonly (CodeFacts & { object: TextObject })[] };

function tell(context: PageContext<'Fonts'>, font: Font, { rule, of }: Told): void {
  const [first] = of;
  if (!first) return;
  context.report({
    ...fontFinding(font),
    rule,
    object: first.object,
    acrossPages: false,
    params: {
      font: font.baseName,
      type: font.type,
      letters: of
        .slice(0, namedLetters)
        .map(({ letter }) => letter)
        .join(' '),
      declared: Math.round(first.declared),
      inProgram: Math.round(first.inProgram),
      ...textFacts(context, first.object),
    },
  });
}

/** What of these codes is missing or of another width; looks only at those that are new. */
function factsOf(
  file: PdfFile,
  font: Font,
  codes: ReadonlyMap<number, TextObject>,
): ReadonlyMap<number, CodeFacts | null> {
  const facts = known.get(font) ?? new Map<number, CodeFacts | null>();
  known.set(font, facts);
  const fresh = [...codes].filter(([key]) => !facts.has(key));
  if (fresh.length === 0) return facts;
  const found = programGlyphs(
    file,
    font,
    fresh.map(([key]) => hexOf(key)),
  );
  for (const [key, object] of fresh) {
    const glyph = object.event.glyphs().find(({ code, codeBytes }) => keyOf(code, codeBytes) === key);
    const program = found.get(hexOf(key));
    // A program that cannot be read has a finding of its own.
    if (!glyph || !program) facts.set(key, null);
    else facts.set(key, compared(glyph.unicode, glyph.advance * 1000, program));
  }
  return facts;
}

function compared(letter: string, declared: number, program: { glyph: number; advance: number }): CodeFacts | null {
  const isMissing = program.glyph === 0;
  // Subsets often leave out the space, which prints nothing either way.
  if (isMissing && letter !== '' && letter.trim() === '') return null;
  if (!isMissing && Math.abs(program.advance - declared) < 0.5) return null;
  return { letter: letter || '?', declared, inProgram: program.advance, isMissing };
}
