import type { ColorSpace, Run, SoftMask } from '@pdf2press/pdf';
import { partsOf } from '../../reading/parts.ts';
import type { PageObject } from '../../reading/scene.ts';

/** A transparency group in a soft mask. */
export interface MaskGroup {
  object: number;
  space: ColorSpace | null;
}

/** The outermost soft mask that a run is in; null outside of masks. */
const maskOf = (run: Run): Run | null =>
  run.isInSoftMask ? ((run.parent && maskOf(run.parent)) ?? (run.kind === 'softmask' ? run : null)) : null;

/** Numbers of the tiling patterns that are all that an object is painted with; none for one with a colour of its own. */
function patternsOf(object: PageObject): number[] {
  if (object.type === 'image' && !object.event.image.isStencil) return [];
  const patterns = partsOf(object).map((part) => object.event.state[part].pattern);
  const tilings = patterns.flatMap((pattern) => (pattern?.type === 'tiling' ? [pattern.object] : []));
  return tilings.length === patterns.length ? tilings : [];
}

/** Finds the soft masks of a page through which something visible is painted. A mask that is only set shows nowhere. */
export function masksInUse() {
  const used = new Set<number>();
  const maskOfRun = new Map<Run, SoftMask>();
  const groups = new Map<number, Map<number, MaskGroup>>();
  /** Patterns with something visible in their cell, and the masks that areas with a pattern are painted through. */
  const filledPatterns = new Set<number>();
  const masksOfPatterns = new Map<number, Set<number>>();

  return {
    /** A run that something visible is in; to be told of each that contains it, too. */
    shows(run: Run): void {
      const mask = maskOfRun.get(run);
      if (mask) used.add(mask.group);
      if (run.kind === 'pattern') filledPatterns.add(run.object);
    },
    visible(object: PageObject): void {
      const { softMask } = object.event.state;
      if (!softMask) return;
      const patterns = patternsOf(object);
      if (patterns.length === 0) used.add(softMask.group);
      for (const pattern of patterns) {
        const masks = masksOfPatterns.get(pattern) ?? new Set<number>();
        masksOfPatterns.set(pattern, masks.add(softMask.group));
      }
    },
    /** @param softMask of the state in which the run is executed */
    runBegin(run: Run, softMask: SoftMask | null): void {
      if (softMask) maskOfRun.set(run, softMask);
      const mask = maskOf(run);
      if (!mask || !run.group) return;
      const own = groups.get(mask.object) ?? new Map<number, MaskGroup>();
      groups.set(mask.object, own.set(run.object, { object: run.object, space: run.group.space }));
    },
    /** The groups of the masks in use, each mask's own and those in it. */
    groups(): MaskGroup[] {
      for (const [pattern, masks] of masksOfPatterns)
        if (filledPatterns.has(pattern)) for (const mask of masks) used.add(mask);
      return [...used].flatMap((mask) => [...(groups.get(mask)?.values() ?? [])]);
    },
  };
}
