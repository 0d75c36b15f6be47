import { pruneResources } from '../frame/prune-resources.ts';
import { type FixContext, type FixRunner, failed } from '../runner.ts';
import { type Found, findText } from './find-text.ts';
import { makeShapes } from './glyph-shapes.ts';
import { replaceText } from './replace-text.ts';
import { outlineStrokes } from './strokes.ts';

type Context = FixContext<'FontsOutline'>;

export const run: FixRunner<'FontsOutline'> = (context) => {
  const { targets } = context.settings;
  if (targets !== 'Vectors' && context.touches('text')) outlineFonts(context);
  if (targets !== 'Fonts' && context.touches('vector')) outlineStrokes(context);
};

/** Glyphs of Type 3 fonts may show text themselves, of fonts that may do so again. */
const mostNested = 4;

function outlineFonts(context: Context): void {
  for (let depth = 0; depth < mostNested; depth += 1) {
    const found = findText(context);
    if (found.codes.size === 0) return;
    refuseMissing(found.fonts);
    tell(context, found.fonts);
    replaceText(context, found, makeShapes(context, found));
    // What was copied to be changed may stand beside its copy, fonts and all.
    pruneResources(context.edit, ['Font', 'XObject', 'Pattern', 'ExtGState']);
    // Walking thousands of shapes once more is worth it only where one of them may show text.
    if (![...found.codes.keys()].some((font) => font.type === 'Type3')) return;
  }
}

/** Without its program a font's shapes are anybody's guess: that is no outline of this font. */
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
