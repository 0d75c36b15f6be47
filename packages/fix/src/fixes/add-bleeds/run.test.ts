import { interpretPage, openRenderService } from '@pdf2press/pdf';
import { buildPdf } from '@pdf2press/pdf/testing';
import { expect, test } from 'vitest';
import { bytesOf, look, quicklyFixedBy, testDir } from '../../testing/fix-files.ts';

const key = 'AddBleeds';
const ten = { amount: '10pt', dpi: 144 };

/** Cyan on the left, magenta on the right, up to the trim; the trim is not a whole number of pixels. */
const halves = '1 0 0 0 k 0 0 50.3 100.7 re f 0 1 0 0 k 50.3 0 50.3 100.7 re f';
const page = (content: string, extra = '', mediaBox = [0, 0, 100.6, 100.7] as const) =>
  buildPdf({
    objects: {
      8: '<</Type/Font/Subtype/Type3/FontBBox[0 0 1000 1000]/FontMatrix[0.001 0 0 0.001 0 0]/CharProcs<</a 9 0 R>>/Encoding<</Differences[97/a]>>/FirstChar 97/LastChar 97/Widths[600]/ToUnicode 10 0 R/Resources<<>>>>',
      9: { dict: '', data: '600 0 0 0 600 700 d1 100 0 400 700 re f' },
      10: { dict: '', data: '1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfchar <61> <0061> endbfchar' },
    },
    pages: [{ content, mediaBox: [...mediaBox], extra, resources: '/Font<</T 8 0 R>>' }],
  });

/** Inks in percent at points of the page. */
async function inksAt(path: string, ...points: readonly (readonly [number, number])[]): Promise<string[]> {
  const service = openRenderService({ path, workDir: testDir() });
  try {
    const plates = await service.plates(1, { dpi: 144, box: 'media' });
    const [a, b, c, d, e, f] = plates.frame.toPixel;
    return points.map(([x, y]) => {
      const at = Math.floor(b * x + d * y + f) * plates.width + Math.floor(a * x + c * y + e);
      return plates.inks
        .flatMap(({ id, name }) => {
          const level = Math.round((plates.plate(id)[at] ?? 0) / 2.55);
          return level > 0 ? [`${name[0]}${level}`] : [];
        })
        .join(' ');
    });
  } finally {
    service.close();
  }
}

const boxes = (path: string) => look(path, (file) => file.pages[0]?.boxes);
const made = (report: { changes: readonly { what: string; params: Record<string, unknown> }[] }): string[] =>
  report.changes
    .filter(({ what }) => what.startsWith('made'))
    .map(({ what, params }) => `${what.slice(5)} ${params.side}`);

test('missing bleed is added by mirroring or in one colour; boxes are set, and a second run adds nothing', async () => {
  const { report, path } = await quicklyFixedBy(page(halves), key, ten);
  expect(report.actions[0]).toMatchObject({ outcome: 'Applied', gate: { isPassed: true } });
  expect(made(report)).toEqual(['left', 'right', 'bottom', 'top'].map((side) => `MirrorAsImage ${side}`));
  expect(boxes(path)).toMatchObject({
    trim: [0, 0, 100.6, 100.7],
    bleed: [-10, -10, 110.6, 110.7],
    media: [-10, -10, 110.6, 110.7],
  });
  expect(await inksAt(path, [-5, 50], [105, 50], [-5, -5], [105, 105], [30, 105])).toEqual([
    'C100',
    'M100',
    'C100',
    'M100',
    'C100',
  ]);
  // A side of one colour needs no image; the others need one outside the edge and one below it.
  look(path, (file) => {
    const pictures: number[] = [];
    interpretPage(file, 1, [{ image: ({ image }) => void pictures.push(image.object) }]);
    expect(pictures.length).toBe(4);
  });
  expect((await quicklyFixedBy(bytesOf(path), key, ten)).report.actions[0]?.outcome).toBe('NothingToDo');
});

test('content with enough bleed, and content that does not reach the trim, gets none', async () => {
  const inner = page('1 0 0 0 k 40 40 20 20 re f', '/TrimBox[10 10 90 90]');
  expect(made((await quicklyFixedBy(inner, key, ten)).report)).toEqual([]);
  const enough = page('1 0 0 0 k 0 0 100.6 100.7 re f', '/TrimBox[10 10 90 90]');
  expect(made((await quicklyFixedBy(enough, key, ten)).report)).toEqual([]);
  const left = page('1 0 0 0 k 0 20 50 60 re f', '/TrimBox[5 0 100.6 100.7]');
  expect(made((await quicklyFixedBy(left, key, ten)).report)).toEqual(['MirrorAsImage left']);
});

