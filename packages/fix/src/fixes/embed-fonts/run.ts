import { type Font, interpretPage, symbolFontOf } from '@pdf2press/pdf';
import { nameMatcher } from '../../editing/blacks.ts';
import { numberFonts } from '../../editing/number-fonts.ts';
import { type FixRunner, failed } from '../../kind/runner.ts';
import { embedComposite } from './composite.ts';
import type { embedFonts } from './contract.ts';
import { faceOfLibrary, faceOfStandIn, faceOfSymbols, type SimpleFace } from './faces.ts';
import type { Context, Embedding, Reason } from './reason.ts';
import { embedSimple } from './simple.ts';

interface Use {
  font: Font;
  /** What is shown: codes with their number of bytes. */
  codes: Map<number, number>;
  /** Some of it paints; standards allow invisible text, as of recognised pages, in a font that is not there. */
  paints: boolean;
  /** Where the text stands: page and box. */
  places: Embedding['places'];
}

export const run: FixRunner<typeof embedFonts> = (context) => {
  const isNamed = nameMatcher(context.settings.names);
  const chosen = new Set(context.pages);
  const streams = new Map<string, number>();
  const left: Reason[] = [];
  for (const use of replaceableFonts(context).values()) {
    const { font } = use;
    if (!use.places.some(({ page }) => chosen.has(page)) || !(isNamed(font.baseName) || isNamed(font.name))) continue;
    const reason = embed({ context, ...use, streams });
    if (!reason) continue;
    if (use.paints && context.settings.otherFonts === 'Fail') throw failed(reason.code, reason.params);
    left.push(reason);
  }
  for (const { code, params } of left) context.warn(code, params);
  if (left.length > 0) for (const file of context.fonts.unreadable()) context.warn('fontUnreadable', { file });
};

/** The fonts that are not embedded, each an object that can be replaced. */
function replaceableFonts(context: Context): Map<Font, Use> {
  const uses = usedFonts(context);
  const isDirect = [...uses.keys()].some(({ object }) => object === 0);
  return isDirect && numberFonts(context.edit) ? usedFonts(context) : uses;
}

/** The fonts that are not embedded, with all that is shown in them: a font is the same object on every page. */
function usedFonts({ file, signal }: Context): Map<Font, Use> {
  const uses = new Map<Font, Use>();
  for (const { number } of file.pages) {
    signal.throwIfAborted();
    interpretPage(
      file,
      number,
      [
        {
          text(event) {
            const { font, bbox, effectiveSize, paints } = event;
            if (!font || font.isEmbedded) return;
            const use = uses.get(font) ?? { font, codes: new Map<number, number>(), paints: false, places: [] };
            uses.set(font, use);
            use.paints ||= paints !== 'none';
            event.eachCode((code, bytes) => void use.codes.set(code, bytes));
            // Accents and swashes extend beyond a font's box.
            const by = effectiveSize * 0.3;
            use.places.push({ page: number, box: [bbox[0] - by, bbox[1] - by, bbox[2] + by, bbox[3] + by] });
          },
        },
      ],
      { annotations: true, everyUse: true },
    );
  }
  return uses;
}

/**
 * Embeds a font and logs it: a font of the house that bears its name, else a free one in place of a standard font. Why not,
 * if that is impossible; what was wrong with the first font that was tried, if several were.
 */
function embed(job: Embedding): Reason | null {
  const { font, context } = job;
  const params = { font: font.baseName };
  if (font.object === 0) return { code: 'unusable', params };
  const found = context.fonts.named(font.baseName);
  const allowed = found.filter(({ mayEmbed }) => mayEmbed);
  let why: Reason | null = null;
  for (const candidate of allowed) {
    const program = candidate.open();
    const reason = font.isComposite ? embedComposite(job, program) : embedSimple(job, faceOfLibrary(program));
    if (!reason) return null;
    why ??= reason;
  }
  const [forbidden] = found;
  if (allowed.length === 0 && forbidden)
    why = { code: 'notAllowed', params: { ...params, embedding: forbidden.postScriptName } };
  const face = context.settings.standIns ? standInFor(font) : null;
  const reason = face ? embedSimple(job, face) : ({ code: 'noFont', params } as const);
  return reason && (why ?? reason);
}

function standInFor({ isComposite, baseName }: Font): SimpleFace | null {
  if (isComposite) return null;
  const symbols = symbolFontOf(baseName);
  return symbols ? faceOfSymbols(symbols) : faceOfStandIn(baseName);
}
