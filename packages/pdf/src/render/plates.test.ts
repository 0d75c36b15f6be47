import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sampled } from '@pdf2press/config/by-day';
import { afterAll, describe, expect, test } from 'vitest';
import { createColourService } from '../colour/colour-service.ts';
import { profileBytes } from '../colour/shipped-profiles.ts';
import { buildPdf, type PdfSource } from '../testing/build-pdf.ts';
import { type GhostscriptKind, nativeGhostscript } from './ghostscript.ts';
import { pixelsOf } from './page-frame.ts';
import type { PagePlates } from './plates.ts';
import { openRenderService, type RenderService, type RenderServiceOptions } from './render-service.ts';
import { softProof } from './soft-proof.ts';

const workDir = mkdtempSync(path.join(os.tmpdir(), 'plates-test-'));
const open: RenderService[] = [];
afterAll(() => {
  for (const render of open) render.close();
  rmSync(workDir, { recursive: true, force: true });
});

let files = 0;
function serve(source: PdfSource | Uint8Array, options: Partial<RenderServiceOptions> = {}): RenderService {
  files += 1;
  const file = path.join(workDir, `${files}.pdf`);
  writeFileSync(file, source instanceof Uint8Array ? source : buildPdf(source));
  const render = openRenderService({ path: file, workDir, ...options });
  open.push(render);
  return render;
}

/** Ink of each plate at a point of the page in percent, without inks that are 0. */
function inkAt(plates: PagePlates, x: number, y: number): Record<string, number> {
  const { left, top } = pixelsOf(plates.frame, [x, y, x, y]);
  const found: Record<string, number> = {};
  for (const ink of plates.inks) {
    const value = plates.plate(ink.id)[top * plates.width + left] ?? 0;
    if (value > 0) found[ink.name] = Math.round(value / 2.55);
  }
  return found;
}

const tint = (cmyk: string): string => `<< /FunctionType 2 /Domain [0 1] /N 1 /C0 [0 0 0 0] /C1 [${cmyk}] >>`;
const separation = (name: string, cmyk: string): string => `[/Separation /${name} /DeviceCMYK ${tint(cmyk)}]`;
const resources =
  `/ColorSpace << /Spot ${separation('Spot', '0 0.5 1 0')} /All ${separation('All', '1 1 1 1')}` +
  ' /Duo [/DeviceN [/Cyan /Spot] /DeviceCMYK << /FunctionType 4 /Domain [0 1 0 1] /Range [0 1 0 1 0 1 0 1]' +
  ' /Length 0 >>] >>' +
  ' /ExtGState << /Op0 << /OP true /op true /OPM 0 >> /Op1 << /OP true /op true /OPM 1 >> /Mul << /BM /Multiply >> >>';
const duo = {
  dict: '/FunctionType 4 /Domain [0 1 0 1] /Range [0 1 0 1 0 1 0 1]',
  data: '{ dup 0.5 mul exch 0 }',
};
const withDuo = resources.replace(/<< \/FunctionType 4[^>]*>>/, '5 0 R');

