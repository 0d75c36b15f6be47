import { type ColorSpace, interpretPage, type PdfFile } from '@pdf2press/pdf';

/** A colour space and the spaces it is based on. */
const spacesOf = (space: ColorSpace): ColorSpace[] => [
  space,
  ...('base' in space ? spacesOf(space.base) : []),
  ...('alternate' in space && space.family !== 'ICCBased' ? spacesOf(space.alternate) : []),
  ...('underlying' in space && space.underlying ? spacesOf(space.underlying) : []),
];
const isForeign = ({ family, components }: ColorSpace): boolean =>
  ['DeviceRGB', 'CalRGB', 'Lab'].includes(family) || (family === 'ICCBased' && components === 3);

/** RGB, CalRGB and Lab colours that the interpreter finds in pages, forms, patterns, glyphs, masks and appearances. */
export function foreignPaintsIn(file: PdfFile): string[] {
  const found = new Set<string>();
  for (const { number } of file.pages) {
    const note = (what: string, space: ColorSpace | null): void => {
      for (const one of space ? spacesOf(space) : [])
        if (isForeign(one)) found.add(`${what} of page ${number} in ${one.family}`);
    };
    interpretPage(
      file,
      number,
      [
        {
          text({ paints, state }) {
            if (paints === 'none') return;
            if (paints !== 'stroke') note('text', state.fill.space);
            if (paints !== 'fill') note('text', state.stroke.space);
          },
          path({ paints, state }) {
            if (paints !== 'stroke') note('path', state.fill.space);
            if (paints !== 'fill') note('path', state.stroke.space);
          },
          image: ({ image }) => note('image', image.space),
          shading: ({ shading }) => note('shading', shading.space),
        },
      ],
      { unshown: true },
    );
  }
  return [...found];
}
