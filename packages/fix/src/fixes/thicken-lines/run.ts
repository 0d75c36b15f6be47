import { colorantsOf, type PathEvent } from '@pdf2press/pdf';
import { isWhite, processValues } from '../../editing/blacks.ts';
import { type Override, overridePaint } from '../../editing/override.ts';
import type { FixContext, FixRunner } from '../../kind/runner.ts';
import type { thickenLines } from './contract.ts';

type Context = FixContext<typeof thickenLines>;

export const run: FixRunner<typeof thickenLines> = (context) => {
  overridePaint(context, (event) =>
    event.kind === 'path' && context.touches('vector') ? thicken(context, event) : null,
  );
};

/** Limits in points. Lines of several inks and white lines fill in sooner. */
function limits({ settings }: Context, event: PathEvent, isStroke: boolean): { below: number; to: number } {
  const paint = isStroke ? event.state.stroke : event.state.fill;
  const inks = processValues(paint)?.filter((ink) => ink > 0.004).length ?? colorantsOf(paint.space).length;
  const isDelicate = inks > 1 || isWhite(paint);
  return isDelicate
    ? { below: Math.max(settings.below, settings.multiInkBelow), to: Math.max(settings.to, settings.multiInkTo) }
    : settings;
}

const round = (value: number): string => String(Math.round(value * 1000) / 1000);
const operatorsWithStroke: Readonly<Record<string, string>> = { f: 'B', F: 'B', 'f*': 'B*' };

function thicken(context: Context, event: PathEvent): Override | null {
  const unit = context.file.pages[event.place.run.page - 1]?.userUnit ?? 1;
  const { state } = event;
  // A shape with an outline of its own colour was thickened before.
  if (event.paints === 'both' && isSamePaint(event)) return null;
  if (event.paints !== 'fill') {
    const { below, to } = limits(context, event, true);
    const width = event.lineWidth * unit;
    // Differences below a thousandth of a point are rounding errors.
    if (width >= below - 1e-3 || to <= width) return null;
    const lineWidth =
      event.lineWidth > 0
        ? (state.lineWidth * to) / width
        : to / unit / Math.max(1e-9, Math.sqrt(Math.abs(state.ctm[0] * state.ctm[3] - state.ctm[1] * state.ctm[2])));
    return {
      lineWidth,
      log: { what: 'stroke', before: `${round(width)} pt`, after: `${round(to)} pt`, parameter: 'below' },
    };
  }
  if (event.thinFill === null || !context.settings.includeFills || state.fill.pattern) return null;
  const { below, to } = limits(context, event, false);
  const width = event.thinFill * unit;
  const paintWith = operatorsWithStroke[event.place.op];
  if (width >= below - 1e-3 || to <= width || paintWith === undefined) return null;
  const scale = Math.max(1e-9, Math.sqrt(Math.abs(state.ctm[0] * state.ctm[3] - state.ctm[1] * state.ctm[2])));
  return {
    strokeAsFill: true,
    lineWidth: (to - width) / unit / scale,
    paintWith,
    log: { what: 'fill', before: `${round(width)} pt`, after: `${round(to)} pt`, parameter: 'includeFills' },
  };
}

function isSamePaint({ state: { fill, stroke } }: PathEvent): boolean {
  return (
    fill.space.family === stroke.space.family &&
    fill.values.length === stroke.values.length &&
    fill.values.every((value, index) => value === stroke.values[index])
  );
}
