import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateSync } from 'node:zlib';
import {
  type ColorSpace,
  definedSpots,
  encodeJpeg,
  interpretPage,
  isArray,
  isDict,
  jpegGrade,
  type Paint,
  shippedProfilePath,
} from '@pdf2press/pdf';
import { buildPdf, type ObjectSource } from '@pdf2press/pdf/testing';
import { expect, test } from 'vitest';
import { bytesOf, contentOf, fixedBy, look, quicklyFixedBy } from '../../testing/fix-files.ts';

const icc = (file: string): Uint8Array => readFileSync(file);
const key = 'ColorspaceTransformation';

/** Families of all colour spaces that the interpreter finds, including alternates and base spaces. */
function families(file: string): string[] {
  return look(file, (pdf) => {
    const met = new Set<string>();
    const note = (space: ColorSpace | null): void => {
      if (!space) return;
      met.add(space.family === 'ICCBased' ? `ICCBased${space.components}` : space.family);
      if (space.family === 'Indexed') note(space.base);
      if (space.family === 'Separation' || space.family === 'DeviceN') note(space.alternate);
      if (space.family === 'Pattern') note(space.underlying);
    };
    for (const page of pdf.pages) {
      interpretPage(pdf, page.number, [
        {
          operator: ({ state }) => {
            for (const { space } of [state.fill, state.stroke]) note(space);
          },
          image: ({ image }) => note(image.space),
          shading: ({ shading }) => note(shading.space),
          runBegin: ({ run }) => note(run.group?.space ?? null),
        },
      ]);
    }
    return [...met].sort();
  });
}

const rgbData = Uint8Array.from({ length: 8 * 8 * 3 }, (_, index) => (index * 37) & 255);
const objects: Record<number, ObjectSource> = {
  6: { dict: '/N 3', data: icc(shippedProfilePath('srgb')) },
  7: {
    dict: '/Type/XObject/Subtype/Image/Width 8/Height 8/ColorSpace/DeviceRGB/BitsPerComponent 8/Mask[0 10 0 20 0 30]',
    data: rgbData,
  },
  8: {
    dict: '/Type/XObject/Subtype/Image/Width 8/Height 8/ColorSpace[/Indexed/DeviceRGB 1<ff000000ff00>]/BitsPerComponent 1',
    data: Uint8Array.from([170, 85, 170, 85, 170, 85, 170, 85]),
  },
  9: {
    dict: '/Type/XObject/Subtype/Form/BBox[0 0 100 100]/Group<</S/Transparency/CS/DeviceRGB>>/Resources<</XObject<</Im 8 0 R>>>>',
    data: '0 1 0 rg 0 0 20 20 re f q 20 0 0 20 30 0 cm /Im Do Q',
  },
  10: '<</ShadingType 2/ColorSpace/DeviceRGB/Coords[0 0 50 0]/Function<</FunctionType 2/Domain[0 1]/C0[1 0 0]/C1[0 0 1]/N 1>>/Extend[true true]>>',
  11: '<</Type/Pattern/PatternType 2/Shading 10 0 R/Matrix[1 0 0 1 100 0]>>',
  12: {
    dict: '/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 10 10]/XStep 10/YStep 10/Resources<<>>',
    data: '1 0 1 rg 0 0 5 5 re f',
  },
  13: {
    dict: '/Type/XObject/Subtype/Form/BBox[0 0 200 200]/Group<</S/Transparency/CS/DeviceRGB>>/Resources<<>>',
    data: '1 1 1 rg 0 0 200 200 re f 0.5 0.5 0 rg 10 10 30 30 re f',
  },
  14: '<</Type/ExtGState/SMask<</S/Luminosity/G 13 0 R>>>>',
  15: '[/Separation/Spot/DeviceRGB<</FunctionType 2/Domain[0 1]/C0[1 1 1]/C1[1 0.5 0]/N 1>>]',
  16: {
    dict: '/Type/XObject/Subtype/Image/Width 2/Height 2/ColorSpace[/Lab<</WhitePoint[0.9642 1 0.8249]/Range[-100 100 -100 100]>>]/BitsPerComponent 16',
    data: Uint8Array.from({ length: 24 }, (_, index) => index * 9),
  },
  17: {
    dict: '/ShadingType 4/ColorSpace/DeviceRGB/BitsPerCoordinate 8/BitsPerComponent 8/BitsPerFlag 8/Decode[0 50 0 50 0 1 0 1 0 1]',
    data: Uint8Array.from([0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 255, 0, 0, 0, 255, 0, 0, 255]),
  },
};
const lab = '[/Lab<</WhitePoint[0.9642 1 0.8249]/Range[-100 100 -100 100]>>]';
const resources =
  `/ColorSpace<</CS0[/ICCBased 6 0 R]/L ${lab}/Sep 15 0 R/Cal[/CalRGB<</WhitePoint[0.9505 1 1.089]>>]/DefaultRGB[/ICCBased 6 0 R]>>/XObject<</I1 7 0 R/I2 8 0 R/I3 16 0 R/Fm 9 0 R>>` +
  '/Shading<</Sh 10 0 R/Mesh 17 0 R>>/Pattern<</P1 11 0 R/P2 12 0 R>>/ExtGState<</GS 14 0 R>>';
