/** Extreme and invalid numbers. */
import { buildPdf } from '../build-pdf.ts';
import { one, range } from './parts.ts';

export function* numbers(): Generator<[string, Uint8Array]> {
  const boxes: Record<string, string> = {
    'box-1e9': '[0 0 1000000000 1000000000]',
    'box-1e38': `[0 0 1${'0'.repeat(38)} 1${'0'.repeat(38)}]`,
    'box-nan': '[0 0 NaN Infinity]',
    'box-minus-zero': '[-0 -0.0 -0 -0]',
    'box-reversed': '[500 500 -500 -500]',
    'box-flat': '[0 0 100 0]',
    'box-tiny': '[0 0 0.0000001 0.0000001]',
    'box-three': '[0 0 100]',
    'box-strings': '[(0) (0) (9) (9)]',
    'box-references': '[50 0 R 51 0 R 52 0 R 53 0 R]',
    'box-many': `[${'1 '.repeat(10_000)}]`,
    'box-name': '/Big',
  };
  for (const [name, box] of Object.entries(boxes)) {
    yield [
      name,
      buildPdf({
        pages: [],
        objects: {
          2: '<< /Type /Pages /Count 1 /Kids [5 0 R] >>',
          5: `<< /Type /Page /MediaBox ${box} /TrimBox ${box} /Rotate 45 /UserUnit -3 >>`,
        },
      }),
    ];
  }
  yield ['userunit-1e9', one({ extra: '/UserUnit 1000000000', content: '0 0 1 1 re f' })];
  yield ['rotate-1e300', one({ extra: `/Rotate 1${'0'.repeat(300)}` })];
  yield [
    'content-numbers-huge',
    one({
      content: `${'9'.repeat(400)} ${'-9'.repeat(200)} m 1e400 1e-400 l 0 0 1e38 1e38 re S ${'1e30 0 0 1e30 0 0 cm '.repeat(50)}0 0 1 1 re f`,
    }),
  ];
  yield [
    'content-singular',
    one({ content: '0 0 0 0 0 0 cm /F1 0 Tf 0 w 0 0 m 0 0 l S [] 0 d [0 0] 0 d [-1] 1e9 d 0 0 1 1 re S' }),
  ];
  yield ['content-million-operands', one({ content: `${'1 '.repeat(1_000_000)}re f` })];
  yield ['content-deep-arrays', one({ content: `${'['.repeat(100_000)}` })];
  yield ['content-deep-dicts', one({ content: `/A ${'<< /B '.repeat(100_000)} BDC` })];
  yield ['content-q-200k', one({ content: 'q '.repeat(200_000) })];
  yield ['content-marks-200k', one({ content: '/A BMC '.repeat(200_000) })];
  yield ['content-string-open', one({ content: `(${'x('.repeat(100_000)}` })];
  yield ['content-inline-open', one({ content: `BI /W 1000000 /H 1000000 ID ${'EI'.repeat(50_000)}` })];
  yield [
    'object-deep-arrays',
    one({}, { 50: `${'['.repeat(100_000)}${']'.repeat(100_000)}` }, { catalog: '/Names 50 0 R' }),
  ];
  yield ['object-deep-dicts', one({}, { 50: `${'<< /A '.repeat(50_000)}` }, { catalog: '/Names 50 0 R' })];
  yield ['name-huge', one({ content: `/${'N'.repeat(1_000_000)} gs` }, {}, { catalog: `/${'K'.repeat(100_000)} 1` })];
  yield ['names-many', one({ content: range(100_000, (i) => `/N${i} gs`).join(' ') })];
  yield ['array-million', one({}, { 50: `[${'0 '.repeat(1_000_000)}]` }, { catalog: '/OutputIntents 50 0 R' })];
}
