import type { PdfFile } from '@pdf2press/pdf/place';
import { findDieLines, layoutPage, openPdf } from '@pdf2press/pdf/place';
import type { DieShape } from '../layouts/layout.ts';
import type { ImposeProfile } from '../layouts/layouts.ts';

/**
 * The dies of a die-cut job: lines in a technical ink on each page, or on the first page of a die file for all pages.
 * Null for other jobs. A page without a die line has null.
 */
export function findDies(
  files: readonly PdfFile[],
  profile: ImposeProfile,
  dieFile: string | undefined,
): (DieShape | null)[] | null {
  if (profile.type !== 'DieCut' || profile.die.source === 'Trim') return null;
  const { lineNames } = profile.die;
  if (profile.die.source === 'Artwork') {
    return files.flatMap((file) => file.pages.map((page) => findDieLines(file, page.number, lineNames)));
  }
  if (dieFile === undefined) return files.flatMap((file) => file.pages.map(() => null));
  const file = openPdf({ path: dieFile });
  try {
    const die = findDieLines(file, 1, lineNames) ?? findDieLines(file, 1, ['*']);
    const from = file.pages[0] && layoutPage(file.pages[0]).trim;
    return files.flatMap(({ pages }) =>
      pages.map((page) => (die && from ? moved(die, from, layoutPage(page).trim) : null)),
    );
  } finally {
    file.close();
  }
}

/** A die drawn on a page of its own lies on the artwork trim middle on trim middle. */
function moved(
  die: DieShape,
  from: { x: number; y: number; width: number; height: number },
  to: typeof from,
): DieShape {
  const dx = to.x + to.width / 2 - from.x - from.width / 2;
  const dy = to.y + to.height / 2 - from.y - from.height / 2;
  return {
    box: { ...die.box, x: die.box.x + dx, y: die.box.y + dy },
    outline: die.outline.map(([letter, numbers]) => [
      letter,
      numbers.map((value, index) => value + (index % 2 === 0 ? dx : dy)),
    ]),
  };
}
