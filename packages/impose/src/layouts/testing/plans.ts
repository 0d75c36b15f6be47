import type { LayoutPage, Plan, PlanProblem } from '@pdf2press/contract';
import { planOf, readImposeProfile } from '../../profile/profile.ts';

export const mm = 72 / 25.4;

export function pageOf(width: number, height: number, bleed = 0): LayoutPage {
  const box = { x: 0, y: 0, width: (width + 2 * bleed) * mm, height: (height + 2 * bleed) * mm };
  return {
    media: box,
    bleed: box,
    trim: { x: bleed * mm, y: bleed * mm, width: width * mm, height: height * mm },
    hasBleedBox: true,
    hasTrimBox: true,
  };
}

function result(pages: LayoutPage[], profile: Record<string, unknown>) {
  const read = readImposeProfile(profile);
  return read.ok ? planOf({ pages }, read.profile) : read;
}
export function plan(pages: LayoutPage[], profile: Record<string, unknown>): Plan {
  const made = result(pages, profile);
  if (!made.ok) throw new Error(JSON.stringify(made.problems));
  return made.plan;
}
export function problem(pages: LayoutPage[], profile: Record<string, unknown>): PlanProblem | undefined {
  const made = result(pages, profile);
  return made.ok ? undefined : made.problems[0];
}
