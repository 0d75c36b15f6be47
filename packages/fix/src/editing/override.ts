/**
 * Changes how single objects are painted. A callback decides for each text and path object; operators are then put
 * around its painting operators. The graphics state after the object is unchanged.
 */
import {
  type GraphicsState,
  interpretPage,
  numberText,
  objectPath,
  type PathEvent,
  type PdfValue,
  type Place,
  type Rect,
  type Run,
  rewriteDocument,
  shownOnPage,
  type TextEvent,
} from '@pdf2press/pdf';
import type { FixContext, LoggedChange } from '../kind/runner.ts';
import { type Colours, colourText, createColourTracker, strokeTwin } from './colour-tracker.ts';
import { placeKey } from './place-key.ts';

/** Colour operators; `{}` stands for the name of the resource they need. */
export interface ColourText {
  /** `0 0 0 1 k`, or `/{} cs 1 scn` for a colour space resource. */
  text: string;
  space?: PdfValue;
}

export interface Override {
  fill?: ColourText;
  stroke?: ColourText;
  fillOverprint?: boolean;
  strokeOverprint?: boolean;
  overprintMode?: 0 | 1;
  /** Paints with full opacity, whatever the current alpha is. */
  isOpaque?: true;
  lineWidth?: number;
  /** Painting operator to use instead of the present one; for paths only. */
  paintWith?: string;
  /** Strokes in the fill colour. */
  strokeAsFill?: boolean;
  log: LoggedChange;
}

interface Setting {
  before: string[];
  after: string[];
  resources: { category: 'ColorSpace' | 'ExtGState'; value: PdfValue }[];
}

type Painted = TextEvent | PathEvent;
export type Decide = (event: Painted) => Override | null;

export interface OverrideOptions {
  /** Also changes objects in soft masks, which are not printed. */
  includeMasks?: boolean;
}

/**
 * Calls `decide` for each text and path object and applies its answer. Every change is logged with operator and box.
 */
export function overridePaint(context: FixContext, decide: Decide, options: OverrideOptions = {}): void {
  const { file, edit, pages } = context;
  const settings = new Map<string, Setting>();
  const { changedStreams } = rewriteDocument(file, {
    pages,
    annotations: context.touches('annotation'),
    page(number) {
      context.signal.throwIfAborted();
      settings.clear();
      decidePage(context, number, decide, options, settings);
      return settings.size > 0;
    },
    operator(event, tools) {
      const setting = settings.get(placeKey(event.place));
      if (!setting) return undefined;
      const names = setting.resources.map(({ category, value }) =>
        tools.resource(category, value, category === 'ExtGState' ? 'P2PGS' : 'P2PCS'),
      );
      const fill = (texts: readonly string[]): string =>
        texts.join(' ').replace(/\{(\d+)\}/g, (_, index: string) => names[Number(index)] ?? '');
      const replace = setting.after.find((text) => text.startsWith('='));
      return {
        ...(setting.before.length > 0 && { before: `${fill(setting.before)}\n` }),
        ...(replace !== undefined && { replace: replace.slice(1) }),
        ...(setting.after.length > (replace === undefined ? 0 : 1) && {
          after: `\n${fill(setting.after.filter((text) => text !== replace))}\n`,
        }),
      };
    },
  });
  if (changedStreams > 0) edit.markChanged();
}

function decidePage(
  context: FixContext,
  page: number,
  decide: Decide,
  options: OverrideOptions,
  settings: Map<string, Setting>,
): void {
  const tracker = createColourTracker();
  const at = (place: Place): Setting => {
    const key = placeKey(place);
    const known = settings.get(key) ?? { before: [], after: [], resources: [] };
    settings.set(key, known);
    return known;
  };
  const see = (event: Painted): void => {
    const { place, state } = event;
    if (isLockedOut(place.run, options)) return;
    const override = decide(event);
    if (!override) return;
    const colours = tracker.of(place.run);
    const start = event.kind === 'path' ? (colours.pathStart ?? place) : place;
    const set = settingOf(override, state, colours.now);
    if (!set) {
      context.warn('colourInherited', { page });
      return;
    }
    const first = at(start);
    const base = first.resources.length;
    first.before.push(...set.before.map((text) => shifted(text, base)));
    first.resources.push(...set.resources);
    const last = at(place);
    const again = last === first ? base : last.resources.length;
    if (last !== first) last.resources.push(...set.resources);
    last.after.push(...set.after.map((text) => shifted(text, again)));
    context.log({ page, object: `${place.run.object} 0 R ${objectPath(place)}`, box: painted(event), ...override.log });
  };
  interpretPage(
    context.file,
    page,
    [
      {
        operator: (event) => tracker.see(event),
        text: see,
        path(event) {
          see(event);
          tracker.endPath(event.place.run);
        },
        runEnd: ({ run }) => tracker.forget(run),
      },
      {
        // `n` ends a path without a paint event; the event arrives before the operator takes effect.
        operator({ place }) {
          if (place.op === 'n') tracker.endPath(place.run);
        },
      },
    ],
    { annotations: context.touches('annotation'), everyUse: true },
  );
}

