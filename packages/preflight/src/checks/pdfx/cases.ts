import {
  doc,
  imageAt,
  intent,
  note,
  onLayer,
  outputIntent,
  picture,
  profileOf,
  something,
  state,
  text,
} from '../../quality/content.ts';
import type { Doc } from '../../quality/doc.ts';
import { encrypted } from '../../quality/encryption.ts';
import type { RuleCase } from '../../quality/rule-case.ts';

/** A form `/Far` with these entries. */
const farForm = (entries: string) => ({
  resources: '/XObject << /Far 480 0 R >>',
  objects: { 480: { dict: `/Type /XObject /Subtype /Form /BBox [0 0 400 500] ${entries}`, data: something } },
});

/** A document whose XMP claims this. */
const claiming = (version: string): Doc =>
  doc(something, {
    catalog: '/Metadata 460 0 R',
    objects: {
      460: {
        dict: '/Type /Metadata /Subtype /XML',
        data: `<x:xmpmeta><rdf:Description pdfxid:GTS_PDFXVersion="${version}"/></x:xmpmeta>`,
      },
    },
  });

/** An ExtGState `/Own` with these entries, and a CMYK space `/Icc` with a profile. */
const overprintingIcc = (entries: string): Partial<Doc> => {
  const own = state(entries);
  return {
    resources: own.resources?.replace('/ColorSpace <<', '/ColorSpace << /Icc [/ICCBased 485 0 R]') ?? '',
    objects: { ...own.objects, 485: { dict: '/N 4', data: profileOf('CMYK') } },
  };
};

/** A form `/Far` shown on the page, with these entries. */
const shown = (entries: string): Doc => doc('/Far Do', farForm(entries));

const reference = (entries = '', profile = 'CMYK') =>
  outputIntent(
    `/DestOutputProfileRef << /URLs [<< /FS /URL /F (https://example.com/p.icc) >>] /ProfileName (Coated) /ICCVersion <02400000> /ProfileCS (${profile}) /CheckSum <00112233445566778899aabbccddeeff> ${entries} >>`,
  );
/** The same without one of its entries. */
const referenceWithout = (key: string): Partial<Doc> => {
  const { catalog = '' } = reference();
  return { catalog: catalog.replace(new RegExp(`/${key} (\\[.*?\\]|<[^<>]*>|\\([^)]*\\))`), '') };
};
const sixInks = '/ColorantTable [/Cyan /Magenta /Yellow /Black /Orange /Green]';
const pageIntent = (entries: string): string =>
  `/OutputIntents [<< /Type /OutputIntent /S /GTS_PDFX /OutputConditionIdentifier (CGATS TR 006) ${entries} >>]`;

const externalProfiles: readonly RuleCase<'PdfX'>[] = [
  ...['URLs', 'ProfileName', 'ICCVersion', 'ProfileCS', 'CheckSum'].map((key) => ({
    kind: 'page' as const,
    rule: 'outputIntent' as const,
    settings: { level: 'PDF/X-4p' },
    breaks: doc(something, referenceWithout(key)),
    passes: doc(something, reference()),
  })),
  ...(['PDF/X-4p', 'PDF/X-5pg', 'PDF/X-6p'] as const).map((level) => ({
    kind: 'page' as const,
    rule: 'outputIntent' as const,
    settings: { level },
    breaks: doc(something, intent('CMYK')),
    passes: doc(something, reference()),
  })),
  ...(['PDF/X-4', 'PDF/X-5g', 'PDF/X-6'] as const).map((level) => ({
    kind: 'page' as const,
    rule: 'outputIntent' as const,
    settings: { level },
    breaks: doc(something, reference()),
    passes: doc(something, intent('CMYK')),
  })),
  ...(['PDF/X-5n', 'PDF/X-6n'] as const).map((level) => ({
    kind: 'page' as const,
    rule: 'outputIntent' as const,
    settings: { level },
    breaks: doc(something, reference('', '6CLR')),
    passes: doc(something, reference(sixInks, '6CLR')),
  })),
  {
    kind: 'page',
    rule: 'outputIntent',
    settings: { level: 'PDF/X-5n' },
    breaks: doc(something, reference(sixInks)),
    passes: doc(something, reference(sixInks, '6CLR')),
  },
  {
    kind: 'page',
    rule: 'outputIntent',
    settings: { level: 'PDF/X-4p' },
    breaks: doc(something, reference(sixInks, '6CLR')),
    passes: doc(something, reference('', 'GRAY')),
  },
  // Without the four process inks a press has no place for DeviceCMYK.
  {
    kind: 'page',
    rule: 'colour',
    settings: { level: 'PDF/X-5n' },
    breaks: doc(something, reference('/ColorantTable [/Orange /Green /Violet /Black /Red]', '5CLR')),
    passes: doc(something, reference(sixInks, '6CLR')),
  },
  // A page of PDF/X-6 may be for another press than the rest.
  {
    kind: 'page',
    rule: 'outputIntent',
    settings: { level: 'PDF/X-6' },
    breaks: doc(something, { ...intent('CMYK'), extra: pageIntent('') }),
    passes: doc(something, { ...intent('CMYK'), extra: pageIntent('/DestOutputProfile 420 0 R') }),
  },
  {
    kind: 'page',
    rule: 'colour',
    settings: { level: 'PDF/X-6' },
    breaks: doc('1 0 0 rg 100 100 50 50 re f', intent('CMYK')),
    passes: doc('1 0 0 rg 100 100 50 50 re f', {
      ...intent('CMYK'),
      extra: pageIntent('/DestOutputProfile 421 0 R'),
      objects: { ...intent('CMYK').objects, 421: { dict: '/N 3', data: profileOf('RGB ') } },
    }),
  },
];

