/**
 * An ink of constant opacity over paper equals a lighter tint of the same ink. Such objects are changed to that tint
 * and need no image.
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
import { type ColourText, type Override, overridePaint } from '../../editing/override.ts';
import { placeKey } from '../../editing/place-key.ts';
import { createRectIndex } from '../../editing/rect-index.ts';
import { inkSpaceValue } from '../../editing/space-value.ts';
import type { FixContext } from '../../kind/runner.ts';
import type { flatteningTransparencies } from './contract.ts';

type Context = FixContext<typeof flatteningTransparencies>;

export function tintOverPaper(context: Context): void {
  const tints = new Map<string, Override>();
  for (const page of context.pageFacts)
    if (page.object !== 0 && blendsInInks(context, page)) findTints(context, page, tints);
  if (tints.size === 0) return;
  overridePaint(context, (event) => tints.get(placeKey(event.place)) ?? null);
}

/** This holds only where the page blends in inks or grey. */
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
    // Another use of the same operator may lie on top of something.
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

/** The colour with its inks multiplied by `alpha`; null for spaces that are not ink-based. */
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
