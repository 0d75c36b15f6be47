/** Rules about pages and documents: boxes, counts, claims, annotations, edges. */
import { libraryResources, mm } from './doc.ts';
import { doc, type RuleCase, text } from './rule-case.ts';

const something = '0 0 0 1 k 100 100 50 50 re f';
const pages = (count: number) => doc(something, { morePages: Array.from({ length: count - 1 }, () => ({})) });
const imageFrom = (left: number) => `q 60 0 0 60 ${left} 200 cm /Im Do Q`;
const note = (rect: string, subtype = 'Text', more = '') =>
  doc(something, { extra: `/Annots [<< /Type /Annot /Subtype /${subtype} /Rect [${rect}] /Contents (x) ${more} >>]` });
const sized = (width: number, height: number) => ({
  media: [0, 0, width, height],
  trim: [0, 0, width, height],
  bleed: null,
});
const intent = (space: 'CMYK' | 'RGB ') => {
  const profile = Buffer.alloc(144);
  profile.writeUInt32BE(144, 0);
  profile.write('prtr', 12, 'latin1');
  profile.write(space, 16, 'latin1');
  profile.write('acsp', 36, 'latin1');
  return {
    catalog:
      '/OutputIntents [<< /Type /OutputIntent /S /GTS_PDFX /OutputConditionIdentifier (CGATS TR 006) /DestOutputProfile 420 0 R >>]',
    objects: { 420: { dict: `/N ${space === 'CMYK' ? 4 : 3}`, data: profile } },
  };
};

/** A transparency group that is opaque inside. */
const groupForm = {
  resources: `${libraryResources.replace('/XObject <<', '/XObject << /Group 470 0 R')}`,
  objects: {
    470: {
      dict: '/Type /XObject /Subtype /Form /BBox [0 0 400 500] /Group << /S /Transparency /CS /DeviceCMYK >>',
      data: something,
    },
  },
};

