/**
 * What every action guarantees, on generated pages: the original is not changed, only facts named in the contract
 * change, a second run does nothing.
 */
import { readFileSync } from 'node:fs';
import { isNight } from '@pdf2press/config/by-day';
import type { PdfFile } from '@pdf2press/pdf';
import { buildPdf, type ObjectSource } from '@pdf2press/pdf/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { documentFacts, type Facts, pageFacts } from '../gate/facts.ts';
import { isAdded } from '../gate/gate-page.ts';
import type { GuardedFact } from '../kind/define-fix.ts';
import { bytesOf, fixedBy, look } from '../testing/fix-files.ts';
import { type FixKey, fixContracts, fixKeys } from './contracts.ts';

/** Pieces of content with the resources they need; a page consists of some of them. */
const pieces = {
  cmykText: 'BT /Ty 14 Tf 0.6 0.4 0.4 1 k 30 30 Td (a) Tj ET',
  rgbBox: '0.2 0.5 0.9 rg 20 20 40 40 re f',
  rgbBlackLine: '0 0 0 RG 0.1 w 10 90 m 150 90 l S',
  spot: '/Sp cs 0.8 scn 60 60 30 30 re f',
  deviceN: '/DN cs 0.5 0.3 scn 100 60 30 30 re f',
  form: 'q 0.5 0 0 0.5 60 100 cm /Fm Do Q',
  nested: 'q 0.8 0.2 -0.2 0.8 20 20 cm /Outer Do Q',
  layer: '/OC /Lay BDC 1 0 0 rg 120 120 30 30 re f EMC',
  hidden: '/OC /Hid BDC 0 1 0 rg 10 120 30 30 re f EMC',
  mask: 'q /Mask gs 0 0 1 rg 100 20 60 60 re f Q',
  alpha: 'q /Half gs 0 1 0 0 k 40 110 40 40 re f Q',
  image: 'q 40 0 0 40 140 140 cm /Im Do Q',
  fineImage: 'q 4 0 0 4 180 20 cm /Fine Do Q',
  smallText: '0.6 0.4 0.4 1 k BT /F 8 Tf 30 130 Td (live) Tj ET',
  outside: '0 0 1 0 k 1 1 3 3 re f',
  saveLeftOpen: 'q',
  white: '0 0 0 0 k /Over gs 70 30 10 10 re f',
  full: '0.1 0.2 0.3 0 k -10 -10 250 250 re f',
  inline: 'q 20 0 0 20 10 60 cm BI /W 2 /H 1 /CS /RGB /BPC 8 ID \x10\x20\x30\xa0\xb0\xc0 EI Q',
} as const;

