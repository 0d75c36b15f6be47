import { type FindingCounts, type Severity, severities } from '@pdf2press/contract';

/** The worst finding of each page, over the steps that checked it. */
export function worstByPage(places: FindingCounts['pages']): ReadonlyMap<number, Severity> {
  const found = new Map<number, Severity>();
  for (const { page, worst } of places) {
    const before = found.get(page);
    if (!before || severities.indexOf(worst) > severities.indexOf(before)) found.set(page, worst);
  }
  return found;
}