/** For each patch: what is below, what is painted over it, and the expected plates (ISO 32000-1, 8.6.7, table 149). */
const overprintRules: { rule: string; below: string; above: string; want: Record<string, number> }[] = [
  { rule: 'knock out is the default', below: '0.6 0 0 0 k', above: '0 0.4 0 0 k', want: { Magenta: 40 } },
  {
    rule: 'an overprinting spot ink leaves the process inks',
    below: '0.6 0.2 0 0 k',
    above: '/Op0 gs /Spot cs 0.5 scn',
    want: { Cyan: 60, Magenta: 20, Spot: 50 },
  },
  {
    rule: 'OPM 0: a component of 0 removes the ink below',
    below: '0.6 0 0 0 k',
    above: '/Op0 gs 0 0.4 0 0 k',
    want: { Magenta: 40 },
  },
  {
    rule: 'OPM 1: a component of 0 leaves the ink below',
    below: '0.6 0 0 0 k',
    above: '/Op1 gs 0 0.4 0 0 k',
    want: { Cyan: 60, Magenta: 40 },
  },
  {
    rule: 'OPM 1: overprinting white removes nothing',
    below: '0.6 0 0 0 k',
    above: '/Op1 gs 0 0 0 0 k',
    want: { Cyan: 60 },
  },
  {
    rule: 'OPM 0: DeviceGray replaces all four process inks',
    below: '0.6 0.3 0 0 k',
    above: '/Op0 gs 0.5 g',
    want: { Black: 50 },
  },
  {
    rule: 'OPM 1: DeviceGray replaces all four process inks',
    below: '0.6 0.3 0 0 k',
    above: '/Op1 gs 0.5 g',
    want: { Black: 50 },
  },
  {
    rule: 'DeviceN replaces only its own inks, OPM does not apply',
    below: '0.6 0.3 0 0 k',
    above: '/Op1 gs /Duo cs 0 0.5 scn',
    want: { Magenta: 30, Spot: 50 },
  },
  {
    rule: 'a spot ink below an overprinting process colour remains',
    below: '/Spot cs 0.7 scn',
    above: '/Op0 gs 0 0.4 0 0 k',
    want: { Magenta: 40, Spot: 70 },
  },
  {
    rule: 'DeviceGray that overprints a spot ink leaves it',
    below: '/Spot cs 0.7 scn',
    above: '/Op0 gs 0.5 g',
    want: { Black: 50, Spot: 70 },
  },
  {
    rule: 'a spot is knocked out without overprint',
    below: '/Spot cs 0.7 scn',
    above: '0 0.4 0 0 k',
    want: { Magenta: 40 },
  },
  { rule: 'Multiply adds', below: '0.6 0 0 0 k', above: '/Mul gs 0.5 0.4 0 0 k', want: { Cyan: 80, Magenta: 40 } },
  {
    rule: 'All is on every plate',
    below: '0 0 0 0 k',
    above: '/All cs 0.5 scn',
    want: { Cyan: 50, Magenta: 50, Yellow: 50, Black: 50, Spot: 50 },
  },
  {
    rule: 'DeviceCMYK is never converted',
    below: '0 0 0 0 k',
    above: '0.01 0.33 0.5 0.99 k',
    want: { Cyan: 1, Magenta: 33, Yellow: 50, Black: 99 },
  },
];

const patch = 20;
const overprintPdf: PdfSource = {
  pages: [
    {
      mediaBox: [0, 0, patch * overprintRules.length, patch],
      resources: withDuo,
      content: overprintRules
        .map(({ below, above }, index) => {
          const square = `${index * patch} 0 ${patch} ${patch} re f`;
          return `q ${below} ${square} Q q ${above} ${square} Q`;
        })
        .join('\n'),
    },
  ],
  objects: { 5: duo },
};

describe('a colour that is set before a group', () => {
  const square = '20 20 60 60 re f';
  const space = '/Group << /S /Transparency /CS /DeviceCMYK >>';
  const groups = ['CMYK', 'RGB', 'Gray'].map((name) => `/Group << /S /Transparency /CS /Device${name} >>`);
  const colours = ['0.8 0.7 0.6 0.5 k', '0.2 0.5 0.9 rg', '0.3 g'];
  const inGroup = (group: string, before: string, inside: string): PdfSource => ({
    pages: [{ mediaBox: [0, 0, 100, 100], resources: '/XObject << /Fm 300 0 R >>', content: `${before} /Fm Do` }],
    objects: {
      300: {
        dict: `/Type /XObject /Subtype /Form /BBox [0 0 100 100] ${group}`,
        data: `${inside} ${square}`,
      },
    },
  });
  const inked = async (source: PdfSource) => inkAt(await serve(source).plates(1, { dpi: 72 }), 50, 50);

  test.each(groups)('is drawn as one that is set in it: %s', async (group) => {
    for (const colour of colours) {
      const within = await inked(inGroup(group, '', colour));
      expect(Object.keys(within).length).toBeGreaterThan(0);
      expect([colour, await inked(inGroup(group, colour, ''))]).toEqual([colour, within]);
    }
  });

  test('is drawn in a group within a form, and in part of a page', async () => {
    const inner = inGroup(space, '', '');
    const source: PdfSource = {
      pages: [
        { mediaBox: [0, 0, 100, 100], resources: '/XObject << /Out 301 0 R >>', content: '0 0.9 0 0.4 k /Out Do' },
      ],
      objects: {
        ...inner.objects,
        301: {
          dict: '/Type /XObject /Subtype /Form /BBox [0 0 100 100] /Resources << /XObject << /Fm 300 0 R >> >>',
          data: '/Fm Do',
        },
      },
    };
    const render = serve(source);
    expect(inkAt(await render.plates(1, { dpi: 72 }), 50, 50)).toEqual({ Magenta: 90, Black: 40 });
    const [part] = await render.closeUps(1, [[30, 30, 70, 70]], { dpi: 72 });
    expect(part && inkAt(part, 20, 20)).toEqual({ Magenta: 90, Black: 40 });
  });
});