const shifted = (text: string, by: number): string =>
  text.replace(/\{(\d+)\}/g, (_, index: string) => `{${Number(index) + by}}`);

/**
 * Whether the colour of objects in this run is set from outside: uncoloured patterns and Type 3 glyphs take it from
 * where they are used.
 */
function isLockedOut(run: Run, options: OverrideOptions): boolean {
  if (run.isInSoftMask && !options.includeMasks) return true;
  for (let at: Run | null = run; at; at = at.parent) {
    if (at.kind === 'type3') return true;
    if (at.kind === 'pattern' && at.dict.map.get('PaintType') === 2) return true;
  }
  return false;
}

function settingOf(override: Override, state: GraphicsState, colours: Colours): Setting | null {
  const setting: Setting = { before: [], after: [], resources: [] };
  const colour = (wanted: ColourText, side: 'fill' | 'stroke'): boolean => {
    const back = colours[side] ?? colourText(state[side], side === 'stroke');
    if (back === null) return false;
    if (wanted.space !== undefined) setting.resources.push({ category: 'ColorSpace', value: wanted.space });
    setting.before.push(wanted.text.replace('{}', `{${setting.resources.length - 1}}`));
    setting.after.push(back);
    return true;
  };
  if (override.fill && !colour(override.fill, 'fill')) return null;
  if (override.stroke && !colour(override.stroke, 'stroke')) return null;
  if (override.strokeAsFill) {
    const fill = colours.fill ?? colourText(state.fill, false);
    if (fill === null || !colour({ text: strokeTwin(fill) }, 'stroke')) return null;
  }
  const wanted = overprintState(override);
  if (wanted) {
    setting.resources.push({ category: 'ExtGState', value: wanted });
    setting.before.push(`/{${setting.resources.length - 1}} gs`);
    setting.resources.push({
      category: 'ExtGState',
      value: gState(
        state.strokeOverprint,
        state.fillOverprint,
        state.overprintMode,
        override.isOpaque ? [state.strokeAlpha, state.fillAlpha] : null,
      ),
    });
    setting.after.push(`/{${setting.resources.length - 1}} gs`);
  }
  if (override.lineWidth !== undefined) {
    setting.before.push(`${numberText(Math.round(override.lineWidth * 1e5) / 1e5)} w`);
    setting.after.push(`${numberText(state.lineWidth)} w`);
  }
  if (override.paintWith !== undefined) setting.after.push(`=${override.paintWith}`);
  return setting;

  function overprintState({ fillOverprint, strokeOverprint, overprintMode, isOpaque }: Override): PdfValue | null {
    if (fillOverprint === undefined && strokeOverprint === undefined && overprintMode === undefined && !isOpaque)
      return null;
    return gState(
      strokeOverprint ?? state.strokeOverprint,
      fillOverprint ?? state.fillOverprint,
      overprintMode ?? state.overprintMode,
      isOpaque ? [1, 1] : null,
    );
  }
}

const gState = (
  stroke: boolean,
  fill: boolean,
  mode: number,
  alpha: readonly [stroke: number, fill: number] | null,
): PdfValue => ({
  kind: 'dict',
  stream: 0,
  map: new Map<string, PdfValue>([
    ['Type', { kind: 'name', name: 'ExtGState' }],
    ['OP', stroke],
    ['op', fill],
    ['OPM', mode],
    ...(alpha
      ? ([
          ['CA', alpha[0]],
          ['ca', alpha[1]],
        ] as const)
      : []),
  ]),
});

/** Bounding box of what the object paints, including line width and a margin. */
function painted(event: Painted): Rect {
  const [x0, y0, x1, y1] = event.bbox;
  const grow = event.kind === 'path' ? event.lineWidth + 0.5 : 0.15 * event.effectiveSize;
  return shownOnPage(event.place.run, [x0 - grow, y0 - grow, x1 + grow, y1 + grow]);
}
