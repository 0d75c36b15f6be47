/** Very large and invalid fonts. */
import type { ObjectSource } from '../build-pdf.ts';
import { one, zeroBomb } from './parts.ts';

export function* fonts(): Generator<[string, Uint8Array]> {
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