const content =
  '0 0 0 rg 20 180 10 10 re f 1 0 0 RG 2 w 10 170 m 100 170 l S /CS0 cs 0.2 0.4 0.6 sc 120 160 20 20 re f /L cs 50 60 20 scn 150 160 20 20 re f ' +
  '/Cal cs 0.2 0.9 0.4 sc 175 160 10 10 re f q 40 0 0 40 10 100 cm /I1 Do Q q 40 0 0 40 60 100 cm /I2 Do Q q 20 0 0 20 150 60 cm /I3 Do Q q 1 0 0 1 110 100 cm /Fm Do Q ' +
  'q 0 0 50 50 re W n /Sh sh Q q 1 0 0 1 50 0 cm /Mesh sh Q /Pattern cs /P1 scn 100 0 50 50 re f /P2 scn 150 0 50 50 re f q /GS gs 1 0 0 rg 0 0 40 40 re f Q ' +
  '/Sep cs 0.7 scn 20 60 20 20 re f q 20 0 0 20 60 60 cm BI /W 2 /H 2 /CS /RGB /BPC 8 ID 123456789012 EI Q';

test('no RGB, Lab or CalRGB is left; the spot stays', async () => {
  const pdf = buildPdf({ pages: [{ content, resources, extra: '/Group<</S/Transparency/CS/DeviceRGB>>' }], objects });
  const { report, path: out } = await fixedBy(pdf, key);
  expect(report.actions[0]).toMatchObject({ outcome: 'Applied', gate: { isPassed: true } });
  expect(families(out).filter((family) => /RGB|Lab|ICCBased3/.test(family))).toEqual([]);
  expect(families(out)).toContain('Separation');
  look(out, (file) => {
    for (let num = 1; num < file.objectCount; num += 1) {
      const value = file.get(num);
      expect(JSON.stringify(value, (_, entry: unknown) => (entry instanceof Map ? [...entry] : entry))).not.toMatch(
        /DeviceRGB|CalRGB|"Lab"|DefaultRGB/,
      );
    }
  });
});

test('black stays black, greys become tints of black, pure inks stay pure', async () => {
  const pdf = buildPdf({
    pages: [
      { content: '0 0 0 rg 0 0 9 9 re f 0.5 0.5 0.5 rg 9 0 9 9 re f 1 1 1 rg 18 0 9 9 re f 0 1 0 0 k 27 0 9 9 re f' },
    ],
  });
  const { path: out } = await fixedBy(pdf, key);
  const text = contentOf(out);
  expect(text).toMatch(/^0 0 0 1 k 0 0 9 9 re f 0 0 0 0\.\d+ k 9 0 9 9 re f 0 0 0 0 k 18 0 9 9 re f 0 1 0 0 k/);
});

