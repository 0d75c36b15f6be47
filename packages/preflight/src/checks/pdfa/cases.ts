import { doc, imageAt, note, onLayer, picture, profileOf, something, state } from '../../quality/content.ts';
import type { Doc } from '../../quality/doc.ts';
import { encrypted } from '../../quality/encryption.ts';
import type { RuleCase } from '../../quality/rule-case.ts';

type Case = RuleCase<'PdfA'>;

const both = (first: Partial<Doc>, second: Partial<Doc>): Partial<Doc> => ({
  ...first,
  ...second,
  catalog: `${first.catalog ?? ''} ${second.catalog ?? ''}`,
  objects: { ...first.objects, ...second.objects },
});

/** An output intent for PDF/A with a profile of this space. */
const archive = (space: 'CMYK' | 'RGB '): Partial<Doc> => ({
  catalog:
    '/OutputIntents [<< /Type /OutputIntent /S /GTS_PDFA1 /OutputConditionIdentifier (c) /DestOutputProfile 420 0 R >>]',
  objects: { 420: { dict: `/N ${space === 'CMYK' ? 4 : 3}`, data: profileOf(space) } },
});

const xmp = (entries: string, packet = ''): Partial<Doc> => ({
  catalog: '/Metadata 460 0 R',
  objects: {
    460: {
      dict: '/Type /Metadata /Subtype /XML',
      data: `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d" ${packet}?><x:xmpmeta><rdf:Description xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/" ${entries}/></x:xmpmeta>`,
    },
  },
});
const claiming = (part: number, conformance: string) =>
  doc(something, xmp(`pdfaid:part="${part}" pdfaid:conformance="${conformance}"`));

const third = { level: 'PDF/A-3b' };
const red = '1 0 0 rg 100 100 50 50 re f';
const rgbGroup = '/Group << /S /Transparency /CS /DeviceRGB >>';

/** A spot colour whose alternate is in this space. */
const spot = (alternate: string, full: string): Partial<Doc> => ({
  resources: '/ColorSpace << /Own 485 0 R >>',
  objects: {
    485: `[/Separation /Own ${alternate} << /FunctionType 2 /Domain [0 1] /N 1 /C0 [${full.replace(/[\d.]+/g, '0')}] /C1 [${full}] >>]`,
    486: '[/CalRGB << /WhitePoint [0.95 1 1.09] >>]',
  },
});

/** A CMYK space `/Icc` with a profile, and a graphics state. */
const icc = (entries: string): Partial<Doc> => {
  const own = state(entries);
  return both(archive('CMYK'), {
    resources: own.resources?.replace('/ColorSpace <<', '/ColorSpace << /Icc [/ICCBased 485 0 R]') ?? '',
    objects: { ...own.objects, 485: { dict: '/N 4', data: profileOf('CMYK') } },
  });
};

const annotation = (subtype: string, entries: string): Doc => note('100 100 120 120', subtype, entries);
const look = '/AP << /N 470 0 R >>';
const drawn = (source: Doc): Doc => ({
  ...source,
  objects: {
    ...source.objects,
    470: { dict: '/Type /XObject /Subtype /Form /BBox [0 0 20 20]', data: '0 g 0 0 20 20 re f' },
  },
});

const pdfBytes = (claim: string) => `%PDF-1.4\n1 0 obj << /Type /Metadata >> stream\n${claim}\nendstream endobj\n%%EOF`;
/** An attached file, with these entries of its specification and these bytes. */
const attached = (entries: string, data: string, more = '', catalog = ''): Doc =>
  doc(something, {
    catalog: `/Names << /EmbeddedFiles << /Names [(a) 471 0 R] >> >> ${catalog}`,
    objects: {
      471: `<< /Type /Filespec /EF << /F 472 0 R >> ${entries} >>`,
      472: { dict: `/Type /EmbeddedFile ${more}`, data },
    },
  });
const names = '/F (a.pdf) /UF (a.pdf)';
const related = `${names} /AFRelationship /Data`;
const mime = '/Subtype /text#2Fplain';
const associated = '/AF [471 0 R]';

const bookmark = (action: string) => ({
  catalog: '/Outlines 473 0 R',
  objects: { 473: `<< /First 474 0 R >>`, 474: `<< /Title (a) /A << /S ${action} >> >>` },
});

const form = (entries: string) => ({ catalog: `/AcroForm << /Fields [] ${entries} >>` });
const ordered = '/Name (a) /Order [490 0 R]';

