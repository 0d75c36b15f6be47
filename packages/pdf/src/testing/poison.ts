/** PDFs that mean harm. Each is made in memory by our own builder; what they ask for is refused or survived, never obeyed. */
import { constants, deflateRawSync, deflateSync } from 'node:zlib';
import { buildPdf, type ObjectSource, type PdfSource } from './build-pdf.ts';

export interface Poison {
  name: string;
  bytes: Uint8Array;
}

const latin1 = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

/** A zlib stream of `mebibytes` zeros in about a kilobyte per mebibyte, made without ever holding them. */
export function zeroBomb(mebibytes: number): Uint8Array {
  const block = deflateRawSync(Buffer.alloc(2 ** 20), { level: 9, finishFlush: constants.Z_FULL_FLUSH });
  const last = deflateRawSync(Buffer.alloc(0));
  return Buffer.concat([
    Buffer.from([0x78, 0xda]),
    ...new Array<Uint8Array>(mebibytes).fill(block),
    last,
    Buffer.alloc(4),
  ]);
}

const one = (
  page: NonNullable<PdfSource['pages']>[number],
  objects: PdfSource['objects'] = {},
  more: Partial<PdfSource> = {},
): Uint8Array => buildPdf({ pages: [page], objects, ...more });
const form = (data: string, resources = '', extra = ''): ObjectSource => ({
  dict: `/Type /XObject /Subtype /Form /BBox [0 0 100 100] /Resources << ${resources} >> ${extra}`,
  data,
});
const range = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const good = one({
  content: 'BT /F1 12 Tf 20 20 Td (good) Tj ET 0 0 9 9 re f',
  resources: '/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>',
});

function* structure(): Generator<[string, Uint8Array]> {
  const source = text(good);
  const startxref = Number(/startxref\n(\d+)/.exec(source)?.[1]);
  yield ['xref-prev-self', latin1(source.replace('/Root', `/Prev ${startxref} /Root`))];
  yield ['xref-prev-negative', latin1(source.replace('/Root', '/Prev -5 /Root'))];
  yield ['xref-prev-beyond', latin1(source.replace('/Root', '/Prev 99999999999 /Root'))];
  yield ['xref-stm-self', latin1(source.replace('/Root', `/XRefStm ${startxref} /Root`))];
  yield ['xref-count-huge', latin1(source.replace(/xref\n0 \d+/, 'xref\n0 2147483647'))];
  yield ['xref-start-huge', latin1(source.replace(/xref\n0 /, 'xref\n4294967290 '))];
  yield ['size-huge', latin1(source.replace(/\/Size \d+/, '/Size 2147483647'))];
  yield ['root-missing', latin1(source.replace('/Root 1 0 R', ''))];
  yield ['root-self', latin1(source.replace('/Root 1 0 R', '/Root 999 0 R'))];
  yield ['root-is-number', latin1(source.replace('/Root 1 0 R', '/Root 42'))];
  yield ['no-xref', latin1(source.slice(0, source.lastIndexOf('xref\n0')))];
  yield ['offsets-all-same', latin1(source.replace(/\d{10} 00000 n/g, '0000000015 00000 n'))];
  yield ['generation-huge', latin1(source.replace(/ 00000 n/g, ' 65535 n'))];
  yield ['header-only', latin1('%PDF-1.7\n')];
  yield ['header-and-eof', latin1('%PDF-1.7\n%%EOF')];
  yield ['nothing-but-spaces', latin1(' '.repeat(100_000))];
  yield ['nothing-but-obj', latin1(`%PDF-1.7\n${'1 0 obj\n'.repeat(50_000)}`)];
  yield ['nothing-but-stream', latin1(`%PDF-1.7\n1 0 obj << /Length 1 >>\n${'stream\n'.repeat(20_000)}`)];
  yield ['same-object-often', latin1(`%PDF-1.7\n${range(5000, (i) => `1 0 obj << /A ${i} >> endobj\n`).join('')}`)];
  yield ['reference-loop', one({}, { 50: '51 0 R', 51: '50 0 R' }, { catalog: '/Outlines 50 0 R /Names 51 0 R' })];
  yield ['reference-self', one({}, { 50: '50 0 R' }, { catalog: '/AcroForm 50 0 R' })];
  yield ['length-loop', one({}, { 50: { dict: '/Length 50 0 R', data: 'x' } }, { catalog: '/Metadata 50 0 R' })];
  yield ['length-huge', one({}, { 50: { dict: '/Length 2147483647', data: 'x' } }, { catalog: '/Metadata 50 0 R' })];
  yield ['length-negative', one({}, { 50: { dict: '/Length -1', data: 'x' } }, { catalog: '/Metadata 50 0 R' })];
  yield [
    'object-stream-self',
    one({}, { 50: { dict: '/Type /ObjStm /N 1 /First 5 /Extends 50 0 R', data: '50 0 << >>' } }),
  ];
  yield ['incremental-3000', incremental(3000)];
  yield ['hybrid', latin1(source.replace('/Root', '/XRefStm 20 /Root'))];
  yield [
    'linearized-lie',
    latin1(
      source.replace(
        '%\xe2',
        '9 0 obj << /Linearized 1 /L 99999999 /H [1 2] /O 9 /E 9 /N 2000000000 /T 9 >> endobj\n%\xe2',
      ),
    ),
  ];
  for (let tenth = 1; tenth < 10; tenth += 1) yield [`cut-${tenth}0`, good.subarray(0, (good.length * tenth) / 10)];
  yield ['polyglot-zip', Buffer.concat([latin1('PK\x03\x04'), good])];
  yield ['polyglot-html', Buffer.concat([latin1('<html><script>alert(1)</script>'), good])];
  yield ['polyglot-png', Buffer.concat([latin1('\x89PNG\r\n\x1a\n'), good])];
  yield ['polyglot-shell', Buffer.concat([latin1('#!/bin/sh\nrm -rf /\n'), good])];
  yield ['header-late', Buffer.concat([Buffer.alloc(1000, 32), good])];
  yield ['header-too-late', Buffer.concat([Buffer.alloc(5000, 32), good])];
  yield ['trailing-megabyte', Buffer.concat([good, Buffer.alloc(1 << 20)])];
  yield ['zeros-between', Buffer.concat([good.subarray(0, 200), Buffer.alloc(1 << 16), good.subarray(200)])];
}

