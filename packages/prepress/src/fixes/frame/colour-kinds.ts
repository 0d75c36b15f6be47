/** Whether a page is painted in light (RGB), in ink, or in both. */
import { type ColorSpace, interpreterOf, isDict, type PageFacts, type PdfFile } from '@pdf2press/pdf';
import { type Painted, paintsOf } from './painted.ts';

/** Greys are at home in both. */
export function kindOf(space: ColorSpace): 'light' | 'ink' | 'grey' {
  if (space.family === 'Indexed') return kindOf(space.base);
  // What a coloured pattern paints is seen by itself.
  if (space.family === 'Pattern') return space.underlying ? kindOf(space.underlying) : 'grey';
  if (space.family === 'DeviceRGB' || space.family === 'CalRGB' || space.family === 'Lab') return 'light';
  if (space.family === 'DeviceGray' || space.family === 'CalGray' || space.family === 'Unknown') return 'grey';
  if (space.family === 'ICCBased') return ({ 1: 'grey', 3: 'light' } as const)[space.components] ?? 'ink';
  return 'ink';
}

export function createColourKinds() {
  const seen = new Set<'light' | 'ink' | 'grey'>();
  return {
    see(event: Painted): void {
      if (event.kind === 'shading') seen.add(kindOf(event.shading.space));
      else if (event.kind === 'image' && !event.image.isStencil)
        // A JPEG 2000 may bring its own space.
        seen.add(event.image.space ? kindOf(event.image.space) : event.image.components === 4 ? 'ink' : 'light');
      else
        for (const { space, pattern } of paintsOf(event))
          seen.add(kindOf(pattern?.type === 'shading' ? pattern.shading.space : space));
    },
    isLight: (): boolean => seen.has('light') && !seen.has('ink'),
  };
}

/** Transparency of the page is computed in ink: light does not stay light there. */
export function blendsInInk(file: PdfFile, page: PageFacts): boolean {
  const group = file.entry(page.dict, 'Group');
  const space = isDict(group) ? group.map.get('CS') : undefined;
  return space !== undefined && kindOf(interpreterOf(file).spaces.read(space, page.resources)) !== 'light';
}
