import { spawnSync } from 'node:child_process';
import {
  interpretPage,
  isArray,
  isDict,
  isName,
  isRef,
  openRenderService,
  type PdfFile,
  type PdfValue,
} from '@pdf2press/pdf';
import { buildPdf, jpxPicture, type PageSource } from '@pdf2press/pdf/testing';
import { expect, test } from 'vitest';
import { bytesOf, contentOf, fixedBy, look, quicklyFixedBy, testDir } from '../../testing/fix-files.ts';

const key = 'FlatteningTransparencies';
const low = { imageDpi: 300, gradientDpi: 300, lineArtDpi: 300 };

const tint = '<</FunctionType 2/Domain[0 1]/C0[0 0 0 0]/C1[0 0.2 0.8 0.1]/N 1>>';
const objects = {
  50: {
    dict: '/Type/XObject/Subtype/Form/BBox[0 0 100 100]/Group<</S/Transparency>>/Resources<</ExtGState<</In<</ca 0.3/BM/Screen>>>>>>',
    data: '1 0 0 0 k 0 0 60 60 re f /In gs 0 1 0 0 k 30 30 60 60 re f',
  },
  51: {
    dict: '/Type/XObject/Subtype/Form/BBox[0 0 200 200]/Group<</S/Transparency/CS/DeviceGray>>/Resources<<>>',
    data: '0.5 g 0 0 200 200 re f 1 g 100 0 100 200 re f',
  },
  52: {
    dict: '/Type/XObject/Subtype/Image/Width 8/Height 8/BitsPerComponent 8/ColorSpace/DeviceCMYK/SMask 53 0 R',
    data: new Uint8Array(256).map((_, at) => at),
  },
  53: {
    dict: '/Type/XObject/Subtype/Image/Width 8/Height 8/BitsPerComponent 8/ColorSpace/DeviceGray',
    data: new Uint8Array(64).map((_, at) => at * 4),
  },
  54: {
    dict: '/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 20 20]/XStep 20/YStep 20/Resources<</ExtGState<</P<</ca 0.4>>>>>>',
    data: '/P gs 0 0 1 0 k 2 2 10 10 re f',
  },
};
const resources =
  `/ColorSpace<</Gold[/Separation/Gold/DeviceCMYK ${tint}]>>/XObject<</Group 50 0 R/Masked 52 0 R>>/Pattern<</Tile 54 0 R>>` +
  '/ExtGState<</Half<</ca 0.5/CA 0.5>>/Mul<</BM/Multiply>>/Soft<</SMask<</S/Luminosity/G 51 0 R>>>>/Over<</op true/OP true/OPM 1>>/Plain<</ca 1/CA 1/BM/Normal/SMask/None>>>>';

const pdfOf = (content: string, extra = '', catalog?: string) =>
  buildPdf({
    objects,
    pages: [{ content, resources, mediaBox: [0, 0, 192, 192], extra } satisfies PageSource],
    ...(catalog !== undefined && { catalog }),
  });

/** All entries in the file that define transparency. */
function leftovers(file: PdfFile): string[] {
  const found = new Set<string>();
  const see = (value: PdfValue): void => {
    if (isArray(value)) for (const entry of value) see(entry);
    if (!isDict(value)) return;
    for (const [name, entry] of value.map) {
      const resolved = file.resolve(entry);
      if (name === 'SMask' && !isName(resolved, 'None')) found.add(name);
      if ((name === 'ca' || name === 'CA') && typeof resolved === 'number' && resolved < 1) found.add(name);
      if (name === 'BM' && !isName(resolved, 'Normal')) found.add(name);
      if (name === 'Group') found.add(name);
      if (!isRef(entry)) see(entry);
    }
  };
  for (let num = 1; num < file.objectCount; num += 1) see(file.get(num));
  return [...found];
}

const everything =
  '0.3 0.1 0 0 k 0 0 200 100 re f /Half gs 0 1 0 0 k 20 20 60 60 re f /Gold cs 0.8 scn 90 20 60 60 re f ' +
  '/Plain gs q /Mul gs 0 0 1 0 k 40 60 100 60 re f Q q 0.5 0 0 0.5 100 100 cm /Group Do Q q /Soft gs 1 0 0 0 k 20 130 160 20 re f Q ' +
  'q 40 0 0 40 150 150 cm /Masked Do Q /Pattern cs /Tile scn 0 160 100 40 re f 0 0 0 1 k 5 5 10 10 re f';