function incremental(count: number): Uint8Array {
  const parts = [text(good)];
  let offset = good.length;
  let previous = Number(/startxref\n(\d+)/.exec(text(good))?.[1]);
  for (let i = 0; i < count; i += 1) {
    const object = `90 0 obj << /I ${i} >> endobj\n`;
    const xref = offset + object.length;
    const part = `${object}xref\n90 1\n${String(offset).padStart(10, '0')} 00000 n \ntrailer << /Size 91 /Root 1 0 R /Prev ${previous} >>\nstartxref\n${xref}\n%%EOF\n`;
    parts.push(part);
    previous = xref;
    offset += part.length;
  }
  return latin1(parts.join(''));
}

function* trees(): Generator<[string, Uint8Array]> {
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
  // Each level names the next twice: 2^40 pages in forty objects.
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

function* numbers(): Generator<[string, Uint8Array]> {
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

function* content(): Generator<[string, Uint8Array]> {
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
  // Each form draws the next ten times: 10^12 drawings.
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

function* colour(): Generator<[string, Uint8Array]> {
  const space = (value: string, objects: Record<number, ObjectSource> = {}): Uint8Array =>
    one(
      {
        content: '/C cs 0.5 0.5 0.5 0.5 scn 0 0 9 9 re f',
        resources: `/ColorSpace << /C ${value} /DefaultRGB 50 0 R /DefaultCMYK 50 0 R >>`,
      },
      objects,
    );
  const tint = '<< /FunctionType 2 /Domain [0 1] /N 1 >>';
  yield ['space-self', space('50 0 R', { 50: '[/Indexed 50 0 R 255 (x)]' })];
  yield [
    'space-circle',
    space('50 0 R', { 50: `[/Separation /A 51 0 R ${tint}]`, 51: `[/DeviceN [/B] 50 0 R ${tint}]` }),
  ];
  yield [
    'space-deep',
    space('50 0 R', Object.fromEntries(range(200, (i) => [50 + i, `[/Separation /A ${51 + i} 0 R ${tint}]`]))),
  ];
  yield ['space-names-65k', space(`[/DeviceN [${range(65_000, (i) => `/S${i}`).join(' ')}] /DeviceCMYK ${tint}]`)];
  yield ['space-indexed-huge', space('[/Indexed /DeviceRGB 2000000000 (x)]')];
  yield [
    'space-icc-bomb',
    space('[/ICCBased 50 0 R]', {
      50: { dict: '/N 2000000000 /Alternate [/ICCBased 50 0 R] /Filter /FlateDecode', data: zeroBomb(50) },
    }),
  ];
  yield ['space-odd', space('[/Lab << /Range [1e30 -1e30] >>]')];
  yield ['space-empty', space('[]')];
  const spot = (fn: string, objects: Record<number, ObjectSource> = {}): Uint8Array =>
    space(`[/Separation /Spot /DeviceCMYK ${fn}]`, objects);
  const calculator = (program: string): Record<number, ObjectSource> => ({
    51: { dict: '/FunctionType 4 /Domain [0 1] /Range [0 1 0 1 0 1 0 1]', data: program },
  });
  yield [
    'function-self',
    spot('51 0 R', {
      51: '<< /FunctionType 3 /Domain [0 1] /Functions [51 0 R 51 0 R] /Bounds [0.5] /Encode [0 1 0 1] >>',
    }),
  ];
  yield ['function-4-deep', spot('51 0 R', calculator('{'.repeat(50_000)))];
  yield ['function-4-copy', spot('51 0 R', calculator(`{ ${'2000000000 copy dup '.repeat(5000)} }`))];
  yield ['function-4-roll', spot('51 0 R', calculator(`{ ${'1 2 3 1000000000 2000000000 roll '.repeat(2000)} }`))];
  yield ['function-4-nan', spot('51 0 R', calculator('{ 0 0 div sqrt ln 0 0 idiv 0 mod }'))];
  yield [
    'function-0-huge',
    spot('51 0 R', {
      51: {
        dict: '/FunctionType 0 /Domain [0 1] /Range [0 1 0 1 0 1 0 1] /Size [2000000000] /BitsPerSample 32',
        data: 'x',
      },
    }),
  ];
  yield [
    'function-0-dimensions',
    spot('51 0 R', {
      51: {
        dict: `/FunctionType 0 /Domain [${'0 1 '.repeat(60)}] /Range [0 1] /Size [${'9 '.repeat(60)}] /BitsPerSample 8`,
        data: 'x',
      },
    }),
  ];
  yield [
    'shading-self',
    one(
      { content: '/S sh', resources: '/Shading << /S 50 0 R >>' },
      { 50: '<< /ShadingType 9 /ColorSpace [/Pattern 50 0 R] /BBox [0 0] /Function 50 0 R >>' },
    ),
  ];
}

function* streams(): Generator<[string, Uint8Array]> {
  const page = (dict: string, data: string | Uint8Array): Uint8Array =>
    buildPdf({
      pages: [],
      objects: {
        2: '<< /Type /Pages /Kids [5 0 R] >>',
        5: '<< /Type /Page /MediaBox [0 0 9 9] /Contents 6 0 R >>',
        6: { dict, data },
      },
    });
  yield ['flate-bomb-10g', page('/Filter /FlateDecode', zeroBomb(10_000))];
  yield ['flate-bomb-nested', page('/Filter [/FlateDecode /FlateDecode]', deflateSync(zeroBomb(10_000)))];
  yield [
    'flate-bomb-nested-3',
    page('/Filter [/FlateDecode /FlateDecode /FlateDecode]', deflateSync(deflateSync(zeroBomb(10_000)))),
  ];
  yield ['flate-garbage', page('/Filter /FlateDecode', 'x\x9cthis is no deflate data at all')];
  yield ['flate-cut', page('/Filter /FlateDecode', deflateSync(latin1('0 0 1 1 re f '.repeat(1000))).subarray(0, 40))];
  yield ['filters-thousand', page(`/Filter [${'/ASCIIHexDecode '.repeat(1000)}]`, '30')];
  yield ['filter-unknown', page('/Filter /NoSuchDecode', 'x')];
  yield [
    'filter-self',
    buildPdf({
      pages: [],
      objects: {
        2: '<< /Type /Pages /Kids [5 0 R] >>',
        5: '<< /Type /Page /Contents 6 0 R >>',
        6: { dict: '/Filter 6 0 R /DecodeParms 6 0 R', data: 'x' },
      },
    }),
  ];
  yield [
    'predictor-huge',
    page(
      '/Filter /FlateDecode /DecodeParms << /Predictor 15 /Columns 2000000000 /Colors 32 /BitsPerComponent 16 >>',
      deflateSync(latin1('x')),
    ),
  ];
  yield [
    'lzw-garbage',
    page('/Filter /LZWDecode /DecodeParms << /EarlyChange 7 >>', '\x80\x0b\x60\x50\x22\x0c\x0c\x85\x01'),
  ];
  yield ['runlength-bomb', page('/Filter /RunLengthDecode', '\x81\x00'.repeat(100_000))];
  yield ['ascii85-garbage', page('/Filter /ASCII85Decode', 'zzzzz~~~>>>sssss')];
  yield ['crypt-filter', page('/Filter /Crypt /DecodeParms << /Name /Identity >>', '0 0 1 1 re f')];
  yield ['external-file', page('/F (/etc/passwd) /FFilter /FlateDecode', 'x')];
  const image = (
    dict: string,
    data: string | Uint8Array = 'x',
    objects: Record<number, ObjectSource> = {},
  ): Uint8Array =>
    one(
      { content: '9 0 0 9 0 0 cm /I Do', resources: '/XObject << /I 50 0 R >>' },
      { 50: { dict: `/Type /XObject /Subtype /Image ${dict}`, data }, ...objects },
    );
  yield ['image-giant', image('/Width 2147483647 /Height 2147483647 /BitsPerComponent 16 /ColorSpace /DeviceCMYK')];
  yield ['image-negative', image('/Width -5 /Height 0 /BitsPerComponent -8 /ColorSpace /DeviceRGB')];
  yield ['image-nothing', image('')];
  yield [
    'image-mask-self',
    image('/Width 1 /Height 1 /SMask 50 0 R /Mask 50 0 R /BitsPerComponent 8 /ColorSpace /DeviceGray'),
  ];
  yield [
    'image-mask-circle',
    image('/Width 1 /Height 1 /SMask 51 0 R', 'x', {
      51: { dict: '/Subtype /Image /Width 1 /Height 1 /SMask 50 0 R', data: 'x' },
    }),
  ];
  yield ['image-alternates-self', image('/Width 1 /Height 1 /Alternates [<< /Image 50 0 R >>] /OPI << /2.0 50 0 R >>')];
  yield [
    'jbig2-giant',
    image(
      '/Width 99999999 /Height 99999999 /Filter /JBIG2Decode /DecodeParms << /JBIG2Globals 50 0 R >>',
      `\0\0\0\0\x30\0\x01\0\0\0\x13${'\xff'.repeat(19)}`,
    ),
  ];
  yield [
    'jpx-giant',
    image('/Filter /JPXDecode', `\xff\x4f\xff\x51\x00\x2f\x00\x00${'\x7f\xff\xff\xff'.repeat(8)}\xff\xff\x07\x01\x01`),
  ];
  yield ['jpx-boxes-loop', image('/Filter /JPXDecode', `${'\0\0\0\x08junk'.repeat(5000)}`)];
  yield [
    'dct-garbage',
    image('/Width 9 /Height 9 /Filter /DCTDecode', '\xff\xd8\xff\xc0\x00\x11\x08\xff\xff\xff\xff\x04'),
  ];
  yield [
    'ccitt-giant',
    image('/Width 1 /Height 1 /Filter /CCITTFaxDecode /DecodeParms << /Columns 2000000000 /Rows 2000000000 /K -1 >>'),
  ];
}

function* fonts(): Generator<[string, Uint8Array]> {
  const font = (dict: string, objects: Record<number, ObjectSource> = {}, shown = '<000100020003>'): Uint8Array =>
    one(
      { content: `BT /F 9 Tf ${shown} Tj ET`, resources: '/Font << /F 50 0 R >>' },
      { 50: `<< /Type /Font ${dict} >>`, ...objects },
    );
  const composite = (cmap: string): Uint8Array =>
    font(
      '/Subtype /Type0 /BaseFont /A /Encoding 51 0 R /ToUnicode 51 0 R /DescendantFonts [<< /Subtype /CIDFontType2 /BaseFont /A /W [0 2000000000 500] >>]',
      { 51: { dict: '/UseCMap 51 0 R', data: cmap } },
    );
  yield ['cmap-usecmap-self', composite('/Self usecmap 1 begincodespacerange <00> <ff> endcodespacerange')];
  yield [
    'cmap-range-huge',
    composite(
      '1 begincodespacerange <00000000> <ffffffff> endcodespacerange 1 begincidrange <00000000> <ffffffff> 0 endcidrange 1 beginbfrange <00000000> <ffffffff> <0000> endbfrange',
    ),
  ];
  yield ['cmap-ranges-100k', composite(`100000 begincidrange ${'<0000> <ffff> 0 '.repeat(100_000)}endcidrange`)];
  yield ['cmap-empty-space', composite('1 begincodespacerange <> <> endcodespacerange')];
  yield [
    'cmap-reversed',
    composite('1 begincodespacerange <ffff> <0000> endcodespacerange 1 beginbfrange <ffff> <0000> <0041> endbfrange'),
  ];
  yield ['cmap-garbage', composite('begincidrange <<[(<endcidrange beginbfchar beginbfchar'.repeat(100))];
  yield ['font-descendant-self', font('/Subtype /Type0 /BaseFont /A /Encoding /Identity-H /DescendantFonts [50 0 R]')];
  yield [
    'font-widths-huge',
    font(
      `/Subtype /TrueType /BaseFont /A /FirstChar -2000000000 /LastChar 2000000000 /Widths [${'1e30 '.repeat(5000)}]`,
    ),
  ];
  yield [
    'font-program-garbage',
    font(
      '/Subtype /TrueType /BaseFont /A /FontDescriptor << /FontFile2 51 0 R /FontBBox [1e30 -1e30] /Ascent 1e30 >>',
      { 51: { dict: '', data: `\0\x01\0\0\xff\xff${'\xff'.repeat(500)}` } },
    ),
  ];
  yield [
    'font-cff-garbage',
    font('/Subtype /Type1 /BaseFont /A /FontDescriptor << /FontFile3 51 0 R >>', {
      51: { dict: '/Subtype /Type1C', data: '\x01\0\xff\x04\xff\xff\x04\xff\xff\xff\xff' },
    }),
  ];
  yield [
    'font-program-bomb',
    font('/Subtype /TrueType /BaseFont /A /FontDescriptor << /FontFile2 51 0 R >>', {
      51: { dict: '/Filter /FlateDecode', data: zeroBomb(2000) },
    }),
  ];
  yield [
    'font-encoding-self',
    font(
      '/Subtype /Type1 /BaseFont /Helvetica /Encoding 51 0 R',
      { 51: '<< /BaseEncoding 51 0 R /Differences 51 0 R >>' },
      '(abc)',
    ),
  ];
  yield [
    'text-huge',
    one({
      content: `BT /F 1e30 Tf 1e30 Tc 1e30 Tw 1e30 Tz (${'x'.repeat(200_000)}) Tj [${'1e30 (x) '.repeat(5000)}] TJ ET`,
      resources: '/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>',
    }),
  ];
}

function* carriers(): Generator<[string, Uint8Array]> {
  const script = '<< /S /JavaScript /JS (while \\(true\\) app.alert\\(1\\)) >>';
  yield [
    'javascript-everywhere',
    one(
      { extra: `/AA << /O ${script} >>` },
      {},
      { catalog: `/OpenAction ${script} /Names << /JavaScript << /Names [(a) ${script}] >> >>` },
    ),
  ];
  yield [
    'launch',
    one({
      extra:
        '/Annots [<< /Subtype /Link /Rect [0 0 99 99] /A << /S /Launch /F (/bin/sh) /Win << /F (cmd.exe) >> >> >>]',
    }),
  ];
  yield ['uri', one({}, {}, { catalog: '/OpenAction << /S /URI /URI (http://169.254.169.254/latest/meta-data) >>' })];
  yield [
    'submit-form',
    one(
      {},
      {},
      {
        catalog:
          '/AcroForm << /Fields [<< /FT /Tx /T (a) /AA << /K << /S /SubmitForm /F (http://localhost/) >> >> >>] >>',
      },
    ),
  ];
  yield [
    'xfa-entities',
    one(
      {},
      {
        50: {
          dict: '',
          data: '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;">]><xdp>&b;<x href="file:///etc/passwd"/></xdp>',
        },
      },
      { catalog: '/AcroForm << /XFA 50 0 R /Fields [] >>' },
    ),
  ];
  yield [
    'embedded-names',
    one(
      {},
      { 50: { dict: '/Type /EmbeddedFile', data: 'x' } },
      {
        catalog:
          '/Names << /EmbeddedFiles << /Names [(../../../../etc/cron.d/x) << /F (../../x) /EF << /F 50 0 R >> >> (a\\000b) << /EF << /F 50 0 R >> >>] >> >>',
      },
    ),
  ];
  yield [
    'metadata-bomb',
    one(
      {},
      { 50: { dict: '/Type /Metadata /Filter /FlateDecode', data: zeroBomb(3000) } },
      { catalog: '/Metadata 50 0 R' },
    ),
  ];
  yield [
    'metadata-entities',
    one(
      {},
      { 50: { dict: '/Type /Metadata', data: `<!DOCTYPE lolz [<!ENTITY a "b">]>${'pdfaid:part="'.repeat(50_000)}` } },
      { catalog: '/Metadata 50 0 R' },
    ),
  ];
  yield [
    'info-huge',
    one(
      {},
      { 50: `<< /Producer (${'P'.repeat(1_000_000)}) /Title <feff${'d800'.repeat(1000)}> >>` },
      { trailer: '/Info 50 0 R' },
    ),
  ];
  const encrypt = (dict: string): Uint8Array =>
    one(
      { content: '0 0 1 1 re f' },
      { 50: `<< /Filter /Standard ${dict} >>` },
      { trailer: '/Encrypt 50 0 R /ID [(0123456789abcdef) (0123456789abcdef)]' },
    );
  const keys = `/O <${'00'.repeat(32)}> /U <${'00'.repeat(32)}> /P -4`;
  yield ['encrypt-1', encrypt(`/V 1 /R 2 ${keys}`)];
  yield ['encrypt-2-bits', encrypt(`/V 2 /R 3 /Length 99999 ${keys}`)];
  yield ['encrypt-4', encrypt(`/V 4 /R 4 /StmF /X /StrF /X /CF << /X << /CFM /AESV2 >> >> ${keys}`)];
  yield ['encrypt-5', encrypt(`/V 5 /R 6 /OE <00> /UE <00> /Perms <00> ${keys}`)];
  yield ['encrypt-99', encrypt(`/V 99 /R 99 ${keys}`)];
  yield [
    'encrypt-self',
    one({}, { 50: '<< /Filter /Standard /V 4 /CF 50 0 R /StmF /CF /StrF /CF >>' }, { trailer: '/Encrypt 50 0 R' }),
  ];
  yield ['encrypt-handler', encrypt('/Filter /Adobe.PubSec /V 4 /Recipients [(x)]')];
}

/** All of them; more than 120, the same at every call. */
export function poisonPdfs(): Poison[] {
  const families = [structure, trees, numbers, content, colour, streams, fonts, carriers];
  return families.flatMap((family) => [...family()].map(([name, bytes]) => ({ name, bytes })));
}
