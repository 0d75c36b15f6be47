import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildPdf, type PdfSource } from '../testing/build-pdf.ts';
import { listen, page } from '../testing/listen-page.ts';
import { withPdf } from '../testing/open-built.ts';
import { interpretPage, objectPath } from './interpret-page.ts';
import { intersect } from './matrix.ts';
import type { PathEvent, Rect } from './types.ts';

describe('images, forms, layers', () => {
  const image = {
    dict: '/Type /XObject /Subtype /Image /Width 300 /Height 150 /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /FlateDecode /SMask 11 0 R',
    data: 'x',
  };
  const mask = {
    dict: '/Type /XObject /Subtype /Image /Width 30 /Height 15 /ColorSpace /DeviceGray /BitsPerComponent 1',
    data: 'x',
  };

  test('resolution is measured along the image axes, with rotation and UserUnit', () => {
    const { images } = page(
      'q 72 0 0 72 5 5 cm /I Do Q q 0 72 -144 0 150 0 cm /I Do Q',
      '/XObject << /I 10 0 R >>',
      { 10: image, 11: mask },
      '/UserUnit 2',
    );
    expect(images.map(({ ppi }) => ppi)).toEqual([
      { x: 150, y: 75 },
      { x: 150, y: 37.5 },
    ]);
    expect(images[1]?.bbox).toEqual([6, 0, 150, 72]);
    expect(images[0]?.image).toMatchObject({
      encoding: 'Flate',
      components: 1,
      softMask: { width: 30, bitsPerComponent: 1 },
    });
  });

  test('inline images with EI inside their data', () => {
    const { images, paths, syntax } = page(
      'q 10 0 0 10 0 0 cm BI /W 4 /H 1 /BPC 8 /CS /G ID a EI EI Q 0 0 1 1 re f',
      '',
    );
    expect(images[0]?.image).toMatchObject({ width: 4, height: 1, components: 1, object: 0 });
    expect(Buffer.from(images[0]?.inlineData ?? []).toString()).toBe('a EI');
    expect(paths).toHaveLength(1);
    expect(syntax).toEqual([]);
  });

  test('nested forms: matrix, clip, resources, group and path of runs', () => {
    const objects = {
      9: {
        dict: '/Type /XObject /Subtype /Form /BBox [0 0 50 50] /Matrix [2 0 0 2 0 0] /Resources << /XObject << /In 10 0 R >> >> /Group << /S /Transparency /I true /CS /DeviceCMYK >>',
        data: '/In Do',
      },
      10: { dict: '/Type /XObject /Subtype /Form /BBox [0 0 100 100]', data: 'q 0 0 500 10 re f Q' },
    };
    const { paths, runs } = page(
      '/G gs 1 0 0 1 10 10 cm /Out Do 0 0 1 1 re f',
      '/XObject << /Out 9 0 R >> /ExtGState << /G << /ca 0.5 >> >>',
      objects,
    );
    expect(paths[0]?.bbox).toEqual([10, 10, 1010, 30]);
    expect(paths[0]?.painted).toEqual([10, 10, 110, 30]);
    expect(paths[0] && objectPath(paths[0].place)).toBe('page/Out/In/op2');
    expect(paths.map(({ state }) => state.fillAlpha)).toEqual([1, 0.5]);
    expect(runs[0]?.run.group).toMatchObject({ isIsolated: true, isKnockout: false, space: { family: 'DeviceCMYK' } });
    expect(runs[0]?.state.fillAlpha).toBe(0.5);
  });

  test('a form that draws itself is not executed again', () => {
    const { syntax, paths } = page('/Fm Do', '/XObject << /Fm 9 0 R >>', {
      9: {
        dict: '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /Fm 9 0 R >> >>',
        data: '0 0 1 1 re f /Fm Do',
      },
    });
    expect(paths).toHaveLength(1);
    expect(syntax.map(({ code }) => code)).toEqual(['content.recursive']);
  });

  test('layers: default view, print usage, membership', () => {
    const objects = {
      20: '<< /Type /OCG /Name (Hidden) >>',
      21: '<< /Type /OCG /Name (Screen) /Usage << /Print << /PrintState /OFF >> >> >>',
      22: '<< /Type /OCMD /OCGs [20 0 R 21 0 R] /P /AllOn >>',
      23: '<< /Type /OCMD /VE [/Not 20 0 R] >>',
    };
    const catalog =
      '/OCProperties << /OCGs [20 0 R 21 0 R] /D << /OFF [20 0 R] /AS [<< /Event /Print /Category [/Print] /OCGs [21 0 R] >>] >> >>';
    const { paths } = listen({
      pages: [
        {
          content: ['/A', '/B', '/C', '/D'].map((name) => `/OC ${name} BDC 0 0 1 1 re f EMC`).join(' '),
          resources: '/Properties << /A 20 0 R /B 21 0 R /C 22 0 R /D 23 0 R >>',
        },
      ],
      objects,
      catalog,
    });
    expect(paths.map(({ layers }) => [layers.names.join(), layers.isVisible, layers.isPrinted])).toEqual([
      ['Hidden', false, false],
      ['Screen', true, false],
      ['Hidden,Screen', false, false],
      ['', true, true],
    ]);
  });

  test('appearances are placed on their rectangle; hidden ones are marked', () => {
    const objects = {
      9: { dict: '/Type /XObject /Subtype /Form /BBox [0 0 10 10]', data: '0 0 10 10 re f' },
      10: '<< /Type /Annot /Subtype /Stamp /Rect [100 100 140 120] /AP << /N 9 0 R >> /F 4 >>',
      11: '<< /Type /Annot /Subtype /Stamp /Rect [0 0 5 5] /AP << /N << /On 9 0 R >> >> /AS /On /F 2 >>',
    };
    const { paths } = page('', '', objects, '/Annots [10 0 R 11 0 R]');
    expect(paths.map(({ bbox }) => bbox)).toEqual([
      [100, 100, 140, 120],
      [0, 0, 5, 5],
    ]);
    expect(paths.map(({ place }) => [place.run.annotation?.isVisible, place.run.annotation?.isPrinted])).toEqual([
      [true, true],
      [false, false],
    ]);
    expect(listen({ pages: [{ extra: '/Annots [10 0 R]' }], objects }, { annotations: false }).paths).toEqual([]);
  });

  test('soft mask groups are executed and marked', () => {
    const { paths } = page('/G gs 0 0 9 9 re f', '/ExtGState << /G << /SMask << /S /Luminosity /G 9 0 R >> >> >>', {
      9: {
        dict: '/Type /XObject /Subtype /Form /BBox [0 0 10 10] /Group << /S /Transparency /CS /DeviceGray >>',
        data: '1 g 0 0 5 5 re f',
      },
    });
    expect(paths.map(({ place }) => place.run.isInSoftMask)).toEqual([true, false]);
    expect(paths[1]?.state.softMask).toMatchObject({ subtype: 'Luminosity', group: 9 });
  });

  test('shadings cover the clip area', () => {
    const { shadings } = page(
      '10 10 20 20 re W n /S sh',
      '/Shading << /S << /ShadingType 2 /ColorSpace /DeviceCMYK /Coords [0 0 1 1] /Function << /FunctionType 2 /Domain [0 1] /N 1 >> >> >>',
    );
    expect(shadings[0]).toMatchObject({
      bbox: [10, 10, 30, 30] as Rect,
      shading: { type: 2, space: { family: 'DeviceCMYK' } },
    });
  });
});

