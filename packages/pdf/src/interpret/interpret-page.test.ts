import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { boxOf, page, rounded } from '../testing/listen-page.ts';
import { withPdf } from '../testing/open-built.ts';
import { evaluateTint } from './functions.ts';
import { interpretPage } from './interpret-page.ts';
import { lineWidthUnder } from './state.ts';

describe('paths', () => {
  test.each<[string, number[]]>([
    ['10 20 30 40 re f', [10, 20, 40, 60]],
    ['40 60 -30 -40 re f', [10, 20, 40, 60]],
    ['2 0 0 3 5 5 cm 10 20 30 40 re f', [25, 65, 85, 185]],
    ['0 1 -1 0 100 0 cm 10 20 30 40 re f', [40, 10, 80, 40]],
    ['0 0 m 0 100 100 100 100 0 c f', [0, 0, 100, 75]],
    ['0 0 m 10 10 l 50 50 m S', [0, 0, 10, 10]],
    ['10 10 m 20 10 30 20 v f', [10, 10, 30, 20]],
  ])('%s', (content, box) => {
    expect(boxOf(content)).toEqual(box);
  });

  test('the CTM scales the stroke width; the clip limits the painted area', () => {
    const [event] = page('10 0 0 10 0 0 cm 0.5 w 2 2 10 5 re S').paths;
    expect(event?.lineWidth).toBe(5);
    expect(event?.bbox).toEqual([20, 20, 120, 70]);
    expect(event?.painted).toEqual([17.5, 17.5, 122.5, 72.5]);
    const [clipped] = page('50 50 20 20 re W n 0 0 60 60 re f').paths;
    expect(clipped?.painted).toEqual([50, 50, 60, 60]);
    expect(page('0 0 5 5 re W n 50 50 9 9 re W n 0 0 60 60 re f').paths[0]?.state.clip.isEmpty).toBe(true);
  });

  test('thin filled shapes are recognised as lines', () => {
    expect(page('10 10 100 0.2 re f').paths[0]?.thinFill).toBeCloseTo(0.2);
    expect(page('10 10 m 110 10 l f').paths[0]?.thinFill).toBe(0);
    expect(page('10 10 m 80 80 l 80.2 79.8 l 10.2 9.8 l f').paths[0]?.thinFill).toBeCloseTo(0.283, 2);
    expect(page('10 10 20 20 re f').paths[0]?.thinFill).toBeNull();
  });

  test('segments stay valid after later paths', () => {
    const { paths } = page('1 2 m 3 4 l 5 6 7 8 9 10 c h S 0 0 5 5 re f');
    expect(paths[0]?.segments()).toEqual([['M', 1, 2], ['L', 3, 4], ['C', 5, 6, 7, 8, 9, 10], ['Z']]);
    expect(paths[1]?.isRect).toBe(true);
  });
});

describe('graphics state', () => {
  test('is saved and restored; events hold snapshots', () => {
    const { paths } = page('q 3 w 1 0 0 rg 0 0 1 1 re f Q 0 0 1 1 re f');
    expect(paths.map(({ state }) => state.lineWidth)).toEqual([3, 1]);
    expect(paths.map(({ state }) => state.fill.space.family)).toEqual(['DeviceRGB', 'DeviceGray']);
  });

  test('takes all entries of an ExtGState', () => {
    const { paths } = page(
      '/G gs 0 0 1 1 re f /H gs 0 0 1 1 re f',
      '/ExtGState << /G << /OP true /OPM 1 /ca 0.5 /CA 0.25 /BM [/Foo /Multiply] /LW 7 /RI /Perceptual /D [[3 1] 2] /TR /Identity >> /H << /op false /SMask /None /BM /Normal >> >>',
    );
    expect(paths[0]?.state).toMatchObject({
      strokeOverprint: true,
      fillOverprint: true,
      overprintMode: 1,
      fillAlpha: 0.5,
      strokeAlpha: 0.25,
      blendMode: 'Multiply',
      lineWidth: 7,
      renderingIntent: 'Perceptual',
      dash: [3, 1],
      dashPhase: 2,
    });
    expect(paths[0]?.state.device?.has('TR')).toBe(true);
    expect(paths[1]?.state).toMatchObject({ strokeOverprint: true, fillOverprint: false, blendMode: 'Normal' });
  });

  test('the effective line width is measured in the thinnest direction', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.1, max: 9, noNaN: true }),
        fc.double({ min: 0.1, max: 9, noNaN: true }),
        (x, y) => {
          const [event] = page(`${x.toFixed(4)} 0 0 ${y.toFixed(4)} 0 0 cm 2 w 0 0 m 5 5 l S`).paths;
          expect(event && lineWidthUnder(event.state.ctm, event.state.lineWidth)).toBeCloseTo(
            2 * Math.min(Number(x.toFixed(4)), Number(y.toFixed(4))),
            6,
          );
        },
      ),
      { numRuns: 20 },
    );
  });
});