test('a spot colour is extended as the same spot without an image, or as process inks when asked', async () => {
  const gold = '[/Separation/Gold/DeviceCMYK<</FunctionType 2/Domain[0 1]/C0[0 0 0 0]/C1[0 0.2 0.8 0.1]/N 1>>]';
  const pdf = buildPdf({
    pages: [
      {
        content: '/S cs 0.8 scn 0 0 100 100 re f',
        mediaBox: [0, 0, 100, 100],
        resources: `/ColorSpace<</S ${gold}>>`,
      },
    ],
  });
  const { path } = await quicklyFixedBy(pdf, key, ten);
  expect(await inksAt(path, [-5, 50], [105, 105])).toEqual(['G80', 'G80']);
  expect(look(path, (file) => file.pages[0]?.resources?.map.has('XObject'))).toBe(false);
  const process = await quicklyFixedBy(pdf, key, { ...ten, imageColourSpace: 'DeviceCMYK' });
  expect(await inksAt(process.path, [-5, 50])).toEqual(['M16 Y64 B8']);
});

test('content hidden outside the page is used first', async () => {
  const { report, path } = await quicklyFixedBy(page('1 0 0 0 k -30 -30 160 160 re f'), key, ten);
  expect(made(report)).toEqual([]);
  expect(await inksAt(path, [-5, 50], [105, 105])).toEqual(['C100', 'C100']);
});

test('near text the edge is repeated, because a mirror image would repeat its letters', async () => {
  const content = `${halves} 0 0 0 1 k BT /T 8 Tf 40 2 Td (aaa) Tj ET`;
  expect(made((await quicklyFixedBy(page(content), key, ten)).report)).toContain('Repeat bottom');
  const mirrored = await quicklyFixedBy(page(content), key, { ...ten, repeatNearText: false });
  expect(made(mirrored.report)).toContain('MirrorAsImage bottom');
});

const letter = '600 0 0 0 600 700 d1 100 0 400 700 re f';
const type3 = (unicode: string): string =>
  `<</Type/Font/Subtype/Type3/FontBBox[0 0 1000 1000]/FontMatrix[0.001 0 0 0.001 0 0]/CharProcs<</g1 9 0 R>>/Encoding<</Differences[97/g1]>>/FirstChar 97/LastChar 97/Widths[600]${unicode}/Resources<<>>>>`;
const written = (content: string, extra = '') =>
  buildPdf({
    objects: {
      8: type3(''),
      9: { dict: '', data: letter },
      10: {
        dict: '/Type/XObject/Subtype/Form/BBox[0 0 30 12]/Resources<</Font<</T 8 0 R>>>>',
        data: 'BT 0 0 0 1 k /T 8 Tf 2 2 Td (aaa) Tj ET',
      },
    },
    pages: [
      {
        content: `${halves} ${content}`,
        mediaBox: [0, 0, 100.6, 100.7],
        extra,
        resources: `/Font<</T 8 0 R>>/XObject<</F 10 0 R>>`,
      },
    ],
  });
test.each([
  ['whose characters are unknown', written('0 0 0 1 k BT /T 8 Tf 40 2 Td (aaa) Tj ET')],
  ['in the second use of a form', written('q 1 0 0 1 40 50 cm /F Do Q q 1 0 0 1 40 2 cm /F Do Q')],
  ['in an annotation', written('', '/Annots[<</Type/Annot/Subtype/Stamp/F 4/Rect[40 1 70 13]/AP<</N 10 0 R>>>>]')],
])('text %s is not mirrored either', async (_where, pdf) => {
  expect(made((await quicklyFixedBy(pdf, key, ten)).report)).toEqual([
    'MirrorAsImage left',
    'MirrorAsImage right',
    'Repeat bottom',
    'MirrorAsImage top',
  ]);
});

