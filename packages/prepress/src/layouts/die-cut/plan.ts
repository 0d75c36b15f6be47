import type { LayoutPage, Plan } from '@pdf2press/contract';
import type { SheetDraft } from '../assemble.ts';
import { assemble } from '../assemble.ts';
import { type Block, chooseGrid, usableArea } from '../grid.ts';
import { type Deal, sheetQuantity } from '../grid-plan.ts';
import { kindsOf } from '../kinds.ts';
import { type DieShape, defineLayout, type LayoutInput } from '../layout.ts';
import { listPages } from '../page-list.ts';
import { type PageShape, pageShape } from '../pages.ts';
import type { Leaf } from '../placing.ts';
import { refuse } from '../problems.ts';
import { type DieCutSettings, dieCutSettingsSchema } from './contract.ts';
import { dieDistance, dieOnSheet, trimDie } from './die.ts';

/** Pieces on the stations of a die, the die drawn as a technical layer (spec/impose §4.5). */
export const dieCut = defineLayout({
  type: 'DieCut',
  version: 1,
  settings: dieCutSettingsSchema,
  plan: planDieCut,
});

function planDieCut(input: LayoutInput, settings: DieCutSettings): Plan {
  const list = listPages(settings.pages, input.pages.length);
  const isDuplex = settings.duplex === 'Auto' ? list.length % 2 === 0 : settings.duplex === 'Duplex';
  const dies = input.pages.map((page, index) => dieOf(page, input.dies?.[index] ?? null, settings));
  const kinds = kindsOf(list, isDuplex);
  const station = dies[(kinds[0]?.front ?? 1) - 1] ?? refuse('impose.noPages', 'pages');
  for (const { front } of kinds) checkDie(front, dies[front - 1] ?? station, station, settings);
  const stationSettings: DieCutSettings = {
    ...settings,
    gutterH: [settings.stations.gap],
    gutterV: [settings.stations.gap],
  };
  const shapes = input.pages.map((page, index) => stationShape(page, dies[index] ?? station, settings));
  const cell = { width: station.box.width, height: station.box.height };
  const { sheet, block: grid } = chooseGrid(cell, turnedByGrain(stationSettings), kinds.length);
  const block = nest(grid, usableArea(sheet, settings).height, settings);
  const drafts = deal(kinds, block, settings).map(
    ({ leaves, quantity }): SheetDraft => ({
      sheet,
      block,
      leaves,
      quantity,
      workStyle: isDuplex ? (settings.workStyle === 'Perfecting' ? 'Perfecting' : 'Sheetwise') : 'Simplex',
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
    settings:
      settings.die.onOutput === 'None'
        ? { ...settings, marks: { ...settings.marks, dieLine: { ...settings.marks.dieLine, enabled: false } } }
        : settings,
    shapes,
    cell,
    warnings: [],
    dieAt: (slot) => dieOnSheet(station, slot),
  });
  return onDies(plan, input.pages, dies);
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

/** The cell is the die; what lies around it up to the page's bleed, at most bleedBeyondDie, is bleed. */
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

/** Board with a grain direction must not be turned. */
const turnedByGrain = (settings: DieCutSettings): DieCutSettings =>
  settings.stations.grain === 'Any' || settings.rotation !== 'Auto'
    ? settings
    : { ...settings, rotation: settings.stations.grain === 'AlongWidth' ? 0 : 90 };

/** Interlocked: every second column upside down. Half drop: every second column lower by half a pitch. */
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

/** A die need not stand in the middle of its page: the content is moved until it does. */
function onDies(plan: Plan, pages: readonly LayoutPage[], dies: readonly DieShape[]): Plan {
  const box = { Trim: 'trim', Bleed: 'bleed', Media: 'media' } as const;
  const sideOf = (side: Plan['sheets'][number]['front']) => ({
    ...side,
    cells: side.cells.map((cell) => {
      const [page, die] = [pages[cell.page - 1], dies[cell.page - 1]];
      if (!page || !die) return cell;
      const rect = page[box[plan.cellBox]];
      const dx = (rect.x + rect.width / 2 - die.box.x - die.box.width / 2) * cell.scale.x;
      const dy = (rect.y + rect.height / 2 - die.box.y - die.box.height / 2) * cell.scale.y;
      const turn = { 0: [dx, dy], 90: [-dy, dx], 180: [-dx, -dy], 270: [dy, -dx] }[cell.rotation] as [number, number];
      return { ...cell, shift: { x: cell.shift.x + (turn[0] || 0), y: cell.shift.y + (turn[1] || 0) } };
    }),
  });
  return {
    ...plan,
    sheets: plan.sheets.map((sheet) => ({
      ...sheet,
      front: sideOf(sheet.front),
      back: sheet.back && sideOf(sheet.back),
    })),
  };
}
