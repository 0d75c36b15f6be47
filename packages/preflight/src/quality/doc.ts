/** PDFs for the rule tests: a page with valid boxes, and variants of it with the same or with no visible content. */
import { buildPdf, type ObjectSource, type PdfSource } from '@pdf2press/pdf/testing';
import { mm } from '@pdf2press/settings';

export interface Doc {
  content: string;
  /** Resource dictionary without << >>. */
  resources?: string;
  objects?: Record<number, ObjectSource>;
  media?: readonly number[];
  trim?: readonly number[] | null;
  bleed?: readonly number[] | null;
  /** Further entries of the page dictionary. */
  extra?: string;
  catalog?: string;
  trailer?: string;
  version?: string;
  /** Further pages; fields left out are those of the first page. */
  morePages?: readonly Partial<Doc>[];
  /** Changes the bytes of the finished file. */
  mangle?: (bytes: Buffer) => Uint8Array;
}

const standardMedia = [0, 0, 400, 500];
const standardTrim = [20, 20, 380, 480];
const standardBleed = [20 - mm(3), 20 - mm(3), 380 + mm(3), 480 + mm(3)];

/** Fonts, spot colours, images and graphics states for page contents; object numbers from 300. */
export const library: Record<number, ObjectSource> = {
  300:
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /FirstChar 32 /LastChar 126 /Widths [' +
    '500 '.repeat(95) +
    '] /FontDescriptor 301 0 R >>',
  301: '<< /Type /FontDescriptor /FontName /Helvetica /Flags 32 /FontBBox [0 -200 1000 800] /Ascent 800 /Descent -200 /CapHeight 700 /ItalicAngle 0 /StemV 80 /FontFile 302 0 R >>',
  302: { dict: '/Length1 20 /Length2 0 /Length3 0', data: '%!PS-AdobeFont-1.0: Helvetica\n' },
  303: '<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>',
  304: { dict: image(100, 100, '/DeviceCMYK', 8), data: new Uint8Array(40_000).fill(128) },
  305: { dict: image(400, 400, '/DeviceGray', 1), data: new Uint8Array(20_000).fill(0x55) },
  306: '[/Separation /Gold /DeviceCMYK 307 0 R]',
  307: '<< /FunctionType 2 /Domain [0 1] /N 1 /C0 [0 0 0 0] /C1 [0 0.2 0.8 0.1] >>',
  308: '[/Separation /All /DeviceCMYK 309 0 R]',
  309: '<< /FunctionType 2 /Domain [0 1] /N 1 /C0 [0 0 0 0] /C1 [1 1 1 1] >>',
  310: '[/Separation /CutContour /DeviceCMYK 311 0 R]',
  311: '<< /FunctionType 2 /Domain [0 1] /N 1 /C0 [0 0 0 0] /C1 [0 1 0 0] >>',
  312: '[/Lab << /WhitePoint [0.9642 1 0.8249] /Range [-100 100 -100 100] >>]',
  313: '[/Separation /GOLD /DeviceCMYK 307 0 R]',
  314: '[/Separation /Silver /DeviceCMYK 307 0 R]',
  315: '[/Separation /Gold#20C /DeviceCMYK 316 0 R]',
  316: '<< /FunctionType 2 /Domain [0 1] /N 1 /C0 [0 0 0 0] /C1 [0 0.2 0.81 0.1] >>',
  320: '<< /Type /ExtGState /OP true /op true /OPM 1 >>',
  321: '<< /Type /ExtGState /OP true /op true /OPM 0 >>',
  322: '<< /Type /ExtGState /ca 0.5 /CA 0.5 >>',
  323: '<< /Type /ExtGState /BM /Multiply >>',
  324: '<< /Type /ExtGState /TR /Identity >>',
};

function image(width: number, height: number, space: string, bits: number): string {
  return `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace ${space} /BitsPerComponent ${bits}`;
}

export const libraryResources =
  '/Font << /F1 300 0 R /F2 303 0 R >> /XObject << /Im 304 0 R /Bit 305 0 R >>' +
  ' /ColorSpace << /Gold 306 0 R /All 308 0 R /Cut 310 0 R /Lab 312 0 R /Gold2 313 0 R /Silver 314 0 R /GoldC 315 0 R >>' +
  ' /ExtGState << /Over 320 0 R /Over0 321 0 R /Half 322 0 R /Mult 323 0 R /TrId 324 0 R >>';

const list = (box: readonly number[]): string => `[${box.map((value) => value.toFixed(5)).join(' ')}]`;

function pageOf(doc: Doc) {
  const trim = doc.trim === undefined ? standardTrim : doc.trim;
  const bleed = doc.bleed === undefined ? standardBleed : doc.bleed;
  const boxes = `${trim ? `/TrimBox ${list(trim)}` : ''} ${bleed ? `/BleedBox ${list(bleed)}` : ''}`;
  return {
    content: doc.content,
    mediaBox: doc.media ?? standardMedia,
    resources: doc.resources ?? libraryResources,
    extra: `${boxes} ${doc.extra ?? ''}`,
  };
}

export function pdfOf(doc: Doc): Uint8Array {
  const pages = [doc, ...(doc.morePages ?? []).map((page) => ({ ...doc, ...page }))].map(pageOf);
  const source: PdfSource = {
    pages,
    objects: { ...library, ...doc.objects },
    ...(doc.catalog !== undefined && { catalog: doc.catalog }),
    ...(doc.trailer !== undefined && { trailer: doc.trailer }),
    ...(doc.version !== undefined && { version: doc.version }),
  };
  const bytes = buildPdf(source);
  return doc.mangle ? doc.mangle(Buffer.from(bytes)) : bytes;
}

export type Variant = (doc: Doc) => Doc;
const mapped = (
  box: readonly number[] | null | undefined,
  standard: readonly number[],
  map: (value: number, index: number) => number,
) => (box === null ? null : (box ?? standard).map(map));

/** The same page written differently: the findings must be the same. */
export const sameFindings: Readonly<Record<string, Variant>> = {
  plain: (doc) => doc,
  form: (doc) => ({
    ...doc,
    content: '/Nest Do',
    resources: '/XObject << /Nest 400 0 R >>',
    objects: {
      ...doc.objects,
      400: {
        dict: `/Type /XObject /Subtype /Form /BBox [-9999 -9999 9999 9999] /Resources << ${doc.resources ?? libraryResources} >>`,
        data: doc.content,
      },
    },
  }),
  rotated: (doc) => ({ ...doc, extra: `${doc.extra ?? ''} /Rotate 90` }),
  userUnit: (doc) => ({
    ...doc,
    content: `0.5 0 0 0.5 0 0 cm ${doc.content}`,
    media: (doc.media ?? standardMedia).map((value) => value / 2),
    trim: mapped(doc.trim, standardTrim, (value) => value / 2),
    bleed: mapped(doc.bleed, standardBleed, (value) => value / 2),
    extra: `${doc.extra ?? ''} /UserUnit 2`,
  }),
  negativeOrigin: (doc) => {
    const shift = (value: number, index: number) => value + (index % 2 === 0 ? -300 : -700);
    return {
      ...doc,
      content: `1 0 0 1 -300 -700 cm ${doc.content}`,
      media: (doc.media ?? standardMedia).map(shift),
      trim: mapped(doc.trim, standardTrim, shift),
      bleed: mapped(doc.bleed, standardBleed, shift),
    };
  },
};

/**
 * The same page as the cell of a tiling pattern whose origin lies off the page: it shows where the second cell to the
 * right and the third one above are. Only for objects: annotations and boxes are not in a pattern.
 */
export const tiled: Variant = (doc) => {
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = doc.media ?? standardMedia;
  const [width, height] = [x1 - x0, y1 - y0];
  return {
    ...doc,
    content: `/Pattern cs /Page scn ${x0} ${y0} ${width} ${height} re f`,
    resources: '/Pattern << /Page 400 0 R >>',
    objects: {
      ...doc.objects,
      400: {
        dict:
          `/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [${x0} ${y0} ${x1} ${y1}] /XStep ${width}` +
          ` /YStep ${height} /Matrix [1 0 0 1 ${-2 * width} ${-3 * height}] /Resources << ${doc.resources ?? libraryResources} >>`,
        data: doc.content,
      },
    },
  };
};

/** The same content where it does not print: there must be no findings. */
export const noFindings: Readonly<Record<string, Variant>> = {
  hiddenLayer: (doc) => ({
    ...doc,
    content: `/OC /Hidden BDC ${doc.content} EMC`,
    resources: `${doc.resources ?? libraryResources} /Properties << /Hidden 410 0 R >>`,
    objects: { ...doc.objects, 410: '<< /Type /OCG /Name (Hidden) >>' },
    catalog: `${doc.catalog ?? ''} /OCProperties << /OCGs [410 0 R] /D << /OFF [410 0 R] >> >>`,
  }),
  clippedAway: (doc) => ({ ...doc, content: `-900 -900 10 10 re W n ${doc.content}` }),
  inSoftMask: (doc) => ({
    ...doc,
    content: '/Masked gs',
    resources: '/ExtGState << /Masked 411 0 R >>',
    objects: {
      ...doc.objects,
      411: '<< /Type /ExtGState /SMask << /Type /Mask /S /Luminosity /G 412 0 R >> >>',
      412: {
        dict: `/Type /XObject /Subtype /Form /BBox [-9999 -9999 9999 9999] /Group << /S /Transparency /CS /DeviceGray >> /Resources << ${doc.resources ?? libraryResources} >>`,
        data: doc.content,
      },
    },
  }),
};

/** The same content in white, which leaves no ink. Null if images or shadings have the colour. */
export function inWhite(doc: Doc): Doc | null {
  if (/ Do\b| sh\b/.test(doc.content)) return null;
  const content = doc.content
    .replace(/(?:[\d.]+ ){4}([kK])\b/g, '0 0 0 0 $1')
    .replace(/(?:[\d.]+ ){3}(rg|RG)\b/g, '1 1 1 $1')
    .replace(/(?:[\d.]+ ){3}(scn|SCN)\b/g, '100 0 0 $1')
    .replace(/(?:[\d.]+ )(scn|SCN)\b/g, '0 $1')
    .replace(/[\d.]+ ([gG])\b/g, '1 $1');
  return { ...doc, content: `1 g 1 G ${content}` };
}