test('text counts up to the depth that the bleed is taken from, and not where it is clipped away', async () => {
  const text = (y: number) => `0 0 0 1 k BT /T 8 Tf 40 ${y} Td (aaa) Tj ET`;
  const deep = { ...ten, innerOffset: '5pt' };
  expect(made((await quicklyFixedBy(page(`${halves} ${text(12)}`), key, deep)).report)).toContain('Repeat bottom');
  expect(made((await quicklyFixedBy(page(`${halves} ${text(12)}`), key, ten)).report)).toContain(
    'MirrorAsImage bottom',
  );
  const clipped = page(`${halves} q 0 50 100 50 re W n ${text(2)} Q`);
  expect(made((await quicklyFixedBy(clipped, key, ten)).report)).toContain('MirrorAsImage bottom');
});

/** 24 bars of three widths, `at` points above the lower trim, as separate shapes, as one path, and as lines. */
const bars = Array.from({ length: 24 }, (_, index) => ({ x: 20 + index * 2.4, width: 0.5 + (index % 3) * 0.5 }));
const codes: Readonly<Record<string, (at: number) => string>> = {
  rectangles: (at) => bars.map(({ x, width }) => `${x} ${at} ${width} 20 re f`).join(' '),
  'one path': (at) => `${bars.map(({ x, width }) => `${x} ${at} ${width} 20 re`).join(' ')} f`,
  lines: (at) => bars.map(({ x, width }) => `${width} w ${x} ${at} m ${x} ${at + 20} l S`).join(' '),
  modules: (at) =>
    Array.from({ length: 100 }, (_, index) => [20 + 4 * (index % 10), at + 2 * Math.floor(index / 10)])
      .map(([x, y]) => `${x} ${y} 2 2 re f`)
      .join(' '),
};
test.each(Object.keys(codes))(
  'near a barcode of %s the edge is repeated as well; distant barcodes and a few bars do not count',
  async (kind) => {
    const near = await quicklyFixedBy(page(`${halves} 0 0 0 1 k 0 0 0 1 K ${codes[kind]?.(4)}`), key, ten);
    expect(made(near.report)).toEqual([
      'MirrorAsImage left',
      'MirrorAsImage right',
      'Repeat bottom',
      'MirrorAsImage top',
    ]);
    const far = await quicklyFixedBy(
      page(`${halves} 0 0 0 1 k 0 0 0 1 K ${codes[kind]?.(30)} 20 4 2 20 re f 30 4 2 20 re f`),
      key,
      ten,
    );
    expect(made(far.report)).not.toContain('Repeat bottom');
  },
);

test.each(['MirrorObjects', 'Repeat', 'Stretch'])('%s fills the bleed', async (fillMode) => {
  const { report, path } = await quicklyFixedBy(page(halves), key, { ...ten, fillMode });
  expect(made(report)).toEqual(['left', 'right', 'bottom', 'top'].map((side) => `${fillMode} ${side}`));
  expect(await inksAt(path, [-5, 50], [105, 50], [30, 105])).toEqual(['C100', 'M100', 'C100']);
  expect(await inksAt(path, [-5, -5], [105, 105])).toEqual(['C100', 'M100']);
});

test('the page can be scaled instead, the spine skipped and boxes left unchanged', async () => {
  const scaled = await quicklyFixedBy(page(halves), key, { ...ten, fillMode: 'ScalePage', scalePercent: 120 });
  expect(await inksAt(scaled.path, [-5, 50], [105, 50])).toEqual(['C100', 'M100']);
  const spine = await quicklyFixedBy(page(halves), key, { ...ten, facingPages: 'Yes' });
  expect(made(spine.report).map((text) => text.split(' ')[1])).toEqual(['right', 'bottom', 'top']);
  const plain = await quicklyFixedBy(page(halves, '', [0, 0, 100.6, 100.7]), key, { ...ten, setBleedBox: false });
  expect(boxes(plain.path)?.bleed).toBeNull();
  const room = page(halves, '/TrimBox[0 0 100.6 100.7]', [-20, -20, 120, 120] as never);
  const kept = await quicklyFixedBy(room, key, { ...ten, growMedia: false });
  expect(boxes(kept.path)?.media).toEqual([-20, -20, 120, 120]);
});

const spread = (layout: string) =>
  buildPdf({
    catalog: `/PageLayout/${layout}`,
    pages: [1, 2].map(() => ({ content: '1 0 0 0 k 0 0 100 100 re f', mediaBox: [0, 0, 100, 100] as const })),
  });