const tint = (c: string) => `<</FunctionType 2/Domain[0 1]/C0[0 0 0 0]/C1[${c}]/N 1>>`;
const objects: Record<number, ObjectSource> = {
  96: {
    dict: '/Type/XObject/Subtype/Form/BBox[0 0 20 20]/Group<</S/Transparency>>/Resources<<>>',
    data: '0 1 0 0 k 0 0 20 20 re f',
  },
  97: '<</Type/Annot/Subtype/Square/F 4/Rect[60 160 80 180]/AP<</N 96 0 R>>>>',
  98: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  99: {
    dict: '/Type/XObject/Subtype/Image/Width 64/Height 64/ColorSpace/DeviceGray/BitsPerComponent 8',
    data: new Uint8Array(64 * 64).map((_, i) => (i % 64) << 2),
  },
  100: {
    dict: '/Type/XObject/Subtype/Form/BBox[0 0 100 100]/Resources<<>>',
    data: '1 0 0 rg 10 10 50 50 re f 0 0 0 1 K 0.05 w 5 5 m 90 5 l S',
  },
  101: {
    dict: '/Type/XObject/Subtype/Form/BBox[0 0 150 150]/Matrix[1 0 0 1 5 5]/Resources<</XObject<</In 100 0 R>>>>',
    data: 'q 0.5 0 0 0.5 10 10 cm /In Do Q 0.3 g 70 70 20 20 re f',
  },
  102: {
    dict: '/Type/XObject/Subtype/Image/Width 4/Height 4/ColorSpace/DeviceRGB/BitsPerComponent 8',
    data: new Uint8Array(48).map((_, i) => i * 5),
  },
  103: {
    dict: '/Type/XObject/Subtype/Form/BBox[0 0 200 200]/Group<</S/Transparency/CS/DeviceGray>>/Resources<<>>',
    data: '1 g 100 20 30 60 re f 0.5 g 130 20 30 60 re f',
  },
  104: '<</Type/OCG/Name(Shown)>>',
  105: '<</Type/OCG/Name(Hidden)>>',
  106: { dict: '/FunctionType 4/Domain[0 1 0 1]/Range[0 1 0 1 0 1 0 1]', data: '{0 0}' },
  107: '<</Type/Font/Subtype/Type3/FontBBox[0 0 1000 1000]/FontMatrix[0.001 0 0 0.001 0 0]/CharProcs<</a 108 0 R>>/Encoding<</Differences[97/a]>>/FirstChar 97/LastChar 97/Widths[600]/Resources<<>>>>',
  108: { dict: '', data: '600 0 0 0 600 700 d1 100 0 400 700 re f' },
};
const resources =
  `/Font<</Ty 107 0 R/F 98 0 R>>/ColorSpace<</Sp[/Separation/Gold/DeviceCMYK ${tint('0 0.2 0.8 0.1')}]/DN[/DeviceN[/Gold/Black]/DeviceCMYK 106 0 R]>>` +
  '/XObject<</Fm 100 0 R/Outer 101 0 R/Im 102 0 R/Fine 99 0 R>>/ExtGState<</Mask<</SMask<</S/Luminosity/G 103 0 R>>>>/Half<</ca 0.5>>/Over<</op true>>>>/Properties<</Lay 104 0 R/Hid 105 0 R>>';

const pageShape = fc.record({
  content: fc.subarray(Object.keys(pieces) as (keyof typeof pieces)[], { minLength: 2 }),
  rotate: fc.constantFrom(0, 90, 270),
  userUnit: fc.constantFrom(1, 1, 2),
  origin: fc.constantFrom([0, 0], [-50, -20]),
  trim: fc.boolean(),
  isAnnotated: fc.boolean(),
});

type PageShape = typeof pageShape extends fc.Arbitrary<infer T> ? T : never;

const documentOf = (shapes: readonly PageShape[]): Uint8Array =>
  buildPdf({
    objects,
    catalog:
      '/OCProperties<</OCGs[104 0 R 105 0 R]/D<</OFF[105 0 R]/Order[104 0 R 105 0 R]>>>>/PageLabels<</Nums[0<</S/r>>]>>',
    trailer: '/Info<</Title(Test)>>',
    pages: shapes.map(({ content, rotate, userUnit, origin: [x = 0, y = 0], trim, isAnnotated }) => ({
      content: `1 0 0 1 ${x} ${y} cm ${content.map((name) => pieces[name]).join('\n')}`,
      mediaBox: [x, y, x + 200, y + 200],
      resources,
      extra: `${rotate ? `/Rotate ${rotate}` : ''}${userUnit === 1 ? '' : `/UserUnit ${userUnit}`}${trim ? `/TrimBox[${x + 10} ${y + 10} ${x + 190} ${y + 190}]` : ''}${isAnnotated ? '/Annots[97 0 R]' : ''}`,
    })),
  });

const document = fc.array(pageShape, { minLength: 1, maxLength: 2 }).map(documentOf);
/** A page with all pieces, so that every action changes something. */
const everything = documentOf([
  {
    content: (Object.keys(pieces) as (keyof typeof pieces)[]).filter((name) => name !== 'full'),
    rotate: 90,
    userUnit: 2,
    origin: [-50, -20],
    trim: true,
    isAnnotated: true,
  },
]);

