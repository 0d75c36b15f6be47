/**
 * The one case that needs no picture: an ink of constant opacity over bare paper is a lighter tint of the same ink, so the
 * object stays what it is, text as text and a spot as a spot.
 */
import {
  interpretPage,
  isDict,
  isName,
  numberText,
  type PageFacts,
  type Paint,
  type PathEvent,
  type Rect,
  type Run,
  type TextEvent,
} from '@pdf2press/pdf';
import { type ColourText, type Override, overridePaint } from '../frame/override.ts';
import { placeKey } from '../frame/place-key.ts';
import { createRectIndex } from '../frame/rect-index.ts';
import { inkSpaceValue } from '../frame/space-value.ts';
import type { FixContext } from '../runner.ts';

type Context = FixContext<'FlatteningTransparencies'>;

export function tintOverPaper(context: Context): void {
  const tints = new Map<string, Override>();
  for (const page of context.pageFacts)
    if (page.object !== 0 && blendsInInks(context, page)) findTints(context, page, tints);
  if (tints.size === 0) return;
  overridePaint(context as unknown as FixContext, (event) => tints.get(placeKey(event.place)) ?? null);
}

/** A tint over white is the same thing only where inks blend as inks. */
function blendsInInks({ file }: Context, page: PageFacts): boolean {
  const group = file.entry(page.dict, 'Group');
  const space = isDict(group) ? file.entry(group, 'CS') : null;
  return space === null || isName(space, 'DeviceCMYK') || isName(space, 'DeviceGray');
}

function findTints({ file }: Context, page: PageFacts, tints: Map<string, Override>): void {
  const below = createRectIndex(page.effective.media);
  const see = (event: TextEvent | PathEvent, box: Rect): void => {
    if (event.paints === 'none') return;
    const key = placeKey(event.place);
    const tint = tintOf(event);
    // Of a stream used twice, one use may lie on something.
    if (tint && !below.meets(box)) tints.set(key, tint);
    else tints.delete(key);
    below.add(box);
  };
  interpretPage(
    file,
    page.number,
    [
      {
        text: (event) => see(event, event.bbox),
        path: (event) => see(event, event.painted),
        image: ({ bbox }) => below.add(bbox),
        shading: ({ bbox }) => below.add(bbox),
      },
    ],
    { everyUse: true, softMasks: false },
  );
}

function isInGroup(run: Run): boolean {
  for (let at: Run | null = run; at; at = at.parent)
    if (at.kind !== 'page' && (at.kind !== 'form' || at.group)) return true;
  return false;
}

function tintOf(event: TextEvent | PathEvent): Override | null {
  const { state, paints, place } = event;
  const isStroke = paints === 'stroke';
  const alpha = isStroke ? state.strokeAlpha : state.fillAlpha;
  if (
    paints === 'both' ||
    alpha >= 1 ||
    state.blendMode !== 'Normal' ||
    state.softMask !== null ||
    isInGroup(place.run) ||
    (event.kind === 'text' && event.font?.type === 'Type3')
  )
    return null;
  const colour = tinted(isStroke ? state.stroke : state.fill, alpha, isStroke);
  if (!colour) return null;
  return {
    ...(isStroke ? { stroke: colour } : { fill: colour }),
    isOpaque: true,
    log: { what: 'tint', before: `${Math.round(alpha * 100)} %`, after: '100 %', parameter: 'mode', looksSame: true },
  };
}

/** The colour with `alpha` of its ink; null for spaces whose numbers are no ink. */
function tinted({ space, values, pattern }: Paint, alpha: number, isStroke: boolean): ColourText | null {
  if (pattern) return null;
  const say = (inks: readonly number[]): string => inks.map((ink) => numberText(Math.round(ink * 1e4) / 1e4)).join(' ');
  const lighter = values.map((value) => value * alpha);
  if (space.family === 'DeviceCMYK') return { text: `${say(lighter)} ${isStroke ? 'K' : 'k'}` };
  if (space.family === 'DeviceGray')
    return { text: `${say(values.map((level) => 1 - (1 - level) * alpha))} ${isStroke ? 'G' : 'g'}` };
  const value = space.family === 'Separation' || space.family === 'DeviceN' ? inkSpaceValue(space) : null;
  if (value === null) return null;
  return { text: isStroke ? `/{} CS ${say(lighter)} SCN` : `/{} cs ${say(lighter)} scn`, space: value };
}
