import type { Severity } from '@pdf2press/contract';
import { largestWindow, pixelsOf, pointsOf } from '@pdf2press/pdf';
import { totalInkOf } from '../../reading/plate-tools.ts';
import type { SettingsOf } from '../contracts.ts';
import { checkRunner, type PlatesContext } from '../runner.ts';

type Key = 'TotalInkCoverage';
interface Looked {
  cmyk: number;
  allInks: number;
}
type Limits = SettingsOf<Key>['cmyk'];

export const inkCoverageRunner = checkRunner<Key>()<undefined, Looked>({
  plates: {
    dpi: ({ dpi }) => dpi,
    look(context) {
      const { plates, settings } = context;
      const hasSpots = plates.inks.length > 4;
      const process = hasSpots ? plates.totalInk('process') : totalInkOf(plates);
      const cmyk = judge(context, 'cmyk', process, settings.cmyk);
      const allInks =
        hasSpots || wants(settings.allInks) ? judge(context, 'allInks', totalInkOf(plates), settings.allInks) : cmyk;
      return { cmyk, allInks };
    },
  },
  document(_, pages) {
    const looked = pages.flatMap(({ plates }) => plates ?? []);
    const highest = (key: keyof Looked) => (looked.length > 0 ? Math.max(...looked.map((each) => each[key])) : null);
    return { maxCmyk: highest('cmyk'), maxAllInks: highest('allInks') };
  },
});

const wants = ({ warnAbove, failAbove }: Limits): boolean => warnAbove !== null || failAbove !== null;

/** The least limit that the action takes. */
const leastLimit = 150;
/** A little less than the limit: plates of 8 bits are rounded. */
const limited = (limit: number) => ({ action: 'LimitInk', params: { maxInk: Math.max(leastLimit, limit - 1) } });

/** Reports and returns the highest mean ink of a window inside the bleed, percent. */
function judge(context: PlatesContext<Key>, rule: keyof Looked, total: Uint16Array, limits: Limits): number {
  const { plates, area, settings, report } = context;
  const at = pixelsOf(plates.frame, area.bleed);
  const side = (settings.windowSide / 72) * plates.dpi;
  const heaviest = largestWindow(total, plates.width, at, side);
  const value = Math.round(heaviest.value * 10) / 10;
  const steps: [Severity, number | null][] = [
    ['Fail', limits.failAbove],
    ['Warn', limits.warnAbove],
  ];
  const broken = steps.find(([, limit]) => limit !== null && value > limit);
  if (broken?.[1]) {
    const window = {
      left: at.left + heaviest.left,
      top: at.top + heaviest.top,
      width: Math.min(side, at.width),
      height: Math.min(side, at.height),
    };
    report({
      rule,
      severity: broken[0],
      objectType: 'page',
      box: pointsOf(plates.frame, window),
      measured: { value, unit: '%' },
      limit: { value: broken[1], unit: '%', op: '<=' },
      params: { window: settings.windowSide },
      ...(rule === 'cmyk' && broken[1] > leastLimit && { fixableBy: limited(broken[1]) }),
    });
  }
  return value;
}