test('what multiplies in three patterns in each other, of which the embedded Ghostscript crashes, has its plates and is told', async () => {
  const cell = (resources: string, content: string) => ({
    dict: `/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 60 60] /XStep 60 /YStep 60 /Resources << ${resources} >>`,
    data: content,
  });
  const within = (inner: number) => cell(`/Pattern << /P ${inner} 0 R >>`, '/Pattern cs /P scn 0 0 60 60 re f');
  const source: PdfSource = {
    pages: [
      {
        mediaBox: [0, 0, 120, 120],
        resources: '/Pattern << /P 302 0 R >>',
        content: '/Pattern cs /P scn 0 0 60 60 re f',
      },
    ],
    objects: {
      300: cell('/ExtGState << /G << /BM /Multiply /ca 0.5 >> >>', '/G gs 0 0 0 0.4 k 5 5 40 40 re f'),
      301: within(300),
      302: within(301),
    },
  };
  const plates = await serve(source, { defaults: { ghostscript: 'embedded' } }).plates(1, { dpi: 36 });
  expect(inkAt(plates, 25, 25)).toEqual({ Black: 20 });
  expect(plates.hasErrors).toBe(true);
});

describe.each<GhostscriptKind>(['native', 'embedded'])('%s Ghostscript', (ghostscript) => {
  const isAbsent = ghostscript === 'native' && nativeGhostscript() === null;
  const title = isAbsent ? ' (skipped: no gs of version 10 or later on this machine)' : '';
  const defaults = { ghostscript };

  test.skipIf(isAbsent)(`simulates overprint as in ISO 32000-1, 8.6.7${title}`, async () => {
    const plates = await serve(overprintPdf, { defaults }).plates(1, { dpi: 72 });
    const got = overprintRules.map(({ rule }, index) => [rule, inkAt(plates, index * patch + 10, 10)]);
    expect(Object.fromEntries(got)).toEqual(Object.fromEntries(overprintRules.map(({ rule, want }) => [rule, want])));
    expect(plates.engine).toBe(ghostscript);
  });

  test.skipIf(isAbsent)(`decodes the names of spot inks, up to sixty of them${title}`, async () => {
    const names = ['Caf#c3#a9', 'Fa#e7on', 'Ink#2fSlash', 'P#28aren#29', '#e9#bb#84#e9#87#91', 'black', 'A#25B'];
    for (let index = names.length; index < 60; index += 1) names.push(`Ink#20${index}`);
    const look = (index: number): number => (index + 1) / 100;
    const spaces = names.map((name, index) => `/S${index} ${separation(name, `0 ${look(index)} 0 1`)}`).join(' ');
    const content = names.map((_, index) => `/S${index} cs 0.5 scn ${index * 5} 0 5 10 re f`).join('\n');
    const source = { mediaBox: [0, 0, 300, 10], resources: `/ColorSpace << ${spaces} >>`, content };
    const plates = await serve({ pages: [source] }, { defaults }).plates(1, { dpi: 72 });
    const spots = plates.inks.filter((ink) => ink.kind === 'spot').map((ink) => ink.name);
    expect(spots).toHaveLength(60);
    expect(spots).toEqual(
      expect.arrayContaining(['Café', 'Façon', 'Ink/Slash', 'P(aren)', '黄金', 'black', 'A%B', 'Ink 59']),
    );
    expect(inkAt(plates, 2.5, 5)).toEqual({ Café: 50 });
    for (const [name, index] of [
      ['Café', 0],
      ['black', 5],
      ['Ink 59', 59],
    ] as const) {
      const [cyan, magenta, , black] = plates.inks.find((ink) => ink.name === name)?.cmyk ?? [];
      expect([cyan, black]).toEqual([0, 1]);
      expect(magenta).toBeCloseTo(look(index), 2);
    }
    expect(plates.hasTooManySpots).toBe(false);
  });

  test.skipIf(isAbsent)(`keeps a transparent spot ink at any resolution${title}`, async () => {
    const half = resources.replace('/Mul', '/Half << /ca 0.5 >> /Mul');
    const render = serve(
      {
        pages: [{ content: '/Half gs /Spot cs 0.8 scn 20 20 60 60 re f', mediaBox: [0, 0, 200, 200], resources: half }],
      },
      { defaults },
    );
    for (const dpi of ghostscript === 'native' ? [72, 150, 300, 600] : [300])
      expect([dpi, inkAt(await render.plates(1, { dpi }), 50, 50)]).toEqual([dpi, { Spot: 40 }]);
  });

  test.skipIf(isAbsent)(`converts RGB to the profile in the options${title}`, async () => {
    const colour = await createColourService();
    const source = { mediaBox: [0, 0, 20, 20], content: '0.2 0.4 0.7 rg 0 0 20 20 re f' };
    for (const profile of ['fogra39l-coated', 'isocoated-v2-300-bas'] as const) {
      const plates = await serve({ pages: [source] }, { defaults: { ghostscript, profile } }).plates(1, { dpi: 72 });
      const got = plates.inks.map((ink) => (plates.plate(ink.id)[0] ?? 0) / 255);
      const want = colour.convert([0.2, 0.4, 0.7], { from: 'srgb', to: profile });
      want.forEach((value, index) => {
        expect(Math.abs(value - (got[index] ?? 0))).toBeLessThan(0.02);
      });
    }
    colour.close();
  });
});

