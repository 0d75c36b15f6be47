import type { Plan, PlanProblem } from '@pdf2press/contract';
import { parseOnce } from '@pdf2press/settings';
import { refuse, warning } from '../../sheet/problems.ts';
import { type SheetSettings, sheetSettingsSchema } from '../../sheet/settings.ts';
import { assemble, type SheetDraft } from '../assemble.ts';
import { tally } from '../count-pages.ts';
import { epsilon, gutters, type Size, sheetSizes, usableArea } from '../grid.ts';
import { kindsOf } from '../kinds.ts';
import { defineLayout, type LayoutInput, pagesOfSize } from '../layout.ts';
import { listPages } from '../page-list.ts';
import { type PageShape, pageShape } from '../pages.ts';
import type { Leaf } from '../placing.ts';
import { blockOf } from './block.ts';
import { type GangRunSettings, gangRunSettingsSchema } from './contract.ts';
import { messages } from './messages.ts';
import { bothHalves, flipOf, roomFor } from './one-plate.ts';
import { type Place, pack } from './pack.ts';

/** Jobs of different sizes share a sheet, each in its quantity; a guillotine can cut them apart. */
export const gangRun = defineLayout({
  type: 'GangRun',
  version: 1,
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  settings: gangRunSettingsSchema,
  usualPages: pagesOfSize(6, 85, 55),
  plan: planGangRun,
});

/** Settings of other layouts that this one does not have: pages keep their size, and rows are not moved. */
const common = (): SheetSettings => sheetSettingsSchema.parse({}, parseOnce);
type Settings = GangRunSettings & SheetSettings;

/** Pieces on a sheet at most, so that mistyped settings cannot take forever. */
const mostPieces = 4000;

/** One kind of piece. */
interface Kind extends Size {
  /** How messages name it. */
  name: string;
  leaf: Leaf;
  /** Ordered pieces, and with overs. */
  ordered: number;
  wanted: number;
}

/** Kinds that share a sheet: how often each lies there, and how many sheets are printed. */
interface Ganged {
  sheet: Size;
  kinds: readonly Kind[];
  /** Of a sheet of one plate, those of the half with the fronts. */
  places: Place[];
  quantity: number;
}

function planGangRun(input: LayoutInput, given: GangRunSettings): Plan {
  const others = common();
  const settings: Settings = { ...others, ...given, alignment: { ...others.alignment, ...given.alignment } };
  const shapes = input.pages.map((page) => pageShape(page, settings));
  const lists = pagesOfJobs(input, given);
  const isDuplex =
    given.duplex === 'Auto' ? lists.every(({ pages }) => pages.length % 2 === 0) : given.duplex === 'Duplex';
  const kinds = lists.flatMap((job) => kindsOfJob(job, { isDuplex, shapes, settings }));
  const workStyle = isDuplex ? settings.workStyle : 'Simplex';
  // One-sided sheets pass the press once, so that they need no second gripper edge.
  const pressed = { ...settings, workStyle: isDuplex ? settings.workStyle : ('Sheetwise' as const) };
  const ganged = gangAll(kinds, pressed);
  const gap = gapOf(settings);
  const flip = flipOf(pressed.workStyle);
  const bleed = shapes.reduce((most, shape) => Math.max(most, ...Object.values(shape.bleed)), 0);
  const drafts = ganged.map(({ sheet, kinds: own, places, quantity }): SheetDraft => {
    const { block, order } = blockOf(bothHalves(places, flip), gap, bleed, flip);
    return {
      ...{ sheet, block, quantity, workStyle, role: 'Body', folds: [], creases: [] },
      leaves: order.map(({ pieces, isBack }) => {
        const { front, back } = own[pieces]?.leaf ?? { front: 0, back: 0 };
        return isBack ? { front: back, back: front } : { front, back };
      }),
    };
  });
  return assemble({
    layout: 'GangRun',
    bindingEdge: 'None',
    drafts,
    input,
    settings,
    shapes,
    cell: kinds[0] ?? refuse('impose.noPages', 'pages'),
    warnings: [...furtherOf(ganged), ...wasteOf(ganged, pressed)],
    wanted: {
      pieces: tally(
        kinds.flatMap(({ leaf, ordered }) =>
          [leaf.front, leaf.back].filter((page) => page > 0).map((page) => ({ page, ordered })),
        ),
        ({ page }) => page,
        ({ ordered }) => ordered,
      ),
    },
  });
}