const wide = 'BT /Own 12 Tf 100 200 Td <00410042> Tj ET';
/** An embedded composite font `/Own` with this encoding and these entries of its descendant. */
const composite = (encoding: string, entries: string): Partial<Doc> => ({
  resources: '/Font << /Own 486 0 R >>',
  objects: {
    486: `<< /Type /Font /Subtype /Type0 /BaseFont /Own /Encoding ${encoding} /DescendantFonts [487 0 R] >>`,
    487: `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Own /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor 488 0 R ${entries} >>`,
    488: '<< /Type /FontDescriptor /FontName /Own /Flags 4 /FontFile2 489 0 R >>',
    489: { dict: '', data: 'program' },
  },
});
/** A space of two spot colours `/Own` with these colorants. */
const mixed = (colorants: string): Partial<Doc> => ({
  resources: '/ColorSpace << /Own 485 0 R >>',
  objects: {
    485: `[/DeviceN [/Gold /Silver] /DeviceCMYK 486 0 R << /Subtype /DeviceN /Colorants << ${colorants} >> >>]`,
    486: { dict: '/FunctionType 4 /Domain [0 1 0 1] /Range [0 1 0 1 0 1 0 1]', data: '{ 0 0 }' },
  },
});
/** The spot colour Gold as `/A`, and as `/B` with this function. */
const twice = (tint: string): Partial<Doc> => ({
  resources: '/ColorSpace << /A 306 0 R /B 485 0 R >>',
  objects: { 485: `[/Separation /Gold /DeviceCMYK ${tint}]` },
});

const documentCases: readonly Case[] = [
  { kind: 'page', rule: 'claim', breaks: claiming(1, 'B'), passes: claiming(2, 'B') },
  { kind: 'page', rule: 'claim', breaks: claiming(2, 'X'), passes: claiming(2, 'U') },
  { kind: 'page', rule: 'claim', settings: third, breaks: claiming(2, 'B'), passes: claiming(3, 'A') },
  { kind: 'page', rule: 'metadata', breaks: doc(something), passes: doc(something, xmp('')) },
  { kind: 'page', rule: 'metadata', breaks: doc(something, xmp('', 'bytes="800"')), passes: doc(something, xmp('')) },
  {
    kind: 'page',
    rule: 'version',
    breaks: doc(something, { version: '2.0' }),
    passes: doc(something, { version: '1.7' }),
  },
  { kind: 'page', rule: 'encrypted', breaks: doc(something, encrypted({ mayPrint: true })), passes: doc(something) },
  {
    kind: 'page',
    rule: 'damaged',
    breaks: doc(something, { mangle: (bytes) => bytes.subarray(0, -60) }),
    passes: doc(something),
  },
  {
    kind: 'page',
    rule: 'trailerId',
    breaks: doc(something),
    passes: doc(something, { trailer: '/ID [<00> <00>]' }),
  },
  {
    kind: 'page',
    rule: 'streamData',
    breaks: doc(something, { objects: { 480: { dict: '/Filter /LZWDecode', data: new Uint8Array([128, 11, 96]) } } }),
    passes: doc(something, { objects: { 480: { dict: '/Filter /ASCIIHexDecode', data: '00>' } } }),
  },
  {
    kind: 'page',
    rule: 'streamData',
    breaks: doc(something, { objects: { 480: { dict: '/F (outside.bin)', data: '' } } }),
    passes: doc(something, { objects: { 480: { dict: '', data: '' } } }),
  },
  {
    kind: 'page',
    rule: 'outputIntent',
    breaks: doc(something, { catalog: '/OutputIntents [<< /S /GTS_PDFA1 /OutputConditionIdentifier (c) >>]' }),
    passes: doc(something, archive('CMYK')),
  },
  {
    kind: 'page',
    rule: 'outputIntent',
    breaks: doc(something, both(archive('CMYK'), { objects: { 420: { dict: '/N 4', data: 'no profile' } } })),
    passes: doc(something, archive('RGB ')),
  },
  {
    kind: 'page',
    rule: 'form',
    breaks: doc(something, form('/XFA (x)')),
    passes: doc(something, form('/NeedAppearances false')),
  },
  {
    kind: 'page',
    rule: 'form',
    breaks: doc(something, form('/NeedAppearances true')),
    passes: doc(something, form('')),
  },
  {
    kind: 'page',
    rule: 'form',
    breaks: annotation('Widget', '/A << /S /URI /URI (a) >>'),
    passes: annotation('Widget', ''),
  },
  {
    kind: 'page',
    rule: 'actions',
    breaks: doc(something, { catalog: '/OpenAction << /S /JavaScript /JS (1) >>' }),
    passes: doc(something, { catalog: '/OpenAction << /S /GoTo /D [0 /Fit] >>' }),
  },
  {
    kind: 'page',
    rule: 'actions',
    breaks: annotation('Link', '/A << /S /Launch /F (a.exe) >>'),
    passes: annotation('Link', '/A << /S /URI /URI (https://example.com) >>'),
  },
  {
    kind: 'page',
    rule: 'actions',
    breaks: doc(something, bookmark('/Named /N /Print')),
    passes: doc(something, bookmark('/Named /N /NextPage')),
  },
  {
    kind: 'page',
    rule: 'actions',
    breaks: annotation('Link', '/A << /S /URI /URI (a) /Next << /S /Hide /T (a) >> >>'),
    passes: annotation('Link', '/A << /S /URI /URI (a) /Next << /S /URI /URI (b) >> >>'),
  },
  {
    kind: 'page',
    rule: 'triggers',
    breaks: doc(something, { extra: '/AA << /O << /S /GoTo /D [0 /Fit] >> >>' }),
    passes: doc(something),
  },
  {
    kind: 'page',
    rule: 'attachment',
    breaks: attached('/F (a.pdf)', pdfBytes('<a pdfaid:part="2"/>')),
    passes: attached(names, pdfBytes('<a pdfaid:part="2"/>')),
  },
  ...(
    [
      [attached(names, 'text', mime, associated), related],
      [attached(related, 'text', '', associated), related],
      [attached(related, 'text', mime, ''), related],
    ] as const
  ).map(([breaks, entries]) => ({
    kind: 'page' as const,
    rule: 'attachment' as const,
    settings: third,
    breaks,
    passes: attached(entries, 'text', mime, associated),
  })),
  {
    kind: 'page',
    rule: 'attachmentNotPdfA',
    breaks: attached(names, 'text'),
    passes: attached(names, pdfBytes('<pdfaid:part>1</pdfaid:part>')),
  },
  {
    kind: 'page',
    rule: 'attachmentNotPdfA',
    breaks: attached(names, pdfBytes('<a pdfaid:part="3"/>')),
    passes: attached(names, pdfBytes('<a pdfaid:part="2"/>')),
  },
  { kind: 'page', rule: 'optionalContent', breaks: onLayer(something, ''), passes: onLayer(something, '/Name (a)') },
  {
    kind: 'page',
    rule: 'optionalContent',
    breaks: onLayer(something, '/Name (a) /AS [<< /Event /Print /Category [/Print] /OCGs [490 0 R] >>]'),
    passes: onLayer(something, ordered),
  },
  {
    kind: 'page',
    rule: 'optionalContent',
    breaks: onLayer(something, '/Name (a) /Order []'),
    passes: onLayer(something, '/Name (a) /Order [(group) [490 0 R]]'),
  },
  {
    kind: 'page',
    rule: 'alternates',
    breaks: doc(something, { catalog: '/Requirements [<< /S /EnableJavaScripts >>]' }),
    passes: doc(something),
  },
];