/** Settings with which each action changes these pages. */
const cases: readonly [FixKey, unknown][] = [
  ['Repair', { rewrite: 'IfDamaged' }],
  ['TruncatePages', { keep: 'PadToMultipleOf', multiple: 4 }],
  ['SetPageBoxes', {}],
  ['RotatePages', {}],
  ['RemoveObjects', {}],
  ['FlattenLayers', {}],
  ['RemoveOutside', { box: 'Trim' }],
  [
    'ResizePages',
    { width: '90mm', height: '90mm', maxScaleUp: 1000, maxStretchDistortion: 10, scaling: 'Proportionally' },
  ],
  ['ColorspaceTransformation', {}],
  ['MapSpots', { rules: [{ from: 'gold', action: 'Rename', to: 'Silver' }] }],
  ['LimitInk', { maxInk: 200 }],
  ['RichBlack', {}],
  ['ThickenLines', {}],
  ['Overprint', {}],
  ['EmbedFonts', {}],
  ['FontsOutline', { targets: 'FontsAndVectors', scope: 'Type3' }],
  ['FlatteningTransparencies', { imageDpi: 150, lineArtDpi: 150 }],
  ['ImageResolution', {}],
  ['AddBleeds', { dpi: 100 }],
  ['AddText', {}],
  ['PlaceBarcode', { moduleSize: '0.2mm', colour: 'Spot' }],
  ['AddCutContour', { from: 'Ink' }],
  ['AddTrimMarks', {}],
  ['ConvertToPdfX', { strict: false }],
];

const pageCountOf = (path: string): number => look(path, (file) => file.pageCount);
const factsOf = (file: PdfFile, page: number): Facts => {
  const facts = file.pages[page - 1];
  if (!facts) throw new Error(`no page ${page}`);
  return pageFacts(file, facts);
};

/** By day the page with everything; the boxes of that are as they should be, so that one more is tried. */
const runsOf = (key: FixKey): number =>
  Number(process.env.FIX_PROPERTY_RUNS ?? (isNight ? 3 : key === 'SetPageBoxes' ? 2 : 1));

test.each(cases)(
  '%s: the original stays, only facts of its contract change, a second run does nothing',
  async (key, settings) => {
    const outcomes = new Set<string | undefined>();
    await fc.assert(
      fc.asyncProperty(document, async (pdf) => {
        const once = await fixedBy(pdf, key, settings);
        // The original file is not changed.
        expect(readFileSync(once.before)).toEqual(Buffer.from(pdf));
        const [action] = once.report.actions;
        if (action?.outcome === 'Failed') throw new Error(JSON.stringify([action.reason, action.gate, once.before]));
        expect(['Applied', 'NothingToDo']).toContain(action?.outcome);
        outcomes.add(action?.outcome);
        // Facts that the contract does not name stay the same.
        const [before, after] = [look(once.before, documentFacts), look(once.path, documentFacts)];
        const contract = fixContracts[key];
        for (const fact of ['pageCount', 'boxes', 'layers', 'outputIntents', 'metadata'] as const) {
          if ((contract.mayAdd as readonly string[]).includes(fact))
            expect([fact, isAdded(before[fact], after[fact])]).toEqual([fact, true]);
          else if (!(contract.mayChange as readonly string[]).includes(fact))
            expect([fact, after[fact]]).toEqual([fact, before[fact]]);
        }
        for (let page = 1; key !== 'TruncatePages' && page <= pageCountOf(once.before); page += 1) {
          const [was, is] = [once.before, once.path].map((path) => look(path, (file) => factsOf(file, page)));
          for (const [fact, value] of Object.entries(was ?? {}))
            if ((contract.mayAdd as readonly string[]).includes(fact))
              expect([fact, page, isAdded(value, is?.[fact as GuardedFact])]).toEqual([fact, page, true]);
            else if (!(contract.mayChange as readonly string[]).includes(fact))
              expect([fact, page, is?.[fact as GuardedFact]]).toEqual([fact, page, value]);
        }
        // The gate compared the pictures.
        if (action?.outcome === 'Applied') expect(action.gate?.isPassed).toBe(true);
        // A second run does nothing.
        const twice = await fixedBy(bytesOf(once.path), key, settings);
        expect([twice.report.actions[0]?.outcome, twice.report.changes]).toEqual(['NothingToDo', []]);
      }),
      { numRuns: runsOf(key), seed: 20_240_506, endOnFailure: true, examples: [[everything]] },
    );
    // An action that never changed anything would prove nothing.
    expect([...outcomes]).toContain('Applied');
  },
);

test('every action that changes a PDF is tested', () => {
  expect(cases.map(([key]) => key)).toEqual(fixKeys.filter((key) => key !== 'ImagesToPdf'));
});

