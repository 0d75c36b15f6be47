import type { CreepSettings } from '../sheet/settings.ts';

const mm = 72 / 25.4;

/** Paper thickness in points: as set, else from grammage and bulk (g/m² × bulk / 1000 mm). */
export const paperThickness = (creep: CreepSettings): number =>
  creep.paperThickness > 0 ? creep.paperThickness : ((creep.gsm * creep.bulk) / 1000) * mm;

/**
 * Distance in points that the content of a leaf pair moves towards the spine; negative: away from it. `pair` counts the
 * nested leaf pairs (four pages each) from 0 at the outside; `pairs` is their number.
 */
export function creepShift(creep: CreepSettings, pair: number, pairs: number): number {
  if (!creep.enabled || pairs < 2) return 0;
  const step = creep.total > 0 ? creep.total / (pairs - 1) : paperThickness(creep) * creep.factor;
  const shift = creep.direction === 'InsideIn' ? pair * step : -(pairs - 1 - pair) * step;
  return shift === 0 ? 0 : shift;
}

/** The leaf pair, from 0 at the outside, of a page (from 1) in a nested section of `pages` pages. */
export const leafPair = (page: number, pages: number): number => Math.floor((Math.min(page, pages + 1 - page) - 1) / 2);