test('the output intent of the file is the press profile, and CMYK tagged with it is not converted', async () => {
  const icc = profileBytes('isocoated-v2-300-bas');
  const source = (profile: Uint8Array): PdfSource => ({
    catalog:
      '/OutputIntents [<< /Type /OutputIntent /S /GTS_PDFX /OutputConditionIdentifier (x) /DestOutputProfile 5 0 R >>]',
    objects: { 5: { dict: '/N 4', data: profile } },
    pages: [
      {
        mediaBox: [0, 0, 40, 20],
        resources: '/ColorSpace << /Tagged [/ICCBased 5 0 R] >>',
        content: '0 0 0 rg 0 0 20 20 re f /Tagged cs 0 0 0 1 scn 20 0 20 20 re f',
      },
    ],
  });
  const plates = await serve(source(icc)).plates(1, { dpi: 72 });
  expect(Buffer.compare(plates.profile as Uint8Array, icc)).toBe(0);
  // RGB black becomes four inks, but not more than the 300 % of this profile.
  expect(plates.statistics().tac.max).toBeGreaterThan(250);
  expect(plates.statistics().tac.max).toBeLessThanOrEqual(300.5);
  expect(inkAt(plates, 30, 10)).toEqual({ Black: 100 });
  const broken = Uint8Array.from(icc).fill(0, 500);
  const mended = await serve(source(broken)).plates(1, { dpi: 72 });
  expect(inkAt(mended, 10, 10).Black).toBeGreaterThan(50);
});

