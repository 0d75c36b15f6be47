/** Circular and multiplying content streams. One function, because it is a plain list of files. */
import { buildPdf, type ObjectSource } from '../build-pdf.ts';
import { form, one, range } from './parts.ts';

export function* content(): Generator<[string, Uint8Array]> {
  yield [
    'form-self',
    one(
      { content: '/F Do', resources: '/XObject << /F 50 0 R >>' },
      { 50: form('/F Do /F Do', '/XObject << /F 50 0 R >>') },
    ),
  ];
  yield [
    'form-circle',
    one(
      { content: '/F Do', resources: '/XObject << /F 50 0 R >>' },
      { 50: form('/F Do', '/XObject << /F 51 0 R >>'), 51: form('/F Do', '/XObject << /F 50 0 R >>') },
    ),
  ];
  yield [
    'form-chain-500',
    one(
      { content: '/F Do', resources: '/XObject << /F 50 0 R >>' },
      Object.fromEntries(range(500, (i) => [50 + i, form('/F Do', `/XObject << /F ${51 + i} 0 R >>`)])),
    ),
  ];
  // Each form draws the next one ten times: 10^12 drawings.
  yield [
    'form-multiplying',
    one(
      { content: '/F Do', resources: '/XObject << /F 50 0 R >>' },
      Object.fromEntries(range(12, (i) => [50 + i, form('/F Do '.repeat(10), `/XObject << /F ${51 + i} 0 R >>`)])),
    ),
  ];
  yield [
    'form-box-bad',
    one(
      { content: '/F Do', resources: '/XObject << /F 50 0 R >>' },
      { 50: { dict: '/Type /XObject /Subtype /Form /BBox [0 0] /Matrix [1 (a) 3]', data: '0 0 1 1 re f' } },
    ),
  ];
  const pattern = (data: string, resources: string, extra = ''): ObjectSource => ({
    dict: `/PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 5 5] /XStep 5 /YStep 5 /Resources << ${resources} >> ${extra}`,
    data,
  });
  yield [
    'pattern-self',
    one(
      { content: '/Pattern cs /P scn 0 0 99 99 re f', resources: '/Pattern << /P 50 0 R >>' },
      { 50: pattern('/Pattern cs /P scn 0 0 9 9 re f', '/Pattern << /P 50 0 R >>') },
    ),
  ];
  yield [
    'pattern-step-zero',
    one(
      { content: '/Pattern cs /P scn 0 0 99 99 re f', resources: '/Pattern << /P 50 0 R >>' },
      { 50: pattern('0 0 1 1 re f', '', '/XStep 0 /YStep 0') },
    ),
  ];
  yield [
    'pattern-step-tiny',
    one(
      { content: '/Pattern cs /P scn 0 0 99999 99999 re f', resources: '/Pattern << /P 50 0 R >>' },
      { 50: pattern('0 0 1 1 re f', '', '/XStep 0.00001 /YStep 0.00001') },
    ),
  ];
  const type3 = (procedure: string, resources: string): Record<number, ObjectSource> => ({
    50: `<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [1 0 0 1 0 0] /FirstChar 97 /LastChar 97 /Widths [1] /CharProcs << /a 51 0 R >> /Encoding << /Differences [97 /a] >> /Resources << ${resources} >> >>`,
    51: { dict: '', data: procedure },
  });
  const showType3 = { content: `BT /F 9 Tf (${'a'.repeat(5000)}) Tj ET`, resources: '/Font << /F 50 0 R >>' };
  yield ['type3-self', one(showType3, type3('1 0 d0 BT /F 1 Tf (aaaa) Tj ET', '/Font << /F 50 0 R >>'))];
  yield [
    'type3-matrix-zero',
    one(showType3, {
      ...type3('0 0 1 1 re f', ''),
      50: String(type3('', '')[50]).replace('[1 0 0 1 0 0]', '[0 0 0 0 0 0]'),
    }),
  ];
  yield [
    'type3-differences-huge',
    one(showType3, {
      ...type3('', ''),
      50: String(type3('', '')[50]).replace('[97 /a]', `[2000000000 ${'/a '.repeat(50_000)}]`),
    }),
  ];
  const masked = (group: string): Record<number, ObjectSource> => ({
    50: form(group, '/ExtGState << /G 51 0 R >>', '/Group << /S /Transparency >>'),
    51: '<< /SMask << /S /Luminosity /G 50 0 R >> >>',
  });
  yield [
    'mask-self',
    one({ content: '/G gs 0 0 9 9 re f', resources: '/ExtGState << /G 51 0 R >>' }, masked('/G gs 0 0 9 9 re f')),
  ];
  yield [
    'appearance-self',
    one(
      { extra: '/Annots [52 0 R]' },
      {
        50: form('/F Do', '/XObject << /F 50 0 R >>'),
        52: '<< /Subtype /Stamp /Rect [0 0 9 9] /AP << /N 50 0 R >> >>',
      },
    ),
  ];
  yield [
    'annotations-100k',
    one(
      { extra: `/Annots [${'52 0 R '.repeat(100_000)}]` },
      { 52: '<< /Subtype /Link /Rect [0 0 9 9] /Parent 52 0 R /Popup 52 0 R >>' },
    ),
  ];
  yield [
    'contents-self',
    buildPdf({
      pages: [],
      objects: {
        2: '<< /Type /Pages /Kids [5 0 R] >>',
        5: '<< /Type /Page /Contents [5 0 R 6 0 R 6 0 R] >>',
        6: { dict: '', data: '0 0 1 1 re f' },
      },
    }),
  ];
  yield [
    'contents-100k-streams',
    buildPdf({
      pages: [],
      objects: {
        2: '<< /Type /Pages /Kids [5 0 R] >>',
        5: `<< /Type /Page /Contents [${'6 0 R '.repeat(100_000)}] >>`,
        6: { dict: '', data: '0 0 1 1 re f' },
      },
    }),
  ];
  yield [
    'resources-self',
    one(
      { content: '/F Do', extra: '/X 1' },
      {
        50: '<< /XObject << /F 51 0 R >> /Font 50 0 R /ColorSpace 50 0 R /Pattern 50 0 R >>',
        51: { dict: '/Subtype /Form /BBox [0 0 9 9] /Resources 50 0 R', data: '/F Do /F cs /F gs /F sh' },
      },
      { pageTree: '/Resources 50 0 R' },
    ),
  ];
  yield [
    'fonts-65k',
    one({
      resources: `/Font << ${range(65_000, (i) => `/F${i} << /Type /Font /Subtype /Type1 /BaseFont /A${i} >>`).join(' ')} >>`,
    }),
  ];
  yield ['images-60k', one({ content: 'BI /W 1 /H 1 /BPC 8 /CS /G ID x EI '.repeat(60_000) })];
}
