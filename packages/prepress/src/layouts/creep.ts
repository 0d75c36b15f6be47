import type { CreepSettings } from './settings.ts';

const mm = 72 / 25.4;

/** Thickness of the paper in points: as typed, else from grammage and bulk (g/m² × bulk / 1000 mm). */
export const paperThickness = (creep: CreepSettings): number =>
  creep.paperThickness > 0 ? creep.paperThickness : ((creep.gsm * creep.bulk) / 1000) * mm;

/**
 * How far the content of a leaf pair moves towards the spine, points; negative is away from it (spec/impose §5).
 * `pair` counts nested leaf pairs (four pages) from the outside, from 0; `pairs` is how many are nested. All pages of
 * a pair share it whatever sheet they were printed on.
 */
export function creepShift(creep: CreepSettings, pair: number, pairs: number): number {
  if (!creep.enabled || pairs < 2) return 0;
  const step = creep.total > 0 ? creep.total / (pairs - 1) : paperThickness(creep) * creep.factor;
  const shift = creep.direction === 'InsideIn' ? pair * step : -(pairs - 1 - pair) * step;
  return shift === 0 ? 0 : shift;
}

/** The leaf pair, from the outside, of page `page` in a nested section of `pages`. */
export const leafPair = (page: number, pages: number): number => Math.floor((Math.min(page, pages + 1 - page) - 1) / 2);
