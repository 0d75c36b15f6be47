import { doc, imageAt, intent, note, picture, something } from '../../quality/content.ts';
import { encrypted } from '../../quality/encryption.ts';
import type { RuleCase } from '../../quality/rule-case.ts';

export const cases: readonly RuleCase<'DocumentIntegrity'>[] = [
  {
    kind: 'page',
    rule: 'annotationsInPrintArea',
    breaks: note('100 100 120 120'),
    passes: note('0 0 5 5'),
  },
  {
    kind: 'page',
    rule: 'formFieldsInPrintArea',
    breaks: note('100 100 120 120', 'Widget', '/FT /Tx /T (a)'),
    passes: note('100 100 120 120', 'Link'),
  },
  {
    kind: 'page',
    rule: 'multimedia',
    breaks: note('100 100 120 120', 'Movie'),
    passes: note('100 100 120 120', 'Link'),
  },
  {
    kind: 'page',
    rule: 'javascript',
    breaks: doc(something, { catalog: '/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>' }),
    passes: doc(something, { catalog: '/OpenAction << /S /GoTo /D [3 0 R /Fit] >>' }),
  },
  {
    kind: 'page',
    rule: 'actions',
    breaks: doc(something, { catalog: '/OpenAction << /S /URI /URI (http://example.com) >>' }),
    passes: doc(something),
  },
  {
    kind: 'page',
    rule: 'embeddedFiles',
    breaks: doc(something, {
      catalog: '/Names << /EmbeddedFiles << /Names [(a) << /Type /Filespec /F (a.txt) >>] >> >>',
    }),
    passes: doc(something),
  },
  {
    kind: 'page',
    rule: 'XFA',
    breaks: doc(something, { catalog: '/AcroForm << /Fields [] /XFA (x) >>' }),
    passes: doc(something, { catalog: '/AcroForm << /Fields [] >>' }),
  },
  {
    kind: 'page',
    rule: 'digitalSignature',
    breaks: doc(something, { catalog: '/AcroForm << /Fields [<< /FT /Sig /T (s) /V << /Type /Sig >> >>] >>' }),
    passes: doc(something, { catalog: '/AcroForm << /Fields [<< /FT /Sig /T (s) >>] >>' }),
  },
  {
    kind: 'page',
    rule: 'preseparated',
    breaks: doc(something, { extra: '/SeparationInfo << /DeviceColorant /Cyan >>' }),
    passes: doc(something),
  },
  {
    kind: 'page',
    rule: 'versionHigh',
    settings: { maxPdfVersion: '1.6' },
    breaks: doc(something, { version: '1.7' }),
    passes: doc(something, { version: '1.6' }),
  },
  {
    kind: 'page',
    rule: 'versionLow',
    settings: { minPdfVersion: '1.4' },
    breaks: doc(something, { version: '1.3' }),
    passes: doc(something, { version: '1.4' }),
  },
  { kind: 'page', rule: 'syntaxErrors', breaks: doc(`${something} wrong`), passes: doc(something) },
  { kind: 'page', rule: 'syntaxErrors', breaks: doc(`q ${something}`), passes: doc(`q ${something} Q`) },
  {
    kind: 'page',
    rule: 'resourceMissing',
    breaks: doc('/Nowhere Do'),
    passes: doc('q 9 0 0 9 0 0 cm /Im Do Q'),
  },
  {
    kind: 'page',
    rule: 'conformance',
    settings: { requiredConformance: 'X-4' },
    breaks: doc(something),
    passes: doc(something, { trailer: '/Info 440 0 R', objects: { 440: '<< /GTS_PDFXVersion (PDF/X-4) >>' } }),
  },
  {
    kind: 'page',
    rule: 'outputIntent',
    settings: { outputIntent: { mode: 'CMYKOnly' } },
    breaks: doc(something, intent('RGB ')),
    passes: doc(something, intent('CMYK')),
  },
  {
    kind: 'page',
    rule: 'damaged',
    breaks: doc(something, { mangle: (bytes) => bytes.subarray(0, -60) }),
    passes: doc(something),
  },
  {
    kind: 'page',
    rule: 'damaged',
    settings: { damaged: 'Disallow' },
    breaks: doc(something, {
      mangle: (bytes) => Buffer.from(bytes.toString('latin1').replace(/startxref\n\d+/, 'startxref\n7'), 'latin1'),
    }),
    passes: doc(something),
  },
  { kind: 'page', rule: 'encrypted', breaks: doc(something, encrypted({ mayPrint: true })), passes: doc(something) },
  {
    kind: 'page',
    rule: 'encrypted',
    settings: { encryption: 'AllowIfPrintingPermitted' },
    breaks: doc(something, encrypted({ mayPrint: false })),
    passes: doc(something, encrypted({ mayPrint: true })),
  },
  { kind: 'page', rule: 'syntaxMinor', breaks: doc(`BT BT ET ${something}`), passes: doc(`BT ET ${something}`) },
  {
    kind: 'page',
    rule: 'postscriptXObject',
    breaks: doc(something, {
      resources: '/XObject << /Ps 480 0 R >>',
      objects: { 480: { dict: '/Type /XObject /Subtype /PS', data: '%!PS' } },
    }),
    passes: doc(something, {
      resources: '/XObject << /Ps 480 0 R >>',
      objects: { 480: { dict: '/Type /XObject /Subtype /Form /BBox [0 0 1 1]', data: '' } },
    }),
  },
  {
    kind: 'page',
    rule: 'pageLost',
    breaks: doc(something, {
      mangle: (bytes) =>
        Buffer.from(
          bytes.toString('latin1').replace(/\/Count 1 \/Kids \[(\d+) 0 R\]/, '/Count 2 /Kids [$1 0 R 99 0 R]'),
          'latin1',
        ),
    }),
    passes: doc(something),
  },
  {
    kind: 'page',
    rule: 'renderFailed',
    settings: { renderTest: { isOn: true } },
    breaks: doc(imageAt('Pic', 50), picture('/ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /NoFilter')),
    passes: doc(something),
  },
];
