/** Finds out whether a page is painted in RGB (light), in inks, or in both. */
import { type ColorSpace, interpreterOf, isDict, type PageFacts, type PdfFile } from '@pdf2press/pdf';
import { type Painted, paintsOf } from './painted.ts';

/** Grey is neutral: it occurs on RGB pages and on CMYK pages. */
export function kindOf(space: ColorSpace): 'light' | 'ink' | 'grey' {
  if (space.family === 'Indexed') return kindOf(space.base);
  // The content of a coloured pattern is classified where it is painted.
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
        // A JPEG 2000 image may have its colour space in its own data.
        seen.add(event.image.space ? kindOf(event.image.space) : event.image.components === 4 ? 'ink' : 'light');
      else
        for (const { space, pattern } of paintsOf(event))
          seen.add(kindOf(pattern?.type === 'shading' ? pattern.shading.space : space));
    },
    isLight: (): boolean => seen.has('light') && !seen.has('ink'),
  };
}

/** Whether the page's transparency group blends in CMYK or grey, so that RGB does not stay RGB. */
export function blendsInInk(file: PdfFile, page: PageFacts): boolean {
  const group = file.entry(page.dict, 'Group');
  const space = isDict(group) ? group.map.get('CS') : undefined;
  return space !== undefined && kindOf(interpreterOf(file).spaces.read(space, page.resources)) !== 'light';
}