describe('colour', () => {
  const tint = '<< /FunctionType 2 /Domain [0 1] /N 1 /C0 [0 0 0 0] /C1 [0 0.8 1 0] >>';
  const spaces = `/ColorSpace << /Spot [/Separation /PANTONE#20185#20C /DeviceCMYK ${tint}] /Lab [/Lab << /WhitePoint [1 1 1] >>] /DefaultRGB [/CalRGB << /WhitePoint [1 1 1] >>] /P [/Pattern /DeviceCMYK] >>`;

  test('spaces with their initial and set values', () => {
    const { paths } = page(
      '/Spot cs 0 0 1 1 re f 0.4 scn 0 0 1 1 re f 0.1 0.2 0.3 0.4 K 0 0 1 1 re S /Lab CS 50 20 -20 SCN 0 0 1 1 re S',
      spaces,
    );
    expect(paths[0]?.state.fill).toMatchObject({
      values: [1],
      space: { family: 'Separation', names: ['PANTONE 185 C'] },
    });
    expect(paths[1]?.state.fill.values).toEqual([0.4]);
    expect(paths[2]?.state.stroke).toMatchObject({ values: [0.1, 0.2, 0.3, 0.4], space: { family: 'DeviceCMYK' } });
    expect(paths[3]?.state.stroke).toMatchObject({
      values: [50, 20, -20],
      space: { family: 'Lab', range: [-100, 100, -100, 100] },
    });
  });

  test('Default* spaces replace device spaces and name them', () => {
    const { paths } = page('1 0 0 rg 0 0 1 1 re f 1 g 0 0 1 1 re f', spaces);
    expect(paths[0]?.state.fill.space).toMatchObject({ family: 'CalRGB', substitutes: 'DeviceRGB' });
    expect(paths[1]?.state.fill.space.family).toBe('DeviceGray');
  });

  test('tints can be evaluated', () => {
    withPdf({ pages: [{ content: '/Spot cs 0.5 scn 0 0 1 1 re f', resources: spaces }] }, (file) => {
      let values: number[] | null = null;
      interpretPage(file, 1, [
        { path: ({ state }) => (values = evaluateTint(file, state.fill.space, state.fill.values)) },
      ]);
      expect(values).toEqual([0, 0.4, 0.5, 0]);
    });
  });

  test('tiling patterns are executed once per paint; uncoloured ones use the current colour', () => {
    const objects = {
      9: {
        dict: '/Type /Pattern /PatternType 1 /PaintType 2 /TilingType 1 /BBox [0 0 5 5] /XStep 5 /YStep 5 /Matrix [2 0 0 2 0 0] /Resources << >>',
        data: '1 0 0 rg 0 0 2 2 re f',
      },
    };
    const { paths, runs } = page(
      '/P cs 0 1 0 0 /T scn 0 0 50 50 re f 60 60 9 9 re f',
      `${spaces} /Pattern << /T 9 0 R >>`,
      objects,
    );
    expect(runs.map(({ run }) => run.kind)).toEqual(['pattern']);
    const cell = paths.find(({ place }) => place.run.isInPattern);
    expect(cell?.bbox).toEqual([0, 0, 4, 4]);
    expect(cell?.state.fill).toMatchObject({ space: { family: 'DeviceCMYK' }, values: [0, 1, 0, 0] });
  });
});

test('resource events name the resources of all content streams', () => {
  const named: string[] = [];
  const form = {
    dict: '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << >>',
    data: '/Inner gs /Shade sh 1 0 0 rg',
  };
  withPdf(
    {
      pages: [
        {
          content: 'BT /F1 10 Tf ET /Fm Do /CS0 cs 1 scn /Pattern CS /P1 SCN /Span BMC EMC 0 0 9 9 re f',
          resources: '/XObject << /Fm 9 0 R >>',
        },
      ],
      objects: { 9: form },
    },
    (file) => interpretPage(file, 1, [{ resource: ({ run, op, name }) => named.push(`${run.kind} ${op} ${name}`) }]),
  );
  expect(named).toEqual([
    'page Tf F1',
    'page Do Fm',
    'form gs Inner',
    'form sh Shade',
    'page cs CS0',
    'page CS Pattern',
    'page SCN P1',
  ]);
});