test('only the selected pages and objects change; an image shown on other pages is copied', async () => {
  const page = { content: '1 0 0 rg 0 0 9 9 re f q 40 0 0 40 10 100 cm /I1 Do Q', resources: '/XObject<</I1 7 0 R>>' };
  const pdf = buildPdf({ pages: [page, page], objects });
  const { path: out } = await fixedBy(pdf, key, {}, { pages: '2' });
  expect(contentOf(out, 1)).toBe(page.content);
  look(out, (file) => {
    const spaces: (string | undefined)[] = [];
    for (const number of [1, 2])
      interpretPage(file, number, [{ image: ({ image }) => void spaces.push(image.space?.family) }]);
    expect(spaces).toEqual(['DeviceRGB', 'DeviceCMYK']);
  });
});

test('text and vectors are converted separately; with Keep no colour is converted', async () => {
  const one = (objects: string[], extra: object = {}) => ({ objects, setOutputIntent: false, ...extra });
  const source = '1 0 0 rg 0 0 9 9 re f BT /T 9 Tf (a) Tj ET 20 0 9 9 re f';
  const glyph = { 41: { dict: '', data: '600 0 0 0 600 700 d1 100 0 400 700 re f' } };
  const font =
    '<</Type/Font/Subtype/Type3/FontBBox[0 0 1000 1000]/FontMatrix[0.001 0 0 0.001 0 0]/CharProcs<</a 41 0 R>>/Encoding<</Differences[97/a]>>/FirstChar 97/LastChar 97/Widths[600]/Resources<<>>>>';
  const pdf = buildPdf({
    objects: { 40: font, ...glyph },
    pages: [{ content: source, resources: '/Font<</T 40 0 R>>' }],
  });
  const kinds = (file: string): string[] =>
    look(file, (opened) => {
      const found: string[] = [];
      interpretPage(opened, 1, [
        {
          text: ({ state }) => void found.push(`text ${state.fill.space.family}`),
          path: ({ state, place }) => void (place.run.kind === 'page' && found.push(state.fill.space.family)),
        },
      ]);
      return found;
    });
  const text = await quicklyFixedBy(pdf, key, one(['text']));
  expect(kinds(text.path)).toEqual(['DeviceRGB', 'text DeviceCMYK', 'DeviceRGB']);
  expect((await quicklyFixedBy(bytesOf(text.path), key, one(['text']))).report.changes).toEqual([]);
  const vector = await quicklyFixedBy(pdf, key, one(['vector']));
  expect(kinds(vector.path)).toEqual(['DeviceCMYK', 'text DeviceRGB', 'DeviceCMYK']);
  const both = await quicklyFixedBy(pdf, key, one(['text', 'vector']));
  expect(kinds(both.path)).toEqual(['DeviceCMYK', 'text DeviceCMYK', 'DeviceCMYK']);
  const kept = await quicklyFixedBy(pdf, key, one(['text', 'vector'], { target: 'Keep' }));
  expect(kept.report.actions[0]?.outcome).toBe('NothingToDo');
});

test('a second conversion does nothing', async () => {
  const pdf = buildPdf({ pages: [{ content, resources, extra: '/Group<</S/Transparency/CS/DeviceRGB>>' }], objects });
  const once = await fixedBy(pdf, key);
  const twice = await fixedBy(bytesOf(once.path), key);
  expect(twice.report).toMatchObject({ actions: [{ outcome: 'NothingToDo' }], changes: [] });
});

/** Fill and stroke colours of a page, its patterns and glyphs: space and values in percent. */
function paints(file: string): string[] {
  return look(file, (pdf) => {
    const met: string[] = [];
    const note = ({ space, values, pattern }: Paint): void => {
      if (!pattern) met.push(`${space.family} ${values.map((value) => Math.round(value * 100)).join(' ')}`);
    };
    interpretPage(pdf, 1, [{ path: ({ state }) => note(state.fill), text: ({ state }) => note(state.fill) }]);
    return met;
  });
}

