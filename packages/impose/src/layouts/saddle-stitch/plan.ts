import { type FoldedSheet, nestSheets, planBound, schemeFor } from '../bound.ts';
import { defineLayout } from '../layout.ts';
import { padPages } from '../page-list.ts';
import { type SaddleStitchSettings, saddleStitchSettingsSchema } from './contract.ts';
import { messages } from './messages.ts';

/**
 * Folded sheets nested into each other. With 4 pages per sheet, sheet s (from 1) of an N-page book has N−2(s−1), 2s−1
 * on the front and 2s, N−2s+1 on the back.
 */
export const saddleStitch = defineLayout({
  type: 'SaddleStitch',
  version: 1,
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  settings: saddleStitchSettingsSchema,
  plan: (input, settings) =>
    planBound({
      input,
      settings,
      layout: 'SaddleStitch',
      spineGutter: 0,
      lip: settings.lip,
      spreads: { count: settings.spreads.count, isTurned: settings.spreads.turned },
      arrange: (pages) => arrangeBook(pages, settings),
    }),
});

function arrangeBook(
  pages: readonly number[],
  settings: SaddleStitchSettings,
): { pages: number[]; sheets: FoldedSheet[] } {
  const { signatureSize, coverSeparate, creep, padding } = settings;
  const scheme = schemeFor(signatureSize, settings);
  const isPerSignature = creep.scope === 'PerSignature';
  const upTo = (count: number) => Math.max(1, Math.ceil(count / signatureSize)) * signatureSize;
  if (!coverSeparate || pages.length <= 4) {
    const total = upTo(pages.length);
    return {
      pages: padPages(pages, total, padding),
      sheets: nestSheets({
        scheme,
        sheetPages: signatureSize,
        sectionPages: total,
        base: 0,
        section: 1,
        isPerSignature,
      }),
    };
  }
  // The cover is folded around all other sheets: its four pages are the first two and the last two of the book.
  const inner = upTo(pages.length - 4);
  const total = inner + 4;
  const [cover] = nestSheets({
    scheme: schemeFor(4, { ...settings, folding: 'Standard' }),
    sheetPages: 4,
    sectionPages: total,
    base: 0,
    section: 1,
    isPerSignature,
  });
  const body = nestSheets({
    scheme,
    sheetPages: signatureSize,
    sectionPages: inner,
    base: 2,
    section: 1,
    isPerSignature,
  });
  const around = (folded: FoldedSheet): FoldedSheet => ({
    ...folded,
    nesting: (local) => {
      const { pair, pairs } = folded.nesting(local);
      return isPerSignature ? { pair, pairs } : { pair: pair + 1, pairs: pairs + 1 };
    },
  });
  return {
    pages: padPages(pages, total, padding),
    sheets: [...(cover ? [{ ...cover, role: 'Cover' as const }] : []), ...body.map(around)],
  };
}