test('no transparency is left, and opaque objects stay unchanged', async () => {
  const pdf = pdfOf(everything, '/Group<</S/Transparency/CS/DeviceCMYK>>');
  const { report, path } = await fixedBy(pdf, key, low);
  expect(report.actions[0]).toMatchObject({ outcome: 'Applied', gate: { isPassed: true } });
  expect(look(path, leftovers)).toEqual([]);
  // qpdf finds none either, where it is installed.
  const { stdout, error } = spawnSync('qpdf', ['--qdf', '--object-streams=disable', path, '-'], { encoding: 'latin1' });
  if (!error) expect(stdout).not.toMatch(/\/SMask(?! \/None)|\/(?:ca|CA) 0|\/BM(?! \/Normal)|\/S \/Transparency/);
  expect(contentOf(path)).toContain('0.3 0.1 0 0 k 0 0 200 100 re f');
  expect(contentOf(path)).toContain('0 0 0 1 k 5 5 10 10 re f');
  // The image contains the spot as a separate ink.
  const inks = new Set<string>();
  look(path, (file) =>
    interpretPage(file, 1, [
      {
        image({ image }) {
          if (image.space && 'names' in image.space) for (const name of image.space.names) inks.add(name);
        },
      },
    ]),
  );
  expect([...inks]).toContain('Gold');
  const again = await quicklyFixedBy(bytesOf(path), key, low);
  expect(again.report.actions[0]?.outcome).toBe('NothingToDo');
});

test('a transparent ink over paper becomes a lighter tint without an image', async () => {
  const pdf = pdfOf(
    '/Half gs 0 0.8 0 0.4 k 20 20 30 30 re f /Gold CS 0.5 SCN 4 w 100 20 m 150 80 l S 0.2 g 20 100 30 30 re f',
  );
  const { report, path } = await fixedBy(pdf, key, low);
  expect(report.actions[0]).toMatchObject({ outcome: 'Applied', objects: 3, gate: { isPassed: true } });
  look(path, (file) => {
    const seen: unknown[] = [];
    interpretPage(file, 1, [
      {
        path: ({ state, paints }) => {
          const { space, values } = paints === 'stroke' ? state.stroke : state.fill;
          seen.push([space.family, values.map((value) => Math.round(value * 100)), state.fillAlpha, state.strokeAlpha]);
        },
        image: () => void seen.push('picture'),
      },
    ]);
    expect(seen).toEqual([
      ['DeviceCMYK', [0, 40, 0, 20], 1, 1],
      ['Separation', [25], 1, 1],
      ['DeviceGray', [60], 1, 1],
    ]);
  });
  const regions = await quicklyFixedBy(pdf, key, { ...low, mode: 'RasterRegions' });
  expect(regions.report.changes.map(({ what }) => what)).toEqual(['region']);
});

test('the whole page becomes an image when asked; spots can be converted', async () => {
  const pdf = pdfOf('0.3 0.1 0 0 k 0 0 192 96 re f /Half gs /Gold cs 0.8 scn 96 24 48 48 re f');
  const { path } = await quicklyFixedBy(pdf, key, { ...low, mode: 'RasterPage' });
  expect(contentOf(path)).not.toContain('re f');
  const { path: process, report } = await quicklyFixedBy(pdf, key, { ...low, preserveSpots: false });
  expect(report.actions[0]?.warnings).toEqual([{ code: 'spotsLost', params: { page: 1, spots: ['Gold'] } }]);
  look(process, (file) => {
    const families: unknown[] = [];
    interpretPage(file, 1, [{ image: ({ image }) => void families.push(image.space?.family) }]);
    expect(families).toEqual(['DeviceCMYK']);
  });
});

/** Samples of the image, by plate. */
const samples = (path: string): string =>
  look(path, (file) => {
    const found: string[] = [];
    interpretPage(file, 1, [
      { image: ({ image }) => void found.push(Buffer.from(file.stream(image.object)).toString('hex')) },
    ]);
    return found.join();
  });

test('regions blend in the space of the output intent when asked', async () => {
  const content = '1 0 0 rg 0 0 100 100 re f /Mul gs 0 0.6 0.9 rg 20 20 60 60 re f';
  const rgb = '/Group<</S/Transparency/CS/DeviceRGB>>';
  const profile = { 60: { dict: '/N 4', data: new Uint8Array(200) } };
  const pdf = buildPdf({
    objects: profile,
    catalog: '/OutputIntents[<</Type/OutputIntent/S/GTS_PDFX/OutputConditionIdentifier(X)/DestOutputProfile 60 0 R>>]',
    pages: [{ content, resources, mediaBox: [0, 0, 100, 100], extra: rgb }],
  });
  const own = await quicklyFixedBy(pdf, key, low);
  const intent = await quicklyFixedBy(pdf, key, { ...low, blendSpace: 'OutputIntent' });
  for (const { report } of [own, intent]) expect(report.actions[0]).toMatchObject({ outcome: 'Applied' });
  expect(samples(own.path)).not.toBe(samples(intent.path));
});

