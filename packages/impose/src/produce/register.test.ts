import type { LayoutPage, Shape } from '@pdf2press/contract';
import { expect, test } from 'vitest';
import { planOf, readImposeProfile } from '../profile/profile.ts';
import { registerPlan } from './register.ts';

const mm = 72 / 25.4;
const box = { x: 0, y: 0, width: 100, height: 150 };
const page: LayoutPage = { media: box, trim: box, bleed: box, hasBleedBox: true, hasTrimBox: true };

test.each([
  ['Sheetwise', 1],
  ['Perfecting', 2],
])('%s: the crosses on the back lie behind those on the front, moved by the back offset', (workStyle) => {
  const read = readImposeProfile({
    type: 'AcrossDown',
    sheet: '300x200mm',
    duplex: true,
    workStyle,
    backOffset: { x: '1mm', y: '-0.5mm' },
  });
  if (!read.ok) throw new Error('settings');
  const made = planOf({ pages: [page, page] }, read.profile);
  if (!made.ok) throw new Error('plan');
  const [sheet] = registerPlan(made.plan, read.profile.backOffset).sheets;
  const arms = (shapes: readonly Shape[] = []) =>
    shapes.flatMap((shape) =>
      shape.type === 'line' && shape.y1 === shape.y2 && shape.x2 - shape.x1 > 10 * mm
        ? [[(shape.x1 + shape.x2) / 2, shape.y1] as const]
        : [],
    );
  const [front, back] = [arms(sheet?.front.marks[0]?.shapes), arms(sheet?.back?.marks[0]?.shapes)];
  const { width = 0, height = 0 } = sheet ?? {};
  expect(front).toHaveLength(5);
  front.forEach(([x, y], index) => {
    const [bx = 0, by = 0] = back[index] ?? [];
    expect(bx - mm).toBeCloseTo(workStyle === 'Perfecting' ? x : width - x, 6);
    expect(by + 0.5 * mm).toBeCloseTo(workStyle === 'Perfecting' ? height - y : y, 6);
  });
});
