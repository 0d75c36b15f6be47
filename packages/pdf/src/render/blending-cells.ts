/**
 * Blend modes in cells of tiling patterns that other cells are filled with. The embedded Ghostscript (10.06) ends with a
 * call of no function when there are three such patterns in each other, so a page of which all else failed is drawn once
 * more from a copy in which these cells are painted without them.
 */
import type { PageFacts } from '../open/page-facts.ts';
import { dictOf, nameOf } from '../open/pdf-access.ts';
import type { PdfFile } from '../open/pdf-file.ts';
import { isDict, type PdfDict, type PdfValue, pdfName } from '../open/values.ts';

/** Patterns in each other from which on blend modes count; more are not told apart. */
const nested = 2;
/** Levels of forms and patterns in each other; deeper ones are not painted either. */
const deepest = 32;

/** A graphics state with a blend mode: object number of the cell or form that names it, and its name there. */
interface BlendingState {
  object: number;
  name: string;
}

/** The graphics states with a blend mode in cells of patterns that cells of other patterns are filled with. */
export function blendingStates(file: PdfFile, pages: readonly PageFacts[]): BlendingState[] {
  const found: BlendingState[] = [];
  const seen = new Set<string>();
  const look = (holder: PdfDict | null, object: number, patterns: number, depth: number): void => {
    if (depth > deepest) return;
    if (patterns >= nested)
      for (const [name, value] of dictOf(file, holder, 'ExtGState')?.map ?? []) {
        const state = file.resolve(value);
        if (isDict(state) && state.map.has('BM') && nameOf(file, state, 'BM') !== 'Normal')
          found.push({ object, name });
      }
    for (const [, value] of dictOf(file, holder, 'XObject')?.map ?? []) enter(value, patterns, depth);
    for (const [, value] of dictOf(file, holder, 'Pattern')?.map ?? [])
      enter(value, Math.min(nested, patterns + 1), depth);
  };
  const enter = (value: PdfValue, patterns: number, depth: number): void => {
    const stream = file.resolve(value);
    if (!isDict(stream) || stream.stream === 0 || seen.has(`${stream.stream} ${patterns}`)) return;
    seen.add(`${stream.stream} ${patterns}`);
    look(dictOf(file, stream, 'Resources'), stream.stream, patterns, depth + 1);
  };
  for (const page of pages) look(page.resources, page.object, 0, 0);
  return found;
}

/** Takes these blend modes away. */
export function paintCellsPlainly(file: PdfFile): void {
  for (const { object, name } of blendingStates(file, file.pages))
    file.put(object, ['Resources', 'ExtGState', name, 'BM'], pdfName('Normal'));
}