interface JobPages {
  name: string;
  pages: number[];
  quantity: number;
}

/** The pages of each job; without jobs, all pages are one in `copies` pieces. */
function pagesOfJobs({ pages }: LayoutInput, { jobs, pages: range, copies }: GangRunSettings): JobPages[] {
  if (jobs.length === 0) return [{ name: '', pages: listPages(range, pages.length), quantity: copies }];
  return jobs.map((job) => ({ ...job, pages: listPages(job.pages, pages.length) }));
}

function kindsOfJob(
  { name, pages, quantity }: JobPages,
  { isDuplex, shapes, settings }: { isDuplex: boolean; shapes: readonly PageShape[]; settings: Settings },
): Kind[] {
  const leaves = kindsOf(pages, isDuplex);
  return leaves.map((leaf) => {
    const { width, height } = shapes[leaf.front - 1] ?? refuse('impose.noPages', 'jobs');
    const back = shapes[leaf.back - 1];
    const apart = back ? Math.max(Math.abs(back.width - width), Math.abs(back.height - height)) : 0;
    if (back && apart > settings.pageSizeTolerance + epsilon) {
      const sizes = { width: back.width, height: back.height, otherWidth: width, otherHeight: height };
      refuse('impose.backUnequal', 'jobs', { page: leaf.back, ...sizes });
    }
    if (width < 1 || height < 1) refuse('impose.pageTooSmall', 'jobs', { page: leaf.front, min: 1 });
    const numbers = [leaf.front, leaf.back].filter((page) => page > 0).join('–');
    const own = name === '' ? numbers : leaves.length > 1 ? `${name} (${numbers})` : name;
    const wanted = Math.ceil(quantity * (1 + settings.oversPercent / 100) - 1e-9);
    return { name: own, leaf, width, height, ordered: quantity, wanted };
  });
}

const gapOf = (settings: Settings): number =>
  gutters(settings.gutter === 'TwiceBleed' ? 'TwiceBleed' : [settings.gutter], settings)[0] ?? 0;

/** Names of kinds as a list, of which a message shows the first. */
const namesOf = (kinds: readonly Kind[]): string => {
  const shown = kinds.slice(0, 10).map(({ name }) => name);
  return [...shown, ...(kinds.length > shown.length ? ['…'] : [])].join(', ');
};

/**
 * Sheets that hold all kinds: the first holds as many as it can, the largest first.
 * @throws LayoutFault impose.gangNeedsSheet, impose.gangTooLarge, impose.gangLeftOver
 */
