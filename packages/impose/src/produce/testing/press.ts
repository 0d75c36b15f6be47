import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Plan, PlanProblem } from '@pdf2press/contract';
import { buildPdf, type PaintedPage, paintedPages } from '@pdf2press/pdf/testing';
import { impose } from '../impose.ts';
import { type Line, type PaperFold, type Print, type Sheet, type Side, spoiled } from './paper.ts';

/** A page of the customer's file, points: the trim as it is seen, its bleed, and how far the file turns it. */
export interface CustomerPage {
  width: number;
  height: number;
  bleed: number;
  turned: 0 | 90 | 180 | 270;
}

/** Printed sheets with what is written on the ticket that goes with them to the bindery. */
export interface PrintedSheet extends Sheet {
  quantity: number;
  workStyle: Plan['sheets'][number]['workStyle'];
  folds: PaperFold[];
  role: Plan['sheets'][number]['role'];
}

/** A page that shows a triangle over its trim, from which its place, size and direction can be read; red is its number. */
function pageSource({ width, height, bleed, turned }: CustomerPage, number: number) {
  const around = bleed + 7;
  const [seenWidth, seenHeight] = [width + 2 * around, height + 2 * around];
  const isUpright = turned % 180 === 0;
  const [w, h] = isUpright ? [seenWidth, seenHeight] : [seenHeight, seenWidth];
  const [left, bottom] = [-11, 23];
  // /Rotate turns clockwise, so a seen point lies further counter-clockwise in the file.
  const inFile = (x: number, y: number): [number, number] => {
    const [fx, fy] = { 0: [x, y], 90: [w - y, x], 180: [w - x, h - y], 270: [y, h - x] }[turned] as [number, number];
    return [fx + left, fy + bottom];
  };
  const box = (inset: number) => {
    const [x0, y0] = inFile(inset, inset);
    const [x1, y1] = inFile(seenWidth - inset, seenHeight - inset);
    return `[${Math.min(x0, x1)} ${Math.min(y0, y1)} ${Math.max(x0, x1)} ${Math.max(y0, y1)}]`;
  };
  const corner = (x: number, y: number) => inFile(around + x, around + y).join(' ');
  return {
    mediaBox: [left, bottom, left + w, bottom + h],
    content: `${number / 1000} 0.25 0.75 rg ${corner(0, 0)} m ${corner(width, 0)} l ${corner(0, height)} l h f`,
    extra: `/Rotate ${turned} /TrimBox ${box(around)} /BleedBox ${box(around - bleed)}`,
  };
}

/** Prints a job: the sheets as they come out of the press, or the problem that prevents it. */
export async function print(
  pages: readonly CustomerPage[],
  profile: Record<string, unknown>,
): Promise<{ ok: true; sheets: PrintedSheet[] } | { ok: false; problems: PlanProblem[] }> {
  const workDir = mkdtempSync(path.join(os.tmpdir(), 'paper-'));
  try {
    const source = path.join(workDir, 'customer.pdf');
    writeFileSync(source, buildPdf({ pages: pages.map((page, index) => pageSource(page, index + 1)) }));
    const made = await impose({ inputs: [{ path: source }], profile, outputs: ['output', 'plan'], workDir });
    if (!made.ok) return made;
    const ticket = JSON.parse(readFileSync(path.join(workDir, 'plan.json'), 'utf8')) as Plan;
    return { ok: true, sheets: sheetsOf(ticket, paintedPages(path.join(workDir, 'imposed.pdf')), profile) };
  } finally {
    rmSync(workDir, { recursive: true, force: true });
  }
}

const isOnePlate = { WorkAndTurn: true, WorkAndTumble: true } as Partial<Record<string, boolean>>;
const isTumbling = { Perfecting: true, WorkAndTumble: true } as Partial<Record<string, boolean>>;

/** Takes the printed sides two by two; one plate prints both sides of work-and-turn and work-and-tumble. */
function sheetsOf(ticket: Plan, printed: readonly PaintedPage[], profile: Record<string, unknown>): PrintedSheet[] {
  const sides = [...printed];
  const take = () => sides.shift() ?? spoiled('a side is missing');
  const sheets = ticket.sheets.map(({ workStyle, quantity, foldSteps = [], role, firstSide }): PrintedSheet => {
    const first = take();
    const isTwoPlates = workStyle !== 'Simplex' && !isOnePlate[workStyle];
    const second = isTwoPlates ? take() : null;
    if (second && (second.width !== first.width || second.height !== first.height)) spoiled('sides differ in size');
    const [front, back] = second && firstSide === 'Back' ? [second, first] : [first, second];
    const { width, height } = front;
    const seen = sideOf(front);
    return {
      width,
      height,
      turning: isTumbling[workStyle] ? 'Tumble' : 'Turn',
      front: seen,
      back: isOnePlate[workStyle] ? seen : back && inRegister(sideOf(back), profile),
      quantity,
      workStyle,
      folds: foldSteps.map(({ side, panels, isOver }) => ({ side, isOver, crease: panels - 1 })),
      role,
    };
  });
  if (sides.length > 0) spoiled('there are more sides than sheets');
  return profile.reverseSheets === true ? sheets.reverse() : sheets;
}

function sideOf({ fills, strokes }: PaintedPage): Side {
  return {
    prints: fills.flatMap(({ points, space, colour }): Print[] => {
      const [corner, right, top] = points;
      if (space !== 'DeviceRGB' || !corner || !right || !top) return [];
      return [
        {
          page: Math.round((colour[0] ?? 0) * 1000),
          corner,
          along: { x: right.x - corner.x, y: right.y - corner.y },
          up: { x: top.x - corner.x, y: top.y - corner.y },
        },
      ];
    }),
    folds: linesOf(strokes.filter(({ isDashed }) => isDashed)),
    cuts: linesOf(strokes.filter(({ isDashed }) => !isDashed)),
  };
}

const linesOf = (strokes: PaintedPage['strokes']): Line[] =>
  strokes.flatMap(({ points: [from, to] }): Line[] => {
    if (!from || !to) return [];
    return [Math.abs(from.x - to.x) < 0.01 ? { axis: 'x', at: from.x } : { axis: 'y', at: from.y }];
  });

/** A press that prints its backs off by an amount puts back in register what was moved by that amount. */
function inRegister(side: Side, { backOffset }: Record<string, unknown>): Side {
  const { x = 0, y = 0 } = (backOffset ?? {}) as { x?: number; y?: number };
  const line = ({ axis, at }: Line): Line => ({ axis, at: at - (axis === 'x' ? x : y) });
  return {
    folds: side.folds.map(line),
    cuts: side.cuts.map(line),
    prints: side.prints.map((print) => ({ ...print, corner: { x: print.corner.x - x, y: print.corner.y - y } })),
  };
}