describe('pages of every shape', () => {
  const mark = '0 0 0 1 k 30 40 10 20 re f';
  const shapes: [string, PdfSource['pages']][] = [
    ['plain', [{ mediaBox: [0, 0, 200.4, 300.7], content: mark }]],
    ['negative origin', [{ mediaBox: [-13.3, -7.7, 187.1, 293.2], content: mark }]],
    ['rotated 90', [{ mediaBox: [5.5, 10.25, 205.9, 310.95], content: mark, extra: '/Rotate 90' }]],
    ['rotated 180', [{ mediaBox: [5.5, 10.25, 205.9, 310.95], content: mark, extra: '/Rotate 180' }]],
    ['rotated -90', [{ mediaBox: [5.5, 10.25, 205.9, 310.95], content: mark, extra: '/Rotate -90' }]],
    ['UserUnit', [{ mediaBox: [5.5, 10.25, 205.9, 310.95], content: mark, extra: '/UserUnit 1.5 /Rotate 270' }]],
    ['cropped', [{ mediaBox: [0, 0, 200, 300], content: mark, extra: '/CropBox [12.3 20.6 150 250]' }]],
    ['crop outside media', [{ mediaBox: [0, 0, 200, 300], content: mark, extra: '/CropBox [-20 -20 150 400]' }]],
    ['corners in the wrong order', [{ mediaBox: [200, 300, 0, 0], content: mark }]],
    ['trim only', [{ mediaBox: [0, 0, 200, 300], content: mark, extra: '/TrimBox [20 30 180 280]' }]],
    [
      'transparent beyond its crop',
      [
        {
          mediaBox: [0, 0, 200, 300],
          content: mark,
          extra: '/CropBox [90 90 150 250] /Group << /S /Transparency /CS /DeviceCMYK >>',
        },
      ],
    ],
  ];
  /** First and last row and column with ink. */
  const inkedBox = (width: number, isInked: (pixel: number) => boolean, pixels: number): number[] => {
    const box = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, -1, -1];
    for (let pixel = 0; pixel < pixels; pixel += 1) {
      if (!isInked(pixel)) continue;
      const [x, y] = [pixel % width, Math.floor(pixel / width)];
      box[0] = Math.min(box[0] ?? 0, x);
      box[1] = Math.min(box[1] ?? 0, y);
      box[2] = Math.max(box[2] ?? 0, x);
      box[3] = Math.max(box[3] ?? 0, y);
    }
    return box;
  };
  test.each(sampled(shapes, 2))('%s: plates, preview and page frame coincide', async (_, pages) => {
    const render = serve({ pages: pages ?? [] });
    for (const box of ['media', 'crop', 'trim'] as const) {
      const plates = await render.plates(1, { dpi: 100, box });
      const preview = render.preview(1, { dpi: 100, box });
      expect([preview.width, preview.height]).toEqual([plates.width, plates.height]);
      // Ghostscript clips pages to their CropBox, so it gets a copy with other boxes to show more.
      const { crop } = render.file.pages[0]?.effective ?? {};
      expect(plates.isFromCopy).toBe(box === 'media' && crop?.join() !== plates.frame.box.join());
      const [x0, y0, x1, y1] = plates.frame.box;
      if (x0 > 30 || y0 > 40 || x1 < 40 || y1 < 60) continue;
      const want = pixelsOf(plates.frame, [30, 40, 40, 60]);
      const edges = [want.left, want.top, want.left + want.width - 1, want.top + want.height - 1];
      const black = plates.plate('k');
      expect(inkedBox(plates.width, (pixel) => (black[pixel] ?? 0) > 0, black.length)).toEqual(edges);
      // MuPDF smooths edges: a pixel that is hardly covered is almost white.
      const dark = inkedBox(plates.width, (pixel) => (preview.pixels[pixel * 3] ?? 255) < 250, black.length);
      dark.forEach((edge, index) => {
        expect(Math.abs(edge - (edges[index] ?? 0))).toBeLessThanOrEqual(1);
      });
    }
  });
});

test('a damaged file is repaired and separated; a page that cannot be separated is reported', async () => {
  const whole = Buffer.from(
    buildPdf({ pages: [{ content: '0 1 0 0 k 0 0 200 200 re f' }, { content: '1 0 0 0 k 0 0 200 200 re f' }] }),
  );
  const cut = Buffer.concat([whole.subarray(0, whole.indexOf('xref')), Buffer.from('garbage')]);
  const plates = await serve(cut).plates(2, { dpi: 36 });
  expect(inkAt(plates, 100, 100)).toEqual({ Cyan: 100 });
  const unbounded = serve({ pages: [{ mediaBox: [0, 0, 14_000, 14_000], content: '' }] });
  await expect(unbounded.plates(1, { dpi: 600 })).rejects.toThrow('PDF_LIMIT_PIXELS');
});

test('layers and annotations follow the options', async () => {
  const layered: PdfSource = {
    catalog: '/OCProperties << /OCGs [5 0 R] /D << /OFF [5 0 R] >> >>',
    objects: {
      5: '<< /Type /OCG /Name (Hidden) >>',
      6: { dict: '/Type /XObject /Subtype /Form /BBox [0 0 20 20]', data: '0 0 1 0 k 0 0 20 20 re f' },
      7: '<< /Type /Annot /Subtype /Stamp /Rect [100 100 120 120] /F 4 /AP << /N 6 0 R >> >>',
    },
    pages: [
      {
        content: '/OC /L BDC 1 0 0 0 k 0 0 50 50 re f EMC',
        resources: '/Properties << /L 5 0 R >>',
        extra: '/Annots [7 0 R]',
      },
    ],
  };
  const render = serve(layered);
  const shown = await render.plates(1, { dpi: 36 });
  expect([inkAt(shown, 10, 10), inkAt(shown, 110, 110)]).toEqual([{}, { Yellow: 100 }]);
  const all = await render.plates(1, { dpi: 36, layers: 'all' });
  expect(inkAt(all, 10, 10)).toEqual({ Cyan: 100 });
  const bare = await render.plates(1, { dpi: 36, annotations: false });
  expect(inkAt(bare, 110, 110)).toEqual({});
  const pixel = (layers: 'view' | 'all'): number =>
    render.preview(1, { dpi: 36, layers }).pixels[(99 * 100 + 2) * 3] ?? 0;
  expect(pixel('view')).toBe(255);
  expect(pixel('all')).toBeLessThan(50);
});

