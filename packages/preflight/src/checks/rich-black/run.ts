import { area, type InkUse, isSolidBlack } from '@pdf2press/pdf';
import { lineColour, lineColourPart, lineWidthOf } from '../../reading/lines.ts';
import { type PageObject, paintsIn } from '../../reading/scene.ts';
import { checkRunner, type FixHint, type PageContext } from '../runner.ts';

type Key = 'RichBlack';
interface Found {
  maxSum: number | null;
}

export const richBlackRunner = checkRunner<Key>()<Found>({
  page(context) {
    const found: Found = { maxSum: null };
    return {
      object(object) {
        if (object.hidden !== null || object.inGlyph || (object.type !== 'text' && object.type !== 'vector')) return;
        judgeRegistration(context, object);
        judgeFlat(context, object);
        judgeFine(context, object, found);
      },
      end: () => found,
    };
  },
  document(_, pages) {
    const sums = pages.flatMap(({ found }) => found?.maxSum ?? []);
    return { maxBlackSum: sums.length > 0 ? Math.max(...sums) : null };
  },
});

/** The suggested colour of black text and lines: C / M / Y / K in percent. */
const onlyBlack = '0 / 0 / 0 / 100';

const percent = (share: number): number => Math.round(share * 1000) / 10;

/** Inks and size (points on paper) of text, or of a line not wider than the limit; null for other objects. */
function finePart(
  { settings, page }: PageContext<Key>,
  object: PageObject,
): { inks: InkUse; part: 'fill' | 'stroke'; size: number; isText: boolean } | null {
  if (object.type === 'text') {
    const part = object.fill ? 'fill' : 'stroke';
    const inks = object.fill ?? object.stroke;
    return inks && { inks, part, size: object.event.effectiveSize * page.userUnit, isText: true };
  }
  if (object.type !== 'vector') return null;
  const { thinLineMaxWidth } = settings.vector;
  const width = lineWidthOf(object);
  const inks = lineColour(object);
  if (width === null || !inks || thinLineMaxWidth === null || width * page.userUnit > thinLineMaxWidth) return null;
  return { inks, part: lineColourPart(object), size: width * page.userUnit, isText: false };
}

function judgeFine(context: PageContext<Key>, object: PageObject, found: Found): void {
  const fine = finePart(context, object);
  if (!fine) return;
  const { settings, report } = context;
  const { inks, part, size, isText } = fine;
  const fixableBy: FixHint = { action: 'RichBlack', params: { textMaxSize: 0, minK: settings.text.minK } };
  const told = { effectiveSize: Math.round(size * 10) / 10, suggested: onlyBlack };
  const about = { object, colourOf: part, fixableBy };
  if (inks.isConvertedBlack)
    report({ ...about, rule: 'rgbBlack', params: { kind: isText ? 'text' : 'line', ...told } });
  if (!inks.cmyk || inks.processSum === null) return;
  const black = percent(inks.cmyk[3]);
  if (black < settings.text.minK) return;
  const sum = percent(inks.processSum);
  found.maxSum = Math.max(found.maxSum ?? sum, sum);
  const colour = inks.cmyk.map(percent).join(' / ');
  if (sum > settings.text.maxSum) {
    report({
      ...about,
      rule: 'sum',
      measured: { value: sum, unit: '%' },
      limit: { value: settings.text.maxSum, unit: '%', op: '<=' },
      params: { colour, sum, ...told },
    });
  }
  const { size: below, maxInks } = settings.text.maxInksBelowSize;
  if (below !== null && (!isText || Math.round(size * 10) / 10 < below) && inks.inkCount > maxInks) {
    report({
      ...about,
      rule: 'tooManyInks',
      measured: { value: inks.inkCount, unit: 'count' },
      limit: { value: maxInks, unit: 'count', op: '<=' },
      params: { colour, sum, size: Math.round(size * 10) / 10, ...told },
    });
  }
}

/** Reports objects in all four process inks at 100 %, or in Separation All, that touch the trim. */
function judgeRegistration({ report, area: areas }: PageContext<Key>, object: PageObject): void {
  for (const part of ['fill', 'stroke'] as const) {
    const inks = object[part];
    const isRegistration = inks && (inks.registration > 0 || inks.cmyk?.every((tint) => tint > 0.999));
    if (!isRegistration || !paintsIn(object, areas.trim)) continue;
    report({ rule: 'registrationBlack', object, colourOf: part, fixableBy: { action: 'RichBlack', params: {} } });
    return;
  }
}

/** Reports large areas in K only, which look grey in print. */
function judgeFlat({ settings, report, page }: PageContext<Key>, object: PageObject): void {
  const limit = settings.solidArea.requireRich;
  if (limit === null || object.type !== 'vector' || !object.fill || !isSolidBlack(object.fill)) return;
  const size = area(object.box) * page.userUnit ** 2;
  if (size <= limit) return;
  report({
    rule: 'flat',
    object,
    params: { area: Math.round(size / (72 / 25.4) ** 2 / 100) },
    fixableBy: { action: 'RichBlack', params: { direction: 'ToRich', objects: ['vector'], minArea: limit } },
  });
}