const type3 = {
  40: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  41: {
    dict: '/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 10 10]/XStep 10/YStep 10/Resources<<>>',
    data: '1 0 0 rg 0 0 5 5 re f',
  },
};

test.each([
  [
    'a pattern that fills text',
    '/Pattern cs /P scn BT /T 40 Tf 10 10 Td (a) Tj ET',
    '/Font<</T 40 0 R>>/Pattern<</P 41 0 R>>',
  ],
  ['a palette that paints', '/In cs 1 sc 0 0 9 9 re f', '/ColorSpace<</In[/Indexed/DeviceRGB 1<0000ffff0000>]>>'],
  ['DeviceCMYK that stands for another space', '1 0 0 rg 0 0 9 9 re f', '/ColorSpace<</DefaultCMYK[/ICCBased 6 0 R]>>'],
])('%s is converted', async (_, content, resources) => {
  const pdf = buildPdf({ pages: [{ content, resources }], objects: { ...objects, ...type3 } });
  const { path: out } = await quicklyFixedBy(pdf, key);
  expect(paints(out)).toEqual(['DeviceCMYK 0 97 99 0']);
  const twice = await quicklyFixedBy(bytesOf(out), key);
  expect(twice.report.actions[0]?.outcome).toBe('NothingToDo');
});

test('the colour of an image mask changes where the mask is painted', async () => {
  const content = '0 0 0 rg 50 0 0 50 10 10 cm BI /W 8 /H 1 /IM true ID \xaa EI';
  const { report, path: out } = await quicklyFixedBy(buildPdf({ pages: [{ content }] }), key);
  expect(report.changes).toContainEqual(expect.objectContaining({ what: 'image', after: 'DeviceCMYK 0 0 0 100' }));
  expect(contentOf(out)).toMatch(/^0 0 0 1 k 50 0/);
});

test('thick line joins and uncoloured pattern cells are logged where they show', async () => {
  const pdf = buildPdf({
    pages: [
      {
        content: '1 0 0 RG 20 w 30 30 m 100 160 l 170 30 l S /Pu cs 0 0 1 /U scn 10 170 90 20 re f',
        resources: '/ColorSpace<</Pu[/Pattern/DeviceRGB]>>/Pattern<</U 41 0 R>>',
      },
    ],
    objects: { 41: { ...type3[41], dict: type3[41].dict.replace('PaintType 1', 'PaintType 2'), data: '0 0 5 5 re f' } },
  });
  const { report } = await quicklyFixedBy(pdf, key);
  expect(report.actions[0]).toMatchObject({ outcome: 'Applied', gate: { isPassed: true } });
});

test.each([
  [{ target: 'RGB', sources: 'CMYK' }, ['DeviceRGB 0 0 0', 'DeviceRGB 90 0 49', 'DeviceRGB 90 0 49']],
  [{ target: 'Gray', sources: 'CMYK' }, ['DeviceGray 70', 'DeviceGray 42', 'DeviceGray 42']],
])('%o: black stays neutral, process inks by name count as CMYK', async (settings, expected) => {
  const inks = '[/DeviceN[/Magenta/Black]/DeviceCMYK<</FunctionType 4/Domain[0 1 0 1]/Range[0 1 0 1 0 1 0 1]>>]';
  const black = settings.target === 'RGB' ? '0 0 0 1' : '0 0 0 .3';
  const content = `${black} k 0 0 9 9 re f 0 1 0 0 k 9 0 9 9 re f /N cs 1 0 scn 18 0 9 9 re f`;
  const pdf = buildPdf({ pages: [{ content, resources: `/ColorSpace<</N ${inks}>>` }] });
  const { path: out } = await quicklyFixedBy(pdf, key, settings);
  expect(paints(out)).toEqual(expected);
});

