import type { Severity } from '@pdf2press/contract';
import { lineColour, lineColourPart, lineWidthOf } from '../../reading/lines.ts';
import { checkRunner, type FixHint } from '../runner.ts';

const thicken = (to: number): FixHint => ({
  action: 'ThickenLines',
  params: { below: to, to, multiInkBelow: to, multiInkTo: to },
});

export const thinLinesRunner = checkRunner<'ThinLines'>()<{ least: number | null }>({
  page({ settings, profile, page, report, inkBelow }) {
    let least: number | null = null;
    const scaled = (limit: number | null) => (limit === null ? null : limit / profile.scaleFactor);
    const limits: [Severity, number | null][] = [
      ['Fail', scaled(settings.failBelow)],
      ['Warn', scaled(settings.warnBelow)],
    ];
    const white = scaled(settings.whiteBelow);
    const multiInk = scaled(settings.multiInkBelow);
    const ink = white === null ? null : inkBelow();
    return {
      object(object) {
        if (object.type !== 'vector' || object.hidden !== null || object.inGlyph) return;
        const points = lineWidthOf(object);
        if (points === null) return;
        // The GWG 2015 specification rounds line widths to three decimals before comparing.
        const width = Math.round(points * page.userUnit * 1000) / 1000;
        const inks = lineColour(object);
        const about = (limit: number) => ({
          object,
          colourOf: lineColourPart(object),
          measured: { value: width, unit: 'pt' as const },
          limit: { value: limit, unit: 'pt' as const, op: '>=' as const },
          fixableBy: thicken(limit),
        });
        if (inks?.isWhite) {
          // White on unprinted paper is invisible, so its width does not matter.
          if (white !== null && width < white && ink?.isUnder(object)) report({ ...about(white), rule: 'white' });
          return;
        }
        least = Math.min(least ?? width, width);
        const broken = limits.find(([, limit]) => limit !== null && width < limit);
        if (broken?.[1]) report({ ...about(broken[1]), rule: 'thin', severity: broken[0] });
        if (multiInk !== null && (inks?.inkCount ?? 0) > 1 && width < multiInk) {
          report({ ...about(multiInk), rule: 'multiInk', params: { inks: inks?.inkCount ?? 0 } });
        }
      },
      end: () => ({ least }),
    };
  },
  document(_, pages) {
    const known = pages.flatMap(({ found }) => found?.least ?? []);
    return { minWidth: known.length > 0 ? Math.min(...known) : null };
  },
});