test('overprint around the images stays, or is simulated', async () => {
  const content =
    '0.5 0 0 0 k 0 0 200 100 re f /Half gs 0 1 0 0 k 20 20 20 20 re f /Plain gs /Over gs /Gold cs 1 scn 120 20 40 40 re f';
  const kept = await quicklyFixedBy(pdfOf(content), key, low);
  const overprints = (path: string): boolean[] =>
    look(path, (file) => {
      const found: boolean[] = [];
      interpretPage(file, 1, [{ path: ({ state }) => void found.push(state.fillOverprint) }]);
      return found;
    });
  expect(overprints(kept.path)).toContain(true);
  const drawn = await fixedBy(pdfOf(content), key, { ...low, preserveOverprint: 'Simulate' });
  expect(drawn.report.actions[0]).toMatchObject({ outcome: 'Applied', gate: { isPassed: true } });
  expect(overprints(drawn.path)).not.toContain(true);
});

test('groups without effect are removed, unless they are to stay', async () => {
  const pdf = pdfOf('0 1 0 0 k 20 20 20 20 re f', '/Group<</S/Transparency/CS/DeviceCMYK>>');
  expect((await quicklyFixedBy(pdf, key)).report.changes.map(({ what }) => what)).toEqual(['group']);
  const kept = await quicklyFixedBy(pdf, key, { removeUnneededGroups: false });
  expect(kept.report.actions[0]?.outcome).toBe('NothingToDo');
});

test('each kind of region has its own resolution @night', async () => {
  const settings = { lineArtDpi: 300, imageDpi: 100, gradientDpi: 150, mode: 'RasterRegions' };
  const shading = '<</ShadingType 2/ColorSpace/DeviceCMYK/Coords[0 0 100 0]/Function 61 0 R>>';
  const pdf = (content: string) =>
    buildPdf({
      objects: { ...objects, 61: '<</FunctionType 2/Domain[0 1]/C0[0 0 0 0]/C1[1 0 0 0]/N 1>>' },
      pages: [{ content, resources: `${resources}/Shading<</Sh ${shading}>>`, mediaBox: [0, 0, 100, 100] }],
    });
  const dpi = async (content: string) => (await quicklyFixedBy(pdf(content), key, settings)).report.changes[0]?.after;
  expect(await dpi('/Half gs 0 1 0 0 k 20 20 20 20 re f')).toBe('300 dpi');
  expect(await dpi('/Half gs q 0 0 50 50 re W n /Sh sh Q')).toBe('150 dpi');
  expect(await dpi('q 40 0 0 40 20 20 cm /Masked Do Q')).toBe('100 dpi');
  // The sharpest content of a region decides; a surface without an edge in it does not count.
  expect(await dpi('0.2 0 0 0 k 0 0 100 100 re f q 40 0 0 40 20 20 cm /Masked Do Q')).toBe('100 dpi');
  expect(await dpi('0 0 0 1 K 1 w 10 30 m 90 50 l S q 40 0 0 40 20 20 cm /Masked Do Q')).toBe('300 dpi');
  expect(await dpi('q 25 40 m 55 25 l 40 60 l h W n 40 0 0 40 20 20 cm /Masked Do Q')).toBe('300 dpi');
  const both = 'q 30 0 0 30 5 5 cm /Masked Do Q 0 0 0 1 K 1 w 60 70 m 90 90 l S q 30 0 0 30 60 65 cm /Masked Do Q';
  const { report } = await quicklyFixedBy(pdf(both), key, { ...settings, imageDpi: 300, lineArtDpi: 600 });
  expect(report.changes.filter(({ what }) => what === 'region').map(({ after }) => after)).toEqual([
    '300 dpi',
    '600 dpi',
  ]);
});

