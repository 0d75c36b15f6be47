/** Decompression bombs and invalid encoded data. */
import { deflateSync } from 'node:zlib';
import { buildPdf, type ObjectSource } from '../build-pdf.ts';
import { latin1, one, zeroBomb } from './parts.ts';

export function* streams(): Generator<[string, Uint8Array]> {
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
