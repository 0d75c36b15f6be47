import { numberFonts } from '../../editing/number-fonts.ts';
import { pruneResources } from '../../editing/prune-resources.ts';
import { type FixContext, type FixRunner, failed } from '../../kind/runner.ts';
import type { fontsOutline } from './contract.ts';
import { type Found, findText } from './find-text.ts';
import { makeShapes } from './glyph-shapes.ts';
import { replaceText } from './replace-text.ts';
import { outlineStrokes } from './strokes.ts';

type Context = FixContext<typeof fontsOutline>;

export const run: FixRunner<typeof fontsOutline> = (context) => {
  const { targets } = context.settings;
  if (targets !== 'Vectors' && context.touches('text')) outlineFonts(context);
  if (targets !== 'Fonts' && context.touches('vector')) outlineStrokes(context);
};

/** Passes over the file: Type 3 glyphs may show text of other Type 3 fonts. */
const mostNested = 4;

function outlineFonts(context: Context): void {
  for (let depth = 0; depth < mostNested; depth += 1) {
    const found = findReplaceable(context);
    if (found.codes.size === 0) return;
    refuseMissing(found.fonts);
    tell(context, found.fonts);
    replaceText(context, found, makeShapes(context, found));
    // Objects that were copied to be changed may still have unused originals.
    pruneResources(context.edit, ['Font', 'XObject', 'Pattern', 'ExtGState']);
    // Another pass is needed only if a Type 3 glyph may show text.
    if (![...found.codes.keys()].some((font) => font.type === 'Type3')) return;
  }
}

/** The text to outline; its fonts are objects. */
function findReplaceable(context: Context): Found {
  const found = findText(context);
  const isDirect = [...found.fonts.keys()].some(({ object }) => object === 0);
  return isDirect && numberFonts(context.edit) ? findText(context) : found;
}

/** Fails for fonts that are not embedded: their outlines are unknown. */
function refuseMissing(fonts: Found['fonts']): void {
  const missing = [...fonts.keys()]
    .filter((font) => !font.isEmbedded && font.type !== 'Type3')
    .map((font) => font.baseName);
  if (missing.length > 0) throw failed('fontNotEmbedded', { fonts: [...new Set(missing)] });
  const unusable = [...fonts.keys()].filter((font) => font.object === 0).map((font) => font.baseName);
  if (unusable.length > 0) throw failed('fontUnusable', { fonts: [...new Set(unusable)] });
}

function tell(context: Context, fonts: Found['fonts']): void {
  const { warnBelowSize } = context.settings;
  for (const [font, { page, glyphs, smallest }] of fonts) {
    context.log({
      what: 'font',
      page,
      object: `${font.object} 0 R`,
      before: font.baseName,
      after: null,
      parameter: 'targets',
      params: { glyphs, font: font.baseName },
    });
    if (warnBelowSize !== null && smallest < warnBelowSize)
      context.warn('small', { font: font.baseName, size: Math.round(smallest * 10) / 10, limit: warnBelowSize });
  }
}
