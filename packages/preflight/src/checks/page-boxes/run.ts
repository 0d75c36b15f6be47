import type { PageFacts, Rect } from '@pdf2press/pdf';
import { covers, ordered, sameBox } from '@pdf2press/pdf';
import { mm } from '@pdf2press/settings';
import type { RuleOf } from '../contracts.ts';
import { checkRunner, type FixHint, type Report } from '../runner.ts';

type Key = 'PageBoxes';
const boxNames = ['media', 'crop', 'bleed', 'trim', 'art'] as const;
/** Inner box and the box that must contain it. */
const nests = [
  ['trim', 'bleed'],
  ['trim', 'media'],
  ['art', 'bleed'],
  ['art', 'media'],
  ['bleed', 'media'],
  ['crop', 'media'],
] as const;

export const pageBoxesRunner = checkRunner<Key>()<undefined>({
  page({ page, settings, report }) {
    return {
      end() {
        judgePage(page, settings.tolerance / page.userUnit, report);
        return undefined;
      },
    };
  },
  document({ file, pages }) {
    const looked = pages.flatMap((number) => file.pages[number - 1] ?? []);
    const has = (box: (typeof boxNames)[number]) => looked.filter(({ boxes }) => boxes[box] !== null).length;
    return { withTrimBox: has('trim'), withBleedBox: has('bleed'), withCropBox: has('crop') };
  },
});

const boxFix = (rest: { removeArtBox?: true; cropToMedia?: true }): FixHint => ({
  action: 'SetPageBoxes',
  params: { box: 'None', ...rest },
});
/** The suggested bleed: 3 mm, in points. */
const usual = -mm(3);
const bleedFix: FixHint = {
  action: 'SetPageBoxes',
  params: { box: 'Bleed', from: 'TrimBox', inset: { left: usual, right: usual, top: usual, bottom: usual } },
};

function judgePage(page: PageFacts, tolerance: number, report: (found: Report<RuleOf<Key>>) => void): void {
  const { boxes } = page;
  const box = (name: (typeof boxNames)[number]): Rect | null => {
    const raw = boxes[name];
    return raw && ordered(raw);
  };
  const about = { objectType: 'page' as const, acrossPages: true };
  for (const name of boxNames) {
    const rect = box(name);
    if (rect && (rect[2] - rect[0] <= 0 || rect[3] - rect[1] <= 0))
      report({ ...about, rule: 'invalid', params: { box: name } });
  }
  for (const [inner, outer] of nests) {
    const [a, b] = [box(inner), box(outer)];
    if (!a || !b || covers(b, a, tolerance)) continue;
    report({
      ...about,
      rule: 'nesting',
      params: { inner, outer },
      box: a,
      fixableBy: { action: 'SetPageBoxes', params: { box: 'None' } },
    });
  }
  const { trim, art, crop, media } = { trim: box('trim'), art: box('art'), crop: box('crop'), media: box('media') };
  if (!trim && !art)
    report({ ...about, rule: 'trimMissing', fixableBy: { action: 'SetPageBoxes', params: { box: 'Trim' } } });
  if (!boxes.bleed) report({ ...about, rule: 'bleedMissing', fixableBy: bleedFix });
  if (trim && art) report({ ...about, rule: 'trimAndArt', fixableBy: boxFix({ removeArtBox: true }) });
  if (crop && media && !sameBox(crop, media, tolerance))
    report({ ...about, rule: 'cropNotMedia', fixableBy: boxFix({ cropToMedia: true }) });
  if (crop && trim && !covers(crop, trim, tolerance))
    report({ ...about, rule: 'cropInsideTrim', fixableBy: boxFix({ cropToMedia: true }) });
}