test('line art in a region keeps its width beside a transparent picture @night', async () => {
  const line = '0 0 0 1 K 0.5 w 96 0 m 96 192 l S';
  const { report, path } = await quicklyFixedBy(
    pdfOf(`${line} q 100 0 0 100 46 46 cm /Masked Do Q`, '/Group<</S/Transparency/CS/DeviceCMYK>>'),
    key,
  );
  expect(report.actions[0]).toMatchObject({ outcome: 'Applied', gate: { isPassed: true } });
  const service = openRenderService({ path, workDir: testDir() });
  try {
    const plates = await service.plates(1, { dpi: 1200, box: 'media' });
    const black = plates.plate(plates.inks[3]?.id ?? '');
    // Below the picture's lower, more transparent part the line is as wide as outside the region.
    const widthAt = (y: number): number => {
      const row = Math.round(((192 - y) / 72) * 1200) * plates.width;
      return black.subarray(row, row + plates.width).filter((level) => level > 100).length;
    };
    expect(Math.abs(widthAt(140) - widthAt(20))).toBeLessThanOrEqual(2);
  } finally {
    service.close();
  }
});

test('a JPEG 2000 picture with opacity of its own is flattened as it is seen @night', async () => {
  const pdf = buildPdf({
    objects: {
      90: {
        dict: '/Type/XObject/Subtype/Image/Width 16/Height 16/Filter/JPXDecode/SMaskInData 1',
        data: jpxPicture({ width: 16, height: 16, colour: [255, 255, 255], alpha: 64 }),
      },
    },
    pages: [
      {
        content: '1 0 0 0 k 0 0 100 100 re f q 40 0 0 40 30 30 cm /J Do Q',
        resources: '/XObject<</J 90 0 R>>',
        mediaBox: [0, 0, 100, 100],
      },
    ],
  });
  const { report, path } = await fixedBy(pdf, key, low);
  expect(report.actions[0]).toMatchObject({ outcome: 'Applied', gate: { isPassed: true } });
  const service = openRenderService({ path, workDir: testDir() });
  try {
    const plates = await service.plates(1, { dpi: 72, box: 'media' });
    const cyan = plates.plate(plates.inks[0]?.id ?? '')[50 * plates.width + 50] ?? 0;
    expect(Math.abs(cyan / 2.55 - 75)).toBeLessThanOrEqual(2);
  } finally {
    service.close();
  }
});

/** Visible text with its ink, and the number of images painted before it. */
const shownText = (path: string): string[] =>
  look(path, (file) => {
    let pictures = 0;
    const shown: string[] = [];
    interpretPage(file, 1, [
      {
        image: () => {
          pictures += 1;
        },
        text(event) {
          if (event.paints === 'none') return;
          const { matrix, state } = event;
          const at = matrix.slice(4).map((value) => Math.round(value * 10) / 10);
          shown.push(
            `${Buffer.from(event.bytes).toString('latin1')} ${state.fill.values.join(' ')} at ${at} after ${pictures}`,
          );
        },
      },
    ]);
    return shown;
  });

