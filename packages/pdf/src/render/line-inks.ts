/** Inks that are not printed but say where a sheet is cut, creased, folded or perforated. */
import { inkUse } from '../interpret/inks.ts';
import { interpretPage } from '../interpret/interpret-page.ts';
import { processingSteps, processingStepsOf } from '../interpret/processing-steps.ts';
import type { PathEvent, TextEvent } from '../interpret/types.ts';
import type { PdfFile } from '../open/pdf-file.ts';

/** What such spot colours are usually called, in English, German, French, Spanish, Italian and Portuguese. */
const usualNames: readonly RegExp[] = [
  /^(?:(?:thru|through|kiss|half|die)[\s_-]*)?cut(?:ting|s)?(?:[\s_-]*(?:contour|line|path)s?)?$/i,
  /^die[\s_-]*lines?$/i,
  /^(?:reverse[\s_-]*)?(?:crease|creases|creasing|score|scoring|fold|folds|folding)(?:[\s_-]*lines?)?$/i,
  /^perf(?:o|os|oration|orations|orating|orated)?(?:[\s_-]*lines?)?$/i,
  /^(?:stanz|schneid|rill|nut|falz|perforations?)(?:e|en|ung|ungen|form|kontur|linie|linien)?$/i,
  /^(?:découpe|decoupe|rainage|pliage|troquel|troquelado|hendido|plegado|fustella|cordonatura|piega|faca|vinco|dobra)$/i,
];

/** The group of ISO 19593-1 whose steps shape the sheet: cutting, creasing, perforating. */
const shaping = 'Structural/';

/** Spot inks that this page uses on layers of shaping steps, and nowhere else on it. */
function inksOfSteps(file: PdfFile, page: number): ReadonlySet<string> {
  const [onSteps, elsewhere] = [new Set<string>(), new Set<string>()];
  if (!processingSteps(file).some((step) => step.startsWith(shaping))) return onSteps;
  const look = ({ layers, state, paints }: PathEvent | TextEvent) => {
    const into = processingStepsOf(file, layers).some((step) => step.startsWith(shaping)) ? onSteps : elsewhere;
    const used = [
      ...(paints === 'fill' || paints === 'both' ? [state.fill] : []),
      ...(paints === 'stroke' || paints === 'both' ? [state.stroke] : []),
    ];
    for (const paint of used) for (const { name, tint } of inkUse(paint)?.spots ?? []) if (tint > 0) into.add(name);
  };
  interpretPage(file, page, [{ path: look, text: look }]);
  return new Set([...onSteps].filter((name) => !elsewhere.has(name)));
}

/**
 * The spot inks of a page that are lines for finishing: used on layers of such processing steps alone (ISO 19593-1), or named
 * as such lines usually are.
 * @param spots names of the page's spot inks
 * @throws FileFaultError as `interpretPage`
 */
export function lineInks(file: PdfFile, page: number, spots: readonly string[]): string[] {
  if (spots.length === 0) return [];
  const ofSteps = inksOfSteps(file, page);
  return spots.filter((name) => ofSteps.has(name) || usualNames.some((usual) => usual.test(name.trim())));
}
