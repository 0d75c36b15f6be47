/** Inks that are not printed but say where a sheet is cut, creased, folded or perforated. */
import { inkUse } from '../interpret/inks.ts';
import { interpretPage } from '../interpret/interpret-page.ts';
import { processingSteps, processingStepsOf } from '../interpret/processing-steps.ts';
import type { PathEvent, TextEvent } from '../interpret/types.ts';
import type { PdfFile } from '../open/pdf-file.ts';
import { isLineName } from './line-names.ts';

/** The group of ISO 19593-1 whose steps shape the sheet: cutting, creasing, perforating. */
export const shaping = 'Structural/';

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
  return spots.filter((name) => ofSteps.has(name) || isLineName(name));
}