export const pageCases: readonly RuleCase[] = [
  { kind: 'page', rule: 'PageCount.tooMany', settings: { max: 2 }, breaks: pages(3), passes: pages(2) },
  { kind: 'page', rule: 'PageCount.tooFew', settings: { min: 2 }, breaks: pages(1), passes: pages(2) },
  { kind: 'page', rule: 'PageCount.notExact', settings: { exact: 2 }, breaks: pages(3), passes: pages(2) },
  { kind: 'page', rule: 'MultiplePages.notMultiple', settings: { multiple: 4 }, breaks: pages(5), passes: pages(4) },
  {
    kind: 'page',
    rule: 'MultiplePages.notSingle',
    settings: { mode: 'SinglePageOnly' },
    breaks: pages(2),
    passes: pages(1),
  },
  {
    kind: 'page',
    rule: 'MultiplePages.onlyOne',
    settings: { mode: 'MultiPageRequired' },
    breaks: pages(1),
    passes: pages(2),
  },
  {
    kind: 'page',
    rule: 'FileSize.tooSmall',
    settings: { minBytes: 1_000_000 },
    breaks: pages(1),
    passes: doc(something, { objects: { 430: { dict: '', data: new Uint8Array(1_000_000) } } }),
  },
  {
    kind: 'page',
    rule: 'FileSize.tooLarge',
    settings: { warnAbove: 1_000_000 },
    breaks: doc(something, { objects: { 430: { dict: '', data: new Uint8Array(1_000_000) } } }),
    passes: pages(1),
  },
  {
    kind: 'page',
    rule: 'PageDimentions.size',
    settings: { mode: 'Exact', width: 360, height: 460, tolerance: 1 },
    breaks: doc(something, sized(361.1, 460)),
    passes: doc(something, sized(361, 460)),
  },
  {
    kind: 'placed',
    rule: 'PageDimentions.size',
    settings: {
      mode: 'OneOf',
      sizes: [
        { width: 100, height: 100 },
        { width: 360, height: 460 },
      ],
    },
    breaks: doc(something, { trim: [20, 20, 377, 480] }),
    passes: doc(something),
  },
  {
    kind: 'page',
    rule: 'PageDimentions.size',
    settings: { mode: 'Range', range: { minWidth: 300, maxWidth: 400 }, orientationInsensitive: false },
    breaks: doc(something, sized(298, 300)),
    passes: doc(something, sized(299, 300)),
  },
  {
    kind: 'page',
    rule: 'PageDimentions.size',
    settings: { mode: 'AspectRatio', aspect: { ratio: 1.5, tolerance: 0.01 } },
    breaks: doc(something, sized(300, 204)),
    passes: doc(something, sized(300, 201)),
  },
  {
    kind: 'page',
    rule: 'PageDimentions.differs',
    breaks: doc(something, { morePages: [{ trim: [20, 20, 378, 480] }] }),
    passes: doc(something, { morePages: [{ trim: [20, 20, 379, 480] }] }),
  },
  {
    kind: 'page',
    rule: 'PageDimentions.sizeIncludesBleed',
    settings: { mode: 'Exact', width: 360, height: 460 },
    breaks: doc(something, { ...sized(360 + 2 * mm(3), 460 + 2 * mm(3)), trim: null }),
    passes: doc(something, sized(360, 460)),
  },
  {
    kind: 'page',
    rule: 'PageDimentions.scalable',
    settings: { mode: 'Exact', width: 720, height: 920, acceptScalable: { mode: 'Proportional', maxScale: 200 } },
    breaks: doc(something, sized(360, 460)),
    passes: doc(something, sized(350, 460)),
  },
  {
    kind: 'page',
    rule: 'PageDimentions.userUnit',
    severities: { userUnit: 'Fail' },
    breaks: doc(something, { extra: '/UserUnit 2' }),
    passes: doc(something),
  },
  {
    kind: 'page',
    rule: 'PageDimentions.cropNotMedia',
    severities: { cropNotMedia: 'Fail' },
    breaks: doc(something, { extra: '/CropBox [0 0 399 500]' }),
    passes: doc(something, { extra: '/CropBox [0 0 400 500]' }),
  },
  {
    kind: 'page',
    rule: 'PageOrientation.wrong',
    settings: { required: 'Horizontal' },
    breaks: doc(something),
    passes: doc(something, { extra: '/Rotate 90' }),
  },
  {
    kind: 'page',
    rule: 'PageOrientation.differs',
    breaks: doc(something, { morePages: [{ extra: '/Rotate 270' }] }),
    passes: doc(something, { morePages: [{ extra: '/Rotate 180' }] }),
  },
  {
    kind: 'page',
    rule: 'PageOrientation.rotateKey',
    breaks: doc(something, { extra: '/Rotate 90' }),
    passes: doc(something, { extra: '/Rotate 0' }),
  },
  {
    kind: 'page',
    rule: 'PageOrientation.reading',
    breaks: doc(`BT /F1 12 Tf 0 1 -1 0 100 100 Tm (Turned) Tj ET`),
    passes: doc(text(12, '0 g')),
  },
  {
    kind: 'page',
    rule: 'PageBoxes.nesting',
    breaks: doc(something, { trim: [0, 20, 380, 480], bleed: [1, 10, 390, 490] }),
    passes: doc(something, { trim: [1, 20, 380, 480], bleed: [1, 10, 390, 490] }),
  },
  { kind: 'page', rule: 'PageBoxes.trimMissing', breaks: doc(something, { trim: null }), passes: doc(something) },
  { kind: 'page', rule: 'PageBoxes.bleedMissing', breaks: doc(something, { bleed: null }), passes: doc(something) },
  {
    kind: 'page',
    rule: 'PageBoxes.trimAndArt',
    breaks: doc(something, { extra: '/ArtBox [20 20 380 480]' }),
    passes: doc(something),
  },
  {
    kind: 'page',
    rule: 'PageBoxes.cropInsideTrim',
    breaks: doc(something, { extra: '/CropBox [21 20 380 480]' }),
    passes: doc(something, { extra: '/CropBox [20 20 380 480]' }),
  },
  {
    kind: 'page',
    rule: 'PageBoxes.invalid',
    breaks: doc(something, { extra: '/ArtBox [20 20 20 480]' }),
    passes: doc(something),
  },
  // Safety: an image 60 pt wide, left edge at the trim plus a distance.
  {
    kind: 'placed',
    rule: 'SafetyDistance.nearEdge',
    breaks: doc(imageFrom(20 + mm(2.9))),
    passes: doc(imageFrom(20 + mm(3.05))),
  },
  {
    kind: 'object',
    rule: 'SafetyDistance.nearEdge',
    settings: { warnWithin: { left: 0, right: 0, top: 0, bottom: 0 } },
    breaks: doc(imageFrom(20 + mm(0.9))),
    passes: doc(imageFrom(20 + mm(1.05))),
  },
  {
    kind: 'placed',
    rule: 'SafetyDistance.nearEdge',
    breaks: doc(imageFrom(20 - mm(2))),
    passes: doc(imageFrom(20 - mm(3))),
  },
  {
    kind: 'object',
    rule: 'SafetyDistance.nearEdge',
    breaks: doc('BT /F1 10 Tf 22 300 Td (Near) Tj ET'),
    passes: doc('BT /F1 10 Tf 30 300 Td (Near) Tj ET'),
  },
  {
    kind: 'object',
    rule: 'SafetyDistance.nearDieLine',
    breaks: doc(`${imageFrom(100)} /Cut CS 1 SCN ${160 + mm(1.9)} 50 m ${160 + mm(1.9)} 400 l S`),
    passes: doc(`${imageFrom(100)} /Cut CS 1 SCN ${160 + mm(2.1)} 50 m ${160 + mm(2.1)} 400 l S`),
  },
  { kind: 'page', rule: 'Annotations.insideTrim', breaks: note('100 100 120 120'), passes: note('0 0 5 5') },
  { kind: 'page', rule: 'Annotations.insideBleed', breaks: note('12 100 18 120'), passes: note('0 0 5 5') },
  {
    kind: 'page',
    rule: 'Annotations.outside',
    severities: { outside: 'Info' },
    breaks: note('0 0 5 5'),
    passes: note('100 100 120 120'),
  },
  {
    kind: 'page',
    rule: 'Annotations.link',
    breaks: note('100 100 120 120', 'Link'),
    passes: note('100 100 120 120', 'Popup'),
  },
  {
    kind: 'page',
    rule: 'Annotations.formField',
    breaks: note('100 100 120 120', 'Widget', '/FT /Tx /T (a)'),
    passes: note('0 0 5 5', 'Widget', '/FT /Tx /T (a)'),
  },
  {
    kind: 'page',
    rule: 'Annotations.noAppearance',
    breaks: note('100 100 120 120', 'Square', '/F 4'),
    passes: note('100 100 120 120', 'Square', '/F 0'),
  },
  {
    kind: 'page',
    rule: 'DocumentIntegrity.annotationInPrintArea',
    breaks: note('100 100 120 120'),
    passes: note('0 0 5 5'),
  },
  {
    kind: 'page',
    rule: 'DocumentIntegrity.formFieldInPrintArea',
    breaks: note('100 100 120 120', 'Widget', '/FT /Tx /T (a)'),
    passes: note('100 100 120 120', 'Link'),
  },
  {
    kind: 'page',
    rule: 'DocumentIntegrity.multimedia',
    breaks: note('100 100 120 120', 'Movie'),
    passes: note('100 100 120 120', 'Link'),
  },
  {
    kind: 'page',
    rule: 'DocumentIntegrity.javascript',
    breaks: doc(something, { catalog: '/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>' }),
    passes: doc(something, { catalog: '/OpenAction << /S /GoTo /D [3 0 R /Fit] >>' }),
  },
  {
    kind: 'page',
    rule: 'DocumentIntegrity.actions',
    breaks: doc(something, { catalog: '/OpenAction << /S /URI /URI (http://example.com) >>' }),
    passes: doc(something),
  },
  {
    kind: 'page',
    rule: 'DocumentIntegrity.embeddedFiles',
    breaks: doc(something, {
      catalog: '/Names << /EmbeddedFiles << /Names [(a) << /Type /Filespec /F (a.txt) >>] >> >>',
    }),
    passes: doc(something),
  },
  {
    kind: 'page',
    rule: 'DocumentIntegrity.xfa',
    breaks: doc(something, { catalog: '/AcroForm << /Fields [] /XFA (x) >>' }),
    passes: doc(something, { catalog: '/AcroForm << /Fields [] >>' }),
  },
  {
    kind: 'page',
    rule: 'DocumentIntegrity.signature',
    breaks: doc(something, { catalog: '/AcroForm << /Fields [<< /FT /Sig /T (s) /V << /Type /Sig >> >>] >>' }),
    passes: doc(something, { catalog: '/AcroForm << /Fields [<< /FT /Sig /T (s) >>] >>' }),
  },
  {
    kind: 'page',
    rule: 'DocumentIntegrity.preseparated',
    breaks: doc(something, { extra: '/SeparationInfo << /DeviceColorant /Cyan >>' }),
    passes: doc(something),
  },
  {
    kind: 'page',
    rule: 'DocumentIntegrity.versionHigh',
    settings: { maxPdfVersion: '1.6' },
    breaks: doc(something, { version: '1.7' }),
    passes: doc(something, { version: '1.6' }),
  },
  {
    kind: 'page',
    rule: 'DocumentIntegrity.versionLow',
    settings: { minPdfVersion: '1.4' },
    breaks: doc(something, { version: '1.3' }),
    passes: doc(something, { version: '1.4' }),
  },
  { kind: 'page', rule: 'DocumentIntegrity.syntax', breaks: doc(`${something} wrong`), passes: doc(something) },
  { kind: 'page', rule: 'DocumentIntegrity.syntax', breaks: doc(`q ${something}`), passes: doc(`q ${something} Q`) },
  {
    kind: 'page',
    rule: 'DocumentIntegrity.resourceMissing',
    breaks: doc('/Nowhere Do'),
    passes: doc('q 9 0 0 9 0 0 cm /Im Do Q'),
  },
  {
    kind: 'page',
    rule: 'DocumentIntegrity.conformance',
    settings: { requiredConformance: 'PDF/X-4' },
    breaks: doc(something),
    passes: doc(something, { trailer: '/Info 440 0 R', objects: { 440: '<< /GTS_PDFXVersion (PDF/X-4) >>' } }),
  },
  {
    kind: 'page',
    rule: 'DocumentIntegrity.outputIntent',
    settings: { outputIntent: { mode: 'CMYKOnly' } },
    breaks: doc(something, intent('RGB ')),
    passes: doc(something, intent('CMYK')),
  },
  { kind: 'page', rule: 'OutputIntent.missing', breaks: doc(something), passes: doc(something, intent('CMYK')) },
  {
    kind: 'page',
    rule: 'OutputIntent.notCmyk',
    breaks: doc(something, intent('RGB ')),
    passes: doc(something, intent('CMYK')),
  },
  {
    kind: 'page',
    rule: 'OutputIntent.notAllowed',
    settings: { allowed: ['FOGRA*'] },
    breaks: doc(something, intent('CMYK')),
    passes: doc(something),
  },
  {
    kind: 'page',
    rule: 'Layers.configs',
    breaks: doc(something, { catalog: '/OCProperties << /OCGs [] /D << >> /Configs [<< >>] >>' }),
    passes: doc(something, { catalog: '/OCProperties << /OCGs [] /D << >> /Configs [] >>' }),
  },
  { kind: 'page', rule: 'HiddenObjects.outside', breaks: doc('0 g 0 0 5 5 re f'), passes: doc('0 g 10 10 5 5 re f') },
  {
    kind: 'page',
    rule: 'HiddenObjects.invisible',
    breaks: doc('BT 3 Tr /F1 12 Tf 100 200 Td (Ghost) Tj ET'),
    passes: doc(text(12, '0 g')),
  },
  {
    kind: 'page',
    rule: 'HiddenObjects.clipped',
    breaks: doc('0 0 5 5 re W n 0 g 100 100 5 5 re f'),
    passes: doc('99 99 5 5 re W n 0 g 100 100 5 5 re f'),
  },
  {
    kind: 'page',
    rule: 'Transparency.blendSpace',
    breaks: doc('/Half gs 0 g 100 100 50 50 re f', { extra: '/Group << /S /Transparency /CS /DeviceRGB >>' }),
    passes: doc('/Half gs 0 g 100 100 50 50 re f', { extra: '/Group << /S /Transparency /CS /DeviceCMYK >>' }),
  },
  {
    kind: 'page',
    rule: 'Transparency.notAllowed',
    settings: { policy: 'Disallow' },
    breaks: doc('/Half gs /Group Do', groupForm),
    passes: doc('/Group Do', groupForm),
  },
  {
    kind: 'page',
    rule: 'Transparency.noPageGroup',
    breaks: doc('/Half gs 0 g 100 100 50 50 re f'),
    passes: doc('0 g 100 100 50 50 re f'),
  },
  {
    kind: 'page',
    rule: 'RestrictedFeatures.transferCurve',
    breaks: doc('/Tr gs 0 g 100 100 50 50 re f'),
    passes: doc('/TrId gs 0 g 100 100 50 50 re f'),
  },
  {
    kind: 'page',
    rule: 'ProcessingSteps.missing',
    settings: { required: ['Structural/Cutting'] },
    breaks: doc(something),
    passes: doc(something, {
      catalog: '/OCProperties << /OCGs [450 0 R] /D << >> >>',
      objects: {
        450: '<< /Type /OCG /Name (Cut) /GTS_Metadata << /GTS_ProcStepsGroup /Structural /GTS_ProcStepsType /Cutting >> >>',
      },
    }),
  },
  {
    kind: 'page',
    rule: 'ProcessingSteps.spotMissing',
    settings: { requiredSpots: ['CutContour'] },
    breaks: doc(something),
    passes: doc('/Over gs /Cut CS 1 SCN 100 100 50 50 re S'),
  },
  {
    kind: 'page',
    rule: 'PdfX.claim',
    breaks: doc(something),
    passes: doc(something, {
      catalog: '/Metadata 460 0 R',
      objects: {
        460: {
          dict: '/Type /Metadata /Subtype /XML',
          data: '<x:xmpmeta><rdf:Description pdfxid:GTS_PDFXVersion="PDF/X-4"/></x:xmpmeta>',
        },
      },
    }),
  },
  {
    kind: 'page',
    rule: 'PdfX.version',
    breaks: doc(something, { version: '1.7' }),
    passes: doc(something, { version: '1.6' }),
  },
  {
    kind: 'page',
    rule: 'PdfX.trailerId',
    breaks: doc(something),
    passes: doc(something, { trailer: '/ID [<00> <00>]' }),
  },
  { kind: 'page', rule: 'PdfX.outputIntent', breaks: doc(something), passes: doc(something, intent('CMYK')) },
  {
    kind: 'page',
    rule: 'PdfX.fontEmbedded',
    breaks: doc('BT /F2 12 Tf 100 200 Td (Text) Tj ET'),
    passes: doc(text(12, '0 g')),
  },
  { kind: 'page', rule: 'PdfX.colour', breaks: doc('1 0 0 rg 100 100 50 50 re f'), passes: doc(something) },
  {
    kind: 'page',
    rule: 'PdfX.transparency',
    settings: { level: 'PDF/X-1a:2003' },
    breaks: doc('/Half gs 0 g 100 100 50 50 re f'),
    passes: doc(something),
  },
  { kind: 'page', rule: 'PdfX.boxes', breaks: doc(something, { trim: null }), passes: doc(something) },
  {
    kind: 'page',
    rule: 'PdfX.layers',
    settings: { level: 'PDF/X-3:2003' },
    breaks: doc(something, { catalog: '/OCProperties << /OCGs [] /D << >> >>' }),
    passes: doc(something),
  },
  { kind: 'page', rule: 'PdfX.annotations', breaks: note('100 100 120 120'), passes: note('0 0 5 5') },
  {
    kind: 'page',
    rule: 'PdfX.actions',
    breaks: doc(something, { catalog: '/OpenAction << /S /URI /URI (http://example.com) >>' }),
    passes: doc(something),
  },
  {
    kind: 'page',
    rule: 'PdfX.trapped',
    breaks: doc(something),
    passes: doc(something, { trailer: '/Info 440 0 R', objects: { 440: '<< /Trapped /False >>' } }),
  },
];

