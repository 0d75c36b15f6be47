import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openPdf } from '../open/pdf-file.ts';
import { buildPdf, type PageSource } from '../testing/build-pdf.ts';
import { jpxPicture } from '../testing/jpx-picture.ts';
import { alphaPictures } from './alpha-pictures.ts';
import type { GhostscriptKind } from './ghostscript.ts';
import { nativeGhostscript } from './ghostscript.ts';
import { pixelsOf } from './page-frame.ts';
import { openRenderService } from './render-service.ts';

const workDir = mkdtempSync(path.join(os.tmpdir(), 'alpha-pictures-test-'));
afterAll(() => rmSync(workDir, { recursive: true, force: true }));

const image = (inData: number) => ({
  dict: `/Type/XObject/Subtype/Image/Width 16/Height 16/Filter/JPXDecode/SMaskInData ${inData}`,
  data: jpxPicture({ width: 16, height: 16, colour: [255, 255, 255], alpha: 64 }),
});
/** Cyan below a white picture that covers a quarter of it, and beside it cyan alone. */
const over = '1 0 0 0 k 0 0 200 100 re f q 100 0 0 100 0 0 cm';
const form = '/Type/XObject/Subtype/Form/BBox[0 0 1 1]/Resources<</XObject<</I 20 0 R>>>>';
const shown: Readonly<Record<string, PageSource>> = {
  'on the page': { content: `${over} /I Do Q`, resources: '/XObject<</I 20 0 R>>' },
  'in a form': { content: `${over} /F Do Q`, resources: '/XObject<</F 21 0 R>>' },
  'in a pattern cell': {
    content: `${over} Q /Pattern cs /P scn 0 0 100 100 re f`,
    resources: '/Pattern<</P 22 0 R>>',
  },
  'in an annotation': {
    content: `${over} Q`,
    extra: '/Annots[<</Type/Annot/Subtype/Stamp/F 4/Rect[0 0 100 100]/AP<</N 21 0 R>>>>]',
  },
};
const fileOf = (page: PageSource, inData: number): string => {
  const file = path.join(workDir, `${Math.random()}.pdf`);
  writeFileSync(
    file,
    buildPdf({
      pages: [{ mediaBox: [0, 0, 200, 100], ...page }],
      objects: {
        20: image(inData),
        21: { dict: form, data: '/I Do' },
        22: {
          dict: '/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 100 100]/XStep 100/YStep 100/Resources<</XObject<</I 20 0 R>>>>',
          data: 'q 100 0 0 100 0 0 cm /I Do Q',
        },
      },
    }),
  );
  return file;
};

const engines: GhostscriptKind[] = nativeGhostscript() ? ['native', 'embedded'] : ['embedded'];
test.each(Object.keys(shown))('plates respect the opacity of a JPEG 2000 picture %s', async (where) => {
  const file = fileOf(shown[where] as PageSource, 1);
  for (const ghostscript of engines) {
    const service = openRenderService({ path: file, workDir, defaults: { ghostscript } });
    try {
      const plates = await service.plates(1, { dpi: 72, box: 'media' });
      const cyanAt = (x: number): number => {
        const { left, top } = pixelsOf(plates.frame, [x, 50, x, 50]);
        return Math.round((plates.plate(plates.inks[0]?.id ?? '')[top * plates.width + left] ?? 0) / 2.55);
      };
      // White of opacity 64 of 255 leaves three quarters of the cyan.
      expect([ghostscript, cyanAt(150)]).toEqual([ghostscript, 100]);
      expect(Math.abs(cyanAt(50) - 75)).toBeLessThanOrEqual(2);
    } finally {
      service.close();
    }
  }
});

test('a picture whose dictionary says that it has no opacity of its own is opaque, and no copy is made for it', async () => {
  const file = fileOf(shown['on the page'] as PageSource, 0);
  const pdf = openPdf({ path: file });
  expect(alphaPictures(pdf, pdf.pages)).toEqual([]);
  pdf.close();
  const service = openRenderService({ path: file, workDir });
  try {
    const plates = await service.plates(1, { dpi: 72, box: 'media' });
    const { left, top } = pixelsOf(plates.frame, [50, 50, 50, 50]);
    expect(plates.plate(plates.inks[0]?.id ?? '')[top * plates.width + left]).toBe(0);
    expect(plates.isFromCopy).toBe(false);
  } finally {
    service.close();
  }
});
