import type { Ink, Plan, PlanSheet, Shape, Side } from '@pdf2press/contract';

const mm = 72 / 25.4;
const black: Ink = { cmyk: [0, 0, 0, 1] };
const hair = { ink: black, width: 0.25 };
/** Distance of the outer crosses to the edges of the sheet. */
const inset = 20 * mm;
/** Number of ticks, 1 mm apart, on each side of a cross's centre. */
const ticks = 5;

/**
 * A test sheet for front-to-back register: crosses with a millimetre scale near each corner and in the centre, those of
 * the back exactly behind those of the front, moved by the back offset (points). Held against the light, the scale shows
 * the remaining difference.
 */
export function registerPlan(plan: Plan, backOffset: { x: number; y: number }): Plan {
  const [sheet] = plan.sheets;
  if (!sheet) return plan;
  const { width, height } = sheet;
  const isTumbled = sheet.workStyle === 'Perfecting' || sheet.workStyle === 'WorkAndTumble';
  const places = [
    { x: inset, y: inset },
    { x: width - inset, y: inset },
    { x: width / 2, y: height / 2 },
    { x: inset, y: height - inset },
    { x: width - inset, y: height - inset },
  ];
  const behind = places.map(({ x, y }) => ({
    x: (isTumbled ? x : width - x) + backOffset.x,
    y: (isTumbled ? height - y : y) + backOffset.y,
  }));
  const side = (name: string, crosses: typeof places): Side => ({
    cells: [],
    marks: [{ mark: 'Registration', shapes: [...crosses.flatMap(cross), label(name, sheet)] }],
  });
  const tested: PlanSheet = {
    ...sheet,
    number: 1,
    firstSide: 'Front',
    front: side('FRONT', places),
    back: side('BACK', behind),
  };
  return { ...plan, sheets: [tested] };
}

function cross({ x, y }: { x: number; y: number }): Shape[] {
  const arm = (ticks + 2) * mm;
  const shapes: Shape[] = [
    { type: 'line', x1: x - arm, y1: y, x2: x + arm, y2: y, stroke: hair },
    { type: 'line', x1: x, y1: y - arm, x2: x, y2: y + arm, stroke: hair },
  ];
  for (let tick = -ticks; tick <= ticks; tick++) {
    if (tick === 0) continue;
    const half = (tick % 5 === 0 ? 1.5 : 0.8) * mm;
    const at = tick * mm;
    shapes.push({ type: 'line', x1: x + at, y1: y - half, x2: x + at, y2: y + half, stroke: hair });
    shapes.push({ type: 'line', x1: x - half, y1: y + at, x2: x + half, y2: y + at, stroke: hair });
  }
  return shapes;
}

const label = (text: string, { width, height }: PlanSheet): Shape => ({
  type: 'text',
  x: width / 2 + 10 * mm,
  y: height / 2 + 10 * mm,
  size: 12,
  rotation: 0,
  text,
  ink: black,
});