test.each([
  [{ spotHandling: 'Keep' }, 'Separation 70'],
  [{ spotHandling: 'ToProcess' }, 'DeviceCMYK 2 43 74 0'],
  [{ spotHandling: 'ToAlternate', sources: 'Lab' }, 'DeviceRGB 100 65 30'],
  [{ spotHandling: 'MapTo(Gold)' }, 'Separation 70'],
  [{ spotHandling: 'ToProcess', spotNames: 'Gold*' }, 'Separation 70'],
])('spots: %o', async (settings, expected) => {
  const pdf = buildPdf({
    pages: [{ content: '/S cs .7 scn 0 0 9 9 re f', resources: '/ColorSpace<</S 15 0 R>>' }],
    objects,
  });
  const { path: out } = await quicklyFixedBy(pdf, key, settings);
  expect(paints(out)).toEqual([expected]);
  const names = look(out, (file) => [...definedSpots(file).keys()]);
  expect(names).toEqual(expected.startsWith('Sep') ? [settings.spotHandling.includes('Gold') ? 'Gold' : 'Spot'] : []);
  expect((await quicklyFixedBy(bytesOf(out), key, settings)).report.actions[0]?.outcome).toBe('NothingToDo');
});

test('an RGB output intent, also of pages, is replaced; thumbnails are removed and field appearances are converted', async () => {
  const intent = '<</S/GTS_PDFX/OutputConditionIdentifier(sRGB)/DestOutputProfile 6 0 R>>';
  const archival = '<</S/GTS_PDFA1/OutputConditionIdentifier(sRGB)/DestOutputProfile 6 0 R>>';
  const pdf = buildPdf({
    catalog: `/OutputIntents[${intent}${archival}]`,
    pages: [{ content: '1 0 0 rg 0 0 9 9 re f', extra: `/Thumb 7 0 R/OutputIntents[${intent}]` }],
    objects,
  });
  const { path: out } = await quicklyFixedBy(pdf, key);
  look(out, (file) => {
    const list = file.entry(file.catalog, 'OutputIntents');
    const intents = (isArray(list) ? list : []).map((entry) => file.resolve(entry)).filter(isDict);
    const profiles = intents.map((one) => file.entry(one, 'DestOutputProfile')).filter(isDict);
    expect(profiles.map((profile) => file.entry(profile, 'N'))).toEqual([4, 4]);
    expect(file.pages[0]?.dict.map.has('OutputIntents')).toBe(false);
    expect(file.pages[0]?.dict.map.has('Thumb')).toBe(false);
  });
});

test('a JPEG keeps its quality and does not get larger', async () => {
  const [width, height] = [64, 64];
  const source = Uint8Array.from({ length: width * height * 3 }, (_, at) => (at * 37) % 251);
  const data = await encodeJpeg(source, { width, height, components: 3 }, { quality: 60, isSubsampled: true });
  const dict = `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/ColorSpace/DeviceRGB/BitsPerComponent 8`;
  const jpegs = {
    50: { dict: `${dict}/Filter/DCTDecode`, data },
    51: { dict: `${dict}/Filter[/FlateDecode/DCTDecode]`, data: deflateSync(data) },
  };
  const content = '100 0 0 100 0 0 cm /A Do /B Do';
  const pdf = buildPdf({ pages: [{ content, resources: '/XObject<</A 50 0 R/B 51 0 R>>' }], objects: jpegs });
  const { path: out } = await quicklyFixedBy(pdf, key);
  look(out, (file) => {
    const grades: unknown[] = [];
    interpretPage(file, 1, [{ image: ({ image }) => void grades.push(jpegGrade(file.rawStream(image.object))) }]);
    expect(grades).toEqual([
      { quality: 60, isSubsampled: true },
      { quality: 60, isSubsampled: true },
    ]);
  });
});

/** Reference conversions by two other colour engines; skipped without the corpus. */
const corpus =
  process.env.CORPUS_DIR ??
  path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../../../../../shared/corpus');