function gangAll(kinds: readonly Kind[], settings: Settings): Ganged[] {
  const flip = flipOf(settings.workStyle);
  const sets = setsOf(settings);
  const sheets = sheetSizes(settings).map((sheet) => {
    const usable = usableArea(sheet, settings);
    if (Number.isNaN(usable.width + usable.height)) refuse('impose.gangNeedsSheet', 'sheet.width');
    if (usable.width <= 0 || usable.height <= 0)
      refuse('impose.marginsTooLarge', 'margins', { overflow: -Math.min(usable.width, usable.height) });
    return { sheet, room: roomFor(sheet, settings, flip, gapOf(settings)) };
  });
  const placed = (some: readonly Kind[], quantity: number, room: Size): Place[] | null => {
    const pieces = some.map((kind) => piecesOf(kind, quantity * sets, gapOf(settings)));
    const count = pieces.reduce((sum, one) => sum + one.count, 0);
    return count * sets > mostPieces ? null : pack(room, pieces, settings.mayTurn);
  };
  /** Once each: no kind lies on a sheet more seldom. */
  const holds = (some: readonly Kind[]) => sheets.some(({ room }) => placed(some, Infinity, room));
  const tooLarge = kinds.filter((kind) => !holds([kind]));
  if (tooLarge.length > 0) refuse('impose.gangTooLarge', 'jobs', { jobs: namesOf(tooLarge) });
  const made: Ganged[] = [];
  for (let open = kinds; open.length > 0; ) {
    const together: Kind[] = [];
    const largest = [...open].sort((a, b) => b.width * b.height - a.width * a.height);
    if (holds(open)) together.push(...open);
    else for (const kind of largest) if (holds([...together, kind])) together.push(kind);
    const rest = open.filter((kind) => !together.includes(kind));
    if (rest.length > 0 && !settings.furtherSheets) refuse('impose.gangLeftOver', 'jobs', { jobs: namesOf(rest) });
    const best = sheets
      .flatMap(({ sheet, room }) => {
        const found = fewestSheets(together, room, sets, (quantity) => placed(together, quantity, room));
        return found ? [{ sheet, kinds: together, ...found }] : [];
      })
      .reduce((a, b) => (b.quantity < a.quantity ? b : a));
    made.push(best);
    open = rest;
  }
  return made;
}

/** How many finished pieces each place gives: with one plate for both sides, one on each half of the sheet. */
const setsOf = ({ workStyle }: Settings): number => (flipOf(workStyle) ? 2 : 1);

/** As many places as a kind needs where each is printed `times` times, with the gap to the next piece. */
const piecesOf = ({ width, height, wanted }: Kind, times: number, gap: number) => ({
  width: width + gap,
  height: height + gap,
  count: Math.max(1, Math.ceil(wanted / times)),
});

/** The smallest number of sheets for which a way to place all pieces is found. */
function fewestSheets(
  kinds: readonly Kind[],
  room: Size,
  sets: number,
  placed: (quantity: number) => Place[] | null,
): { quantity: number; places: Place[] } | null {
  // Only where one more piece of a kind lies on the sheet do fewer sheets make a difference.
  const numbers = kinds.flatMap(({ width, height, wanted }) => {
    const most = Math.min(wanted, mostPieces, Math.floor((room.width * room.height) / (width * height)) + 1);
    return Array.from({ length: most }, (_, index) => Math.ceil(wanted / ((index + 1) * sets)));
  });
  const all = [...new Set(numbers)].sort((a, b) => a - b);
  let best: { quantity: number; places: Place[] } | null = null;
  for (let low = 0, high = all.length - 1; low <= high; ) {
    const middle = (low + high) >> 1;
    const quantity = all[middle] as number;
    const places = placed(quantity);
    if (places) best = { quantity, places };
    if (places) high = middle - 1;
    else low = middle + 1;
  }
  return best;
}

/** Names the jobs that lie on further sheets. */
const furtherOf = (ganged: readonly Ganged[]): PlanProblem[] =>
  ganged.length < 2
    ? []
    : [
        warning('impose.gangFurther', 'furtherSheets', {
          jobs: namesOf(ganged.slice(1).flatMap(({ kinds }) => kinds)),
        }),
      ];

/** Tells how much of the printable area of all sheets no ordered piece covers. */
function wasteOf(ganged: readonly Ganged[], settings: Settings): PlanProblem[] {
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
  const printed = sum(
    ganged.map(({ sheet, quantity }) => {
      const { width, height } = usableArea(sheet, settings);
      return width * height * quantity;
    }),
  );
  const kinds = ganged.flatMap((one) => one.kinds);
  const ordered = sum(kinds.map((kind) => kind.width * kind.height * kind.ordered));
  const percent = Number((100 - (100 * ordered) / printed).toFixed(1));
  if (percent <= settings.wastePercent) return [];
  return [
    warning('impose.gangUnused', 'wastePercent', {
      percent,
      sheets: sum(ganged.map(({ quantity }) => quantity)),
      made: sum(ganged.map(({ places, quantity }) => places.length * quantity * setsOf(settings))),
      wanted: sum(kinds.map((kind) => kind.ordered)),
    }),
  ];
}