describe('mistakes in content', () => {
  test.each<[string, string]>([
    ['Q', 'restore.unmatched'],
    ['q', 'save.unmatched'],
    ['1 2 foo', 'operator.unknown'],
    ['1 2 3 re f', 'operand.missing'],
    ['9 1 2 3 4 re n', 'operand.tooMany'],
    ['(a) 2 3 4 re n', 'operand.type'],
    ['/No Do', 'resource.missing'],
    ['/No gs', 'resource.missing'],
    ['ET', 'text.unmatched'],
    ['BT BT ET', 'text.nested'],
    ['EMC', 'mark.unmatched'],
    ['/A BMC', 'mark.unmatched'],
    [') q Q', 'token.bad'],
    ['1e300 0 m', 'number.huge'],
  ])('%s is %s', (content, code) => {
    expect(page(content).syntax.map((event) => event.code)).toContain(code);
  });

  const scale = '2 0 0 2 0 0 cm 1 0 0 rg ';
  const strays = [
    // The first surplus Q restores the initial state, further ones have no effect.
    `${scale}Q 10 10 20 20 re f`,
    `${scale}Q ${scale}Q 10 10 20 20 re f`,
    `${scale}Q ${scale}Q Q ${scale}10 10 9 9 re f`,
    `${scale}q 0 0 1 rg Q Q 10 10 20 20 re f`,
    '0 0 15 15 re W n Q 10 10 20 20 re f',
    // A form has no initial state of its own to restore.
    '/Fm Do',
  ];
  test.skipIf(spawnSync('gs', ['--version']).error !== undefined)(
    'restores of nothing do what they do in Ghostscript (needed)',
    () => {
      const source: PdfSource = {
        pages: strays.map((content) => ({ content, resources: '/XObject<</Fm 40 0 R>>' })),
        objects: {
          40: { dict: '/Type/XObject/Subtype/Form/BBox[0 0 100 100]', data: `${scale}Q 10 10 20 20 re f` },
        },
      };
      const drawn = spawnSync('gs', ['-q', '-dSAFER', '-dBATCH', '-dNOPAUSE', '-sDEVICE=bbox', '-'], {
        input: buildPdf(source),
        encoding: 'utf8',
      });
      const boxes = [...drawn.stderr.matchAll(/HiResBoundingBox: (.*)/g)].map(([, edges = '']) =>
        edges.split(' ').map((edge) => Math.round(Number(edge))),
      );
      const seen = withPdf(source, (file) =>
        strays.map((_, index) => {
          let box: readonly number[] = [];
          const path = (event: PathEvent) => {
            box = intersect(event.painted, event.state.clip.bbox).map((edge) => Math.round(edge));
          };
          interpretPage(file, index + 1, [{ path }]);
          return box;
        }),
      );
      expect(seen).toEqual(boxes);
    },
  );

  test('unknown operators between BX and EX are not reported; the rest of the page is executed', () => {
    expect(page('BX foo EX 0 0 1 1 re f').syntax).toEqual([]);
    expect(page('1 2 foo ) Q 0 0 1 1 re f').paths).toHaveLength(1);
  });

  test('any bytes are executed without throwing', () => {
    const operators =
      'q Q cm w re f S n W BT ET Tf Tj TJ Td Tm Do gs cs scn rg k BI ID EI BDC EMC sh d0 d1 BX m l c h'.split(' ');
    const word = fc.oneof(
      fc.constantFrom(...operators),
      fc.constantFrom('1', '-0.5', '/F1', '(x)', '[1 (a)]', '<<', '>>', '1e99', '/P'),
      fc.string({ maxLength: 4 }),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 60 }), (words) => {
        expect(() => page(words.join(' '))).not.toThrow();
      }),
      { numRuns: 150 },
    );
  });
});
