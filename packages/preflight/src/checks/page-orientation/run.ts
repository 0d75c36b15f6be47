import type { Matrix } from '@pdf2press/pdf';
import { checkRunner } from '../runner.ts';

type Orientation = 'Vertical' | 'Horizontal' | 'Square';
interface Found {
  orientation: Orientation;
  /** Clockwise rotation of most text on the displayed page, degrees; null without text. */
  reading: number | null;
}

export const pageOrientationRunner = checkRunner<'PageOrientation'>()<Found>({
  page({ page, area, settings, report, isOn }) {
    const glyphsByTurn = new Map<number, number>();
    const [x0, y0, x1, y1] = {
      Trim: area.trim,
      Media: area.media,
      Crop: page.effective.crop,
      Bleed: page.effective.bleed,
      Art: page.effective.art,
    }[settings.box];
    const isTurned = settings.applyRotate && page.rotate % 180 !== 0;
    const difference = (x1 - x0 - (y1 - y0)) * page.userUnit * (isTurned ? -1 : 1);
    const isSquare = Math.abs(difference) <= settings.squareTolerance;
    return {
      ...(isOn('readingOrientation') && {
        object(object) {
          if (object.type !== 'text' || object.hidden !== null) return;
          const turn = turnOf(object.event.matrix, page.rotate);
          glyphsByTurn.set(turn, (glyphsByTurn.get(turn) ?? 0) + object.event.glyphCount);
        },
      }),
      end() {
        if (page.rotate !== 0) {
          report({
            rule: 'forbidRotateKey',
            objectType: 'page',
            acrossPages: true,
            measured: { value: page.rotate, unit: 'deg' },
            fixableBy: { action: 'RotatePages', params: { removeUserUnit: false } },
          });
        }
        const reading =
          [...glyphsByTurn].reduce<[number, number] | null>(
            (most, each) => (most && most[1] >= each[1] ? most : each),
            null,
          )?.[0] ?? null;
        if (reading !== null && reading !== 0)
          report({ rule: 'readingOrientation', objectType: 'page', measured: { value: reading, unit: 'deg' } });
        return { orientation: isSquare ? 'Square' : difference > 0 ? 'Horizontal' : 'Vertical', reading };
      },
    };
  },
  document({ settings, report }, pages) {
    const known = pages.flatMap(({ page, found }) => (found ? [{ page, ...found }] : []));
    const first = known.find(({ orientation }) => orientation !== 'Square')?.orientation;
    const wanted = settings.required === 'AllSame' ? first : settings.required;
    for (const { page, orientation } of known) {
      if (!wanted || orientation === 'Square' || orientation === wanted) continue;
      const rule = settings.required === 'AllSame' ? 'differs' : 'wrong';
      report({
        rule,
        page,
        objectType: 'page',
        params: { orientation, wanted },
        fixableBy: { action: 'RotatePages', params: { turn: wanted === 'Vertical' ? 'ToPortrait' : 'ToLandscape' } },
      });
    }
    const count = (which: Orientation) => known.filter(({ orientation }) => orientation === which).length;
    return { vertical: count('Vertical'), horizontal: count('Horizontal'), square: count('Square') };
  },
});

/** Clockwise rotation of a baseline on the displayed page, to the nearest of 0, 90, 180 and 270 degrees. */
function turnOf(matrix: Matrix, rotate: number): number {
  const degrees = (Math.atan2(matrix[1], matrix[0]) * 180) / Math.PI;
  return (((Math.round(-degrees / 90) * 90 + rotate) % 360) + 360) % 360;
}
