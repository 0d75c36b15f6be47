import { isAtPosition } from '@pdf2press/contract';
import { inkedShare } from '../../reading/plate-tools.ts';
import { checkRunner } from '../runner.ts';

export const emptyPagesRunner = checkRunner<'EmptyPages'>()<undefined, number>({
  plates: {
    dpi: ({ dpi }) => dpi,
    look({ plates, area, page, settings }) {
      const box = { Trim: area.trim, Bleed: area.bleed, Media: area.media, Crop: page.effective.crop }[settings.area];
      return inkedShare(plates, box) * 100;
    },
  },
  document({ settings, report, pageCount }, pages) {
    const { policy, position, inkThreshold, nearEmptyWarn, maxConsecutive } = settings;
    const blanks: number[] = [];
    let least: number | null = null;
    for (const { page, plates: coverage } of pages) {
      if (coverage === undefined) continue;
      least = Math.min(least ?? coverage, coverage);
      const measured = { value: coverage, unit: '%' } as const;
      if (coverage <= inkThreshold) {
        blanks.push(page);
        const isAccepted = policy === 'Allow' || (position !== 'None' && isAtPosition(page, pageCount, position));
        if (!isAccepted)
          report({
            rule: 'empty',
            page,
            objectType: 'page',
            measured,
            params: { position: positionOf(page, pageCount) },
            fixableBy: { action: 'TruncatePages', params: { keep: 'RemoveEmpty', emptyThreshold: inkThreshold } },
          });
      } else if (coverage <= nearEmptyWarn) {
        report({
          rule: 'nearEmpty',
          page,
          objectType: 'page',
          measured,
          params: { position: positionOf(page, pageCount) },
          limit: { value: nearEmptyWarn, unit: '%', op: '>' },
        });
      }
    }
    for (const { start, length } of runsOf(blanks)) {
      if (maxConsecutive === null || length <= maxConsecutive) continue;
      report({
        rule: 'consecutive',
        page: start,
        objectType: 'page',
        measured: { value: length, unit: 'count' },
        limit: { value: maxConsecutive, unit: 'count', op: '<=' },
      });
    }
    return { emptyPages: blanks, leastCoverage: least };
  },
});

/** The position of a page, as a value of the setting `position`. */
const positionOf = (page: number, pageCount: number): string =>
  (['First', 'Last', 'SecondAndNextToLast'] as const).find((position) => isAtPosition(page, pageCount, position)) ??
  'Any';

/** Groups consecutive page numbers. */
function runsOf(pages: readonly number[]): { start: number; length: number }[] {
  const runs: { start: number; length: number }[] = [];
  for (const page of pages) {
    const last = runs.at(-1);
    if (last && last.start + last.length === page) last.length += 1;
    else runs.push({ start: page, length: 1 });
  }
  return runs;
}