test.each([
  ['TwoPageRight', {}, ['right bottom top', 'left bottom top']],
  ['TwoColumnLeft', {}, ['left bottom top', 'right bottom top']],
  ['SinglePage', { facingPages: 'Yes' }, ['right bottom top', 'left bottom top']],
  ['TwoPageRight', { facingPages: 'No' }, ['left right bottom top', 'left right bottom top']],
] as const)('the spine of facing pages: %s with %o', async (layout, settings, sides) => {
  const { report } = await quicklyFixedBy(spread(layout), key, { ...ten, ...settings });
  const bySide = (number: number) =>
    report.changes.flatMap(({ page, what, params }) =>
      page === number && what.startsWith('made') ? [params.side] : [],
    );
  expect([1, 2].map((number) => bySide(number).join(' '))).toEqual(sides);
});

/** Colour spaces of the shapes and pictures outside the trim of 100 × 100 points, by side. */
const bleedSpaces = (path: string): Record<string, string[]> =>
  look(path, (file) => {
    const found: Record<string, Set<string>> = { left: new Set(), right: new Set(), bottom: new Set(), top: new Set() };
    const see = ([x0, y0, x1, y1]: readonly number[], family = ''): void => {
      if ((x1 as number) < 1) found.left?.add(family);
      else if ((x0 as number) > 99) found.right?.add(family);
      else if ((y1 as number) < 1) found.bottom?.add(family);
      else if ((y0 as number) > 99) found.top?.add(family);
    };
    interpretPage(file, 1, [
      {
        path: ({ bbox, state }) => void see(bbox, state.fill.space.family),
        image: ({ bbox, image }) => void see(bbox, image.space?.family),
      },
    ]);
    return Object.fromEntries(Object.entries(found).map(([side, spaces]) => [side, [...spaces]]));
  });
test('a spot colour turns the bleed of an RGB page to inks only at the side that it touches', async () => {
  const gold = '[/Separation/Gold/DeviceCMYK<</FunctionType 2/Domain[0 1]/C0[0 0 0 0]/C1[0 0.2 0.8 0.1]/N 1>>]';
  const withSpot = (rect: string) =>
    buildPdf({
      pages: [
        {
          content: `0.75 1 0 rg 0 0 50 100 re f 1 0.5 0 rg 50 0 50 100 re f /S cs 1 scn ${rect} re f`,
          mediaBox: [0, 0, 100, 100],
          resources: `/ColorSpace<</S ${gold}>>`,
        },
      ],
    });
  const all = { left: ['DeviceRGB'], right: ['DeviceRGB'], bottom: ['DeviceRGB'], top: ['DeviceRGB'] };
  expect(bleedSpaces((await quicklyFixedBy(withSpot('40 40 20 20'), key, ten)).path)).toEqual(all);
  const { path } = await quicklyFixedBy(withSpot('0 40 5 20'), key, ten);
  expect(bleedSpaces(path)).toEqual({ ...all, left: ['DeviceN'] });
  expect(await inksAt(path, [-3, 50])).toEqual(['G100']);
  // 12 points from the edge is deeper than the bleed of 10 points that is mirrored there.
  expect(bleedSpaces((await quicklyFixedBy(withSpot('12 40 5 20'), key, ten)).path)).toEqual(all);
});

test('RGB content is extended in RGB, unless the printing condition is known or inks are asked for', async () => {
  const rgb = page('0.75 1 0 rg 0 0 50.3 100.7 re f 1 0.5 0 rg 50.3 0 50.3 100.7 re f');
  const coloursOf = (path: string): string[] =>
    look(path, (file) => {
      const found = new Set<string>();
      interpretPage(file, 1, [
        {
          path: ({ state }) => void found.add(state.fill.space.family),
          image: ({ image }) => void found.add(`${image.space?.family} image`),
        },
      ]);
      return [...found].sort();
    });
  expect(coloursOf((await quicklyFixedBy(rgb, key, ten)).path)).toEqual(['DeviceRGB', 'DeviceRGB image']);
  const inked = await quicklyFixedBy(rgb, key, { ...ten, imageColourSpace: 'DeviceCMYK' });
  expect(coloursOf(inked.path)).toEqual(['DeviceCMYK', 'DeviceCMYK image', 'DeviceRGB']);
});