const otherParts: readonly RuleCase<'PdfX'>[] = [
  ...(['PDF/X-4p', 'PDF/X-5g', 'PDF/X-5pg', 'PDF/X-5n', 'PDF/X-6', 'PDF/X-6p', 'PDF/X-6n'] as const).map((level) => ({
    kind: 'page' as const,
    rule: 'claim' as const,
    settings: { level },
    breaks: claiming('PDF/X-4'),
    passes: claiming(level),
  })),
  {
    kind: 'page',
    rule: 'versionLow',
    settings: { level: 'PDF/X-6' },
    breaks: doc(something, { version: '1.7' }),
    passes: doc(something, { version: '2.0' }),
  },
  {
    kind: 'page',
    rule: 'version',
    settings: { level: 'PDF/X-5g' },
    breaks: doc(something, { version: '2.0' }),
    passes: doc(something, { version: '1.6' }),
  },
  ...[['/F (a.pdf) /Page 0'], ['/F (a.pdf) /ID [<00> <00>]'], ['/Page 0 /ID [<00> <00>]']].map(([entries]) => ({
    kind: 'page' as const,
    rule: 'reference' as const,
    settings: { level: 'PDF/X-5g' },
    breaks: shown(`/Ref << ${entries} >>`),
    passes: shown('/Ref << /F (a.pdf) /Page 0 /ID [<00> <00>] >>'),
  })),
  {
    kind: 'page',
    rule: 'feature',
    settings: { level: 'PDF/X-5n' },
    breaks: shown('/Ref << /F (a.pdf) /Page 0 /ID [<00> <00>] >>'),
    passes: shown(''),
  },
];

