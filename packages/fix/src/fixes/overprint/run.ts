import { numberText, type Paint, type PathEvent, type PdfValue, pdfName, type TextEvent } from '@pdf2press/pdf';
import { colourName, isPureBlack, isWhite, nameMatcher, processValues, spotNames } from '../../editing/blacks.ts';
import { type ColourText, type Override, overridePaint } from '../../editing/override.ts';
import type { FixContext, FixRunner } from '../../kind/runner.ts';
import type { overprint } from './contract.ts';

type Context = FixContext<typeof overprint>;
type Painted = TextEvent | PathEvent;
type Wish = { overprints: boolean; rule: 'black' | 'white' | 'colour' | 'technical' } | null;

export const run: FixRunner<typeof overprint> = (context) => {
  const { settings } = context;
  const rules = { isTechnical: nameMatcher(settings.technicalInks), isExcluded: nameMatcher(settings.exclude) };
  const blackSpace = separationBlack(context);
  overridePaint(context, (event) => {
    if (event.paints === 'none' || !context.touches(event.kind === 'text' ? 'text' : 'vector')) return null;
    const fill =
      event.paints === 'stroke' || settings.targets === 'Vectors'
        ? null
        : wishFor(context, event, event.state.fill, false, rules);
    const stroke =
      event.paints === 'fill' || settings.targets === 'Fills'
        ? null
        : wishFor(context, event, event.state.stroke, true, rules);
    return overrideOf(context, event, fill, stroke, blackSpace);
  });
};

/** A Separation Black colour space, created when first needed. */
function separationBlack({ edit }: Context): () => PdfValue {
  let made: PdfValue | null = null;
  return () => {
    if (!made) {
      const tint: PdfValue = {
        kind: 'dict',
        stream: 0,
        map: new Map<string, PdfValue>([
          ['FunctionType', 2],
          ['Domain', [0, 1]],
          ['C0', [0, 0, 0, 0]],
          ['C1', [0, 0, 0, 1]],
          ['N', 1],
        ]),
      };
      made = { kind: 'ref', num: edit.add([pdfName('Separation'), pdfName('Black'), pdfName('DeviceCMYK'), tint]) };
    }
    return made;
  };
}

function wishFor(
  { settings, file }: Context,
  event: Painted,
  paint: Paint,
  isStroke: boolean,
  rules: { isTechnical: (name: string) => boolean; isExcluded: (name: string) => boolean },
): Wish {
  if (paint.pattern) return null;
  const spots = spotNames(paint.space);
  if (spots.some(rules.isExcluded)) return null;
  if (spots.some(rules.isTechnical))
    return settings.technicalOverprint && !spots.some((name) => /^white$/i.test(name))
      ? { overprints: true, rule: 'technical' }
      : null;
  if (isWhite(paint)) return settings.whiteKnockout ? { overprints: false, rule: 'white' } : null;
  if (isPureBlack(paint, settings.blackThreshold / 100)) {
    const unit = file.pages[event.place.run.page - 1]?.userUnit ?? 1;
    if (event.kind === 'text')
      return settings.blackText && (!settings.textMaxSize || event.effectiveSize * unit < settings.textMaxSize + 1e-6)
        ? { overprints: true, rule: 'black' }
        : null;
    const width = isStroke ? event.lineWidth : event.thinFill;
    return settings.blackLines &&
      width !== null &&
      (!settings.lineMaxWidth || width * unit < settings.lineMaxWidth + 1e-6)
      ? { overprints: true, rule: 'black' }
      : null;
  }
  return settings.colourKnockout && (processValues(paint) ?? spots).length > 0
    ? { overprints: false, rule: 'colour' }
    : null;
}

function overrideOf(
  context: Context,
  event: Painted,
  fill: Wish,
  stroke: Wish,
  blackSpace: () => PdfValue,
): Override | null {
  const { state } = event;
  const { settings } = context;
  const isFillNew = fill !== null && (fill.overprints !== state.fillOverprint || needsBlack(context, state.fill, fill));
  const isStrokeNew =
    stroke !== null && (stroke.overprints !== state.strokeOverprint || needsBlack(context, state.stroke, stroke));
  const isModeNew =
    settings.overprintMode &&
    state.overprintMode !== 1 &&
    [fill, stroke].some((wish) => wish?.overprints === true && wish.rule === 'black');
  if (!isFillNew && !isStrokeNew && !isModeNew) return null;
  const wish = (isFillNew ? fill : stroke) ?? fill;
  const paint = isFillNew || !isStrokeNew ? state.fill : state.stroke;
  return {
    ...(fill && { fillOverprint: fill.overprints }),
    ...(stroke && { strokeOverprint: stroke.overprints }),
    ...(isModeNew && { overprintMode: 1 as const }),
    ...(fill && needsBlack(context, state.fill, fill) && { fill: blackOf(context, state.fill, false, blackSpace) }),
    ...(stroke &&
      needsBlack(context, state.stroke, stroke) && { stroke: blackOf(context, state.stroke, true, blackSpace) }),
    log: {
      what: `${wish?.overprints ? 'on' : 'off'}.${event.kind}`,
      before: colourName(paint),
      after: wish?.overprints ? 'overprint' : 'knockout',
      parameter: {
        black: event.kind === 'text' ? 'blackText' : 'blackLines',
        white: 'whiteKnockout',
        colour: 'colourKnockout',
        technical: 'technicalOverprint',
      }[wish?.rule ?? 'black'],
    },
  };
}

/**
 * DeviceGray paints all process plates even when overprint is on (ISO 32000-1, 8.6.7), so its black has to be
 * converted.
 */
const needsBlack = ({ settings }: Context, { space }: Paint, wish: Wish): boolean =>
  wish?.rule === 'black' && settings.grayToBlack !== 'Off' && space.family === 'DeviceGray';

function blackOf({ settings }: Context, { values }: Paint, isStroke: boolean, blackSpace: () => PdfValue): ColourText {
  const ink = numberText(Math.round((1 - (values[0] ?? 0)) * 10_000) / 10_000);
  if (settings.grayToBlack === 'DeviceCMYK') return { text: `0 0 0 ${ink} ${isStroke ? 'K' : 'k'}` };
  return { text: isStroke ? `/{} CS ${ink} SCN` : `/{} cs ${ink} scn`, space: blackSpace() };
}