test('opaque text above transparency stays text in its place; covered text becomes part of the image', async () => {
  const pdf = buildPdf({
    objects: { ...objects, 70: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>' },
    pages: [
      {
        content:
          'BT /F 20 Tf 1 0 0 1 20 100 Tm 0 0 0 1 k (under) Tj ET 0.2 0 0 0 k 0 0 200 60 re f /Half gs 0 1 0 0 k 10 10 180 120 re f /Plain gs ' +
          "BT /F 18 Tf 90 Tz 20 TL 2 Tc 3 Ts 0 0 0 1 k 1 0 0 1 20 70 Tm [(Ab) -200 (c d)] TJ ( more) Tj /Gold cs 1 scn (next) ' ET " +
          'q 0.5 0 0 0.5 20 20 cm 1 0 0 0 k BT /F 20 Tf 60 0 Td (small) Tj ET Q q 10 10 20 20 re W n BT /F 20 Tf 12 12 Td (cut) Tj ET Q',
        resources: `${resources}/Font<</F 70 0 R>>`,
        mediaBox: [0, 0, 192, 192],
      },
    ],
  });
  const before = shownText((await quicklyFixedBy(pdf, 'ThickenLines')).path).map((text) =>
    text.replace(/ after \d+$/, ''),
  );
  const kept = await fixedBy(pdf, key, low);
  expect(kept.report.actions[0]).toMatchObject({ outcome: 'Applied', gate: { isPassed: true } });
  const shown = shownText(kept.path);
  // The other texts are still below the image; they are not painted twice.
  expect(shown).toEqual([
    ...before.filter((text) => /^(under|cut)/.test(text)).map((text) => `${text} after 0`),
    ...before.filter((text) => !/^(under|cut)/.test(text)).map((text) => `${text} after 1`),
  ]);
  expect(shown.filter((text) => text.endsWith('after 1')).length).toBe(4);
  const pictured = await quicklyFixedBy(pdf, key, { ...low, preserveText: false });
  expect(shownText(pictured.path).every((text) => text.endsWith('after 0'))).toBe(true);
  expect(samples(pictured.path)).not.toBe(samples(kept.path));
  expect((await quicklyFixedBy(kept.path, key, low)).report.actions[0]?.outcome).toBe('NothingToDo');
});

test('transparent printing annotations and images in Type 3 glyphs are flattened, and none are left', async () => {
  const highlight = (flags: number) =>
    `<</Type/Annot/Subtype/Highlight/F ${flags}/CA 0.5/Rect[20 20 80 60]/QuadPoints[20 60 80 60 20 20 80 20]/AP<</N 81 0 R>>/Popup 88 0 R>>`;
  const pdf = buildPdf({
    objects: {
      ...objects,
      80: highlight(4),
      81: {
        dict: '/Type/XObject/Subtype/Form/BBox[20 20 80 60]/Group<</S/Transparency>>/Resources<</ExtGState<</M<</BM/Multiply>>>>>>',
        data: '/M gs 0 0 1 0 k 20 20 60 40 re f',
      },
      88: '<</Type/Annot/Subtype/Popup/Rect[100 0 150 50]/Parent 80 0 R>>',
      82: '<</Type/Annot/Subtype/Square/F 4/Rect[100 100 120 120]/AP<</N 83 0 R>>>>',
      83: { dict: '/Type/XObject/Subtype/Form/BBox[0 0 20 20]', data: '0 1 0 0 k 0 0 20 20 re f' },
      84: '<</Type/Font/Subtype/Type3/FontBBox[0 0 1 1]/FontMatrix[1 0 0 1 0 0]/CharProcs<</a 85 0 R/b 86 0 R>>/Encoding<</Differences[97/a/b]>>/FirstChar 97/LastChar 98/Widths[1 1]/Resources<</XObject<</Masked 52 0 R/Whole 87 0 R>>>>>>',
      85: { dict: '', data: '1 0 d0 /Masked Do' },
      86: { dict: '', data: '1 0 d0 /Whole Do' },
      87: {
        dict: '/Type/XObject/Subtype/Image/Width 1/Height 1/BitsPerComponent 8/ColorSpace/DeviceGray',
        data: Uint8Array.of(128),
      },
    },
    pages: [
      {
        content: '1 0 0 0 k 0 0 60 100 re f BT /T 40 Tf 120 20 Td (a) Tj ET',
        resources: '/Font<</T 84 0 R>>',
        mediaBox: [0, 0, 192, 192],
        extra: '/Annots[80 0 R 88 0 R 82 0 R]',
      },
    ],
  });
  const { report, path } = await fixedBy(pdf, key, low);
  expect(report.actions[0]).toMatchObject({ outcome: 'Applied', gate: { isPassed: true }, warnings: [] });
  expect(report.changes.filter(({ what }) => what === 'annotation').map(({ params }) => params)).toEqual([
    { subtype: 'Highlight' },
  ]);
  expect(look(path, leftovers)).toEqual([]);
  // The opaque annotation stays, and so does the image of the unused glyph.
  expect(look(path, (file) => file.pages[0]?.annotations.length)).toBe(1);
  expect((await quicklyFixedBy(path, key, low)).report.actions[0]?.outcome).toBe('NothingToDo');
});

test.each([
  ['light stays light', '1 0.6 0 rg 0 0 200 200 re f /Half gs 0 0 1 rg 50 50 60 60 re f', 'DeviceRGB'],
  ['light over ink becomes ink', '0 0.4 1 0 k 0 0 200 200 re f /Half gs 0 0 1 rg 50 50 60 60 re f', 'DeviceCMYK'],
])('the image of a region uses the colours it was painted in: %s', async (_, content, family) => {
  const pdf = buildPdf({
    pages: [{ content, mediaBox: [0, 0, 200, 200], resources: '/ExtGState<</Half<</ca 0.5>>>>' }],
  });
  const { report, path } = await quicklyFixedBy(pdf, 'FlatteningTransparencies', { lineArtDpi: 100 });
  expect(report.actions[0]).toMatchObject({ outcome: 'Applied' });
  const families = look(path, (file) => {
    const found: (string | undefined)[] = [];
    interpretPage(file, 1, [{ image: ({ image }) => void found.push(image.space?.family) }]);
    return found;
  });
  expect(families).toEqual([family]);
});