describe('text', () => {
  const font = `/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding /FirstChar 32 /LastChar 122 /Widths [${'500 '.repeat(91)}] /FontDescriptor << /Type /FontDescriptor /Ascent 700 /Descent -200 >> >> >>`;

  test('boxes, glyphs and effective size', () => {
    const [event] = page('2 0 0 2 10 10 cm BT /F1 5 Tf 10 20 Td (ab) Tj ET', font).texts;
    expect(event?.effectiveSize).toBe(10);
    expect(rounded(event?.bbox ?? [])).toEqual([30, 48, 40, 57]);
    expect(event?.glyphs().map(({ unicode, x }) => [unicode, x])).toEqual([
      ['a', 30],
      ['b', 35],
    ]);
  });

  test('spacing, scaling, rise and kerning move the pen', () => {
    const { texts } = page('BT /F1 10 Tf 1 Tc 2 Tw 50 Tz 3 Ts 0 0 Td [(a b) -100 (c)] TJ (d) Tj ET', font);
    // (5+1) + (5+1+2) + (5+1) + 1 + (5+1), halved
    expect(texts[1]?.glyphs()[0]?.x).toBeCloseTo(13.5);
    expect(texts[0]?.glyphs().map(({ x }) => x)).toEqual([0, 3, 7, 10.5]);
    expect(texts[0]?.glyphs()[0]?.y).toBe(3);
    // What the font declares is not moved.
    expect(texts[0]?.glyphs().map(({ advance }) => advance)).toEqual([0.5, 0.5, 0.5, 0.5]);
  });

  test('operators that move to the next line', () => {
    const { texts } = page(
      'BT /F1 10 Tf 12 TL 5 100 Td (a) Tj T* (b) Tj (c) \' 0 -20 TD (d) Tj T* (e) Tj 3 1 (f) " ET',
      font,
    );
    expect(texts.map((event) => event.glyphs()[0]?.y)).toEqual([100, 88, 76, 56, 36, 16]);
    expect(texts[5]?.state.text).toMatchObject({ wordSpacing: 3, charSpacing: 1 });
  });

  test('composite fonts: two bytes per glyph, widths by CID, ToUnicode', () => {
    const objects = {
      9: '<< /Type /Font /Subtype /Type0 /BaseFont /ABCDEF+Foo /Encoding /Identity-H /DescendantFonts [10 0 R] /ToUnicode 11 0 R >>',
      10: '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /ABCDEF+Foo /DW 1000 /W [3 [250 300] 10 12 600] >>',
      11: {
        dict: '',
        data: '1 begincodespacerange <0000> <ffff> endcodespacerange 1 beginbfrange <0003> <0004> <0041> endbfrange',
      },
    };
    const [event] = page('BT /F1 10 Tf <00030004000b0063> Tj ET', '/Font << /F1 9 0 R >>', objects).texts;
    expect(event?.glyphs().map(({ cid, unicode, advance }) => [cid, unicode, Math.round(advance * 1000)])).toEqual([
      [3, 'A', 250],
      [4, 'B', 300],
      [11, '', 600],
      [99, '', 1000],
    ]);
    expect(event?.font).toMatchObject({ baseName: 'Foo', isSubset: true, type: 'CIDFontType2', isEmbedded: false });
  });

  test('vertical writing runs downwards', () => {
    const objects = {
      9: '<< /Type /Font /Subtype /Type0 /BaseFont /Foo /Encoding /Identity-V /DescendantFonts [<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Foo >>] >>',
    };
    const [event] = page('BT /F1 10 Tf 50 100 Td <00010002> Tj ET', '/Font << /F1 9 0 R >>', objects).texts;
    expect(event?.glyphs().map(({ y }) => y)).toEqual([100, 90]);
    expect(rounded(event?.bbox ?? [])).toEqual([45, 80, 55, 100]);
  });

  test('standard fonts without widths get the standard widths', () => {
    const [event] = page(
      'BT /F1 10 Tf (iW) Tj ET',
      '/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>',
    ).texts;
    expect(event?.glyphs().map(({ advance }) => Math.round(advance * 1000))).toEqual([222, 944]);
  });

  test('Type 3 glyphs are executed in the graphics state of the text', () => {
    const objects = {
      9: '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [1 0 0 1 0 0] /FirstChar 97 /LastChar 97 /Widths [1] /CharProcs << /box 10 0 R >> /Encoding << /Differences [97 /box] >> /Resources << >> >>',
      10: { dict: '', data: '1 0 0 0 1 1 d1 1 0 0 rg 0 0 1 1 re f' },
    };
    const { paths, texts } = page('0 1 0 rg BT /F1 10 Tf 5 5 Td (aa) Tj ET', '/Font << /F1 9 0 R >>', objects);
    expect(texts[0]).toMatchObject({ bbox: [5, 5, 25, 15], paints: 'fill' });
    const unseen = page('BT /F1 10 Tf 3 Tr (a) Tj ET', '/Font << /F1 9 0 R >>', objects);
    expect(unseen.texts[0]?.paints).toBe('none');
    expect(paths).toHaveLength(1);
    expect(paths[0]?.bbox).toEqual([5, 5, 15, 15]);
    expect(paths[0]?.state.fill.values).toEqual([0, 1, 0]);
  });

  test('clipping modes clip after ET; mode 3 paints nothing', () => {
    const { texts, paths } = page('BT /F1 10 Tf 3 Tr (a) Tj 7 Tr 20 20 Td (b) Tj ET 0 0 99 99 re f', font);
    expect(texts.map(({ paints }) => paints)).toEqual(['none', 'none']);
    expect(rounded(paths[0]?.painted ?? [])).toEqual([20, 18, 25, 27]);
  });
});
