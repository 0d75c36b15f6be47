import type { Cell, LayoutPage, Plan, PlanSheet } from '@pdf2press/contract';
import type { Outline } from '../../marks/mark.ts';
import { refuse } from '../../sheet/problems.ts';
import type { SheetDraft } from '../assemble.ts';
import { assemble } from '../assemble.ts';
import { eachPlaced, type Wanted } from '../count-pages.ts';
import { type Block, checkFit, chooseGrid, type Size, sheetSizes, turnBy, usableArea } from '../grid.ts';
import { type Deal, sheetQuantity } from '../grid-plan.ts';
import { kindsOf } from '../kinds.ts';
import { type DieShape, type DieSheet, defineLayout, type LayoutInput } from '../layout.ts';
import { listPages } from '../page-list.ts';
import { type PageShape, pageShape } from '../pages.ts';
import type { Leaf } from '../placing.ts';
import { type DieCutSettings, dieCutSettingsSchema } from './contract.ts';
import { dieDistance, dieOnSheet, isRectangle, trimDie } from './die.ts';
import { stationsOf } from './die-sheet.ts';
import { messages } from './messages.ts';
import { nestTrueShape } from './true-shape.ts';

/** Pieces on the stations of a die. */
export const dieCut = defineLayout({
  type: 'DieCut',
  version: 1,
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  binderySignature: 'Die',
  settings: dieCutSettingsSchema,
  plan: planDieCut,
});

function planDieCut(input: LayoutInput, settings: DieCutSettings): Plan {
  const list = listPages(settings.pages, input.pages.length);
  if (settings.die.source === 'File' && (input.dies ?? []).every((die) => die === null)) {
    refuse('impose.dieFileMissing', 'die.file');
  }
  const isDuplex = settings.duplex === 'Auto' ? list.length % 2 === 0 : settings.duplex === 'Duplex';
  if (isDuplex && isOnePlate.has(settings.workStyle)) refuse('impose.dieNeedsTwoPlates', 'workStyle');
  const dies = input.pages.map((page, index) => dieOf(page, input.dies?.[index] ?? null, settings));
  const kinds = kindsOf(list, isDuplex);
  const station = dies[(kinds[0]?.front ?? 1) - 1] ?? refuse('impose.noPages', 'pages');
  for (const { front, back } of kinds) {
    checkDie(front, dies[front - 1] ?? station, station, settings);
    checkDie(front, input.artworkDies?.[front - 1] ?? station, station, settings);
    // A back has no die line of its own, but its trim must be that of its front.
    if (settings.die.source === 'Trim') checkDie(back, dies[back - 1] ?? station, station, settings);
  }
  const shapes = input.pages.map((page, index) => stationShape(page, dies[index] ?? station, settings));
  const cell = { width: station.box.width, height: station.box.height };
  const held: DieCutSettings = isDuplex ? settings : { ...settings, workStyle: 'Sheetwise' };
  const { sheet, block } = stationBlock(input, station, kinds.length, held);
  const drafts = deal(kinds, block, settings).map(
    ({ leaves, quantity }): SheetDraft => ({
      sheet,
      block,
      leaves,
      quantity,
      workStyle: isDuplex ? settings.workStyle : 'Simplex',
      role: 'Body',
      folds: [],
      creases: [],
    }),
  );
  const plan = assemble({
    layout: 'DieCut',
    bindingEdge: 'None',
    drafts,
    input,
    settings: sheetSettingsOf(held),
    shapes,
    cell,
    warnings: [],
    dieAt: (slot) => dieOnSheet(station, slot),
    wanted: wantedOf(list, settings),
    isPile: true,
  });
  return clipped(onDies(plan, input.pages, dies, settings), station, settings);
}

/** Stations lie where the die has them, so that one half of a plate cannot be the back of the other. */
const isOnePlate: ReadonlySet<string> = new Set(['WorkAndTurn', 'WorkAndTumble']);

/** By a list each page has one station; otherwise every kind fills its own sheets. */
function wantedOf(list: readonly number[], settings: DieCutSettings): Wanted {
  const { pieces, cells } = eachPlaced({ copies: settings.copies, padding: 'BlankEnd' })(list);
  return settings.stations.order === 'List' && cells ? { pieces, cells } : { pieces };
}

/** The stations: those of the die sheet, or as many as can be nested on a sheet. */
function stationBlock(
  input: LayoutInput,
  station: DieShape,
  pieces: number,
  settings: DieCutSettings,
): { sheet: Size; block: Block } {
  const gaps = { gutterH: [settings.stations.gap], gutterV: [settings.stations.gap] };
  if (settings.stations.source === 'DieSheet') {
    const { dieSheet } = input;
    if (!dieSheet || dieSheet.dies.length === 0) refuse('impose.dieFileMissing', 'die.file');
    return {
      sheet: dieSheet as DieSheet,
      block: stationsOf(dieSheet as DieSheet, station, settings.die.snapTolerance),
    };
  }
  if (settings.stations.nesting === 'TrueShape') return trueShapes(station, settings);
  const cell = { width: station.box.width, height: station.box.height };
  const { sheet, block } = chooseGrid(cell, turnedByGrain({ ...settings, ...gaps }), pieces);
  return { sheet, block: nest(block, usableArea(sheet, settings).height, settings) };
}