export const cases: readonly RuleCase<'PdfX'>[] = [
  {
    kind: 'page',
    rule: 'claim',
    breaks: doc(something),
    passes: claiming('PDF/X-4'),
  },
  {
    kind: 'page',
    rule: 'version',
    breaks: doc(something, { version: '1.7' }),
    passes: doc(something, { version: '1.6' }),
  },
  {
    kind: 'page',
    rule: 'trailerId',
    breaks: doc(something),
    passes: doc(something, { trailer: '/ID [<00> <00>]' }),
  },
  { kind: 'page', rule: 'outputIntent', breaks: doc(something), passes: doc(something, intent('CMYK')) },
  {
    kind: 'page',
    rule: 'fontEmbedded',
    breaks: doc('BT /F2 12 Tf 100 200 Td (Text) Tj ET'),
    passes: doc(text(12, '0 g')),
  },
  { kind: 'page', rule: 'colour', breaks: doc('1 0 0 rg 100 100 50 50 re f'), passes: doc(something) },
  {
    kind: 'page',
    rule: 'transparency',
    settings: { level: 'PDF/X-1a:2003' },
    breaks: doc('/Half gs 0 g 100 100 50 50 re f'),
    passes: doc(something),
  },
  { kind: 'page', rule: 'boxes', breaks: doc(something, { trim: null }), passes: doc(something) },
  {
    kind: 'page',
    rule: 'boxes',
    breaks: doc(something, { extra: '/BleedBox [-20 -20 420 520]' }),
    passes: doc(something, { extra: '/BleedBox [0 0 400 500]' }),
  },
  {
    kind: 'page',
    rule: 'boxes',
    breaks: doc(something, { catalog: '/ViewerPreferences << /PrintArea /TrimBox >>' }),
    passes: doc(something, { catalog: '/ViewerPreferences << /PrintArea /BleedBox >>' }),
  },
  {
    kind: 'page',
    rule: 'fontEmbedded',
    breaks: onLayer('BT /F2 12 Tf 100 200 Td (Text) Tj ET', '/OFF [490 0 R]'),
    passes: onLayer('BT 3 Tr /F2 12 Tf 100 200 Td (Text) Tj ET', '/OFF [490 0 R]'),
  },
  {
    kind: 'page',
    rule: 'feature',
    breaks: doc(something, state('/TR2 307 0 R')),
    passes: doc(something, state('/TR2 /Default')),
  },
  {
    kind: 'page',
    rule: 'feature',
    breaks: doc(`/Own gs ${something}`, state('/HTP [0 0]')),
    passes: doc(`/Own gs ${something}`, state('/HT /Default')),
  },
  {
    kind: 'page',
    rule: 'layers',
    settings: { level: 'PDF/X-3:2003' },
    breaks: onLayer(something, ''),
    passes: doc(something),
  },
  {
    kind: 'page',
    rule: 'optionalContent',
    breaks: onLayer(something, '/AS [<< /Event /Print /Category [/Print] /OCGs [490 0 R] >>]'),
    passes: onLayer(something, '/AS []'),
  },
  {
    kind: 'page',
    rule: 'optionalContent',
    breaks: doc(something, { catalog: '/OCProperties << /OCGs [] /D << >> /Configs [<< >>] >>' }),
    passes: doc(something, { catalog: '/OCProperties << /OCGs [] /D << >> /Configs [<< /Name (Proof) >>] >>' }),
  },
  {
    kind: 'page',
    rule: 'feature',
    breaks: shown('/Ref << /F (other.pdf) /Page 0 >>'),
    passes: shown(''),
  },
  { kind: 'page', rule: 'annotations', breaks: note('100 100 120 120'), passes: note('0 0 5 5') },
  {
    kind: 'page',
    rule: 'actions',
    breaks: doc(something, { catalog: '/OpenAction << /S /URI /URI (http://example.com) >>' }),
    passes: doc(something),
  },
  {
    kind: 'page',
    rule: 'trapped',
    breaks: doc(something),
    passes: doc(something, { trailer: '/Info 440 0 R', objects: { 440: '<< /Trapped /False >>' } }),
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
    rule: 'documentInfo',
    settings: { level: 'PDF/X-1a:2003' },
    breaks: doc(something, {
      trailer: '/Info 440 0 R',
      objects: { 440: '<< /Title (a) /CreationDate (D:20260101) >>' },
    }),
    passes: doc(something, {
      trailer: '/Info 440 0 R',
      objects: { 440: '<< /Title (a) /CreationDate (D:20260101) /ModDate (D:20260101) >>' },
    }),
  },
  {
    kind: 'page',
    rule: 'feature',
    settings: { level: 'PDF/X-1a:2003' },
    breaks: doc(imageAt('Pic', 50), picture('/ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /LZWDecode')),
    passes: doc(imageAt('Pic', 50), picture('/ColorSpace /DeviceGray /BitsPerComponent 8', new Uint8Array(100))),
  },
  {
    kind: 'page',
    rule: 'feature',
    breaks: doc(`/Own gs ${something}`, state('/TR 307 0 R')),
    passes: doc(`/Own gs ${something}`, state('/TR /Identity')),
  },
  {
    kind: 'page',
    rule: 'postscript',
    breaks: doc(something, {
      resources: '/XObject << /Ps 480 0 R >>',
      objects: { 480: { dict: '/Type /XObject /Subtype /PS', data: '%!PS' } },
    }),
    passes: doc(something),
  },
  {
    kind: 'page',
    rule: 'embeddedFiles',
    breaks: doc(something, {
      catalog: '/Names << /EmbeddedFiles << /Names [(a) << /Type /Filespec /F (a.txt) >>] >> >>',
    }),
    passes: doc(something, { catalog: '/Names << /EmbeddedFiles << /Names [] >> >>' }),
  },
  {
    kind: 'page',
    rule: 'alternates',
    breaks: doc(something, {
      catalog: '/Names << /AlternatePresentations << /Names [(a) << /Type /SlideShow >>] >> >>',
    }),
    passes: doc(something),
  },
  {
    kind: 'page',
    rule: 'feature',
    breaks: doc(`/Own gs ${something}`, state('/HT << /HalftoneType 6 /Width 4 /Height 4 >>')),
    passes: doc(
      `/Own gs ${something}`,
      state('/HT << /HalftoneType 1 /Frequency 60 /Angle 45 /SpotFunction /Round >>'),
    ),
  },
  {
    kind: 'page',
    rule: 'iccOverprint',
    breaks: doc('/Own gs /Icc cs 1 0 0 0 scn 100 100 50 50 re f', overprintingIcc('/op true /OPM 1')),
    passes: doc('/Own gs /Icc cs 1 0 0 0 scn 100 100 50 50 re f', overprintingIcc('/op true /OPM 0')),
  },
  {
    kind: 'page',
    rule: 'iccOverprint',
    breaks: doc('/Own gs /Icc CS 1 0 0 0 SCN 100 100 50 50 re S', overprintingIcc('/OP true /op false /OPM 1')),
    passes: doc('/Own gs /Icc cs 1 0 0 0 scn 100 100 50 50 re f', overprintingIcc('/OP true /op false /OPM 1')),
  },
  ...externalProfiles,
  ...otherParts,
];