test('content outside the CropBox can be excluded', async () => {
  const render = serve({
    pages: [{ mediaBox: [0, 0, 100, 100], content: '1 0 0 0 k 0 0 100 100 re f', extra: '/CropBox [20 20 80 80]' }],
  });
  const [all, cut] = [await render.plates(1, { dpi: 72 }), await render.plates(1, { dpi: 72, beyondCrop: false })];
  expect([all.statistics().coverage[0], cut.statistics().coverage[0]]).toEqual([1, 0.36]);
});

test('plates are kept; announced pages share runs; the oldest pages are released first', async () => {
  const pages = Array.from({ length: 6 }, (_, index) => ({ content: `0 0 0 ${index / 10} k 0 0 200 200 re f` }));
  const render = serve({ pages }, { lanes: 2, keptPlateBytes: 100 * 100 * 4 * 3 });
  const options = { dpi: 36 };
  render.expectPlates([1, 2, 3, 4, 5, 6], options);
  const [first, again] = await Promise.all([render.plates(1, options), render.plates(1, { dpi: 36 })]);
  expect(again).toBe(first);
  for (const page of [2, 3, 4, 5, 6]) {
    expect(inkAt(await render.plates(page, options), 100, 100)).toEqual({ Black: (page - 1) * 10 });
  }
  // The first page was released meanwhile and is separated again.
  const anew = await render.plates(1, options);
  expect(anew).not.toBe(first);
  expect(inkAt(anew, 100, 100)).toEqual({});
  render.close();
  await expect(render.plates(2, { dpi: 18 })).rejects.toThrow();
});

test('the soft proof shows overprint', async () => {
  const colour = await createColourService();
  const render = serve({
    pages: [
      {
        mediaBox: [0, 0, 20, 20],
        resources: withDuo,
        content: '1 0 0 0 k 0 0 20 20 re f /Op1 gs 0 0 1 0 k 0 0 10 20 re f',
      },
    ],
    objects: { 5: duo },
  });
  const proof = softProof(await render.plates(1, { dpi: 72 }), colour);
  const at = (x: number): number[] => [...proof.pixels.subarray((10 * 20 + x) * 3, (10 * 20 + x) * 3 + 3)];
  const green = colour.convertPixels(Uint8Array.from([255, 0, 255, 0]), { from: 'fogra39l-coated', to: 'srgb' });
  const cyan = colour.convertPixels(Uint8Array.from([255, 0, 0, 0]), { from: 'fogra39l-coated', to: 'srgb' });
  expect([at(5), at(15)]).toEqual([[...green], [...cyan]]);
  const knockedOut = softProof(await render.plates(1, { dpi: 72, overprint: false }), colour);
  const yellow = colour.convertPixels(Uint8Array.from([0, 0, 255, 0]), { from: 'fogra39l-coated', to: 'srgb' });
  expect([...knockedOut.pixels.subarray((10 * 20 + 5) * 3, (10 * 20 + 5) * 3 + 3)]).toEqual([...yellow]);
  colour.close();
});