/** Nests by outline on the sheet orientation that holds the most pieces. */
function trueShapes(station: DieShape, settings: DieCutSettings): { sheet: Size; block: Block } {
  const { rotation } = turnedByGrain(settings);
  const most = (count: number | 'Auto') => (count === 'Auto' ? 1000 : count);
  const tries = sheetSizes(settings).map((sheet) => {
    const usable = usableArea(sheet, settings);
    if (Number.isNaN(usable.width + usable.height)) refuse('impose.autoNeedsSize', 'sheet.width');
    const block = nestTrueShape(station, {
      ...usable,
      gap: settings.stations.gap,
      rows: most(settings.rows),
      columns: most(settings.columns),
      rotations: rotation === 'Auto' ? [0, 90] : [rotation],
    });
    return { sheet, usable, block };
  });
  const best = tries.reduce((a, b) => ((b.block?.slots.length ?? 0) > (a.block?.slots.length ?? 0) ? b : a));
  if (best.block) return { sheet: best.sheet, block: best.block };
  checkFit(station.box, best.usable, { width: 'sheet.width', height: 'sheet.height' });
  return refuse('impose.noStations', 'sheet.width');
}

/**
 * Removes margins and alignment for a die sheet, whose stations have fixed positions; switches the die line off for
 * `onOutput: None`.
 */
function sheetSettingsOf(settings: DieCutSettings): DieCutSettings {
  const { marks } = settings;
  const drawn =
    settings.die.onOutput === 'None'
      ? { ...settings, marks: { ...marks, dieLine: { ...marks.dieLine, enabled: false } } }
      : settings;
  const { source, nesting } = settings.stations;
  if (source !== 'DieSheet') {
    // Pieces of one row reach into the next, so rows cannot be moved by themselves.
    return nesting === 'Grid' ? drawn : { ...drawn, alignment: { ...drawn.alignment, rowByRow: false } };
  }
  return {
    ...drawn,
    margins: { top: 0, bottom: 0, left: 0, right: 0 },
    gripper: { ...drawn.gripper, size: 0 },
    alignment: { ...drawn.alignment, allSheetsIndependent: false, rowByRow: false },
  };
}

function dieOf(page: LayoutPage, found: DieShape | null, settings: DieCutSettings): DieShape {
  if (settings.die.source === 'Trim') return trimDie(page);
  return found ?? refuse('impose.dieMissing', 'die.lineNames', { names: settings.die.lineNames.join(', ') });
}

function checkDie(page: number, die: DieShape, station: DieShape, { die: { snapTolerance } }: DieCutSettings): void {
  if (die === station) return;
  const distance = dieDistance(die, station);
  if (distance > snapTolerance)
    refuse('impose.dieMismatch', 'die.snapTolerance', { page, distance, tolerance: snapTolerance });
}

/** A page as a cell of the size of its die; artwork around the die, at most `bleedBeyondDie`, is bleed. */
function stationShape(page: LayoutPage, die: DieShape, settings: DieCutSettings): PageShape {
  const { box } = die;
  const most = settings.bleed.policy === 'None' ? 0 : settings.stations.bleedBeyondDie;
  const whole = pageShape(page, { ...settings, cellBox: 'Media' });
  const ink =
    settings.bleed.policy === 'FromPage' ? page.bleed : { ...page.media, width: whole.width, height: whole.height };
  const side = (room: number) => Math.max(0, Math.min(most, room));
  return {
    width: box.width,
    height: box.height,
    bleed: {
      left: side(box.x - ink.x),
      bottom: side(box.y - ink.y),
      right: side(ink.x + ink.width - box.x - box.width),
      top: side(ink.y + ink.height - box.y - box.height),
    },
  };
}

/** Fixes the rotation when the board has a grain direction. */
const turnedByGrain = (settings: DieCutSettings): DieCutSettings =>
  settings.stations.grain === 'Any' || settings.rotation !== 'Auto'
    ? settings
    : { ...settings, rotation: settings.stations.grain === 'AlongWidth' ? 0 : 90 };

/**
 * InterlockRotate180 turns every second column by 180°; BrickHalfDrop moves every second column down by half the pitch.
 */
function nest(grid: Block, usableHeight: number, { stations }: DieCutSettings): Block {
  if (stations.nesting === 'InterlockRotate180') {
    return {
      ...grid,
      slots: grid.slots.map((slot) =>
        slot.column % 2 === 0 ? slot : { ...slot, rotation: ((slot.rotation + 180) % 360) as typeof slot.rotation },
      ),
    };
  }
  const first = grid.slots[0];
  if (stations.nesting !== 'BrickHalfDrop' || !first || grid.columns < 2) return grid;
  const drop = (first.height + stations.gap) / 2;
  const hasRoom = grid.height + drop <= usableHeight + 0.01;
  const isLow = (column: number) => column % 2 === 1;
  const kept = hasRoom ? grid.slots : grid.slots.filter((slot) => !isLow(slot.column) || slot.row < grid.rows - 1);
  const lift = hasRoom ? drop : 0;
  return {
    ...grid,
    height: grid.height + lift,
    slots: kept.map((slot) => ({ ...slot, y: slot.y + lift - (isLow(slot.column) ? drop : 0) })),
  };
}

