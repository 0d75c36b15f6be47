/** Circular, deep and very large trees. */
import { buildPdf, type ObjectSource } from '../build-pdf.ts';
import { one, range } from './parts.ts';

export function* trees(): Generator<[string, Uint8Array]> {
  const page = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>';
  const tree = (kids: string, objects: Record<number, ObjectSource> = {}, count = '1'): Uint8Array =>
    buildPdf({ pages: [], objects: { 2: `<< /Type /Pages /Count ${count} /Kids [${kids}] >>`, ...objects } });
  yield ['pages-self', tree('2 0 R')];
  yield ['pages-circle', tree('5 0 R 6 0 R', { 5: '<< /Type /Pages /Kids [2 0 R 6 0 R] >>', 6: page })];
  yield ['pages-count-huge', tree('5 0 R', { 5: page }, '2000000000')];
  yield ['pages-count-negative', tree('5 0 R', { 5: page }, '-7')];
  yield ['pages-none', tree('', {}, '5')];
  yield ['pages-kids-200k-same', tree('5 0 R '.repeat(200_000), { 5: page }, '200000')];
  yield ['pages-kids-null', tree('9 0 R '.repeat(4000), {}, '4000')];
  yield [
    'pages-deep',
    tree(
      '10 0 R',
      Object.fromEntries(range(3000, (i) => [10 + i, `<< /Type /Pages /Count 1 /Kids [${11 + i} 0 R] >>`])),
    ),
  ];
  // Each level refers to the next one twice: 2^40 pages in forty objects.
  yield [
    'pages-doubling',
    tree('10 0 R', {
      ...Object.fromEntries(range(40, (i) => [10 + i, `<< /Type /Pages /Kids [${11 + i} 0 R ${11 + i} 0 R] >>`])),
      50: page,
    }),
  ];
  yield ['pages-parent-circle', tree('5 0 R', { 5: '<< /Type /Page /Parent 5 0 R >>' })];
  yield ['pages-is-page', buildPdf({ pages: [], objects: { 2: page } })];
  yield [
    'names-circle',
    one(
      {},
      { 50: '<< /Kids [50 0 R 51 0 R] >>', 51: '<< /Kids [50 0 R] >>' },
      { catalog: '/Names << /EmbeddedFiles 50 0 R /JavaScript 51 0 R >> /PageLabels 50 0 R' },
    ),
  ];
  yield [
    'outlines-circle',
    one(
      {},
      { 50: '<< /First 51 0 R /Last 51 0 R /Count 9 >>', 51: '<< /Title (x) /Next 51 0 R /Parent 50 0 R >>' },
      { catalog: '/Outlines 50 0 R' },
    ),
  ];
  yield [
    'fields-circle',
    one(
      {},
      { 50: '<< /FT /Sig /Kids [51 0 R] >>', 51: '<< /Kids [50 0 R] /Parent 50 0 R >>' },
      { catalog: '/AcroForm << /Fields [50 0 R 51 0 R] >>' },
    ),
  ];
  yield [
    'actions-circle',
    one(
      {},
      { 50: '<< /S /GoTo /Next [50 0 R 51 0 R] >>', 51: '<< /S /GoTo /Next [50 0 R 51 0 R] >>' },
      { catalog: '/OpenAction 50 0 R' },
    ),
  ];
  yield [
    'layers-circle',
    one(
      { content: '/OC /A BDC 0 0 1 1 re f EMC', resources: '/Properties << /A 50 0 R >>' },
      { 50: '<< /Type /OCMD /OCGs 50 0 R /VE [/And 51 0 R] >>', 51: '[/Or 51 0 R 51 0 R]' },
    ),
  ];
  yield ['labels-huge', one({}, {}, { catalog: '/PageLabels << /Nums [0 << /S /R /St 2000000000 >>] >>' })];
  yield ['labels-letters-huge', one({}, {}, { catalog: '/PageLabels << /Nums [0 << /S /a /St 2000000000 >>] >>' })];
}
