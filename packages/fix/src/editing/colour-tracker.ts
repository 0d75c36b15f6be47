/** Tracks the current colour as source text of the content stream, so that the same text can be written again. */
import { numberText, type OperatorEvent, type Paint, type Place, type Run } from '@pdf2press/pdf';

/** Source text of the current colours of a run; null when inherited from outside the run. */
export interface Colours {
  fill: string | null;
  stroke: string | null;
}

const fillOperators = new Set(['g', 'rg', 'k', 'sc', 'scn', 'cs']);
const strokeOperators = new Set(['G', 'RG', 'K', 'SC', 'SCN', 'CS']);
const starts = new Set(['m', 're']);
const deviceOperators = { DeviceGray: ['g', 'G'], DeviceRGB: ['rg', 'RG'], DeviceCMYK: ['k', 'K'] } as const;

const source = ({ run, start, end }: Place): string =>
  Buffer.from(run.bytes.subarray(start, end)).toString('latin1').trim();

/** Follows the colour operators of each run. */
export function createColourTracker() {
  const runs = new Map<Run, { now: Colours; saved: Colours[]; pathStart: Place | null }>();
  const of = (run: Run) => {
    let entry = runs.get(run);
    if (!entry) {
      const initial = run.kind === 'page' ? { fill: '0 g', stroke: '0 G' } : { fill: null, stroke: null };
      entry = { now: initial, saved: [], pathStart: null };
      runs.set(run, entry);
    }
    return entry;
  };
  return {
    of,
    forget: (run: Run) => runs.delete(run),
    see({ place }: OperatorEvent): void {
      const entry = of(place.run);
      const { op } = place;
      if (op === 'q') entry.saved.push({ ...entry.now });
      else if (op === 'Q') entry.now = entry.saved.pop() ?? entry.now;
      else if (fillOperators.has(op)) entry.now.fill = said(entry.now.fill, op, source(place), 'cs');
      else if (strokeOperators.has(op)) entry.now.stroke = said(entry.now.stroke, op, source(place), 'CS');
      else if (starts.has(op)) entry.pathStart ??= place;
    },
    /** A painting operator ends the current path. */
    endPath(run: Run): void {
      of(run).pathStart = null;
    },
  };
}

/** The space in which `sc` continues after an operator that sets space and colour at once. */
const deviceSpaces: Readonly<Record<string, string>> = { g: '/DeviceGray', rg: '/DeviceRGB', k: '/DeviceCMYK' };

/** `sc` and `scn` are kept with the space they are meant in, because the text may be written where another one is set. */
function said(before: string | null, op: string, text: string, space: string): string | null {
  if (!/^(sc|scn)$/i.test(op)) return text;
  if (before === null) return null;
  const [chosen] = new RegExp(`^\\S+\\s+${space}\\b`).exec(before) ?? [];
  const device = deviceSpaces[/\S+$/.exec(before)?.[0].toLowerCase() ?? ''];
  return chosen ? `${chosen} ${text}` : device ? `${device} ${space} ${text}` : text;
}

/** Colour operators for a value, for a colour that the run itself does not set. */
export function colourText(paint: Paint, isStroke: boolean): string | null {
  const operators = deviceOperators[paint.space.family as keyof typeof deviceOperators];
  return operators && !paint.pattern
    ? `${paint.values.map(numberText).join(' ')} ${operators[isStroke ? 1 : 0]}`
    : null;
}

/** The fill colour as a stroke colour: `0 0 0 1 k` → `0 0 0 1 K`. */
export const strokeTwin = (fill: string): string =>
  fill.replace(/(^|\s)(g|rg|k|cs|sc|scn)(?=\s|$)/g, (_, space: string, op: string) => space + op.toUpperCase());

/** The stroke colour as a fill colour: `0 0 0 1 K` → `0 0 0 1 k`. */
export const fillTwin = (stroke: string): string =>
  stroke.replace(/(^|\s)(G|RG|K|CS|SC|SCN)(?=\s|$)/g, (_, space: string, op: string) => space + op.toLowerCase());