/** The same on plates: these need a rendering, so each is one page only. */
export const renderedCases: readonly RuleCase[] = [
  {
    kind: 'placed',
    rule: 'Bleed.short',
    breaks: doc(`1 0 0 0 k ${20 - mm(2.6)} 100 200 200 re f`),
    passes: doc(`1 0 0 0 k ${20 - mm(3)} 100 200 200 re f`),
  },
  {
    kind: 'page',
    rule: 'Bleed.short',
    settings: { failBelow: mm(1) },
    breaks: doc(`1 0 0 0 k 100 ${20 - mm(1.5)} 200 200 re f`),
    passes: doc('1 0 0 0 k 100 100 200 200 re f'),
  },
  {
    kind: 'page',
    rule: 'Bleed.short',
    breaks: doc(`q 300 0 0 300 ${380 + mm(2) - 300} 100 cm /Im Do Q`),
    passes: doc(`q 300 0 0 300 ${380 + mm(3) - 300} 100 cm /Im Do Q`),
  },
  {
    kind: 'page',
    rule: 'Bleed.boxLies',
    breaks: doc('1 0 0 0 k 20 20 360 460 re f'),
    passes: doc(`1 0 0 0 k 0 0 400 500 re f`),
  },
  {
    kind: 'page',
    rule: 'Bleed.boxOnly',
    breaks: doc('1 0 0 0 k 0 0 400 500 re f', { bleed: null }),
    passes: doc('1 0 0 0 k 0 0 400 500 re f'),
  },
  {
    kind: 'page',
    rule: 'Bleed.gap',
    breaks: doc(`1 0 0 0 k ${20 + mm(0.6)} 20 360 460 re f`),
    passes: doc(`1 0 0 0 k ${20 + mm(1.5)} 40 300 400 re f`),
  },
  { kind: 'page', rule: 'Bleed.notNeeded', breaks: doc(something), passes: doc('1 0 0 0 k 0 0 400 500 re f') },
  {
    kind: 'page',
    rule: 'EmptyPages.empty',
    breaks: doc('0 0 0 0 k 100 100 50 50 re f'),
    passes: doc('0 0 0 0.01 k 100 100 50 50 re f'),
  },
  { kind: 'page', rule: 'EmptyPages.empty', breaks: doc('0 g 0 0 10 10 re f'), passes: doc('0 g 100 100 1 1 re f') },
  {
    kind: 'page',
    rule: 'EmptyPages.nearEmpty',
    breaks: doc('0 g 100 100 5 5 re f'),
    passes: doc('0 g 100 100 20 20 re f'),
  },
  {
    kind: 'page',
    rule: 'TotalInkCoverage.cmyk',
    breaks: doc('0.76 0.76 0.76 0.76 k 100 100 100 100 re f'),
    passes: doc('0.74 0.74 0.74 0.76 k 100 100 100 100 re f'),
  },
  {
    kind: 'page',
    rule: 'TotalInkCoverage.cmyk',
    breaks: doc('1 1 1 1 k 100 100 43 43 re f'),
    passes: doc('1 1 1 1 k 100 100 43 25 re f'),
  },
  {
    kind: 'page',
    rule: 'TotalInkCoverage.allInks',
    settings: { allInks: { warnAbove: 150 } },
    breaks: doc('/Gold cs 1 scn 100 100 100 100 re f /Over gs 0.6 0 0 0 k 100 100 100 100 re f'),
    passes: doc('/Gold cs 1 scn 100 100 100 100 re f'),
  },
  {
    kind: 'page',
    rule: 'Plates.tooManyOnPage',
    settings: { maxPerPage: 1 },
    breaks: doc('1 1 0 0 k 100 100 50 50 re f'),
    passes: doc('1 0 0 0 k 100 100 50 50 re f'),
  },
  {
    kind: 'page',
    rule: 'Plates.colourPage',
    severities: { colourPage: 'Info' },
    breaks: doc('1 0 0 0 k 100 100 50 50 re f'),
    passes: doc('0 g 100 100 50 50 re f'),
  },
];