const oracle = path.join(corpus, 'icc/oracle-icc.json');

interface Oracle {
  lab_in: number[][];
  cmyk_relcol_lcms: number[][];
  rgb_in_srgb: number[][];
  rgb2cmyk_relcol_bpc_lcms: number[][];
  rgb2cmyk_perceptual_lcms: number[][];
}

/** Fill colours of the page in order, in percent. */
function fills(file: string): number[][] {
  const inks: number[][] = [];
  look(file, (pdf) =>
    interpretPage(pdf, 1, [{ path: ({ state }) => void inks.push(state.fill.values.map((value) => value * 100)) }]),
  );
  return inks;
}

const plain = {
  preserve: { neutralToK: false, pureK: false },
  destinationProfile: 'fogra39l-coated',
  setOutputIntent: false,
};
const worst = (ours: readonly number[][], theirs: readonly number[][]): number =>
  Math.max(
    ...theirs.flatMap((colour, index) =>
      colour.map((ink, channel) => Math.abs(ink - (ours[index]?.[channel] ?? Number.NaN))),
    ),
  );

test.skipIf(!existsSync(oracle))('values match other colour engines within 1 % of ink (needs the corpus)', async () => {
  const reference = (JSON.parse(readFileSync(oracle, 'utf8')) as { FOGRA39L_coated: Oracle }).FOGRA39L_coated;
  const boxes = (colours: readonly string[]): string =>
    colours.map((colour, index) => `${colour} ${index} 0 1 1 re f`).join('\n');
  const rgb = buildPdf({
    pages: [
      { content: boxes(reference.rgb_in_srgb.map((colour) => `${colour.map((level) => level / 255).join(' ')} rg`)) },
    ],
  });
  const relative = await fixedBy(rgb, key, plain);
  expect(worst(fills(relative.path), reference.rgb2cmyk_relcol_bpc_lcms)).toBeLessThan(1);
  const perceptual = await fixedBy(rgb, key, { ...plain, intent: 'perceptual', blackPointCompensation: false });
  expect(worst(fills(perceptual.path), reference.rgb2cmyk_perceptual_lcms)).toBeLessThan(1);
  const labPdf = buildPdf({
    pages: [
      {
        content: `/L cs ${boxes(reference.lab_in.map((colour) => `${colour.join(' ')} scn`))}`,
        resources: `/ColorSpace<</L ${lab}>>`,
      },
    ],
  });
  const fromLab = await fixedBy(labPdf, key, { ...plain, blackPointCompensation: false });
  expect(worst(fills(fromLab.path), reference.cmyk_relcol_lcms)).toBeLessThan(1);
});

test.skipIf(!existsSync(oracle))('pixels match other colour engines within 1 % of ink (needs the corpus)', async () => {
  const reference = (JSON.parse(readFileSync(oracle, 'utf8')) as { FOGRA39L_coated: Oracle }).FOGRA39L_coated;
  const data = Uint8Array.from(reference.rgb_in_srgb.flat());
  const dict = `/Type/XObject/Subtype/Image/Width ${reference.rgb_in_srgb.length}/Height 1/ColorSpace/DeviceRGB/BitsPerComponent 8`;
  const { path: out } = await fixedBy(
    buildPdf({
      objects: { 5: { dict, data } },
      pages: [{ content: '100 0 0 100 0 0 cm /I Do', resources: '/XObject<</I 5 0 R>>' }],
    }),
    key,
    plain,
  );
  look(out, (file) => {
    interpretPage(file, 1, [
      {
        image({ image }) {
          const bytes = file.stream(image.object);
          const ours = reference.rgb_in_srgb.map((_, index) =>
            [...bytes.subarray(index * 4, index * 4 + 4)].map((level) => level / 2.55),
          );
          expect(worst(ours, reference.rgb2cmyk_relcol_bpc_lcms)).toBeLessThan(1);
        },
      },
    ]);
  });
});