describe('processor time', () => {
  /** Forms that draw the next one ten times, eight levels deep: a hundred million rectangles. */
  const endless = Object.fromEntries(
    Array.from({ length: 9 }, (_, level) => [
      20 + level,
      {
        dict: `/Type /XObject /Subtype /Form /BBox [0 0 100 100] /Resources << /XObject << /F ${21 + level} 0 R >> >>`,
        data: level === 8 ? '0.1 0 0 0 k 0 0 100 100 re f' : '/F Do '.repeat(10),
      },
    ]),
  );
  const one = { mediaBox: [0, 0, 100, 100], content: '1 0 0 0 k 10 10 80 80 re f' };
  const source: PdfSource = {
    pages: [one, { mediaBox: [0, 0, 100, 100], resources: '/XObject << /F 20 0 R >>', content: '/F Do' }, one],
    objects: endless,
  };

  test('a page that needs more than it may is told as such, and the pages drawn with it are whole', async () => {
    const render = serve(source);
    const asked = { dpi: 36, cpuSeconds: 2 };
    render.expectPlates([1, 2, 3], asked);
    await expect(render.plates(2, asked)).rejects.toMatchObject({ code: 'PDF_TIMEOUT', params: { seconds: 2 } });
    for (const page of [1, 3]) expect(inkAt(await render.plates(page, asked), 50, 50)).toEqual({ Cyan: 100 });
  });
});

test.skipIf(!existsSync('/proc/self/fd'))('kept plates hold no descriptor, however many there are', async () => {
  const pages = Array.from({ length: 40 }, () => ({ mediaBox: [0, 0, 20, 20], content: '0.5 g 0 0 20 20 re f' }));
  const render = serve({ pages });
  const before = readdirSync('/proc/self/fd').length;
  const all = pages.map((_, index) => index + 1);
  render.expectPlates(all, { dpi: 36 });
  const kept: PagePlates[] = [];
  for (const page of all) kept.push(await render.plates(page, { dpi: 36 }));
  expect(readdirSync('/proc/self/fd').length - before).toBeLessThan(pages.length / 2);
  for (const plates of kept) expect(plates.plate('k').some((value) => value > 0)).toBe(true);
});

describe('parts of a page', () => {
  const blackOf = (plates: PagePlates) => {
    const black = plates.plate('k');
    return (x: number, y: number) => {
      const { left, top } = pixelsOf(plates.frame, [x, y, x, y]);
      return black[top * plates.width + left];
    };
  };
  const stripes = Array.from({ length: 40 }, (_, at) => `0 0 0 1 k ${at * 10} ${at * 7} 5 200 re f`).join(' ');
  const pages = [0, 90, 180, 270].flatMap((rotate) =>
    ['', '/UserUnit 2', '/CropBox [40 40 300 300]'].map((more) => `/Rotate ${rotate} ${more}`),
  );
  test.each(sampled(pages, 2))('are drawn as the whole page is: %s', async (extra) => {
    const render = serve({
      pages: [{ mediaBox: [-20, 10, 380, 510], content: `0 0.5 0 0 k 0 0 99 99 re f ${stripes}`, extra }],
    });
    const part = [101.5, 120, 203.1, 260.3] as const;
    const whole = await render.plates(1, { dpi: 144 });
    const [view] = await render.closeUps(1, [part, [0, 20, 50, 60]], { dpi: 144 });
    if (!view) throw new Error('no plates');
    expect(view.page).toBe(1);
    expect(view.width * view.height).toBeLessThan((whole.width * whole.height) / 8);
    const [inWhole, inView] = [blackOf(whole), blackOf(view)];
    let compared = 0;
    for (let x = part[0] + 3; x < part[2] - 3; x += 1.7)
      for (let y = part[1] + 3; y < part[3] - 3; y += 1.9) {
        // Not beside edges, where half a pixel makes a difference.
        const around = [-0.6, 0, 0.6].map((by) => inWhole(x + by, y + by));
        if (new Set(around).size > 1) continue;
        expect([x, y, inView(x, y)]).toEqual([x, y, inWhole(x, y)]);
        compared += 1;
      }
    expect(compared).toBeGreaterThan(1000);
  });

  test('show layers and overprint, and are gone when they are released', async () => {
    const render = serve({
      pages: [{ content: '0.6 0 0 0 k 0 0 300 300 re f /Op1 gs 0 0.4 0 0 k 50 50 100 100 re f', resources }],
    });
    const [view] = await render.closeUps(1, [[40, 40, 90, 90]], { dpi: 72 });
    if (!view) throw new Error('no plates');
    expect([inkAt(view, 45, 45), inkAt(view, 70, 70)]).toEqual([{ Cyan: 60 }, { Cyan: 60, Magenta: 40 }]);
    view.release();
    expect(() => view.plate('c')).toThrow();
    await expect(render.closeUps(1, [], { dpi: 72 })).resolves.toEqual([]);
  });
});