/** Guarantees by groups of facts. The appearance is checked by the gate. */
const guarantees = {
  pages: ['pageCount'],
  boxes: ['boxes'],
  inks: ['inks'],
  overprint: ['overprint', 'overprintColours'],
  images: ['images'],
  text: ['fonts', 'text'],
  document: ['layers', 'outputIntents', 'metadata'],
} as const satisfies Readonly<Record<string, readonly GuardedFact[]>>;
type Guarantee = keyof typeof guarantees;

/** Guarantees that an action does not give, with the reason. */
const exceptions: Readonly<Partial<Record<FixKey, Partial<Record<Guarantee, string>>>>> = {
  Repair: { document: 'unreadable document information is removed' },
  TruncatePages: {
    pages: 'pages are removed and added',
    boxes: 'boxes of those pages',
    inks: 'content of those pages',
    overprint: 'content of those pages',
    images: 'content of those pages',
    text: 'content of those pages',
    document: 'labels move with their pages; layers used only by removed pages are removed',
  },
  SetPageBoxes: { boxes: 'the purpose of the action' },
  RotatePages: { boxes: 'boxes are rotated with the page' },
  ResizePages: { boxes: 'boxes scale with the page' },
  RemoveObjects: {
    inks: 'annotations are removed with their content',
    overprint: 'annotations are removed with their content',
    images: 'annotations are removed with their content',
    text: 'annotations are removed with their content',
    document: 'scripts, forms and bookmarks are removed',
  },
  FlattenLayers: {
    inks: 'hidden content is removed',
    overprint: 'hidden content is removed',
    images: 'hidden content is removed',
    text: 'hidden content is removed',
    document: 'layers are removed',
  },
  RemoveOutside: {
    boxes: 'the page may be cut to what is left',
    inks: 'content outside is removed',
    overprint: 'content outside is removed',
    images: 'content outside is removed',
    text: 'content outside is removed',
  },
  ColorspaceTransformation: {
    inks: 'spots are mapped or converted where asked',
    overprint: 'overprint mode has another meaning in another space',
    images: 'images are converted',
    document: 'the output intent is set',
  },
  MapSpots: {
    inks: 'the purpose of the action',
    overprint: 'the colours that overprint have other names',
    images: 'images are of these inks',
  },
  LimitInk: { overprint: 'the colours that overprint are of less ink', images: 'the purpose of the action' },
  RichBlack: { inks: 'registration colour becomes black', overprint: 'black may overprint' },
  Overprint: { inks: 'grey becomes black ink', overprint: 'the purpose of the action' },
  EmbedFonts: { text: 'the purpose of the action; the text itself stays' },
  FontsOutline: {
    overprint: 'one text is many shapes, in the same overprinting colours',
    text: 'the purpose of the action',
  },
  FlatteningTransparencies: {
    inks: 'spots below an image become part of it',
    overprint: 'overprint is part of the picture',
    images: 'pictures are made',
    text: 'text below a picture is part of it',
    document: 'layers are part of the picture',
  },
  ImageResolution: { images: 'the purpose of the action' },
  AddBleeds: {
    boxes: 'the page grows; the trim stays',
    overprint: 'mirrored objects overprint as those they mirror',
    images: 'bleed may be an image',
    text: 'mirrored objects may be text',
  },
  PlaceBarcode: { inks: 'the code may be of a spot colour' },
  AddCutContour: {
    inks: 'the contour is a spot colour',
    overprint: 'the contour overprints',
    document: 'the contour has a layer',
  },
  AddTrimMarks: { boxes: 'the page grows; trim and bleed stay' },
  ConvertToPdfX: {
    boxes: 'a missing TrimBox is set',
    images: 'compression that the standard forbids is replaced',
    document: 'required by the standard',
  },
};

test('an action may change only groups of facts for which a reason is given', () => {
  for (const key of fixKeys) {
    const mayChange: readonly GuardedFact[] = [...fixContracts[key].mayChange, ...fixContracts[key].mayAdd];
    const touched = Object.entries(guarantees).flatMap(([name, facts]) =>
      facts.some((fact) => mayChange.includes(fact)) ? [name] : [],
    );
    expect([key, touched]).toEqual([key, Object.keys(exceptions[key] ?? {})]);
  }
});