function deal(kinds: readonly Leaf[], block: Block, settings: DieCutSettings): Deal[] {
  const { order, leaveOut } = settings.stations;
  const out = new Set(leaveOut);
  const open = block.slots.flatMap((_, index) => (out.has(index + 1) ? [] : [index]));
  if (open.length === 0) refuse('impose.noStations', 'stations.leaveOut');
  const sheets = order === 'List' ? Math.ceil(kinds.length / open.length) : kinds.length;
  return Array.from({ length: sheets }, (_, sheet): Deal => {
    const leaves = block.slots.map((_, index): Leaf => {
      const position = open.indexOf(index);
      const leaf = position < 0 ? undefined : order === 'List' ? kinds[sheet * open.length + position] : kinds[sheet];
      return { ...(leaf ?? { front: 0, back: 0 }), station: index + 1 };
    });
    const ups = order === 'List' ? 1 : open.length;
    return { leaves, quantity: sheetQuantity(settings.copies, settings.oversPercent, ups) };
  });
}

/** Shifts the artwork so that the part chosen by `placeBy` is centred on its station. */
function onDies(
  plan: Plan,
  pages: readonly LayoutPage[],
  dies: readonly DieShape[],
  { die: { placeBy } }: DieCutSettings,
): Plan {
  const box = { Trim: 'trim', Bleed: 'bleed', Media: 'media' } as const;
  return eachCell(plan, (cell) => {
    const [page, die] = [pages[cell.page - 1], dies[cell.page - 1]];
    if (!page || !die) return cell;
    const rect = page[box[plan.cellBox]];
    const held = { DieCentre: die.box, TrimCentre: page.trim, ArtBox: page.art ?? page.trim }[placeBy];
    const dx = (rect.x + rect.width / 2 - held.x - held.width / 2) * cell.scale.x;
    const dy = (rect.y + rect.height / 2 - held.y - held.height / 2) * cell.scale.y;
    const turn = { 0: [dx, dy], 90: [-dy, dx], 180: [-dx, -dy], 270: [dy, -dx] }[cell.rotation] as [number, number];
    return { ...cell, shift: { x: cell.shift.x + (turn[0] || 0), y: cell.shift.y + (turn[1] || 0) } };
  });
}

/**
 * Adds the clipping outline of each cell: the die plus bleed. Needed wherever boxes of neighbouring stations overlap.
 */
function clipped(plan: Plan, station: DieShape, { stations, bleed }: DieCutSettings): Plan {
  const isInterlocked = stations.nesting === 'TrueShape' && stations.source === 'Nesting';
  if (!isInterlocked && (stations.clipTo === 'Cell' || isRectangle(station))) return plan;
  const most = stations.source === 'DieSheet' ? Infinity : stations.gap / 2;
  const grow = bleed.policy === 'None' ? 0 : Math.min(stations.bleedBeyondDie, most);
  return eachCell(plan, (cell, sheet, isBack) => {
    if (cell.page === 0) return cell;
    const outline = isBack ? mirroredOutline(cell, station, sheet) : dieOnSheet(station, cell);
    return { ...cell, shape: { outline: outline.map(([letter, numbers]) => [letter, [...numbers]]), grow } };
  });
}

/** The outline seen from the back: mirrored about the axis that the sheet is turned about. */
function mirroredOutline(cell: Cell, station: DieShape, { workStyle }: PlanSheet): Outline {
  const isTumbled = workStyle === 'Perfecting';
  const front = turnBy(isTumbled ? 180 : 0, 360 - cell.rotation);
  const [cx, cy] = [cell.x + cell.width / 2, cell.y + cell.height / 2];
  return dieOnSheet(station, { ...cell, rotation: front }).map(([letter, numbers]): Outline[number] => [
    letter,
    numbers.map((value, index) => {
      if (index % 2 === 0) return isTumbled ? value : 2 * cx - value;
      return isTumbled ? 2 * cy - value : value;
    }),
  ]);
}

const eachCell = (plan: Plan, change: (cell: Cell, sheet: PlanSheet, isBack: boolean) => Cell): Plan => ({
  ...plan,
  sheets: plan.sheets.map((sheet) => {
    const side = <S extends PlanSheet['front']>(one: S, isBack: boolean) => ({
      ...one,
      cells: one.cells.map((cell) => change(cell, sheet, isBack)),
    });
    return { ...sheet, front: side(sheet.front, false), back: sheet.back && side(sheet.back, true) };
  }),
});