const contentCases: readonly Case[] = [
  {
    kind: 'page',
    rule: 'pageSize',
    breaks: doc('', { media: [0, 0, 14_401, 500] }),
    passes: doc('', { media: [0, 0, 14_400, 500] }),
  },
  { kind: 'placed', rule: 'colour', breaks: doc(red, archive('CMYK')), passes: doc(red, archive('RGB ')) },
  { kind: 'placed', rule: 'colour', breaks: doc(something), passes: doc(something, archive('CMYK')) },
  { kind: 'placed', rule: 'colour', breaks: doc('0 g 9 9 9 9 re f'), passes: doc('0 g 9 9 9 9 re f', archive('RGB ')) },
  {
    kind: 'page',
    rule: 'colour',
    breaks: doc(red),
    passes: doc(red, {
      resources: '/ColorSpace << /DefaultRGB [/ICCBased 485 0 R] >>',
      objects: { 485: { dict: '/N 3', data: profileOf('RGB ') } },
    }),
  },
  {
    kind: 'placed',
    rule: 'colour',
    breaks: doc('/Own cs 1 scn 100 100 50 50 re f', spot('/DeviceCMYK', '1 0 0 0')),
    passes: doc('/Own cs 1 scn 100 100 50 50 re f', spot('486 0 R', '1 0 0')),
  },
  {
    kind: 'placed',
    rule: 'colour',
    breaks: doc(imageAt('Pic', 50), picture('/ColorSpace /DeviceRGB /BitsPerComponent 8', new Uint8Array(300))),
    passes: doc(
      imageAt('Pic', 50),
      picture('/ColorSpace [/Lab << /WhitePoint [1 1 1] >>] /BitsPerComponent 8', new Uint8Array(300)),
    ),
  },
  {
    kind: 'placed',
    rule: 'iccOverprint',
    breaks: doc('/Own gs /Icc cs 1 0 0 0 scn 100 100 50 50 re f', icc('/op true /OPM 1')),
    passes: doc('/Own gs /Icc cs 1 0 0 0 scn 100 100 50 50 re f', icc('/op true /OPM 0')),
  },
  {
    kind: 'page',
    rule: 'blendSpace',
    breaks: doc('/Half gs /Lab cs 50 0 0 scn 100 100 50 50 re f'),
    passes: doc('/Lab cs 50 0 0 scn 100 100 50 50 re f'),
  },
  {
    kind: 'page',
    rule: 'blendSpace',
    breaks: doc(`/Half gs ${something}`, { ...archive('CMYK'), extra: rgbGroup }),
    passes: doc(`/Half gs ${something}`, { ...archive('RGB '), extra: rgbGroup }),
  },
  {
    kind: 'page',
    rule: 'blendSpace',
    breaks: doc(`/Half gs ${something}`),
    passes: doc(`/Half gs ${something}`, archive('CMYK')),
  },
  {
    kind: 'placed',
    rule: 'feature',
    breaks: doc(`/Own gs ${something}`, state('/TR 307 0 R')),
    passes: doc(`/Half gs ${something}`),
  },
  {
    kind: 'page',
    rule: 'feature',
    breaks: doc(`/Own gs ${something}`, state('/TR /Identity')),
    passes: doc(`/Own gs ${something}`, state('/TR2 /Default')),
  },
  {
    kind: 'page',
    rule: 'feature',
    breaks: doc(
      imageAt('Pic', 50),
      picture('/ColorSpace /DeviceGray /BitsPerComponent 8 /Interpolate true', new Uint8Array(100)),
    ),
    passes: doc(
      imageAt('Pic', 50),
      picture('/ColorSpace /DeviceGray /BitsPerComponent 8 /Interpolate false', new Uint8Array(100)),
    ),
  },
  {
    kind: 'page',
    rule: 'feature',
    breaks: doc(something, {
      resources: '/XObject << /Ps 480 0 R >>',
      objects: { 480: { dict: '/Type /XObject /Subtype /PS', data: '%!PS' } },
    }),
    passes: doc(something),
  },
  {
    kind: 'placed',
    rule: 'renderingIntent',
    breaks: doc(`/Pretty ri ${something}`),
    passes: doc(`/Perceptual ri ${something}`),
  },
  { kind: 'placed', rule: 'operator', breaks: doc(`${something} 1 frob`), passes: doc(`${something} 1 w`) },
  {
    kind: 'placed',
    rule: 'fontEmbedded',
    breaks: doc('BT /F2 12 Tf 100 200 Td (Text) Tj ET'),
    passes: doc('BT 3 Tr /F2 12 Tf 100 200 Td (Text) Tj ET'),
  },
  {
    kind: 'page',
    rule: 'fontMapping',
    breaks: doc(wide, composite('/Identity-H', '')),
    passes: doc(wide, composite('/Identity-H', '/CIDToGIDMap /Identity')),
  },
  {
    kind: 'page',
    rule: 'fontMapping',
    breaks: doc(wide, composite('/House-H', '/CIDToGIDMap /Identity')),
    passes: doc(wide, composite('/UniJIS-UTF16-H', '/CIDToGIDMap /Identity')),
  },
  {
    kind: 'page',
    rule: 'spotColour',
    breaks: doc('/Own cs 1 1 scn 100 100 50 50 re f', mixed('')),
    passes: doc('/Own cs 1 1 scn 100 100 50 50 re f', mixed('/Gold 306 0 R /Silver 314 0 R')),
  },
  {
    kind: 'page',
    rule: 'spotColour',
    breaks: doc('/A cs 1 scn 100 100 50 50 re f /B cs 1 scn 200 100 50 50 re f', twice('316 0 R')),
    passes: doc('/A cs 1 scn 100 100 50 50 re f /B cs 1 scn 200 100 50 50 re f', twice('307 0 R')),
  },
  {
    kind: 'page',
    rule: 'annotationType',
    breaks: annotation('Movie', '/F 4'),
    passes: annotation('Square', '/F 4'),
  },
  { kind: 'page', rule: 'annotationFlags', breaks: annotation('Square', ''), passes: annotation('Square', '/F 4') },
  { kind: 'page', rule: 'annotationFlags', breaks: annotation('Link', '/F 6'), passes: annotation('Link', '/F 4') },
  { kind: 'page', rule: 'annotationFlags', breaks: annotation('Text', '/F 4'), passes: annotation('Text', '/F 28') },
  {
    kind: 'page',
    rule: 'annotationLook',
    breaks: annotation('Square', '/F 4'),
    passes: drawn(annotation('Square', `/F 4 ${look}`)),
  },
  {
    kind: 'page',
    rule: 'annotationLook',
    breaks: drawn(annotation('Square', '/F 4 /AP << /N 470 0 R /D 470 0 R >>')),
    passes: annotation('Link', '/F 4'),
  },
];

export const cases: readonly Case[] = [...documentCases, ...contentCases];
